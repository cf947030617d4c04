//! Which move first: the sooner the refuting move is tried, the smaller the tree.
//!
//! Only the order depends on what is here, never a score.

use super::law::Law;
use super::layout::{Layout, around};
use super::transposition::{NO_MOVE, hash};
use crate::rules::kernel::{flips, moves};
use arrayvec::ArrayVec;

/// A legal move with the position it leads to.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    /// The side to move after the move: the opponent.
    pub player: u64,
    pub opponent: u64,
    pub hash: u64,
    pub square: u8,
    /// Higher is tried earlier.
    pub rank: i32,
}

/// The legal moves of a position.
pub(super) type Candidates = ArrayVec<Candidate, 64>;

/// The move that the transposition table remembers comes before all others.
const REMEMBERED: i32 = 1 << 24;

/// All legal moves, not yet ranked.
#[inline]
pub(super) fn candidates(player: u64, opponent: u64, mut legal: u64) -> Candidates {
    let mut list = Candidates::new();
    while legal != 0 {
        let square = legal.trailing_zeros();
        legal &= legal - 1;
        let turned = flips(square, player, opponent);
        let (next_player, next_opponent) = (opponent ^ turned, player ^ turned | 1 << square);
        list.push(Candidate {
            player: next_player,
            opponent: next_opponent,
            hash: hash(next_player, next_opponent),
            square: square as u8,
            rank: 0,
        });
    }
    list
}

/// Ranks by what can be seen at once: few moves for the opponent above all ("fastest first").
#[inline]
pub(super) fn rank_statically<L: Law>(list: &mut Candidates, layout: &Layout, parity: u8, remembered: u8) {
    for candidate in list.iter_mut() {
        candidate.rank = if candidate.square == remembered && remembered != NO_MOVE {
            REMEMBERED
        } else {
            static_rank::<L>(candidate, layout, parity)
        };
    }
}

#[inline]
fn static_rank<L: Law>(candidate: &Candidate, layout: &Layout, parity: u8) -> i32 {
    let empties = layout.mask & !(candidate.player | candidate.opponent);
    let replies = moves(candidate.player, candidate.opponent) & empties;
    let mobility = replies.count_ones() + (replies & layout.corners).count_ones();
    let potential = (around(candidate.opponent) & empties).count_ones();
    let bit = 1u64 << candidate.square;
    let odd = i32::from(layout.odd_squares(parity) & bit != 0);
    let corner = i32::from(layout.corners & bit != 0);
    if L::REVERSED {
        let discs = candidate.opponent.count_ones() as i32;
        odd * 4 - 16 * mobility as i32 - 4 * potential as i32 - 2 * discs
    } else {
        odd * 8 + corner * 16 - 16 * mobility as i32 - 2 * potential as i32
    }
}

/// Moves the best of the rest to `place` and returns it.
#[inline]
pub(super) fn next_best(list: &mut Candidates, place: usize) -> Candidate {
    let mut best = place;
    for other in place + 1..list.len() {
        if list[other].rank > list[best].rank {
            best = other;
        }
    }
    list.swap(place, best);
    list[place]
}
