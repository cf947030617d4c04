//! Five to ten empty squares, which make up most of the nodes with move ordering. Without polls, split points, the
//! learned evaluation and the shared table, which cost more than they save here; with the local table.
//!
//! Contract as for the last empties: above `alpha` a lower bound of the score for the player, else an upper bound
//! (fail-soft null window).

use super::node::Node;
use super::search::{ExactSearch, LEAF_EMPTIES, NO_SCORE, SHARED_TT_EMPTIES};
use crate::search::ordering::move_weights::MoveWeights;
use crate::search::rule_set::RuleSet;
use crate::search::tt::exact::NO_MOVE;
use arrayvec::ArrayVec;

/// From this many empty squares on ETC probes all children before the first is searched.
const ETC_EMPTIES: u32 = 6;

/// The largest number of legal moves with fewer than [`SHARED_TT_EMPTIES`] empty squares.
const MOST_MOVES: usize = SHARED_TT_EMPTIES as usize - 1;

/// The position after a move.
struct Child {
    player: u64,
    opponent: u64,
    /// The legal moves there.
    replies: u64,
    square: u8,
}

/// The legal moves of a position and their ranks; the highest rank is tried first.
#[derive(Default)]
struct Children {
    list: ArrayVec<Child, MOST_MOVES>,
    ranks: ArrayVec<i32, MOST_MOVES>,
}

impl Children {
    /// Takes the child with the highest rank; at least one must be left.
    #[inline(always)]
    fn take_best(&mut self) -> &Child {
        let (mut best, mut highest) = (0, TAKEN);
        for (place, &rank) in self.ranks.iter().enumerate() {
            if rank > highest {
                (best, highest) = (place, rank);
            }
        }
        self.ranks[best] = TAKEN;
        &self.list[best]
    }
}

/// Rank of a child already taken: below every other.
const TAKEN: i32 = i32::MIN;

impl<L: RuleSet> ExactSearch<'_, L> {
    /// Null window (alpha, alpha + 1) with more than [`LEAF_EMPTIES`] and fewer than [`SHARED_TT_EMPTIES`] empty
    /// squares.
    pub(crate) fn near_end(&mut self, node: Node, alpha: i32) -> i32 {
        let Node { player, opponent, count, parity, .. } = node;
        debug_assert!(LEAF_EMPTIES < count && count < SHARED_TT_EMPTIES);
        self.nodes += 1;
        let legal = self.legal(node);
        if legal == 0 {
            let legal = self.board.kernel.moves(opponent, player) & self.empties(player, opponent);
            if legal == 0 {
                return self.finished(player, opponent);
            }
            return -self.near_end(Node { player: opponent, opponent: player, legal, ..node }, -alpha - 1);
        }
        // The cut-offs are those of `null_window`, valid under the same goals.
        if let Some(bound) = self.stability_bound(node, alpha) {
            return bound;
        }
        let known = self.local.probe(player, opponent);
        if let Some(bound) = known.and_then(|known| known.settles(alpha)) {
            return bound;
        }
        let mut children = Children::default();
        if self.rank_children(node, legal, &mut children) {
            return self.board.square_count as i32;
        }
        self.visit(children.list.len() as u64);
        if count >= ETC_EMPTIES {
            self.visit(children.list.len() as u64);
            for child in &children.list {
                let known = self.local.probe(child.player, child.opponent);
                if let Some(known) = known.filter(|known| -i32::from(known.upper) > alpha) {
                    return -i32::from(known.upper);
                }
            }
        }
        if let Some(known) = known {
            let hash_move = children.list.iter().position(|child| child.square == known.best);
            hash_move.into_iter().for_each(|place| children.ranks[place] = i32::MAX);
        }
        let (mut best, mut best_square) = (NO_SCORE, NO_MOVE);
        for _ in 0..children.list.len() {
            let &Child { player, opponent, replies: legal, square } = children.take_best();
            let parity = self.board.parity_after(parity, square.into());
            let child = Node { player, opponent, count: count - 1, parity, legal, key: 0 };
            let score = if count - 1 > LEAF_EMPTIES {
                -self.near_end(child, -alpha - 1)
            } else {
                -self.leaf(child, -alpha - 1)
            };
            if score > best {
                (best, best_square) = (score, square);
                if score > alpha {
                    break;
                }
            }
        }
        self.local.store(player, opponent, alpha, best, best_square);
        best
    }

    /// Makes the legal moves and ranks them; `true` as soon as one wins by a wipe-out.
    #[inline(always)]
    fn rank_children(&self, node: Node, mut legal: u64, children: &mut Children) -> bool {
        let Node { player, opponent, count, parity, .. } = node;
        while legal != 0 {
            let square = legal.trailing_zeros();
            legal &= legal - 1;
            let turned = self.board.kernel.flips(square, player, opponent);
            let (next, other) = (opponent ^ turned, player ^ turned | 1 << square);
            if L::WIPE_OUT_WINS && next == 0 {
                return true;
            }
            if count >= ETC_EMPTIES {
                self.local.prefetch(next, other);
            }
            let replies = self.board.kernel.moves(next, other) & self.empties(next, other);
            let rank = MoveWeights::static_rank::<L>(self.board, (next, other), replies, square, parity);
            children.list.push(Child { player: next, opponent: other, replies, square: square as u8 });
            children.ranks.push(rank);
        }
        false
    }
}
