//! Plays games of the program with itself and collects their positions.

use crate::seed::seed_of_game;
use rayon::prelude::*;
use reversi_rules::{Board, Geometry, Position, Start, symmetry};
use reversi_solver::eval::{Eval, Evaluator};
use reversi_solver::search::Stop;

/// How often a move is random.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// A share of the moves that varies from game to game, up to all: positions of the kind that users ask about.
    Wild,
    /// Few moves: positions of good games.
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

/// Each game begins with a random number of random moves, from 0 up to the squares divided by this number, so that
/// openings vary even if later moves are rarely random.
const OPENING_PART: u32 = 4;

/// A position and the game it was met in first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Met {
    pub position: Position,
    pub game: u32,
    /// Whether the side to move is the one that began the game.
    pub is_first: bool,
    /// Whether no move from here on was random, down to the number of empty squares that [`play`] was given. Then the
    /// result of the game shows the value of the position.
    pub is_settled: bool,
}

/// How games are played.
#[derive(Clone, Copy)]
pub(super) struct Games<'a> {
    pub geometry: Geometry,
    /// The evaluation that chooses moves; without one the move that leaves the opponent the fewest moves is chosen.
    pub player: Option<&'a Evaluator>,
    pub play: Play,
    pub seed: u64,
    /// A random move with at most this many empty squares leaves a position settled.
    pub settled_at: u32,
}

/// The different positions of `games` games by number of empty squares, each in canonical form, sorted.
///
/// Depends on the arguments alone, not on the number of threads. `None` if `stop` was set.
pub(super) fn play(how: Games, games: u32, stop: &Stop) -> Option<Vec<Vec<Met>>> {
    let unless_stopped = |game| (!stop.is_set()).then(|| play_one(how, game));
    let played: Vec<Vec<Met>> = (0..games).into_par_iter().map(unless_stopped).collect::<Option<_>>()?;
    let mut met = vec![Vec::new(); how.geometry.square_count() as usize + 1];
    for one in played.into_iter().flatten() {
        met[one.position.empty_count(how.geometry) as usize].push(one);
    }
    met.par_iter_mut().for_each(|positions| {
        positions.sort_unstable();
        positions.dedup_by_key(|met| met.position);
    });
    Some(met)
}

/// The positions of one game in canonical form: all but the finished one.
fn play_one(how: Games, game: u32) -> Vec<Met> {
    let Games { geometry, player, play, seed, settled_at } = how;
    let mut random = fastrand::Rng::with_seed(seed_of_game(seed, game.into()));
    let shares = play.random_shares();
    let share = shares[random.usize(..shares.len())];
    let start = if random.u32(..8) == 0 { Start::Parallel } else { Start::Diagonal };
    let mut position = Board::start(geometry, start).position();
    let mut opening = random.u32(..=geometry.square_count() / OPENING_PART);
    let mut met = Vec::new();
    let mut unsettled = 0;
    for is_first in [true, false].into_iter().cycle() {
        let children: Vec<Position> =
            position.children(geometry).into_iter().map(|(_, child)| child).collect();
        if children.is_empty() {
            break;
        }
        let canonical = symmetry::canonical(geometry, position).0;
        met.push(Met { position: canonical, game, is_first, is_settled: true });
        let is_opening = opening > 0;
        opening = opening.saturating_sub(1);
        let is_random = is_opening || random.f64() < share;
        if is_random && position.empty_count(geometry) > settled_at {
            unsettled = met.len();
        }
        position = match is_random {
            true => children[random.usize(..children.len())],
            false => preferred(geometry, player, &children),
        };
    }
    for one in &mut met[..unsettled] {
        one.is_settled = false;
    }
    met
}

/// The child with the lowest estimate for its side to move; without an evaluation the one with the fewest moves.
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
        let play = |games, stop: &Stop| play(wild(), games, stop);
        assert!(play(20, &Stop::never()).is_some());
        assert!(play(u32::MAX, &Stop::after_looks(20)).is_none());
    }

    fn wild() -> Games<'static> {
        Games { geometry: Geometry::SIX, player: None, play: Play::Wild, seed: 1, settled_at: 10 }
    }

    #[test]
    fn from_a_settled_position_on_the_preferred_moves_lead_on() {
        let mut settled = 0;
        for game in 0..100 {
            let met = play_one(wild(), game);
            assert!(met.is_sorted_by_key(|one| one.is_settled), "settled once and for all");
            for (one, next) in met.iter().zip(&met[1..]) {
                let empties = one.position.empty_count(Geometry::SIX);
                assert_eq!(one.is_first, !next.is_first);
                if empties <= 10 {
                    assert!(one.is_settled);
                } else if one.is_settled {
                    let children: Vec<Position> =
                        one.position.children(Geometry::SIX).into_iter().map(|(_, child)| child).collect();
                    let fewest = preferred(Geometry::SIX, None, &children).legal_moves(Geometry::SIX);
                    let played = next.position.legal_moves(Geometry::SIX);
                    assert_eq!(played.count_ones(), fewest.count_ones(), "{game}: {empties}");
                    settled += 1;
                }
            }
        }
        assert!(settled > 300, "only {settled} positions");
    }
}
