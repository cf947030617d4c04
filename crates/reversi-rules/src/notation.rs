//! How squares, moves, games and boards up to 8x8 are written: liberal in reading, strict in writing.

use super::board::Board;
use super::geometry::{Geometry, Square};
use super::position::Move;
use reversi_terms::Color;
use std::fmt;
use std::str::FromStr;

pub use reversi_terms::notation::*;

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&square_name(self.column(), self.row()))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Play(square) => square.fmt(f),
            Move::Pass => f.pad("pa"),
        }
    }
}

/// A text that names neither a square of a board up to 8x8 nor a pass.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{}\" is neither a square (a1 to h8) nor a pass (pa)", .0.escape_debug())]
pub struct MoveSyntax(pub String);

impl FromStr for Move {
    type Err = MoveSyntax;

    fn from_str(text: &str) -> Result<Move, MoveSyntax> {
        let text = text.trim();
        if is_pass(text) {
            return Ok(Move::Pass);
        }
        match parse_square_name(text) {
            Some((column, row)) if column < 8 && row < 8 => Ok(Move::Play(Square::at(column, row))),
            _ => Err(MoveSyntax(text.to_owned())),
        }
    }
}

/// Replays a transcript from `board`. Returns the moves, including forced passes that the transcript leaves out, and
/// the board after them. A pass that would follow the last move is not added.
///
/// # Errors
/// The first token that cannot be played, with its number and the reason.
///
/// ```
/// use reversi_rules::{Board, notation, Geometry, Start};
/// let start = Board::start(Geometry::SIX, Start::Diagonal);
/// let (moves, board) = notation::replay(start, "c2b4 D5").unwrap();
/// assert_eq!(notation::transcript(&moves), "c2b4d5");
/// assert_eq!(board.drawing().lines().nth(4), Some("4 - O O X - -"));
/// let error = notation::replay(start, "c2c9").unwrap_err();
/// assert_eq!(error.to_string(), "move 2 \"c9\": no such square on 6x6");
/// ```
pub fn replay(mut board: Board, transcript: &str) -> Result<(Vec<Move>, Board), TranscriptError> {
    let mut moves = Vec::new();
    for (place, token) in tokens(transcript).enumerate() {
        let fail = |reason| TranscriptError { number: place + 1, token: token.to_owned(), reason };
        let mv = read_move(board.geometry, token).map_err(fail)?;
        if mv != Move::Pass && board.position().must_pass(board.geometry) {
            moves.push(Move::Pass);
            board = Board::from_position(board.geometry, board.position().pass(), board.to_move.other());
        }
        board = board.after(mv).ok_or_else(|| fail(why_illegal(board, mv)))?;
        moves.push(mv);
    }
    Ok((moves, board))
}

/// One token as a move on this board, not yet known to be legal.
///
/// # Errors
/// [`IllegalMove::Syntax`] or [`IllegalMove::NoSuchSquare`].
pub fn read_move(geometry: Geometry, token: &str) -> Result<Move, IllegalMove> {
    let square = parse_token(geometry.width(), geometry.height(), token)?;
    Ok(square.map_or(Move::Pass, |(column, row)| Move::Play(Square::at(column, row))))
}

/// The reason why [`Board::after`] refuses a move. Meaningless for a legal move.
pub fn why_illegal(board: Board, mv: Move) -> IllegalMove {
    if board.position().is_over(board.geometry) {
        return IllegalMove::GameOver;
    }
    match mv {
        Move::Pass => IllegalMove::MustMove,
        Move::Play(square) if !board.geometry.contains(square) => {
            IllegalMove::NoSuchSquare(board.geometry.width(), board.geometry.height())
        }
        Move::Play(square) if board.position().discs() & square.bit() != 0 => IllegalMove::Occupied,
        Move::Play(_) => IllegalMove::TurnsNothing,
    }
}

/// Moves run together, passes written as `pa`.
pub fn transcript(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect()
}

/// Reads cells row by row and then the side to move. White space is ignored. Without a geometry the
/// number of cells must be that of a square board.
///
/// # Errors
/// What is wrong, with the cell's number.
///
/// ```
/// use reversi_rules::{notation, Geometry};
/// let board = notation::parse_board(None, "----  -OX-  -XO-  ---- X").unwrap();
/// assert_eq!(board.geometry, Geometry::FOUR);
/// ```
pub fn parse_board(geometry: Option<Geometry>, text: &str) -> Result<Board, BoardError> {
    let sides = geometry.map(|geometry| (geometry.width(), geometry.height()));
    let read = parse_cells(sides, 8, text)?;
    let geometry = Geometry::new(read.width, read.height).expect("the sides are those of a geometry");
    let (mut black, mut white) = (0, 0);
    for (square, cell) in geometry.squares().zip(read.cells) {
        match cell {
            Some(Color::Black) => black |= square.bit(),
            Some(Color::White) => white |= square.bit(),
            None => {}
        }
    }
    Ok(Board { geometry, black, white, to_move: read.to_move })
}

/// Cells row by row and then the side to move, on a square board: see [`parse_board`].
impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Board, BoardError> {
        parse_board(None, text)
    }
}
