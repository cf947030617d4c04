//! The last four empty squares, where a node must cost very little: no table, and no move ordering but parity.
//!
//! Contract of every function here: above `alpha` a lower bound of the score for the player, else an upper bound
//! (fail-soft null window).

use super::node::Node;
use super::search::{ExactSearch, NO_SCORE};
use crate::search::board_tables::NEIGHBOURS;
use crate::search::rule_set::RuleSet;
use reversi_rules::Scoring;
use reversi_rules::kernel::Kernel;
use std::hint::select_unpredictable;

impl<L: RuleSet> ExactSearch<'_, L> {
    /// Up to four empty squares.
    pub(crate) fn leaf(&mut self, node: Node, alpha: i32) -> i32 {
        let Node { player, opponent, count, parity, .. } = node;
        let empties = self.empties(player, opponent);
        match count {
            0 => self.finished(player, opponent),
            1 => self.last_one(player, empties.trailing_zeros()),
            2 => self.last_two(player, opponent, empties.trailing_zeros(), 63 - empties.leading_zeros()),
            3 => self.last_three(player, opponent, parity, alpha),
            _ => self.last_four(player, opponent, parity, alpha),
        }
    }

    pub(super) fn finished(&self, player: u64, opponent: u64) -> i32 {
        L::finished(player.count_ones(), opponent.count_ones(), self.board.square_count)
    }

    /// Four empty squares. Squares of odd quadrants come first, since the last move of a region is an advantage; under
    /// the reversed goal it is a disadvantage, so they come later.
    fn last_four(&mut self, player: u64, opponent: u64, parity: u8, alpha: i32) -> i32 {
        self.nodes += 1;
        let empties = self.empties(player, opponent);
        // Zero, two or four of them are in odd quadrants: at least two share a parity.
        let odd = empties & self.board.odd_squares(parity);
        let better = if L::REVERSED { empties & !odd } else { odd };
        let better = if better != 0 { better } else { empties };
        let first = better.trailing_zeros();
        let second = (better & (better - 1)).trailing_zeros();
        let rest = empties & !(1 << first | 1 << second);
        let mut best = NO_SCORE;
        for square in [first, second, rest.trailing_zeros(), 63 - rest.leading_zeros()] {
            let turned = turned_near(self.board.kernel, square, player, opponent);
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
        if self.board.kernel.moves(opponent, player) & empties == 0 {
            return self.finished(player, opponent);
        }
        -self.last_four(opponent, player, parity, -alpha - 1)
    }

    /// Three empty squares.
    fn last_three(&mut self, player: u64, opponent: u64, parity: u8, alpha: i32) -> i32 {
        self.nodes += 1;
        let empties = self.empties(player, opponent);
        // One or three of them are in odd quadrants.
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

    /// The best of three squares, or [`NO_SCORE`] if none is legal. Unrolled instead of a loop, so that each square
    /// has its own branch, which is predicted better; without a neighbour test, which would be one branch more.
    #[inline(always)]
    fn one_of_three(&mut self, player: u64, opponent: u64, [a, b, c]: [u32; 3], alpha: i32) -> i32 {
        let mut best = NO_SCORE;
        macro_rules! try_square {
            ($square:expr, $one:expr, $other:expr) => {
                let turned = self.board.kernel.flips($square, player, opponent);
                if turned != 0 {
                    let (next, other) = (opponent ^ turned, player ^ turned | 1 << $square);
                    let score = -self.last_two(next, other, $one, $other);
                    if score > alpha {
                        return score;
                    }
                    best = best.max(score);
                }
            };
        }
        try_square!(a, b, c);
        try_square!(b, a, c);
        try_square!(c, a, b);
        best
    }

    /// Two empty squares. Not inlined: alone it fits into the registers, inside its caller it does not.
    #[inline(never)]
    fn last_two(&mut self, player: u64, opponent: u64, first: u32, second: u32) -> i32 {
        self.nodes += 1;
        match self.either_of_two(player, opponent, first, second) {
            NO_SCORE => self.pass_of_two(player, opponent, first, second),
            best => best,
        }
    }

    /// Two empty squares, neither of them legal for the player.
    #[inline(never)]
    fn pass_of_two(&self, player: u64, opponent: u64, first: u32, second: u32) -> i32 {
        match self.either_of_two(opponent, player, first, second) {
            NO_SCORE => self.finished(player, opponent),
            best => -best,
        }
    }

    /// The better of two squares, or [`NO_SCORE`] if neither is legal. Here and below values are computed
    /// unconditionally: an unpredictable branch costs more.
    #[inline(always)]
    fn either_of_two(&self, player: u64, opponent: u64, first: u32, second: u32) -> i32 {
        let one = self.board.kernel.flips(first, player, opponent);
        let two = self.board.kernel.flips(second, player, opponent);
        self.visit(u64::from(one != 0));
        self.visit(u64::from(two != 0));
        let after_one = -self.last_one(opponent ^ one, second);
        let after_two = -self.last_one(opponent ^ two, first);
        let after_one = select_unpredictable(one != 0, after_one, NO_SCORE);
        let after_two = select_unpredictable(two != 0, after_two, NO_SCORE);
        after_one.max(after_two)
    }

    /// One empty square: the last move is counted, not made.
    #[inline(always)]
    fn last_one(&self, player: u64, square: u32) -> i32 {
        let (squares, discs) = (self.board.square_count, player.count_ones());
        let others = squares - 1 - discs;
        let gain = self.board.last_flips.gain(square, player);
        let difference = discs as i32 - others as i32 + gain;
        let played = if L::REVERSED { -difference } else { difference };
        match L::RULES.scoring {
            Scoring::Raw => played,
            Scoring::Winner => select_unpredictable(gain == 0, L::finished(discs, others, squares), played),
        }
    }
}

/// The discs flipped by a move. Often no neighbour is an opponent's disc, which is tested first.
#[inline(always)]
fn turned_near(kernel: Kernel, square: u32, player: u64, opponent: u64) -> u64 {
    match NEIGHBOURS[square as usize & 63] & opponent {
        0 => 0,
        _ => kernel.flips(square, player, opponent),
    }
}
