//! What searches are expected to cost: only the division into parts and what is told of the time rest on it.

use super::super::job::SearchJob;
use super::super::plan::BuildPlan;
use super::search_result::SearchResult;
use reversi_rules::playout::playout;
use reversi_rules::{Geometry, Position};
use reversi_solver::search::cost::GROWTH_OF_A_PLY;
use reversi_solver::search::{Solver, Stop};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Sizes that are searched for the first guess, and how many of each: below a second in all.
const GUESSED_EMPTIES: std::ops::RangeInclusive<u32> = 6..=14;
const GUESSES: u32 = 12;
/// Results of one size that outweigh the guess.
const ENOUGH: u64 = 3;

/// Expected nodes of the search of a score, by number of empty squares.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Costs(Vec<u64>);

impl Costs {
    /// From quick searches of positions that random moves lead to, and the nodes a second of these. `None` when stopped.
    pub fn guessed(plan: &BuildPlan, solver: &Solver, stop: &Stop) -> Option<(Costs, Option<f64>)> {
        let begun = Instant::now();
        let mut all_nodes = 0;
        let mut random = fastrand::Rng::with_seed(1);
        let most = plan.root.empty_count(plan.geometry);
        let mut sums = Sums::new(plan.geometry);
        for empties in GUESSED_EMPTIES.filter(|&empties| empties <= most) {
            for _ in 0..GUESSES {
                let mut game = playout(plan.geometry, plan.root, &mut random);
                let has_as_many = |position: &Position| position.empty_count(plan.geometry) == empties;
                let Some(position) = game.find(has_as_many) else { continue };
                let nodes = solver.solve(position, stop).ok()?.nodes;
                sums.add(empties, nodes as f64);
                all_nodes += nodes;
            }
        }
        let rate = (all_nodes > 0).then(|| all_nodes as f64 / begun.elapsed().as_secs_f64());
        let costs = sums.costs(&Costs(vec![1; plan.geometry.square_count() as usize + 1]));
        Some((costs, rate))
    }

    /// What the searches of a round have really cost, where there were any; elsewhere along these.
    pub fn measured<'a>(
        &self,
        geometry: Geometry,
        results: impl Iterator<Item = (&'a SearchJob, &'a SearchResult)>,
    ) -> Costs {
        let mut sums = Sums::new(geometry);
        for (job, result) in results {
            let empties = job.position().empty_count(geometry);
            sums.add(empties, result.nodes as f64 * 10.0 / factor(job) as f64);
        }
        sums.costs(self)
    }

    /// Expected nodes of a search.
    pub fn of(&self, geometry: Geometry, job: &SearchJob) -> u64 {
        let empties = job.position().empty_count(geometry) as usize;
        (self.0.get(empties).copied().unwrap_or(1) * factor(job) / 10).max(1)
    }
}

/// Tenths of the nodes for the score: proofs that earlier moves do not reach it come on top, or are all that is searched.
fn factor(job: &SearchJob) -> u64 {
    match job {
        SearchJob::Value(_) => 10,
        SearchJob::Both(_) => 13,
        SearchJob::Move(..) => 7,
    }
}

/// Nodes and searches by number of empty squares.
struct Sums(Vec<(f64, u64)>);

impl Sums {
    fn new(geometry: Geometry) -> Sums {
        Sums(vec![(0.0, 0); geometry.square_count() as usize + 1])
    }

    fn add(&mut self, empties: u32, nodes: f64) {
        let sum = &mut self.0[empties as usize];
        *sum = (sum.0 + nodes, sum.1 + 1);
    }

    /// Where enough was measured the mean of it; elsewhere the nearest such size, scaled by the usual growth.
    fn costs(&self, before: &Costs) -> Costs {
        let measured: Vec<(usize, f64)> = (0..)
            .zip(&self.0)
            .filter(|(_, sum)| sum.1 >= ENOUGH)
            .map(|(empties, sum)| (empties, sum.0 / sum.1 as f64))
            .collect();
        let along = |empties: usize| {
            let (near, nodes) =
                measured.iter().min_by_key(|(size, _)| (size.abs_diff(empties), usize::MAX - size))?;
            Some((nodes * GROWTH_OF_A_PLY.powi(empties as i32 - *near as i32)).clamp(1.0, 1e15) as u64)
        };
        Costs(before.0.iter().enumerate().map(|(empties, &cost)| along(empties).unwrap_or(cost)).collect())
    }
}
