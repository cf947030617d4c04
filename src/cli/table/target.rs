//! The file that a table is written to in place of another one: what another program has put there meanwhile is kept.

use crate::cli::{Exit, Failure};
use reversi_solver::search::Stop;
use reversi_table::format::OUTPUT_REVISION;
use reversi_table::{Header, RawEntry, Table, TableError, Writer};
use std::path::Path;

/// A file that may be written repeatedly.
pub(super) struct Target<'a> {
    path: &'a Path,
    /// The header of the table that was there when this process last read or wrote it; `None` if there was no file.
    seen: Option<Header>,
}

impl Target<'_> {
    /// `there` is the table that is there now.
    pub fn new<'a>(path: &'a Path, there: Option<&Table>) -> Target<'a> {
        Target { path, seen: there.map(|table| table.header().clone()) }
    }

    /// Writes a table about the same board and rules as the one in `source`, with these entries, in the present format
    /// version.
    ///
    /// # Errors
    /// Another program has put a table there, which is kept; a table that cannot be written; a damaged `source`; the stop.
    pub fn write(
        &mut self,
        (source, table): (&Path, &Table),
        entries: impl Iterator<Item = Result<RawEntry, TableError>>,
        stop: &Stop,
    ) -> Result<(), Failure> {
        check_revision(source, table)?;
        let mut writer = Writer::create(self.path, table.header().contents.clone())?;
        for entry in entries {
            if stop.is_set() {
                let message = format!("interrupted before {} was written", self.path.display());
                return Err(Failure::new(Exit::Interrupted, "interrupted", message));
            }
            writer.push(entry.map_err(|error| super::at(source, error))?)?;
        }
        // No other program writes there as long as this writer exists.
        self.check()?;
        self.seen = Some(writer.finish()?.header);
        Ok(())
    }

    fn check(&self) -> Result<(), Failure> {
        let there = self.path.exists().then(|| super::open(self.path)).transpose()?;
        if there.as_ref().map(Table::header) == self.seen.as_ref() {
            return Ok(());
        }
        let fault = "another program has written this table in the meantime; that table is kept: start again";
        Err(Failure::new(Exit::Failed, "changed-table", format!("{}: {fault}", self.path.display())))
    }
}

/// Checks before long work that a table can take the place of an old one at its path.
///
/// # Errors
/// A table of another output revision, or a place that cannot be written.
pub(super) fn check_rewritable(path: &Path, old: &Table) -> Result<(), Failure> {
    check_revision(path, old)?;
    Ok(Writer::create(path, old.header().contents.clone()).map(drop)?)
}

fn check_revision(path: &Path, old: &Table) -> Result<(), Failure> {
    match old.header().revision() {
        OUTPUT_REVISION => Ok(()),
        revision => {
            let message = format!(
                "{}: was built with output revision {revision}, but this program writes revision {OUTPUT_REVISION}: build it again",
                path.display()
            );
            Err(Failure::new(Exit::CorruptTable, "other-revision", message))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_another_program_has_put_there_stays() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("table.rvt");
        let shipped = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
        let source = shipped("4x4-normal-raw-diagonal.rvt");
        let table = super::super::open(&source).unwrap();
        let write =
            |target: &mut Target| target.write((&source, &table), table.raw_entries(), &Stop::never());
        let mut target = Target::new(&path, None);
        for _ in 0..2 {
            write(&mut target).unwrap();
        }
        let failure = write(&mut Target::new(&path, None)).unwrap_err();
        assert!(failure.message().contains("another program has written"), "{failure:?}");
        std::fs::copy(shipped("4x4-reversed-raw-diagonal.rvt"), directory.path().join("other")).unwrap();
        std::fs::rename(directory.path().join("other"), &path).unwrap();
        let failure = write(&mut target).unwrap_err();
        assert!(failure.message().contains("another program has written"), "{failure:?}");
        let kept = std::fs::read(shipped("4x4-reversed-raw-diagonal.rvt")).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), kept);
    }
}
