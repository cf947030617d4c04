//! `reversi table convert`: the same entries in the present format.

use super::sha256_of;
use crate::cli::common::Output;
use crate::cli::print::print_line;
use crate::cli::{Exit, Failure};
use clap::Args;
use reversi_table::format::OUTPUT_REVISION;
use reversi_table::{RawEntry, Table, TableError, Writer};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Rewrite a table in the present format version, entry for entry, without a search
///
/// Reads every version. The new file is read again and compared with the old one before the command ends.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi table convert data/6x6-normal-raw-diagonal.rvt /tmp/converted.rvt
  reversi table info /tmp/converted.rvt")]
pub struct Convert {
    /// A table of any version
    file: PathBuf,
    /// File for the new table. Its directory must exist, and an existing file is replaced only if it is a table with
    /// the same contents [default: the place of the old one]
    out: Option<PathBuf>,
}

impl Convert {
    pub fn run(&self, output: Output) -> Result<Exit, Failure> {
        let out = self.out.as_ref().unwrap_or(&self.file);
        let old = super::open(&self.file)?;
        if self.out.is_some() {
            may_be_written(out, &old)?;
        }
        rewrite(&self.file, &old, out, old.raw_entries(), || Ok(()))?;
        let new = super::open(out)?;
        if let Some(key) = first_difference(&old, &new).map_err(|error| super::at(out, error))? {
            let message = format!("{}: the entry of key {key} differs from the old one", out.display());
            return Err(Failure::new(Exit::Difference, "wrong-table", message));
        }
        let sha256 = sha256_of(&new).map_err(|error| super::at(out, error))?;
        let (from, to) = (old.header().version(), new.header().version());
        let (entries, bytes) = (new.header().entries(), new.header().file_length());
        match output.json {
            true => print_line(json!({
                "schema": "reversi.table-convert/1", "file": out.display().to_string(), "from_version": from,
                "format_version": to, "entries": entries, "bytes": bytes, "sha256": sha256,
            })),
            false => print_line(format_args!(
                "{}: version {from} to {to}, {entries} equal entries, {bytes} bytes, sha256 {sha256}",
                out.display()
            )),
        }
        Ok(Exit::Done)
    }
}

/// Refuses to replace a file that is no table or has other contents, or to write under a name that would be wrong.
fn may_be_written(out: &Path, table: &Table) -> Result<(), Failure> {
    let refuse =
        |why: &str| Err(Failure::usage("bad-file", format!("{}: {why}; give another name", out.display())));
    if let Some(differences) = super::misnamed(out, table) {
        return refuse(&differences);
    }
    if !out.is_file() {
        return Ok(());
    }
    match Table::open(out) {
        Ok(there) if there.header().contents == table.header().contents => Ok(()),
        Ok(_) => refuse("is a table of other contents already"),
        Err(error) => refuse(&format!("exists already and cannot be read as a table: {error}")),
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

/// Writes a table about the same board and rules as an old one, with these entries, in the present format version.
/// `check` is called before the new file takes its place, while no other program may write there.
pub(super) fn rewrite(
    path: &Path,
    old: &Table,
    out: &Path,
    entries: impl Iterator<Item = Result<RawEntry, TableError>>,
    check: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    check_revision(path, old)?;
    let mut writer = Writer::create(out, old.header().contents.clone())?;
    for entry in entries {
        writer.push(entry.map_err(|error| super::at(path, error))?)?;
    }
    check()?;
    writer.finish()?;
    Ok(())
}

/// The key of the first entry that only one of two tables has.
fn first_difference(old: &Table, new: &Table) -> Result<Option<u64>, TableError> {
    let mut new_entries = new.raw_entries();
    for old_entry in old.raw_entries() {
        let (old_entry, new_entry) = (old_entry?, new_entries.next().transpose()?);
        if new_entry != Some(old_entry) {
            return Ok(Some(old_entry.key));
        }
    }
    Ok(new_entries.next().transpose()?.map(|entry| entry.key))
}
