//! Reads and saves games: GGF with players, values and times, or the moves as text.

use crate::cli::games::is_ggf;
use crate::cli::places;
use crate::engine::{Game, GameBoard};
use crate::protocol::Setup;
use crate::protocol::ggf::{Annotated, Record};
use crate::protocol::text::{self, Reading};
use std::fmt::Display;
use std::fs;
use std::path::Path;

/// The first game of a file, in any form that [`text::read`] knows.
///
/// # Errors
/// What is wrong with the file, with its name.
pub fn load(path: &Path, setup: Setup) -> Result<Reading, String> {
    let fault = |error: &dyn Display| format!("{}: {error}", path.display());
    let bytes = fs::read(path).map_err(|error| fault(&error))?;
    // What is not UTF-8 can only stand in names and comments.
    text::read(&String::from_utf8_lossy(&bytes), setup).map_err(|error| fault(&error))
}

/// Writes GGF, with the names of Black's and White's players, to a file whose name ends so, and the moves as text to any
/// other, after the first board if that is not the `usual` one. An older file's place is taken as a whole.
///
/// # Errors
/// The file cannot be written.
pub fn save(
    path: &Path,
    game: &Game,
    usual: &GameBoard,
    notes: &[Annotated],
    [black, white]: [String; 2],
) -> Result<(), String> {
    let text = if is_ggf(path) {
        let mut record = Record::new(game);
        for (index, note) in notes.iter().enumerate() {
            record.annotate(index, note.eval, note.seconds);
        }
        (record.place, record.black, record.white) = ("reversi".to_owned(), black, white);
        format!("{record}\n")
    } else if game.first_board() == usual {
        format!("{}\n", game.transcript())
    } else {
        format!("{}\n{}\n", game.first_board(), game.transcript())
    };
    places::write(path, text.as_bytes()).map_err(|error| format!("{}: {error}", path.display()))
}
