//! Reads what this program answers in JSON and CSV: the positions of `query`, `solve`, `hint` and `sample`, the entries of
//! a table (`position,score,best`), and the games of `review`.

use crate::reader::{Wanted, read_plain};
use crate::text::{Kind, ReadError, Reading};
use reversi_rules::Color;
use reversi_rules::game::{GameMove, GameSetup, Size};
use serde_json::Value;

/// A row of a table of positions that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct TableError {
    /// Line of the text, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub fault: String,
}

/// Whether a JSON object is an answer about a position, or a game that was reviewed.
pub(crate) fn is_answer(value: &Value) -> bool {
    value["position"].is_string() || value["first"].is_string() && value["moves"].is_array()
}

/// The position of an answer, or the game that was reviewed, under the rules that it names.
pub(crate) fn from_json(value: &Value, setup: GameSetup) -> Result<Reading, String> {
    let text = |name: &str| value[name].as_str();
    let size = text("board").and_then(|size| size.parse::<Size>().ok());
    let wanted = Wanted { setup: under(setup, text("goal"), text("scoring")), size, side: None, zero: None };
    let first = text("position").or_else(|| text("first")).unwrap_or_default();
    let mut game = read_plain(first, &wanted).map_err(|error| error.to_string())?.game;
    if text("position").is_some() {
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

fn under(setup: GameSetup, goal: Option<&str>, scoring: Option<&str>) -> GameSetup {
    let goal = goal.and_then(|name| name.parse().ok()).unwrap_or(setup.goal);
    let scoring = scoring.and_then(|name| name.parse().ok()).or(setup.scoring);
    GameSetup { goal, scoring, ..setup }
}

/// Whether the text is a table with commas whose first line names a column `position`.
pub fn is_table(text: &str) -> bool {
    let head = text.lines().next().unwrap_or_default();
    head.contains(',') && head.split(',').any(|name| name.trim() == "position")
}

/// The positions of a table, a row each, under the rules that its columns `goal` and `scoring` name. The entries of a
/// table of values (`position,score,best`) have no side: the player to move is X there.
pub fn positions(text: &str, wanted: Wanted) -> impl Iterator<Item = Result<Reading, TableError>> {
    let mut rows = csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(text.as_bytes());
    let head = rows.headers().cloned().unwrap_or_default();
    let is_export = head.iter().eq(["position", "score", "best"]);
    let wanted = if is_export { Wanted { side: Some(Color::Black), ..wanted } } else { wanted };
    // Collected, since rows borrow from the reader.
    let rows: Vec<Result<csv::StringRecord, csv::Error>> = rows.records().collect();
    rows.into_iter().enumerate().map(move |(index, row)| {
        let line = index as u64 + 2;
        let row = row.map_err(|error| TableError { line, fault: error.to_string() })?;
        let line = row.position().map_or(line, csv::Position::line);
        read_row(&head, &row, wanted).map_err(|error| TableError { line, fault: error.to_string() })
    })
}

fn read_row(head: &csv::StringRecord, row: &csv::StringRecord, wanted: Wanted) -> Result<Reading, ReadError> {
    let cell = |name: &str| head.iter().position(|own| own == name).and_then(|column| row.get(column));
    let size = cell("board").and_then(|size| size.parse().ok()).or(wanted.size);
    let setup = under(wanted.setup, cell("goal"), cell("scoring"));
    let text = cell("position").filter(|text| !text.is_empty()).ok_or(ReadError::Nothing)?;
    let read = read_plain(text, &Wanted { setup, size, ..wanted })?;
    if !read.has_board {
        return Err(ReadError::Nothing);
    }
    Ok(Reading { has_board: read.has_board, skipped: read.skipped, ..Reading::new(read.game, Kind::Board) })
}
