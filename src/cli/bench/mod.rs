//! `reversi bench`: the project's own measurements, in sentences and numbers.

mod cuts;
mod engine;
mod oracle;
mod solver;

use super::common::Output;
use super::{Exit, Failure};
use clap::{Args, Subcommand};

/// Measure how fast this program is on this machine
#[derive(Args)]
pub struct Bench {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Cuts(cuts::CutsBench),
    Engine(engine::EngineBench),
    Solver(solver::SolverBench),
    Oracle(oracle::OracleBench),
}

impl Bench {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        match self.what {
            What::Cuts(bench) => bench.run(output),
            What::Engine(bench) => bench.run(output),
            What::Solver(bench) => bench.run(output),
            What::Oracle(bench) => bench.run(output),
        }
    }
}
