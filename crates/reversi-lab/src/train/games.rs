//! Plays games of the program with itself and keeps the positions they pass through.

use rayon::prelude::*;
use reversi_rules::{Board, Geometry, Position, Start, symmetry};
use reversi_solver::eval::{Eval, Evaluator};
use reversi_solver::search::Stop;

/// How often a move is random.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// In every game another share of the moves, up to all of them: positions as they come when anything is asked.
    Wild,
    /// Seldom: positions as they come in good games.
    Tame,
}

impl Play {
    /// The word used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Play::Wild => "wild",
            Play::Tame => "tame",
        }
    }

    /// The shares of random moves; each game draws one.
    fn random_shares(self) -> &'static [f64] {
        match self {
            Play::Wild => &[1.0, 0.5, 0.25, 0.12, 0.06, 0.03],
            Play::Tame => &[0.12, 0.06, 0.03, 0.01],
        }
    }
}

/// Each game begins with a number of random moves drawn from 0 up to this part of the squares: openings
/// vary even where hardly a move is random later.
const OPENING_PART: u32 = 4;

/// A position and the game it was met in first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Met {
    pub position: Position,
    pub game: u32,
}

/// The different positions of `games` games by number of empty squares, each in canonical form, sorted.
///
/// Depends on the arguments alone, not on the number of threads. `None` if `stop` was set.
pub(super) fn play(
    geometry: Geometry,
    player: Option<&Evaluator>,
    play: Play,
    games: u32,
    seed: u64,
    stop: &Stop,
) -> Option<Vec<Vec<Met>>> {
    let unless_stopped = |game| (!stop.is_set()).then(|| play_one(geometry, player, play, seed, game));
    let played: Vec<Vec<Position>> = (0..games).into_par_iter().map(unless_stopped).collect::<Option<_>>()?;
    let mut met = vec![Vec::new(); geometry.square_count() as usize + 1];
    for (game, positions) in (0..).zip(played) {
        for position in positions {
            met[position.empty_count(geometry) as usize].push(Met { position, game });
        }
    }
    met.par_iter_mut().for_each(|positions| {
        positions.sort_unstable();
        positions.dedup_by_key(|met| met.position);
    });
    Some(met)
}

/// The positions of one game in canonical form: all but the finished one.
fn play_one(
    geometry: Geometry,
    player: Option<&Evaluator>,
    play: Play,
    seed: u64,
    game: u32,
) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(game));
    let shares = play.random_shares();
    let share = shares[random.usize(..shares.len())];
    let start = if random.u32(..8) == 0 { Start::Parallel } else { Start::Diagonal };
    let mut position = Board::start(geometry, start).position();
    let mut opening = random.u32(..=geometry.square_count() / OPENING_PART);
    let mut positions = Vec::new();
    loop {
        let children: Vec<Position> =
            position.children(geometry).into_iter().map(|(_, child)| child).collect();
        if children.is_empty() {
            return positions;
        }
        positions.push(symmetry::canonical(geometry, position).0);
        let is_opening = opening > 0;
        opening = opening.saturating_sub(1);
        position = if is_opening || random.f64() < share {
            children[random.usize(..children.len())]
        } else {
            preferred(geometry, player, &children)
        };
    }
}

/// The child that looks worst for the side to move there; without an evaluation the one with the fewest moves.
fn preferred(geometry: Geometry, player: Option<&Evaluator>, children: &[Position]) -> Position {
    let evaluation = |&child: &Position| match player {
        Some(player) => player.evaluate(child),
        None => Eval::new(child.legal_moves(geometry).count_ones() as i32),
    };
    *children.iter().min_by_key(|child| evaluation(child)).expect("a position that is not over has a child")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_heard_between_two_games() {
        let play = |games, stop: &Stop| play(Geometry::SIX, None, Play::Wild, games, 1, stop);
        assert!(play(20, &Stop::never()).is_some());
        assert!(play(u32::MAX, &Stop::after_looks(20)).is_none());
    }
}
