//! Positions of boards up to 8x8 as a pair of 64-bit masks, bit `8 * row + column` for a square.

use super::Board;

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
}
