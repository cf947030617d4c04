//! Measures how far shallow searches differ from deep ones: the basis of ProbCut.

use reversi_rules::{Board, Geometry, Passing, Position, Rules, Scoring, Start};
use reversi_solver::eval::Evaluation;
use reversi_solver::eval::{Eval, Evaluator};
use reversi_solver::search::midgame::Iteration;
use reversi_solver::search::midgame::{MidgameContext, MidgameSearch, deepen};
use reversi_solver::search::probcut::{
    END_DEPTHS, LEAST_DEPTH, MEASURED_DEPTH, MEASURED_ENDS, PHASES, ProbCut, Sigmas, phase_of, shallow_depth,
};
use reversi_solver::search::tt::MidgameTable;
use reversi_solver::search::{MemoryError, Solver, SolverOptions, Stop};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The share of random moves in the games from which positions are drawn.
const RANDOM_SHARE: f64 = 0.15;
const MEMORY_BYTES: usize = 32 << 20;

/// Measures an evaluation on the given number of positions for each phase and for each number of empty squares near the
/// end; `None` if stopped.
///
/// # Errors
/// When the memory for the solver cannot be had.
pub fn measure_sigmas(
    evaluator: Arc<Evaluator>,
    positions: u32,
    seed: u64,
    stop: &Stop,
) -> Result<Option<Sigmas>, MemoryError> {
    Ok(Lab::new(evaluator, seed, stop)?.measure(positions))
}

/// The tools of a measurement.
pub(crate) struct Lab<'a> {
    pub geometry: Geometry,
    pub rules: Rules,
    pub evaluation: Evaluation,
    table: MidgameTable,
    pub solver: Solver,
    random: fastrand::Rng,
    pub stop: &'a Stop,
}

/// The sum of squared errors.
#[derive(Clone, Copy, Default)]
struct Spread {
    squares: f64,
    count: u32,
}

impl Spread {
    fn add(&mut self, error: i32) {
        self.squares += f64::from(error).powi(2);
        self.count += 1;
    }

    fn root_mean_square(self) -> i32 {
        (self.squares / f64::from(self.count.max(1))).sqrt().round() as i32
    }
}

impl<'a> Lab<'a> {
    pub fn new(evaluator: Arc<Evaluator>, seed: u64, stop: &'a Stop) -> Result<Lab<'a>, MemoryError> {
        let (geometry, rules) = (evaluator.geometry(), Rules::new(evaluator.goal(), Scoring::Winner));
        let evaluation = Evaluation::Learned(evaluator);
        let options = SolverOptions { memory_bytes: MEMORY_BYTES, threads: 1, ..SolverOptions::default() };
        let solver = Solver::with_ordering(geometry, rules, options, evaluation.evaluator())?;
        let random = fastrand::Rng::with_seed(seed);
        let table = MidgameTable::new(MEMORY_BYTES)?;
        Ok(Lab { geometry, rules, evaluation, table, solver, random, stop })
    }

    fn measure(&mut self, positions: u32) -> Option<Sigmas> {
        let mut middle = [[Spread::default(); (MEASURED_DEPTH - LEAST_DEPTH + 1) as usize]; PHASES];
        let squares = self.geometry.square_count();
        for _ in 0..positions * PHASES as u32 {
            let empties = self.random.u32(MEASURED_DEPTH + 2..squares - 5);
            let Some(position) = self.position(empties) else { continue };
            let row = &mut middle[phase_of(self.geometry, empties)];
            let values = self.values_to(position, MEASURED_DEPTH, None)?;
            for depth in LEAST_DEPTH..=MEASURED_DEPTH {
                let value = |depth: u32| values[depth as usize - 1];
                row[(depth - LEAST_DEPTH) as usize].add(value(depth) - value(shallow_depth(depth)));
            }
        }
        // On small boards no position of the last phase is far enough from the end.
        for phase in (0..PHASES - 1).rev() {
            if middle[phase][0].count == 0 {
                middle[phase] = middle[phase + 1];
            }
        }
        let mut end = [[Spread::default(); 2]; 4];
        for empties in MEASURED_ENDS.0..=MEASURED_ENDS.1 {
            for _ in 0..positions {
                let Some(position) = self.position(empties) else { continue };
                let exact = Eval::from(self.solver.solve(position, self.stop).ok()?.score).units();
                let values = self.values_to(position, END_DEPTHS[1], None)?;
                for (which, depth) in END_DEPTHS.into_iter().enumerate() {
                    let spread = &mut end[(empties - MEASURED_ENDS.0) as usize / 2][which];
                    spread.add(exact - values[depth as usize - 1]);
                }
            }
        }
        Some(Sigmas {
            middle: middle.map(|row| row.map(Spread::root_mean_square)),
            end: end.map(|row| row.map(Spread::root_mean_square)),
        })
    }

    /// The values of all depths from 1 to `most`. `None` if stopped.
    pub fn values_to(&mut self, position: Position, most: u32, probcut: Option<ProbCut>) -> Option<Vec<i32>> {
        self.table.forget();
        let done = AtomicBool::new(false);
        let context = MidgameContext {
            geometry: self.geometry,
            rules: self.rules,
            passing: Passing::Allowed,
            evaluation: &self.evaluation,
            table: &self.table,
            probcut,
            stop: self.stop,
            done: &done,
        };
        let mut search = MidgameSearch::new(context, None);
        (1..=most)
            .map(|depth| {
                deepen(&mut search, position, &mut [Iteration::usual(depth)].into_iter(), |_| false)?.value
            })
            .collect()
    }

    /// A position with the given number of empty squares and a move, from a game of the evaluation with itself with
    /// some random moves; `None` if the game ended before.
    pub fn position(&mut self, empties: u32) -> Option<Position> {
        let mut position = Board::start(self.geometry, Start::Diagonal).position();
        while position.empty_count(self.geometry) > empties || position.must_pass(self.geometry) {
            let children = position.children(self.geometry);
            let best = children.iter().min_by_key(|(_, child)| self.evaluation.estimate(*child))?.1;
            let is_random = self.random.f64() < RANDOM_SHARE;
            position = if is_random { self.random.choice(children)?.1 } else { best };
        }
        let is_as_asked = position.empty_count(self.geometry) == empties && !position.is_over(self.geometry);
        is_as_asked.then_some(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::Goal;

    #[test]
    fn the_same_seed_measures_the_same_and_says_it_in_code() {
        let measure = || {
            let evaluator = Evaluator::shipped(Geometry::SIX, Goal::Reversed).expect("6x6 has one");
            measure_sigmas(evaluator, 1, 3, &Stop::never()).unwrap().expect("nothing stops it")
        };
        let measured = measure();
        assert_eq!(measured, measure());
        assert!(measured.to_string().starts_with("    middle: [["), "{measured}");
    }
}
