//! Carries positions over from the plain array of the naive rules to 64-bit masks, and back.

use crate::{Board, Geometry, Move, Square};
use reversi_naive::{self as naive, Size};
use reversi_terms::Color;

/// The longest side of a board in 64 bits.
const SIDE_OF_MASK: u32 = 8;

impl Board {
    /// The same position in 64-bit masks; `None` beyond 8x8.
    pub fn from_naive(board: &naive::Board) -> Option<Board> {
        let (player, opponent) = board.to_masks()?;
        let (black, white) = match board.to_move() {
            Color::Black => (player, opponent),
            Color::White => (opponent, player),
        };
        Some(Board { geometry: Geometry::from_size(board.size())?, black, white, to_move: board.to_move() })
    }
}

impl Geometry {
    /// The board inside 64 bits; `None` beyond 8x8.
    pub fn from_size(size: Size) -> Option<Geometry> {
        Geometry::new(size.width(), size.height()).ok()
    }
}

impl From<Geometry> for Size {
    fn from(geometry: Geometry) -> Size {
        Size::new(geometry.width(), geometry.height()).expect("3x3 to 8x8 are sizes of the plain array too")
    }
}

/// The same position on the plain array. Discs outside the geometry, which no valid board has, are left out.
impl From<Board> for naive::Board {
    fn from(bits: Board) -> naive::Board {
        let mut board = naive::Board::empty(bits.geometry.into(), bits.to_move);
        for square in bits.geometry.squares() {
            board.set(square.column(), square.row(), bits.disc(square));
        }
        board
    }
}

impl From<Move> for naive::Move {
    fn from(mv: Move) -> naive::Move {
        match mv {
            Move::Play(square) => naive::Move::Play(square.column(), square.row()),
            Move::Pass => naive::Move::Pass,
        }
    }
}

impl Move {
    /// The same move of a board up to 8x8; `None` for a square beyond.
    pub fn from_naive(mv: naive::Move) -> Option<Move> {
        match mv {
            naive::Move::Play(column, row) if column < SIDE_OF_MASK && row < SIDE_OF_MASK => {
                Some(Move::Play(Square::at(column, row)))
            }
            naive::Move::Play(..) => None,
            naive::Move::Pass => Some(Move::Pass),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_terms::Start;

    #[test]
    fn there_and_back_is_the_same() {
        for (width, height) in [(3, 3), (4, 6), (8, 5), (8, 8)] {
            let bits = Geometry::new(width, height).unwrap().start(Start::Diagonal);
            let board = naive::Board::from(bits);
            assert_eq!(board, naive::Board::start(bits.geometry.into(), Start::Diagonal));
            assert_eq!(Board::from_naive(&board), Some(bits));
            assert_eq!(board.pass().to_masks(), Some((bits.white, bits.black)));
        }
        let large = naive::Board::start(Size::new(9, 3).unwrap(), Start::Diagonal);
        assert_eq!(Board::from_naive(&large), None);
    }
}
