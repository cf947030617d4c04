//! Precomputed tables of a board: masks, quadrants for parity, ranks of squares, stability, last flips.

use crate::search::last_flips::LastFlips;
use crate::search::square_ranks::SquareRanks;
use crate::search::stability::Stability;
use reversi_rules::geometry::around;
use reversi_rules::kernel::Kernel;
use reversi_rules::{Geometry, Goal};

/// The precomputed tables of one board.
pub(crate) struct BoardTables {
    pub geometry: Geometry,
    pub mask: u64,
    pub kernel: Kernel,
    pub square_count: u32,
    /// The squares of the outer rows and columns.
    pub edges: u64,
    /// The quadrant of each square as one of the bits 1, 2, 4, 8.
    quadrant: [u8; 64],
    /// The squares of each set of quadrants.
    quadrants: [u64; 16],
    /// What the square of a move adds to its static rank: under the normal goal, then under the reversed one.
    pub square_ranks: [SquareRanks; 2],
    pub stability: Stability,
    pub last_flips: LastFlips,
    /// Children with at least this many empty squares are searched in their canonical form, so that symmetric
    /// positions share one table entry.
    pub canonical_empties: u32,
}

/// Up to this number of discs symmetric transpositions are frequent: the first move has four symmetric variants,
/// after ten moves there are hardly any.
const CANONICAL_DISCS: u32 = 14;
/// With fewer empty squares a search costs less than the canonical form.
const CANONICAL_LEAST: u32 = 11;

impl BoardTables {
    pub fn new(geometry: Geometry) -> BoardTables {
        let mut quadrant = [0; 64];
        let mut quadrants = [0; 16];
        for square in geometry.squares() {
            let east = u8::from(2 * square.column() >= geometry.width());
            let south = u8::from(2 * square.row() >= geometry.height());
            let id = 1 << (2 * south + east);
            quadrant[square.index() as usize] = id;
            for (set, squares) in quadrants.iter_mut().enumerate() {
                if set as u8 & id != 0 {
                    *squares |= square.bit();
                }
            }
        }
        BoardTables {
            geometry,
            mask: geometry.mask(),
            kernel: Kernel::new(geometry.width(), geometry.height()),
            square_count: geometry.square_count(),
            edges: geometry.edges(),
            quadrant,
            quadrants,
            square_ranks: Goal::ALL.map(|goal| SquareRanks::new(geometry, goal, &quadrants)),
            stability: Stability::new(geometry),
            last_flips: LastFlips::new(geometry),
            canonical_empties: geometry.square_count().saturating_sub(CANONICAL_DISCS).max(CANONICAL_LEAST),
        }
    }

    /// The set of quadrants with an odd number of empty squares.
    pub fn parity(&self, empties: u64) -> u8 {
        [1, 2, 4, 8]
            .into_iter()
            .filter(|&id| (self.quadrants[id as usize] & empties).count_ones() % 2 == 1)
            .sum()
    }

    /// The set of odd quadrants after a disc on `square`.
    #[inline(always)]
    pub fn parity_after(&self, parity: u8, square: u32) -> u8 {
        parity ^ self.quadrant[square as usize & 63]
    }

    /// The squares of the odd quadrants.
    #[inline(always)]
    pub fn odd_squares(&self, parity: u8) -> u64 {
        self.quadrants[parity as usize & 15]
    }
}

/// The squares around each square of the 8x8 grid; squares outside a smaller board never hold a disc.
pub(crate) static NEIGHBOURS: [u64; 64] = all_neighbours();

const fn all_neighbours() -> [u64; 64] {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        all[square] = around(1 << square);
        square += 1;
    }
    all
}
