//! The discs that a move turns, by the carry of an addition.
//!
//! The squares seen from the move along one line are a mask of bits. Where the other side has a disc, or the mask a gap,
//! a 1 is written, and 1 is added: the carry runs over all of these and stops at the first square of the line that is
//! not the other side's. If that is one's own, all before it turn.
//!
//! ```text
//! line          . . # # # # # .      (bits rise to the right; the move is left of the line)
//! other | !line 1 1 1 1 0 1 0 1      two discs of the other side, then one's own, then another of the other side's
//! plus 1        0 0 0 0 1 1 0 1      the carry stops at one's own disc
//! ```
//!
//! Carries run upwards only. For the lines that go down the same is done with all bits mirrored.

use super::layout::{Layout, Rays};

impl Layout {
    /// The discs of `other` that a disc of `own` on the empty square `square` (one bit) turns; 0 if the move is not
    /// legal.
    #[inline(always)]
    pub(super) fn flips(&self, square: u64, own: u64, other: u64) -> u64 {
        let place = square.trailing_zeros() as usize;
        // Most squares that are not legal are excluded by their neighbours.
        if self.neighbours[place] & other == 0 {
            return 0;
        }
        let Rays { up, down } = &self.rays[place];
        upwards(up, own, other) | upwards(down, own.reverse_bits(), other.reverse_bits()).reverse_bits()
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
