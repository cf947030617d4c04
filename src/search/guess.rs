//! Where the first window of a search is put: what it finds does not depend on it, only how soon.

use super::shallow;
use crate::eval::{Eval, Evaluator};
use crate::rules::{Geometry, Position, Rules};

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

/// What the score may be, of the board's parity.
pub(super) fn first_guess(
    geometry: Geometry,
    rules: Rules,
    evaluator: Option<&Evaluator>,
    position: Position,
) -> i32 {
    let empties = position.empty_count(geometry);
    let discs = match evaluator {
        Some(evaluator) if empties >= GUESSED => {
            let depth = guess_depth(empties);
            shallow::value(geometry, evaluator, position, depth, -Eval::INFINITE, Eval::INFINITE).discs()
        }
        _ => f64::from(position.final_score(geometry, rules).discs()),
    };
    // A full board has a score of the board's parity, and most games fill it.
    let squares = geometry.square_count() as i32;
    let odd = squares % 2;
    (2 * ((discs - f64::from(odd)) / 2.0).round() as i32 + odd).clamp(-squares, squares)
}
