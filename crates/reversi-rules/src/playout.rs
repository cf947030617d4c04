//! Games of random moves.

use super::{Geometry, Position};
pub use fastrand::Rng;
use std::iter;

/// The positions of a game of random moves, from `start` to the one in which the game is over; forced passes are
/// positions of their own. Each move is drawn only when the position after it is requested.
///
/// ```
/// use reversi_rules::playout::{Rng, playout};
/// use reversi_rules::{Board, Geometry, Start};
/// let start = Board::start(Geometry::SIX, Start::Diagonal).position();
/// let mut random = Rng::with_seed(1);
/// let last = playout(Geometry::SIX, start, &mut random).last().unwrap();
/// assert!(last.is_over(Geometry::SIX));
/// ```
pub fn playout(geometry: Geometry, start: Position, random: &mut Rng) -> impl Iterator<Item = Position> {
    let mut latest = None;
    iter::from_fn(move || {
        latest = match latest {
            None => Some(start),
            Some(position) => Some(step(geometry, position, random)?),
        };
        latest
    })
}

/// The position after `moves` random moves and forced passes from `start`, or the last position if the game ends
/// earlier.
pub fn after_random_moves(geometry: Geometry, start: Position, moves: usize, random: &mut Rng) -> Position {
    playout(geometry, start, random).take(moves + 1).last().expect("a game begins with its start")
}

/// Positions with `empties` empty squares, each from a new random game. Games that end earlier are skipped. The
/// iterator never ends; if no game reaches that number, `next` never returns.
pub fn with_empties(
    geometry: Geometry,
    start: Position,
    empties: u32,
    random: &mut Rng,
) -> impl Iterator<Item = Position> {
    let has_as_many = move |position: &Position| position.empty_count(geometry) == empties;
    iter::repeat_with(move || playout(geometry, start, random).find(has_as_many)).flatten()
}

fn step(geometry: Geometry, position: Position, random: &mut Rng) -> Option<Position> {
    random.choice(position.children(geometry)).map(|(_, child)| child)
}

#[cfg(test)]
mod tests {
    use super::super::{Board, Start};
    use super::*;

    #[test]
    fn each_position_follows_from_the_one_before_until_the_game_is_over() {
        let mut random = Rng::with_seed(1);
        for _ in 0..50 {
            let start = Board::start(Geometry::SIX, Start::Diagonal).position();
            let game: Vec<Position> = playout(Geometry::SIX, start, &mut random).collect();
            assert_eq!(game[0], start);
            for (before, after) in game.iter().zip(&game[1..]) {
                assert!(before.children(Geometry::SIX).iter().any(|(_, child)| child == after));
            }
            assert!(game.last().unwrap().is_over(Geometry::SIX));
        }
    }

    #[test]
    fn nothing_is_drawn_beyond_the_position_asked_for() {
        let start = Board::start(Geometry::FOUR, Start::Diagonal).position();
        for moves in 0..4 {
            let (mut random, mut twin) = (Rng::with_seed(2), Rng::with_seed(2));
            let found = after_random_moves(Geometry::FOUR, start, moves, &mut random);
            let mut position = start;
            for _ in 0..moves {
                position = step(Geometry::FOUR, position, &mut twin).unwrap();
            }
            assert_eq!((found, random), (position, twin));
        }
    }

    #[test]
    fn a_game_that_is_over_stays_as_it_is() {
        let mut random = Rng::with_seed(3);
        let start = Board::start(Geometry::FOUR, Start::Diagonal).position();
        assert!(after_random_moves(Geometry::FOUR, start, 100, &mut random).is_over(Geometry::FOUR));
    }

    #[test]
    fn games_that_are_over_too_soon_are_passed_over() {
        let mut random = Rng::with_seed(4);
        let start = Board::start(Geometry::FOUR, Start::Diagonal).position();
        let mut twin = random.clone();
        let found: Vec<Position> = with_empties(Geometry::FOUR, start, 1, &mut random).take(50).collect();
        let (mut expected, mut over) = (Vec::new(), 0);
        while expected.len() < 50 {
            match playout(Geometry::FOUR, start, &mut twin)
                .find(|found| found.empty_count(Geometry::FOUR) == 1)
            {
                Some(position) => expected.push(position),
                None => over += 1,
            }
        }
        assert_eq!(found, expected);
        assert!(over > 0, "no game was over too soon");
    }
}
