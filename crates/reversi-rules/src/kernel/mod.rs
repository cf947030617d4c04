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

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub use avx2::{flips, moves};
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub use portable::{flips, moves};

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

    #[test]
    fn vector_code_and_portable_code_agree() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..200_000 {
            let (a, b) = (random.u64(..), random.u64(..));
            let (player, opponent) = (a & b, !a & (b | random.u64(..)));
            assert_eq!(player & opponent, 0);
            let empties = !(player | opponent);
            assert_eq!(moves(player, opponent) & empties, portable::moves(player, opponent) & empties);
            for square in super::super::geometry::squares_of(empties) {
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
    fn a_move_is_legal_exactly_where_it_turns_something() {
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..20_000 {
            let (a, b) = (random.u64(..), random.u64(..));
            let (player, opponent) = (a & b, a & !b);
            let legal = portable::moves(player, opponent);
            for square in super::super::geometry::squares_of(!(player | opponent)) {
                let turns = portable::flips(square.index(), player, opponent) != 0;
                assert_eq!(legal & square.bit() != 0, turns);
            }
        }
    }
}
