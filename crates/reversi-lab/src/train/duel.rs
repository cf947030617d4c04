//! A match of two generations: training is meant to make the later one play better.

use super::labels::Shallow;
use crate::seed::seed_of_game;
use rayon::prelude::*;
use reversi_rules::playout::after_random_moves;
use reversi_rules::{Board, Position, Rules, Start};
use reversi_solver::eval::{Eval, Evaluator};
use reversi_solver::search::Stop;
use serde::Serialize;

/// Plies of the search for each move.
const DEPTH: u32 = 3;

/// With at most this many empties a move is searched to the end of the game.
const TO_THE_END: u32 = 8;

/// Random moves that begin each pair of games.
const OPENING: usize = 8;

/// Results of the later generation against the earlier one.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct DuelReport {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Sum of the scores of all games, in discs.
    pub discs: i32,
}

impl DuelReport {
    fn of_game(score: i32) -> DuelReport {
        let count = |is: bool| u32::from(is);
        DuelReport {
            wins: count(score > 0),
            draws: count(score == 0),
            losses: count(score < 0),
            discs: score,
        }
    }

    fn plus(self, other: DuelReport) -> DuelReport {
        DuelReport {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            discs: self.discs + other.discs,
        }
    }
}

/// Plays `openings` openings, each twice with colours swapped; both sides search three plies. `None` if `stop` was set.
pub(super) fn duel(
    later: &Evaluator,
    earlier: &Evaluator,
    rules: Rules,
    openings: u32,
    seed: u64,
    stop: &Stop,
) -> Option<DuelReport> {
    let geometry = later.geometry();
    let play_twice = |opening: u32| {
        let mut random = fastrand::Rng::with_seed(seed_of_game(seed, opening.into()));
        let start = Board::start(geometry, Start::Diagonal).position();
        let start = after_random_moves(geometry, start, OPENING, &mut random);
        let first = play(rules, start, [later, earlier]);
        let second = play(rules, start, [earlier, later]);
        DuelReport::of_game(first).plus(DuelReport::of_game(-second))
    };
    (0..openings)
        .into_par_iter()
        .map(|opening| (!stop.is_set()).then(|| play_twice(opening)))
        .try_reduce(DuelReport::default, |one, other| Some(one.plus(other)))
}

/// The score for the first of the two, which is to move in `position`.
fn play(rules: Rules, mut position: Position, players: [&Evaluator; 2]) -> i32 {
    let geometry = players[0].geometry();
    for turn in (0..2).cycle() {
        let Some(next) = chosen(rules, players[turn], position) else {
            let score = position.final_score(geometry, rules).discs();
            return if turn == 0 { score } else { -score };
        };
        position = next;
    }
    unreachable!("a game has an end")
}

/// The position after the move with the best search value, or after a forced pass; `None` when the game is over.
fn chosen(rules: Rules, evaluator: &Evaluator, position: Position) -> Option<Position> {
    let geometry = evaluator.geometry();
    let search = Shallow { geometry, rules, evaluator };
    let empties = position.empty_count(geometry);
    let leaf = if empties <= TO_THE_END { 0 } else { empties - DEPTH };
    let mut best = (-Eval::INFINITE, None);
    for (_, child) in position.children(geometry) {
        let value = -search.value(child, leaf, -Eval::INFINITE, -best.0);
        if value > best.0 {
            best = (value, Some(child));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::{Geometry, Goal};
    use reversi_solver::eval::Weights;
    use reversi_solver::eval::{Features, weights::stage_count};

    fn ignorant(rules: Rules) -> Evaluator {
        let count = Features::of(Geometry::SIX).unwrap().weight_count();
        let stages = vec![vec![0; count]; stage_count(Geometry::SIX, 2)];
        Evaluator::new(&Weights::new(Geometry::SIX, rules, 2, stages))
    }

    #[test]
    fn a_learned_evaluation_beats_an_ignorant_one() {
        for goal in Goal::ALL {
            let rules = Rules { goal, ..Rules::default() };
            let learned = Evaluator::shipped(Geometry::SIX, goal).unwrap();
            let found = duel(&learned, &ignorant(rules), rules, 20, 1, &Stop::never()).unwrap();
            assert_eq!(found.wins + found.draws + found.losses, 40);
            assert!(found.wins >= 28 && found.discs > 0, "{goal}: {found:?}");
        }
    }

    #[test]
    fn against_itself_all_is_even() {
        let learned = Evaluator::shipped(Geometry::SIX, Goal::Reversed).unwrap();
        let rules = Rules { goal: Goal::Reversed, ..Rules::default() };
        let found = duel(&learned, &learned, rules, 10, 2, &Stop::never()).unwrap();
        assert_eq!((found.wins, found.discs), (found.losses, 0));
    }

    #[test]
    fn a_stop_is_heard_between_two_games() {
        let learned = Evaluator::shipped(Geometry::SIX, Goal::Normal).unwrap();
        let rules = Rules::default();
        assert_eq!(duel(&learned, &learned, rules, u32::MAX, 2, &Stop::after_looks(3)), None);
    }
}
