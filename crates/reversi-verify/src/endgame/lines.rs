//! The discs that a move turns, by look-up: the squares of a line are gathered into a few bits side by side, and small
//! tables tell what turns, which is scattered over the line again. For processors that gather and scatter by one
//! instruction, `pext` and `pdep`; the twin for all others is [`super::flips`].
//!
//! A *pattern* has a bit for each square of a line but the one moved to, from the lowest square up.

/// A line has at most seven squares beside the one moved to.
const PATTERNS: usize = 128;
const ENTRIES: usize = 8 * PATTERNS;
/// More than four lines can turn.
const OTHERS: u32 = 256;

/// The squares of the four lines through one square, itself left out.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct Lines {
    /// The squares.
    masks: [u64; 4],
    /// Where the tables [`ENDS`] and [`TURNED`] of a line begin: how many squares lie below the one moved to, times
    /// [`PATTERNS`].
    parts: [u16; 4],
    /// Where the table [`LAST`] of a line begins.
    last_parts: [u16; 4],
}

/// For each number of squares below and pattern of the other side: the nearest square each way that is not the other
/// side's.
static ENDS: [u8; ENTRIES] = TABLES.0;
/// For each number of squares below and pattern of the own discs among these: what turns.
static TURNED: [u8; ENTRIES] = TABLES.1;
/// For each length of a line, number of squares below, and pattern of the own discs, all other squares being the other
/// side's: how many discs a move of the own side turns, and [`OTHERS`] times how many a move of the other side.
static LAST: [u16; LAST_ENTRIES] = last_table();

const TABLES: ([u8; ENTRIES], [u8; ENTRIES]) = tables();

impl Lines {
    /// What is seen along the four lines, upwards and downwards in bits.
    pub fn new(up: [u64; 4], down: [u64; 4]) -> Lines {
        let both = |line: usize| up[line].count_ones() + down[line].count_ones();
        let below = down.map(u64::count_ones);
        Lines {
            masks: std::array::from_fn(|line| up[line] | down[line]),
            parts: below.map(|below| below as u16 * PATTERNS as u16),
            last_parts: std::array::from_fn(|line| last_part(both(line), below[line]) as u16),
        }
    }

    /// The discs of `other` that a move of `own` turns.
    #[inline(always)]
    pub fn flips(&self, own: u64, other: u64) -> u64 {
        let along = |line: usize| {
            let (mask, part) = (self.masks[line], self.parts[line]);
            let ends = look_up(&ENDS, part, gather(other, mask)) & gather(own, mask);
            scatter(look_up(&TURNED, part, ends), mask)
        };
        (along(0) | along(1)) | (along(2) | along(3))
    }

    /// How many discs a move of either side turns, that of `own` first, if every other square of the lines has a disc.
    #[inline(always)]
    pub fn last_flips(&self, own: u64, _other: u64) -> (i32, i32) {
        let along = |line: usize| {
            let entry = usize::from(self.last_parts[line]) + gather(own, self.masks[line]) as usize;
            u32::from(LAST[entry % LAST_ENTRIES])
        };
        let both = (along(0) + along(1)) + (along(2) + along(3));
        ((both % OTHERS) as i32, (both / OTHERS) as i32)
    }
}

#[inline(always)]
fn look_up(table: &[u8; ENTRIES], part: u16, pattern: u64) -> u64 {
    table[(usize::from(part) + pattern as usize) % ENTRIES].into()
}

/// The bits of the word at the mask's, side by side.
#[inline(always)]
fn gather(word: u64, mask: u64) -> u64 {
    // SAFETY: the module is compiled only where this instruction is part of the target.
    unsafe { std::arch::x86_64::_pext_u64(word, mask) }
}

/// The inverse of [`gather`].
#[inline(always)]
fn scatter(pattern: u64, mask: u64) -> u64 {
    // SAFETY: as above.
    unsafe { std::arch::x86_64::_pdep_u64(pattern, mask) }
}

const fn tables() -> ([u8; ENTRIES], [u8; ENTRIES]) {
    let mut tables = ([0; ENTRIES], [0; ENTRIES]);
    let mut entry = 0;
    while entry < ENTRIES {
        let (below, pattern) = ((entry / PATTERNS) as u32, (entry % PATTERNS) as u32);
        tables.0[entry] = ends(below, pattern) as u8;
        tables.1[entry] = turned(below, pattern) as u8;
        entry += 1;
    }
    tables
}

/// Entries of [`LAST`] for the lengths from 0 to 7, the places of the square moved to and the patterns, rounded up to a
/// power of two.
const LAST_ENTRIES: usize = 2048;

/// Where the part of [`LAST`] for a line of this number of squares, the one moved to left out, begins.
const fn last_part(length: u32, below: u32) -> usize {
    let mut begin = 0;
    let mut shorter = 0;
    while shorter < length {
        begin += (shorter as usize + 1) << shorter;
        shorter += 1;
    }
    begin + ((below as usize) << length)
}

const fn last_table() -> [u16; LAST_ENTRIES] {
    let mut table = [0; LAST_ENTRIES];
    let mut length = 0;
    while length <= 7 {
        let mut below = 0;
        while below <= length {
            let mut own = 0;
            while own < 1 << length {
                let other = !own & ((1 << length) - 1);
                let ours = turned(below, ends(below, !own)).count_ones();
                let theirs = turned(below, ends(below, !other)).count_ones();
                table[last_part(length, below) + own as usize] = (ours + OTHERS * theirs) as u16;
                own += 1;
            }
            below += 1;
        }
        length += 1;
    }
    table
}

/// The nearest square each way, of a line of seven, without a disc of `other`.
const fn ends(below: u32, other: u32) -> u32 {
    let free = !other & 127;
    let (low, high) = (free & ((1 << below) - 1), free >> below << below);
    let first = high & high.wrapping_neg();
    if low == 0 { first } else { first | 1 << low.ilog2() }
}

/// What lies between the move and `ends`, at most one of which is on either side.
const fn turned(below: u32, ends: u32) -> u32 {
    let (low, high) = (ends & ((1 << below) - 1), ends >> below << below);
    let downwards = if low == 0 { 0 } else { ((1 << below) - 1) & !(2 * low - 1) };
    let upwards = if high == 0 { 0 } else { (high - 1) >> below << below };
    downwards | upwards
}
