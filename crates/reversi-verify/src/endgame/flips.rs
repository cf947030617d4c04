//! The discs that a move turns, by the carry of an addition.
//!
//! The squares seen from the move along one line are a mask of bits. Where the other side has a disc, or the mask a
//! gap, a 1 is written, and 1 is added: the carry runs over all of these and stops at the first square of the line that
//! is not the other side's. If that is one's own, all before it turn.
//!
//! ```text
//! line          . . # # # # # .      (bits rise to the right; the move is left of the line)
//! other | !line 1 1 1 1 0 1 0 1      two discs of the other side, then one's own, then another of the other side's
//! plus 1        0 0 0 0 1 1 0 1      the carry stops at one's own disc
//! ```
//!
//! Carries run upwards only. For the lines that go down the same is done with all bits mirrored.

/// The squares seen from one square along its lines, itself left out.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct Rays {
    /// Along the four lines that go up in bits.
    up: [u64; 4],
    /// Along the four that go down, with all 64 bits mirrored.
    down: [u64; 4],
}

impl Rays {
    /// What is seen along the four lines, upwards and downwards in bits.
    pub fn new(up: [u64; 4], down: [u64; 4]) -> Rays {
        Rays { up, down: down.map(u64::reverse_bits) }
    }

    /// The discs of `other` that a disc of `own` on the square turns.
    #[inline(always)]
    pub fn flips(&self, own: u64, other: u64) -> u64 {
        let downwards = upwards(&self.down, own.reverse_bits(), other.reverse_bits()).reverse_bits();
        upwards(&self.up, own, other) | downwards
    }

    /// How many discs a disc of either side on the square turns, that of `own` first.
    #[inline(always)]
    pub fn last_flips(&self, own: u64, other: u64) -> (i32, i32) {
        (self.flips(own, other).count_ones() as i32, self.flips(other, own).count_ones() as i32)
    }
}

/// What turns along the four lines that go up in bits.
#[inline(always)]
fn upwards(lines: &[u64; 4], own: u64, other: u64) -> u64 {
    let turned: [u64; 4] = std::array::from_fn(|number| {
        let line = lines[number];
        let end = (other | !line).wrapping_add(1) & line & own;
        end.wrapping_sub(u64::from(end != 0)) & line
    });
    (turned[0] | turned[1]) | (turned[2] | turned[3])
}
