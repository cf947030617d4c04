//! One search of one position with every enhancement on or off, and plain minimax beside it: what the
//! laboratory compares and counts.

use super::any_evaluation::AnyEvaluation;
use super::node::{Node, SmallNode};
use super::plain_search::{Flaw, Found, Manner, PlainSearch};
use fastrand::Rng;
use reversi_rules::game::GameMove;
use reversi_rules::{Geometry, Goal, Passing, Position};
use reversi_solver::search::Stop;

/// For what a search remembers: a million positions.
const MEMORY_BYTES: usize = 160 << 20;

/// What a search does where the side to move has no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassCost {
    /// It passes, and a pass takes a ply: the five systems.
    Ply,
    /// It passes, and a pass takes nothing: the engine.
    Nothing,
    /// It judges the position: [`Manner::leaf_without_moves`].
    Leaf,
}

/// A position to be searched to a depth.
#[derive(Clone)]
pub struct Experiment {
    /// What leaves are worth.
    pub opinion: AnyEvaluation,
    /// The board.
    pub geometry: Geometry,
    /// Where the search begins.
    pub position: Position,
    /// Which side wins.
    pub goal: Goal,
    /// What happens without a move.
    pub passing: Passing,
    /// Plies, at least 1.
    pub depth: u32,
}

impl Experiment {
    fn root(&self) -> SmallNode {
        SmallNode { geometry: self.geometry, position: self.position }
    }

    /// The search of the five systems. `None` if there is no square to put a disc on.
    pub fn search(&self, manner: Manner, flaw: Option<Flaw>, seed: u64, stop: &Stop) -> Option<Found> {
        let random = &mut Rng::with_seed(seed);
        let (opinion, goal, passing) = (&self.opinion, self.goal, self.passing);
        let mut search = PlainSearch::new(opinion, manner, goal, passing, random, stop, MEMORY_BYTES);
        search.flaw = flaw;
        search.best_move(&self.root(), self.depth)
    }

    /// Every placement with its value for the side to move, row by row, by looking at every node: the
    /// slow and obvious twin of all searches. `None` once stopped.
    pub fn minimax(&self, passes: PassCost, stop: &Stop) -> Option<Vec<(GameMove, i64)>> {
        let moves = Minimax { trial: self, passes, stop }.moves(&self.root());
        (!stop.is_set()).then_some(moves)
    }
}

/// No window, no order, no memory.
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
        // Once stopped the value is of no use; a look at each node would take longer than the shallow ones do.
        if depth == 0 || depth > 2 && self.stop.is_set() {
            return self.judge(node, own, false);
        }
        let values = moves.into_iter().map(|mv| -self.value(&node.after(mv), depth - 1, !own));
        values.max().expect("there is a move")
    }

    fn value_without_moves(&self, node: &SmallNode, depth: u32, own: bool) -> i64 {
        let passed = node.passed();
        let over = self.trial.passing == Passing::EndsGame || !passed.has_placement();
        match self.passes {
            _ if over => self.judge(node, own, true),
            PassCost::Leaf => self.judge(node, own, false),
            PassCost::Nothing => -self.value(&passed, depth, !own),
            PassCost::Ply if depth == 0 => self.judge(node, own, false),
            PassCost::Ply => -self.value(&passed, depth - 1, !own),
        }
    }

    fn judge(&self, node: &SmallNode, own: bool, over: bool) -> i64 {
        let points = node.points(&self.trial.opinion, self.trial.goal, own, over);
        if own { points } else { -points }
    }
}
