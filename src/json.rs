//! The JSON objects that the command line and the page share: the same question has the same answer everywhere.

use reversi_engine::catalogue::Entry;
use reversi_lab::atlas::{StartRow, StartValue};
use reversi_rules::{Board, Move, Rules, Score};
use reversi_solver::oracle::{Answer, MoveScore, Source, Value};
use serde_json::{Value as Json, json};

/// The object of the schema `reversi.error/1`; `kind` is a stable word such as `bad-position`.
pub fn error(kind: &str, message: &str) -> Json {
    json!({"schema": "reversi.error/1", "kind": kind, "message": message})
}

/// The object of one of several questions, with the number of that question, which pairs the two.
pub fn numbered(number: usize, mut object: Json) -> Json {
    object["number"] = number.into();
    object
}

/// The object of the schema `reversi.query/1`: everything about a position.
pub fn answer(board: Board, rules: Rules, answer: &Answer, seconds: f64) -> Json {
    let mut object = query(board, rules, answer.score, answer.source, names(answer.best()));
    object["moves"] = answer.moves.iter().map(move_score).collect();
    object["line"] = json!(names(answer.line.iter().copied()));
    object["line_complete"] = json!(answer.line_complete);
    with_end(object, board, seconds)
}

/// The same for a quick answer. It has neither moves nor line, but says where its move is from (`best_source`): a table
/// may hold the score alone.
pub fn value(board: Board, rules: Rules, value: &Value, seconds: f64) -> Json {
    let mut object = query(board, rules, value.score, value.source, names(value.best));
    if value.best.is_some() {
        object["best_source"] = json!(value.best_source.name());
    }
    with_end(object, board, seconds)
}

fn query(board: Board, rules: Rules, score: Score, source: Source, best: Vec<String>) -> Json {
    json!({
        "schema": "reversi.query/1",
        "board": board.geometry.to_string(),
        "goal": rules.goal.name(),
        "scoring": rules.scoring.name(),
        "position": board.to_string(),
        "score": score.discs(),
        "source": source.name(),
        "best": best,
    })
}

fn with_end(mut object: Json, board: Board, seconds: f64) -> Json {
    if board.position().is_over(board.geometry) {
        object["finished"] = json!(true);
    }
    object["seconds"] = json!(seconds);
    object
}

/// A move with its score and the source of the score.
pub fn move_score(scored: &MoveScore) -> Json {
    json!({"move": scored.mv.to_string(), "score": scored.score.discs(), "source": scored.source.name()})
}

fn names(moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    moves.into_iter().map(|mv| mv.to_string()).collect()
}

/// The object of the schema `reversi.atlas/1`: what starts are worth.
pub fn atlas<'a>(values: impl IntoIterator<Item = &'a StartValue>) -> Json {
    let rows: Vec<StartRow> = values.into_iter().map(StartValue::row).collect();
    json!({"schema": "reversi.atlas/1", "values": rows})
}

/// The object of the schema `reversi.players/1`.
pub fn players(entries: &[Entry]) -> Json {
    let players: Vec<Json> = entries.iter().map(player).collect();
    json!({"schema": "reversi.players/1", "players": players})
}

fn player(entry: &Entry) -> Json {
    let parameters: Vec<Json> = entry
        .parameters
        .iter()
        .map(|parameter| {
            json!({"name": parameter.name, "values": parameter.values, "meaning": parameter.meaning})
        })
        .collect();
    json!({"name": entry.name, "summary": entry.summary, "boards": entry.boards, "parameters": parameters})
}
