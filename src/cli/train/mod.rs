//! `reversi train`: learns the weights of the evaluation.

mod show;

use super::common::{Output, RulesOptions};
use super::interrupt::stop_on_ctrl_c;
use super::places::{self, check_directory};
use super::print::{print_line, print_stopped, quoted};
use super::values::{in_threads, parse_size, parse_threads};
use super::{Exit, Failure};
use crate::cli::choices::by_name;
use clap::Args;
use reversi_lab::train::plan::{
    DEPTHS, DUELS, EXACTS, EXAM_POSITIONS, EXAMS, GAMES, GENERATIONS, HALF_WORTHS, RIDGES, STAGE_WIDTHS,
};
use reversi_lab::train::{Play, Report, TrainingPlan, TrainingPlanError, train};
use reversi_rules::{Geometry, Rules};
use reversi_solver::eval::Weights;
use reversi_solver::eval::weights::WeightsError;
use serde_json::json;
use show::{Generation, Show};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

/// Learn the weights of an evaluation from games of the program against itself
#[derive(Args)]
#[command(after_help = "Examples:\n  reversi train --board 6x6 --goal normal --out /tmp\n  \
    reversi train --goal reversed --games 2000 --generations 1 --out /tmp\n  \
    reversi train --goal reversed --games 2000 --generations 1 --out /tmp \\\n    \
    --from /tmp/6x6-reversed.rvw --replace --first-generation 2")]
pub struct Train {
    /// Board, from 4x4 to 8x8; columns and rows may be exchanged, since one file serves both
    #[arg(long, value_name = "SIZE", default_value = "6x6")]
    board: String,
    #[command(flatten)]
    rules: RulesOptions,
    /// Seed of the random numbers; the same seed gives the same weights
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of generations: each plays and learns with the weights of the one before
    #[arg(long, default_value_t = 2, value_parser = within(GENERATIONS))]
    generations: u32,
    /// With --from: number of the first generation, 2 after the weights of the first one. With the options that those
    /// weights were learned with, it learns what it would have learned without the break
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(GENERATIONS), requires = "from")]
    first_generation: u32,
    /// Games per generation
    #[arg(long, default_value_t = 100_000, value_parser = within(GAMES))]
    games: u32,
    /// How these games are played
    #[arg(long, value_parser = by_name::<Play>(), default_value = "wild")]
    play: Play,
    /// Solve positions with at most N empty squares exactly
    #[arg(long, default_value_t = 10, value_parser = within(EXACTS))]
    exact: u32,
    /// Search depth in plies that labels earlier positions
    #[arg(long, default_value_t = 3, value_parser = within(DEPTHS))]
    depth: u32,
    /// Width of a stage of the game, in empty squares [default: 2 up to 6x6, 3 on larger boards]
    #[arg(long, value_parser = within(STAGE_WIDTHS))]
    stage_width: Option<u32>,
    /// Regularisation: weights are drawn towards their previous values as strongly as by this many positions
    #[arg(long, default_value_t = 3.0, value_parser = within(RIDGES))]
    ridge: f32,
    /// Positions worth this many discs to either side count half as much as even ones, since even ones decide games
    /// [default: all count alike]
    #[arg(long, value_name = "DISCS", value_parser = within(HALF_WORTHS))]
    half_worth: Option<f32>,
    /// Examine each generation against exact values, on positions with up to N empty squares from games as of --play; 0
    /// means no exam
    #[arg(long, value_name = "EMPTIES", default_value_t = 14, value_parser = within(EXAMS))]
    exam: u32,
    /// Positions per stage in the exam
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = within(EXAM_POSITIONS))]
    exam_positions: u32,
    /// Number of openings from which each generation plays the one before, twice with colours swapped; 0 means no match
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = within(DUELS))]
    duel: u32,
    /// File of weights to continue from: the first generation plays with these and corrects them
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Directory for the file of weights
    #[arg(long, value_name = "DIR", default_value = "data")]
    out: PathBuf,
    /// Replace the file of weights if there is one already
    #[arg(long)]
    replace: bool,
}

/// Reads a number of the plan.
fn within<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("write a number from {} to {}", range.start(), range.end()))
    }
}

impl Train {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        // One file serves both orientations.
        let geometry = parse_size(&self.board)?.upright();
        let plan = self.plan(geometry);
        plan.check(None).map_err(refused)?;
        if !self.out.is_dir() {
            let message = format!("--out {}: no such directory", self.out.display());
            return Err(Failure::usage("bad-directory", message));
        }
        let path = self.out.join(Weights::file_name(plan.geometry, plan.rules.goal));
        let _lock = places::lock(&path, "train")?;
        self.check_replaceable(&path)?;
        check_directory("--out", &self.out)?;
        let before = self.before(&plan)?;
        plan.check(before.as_ref()).map_err(refused)?;
        let started = Instant::now();
        let learned = in_threads(self.threads, || learn(&plan, before, &path, output))?
            .map_err(|error| Failure::new(Exit::Failed, "cannot-write", error.to_string()))?;
        let Learned { generations, count, is_whole } = learned;
        if !is_whole {
            match count {
                0 => {
                    print_stopped(output, "stopped before the first generation was learned; nothing is kept");
                }
                _ => print_stopped(output, how_to_go_on(&plan, count, &path)),
            }
            return Ok(Exit::Interrupted);
        }
        let seconds = started.elapsed().as_secs_f64();
        if output.json {
            let path = path.display().to_string();
            let Rules { goal, scoring } = plan.rules;
            print_line(
                json!({"schema": "reversi.train/1", "board": geometry.to_string(), "goal": goal.name(),
                "scoring": scoring.name(), "seed": plan.seed, "play": plan.play.name(),
                "half_worth": self.half_worth, "file": path, "generations": generations,
                "seconds": seconds}),
            );
        } else {
            print_line(format!("wrote {} after {seconds:.0} s", path.display()));
        }
        Ok(Exit::Done)
    }

    /// Refuses to replace weights, which may be better than those that will be learned.
    fn check_replaceable(&self, path: &Path) -> Result<(), Failure> {
        if self.replace || path.symlink_metadata().is_err() {
            return Ok(());
        }
        let message = format!(
            "{} is there already: write the weights elsewhere with --out DIR, or replace it with --replace",
            path.display()
        );
        Err(Failure::usage("file-exists", message))
    }

    /// The weights to continue from.
    fn before(&self, plan: &TrainingPlan) -> Result<Option<Weights>, Failure> {
        let Some(path) = &self.from else { return Ok(None) };
        let weights = Weights::load_for(plan.geometry, plan.rules.goal, path);
        Ok(Some(weights.map_err(|error| Failure::from(error).within("--from"))?))
    }

    fn plan(&self, geometry: Geometry) -> TrainingPlan {
        TrainingPlan {
            geometry,
            rules: self.rules.rules(geometry),
            seed: self.seed,
            generations: self.generations,
            first_generation: self.first_generation,
            games: self.games,
            play: self.play,
            exact: self.exact,
            depth: self.depth,
            stage_width: self.stage_width.unwrap_or_else(|| usual_stage_width(geometry)),
            ridge: self.ridge,
            half_worth: self.half_worth.unwrap_or(f32::INFINITY),
            exam_empties: self.exam,
            exam_positions: self.exam_positions,
            duel_openings: self.duel,
        }
    }
}

/// Wider stages if a stage has many weights and few positions.
fn usual_stage_width(geometry: Geometry) -> u32 {
    if geometry.square_count() <= Geometry::SIX.square_count() { 2 } else { 3 }
}

/// The failure for a plan that cannot be carried out, in terms of the options.
fn refused(error: TrainingPlanError) -> Failure {
    match error {
        TrainingPlanError::Board(geometry) => {
            Failure::usage("bad-board", format!("--board {geometry}: {error}"))
        }
        TrainingPlanError::Depth { depth, stage_width } => {
            let message = format!("--depth {depth} is less than --stage-width {stage_width}: raise it");
            Failure::usage("bad-depth", message)
        }
        TrainingPlanError::Stages { found, asked } => {
            let message = format!("--from: {error}: give --stage-width {found}, not {asked}");
            Failure::usage("bad-plan", message)
        }
        TrainingPlanError::Range { .. } | TrainingPlanError::Before { .. } => {
            Failure::usage("bad-plan", error.to_string())
        }
    }
}

/// The options that continue the training after `done` generations.
fn how_to_go_on(plan: &TrainingPlan, done: u32, path: &Path) -> String {
    let (quoted, next) = (quoted(&path.display().to_string()), plan.first_generation + done);
    let (last, left) = (next - 1, plan.generations - done);
    if left == 0 {
        return format!("generation {last}, the last, is in {quoted}; its exam or its match was not done");
    }
    format!(
        "generation {last} is in {quoted}; to continue from there, run the same command with these options in place \
         of its own: --from {quoted} --replace --first-generation {next} --generations {left}"
    )
}

/// The result of training.
struct Learned {
    /// Those generations that were examined.
    generations: Vec<Generation>,
    /// Number of generations that were learned and written.
    count: u32,
    /// Whether these are all that were requested.
    is_whole: bool,
}

/// Trains until done or Ctrl-C. Each generation is written to the file when it is learned, so that an interrupted
/// training can continue from there.
fn learn(
    plan: &TrainingPlan,
    before: Option<Weights>,
    path: &Path,
    output: Output,
) -> Result<Learned, WeightsError> {
    let mut show = Show::new(output);
    show.title(plan);
    let (mut written, mut count) = (Ok(()), 0);
    let stop = stop_on_ctrl_c();
    let weights = train(plan, before, &stop, |report| match report {
        Report::Stage(stage) => show.stage(&stage),
        Report::Learned(weights) => {
            written = save(weights, path);
            match written {
                Ok(()) => count += 1,
                Err(_) => stop.set(),
            }
        }
        Report::Generation(report) => show.generation(&report),
    });
    written.map(|()| Learned { generations: show.generations(), count, is_whole: weights.is_some() })
}

/// Writes the file as a whole, so that no partial file is ever seen.
fn save(weights: &Weights, path: &Path) -> Result<(), WeightsError> {
    places::write(path, &weights.to_bytes())
        .map_err(|cause| WeightsError::File { path: path.to_owned(), cause })
}
