//! Counts the discs that the last move flips, for either side, without making it.
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
    /// Start of each line's part in [`TURNED`], the row's last.
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

    /// The number of discs that the mover would flip on the last empty square, and the number that the other side
    /// would flip. The square and the mover's discs must lie on the board.
    #[inline(always)]
    pub fn gain(&self, square: u32, mover: u64) -> i32 {
        let lines = &self.0[square as usize & 63];
        let on = |line: usize, gather: u64| {
            let pattern = (mover & lines.masks[line]).wrapping_mul(gather) >> (lines.shifts[line] & 63);
            turned(lines.parts[line], pattern)
        };
        let on_row = turned(lines.parts[3], mover >> (square & 56) & 255);
        let both = on_row + on(0, lines.column) + on(1, SUM_OF_ROWS) + on(2, SUM_OF_ROWS);
        GAINS[both as usize & 1023].into()
    }
}

/// gains
static GAINS: [i8; 1024] = all_gains();

const fn all_gains() -> [i8; 1024] {
    let mut table = [0i8; 1024];
    let mut both = 1;
    while both < 1024 {
        let (ours, theirs) = (both & 31, both >> 5);
        table[both] = if ours != 0 { 2 * ours as i8 + 1 } else { -(2 * theirs as i8) - 1 };
        both += 1;
    }
    table
}

/// For each length of a line, each place on it and each set of the mover's discs on the line, all other squares but
/// the place being the opponent's: the number of discs that the mover flips by playing the place, and in the high
/// byte the number that the opponent flips.
static TURNED: [u16; 4096] = all_turned();

#[inline(always)]
fn turned(part: u16, discs: u64) -> u32 {
    // SAFETY: test
    unsafe { (*TURNED.get_unchecked(usize::from(part) + discs as usize)).into() }
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
                    turned_on(place, discs) | turned_on(place, others) << 5;
                discs += 1;
            }
            place += 1;
        }
        length += 1;
    }
    table
}

/// Number of discs that the mover flips by playing a place on a line whose other squares are the opponent's.
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

