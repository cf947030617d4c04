//! The entries of a table as CSV: `position,score,best`, and the rules if they are wanted.

use crate::{RawEntry, Table, TableError, key};
use reversi_rules::{Board, Color, Geometry, notation};
use std::io::{self, Write};

/// Why an export ended early.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The table cannot be read.
    #[error(transparent)]
    Table(TableError),
    /// A line could not be written.
    #[error(transparent)]
    Output(io::Error),
}

/// Writes a line with the names of the columns, then one for each entry, in the order of the table. The side to move is
/// X; `best` is empty where no move is stored, and `pa` for a pass. `with_rules` adds the columns `goal` and `scoring`.
///
/// # Errors
/// A table that cannot be read, or an error of the output.
pub fn write_csv(table: &Table, with_rules: bool, out: &mut dyn Write) -> Result<(), ExportError> {
    let rules = table.rules();
    let (names, named) = match with_rules {
        true => (",goal,scoring", format!(",{},{}", rules.goal, rules.scoring)),
        false => ("", String::new()),
    };
    writeln!(out, "position,score,best{names}").map_err(ExportError::Output)?;
    for entry in table.raw_entries() {
        let line = csv_line(table.geometry(), entry.map_err(ExportError::Table)?);
        writeln!(out, "{line}{named}").map_err(ExportError::Output)?;
    }
    out.flush().map_err(ExportError::Output)
}

fn csv_line(geometry: Geometry, entry: RawEntry) -> String {
    let position = key::unpack(geometry, entry.key).expect("the table gives keys of its board only");
    let board = Board::from_position(geometry, position, Color::Black);
    let cells: String = geometry.squares().map(|square| notation::symbol(board.disc(square))).collect();
    let best = match entry.best {
        RawEntry::NO_MOVE => String::new(),
        RawEntry::PASS => "pa".to_owned(),
        place => geometry.at_row_major(place.into()).to_string(),
    };
    format!("{cells},{},{best}", entry.score)
}
