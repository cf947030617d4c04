//! Fixed-depth minimax with and without alpha-beta pruning, as in the five systems.
//!
//! Values are points for the side to move at a node, always evaluated from the viewpoint of the side to move at the
//! root, since not every historical evaluation gives the two sides opposite values.

use super::bound::Bound;
use super::node::Node;
use crate::processor_time::Stopwatch;
use fastrand::Rng;
use reversi_rules::game::GameMove;
use reversi_rules::{Goal, Passing};
use reversi_solver::search::Stop;
use std::collections::HashMap;
use std::time::Duration;

/// Which moves are shuffled before they are searched, so that the choice among equal moves varies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shuffle {
    /// None: the first of the best moves in row-major order is played.
    Off,
    /// Those at the root.
    Root,
    /// Those at every node.
    Nodes,
}

/// Which moves are sorted, best first, by a search of depth 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presort {
    /// None.
    Off,
    /// Those at the root.
    Root,
    /// Those at every node with a depth of at least [`SORT_FROM`] plies.
    Nodes,
}

/// See [`Presort::Nodes`]: at smaller depths sorting costs more than it saves.
pub const SORT_FROM: u32 = 3;

/// Options of a plain search. None of them but `leaf_without_moves` changes the value; those that reorder moves may
/// change which of several best moves is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchSettings {
    /// Alpha-beta pruning; without it every node down to the depth is searched.
    pub pruning: bool,
    /// Which moves are shuffled.
    pub shuffle: Shuffle,
    /// Which moves are sorted first.
    pub presort: Presort,
    /// Whether moves after the first are searched with a null window first (principal variation search); needs
    /// pruning.
    pub null_windows: bool,
    /// Whether a transposition table holds positions that come up again at the same depth.
    pub memory: bool,
    /// Whether a node without a placement is evaluated as a leaf, even if the other side could move.
    pub leaf_without_moves: bool,
}

impl SearchSettings {
    /// Minimax as the five systems search, with nothing else.
    pub const MINIMAX: SearchSettings = SearchSettings {
        pruning: false,
        shuffle: Shuffle::Off,
        presort: Presort::Off,
        null_windows: false,
        memory: false,
        leaf_without_moves: false,
    };
}

/// A fault injected on purpose, so that a test can show that the laboratory detects it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InjectedBug {
    /// Cuts off at alpha instead of at beta.
    CutOff,
    /// Takes every stored bound as an exact value.
    Bound,
    /// Takes the value of a null window as exact, without a re-search.
    NullWindow,
}

/// Result of a plain search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The best move.
    pub mv: GameMove,
    /// Its value in points for the side to move; `None` if stopped before the end of the first move.
    pub points: Option<i64>,
    /// Nodes searched, those of the sorting searches included.
    pub nodes: u64,
    /// Processor time of the search alone, without preparation.
    pub time: Duration,
}

/// Above every value.
const INFINITY: i64 = i64::MAX;
/// Nodes between two polls of the stop.
const POLL_NODES: u64 = 64;
/// Bytes of a hash table that has just grown, the old table included, as a multiple of the bytes of its entries.
const GROWN_TABLE_FACTOR: usize = 4;

/// Key of the transposition table: the node, its depth, and whether the root's side is to move.
type TableKey<N> = (<N as Node>::Key, u32, bool);

/// One search of one position.
pub(super) struct PlainSearch<'a, N: Node> {
    evaluation: &'a N::Evaluation,
    settings: SearchSettings,
    goal: Goal,
    passing: Passing,
    pub bug: Option<InjectedBug>,
    random: &'a mut Rng,
    stop: &'a Stop,
    nodes: u64,
    table: HashMap<TableKey<N>, (i64, Bound)>,
    /// Limit of the transposition table in bytes; nodes beyond it are not stored.
    memory_bytes: usize,
    most_entries: usize,
}

impl<'a, N: Node> PlainSearch<'a, N> {
    /// `memory_bytes` bounds the transposition table, if the options include one.
    pub fn new(
        evaluation: &'a N::Evaluation,
        settings: SearchSettings,
        goal: Goal,
        passing: Passing,
        random: &'a mut Rng,
        stop: &'a Stop,
        memory_bytes: usize,
    ) -> PlainSearch<'a, N> {
        let (bug, nodes, table, most_entries) = (None, 0, HashMap::new(), 0);
        PlainSearch {
            evaluation,
            settings,
            goal,
            passing,
            bug,
            random,
            stop,
            nodes,
            table,
            memory_bytes,
            most_entries,
        }
    }

    /// The best move at `depth` plies, the first of equal moves in search order; if stopped, the best of the
    /// completed moves. `None` if there is no legal placement.
    pub fn best_move(&mut self, root: &N, depth: u32) -> Option<Found> {
        let started = Stopwatch::start();
        let entry_bytes = GROWN_TABLE_FACTOR * size_of::<(TableKey<N>, (i64, Bound))>() + root.key_bytes();
        self.most_entries = self.memory_bytes / entry_bytes;
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

    /// The root moves in search order.
    fn root_moves(&mut self, root: &N) -> Vec<GameMove> {
        let mut moves = root.placements();
        if self.settings.shuffle != Shuffle::Off {
            self.random.shuffle(&mut moves);
        }
        if self.settings.presort != Presort::Off {
            self.sort(root, &mut moves, true);
        }
        moves
    }

    /// Sorts by a search of depth 1, best first; stable.
    fn sort(&mut self, node: &N, moves: &mut [GameMove], own: bool) {
        moves.sort_by_cached_key(|&mv| {
            let value = self.whole_value(&node.after(mv), 1, own, -INFINITY, INFINITY);
            std::cmp::Reverse(value)
        });
    }

    /// The value of a child for its parent; the root's side is to move if `own`. `depth` is the parent's, at least 1.
    /// Alpha is above minus infinity once a sibling has been searched.
    fn child_value(&mut self, child: &N, depth: u32, own: bool, alpha: i64, beta: i64) -> Option<i64> {
        if self.settings.null_windows && self.settings.pruning && alpha > -INFINITY {
            let value = self.whole_value(child, depth, own, alpha, alpha + 1)?;
            if value <= alpha || value >= beta || self.bug == Some(InjectedBug::NullWindow) {
                return Some(value);
            }
        }
        self.whole_value(child, depth, own, alpha, beta)
    }

    fn whole_value(&mut self, child: &N, depth: u32, own: bool, alpha: i64, beta: i64) -> Option<i64> {
        let (alpha, beta) = if self.settings.pruning { (alpha, beta) } else { (-INFINITY, INFINITY) };
        self.value(child, depth - 1, !own, -beta, -alpha).map(|value| -value)
    }

    /// The value for the side to move: exact for this depth inside the window, at or below alpha an upper bound, at
    /// or above beta a lower bound. `None` if stopped.
    fn value(&mut self, node: &N, depth: u32, own: bool, alpha: i64, beta: i64) -> Option<i64> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_NODES) && self.stop.is_set() {
            return None;
        }
        if depth == 0 && !N::depends_on_end(self.evaluation) {
            return Some(self.evaluate(node, own, false));
        }
        let moves = node.placements();
        if moves.is_empty() {
            return self.value_without_moves(node, depth, own, alpha, beta);
        }
        if depth == 0 {
            return Some(self.evaluate(node, own, false));
        }
        if let Some(value) = self.probe(node, depth, own, alpha, beta) {
            return Some(value);
        }
        let best = self.best_value(node, moves, depth, own, alpha, beta)?;
        self.store(node, depth, own, best, Bound::of(best, alpha, beta));
        Some(best)
    }

    /// The best value over the moves; contract as in [`PlainSearch::value`].
    fn best_value(
        &mut self,
        node: &N,
        mut moves: Vec<GameMove>,
        depth: u32,
        own: bool,
        alpha: i64,
        beta: i64,
    ) -> Option<i64> {
        if self.settings.shuffle == Shuffle::Nodes {
            self.random.shuffle(&mut moves);
        }
        if self.settings.presort == Presort::Nodes && depth >= SORT_FROM {
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

    /// Beta cut-off: the opponent has an alternative above that is at least as good for it, so the remaining moves
    /// cannot change the root's value, under either goal.
    fn cuts_off(&self, best: i64, alpha: i64, beta: i64) -> bool {
        let enough = if self.bug == Some(InjectedBug::CutOff) { alpha.saturating_add(1) } else { beta };
        self.settings.pruning && best >= enough
    }

    /// A pass takes a ply.
    fn value_without_moves(&mut self, node: &N, depth: u32, own: bool, alpha: i64, beta: i64) -> Option<i64> {
        let passed = node.passed();
        let over = self.passing == Passing::EndsGame || !passed.has_placement();
        if over || depth == 0 || self.settings.leaf_without_moves {
            return Some(self.evaluate(node, own, over));
        }
        self.whole_value(&passed, depth, own, alpha, beta)
    }

    fn evaluate(&self, node: &N, own: bool, over: bool) -> i64 {
        let points = node.points(self.evaluation, self.goal, own, over);
        if own { points } else { -points }
    }

    /// The stored value, if it decides the window. Only of the same depth, since another depth has another value; so
    /// it cannot change the value.
    fn probe(&self, node: &N, depth: u32, own: bool, alpha: i64, beta: i64) -> Option<i64> {
        if !self.settings.memory {
            return None;
        }
        let &(value, bound) = self.table.get(&(node.key(), depth, own))?;
        let settles = self.bug == Some(InjectedBug::Bound) || bound.settles(value, alpha, beta);
        settles.then_some(value)
    }

    fn store(&mut self, node: &N, depth: u32, own: bool, value: i64, bound: Bound) {
        if self.settings.memory && self.table.len() < self.most_entries {
            self.table.insert((node.key(), depth, own), (value, bound));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::DiscDifference;
    use super::*;
    use reversi_rules::naive;

    #[test]
    fn the_table_stays_within_its_memory_and_the_move_stays_the_same() {
        let settings = SearchSettings { pruning: true, memory: true, ..SearchSettings::MINIMAX };
        let (stop, random) = (Stop::never(), &mut Rng::with_seed(1));
        let root = naive::Board::start("10x10".parse().unwrap(), reversi_rules::Start::Diagonal);
        let mut moves = Vec::new();
        for (bytes, least) in [(0, 0), (10_000, 1), (1 << 30, 60)] {
            let (goal, passing) = (Goal::Normal, Passing::Allowed);
            let mut search = PlainSearch::new(&DiscDifference, settings, goal, passing, random, &stop, bytes);
            let found = search.best_move(&root, 5).unwrap();
            let stored = search.table.len();
            assert!(stored >= least && stored * root.key_bytes() <= bytes, "{stored} in {bytes}");
            moves.push((found.mv, found.points));
        }
        assert!(moves.iter().all(|found| *found == moves[0]), "{moves:?}");
    }
}
