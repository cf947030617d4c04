//! Reads the JSON that this program writes: the positions of `query`, `solve`, `hint` and `sample`, and the games of
//! `review`.

use crate::error::ReadError;
use crate::reader::{Wanted, agreed, is_answer as is_answer_line, play_moves, read_plain, side_named};
use crate::reading::{Kind, Reading};
use reversi_rules::game::{GameMove, GameSetup, Size};
use reversi_rules::{Passing, UnknownName};
use serde_json::Value;
use std::str::FromStr;

/// Whether a JSON object is an answer about a position, or a game that was reviewed.
pub(crate) fn is_answer(value: &Value) -> bool {
    value["position"].is_string() || value["first"].is_string() && value["moves"].is_array()
}

/// The position of an answer, or the game that was reviewed, under the rules that it names.
pub(crate) fn from_json(value: &Value, wanted: &Wanted) -> Result<Reading, String> {
    let text = |name: &str| value[name].as_str();
    let size = text("board").and_then(|size| size.parse::<Size>().ok()).or(wanted.size);
    let setup = under_named(wanted.setup, value)?;
    let side = agreed(text("side").and_then(side_named), wanted.side).map_err(|error| error.to_string())?;
    let wanted = Wanted { setup, size, side, ..*wanted };
    let moves = bare_moves(value)?;
    // `position` is the position before the moves, unless `first` is there too.
    let position = text("position").filter(|_| moves.is_none() || text("first").is_none());
    let first = position.or_else(|| text("first")).unwrap_or_default();
    let read = read_plain(first, &wanted).map_err(|error| error.to_string())?;
    if !read.has_board {
        return Err(ReadError::Nothing.to_string());
    }
    let mut game = read.game;
    if let Some(moves) = moves {
        play_moves(&mut game, &moves).map_err(|error| error.to_string())?;
        return Ok(Reading::new(game, Kind::Board));
    }
    if position.is_some() {
        return Ok(Reading::new(game, Kind::Board));
    }
    for (index, made) in value["moves"].as_array().into_iter().flatten().enumerate() {
        let word = made["move"].as_str().unwrap_or_default();
        let fail = |reason: String| format!("move {} \"{word}\": {reason}", index + 1);
        let mv = if word == "pa" { Ok(GameMove::Pass) } else { game.read_move(word) };
        let mv = mv.map_err(|reason| fail(reason.to_string()))?;
        game.play(mv).map_err(|error| fail(error.reason.to_string()))?;
    }
    let player = |side: &str| value["players"][side].as_str().unwrap_or_default().to_owned();
    Ok(Reading { players: [player("X"), player("O")], ..Reading::new(game, Kind::Board) })
}

/// The moves of a game from the web page's interface, up to its `ply`: a text or a list of texts. In other answers each
/// entry of `moves` is an object with the value of a move; these give `None`.
pub(crate) fn bare_moves(value: &Value) -> Result<Option<String>, String> {
    if let Some(moves) = value["moves"].as_str() {
        return Ok(Some(moves.to_owned()));
    }
    let Some(moves) = value["moves"].as_array() else { return Ok(None) };
    if moves.iter().all(Value::is_object) {
        return Ok(None);
    }
    let texts = moves.iter().map(Value::as_str).collect::<Option<Vec<&str>>>();
    let texts = texts.ok_or("moves: a list of moves must contain only strings")?;
    // A larger number stands for all moves.
    let made = match &value["ply"] {
        Value::Null => texts.len(),
        ply => ply.as_u64().ok_or("ply: this is no number of moves")? as usize,
    };
    Ok(Some(texts[..made.min(texts.len())].join(" ")))
}

/// The setup with the rules and the start that a JSON object names. Values of `goal` and `scoring` that are not strings
/// are ignored, and so are values of `passing` that are neither `true` nor `false`, and of `start` that are none.
pub(crate) fn under_named(setup: GameSetup, value: &Value) -> Result<GameSetup, String> {
    let passing = match value["passing"].as_bool() {
        Some(true) => Passing::Allowed,
        Some(false) => Passing::EndsGame,
        None => setup.passing,
    };
    let start = value["start"].as_str().and_then(|start| start.parse().ok()).unwrap_or(setup.start);
    let setup = GameSetup { passing, start, ..setup };
    under(setup, value["goal"].as_str(), value["scoring"].as_str()).map_err(|error| error.to_string())
}

fn under(setup: GameSetup, goal: Option<&str>, scoring: Option<&str>) -> Result<GameSetup, UnknownName> {
    let goal = named(goal)?.unwrap_or(setup.goal);
    let scoring = named(scoring)?.or(setup.scoring);
    Ok(GameSetup { goal, scoring, ..setup })
}

/// The goal or the scoring that a word names, in small or large letters; `None` without a word.
pub(crate) fn named<T: FromStr<Err = UnknownName>>(word: Option<&str>) -> Result<Option<T>, UnknownName> {
    let word = word.map(str::trim).filter(|word| !word.is_empty());
    word.map(|word| word.to_ascii_lowercase().parse()).transpose()
}

/// Whether a line is one of the answer of this program that stands below a drawing.
pub(crate) fn is_answer_below(line: &str) -> bool {
    let goes_on = ["best ", "line ", "from ", "nodes ", "time "];
    let counts = line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(" nodes, ");
    is_answer_line(line) || counts || goes_on.iter().any(|word| line.starts_with(word))
}
