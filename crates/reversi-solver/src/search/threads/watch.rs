//! Progress of a search, for other threads.

use crate::search::tt::exact::NO_MOVE;
use reversi_rules::{Geometry, Move, Score, Square};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Progress of a running search. Shared by several searches it counts the nodes of all; the other fields are those of
/// the search that wrote last.
#[derive(Debug)]
pub struct Watch {
    nodes: AtomicU64,
    /// Lower bound, upper bound and square of the best move packed in one word, so that a reader never sees a
    /// mixture.
    proved: AtomicU32,
    /// Alpha, beta and 1; 0 before the first window.
    window: AtomicU32,
    moves_done: AtomicUsize,
    moves: AtomicUsize,
}

/// A snapshot of a [`Watch`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Nodes searched so far.
    pub nodes: u64,
    /// Proved lower bound of the score, in discs for the side to move.
    pub lower: Score,
    /// Proved upper bound of the score, in discs for the side to move.
    pub upper: Score,
    /// Alpha and beta of the current window; `None` before the first window, while the score is estimated.
    pub window: Option<(Score, Score)>,
    /// The move that proves the lower bound, if one does.
    pub best: Option<Move>,
    /// Root moves searched in this window and their total, 0 before the moves are ordered; symmetric moves may count
    /// once.
    pub moves: (usize, usize),
}

impl Default for Watch {
    fn default() -> Watch {
        Watch {
            nodes: AtomicU64::new(0),
            proved: AtomicU32::new(packed(-64, 64, NO_MOVE)),
            window: AtomicU32::new(0),
            moves_done: AtomicUsize::new(0),
            moves: AtomicUsize::new(0),
        }
    }
}

impl Watch {
    /// A snapshot of the current state.
    pub fn progress(&self) -> Progress {
        let score = |discs: u8| Score::new((discs as i8).into());
        let [lower, upper, best, _] = self.proved.load(Relaxed).to_le_bytes();
        let [alpha, beta, begun, _] = self.window.load(Relaxed).to_le_bytes();
        Progress {
            nodes: self.nodes.load(Relaxed),
            lower: score(lower),
            upper: score(upper),
            window: (begun != 0).then(|| (score(alpha), score(beta))),
            best: (best != NO_MOVE).then(|| Move::Play(Square::from_index(best.into()))),
            moves: (self.moves_done.load(Relaxed), self.moves.load(Relaxed)),
        }
    }

    pub(crate) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    /// Resets bounds, window and moves for a new root position of this board; the node count continues.
    pub(crate) fn begin(&self, geometry: Geometry) {
        let most = Score::new(geometry.square_count() as i32);
        self.proved(-most, most, None);
        self.window.store(0, Relaxed);
        self.moves(0, 0);
    }

    pub(crate) fn window(&self, alpha: i32, beta: i32) {
        self.window.store(packed(alpha.clamp(-64, 64) as i8, beta.clamp(-64, 64) as i8, 1), Relaxed);
        self.moves(0, 0);
    }

    pub(crate) fn proved(&self, lower: Score, upper: Score, best: Option<Move>) {
        let square = match best {
            Some(Move::Play(square)) => square.index() as u8,
            _ => NO_MOVE,
        };
        self.proved.store(packed(lower.discs() as i8, upper.discs() as i8, square), Relaxed);
    }

    pub(crate) fn moves(&self, done: usize, all: usize) {
        self.moves_done.store(done, Relaxed);
        self.moves.store(all, Relaxed);
    }
}

fn packed(low: i8, high: i8, third: u8) -> u32 {
    u32::from_le_bytes([low as u8, high as u8, third, 0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_that_of_the_current_position() {
        let watch = Watch::default();
        watch.window(-3, 2);
        watch.proved(Score::new(2), Score::new(36), Some(Move::Play(Square::at(2, 1))));
        let seen = watch.progress();
        assert_eq!((seen.lower.discs(), seen.upper.discs()), (2, 36));
        assert_eq!(seen.best, Some(Move::Play(Square::at(2, 1))));
        assert_eq!(seen.window, Some((Score::new(-3), Score::new(2))));
        watch.begin(Geometry::SIX);
        let seen = watch.progress();
        assert_eq!((seen.lower.discs(), seen.upper.discs()), (-36, 36), "no more than the board has squares");
        assert_eq!((seen.best, seen.window, seen.moves), (None, None, (0, 0)));
    }
}
