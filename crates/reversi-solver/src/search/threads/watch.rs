//! How far a search has come, for whoever looks on from another thread.

use crate::search::tt::exact::NO_MOVE;
use reversi_rules::{Geometry, Move, Score, Square};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Filled in by a search while it runs; shared by several at once it counts the nodes of all, and the rest is of the
/// one that wrote last.
#[derive(Debug)]
pub struct Watch {
    nodes: AtomicU64,
    /// Lower bound, upper bound and the square of the best move, in one word: nobody sees a half of them.
    proved: AtomicU32,
    /// Alpha, beta and 1; 0 before the first window.
    window: AtomicU32,
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
    /// The window that is being searched: is the score above the first, is it below the second? `None` while
    /// the score is guessed, before the first window.
    pub window: Option<(Score, Score)>,
    /// The move that proves the lower bound, if one does.
    pub best: Option<Move>,
    /// Moves of the position that are done in this window, and how many there are, 0 until they are put in order;
    /// moves that lead to turned or mirrored twins may be counted once.
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
    /// What can be seen now.
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

    /// A position of this board comes next: nothing is known of it, and what was proved of another is not to be seen.
    /// The nodes go on.
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
    fn what_is_shown_was_proved_of_the_position_of_the_moment() {
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
