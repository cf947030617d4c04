//! The engine's search of one position to a fixed depth, as in play, with empty tables.

use super::level::Strength;
use crate::any_evaluation::AnyEvaluation;
use crate::experiment::Experiment;
use crate::plain_search::Found;
use crate::processor_time::Stopwatch;
use reversi_rules::{Move, Passing, Rules, Scoring};
use reversi_solver::search::midgame::{Iteration, MidgameContext, MidgameSearch, deepen};
use reversi_solver::search::probcut::ProbCut;
use reversi_solver::search::tt::MidgameTable;
use reversi_solver::search::{EndgameContext, MemoryError, Solver, SolverOptions, Stop};
use std::sync::atomic::AtomicBool;

/// Bytes of the midgame table, and of the exact search's table.
const MEMORY_BYTES: usize = 1 << 18;

impl Experiment {
    /// The engine's search with iterative deepening to the depth; `selective` turns on ProbCut, where the board has
    /// it. `None` for an evaluation that is not the engine's, or without a legal placement.
    ///
    /// # Errors
    /// When the memory is not available.
    pub fn engine_search(&self, selective: bool, stop: &Stop) -> Result<Option<Found>, MemoryError> {
        let AnyEvaluation::Engine(evaluation) = &self.evaluation else { return Ok(None) };
        let rules = Rules::new(self.goal, Scoring::Raw);
        let confidence = Strength::usual().confidence.filter(|_| selective);
        let (table, done) = (MidgameTable::new(MEMORY_BYTES)?, AtomicBool::new(false));
        let context = MidgameContext {
            geometry: self.geometry,
            rules,
            passing: self.passing,
            evaluation,
            table: &table,
            probcut: confidence.and_then(|tenths| ProbCut::find(self.geometry, self.goal, tenths)),
            stop,
            done: &done,
        };
        let options = SolverOptions { memory_bytes: MEMORY_BYTES, threads: 1, ..SolverOptions::default() };
        let solver = Solver::with_ordering(self.geometry, rules, options, evaluation.evaluator())?;
        let tools = EndgameContext::default();
        let endgame_search =
            (self.passing == Passing::Allowed).then(|| solver.endgame_search(MEMORY_BYTES, &tools, stop));
        let mut search = MidgameSearch::new(context, endgame_search);
        let started = Stopwatch::start();
        let found =
            deepen(&mut search, self.position, &mut (1..=self.depth).map(Iteration::usual), |_| false);
        let (time, nodes) = (started.elapsed(), search.all_nodes());
        Ok(found.map(|found| Found {
            mv: Move::Play(found.square).into(),
            points: found.value.map(i64::from),
            nodes,
            time,
        }))
    }
}
