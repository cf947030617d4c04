//! Reads and writes boards of any size and their moves, in the same notation as boards up to 8x8.

use super::{Board, MAX_SIDE, MIN_SIDE, Move, Size};
use reversi_terms::Passing;
use reversi_terms::notation::{self, BoardError, IllegalMove};
use std::fmt;
use std::str::FromStr;

/// A board size outside 3x3 to 24x24, or a text that is no size at all.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SizeError {
    /// Not of the form `12x12`.
    #[error("\"{0}\" is no board size; write columns x rows, as in 12x12 or 6x8")]
    Syntax(String),
    /// A side is too short or too long.
    #[error("{0}x{1} is outside the supported boards, {MIN_SIDE}x{MIN_SIDE} to {MAX_SIDE}x{MAX_SIDE}")]
    Range(u32, u32),
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        let (width, height) =
            notation::parse_sides(text).ok_or_else(|| SizeError::Syntax(text.to_owned()))?;
        Size::new(width, height)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}x{}", self.width, self.height))
    }
}

impl fmt::Debug for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Play(column, row) => f.pad(&notation::square_name(*column, *row)),
            Move::Pass => f.pad("pa"),
        }
    }
}

impl Board {
    /// Reads cells row by row and then the side to move; white space is ignored. Without a size the
    /// number of cells must be that of a square board up to 24x24.
    ///
    /// # Errors
    /// What is wrong, with the cell's number.
    pub fn parse(size: Option<Size>, text: &str) -> Result<Board, BoardError> {
        let sides = size.map(|size| (size.width, size.height));
        let read = notation::parse_cells(sides, MAX_SIDE, text)?;
        let size = Size { width: read.width, height: read.height };
        Ok(Board { size, cells: read.cells, to_move: read.to_move })
    }

    /// The reason why [`Board::after`] refuses a move. Meaningless for a legal move.
    pub fn why_illegal(&self, mv: Move, passing: Passing) -> IllegalMove {
        match mv {
            _ if self.is_over(passing) => IllegalMove::GameOver,
            Move::Pass => IllegalMove::MustMove,
            Move::Play(column, row) if !self.size.contains(column, row) => {
                IllegalMove::NoSuchSquare(self.size.width, self.size.height)
            }
            Move::Play(column, row) if self.cell(column, row).is_some() => IllegalMove::Occupied,
            Move::Play(..) => IllegalMove::TurnsNothing,
        }
    }
}

/// Cells row by row, a space, the side to move.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: String = self.cells.iter().copied().map(notation::symbol).collect();
        write!(f, "{cells} {}", self.to_move.symbol())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "naive::Board({} {self})", self.size)
    }
}
