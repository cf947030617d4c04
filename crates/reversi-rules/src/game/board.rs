//! A board of any size: up to 8x8 on the bitboard, larger ones on the plain array of [`naive`].

use crate::geometry::squares_of;
use crate::notation::BoardError;
use crate::{Board, Color, Move, Rules, Square, Start, naive};
use reversi_naive::{Move as GameMove, Size};
use std::fmt;

/// A placement of discs and the side to move, on a board of any size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameBoard(Inner);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Inner {
    Small(Board),
    Large(naive::Board),
}

/// Not checked: no square may hold two discs, and no disc may lie off the board; see
/// [`Position::is_on`](crate::Position::is_on).
impl From<Board> for GameBoard {
    fn from(board: Board) -> GameBoard {
        GameBoard(Inner::Small(board))
    }
}

impl From<naive::Board> for GameBoard {
    fn from(board: naive::Board) -> GameBoard {
        GameBoard(Board::from_naive(&board).map_or_else(|| Inner::Large(board), Inner::Small))
    }
}

impl GameBoard {
    /// The usual first four discs on a board of this size, Black to move.
    pub fn start(size: Size, start: Start) -> GameBoard {
        naive::Board::start(size, start).into()
    }

    /// Which start this is, if it is one.
    pub fn as_start(&self) -> Option<Start> {
        Start::ALL.into_iter().find(|&start| *self == GameBoard::start(self.size(), start))
    }

    /// Reads cells row by row and then the side to move; white space is ignored. Without a size the
    /// board must be a square.
    ///
    /// # Errors
    /// What is wrong, with the cell's number.
    pub fn parse(size: Option<Size>, text: &str) -> Result<GameBoard, BoardError> {
        naive::Board::parse(size, text).map(GameBoard::from)
    }

    /// The board inside 64 bits; `None` beyond 8x8.
    pub fn small(&self) -> Option<Board> {
        match self.0 {
            Inner::Small(board) => Some(board),
            Inner::Large(_) => None,
        }
    }

    /// The board as a plain array, whatever its size.
    pub fn to_naive(&self) -> naive::Board {
        match &self.0 {
            Inner::Small(board) => (*board).into(),
            Inner::Large(board) => board.clone(),
        }
    }

    /// Columns and rows.
    pub fn size(&self) -> Size {
        match &self.0 {
            Inner::Small(board) => board.geometry.into(),
            Inner::Large(board) => board.size(),
        }
    }

    /// The side to move.
    pub fn to_move(&self) -> Color {
        match &self.0 {
            Inner::Small(board) => board.to_move,
            Inner::Large(board) => board.to_move(),
        }
    }

    /// The disc on a square; `None` for an empty square or one off the board.
    pub fn disc(&self, column: u32, row: u32) -> Option<Color> {
        match &self.0 {
            _ if !self.size().contains(column, row) => None,
            Inner::Small(board) => board.disc(Square::at(column, row)),
            Inner::Large(board) => board.cell(column, row),
        }
    }

    /// Number of discs of a colour.
    pub fn count(&self, color: Color) -> u32 {
        match (&self.0, color) {
            (Inner::Small(board), Color::Black) => board.black.count_ones(),
            (Inner::Small(board), Color::White) => board.white.count_ones(),
            (Inner::Large(board), _) => board.count(color),
        }
    }

    /// Number of empty squares.
    pub fn empty_count(&self) -> u32 {
        self.size().square_count() - self.count(Color::Black) - self.count(Color::White)
    }

    /// Squares where the side to move may put a disc, in row-major order; a pass is not listed.
    pub fn placements(&self) -> Vec<GameMove> {
        match &self.0 {
            Inner::Small(board) => squares_of(board.position().legal_moves(board.geometry))
                .map(|square| GameMove::Play(square.column(), square.row()))
                .collect(),
            Inner::Large(board) => {
                board.legal_moves().into_iter().map(|(column, row)| GameMove::Play(column, row)).collect()
            }
        }
    }

    /// Whether the side to move can put a disc anywhere.
    pub fn has_placement(&self) -> bool {
        match &self.0 {
            Inner::Small(board) => board.position().legal_moves(board.geometry) != 0,
            Inner::Large(board) => board.has_move(),
        }
    }

    /// The same discs with the other side to move.
    pub fn passed(&self) -> GameBoard {
        match &self.0 {
            Inner::Small(board) => Board { to_move: board.to_move.other(), ..*board }.into(),
            Inner::Large(board) => GameBoard(Inner::Large(board.pass())),
        }
    }

    /// The board after a disc is put on a square, where that is legal.
    pub(super) fn after_placement(&self, column: u32, row: u32) -> Option<GameBoard> {
        match &self.0 {
            Inner::Small(board) => {
                let mv = Move::from_naive(GameMove::Play(column, row))?;
                board.after(mv).map(GameBoard::from)
            }
            Inner::Large(board) => board.play(column, row).map(|board| GameBoard(Inner::Large(board))),
        }
    }

    /// What the board is worth for Black in discs if the game has ended on it.
    pub(super) fn final_score(&self, rules: Rules) -> i32 {
        let for_mover = match &self.0 {
            Inner::Small(board) => board.position().final_score(board.geometry, rules).discs(),
            Inner::Large(board) => board.final_score(rules.goal, rules.scoring),
        };
        if self.to_move() == Color::Black { for_mover } else { -for_mover }
    }
}

/// Cells row by row, a space, the side to move.
impl fmt::Display for GameBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Inner::Small(board) => board.fmt(f),
            Inner::Large(board) => board.fmt(f),
        }
    }
}
