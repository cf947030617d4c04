//! What the engine's ProbCut costs in accuracy and saves in nodes, compared with its full-width search.

use crate::arena::statistics::Sum;
use rayon::prelude::*;
use reversi_engine::AnyEvaluation;
use reversi_engine::experiment::Experiment;
use reversi_engine::plain_search::Found;
use reversi_solver::eval::Eval;
use reversi_solver::search::{MemoryError, Stop};
use serde::Serialize;

/// Plies of the searches that are compared.
pub const DEPTH: u32 = 8;

/// Searches with ProbCut compared with searches without.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Selective {
    /// Absolute difference of the two values, in discs.
    pub difference: Sum,
    /// Searches whose value is another.
    pub changed: u64,
    /// Searches that choose another move.
    pub other_moves: u64,
    /// Nodes with cut-offs.
    pub nodes: u64,
    /// Nodes without.
    pub all_nodes: u64,
}

impl Selective {
    /// The figures.
    pub fn row(&self) -> SelectiveRow {
        SelectiveRow {
            depth: DEPTH,
            searches: self.difference.count,
            changed: self.changed,
            other_moves: self.other_moves,
            mean_difference: self.difference.mean(),
            largest_difference: (self.difference.count > 0).then_some(self.difference.largest),
            nodes: self.nodes,
            nodes_without: self.all_nodes,
        }
    }
}

/// The figures of searches with ProbCut compared with searches without; differences in discs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SelectiveRow {
    /// Plies.
    pub depth: u32,
    /// Pairs of searches.
    pub searches: u64,
    /// Searches whose value is another.
    pub changed: u64,
    /// Searches that choose another move.
    pub other_moves: u64,
    /// Mean distance of the two values; `None` without a search.
    pub mean_difference: Option<f64>,
    /// Largest distance of the two values; `None` without a search.
    pub largest_difference: Option<f64>,
    /// Nodes with cut-offs.
    pub nodes: u64,
    /// Nodes without.
    pub nodes_without: u64,
}

/// Compares at the positions of all trials on boards with learned weights, at [`DEPTH`]; other boards have no ProbCut.
/// After a stop the comparisons that were done are returned.
///
/// # Errors
/// When the memory for a search cannot be had.
pub fn measure(trials: &[Experiment], stop: &Stop) -> Result<Selective, MemoryError> {
    let both = trials.par_iter().filter_map(|trial| both(trial, stop).transpose());
    let mut measured = Selective::default();
    for (cut, whole) in both.collect::<Result<Vec<_>, MemoryError>>()? {
        let units = cut.points.unwrap_or_default().abs_diff(whole.points.unwrap_or_default());
        measured.difference.add(units as f64 / f64::from(Eval::UNITS_PER_DISC));
        measured.changed += u64::from(units != 0);
        measured.other_moves += u64::from(cut.mv != whole.mv);
        measured.nodes += cut.nodes;
        measured.all_nodes += whole.nodes;
    }
    Ok(measured)
}

/// `None` on other boards, or once stopped.
fn both(trial: &Experiment, stop: &Stop) -> Result<Option<(Found, Found)>, MemoryError> {
    if !matches!(&trial.evaluation, AnyEvaluation::Engine(judge) if judge.evaluator().is_some()) {
        return Ok(None);
    }
    let trial = Experiment { depth: DEPTH, ..trial.clone() };
    let both = trial.engine_search(true, stop)?.zip(trial.engine_search(false, stop)?);
    Ok(both.filter(|_| !stop.is_set()))
}
