//! The engine's search of one position to a fixed depth, as it is in play, with nothing remembered before.

use super::cuts::Cuts;
use super::level::Strength;
use super::memory::Memory;
use super::root::{self, Step};
use super::search::{Ground, Search};
use crate::opinion::Opinion;
use crate::plain_search::Found;
use crate::trial::Trial;
use reversi_rules::{Move, Passing, Rules, Scoring};
use reversi_solver::search::{FinishingTools, MemoryError, Solver, SolverOptions, Stop};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Bytes of what the search remembers, and of the exact search of the last squares.
const MEMORY_BYTES: usize = 1 << 18;

impl Trial {
    /// The engine's search, deepening to the depth with all it has; `selective` with its probable cut-offs, where
    /// the board has them. `None` for an evaluation that is not the engine's, or without a square to put a
    /// disc on.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn engine_search(&self, selective: bool, stop: &Stop) -> Result<Option<Found>, MemoryError> {
        let Opinion::Engine(judge) = &self.opinion else { return Ok(None) };
        let rules = Rules::new(self.goal, Scoring::Raw);
        let confidence = Strength::usual().confidence.filter(|_| selective);
        let (memory, done) = (Memory::new(MEMORY_BYTES)?, AtomicBool::new(false));
        let ground = Ground {
            geometry: self.geometry,
            rules,
            passing: self.passing,
            judge,
            memory: &memory,
            cuts: confidence.and_then(|tenths| Cuts::find(self.geometry, self.goal, tenths)),
            stop,
            done: &done,
        };
        let options = SolverOptions { memory_bytes: MEMORY_BYTES, threads: 1, ..SolverOptions::default() };
        let solver = Solver::with_ordering(self.geometry, rules, options, judge.evaluator())?;
        let tools = FinishingTools::default();
        let finisher =
            (self.passing == Passing::Allowed).then(|| solver.finisher(MEMORY_BYTES, &tools, stop));
        let mut search = Search::new(ground, finisher);
        let started = Instant::now();
        let found =
            root::deepen(&mut search, self.position, &mut (1..=self.depth).map(Step::usual), || false);
        let (time, nodes) = (started.elapsed(), search.all_nodes());
        Ok(found.map(|found| Found {
            mv: Move::Play(found.square).into(),
            points: found.value.map(i64::from),
            nodes,
            time,
        }))
    }
}
