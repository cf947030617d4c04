//! The centre of the first aspiration window. The result of the search does not depend on it, only its time.

use crate::eval::{Eval, Evaluator};
use crate::search::Stop;
use crate::search::ordering::shallow::ShallowSearch;
use reversi_rules::{Geometry, Position, Rules};
use std::cell::Cell;

/// With fewer empty squares the current disc difference is the guess: the search ends before the evaluation's weights
/// are read from memory.
const GUESS_EMPTIES: u32 = 10;

/// Depth in plies of the search for the guess, by number of empty squares: the gain of a good guess grows with the
/// tree.
fn guess_depth(empties: u32) -> u32 {
    match empties {
        0..=15 => 2,
        16..=19 => 4,
        _ => 6,
    }
}

/// The estimated score in discs, of the board's parity; less accurate if stopped.
pub(crate) fn first_guess(
    geometry: Geometry,
    rules: Rules,
    evaluator: Option<&Evaluator>,
    position: Position,
    stop: &Stop,
) -> i32 {
    let estimate = evaluator
        .filter(|_| position.empty_count(geometry) >= GUESS_EMPTIES)
        .and_then(|evaluator| shallow_estimate(geometry, evaluator, position, stop));
    let discs = match estimate {
        Some(eval) => eval.discs(),
        None => f64::from(position.final_score(geometry, rules).discs()),
    };
    // A full board has a score of the board's parity, and most games fill it.
    let squares = geometry.square_count() as i32;
    let odd = squares % 2;
    (2 * ((discs - f64::from(odd)) / 2.0).round() as i32 + odd).clamp(-squares, squares)
}

/// The value of a shallow search (a pass takes a ply here), over the moves searched before a stop, which is polled
/// before each move.
fn shallow_estimate(
    geometry: Geometry,
    evaluator: &Evaluator,
    position: Position,
    stop: &Stop,
) -> Option<Eval> {
    let depth = guess_depth(position.empty_count(geometry));
    let visited = Cell::new(0);
    let shallow = ShallowSearch { geometry, evaluator, stop, visited: &visited };
    let mut best = None;
    for (_, child) in position.children(geometry) {
        if stop.is_set() {
            break;
        }
        let beta = best.map_or(Eval::INFINITE, |best: Eval| -best);
        let value = -shallow.value(child, depth - 1, -Eval::INFINITE, beta);
        best = best.max(Some(value));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::{Board, Goal, Start};

    #[test]
    fn a_stopped_guess_is_less_accurate_but_valid() {
        for geometry in [Geometry::SIX, Geometry::EIGHT] {
            let evaluator = Evaluator::shipped(geometry, Goal::Normal).unwrap();
            let position = Board::start(geometry, Start::Diagonal).position();
            let guess =
                |stop: &Stop| first_guess(geometry, Rules::default(), Some(&evaluator), position, stop);
            assert_eq!(guess(&Stop::after_looks(0)), 0, "the current disc difference");
            for looks in 1..5 {
                let guess = guess(&Stop::after_looks(looks));
                assert!(guess % 2 == 0 && guess.abs() < 20, "{guess} after {looks} looks");
            }
        }
    }
}
