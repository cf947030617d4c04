//! The expected cost of searches: only the division into parts and the estimate of the time depend on it.

use reversi_rules::playout::playout;
use reversi_rules::{Geometry, Position};
use reversi_solver::search::cost::GROWTH_OF_A_PLY;
use reversi_solver::search::{Solver, Stop};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Sizes that are searched for the first guess, and searches per size: less than a second in total.
const SAMPLE_EMPTIES: std::ops::RangeInclusive<u32> = 6..=14;
const SAMPLES_PER_SIZE: u32 = 12;
/// Results of one size that are enough to replace the guess.
const ENOUGH_RESULTS: u64 = 3;

/// Expected nodes of the search of a score, by number of empty squares.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Costs(Vec<u64>);

impl Costs {
    /// Guesses costs from quick searches of positions that random moves reach from a root. Also returns the nodes per
    /// second of the largest of these searches, which are the least disturbed by their start and end. `None` if
    /// stopped.
    pub fn guessed(root: Position, solver: &Solver, stop: &Stop) -> Option<(Costs, Option<f64>)> {
        let geometry = solver.geometry();
        // Memory that is used for the first time would slow these searches down.
        solver.populate();
        let mut rate = None;
        let mut random = fastrand::Rng::with_seed(1);
        let most = root.empty_count(geometry);
        let mut sums = Sums::new(geometry);
        for empties in SAMPLE_EMPTIES.filter(|&empties| empties <= most) {
            let (begun, mut all_nodes) = (Instant::now(), 0);
            for _ in 0..SAMPLES_PER_SIZE {
                let mut game = playout(geometry, root, &mut random);
                let has_as_many = |position: &Position| position.empty_count(geometry) == empties;
                let Some(position) = game.find(has_as_many) else { continue };
                let nodes = solver.solve(position, stop).ok()?.nodes;
                sums.add(empties, nodes as f64);
                all_nodes += nodes;
            }
            rate = (all_nodes > 0).then(|| all_nodes as f64 / begun.elapsed().as_secs_f64()).or(rate);
        }
        Some((sums.costs(&Costs(vec![1; geometry.square_count() as usize + 1])), rate))
    }

    /// The costs measured in a round, extrapolated to sizes without searches. Each search is given as its number of
    /// empty squares, and its nodes as if its score had been asked for.
    pub fn measured(&self, geometry: Geometry, searches: impl Iterator<Item = (u32, f64)>) -> Costs {
        let mut sums = Sums::new(geometry);
        searches.for_each(|(empties, nodes)| sums.add(empties, nodes));
        sums.costs(self)
    }

    /// Expected nodes of the search of a score.
    pub fn of(&self, empties: u32) -> u64 {
        self.0.get(empties as usize).copied().unwrap_or(1)
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

    /// The mean if enough was measured; else that of the nearest such size, scaled by the usual growth.
    fn costs(&self, before: &Costs) -> Costs {
        let measured: Vec<(usize, f64)> = (0..)
            .zip(&self.0)
            .filter(|(_, sum)| sum.1 >= ENOUGH_RESULTS)
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
