//! Reads and saves games: GGF with players, values and times, the position as a problem, or the moves as text.

use crate::cli::places;
use crate::cli::reading::{self, ReadingOptions};
use crate::cli::saved::{self, Format};
use reversi_engine::{Game, GameBoard, GameSetup};
use reversi_formats::ggf::Record;
use reversi_formats::obf;
use reversi_formats::text::{self, Reading};
use reversi_rules::Rules;
use std::fmt::Display;
use std::path::Path;

/// The first game or position of a file, in any form that [`text::read`] knows, and how many the file holds.
///
/// # Errors
/// What is wrong with the file, with its name.
pub fn load(path: &Path, setup: GameSetup, options: ReadingOptions) -> Result<(Reading, usize), String> {
    let fault = |error: &dyn Display| format!("{}: {error}", path.display());
    let bytes = reading::read_named(path).map_err(|error| fault(&error))?;
    let games = text::read_bytes(&bytes, &reading::names_beside(path), options.wanted(setup, None));
    let count = games.len();
    let first = games.into_iter().next().ok_or_else(|| fault(&"there is no game in it"))?;
    let first = first.map_err(|error| {
        fault(&match count {
            1 => reading::advised(&error),
            _ => format!("the first of {count} games: {}", reading::advised_within_game(&error)),
        })
    })?;
    options.tell_skipped(&first.skipped);
    Ok((first, count))
}

/// Writes a game to a file: GGF, PGN, SGF or WTHOR if its name ends in .ggf, .pgn, .sgf or .wtb, the position alone if
/// it ends in `.obf`, and otherwise the moves as text. The text begins with a line that names unusual rules, and with
/// the first board unless it is the usual one everywhere and also `usual`, the one here. `record` is the record of the
/// game. An older file is replaced as a whole. Returns what the file does not keep of the game, in words.
///
/// # Errors
/// The file cannot be written, or its form has no words for so large a board.
pub fn save(
    path: &Path,
    game: &Game,
    usual: &GameBoard,
    record: Record,
) -> Result<Option<&'static str>, String> {
    let at = |fault: &dyn Display| format!("{}: {fault}", path.display());
    places::check_no_data("", path).map_err(|refused| refused.message().trim_start().to_owned())?;
    let text = if Format::of(path) != Format::Text {
        let (format, records) = (Format::of(path), [record]);
        let bytes = format.written(&records).map_err(|fault| at(&fault))?;
        return places::write(path, &bytes).map(|()| format.loss(&records)).map_err(|error| at(&error));
    } else if saved::is_obf(path) {
        let board =
            game.board().small().ok_or(".obf is for boards up to 8x8; save the game as .ggf or as text")?;
        let Rules { goal, scoring } = game.rules();
        let record = obf::Record { line: 0, board, moves: Vec::new(), score: None, comment: None };
        obf::File { goal: Some(goal), scoring: Some(scoring), records: vec![record] }.to_string()
    } else {
        Format::Text.rules_line(game) + &saved::as_line(game, usual)
    };
    places::write(path, text.as_bytes()).map(|()| None).map_err(|error| at(&error))
}
