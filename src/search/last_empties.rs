//! The last few squares, where a node must cost next to nothing: no table, no sorting, only parity.
//!
//! Contract of every function here: the score for the player if it is above `alpha` as a lower
//! bound, else an upper bound of it (fail-soft null window).

use super::last_flips::count_last_flips;
use super::law::Law;
use super::layout::NEIGHBOURS;
use super::worker::Worker;
use crate::rules::kernel::{flips, moves};

/// Below every score.
const NONE: i32 = -128;

/// A position as the last plies carry it.
#[derive(Clone, Copy)]
pub(super) struct Few {
    pub player: u64,
    pub opponent: u64,
    pub empties: u64,
    /// Set of quadrants with an odd number of empty squares.
    pub parity: u8,
}

impl<L: Law> Worker<'_, L> {
    /// Any small number of empty squares.
    pub(super) fn few_empties(&mut self, few: Few, count: u32, alpha: i32) -> i32 {
        match count {
            0 => L::finished(few.player.count_ones(), few.opponent.count_ones(), self.layout.square_count),
            1 => self.last_one(few.player, few.opponent, few.empties.trailing_zeros()),
            2 => self.last_two(few.player, few.opponent, few.empties, alpha),
            _ => self.by_parity(few, count, alpha),
        }
    }

    /// Three and more: squares of odd quadrants first, since the last move of a region is worth having.
    fn by_parity(&mut self, few: Few, count: u32, alpha: i32) -> i32 {
        self.nodes += 1;
        let odd = self.layout.odd_squares(few.parity);
        let legal = if count > 4 { moves(few.player, few.opponent) & few.empties } else { few.empties };
        let mut best = NONE;
        for mut candidates in [legal & odd, legal & !odd] {
            while candidates != 0 {
                let square = candidates.trailing_zeros();
                candidates &= candidates - 1;
                if NEIGHBOURS[square as usize & 63] & few.opponent == 0 {
                    continue;
                }
                let turned = flips(square, few.player, few.opponent);
                if turned == 0 {
                    continue;
                }
                let player = few.opponent ^ turned;
                let opponent = few.player ^ turned | 1 << square;
                let empties = few.empties ^ 1 << square;
                let score = if count == 3 {
                    -self.last_two(player, opponent, empties, -alpha - 1)
                } else {
                    let parity = self.layout.parity_after(few.parity, square);
                    -self.by_parity(Few { player, opponent, empties, parity }, count - 1, -alpha - 1)
                };
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
        }
        if best != NONE {
            return best;
        }
        if moves(few.opponent, few.player) & few.empties == 0 {
            return L::finished(few.player.count_ones(), few.opponent.count_ones(), self.layout.square_count);
        }
        -self.by_parity(Few { player: few.opponent, opponent: few.player, ..few }, count, -alpha - 1)
    }

    /// Two empty squares.
    fn last_two(&mut self, player: u64, opponent: u64, empties: u64, alpha: i32) -> i32 {
        self.nodes += 1;
        let first = empties.trailing_zeros();
        let second = 63 - empties.leading_zeros();
        let best = self.either_of_two(player, opponent, first, second, alpha);
        if best != NONE {
            return best;
        }
        let passed = self.either_of_two(opponent, player, first, second, -alpha - 1);
        if passed != NONE {
            return -passed;
        }
        L::finished(player.count_ones(), opponent.count_ones(), self.layout.square_count)
    }

    /// The better of two squares, or [`NONE`] where neither is legal.
    #[inline(always)]
    fn either_of_two(&mut self, player: u64, opponent: u64, first: u32, second: u32, alpha: i32) -> i32 {
        let mut best = NONE;
        for (square, other) in [(first, second), (second, first)] {
            if NEIGHBOURS[square as usize & 63] & opponent == 0 {
                continue;
            }
            let turned = flips(square, player, opponent);
            if turned == 0 {
                continue;
            }
            let score = -self.last_one(opponent ^ turned, player ^ turned | 1 << square, other);
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
        best
    }

    /// One empty square: nothing is played, only counted.
    #[inline(always)]
    fn last_one(&mut self, player: u64, opponent: u64, square: u32) -> i32 {
        let squares = self.layout.square_count;
        let turned = count_last_flips(square, player);
        if turned != 0 {
            return L::full(player.count_ones() + turned + 1, squares);
        }
        let turned = count_last_flips(square, opponent);
        if turned != 0 {
            return -L::full(opponent.count_ones() + turned + 1, squares);
        }
        L::finished(player.count_ones(), opponent.count_ones(), squares)
    }
}
