//! How far a search has come, for whoever looks on from another thread.

use super::transposition::NO_MOVE;
use crate::rules::{Move, Score, Square};
use std::sync::atomic::{AtomicI8, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Filled in by a search while it runs.
#[derive(Debug)]
pub struct Watch {
    nodes: AtomicU64,
    lower: AtomicI8,
    upper: AtomicI8,
    alpha: AtomicI8,
    beta: AtomicI8,
    best: AtomicU8,
    moves_done: AtomicUsize,
    moves: AtomicUsize,
}

/// What a [`Watch`] shows at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Positions looked at so far.
    pub nodes: u64,
    /// The score is proved to be at least this.
    pub lower: Score,
    /// The score is proved to be at most this.
    pub upper: Score,
    /// The window that is being searched: is the score above the first, is it below the second?
    pub window: (Score, Score),
    /// The best move so far.
    pub best: Option<Move>,
    /// Moves of the position that are done in this window, and how many there are; moves that lead to turned or
    /// mirrored twins may be counted once.
    pub moves: (usize, usize),
}

impl Default for Watch {
    fn default() -> Watch {
        Watch {
            nodes: AtomicU64::new(0),
            lower: AtomicI8::new(-64),
            upper: AtomicI8::new(64),
            alpha: AtomicI8::new(-64),
            beta: AtomicI8::new(64),
            best: AtomicU8::new(NO_MOVE),
            moves_done: AtomicUsize::new(0),
            moves: AtomicUsize::new(0),
        }
    }
}

impl Watch {
    /// What can be seen now.
    pub fn progress(&self) -> Progress {
        let score = |discs: &AtomicI8| Score::new(discs.load(Relaxed).into());
        let best = self.best.load(Relaxed);
        Progress {
            nodes: self.nodes.load(Relaxed),
            lower: score(&self.lower),
            upper: score(&self.upper),
            window: (score(&self.alpha), score(&self.beta)),
            best: (best != NO_MOVE).then(|| Move::Play(Square::from_index(best.into()))),
            moves: (self.moves_done.load(Relaxed), self.moves.load(Relaxed)),
        }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    pub(super) fn window(&self, alpha: i32, beta: i32) {
        self.alpha.store(alpha.clamp(-64, 64) as i8, Relaxed);
        self.beta.store(beta.clamp(-64, 64) as i8, Relaxed);
        self.moves(0, 0);
    }

    pub(super) fn proved(&self, lower: Score, upper: Score, best: Option<Move>) {
        self.lower.store(lower.discs() as i8, Relaxed);
        self.upper.store(upper.discs() as i8, Relaxed);
        let square = match best {
            Some(Move::Play(square)) => square.index() as u8,
            _ => NO_MOVE,
        };
        self.best.store(square, Relaxed);
    }

    pub(super) fn moves(&self, done: usize, all: usize) {
        self.moves_done.store(done, Relaxed);
        self.moves.store(all, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_best_move_is_not_kept_for_the_next_search() {
        let watch = Watch::default();
        watch.proved(Score::new(2), Score::new(64), Some(Move::Play(Square::at(2, 1))));
        assert_eq!(watch.progress().best, Some(Move::Play(Square::at(2, 1))));
        watch.proved(Score::new(-64), Score::new(0), None);
        assert_eq!(watch.progress().best, None);
    }
}
