//! Where the first window of a search is put: what it finds does not depend on it, only how soon.

use crate::eval::{Eval, Evaluator};
use crate::search::Stop;
use crate::search::ordering::shallow::ShallowSearch;
use reversi_rules::{Geometry, Position, Rules};

/// With fewer empty squares the discs as they stand are the guess: the search is over before the weights of the
/// evaluation are read from memory.
const GUESSED: u32 = 10;

/// Plies of the search that guesses the score, by the number of empty squares: what a good guess saves
/// grows with the tree.
fn guess_depth(empties: u32) -> u32 {
    match empties {
        0..=15 => 2,
        16..=19 => 4,
        _ => 6,
    }
}

/// What the score may be, of the board's parity; told to stop, the guess is rougher.
pub(crate) fn first_guess(
    geometry: Geometry,
    rules: Rules,
    evaluator: Option<&Evaluator>,
    position: Position,
    stop: &Stop,
) -> i32 {
    let opinion = evaluator
        .filter(|_| position.empty_count(geometry) >= GUESSED)
        .and_then(|evaluator| opinion(geometry, evaluator, position, stop));
    let discs = match opinion {
        Some(eval) => eval.discs(),
        None => f64::from(position.final_score(geometry, rules).discs()),
    };
    // A full board has a score of the board's parity, and most games fill it.
    let squares = geometry.square_count() as i32;
    let odd = squares % 2;
    (2 * ((discs - f64::from(odd)) / 2.0).round() as i32 + odd).clamp(-squares, squares)
}

/// What a few plies say (of which a pass takes one here), of as many moves as there is time for: the stop is looked at
/// before each.
fn opinion(geometry: Geometry, evaluator: &Evaluator, position: Position, stop: &Stop) -> Option<Eval> {
    let depth = guess_depth(position.empty_count(geometry));
    let shallow = ShallowSearch { geometry, evaluator, stop };
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
    fn a_guess_cut_short_is_a_guess_still() {
        for geometry in [Geometry::SIX, Geometry::EIGHT] {
            let evaluator = Evaluator::shipped(geometry, Goal::Normal).unwrap();
            let position = Board::start(geometry, Start::Diagonal).position();
            let guess =
                |stop: &Stop| first_guess(geometry, Rules::default(), Some(&evaluator), position, stop);
            assert_eq!(guess(&Stop::after_looks(0)), 0, "the discs as they stand");
            for looks in 1..5 {
                let guess = guess(&Stop::after_looks(looks));
                assert!(guess % 2 == 0 && guess.abs() < 20, "{guess} after {looks} looks");
            }
        }
    }
}
