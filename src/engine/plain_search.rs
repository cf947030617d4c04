//! Minimax to a fixed depth, with and without alpha-beta pruning, as the five systems search.
//!
//! Values are points for the side to move at a node, always judged with the eyes of the side to move
//! at the root, since not every historical evaluation gives the two sides opposite values.

use super::game::GameMove;
use super::node::Node;
use crate::rules::{Goal, Passing};
use crate::search::Stop;
use fastrand::Rng;

/// Which moves are put into a random order before they are searched, so that equal ones vary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shuffle {
    /// None: the first of the best moves in row-major order is played.
    Off,
    /// Those at the root.
    Root,
    /// Those at every node.
    Nodes,
}

/// How a tree is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manner {
    /// Alpha-beta; without it every node down to the depth is visited.
    pub pruning: bool,
    /// Which moves are shuffled.
    pub shuffle: Shuffle,
    /// Whether a search of depth 1 sorts the moves at the root first.
    pub presort: bool,
    /// Whether a node without a move is judged at once, though the other side could go on.
    pub leaf_without_moves: bool,
}

/// What a search has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub mv: GameMove,
    /// `None` if not even one move was searched before the stop.
    pub points: Option<i64>,
    /// Nodes visited, those of the sorting search included.
    pub nodes: u64,
}

/// More than any evaluation gives.
const INFINITY: i64 = i64::MAX;
/// Nodes between two looks at the clock.
const POLL_NODES: u64 = 64;

pub(super) struct PlainSearch<'a, N: Node> {
    pub evaluation: N::Evaluation,
    pub goal: Goal,
    pub passing: Passing,
    pub manner: Manner,
    pub random: &'a mut Rng,
    pub stop: &'a Stop,
    pub nodes: u64,
}

impl<N: Node> PlainSearch<'_, N> {
    /// The best move `depth` plies deep, the first of equals in the order searched; once stopped, the
    /// best of those searched to the end. `None` if there is no square to put a disc on.
    pub fn best_move(&mut self, root: &N, depth: u32) -> Option<Found> {
        let moves = self.root_moves(root);
        let mut best = (*moves.first()?, None);
        for mv in moves {
            let bound = best.1.unwrap_or(-INFINITY);
            let child = play(root, mv);
            let Some(value) = self.child_value(&child, depth, true, bound, INFINITY) else { break };
            if best.1.is_none_or(|most| value > most) {
                best = (mv, Some(value));
            }
        }
        Some(Found { mv: best.0, points: best.1, nodes: self.nodes })
    }

    /// The moves at the root in the order in which they are searched.
    fn root_moves(&mut self, root: &N) -> Vec<GameMove> {
        let mut moves = root.placements();
        if self.manner.shuffle != Shuffle::Off {
            self.random.shuffle(&mut moves);
        }
        if self.manner.presort {
            self.sort(root, &mut moves);
        }
        moves
    }

    /// Sorts by a search of depth 1, best first; equal moves stay as they were.
    fn sort(&mut self, root: &N, moves: &mut [GameMove]) {
        moves.sort_by_cached_key(|&mv| {
            let child = play(root, mv);
            let value = self.child_value(&child, 1, true, -INFINITY, INFINITY);
            std::cmp::Reverse(value)
        });
    }

    /// The value of a child for its parent, where the root's side is to move if `own`. `depth` is the
    /// parent's, at least 1.
    fn child_value(&mut self, child: &N, depth: u32, own: bool, alpha: i64, beta: i64) -> Option<i64> {
        let (alpha, beta) = if self.manner.pruning { (alpha, beta) } else { (-INFINITY, INFINITY) };
        self.value(child, depth - 1, !own, -beta, -alpha).map(|value| -value)
    }

    /// The value for the side to move: exact for this depth inside the window, at or below alpha an upper
    /// bound, at or above beta a lower bound. `None` when it is time to stop.
    fn value(&mut self, node: &N, depth: u32, own: bool, alpha: i64, beta: i64) -> Option<i64> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_NODES) && self.stop.is_set() {
            return None;
        }
        if depth == 0 && !N::knows_the_end(self.evaluation) {
            return Some(self.judge(node, own, false));
        }
        let mut moves = node.placements();
        if moves.is_empty() {
            return self.value_without_moves(node, depth, own, alpha, beta);
        }
        if depth == 0 {
            return Some(self.judge(node, own, false));
        }
        if self.manner.shuffle == Shuffle::Nodes {
            self.random.shuffle(&mut moves);
        }
        let mut best = -INFINITY;
        for mv in moves {
            best = best.max(self.child_value(&play(node, mv), depth, own, alpha.max(best), beta)?);
            if self.manner.pruning && best >= beta {
                break;
            }
        }
        Some(best)
    }

    /// A pass takes a ply.
    fn value_without_moves(&mut self, node: &N, depth: u32, own: bool, alpha: i64, beta: i64) -> Option<i64> {
        let passed = node.passed();
        let over = self.passing == Passing::EndsGame || !passed.has_placement();
        if over || depth == 0 || self.manner.leaf_without_moves {
            return Some(self.judge(node, own, over));
        }
        self.child_value(&passed, depth, own, alpha, beta)
    }

    fn judge(&self, node: &N, own: bool, over: bool) -> i64 {
        let points = node.points(self.evaluation, self.goal, own, over);
        if own { points } else { -points }
    }
}

fn play<N: Node>(node: &N, mv: GameMove) -> N {
    match mv {
        GameMove::Play(column, row) => node.played(column, row),
        GameMove::Pass => node.passed(),
    }
}
