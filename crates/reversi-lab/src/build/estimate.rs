//! Estimates the cost of a region from a short sample, before any of it is solved.
//!
//! The walk uses known values, and beyond them a stand-in for perfect play: the move that the learned evaluation
//! prefers. Layers too large to be listed are assumed to grow like the layers before them. Some positions of each size
//! are searched until the time is over. The nodes of a search are estimated by a fit over all sizes measured, and the
//! time of a node is the average. Single searches of one size differ a hundredfold, and a busy machine slows some of
//! them down, so neither may decide alone.

use super::job::{MOVE_ALONE, WITH_MOVE};
use super::known_values::{KnownValue, KnownValues};
use super::layer::{Layer, LayerNode, Roles, children};
use super::plan::BuildPlan;
use super::walk::after;
use reversi_rules::key;
use reversi_rules::{Goal, Position};
use reversi_solver::eval::Evaluator;
use reversi_solver::search::cost;
use reversi_solver::search::{Solver, Stop};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A layer with more unknown positions than this is not followed further.
const MOST_LISTED: usize = 100_000;
/// Searches of each size.
const SAMPLES: usize = 32;
/// Plausible growth of the nodes per empty square: a measured growth outside these bounds is an accident of few
/// samples.
const PLAUSIBLE_GROWTH: (f64, f64) = (1.9, 2.3);
/// Number of the largest measured sizes: a fit through them gives the growth, and the cost of these and of larger
/// searches.
const SIZES: usize = 6;
/// Cost of a search of the walks if related positions were searched before and the table holds their results, as a
/// multiple of a search of a position alone. The searches of the prefix, large and far apart, hardly share anything.
const SHARED: f64 = 0.35;
/// Cost of all searches for a position of the walk, its best move included, as a multiple of a search of its score.
const SEARCHES_A_POSITION: f64 = 1.5;
/// Bytes per position in a table and in a checkpoint, measured on 6x6.
const TABLE_BYTES: f64 = 5.5;
const CHECKPOINT_BYTES: f64 = 12.0;
/// Bytes of memory per position, without the transposition table.
const MEMORY_BYTES: f64 = 64.0;

/// Numbers of empty squares, each with a quantity.
pub type ByEmpties = Vec<(u32, f64)>;

/// A rough estimate of the size and the cost of a build.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// Positions of the prefix: counted, or estimated if there are many.
    pub prefix: f64,
    /// The positions of its last ply that have to be searched, since their score, or the move that is wanted too, is
    /// not known.
    pub prefix_searches: f64,
    /// Positions of the certified region by number of empty squares, the most first.
    pub region: ByEmpties,
    /// The positions among these that are not known, in the same order. 0 for sizes with at least as many empty squares
    /// as the last ply of the prefix, since they follow from it.
    pub region_unknown: ByEmpties,
    /// Time for the prefix with one thread.
    pub prefix_time: Duration,
    /// Time for the certified region with one thread.
    pub region_time: Duration,
    /// Number of searches that were measured.
    pub searches: usize,
}

impl Estimate {
    /// Total time with one thread.
    pub fn time(&self) -> Duration {
        self.prefix_time.saturating_add(self.region_time)
    }

    /// Total number of positions; those in both parts are counted twice, which hardly matters.
    pub fn positions(&self) -> f64 {
        self.prefix + self.region.iter().map(|(_, positions)| positions).sum::<f64>()
    }

    /// Positions of the certified region that are not known and do not follow from the prefix.
    pub fn region_searches(&self) -> f64 {
        self.region_unknown.iter().map(|(_, positions)| positions).sum()
    }

    /// The positions of both parts that have to be searched.
    pub fn unknown(&self) -> f64 {
        self.prefix_searches + self.region_searches()
    }

    /// Bytes of the table.
    pub fn table_bytes(&self) -> f64 {
        self.positions() * TABLE_BYTES
    }

    /// Bytes on the disk during the build: the checkpoint and the one that replaces it.
    pub fn build_bytes(&self) -> f64 {
        2.0 * self.positions() * CHECKPOINT_BYTES
    }

    /// Bytes of memory in addition to the transposition table.
    pub fn memory_bytes(&self) -> f64 {
        self.positions() * MEMORY_BYTES
    }
}

/// Estimates a plan in about `time`, given the known values. `None` if stopped.
///
/// # Panics
/// If the solver is for another board or other rules.
pub fn estimate(
    plan: &BuildPlan,
    solver: &Solver,
    known: &KnownValues,
    time: Duration,
    stop: &Stop,
) -> Option<Estimate> {
    let walk = Walk::new(plan, known);
    let (prefix, of_last_ply) = walk.count_prefix();
    let (region, region_unknown) = walk.count_region();
    let mut estimate = Estimate {
        prefix,
        prefix_searches: of_last_ply.scores + of_last_ply.moves,
        region,
        region_unknown,
        prefix_time: Duration::ZERO,
        region_time: Duration::ZERO,
        searches: 0,
    };
    if estimate.unknown() > 0.0 {
        let costs = Costs::measure(&walk, solver, time, stop)?;
        let each = |&(empties, positions): &(u32, f64)| {
            positions * SEARCHES_A_POSITION * SHARED * costs.seconds(empties)
        };
        let of_a_score = if plan.last_moves { WITH_MOVE } else { 1.0 };
        let all = of_last_ply.scores * of_a_score + of_last_ply.moves * MOVE_ALONE;
        estimate.prefix_time = seconds(all * costs.seconds(walk.last_ply_empties()));
        estimate.region_time = seconds(estimate.region_unknown.iter().map(each).sum());
        estimate.searches = costs.searches;
    }
    Some(estimate)
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// Numbers of searches of the last ply of the prefix.
struct LastPlySearches {
    /// Positions whose score is not known.
    scores: f64,
    /// Positions whose score is known, but not their move, which is wanted.
    moves: f64,
}

/// The walk through a region before it is solved.
struct Walk<'a> {
    plan: &'a BuildPlan,
    known: &'a KnownValues,
    /// Known positions by number of empty squares.
    known_by_empties: Vec<f64>,
    evaluator: Option<Arc<Evaluator>>,
}

impl<'a> Walk<'a> {
    fn new(plan: &'a BuildPlan, known: &'a KnownValues) -> Walk<'a> {
        let geometry = plan.geometry;
        let mut known_by_empties = vec![0.0; geometry.square_count() as usize + 1];
        for position in known.iter().filter_map(|known_value| key::unpack(geometry, known_value.key)) {
            known_by_empties[position.empty_count(geometry) as usize] += 1.0;
        }
        let evaluator = Evaluator::shipped(geometry, plan.rules.goal);
        Walk { plan, known, known_by_empties, evaluator }
    }

    /// Empty squares in the last ply of the prefix.
    fn last_ply_empties(&self) -> u32 {
        self.plan.root.empty_count(self.plan.geometry) - u32::from(self.plan.prefix)
    }

    /// Number of positions of a layer that have to be searched; where the side to move must pass, the twin after the
    /// pass is searched.
    fn unknown(&self, layer: &Layer) -> usize {
        let geometry = self.plan.geometry;
        let has_score = |position: Position| {
            self.known.score(position).is_some()
                || position.pass().must_pass(geometry) && self.known.score(position.pass()).is_some()
        };
        let unknown = |position: Position| position.legal_moves(geometry) != 0 && !has_score(position);
        layer.nodes.iter().filter(|node| unknown(node.position)).count()
    }

    /// The searches of the last ply of the prefix, given its number of positions, and the positions if they are listed.
    fn searches_of_last_ply(&self, positions: f64, layer: Option<&Layer>) -> LastPlySearches {
        let lacks_move = |node: &&LayerNode| {
            node.position.legal_moves(self.plan.geometry) != 0 && self.known.best(node.key).is_none()
        };
        let (scores, moves) = match layer {
            None => (self.without_known(self.last_ply_empties(), positions), self.known_without_move()),
            Some(layer) => {
                let scores = self.unknown(layer);
                (scores as f64, (layer.nodes.iter().filter(lacks_move).count() - scores) as f64)
            }
        };
        LastPlySearches { scores, moves: if self.plan.last_moves { moves } else { 0.0 } }
    }

    /// Known values with as many empty squares as the last ply of the prefix, and without a move.
    fn known_without_move(&self) -> f64 {
        let lacks_move = |known_value: &KnownValue| {
            let position = key::unpack(self.plan.geometry, known_value.key);
            let empties = position.map(|position| position.empty_count(self.plan.geometry));
            !known_value.has_move() && empties == Some(self.last_ply_empties())
        };
        self.known.iter().filter(lacks_move).count() as f64
    }

    /// The number of positions without those that are known.
    fn without_known(&self, empties: u32, positions: f64) -> f64 {
        (positions - self.known_by_empties[empties as usize]).max(0.0)
    }

    /// All positions of the prefix, and the searches of its last ply.
    fn count_prefix(&self) -> (f64, LastPlySearches) {
        let geometry = self.plan.geometry;
        let mut first = Layer::default();
        first.add(geometry, self.plan.root, Roles::PREFIX);
        // `None` once there are too many to list.
        let mut layer = Some(first);
        let (mut sum, mut last, mut growth) = (0.0, 0.0, 1.0);
        for ply in 0..=self.plan.prefix {
            if ply > 0 {
                layer = layer.map(|layer| layer.after_all(geometry));
            }
            layer.iter_mut().for_each(|layer| layer.add_passed(geometry));
            layer = layer.filter(|layer| layer.nodes.len() < MOST_LISTED);
            let count = layer.as_ref().map_or(last * growth, |layer| layer.nodes.len() as f64);
            growth = if last > 0.0 { count / last } else { 1.0 };
            last = count;
            sum += count;
        }
        let searches = self.searches_of_last_ply(last, layer.as_ref());
        (sum, searches)
    }

    /// The positions of both walks by empty squares, from the root down, and those of them that are not known.
    fn count_region(&self) -> (ByEmpties, ByEmpties) {
        let BuildPlan { geometry, root, down_to, .. } = *self.plan;
        let mut first = Layer::default();
        first.add(geometry, root, Roles::ALL);
        // `None` once there are too many to list, which the first few never are.
        let mut layer = Some(first);
        let (mut counts, mut all_unknown) = (ByEmpties::new(), ByEmpties::new());
        for empties in (u32::from(down_to)..=root.empty_count(geometry)).rev() {
            layer.iter_mut().for_each(|layer| layer.add_passed(geometry));
            let (count, unknown) = match &layer {
                Some(layer) => (layer.nodes.len() as f64, self.unknown(layer)),
                None => {
                    // Layers where one side is to move grow unlike those of the other: two plies at a time.
                    let before = |plies: usize| counts[counts.len() - plies].1;
                    let count: f64 = before(2) * before(1) / before(3).max(1.0);
                    (count, self.without_known(empties, count) as usize)
                }
            };
            counts.push((empties, count));
            let derived = empties >= self.last_ply_empties();
            all_unknown.push((empties, if derived { 0.0 } else { unknown as f64 }));
            layer = layer.filter(|_| unknown < MOST_LISTED).map(|layer| self.after_walks(&layer));
        }
        (counts, all_unknown)
    }

    /// The next layer if the stand-in plays for the side that chooses.
    fn after_walks(&self, layer: &Layer) -> Layer {
        let geometry = self.plan.geometry;
        let mut next = Layer::default();
        for node in &layer.nodes {
            if node.roles.has(Roles::FREE) {
                next.add_children(geometry, node.position, Roles::CHOOSES);
            }
            if node.roles.has(Roles::CHOOSES)
                && let Some(child) = self.chosen(node.position)
            {
                next.add(geometry, child, Roles::FREE);
            }
        }
        next
    }

    /// The position after the known best move, else after the move of the stand-in.
    fn chosen(&self, position: Position) -> Option<Position> {
        let geometry = self.plan.geometry;
        if position.legal_moves(geometry) == 0 {
            return None;
        }
        match self.known.best(key::canonical(geometry, position).0) {
            Some(best) => Some(after(geometry, position, best)),
            None => self.stand_in(position),
        }
    }

    /// The position after the move that the evaluation prefers. Without an evaluation: after the move that leaves the
    /// opponent the fewest moves, and among these the fewest discs, or under the reversed goal the most.
    fn stand_in(&self, position: Position) -> Option<Position> {
        let geometry = self.plan.geometry;
        let Some(evaluator) = &self.evaluator else {
            return children(geometry, position).min_by_key(|child| {
                let theirs = child.player.count_ones() as i32;
                let good = if self.plan.rules.goal == Goal::Normal { theirs } else { -theirs };
                (child.legal_moves(geometry).count_ones(), good)
            });
        };
        children(geometry, position).min_by_key(|&child| evaluator.evaluate(child))
    }

    /// A position of one of the walks, with `empties` empty squares, that has a move.
    fn descend(&self, empties: u32, rng: &mut fastrand::Rng) -> Option<Position> {
        let geometry = self.plan.geometry;
        let mut position = self.plan.root;
        let mut chooses = rng.bool();
        while position.empty_count(geometry) > empties {
            let next: Vec<Position> = children(geometry, position).collect();
            position = match next.as_slice() {
                [] if position.must_pass(geometry) => position.pass(),
                [] => return None,
                _ if chooses => self.chosen(position)?,
                several => several[rng.usize(..several.len())],
            };
            chooses = !chooses;
        }
        (position.legal_moves(geometry) != 0).then_some(position)
    }
}

/// The cost of searches.
struct Costs {
    /// Mean nodes of a search by number of empty squares, the fewest first, without sizes of which nothing was
    /// searched.
    nodes: ByEmpties,
    seconds_per_node: f64,
    searches: usize,
}

impl Costs {
    fn measure(walk: &Walk, solver: &Solver, time: Duration, stop: &Stop) -> Option<Costs> {
        let geometry = walk.plan.geometry;
        let (started, end) = (Instant::now(), Instant::now() + time);
        let deadline = stop.and_at(end);
        let mut rng = fastrand::Rng::with_seed(1);
        let mut costs = Costs { nodes: ByEmpties::new(), seconds_per_node: 0.0, searches: 0 };
        let mut all_nodes = 0;
        let mut seen = HashSet::new();
        let lowest =
            u32::from(walk.plan.down_to).min(walk.last_ply_empties()).min(cost::MILLISECONDS_EMPTIES);
        for empties in lowest..=walk.plan.root.empty_count(geometry) {
            let before = (all_nodes, costs.searches);
            for _ in 0..SAMPLES {
                // A position searched before costs nothing, since the table holds its result.
                let Some(position) = walk.descend(empties, &mut rng).filter(|found| seen.insert(*found))
                else {
                    continue;
                };
                let searched = solver.solve(position, &deadline);
                all_nodes += searched.as_ref().map_or_else(|cut| cut.nodes, |solution| solution.nodes);
                costs.seconds_per_node = started.elapsed().as_secs_f64() / all_nodes.max(1) as f64;
                if searched.is_err() {
                    return (Instant::now() >= end).then_some(costs);
                }
                costs.searches += 1;
            }
            let searches = costs.searches - before.1;
            if searches > 0 {
                costs.nodes.push((empties, (all_nodes - before.0) as f64 / searches as f64));
            }
        }
        Some(costs)
    }

    fn seconds(&self, empties: u32) -> f64 {
        let (small, large) = self.nodes.split_at(self.nodes.len().saturating_sub(SIZES));
        let measured = small.iter().find(|&&(size, _)| size == empties).map(|&(_, nodes)| nodes);
        measured.unwrap_or_else(|| nodes_along(large, empties)) * self.seconds_per_node
    }
}

/// The nodes of a search by a straight line through the logarithms of the measured nodes: it evens out the chance of
/// the few searches of one size.
fn nodes_along(measured: &[(u32, f64)], empties: u32) -> f64 {
    let count = measured.len().max(1) as f64;
    let points = || measured.iter().map(|&(size, nodes)| (f64::from(size), nodes.max(1.0).ln()));
    let (size, log) =
        points().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / count, sum.1 + point.1 / count));
    let spread: f64 = points().map(|point| (point.0 - size).powi(2)).sum();
    let slope = points().map(|point| (point.0 - size) * (point.1 - log)).sum::<f64>() / spread;
    let growth = match measured.len() {
        ..4 => cost::GROWTH_OF_A_PLY,
        _ => slope.exp().clamp(PLAUSIBLE_GROWTH.0, PLAUSIBLE_GROWTH.1),
    };
    (log + (f64::from(empties) - size) * growth.ln()).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_size_measured_too_dear_changes_little() {
        let steady: Vec<(u32, f64)> = (14..20).map(|size| (size, 2.1_f64.powi(size as i32))).collect();
        let mut noisy = steady.clone();
        noisy[5].1 *= 4.0;
        let expected = 2.1_f64.powi(25);
        assert!((nodes_along(&steady, 25) / expected - 1.0).abs() < 1e-6);
        let factor = nodes_along(&noisy, 25) / expected;
        assert!((1.0..3.0).contains(&factor), "{factor}");
    }
}
