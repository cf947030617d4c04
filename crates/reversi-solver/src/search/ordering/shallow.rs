//! A search of a few plies with the learned evaluation: an opinion, for ordering moves and for the first guess only.

use crate::eval::{Eval, Evaluator};
use crate::search::Stop;
use reversi_rules::geometry::squares_of;
use reversi_rules::{Geometry, Position, Rules, Scoring};

/// What such a search needs.
#[derive(Clone, Copy)]
pub(crate) struct ShallowSearch<'a> {
    pub geometry: Geometry,
    pub evaluator: &'a Evaluator,
    /// Once it is set, no more plies are looked at than take no time: nobody will wait for what they say.
    pub stop: &'a Stop,
}

/// So many plies are over before it matters that somebody waits.
const UNSTOPPED: u32 = 2;

impl ShallowSearch<'_> {
    /// Alpha-beta to a fixed depth, fail-soft; a pass takes no depth. A finished game counts its discs for the goal.
    pub fn value(self, position: Position, depth: u32, mut alpha: Eval, beta: Eval) -> Eval {
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
        let mut best = -Eval::INFINITE;
        let child_evaluator = (depth == 1).then(|| self.evaluator.child_evaluator(position));
        for square in squares_of(moves) {
            let flips = position.flips(square);
            let score = match &child_evaluator {
                Some(child_evaluator) => -child_evaluator.evaluate(square, flips),
                None => -self.value(position.play(square, flips), depth - 1, -beta, -alpha),
            };
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
    fn told_to_stop_it_says_what_it_sees_at_once() {
        let geometry = Geometry::SIX;
        let evaluator = &Evaluator::shipped(geometry, Goal::Normal).unwrap();
        let position = Board::start(geometry, Start::Diagonal).position().children(geometry)[0].1;
        let value = |stop: &Stop, depth| {
            let search = ShallowSearch { geometry, evaluator, stop };
            search.value(position, depth, -Eval::INFINITE, Eval::INFINITE)
        };
        assert_eq!(value(&Stop::after_looks(0), 6), evaluator.evaluate(position));
        assert_ne!(value(&Stop::never(), 6), evaluator.evaluate(position));
        let unstopped = value(&Stop::after_looks(0), UNSTOPPED);
        assert_eq!(unstopped, value(&Stop::never(), UNSTOPPED), "it is over before it looks");
    }
}
