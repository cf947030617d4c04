//! The questions that have one answer: a game, a text that holds a game, a move, the values of the oracle.

use super::game::{self, GameSpec};
use super::guard;
use super::object::object;
use super::refusal::Refusal;
use super::search_pool::{SearchPool, on_a_thread};
use crate::advice::Advice;
use crate::json;
use reversi_engine::{Clock, Game, GameMove, GameSetup, Limits, NameError, PlayerSpec, Size, Value};
use reversi_formats::ggf::Record;
use reversi_formats::reader::Wanted;
use reversi_formats::text::{self, ReadError, Reading};
use reversi_solver::oracle::LineEnd;
use reversi_solver::search::Stop;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A game and nothing else.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameQuestion {
    #[serde(deserialize_with = "object")]
    game: GameSpec,
}

impl GameQuestion {
    /// The game with its legal moves.
    ///
    /// # Errors
    /// An invalid game.
    pub fn answer(&self) -> Result<Json, Refusal> {
        self.game.game().map(|game| game::json(&game))
    }
}

/// A text to be read as a game, under the rules of another game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextQuestion {
    text: String,
    #[serde(default, deserialize_with = "object")]
    game: GameSpec,
}

/// Maximum bytes of a text that holds a game. A record with times and comments has a tenth of it, and no text of this
/// length takes more than a second.
const MOST_OF_TEXT: usize = 32 << 10;
/// Boards on which bare moves are tried after the requested one.
const USUAL_BOARDS: [&str; 3] = ["8x8", "6x6", "4x4"];

impl TextQuestion {
    /// The game that the text holds.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn answer(mut self) -> Result<Json, Refusal> {
        guard::check_length("text", self.text.len(), MOST_OF_TEXT)?;
        if self.text.trim().is_empty() {
            return Err(Refusal::bad("bad-game", "the text is empty"));
        }
        let setup = self.game.setup_for_text()?;
        // The scoring is for the requested board; on other boards the usual one applies.
        let usual = GameSetup { scoring: None, ..setup };
        let wanted = self.game.wanted(setup, None)?;
        let read = |setup| text::read_single(&self.text, Wanted { setup, ..wanted });
        let reading = match read(setup) {
            Ok(reading) if reading.game.size() != setup.size => {
                read(usual).map_err(|error| error.to_string())
            }
            Err(error @ ReadError::Several) => Err(error.to_string()),
            Err(error) => elsewhere(error, setup.size, |size| read(GameSetup { size, ..usual })),
            Ok(reading) => Ok(reading),
        };
        reading.map(|reading| game::json(&reading.game)).map_err(|error| Refusal::bad("bad-game", error))
    }
}

/// The game that a text holds on another board than the requested one.
///
/// # Errors
/// The error on the board on which most of its moves can be played.
fn elsewhere(
    first: ReadError,
    asked: Size,
    read: impl Fn(Size) -> Result<Reading, ReadError>,
) -> Result<Reading, String> {
    let played =
        |error: &ReadError| if let ReadError::BareMoves(error) = error { error.number - 1 } else { 0 };
    let mut furthest = (first, asked);
    for size in USUAL_BOARDS.iter().filter_map(|size| size.parse().ok()) {
        match read(size) {
            Ok(reading) => return Ok(reading),
            Err(error) if played(&error) > played(&furthest.0) => furthest = (error, size),
            Err(_) => {}
        }
    }
    let (error, size) = furthest;
    Err(if played(&error) > 0 { format!("on {size}: {error}") } else { error.to_string() })
}

/// A game to be written as GGF.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordQuestion {
    #[serde(deserialize_with = "object")]
    game: GameSpec,
    #[serde(default)]
    black: String,
    #[serde(default)]
    white: String,
    #[serde(default)]
    date: String,
}

impl RecordQuestion {
    /// The object of the schema `reversi.record/1`.
    ///
    /// # Errors
    /// An invalid game.
    pub fn answer(self) -> Result<Json, Refusal> {
        let mut record = Record::new(&self.game.game()?);
        (record.place, record.date) = ("reversi".to_owned(), self.date);
        (record.black, record.white) = (self.black, self.white);
        Ok(json!({"schema": "reversi.record/1", "ggf": record.to_string()}))
    }
}

/// What `reversi query` is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    #[serde(deserialize_with = "object")]
    game: GameSpec,
    #[serde(default)]
    quick: bool,
    #[serde(default)]
    line: LineEnd,
    time: Option<f64>,
}

impl Query {
    /// The object of the schema `reversi.query/1`, from the tables if they hold it, else by a search.
    ///
    /// # Errors
    /// An invalid game, or no time to search.
    pub async fn answer(self, pool: Arc<SearchPool>) -> Result<Json, Refusal> {
        let time = read_time(self.time)?;
        let (question, game, stored, pool) = on_a_thread(move || {
            let game = self.game.game()?;
            let stored = self.ask_tables(&game, &pool)?;
            Ok((self, game, stored, pool))
        })
        .await?;
        match stored {
            Some(answer) => Ok(answer),
            None => {
                let place = pool.place(pool.search_time(time)).await?;
                place.work(move |stop| question.ask(&game, &pool, stop)).await
            }
        }
    }

    /// Only tables can answer if the search was stopped before it began.
    fn ask_tables(&self, game: &Game, pool: &SearchPool) -> Result<Option<Json>, Refusal> {
        match self.ask(game, pool, &Stop::already()) {
            Err(refusal) if refusal.is_out_of_time() => Ok(None),
            Ok(answer) if self.line == LineEnd::OfGame && answer["line_complete"] == false => Ok(None),
            answer => answer.map(Some),
        }
    }

    fn ask(&self, game: &Game, pool: &SearchPool, stop: &Stop) -> Result<Json, Refusal> {
        let board = game::for_the_oracle(game)?;
        let oracle = pool.oracle(board.geometry, game.rules())?;
        let started = Instant::now();
        let seconds = || started.elapsed().as_secs_f64();
        if self.quick {
            let value = oracle.value(board.position(), stop)?;
            return Ok(json::value(board, game.rules(), &value, seconds()));
        }
        let answer = oracle.answer(board.position(), self.line, stop)?;
        Ok(json::answer(board, game.rules(), &answer, seconds()))
    }
}

/// The request for a player's move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveQuestion {
    #[serde(deserialize_with = "object")]
    game: GameSpec,
    player: String,
    time: Option<f64>,
    seed: Option<u64>,
}

impl MoveQuestion {
    /// The object of the schema `reversi.move/1`.
    ///
    /// # Errors
    /// An invalid game or player, a game that is over, or a player that cannot continue.
    pub async fn answer(self, pool: Arc<SearchPool>) -> Result<Json, Refusal> {
        let (game, spec) = on_a_thread(move || Ok((self.game.game()?, read_player(&self.player)?))).await?;
        let time = read_time(self.time)?;
        let seed = self.seed.unwrap_or_else(|| fastrand::u64(..));
        let most = pool.search_time(None);
        // A player that does not search needs no place among the searches.
        let place = match spec.base_name() {
            "random" | "first" => pool.aside(most),
            _ => pool.place(most).await?,
        };
        place.work(move |stop| choose(&pool, &game, &spec, time, seed, stop)).await
    }
}

fn choose(
    pool: &SearchPool,
    game: &Game,
    spec: &PlayerSpec,
    time: Option<Duration>,
    seed: u64,
    stop: &Stop,
) -> Result<Json, Refusal> {
    let limits = Limits { depth: None, clock: time.map_or(Clock::None, Clock::PerMove) };
    let choice = pool.with_player(spec, seed, |player| {
        player.supports(game.size(), game.passing())?;
        // The time is for its move, not for reading its weights.
        player.prepare(game)?;
        player.choose(game, &limits, stop)
    })?;
    let pv: Vec<String> = choice.info.pv.iter().map(GameMove::to_string).collect();
    let mut object = json!({
        "schema": "reversi.move/1",
        "player": spec.to_string(),
        "move": choice.mv.to_string(),
        "depth": choice.info.depth,
        "nodes": choice.info.nodes,
        "line": pv,
        "seconds": choice.info.seconds,
    });
    if let Some(value) = choice.info.value {
        put_value(&mut object, value);
    }
    Ok(object)
}

/// `score` if it is proved, `estimate` if it is an estimate, `points` in an evaluation's own units: never one in place
/// of another.
pub fn put_value(object: &mut Json, value: Value) {
    let (key, number) = match value {
        Value::Exact(score) => ("score", json!(score.discs())),
        Value::Estimate(eval) => ("estimate", json!((eval.discs() * 100.0).round() / 100.0)),
        Value::Points(points) => ("points", json!(points)),
    };
    object[key] = number;
}

/// A player's name.
///
/// # Errors
/// A name that no player has, with the nearest ones.
pub fn read_player(name: &str) -> Result<PlayerSpec, Refusal> {
    name.parse().map_err(|error: NameError| Refusal::bad("bad-player", error.with_advice()))
}

const YEAR: f64 = 365.0 * 24.0 * 3600.0;

/// Seconds in a request.
///
/// # Errors
/// An invalid time.
pub fn read_time(seconds: Option<f64>) -> Result<Option<Duration>, Refusal> {
    let Some(seconds) = seconds else { return Ok(None) };
    // A year stands for no limit, and the clock can hold it.
    let time = Duration::try_from_secs_f64(seconds.min(YEAR)).ok().filter(|time| !time.is_zero());
    time.map(Some).ok_or_else(|| Refusal::bad("bad-time", "\"time\" is a number of seconds above 0"))
}
