//! `reversi build --plan`, `--shard`, `--merge` and `--recheck`: a region built by many machines.

use super::super::common::Output;
use super::super::interrupt::stop_on_ctrl_c;
use super::super::places::make_directory;
use super::super::print::{print_line, print_remark};
use super::super::{Exit, Failure};
use super::known::refuse_to_shrink;
use super::region::{BuildJob, Finished};
use super::{Build, Ending, Made, write_table};
use crate::advice::Advice;
use clap::Args;
use reversi_lab::build::plan::BuildPlan;
use reversi_lab::build::region::BuildError;
use reversi_lab::build::shared::{
    Merged, PartProgress, PartReport, PartTools, Recheck, RecheckReport, RoundReport, SharedBuild,
    SharedError, recheck,
};
use reversi_lab::spread::SpreadError;
use reversi_lab::spread::parts::{Part, PartError};
use reversi_solver::search::{Sizing, Solver, SolverOptions, Stop};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time that a part of the usual size takes with one thread.
const USUAL_PART: Duration = Duration::from_secs(30 * 60);
const TOLD_EVERY: Duration = Duration::from_secs(30);

/// One region by many processes, on as many machines as wanted.
#[derive(Args)]
pub(super) struct SharedOptions {
    /// Lay out the searches of the region in DIR, for many processes or machines; see --shard
    #[arg(long, value_name = "DIR", requires = "prefix", conflicts_with_all = ["dry_run", "resume", "out", "anew"])]
    plan: Option<PathBuf>,
    /// Do part I of N of what is laid out in DIR; killed at any moment, the same command goes on. Any N will do
    #[arg(long, num_args = 2, value_names = ["I/N", "DIR"], conflicts_with_all = OF_A_PLAN)]
    #[arg(conflicts_with_all = ["out", "plan", "merge", "recheck"])]
    shard: Option<Vec<String>>,
    /// Join what all parts have found in DIR: lays out the next round of searches, or writes the table (in DIR, or
    /// --out)
    #[arg(long, value_name = "DIR", conflicts_with_all = OF_A_PLAN, conflicts_with_all = ["plan", "recheck"])]
    merge: Option<PathBuf>,
    /// Repeat P of a hundred searches that the parts have done, drawn at random, with another move ordering and the table
    /// size of --memory: every result must be the same. Later merges tell how many were repeated
    #[arg(long, num_args = 2, value_names = ["P%", "DIR"], conflicts_with_all = OF_A_PLAN)]
    #[arg(conflicts_with_all = ["out", "plan"])]
    recheck: Option<Vec<String>>,
    /// With --recheck: other seeds draw other searches
    #[arg(long, value_name = "N", default_value_t = 1, requires = "recheck")]
    seed: u64,
}

/// Options that a plan holds already.
const OF_A_PLAN: [&str; 11] = [
    "board", "goal", "scoring", "start", "anew", "prefix", "down_to", "resume", "dry_run", "from", "position",
];

impl SharedOptions {
    /// Where the searches are to be laid out.
    pub fn plan(&self) -> Option<&Path> {
        self.plan.as_deref()
    }
}

impl Build {
    /// The steps that rest on a plan.
    pub(super) fn with_plan(&self, output: Output) -> Result<Exit, Ending> {
        if let Some([part, directory]) = self.shared.shard.as_deref() {
            let part = part
                .parse()
                .map_err(|error: PartError| Failure::usage("usage", format!("--shard: {error}")))?;
            self.run_part(part, Path::new(directory), output)?;
        } else if let Some([percent, directory]) = self.shared.recheck.as_deref() {
            return self.recheck(parse_percent(percent)?, Path::new(directory), output);
        } else if let Some(directory) = &self.shared.merge {
            self.merge(directory, output)?;
        }
        Ok(Exit::Done)
    }

    /// Lays out the first round.
    pub(super) fn lay_out(&self, directory: &Path, jobs: &[BuildJob], output: Output) -> Result<(), Ending> {
        let [job] = jobs else {
            let message = "--plan lays out one table: name one --goal, --scoring and --start";
            return Err(Failure::usage("usage", message).into());
        };
        let known = self.known_before(job, None)?;
        let name = job.path.file_name().and_then(|name| name.to_str()).expect("a table has a name");
        let solver = self.solver(&job.plan)?;
        let build = SharedBuild::plan(directory, &job.plan, name, known, &solver, &stop_on_ctrl_c())?;
        if output.json {
            print_line(json!({"schema": "reversi.build-plan/1", "next": next_json(&build)}));
        } else {
            print_next(&build, directory);
        }
        Ok(())
    }

    fn run_part(&self, part: Part, directory: &Path, output: Output) -> Result<(), Ending> {
        let build = SharedBuild::open(directory)?;
        let solver = self.solver(&build.build_plan())?;
        let stop = stop_on_ctrl_c();
        let mut reporter = Reporter::new(output, format!("part {part} of round {}", build.round()));
        let mut tell = |progress| reporter.tell(progress);
        let report = build.run(part, self.tools(&solver, &stop, &mut tell))?;
        if !output.quiet {
            report.passed_over.iter().for_each(|error| print_remark(format_args!("passed over: {error}")));
        }
        if output.json {
            print_line(part_json(&build, part, &report));
        } else {
            print_part(&build, part, &report);
        }
        Ok(())
    }

    fn tools<'a>(
        &self,
        solver: &'a Solver,
        stop: &'a Stop,
        progress: &'a mut dyn FnMut(PartProgress),
    ) -> PartTools<'a> {
        let (threads, sync_every) = (rayon::current_num_threads(), self.region.checkpoint_every());
        PartTools { solver, threads, stop, sync_every, progress }
    }

    fn merge(&self, directory: &Path, output: Output) -> Result<(), Ending> {
        let build = SharedBuild::open(directory)?;
        let stop = stop_on_ctrl_c();
        let (merged, report) = build.merge(&stop)?;
        if !output.json {
            print_round(&report);
        }
        match merged {
            Merged::NextRound(next) if output.json => print_line(json!({
                "schema": "reversi.build-merge/1", "complete": false, "merged": round_json(&report),
                "next": next_json(&next),
            })),
            Merged::NextRound(next) => print_next(&next, directory),
            Merged::Finished(entries) => {
                let plan = build.build_plan();
                let out = self.out.as_deref().unwrap_or(directory);
                make_directory("--out", out)?;
                let job = BuildJob { plan, path: out.join(build.name()) };
                if let Ok(table) = super::known::open(&job.path, &plan) {
                    refuse_to_shrink(&job, &table)?;
                }
                let table = write_table(job.path, plan.contents(), entries.iter().copied(), &stop)?;
                finished(&plan, &report, &entries, table, output);
            }
        }
        Ok(())
    }

    fn recheck(&self, percent: f64, directory: &Path, output: Output) -> Result<Exit, Ending> {
        let plan: BuildPlan = SharedBuild::open(directory)?.build_plan();
        let options = SolverOptions { memory_bytes: self.memory, threads: 1, sizing: Sizing::Whole };
        let solver =
            Solver::with_ordering(plan.geometry, plan.rules, options, None).map_err(Failure::from)?;
        let stop = stop_on_ctrl_c();
        let mut reporter = Reporter::new(output, "recheck".to_owned());
        let sample = Recheck { percent, seed: self.shared.seed };
        let mut tell = |progress| reporter.tell(progress);
        let report = recheck(directory, sample, self.tools(&solver, &stop, &mut tell))?;
        print_recheck(&report, output);
        Ok(if report.differences.is_empty() { Exit::Done } else { Exit::Difference })
    }
}

fn parse_percent(text: &str) -> Result<f64, Failure> {
    let percent = text.trim_end_matches('%').parse().ok().filter(|percent| (0.0..=100.0).contains(percent));
    percent.ok_or_else(|| {
        Failure::usage("usage", "--recheck: write a part of a hundred from 0 to 100, as in 2%")
    })
}

/// A line for each half minute.
struct Reporter {
    quiet: bool,
    what: String,
    told: Instant,
}

impl Reporter {
    fn new(output: Output, what: String) -> Reporter {
        Reporter { quiet: output.quiet, what, told: Instant::now() }
    }

    /// Called after every search.
    fn tell(&mut self, progress: PartProgress) {
        if self.quiet || self.told.elapsed() < TOLD_EVERY {
            return;
        }
        self.told = Instant::now();
        let PartProgress { done, all, expected_nodes, expected_nodes_done, since, .. } = progress;
        let seconds = since.elapsed().as_secs_f64();
        let rate = expected_nodes_done.max(1) as f64 / seconds;
        let left = expected_nodes.saturating_sub(expected_nodes_done) as f64 / rate;
        print_remark(format_args!(
            "{}: {done} of {all} searches in {seconds:.0} s, about {left:.0} s left",
            self.what
        ));
    }
}

fn print_next(build: &SharedBuild, directory: &Path) {
    let (round, searches) = (build.round(), build.searches());
    let (nodes, at_most) = (build.expected_nodes() as f64, build.rounds_left());
    let cost = match build.expected_time() {
        Some(time) => format!("about {nodes:.1e} nodes, {}", hours(time)),
        None => format!("about {nodes:.1e} nodes"),
    };
    print_line(format_args!(
        "round {round}: {searches} searches to do, {cost}; at most {at_most} more rounds after it"
    ));
    let parts = parts_for(build);
    let directory = directory.display();
    print_line(format_args!(
        "  reversi build --shard I/{parts} {directory}    for every I from 1 to {parts}, or any other number of parts"
    ));
    print_line(format_args!("  reversi build --merge {directory}    when all are done"));
}

/// Parts of half an hour.
fn parts_for(build: &SharedBuild) -> u64 {
    let time = build.expected_time().unwrap_or_default();
    let parts = (time.as_secs_f64() / USUAL_PART.as_secs_f64()).ceil() as u64;
    parts.clamp(1, build.searches().max(1) as u64)
}

fn hours(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..120.0 => format!("{seconds:.1} core-seconds"),
        ..7200.0 => format!("{:.0} core-minutes", seconds / 60.0),
        _ => format!("{:.1} core-hours", seconds / 3600.0),
    }
}

fn next_json(build: &SharedBuild) -> Json {
    json!({
        "round": build.round(), "searches": build.searches(), "expected_nodes": build.expected_nodes(),
        "expected_seconds": build.expected_time().map(|time| time.as_secs_f64()), "parts": parts_for(build),
        "rounds_left": build.rounds_left(),
    })
}

fn print_part(build: &SharedBuild, part: Part, report: &PartReport) {
    let PartReport { searches, done_before, expected_nodes, nodes, busy, .. } = report;
    print_line(format_args!(
        "part {part} of round {}: {searches} searches, {done_before} of them done before; expected {:.2e} nodes, took \
         {:.2e} in {}",
        build.round(),
        *expected_nodes as f64,
        *nodes as f64,
        hours(*busy)
    ));
}

fn part_json(build: &SharedBuild, part: Part, report: &PartReport) -> Json {
    json!({
        "schema": "reversi.build-part/1", "round": build.round(), "part": part.to_string(),
        "searches": report.searches, "done_before": report.done_before, "expected_nodes": report.expected_nodes,
        "nodes": report.nodes, "busy_seconds": report.busy.as_secs_f64(), "seconds": report.time.as_secs_f64(),
        "file": report.file.as_ref().map(|file| file.display().to_string()),
        "passed_over": report.passed_over,
    })
}

fn print_round(report: &RoundReport) {
    let RoundReport { round, searches, twice, expected_nodes, nodes, busy, all_searches, rechecked, .. } =
        report;
    let twice = if *twice > 0 { format!(", {twice} found more than once") } else { String::new() };
    print_line(format_args!(
        "round {round}: {searches} searches done{twice}; expected {:.2e} nodes, took {:.2e} in {}",
        *expected_nodes as f64,
        *nodes as f64,
        hours(*busy)
    ));
    print_line(format_args!("  rechecked until now: {rechecked} of {all_searches} searches of all rounds"));
}

fn round_json(report: &RoundReport) -> Json {
    json!({
        "round": report.round, "searches": report.searches, "twice": report.twice,
        "expected_nodes": report.expected_nodes, "nodes": report.nodes, "busy_seconds": report.busy.as_secs_f64(),
        "all_searches": report.all_searches, "rechecked": report.rechecked,
    })
}

fn finished(
    plan: &BuildPlan,
    report: &RoundReport,
    entries: &[reversi_table::RawEntry],
    table: Made,
    output: Output,
) {
    let counts = super::region::counts(plan, entries.iter().map(|entry| entry.key));
    let finished = Finished { table, counts, time: report.all_busy };
    if output.json {
        print_line(json!({
            "schema": "reversi.build-merge/1", "complete": true, "merged": round_json(report),
            "table": finished.json(plan),
        }));
    } else {
        finished.print(plan);
    }
}

fn print_recheck(report: &RecheckReport, output: Output) {
    let RecheckReport { searches, drawn, done_before, nodes, differences } = report;
    if output.json {
        print_line(json!({
            "schema": "reversi.build-recheck/1", "searches": searches, "drawn": drawn, "done_before": done_before,
            "nodes": nodes, "differences": differences,
        }));
        return;
    }
    differences.iter().for_each(|difference| print_line(format_args!("DIFFERENT: {difference}")));
    print_line(format_args!(
        "{drawn} of {searches} searches repeated, {done_before} of them before: {} differ",
        differences.len()
    ));
}

impl From<SharedError> for Ending {
    fn from(error: SharedError) -> Ending {
        match error {
            SharedError::Spread(error) => error.into(),
            SharedError::Build(BuildError::Stopped) => Ending::Stopped,
            SharedError::Build(error @ BuildError::Contradiction(_)) => {
                Failure::new(Exit::Difference, "contradiction", error.to_string()).into()
            }
            SharedError::Build(error @ BuildError::Prefix { .. }) => {
                Failure::new(Exit::Failed, "out-of-memory", format!("{error}; ask for a smaller --prefix"))
                    .into()
            }
            SharedError::Build(BuildError::Checkpoint(error)) => error.into(),
        }
    }
}

impl From<SpreadError> for Failure {
    fn from(error: SpreadError) -> Failure {
        let (exit, kind) = match error {
            SpreadError::Io { .. } => (Exit::Failed, "cannot-read"),
            SpreadError::Unkept { .. } => (Exit::Failed, "cannot-write"),
            SpreadError::Locked(_) => (Exit::Failed, "locked"),
            SpreadError::NoPlan(_) => (Exit::Usage, "no-plan"),
            SpreadError::HasPlan(_) => (Exit::Usage, "has-plan"),
            SpreadError::Unreadable { .. } | SpreadError::Damaged { .. } => (Exit::CorruptTable, "damaged"),
            SpreadError::OtherVersion { .. } | SpreadError::OtherPlan(_) | SpreadError::Foreign { .. } => {
                (Exit::Usage, "other-build")
            }
            SpreadError::Contradiction { .. } => (Exit::Difference, "contradiction"),
            SpreadError::Missing { .. } => (Exit::Failed, "missing-searches"),
        };
        Failure::new(exit, kind, error.with_advice())
    }
}
