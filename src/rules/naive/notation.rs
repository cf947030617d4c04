//! How boards of any size and their games are read and written: as small ones are.

use super::{Board, MAX_SIDE, MIN_SIDE, Move, Size};
use crate::rules::notation::{self, BoardError, IllegalMove, TranscriptError};
use crate::rules::position::{Color, Passing};
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

    /// The board as a picture with coordinates, one row a line.
    ///
    /// ```
    /// use reversi::rules::{naive, Start};
    /// let start = naive::Board::start(naive::Size::new(3, 10).unwrap(), Start::Diagonal);
    /// let drawing = start.drawing();
    /// let rows: Vec<&str> = drawing.lines().collect();
    /// assert_eq!(rows[0], "   a b c");
    /// assert_eq!(rows[5], " 5 O X -");
    /// assert_eq!(rows[10], "10 - - -");
    /// ```
    pub fn drawing(&self) -> String {
        notation::draw(self.size.width, self.size.height, |column, row| symbol(self.cell(column, row)))
    }

    /// One word of a transcript as a move on this board, not yet known to be legal.
    ///
    /// # Errors
    /// [`IllegalMove::Syntax`] or [`IllegalMove::NoSuchSquare`].
    pub fn read_move(&self, token: &str) -> Result<Move, IllegalMove> {
        let square = notation::parse_token(self.size.width, self.size.height, token)?;
        Ok(square.map_or(Move::Pass, |(column, row)| Move::Play(column, row)))
    }

    /// The reason why [`Board::after`] refuses a move.
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

fn symbol(cell: Option<Color>) -> char {
    cell.map_or('-', Color::symbol)
}

/// Cells row by row, a space, the side to move.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: String = self.cells.iter().map(|&cell| symbol(cell)).collect();
        write!(f, "{cells} {}", self.to_move.symbol())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "naive::Board({} {self})", self.size)
    }
}

/// Replays a transcript from `board`: the moves made, with the forced passes that it left out, and
/// the board after them. A pass that would follow the last move is not added.
///
/// # Errors
/// The first token that cannot be played, with its number and the reason.
///
/// ```
/// use reversi::rules::{naive, Passing, Start};
/// let start = naive::Board::start(naive::Size::new(24, 24).unwrap(), Start::Diagonal);
/// let (moves, board) = naive::replay(&start, "l11K11", Passing::Allowed).unwrap();
/// assert_eq!(moves.len(), 2);
/// let error = naive::replay(&start, "l11 y1", Passing::Allowed).unwrap_err();
/// assert_eq!(error.to_string(), "move 2 \"y1\": no such square on a 24x24 board");
/// ```
pub fn replay(
    board: &Board,
    transcript: &str,
    passing: Passing,
) -> Result<(Vec<Move>, Board), TranscriptError> {
    let mut board = board.clone();
    let mut moves = Vec::new();
    for (place, token) in notation::tokens(transcript).enumerate() {
        let fail = |reason| TranscriptError { number: place + 1, token: token.to_owned(), reason };
        let mv = board.read_move(token).map_err(fail)?;
        if let (Move::Play(..), Some(passed)) = (mv, board.after(Move::Pass, passing)) {
            moves.push(Move::Pass);
            board = passed;
        }
        board = board.after(mv, passing).ok_or_else(|| fail(board.why_illegal(mv, passing)))?;
        moves.push(mv);
    }
    Ok((moves, board))
}
