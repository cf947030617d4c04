//! How many discs the last move turns, for either side, without making it.
//!
//! With one empty square left, every other square on a line through it is one side's or the other's: what
//! either side would turn there follows from one side's discs alone, by a table.

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
pub(crate) use by_flipping::LastFlips;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
pub(crate) use tables::LastFlips;

/// The portable twin: turns the discs and counts them.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
mod by_flipping {
    use reversi_rules::{Geometry, kernel};

    /// The squares of one board.
    pub struct LastFlips(u64);

    impl LastFlips {
        /// For boards of this geometry.
        pub fn new(geometry: Geometry) -> LastFlips {
            LastFlips(geometry.mask())
        }

        /// Discs that the mover would turn by playing the last empty square, and those that the other side would.
        /// The square and the mover's discs lie on the board.
        #[inline]
        pub fn count(&self, square: u32, mover: u64) -> (u32, u32) {
            let other = self.0 & !(mover | 1 << square);
            let turned = |mover, other| kernel::flips(square, mover, other).count_ones();
            (turned(mover, other), turned(other, mover))
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
mod tables {
    use reversi_rules::{Geometry, kernel::ray};
    use std::arch::x86_64::_pext_u64;

    /// For each square of one board, where to look up what is turned on the lines through it.
    pub struct LastFlips(Box<[Lines; 64]>);

    /// The lines through a square: its row, its column, the two diagonals.
    #[repr(C, align(32))]
    #[derive(Clone, Copy, Default)]
    struct Lines {
        /// The squares of all but the row, which is found by a shift.
        masks: [u64; 3],
        /// Where in [`TURNED`] each line's part begins, the row's last.
        parts: [u16; 4],
    }

    impl LastFlips {
        /// For boards of this geometry.
        pub fn new(geometry: Geometry) -> LastFlips {
            let mut all = Box::new([Lines::default(); 64]);
            for square in geometry.squares() {
                let (bit, index) = (square.bit(), square.index() as usize);
                let part = |line: u64| part(line.count_ones(), (line & (bit - 1)).count_ones());
                let through = |column_step: i32, row_step: i32| {
                    let both_ways = ray(index, column_step, row_step) | ray(index, -column_step, -row_step);
                    (both_ways | bit) & geometry.mask()
                };
                let masks = [through(0, 1), through(1, 1), through(-1, 1)];
                let parts = [part(masks[0]), part(masks[1]), part(masks[2]), part(through(1, 0))];
                all[index] = Lines { masks, parts };
            }
            LastFlips(all)
        }

        /// Discs that the mover would turn by playing the last empty square, and those that the other side would.
        /// The square and the mover's discs lie on the board.
        #[inline(always)]
        pub fn count(&self, square: u32, mover: u64) -> (u32, u32) {
            let lines = &self.0[square as usize & 63];
            // SAFETY: this module is only compiled where BMI2 is part of the target.
            let on = |line: usize| unsafe { turned(lines.parts[line], _pext_u64(mover, lines.masks[line])) };
            let on_row = turned(lines.parts[3], mover >> (square & 56) & 255);
            let both = on_row + on(0) + on(1) + on(2);
            (both & 255, both >> 8)
        }
    }

    /// For each length of a line, each place on it and each set of the mover's discs there, all others but
    /// the place being the opponent's: discs that the mover turns by playing the place, and in the high byte
    /// discs that the opponent turns.
    static TURNED: [u16; 4096] = all_turned();

    #[inline(always)]
    fn turned(part: u16, discs: u64) -> u32 {
        TURNED[(usize::from(part) + discs as usize) & 4095].into()
    }

    /// Where the part of a line of this length and a place on it begins.
    const fn part(length: u32, place: u32) -> u16 {
        let mut begin = 0;
        let mut shorter = 1;
        while shorter < length {
            begin += shorter << shorter;
            shorter += 1;
        }
        (begin + (place << length)) as u16
    }

    const fn all_turned() -> [u16; 4096] {
        let mut table = [0; 4096];
        let mut length = 1;
        while length <= 8 {
            let mut place = 0;
            while place < length {
                let mut discs = 0;
                while discs < 1 << length {
                    let others = !(discs | 1 << place) & ((1 << length) - 1);
                    table[part(length, place) as usize + discs as usize] =
                        turned_on(place, discs) | turned_on(place, others) << 8;
                    discs += 1;
                }
                place += 1;
            }
            length += 1;
        }
        table
    }

    /// Discs that the mover turns by playing a place on a line, on which all places between are others'.
    const fn turned_on(place: u32, discs: u32) -> u16 {
        let below = discs & ((1 << place) - 1);
        let above = discs >> (place + 1);
        let mut turned = 0;
        if below != 0 {
            turned += place - 1 - below.ilog2();
        }
        if above != 0 {
            turned += above.trailing_zeros();
        }
        turned as u16
    }
}

#[cfg(test)]
mod tests {
    use super::{LastFlips, by_flipping};
    use reversi_rules::{Geometry, kernel};

    #[test]
    fn counting_agrees_with_flipping_on_every_board() {
        let mut random = fastrand::Rng::with_seed(3);
        let sizes = (3..=8).flat_map(|width| (3..=8).map(move |height| (width, height)));
        for geometry in sizes.map(|(width, height)| Geometry::new(width, height).unwrap()) {
            let (last_flips, twin) = (LastFlips::new(geometry), by_flipping::LastFlips::new(geometry));
            for square in geometry.squares() {
                let index = square.index();
                for round in 0..500 {
                    let few = 1 << random.u32(..64) | 1 << random.u32(..64);
                    let discs = [random.u64(..), random.u64(..) & random.u64(..), few, !few][round % 4];
                    let mover = discs & geometry.mask() & !square.bit();
                    let other = geometry.mask() & !square.bit() & !mover;
                    let turned = |mover, other| kernel::portable::flips(index, mover, other).count_ones();
                    let expected = (turned(mover, other), turned(other, mover));
                    assert_eq!(last_flips.count(index, mover), expected, "{geometry} {square} {mover:#x}");
                    assert_eq!(twin.count(index, mover), expected, "{geometry} {square} {mover:#x}");
                }
            }
        }
    }
}
