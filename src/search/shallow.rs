//! A search of a few plies with the learned evaluation: an opinion, for ordering moves and for the first guess only.

use crate::eval::{Eval, Evaluator};
use crate::rules::{Geometry, Position, geometry::squares_of};

/// Alpha-beta to a fixed depth, fail-soft; a pass takes no depth. A finished game counts its discs for the goal.
pub(super) fn value(
    geometry: Geometry,
    evaluator: &Evaluator,
    position: Position,
    depth: u32,
    mut alpha: Eval,
    beta: Eval,
) -> Eval {
    if depth == 0 {
        return evaluator.evaluate(position);
    }
    let moves = position.legal_moves(geometry);
    if moves == 0 {
        let passed = position.pass();
        if passed.legal_moves(geometry) == 0 {
            return finished(evaluator, position);
        }
        return -value(geometry, evaluator, passed, depth, -beta, -alpha);
    }
    let mut best = -Eval::INFINITE;
    let family = (depth == 1).then(|| evaluator.family(position));
    for square in squares_of(moves) {
        let flips = position.flips(square);
        let score = match &family {
            Some(family) => -family.evaluate(square, flips),
            None => {
                let child = position.play(square, flips);
                -value(geometry, evaluator, child, depth - 1, -beta, -alpha)
            }
        };
        best = best.max(score);
        alpha = alpha.max(score);
        if alpha >= beta {
            break;
        }
    }
    best
}

fn finished(evaluator: &Evaluator, position: Position) -> Eval {
    let difference = position.player.count_ones() as i32 - position.opponent.count_ones() as i32;
    let for_goal = match evaluator.goal() {
        crate::rules::Goal::Normal => difference,
        crate::rules::Goal::Reversed => -difference,
    };
    Eval::new(for_goal * Eval::UNITS_PER_DISC)
}
