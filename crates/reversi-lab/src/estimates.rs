//! Compares estimates with exact scores on positions of good games: the size and the sign of their errors, and whether
//! they rank a best move first.

use crate::seed::seed_of_game;
use rayon::prelude::*;
use reversi_rules::playout::after_random_moves;
use reversi_rules::{Board, Geometry, Passing, Position, Rules, Score, Square, Start, symmetry};
use reversi_solver::eval::{Eval, Evaluation, Evaluator};
use reversi_solver::search::midgame::{Iteration, MidgameContext, MidgameResult, MidgameSearch, deepen};
use reversi_solver::search::probcut::ProbCut;
use reversi_solver::search::tt::MidgameTable;
use reversi_solver::search::{MemoryError, Proved, Solver, SolverOptions, Stop};
use serde::Serialize;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Plies of the search that chooses the moves of the games.
const PLAY_DEPTH: u32 = 6;
/// ProbCut's confidence in that search, in tenths of a sigma.
const CONFIDENCE: u32 = 13;
/// Random moves that begin a game.
const OPENING: usize = 8;
/// Openings with a larger absolute value by that search are left out, in discs.
const EVEN: f64 = 4.0;
/// The most games begun per position: openings that are not even, games that end early, and repeated positions give
/// none.
const ATTEMPTS: u32 = 20;
const TABLE_BYTES: usize = 1 << 20;
const SOLVER_BYTES: usize = 64 << 20;

/// A position with its exact score for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// The position.
    pub position: Position,
    /// Its exact score.
    pub score: Score,
}

/// The errors of searches of one depth on all positions of one number of empty squares.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EstimatesReport {
    /// Empty squares of the positions.
    pub empties: u32,
    /// Plies of the searches, without ProbCut; 0 for the static estimate of the position.
    pub plies: u32,
    /// Number of positions.
    pub positions: usize,
    /// Mean absolute difference of estimate and exact score, in discs.
    pub error: f64,
    /// Mean of estimate minus exact score, in discs: above 0 if it is too high for the side to move.
    pub bias: f64,
    /// Standard deviation of that difference, in discs.
    pub deviation: f64,
    /// Number of positions in which the move that the search prefers is a best move.
    pub best_first: usize,
}

/// Measures one evaluation.
pub struct Estimates {
    evaluator: Arc<Evaluator>,
    evaluation: Evaluation,
    rules: Rules,
}

impl Estimates {
    /// Measures this evaluation under these rules.
    pub fn new(evaluator: Arc<Evaluator>, rules: Rules) -> Estimates {
        Estimates { evaluation: Evaluation::Learned(evaluator.clone()), evaluator, rules }
    }

    /// At most `count` positions with this number of empty squares, with their exact scores. Each is from a different
    /// game of the evaluation with itself, after an even opening of random moves. All are different up to symmetry. The
    /// result does not depend on the number of threads. `None` if stopped.
    ///
    /// # Errors
    /// When the memory for a search cannot be had.
    pub fn positions(
        &self,
        empties: u32,
        count: usize,
        seed: u64,
        stop: &Stop,
    ) -> Result<Option<Vec<Known>>, MemoryError> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let games = count as u64 * u64::from(ATTEMPTS);
        let at_once = 64;
        for first in (0..games).step_by(at_once as usize) {
            let played: Vec<Option<Position>> = (first..first + at_once)
                .into_par_iter()
                .map(|game| self.play_to(empties, seed_of_game(seed, game), stop))
                .collect::<Result<_, MemoryError>>()?;
            if stop.is_set() {
                return Ok(None);
            }
            for position in played.into_iter().flatten() {
                let canonical = symmetry::canonical(self.evaluator.geometry(), position).0;
                if found.len() < count && seen.insert(canonical) {
                    found.push(position);
                }
            }
            if found.len() == count {
                break;
            }
        }
        let solved: Result<Option<Vec<Known>>, MemoryError> = found
            .into_par_iter()
            .map(|position| {
                let score = self.solver()?.solve(position, stop).ok().map(|solution| solution.score);
                Ok(score.map(|score| Known { position, score }))
            })
            .collect();
        solved
    }

    /// The position of one game with this number of empty squares, if it has a move; `None` if there is none, or if the
    /// opening is not even.
    fn play_to(&self, empties: u32, seed: u64, stop: &Stop) -> Result<Option<Position>, MemoryError> {
        let geometry = self.evaluator.geometry();
        let mut random = fastrand::Rng::with_seed(seed);
        let start = Board::start(geometry, Start::Diagonal).position();
        let mut position = after_random_moves(geometry, start, OPENING, &mut random);
        let table = MidgameTable::new(TABLE_BYTES)?;
        let mut is_opening = true;
        while !stop.is_set() && !position.is_over(geometry) {
            if position.must_pass(geometry) {
                position = position.pass();
                continue;
            }
            if position.empty_count(geometry) <= empties {
                return Ok((position.empty_count(geometry) == empties).then_some(position));
            }
            let Some(MidgameResult { square, value: Some(value), .. }) =
                self.search(position, PLAY_DEPTH, true, &table, stop)
            else {
                return Ok(None);
            };
            if is_opening && Eval::new(value).discs().abs() > EVEN {
                return Ok(None);
            }
            is_opening = false;
            position = position.play(square, position.flips(square));
        }
        Ok(None)
    }

    fn search(
        &self,
        position: Position,
        depth: u32,
        selective: bool,
        table: &MidgameTable,
        stop: &Stop,
    ) -> Option<MidgameResult> {
        let geometry = self.evaluator.geometry();
        let done = AtomicBool::new(false);
        let probcut = ProbCut::find(geometry, self.rules.goal, CONFIDENCE).filter(|_| selective);
        let context = MidgameContext {
            geometry,
            rules: self.rules,
            passing: Passing::Allowed,
            evaluation: &self.evaluation,
            table,
            probcut,
            stop,
            done: &done,
        };
        let mut search = MidgameSearch::new(context, None);
        deepen(&mut search, position, &mut (1..=depth).map(Iteration::usual), |_| false)
    }

    fn solver(&self) -> Result<Solver, MemoryError> {
        let options = SolverOptions { memory_bytes: SOLVER_BYTES, threads: 1, ..SolverOptions::default() };
        Solver::with_ordering(self.evaluator.geometry(), self.rules, options, Some(self.evaluator.clone()))
    }

    /// One report for each number of empty squares, ascending, and for each number of plies, in the order of `plies`.
    /// `None` if stopped.
    ///
    /// # Errors
    /// When the memory for a search cannot be had.
    pub fn measure(
        &self,
        known: &[Known],
        plies: &[u32],
        stop: &Stop,
    ) -> Result<Option<Vec<EstimatesReport>>, MemoryError> {
        let mut marks: Vec<(u32, Vec<Mark>)> = Vec::new();
        let marked: Vec<Option<Vec<Mark>>> = known
            .par_iter()
            .map(|known| self.marks(known, plies, stop))
            .collect::<Result<_, MemoryError>>()?;
        for (known, marked) in known.iter().zip(marked) {
            let Some(marked) = marked else { return Ok(None) };
            marks.push((known.position.empty_count(self.evaluator.geometry()), marked));
        }
        let mut stages: Vec<u32> = marks.iter().map(|(empties, _)| *empties).collect();
        stages.sort_unstable();
        stages.dedup();
        let report = |empties: u32, place: usize| {
            let of_stage = marks.iter().filter(|(found, _)| *found == empties);
            EstimatesReport::of(empties, plies[place], of_stage.map(|(_, marks)| &marks[place]))
        };
        let all = stages.into_iter().flat_map(|stage| (0..plies.len()).map(move |place| (stage, place)));
        Ok(Some(all.map(|(stage, place)| report(stage, place)).collect()))
    }

    /// The errors of each number of plies on one position; `None` if stopped.
    fn marks(&self, known: &Known, plies: &[u32], stop: &Stop) -> Result<Option<Vec<Mark>>, MemoryError> {
        let solver = self.solver()?;
        let mut judged: Vec<(Square, bool)> = Vec::new();
        let mut is_best = |square: Square| -> Result<bool, Proved> {
            if let Some(&(_, best)) = judged.iter().find(|(known, _)| *known == square) {
                return Ok(best);
            }
            let child = known.position.play(square, known.position.flips(square));
            let best = solver.is_at_most(child, -known.score, stop)?;
            judged.push((square, best));
            Ok(best)
        };
        let exact = f64::from(known.score.discs());
        let mut marks = Vec::new();
        for &plies in plies {
            let table = MidgameTable::new(TABLE_BYTES)?;
            // The preferred move of the static estimate is that of a search of one ply.
            let found = self.search(known.position, plies.max(1), false, &table, stop);
            let Some(MidgameResult { square, value: Some(value), .. }) = found else { return Ok(None) };
            let estimate = match plies {
                0 => self.evaluation.estimate(known.position),
                _ => Eval::new(value),
            };
            let Ok(best_first) = is_best(square) else { return Ok(None) };
            marks.push(Mark { difference: estimate.discs() - exact, best_first });
        }
        Ok(Some(marks))
    }

    /// The board of the evaluation.
    pub fn geometry(&self) -> Geometry {
        self.evaluator.geometry()
    }
}

/// The error on one position.
struct Mark {
    /// Estimate minus exact score, in discs.
    difference: f64,
    best_first: bool,
}

impl EstimatesReport {
    fn of<'a>(empties: u32, plies: u32, marks: impl Iterator<Item = &'a Mark>) -> EstimatesReport {
        let (mut positions, mut best_first) = (0, 0);
        let (mut sum, mut absolute, mut squares) = (0.0, 0.0, 0.0);
        for mark in marks {
            positions += 1;
            best_first += usize::from(mark.best_first);
            sum += mark.difference;
            absolute += mark.difference.abs();
            squares += mark.difference.powi(2);
        }
        let count = positions.max(1) as f64;
        let bias = sum / count;
        EstimatesReport {
            empties,
            plies,
            positions,
            error: absolute / count,
            bias,
            deviation: (squares / count - bias.powi(2)).max(0.0).sqrt(),
            best_first,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::Goal;
    use reversi_solver::search::reference::minimax;

    #[test]
    fn searches_to_the_end_make_no_error() {
        for goal in Goal::ALL {
            let rules = Rules { goal, ..Rules::default() };
            let estimates = Estimates::new(Evaluator::shipped(Geometry::SIX, goal).unwrap(), rules);
            let known = estimates.positions(6, 12, 1, &Stop::never()).unwrap().unwrap();
            assert_eq!(known.len(), 12);
            for Known { position, score } in &known {
                assert_eq!(position.empty_count(Geometry::SIX), 6);
                assert_eq!(minimax::minimax(Geometry::SIX, rules, *position), *score);
            }
            let reports = estimates.measure(&known, &[0, 1, 6], &Stop::never()).unwrap().unwrap();
            assert_eq!(reports.iter().map(|report| report.plies).collect::<Vec<_>>(), [0, 1, 6]);
            let last = reports[2];
            assert_eq!((last.positions, last.best_first, last.error, last.bias), (12, 12, 0.0, 0.0));
            assert!(reports[0].error > 0.0 && reports[0].best_first == reports[1].best_first);
            assert!(reports[0].bias.abs() <= reports[0].error);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_positions_and_a_stop_none() {
        let rules = Rules::default();
        let estimates = Estimates::new(Evaluator::shipped(Geometry::SIX, Goal::Normal).unwrap(), rules);
        let draw = |seed, stop: &Stop| estimates.positions(5, 6, seed, stop).unwrap();
        assert_eq!(draw(1, &Stop::never()), draw(1, &Stop::never()));
        assert_ne!(draw(1, &Stop::never()), draw(2, &Stop::never()));
        let stop = Stop::never();
        stop.set();
        assert_eq!(draw(1, &stop), None);
    }
}
