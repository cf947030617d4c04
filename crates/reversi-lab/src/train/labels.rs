//! Labels the positions that are learned from: with the exact score near the end, before that with the value of a
//! search of a few plies down to where the evaluation has been learned already.

use reversi_rules::{Geometry, Position, Rules, geometry::squares_of};
use reversi_solver::eval::{Eval, Evaluator};
use reversi_solver::search::{Sizing, Solver, SolverOptions, Stop};
use std::sync::Arc;

/// Memory of each thread's solver: enough for the small searches it is used for.
const SOLVER_BYTES: usize = 8 << 20;

/// Labels positions of one board, one after another.
pub(super) enum Labeler<'a> {
    /// By the exact score.
    Exact(Box<Solver>),
    /// By a search that ends at this number of empty squares.
    Shallow(Shallow<'a>, u32),
}

impl<'a> Labeler<'a> {
    /// Labels with exact scores. `order` is used for move ordering only.
    ///
    /// # Panics
    /// If not even the few megabytes of its table can be had.
    pub fn exact(geometry: Geometry, rules: Rules, order: Option<Arc<Evaluator>>) -> Labeler<'a> {
        let options = SolverOptions { memory_bytes: SOLVER_BYTES, threads: 1, sizing: Sizing::default() };
        let solver =
            Solver::with_ordering(geometry, rules, options, order).expect("a few megabytes of memory");
        Labeler::Exact(Box::new(solver))
    }

    /// The label, for the side to move; `None` if stopped.
    pub fn label(&self, position: Position, stop: &Stop) -> Option<Eval> {
        if stop.is_set() {
            return None;
        }
        match self {
            Labeler::Exact(solver) => solver.solve(position, stop).ok().map(|solution| solution.score.into()),
            Labeler::Shallow(search, leaf) => {
                Some(search.value(position, *leaf, -Eval::INFINITE, Eval::INFINITE))
            }
        }
    }
}

/// A search of a few plies.
pub(super) struct Shallow<'a> {
    pub geometry: Geometry,
    pub rules: Rules,
    pub evaluator: &'a Evaluator,
}

impl Shallow<'_> {
    /// The value of the position when every line is searched until `leaf` squares are empty, by the
    /// rules of the game where it ends before. Fail-soft: at or below `alpha` an upper bound, at or
    /// above `beta` a lower bound.
    pub fn value(&self, position: Position, leaf: u32, mut alpha: Eval, beta: Eval) -> Eval {
        let moves = position.legal_moves(self.geometry);
        if moves == 0 {
            if position.pass().legal_moves(self.geometry) == 0 {
                return position.final_score(self.geometry, self.rules).into();
            }
            return -self.value(position.pass(), leaf, -beta, -alpha);
        }
        if position.empty_count(self.geometry) <= leaf {
            return self.evaluator.evaluate(position);
        }
        if position.empty_count(self.geometry) == leaf + 1 {
            return self.value_of_leaves(position, moves, leaf, alpha, beta);
        }
        let mut best = -Eval::INFINITE;
        let mut children = [(0, Position::default()); 64];
        for &(_, child) in self.ordered(position, moves, &mut children) {
            best = best.max(-self.value(child, leaf, -beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// As [`Shallow::value`], one ply before the leaves, which are cheaper to evaluate together and need no move
    /// ordering.
    fn value_of_leaves(&self, position: Position, moves: u64, leaf: u32, alpha: Eval, beta: Eval) -> Eval {
        let child_evaluator = self.evaluator.child_evaluator(position);
        let mut best = -Eval::INFINITE;
        for square in squares_of(moves) {
            let flips = position.flips(square);
            let child = position.play(square, flips);
            let value = match child.legal_moves(self.geometry) {
                0 => self.value(child, leaf, -beta, -alpha),
                moves => child_evaluator.evaluate_with_moves(square, flips, moves),
            };
            best = best.max(-value);
            if best >= beta {
                break;
            }
        }
        best
    }

    /// The children, ordered by the opponent's number of moves, the fewest first.
    fn ordered<'c>(
        &self,
        position: Position,
        moves: u64,
        children: &'c mut [(u32, Position); 64],
    ) -> &'c [(u32, Position)] {
        let mut count = 0;
        for square in squares_of(moves) {
            let child = position.play(square, position.flips(square));
            children[count] = (child.legal_moves(self.geometry).count_ones(), child);
            count += 1;
        }
        let children = &mut children[..count];
        children.sort_by_key(|child| child.0);
        children
    }
}
