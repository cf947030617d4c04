//! A search of a few plies with the learned evaluation: an estimate, for move ordering, the first guess, and ProbCut in
//! the selective pass.

use crate::eval::{Eval, Evaluator};
use crate::search::Stop;
use arrayvec::ArrayVec;
use reversi_rules::geometry::squares_of;
use reversi_rules::{Geometry, Position, Rules, Scoring};
use std::cell::Cell;

/// Board, evaluation and stop of a shallow search.
#[derive(Clone, Copy)]
pub(crate) struct ShallowSearch<'a> {
    pub geometry: Geometry,
    pub evaluator: &'a Evaluator,
    /// Once set, depths above [`UNSTOPPED`] are cut to a static estimate.
    pub stop: &'a Stop,
    /// Counts the positions visited.
    pub visited: &'a Cell<u64>,
}

/// Depths up to this end too soon to need a stop.
const UNSTOPPED: u32 = 2;

impl ShallowSearch<'_> {
    /// Alpha-beta to a fixed depth, fail-soft, in units of an [`Eval`]; a pass takes no depth. A finished game counts
    /// its discs for the goal.
    pub fn value(self, position: Position, depth: u32, alpha: Eval, beta: Eval) -> Eval {
        self.visit(1);
        if depth == 0 || (depth > UNSTOPPED && self.stop.is_set()) {
            return self.evaluator.evaluate(position);
        }
        let moves = position.legal_moves(self.geometry);
        if moves == 0 {
            let passed = position.pass();
            if passed.legal_moves(self.geometry) == 0 {
                let rules = Rules::new(self.evaluator.goal(), Scoring::Raw);
                return position.final_score(self.geometry, rules).into();
            }
            return -self.value(passed, depth, -beta, -alpha);
        }
        match depth {
            1 => self.best_child(position, moves, alpha, beta),
            _ => self.best_subtree(position, moves, depth, alpha, beta),
        }
    }

    #[inline(always)]
    fn visit(self, positions: u64) {
        self.visited.set(self.visited.get() + positions);
    }

    /// The best static estimate of the children.
    fn best_child(self, position: Position, moves: u64, mut alpha: Eval, beta: Eval) -> Eval {
        let mut best = -Eval::INFINITE;
        let child_evaluator = self.evaluator.child_evaluator(position);
        for square in squares_of(moves) {
            self.visit(1);
            let score = -child_evaluator.evaluate(square, position.flips(square));
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The best child by a search of `depth - 1` more plies; the children with few replies first (fastest first).
    fn best_subtree(self, position: Position, moves: u64, depth: u32, mut alpha: Eval, beta: Eval) -> Eval {
        let mut children: ArrayVec<(u32, Position), 64> = squares_of(moves)
            .map(|square| position.play(square, position.flips(square)))
            .map(|child| (child.legal_moves(self.geometry).count_ones(), child))
            .collect();
        children.sort_unstable_by_key(|&(replies, _)| replies);
        let mut best = -Eval::INFINITE;
        for (_, child) in children {
            let score = -self.value(child, depth - 1, -beta, -alpha);
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::{Board, Goal, Start};

    #[test]
    fn a_stopped_search_gives_a_static_estimate() {
        let geometry = Geometry::SIX;
        let evaluator = &Evaluator::shipped(geometry, Goal::Normal).unwrap();
        let position = Board::start(geometry, Start::Diagonal).position().children(geometry)[0].1;
        let value = |stop: &Stop, depth| {
            let visited = Cell::new(0);
            let search = ShallowSearch { geometry, evaluator, stop, visited: &visited };
            search.value(position, depth, -Eval::INFINITE, Eval::INFINITE)
        };
        assert_eq!(value(&Stop::after_looks(0), 6), evaluator.evaluate(position));
        assert_ne!(value(&Stop::never(), 6), evaluator.evaluate(position));
        let unstopped = value(&Stop::after_looks(0), UNSTOPPED);
        assert_eq!(unstopped, value(&Stop::never(), UNSTOPPED), "it is over before it looks");
    }
}
