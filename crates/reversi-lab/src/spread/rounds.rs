//! The plans of the rounds: each a whole, checksummed file, `DIR/round-K/plan`.

use super::results::Stamp;
use super::share::lock;
use super::{SpreadError, read_bytes};
use crate::codec::{self, CodecError, Kind};
use reversi_files::Lock;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The plan of a round of a build.
pub(crate) const BUILD: Kind = Kind { magic: *b"\x89RVP\r\n\x1A\n", version: 3, name: "plan of a build" };
/// The plan of a round of a proof.
pub(crate) const PROOF: Kind = Kind { magic: *b"\x89RVQ\r\n\x1A\n", version: 1, name: "plan of a proof" };

const PLAN_NAME: &str = "plan";
const ROUND: &str = "round-";

/// The directory of a round.
pub(crate) fn directory_of(directory: &Path, number: u32) -> PathBuf {
    directory.join(format!("{ROUND}{number}"))
}

/// The path of the plan of a round.
pub(crate) fn path_of(directory: &Path, number: u32) -> PathBuf {
    directory_of(directory, number).join(PLAN_NAME)
}

/// Writes the plan of a round.
///
/// # Errors
/// [`SpreadError::Unkept`].
pub(crate) fn write(
    directory: &Path,
    number: u32,
    kind: &Kind,
    plan: &impl Serialize,
) -> Result<Stamp, SpreadError> {
    let bytes = kind.encode(plan);
    let path = path_of(directory, number);
    fs::create_dir_all(directory_of(directory, number))
        .and_then(|()| write_whole(&path, &bytes))
        .map_err(|source| SpreadError::Unkept { path, source })?;
    Ok(Stamp { plan: codec::checksum(&bytes), round: number })
}

/// Writes a new file, by renaming where the file system supports it. Elsewhere a reader may see a part of it, which the
/// checksum detects.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match reversi_files::replace(path, bytes) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            fs::write(path, bytes).inspect_err(|_| drop(fs::remove_file(path)))
        }
        written => written,
    }
}

/// Reads the plan of a round.
///
/// # Errors
/// A file that cannot be read or is damaged.
pub(crate) fn read<T: DeserializeOwned>(
    directory: &Path,
    number: u32,
    kind: &Kind,
) -> Result<(T, Stamp), SpreadError> {
    let path = path_of(directory, number);
    let bytes = read_bytes(&path)?;
    let plan = kind.decode(&bytes).map_err(|error| unreadable(path, &bytes, error))?;
    Ok((plan, Stamp { plan: codec::checksum(&bytes), round: number }))
}

/// The error for a file that is no plan of the wanted kind.
fn unreadable(path: PathBuf, bytes: &[u8], error: CodecError) -> SpreadError {
    let other = [&BUILD, &PROOF].into_iter().find(|kind| kind.begins(bytes));
    match (&error, other) {
        (CodecError::NoRecord(wanted), Some(other)) => {
            SpreadError::OtherKind { path, found: other.name, wanted }
        }
        _ => SpreadError::Unreadable { path, error },
    }
}

/// Checks that a directory has no plan yet, and creates it if needed. As long as the returned value lives, no other
/// process can lay out a plan in it.
///
/// # Errors
/// A directory that has a plan or cannot be made or read.
pub(crate) fn begin(directory: &Path) -> Result<Beginning, SpreadError> {
    let made = (!directory.exists()).then(|| directory.to_owned());
    fs::create_dir_all(directory)
        .map_err(|source| SpreadError::Unmade { path: directory.to_owned(), source })?;
    let beginning = Beginning { made, lock: lock_rounds(directory)? };
    match latest(directory)? {
        Some(_) => Err(SpreadError::HasPlan(directory.to_owned())),
        None => Ok(beginning),
    }
}

/// As long as the returned lock lives, no other process can lay out a round, if the file system can lock.
fn lock_rounds(directory: &Path) -> Result<Option<Lock>, SpreadError> {
    lock(&directory.join("merge"))
}

/// Takes this lock for merging the results of round `number`, which must be the latest.
///
/// # Errors
/// Another process at this work, or one that has laid out a later round meanwhile; a directory that cannot be read.
pub(crate) fn lock_latest(directory: &Path, number: u32) -> Result<Option<Lock>, SpreadError> {
    let lock = lock_rounds(directory)?;
    match latest(directory)? {
        Some(latest) if latest != number => Err(SpreadError::LaterRound(directory.to_owned(), latest)),
        _ => Ok(lock),
    }
}

/// Held while a first round is laid out.
pub(crate) struct Beginning {
    /// The directory, if it was created for this plan.
    made: Option<PathBuf>,
    lock: Option<Lock>,
}

impl Drop for Beginning {
    fn drop(&mut self) {
        drop(self.lock.take());
        // Without a plan it is empty; otherwise the system refuses to remove it.
        self.made.iter().for_each(|directory| drop(fs::remove_dir(directory)));
    }
}

/// The stamp of a round's plan.
///
/// # Errors
/// A plan that cannot be read or is cut short.
pub(crate) fn stamp(directory: &Path, number: u32) -> Result<Stamp, SpreadError> {
    let path = path_of(directory, number);
    let bytes = read_bytes(&path)?;
    if bytes.len() < codec::SHORTEST {
        return Err(SpreadError::Unreadable { path, error: CodecError::Truncated });
    }
    Ok(Stamp { plan: codec::checksum(&bytes), round: number })
}

/// Whether the plan of a round was written by this version of the program.
///
/// # Errors
/// [`SpreadError::OtherVersion`].
pub(crate) fn check_version(directory: &Path, number: u32, found: &str) -> Result<(), SpreadError> {
    super::check_version(&path_of(directory, number), found)
}

/// The number of the last round that has a plan; `None` without any.
///
/// # Errors
/// A directory that cannot be read.
pub(crate) fn latest(directory: &Path) -> Result<Option<u32>, SpreadError> {
    let fail = |source| SpreadError::Io { path: directory.to_owned(), source };
    let entries = match fs::read_dir(directory) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        entries => entries.map_err(fail)?,
    };
    let mut latest = None;
    for entry in entries {
        let name = entry.map_err(fail)?.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(ROUND)?.parse::<u32>().ok());
        if let Some(number) = number.filter(|&number| path_of(directory, number).exists()) {
            latest = latest.max(Some(number));
        }
    }
    Ok(latest)
}
