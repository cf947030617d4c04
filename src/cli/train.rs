//! `reversi train`: learns the weights of the evaluation.

use super::common::{Output, RulesOptions, in_threads, parse_size};
use super::interrupt::stop_on_ctrl_c;
use super::{Exit, Failure};
use crate::eval::{Features, Weights};
use crate::rules::Geometry;
use crate::train::{Plan, StageReport, train};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

/// Learn the weights of an evaluation from games the program plays with itself
#[derive(Args)]
#[command(after_help = "Examples:\n  reversi train --board 6x6 --goal normal --out /tmp\n  \
    reversi train --board 6x6 --goal reversed --games 2000 --generations 1 --out /tmp")]
pub struct Train {
    /// The board: 6x6 or 8x8
    #[arg(long, value_name = "SIZE", default_value = "6x6")]
    board: String,
    #[command(flatten)]
    rules: RulesOptions,
    /// Everything random follows from it; the same seed gives the same weights
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How often to play and learn, each time with the weights learned before
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    generations: u32,
    /// Games of each generation
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(16..))]
    games: u32,
    /// With at most so many empty squares positions are solved exactly
    #[arg(long, default_value_t = 10)]
    exact: u32,
    /// Plies of the search that labels earlier positions
    #[arg(long, default_value_t = 3)]
    depth: u32,
    /// Empty squares a stage [default: 2 on 6x6, 3 on 8x8]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=16))]
    stage_width: Option<u32>,
    /// Penalty on large weights
    #[arg(long, default_value_t = 3.0)]
    ridge: f32,
    /// File of weights to go on from: the first generation plays with these
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Threads to use [default: all cores]
    #[arg(long)]
    threads: Option<usize>,
    /// Directory for the file of weights
    #[arg(long, value_name = "DIR", default_value = "data")]
    out: PathBuf,
}

impl Train {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let geometry = parse_size(&self.board)?;
        if Features::of(geometry).is_none() {
            let message = format!("--board {geometry}: an evaluation is learned for 6x6 and 8x8 only");
            return Err(Failure::usage("bad-board", message));
        }
        let plan = self.plan(geometry);
        if plan.depth < plan.stage_width {
            let message =
                format!("--depth {} is less than --stage-width {}: raise it", plan.depth, plan.stage_width);
            return Err(Failure::usage("bad-depth", message));
        }
        if !self.out.is_dir() {
            let message = format!("--out {}: no such directory", self.out.display());
            return Err(Failure::usage("bad-directory", message));
        }
        let before = self.before(&plan)?;
        let started = Instant::now();
        let Some(weights) = in_threads(self.threads, || learn(&plan, before, output.quiet))? else {
            return Ok(Exit::Interrupted);
        };
        let path = self.out.join(Weights::file_name(geometry, plan.rules.goal));
        weights.save(&path).map_err(|error| Failure::new(Exit::Failed, "write", error.to_string()))?;
        let seconds = started.elapsed().as_secs_f64();
        if output.json {
            let path = path.display().to_string();
            println!("{}", json!({"schema": "reversi.train/1", "file": path, "seconds": seconds}));
        } else {
            println!("wrote {} after {seconds:.0} s", path.display());
        }
        Ok(Exit::Done)
    }

    /// The weights to go on from.
    fn before(&self, plan: &Plan) -> Result<Option<Weights>, Failure> {
        let Some(path) = &self.from else { return Ok(None) };
        let bad = |message| Failure::usage("bad-weights", format!("--from {message}"));
        let weights = Weights::load(path).map_err(|error| bad(error.to_string()))?;
        let (found, asked) = (weights.geometry(), weights.rules().goal);
        if (found, asked) != (plan.geometry, plan.rules.goal) {
            let path = path.display();
            return Err(bad(format!(
                "{path}: weights for {found} {asked}, not for {} {}",
                plan.geometry, plan.rules.goal
            )));
        }
        Ok(Some(weights))
    }

    fn plan(&self, geometry: Geometry) -> Plan {
        Plan {
            geometry,
            rules: self.rules.rules(geometry),
            seed: self.seed,
            generations: self.generations,
            games: self.games,
            exact: self.exact,
            depth: self.depth,
            stage_width: self.stage_width.unwrap_or(if geometry == Geometry::EIGHT { 3 } else { 2 }),
            ridge: self.ridge,
        }
    }
}

/// Trains until done or Ctrl-C, with a line on stderr for each stage.
fn learn(plan: &Plan, before: Option<Weights>, quiet: bool) -> Option<Weights> {
    let started = Instant::now();
    if !quiet {
        eprintln!("learning {} {}; errors in discs on positions held out", plan.geometry, plan.rules);
        eprintln!("generation  empties  positions  held out  error  error of 0  seconds");
    }
    train(plan, before, &stop_on_ctrl_c(), |stage: StageReport| {
        if !quiet {
            eprintln!(
                "{:>10}  {:>2} - {:>2}  {:>9}  {:>8}  {:>5.2}  {:>10.2}  {:>7.1}",
                stage.generation,
                stage.empties.0,
                stage.empties.1,
                stage.positions,
                stage.held_out,
                stage.error,
                stage.error_of_zero,
                started.elapsed().as_secs_f64()
            );
        }
    })
}
