//! `reversi build --plan`, `--shard`, `--merge`, `--keep` and `--recheck`: a region built by many machines.

use super::super::common::Output;
use super::super::ending::Ending;
use super::super::interrupt::stop_on_ctrl_c;
use super::super::places::{check_distinct, check_file, check_no_file, make_directory, write_file};
use super::super::print::print_line;
use super::super::spread::{
    NextRound, RecheckOptions, Reporter, hours, part_of, print_part, print_recheck, recheck_with,
    solver_for_recheck,
};
use super::super::{Exit, Failure};
use super::job::BuildJob;
use super::region::{Finished, counts};
use super::{Build, write_table};
use clap::Args;
use reversi_lab::build::checkpoint::{self, CheckpointError};
use reversi_lab::build::region::BuildError;
use reversi_lab::build::shared::{Merged, RoundReport, SharedBuild, SharedError, recheck};
use reversi_lab::build::sources::Sources;
use reversi_lab::spread::Recheck;
use reversi_lab::spread::parts::Part;
use reversi_solver::search::Stop;
use reversi_table::{RawEntry, Writer};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

/// One region built by many processes, on any number of machines.
#[derive(Args)]
pub(super) struct SharedOptions {
    /// Lay out the searches of the region in DIR, for several processes or machines; see --shard
    #[arg(long, value_name = "DIR", requires = "prefix", conflicts_with_all = ["dry_run", "resume", "out", "anew"])]
    plan: Option<PathBuf>,
    /// Do part I of N of the searches laid out in DIR. If it is killed, the same command continues. Any N will do
    #[arg(long, num_args = 2, value_names = ["I/N", "DIR"], conflicts_with_all = OF_A_PLAN)]
    #[arg(conflicts_with_all = ["out", "plan", "merge", "recheck"])]
    shard: Option<Vec<String>>,
    /// Join the results of all parts in DIR: lays out the next round of searches, or writes the table (in DIR, or
    /// --out)
    #[arg(long, value_name = "DIR", conflicts_with_all = OF_A_PLAN)]
    #[arg(conflicts_with_all = ["plan", "recheck"])]
    merge: Option<PathBuf>,
    /// Add all values that are known in DIR by now to FILE, without those that the files of --from hold. A build can
    /// start --from FILE: elsewhere, with another version of the program, or as another region of the same board
    #[arg(long, num_args = 2, value_names = ["FILE", "DIR"], conflicts_with_all = OF_A_PLAN)]
    #[arg(conflicts_with_all = ["out", "plan", "shard", "merge", "recheck"])]
    keep: Option<Vec<PathBuf>>,
    #[command(flatten)]
    recheck: RecheckOptions,
}

/// Options that a plan already fixes.
const OF_A_PLAN: [&str; 11] = [
    "board", "goal", "scoring", "start", "anew", "prefix", "down_to", "moves", "resume", "dry_run",
    "position",
];

impl SharedOptions {
    /// The directory in which to lay out the searches.
    pub fn plan(&self) -> Option<&Path> {
        self.plan.as_deref()
    }

    /// # Errors
    /// A seed without `--recheck`.
    pub fn check_seed(&self) -> Result<(), Failure> {
        self.recheck.check_seed(false)
    }

    /// Whether what is known is to be written.
    pub fn keeps(&self) -> bool {
        self.keep.is_some()
    }

    /// Whether a plan determines what is built.
    pub fn rests_on_plan(&self) -> bool {
        self.shard.is_some() || self.merge.is_some() || self.keeps() || self.recheck.recheck.is_some()
    }
}

impl Build {
    /// The steps that need a plan.
    pub(super) fn with_plan(&self, output: Output) -> Result<Exit, Ending> {
        if let Some((part, directory)) = part_of(self.shared.shard.as_deref().unwrap_or_default())? {
            self.run_part(part, directory, output)?;
        } else if let Some((sample, directory)) = self.shared.recheck.sample()? {
            return self.recheck(sample, directory, output);
        } else if let Some([path, directory]) = self.shared.keep.as_deref() {
            self.keep(path, directory, output)?;
        } else if let Some(directory) = &self.shared.merge {
            let stopped = "stopped; the results are not joined, and the same command begins again";
            self.merge(directory, output).inspect_err(|ending| ending.tell_if_stopped(output, stopped))?;
        }
        Ok(Exit::Done)
    }

    /// Lays out the first round.
    pub(super) fn lay_out(&self, directory: &Path, jobs: &[BuildJob], output: Output) -> Result<(), Ending> {
        let [job] = jobs else {
            let message = "--plan lays out one table: name one --goal, --scoring and --start";
            return Err(Failure::usage("usage", message).into());
        };
        check_no_file("--plan", directory)?;
        let known = self.sources(job).known_values(None).map_err(Failure::from)?;
        let name = job.path.file_name().and_then(|name| name.to_str()).expect("a table has a name");
        let solver = self.solver(&job.plan)?;
        let build = SharedBuild::plan(directory, &job.plan, name, known, &solver, &stop_on_ctrl_c());
        let build = build.map_err(|error| match error {
            SharedError::Build(BuildError::Contradiction(position)) => {
                self.disagreement(job, position).into()
            }
            error => Ending::from(error),
        });
        let build = build.inspect_err(|ending| {
            ending.tell_if_stopped(output, "stopped; no searches were laid out");
        })?;
        match output.json {
            true => print_line(json!({"schema": "reversi.build-plan/1", "next": next(&build).json()})),
            false => next(&build).print("build", directory),
        }
        Ok(())
    }

    fn run_part(&self, part: Part, directory: &Path, output: Output) -> Result<(), Ending> {
        let build = SharedBuild::open(directory)?;
        let solver = self.solver(&build.build_plan())?;
        let mut reporter = Reporter::new(output, format!("part {part} of round {}", build.round()));
        let (stop, sync) = (stop_on_ctrl_c(), self.region.checkpoint_every());
        let report = reporter.with_tools(&solver, &stop, sync, |tools| build.run(part, tools))?;
        print_part("reversi.build-part/1", build.round(), part, &report, output);
        Ok(())
    }

    fn merge(&self, directory: &Path, output: Output) -> Result<(), Ending> {
        let build = SharedBuild::open(directory)?;
        let stop = stop_on_ctrl_c();
        let (merged, report) = build.merge(&stop).map_err(of_merge)?;
        if !output.json {
            print_round(&report);
        }
        match merged {
            Merged::NextRound(build) if output.json => print_line(json!({
                "schema": "reversi.build-merge/1", "complete": false, "merged": round_json(&report),
                "next": next(&build).json(),
            })),
            Merged::NextRound(build) => next(&build).print("build", directory),
            Merged::Finished(entries) => {
                let finished = self.write_merged(&build, directory, &report, &entries, &stop)?;
                let plan = build.build_plan();
                match output.json {
                    true => print_line(json!({
                        "schema": "reversi.build-merge/1", "complete": true, "merged": round_json(&report),
                        "table": finished.json(&plan),
                    })),
                    false => finished.print(&plan),
                }
            }
        }
        Ok(())
    }

    /// Writes the table of all rounds.
    fn write_merged(
        &self,
        build: &SharedBuild,
        directory: &Path,
        report: &RoundReport,
        entries: &[RawEntry],
        stop: &Stop,
    ) -> Result<Finished, Ending> {
        let plan = build.build_plan();
        let out = self.out.as_deref().unwrap_or(directory);
        make_directory("--out", out)?;
        let path = out.join(build.name());
        // Made first: as long as it exists, no other program adds moves to the table that is there.
        let writer = Writer::create(&path, plan.contents()).map_err(Failure::from)?;
        let sources = Sources { plan, replaced: Some(path.clone()), from: Vec::new(), resume: false };
        let lost = sources.moves_to_lose(entries).map_err(Failure::from)?.len();
        if lost > 0 {
            let path = path.display();
            let message = format!(
                "{path} holds {lost} best moves of the last ply, which a merge would lose: pass another --out, then \
                 run `reversi table moves` on the new table with --from {path}; or lay the build out with --moves"
            );
            return Err(Failure::usage("larger-table", message).into());
        }
        let table = write_table(writer, entries.iter().copied(), stop)?;
        let counts = counts(&plan, entries.iter().map(|entry| entry.key));
        Ok(Finished { table, counts, time: report.all_busy, nodes: None })
    }

    /// Adds what is known by now to a file.
    fn keep(&self, path: &Path, directory: &Path, output: Output) -> Result<(), Ending> {
        let from = &self.region.from;
        let others: Vec<_> = from.iter().map(|path| ("a file of --from", path.as_path())).collect();
        check_distinct("--keep", path, &others)?;
        check_file("--keep", path)?;
        let build = SharedBuild::open(directory)?;
        let plan = build.build_plan();
        let kept = checkpoint::found_for(path, &plan).map_err(of_kept)?;
        let sources = Sources { plan, replaced: None, from: from.clone(), resume: false };
        let held = sources.known_values(None).map_err(Failure::from)?;
        let known_values = build.known_so_far(&kept, &held).map_err(of_merge)?;
        let count = known_values.len();
        write_file("--keep", path, &checkpoint::bytes_of(&plan, known_values))?;
        let file = path.display().to_string();
        match output.json {
            true => print_line(json!({"schema": "reversi.build-keep/1", "file": file, "values": count})),
            false => print_line(format_args!("{file} holds {count} values: a build can start --from it")),
        }
        Ok(())
    }

    fn recheck(&self, sample: Recheck, directory: &Path, output: Output) -> Result<Exit, Ending> {
        let plan = SharedBuild::open(directory)?.build_plan();
        let solver = solver_for_recheck(plan.geometry, plan.rules, self.memory)?;
        let sync = self.region.checkpoint_every();
        let report = recheck_with(&solver, sync, output, |tools| recheck(directory, sample, tools))?;
        Ok(print_recheck("reversi.build-recheck/1", &report, output))
    }
}

fn next(build: &SharedBuild) -> NextRound {
    NextRound {
        round: build.round(),
        searches: build.searches(),
        nodes: build.expected_nodes(),
        time: build.expected_time(),
        rounds_left: Some(build.rounds_left()),
    }
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
        "all_busy_seconds": report.all_busy.as_secs_f64(),
    })
}

/// The error of a file of values that was there before.
fn of_kept(error: CheckpointError) -> Failure {
    match error {
        CheckpointError::Unreadable { .. } => {
            Failure::usage("file-exists", format!("--keep: {error}; name another file"))
        }
        CheckpointError::OtherBuild { .. } => {
            Failure::usage("other-build", format!("--keep: {error}; name another file"))
        }
        error => error.into(),
    }
}

/// The error of a merge, with a way out where no two results of one search contradict each other.
fn of_merge(error: SharedError) -> Ending {
    match error {
        SharedError::Build(error @ BuildError::Contradiction(_)) => {
            let message = format!(
                "{error}; a result, or a file taken over with --from, is wrong: see \"When a machine was faulty\" in \
                 docs/guide/cluster.md"
            );
            Failure::new(Exit::Difference, "contradiction", message).into()
        }
        error => error.into(),
    }
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
                let message = format!("{error}; ask for a smaller --prefix");
                Failure::new(Exit::Failed, "out-of-memory", message).into()
            }
            SharedError::Build(BuildError::Checkpoint(error)) => error.into(),
        }
    }
}
