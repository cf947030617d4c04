//! The last few squares, where a node must cost next to nothing: no sorting, only parity, and with five of them a look
//! at stable discs or, under the reversed goal, at the thread's own table.
//!
//! Contract of every function here: the score for the player if it is above `alpha` as a lower
//! bound, else an upper bound of it (fail-soft null window).

use super::node::Node;
use super::search::{ExactSearch, NO_SCORE};
use crate::search::board_tables::NEIGHBOURS;
use crate::search::rule_set::RuleSet;
use crate::search::tt::exact::{Bounds, NO_MOVE};
use reversi_rules::kernel::{flips, moves};
use std::hint::select_unpredictable;

impl<L: RuleSet> ExactSearch<'_, L> {
    /// Up to five empty squares.
    pub(crate) fn leaf(&mut self, node: Node, alpha: i32) -> i32 {
        let Node { player, opponent, count, parity, .. } = node;
        let empties = self.empties(player, opponent);
        match count {
            0 => self.finished(player, opponent),
            1 => self.last_one(player, empties.trailing_zeros()),
            2 => {
                let squares = [empties.trailing_zeros(), 63 - empties.leading_zeros()];
                self.last_two(player, opponent, squares)
            }
            3 => self.last_three(player, opponent, parity, alpha),
            4 => self.last_four(player, opponent, parity, alpha),
            _ if L::REVERSED => self.remembered_five(node, alpha),
            _ => {
                if let Some(bound) = self.stability_bound(node, alpha) {
                    self.nodes += 1;
                    return bound;
                }
                self.last_five(player, opponent, self.legal(node), parity, alpha)
            }
        }
    }

    /// Under the reversed goal few discs are stable, and more moves lead to the same five empty squares: it saves more
    /// to remember what they are worth.
    fn remembered_five(&mut self, node: Node, alpha: i32) -> i32 {
        let Node { player, opponent, parity, .. } = node;
        let known = self.local.probe(player, opponent);
        if let Some(bound) = known.and_then(|known| known.settles(alpha)) {
            self.nodes += 1;
            return bound;
        }
        let score = self.last_five(player, opponent, self.legal(node), parity, alpha);
        let most = self.board.square_count as i32;
        let (lower, upper) = if score > alpha { (score, most) } else { (-most, score) };
        self.local.store(player, opponent, Bounds { lower: lower as i8, upper: upper as i8, best: NO_MOVE });
        score
    }

    pub(super) fn finished(&self, player: u64, opponent: u64) -> i32 {
        L::finished(player.count_ones(), opponent.count_ones(), self.board.square_count)
    }

    /// Five empty squares, the better first: those of odd quadrants, for the last move of a region is worth
    /// having; under the reversed goal it is not, and corners even less.
    fn last_five(&mut self, player: u64, opponent: u64, legal: u64, parity: u8, alpha: i32) -> i32 {
        self.nodes += 1;
        if legal == 0 {
            let after_pass = moves(opponent, player) & self.empties(player, opponent);
            if after_pass == 0 {
                return self.finished(player, opponent);
            }
            return -self.last_five(opponent, player, after_pass, parity, -alpha - 1);
        }
        let odd = self.board.odd_squares(parity);
        let corners = self.board.corners;
        let in_turn = match L::REVERSED {
            true => [legal & !odd & !corners, legal & odd & !corners, legal & corners],
            false => [legal & odd, legal & !odd, 0],
        };
        let mut best = NO_SCORE;
        for mut squares in in_turn {
            while squares != 0 {
                let square = squares.trailing_zeros();
                squares &= squares - 1;
                let turned = flips(square, player, opponent);
                let parity = self.board.parity_after(parity, square);
                let (next, other) = (opponent ^ turned, player ^ turned | 1 << square);
                let score = -self.last_four(next, other, parity, -alpha - 1);
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
        }
        best
    }

    /// Four empty squares.
    fn last_four(&mut self, player: u64, opponent: u64, parity: u8, alpha: i32) -> i32 {
        self.nodes += 1;
        let empties = self.empties(player, opponent);
        // None, two or all of them are in odd quadrants: two at least are alike.
        let odd = empties & self.board.odd_squares(parity);
        let better = if L::REVERSED { empties & !odd } else { odd };
        let better = if better != 0 { better } else { empties };
        let first = better.trailing_zeros();
        let second = (better & (better - 1)).trailing_zeros();
        let rest = empties & !(1 << first | 1 << second);
        let mut best = NO_SCORE;
        for square in [first, second, rest.trailing_zeros(), 63 - rest.leading_zeros()] {
            let turned = turned_near(square, player, opponent);
            if turned == 0 {
                continue;
            }
            let parity = self.board.parity_after(parity, square);
            let score =
                -self.last_three(opponent ^ turned, player ^ turned | 1 << square, parity, -alpha - 1);
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
        if best != NO_SCORE {
            return best;
        }
        if moves(opponent, player) & empties == 0 {
            return self.finished(player, opponent);
        }
        -self.last_four(opponent, player, parity, -alpha - 1)
    }

    /// Three empty squares.
    fn last_three(&mut self, player: u64, opponent: u64, parity: u8, alpha: i32) -> i32 {
        self.nodes += 1;
        let empties = self.empties(player, opponent);
        // One or all of them are in odd quadrants.
        let odd = (empties & self.board.odd_squares(parity)).trailing_zeros();
        let others = empties & !(1 << odd);
        let (one, other) = (others.trailing_zeros(), 63 - others.leading_zeros());
        let squares = if L::REVERSED { [one, other, odd] } else { [odd, one, other] };
        let best = self.one_of_three(player, opponent, squares, alpha);
        if best != NO_SCORE {
            return best;
        }
        let passed = self.one_of_three(opponent, player, squares, -alpha - 1);
        if passed != NO_SCORE {
            return -passed;
        }
        self.finished(player, opponent)
    }

    /// The best of three squares, or [`NO_SCORE`] where none is legal. Written out three times and not a loop, so that each
    /// square has a branch of its own, which the processor foretells better; and one, not another for the neighbours.
    #[inline(always)]
    fn one_of_three(&mut self, player: u64, opponent: u64, [a, b, c]: [u32; 3], alpha: i32) -> i32 {
        let mut best = NO_SCORE;
        macro_rules! look_at {
            ($square:expr, $others:expr) => {
                let turned = flips($square, player, opponent);
                if turned != 0 {
                    let (next, other) = (opponent ^ turned, player ^ turned | 1 << $square);
                    let score = -self.last_two(next, other, $others);
                    if score > alpha {
                        return score;
                    }
                    best = best.max(score);
                }
            };
        }
        look_at!(a, [b, c]);
        look_at!(b, [a, c]);
        look_at!(c, [a, b]);
        best
    }

    /// Two empty squares.
    #[inline(always)]
    fn last_two(&mut self, player: u64, opponent: u64, squares: [u32; 2]) -> i32 {
        self.nodes += 1;
        let best = self.either_of_two(player, opponent, squares);
        if best != NO_SCORE {
            return best;
        }
        let passed = self.either_of_two(opponent, player, squares);
        if passed != NO_SCORE {
            return -passed;
        }
        self.finished(player, opponent)
    }

    /// The better of two squares, or [`NO_SCORE`] where neither is legal. Here and below what may not be needed
    /// is worked out all the same: a branch that nobody can foretell costs more.
    #[inline(always)]
    fn either_of_two(&self, player: u64, opponent: u64, [first, second]: [u32; 2]) -> i32 {
        let one = flips(first, player, opponent);
        let two = flips(second, player, opponent);
        let after_one = -self.last_one(opponent ^ one, second);
        let after_two = -self.last_one(opponent ^ two, first);
        let after_one = select_unpredictable(one != 0, after_one, NO_SCORE);
        let after_two = select_unpredictable(two != 0, after_two, NO_SCORE);
        after_one.max(after_two)
    }

    /// One empty square: nothing is played, only counted.
    #[inline(always)]
    fn last_one(&self, player: u64, square: u32) -> i32 {
        let squares = self.board.square_count;
        let discs = player.count_ones();
        let (ours, theirs) = self.board.last_flips.count(square, player);
        let unplayed = L::finished(discs, squares - 1 - discs, squares);
        let passed = select_unpredictable(theirs != 0, L::full(discs - theirs, squares), unplayed);
        select_unpredictable(ours != 0, L::full(discs + ours + 1, squares), passed)
    }
}

/// What a disc on the square turns. Often no neighbour is the opponent's, which is seen at once.
#[inline(always)]
fn turned_near(square: u32, player: u64, opponent: u64) -> u64 {
    match NEIGHBOURS[square as usize & 63] & opponent {
        0 => 0,
        _ => flips(square, player, opponent),
    }
}
