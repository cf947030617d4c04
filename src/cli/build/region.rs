//! `reversi build --prefix P --down-to E`: a region of a large board, with saved progress and resumption.

use super::super::choices::Choice;
use super::super::common::Output;
use super::super::ending::Ending;
use super::super::interrupt::stop_on_ctrl_c;
use super::super::places::make_directory;
use super::super::print::{print_line, print_remark, print_stopped};
use super::super::reading::ReadingOptions;
use super::super::spread::one_search_each;
use super::super::values::duration_or_zero;
use super::super::{Exit, Failure};
use super::estimate::{self, SAMPLE_TIME, words_of_moves};
use super::job::BuildJob;
use super::known::tell_of_loss;
use super::progress::Reporter;
use super::{Build, Made, print_built, print_counts, write_table};
use crate::advice::Advice;
use clap::Args;
use reversi_engine::GameSetup;
use reversi_lab::build::checkpoint::{self, CheckpointError, Workspace};
use reversi_lab::build::estimate::estimate;
use reversi_lab::build::known_values::KnownValues;
use reversi_lab::build::last_ply::with_move;
use reversi_lab::build::plan::{BuildPlan, BuildPlanError};
use reversi_lab::build::region::{BuildError, Tools, solve};
use reversi_rules::key;
use reversi_rules::{Board, Geometry, Position, Rules, Scoring, Start};
use reversi_solver::search::{Solver, Stop};
use reversi_table::library::file_name;
use reversi_table::{RawEntry, Writer};
use serde_json::{Map, Value as Json, json};
use std::path::PathBuf;
use std::time::Duration;

/// Which region to build, and how to continue.
#[derive(Args)]
pub(super) struct RegionOptions {
    /// Solve every position of the first P plies (discs placed; passes do not count)
    #[arg(long, value_name = "P", requires = "down_to")]
    prefix: Option<u8>,
    /// Solve the positions that can arise when one side (either of them) plays its stored best moves, while at least E
    /// squares are empty
    #[arg(long, value_name = "E", requires = "prefix")]
    down_to: Option<u8>,
    /// Find all best moves of the prefix's last ply too, right after the scores; `reversi table moves`, which adds them
    /// later, searches longer for them
    #[arg(long, requires = "prefix")]
    moves: bool,
    /// Continue an interrupted build of a region, with its other options; whole boards begin again
    #[arg(long, requires = "prefix")]
    pub(super) resume: bool,
    /// Only print a rough estimate of positions, time, memory and disk space, from a short sample
    #[arg(long)]
    pub(super) dry_run: bool,
    /// How often results are saved
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration_or_zero)]
    checkpoint_every: Duration,
    /// Start from the values of this smaller table, of a file written with --keep, or of the checkpoint of another
    /// unfinished build; may be repeated. Except with --plan, those of the table to be replaced are used too. With
    /// --keep: leave out what these files hold
    #[arg(long, value_name = "FILE")]
    pub(super) from: Vec<PathBuf>,
    /// With --prefix: build from another position, a board in any usual form with its side to move
    #[arg(
        long,
        value_name = "CELLS SIDE",
        requires = "prefix",
        allow_hyphen_values = true,
        conflicts_with = "start"
    )]
    position: Option<String>,
    /// With --position: a name for the tables, followed by a number that identifies the position, as in
    /// 6x6-normal-raw-NAME-1f2e3d4c.rvt [default: the key of the position]
    #[arg(long, value_name = "NAME", requires = "position", value_parser = table_name)]
    name: Option<String>,
    #[command(flatten)]
    reading: ReadingOptions,
}

/// A name that becomes part of a file name: letters, digits, - and _.
fn table_name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match (1..=40).contains(&text.len()) && text.chars().all(is_plain) {
        true => Ok(text.to_owned()),
        false => Err("write up to 40 letters, digits, - and _".to_owned()),
    }
}

impl RegionOptions {
    /// # Errors
    /// Options about the reading of a position that is not given.
    pub(super) fn check_reading(&self) -> Result<(), Failure> {
        self.reading.check_for(self.position.is_some())
    }

    /// # Errors
    /// Files to start from where no region is built; `keeps` says whether they are named for `--keep`.
    pub(super) fn check_from(&self, keeps: bool) -> Result<(), Failure> {
        match self.from.is_empty() || self.prefix.is_some() || keeps {
            true => Ok(()),
            false => Err(Failure::usage("usage", "--from: only with --prefix and --down-to, or with --keep")),
        }
    }

    /// How often results are saved to disk.
    pub(super) fn checkpoint_every(&self) -> Duration {
        self.checkpoint_every
    }

    /// P and E, if they were given.
    pub(super) fn bounds(&self) -> Option<(u8, u8)> {
        self.prefix.zip(self.down_to)
    }
}

impl Build {
    pub(super) fn build_regions(
        &self,
        geometry: Geometry,
        (prefix, down_to): (u8, u8),
        output: Output,
    ) -> Result<(), Ending> {
        let jobs = self.jobs(geometry, prefix, down_to)?;
        if let Some(directory) = self.shared.plan() {
            return self.lay_out(directory, &jobs, output);
        }
        if self.anew && !output.quiet {
            jobs.iter().for_each(tell_of_loss);
        }
        let stop = stop_on_ctrl_c();
        if self.region.dry_run {
            return self.estimate_regions(&jobs, output, &stop);
        }
        // Read the starting points of all tables before the first is built: an error about the second must not come
        // hours later.
        make_directory("--out", self.out())?;
        for job in jobs.iter().skip(1) {
            self.sources(job)
                .take_over(&mut Workspace::enter(&job.workspace(), &job.plan)?)
                .map_err(Failure::from)?;
        }
        let mut tables = Vec::new();
        let mut build = |job: &BuildJob| {
            let built = self.build_region(job, output, &stop)?;
            if output.json {
                tables.push(built.json(&job.plan));
            } else {
                built.print(&job.plan);
            }
            Ok(())
        };
        let ended = jobs.iter().try_for_each(&mut build);
        if output.json {
            print_built(geometry, "tables", tables, &ended);
        }
        ended
    }

    fn estimate_regions(&self, jobs: &[BuildJob], output: Output, stop: &Stop) -> Result<(), Ending> {
        let threads = rayon::current_num_threads();
        let mut estimates = Vec::new();
        for job in jobs {
            let plan = &job.plan;
            let mut known_values = KnownValues::new(plan.geometry);
            let sources = self.sources(job);
            let kept = match sources.resume {
                true => checkpoint::kept(&job.workspace(), plan)?,
                false => None,
            };
            let kept = sources.resumed(&job.checkpoint(), kept).map_err(Failure::from)?;
            known_values.extend(sources.known_values(kept.as_ref()).map_err(Failure::from)?);
            known_values.extend(kept.into_iter().flat_map(|kept| kept.known_values));
            if let Some(position) = known_values.contradicted() {
                return Err(self.disagreement(job, position).into());
            }
            let solver = self.solver(plan)?;
            let guess = estimate(plan, &solver, &known_values, SAMPLE_TIME, stop).ok_or(Ending::Stopped);
            let guess = guess.inspect_err(|ending| ending.tell_if_stopped(output, estimate::STOPPED))?;
            if output.json {
                estimates.push(estimate::json(plan, &guess, threads, self.memory));
            } else {
                estimate::print(plan, &guess, threads, self.memory);
            }
        }
        if output.json {
            print_line(json!({"schema": "reversi.build-estimate/1", "estimates": estimates}));
        }
        Ok(())
    }

    /// A solver for many searches that share what they prove.
    pub(super) fn solver(&self, plan: &BuildPlan) -> Result<Solver, Failure> {
        Ok(Solver::new(plan.geometry, plan.rules, one_search_each(self.memory))?)
    }

    /// One job for each goal, scoring and root.
    fn jobs(&self, geometry: Geometry, prefix: u8, down_to: u8) -> Result<Vec<BuildJob>, Failure> {
        let mut jobs = Vec::new();
        for rules in self.rules(self.scoring.unwrap_or(Choice::One(Scoring::Raw))) {
            for (root, name) in self.roots(geometry, rules)? {
                let last_moves = self.region.moves;
                let plan = BuildPlan { geometry, rules, root, prefix, down_to, last_moves };
                plan.check().map_err(|error| match error {
                    BuildPlanError::Table(error) => Failure::usage("bad-board", error.to_string()),
                    BuildPlanError::PrefixTooLong { .. } => {
                        Failure::usage("usage", format!("--prefix: {error}"))
                    }
                    BuildPlanError::BoundTooHigh { .. } => {
                        Failure::usage("usage", format!("--down-to: {error}"))
                    }
                })?;
                jobs.push(BuildJob { plan, path: self.out().join(name) });
            }
        }
        Ok(jobs)
    }

    /// The first positions, each with its file name.
    fn roots(&self, geometry: Geometry, rules: Rules) -> Result<Vec<(Position, String)>, Failure> {
        let Some(text) = &self.region.position else {
            let starts = self.start.unwrap_or(Choice::One(Start::Diagonal));
            let root = |&start| (Board::start(geometry, start).position(), file_name(geometry, rules, start));
            return Ok(starts.values().iter().map(root).collect());
        };
        let setup =
            GameSetup { goal: rules.goal, scoring: Some(rules.scoring), ..GameSetup::new(geometry.into()) };
        let (board, named) = self.region.reading.board(text, Some(geometry), setup)?;
        let goal = named.goal.map(|goal| format!(" --goal {goal}"));
        let scoring = named.scoring.map(|scoring| format!(" --scoring {scoring}"));
        if goal.is_some() || scoring.is_some() {
            let options = [goal, scoring].into_iter().flatten().collect::<String>();
            let message = format!("--position: it is for other rules: build it with{options}");
            return Err(Failure::usage("usage", message));
        }
        reversi_table::check_size(geometry)
            .map_err(|error| Failure::usage("bad-board", error.to_string()))?;
        let root = board.position();
        let key = key::pack(geometry, root);
        let which = match &self.region.name {
            Some(name) => format!("{name}-{:08x}", crc32fast::hash(&key.to_le_bytes())),
            None => key.to_string(),
        };
        let name = format!("{geometry}-{}-{}-{which}.rvt", rules.goal, rules.scoring);
        Ok(vec![(root, name)])
    }

    fn build_region(&self, job: &BuildJob, output: Output, stop: &Stop) -> Result<Finished, Ending> {
        let solver = self.solver(&job.plan)?;
        let mut workspace = Workspace::enter(&job.workspace(), &job.plan)?;
        workspace.save_every(self.region.checkpoint_every);
        let (entries, nodes) = self.search_region(job, &solver, &mut workspace, output, stop)?;
        self.write_region(job, workspace, &entries, nodes, output, stop)
    }

    /// Finds the entries of the table. Also returns the number of nodes, if nothing was known before.
    fn search_region(
        &self,
        job: &BuildJob,
        solver: &Solver,
        workspace: &mut Workspace,
        output: Output,
        stop: &Stop,
    ) -> Result<(Vec<RawEntry>, Option<u64>), Ending> {
        let plan = job.plan;
        let known = self.take_over(job, workspace, &|text| note(output, text))?;
        let threads = rayon::current_num_threads();
        let mut reporter = Reporter::new(&plan, output);
        let (is_new, mut ended, mut nodes) = (known.is_empty(), 0_u64, 0);
        let tools = Tools {
            solver,
            threads,
            stop,
            workspace: Some(workspace),
            progress: &mut |progress| {
                ended += 1;
                nodes = progress.nodes;
                reporter.tell(progress);
            },
        };
        let solved = solve(plan, tools, known);
        drop(reporter);
        let entries = solved.map_err(|error| match error {
            BuildError::Stopped => {
                match ended {
                    0 => print_stopped(output, nothing_ended(workspace, is_new)),
                    _ => tell_stopped(workspace, output),
                }
                Ending::Stopped
            }
            BuildError::Contradiction(position) => self.disagreement(job, position).into(),
            BuildError::Checkpoint(error) => error.into(),
            BuildError::Prefix { .. } => {
                let message = format!("{error}; ask for a smaller --prefix");
                Failure::new(Exit::Failed, "out-of-memory", message).into()
            }
        })?;
        Ok((entries, is_new.then_some(nodes)))
    }

    /// Writes the table and removes what was kept for it. Hours may have passed, so a failure says where the results are.
    fn write_region(
        &self,
        job: &BuildJob,
        workspace: Workspace,
        entries: &[RawEntry],
        nodes: Option<u64>,
        output: Output,
        stop: &Stop,
    ) -> Result<Finished, Ending> {
        let plan = job.plan;
        // Made first: as long as it exists, no other program adds moves to the table that is there.
        let writer = Writer::create(&job.path, plan.contents())
            .map_err(|error| Failure::from(error).followed_by(&way_on(&workspace)))?;
        let moves = self.moves_to_keep(job, &workspace, entries).map_err(|failure| {
            failure.followed_by(&format!("the results are saved in {}", job.checkpoint().display()))
        })?;
        if !moves.is_empty() {
            note(output, format!("{} best moves of the last ply are kept from the old table", moves.len()));
        }
        let with_moves = entries.iter().map(|&entry| with_move(entry, &moves));
        let table = write_table(writer, with_moves, stop).map_err(|ending| match ending {
            Ending::Stopped => {
                tell_stopped(&workspace, output);
                Ending::Stopped
            }
            Ending::Failed(failure) => failure.followed_by(&way_on(&workspace)).into(),
        })?;
        let time = workspace.time();
        // The table is written; files that cannot be removed do no harm.
        if let Err(error) = workspace.remove() {
            print_remark(Failure::from(error));
        }
        let counts = counts(&plan, entries.iter().map(|entry| entry.key));
        Ok(Finished { table, counts, time, nodes })
    }
}

fn note(output: Output, text: String) {
    if !output.quiet {
        print_remark(text);
    }
}

fn tell_stopped(workspace: &Workspace, output: Output) {
    print_stopped(output, format_args!("stopped; {}", way_on(workspace)));
}

/// How to finish a build that ended before its table was written.
fn way_on(workspace: &Workspace) -> String {
    match workspace.holds_something() {
        true => format!("the results are saved in {}: --resume continues", workspace.checkpoint().display()),
        false => "nothing was searched, so nothing is lost".to_owned(),
    }
}

/// Says that nothing of an unfinished search is kept: a search may last for hours.
fn nothing_ended(workspace: &Workspace, is_new: bool) -> String {
    let lost = "an unfinished search is not saved";
    match is_new {
        true => format!("stopped before the first search ended, and {lost}: --resume begins it again"),
        false => format!("stopped before another search ended, and {lost}; {}", way_on(workspace)),
    }
}

impl From<CheckpointError> for Failure {
    fn from(error: CheckpointError) -> Failure {
        let (exit, kind) = match error {
            CheckpointError::Io { .. } | CheckpointError::Unkept { .. } => (Exit::Failed, "cannot-write"),
            CheckpointError::Unread { .. } => (Exit::Failed, "cannot-read"),
            CheckpointError::Locked(_) => (Exit::Failed, "locked"),
            CheckpointError::Unreadable { .. } => (Exit::CorruptTable, "bad-checkpoint"),
            CheckpointError::OtherBuild { .. } | CheckpointError::OtherGame { .. } => {
                (Exit::Usage, "other-build")
            }
        };
        Failure::new(exit, kind, error.with_advice())
    }
}

/// Number of entries by ply, from the root on.
pub(super) fn counts(plan: &BuildPlan, keys: impl Iterator<Item = u64>) -> Vec<u64> {
    let first = plan.root.disc_count();
    let mut counts = Vec::new();
    for position in keys.filter_map(|key| key::unpack(plan.geometry, key)) {
        let ply = (position.disc_count() - first) as usize;
        counts.resize(counts.len().max(ply + 1), 0);
        counts[ply] += 1;
    }
    counts
}

/// A table that was written, with what it took.
pub(super) struct Finished {
    pub table: Made,
    /// Entries by ply.
    pub counts: Vec<u64>,
    /// Time of all runs of the build together.
    pub time: Duration,
    /// Nodes of all searches; `None` if some were done in earlier runs or by other machines, whose parts report theirs.
    pub nodes: Option<u64>,
}

impl Finished {
    pub fn print(&self, plan: &BuildPlan) {
        let (total, seconds): (u64, _) = (self.counts.iter().sum(), self.time.as_secs_f64());
        let BuildPlan { geometry, prefix, down_to, .. } = plan;
        let moves = words_of_moves(plan);
        print_line(format_args!(
            "{geometry}, prefix {prefix}{moves}, down to {down_to}: {total} positions in {seconds:.1} s"
        ));
        let plies: Vec<_> = self.counts.iter().copied().enumerate().collect();
        print_counts("plies", &plies);
        self.table.print();
    }

    pub fn json(&self, plan: &BuildPlan) -> Json {
        let root = Board::from_position(plan.geometry, plan.root, reversi_rules::Color::Black);
        let plies: Map<String, Json> =
            self.counts.iter().enumerate().map(|(ply, &count)| (ply.to_string(), count.into())).collect();
        let mut object = json!({
            "root": root.to_string(), "prefix": plan.prefix, "down_to": plan.down_to, "moves": plan.last_moves,
            "positions": self.counts.iter().sum::<u64>(), "plies": plies, "seconds": self.time.as_secs_f64(),
        });
        if let (Some(object), Json::Object(table)) = (object.as_object_mut(), self.table.json()) {
            object.extend(self.nodes.map(|nodes| ("nodes".to_owned(), nodes.into())));
            object.extend(table);
        }
        object
    }
}
