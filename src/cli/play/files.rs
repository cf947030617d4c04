//! Saves games and loads them: GGF with players, values and times, or the moves as text.

use crate::engine::{Game, GameBoard};
use crate::protocol::Setup;
use crate::protocol::ggf::{Annotated, Record};
use crate::rules::Start;
use std::fs;
use std::path::Path;

/// A game from a file.
pub struct Loaded {
    /// The game, all its moves made.
    pub game: Game,
    /// What the file says of its moves.
    pub notes: Vec<Annotated>,
}

/// Reads the first GGF game of a file, or the moves of a text. The moves begin on the board of the
/// first line, if that is a board, or else as the setup says.
///
/// # Errors
/// What is wrong with the file, with its name.
pub fn load(path: &Path, setup: Setup) -> Result<Loaded, String> {
    let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let bytes = fs::read(path).map_err(|error| fault(&error))?;
    let text = String::from_utf8_lossy(&bytes);
    if text.contains("(;") {
        let record: Record = text.parse().map_err(|error| fault(&error))?;
        let setup = Setup { goal: record.goal, ..setup };
        let mut game = setup.game_from(record.first_board().clone());
        for note in record.moves() {
            game.play(note.mv).map_err(|error| fault(&error))?;
        }
        return Ok(Loaded { game, notes: record.moves().to_vec() });
    }
    let (first, moves) = split_board(&text, setup);
    let mut game = setup.game_from(first);
    game.play_transcript(moves).map_err(|error| fault(&error))?;
    Ok(Loaded { game, notes: Vec::new() })
}

fn split_board(text: &str, setup: Setup) -> (GameBoard, &str) {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let board = GameBoard::parse(Some(setup.size), line).or_else(|_| GameBoard::parse(None, line));
    board.map_or_else(|_| (GameBoard::start(setup.size, setup.start), text), |board| (board, rest))
}

/// Writes GGF, with the names of Black's and White's players, to a file whose name ends so, and the moves as text to any other, after the first board
/// if that is not the usual one.
///
/// # Errors
/// The file cannot be written.
pub fn save(
    path: &Path,
    game: &Game,
    notes: &[Annotated],
    [black, white]: [String; 2],
) -> Result<(), String> {
    let is_ggf = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ggf"));
    let text = if is_ggf {
        let mut record = Record::new(game);
        for (index, note) in notes.iter().enumerate() {
            record.annotate(index, note.eval, note.seconds);
        }
        (record.place, record.black, record.white) = ("reversi".to_owned(), black, white);
        format!("{record}\n")
    } else if *game.first_board() == GameBoard::start(game.size(), Start::Diagonal) {
        format!("{}\n", game.transcript())
    } else {
        format!("{}\n{}\n", game.first_board(), game.transcript())
    };
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
