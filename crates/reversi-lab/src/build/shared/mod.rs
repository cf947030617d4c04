//! A region built by many machines that share only a directory or copies of it; see [`crate::spread`].
//!
//! # Rounds
//! The positions of a region depend on the stored moves before them, so not all searches are known at once. A *round*
//! consists of all searches that are known to be needed from the results of all earlier rounds:
//!
//! 1. The first round is the whole last ply of the prefix.
//! 2. In later rounds the walk goes down as far as known values lead, and needs the score and the move of each position
//!    in which it ends. After a position that chooses comes a free one, and after that positions that need a search
//!    again. So each round extends both walks by two plies.
//!
//! For a root with R empty squares, a prefix of P plies and a bound of E this takes `1 + ceil((R - E - P + 1) / 2)`
//! rounds, `1 + ceil((R - E - P) / 2)` if the first round finds the moves too, and one if the prefix goes beyond the
//! bound: for 6x6, P = 9 and E = 14 six rounds. A pass of the free side takes a ply of its round, so lines with such
//! passes may add a round or two of few searches.
//!
//! Fewer rounds would mean that a part continues below a position by itself, through positions that other parts meet as
//! well: without the exchange after each round, about twice as many searches every two plies.
//!
//! # Files
//! ```text
//! DIR/round-1/plan                  what the region is, what is known, the searches: a whole file
//! DIR/round-1/part-3-of-20.*.found  what one process has found: see `spread::results`
//! DIR/round-1/part-3-of-20.*.bounds what it has proved on its way: see `bounds`
//! DIR/round-1/recheck.*.found       what was searched again
//! DIR/round-2/plan                  made from all of the above
//! ```
//!
//! All searches have exact results, so the table has the same bytes as one built by a single machine.

mod bounds;
mod exact_value;
mod listing;
mod merge;
mod round;

pub use merge::{Merged, RoundReport};

use super::job::{MOVE_ALONE, SearchJob, WITH_MOVE, work};
use super::known_values::{KnownValue, KnownValues};
use super::plan::BuildPlan;
use super::walk::BuildError;
use crate::spread::costs::Costs;
use crate::spread::parts::Part;
use crate::spread::recheck::{Recheck, RecheckReport};
use crate::spread::results::Stamp;
use crate::spread::share::{Found, PartReport, PartTools, Share, assert_fits};
use crate::spread::{SpreadError, rounds};
use bounds::TakenOver;
use exact_value::ExactValue;
use reversi_rules::{Geometry, key};
use reversi_solver::search::{Solver, Stop};
use round::Round;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why a shared build cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SharedError {
    /// A fault of the files, or a stop.
    #[error(transparent)]
    Spread(#[from] SpreadError),
    /// A fault of the results, or a stop.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// A round of a shared build.
pub struct SharedBuild {
    directory: PathBuf,
    plan: BuildPlan,
    name: String,
    costs: Costs,
    /// All that is known when the round begins.
    known: Vec<KnownValue>,
    share: Share<SearchJob>,
    /// Nodes a second of one thread, where that is known.
    rate: Option<f64>,
}

impl SharedBuild {
    /// Lays out the first round in a directory, which is created if needed. `name` is the file name that the table will
    /// have. A few quick searches by `solver` give the expected costs of the others.
    ///
    /// # Errors
    /// A directory that holds a plan or cannot be written; a prefix that does not fit into the memory; known values
    /// that contradict each other; a stop.
    ///
    /// # Panics
    /// If the plan does not pass [`BuildPlan::check`], or the solver is for another board or other rules.
    pub fn plan(
        directory: &Path,
        plan: &BuildPlan,
        name: &str,
        known: impl IntoIterator<Item = KnownValue>,
        solver: &Solver,
        stop: &Stop,
    ) -> Result<SharedBuild, SharedError> {
        plan.check().expect("a plan that can be carried out");
        assert_fits(solver, plan.geometry, plan.rules);
        let _beginning = rounds::begin(directory)?;
        let (costs, rate) = Costs::guessed(plan.root, solver, stop).ok_or(BuildError::Stopped)?;
        let (families, known) = match listing::list(plan, known, stop)? {
            listing::Listed::Searches { families, known } => (families, known),
            // Nothing to do in this round; a merge finds the region finished.
            listing::Listed::Finished { known, .. } => (Vec::new(), known),
        };
        let round = Round { plan: *plan, name: name.to_owned(), number: 1, costs, known, families };
        let stamp = round.write(directory)?;
        Ok(SharedBuild { rate, ..SharedBuild::of(directory, round, stamp) })
    }

    /// Opens the latest round in a directory.
    ///
    /// # Errors
    /// No plan, or one that is damaged or was written by another version.
    pub fn open(directory: &Path) -> Result<SharedBuild, SpreadError> {
        let number = rounds::latest(directory)?.ok_or_else(|| SpreadError::NoPlan(directory.to_owned()))?;
        SharedBuild::open_round(directory, number)
    }

    fn open_round(directory: &Path, number: u32) -> Result<SharedBuild, SpreadError> {
        let (round, stamp) = Round::read(directory, number)?;
        Ok(SharedBuild::of(directory, round, stamp))
    }

    fn of(directory: &Path, round: Round, stamp: Stamp) -> SharedBuild {
        let Round { plan, name, number, costs, known, families } = round;
        let geometry = plan.geometry;
        let jobs = || families.iter().flatten();
        let share = Share {
            directory: rounds::directory_of(directory, number),
            stamp,
            geometry,
            keys: jobs().map(|job| key::canonical(geometry, job.position()).0).collect(),
            costs: jobs().map(|job| expected(&costs, geometry, job)).collect(),
            families,
        };
        SharedBuild { directory: directory.to_owned(), plan, name, costs, known, share, rate: None }
    }

    /// What is built.
    pub fn build_plan(&self) -> BuildPlan {
        self.plan
    }

    /// The file name that the table is to have.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of the round, from 1.
    pub fn round(&self) -> u32 {
        self.share.stamp.round
    }

    /// Searches of the round.
    pub fn searches(&self) -> usize {
        self.share.keys.len()
    }

    /// Nodes that the searches of the round are expected to take.
    pub fn expected_nodes(&self) -> u64 {
        self.share.expected_nodes()
    }

    /// Expected time of the round with one thread, at the speed of the machine that laid it out or, after a merge, of
    /// the machines that did the round before; `None` if the build was only opened.
    pub fn expected_time(&self) -> Option<Duration> {
        Some(self.share.expected_time(self.rate?))
    }

    /// Number of rounds after this one, unless passes add some.
    pub fn rounds_left(&self) -> u32 {
        let BuildPlan { geometry, root, prefix, down_to, last_moves, .. } = self.plan;
        // The walk of the side to move begins below the prefix with a move, which may be known from the first round.
        let plies = root.empty_count(geometry) - u32::from(down_to) + u32::from(!last_moves);
        let rounds = 1 + plies.saturating_sub(prefix.into()).div_ceil(2);
        rounds.saturating_sub(self.round())
    }

    /// Does a part of the round, without searches whose results are in any file already.
    ///
    /// Every process writes its own file. If the file system can lock, two processes with the same part do not run at
    /// the same time; elsewhere both do the part, which only takes longer.
    ///
    /// # Errors
    /// [`SpreadError::Stopped`], with the results so far saved; files that cannot be written.
    ///
    /// # Panics
    /// If the solver is for another board or other rules.
    pub fn run(&self, part: Part, mut tools: PartTools) -> Result<PartReport, SpreadError> {
        assert_fits(tools.solver, self.plan.geometry, self.plan.rules);
        let mut known_values = KnownValues::new(self.plan.geometry);
        known_values.extend(self.known.iter().copied());
        let (solver, stop) = (tools.solver, tools.stop);
        let mut taken = TakenOver::default();
        let begin = || taken = bounds::take_over(&self.directory, self.round(), self.most_empties(), solver);
        let mut report =
            self.share.run(part, &mut tools, begin, |job| search(solver, &known_values, job, stop));
        let is_to_be_kept = match &report {
            Ok(report) => report.file.is_some(),
            Err(error) => matches!(error, SpreadError::Stopped),
        };
        // The results are saved already, so an error here is no failure.
        let kept = is_to_be_kept.then(|| self.keep_bounds(part, solver, &taken));
        if let Ok(report) = &mut report {
            report.passed_over.append(&mut taken.passed_over);
            report.passed_over.extend(kept.and_then(Result::err).map(|error| error.to_string()));
        }
        report
    }

    /// The most empty squares of a position of the round.
    fn most_empties(&self) -> u32 {
        self.empties().max().unwrap_or(0)
    }

    fn empties(&self) -> impl Iterator<Item = u32> {
        self.share.jobs().map(|job| job.position().empty_count(self.plan.geometry))
    }

    /// Saves bounds for later parts of this machine, and for later rounds, whose searches lie below all of this round.
    fn keep_bounds(&self, part: Part, solver: &Solver, taken: &TakenOver) -> Result<(), SpreadError> {
        let least = self.empties().min().unwrap_or(0);
        bounds::keep(&self.share.directory, self.share.stamp, part, least, solver, taken)
    }

    /// The same question, from nothing but the canonical image of the position.
    fn repeated(&self, job: SearchJob) -> SearchJob {
        let (_, form, _) = key::canonical(self.plan.geometry, job.position());
        if job.asks_for_move() { SearchJob::Both(form) } else { SearchJob::Value(form) }
    }
}

/// Repeats searches of all rounds in a directory, from their positions alone, and saves the results beside those of the
/// parts. A solver with another table size and another move ordering than the parts searches other nodes; the results
/// must be the same.
///
/// # Errors
/// As [`SharedBuild::run`]. Differences are no errors here, but make every later merge fail.
///
/// # Panics
/// If the solver is for another board or other rules.
pub fn recheck(
    directory: &Path,
    sample: Recheck,
    mut tools: PartTools,
) -> Result<RecheckReport, SpreadError> {
    let latest = SharedBuild::open(directory)?;
    assert_fits(tools.solver, latest.plan.geometry, latest.plan.rules);
    let (solver, stop) = (tools.solver, tools.stop);
    let nothing = KnownValues::new(latest.plan.geometry);
    let mut report = RecheckReport::default();
    for number in 1..=latest.round() {
        let build = SharedBuild::open_round(directory, number)?;
        let again = |job: &SearchJob| search(solver, &nothing, job, stop);
        build.share.recheck(sample, &mut tools, |job, _| build.repeated(job), again, &mut report)?;
    }
    Ok(report)
}

/// Expected nodes of a search.
fn expected(costs: &Costs, geometry: Geometry, job: &SearchJob) -> u64 {
    (costs.of(job.position().empty_count(geometry)) as f64 * factor(job)).max(1.0) as u64
}

/// Expected nodes of a search as a multiple of a search of the score.
fn factor(job: &SearchJob) -> f64 {
    match job {
        SearchJob::Value(_) => 1.0,
        SearchJob::Both(_) | SearchJob::BothFrom(..) => WITH_MOVE,
        SearchJob::Move(..) => MOVE_ALONE,
    }
}

fn search(
    solver: &Solver,
    known_values: &KnownValues,
    job: &SearchJob,
    stop: &Stop,
) -> Option<Found<ExactValue>> {
    let found = work(solver, known_values, job, stop)?;
    Some((ExactValue { score: found.known_value.score, best: found.known_value.best }, found.nodes))
}
