//! `reversi lab savings`: what each enhancement of a search saves, compared with figures of two student reports.

use super::files::{Files, Lines, Printed};
use super::sampling::nothing_measured;
use crate::cli::chart::{Chart, Content, Series};
use crate::cli::choices::by_name;
use crate::cli::columns;
use crate::cli::common::Output;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::progress::Counter;
use crate::cli::values::{data_directory, parse_size};
use crate::cli::{Exit, Failure};
use clap::Args;
use reversi_engine::AnyEvaluation;
use reversi_lab::arena::experiments::savings::{Cost, CostRow, Costs, SavingsPlan};
use reversi_rules::{Geometry, Goal};
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::path::PathBuf;

/// Measure what each enhancement of a search saves: nodes and time by depth
///
/// Searches the same positions to each depth by minimax, by alpha-beta, and by alpha-beta with each enhancement alone
/// and with all of them. The tables have means of a position, CSV and JSON sums over all positions. A node is a position
/// after a move or pass that was made in the search. Nodes depend only on the seed. Times are processor time on this machine, the least of several
/// runs; they are compared if they are long enough to be measured.
#[derive(Args, Clone)]
#[command(after_help = "Examples:\n  reversi lab savings\n  \
    reversi lab savings --goal reversed --eval phases --eval discs --depth 6\n  \
    reversi lab savings --board 6x6 --eval learned --depth 10")]
pub struct Savings {
    /// Evaluation to use; may be given several times [default: discs, positional, phases and learned, or plain where
    /// none is learned, as far as the board has them]
    #[arg(long, value_name = "NAME")]
    pub eval: Vec<String>,
    /// Board size, columns x rows
    #[arg(long, value_name = "SIZE", default_value = "8x8")]
    pub board: String,
    /// Which side wins
    #[arg(long, value_parser = by_name::<Goal>(), default_value_t = Goal::Normal)]
    pub goal: Goal,
    /// Deepest search in plies
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=40))]
    pub depth: u32,
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub positions: u64,
    /// Maximum number of random moves before a position
    #[arg(long, value_name = "N", default_value_t = 12)]
    pub most_moves: u32,
    /// Leave out searches that are expected to visit more nodes than this at all positions together
    #[arg(long, value_name = "N", default_value_t = 200_000_000)]
    pub most_nodes: u64,
    /// Seed of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Directory searched first for weights
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub files: Files,
}

/// Column of the number of positions in the CSV: before the nodes.
const POSITIONS_PLACE: usize = 5;

/// Printed in place of a ratio of times.
const TOO_SHORT: &str = "too short to compare the time";

/// The results.
pub struct MeasuredCosts {
    pub plan: SavingsPlan,
    pub costs: Vec<Costs>,
    /// The search that was running at Ctrl-C, in words.
    interrupted: Option<String>,
}

/// A figure of a student's report, beside ours.
pub struct Comparison {
    /// The quantity that is compared.
    pub what: String,
    /// The figure in the report.
    pub theirs: &'static str,
    /// The figure measured here.
    pub ours: String,
}

impl Savings {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let measured = self.measure(output)?;
        let interrupted = measured.interrupted.is_some();
        let written = self.files.write_unless(interrupted, output, &measured, || measured.plots());
        self.files.tables.print(output, &measured);
        written.map(|()| if interrupted { Exit::Interrupted } else { Exit::Done })
    }

    /// The results; after Ctrl-C those that were finished.
    pub fn measure(&self, output: Output) -> Result<MeasuredCosts, Failure> {
        let geometry = parse_size(&self.board)?;
        let plan = SavingsPlan {
            geometry,
            goal: self.goal,
            evaluations: self.evaluations(geometry)?,
            depth: self.depth,
            positions: self.positions,
            most_moves: self.most_moves.min(geometry.square_count() / 2),
            most_nodes: self.most_nodes,
            seed: self.seed,
        };
        self.files.check(output)?;
        let depths = plan.evaluations.len() as u64 * u64::from(plan.depth);
        let counter = Counter::new(output, "depths", depths, 0);
        let (stop, mut begun) = (stop_on_ctrl_c(), String::new());
        let costs = plan.measure(&stop, |evaluation, depth| {
            begun = format!("the searches by {evaluation} to depth {depth} were not all done");
            counter.inc();
        });
        drop(counter);
        let costs = costs?;
        let interrupted = stop.is_set().then_some(begun);
        if interrupted.is_some() && costs.is_empty() {
            Err(nothing_measured())
        } else {
            Ok(MeasuredCosts { plan, costs, interrupted })
        }
    }

    fn evaluations(&self, geometry: Geometry) -> Result<Vec<AnyEvaluation>, Failure> {
        let mut all = AnyEvaluation::all(geometry, self.goal, self.data.as_deref())?;
        if self.eval.is_empty() {
            let usual = ["discs", "positional", "phases", "learned", "plain"];
            all.retain(|known| usual.contains(&known.name()));
            return Ok(all);
        }
        super::named(&all, &self.eval, geometry)
    }
}

impl MeasuredCosts {
    fn plots(&self) -> Vec<(String, Chart)> {
        let plot = |costs: &Costs| (format!("savings-{}", costs.evaluation), savings_lines(self, costs));
        self.costs.iter().map(plot).collect()
    }

    fn cell(&self, cost: &Cost) -> String {
        let positions = self.plan.positions as f64;
        let milliseconds = cost.time.as_secs_f64() * 1000.0 / positions;
        format!("{:.0} {milliseconds:.2}", cost.nodes as f64 / positions)
    }

    /// The figures of the students' reports that can be compared with the results.
    pub fn comparisons(&self) -> Vec<Comparison> {
        let mut found = Vec::new();
        for (depth, theirs) in [
            (5, "6.56 s against 0.69 s, 9.5 times (Toronto 2021)"),
            (8, "143 s against 3.0 s, 48 times (Toronto 2021)"),
        ] {
            let ours = self.ratio("discs", depth, "minimax", "alpha-beta").map(|(nodes, time)| {
                let time = time.map_or(TOO_SHORT.to_owned(), |time| format!("{time:.1} times the time"));
                format!("{time}, {nodes:.1} times the nodes")
            });
            let what = format!("minimax against alpha-beta at depth {depth}, discs");
            found.extend(ours.map(|ours| Comparison { what, theirs, ours }));
        }
        for name in ["presort", "sorting"] {
            let where_ = if name == "presort" { "the first moves" } else { "at every node" };
            let ours: Vec<String> = (3..=5)
                .filter_map(|depth| {
                    let (nodes, time) = self.ratio("phases", depth, "alpha-beta", name)?;
                    let time = time.map_or(TOO_SHORT.to_owned(), |time| format!("{time:.2} times the speed"));
                    Some(format!("depth {depth}: alpha-beta has {nodes:.2} times the nodes, {time}"))
                })
                .collect();
            if !ours.is_empty() {
                let what = format!("sorting {where_} by a shallow search, phases");
                let theirs = "about 3 times the speed (SUSTech 2022)";
                found.push(Comparison { what, theirs, ours: ours.join(", ") });
            }
        }
        found.extend(self.discs_against_weights());
        found
    }

    /// "Plain disc difference prunes better than the weight map": nodes of alpha-beta with each.
    fn discs_against_weights(&self) -> Option<Comparison> {
        let nodes = |name: &str, depth| Some(self.by_name(name)?.of(depth, "alpha-beta")?.nodes as f64);
        let ours: Vec<String> = (3..=8)
            .filter_map(|depth| {
                let ratio = nodes("positional", depth)? / nodes("discs", depth)?;
                Some(format!("depth {depth} {ratio:.2}"))
            })
            .collect();
        (!ours.is_empty()).then(|| Comparison {
            what: "nodes of alpha-beta with the weight map for one node with discs".to_owned(),
            theirs: "discs prune better (SUSTech 2022)",
            ours: ours.join(", "),
        })
    }

    fn by_name(&self, evaluation: &str) -> Option<&Costs> {
        self.costs.iter().find(|costs| costs.evaluation == evaluation)
    }

    /// The ratios of the first search to the second, in nodes and in time; no ratio of times if they are too short.
    fn ratio(&self, evaluation: &str, depth: u32, first: &str, second: &str) -> Option<(f64, Option<f64>)> {
        let costs = self.by_name(evaluation)?;
        let (first, second) = (costs.of(depth, first)?, costs.of(depth, second)?);
        Some((first.nodes as f64 / second.nodes as f64, first.times_the_time_of(second)))
    }
}

/// Nodes of each search by depth.
pub fn savings_lines(measured: &MeasuredCosts, costs: &Costs) -> Chart {
    let positions = measured.plan.positions as f64;
    let series = costs
        .names()
        .map(|name| Series {
            name: name.to_owned(),
            points: (1..=measured.plan.depth)
                .filter_map(|depth| Some((f64::from(depth), costs.of(depth, name)?.nodes as f64 / positions)))
                .collect(),
        })
        .collect();
    Chart {
        title: format!(
            "{}, {} goal: nodes of each search by {}",
            measured.plan.geometry, measured.plan.goal, costs.evaluation
        ),
        across: "depth in plies".to_owned(),
        up: "nodes a position".to_owned(),
        content: Content::Lines { series, logarithmic: true, range: None },
    }
}

impl Printed for MeasuredCosts {
    /// Nodes of each search, and how many times fewer they are than those of minimax, or of alpha-beta if minimax was
    /// left out.
    fn text(&self) -> String {
        let SavingsPlan { geometry, goal, positions, most_moves, seed, .. } = &self.plan;
        let mut text = format!(
            "{geometry}, {goal} goal: nodes and milliseconds of processor time a position, at {positions} positions after 0 to \
             {most_moves} random moves, seed {seed}\n"
        );
        if let Some(begun) = &self.interrupted {
            let _ = writeln!(text, "interrupted: {begun}, and none after them");
        }
        for costs in &self.costs {
            let _ = write!(text, "\n{:<12}", costs.evaluation);
            for name in costs.names() {
                let _ = write!(text, "{name:>22}");
            }
            text.push('\n');
            for depth in 1..=self.plan.depth {
                let _ = write!(text, "  depth {depth:<4}");
                for name in costs.names() {
                    let cell = costs.of(depth, name).map_or("-".to_owned(), |cost| self.cell(cost));
                    let _ = write!(text, "{cell:>22}");
                }
                text.push('\n');
            }
        }
        let comparisons = self.comparisons();
        if !comparisons.is_empty() {
            let _ = writeln!(text, "\nbeside the reports:");
        }
        for Comparison { what, theirs, ours } in comparisons {
            let _ = writeln!(text, "  {what}: reported {theirs}; here {ours}");
        }
        text.trim_end().to_owned()
    }

    /// All numbers, of the schema `reversi.lab.savings/1`.
    fn json(&self) -> Json {
        let one = |costs: &Costs| {
            let lines: Vec<CostRow> = costs.costs.iter().map(Cost::row).collect();
            json!({"evaluation": costs.evaluation, "costs": lines})
        };
        let comparisons: Vec<Json> = self
            .comparisons()
            .into_iter()
            .map(|found| json!({"what": found.what, "reported": found.theirs, "measured": found.ours}))
            .collect();
        json!({
            "schema": "reversi.lab.savings/1",
            "board": self.plan.geometry.to_string(),
            "goal": Goal::name(self.plan.goal),
            "positions": self.plan.positions,
            "seed": self.plan.seed,
            "interrupted": self.interrupted.is_some(),
            "evaluations": self.costs.iter().map(one).collect::<Vec<_>>(),
            "comparisons": comparisons,
        })
    }

    /// A line for each evaluation, depth and search, of all positions together.
    fn lines(&self) -> Lines {
        let place = ["board", "goal", "evaluation"].map(str::to_owned).into_iter();
        let mut names: Vec<String> = place.chain(columns::csv_names::<CostRow>()).collect();
        names.insert(POSITIONS_PLACE, "positions".to_owned());
        let line = |costs: &Costs, cost: &Cost| {
            let SavingsPlan { geometry, goal, positions, .. } = &self.plan;
            let place = [geometry.to_string(), goal.to_string(), costs.evaluation.to_owned()];
            let mut line: Vec<String> = place.into_iter().chain(columns::csv_cells(&cost.row())).collect();
            line.insert(POSITIONS_PLACE, positions.to_string());
            line
        };
        let lines = self.costs.iter().flat_map(|costs| costs.costs.iter().map(move |cost| line(costs, cost)));
        Lines { names, lines: lines.collect() }
    }
}
