//! Which path is answered by which code.

use super::answers::{GameQuestion, MoveQuestion, Query, RecordQuestion, TextQuestion};
use super::assets::Asset;
use super::connections::Peer;
use super::games::GamesQuestion;
use super::guard::{self, Guard};
use super::lines::{Body, json_response};
use super::object;
use super::players::{PlayerQuestion, PlayersQuestion};
use super::refusal::Refusal;
use super::search_pool::{SearchPool, on_a_thread};
use super::values::{GameValuesQuestion, MovesQuestion, told};
use crate::json;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use reversi_engine::catalogue::CATALOGUE;
use reversi_lab::atlas::start_values;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// What all requests share.
pub struct Service {
    /// Which requests are accepted, and their size.
    pub guard: Guard,
    /// The place where searches run.
    pub pool: Arc<SearchPool>,
}

/// Headers of every answer: the page runs its own scripts only, and no other page may hold it in a frame.
const HEADERS: [(&str, &str); 4] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Answers any request; a refusal gives the reason.
pub async fn answer(service: &Service, request: Request<Incoming>) -> Response<Body> {
    let mut response = route(service, request).await.unwrap_or_else(Refusal::into_response);
    for (name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

async fn route(service: &Service, request: Request<Incoming>) -> Result<Response<Body>, Refusal> {
    service.guard.check(request.headers())?;
    let path = request.uri().path().to_owned();
    let Some(question) = path.strip_prefix("/api/") else {
        return match (Asset::at(&path), request.method()) {
            (None, _) => Err(nothing_here(&path)),
            (Some(asset), &Method::GET | &Method::HEAD) => Ok(asset.response()),
            (Some(_), _) => Ok(wrong_method("GET")),
        };
    };
    guard::check_fetch(request.headers())?;
    // Without a game all players are listed, with a game those that can play it.
    let is_listing =
        ["players", "atlas"].contains(&question) && matches!(*request.method(), Method::GET | Method::HEAD);
    if QUESTIONS.contains(&question) && *request.method() != Method::POST && !is_listing {
        return Ok(wrong_method(if question == "players" { "GET, POST" } else { "POST" }));
    }
    let pool = service.pool.clone();
    match question {
        "atlas" if is_listing => Ok(json_response(StatusCode::OK, &json::atlas(start_values()))),
        "atlas" => Ok(wrong_method("GET")),
        "players" if is_listing => Ok(json_response(StatusCode::OK, &json::players(CATALOGUE))),
        "players" => at_once(request, |question: PlayersQuestion| question.answer()).await,
        "player" => at_once(request, |question: PlayerQuestion| question.answer()).await,
        "game" => at_once(request, |question: GameQuestion| question.answer()).await,
        "read" => at_once(request, |question: TextQuestion| question.answer()).await,
        "record" => at_once(request, |question: RecordQuestion| question.answer()).await,
        "query" => read::<Query>(request).await?.answer(pool).await.map(whole),
        "move" => read::<MoveQuestion>(request).await?.answer(pool).await.map(whole),
        "values" => told(read::<MovesQuestion>(request).await?, pool).await,
        "positions" => told(read::<GameValuesQuestion>(request).await?, pool).await,
        "games" => read::<GamesQuestion>(request).await?.told(pool).await,
        _ => Err(nothing_here(&path)),
    }
}

const QUESTIONS: [&str; 10] =
    ["players", "player", "game", "read", "record", "query", "move", "values", "positions", "games"];

/// Answers a question that needs no search, on a thread of its own: its game may take a while to read.
async fn at_once<T: DeserializeOwned + Send + 'static>(
    request: Request<Incoming>,
    answer: fn(T) -> Result<serde_json::Value, Refusal>,
) -> Result<Response<Body>, Refusal> {
    let question: T = read(request).await?;
    on_a_thread(move || answer(question)).await.map(whole)
}

async fn read<T: DeserializeOwned>(request: Request<Incoming>) -> Result<T, Refusal> {
    let peer = request.extensions().get::<Arc<Peer>>().cloned();
    let body: Bytes = guard::read_body(request).await?;
    peer.inspect(|peer| peer.has_asked());
    object::from_slice(&body).map_err(|error| Refusal::bad("bad-request", error))
}

fn whole(object: serde_json::Value) -> Response<Body> {
    json_response(StatusCode::OK, &object)
}

fn nothing_here(path: &str) -> Refusal {
    let message = format!("there is no \"{}\" here; docs/api.md lists what there is", path.escape_debug());
    Refusal::new(StatusCode::NOT_FOUND, "not-found", message)
}

fn wrong_method(allowed: &'static str) -> Response<Body> {
    let message = format!("use {allowed} for this");
    let mut response = Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", message).into_response();
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    response
}
