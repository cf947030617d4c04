//! Reads a certificate: lines of words, in this order.
//!
//! ```text
//! reversi certificate 1
//! board COLUMNSxROWS
//! goal normal|reversed
//! scoring raw|winner
//! root CELLS SIDE
//! depth PLIES
//! { claim at-least|at-most SCORE
//!   { move CELLS X SQUARE | leaf CELLS X at-least|at-most SCORE } }
//! end LINES CRC32
//! ```

use super::Direction;
use crate::position::SIDE_TO_MOVE;
use reversi_naive::{Board, Size};
use reversi_terms::{Color, Goal, Scoring};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

/// A certificate as it was read. Its content has not been checked.
#[derive(Clone, Debug)]
pub struct Certificate {
    pub(super) goal: Goal,
    pub(super) scoring: Scoring,
    pub(super) root: Board,
    pub(super) depth: u32,
    pub(super) claims: Vec<Claim>,
}

/// A claim about the score of the root for its side to move, with all that it rests on.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub direction: Direction,
    pub score: i32,
    /// By canonical form, the square that is played there.
    pub moves: HashMap<Board, (u32, u32)>,
    /// By canonical form and the side of its bound: after a pass a leaf can be met with either side to move, so it may
    /// need both. The bounds are of the score for the side to move.
    pub leaves: HashMap<(Board, Direction), i32>,
}

/// Why a text is no certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CertificateError {
    /// The first line is not that of a certificate.
    #[error("is no certificate")]
    NoCertificate,
    /// Written by another version; the rest of the first line.
    #[error("is a certificate of version {0}, but this program reads version 1")]
    Version(String),
    /// The last line is missing, or does not fit the lines before it.
    #[error("is cut short or damaged: its last line does not fit the others")]
    Checksum,
    /// A line makes no sense.
    #[error("line {line}: {fault}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        fault: &'static str,
    },
}

impl Certificate {
    /// Reads a certificate. Its lines may end as on Windows: its checksum is that of the lines with line feeds alone.
    ///
    /// # Errors
    /// A text that is none, is damaged or was cut short.
    pub fn read(text: &str) -> Result<Certificate, CertificateError> {
        let text = &text.replace("\r\n", "\n");
        let first = text.lines().next().unwrap_or_default();
        match first.strip_prefix("reversi certificate ") {
            Some("1") => {}
            Some(version) => return Err(CertificateError::Version(version.to_owned())),
            None => return Err(CertificateError::NoCertificate),
        }
        let body = checked(text)?;
        let mut lines = Lines { lines: body.lines().enumerate().skip(1), line: 1 };
        let size: Size = lines.value("board")?;
        let (goal, scoring) = (lines.value("goal")?, lines.value("scoring")?);
        let cells = lines.rest("root")?;
        let root = Board::parse(Some(size), cells).map_err(|_| lines.fault("no position of the board"))?;
        let depth = lines.value("depth")?;
        if depth > root.empty_count() {
            return Err(lines.fault("more plies than the root has empty squares"));
        }
        let mut claims: Vec<Claim> = Vec::new();
        while let Some((number, line)) = lines.lines.next() {
            lines.line = number + 1;
            let words: Vec<&str> = line.split(' ').collect();
            match (words.as_slice(), claims.last_mut()) {
                (["claim", direction, score], _) => {
                    let (direction, score) = lines.bound(size, direction, score)?;
                    claims.push(Claim { direction, score, moves: HashMap::new(), leaves: HashMap::new() });
                }
                (["move", cells, side, square], Some(claim)) => {
                    let board = lines.canonical(size, cells, side)?;
                    let square = lines.square(size, square)?;
                    lines.insert(&mut claim.moves, board, square)?;
                }
                (["leaf", cells, side, direction, score], Some(claim)) => {
                    let board = lines.canonical(size, cells, side)?;
                    let (direction, score) = lines.bound(size, direction, score)?;
                    lines.insert(&mut claim.leaves, (board, direction), score)?;
                }
                _ => return Err(lines.fault("neither a claim nor a move or leaf of a claim")),
            }
        }
        if claims.is_empty() {
            return Err(lines.fault("no claim follows"));
        }
        Ok(Certificate { goal, scoring, root, depth, claims })
    }

    /// The position that it is about.
    pub fn root(&self) -> &Board {
        &self.root
    }

    /// The goal.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The scoring.
    pub fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// The stored moves of all claims: a position and the square that is played there, as column and row. They have not
    /// been checked.
    pub fn moves(&self) -> impl Iterator<Item = (&Board, (u32, u32))> {
        self.claims.iter().flat_map(|claim| claim.moves.iter().map(|(board, &square)| (board, square)))
    }
}

/// The lines before the last one, if it states their number and checksum.
fn checked(text: &str) -> Result<&str, CertificateError> {
    let fail = CertificateError::Checksum;
    let body = text.strip_suffix('\n').ok_or(fail.clone())?;
    let (body, last) = body.split_at(body.rfind('\n').ok_or(fail.clone())? + 1);
    let expected = format!("end {} {:08x}", body.lines().count(), crc32fast::hash(body.as_bytes()));
    if last == expected { Ok(body) } else { Err(fail) }
}

struct Lines<'a> {
    lines: std::iter::Skip<std::iter::Enumerate<std::str::Lines<'a>>>,
    /// Number of the last line.
    line: usize,
}

impl<'a> Lines<'a> {
    fn fault(&self, fault: &'static str) -> CertificateError {
        CertificateError::Line { line: self.line, fault }
    }

    /// What follows the word with which the next line begins.
    fn rest(&mut self, word: &str) -> Result<&'a str, CertificateError> {
        self.line += 1;
        let line = self.lines.next().map(|(_, line)| line);
        line.and_then(|line| line.strip_prefix(word)?.strip_prefix(' '))
            .ok_or(self.fault("another word was expected"))
    }

    fn value<T: std::str::FromStr>(&mut self, word: &str) -> Result<T, CertificateError> {
        let rest = self.rest(word)?;
        rest.parse().map_err(|_| self.fault("a value that makes no sense"))
    }

    fn bound(&self, size: Size, direction: &str, score: &str) -> Result<(Direction, i32), CertificateError> {
        let direction = match direction {
            "at-least" => Direction::AtLeast,
            "at-most" => Direction::AtMost,
            _ => return Err(self.fault("at-least or at-most was expected")),
        };
        let score = score.parse().ok().filter(|score: &i32| score.unsigned_abs() <= size.square_count());
        Ok((direction, score.ok_or(self.fault("no score of a game on this board"))?))
    }

    /// A position with X to move, which must be its own canonical form.
    fn canonical(&self, size: Size, cells: &str, side: &str) -> Result<Board, CertificateError> {
        let board = Board::parse(Some(size), &format!("{cells} {side}")).ok();
        let board = board
            .filter(|board| board.to_move() == SIDE_TO_MOVE)
            .ok_or(self.fault("no position with X to move"))?;
        if board.canonical().0 != board {
            return Err(self.fault("the position is not in canonical form: another image of it comes first"));
        }
        Ok(board)
    }

    fn square(&self, size: Size, square: &str) -> Result<(u32, u32), CertificateError> {
        let mut letters = square.chars();
        let column = letters.next().filter(char::is_ascii_lowercase).map(|letter| letter as u32 - 'a' as u32);
        let row = letters.as_str().parse::<u32>().ok().and_then(|row| row.checked_sub(1));
        column
            .zip(row)
            .filter(|&(column, row)| size.contains(column, row))
            .ok_or(self.fault("no square of the board"))
    }

    fn insert<K: Eq + Hash, T>(
        &self,
        lines: &mut HashMap<K, T>,
        key: K,
        value: T,
    ) -> Result<(), CertificateError> {
        match lines.entry(key) {
            Entry::Occupied(_) => Err(self.fault("a second line for this position")),
            Entry::Vacant(place) => {
                place.insert(value);
                Ok(())
            }
        }
    }
}

/// The position with the side to move that all stored positions have, its colours exchanged if necessary.
pub(super) fn as_stored(board: &Board) -> Board {
    if board.to_move() == SIDE_TO_MOVE { board.clone() } else { exchanged(board) }
}

/// With both colours exchanged.
fn exchanged(board: &Board) -> Board {
    let mut exchanged = Board::empty(board.size(), board.to_move().other());
    for (column, row) in board.size().squares() {
        exchanged.set(column, row, board.cell(column, row).map(Color::other));
    }
    exchanged
}
