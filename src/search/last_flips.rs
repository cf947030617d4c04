//! How many discs the last move turns, without making it.
//!
//! With one empty square left, every other square on a line is one side's or the other's: the number
//! turned on a line follows from the mover's discs alone, by a table. Squares outside a smaller board
//! count as the other side's; nothing closes a run there, so they turn nothing.

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
pub(super) use tables::count_last_flips;

/// Discs of the opponent that the mover turns by playing the last empty square.
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
#[inline]
pub(super) fn count_last_flips(square: u32, mover: u64) -> u32 {
    by_flipping(square, mover)
}

/// The portable twin: turn them and count.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
#[inline]
fn by_flipping(square: u32, mover: u64) -> u32 {
    crate::rules::kernel::flips(square, mover, !(mover | 1 << square)).count_ones()
}

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
mod tables {
    use std::arch::x86_64::_pext_u64;

    /// The column and the two diagonals through a square, and the square's place on each.
    #[repr(C, align(32))]
    #[derive(Clone, Copy)]
    struct Lines {
        masks: [u64; 3],
        places: [u8; 3],
    }

    static LINES: [Lines; 64] = all_lines();

    const fn all_lines() -> [Lines; 64] {
        let mut all = [Lines { masks: [0; 3], places: [0; 3] }; 64];
        let steps = [(0, 1), (1, 1), (-1, 1)];
        let mut square = 0;
        while square < 64 {
            let mut line = 0;
            while line < 3 {
                let mask = line_through(square, steps[line].0, steps[line].1);
                all[square].masks[line] = mask;
                all[square].places[line] = (mask & ((1 << square) - 1)).count_ones() as u8;
                line += 1;
            }
            square += 1;
        }
        all
    }

    const fn line_through(square: usize, column_step: i32, row_step: i32) -> u64 {
        let mut mask = 0;
        let mut distance = -7;
        while distance <= 7 {
            let column = square as i32 % 8 + distance * column_step;
            let row = square as i32 / 8 + distance * row_step;
            if 0 <= column && column < 8 && 0 <= row && row < 8 {
                mask |= 1 << (8 * row + column);
            }
            distance += 1;
        }
        mask
    }

    /// Discs turned on a line by the mover at a place, given the mover's discs on it; all others are the opponent's.
    static TURNED: [[u8; 256]; 8] = all_turned();

    const fn all_turned() -> [[u8; 256]; 8] {
        let mut table = [[0; 256]; 8];
        let mut place = 0;
        while place < 8 {
            let mut discs = 0;
            while discs < 256 {
                table[place][discs] = turned_on(place, discs);
                discs += 1;
            }
            place += 1;
        }
        table
    }

    const fn turned_on(place: usize, discs: usize) -> u8 {
        let below = discs & ((1 << place) - 1);
        let above = discs >> (place + 1);
        let mut turned = 0;
        if below != 0 {
            turned += place as u32 - 1 - below.ilog2();
        }
        if above != 0 {
            turned += above.trailing_zeros();
        }
        turned as u8
    }

    /// Discs of the opponent that the mover turns by playing the last empty square.
    #[inline(always)]
    pub fn count_last_flips(square: u32, mover: u64) -> u32 {
        let square = square as usize & 63;
        let lines = &LINES[square];
        let on_row = TURNED[square & 7][(mover >> (square & 56) & 255) as usize];
        // SAFETY: this module is only compiled where BMI2 is part of the target.
        let on = |line: usize| unsafe {
            TURNED[lines.places[line] as usize & 7][_pext_u64(mover, lines.masks[line]) as usize & 255]
        };
        u32::from(on_row) + u32::from(on(0)) + u32::from(on(1)) + u32::from(on(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Geometry, kernel};

    #[test]
    fn counting_agrees_with_flipping_on_every_board() {
        let mut discs = 0x1234_5678_9ABC_DEF1u64;
        for _ in 0..2000 {
            discs = discs.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            for (width, height) in [(8, 8), (6, 6), (4, 4), (3, 7), (5, 8), (8, 3)] {
                let geometry = Geometry::new(width, height).unwrap();
                for square in geometry.squares() {
                    let mover = (discs ^ discs >> 29) & geometry.mask() & !square.bit();
                    let opponent = geometry.mask() & !square.bit() & !mover;
                    let turned = kernel::portable::flips(square.index(), mover, opponent).count_ones();
                    assert_eq!(
                        count_last_flips(square.index(), mover),
                        turned,
                        "{geometry} {square} {mover:#x}"
                    );
                    assert_eq!(by_flipping(square.index(), mover), turned, "{geometry} {square} {mover:#x}");
                }
            }
        }
    }
}
