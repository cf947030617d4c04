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

impl<L: Law> Worker<'_, L> {
    /// Any small number of empty squares.
    pub(super) fn few_empties(
        &mut self,
        player: u64,
        opponent: u64,
        count: u32,
        parity: u8,
        alpha: i32,
    ) -> i32 {
        match count {
            0 => L::finished(player.count_ones(), opponent.count_ones(), self.layout.square_count),
            1 => self.last_one(player, opponent, self.empties(player, opponent).trailing_zeros()),
            2 => self.last_two(player, opponent, self.empties(player, opponent), alpha),
            3 => self.by_parity::<3>(player, opponent, parity, alpha),
            4 => self.by_parity::<4>(player, opponent, parity, alpha),
            5 => self.by_parity::<5>(player, opponent, parity, alpha),
            _ => self.by_parity::<6>(player, opponent, parity, alpha),
        }
    }

    /// Three and more: squares of odd quadrants first, since the last move of a region is worth having.
    fn by_parity<const COUNT: u32>(&mut self, player: u64, opponent: u64, parity: u8, alpha: i32) -> i32 {
        self.nodes += 1;
        let empties = self.empties(player, opponent);
        let odd = self.layout.odd_squares(parity);
        let legal = if COUNT > 4 { moves(player, opponent) & empties } else { empties };
        let mut best = NONE;
        for mut candidates in [legal & odd, legal & !odd] {
            while candidates != 0 {
                let square = candidates.trailing_zeros();
                candidates &= candidates - 1;
                if NEIGHBOURS[square as usize & 63] & opponent == 0 {
                    continue;
                }
                let turned = flips(square, player, opponent);
                if turned == 0 {
                    continue;
                }
                let (next, other) = (opponent ^ turned, player ^ turned | 1 << square);
                let parity = self.layout.parity_after(parity, square);
                let score = -match COUNT {
                    3 => self.last_two(next, other, empties ^ 1 << square, -alpha - 1),
                    4 => self.by_parity::<3>(next, other, parity, -alpha - 1),
                    5 => self.by_parity::<4>(next, other, parity, -alpha - 1),
                    _ => self.by_parity::<5>(next, other, parity, -alpha - 1),
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
        if moves(opponent, player) & empties == 0 {
            return L::finished(player.count_ones(), opponent.count_ones(), self.layout.square_count);
        }
        -self.by_parity::<COUNT>(opponent, player, parity, -alpha - 1)
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
