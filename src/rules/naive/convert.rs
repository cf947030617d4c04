//! Carries positions over from and to 64-bit masks: the one place of the naive rules that knows them.

use super::{Board, Size};
use crate::rules::position::{Board as BitBoard, Color, Move as BitMove};
use crate::rules::{Geometry, Square};

/// The longest side of a board in 64 bits.
const SIDE_OF_MASK: u32 = 8;

impl Board {
    /// The position with these discs, bit `8 * row + column` for a square; the side to move is called
    /// Black. `None` if the board is larger than 8x8, a square is taken twice, or is not on the board.
    pub fn from_masks(size: Size, player: u64, opponent: u64) -> Option<Board> {
        if size.width() > SIDE_OF_MASK || size.height() > SIDE_OF_MASK || player & opponent != 0 {
            return None;
        }
        let mut board = Board::empty(size, Color::Black);
        for bit in 0..64 {
            let (column, row) = (bit % SIDE_OF_MASK, bit / SIDE_OF_MASK);
            let cell = match (player >> bit & 1, opponent >> bit & 1) {
                (1, _) => Some(Color::Black),
                (_, 1) => Some(Color::White),
                _ => None,
            };
            match cell {
                Some(_) if !size.contains(column, row) => return None,
                Some(_) => board.set(column, row, cell),
                None => {}
            }
        }
        Some(board)
    }

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
            assert_eq!(Board::from_masks(board.size(), bits.black, bits.white), Some(board));
        }
        let large = Board::start(Size::new(9, 3).unwrap(), Start::Diagonal);
        assert_eq!(large.to_bitboard(), None);
    }

    #[test]
    fn masks_that_are_no_position_are_refused() {
        let size = Size::new(4, 4).unwrap();
        assert_eq!(Board::from_masks(size, 3, 2), None, "b1 is taken twice");
        assert_eq!(Board::from_masks(size, 1 << 4, 0), None, "e1 is not on the board");
        assert_eq!(Board::from_masks(Size::new(9, 4).unwrap(), 0, 0), None);
    }
}
