//! The two operations everything rests on: where a side may move, and what a move turns.
//!
//! Both need no geometry: a square that does not exist holds no disc, so no run of discs is ever
//! closed across it. The caller cuts the moves down to the empty squares of the board.
//!
//! Vector code is chosen at build time from the target's features (`.cargo/config.toml` asks for
//! those of the machine); [`portable`] is its twin and its test.

pub mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub mod avx2;

/// Moves and flips for boards of a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// No line is longer than six squares, so that no run between two discs or a disc and an empty square is longer
    /// than four.
    is_short: bool,
}

impl Kernel {
    /// The fastest code for boards of `width` times `height` squares.
    pub const fn new(width: u32, height: u32) -> Kernel {
        Kernel { is_short: width <= 6 && height <= 6 }
    }

    /// The squares where a disc of the player would turn something. Bits of occupied squares are meaningless. Both
    /// sides' discs must lie on the board.
    #[inline(always)]
    pub fn moves(self, player: u64, opponent: u64) -> u64 {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        return avx2::moves(self.is_short, player, opponent);
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        portable::moves(player, opponent)
    }

    /// The discs that a disc of the player on the empty `square` turns. Both sides' discs must lie on the board.
    #[inline(always)]
    pub fn flips(self, square: u32, player: u64, opponent: u64) -> u64 {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        return avx2::flips(self.is_short, square, player, opponent);
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        portable::flips(square, player, opponent)
    }
}

/// [`Kernel::moves`] on a board of any size.
#[inline]
pub fn moves(player: u64, opponent: u64) -> u64 {
    Kernel::new(8, 8).moves(player, opponent)
}

/// [`Kernel::flips`] on a board of any size.
#[inline]
pub fn flips(square: u32, player: u64, opponent: u64) -> u64 {
    Kernel::new(8, 8).flips(square, player, opponent)
}

/// Which code this build uses, for `--version` and benchmarks.
pub const NAME: &str =
    if cfg!(all(target_arch = "x86_64", target_feature = "avx512cd", target_feature = "avx512vl")) {
        "avx512"
    } else if cfg!(all(target_arch = "x86_64", target_feature = "avx2")) {
        "avx2"
    } else {
        "portable"
    };

/// Columns b to g: no disc on an outer column of an 8x8 board can be turned along its row, and
/// leaving the outer columns out keeps shifts from running around the edge.
const INNER_COLUMNS: u64 = 0x7E7E_7E7E_7E7E_7E7E;

/// The squares seen from one square, in the four directions of rising bit numbers
/// (east, south-west, south, south-east) and in the four opposite ones.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Rays {
    rising: [u64; 4],
    falling: [u64; 4],
}

static RAYS: [Rays; 64] = all_rays();

const fn all_rays() -> [Rays; 64] {
    let mut rays = [Rays { rising: [0; 4], falling: [0; 4] }; 64];
    let steps = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            let (column, row) = steps[direction];
            rays[square].rising[direction] = ray(square, column, row);
            rays[square].falling[direction] = ray(square, -column, -row);
            direction += 1;
        }
        square += 1;
    }
    rays
}

/// All squares of the 8x8 grid seen from one square in one direction.
pub const fn ray(square: usize, column_step: i32, row_step: i32) -> u64 {
    let mut mask = 0;
    let (mut column, mut row) = (square as i32 % 8 + column_step, square as i32 / 8 + row_step);
    while 0 <= column && column < 8 && 0 <= row && row < 8 {
        mask |= 1 << (8 * row + column);
        column += column_step;
        row += row_step;
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Geometry;
    use crate::geometry::squares_of;

    #[test]
    fn vector_code_and_portable_code_agree() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..200_000 {
            let (a, b) = (random.u64(..), random.u64(..));
            let (player, opponent) = (a & b, !a & (b | random.u64(..)));
            assert_eq!(player & opponent, 0);
            let empties = !(player | opponent);
            assert_eq!(moves(player, opponent) & empties, portable::moves(player, opponent) & empties);
            for square in squares_of(empties) {
                let square = square.index();
                assert_eq!(
                    flips(square, player, opponent),
                    portable::flips(square, player, opponent),
                    "{player:#x} {opponent:#x} {square}"
                );
            }
        }
    }

    #[test]
    fn short_lines_need_less() {
        let mut random = fastrand::Rng::with_seed(4);
        for geometry in
            [Geometry::SIX, Geometry::FOUR, Geometry::new(6, 3).unwrap(), Geometry::new(5, 6).unwrap()]
        {
            let kernel = Kernel::new(geometry.width(), geometry.height());
            assert!(kernel.is_short);
            for round in 0..50_000 {
                let few = [u64::MAX, random.u64(..) | random.u64(..)][round % 2];
                let (player, filled) = (random.u64(..) & geometry.mask(), few & geometry.mask());
                let (player, opponent) = (player & filled, filled & !player);
                let empties = geometry.mask() & !filled;
                assert_eq!(
                    kernel.moves(player, opponent) & empties,
                    portable::moves(player, opponent) & empties
                );
                for square in squares_of(empties) {
                    let square = square.index();
                    assert_eq!(
                        kernel.flips(square, player, opponent),
                        portable::flips(square, player, opponent)
                    );
                }
            }
        }
    }

    #[test]
    fn a_move_is_legal_exactly_where_it_turns_something() {
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..20_000 {
            let (a, b) = (random.u64(..), random.u64(..));
            let (player, opponent) = (a & b, a & !b);
            let legal = portable::moves(player, opponent);
            for square in squares_of(!(player | opponent)) {
                let turns = portable::flips(square.index(), player, opponent) != 0;
                assert_eq!(legal & square.bit() != 0, turns);
            }
        }
    }
}
