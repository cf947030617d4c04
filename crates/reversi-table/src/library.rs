//! The directories in which tables are looked for, and the tables compiled into the program.

use crate::{Table, TableError};
use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use reversi_rules::{Geometry, Rules, Start};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fmt, io};

/// The environment variable that names a directory with tables and weights.
pub const DATA_VARIABLE: &str = "REVERSI_DATA";

/// The directory that came with an installed package.
static INSTALLED: OnceLock<PathBuf> = OnceLock::new();

/// From now on every [`Library::new`] of this process looks into `directory` in place of `./data`, the source tree and
/// the user's directory: for packages that bring their data with them, where the working directory has no meaning. Only
/// the first call has an effect.
pub fn use_installed(directory: PathBuf) {
    // A second call names the same directory, or comes too late for libraries that exist already.
    let _ = INSTALLED.set(directory);
}

/// The directories where tables and weights are looked for, in order.
#[derive(Clone, Debug)]
pub struct Library {
    directories: Vec<PathBuf>,
}

/// Where a table came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Compiled into the program.
    BuiltIn,
}

/// An opened table and its origin.
#[derive(Debug)]
pub struct OpenedTable {
    /// The table, made for the board and rules that were asked for.
    pub table: Table,
    /// Where it came from.
    pub source: Source,
}

/// The largest file that [`OpenedTable::open`] reads into memory.
static MOST_BYTES_IN_MEMORY: AtomicU64 = AtomicU64::new(0);

/// From now on tables of up to this many bytes (0 by default) are read into memory when they are opened, once for all
/// their users, instead of block by block from their files: for programs that run for long, while a file may be
/// changed. Larger tables are read from their files, and a change of the file is an error.
pub fn keep_in_memory_up_to(bytes: u64) {
    MOST_BYTES_IN_MEMORY.store(bytes, Ordering::Relaxed);
}

impl OpenedTable {
    /// Opens a table file of any name, such as that of a table made from another position. See
    /// [`keep_in_memory_up_to`].
    ///
    /// # Errors
    /// A file that cannot be used, or that was made for another board or other rules.
    pub fn open(path: &Path, geometry: Geometry, rules: Rules) -> Result<OpenedTable, FileError> {
        let is_small = std::fs::metadata(path)
            .is_ok_and(|metadata| metadata.len() <= MOST_BYTES_IN_MEMORY.load(Ordering::Relaxed));
        let opened = if is_small { Table::read(path) } else { Table::open(path) };
        let opened = opened.and_then(|table| table.expect(geometry, rules).map(|()| table));
        match opened {
            Ok(table) => Ok(OpenedTable { table, source: Source::File(path.to_owned()) }),
            Err(error) => Err(FileError { path: path.to_owned(), error }),
        }
    }
}

/// A table file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {error}", path = path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub error: TableError,
}

/// The directory that `$REVERSI_DATA` names.
fn named_directory() -> Option<PathBuf> {
    std::env::var_os(DATA_VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The directory that `$REVERSI_DATA` names, if it does not exist: a library skips it, and the user who set the
/// variable should be warned.
pub fn missing_directory() -> Option<PathBuf> {
    named_directory().filter(|path| !path.is_dir())
}

/// The directory for tables and weights of this user: on Linux `~/.local/share/reversi`, or `reversi` in
/// `$XDG_DATA_HOME`; on macOS `~/Library/Application Support/reversi`. `None` for a user without a home.
pub fn user_directory() -> Option<PathBuf> {
    choose_native_strategy().ok().map(|strategy| strategy.data_dir().join("reversi"))
}

impl Library {
    /// In this order: `given` (as by `--data`), the directory in `$REVERSI_DATA`, `./data`, the `data` directory of the
    /// source tree from which the program was built, and the [user's directory](user_directory). The directory of an
    /// installed package replaces the last three, see [`use_installed`].
    pub fn new(given: Option<&Path>) -> Library {
        let source_tree =
            Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new(".")).join("data");
        let asked_for = given.map(Path::to_owned).into_iter().chain(named_directory());
        let usual = match INSTALLED.get() {
            Some(installed) => vec![installed.clone()],
            None => [PathBuf::from("data"), source_tree].into_iter().chain(user_directory()).collect(),
        };
        let mut directories = Vec::new();
        for directory in asked_for.chain(usual) {
            if !directories.contains(&directory) {
                directories.push(directory);
            }
        }
        Library { directories }
    }

    /// These directories only, in this order: for callers that must not use files of any other directory.
    ///
    /// ```
    /// use reversi_rules::{Geometry, Rules, Start};
    /// use reversi_table::library::Library;
    ///
    /// let library = Library::of(vec![]);
    /// assert!(library.find(Geometry::SIX, Rules::default(), Start::Diagonal).unwrap().is_none());
    /// ```
    pub fn of(directories: Vec<PathBuf>) -> Library {
        Library { directories }
    }

    /// The directories in words, in the order in which they are looked through.
    pub fn in_words(&self) -> String {
        let directories: Vec<String> =
            self.directories.iter().map(|directory| directory.display().to_string()).collect();
        directories.join(", ")
    }

    /// The directories, in the order in which they are looked through.
    pub fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// The table of a board: the first file with its name, else the one compiled into the program, else `None`.
    ///
    /// # Errors
    /// A file of that name that cannot be used, or that holds something else than its name says. No other file is used
    /// in its place.
    ///
    /// ```
    /// use reversi_rules::{Geometry, Rules, Start};
    /// use reversi_table::library::Library;
    ///
    /// let library = Library::new(None);
    /// let found = library.find(Geometry::FOUR, Rules::default(), Start::Diagonal).unwrap().unwrap();
    /// assert_eq!(found.table.raw_entries().count(), 12_351);
    /// ```
    pub fn find(
        &self,
        geometry: Geometry,
        rules: Rules,
        start: Start,
    ) -> Result<Option<OpenedTable>, FileError> {
        let Some(path) = first_with(&self.directories, &file_name(geometry, rules, start)) else {
            return Ok(
                built_in(geometry, rules, start).map(|table| OpenedTable { table, source: Source::BuiltIn })
            );
        };
        let found = OpenedTable::open(&path, geometry, rules)?;
        match found.table.header().contents.covers(start) {
            true => Ok(Some(found)),
            false => Err(FileError { path, error: TableError::WrongStart(start) }),
        }
    }
}

/// The file name of a board's table, such as `4x4-normal-raw-diagonal.rvt`.
pub fn file_name(geometry: Geometry, rules: Rules, start: Start) -> String {
    format!("{geometry}-{}-{}-{start}.rvt", rules.goal, rules.scoring)
}

/// A table that is part of the program: there is one for 4x4 with every goal, scoring and start.
pub fn built_in(geometry: Geometry, rules: Rules, start: Start) -> Option<Table> {
    let name = file_name(geometry, rules, start);
    let (_, bytes) = BUILT_IN.iter().find(|(built_in, _)| *built_in == name)?;
    Some(Table::from_static(bytes).expect("the tables in the program are whole; the tests open each"))
}

macro_rules! from_data {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_bytes!(concat!("../../../data/", $name)).as_slice())),*]
    };
}

/// Names and bytes.
static BUILT_IN: [(&str, &[u8]); 8] = from_data![
    "4x4-normal-raw-diagonal.rvt",
    "4x4-normal-raw-parallel.rvt",
    "4x4-normal-winner-diagonal.rvt",
    "4x4-normal-winner-parallel.rvt",
    "4x4-reversed-raw-diagonal.rvt",
    "4x4-reversed-raw-parallel.rvt",
    "4x4-reversed-winner-diagonal.rvt",
    "4x4-reversed-winner-parallel.rvt",
];

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) => path.display().fmt(f),
            Source::BuiltIn => f.write_str("the table in the program itself"),
        }
    }
}

/// The path of this name in the first directory that has such a file. A directory in which the system cannot tell
/// counts as having it: to skip it could mean to use another file by mistake.
pub fn first_with(directories: &[impl AsRef<Path>], name: &str) -> Option<PathBuf> {
    let is_absent = |path: &Path| match path.symlink_metadata() {
        Ok(_) => false,
        Err(error) => matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
    };
    directories.iter().map(|directory| directory.as_ref().join(name)).find(|path| !is_absent(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_that_may_be_there_is_not_passed_over() {
        let directory = tempfile::tempdir().unwrap();
        let (here, file) = (directory.path().join("here"), directory.path().join("file"));
        fs::create_dir(&here).unwrap();
        fs::write(&file, "no directory").unwrap();
        fs::write(here.join("name"), "found").unwrap();
        let directories = [directory.path().join("missing"), file, here.clone()];
        assert_eq!(first_with(&directories, "name"), Some(here.join("name")));
        assert_eq!(first_with(&directories, "other"), None);
        // What the system says of it is neither that it is there nor that it is not.
        let long = "x".repeat(10_000);
        assert_eq!(first_with(&directories[2..], &long), Some(here.join(&long)));
    }
}
