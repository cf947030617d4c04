//! Cut-offs of the exact search that need no search: stable discs and stored bounds.

use super::node::Node;
use super::search::{ExactSearch, SHARED_TT_EMPTIES};
use crate::search::ordering::endgame::Candidates;
use crate::search::rule_set::RuleSet;
use crate::search::tt::exact::Bounds;

impl<L: RuleSet> ExactSearch<'_, L> {
    /// An upper bound at or below alpha from stable discs.
    ///
    /// It cannot change the score: stable discs are still there at the end. Under the normal goal s stable discs of
    /// the opponent leave the player at most N - s discs and so a score of at most N - 2s. Under the reversed goal
    /// the player's own stable discs bound its score in the same way. Valid for both scorings: the bound holds even
    /// if all squares that stay empty count for the player.
    #[inline]
    pub(crate) fn stability_bound(&self, node: Node, alpha: i32) -> Option<i32> {
        let squares = self.board.square_count as i32;
        let (side, other) =
            if L::REVERSED { (node.player, node.opponent) } else { (node.opponent, node.player) };
        // The number of stable discs needed for a cut-off; skip the computation where it is out of reach.
        let needed = (squares - alpha + 1) / 2;
        if (side.count_ones() as i32) < needed || needed > squares * 9 / 16 {
            return None;
        }
        let bound = squares - 2 * self.board.stability.stable(side, other).count_ones() as i32;
        (bound <= alpha).then_some(bound)
    }

    /// Enhanced transposition cut-off (ETC): a stored upper bound of a child, negated, is a lower bound here. Stored
    /// bounds are proved in the exact modes, so it cannot change the score, under either goal.
    #[inline]
    pub(crate) fn etc_cutoff(&self, list: &Candidates, count: u32, alpha: i32) -> Option<i32> {
        self.visit(list.len() as u64);
        list.iter().find_map(|candidate| {
            let known = self.probe(count, candidate.player, candidate.opponent, candidate.key)?;
            let at_least = -i32::from(known.upper);
            (at_least > alpha).then_some(at_least)
        })
    }

    /// The stored bounds of a position with `count` empty squares.
    #[inline(always)]
    pub(crate) fn probe(&self, count: u32, player: u64, opponent: u64, key: u64) -> Option<Bounds> {
        debug_assert_eq!(key, self.key(count, player, opponent), "the place of another position");
        match count < SHARED_TT_EMPTIES {
            true => self.local.probe(player, opponent),
            false => self.context.table.probe(self.word(count, player), opponent, key),
        }
    }

    pub(crate) fn store(&mut self, node: Node, alpha: i32, beta: i32, best: i32, square: u8, before: u64) {
        let Node { player, opponent, count, key, .. } = node;
        debug_assert_eq!(key, self.key(count, player, opponent), "the place of another position");
        if count < SHARED_TT_EMPTIES {
            return self.local.store(player, opponent, alpha, best, square);
        }
        let squares = self.board.square_count as i32;
        let lower = if best > alpha { best } else { -squares };
        let upper = if best < beta { best } else { squares };
        let proved = Bounds { lower: lower as i8, upper: upper as i8, best: square };
        let cost = (self.nodes - before + 1).ilog2() as u8;
        self.context.table.store(self.word(count, player), opponent, key, proved, cost);
    }
}
