//! The verifier's own endgame search, meant to be fast enough for every end of a 6x6 table.
//!
//! Plain alpha-beta with null windows around a claimed value: [`layout`], [`fill`], `flips` and its fast twin `lines`
//! are bitboards of its own, [`memory`] its transposition table, [`search`] the search. No evaluation, no stable discs,
//! no selectivity; nothing is shared with the code that makes tables. Tests hold its moves to the plain-array rules and
//! its scores to minimax over these and to [`super::plain_search`].

mod claim;
mod fill;
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
mod flips;
mod layout;
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
mod lines;
mod memory;
mod search;
#[cfg(test)]
mod tests;

pub(super) use claim::{Claim, Finding};

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use flips::Rays as Seen;
use layout::{Discs, Layout};
pub(super) use layout::{LONGEST_SIDE, MOST_SQUARES};
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
use lines::Lines as Seen;
use reversi_naive::{Board, Size};
use reversi_terms::{Goal, Scoring};
use search::{AnySearch, Search};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Searches on one board under one set of rules.
pub(super) struct Endgame {
    layout: Layout,
    search: Box<dyn AnySearch>,
}

impl Endgame {
    /// Whether a board of this size can be searched.
    pub fn takes(size: Size) -> bool {
        Layout::has_room_for(size)
    }

    /// A search with a transposition table of `2^(memory_bits + 6)` bytes, which gives up soon after `stop` is set.
    ///
    /// # Panics
    /// If the board has more than 49 squares, or a side beyond 8.
    pub fn new(size: Size, goal: Goal, scoring: Scoring, memory_bits: u32, stop: Arc<AtomicBool>) -> Endgame {
        fn boxed<const S: u32>(
            layout: Layout,
            goal: Goal,
            scoring: Scoring,
            bits: u32,
            stop: Arc<AtomicBool>,
        ) -> Box<dyn AnySearch> {
            Box::new(Search::<S>::new(layout, goal, scoring, bits, stop))
        }
        let layout = Layout::new(size);
        let search = match layout.stride() {
            4 => boxed::<4>,
            5 => boxed::<5>,
            6 => boxed::<6>,
            7 => boxed::<7>,
            8 => boxed::<8>,
            _ => boxed::<9>,
        };
        Endgame { search: search(layout.clone(), goal, scoring, memory_bits, stop), layout }
    }

    /// The exact score for the side to move; `None` after `nodes` positions, or when stopped.
    pub fn score(&mut self, board: &Board, nodes: u64) -> Option<i32> {
        let discs = self.layout.discs(board);
        self.search.begin(nodes);
        let squares = board.size().square_count() as i32;
        let (mut lower, mut upper, mut guess) = (-squares, squares, 0);
        while lower < upper {
            let beta = if guess == lower { guess + 1 } else { guess };
            guess = self.search.bound(discs, beta)?;
            if guess < beta {
                upper = guess;
            } else {
                lower = guess;
            }
        }
        Some(lower)
    }

    /// Whether the score for the side to move is at least `score`; `None` after `nodes` positions, or when stopped.
    pub fn is_at_least(&mut self, board: &Board, score: i32, nodes: u64) -> Option<bool> {
        let discs = self.layout.discs(board);
        self.search.begin(nodes);
        Some(self.search.bound(discs, score)? >= score)
    }

    /// Positions looked at by the last search.
    pub fn nodes(&self) -> u64 {
        self.search.nodes()
    }
}
