//! One search of one position with every enhancement on or off, and plain minimax beside it: what the
//! laboratory compares and counts.

use super::game::{GameMove, Size};
use super::node::{EngineNode, Node, SmallNode, defined_on};
use super::plain_search::{Flaw, Found, Manner, PlainSearch};
use super::thinker::{Judge, search_to_depth};
use crate::eval::historical::Historical;
use crate::eval::weights::WeightsError;
use crate::rules::{Geometry, Goal, Passing, Position};
use crate::search::{MemoryError, Stop};
use fastrand::Rng;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::path::Path;

/// An evaluation of any kind, in its own points.
#[derive(Clone)]
pub enum Opinion {
    /// One of the five systems.
    Historical(Historical),
    /// What the engine goes by on this board: learned weights, or where there are none a plain sum. The
    /// points are units of an [`Eval`](crate::eval::Eval).
    Engine(Judge),
}

impl Opinion {
    /// All that are defined on a board, the engine's last. Weights are looked for in `data` first.
    ///
    /// # Errors
    /// A file of weights that is there but cannot be used.
    pub fn all(geometry: Geometry, goal: Goal, data: Option<&Path>) -> Result<Vec<Opinion>, WeightsError> {
        let size = Size::from(geometry);
        let historical = Historical::ALL.into_iter().filter(|&known| defined_on(known, size).is_ok());
        let engine = Opinion::Engine(Judge::find(geometry, goal, data)?);
        Ok(historical.map(Opinion::Historical).chain([engine]).collect())
    }

    /// The name of a historical evaluation; `learned` or `plain` for the engine's.
    pub fn name(&self) -> &'static str {
        match self {
            Opinion::Historical(historical) => historical.name(),
            Opinion::Engine(judge) if judge.evaluator().is_some() => "learned",
            Opinion::Engine(_) => "plain",
        }
    }

    /// What the position is worth for the side to move.
    pub fn points(&self, geometry: Geometry, position: Position, goal: Goal) -> i64 {
        self.points_for(geometry, position, goal, true)
    }

    /// What the position is worth for the side that has just moved.
    pub fn points_after_move(&self, geometry: Geometry, position: Position, goal: Goal) -> i64 {
        self.points_for(geometry, position, goal, false)
    }

    fn points_for(&self, geometry: Geometry, position: Position, goal: Goal, own_to_move: bool) -> i64 {
        let (small, over) = (SmallNode { geometry, position }, position.is_over(geometry));
        match self {
            Opinion::Historical(historical) => small.points(*historical, goal, own_to_move, over),
            Opinion::Engine(judge) => {
                EngineNode { small, judge: PhantomData }.points(judge, goal, own_to_move, over)
            }
        }
    }
}

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
pub struct Trial<'a> {
    /// What leaves are worth.
    pub opinion: &'a Opinion,
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

impl Trial<'_> {
    /// The search of the five systems. `None` if there is no square to put a disc on.
    pub fn search(&self, manner: Manner, flaw: Option<Flaw>, seed: u64, stop: &Stop) -> Option<Found> {
        let small = SmallNode { geometry: self.geometry, position: self.position };
        match self.opinion {
            Opinion::Historical(historical) => {
                self.search_from(&small, *historical, manner, flaw, seed, stop)
            }
            Opinion::Engine(judge) => {
                let root = EngineNode { small, judge: PhantomData };
                self.search_from(&root, judge, manner, flaw, seed, stop)
            }
        }
    }

    fn search_from<N: Node>(
        &self,
        root: &N,
        evaluation: N::Evaluation,
        manner: Manner,
        flaw: Option<Flaw>,
        seed: u64,
        stop: &Stop,
    ) -> Option<Found> {
        let mut search = PlainSearch {
            evaluation,
            goal: self.goal,
            passing: self.passing,
            manner,
            flaw,
            random: &mut Rng::with_seed(seed),
            stop,
            nodes: 0,
            memory: HashMap::new(),
        };
        search.best_move(root, self.depth)
    }

    /// The engine's search, deepening to the depth with all it has; `selective` with its probable cut-offs, where
    /// the board has them. `None` for an evaluation that is not the engine's, or without a square to put a
    /// disc on.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn engine_search(&self, selective: bool, stop: &Stop) -> Result<Option<Found>, MemoryError> {
        match self.opinion {
            Opinion::Historical(_) => Ok(None),
            Opinion::Engine(judge) => search_to_depth(self, judge, selective, stop),
        }
    }

    /// Every placement with its value for the side to move, row by row, by looking at every node: the
    /// slow and obvious twin of all searches. `None` once stopped.
    pub fn minimax(&self, passes: PassCost, stop: &Stop) -> Option<Vec<(GameMove, i64)>> {
        let small = SmallNode { geometry: self.geometry, position: self.position };
        let moves = match self.opinion {
            Opinion::Historical(historical) => {
                Minimax { trial: self, evaluation: *historical, passes, stop }.moves(&small)
            }
            Opinion::Engine(judge) => Minimax { trial: self, evaluation: judge, passes, stop }
                .moves(&EngineNode { small, judge: PhantomData }),
        };
        (!stop.is_set()).then_some(moves)
    }
}

/// No window, no order, no memory.
struct Minimax<'a, N: Node> {
    trial: &'a Trial<'a>,
    evaluation: N::Evaluation,
    passes: PassCost,
    stop: &'a Stop,
}

impl<N: Node> Minimax<'_, N> {
    fn moves(&self, root: &N) -> Vec<(GameMove, i64)> {
        let value = |mv| -self.value(&root.after(mv), self.trial.depth - 1, false);
        root.placements().into_iter().map(|mv| (mv, value(mv))).collect()
    }

    fn value(&self, node: &N, depth: u32, own: bool) -> i64 {
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

    fn value_without_moves(&self, node: &N, depth: u32, own: bool) -> i64 {
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

    fn judge(&self, node: &N, own: bool, over: bool) -> i64 {
        let points = node.points(self.evaluation, self.trial.goal, own, over);
        if own { points } else { -points }
    }
}
