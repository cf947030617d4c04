//! Puts a finished table in its place: all of it or nothing.

use crate::{Contents, Header, bytes};
use reversi_files::{self as files, Lock};
use reversi_table_raw::{EncodeError, Encoder, RawEntry};
use std::fmt;
use std::fs::TryLockError;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Why a table could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// An error of the operating system. The old file is untouched, unless only the sync of the directory failed, after
    /// the new file was in place.
    #[error("{path}: cannot be written: {source}", path = path.display())]
    Io {
        /// The table.
        path: PathBuf,
        /// The error.
        source: io::Error,
    },
    /// Another writer is at work on the same file.
    #[error("{path}: another program is writing this table", path = .0.display())]
    Locked(PathBuf),
    /// What was to be written is no table.
    #[error("{path}: {source}", path = path.display())]
    Encode {
        /// The table.
        path: PathBuf,
        /// What is wrong.
        source: EncodeError,
    },
}

/// Writes a table file: a sorted stream of entries in, a finished file out.
///
/// The bytes go to a temporary file beside the target, which takes the target's place only when it is
/// complete and on the disk; whatever happens before (an error, a full disk, a kill) leaves
/// the old file as it was. A lock keeps a second writer away from the same target.
pub struct Writer {
    encoder: Encoder<BufWriter<NamedTempFile>>,
    path: PathBuf,
    /// The file itself: where the path leads to if it is a link.
    place: PathBuf,
    _lock: Lock,
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("path", &self.path).finish_non_exhaustive()
    }
}

/// What [`Writer::finish`] made.
#[derive(Debug)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// Its header.
    pub header: Header,
}

impl Writer {
    /// Starts a table that will be at `path`, in a directory that must exist. If `path` is a link to a file, it stays
    /// one, and the table will be where it leads.
    ///
    /// # Errors
    /// [`WriteError::Locked`] while another writer is at work on `path`; an error of the operating system; something at
    /// `path` that is no regular file; contents that make no table.
    pub fn create(path: &Path, contents: Contents) -> Result<Writer, WriteError> {
        let place = files::behind_links(path).map_err(|source| WriteError::io(path, source))?;
        let lock = Lock::take(&place).map_err(|error| match error {
            TryLockError::WouldBlock => WriteError::Locked(path.to_owned()),
            TryLockError::Error(source) => WriteError::io(path, source),
        })?;
        files::check_writable(&place).map_err(|source| WriteError::io(path, source))?;
        files::remove_left_over(&place);
        let file = files::temporary_replacing(&place).map_err(|source| WriteError::io(path, source))?;
        let encoder = bytes::encoder(BufWriter::new(file), &contents)
            .map_err(|error| WriteError::encode(path, error))?;
        Ok(Writer { encoder, path: path.to_owned(), place, _lock: lock })
    }

    /// Adds an entry: most empty squares first, then ascending keys. The key must be that of the canonical form, as
    /// [`key::canonical`](reversi_rules::key::canonical) gives it, or a probe cannot find the entry: only a verifier
    /// checks that.
    ///
    /// # Errors
    /// An error of the operating system; an entry out of order or outside the board.
    pub fn push(&mut self, entry: RawEntry) -> Result<(), WriteError> {
        self.encoder.push(entry).map_err(|error| WriteError::encode(&self.path, error))
    }

    /// Completes the file, waits until it is on the disk, and puts it in its place.
    ///
    /// # Errors
    /// An error of the operating system; a root that is not among the entries.
    pub fn finish(self) -> Result<Written, WriteError> {
        let path = self.path;
        let (out, header) = self.encoder.finish().map_err(|error| WriteError::encode(&path, error))?;
        let put_in_place = || -> io::Result<()> {
            let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            files::put_in_place(file, &self.place)
        };
        put_in_place().map_err(|source| WriteError::io(&path, source))?;
        Ok(Written { path, header: Header::from_raw(header) })
    }
}

impl WriteError {
    fn io(path: &Path, source: io::Error) -> WriteError {
        WriteError::Io { path: path.to_owned(), source }
    }

    fn encode(path: &Path, error: EncodeError) -> WriteError {
        match error {
            EncodeError::Io(source) => WriteError::io(path, source),
            source => WriteError::Encode { path: path.to_owned(), source },
        }
    }
}
