//! What the engine's memory of a deeper search changes: where an earlier move had more time, it answers by
//! what was found then. That is no plain minimax of the depth asked for, so it is measured and not tested.

use super::prune::Case;
use super::sample::seed_at;
use super::statistics::Sum;
use crate::engine::thinker::Memory;
use crate::engine::trial::{Opinion, PassCost, Trial};
use crate::eval::Eval;
use crate::search::Stop;
use fastrand::Rng;
use rayon::prelude::*;

/// Searches with a memory that was kept over two moves from a search [`DEEPER`] plies deeper, against minimax.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Kept {
    /// How far the values are from one another, in discs.
    pub difference: Sum,
    /// Searches whose value is another.
    pub changed: u64,
    /// Searches whose move is not a best one of minimax.
    pub other_moves: u64,
}

/// How much deeper the first search is: one ply more than the two moves take off it.
pub const DEEPER: u32 = 3;
/// Bytes of the memory.
const MEMORY: usize = 1 << 20;

/// Searches each case that is judged by the engine's evaluation, goes on by two random moves, searches
/// again with what is remembered, and compares.
pub fn measure(cases: &[Case], seed: u64) -> Kept {
    let cases: Vec<(u64, &Case)> = (0..).zip(cases).collect();
    let measured: Vec<(i64, bool)> =
        cases.into_par_iter().filter_map(|(place, case)| one(case, seed_at(seed, place))).collect();
    let mut kept = Kept::default();
    for (units, other_move) in measured {
        kept.difference.add(units as f64 / f64::from(Eval::UNITS_PER_DISC));
        kept.changed += u64::from(units != 0);
        kept.other_moves += u64::from(other_move);
    }
    kept
}

fn one(case: &Case, seed: u64) -> Option<(i64, bool)> {
    if !matches!(case.opinion, Opinion::Engine(_)) {
        return None;
    }
    let (stop, mut memory) = (Stop::never(), Memory::new(MEMORY));
    let first = Trial { depth: case.depth + DEEPER, ..trial(case, case.position) };
    first.engine_search(&mut memory, &stop)?;
    let mut random = Rng::with_seed(seed);
    let mut position = case.position;
    for _ in 0..2 {
        position = random.choice(position.children(case.geometry))?.1;
    }
    let second = trial(case, position);
    let found = second.engine_search(&mut memory, &stop)?;
    let moves = second.minimax(PassCost::Nothing);
    let best = moves.iter().map(|&(_, value)| value).max()?;
    let chosen = moves.iter().find(|(mv, _)| *mv == found.mv)?.1;
    Some(((found.points? - best).abs(), chosen != best))
}

fn trial(case: &Case, position: crate::rules::Position) -> Trial<'_> {
    Trial {
        opinion: &case.opinion,
        geometry: case.geometry,
        position,
        goal: case.goal,
        passing: case.passing,
        depth: case.depth,
    }
}
