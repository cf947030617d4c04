//! Work that is spread over machines that share only a directory, or copies of it.
//!
//! One machine writes a *plan*: a whole file with a list of independent searches. A *part* is the I-th of N shares of
//! that list. Every process that works on a part appends its results to its own file, under a name that no other
//! process uses. So nothing depends on locks, on renaming, on clocks or on the order of processes. A process that is
//! killed leaves a file that ends early; the next process begins another file and skips searches whose results are in
//! any file. One machine then reads all files together.
//!
//! The results are exact, so it does not matter which machine does a search, and results of the same search must agree.
//! N is not part of a file: parts of several divisions of one plan can be mixed.
//!
//! | module | content |
//! |---|---|
//! | [`parts`] | the division into parts |
//! | [`results`] | the files of results |
//! | `share` | doing a part: searches, each result kept as it comes |
//! | `gathered` | all files of a round together |
//! | `recheck` | a random part searched again |
//! | `rounds` | the files of the plans |
//! | `costs` | what searches are expected to take |

pub mod answer;
pub(crate) mod by_masks;
pub(crate) mod costs;
pub(crate) mod gathered;
pub mod parts;
pub(crate) mod recheck;
pub mod results;
pub(crate) mod rounds;
pub(crate) mod share;

pub use recheck::{Recheck, RecheckReport};
pub use share::{PartProgress, PartReport, PartTools};

use crate::codec::CodecError;
use parts::Part;
use results::Stamp;
use reversi_table::format::OUTPUT_REVISION;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Errors of spread work.
#[derive(Debug, thiserror::Error)]
pub enum SpreadError {
    /// The operating system refused.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The directory of new work could not be made.
    #[error("{path}: {source}", path = path.display())]
    Unmade {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file could not be written.
    #[error("{path}: the results cannot be saved: {source}", path = path.display())]
    Unkept {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another process is at work on the same part, or lays out the next plan.
    #[error("{path}: another process is at work on this", path = .0.display())]
    Locked(PathBuf),
    /// Another process has laid out this round meanwhile.
    #[error("{path}: another process has laid out round {round} meanwhile", path = .0.display(), round = .1)]
    LaterRound(PathBuf, u32),
    /// There is no plan.
    #[error("{path} holds no plan", path = .0.display())]
    NoPlan(PathBuf),
    /// There is a plan already.
    #[error("{path} holds a plan already", path = .0.display())]
    HasPlan(PathBuf),
    /// The file cannot be read.
    #[error("{path} {error}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: CodecError,
    },
    /// A plan of another kind of work.
    #[error("{path} is a {found}, not a {wanted}", path = path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: &'static str,
        /// What it should be.
        wanted: &'static str,
    },
    /// A result in a file is damaged.
    #[error("{path} is damaged: result {number} does not have its checksum", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which result, from 1.
        number: usize,
    },
    /// The file was written by another program.
    #[error("{path} was written by {found}, but this is {wanted}", path = path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Who wrote it.
        found: String,
        /// This program.
        wanted: String,
    },
    /// The file belongs to another plan.
    #[error("{path} belongs to another plan", path = .0.display())]
    OtherPlan(PathBuf),
    /// A result belongs to no search of the plan.
    #[error("{path}: result {number} does not belong to any search of the plan", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Which result, from 1.
        number: usize,
    },
    /// Two results of one search differ.
    #[error(
        "{first} and {second} differ about the position {position}: {found}",
        first = first.display(), second = second.display()
    )]
    Contradiction {
        /// The position searched.
        position: String,
        /// The two results.
        found: String,
        /// The file with one.
        first: PathBuf,
        /// The file with the other.
        second: PathBuf,
    },
    /// The stop was set.
    #[error("stopped before it was done")]
    Stopped,
    /// Searches have no result.
    #[error("{missing} of {all} searches are missing{}", of_parts(parts))]
    Missing {
        /// How many.
        missing: usize,
        /// Searches of the plan.
        all: usize,
        /// The parts to which they belong, in one of the divisions that were used.
        parts: Vec<Part>,
    },
}

/// The version of the program and the revision of its results, as every file states them.
pub fn made_by() -> String {
    format!("version {}, revision {OUTPUT_REVISION}", env!("CARGO_PKG_VERSION"))
}

/// The bytes of a file.
///
/// # Errors
/// [`SpreadError::Io`].
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, SpreadError> {
    fs::read(path).map_err(|source| SpreadError::Io { path: path.to_owned(), source })
}

/// Whether a file was written by this version of the program.
///
/// # Errors
/// [`SpreadError::OtherVersion`].
pub(crate) fn check_version(path: &Path, found: &str) -> Result<(), SpreadError> {
    let wanted = made_by();
    if found == wanted {
        return Ok(());
    }
    Err(SpreadError::OtherVersion { path: path.to_owned(), found: found.to_owned(), wanted })
}

/// Whether a file was written by this version of the program for this plan.
///
/// # Errors
/// [`SpreadError::OtherVersion`] and [`SpreadError::OtherPlan`].
pub(crate) fn check_origin(
    path: &Path,
    (found, stamp): (&str, Stamp),
    wanted: Stamp,
) -> Result<(), SpreadError> {
    check_version(path, found)?;
    if stamp != wanted {
        return Err(SpreadError::OtherPlan(path.to_owned()));
    }
    Ok(())
}

/// This machine's name, at most 60 letters, digits and signs; `machine` if it has none.
pub fn machine() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    let name: String =
        name.chars().filter(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).take(60).collect();
    if name.is_empty() { "machine".to_owned() } else { name }
}

fn of_parts(parts: &[Part]) -> String {
    const SHOWN: usize = 8;
    if parts.is_empty() {
        return String::new();
    }
    let named: Vec<String> = parts.iter().take(SHOWN).map(Part::to_string).collect();
    let more = if parts.len() > SHOWN { format!(" and {} more", parts.len() - SHOWN) } else { String::new() };
    format!(", of the parts {}{more}", named.join(", "))
}
