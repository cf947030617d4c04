//! `reversi table convert`: the same entries in the present format.

use super::sha256_of;
use super::target::Target;
use crate::cli::common::Output;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::print::print_line;
use crate::cli::{Exit, Failure};
use clap::Args;
use reversi_lab::build::last_ply::MissingMoves;
use reversi_table::{Table, TableError};
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
    /// the same contents and no more best moves [default: the place of the old one]
    out: Option<PathBuf>,
}

impl Convert {
    pub fn run(&self, output: Output) -> Result<Exit, Failure> {
        let stop = stop_on_ctrl_c();
        let out = self.out.as_ref().unwrap_or(&self.file);
        let old = super::open(&self.file)?;
        let other = self.out.as_ref().map(|out| may_be_written(out, &self.file, &old)).transpose()?;
        let there = other.as_ref().map_or(Some(&old), Option::as_ref);
        Target::new(out, there).write((&self.file, &old), old.raw_entries(), &stop)?;
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

/// The table that is to be replaced, if there is one. Refuses to replace a file that is no table, has other contents or
/// more best moves, or to write under a name that would be wrong.
fn may_be_written(out: &Path, file: &Path, table: &Table) -> Result<Option<Table>, Failure> {
    let refuse =
        |why: &str| Err(Failure::usage("bad-file", format!("{}: {why}; give another name", out.display())));
    if let Some(differences) = super::misnamed(out, table) {
        return refuse(&differences);
    }
    if !out.is_file() {
        return Ok(None);
    }
    let there = match Table::open(out) {
        Ok(there) if there.header().contents == table.header().contents => there,
        Ok(_) => return refuse("is a table of other contents already"),
        Err(error) => return refuse(&format!("exists already and cannot be read as a table: {error}")),
    };
    let mut missing = MissingMoves::of(table).map_err(|error| super::at(file, error))?;
    match missing.take_over(&there).map_err(|error| super::at(out, error))?.len() {
        0 => Ok(Some(there)),
        lost => refuse(&format!("holds {lost} best moves of the last ply that {} lacks", file.display())),
    }
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
