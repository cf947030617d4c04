//! Moves and flips in plain 64-bit arithmetic.

use super::{INNER_COLUMNS, RAYS};

/// The squares where a disc of the player would turn something. Bits of occupied squares are meaningless.
#[inline]
pub fn moves(player: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER_COLUMNS;
    along(player, inner, 1) | along(player, inner, 7) | along(player, opponent, 8) | along(player, inner, 9)
}

/// The ends of the opponent's runs that begin at a disc of the player's, both ways along one line:
/// a parallel prefix over runs of up to six discs.
#[inline]
fn along(player: u64, opponent: u64, shift: u32) -> u64 {
    let mut rising = opponent & (player << shift);
    let mut falling = opponent & (player >> shift);
    rising |= opponent & (rising << shift);
    falling |= opponent & (falling >> shift);
    let pairs_rising = opponent & (opponent << shift);
    let pairs_falling = opponent & (opponent >> shift);
    rising |= pairs_rising & (rising << (2 * shift));
    falling |= pairs_falling & (falling >> (2 * shift));
    rising |= pairs_rising & (rising << (2 * shift));
    falling |= pairs_falling & (falling >> (2 * shift));
    (rising << shift) | (falling >> shift)
}

/// The opponent's discs between the empty `square` and the player's nearest discs around it.
///
/// On each ray the first square that is not the opponent's decides: if it is the player's, all
/// before it turn.
#[inline]
pub fn flips(square: u32, player: u64, opponent: u64) -> u64 {
    let rays = &RAYS[square as usize];
    let mut flips = 0;
    for ray in rays.rising {
        let others = ray & !opponent;
        let end = others & others.wrapping_neg() & player;
        flips |= ray & end.saturating_sub(1);
    }
    for ray in rays.falling {
        let others = ray & !opponent;
        let last = if others == 0 { 0 } else { 1u64 << (63 - others.leading_zeros()) };
        let end = last & player;
        // The negated double of `end` has all bits above `end`; it is 0 if `end` is 0.
        flips |= ray & (end << 1).wrapping_neg();
    }
    flips
}
