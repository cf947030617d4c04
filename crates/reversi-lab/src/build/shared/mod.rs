//! A region built by many machines, which share nothing but a directory or copies of it; see [`crate::spread`].
//!
//! # Rounds
//! Which positions are in a region depends on the stored moves before them, so not all searches are known at once. A
//! *round* is every search that is known to be needed from what all rounds before have found:
//!
//! 1. the last ply of the prefix, all of it;
//! 2. from then on the walk goes down as far as known values lead, and wants the score and the move of each position in
//!    which it ends. What follows a position that chooses is free, and what follows that one wants a search again: so
//!    each round takes both walks two plies further, side by side.
//!
//! For a root with R empty squares, a prefix of P plies and a bound of E these are `1 + ceil((R - E - P + 1) / 2)` rounds
//! at most, and one if the prefix reaches to the bound: for 6x6, P = 9 and E = 14 six. Fewer would mean that a part
//! goes on below a position by itself, through positions that other parts meet as well: without the exchange after each
//! round about twice as many searches every two plies.
//!
//! # Files
//! ```text
//! DIR/round-1/plan                  what the region is, what is known, the searches: a whole file
//! DIR/round-1/part-3-of-20.*.found  what one process has found: see `spread::results`
//! DIR/round-1/recheck.*.found       what was searched again
//! DIR/round-2/plan                  made from all of the above
//! ```
//!
//! All searches have exact results, so the table that comes out has the same bytes as one that was built by one machine.

mod costs;
mod gathered;
mod listing;
mod merge;
mod recheck;
mod round;
mod run;
mod search_result;

pub use merge::{Merged, RoundReport};
pub use recheck::{Recheck, RecheckReport, recheck};
pub use run::{PartProgress, PartReport, PartTools};

use super::known_values::KnownValue;
use super::plan::BuildPlan;
use super::region::BuildError;
use crate::spread::SpreadError;
use crate::spread::results::Stamp;
use reversi_rules::key;
use reversi_solver::search::{Solver, Stop};
use round::Round;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why a shared build cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SharedError {
    /// A fault of the files.
    #[error(transparent)]
    Spread(#[from] SpreadError),
    /// A fault of what was found, or a stop.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// The latest round of a shared build.
pub struct SharedBuild {
    directory: PathBuf,
    round: Round,
    stamp: Stamp,
    /// The canonical keys of the positions searched, by the number of the search.
    keys: Vec<u64>,
    /// Nodes a second of one thread, where that is known.
    rate: Option<f64>,
}

impl SharedBuild {
    fn of(directory: &Path, round: Round, stamp: Stamp) -> SharedBuild {
        let geometry = round.plan.geometry;
        let keys = round.jobs().map(|job| key::canonical(geometry, job.position()).0).collect();
        SharedBuild { directory: directory.to_owned(), round, stamp, keys, rate: None }
    }

    fn open_round(directory: &Path, number: u32) -> Result<SharedBuild, SpreadError> {
        let (round, stamp) = Round::read(directory, number)?;
        Ok(SharedBuild::of(directory, round, stamp))
    }

    /// Lays out the first round in a directory, which is made if it is not there. `name` is the file name that the table
    /// is to have. A few quick searches by `solver` tell what the others may cost.
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
        assert!(
            solver.geometry() == plan.geometry && solver.rules() == plan.rules,
            "the solver is for something else"
        );
        if round::latest(directory)?.is_some() {
            return Err(SpreadError::HasPlan(directory.to_owned()).into());
        }
        let (costs, rate) = costs::Costs::guessed(plan, solver, stop).ok_or(BuildError::Stopped)?;
        let (families, known) = match listing::list(plan, known, stop)? {
            listing::Listed::Searches { families, known } => (families, known),
            // Nothing to do in this round; the next step finds the region finished.
            listing::Listed::Finished { known, .. } => (Vec::new(), known),
        };
        let round = Round::new(plan, name, 1, costs, known, families);
        let stamp = round.write(directory)?;
        Ok(SharedBuild { rate, ..SharedBuild::of(directory, round, stamp) })
    }

    /// Opens the latest round in a directory.
    ///
    /// # Errors
    /// No plan, or one that is damaged or was written by another version.
    pub fn open(directory: &Path) -> Result<SharedBuild, SpreadError> {
        let number = round::latest(directory)?.ok_or_else(|| SpreadError::NoPlan(directory.to_owned()))?;
        SharedBuild::open_round(directory, number)
    }

    /// What is built.
    pub fn build_plan(&self) -> BuildPlan {
        self.round.plan
    }

    /// The file name that the table is to have.
    pub fn name(&self) -> &str {
        &self.round.name
    }

    /// The number of the round, from 1.
    pub fn round(&self) -> u32 {
        self.round.number
    }

    /// Searches of the round.
    pub fn searches(&self) -> usize {
        self.keys.len()
    }

    /// Nodes that the searches of the round are expected to take.
    pub fn expected_nodes(&self) -> u64 {
        self.round.family_costs().iter().sum()
    }

    /// Time that one thread is expected to take for the round, as fast as the machine that laid it out or, after a merge, as
    /// those that did the round before; `None` of a build that was only opened.
    pub fn expected_time(&self) -> Option<Duration> {
        let seconds = self.expected_nodes() as f64 / self.rate?;
        Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }

    /// Rounds that may come after this one, at most.
    pub fn rounds_left(&self) -> u32 {
        let BuildPlan { geometry, root, prefix, down_to, .. } = self.round.plan;
        let plies = root.empty_count(geometry) - u32::from(down_to);
        let rounds = 1 + (plies + 1).saturating_sub(prefix.into()).div_ceil(2);
        rounds.saturating_sub(self.round.number)
    }

    fn plan_file(&self) -> PathBuf {
        round::path_of(&self.directory, self.round.number)
    }

    /// Where the results of the round are.
    fn results(&self) -> PathBuf {
        round::directory_of(&self.directory, self.round.number)
    }
}
