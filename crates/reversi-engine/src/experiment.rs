//! Experiments of the laboratory: one search of one position with every enhancement on or off, and plain minimax for
//! comparison.

use super::any_evaluation::AnyEvaluation;
use super::node::{Node, SmallNode};
use super::plain_search::{Found, InjectedBug, PlainSearch, SearchSettings};
use fastrand::Rng;
use reversi_rules::game::GameMove;
use reversi_rules::{Geometry, Goal, Passing, Position};
use reversi_solver::search::Stop;

/// Limit of the transposition table: about a million positions.
const MEMORY_BYTES: usize = 160 << 20;

/// Treatment of a position in which the side to move has no legal placement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassCost {
    /// A pass that takes a ply: the five systems.
    Ply,
    /// A pass that takes no ply: the engine.
    Nothing,
    /// A leaf: [`SearchSettings::leaf_without_moves`].
    Leaf,
}

/// A position and the depth of its search.
#[derive(Clone)]
pub struct Experiment {
    /// The evaluation of leaves.
    pub evaluation: AnyEvaluation,
    /// The board.
    pub geometry: Geometry,
    /// The root position.
    pub position: Position,
    /// The goal.
    pub goal: Goal,
    /// Whether a side without a move passes or the game ends.
    pub passing: Passing,
    /// Depth in plies, at least 1.
    pub depth: u32,
}

impl Experiment {
    fn root(&self) -> SmallNode {
        SmallNode { geometry: self.geometry, position: self.position }
    }

    /// The search of the five systems. `None` if there is no legal placement.
    pub fn search(
        &self,
        settings: SearchSettings,
        bug: Option<InjectedBug>,
        seed: u64,
        stop: &Stop,
    ) -> Option<Found> {
        let random = &mut Rng::with_seed(seed);
        let (evaluation, goal, passing) = (&self.evaluation, self.goal, self.passing);
        let mut search = PlainSearch::new(evaluation, settings, goal, passing, random, stop, MEMORY_BYTES);
        search.bug = bug;
        search.best_move(&self.root(), self.depth)
    }

    /// Every legal placement with its value for the side to move, in row-major order, by minimax over every node: the
    /// reference for all searches. `None` if stopped.
    pub fn minimax(&self, passes: PassCost, stop: &Stop) -> Option<Vec<(GameMove, i64)>> {
        let moves = Minimax { trial: self, passes, stop }.moves(&self.root());
        (!stop.is_set()).then_some(moves)
    }
}

/// Minimax without window, ordering or transposition table.
struct Minimax<'a> {
    trial: &'a Experiment,
    passes: PassCost,
    stop: &'a Stop,
}

impl Minimax<'_> {
    fn moves(&self, root: &SmallNode) -> Vec<(GameMove, i64)> {
        let value = |mv| -self.value(&root.after(mv), self.trial.depth - 1, false);
        root.placements().into_iter().map(|mv| (mv, value(mv))).collect()
    }

    fn value(&self, node: &SmallNode, depth: u32, own: bool) -> i64 {
        let moves = node.placements();
        if moves.is_empty() {
            return self.value_without_moves(node, depth, own);
        }
        // Once stopped the value is discarded; a poll at each node would take longer than the shallow searches do.
        if depth == 0 || depth > 2 && self.stop.is_set() {
            return self.evaluate(node, own, false);
        }
        let values = moves.into_iter().map(|mv| -self.value(&node.after(mv), depth - 1, !own));
        values.max().expect("there is a move")
    }

    fn value_without_moves(&self, node: &SmallNode, depth: u32, own: bool) -> i64 {
        let passed = node.passed();
        let over = self.trial.passing == Passing::EndsGame || !passed.has_placement();
        match self.passes {
            _ if over => self.evaluate(node, own, true),
            PassCost::Leaf => self.evaluate(node, own, false),
            PassCost::Nothing => -self.value(&passed, depth, !own),
            PassCost::Ply if depth == 0 => self.evaluate(node, own, false),
            PassCost::Ply => -self.value(&passed, depth - 1, !own),
        }
    }

    fn evaluate(&self, node: &SmallNode, own: bool, over: bool) -> i64 {
        let points = node.points(&self.trial.evaluation, self.trial.goal, own, over);
        if own { points } else { -points }
    }
}
