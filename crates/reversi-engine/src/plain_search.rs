//! Minimax to a fixed depth, with and without alpha-beta pruning, as the five systems search.
//!
//! Values are points for the side to move at a node, always judged with the eyes of the side to move
//! at the root, since not every historical evaluation gives the two sides opposite values.

use super::bound::Bound;
use super::node::Node;
use fastrand::Rng;
use reversi_rules::game::GameMove;
use reversi_rules::{Goal, Passing};
use reversi_solver::search::Stop;
use std::collections::HashMap;
use std::time::{Duration, Instant};

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

/// Which moves a search of depth 1 sorts before they are searched, best first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presort {
    /// None.
    Off,
    /// Those at the root.
    Root,
    /// Those at every node that is searched at least [`SORT_FROM`] plies deep.
    Nodes,
}

/// See [`Presort::Nodes`]: below, sorting costs more than it saves.
pub const SORT_FROM: u32 = 3;

/// How a tree is searched. Nothing of it changes the value; what puts moves into another order may
/// change which of several best ones is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manner {
    /// Alpha-beta; without it every node down to the depth is visited.
    pub pruning: bool,
    /// Which moves are shuffled.
    pub shuffle: Shuffle,
    /// Which moves are sorted first.
    pub presort: Presort,
    /// Whether moves after the first are at first only asked whether they are better (principal
    /// variation search); needs pruning.
    pub null_windows: bool,
    /// Whether positions that come up again at the same depth are remembered.
    pub memory: bool,
    /// Whether a node without a move is judged at once, though the other side could go on.
    pub leaf_without_moves: bool,
}

impl Manner {
    /// Minimax as the five systems search, with nothing else.
    pub const MINIMAX: Manner = Manner {
        pruning: false,
        shuffle: Shuffle::Off,
        presort: Presort::Off,
        null_windows: false,
        memory: false,
        leaf_without_moves: false,
    };
}

/// A mistake built in on purpose, so that a test can show that the laboratory notices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// Cuts off at alpha instead of at beta.
    CutOff,
    /// Takes every bound that is remembered for the value.
    Bound,
    /// Takes what a null window finds for the value and does not search again.
    NullWindow,
}

/// What a search has found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The best move.
    pub mv: GameMove,
    /// Its value for the side to move; `None` if not even one move was searched before the stop.
    pub points: Option<i64>,
    /// Nodes visited, those of the sorting searches included.
    pub nodes: u64,
    /// Time of the search alone, without what was made ready for it.
    pub time: Duration,
}

/// More than any evaluation gives.
const INFINITY: i64 = i64::MAX;
/// Nodes between two looks at the clock.
const POLL_NODES: u64 = 64;
/// So much more room than its entries need a hash table takes that has just grown, the one it grew from included.
const ROOM: usize = 4;

/// What tells remembered nodes apart: the node, its depth, and whether the root's side is to move.
type MemoryKey<N> = (<N as Node>::Key, u32, bool);

/// One search of one position.
pub(super) struct PlainSearch<'a, N: Node> {
    evaluation: &'a N::Evaluation,
    manner: Manner,
    goal: Goal,
    passing: Passing,
    pub flaw: Option<Flaw>,
    random: &'a mut Rng,
    stop: &'a Stop,
    nodes: u64,
    memory: HashMap<MemoryKey<N>, (i64, Bound)>,
    /// Bytes for that: nodes that come when it is full are not remembered.
    memory_bytes: usize,
    most_memories: usize,
}

impl<'a, N: Node> PlainSearch<'a, N> {
    /// `memory_bytes` bounds what is remembered where the manner says so.
    pub fn new(
        evaluation: &'a N::Evaluation,
        manner: Manner,
        goal: Goal,
        passing: Passing,
        random: &'a mut Rng,
        stop: &'a Stop,
        memory_bytes: usize,
    ) -> PlainSearch<'a, N> {
        let (flaw, nodes, memory, most_memories) = (None, 0, HashMap::new(), 0);
        PlainSearch {
            evaluation,
            manner,
            goal,
            passing,
            flaw,
            random,
            stop,
            nodes,
            memory,
            memory_bytes,
            most_memories,
        }
    }

    /// The best move `depth` plies deep, the first of equals in the order searched; once stopped, the
    /// best of those searched to the end. `None` if there is no square to put a disc on.
    pub fn best_move(&mut self, root: &N, depth: u32) -> Option<Found> {
        let started = Instant::now();
        let entry_bytes = ROOM * size_of::<(MemoryKey<N>, (i64, Bound))>() + root.key_bytes();
        self.most_memories = self.memory_bytes / entry_bytes;
        let moves = self.root_moves(root);
        let mut best = (*moves.first()?, None);
        for mv in moves {
            let bound = best.1.unwrap_or(-INFINITY);
            let Some(value) = self.child_value(&root.after(mv), depth, true, bound, INFINITY) else { break };
            if best.1.is_none_or(|most| value > most) {
                best = (mv, Some(value));
            }
        }
        Some(Found { mv: best.0, points: best.1, nodes: self.nodes, time: started.elapsed() })
    }

    /// The moves at the root in the order in which they are searched.
    fn root_moves(&mut self, root: &N) -> Vec<GameMove> {
        let mut moves = root.placements();
        if self.manner.shuffle != Shuffle::Off {
            self.random.shuffle(&mut moves);
        }
        if self.manner.presort != Presort::Off {
            self.sort(root, &mut moves, true);
        }
        moves
    }

    /// Sorts by a search of depth 1, best first; equal moves stay as they were.
    fn sort(&mut self, node: &N, moves: &mut [GameMove], own: bool) {
        moves.sort_by_cached_key(|&mv| {
            let value = self.whole_value(&node.after(mv), 1, own, -INFINITY, INFINITY);
            std::cmp::Reverse(value)
        });
    }

    /// The value of a child for its parent, where the root's side is to move if `own`. `depth` is the
    /// parent's, at least 1. Once a sibling was searched, alpha is above minus infinity.
    fn child_value(&mut self, child: &N, depth: u32, own: bool, alpha: i64, beta: i64) -> Option<i64> {
        if self.manner.null_windows && self.manner.pruning && alpha > -INFINITY {
            let value = self.whole_value(child, depth, own, alpha, alpha + 1)?;
            if value <= alpha || value >= beta || self.flaw == Some(Flaw::NullWindow) {
                return Some(value);
            }
        }
        self.whole_value(child, depth, own, alpha, beta)
    }

    fn whole_value(&mut self, child: &N, depth: u32, own: bool, alpha: i64, beta: i64) -> Option<i64> {
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
        let moves = node.placements();
        if moves.is_empty() {
            return self.value_without_moves(node, depth, own, alpha, beta);
        }
        if depth == 0 {
            return Some(self.judge(node, own, false));
        }
        if let Some(value) = self.recall(node, depth, own, alpha, beta) {
            return Some(value);
        }
        let best = self.best_value(node, moves, depth, own, alpha, beta)?;
        self.remember(node, depth, own, best, Bound::of(best, alpha, beta));
        Some(best)
    }

    /// The best over the moves; the contract is that of [`PlainSearch::value`].
    fn best_value(
        &mut self,
        node: &N,
        mut moves: Vec<GameMove>,
        depth: u32,
        own: bool,
        alpha: i64,
        beta: i64,
    ) -> Option<i64> {
        if self.manner.shuffle == Shuffle::Nodes {
            self.random.shuffle(&mut moves);
        }
        if self.manner.presort == Presort::Nodes && depth >= SORT_FROM {
            self.sort(node, &mut moves, own);
        }
        let mut best = -INFINITY;
        for mv in moves {
            best = best.max(self.child_value(&node.after(mv), depth, own, alpha.max(best), beta)?);
            if self.cuts_off(best, alpha, beta) {
                break;
            }
        }
        Some(best)
    }

    /// At beta the opponent has something better before: whatever else is here changes nothing.
    fn cuts_off(&self, best: i64, alpha: i64, beta: i64) -> bool {
        let enough = if self.flaw == Some(Flaw::CutOff) { alpha.saturating_add(1) } else { beta };
        self.manner.pruning && best >= enough
    }

    /// A pass takes a ply.
    fn value_without_moves(&mut self, node: &N, depth: u32, own: bool, alpha: i64, beta: i64) -> Option<i64> {
        let passed = node.passed();
        let over = self.passing == Passing::EndsGame || !passed.has_placement();
        if over || depth == 0 || self.manner.leaf_without_moves {
            return Some(self.judge(node, own, over));
        }
        self.whole_value(&passed, depth, own, alpha, beta)
    }

    fn judge(&self, node: &N, own: bool, over: bool) -> i64 {
        let points = node.points(self.evaluation, self.goal, own, over);
        if own { points } else { -points }
    }

    /// What is remembered, where it settles the window. Only of the same depth: another depth has
    /// another value.
    fn recall(&self, node: &N, depth: u32, own: bool, alpha: i64, beta: i64) -> Option<i64> {
        if !self.manner.memory {
            return None;
        }
        let &(value, bound) = self.memory.get(&(node.key(), depth, own))?;
        let settles = self.flaw == Some(Flaw::Bound) || bound.settles(value, alpha, beta);
        settles.then_some(value)
    }

    fn remember(&mut self, node: &N, depth: u32, own: bool, value: i64, bound: Bound) {
        if self.manner.memory && self.memory.len() < self.most_memories {
            self.memory.insert((node.key(), depth, own), (value, bound));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::DiscDifference;
    use super::*;
    use reversi_rules::naive;

    #[test]
    fn no_more_is_remembered_than_there_is_memory_for_and_the_move_stays_the_same() {
        let manner = Manner { pruning: true, memory: true, ..Manner::MINIMAX };
        let (stop, random) = (Stop::never(), &mut Rng::with_seed(1));
        let root = naive::Board::start("10x10".parse().unwrap(), reversi_rules::Start::Diagonal);
        let mut moves = Vec::new();
        for (bytes, least) in [(0, 0), (10_000, 1), (1 << 30, 60)] {
            let (goal, passing) = (Goal::Normal, Passing::Allowed);
            let mut search = PlainSearch::new(&DiscDifference, manner, goal, passing, random, &stop, bytes);
            let found = search.best_move(&root, 5).unwrap();
            let remembered = search.memory.len();
            assert!(remembered >= least && remembered * root.key_bytes() <= bytes, "{remembered} in {bytes}");
            moves.push((found.mv, found.points));
        }
        assert!(moves.iter().all(|found| *found == moves[0]), "{moves:?}");
    }
}
