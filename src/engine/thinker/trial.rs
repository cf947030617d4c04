//! The engine's search of one position to a fixed depth, as it is in play, with nothing remembered before.

use super::cuts::Cuts;
use super::judge::Judge;
use super::level::Strength;
use super::memory::Memory;
use super::root::{self, Step};
use super::search::{Ground, Search};
use crate::engine::plain_search::Found;
use crate::engine::trial::Trial;
use crate::rules::{Move, Passing, Rules, Scoring};
use crate::search::{FinishingTools, MemoryError, Solver, SolverOptions, Stop};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Bytes of what the search remembers, and of the exact search of the last squares.
const MEMORY_BYTES: usize = 1 << 18;

/// Deepens to the depth of the trial, cutting off probably useless lines or none; points are units of an
/// [`Eval`](crate::eval::Eval). `None` if there is no square to put a disc on.
///
/// # Errors
/// When the memory cannot be had.
pub(in crate::engine) fn search_to_depth(
    trial: &Trial,
    judge: &Judge,
    selective: bool,
    stop: &Stop,
) -> Result<Option<Found>, MemoryError> {
    let rules = Rules::new(trial.goal, Scoring::Raw);
    let confidence = Strength::usual().confidence.filter(|_| selective);
    let (memory, done) = (Memory::new(MEMORY_BYTES)?, AtomicBool::new(false));
    let ground = Ground {
        geometry: trial.geometry,
        rules,
        passing: trial.passing,
        judge,
        memory: &memory,
        cuts: confidence.and_then(|tenths| Cuts::find(trial.geometry, trial.goal, tenths)),
        stop,
        done: &done,
    };
    let options = SolverOptions { memory_bytes: MEMORY_BYTES, threads: 1, ..SolverOptions::default() };
    let solver = Solver::with_ordering(trial.geometry, rules, options, judge.evaluator())?;
    let tools = FinishingTools::default();
    let finisher = (trial.passing == Passing::Allowed).then(|| solver.finisher(&tools, stop));
    let mut search = Search::new(ground, finisher);
    let started = Instant::now();
    let found = root::deepen(&mut search, trial.position, &mut (1..=trial.depth).map(Step::usual), || false);
    let (time, nodes) = (started.elapsed(), search.all_nodes());
    Ok(found.map(|found| Found {
        mv: Move::Play(found.square).into(),
        points: found.value.map(i64::from),
        nodes,
        time,
    }))
}
