//! What the last move changes in the difference of discs, for the side that can make it, without making it.
//!
//! With one empty square left, every other square on a line through it holds a disc of one side or the other: the
//! flips of both sides follow from one side's discs, by table look-up.

use reversi_rules::{Geometry, kernel::ray};

/// The look-up data of each square of one board.
pub(crate) struct LastFlips(Box<[Lines; 64]>);

/// The lines through a square: its column, the two diagonals, its row.
#[repr(C, align(64))]
#[derive(Clone, Copy, Default)]
struct Lines {
    /// The squares of all lines but the row, which a shift extracts.
    masks: [u64; 3],
    /// Multiplier that gathers the column in the highest byte; for the diagonals it is [`SUM_OF_ROWS`].
    column: u64,
    /// Start of each line's part in [`FLIPS`], the row's last.
    parts: [u16; 4],
    /// Position of each line's pattern in the highest byte, from the lowest bit of the word.
    shifts: [u8; 3],
}

/// Multiplier that adds all rows in the highest byte: the squares of a diagonal lie in different columns.
const SUM_OF_ROWS: u64 = 0x0101_0101_0101_0101;
/// Multiplier that gathers column a in the highest byte, the lowest row first.
const COLUMN_A: u64 = 0x0102_0408_1020_4080;

impl LastFlips {
    /// For boards of this geometry.
    pub fn new(geometry: Geometry) -> LastFlips {
        let mut all = Box::new([Lines::default(); 64]);
        for square in geometry.squares() {
            let (bit, index) = (square.bit(), square.index() as usize);
            let through = |column_step: i32, row_step: i32| {
                let both_ways = ray(index, column_step, row_step) | ray(index, -column_step, -row_step);
                (both_ways | bit) & geometry.mask()
            };
            let (column, falling, rising) = (through(0, 1), through(1, 1), through(-1, 1));
            // A diagonal is read column by column from the west, whatever the direction of its rows.
            let west = |line: u64| (0..8).find(|west| line & (SUM_OF_ROWS << west) != 0).unwrap_or(0);
            let place_in = |line: u64| square.column() - west(line);
            all[index] = Lines {
                masks: [column, falling, rising],
                column: COLUMN_A >> square.column(),
                parts: [
                    part(column.count_ones(), square.row()),
                    part(falling.count_ones(), place_in(falling)),
                    part(rising.count_ones(), place_in(rising)),
                    part(geometry.width(), square.column()),
                ],
                shifts: [56, 56 + west(falling) as u8, 56 + west(rising) as u8],
            };
        }
        LastFlips(all)
    }

    /// What the last move adds to the mover's difference in discs: the disc and twice the flipped ones if the mover can
    /// play, the same with a minus sign if only the other side can, 0 if neither can. The square must be empty and on
    /// the board, and the mover's discs must lie on the board.
    #[inline(always)]
    pub fn gain(&self, square: u32, mover: u64) -> i32 {
        let lines = &self.0[square as usize & 63];
        let on = |line: usize, gather: u64| {
            let pattern = (mover & lines.masks[line]).wrapping_mul(gather) >> (lines.shifts[line] & 63);
            flips(lines.parts[line], pattern)
        };
        let on_row = flips(lines.parts[3], mover >> (square & 56) & 255);
        let both = on_row + on(0, lines.column) + on(1, SUM_OF_ROWS) + on(2, SUM_OF_ROWS);
        GAINS[both as usize & (GAINS.len() - 1)].into()
    }
}

/// Bits of one side's number of flips in an entry of [`FLIPS`]: four lines of a square have at most 24.
const BITS: u32 = 5;

/// The gain for each sum of the entries of four lines.
static GAINS: [i8; 1 << (2 * BITS)] = all_gains();

const fn all_gains() -> [i8; 1 << (2 * BITS)] {
    let mut gains = [0; 1 << (2 * BITS)];
    let mut both = 1;
    while both < gains.len() {
        let (ours, theirs) = ((both % (1 << BITS)) as i8, (both >> BITS) as i8);
        gains[both] = if ours != 0 { 1 + 2 * ours } else { -1 - 2 * theirs };
        both += 1;
    }
    gains
}

/// For each length of a line, each place on it and each set of the mover's discs on the line, all other squares but
/// the place being the opponent's: the number of discs that the mover flips by playing the place, and from bit [`BITS`]
/// on the number that the opponent flips.
static FLIPS: [u16; LAST_PART + 256] = all_flips();

/// Start of the last part: no part begins later.
const LAST_PART: usize = part(8, 7) as usize;

/// The entry of a part for a set of discs, a number below 256.
#[inline(always)]
fn flips(part: u16, discs: u64) -> u32 {
    let entry = usize::from(part) + discs as usize;
    debug_assert!(entry < FLIPS.len(), "a part that begins at {part}, and discs {discs:#x}");
    // SAFETY: parts begin at `LAST_PART` at most and `FLIPS` reaches 256 entries further. `discs` is below 256: eight
    // bits of a row; or a product shifted by 56 bits or more, as all shifts of squares of the board are; or, on other
    // squares, 0, since their masks are empty.
    unsafe { (*FLIPS.get_unchecked(entry)).into() }
}

/// Start of the part of a line of this length and a place on it.
const fn part(length: u32, place: u32) -> u16 {
    let mut begin = 0;
    let mut shorter = 1;
    while shorter < length {
        begin += shorter << shorter;
        shorter += 1;
    }
    (begin + (place << length)) as u16
}

const fn all_flips() -> [u16; LAST_PART + 256] {
    let mut table = [0; LAST_PART + 256];
    let mut length = 1;
    while length <= 8 {
        let mut place = 0;
        while place < length {
            let mut discs = 0;
            while discs < 1 << length {
                let others = !(discs | 1 << place) & ((1 << length) - 1);
                table[part(length, place) as usize + discs as usize] =
                    flips_on(place, discs) | flips_on(place, others) << BITS;
                discs += 1;
            }
            place += 1;
        }
        length += 1;
    }
    table
}

/// Number of discs that the mover flips by playing a place on a line whose other squares are the opponent's.
const fn flips_on(place: u32, discs: u32) -> u16 {
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

/// The slow twin: flips the discs and counts them.
#[cfg(test)]
mod by_flipping {
    use reversi_rules::{Geometry, kernel};

    /// What the last move adds to the mover's difference in discs.
    pub fn gain(geometry: Geometry, square: u32, mover: u64) -> i32 {
        let other = geometry.mask() & !(mover | 1 << square);
        let flips = |mover, other| kernel::portable::flips(square, mover, other).count_ones() as i32;
        match (flips(mover, other), flips(other, mover)) {
            (0, 0) => 0,
            (0, theirs) => -1 - 2 * theirs,
            (ours, _) => 1 + 2 * ours,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LastFlips, by_flipping};
    use reversi_rules::Geometry;

    #[test]
    fn counting_agrees_with_flipping_on_every_board() {
        let mut random = fastrand::Rng::with_seed(3);
        let sizes = (3..=8).flat_map(|width| (3..=8).map(move |height| (width, height)));
        for geometry in sizes.map(|(width, height)| Geometry::new(width, height).unwrap()) {
            let last_flips = LastFlips::new(geometry);
            for square in geometry.squares() {
                let index = square.index();
                for round in 0..500 {
                    let few = 1 << random.u32(..64) | 1 << random.u32(..64);
                    let discs = [random.u64(..), random.u64(..) & random.u64(..), few, !few][round % 4];
                    let mover = discs & geometry.mask() & !square.bit();
                    let expected = by_flipping::gain(geometry, index, mover);
                    assert_eq!(last_flips.gain(index, mover), expected, "{geometry} {square} {mover:#x}");
                }
            }
        }
    }
}
