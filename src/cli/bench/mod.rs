//! `reversi bench`: the project's own measurements, as text or JSON.

mod cuts;
mod engine;
mod estimates;
mod oracle;
mod solver;

use super::common::Output;
use super::values::parse_size;
use super::{Exit, Failure};
use clap::{Args, Subcommand};
use reversi_rules::Goal;
use reversi_solver::eval::Evaluator;
use reversi_table::library::Library;
use std::path::Path;
use std::sync::Arc;

/// Measure how fast this program is on this machine
#[derive(Args)]
#[command(after_help = "Examples:
  reversi bench solver --only random --threads 1
  reversi bench oracle --positions 1000
  reversi bench engine --time 100ms")]
pub struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Cuts(cuts::CutsBench),
    Engine(engine::EngineBench),
    Estimates(estimates::EstimatesBench),
    Solver(solver::SolverBench),
    Oracle(oracle::OracleBench),
}

impl Bench {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        match self.what {
            What::Cuts(bench) => bench.run(output),
            What::Engine(bench) => bench.run(output),
            What::Estimates(bench) => bench.run(output),
            What::Solver(bench) => bench.run(output),
            What::Oracle(bench) => bench.run(output),
        }
    }
}

/// The learned evaluation of the board that `--board` names, from `data` or the usual places.
///
/// # Errors
/// A bad size, a board without a learned evaluation, or weights that cannot be used.
fn evaluator(board: &str, goal: Goal, data: Option<&Path>) -> Result<Arc<Evaluator>, Failure> {
    let geometry = parse_size(board)?;
    let found = Evaluator::find(geometry, goal, Library::new(data).directories())?;
    found.ok_or_else(|| {
        let message = format!("--board {geometry}: it has no learned evaluation; `reversi train` makes one for boards from 4x4 to 8x8");
        Failure::usage("bad-board", message)
    })
}
