//! What a region will cost, guessed from a short sample before any of it is solved.
//!
//! The walk is done with a stand-in for perfect play: the move that leaves the other side the fewest
//! moves. Layers too large to be listed are guessed to grow as those before them did. Some positions of each
//! size are searched until the time is over; larger ones are guessed to cost more by the growth seen so far.

use super::layer::{Layer, Roles, children};
use super::region::Plan;
use crate::rules::{Geometry, Position};
use crate::search::{Solver, Stop};
use std::time::{Duration, Instant};

/// A layer with more positions than this is not listed.
const MOST_LISTED: usize = 100_000;
/// Searches of each size.
const SAMPLES: usize = 6;
/// What a position with one empty square more costs, where too few were measured; and between which
/// bounds a measured growth is believed. On 6x6 two plies cost about 4.5 times more.
const USUAL_GROWTH: f64 = 2.1;
const BELIEVED_GROWTH: (f64, f64) = (1.9, 2.3);
/// What a search of the walks costs when related positions were searched before and the table remembers, in
/// searches of a position alone. Those of the prefix, large and far apart, hardly share anything.
const SHARED: f64 = 0.35;
/// All searches for a position of the walk together, its best move included, in searches of its score.
const SEARCHES_A_POSITION: f64 = 1.5;
/// Bytes of a table and of a checkpoint for each position; measured on 6x6.
const TABLE_BYTES: f64 = 8.0;
const CHECKPOINT_BYTES: f64 = 12.0;
/// Bytes of memory for each position, the transposition table not counted.
const MEMORY_BYTES: f64 = 64.0;

/// Roughly what a build will find and need.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// Positions of the prefix: counted, or guessed where they are many.
    pub prefix: f64,
    /// Of these, positions of the last ply, each to be searched.
    pub last_ply: f64,
    /// Positions of the certified region by number of empty squares, the most first.
    pub region: Vec<(u32, f64)>,
    /// Time for the prefix with one thread.
    pub prefix_time: Duration,
    /// Time for the certified region with one thread.
    pub region_time: Duration,
    /// Searches that were measured.
    pub searches: usize,
}

impl Estimate {
    /// Positions in all; those in both parts are counted twice, which hardly matters.
    pub fn positions(&self) -> f64 {
        self.prefix + self.region.iter().map(|(_, positions)| positions).sum::<f64>()
    }

    /// Bytes of the table.
    pub fn table_bytes(&self) -> f64 {
        self.positions() * TABLE_BYTES
    }

    /// Bytes on the disk while it is built: the checkpoint and the one that replaces it.
    pub fn build_bytes(&self) -> f64 {
        2.0 * self.positions() * CHECKPOINT_BYTES
    }

    /// Bytes of memory besides the transposition table.
    pub fn memory_bytes(&self) -> f64 {
        self.positions() * MEMORY_BYTES
    }
}

/// Looks at a plan for about so long. `None` when told to stop.
///
/// # Panics
/// If the solver is for another board or other rules.
pub fn estimate(plan: &Plan, solver: &Solver, time: Duration, stop: &Stop) -> Option<Estimate> {
    let (prefix, last_ply) = count_prefix(plan);
    let region = count_region(plan);
    let root = plan.root.empty_count(plan.geometry);
    let lowest = u32::from(plan.down_to).min(root - u32::from(plan.prefix));
    let costs = Costs::measure(plan, solver, lowest, time, stop)?;
    let searched = |&&(empties, _): &&(u32, f64)| empties < root - u32::from(plan.prefix);
    let region_seconds: f64 = region
        .iter()
        .filter(searched)
        .map(|&(empties, positions)| positions * SEARCHES_A_POSITION * SHARED * costs.seconds(empties))
        .sum();
    Some(Estimate {
        prefix,
        last_ply,
        prefix_time: seconds(last_ply * costs.seconds(root - u32::from(plan.prefix))),
        region_time: seconds(region_seconds),
        region,
        searches: costs.searches,
    })
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// All positions of the prefix, and those of its last ply.
fn count_prefix(plan: &Plan) -> (f64, f64) {
    let mut layer = Layer::default();
    layer.add(plan.geometry, plan.root, Roles::PREFIX);
    let (mut sum, mut last, mut growth) = (0.0, 0.0, 1.0);
    for ply in 0..=plan.prefix {
        if ply > 0 {
            layer = after_all(plan.geometry, &layer);
        }
        layer.add_passed(plan.geometry);
        let count = if layer.nodes.len() < MOST_LISTED && !layer.nodes.is_empty() {
            layer.nodes.len() as f64
        } else {
            layer = Layer::default();
            last * growth
        };
        growth = if last > 0.0 { count / last } else { 1.0 };
        last = count;
        sum += count;
    }
    (sum, last)
}

/// The positions of both walks by empty squares, from the root down.
fn count_region(plan: &Plan) -> Vec<(u32, f64)> {
    let geometry = plan.geometry;
    let mut layer = Layer::default();
    layer.add(geometry, plan.root, Roles::ALL);
    let mut counts: Vec<(u32, f64)> = Vec::new();
    for empties in (u32::from(plan.down_to)..=plan.root.empty_count(geometry)).rev() {
        layer.add_passed(geometry);
        let listed = layer.nodes.len();
        let count = if listed > 0 || counts.len() < 3 {
            listed as f64
        } else {
            // Layers where one side is to move grow unlike those of the other: two plies at a time.
            let before = |plies: usize| counts[counts.len() - plies].1;
            before(2) * before(1) / before(3).max(1.0)
        };
        counts.push((empties, count));
        layer = match listed {
            0..MOST_LISTED => after_stand_in(geometry, &layer),
            _ => Layer::default(),
        };
    }
    counts
}

/// Everything that can follow a layer.
fn after_all(geometry: Geometry, layer: &Layer) -> Layer {
    let mut next = Layer::default();
    layer.nodes.iter().for_each(|node| next.add_children(geometry, node.position, Roles::PREFIX));
    next
}

/// What follows a layer when the stand-in plays for the side that chooses.
fn after_stand_in(geometry: Geometry, layer: &Layer) -> Layer {
    let mut next = Layer::default();
    for node in &layer.nodes {
        if node.roles.has(Roles::FREE) {
            next.add_children(geometry, node.position, Roles::CHOOSES);
        }
        if node.roles.has(Roles::CHOOSES)
            && let Some(child) = stand_in(geometry, node.position)
        {
            next.add(geometry, child, Roles::FREE);
        }
    }
    next
}

/// The position after the move that leaves the other side the fewest moves.
fn stand_in(geometry: Geometry, position: Position) -> Option<Position> {
    children(geometry, position).min_by_key(|child| child.legal_moves(geometry).count_ones())
}

/// Seconds that a search takes, by empty squares.
struct Costs {
    /// The least number of empty squares that was measured.
    lowest: u32,
    /// From there up.
    measured: Vec<f64>,
    searches: usize,
}

impl Costs {
    fn measure(plan: &Plan, solver: &Solver, lowest: u32, time: Duration, stop: &Stop) -> Option<Costs> {
        let end = Instant::now() + time;
        let deadline = stop.and_at(end);
        let mut rng = fastrand::Rng::with_seed(1);
        let mut costs = Costs { lowest, measured: Vec::new(), searches: 0 };
        for empties in lowest..=plan.root.empty_count(plan.geometry) {
            let started = Instant::now();
            for _ in 0..SAMPLES {
                let Some(position) = descend(plan, empties, &mut rng) else { continue };
                if solver.solve(position, &deadline).is_err() {
                    return (Instant::now() >= end).then_some(costs);
                }
                costs.searches += 1;
            }
            costs.measured.push(started.elapsed().as_secs_f64() / SAMPLES as f64);
        }
        Some(costs)
    }

    fn seconds(&self, empties: u32) -> f64 {
        let Some(&last) = self.measured.last() else { return 0.0 };
        let beyond = (empties - self.lowest.min(empties)) as usize;
        match self.measured.get(beyond) {
            Some(&seconds) => seconds,
            None => last * self.growth().powi((beyond + 1 - self.measured.len()) as i32),
        }
    }

    /// What one empty square more costs.
    fn growth(&self) -> f64 {
        let count = self.measured.len();
        if count < 5 {
            return USUAL_GROWTH;
        }
        let growth = (self.measured[count - 1] / self.measured[count - 5].max(1e-6)).powf(0.25);
        growth.clamp(BELIEVED_GROWTH.0, BELIEVED_GROWTH.1)
    }
}

/// A position of one of the walks, with so many empty squares, that has a move.
fn descend(plan: &Plan, empties: u32, rng: &mut fastrand::Rng) -> Option<Position> {
    let geometry = plan.geometry;
    let mut position = plan.root;
    let mut chooses = rng.bool();
    while position.empty_count(geometry) > empties {
        let next: Vec<Position> = children(geometry, position).collect();
        position = match next.as_slice() {
            [] if position.must_pass(geometry) => position.pass(),
            [] => return None,
            _ if chooses => stand_in(geometry, position)?,
            several => several[rng.usize(..several.len())],
        };
        chooses = !chooses;
    }
    (position.legal_moves(geometry) != 0).then_some(position)
}
