//! Plays games of the program with itself and collects their positions.

use super::labels::Shallow;
use crate::seed::seed_of_game;
use rayon::prelude::*;
use reversi_rules::playout::playout;
use reversi_rules::{Board, Geometry, Position, Rules, Start, symmetry};
use reversi_solver::eval::{Eval, Evaluator};
use reversi_solver::search::Stop;

/// How the openings and moves of games are chosen, and how often a move is random.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// A share of the moves that varies from game to game, up to all: positions of the kind that users ask about.
    Wild,
    /// Few moves: positions of good games.
    Tame,
    /// Fewer still, from openings with an estimate near 0, and the others chosen by a search: positions of even games,
    /// which good players meet. Without an evaluation, any opening, and moves as in the others.
    Even,
}

impl Play {
    /// The word used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Play::Wild => "wild",
            Play::Tame => "tame",
            Play::Even => "even",
        }
    }

    /// The shares of random moves; each game draws one.
    fn random_shares(self) -> &'static [f64] {
        match self {
            Play::Wild => &[1.0, 0.5, 0.25, 0.12, 0.06, 0.03],
            Play::Tame => &[0.12, 0.06, 0.03, 0.01],
            Play::Even => &[0.06, 0.03, 0.01, 0.0],
        }
    }
}

/// Each game begins with a random number of random moves, from 0 up to the squares divided by this number, so that
/// openings vary even if later moves are rarely random.
const OPENING_PART: u32 = 4;

/// The largest estimate of an opening of [`Play::Even`] for either side, in units of an [`Eval`].
const EVEN: i32 = 8 * Eval::UNITS_PER_DISC;
/// Openings drawn for one game of [`Play::Even`] at most: the last one is played even if it is not even.
const OPENING_TRIES: u32 = 20;
/// The plies that are searched after each move of [`Play::Even`].
const EVEN_PLIES: u32 = 1;

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
    pub rules: Rules,
    /// The evaluation that chooses moves, and openings for [`Play::Even`]; without one the move that leaves the opponent
    /// the fewest moves is chosen.
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
    let mut random = fastrand::Rng::with_seed(seed_of_game(how.seed, game.into()));
    let shares = how.play.random_shares();
    let share = shares[random.usize(..shares.len())];
    let mut line = opening(how, &mut random);
    let mut was_random = vec![true; line.len() - 1];
    while let Some(children) = line.last().and_then(|&position| children(how.geometry, position)) {
        let is_random = random.f64() < share;
        was_random.push(is_random);
        line.push(match is_random {
            true => children[random.usize(..children.len())],
            false => how.preferred(&children),
        });
    }
    let unsettles = |at: usize| was_random[at] && line[at].empty_count(how.geometry) > how.settled_at;
    let settled_from = (0..was_random.len()).rev().find(|&at| unsettles(at)).map_or(0, |at| at + 1);
    let met = |(at, &position)| Met {
        position: symmetry::canonical(how.geometry, position).0,
        game,
        is_first: at % 2 == 0,
        is_settled: at >= settled_from,
    };
    line[..was_random.len()].iter().enumerate().map(met).collect()
}

/// The start and the positions after some random moves, fewer than drawn if the game is over before.
fn opening(how: Games, random: &mut fastrand::Rng) -> Vec<Position> {
    let start = if random.u32(..8) == 0 { Start::Parallel } else { Start::Diagonal };
    let start = Board::start(how.geometry, start).position();
    let moves = random.u32(..=how.geometry.square_count() / OPENING_PART);
    let mut draw = || playout(how.geometry, start, random).take(moves as usize + 1).collect::<Vec<_>>();
    let mut line = draw();
    for _ in 1..OPENING_TRIES {
        if how.is_wanted(line[line.len() - 1]) {
            break;
        }
        line = draw();
    }
    line
}

/// The positions after each move; `None` if the game is over.
fn children(geometry: Geometry, position: Position) -> Option<Vec<Position>> {
    let children: Vec<Position> = position.children(geometry).into_iter().map(|(_, child)| child).collect();
    (!children.is_empty()).then_some(children)
}

impl Games<'_> {
    /// Whether a game may go on from this position after its random opening.
    fn is_wanted(&self, position: Position) -> bool {
        match (self.play, self.player) {
            (Play::Even, Some(player)) => player.evaluate(position).units().abs() <= EVEN,
            _ => true,
        }
    }

    /// The child with the lowest value for its side to move; without an evaluation the one with the fewest moves.
    fn preferred(&self, children: &[Position]) -> Position {
        let Games { geometry, rules, .. } = *self;
        let value = |&child: &Position| match (self.player, self.play) {
            (Some(evaluator), Play::Even) => {
                let leaf = child.empty_count(geometry).saturating_sub(EVEN_PLIES);
                Shallow { geometry, rules, evaluator }.value(child, leaf, -Eval::INFINITE, Eval::INFINITE)
            }
            (Some(player), _) => player.evaluate(child),
            (None, _) => Eval::new(child.legal_moves(geometry).count_ones() as i32),
        };
        *children.iter().min_by_key(|child| value(child)).expect("a position that is not over has a child")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::{Goal, Move, Scoring};

    const RULES: Rules = Rules::new(Goal::Normal, Scoring::Raw);

    fn wild() -> Games<'static> {
        Games {
            geometry: Geometry::SIX,
            player: None,
            play: Play::Wild,
            seed: 1,
            settled_at: 10,
            rules: RULES,
        }
    }

    #[test]
    fn a_stop_is_heard_between_two_games() {
        let play = |games, stop: &Stop| play(wild(), games, stop);
        assert!(play(20, &Stop::never()).is_some());
        assert!(play(u32::MAX, &Stop::after_looks(20)).is_none());
    }

    #[test]
    fn even_games_begin_with_even_openings() {
        let player = Evaluator::shipped(Geometry::SIX, Goal::Normal).unwrap();
        let how = Games { player: Some(&player), play: Play::Even, ..wild() };
        let mut lengths = [0; 10];
        for seed in 0..200 {
            let line = opening(how, &mut fastrand::Rng::with_seed(seed));
            let estimate = player.evaluate(line[line.len() - 1]);
            assert!(estimate.discs().abs() <= 8.0, "{seed}: {estimate:?}");
            lengths[line.len() - 1] += 1;
        }
        assert!(lengths.iter().all(|&count| count > 5), "{lengths:?}");
    }

    #[test]
    fn moves_of_even_games_are_best_two_plies_deep() {
        let player = Evaluator::shipped(Geometry::SIX, Goal::Normal).unwrap();
        let how = Games { player: Some(&player), play: Play::Even, ..wild() };
        let met = (0..20).flat_map(|game| play_one(how, game)).map(|met| met.position);
        let mut unlike_greedy = 0;
        for position in met {
            let children = children(Geometry::SIX, position).unwrap();
            let value = |&child: &Position| match child.children(Geometry::SIX).as_slice() {
                [] => child.final_score(Geometry::SIX, RULES).into(),
                // A pass is no ply, so that the search goes on for one more.
                [(Move::Pass, passed)] => -best_reply(&player, *passed),
                _ => best_reply(&player, child),
            };
            let chosen = how.preferred(&children);
            assert_eq!(value(&chosen), children.iter().map(value).min().unwrap(), "{position:?}");
            unlike_greedy += u32::from(chosen != Games { play: Play::Tame, ..how }.preferred(&children));
        }
        assert!(unlike_greedy > 50, "only {unlike_greedy} moves differ from those one ply deep");
    }

    /// The value of a position with a legal move, one ply deep.
    fn best_reply(player: &Evaluator, position: Position) -> Eval {
        let value = |(_, next): (Move, Position)| match next.children(Geometry::SIX).as_slice() {
            [] => -Eval::from(next.final_score(Geometry::SIX, RULES)),
            [(Move::Pass, passed)] => player.evaluate(*passed),
            _ => -player.evaluate(next),
        };
        position.children(Geometry::SIX).into_iter().map(value).max().unwrap()
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
                    let children = children(Geometry::SIX, one.position).unwrap();
                    let fewest = wild().preferred(&children).legal_moves(Geometry::SIX);
                    let played = next.position.legal_moves(Geometry::SIX);
                    assert_eq!(played.count_ones(), fewest.count_ones(), "{game}: {empties}");
                    settled += 1;
                }
            }
        }
        assert!(settled > 300, "only {settled} positions");
    }
}
