//! Carries positions over from and to 64-bit masks: the one place of the naive rules that knows them.

use super::{Board, Size};
use crate::rules::position::{Board as BitBoard, Color, Move as BitMove};
use crate::rules::{Geometry, Square};

/// The longest side of a board in 64 bits.
const SIDE_OF_MASK: u32 = 8;

impl Board {
    /// The discs of the side to move and of the other side as masks; `None` beyond 8x8.
    pub fn to_masks(&self) -> Option<(u64, u64)> {
        if self.size.width() > SIDE_OF_MASK || self.size.height() > SIDE_OF_MASK {
            return None;
        }
        let (mut player, mut opponent) = (0, 0);
        for (column, row) in self.size.squares() {
            let bit = 1 << (SIDE_OF_MASK * row + column);
            match self.cell(column, row) {
                Some(color) if color == self.to_move => player |= bit,
                Some(_) => opponent |= bit,
                None => {}
            }
        }
        Some((player, opponent))
    }

    /// The same position in 64-bit masks; `None` beyond 8x8.
    pub fn to_bitboard(&self) -> Option<BitBoard> {
        let (player, opponent) = self.to_masks()?;
        let geometry = Geometry::new(self.size.width(), self.size.height()).ok()?;
        let (black, white) = match self.to_move {
            Color::Black => (player, opponent),
            Color::White => (opponent, player),
        };
        Some(BitBoard { geometry, black, white, to_move: self.to_move })
    }
}

impl Size {
    /// The board inside 64 bits; `None` beyond 8x8.
    pub fn to_geometry(self) -> Option<Geometry> {
        Geometry::new(self.width(), self.height()).ok()
    }
}

impl From<Geometry> for Size {
    fn from(geometry: Geometry) -> Size {
        Size { width: geometry.width(), height: geometry.height() }
    }
}

/// The same position on the plain array. Discs outside the geometry, which no valid board has, are left out.
impl From<BitBoard> for Board {
    fn from(bits: BitBoard) -> Board {
        let mut board = Board::empty(bits.geometry.into(), bits.to_move);
        for (column, row) in board.size.squares() {
            let bit = 1 << (SIDE_OF_MASK * row + column);
            if bits.black & bit != 0 {
                board.set(column, row, Some(Color::Black));
            } else if bits.white & bit != 0 {
                board.set(column, row, Some(Color::White));
            }
        }
        board
    }
}

impl From<BitMove> for super::Move {
    fn from(mv: BitMove) -> super::Move {
        match mv {
            BitMove::Play(square) => super::Move::Play(square.column(), square.row()),
            BitMove::Pass => super::Move::Pass,
        }
    }
}

impl super::Move {
    /// The same move on a bitboard; `None` if the square is beyond 8x8.
    pub fn to_bitboard(self) -> Option<BitMove> {
        match self {
            super::Move::Play(column, row) if column < SIDE_OF_MASK && row < SIDE_OF_MASK => {
                Some(BitMove::Play(Square::at(column, row)))
            }
            super::Move::Play(..) => None,
            super::Move::Pass => Some(BitMove::Pass),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Start;

    #[test]
    fn there_and_back_is_the_same() {
        for (width, height) in [(3, 3), (4, 6), (8, 5), (8, 8)] {
            let bits = Geometry::new(width, height).unwrap().start(Start::Diagonal);
            let board = Board::from(bits);
            assert_eq!(board, Board::start(bits.geometry.into(), Start::Diagonal));
            assert_eq!(board.to_bitboard(), Some(bits));
            assert_eq!(board.pass().to_masks(), Some((bits.white, bits.black)));
        }
        let large = Board::start(Size::new(9, 3).unwrap(), Start::Diagonal);
        assert_eq!(large.to_bitboard(), None);
    }
}
