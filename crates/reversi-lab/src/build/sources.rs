//! The known values from which a build starts, and the files that it must not use or replace.

use super::checkpoint::{self, CheckpointError, Kept, Workspace};
use super::import;
use super::known_values::{KnownValue, words_of};
use super::last_ply::{self, Moves};
use super::plan::BuildPlan;
use reversi_table::library::{FileError, OpenedTable};
use reversi_table::{RawEntry, Region, Table, TableError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The files from which a build of a region may start.
///
/// They only save time. The checkpoint of an earlier run is used if the build is to resume, and is an error otherwise,
/// so that nothing is lost unnoticed.
#[derive(Clone, Debug)]
pub struct Sources {
    /// What is built.
    pub plan: BuildPlan,
    /// The table that the build replaces, whether it exists or not: its entries are used, and it must not hold
    /// positions that the new one will lack. `None` if nothing is replaced, or if nothing may be taken from it.
    pub replaced: Option<PathBuf>,
    /// Smaller tables, and checkpoints of other unfinished builds.
    pub from: Vec<PathBuf>,
    /// Whether to continue from the checkpoint of an earlier run.
    pub resume: bool,
}

/// What was taken over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakenOver {
    /// All known values.
    pub known_values: Vec<KnownValue>,
    /// The number of positions that an earlier run had found, and its time; `None` if there was no checkpoint.
    pub resumed: Option<(usize, Duration)>,
}

/// Why a build cannot start.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A table that cannot be read, or one in the place of the new table that is for another board or other rules.
    #[error(transparent)]
    Table(#[from] FileError),
    /// The table to take values from is for another board or other rules.
    #[error(transparent)]
    OtherGame(FileError),
    /// A checkpoint that cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A checkpoint to take values from that cannot be used.
    #[error(transparent)]
    From(CheckpointError),
    /// An earlier run was interrupted, and this one is not to continue it.
    #[error("{} is left over from an interrupted build", .0.display())]
    Unfinished(PathBuf),
    /// The checkpoint holds values from a table that must not be used.
    #[error("{} also holds values from the table that is to be replaced", .0.display())]
    FromReplaced(PathBuf),
    /// An entry whose move is not legal or leads to another score.
    #[error("{}: contradicts itself at {position}", path.display())]
    Contradiction {
        /// The table.
        path: PathBuf,
        /// The position of the entry.
        position: String,
    },
    /// The existing table holds positions that the new one will lack.
    #[error("{} {more}", path.display())]
    Larger {
        /// The table.
        path: PathBuf,
        /// What it holds.
        more: More,
    },
}

/// What a table holds that the table of a plan does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum More {
    /// It was built from another position.
    #[error("holds a table from another position")]
    OtherRoot,
    /// It is complete.
    #[error("holds the whole board")]
    WholeBoard,
    /// It was built with a longer prefix or fewer empty squares.
    #[error("holds more: {prefix} plies whole, and down to {down_to} empty squares")]
    LargerRegion {
        /// Plies of its prefix.
        prefix: u8,
        /// Its least number of empty squares.
        down_to: u8,
    },
}

impl Sources {
    /// Collects all known values for the beginning of the build. The workspace, which must be that of the build,
    /// records whether values come from the replaced table.
    ///
    /// # Errors
    /// [`SourceError`].
    pub fn take_over(&self, workspace: &mut Workspace) -> Result<TakenOver, SourceError> {
        let path = workspace.checkpoint();
        let kept = self.resumed(&path, workspace.load()?)?;
        let mut known_values = self.known_values(kept.as_ref())?;
        if self.takes_from_replaced(kept.as_ref()) {
            workspace.takes_from_old_table();
        }
        let resumed = kept.as_ref().map(|kept| (kept.known_values.len(), kept.time));
        known_values.extend(kept.into_iter().flat_map(|kept| kept.known_values));
        Ok(TakenOver { known_values, resumed })
    }

    /// The checkpoint of an earlier run in `path`, if this build is to continue it.
    ///
    /// # Errors
    /// There is a checkpoint that is not to be used, or that holds values from a table that must not be used.
    pub fn resumed(&self, path: &Path, kept: Option<Kept>) -> Result<Option<Kept>, SourceError> {
        match (kept, self.resume) {
            (Some(kept), true) if self.replaced.is_none() && kept.from_old_table => {
                Err(SourceError::FromReplaced(path.to_owned()))
            }
            (kept, true) => Ok(kept),
            (Some(_), false) => Err(SourceError::Unfinished(path.to_owned())),
            (None, false) => Ok(None),
        }
    }

    /// The known values of the files `from` and of the replaced table; none of the latter if the earlier run began
    /// without it.
    ///
    /// # Errors
    /// Files that cannot be used, a replaced table that holds more than the new one will.
    pub fn known_values(&self, kept: Option<&Kept>) -> Result<Vec<KnownValue>, SourceError> {
        let replaced = self.replaced_table()?;
        let mut known_values = Vec::new();
        for path in &self.from {
            known_values.extend(match checkpoint::is_checkpoint(path) {
                true => checkpoint::known_values(path, self.plan.geometry, self.plan.rules)
                    .map_err(SourceError::From)?,
                false => known_values_of(path, &open(path, &self.plan).map_err(of_another_game)?)?,
            });
        }
        if let Some((path, table)) = replaced.filter(|_| self.takes_from_replaced(kept)) {
            known_values.extend(known_values_of(path, &table)?);
        }
        Ok(known_values)
    }

    /// The best moves that the replaced table has for the last ply of the prefix, where these entries of the new table
    /// have none: they would be lost. None from a damaged table, which is no loss.
    ///
    /// # Errors
    /// [`SourceError::Larger`] if the table has more positions than the new one; a file of a later version, for another
    /// board or other rules, or that cannot be read.
    pub fn moves_to_lose(&self, entries: &[RawEntry]) -> Result<Moves, SourceError> {
        let Some((path, table)) = self.table_to_lose()? else { return Ok(Moves::new()) };
        let discs = self.plan.root.disc_count() + u32::from(self.plan.prefix);
        match last_ply::moves_for(entries, discs, &table) {
            Err(error) if !error.is_damage() => Err(FileError { path: path.to_owned(), error }.into()),
            moves => Ok(moves.unwrap_or_default()),
        }
    }

    /// The table that is in the place now, unless it is damaged.
    fn table_to_lose(&self) -> Result<Option<(&Path, Table)>, SourceError> {
        let Some(path) = self.replaced.as_deref().filter(|path| path.exists()) else { return Ok(None) };
        match open(path, &self.plan) {
            Ok(table) => refuse_larger(&self.plan, path, &table).map(|()| Some((path, table))),
            Err(FileError { error, .. }) if error.is_damage() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn replaced_table(&self) -> Result<Option<(&Path, Table)>, SourceError> {
        let Some(path) = self.replaced.as_deref().filter(|path| path.exists()) else { return Ok(None) };
        let table = open(path, &self.plan)?;
        refuse_larger(&self.plan, path, &table)?;
        Ok(Some((path, table)))
    }

    /// A build that began without the existing table continues without it.
    fn takes_from_replaced(&self, kept: Option<&Kept>) -> bool {
        let exists = self.replaced.as_deref().is_some_and(Path::exists);
        exists && kept.is_none_or(|kept| kept.from_old_table)
    }
}

/// What the table in a file holds beyond the table of a plan; `None` also if the file is no table for the plan's board
/// and rules.
pub fn lost_by_replacing(path: &Path, plan: &BuildPlan) -> Option<More> {
    more_than(&open(path, plan).ok()?, plan)
}

fn refuse_larger(plan: &BuildPlan, path: &Path, table: &Table) -> Result<(), SourceError> {
    let larger = |more| SourceError::Larger { path: path.to_owned(), more };
    more_than(table, plan).map_or(Ok(()), |more| Err(larger(more)))
}

fn more_than(table: &Table, plan: &BuildPlan) -> Option<More> {
    let contents = &table.header().contents;
    match contents.region {
        _ if contents.roots != [plan.root] => Some(More::OtherRoot),
        Region::Complete => Some(More::WholeBoard),
        Region::SemiStrong { prefix, down_to } if prefix > plan.prefix || down_to < plan.down_to => {
            Some(More::LargerRegion { prefix, down_to })
        }
        Region::SemiStrong { .. } => None,
    }
}

fn of_another_game(error: FileError) -> SourceError {
    match error.error {
        TableError::WrongBoard { .. } | TableError::WrongRules { .. } => SourceError::OtherGame(error),
        _ => error.into(),
    }
}

/// A table for the board and rules of the plan.
fn open(path: &Path, plan: &BuildPlan) -> Result<Table, FileError> {
    Ok(OpenedTable::open(path, plan.geometry, plan.rules)?.table)
}

fn known_values_of(path: &Path, table: &Table) -> Result<Vec<KnownValue>, SourceError> {
    let fail = |error: TableError| FileError { path: path.to_owned(), error };
    let mut known_values = import::known_values_of(table).map_err(fail)?;
    if let Some(key) = import::contradiction(table, &known_values).map_err(fail)? {
        return Err(SourceError::Contradiction {
            path: path.to_owned(),
            position: words_of(table.geometry(), key),
        });
    }
    known_values.extend(import::scores_after_moves(table, &known_values).map_err(fail)?);
    Ok(known_values)
}
