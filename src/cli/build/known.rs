//! What the build of a region starts from: the table that it replaces, the file of `--from`, and what an earlier run
//! has left; and what it must not start from or replace.

use super::super::print::print_remark;
use super::super::{Exit, Failure};
use super::Build;
use super::region::BuildJob;
use reversi_lab::build::checkpoint::{self, Kept, Workspace};
use reversi_lab::build::import;
use reversi_lab::build::known_values::KnownValue;
use reversi_lab::build::plan::BuildPlan;
use reversi_lab::build::region::BuildError;
use reversi_table::library::{FileError, OpenedTable};
use reversi_table::{Region, Table, TableError};
use std::path::Path;

impl Build {
    /// What tables and the checkpoint of an earlier run know.
    pub(super) fn take_up(
        &self,
        job: &BuildJob,
        workspace: &mut Workspace,
        note: &impl Fn(String),
    ) -> Result<Vec<KnownValue>, Failure> {
        let kept = self.to_go_on_with(job, workspace.load()?)?;
        let mut known = self.known_before(job, kept.as_ref())?;
        if self.takes_from_old_table(job, kept.as_ref()) {
            workspace.takes_from_old_table();
        }
        match (kept, self.region.resume) {
            (Some(kept), _) => {
                let (found, seconds) = (kept.known_values.len(), kept.time.as_secs());
                note(format!("going on with {found} positions that were found in {seconds} s"));
                known.extend(kept.known_values);
            }
            (None, true) if known.is_empty() => {
                note("there is nothing to resume: starting from the beginning".to_owned());
            }
            (None, true) => note(format!("there is nothing to resume: {} positions are known", known.len())),
            (None, false) => {}
        }
        Ok(known)
    }

    /// What an earlier run has left, if this one is to go on with it.
    pub(super) fn to_go_on_with(&self, job: &BuildJob, kept: Option<Kept>) -> Result<Option<Kept>, Failure> {
        match (kept, self.region.resume) {
            (Some(kept), true) if self.anew && kept.from_old_table => Err(not_anew(job)),
            (kept, true) => Ok(kept),
            (Some(_), false) => Err(unfinished(job)),
            (None, false) => Ok(None),
        }
    }

    /// What was taken over does not agree: all it was taken from, and how to do without each.
    pub(super) fn disagreement(&self, job: &BuildJob, key: u64) -> Failure {
        let from = self.region.from.as_deref().map(|path| (path.to_owned(), "leave --from out"));
        let replaced = (!self.anew && job.path.exists()).then(|| (job.path.clone(), "pass --anew"));
        let kept = self.region.resume.then(|| job.checkpoint()).filter(|path| path.exists());
        let kept = kept.map(|path| (path, "delete what is kept"));
        let (places, ways): (Vec<_>, Vec<_>) = [from, replaced, kept]
            .into_iter()
            .flatten()
            .map(|(path, way)| (path.display().to_string(), way))
            .unzip();
        contradiction(key, &places.join(" or "), &ways.join(", or "))
    }

    /// A build that was begun with nothing from the table that is there, as with --anew, goes on so.
    fn takes_from_old_table(&self, job: &BuildJob, kept: Option<&Kept>) -> bool {
        !self.anew && kept.is_none_or(|kept| kept.from_old_table) && job.path.exists()
    }

    /// The table that is there, where nothing asks for passing it over; an error if it has more than the one that is to
    /// replace it.
    fn old_table(&self, job: &BuildJob) -> Result<Option<Table>, Failure> {
        // A plan replaces no table: what it leads to is written into a directory of its own.
        if self.anew || self.shared.plan().is_some() || !job.path.exists() {
            return Ok(None);
        }
        let table = open(&job.path, &job.plan)?;
        refuse_to_shrink(job, &table)?;
        Ok(Some(table))
    }

    /// Looks again when the table is to be written. One that has become unreadable is no loss.
    pub(super) fn check_again(&self, job: &BuildJob) -> Result<(), Failure> {
        let Some(table) = open(&job.path, &job.plan).ok().filter(|_| !self.anew) else { return Ok(()) };
        let kept = format!("what was found is kept in {}", job.checkpoint().display());
        refuse_to_shrink(job, &table).map_err(|failure| failure.followed_by(&kept))
    }

    /// What tables already know: the one named, and the one that will be replaced.
    pub(super) fn known_before(
        &self,
        job: &BuildJob,
        kept: Option<&Kept>,
    ) -> Result<Vec<KnownValue>, Failure> {
        let old = self.old_table(job)?;
        let mut known_values = Vec::new();
        if let Some(path) = &self.region.from {
            known_values.extend(match checkpoint::is_checkpoint(path) {
                true => checkpoint::known_values(path, job.plan.geometry, job.plan.rules)?,
                false => known_values_of(path, &open(path, &job.plan)?)?,
            });
        }
        if let Some(old) = old.filter(|_| self.takes_from_old_table(job, kept)) {
            known_values.extend(known_values_of(&job.path, &old)?);
        }
        Ok(known_values)
    }
}

/// A table for the board and rules of the plan.
pub(super) fn open(path: &Path, plan: &BuildPlan) -> Result<Table, Failure> {
    Ok(OpenedTable::open(path, plan.geometry, plan.rules)?.table)
}

fn known_values_of(path: &Path, table: &Table) -> Result<Vec<KnownValue>, Failure> {
    let fail = |error: TableError| Failure::from(FileError { path: path.to_owned(), error });
    let known_values = import::known_values_of(table).map_err(fail)?;
    match import::contradiction(table, &known_values).map_err(fail)? {
        Some(key) => {
            let way_out = "leave it out: without --from, or with --anew if it is to be replaced";
            Err(contradiction(key, &path.display().to_string(), way_out))
        }
        None => Ok(known_values),
    }
}

fn contradiction(key: u64, place: &str, way_out: &str) -> Failure {
    let message = format!("{place}: {}; {way_out}", BuildError::Contradiction(key));
    Failure::new(Exit::Difference, "contradiction", message)
}

/// A finished table is not replaced by one that lacks some of its positions.
pub(super) fn refuse_to_shrink(job: &BuildJob, table: &Table) -> Result<(), Failure> {
    let Some(what) = what_is_lost(job, table) else { return Ok(()) };
    let path = job.path.display();
    Err(Failure::usage("larger-table", format!("{path} {what}; ask for no less, or pass another --out")))
}

/// Unless it was asked for; but the user who passes --anew for a damaged table may not know how much a sound one
/// holds. One that cannot be read is no loss.
pub(super) fn tell_of_loss(job: &BuildJob) {
    let Ok(table) = open(&job.path, &job.plan) else { return };
    if let Some(what) = what_is_lost(job, &table) {
        print_remark(format_args!(
            "{} {what}; --anew replaces it by one that holds less",
            job.path.display()
        ));
    }
}

/// What the table that is to be replaced has and the new one will not have.
fn what_is_lost(job: &BuildJob, table: &Table) -> Option<String> {
    let BuildPlan { root, prefix, down_to, .. } = job.plan;
    let there = &table.header().contents;
    match there.region {
        _ if there.roots != [root] => Some("holds a table from another position".to_owned()),
        Region::Complete => Some("holds the whole board".to_owned()),
        Region::SemiStrong { prefix: p, down_to: e } if p > prefix || e < down_to => {
            Some(format!("holds more: it was built with --prefix {p} --down-to {e}"))
        }
        Region::SemiStrong { .. } => None,
    }
}

fn unfinished(job: &BuildJob) -> Failure {
    let path = job.checkpoint();
    let message = format!(
        "{} is left from a build that was interrupted: pass --resume to go on with it, or delete it",
        path.display()
    );
    Failure::usage("unfinished", message)
}

/// With --anew nothing may come from the table that is to be replaced, by any way.
fn not_anew(job: &BuildJob) -> Failure {
    let path = job.checkpoint();
    let message = format!(
        "{} also holds what was taken from the table that --anew is to replace: delete it to begin from nothing, or \
         leave --anew out, and move the table away if it is damaged",
        path.display()
    );
    Failure::usage("not-anew", message)
}
