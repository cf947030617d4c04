//! Many questions in one run: one position a line in, one line of JSON out.

use super::{Query, USUAL_BOARD, show};
use crate::cli::common::PositionOptions;
use crate::cli::print::{is_unread, print_line};
use crate::cli::values::parse_size;
use crate::cli::{Exit, Failure};
use reversi_engine::protocol::lines::next_line;
use reversi_formats::{obf, text};
use reversi_rules::{Board, Geometry, Rules, notation};
use reversi_solver::oracle::Oracle;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::time::Instant;

/// Answers every line of a file that is not blank. A line that cannot be answered gives an error
/// object in its place, and its exit code at the end; of several the first that is not 0 counts.
///
/// # Errors
/// When the file cannot be read, or sets other rules than those asked for: no answer would be to what was asked.
pub(super) fn run(query: &Query, path: &Path) -> Result<Exit, Failure> {
    let geometry = query.position.board.as_deref().map(parse_size).transpose()?;
    let bad = |message: String| Failure::usage("bad-file", format!("--batch {}: {message}", path.display()));
    let unreadable = |error: io::Error| bad(error.to_string());
    let mut input: Box<dyn BufRead> = match path.to_str() {
        Some("-") => Box::new(io::stdin().lock()),
        _ => Box::new(BufReader::new(File::open(path).map_err(unreadable)?)),
    };
    let mut batch = Batch { query, geometry, settings: obf::File::default(), oracles: HashMap::new() };
    let mut exit = Exit::Done;
    for number in 1.. {
        if is_unread() {
            break;
        }
        let Some(line) = next_line(&mut input).map_err(unreadable)? else { break };
        if line.is_cut {
            return Err(bad(format!("line {number} is longer than any line of a position")));
        }
        let line = line.text();
        // Some editors begin a file with a byte order mark.
        let line = line.trim_start_matches('\u{feff}').trim();
        if let Some(comment) = line.strip_prefix('%') {
            batch.set(comment).map_err(|fault| bad(format!("line {number}: {fault}")))?;
        } else if !line.is_empty() {
            match batch.answer(line) {
                Ok((answer, ended)) => {
                    print_line(of_line(number, answer));
                    exit = exit.or(ended);
                }
                Err(failure) => {
                    exit = exit.or(failure.exit());
                    print_line(of_line(number, failure.within(&format!("line {number}")).json()));
                }
            }
        }
    }
    Ok(exit)
}

/// What has been read so far, and an oracle for each board that has been asked about.
struct Batch<'a> {
    query: &'a Query,
    geometry: Option<Geometry>,
    settings: obf::File,
    oracles: HashMap<Geometry, Oracle>,
}

impl Batch<'_> {
    /// Takes the goal and the scoring from a comment, if it names them.
    fn set(&mut self, comment: &str) -> Result<(), String> {
        self.settings.read_settings(comment).map_err(|fault| fault.to_string())?;
        self.query.rules.agree(&self.settings)?;
        let too_late = |(&geometry, oracle): (&Geometry, &Oracle)| oracle.rules() != self.rules(geometry);
        match self.oracles.iter().any(too_late) {
            true => Err("sets other rules than the positions above it were answered by; put it before them"
                .to_owned()),
            false => Ok(()),
        }
    }

    fn rules(&self, geometry: Geometry) -> Rules {
        self.query.rules.rules(geometry, &self.settings)
    }

    fn answer(&mut self, line: &str) -> Result<(serde_json::Value, Exit), Failure> {
        // As in an .obf file.
        let content = line.split('%').next().unwrap_or_default();
        let (asked, scores) = content.split_once(';').unwrap_or((content, ""));
        let board = match begins_with_moves(asked) {
            true => self.after_moves(asked)?,
            false => read_line(self.geometry, asked)?,
        };
        obf::read_scores(board, scores).map_err(|fault| Failure::usage("bad-score", fault.to_string()))?;
        if !self.oracles.contains_key(&board.geometry) {
            let oracle = self.query.oracle(board.geometry, self.rules(board.geometry))?;
            self.oracles.insert(board.geometry, oracle);
        }
        let oracle = &self.oracles[&board.geometry];
        let started = Instant::now();
        let reply = self.query.ask(oracle, board)?;
        let seconds = started.elapsed().as_secs_f64();
        Ok((show::json(board, oracle.rules(), &reply, seconds), self.query.exit(&reply)))
    }

    /// A line of moves is about what the same moves on the command line are about.
    fn after_moves(&self, moves: &str) -> Result<Board, Failure> {
        let moves = vec![moves.to_owned()];
        PositionOptions { moves, ..self.query.position.clone() }.board(USUAL_BOARD)
    }
}

/// The answer to a line, or what is wrong with it, with the number of the line, by which the two are paired.
fn of_line(number: usize, mut answer: serde_json::Value) -> serde_json::Value {
    answer["number"] = number.into();
    answer
}

/// Whether there is no board before the moves. Dashes are passes where moves and nothing else come after them.
fn begins_with_moves(line: &str) -> bool {
    notation::begins_with_a_square(line) || notation::are_moves_with_a_square(line)
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
    fn lines_of_moves_are_told_from_boards() {
        for line in ["c2b4", " C2 b4", "1. c2 1... b4", "c2 hello", "-- c4"] {
            assert!(begins_with_moves(line), "{line}");
        }
        for line in [
            "---------------- X",
            "----------------",
            "-----OX--XO----- X b1",
            "XO-- ---- ---- ---- O -- c1",
            "b0-- X",
            ". X",
            "",
        ] {
            assert!(!begins_with_moves(line), "{line}");
        }
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
