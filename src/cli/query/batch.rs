//! Many questions in one run: one position a line in, one line of JSON out.

use super::{Query, show};
use crate::cli::common::parse_size;
use crate::cli::print::print_line;
use crate::cli::{Exit, Failure};
use crate::oracle::Oracle;
use crate::protocol::text;
use crate::rules::{Board, Geometry, notation};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::time::Instant;

/// Answers every line of a file that is not blank. A line that cannot be answered gives an error
/// object in its place, and its exit code at the end; of several the first one counts.
pub(super) fn run(query: &Query, path: &Path) -> Result<Exit, Failure> {
    let geometry = query.position.board.as_deref().map(parse_size).transpose()?;
    let unreadable =
        |error: io::Error| Failure::usage("bad-file", format!("--batch {}: {error}", path.display()));
    let input: Box<dyn BufRead> = match path.to_str() {
        Some("-") => Box::new(io::stdin().lock()),
        _ => Box::new(BufReader::new(File::open(path).map_err(unreadable)?)),
    };
    let mut oracles = Oracles { query, made: HashMap::new() };
    let mut exit = Exit::Done;
    for (number, line) in (1..).zip(input.split(b'\n')) {
        let line = line.map_err(unreadable)?;
        let line = String::from_utf8_lossy(&line);
        if line.trim().is_empty() {
            continue;
        }
        match oracles.answer(geometry, &line) {
            Ok(answer) => print_line(answer),
            Err(failure) => {
                print_line(failure.within(&format!("line {number}")).json());
                exit = if exit == Exit::Done { failure.exit() } else { exit };
            }
        }
    }
    Ok(exit)
}

/// One oracle for each board that has been asked about.
struct Oracles<'a> {
    query: &'a Query,
    made: HashMap<Geometry, Oracle>,
}

impl Oracles<'_> {
    fn answer(&mut self, geometry: Option<Geometry>, line: &str) -> Result<serde_json::Value, Failure> {
        let board = read_line(geometry, line)?;
        if !self.made.contains_key(&board.geometry) {
            self.made.insert(board.geometry, self.query.oracle(board.geometry)?);
        }
        let oracle = &self.made[&board.geometry];
        let started = Instant::now();
        let reply = self.query.ask(oracle, board)?;
        Ok(show::json(board, oracle.rules(), &reply, started.elapsed().as_secs_f64()))
    }
}

/// Cells, side to move and moves, spaced in any way.
fn read_line(geometry: Option<Geometry>, line: &str) -> Result<Board, Failure> {
    let (cells, moves) = line.split_at(end_of_board(geometry, line).unwrap_or(line.len()));
    let first = notation::parse_board(geometry, cells)
        .map_err(|error| Failure::usage("bad-position", error.to_string()))?;
    let (_, board) =
        notation::replay(first, moves).map_err(|error| Failure::usage("bad-move", error.to_string()))?;
    Ok(board)
}

/// Where the board ends and moves may begin, on the board asked for or any square one.
fn end_of_board(geometry: Option<Geometry>, line: &str) -> Option<usize> {
    text::end_of_board(line, |cells| match geometry {
        Some(geometry) => cells == geometry.square_count() as usize,
        None => Geometry::from_cell_count(cells).is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_moves_are_told_apart() {
        let start = "-----OX--XO----- X";
        let after_b1 = read_line(None, &format!("{start} b1")).unwrap();
        assert_ne!(after_b1.to_string(), start, "the move was made");
        for line in [
            "-----OX--XO-----X b1",
            "---- -OX- -XO- ---- X b1",
            "  ----\t-OX- -XO- ---- * B1  ",
            "-----OX--XO----- X b1\r",
        ] {
            assert_eq!(read_line(None, line).unwrap(), after_b1, "{line:?}");
        }
        assert_eq!(read_line(Some(Geometry::FOUR), start).unwrap().to_string(), start);
    }

    #[test]
    fn rows_of_five_cells_are_not_taken_for_a_board_of_nine() {
        let rows = "----- -OX-X -XO-- ----- ----- X";
        assert_eq!(read_line(None, rows).unwrap().geometry.square_count(), 25);
    }

    #[test]
    fn explicit_passes_are_moves_and_not_cells() {
        // O is blocked and passes; then X may play c1.
        let board = read_line(None, "XO-- ---- ---- ---- O -- c1").unwrap();
        assert_eq!(board.to_string(), "XXX------------- O");
    }

    #[test]
    fn bad_lines_name_what_is_wrong() {
        let message = |line| format!("{:?}", read_line(None, line).unwrap_err());
        assert!(message("-----OX--XO----? X").contains("cell 16 is '?'"));
        assert!(message("-----OX--XO----- X a1").contains("turns no disc"));
        assert!(message("nonsense").contains("are no square board"));
    }
}
