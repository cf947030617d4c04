//! What the build of a region starts from, and the errors, with advice, if it cannot.

use super::super::print::print_remark;
use super::super::{Exit, Failure};
use super::Build;
use super::job::BuildJob;
use reversi_lab::build::checkpoint::{CheckpointError, Workspace};
use reversi_lab::build::known_values::KnownValue;
use reversi_lab::build::last_ply::Moves;
use reversi_lab::build::region::BuildError;
use reversi_lab::build::sources::{More, SourceError, Sources, TakenOver, lost_by_replacing};
use reversi_table::RawEntry;
use std::path::PathBuf;

impl Build {
    /// What the build of a table may start from.
    pub(super) fn sources(&self, job: &BuildJob) -> Sources {
        // A plan replaces no table: its result is written to a directory of its own, or where --merge says.
        let replaces = !self.anew && self.shared.plan().is_none();
        Sources {
            plan: job.plan,
            replaced: replaces.then(|| job.path.clone()),
            from: self.region.from.clone(),
            resume: self.region.resume,
        }
    }

    /// The values known from tables and from the checkpoint of an earlier run.
    pub(super) fn take_over(
        &self,
        job: &BuildJob,
        workspace: &mut Workspace,
        note: &impl Fn(String),
    ) -> Result<Vec<KnownValue>, Failure> {
        let TakenOver { known_values, resumed } = self.sources(job).take_over(workspace)?;
        match resumed {
            Some((found, time)) => {
                note(format!("going on with {found} positions that were found in {} s", time.as_secs()));
            }
            None if !self.region.resume => {}
            None if known_values.is_empty() => {
                note("there is nothing to resume: starting from the beginning".to_owned());
            }
            None => note(format!("there is nothing to resume: {} positions are known", known_values.len())),
        }
        Ok(known_values)
    }

    /// The best moves that are kept from the replaced table.
    ///
    /// # Errors
    /// It has such moves, but the build began without it, so that it takes nothing from it.
    pub(super) fn moves_to_keep(
        &self,
        job: &BuildJob,
        workspace: &Workspace,
        entries: &[RawEntry],
    ) -> Result<Moves, Failure> {
        let moves = self.sources(job).moves_to_lose(entries)?;
        if moves.is_empty() || workspace.has_taken_from_old_table() {
            return Ok(moves);
        }
        let (path, lost) = (job.path.display(), moves.len());
        let message = format!(
            "{path}: holds {lost} best moves of the last ply, which this build, begun without that table, would lose: \
             move it away, pass --resume, then run `reversi table moves` on the new table with --from and the old one; \
             or pass --resume and --anew to do without them"
        );
        Err(Failure::usage("larger-table", message))
    }

    /// The error if values that were taken over contradict each other: names all their sources, and how to do without
    /// each.
    pub(super) fn disagreement(&self, job: &BuildJob, position: String) -> Failure {
        let sources = self.sources(job);
        let without = |path: &PathBuf| format!("leave --from {} out", path.display());
        let from = sources.from.iter().map(|path| (path.clone(), without(path)));
        let replaced =
            sources.replaced.filter(|path| path.exists()).map(|path| (path, "pass --anew".to_owned()));
        let kept = self.region.resume.then(|| job.checkpoint()).filter(|path| path.exists());
        let kept = kept.map(|path| (path, "delete the saved results".to_owned()));
        let (places, ways): (Vec<_>, Vec<_>) =
            from.chain(replaced).chain(kept).map(|(path, way)| (path.display().to_string(), way)).unzip();
        contradiction(position, &places.join(" or "), &ways.join(", or "))
    }
}

fn contradiction(position: String, place: &str, way_out: &str) -> Failure {
    let message = format!("{place}: {}; {way_out}", BuildError::Contradiction(position));
    Failure::new(Exit::Difference, "contradiction", message)
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Failure {
        match error {
            SourceError::Table(error) => error.into(),
            SourceError::Checkpoint(error) => error.into(),
            SourceError::From(error @ CheckpointError::Unreadable { .. }) => {
                let message = format!("{error}; copy it again, or leave it out of --from");
                Failure::new(Exit::CorruptTable, "bad-checkpoint", message)
            }
            SourceError::From(error) => error.into(),
            SourceError::OtherGame(error) => Failure::other_table("--from", &error),
            SourceError::Contradiction { path, position } => {
                let way_out = "do without it: leave --from out, or pass --anew if it is to be replaced";
                contradiction(position, &path.display().to_string(), way_out)
            }
            SourceError::Larger { path, more } => {
                let way_out = match more {
                    More::OtherRoot => "rename it, or pass another --out",
                    _ => "ask for at least as much, or pass another --out",
                };
                let message = format!("{} {}; {way_out}", path.display(), in_options(more));
                Failure::usage("larger-table", message)
            }
            SourceError::FromReplaced(path) => {
                let message = format!(
                    "{} also holds values from the table that --anew is to replace: delete it to start from nothing, \
                     or leave --anew out; if the table is damaged, move it away",
                    path.display()
                );
                Failure::usage("not-anew", message)
            }
            SourceError::Unfinished(path) => {
                let message = format!(
                    "{} is left over from an interrupted build: pass --resume to continue it, or delete it",
                    path.display()
                );
                Failure::usage("unfinished", message)
            }
        }
    }
}

/// How a table is larger, in terms of the options it was built with.
fn in_options(more: More) -> String {
    match more {
        More::LargerRegion { prefix, down_to } => {
            format!("holds more: it was built with --prefix {prefix} --down-to {down_to}")
        }
        More::OtherRoot | More::WholeBoard => more.to_string(),
    }
}

/// Says what --anew loses: a user who passes it for a damaged table may not know how much a sound one holds.
pub(super) fn tell_of_loss(job: &BuildJob) {
    if let Some(more) = lost_by_replacing(&job.path, &job.plan) {
        print_remark(format_args!(
            "{} {}; --anew replaces it by one that holds less",
            job.path.display(),
            in_options(more)
        ));
    }
}
