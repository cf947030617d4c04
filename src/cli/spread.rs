//! What `build` and `prove` share when their searches are done by many machines: see `docs/guide/cluster.md`.

use super::ending::Ending;
use super::interrupt::stop_on_ctrl_c;
use super::print::{print_line, print_remark, print_stopped};
use super::{Exit, Failure, common::Output};
use crate::advice::Advice;
use clap::Args;
use reversi_lab::spread::parts::{Part, PartError};
use reversi_lab::spread::{PartProgress, PartReport, PartTools, Recheck, RecheckReport, SpreadError};
use reversi_rules::{Geometry, Rules};
use reversi_solver::search::{MemoryError, Sizing, Solver, SolverOptions, Stop};
use serde_json::{Value as Json, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// Time that a part of the usual size takes with one thread.
const USUAL_PART: Duration = Duration::from_secs(30 * 60);
const TOLD_EVERY: Duration = Duration::from_secs(30);

/// Repeating a random part of the searches.
#[derive(Args)]
pub struct RecheckOptions {
    /// Repeat P percent of the searches that the parts have done, drawn at random, with another move ordering and the
    /// table size of --memory: every result must be the same. Later merges report how many were repeated
    #[arg(long, num_args = 2, value_names = ["P%", "DIR"])]
    pub recheck: Option<Vec<String>>,
    /// Seed of the random draws of --recheck, in `prove` also of --verify: other seeds draw other searches or leaves
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl RecheckOptions {
    /// Seed of the random draws.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// Refuses a seed where nothing is drawn: `draws` says whether something else than --recheck does.
    ///
    /// # Errors
    /// There is a seed, and nothing is drawn.
    pub fn check_seed(&self, draws: bool) -> Result<(), Failure> {
        match self.seed.is_some() && self.recheck.is_none() && !draws {
            true => Err(Failure::usage("usage", "--seed: nothing is drawn at random here; leave it out")),
            false => Ok(()),
        }
    }

    /// What to draw in which directory, if requested.
    ///
    /// # Errors
    /// Not a percentage from 0 to 100.
    pub fn sample(&self) -> Result<Option<(Recheck, &Path)>, Failure> {
        let Some([percent, directory]) = self.recheck.as_deref() else { return Ok(None) };
        let number =
            percent.trim_end_matches('%').parse().ok().filter(|number| (0.0..=100.0).contains(number));
        let wrong = "--recheck: write a percentage from 0 to 100, as in 2%";
        let percent = number.ok_or_else(|| Failure::usage("usage", wrong))?;
        Ok(Some((Recheck { percent, seed: self.seed() }, Path::new(directory))))
    }
}

/// The two values of `--shard`.
///
/// # Errors
/// Not a part.
pub fn part_of(values: &[String]) -> Result<Option<(Part, &Path)>, Failure> {
    let [part, directory] = values else { return Ok(None) };
    let part =
        part.parse().map_err(|error: PartError| Failure::usage("usage", format!("--shard: {error}")))?;
    Ok(Some((part, Path::new(directory))))
}

/// The default for how often results are saved to disk.
pub fn usual_sync() -> Duration {
    Duration::from_secs(30)
}

/// For many searches that share what they prove: each has one thread, and all have one table.
pub fn one_search_each(memory_bytes: usize) -> SolverOptions {
    SolverOptions { memory_bytes, threads: 1, sizing: Sizing::Whole }
}

/// A solver that orders its moves in another way than the one that found the results.
///
/// # Errors
/// The memory is not available.
pub fn solver_for_recheck(
    geometry: Geometry,
    rules: Rules,
    memory_bytes: usize,
) -> Result<Solver, MemoryError> {
    Solver::with_ordering(geometry, rules, one_search_each(memory_bytes), None)
}

/// Repeats searches until Ctrl-C, with reports.
///
/// # Errors
/// Those of `repeat`.
pub fn recheck_with(
    solver: &Solver,
    sync_every: Duration,
    output: Output,
    repeat: impl FnOnce(PartTools) -> Result<RecheckReport, SpreadError>,
) -> Result<RecheckReport, SpreadError> {
    Reporter::new(output, "recheck".to_owned()).with_tools(solver, &stop_on_ctrl_c(), sync_every, repeat)
}

/// Prints a line on stderr every half minute.
pub struct Reporter {
    output: Output,
    what: String,
    /// The remark after a stop.
    when_stopped: &'static str,
    told: Instant,
}

impl Reporter {
    pub fn new(output: Output, what: String) -> Reporter {
        let when_stopped = "the results are saved, and the same command continues";
        Reporter { output, what, when_stopped, told: Instant::now() }
    }

    /// The same for work in a directory that is removed when the program ends.
    pub fn of_work_not_kept(self) -> Reporter {
        Reporter { when_stopped: "nothing was saved; with --work DIR the same command continues", ..self }
    }

    /// Does work with tools that report here.
    pub fn with_tools<R>(
        &mut self,
        solver: &Solver,
        stop: &Stop,
        sync_every: Duration,
        work: impl FnOnce(PartTools) -> Result<R, SpreadError>,
    ) -> Result<R, SpreadError> {
        let threads = rayon::current_num_threads();
        let mut tell = |progress| self.tell(progress);
        let done = work(PartTools { solver, threads, stop, sync_every, progress: &mut tell });
        if matches!(done, Err(SpreadError::Stopped)) {
            print_stopped(self.output, format_args!("{}: stopped; {}", self.what, self.when_stopped));
        }
        done
    }

    fn tell(&mut self, progress: PartProgress) {
        if self.output.quiet || self.told.elapsed() < TOLD_EVERY {
            return;
        }
        self.told = Instant::now();
        let PartProgress { done, all, expected_nodes, expected_nodes_done, since, .. } = progress;
        let seconds = since.elapsed().as_secs_f64();
        let left = if expected_nodes_done == 0 {
            String::new()
        } else {
            let rate = expected_nodes_done as f64 / seconds;
            let left = expected_nodes.saturating_sub(expected_nodes_done) as f64 / rate;
            format!(", about {left:.0} s left")
        };
        print_remark(format_args!("{}: {done} of {all} searches in {seconds:.0} s{left}", self.what));
    }
}

/// The size and the expected cost of a round.
pub struct NextRound {
    pub round: u32,
    pub searches: usize,
    pub nodes: u64,
    pub time: Option<Duration>,
    /// The approximate number of rounds after it, if known.
    pub rounds_left: Option<u32>,
}

impl NextRound {
    /// Prints it in words, with the commands that run the round.
    pub fn print(&self, command: &str, directory: &Path) {
        let NextRound { round, searches, nodes, time, rounds_left } = self;
        let time = time.map_or(String::new(), |time| format!(", {}", hours(time)));
        let left = rounds_left.map_or(String::new(), |left| format!("; about {left} more rounds after it"));
        let nodes = *nodes as f64;
        print_line(format_args!(
            "round {round}: {} to do, about {nodes:.1e} nodes{time}{left}",
            counted(*searches)
        ));
        let (parts, directory) = (self.parts(), directory.display());
        print_line(format_args!(
            "  reversi {command} --shard I/{parts} {directory}    for every I from 1 to {parts}; any other number of \
             parts will do"
        ));
        print_line(format_args!("  reversi {command} --merge {directory}    when all are done"));
    }

    pub fn json(&self) -> Json {
        json!({
            "round": self.round, "searches": self.searches, "expected_nodes": self.nodes,
            "expected_seconds": self.time.map(|time| time.as_secs_f64()), "parts": self.parts(),
            "rounds_left": self.rounds_left,
        })
    }

    /// Number of parts that take half an hour each.
    fn parts(&self) -> u64 {
        let time = self.time.unwrap_or_default();
        let parts = (time.as_secs_f64() / USUAL_PART.as_secs_f64()).ceil() as u64;
        parts.clamp(1, self.searches.max(1) as u64)
    }
}

/// A number of searches, in words.
pub fn counted(searches: usize) -> String {
    format!("{searches} {}", if searches == 1 { "search" } else { "searches" })
}

/// A time of one thread, in words.
pub fn hours(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..120.0 => format!("{seconds:.1} core-seconds"),
        ..7200.0 => format!("{:.0} core-minutes", seconds / 60.0),
        _ => format!("{:.1} core-hours", seconds / 3600.0),
    }
}

/// Prints the result of a part of a round.
pub fn print_part(schema: &str, round: u32, part: Part, report: &PartReport, output: Output) {
    let PartReport { searches, done_before, expected_nodes, nodes, busy, time, file, passed_over } = report;
    if !output.quiet {
        passed_over.iter().for_each(|error| print_remark(format_args!("passed over: {error}")));
    }
    if output.json {
        print_line(json!({
            "schema": schema, "round": round, "part": part.to_string(), "searches": searches,
            "done_before": done_before, "expected_nodes": expected_nodes, "nodes": nodes,
            "busy_seconds": busy.as_secs_f64(), "seconds": time.as_secs_f64(),
            "file": file.as_ref().map(|file| file.display().to_string()), "passed_over": passed_over,
        }));
        return;
    }
    print_line(format_args!(
        "part {part} of round {round}: {}, {done_before} of them done before; expected {:.2e} nodes, took {:.2e} in {}",
        counted(*searches),
        *expected_nodes as f64,
        *nodes as f64,
        hours(*busy)
    ));
}

/// Prints the result of a recheck and returns its exit code.
pub fn print_recheck(schema: &str, report: &RecheckReport, output: Output) -> Exit {
    let RecheckReport { searches, drawn, done_before, nodes, differences } = report;
    if output.json {
        print_line(json!({
            "schema": schema, "searches": searches, "drawn": drawn, "done_before": done_before, "nodes": nodes,
            "differences": differences,
        }));
    } else {
        differences.iter().for_each(|difference| print_line(format_args!("DIFFERENT: {difference}")));
        print_line(format_args!(
            "{drawn} of {searches} searches repeated, {done_before} of them before: {} differ",
            differences.len()
        ));
    }
    if differences.is_empty() { Exit::Done } else { Exit::Difference }
}

impl From<SpreadError> for Ending {
    fn from(error: SpreadError) -> Ending {
        let (exit, kind) = match error {
            SpreadError::Io { .. } => (Exit::Failed, "cannot-read"),
            SpreadError::Unmade { .. } | SpreadError::Unkept { .. } => (Exit::Failed, "cannot-write"),
            SpreadError::Locked(_) | SpreadError::LaterRound(..) => (Exit::Failed, "locked"),
            SpreadError::NoPlan(_) => (Exit::Usage, "no-plan"),
            SpreadError::HasPlan(_) => (Exit::Usage, "has-plan"),
            SpreadError::Unreadable { .. } | SpreadError::Damaged { .. } => (Exit::CorruptTable, "damaged"),
            SpreadError::OtherKind { .. }
            | SpreadError::OtherVersion { .. }
            | SpreadError::OtherPlan(_)
            | SpreadError::Foreign { .. } => (Exit::Usage, "other-build"),
            SpreadError::Contradiction { .. } => (Exit::Difference, "contradiction"),
            SpreadError::Missing { .. } => (Exit::Failed, "missing-searches"),
            SpreadError::Stopped => return Ending::Stopped,
        };
        Failure::new(exit, kind, error.with_advice()).into()
    }
}
