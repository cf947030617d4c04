//! What the square of a move adds to its static rank: a table, since near the end of the game most positions are
//! ranked.

use reversi_rules::geometry::squares_of;
use reversi_rules::{Geometry, Goal};

/// What the square of a move adds to its rank without an estimate, by square and by set of odd quadrants: more or less
/// for a square of an odd quadrant, and for a corner. Bytes, so that those of a goal take 1 KB of the first cache.
pub(crate) struct SquareRanks([[i8; 64]; 16]);

impl SquareRanks {
    /// The table of a board and goal; `quadrants` are the squares of each set of quadrants.
    pub fn new(geometry: Geometry, goal: Goal, quadrants: &[u64; 16]) -> SquareRanks {
        let (odd, corner) = match goal {
            Goal::Normal => (12, 32),
            Goal::Reversed => (-6, -44),
        };
        let mut ranks = [[0; 64]; 16];
        for (ranks, quadrants) in ranks.iter_mut().zip(quadrants) {
            squares_of(*quadrants).for_each(|square| ranks[square.index() as usize] += odd);
            squares_of(geometry.corners()).for_each(|square| ranks[square.index() as usize] += corner);
        }
        SquareRanks(ranks)
    }

    /// What a move to `square` adds if the quadrants of `parity` are the odd ones.
    #[inline(always)]
    pub fn of(&self, square: u32, parity: u8) -> i32 {
        self.0[parity as usize & 15][square as usize & 63].into()
    }
}
