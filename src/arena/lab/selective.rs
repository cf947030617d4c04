//! What the engine's probable cut-offs cost in accuracy and save in nodes, against its search of every line.

use crate::arena::statistics::Sum;
use crate::engine::opinion::Opinion;
use crate::engine::plain_search::Found;
use crate::engine::trial::Trial;
use crate::eval::Eval;
use crate::search::Stop;
use rayon::prelude::*;

/// Plies of the searches that are compared.
pub const DEPTH: u32 = 8;

/// Searches with probable cut-offs beside searches without.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Selective {
    /// How far the values are from one another, in discs.
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

/// Compares at the positions of all trials on boards with learned weights, at [`DEPTH`]; the others have no
/// probable cut-offs. Once stopped, what was done.
pub fn measure(trials: &[Trial], stop: &Stop) -> Selective {
    let both: Vec<(Found, Found)> = trials.par_iter().filter_map(|trial| both(trial, stop)).collect();
    let mut measured = Selective::default();
    for (cut, whole) in both {
        let units = cut.points.unwrap_or_default().abs_diff(whole.points.unwrap_or_default());
        measured.difference.add(units as f64 / f64::from(Eval::UNITS_PER_DISC));
        measured.changed += u64::from(units != 0);
        measured.other_moves += u64::from(cut.mv != whole.mv);
        measured.nodes += cut.nodes;
        measured.all_nodes += whole.nodes;
    }
    measured
}

/// `None` on other boards, where the memory cannot be had, or once stopped.
fn both(trial: &Trial, stop: &Stop) -> Option<(Found, Found)> {
    let Opinion::Engine(judge) = &trial.opinion else { return None };
    judge.evaluator()?;
    let trial = Trial { depth: DEPTH, ..trial.clone() };
    let both = (trial.engine_search(true, stop).ok()??, trial.engine_search(false, stop).ok()??);
    (!stop.is_set()).then_some(both)
}
