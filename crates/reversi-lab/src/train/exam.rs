//! Examines the learned weights: static estimates against exact values, on positions of new games.

use super::games::{self, Games, Met, Play};
use rayon::prelude::*;
use reversi_rules::{Geometry, Move, Position, Rules};
use reversi_solver::eval::{Eval, Evaluator};
use reversi_solver::search::{Proved, Sizing, Solver, SolverOptions, Stop};
use serde::Serialize;
use std::sync::Arc;

/// Memory of each thread's solver.
const SOLVER_BYTES: usize = 32 << 20;

/// Games played per position of a stage.
const GAMES_PER_POSITION: u32 = 2;

/// The errors of the estimates in one stage.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ExamReport {
    /// Fewest and most empties of the positions.
    pub empties: (u32, u32),
    /// Positions examined.
    pub positions: usize,
    /// Mean absolute difference of the estimate, without any search, and the exact score, in discs.
    pub error: f64,
    /// Positions where there is a choice.
    pub choices: usize,
    /// Number of these in which an exactly best move leads to the child with the best estimate.
    pub best_first: usize,
}

/// The result on one position.
struct Mark {
    error: f64,
    /// Whether a best move was ranked first; `None` without a choice.
    best_first: Option<bool>,
}

/// The settings of an exam.
pub(super) struct Exam<'a> {
    pub evaluator: &'a Arc<Evaluator>,
    pub rules: Rules,
    /// Empties a stage.
    pub stage_width: u32,
    /// Positions with more empties are not examined; 0 for no exam.
    pub most_empties: u32,
    /// How the games are played.
    pub play: Play,
    /// Positions of each stage.
    pub positions: u32,
    pub seed: u64,
}

impl Exam<'_> {
    /// One report for each stage, from the end of the game on. `None` if `stop` was set before the end.
    pub fn take(&self, stop: &Stop) -> Option<Vec<ExamReport>> {
        if self.most_empties == 0 {
            // Games would be played for nothing.
            return Some(Vec::new());
        }
        let geometry = self.evaluator.geometry();
        let games = self.positions * GAMES_PER_POSITION;
        let Exam { play, seed, .. } = *self;
        let how =
            Games { geometry, rules: self.rules, player: Some(self.evaluator), play, seed, settled_at: 0 };
        let met = games::play(how, games, stop)?;
        let most = self.most_empties.min(geometry.square_count() - 4);
        (0..=most / self.stage_width)
            .map(|stage| self.examine(stage * self.stage_width, most, &met, stop))
            .filter(|report| report.as_ref().is_none_or(|report| report.positions > 0))
            .collect()
    }

    fn examine(&self, first: u32, most: u32, met: &[Vec<Met>], stop: &Stop) -> Option<ExamReport> {
        let empties = (first.max(1), (first + self.stage_width - 1).min(most));
        let drawn: Vec<Position> = met[empties.0 as usize..=empties.1 as usize]
            .iter()
            .flat_map(|met| spread(met, self.positions.div_ceil(self.stage_width) as usize))
            .collect();
        let solver = || self.solver();
        let mark = |solver: &mut Solver, position: Position| self.mark(solver, position, stop).ok();
        let marks: Vec<Mark> = drawn.into_par_iter().map_init(solver, mark).collect::<Option<_>>()?;
        let sum: f64 = marks.iter().map(|mark| mark.error).sum();
        Some(ExamReport {
            empties,
            positions: marks.len(),
            error: sum / marks.len().max(1) as f64,
            choices: marks.iter().filter(|mark| mark.best_first.is_some()).count(),
            best_first: marks.iter().filter(|mark| mark.best_first == Some(true)).count(),
        })
    }

    /// # Panics
    /// If not even the few megabytes of its table can be had.
    fn solver(&self) -> Solver {
        let options = SolverOptions { memory_bytes: SOLVER_BYTES, threads: 1, sizing: Sizing::default() };
        let order = Some(self.evaluator.clone());
        Solver::with_ordering(self.evaluator.geometry(), self.rules, options, order)
            .expect("a few megabytes of memory")
    }

    fn mark(&self, solver: &Solver, position: Position, stop: &Stop) -> Result<Mark, Proved> {
        let score = solver.solve(position, stop)?.score;
        let error = (self.evaluator.evaluate(position).discs() - Eval::from(score).discs()).abs();
        let best_first = match self.preferred(solver.geometry(), position) {
            Some(child) => Some(solver.is_at_most(child, -score, stop)?),
            None => None,
        };
        Ok(Mark { error, best_first })
    }

    /// The child with the best estimate for the side to move in `position`; `None` without a choice.
    fn preferred(&self, geometry: Geometry, position: Position) -> Option<Position> {
        let children = position.children(geometry);
        let looks = |child: Position| match child.is_over(geometry) {
            true => child.final_score(geometry, self.rules).into(),
            false => self.evaluator.evaluate(child),
        };
        let [_, _, ..] = children[..] else { return None };
        let best = children.into_iter().min_by_key(|&(_, child): &(Move, Position)| looks(child));
        best.map(|(_, child)| child)
    }
}

/// At most `count` of the positions, evenly spread: they are sorted by their discs.
fn spread(met: &[Met], count: usize) -> impl Iterator<Item = Position> {
    let count = count.min(met.len());
    (0..count).map(move |i| met[i * met.len() / count].position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::Goal;
    use reversi_solver::search::reference::minimax;

    /// On positions with up to seven empty squares.
    fn exam_of(evaluator: &Arc<Evaluator>, rules: Rules, stage_width: u32, positions: u32) -> Exam<'_> {
        Exam { evaluator, rules, stage_width, most_empties: 7, play: Play::Wild, positions, seed: 1 }
    }

    #[test]
    fn marks_agree_with_plain_minimax() {
        for goal in Goal::ALL {
            let evaluator = Evaluator::shipped(Geometry::SIX, goal).unwrap();
            let rules = Rules { goal, ..Rules::default() };
            let exam = exam_of(&evaluator, rules, 2, 8);
            let solver = exam.solver();
            let (geometry, player) = (Geometry::SIX, Some(&*evaluator));
            let how = Games { geometry, rules, player, play: Play::Wild, seed: 5, settled_at: 0 };
            let met = games::play(how, 20, &Stop::never()).unwrap();
            for met in spread(&met[7], 12) {
                let mark = exam.mark(&solver, met, &Stop::never()).unwrap();
                let score = minimax::minimax(Geometry::SIX, rules, met);
                let error = (evaluator.evaluate(met).discs() - f64::from(score.discs())).abs();
                assert_eq!(mark.error, error, "{met:?}");
                let is_best = |child| minimax::minimax(Geometry::SIX, rules, child) == -score;
                assert_eq!(mark.best_first, exam.preferred(Geometry::SIX, met).map(is_best), "{met:?}");
            }
        }
    }

    #[test]
    fn every_stage_is_examined() {
        let evaluator = Evaluator::shipped(Geometry::SIX, Goal::Normal).unwrap();
        let rules = Rules::default();
        for (width, most, stages) in [
            (3, 7, &[(1, 2), (3, 5), (6, 7)][..]),
            (2, 6, &[(1, 1), (2, 3), (4, 5), (6, 6)]),
            (1, 3, &[(1, 1), (2, 2), (3, 3)]),
        ] {
            let exam = Exam { most_empties: most, ..exam_of(&evaluator, rules, width, 9) };
            let reports = exam.take(&Stop::never()).unwrap();
            let empties: Vec<(u32, u32)> = reports.iter().map(|report| report.empties).collect();
            assert_eq!(empties, stages);
            assert!(reports.iter().all(|report| report.best_first <= report.choices));
        }
    }

    #[test]
    fn without_an_exam_no_games_are_played() {
        let evaluator = Evaluator::shipped(Geometry::SIX, Goal::Normal).unwrap();
        let exam = exam_of(&evaluator, Rules::default(), 2, 9);
        // Every game looks at the stop before it begins.
        let stopped = Stop::after_looks(0);
        assert_eq!(exam.take(&stopped), None);
        assert_eq!(Exam { most_empties: 0, ..exam }.take(&stopped), Some(Vec::new()));
    }
}
