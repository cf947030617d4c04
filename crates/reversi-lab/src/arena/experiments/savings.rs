//! What each enhancement of a search saves: nodes and time by depth, at the same positions.

use super::prune::Variant;
use crate::columns::{Column, Kind, Row};
use crate::seed::seed_at;
use fastrand::Rng;
use reversi_engine::AnyEvaluation;
use reversi_engine::experiment::Experiment;
use reversi_engine::plain_search::Shuffle;
use reversi_rules::playout::after_random_moves;
use reversi_rules::{Board, Geometry, Goal, Passing, Position, Start};
use reversi_solver::search::{MemoryError, Stop};
use serde::Serialize;
use std::time::Duration;

/// The plan of a measurement.
#[derive(Clone)]
pub struct SavingsPlan {
    /// The board.
    pub geometry: Geometry,
    /// The goal.
    pub goal: Goal,
    /// The evaluations of leaves.
    pub evaluations: Vec<AnyEvaluation>,
    /// The largest depth in plies; all depths from 1 on are measured.
    pub depth: u32,
    /// How many positions.
    pub positions: u64,
    /// Random moves before a position, at most.
    pub most_moves: u32,
    /// A search that is expected to take more nodes at all positions together is left out.
    pub most_nodes: u64,
    /// Determines the positions.
    pub seed: u64,
}

/// The cost of one kind of search of all positions to one depth.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Plies.
    pub depth: u32,
    /// The kind of search.
    pub variant: Variant,
    /// Nodes at all positions together; the same on every machine.
    pub nodes: u64,
    /// Processor time for all positions together, the least of `runs` times.
    pub time: Duration,
    /// How often all positions were searched.
    pub runs: u32,
}

impl Cost {
    /// The figures of all positions together.
    pub fn row(&self) -> CostRow {
        let (search, seconds) = (self.variant.name(), self.time.as_secs_f64());
        CostRow { depth: self.depth, search, nodes: self.nodes, seconds, runs: self.runs }
    }
}

/// The cost of a search at all positions together.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct CostRow {
    /// Plies.
    pub depth: u32,
    /// The name of the search.
    pub search: &'static str,
    /// Nodes.
    pub nodes: u64,
    /// Seconds of processor time, the least of all runs.
    pub seconds: f64,
    /// How often it was run.
    pub runs: u32,
}

impl Row for CostRow {
    const COLUMNS: &'static [Column] = &[
        Column::new("depth", ["", "depth"], Kind::Count),
        Column::new("search", ["", "search"], Kind::Text),
        Column::new("nodes", ["", "nodes"], Kind::Count),
        Column::new("seconds", ["", "seconds"], Kind::Decimal),
        Column::hidden("runs"),
    ];
}

/// All positions are searched again until the runs together took this long...
const ENOUGH_TIME: Duration = Duration::from_millis(100);
/// ...but not more often than this.
const MOST_RUNS: u32 = 20;
/// Shorter times of the fastest run are not compared: clock and caches distort them too much.
const SHORTEST: Duration = Duration::from_micros(100);

impl Cost {
    /// The time as a multiple of the time of `other`; `None` if either is too short to be compared.
    pub fn times_the_time_of(&self, other: &Cost) -> Option<f64> {
        let is_long = self.time >= SHORTEST && other.time >= SHORTEST;
        is_long.then(|| self.time.as_secs_f64() / other.time.as_secs_f64())
    }
}

/// The costs of one evaluation.
#[derive(Clone, Debug)]
pub struct Costs {
    /// The evaluation's name.
    pub evaluation: &'static str,
    /// By depth, then in the order of [`variants`].
    pub costs: Vec<Cost>,
}

/// The searches that are measured: those of [`Variant::all`] without random moves.
pub fn variants() -> Vec<Variant> {
    let is_fixed = |variant: &Variant| match variant {
        Variant::Plain(_, settings) => settings.shuffle == Shuffle::Off,
        Variant::Engine => true,
    };
    Variant::all().into_iter().filter(is_fixed).collect()
}

impl Costs {
    /// The names of the searches that were measured.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        let measured = |variant: &Variant| self.costs.iter().any(|cost| cost.variant == *variant);
        variants().into_iter().filter(measured).map(Variant::name)
    }

    /// The cost of a search by its name; `None` where it was left out.
    pub fn of(&self, depth: u32, name: &str) -> Option<&Cost> {
        self.costs.iter().find(|cost| cost.depth == depth && cost.variant.name() == name)
    }
}

impl SavingsPlan {
    /// The positions, each from its own game of random moves; the side to move has a choice.
    pub fn positions(&self) -> Vec<Position> {
        (0..self.positions).map(|place| self.position(place)).collect()
    }

    fn position(&self, place: u64) -> Position {
        let mut random = Rng::with_seed(seed_at(self.seed, place));
        loop {
            let start = Board::start(self.geometry, Start::Diagonal).position();
            let moves = random.u32(0..=self.most_moves) as usize;
            let position = after_random_moves(self.geometry, start, moves, &mut random);
            if position.legal_moves(self.geometry).count_ones() > 1 {
                return position;
            }
        }
    }

    /// Measures all searches, one after the other on one thread; `on_each` is called as each depth begins. After a stop
    /// the searches that were finished are returned.
    ///
    /// # Errors
    /// When the memory for a search cannot be had.
    pub fn measure(
        &self,
        stop: &Stop,
        mut on_each: impl FnMut(&str, u32),
    ) -> Result<Vec<Costs>, MemoryError> {
        let positions = self.positions();
        let mut all = Vec::new();
        for evaluation in &self.evaluations {
            let mut costs: Vec<Cost> = Vec::new();
            for depth in 1..=self.depth {
                if stop.is_set() {
                    break;
                }
                on_each(evaluation.name(), depth);
                for variant in variants() {
                    if self.is_affordable(&costs, depth, variant) && !stop.is_set() {
                        costs.extend(self.cost(evaluation, &positions, depth, variant, stop)?);
                    }
                }
            }
            if !(costs.is_empty() && stop.is_set()) {
                all.push(Costs { evaluation: evaluation.name(), costs });
            }
        }
        Ok(all)
    }

    /// Extrapolates the nodes of the last two depths.
    fn is_affordable(&self, costs: &[Cost], depth: u32, variant: Variant) -> bool {
        let nodes = |depth: u32| {
            costs.iter().find(|cost| (cost.depth, cost.variant) == (depth, variant)).map(|cost| cost.nodes)
        };
        match (depth, nodes(depth.saturating_sub(2)), nodes(depth - 1)) {
            (1 | 2, ..) => true,
            (_, Some(before), Some(last)) => last.saturating_mul(last / before.max(1) + 1) <= self.most_nodes,
            _ => false,
        }
    }

    /// The least time of several runs, which find the same nodes; `None` as [`SavingsPlan::run`].
    fn cost(
        &self,
        evaluation: &AnyEvaluation,
        positions: &[Position],
        depth: u32,
        variant: Variant,
        stop: &Stop,
    ) -> Result<Option<Cost>, MemoryError> {
        let Some(mut least) = self.run(evaluation, positions, depth, variant, stop)? else { return Ok(None) };
        let mut all = least.time;
        while all < ENOUGH_TIME && least.runs < MOST_RUNS {
            let Some(next) = self.run(evaluation, positions, depth, variant, stop)? else { return Ok(None) };
            all += next.time;
            least = Cost { time: least.time.min(next.time), runs: least.runs + 1, ..least };
        }
        Ok(Some(least))
    }

    /// `None` for the engine with another evaluation than its own, or once stopped.
    fn run(
        &self,
        evaluation: &AnyEvaluation,
        positions: &[Position],
        depth: u32,
        variant: Variant,
        stop: &Stop,
    ) -> Result<Option<Cost>, MemoryError> {
        let (mut nodes, mut time) = (0, Duration::ZERO);
        for &position in positions {
            let trial = Experiment {
                geometry: self.geometry,
                position,
                goal: self.goal,
                passing: Passing::Allowed,
                evaluation: evaluation.clone(),
                depth,
            };
            let Some(found) = variant.run(&trial, None, stop)? else { return Ok(None) };
            nodes += found.nodes;
            time += found.time;
        }
        Ok(Some(Cost { depth, variant, nodes, time, runs: 1 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_beta_saves_and_the_engine_has_only_its_own_evaluation() {
        let plan = SavingsPlan {
            geometry: Geometry::SIX,
            goal: Goal::Normal,
            evaluations: AnyEvaluation::all(Geometry::SIX, Goal::Normal, None).unwrap(),
            depth: 4,
            positions: 3,
            most_moves: 10,
            most_nodes: 100_000,
            seed: 1,
        };
        let measured = plan.measure(&Stop::never(), |_, _| {}).unwrap();
        assert_eq!(measured.len(), plan.evaluations.len());
        for costs in &measured {
            let nodes = |name| costs.of(4, name).map(|cost| cost.nodes);
            assert!(nodes("alpha-beta") < nodes("minimax"), "{}", costs.evaluation);
            assert!(costs.costs.iter().all(|cost| cost.runs > 1 || cost.time >= ENOUGH_TIME));
            assert_eq!(nodes("engine").is_some(), costs.evaluation == "learned");
        }
        // Without an evaluation that changes the order of moves, minimax visits the same tree.
        let minimax: Vec<u64> = measured.iter().map(|costs| costs.of(4, "minimax").unwrap().nodes).collect();
        assert!(minimax.iter().all(|&nodes| nodes == minimax[0]), "{minimax:?}");
    }

    #[test]
    fn once_stopped_what_was_finished_is_there_and_nothing_else() {
        let plan = SavingsPlan {
            geometry: Geometry::FOUR,
            goal: Goal::Normal,
            evaluations: AnyEvaluation::all(Geometry::FOUR, Goal::Normal, None).unwrap(),
            depth: 4,
            positions: 2,
            most_moves: 2,
            most_nodes: 100_000,
            seed: 1,
        };
        let stop = Stop::never();
        let mut begun = Vec::new();
        let measured = plan.measure(&stop, |name, depth| {
            begun.push((name.to_owned(), depth));
            if begun.len() == 6 {
                stop.set();
            }
        });
        let measured = measured.unwrap();
        assert_eq!(begun.last().unwrap(), &(plan.evaluations[1].name().to_owned(), 2));
        let depths: Vec<u32> = measured.iter().map(|costs| costs.costs.last().unwrap().depth).collect();
        assert_eq!(depths, [4, 1], "of the first evaluation all, of the second the first depth");
    }

    #[test]
    fn times_that_are_too_short_are_not_compared() {
        let cost = |microseconds| Cost {
            depth: 1,
            variant: Variant::Engine,
            nodes: 1,
            time: Duration::from_micros(microseconds),
            runs: 1,
        };
        assert_eq!(cost(300).times_the_time_of(&cost(150)), Some(2.0));
        assert_eq!(cost(300).times_the_time_of(&cost(90)), None);
        assert_eq!(cost(90).times_the_time_of(&cost(300)), None);
    }

    #[test]
    fn what_would_take_too_many_nodes_is_left_out() {
        let plan = SavingsPlan {
            geometry: Geometry::EIGHT,
            goal: Goal::Normal,
            evaluations: AnyEvaluation::all(Geometry::EIGHT, Goal::Normal, None).unwrap()[..1].to_vec(),
            depth: 5,
            positions: 2,
            most_moves: 8,
            most_nodes: 5_000,
            seed: 1,
        };
        let measured = plan.measure(&Stop::never(), |_, _| {}).unwrap();
        assert!(measured[0].of(3, "minimax").is_some());
        assert!(measured[0].of(5, "minimax").is_none());
        assert!(measured[0].of(5, "alpha-beta").is_some());
    }
}
