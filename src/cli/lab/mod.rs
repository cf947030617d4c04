//! `reversi lab`: measures players, evaluations and searches against perfect play.

mod atlas;
pub(super) mod files;
mod prune;
mod regret;
mod report;
mod rules;
mod sampling;
mod savings;

use super::common::Output;
use super::{Exit, Failure};
use clap::{Args, Subcommand};
use reversi_engine::AnyEvaluation;
use reversi_rules::Geometry;

/// Measure players, evaluations and searches against perfect play
#[derive(Args)]
#[command(after_help = "Examples:
  reversi lab regret random first perfect --board 4x4 --sample all
  reversi lab prune --positions 500
  reversi lab report --out /tmp/report --quick")]
pub struct Lab {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Atlas(atlas::Atlas),
    Prune(prune::Prune),
    Regret(regret::RegretCommand),
    Report(report::ReportCommand),
    Rules(rules::RulesCommand),
    Savings(savings::Savings),
}

impl Lab {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        match self.what {
            What::Atlas(command) => command.run(output),
            What::Prune(command) => command.run(output),
            What::Regret(command) => command.run(output),
            What::Report(command) => command.run(output),
            What::Rules(command) => command.run(output),
            What::Savings(command) => command.run(output),
        }
    }
}

/// The evaluations with these names.
fn named(all: &[AnyEvaluation], names: &[String], geometry: Geometry) -> Result<Vec<AnyEvaluation>, Failure> {
    let find = |name: &String| {
        all.iter().find(|known| known.name() == name).cloned().ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(AnyEvaluation::name).collect();
            let message = format!("--eval {name}: on {geometry} there are {}", names.join(", "));
            Failure::usage("bad-evaluation", message)
        })
    };
    names.iter().map(find).collect()
}
