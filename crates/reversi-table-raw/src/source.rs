//! Where the bytes of a table are, and how a part of them is read so that it is known to be of the file that was
//! opened.
//!
//! A file is never mapped into memory: if another process cut it short, SIGBUS would end every process that reads the
//! map, and if it wrote to it, bytes would change that had been checked already.

use crate::TableError;
use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

#[cfg(unix)]
use super::identity::Identity;

/// The bytes of a table.
pub(super) enum Source {
    /// A file, read block by block.
    #[cfg(unix)]
    File(OpenFile),
    /// Bytes that nothing outside the process can change.
    Static(&'static [u8]),
    /// The same, shared by all tables of one file.
    Memory(Arc<Vec<u8>>),
}

/// An open file, and its identity when it was opened.
#[cfg(unix)]
pub(super) struct OpenFile {
    file: fs::File,
    identity: Identity,
}

impl Source {
    /// Opens a regular file.
    #[cfg(unix)]
    pub fn open(path: &Path) -> Result<Source, TableError> {
        let (file, identity) = open_regular(path)?;
        Ok(Source::File(OpenFile { file, identity }))
    }

    /// Reads the whole file: this system has no times with which to notice a change.
    #[cfg(not(unix))]
    pub fn open(path: &Path) -> Result<Source, TableError> {
        Source::read(path)
    }

    /// Reads a whole regular file into memory, or shares the copy of an earlier call.
    #[cfg(unix)]
    pub fn read(path: &Path) -> Result<Source, TableError> {
        use std::collections::HashMap;
        use std::sync::{Mutex, PoisonError, Weak};
        static COPIES: Mutex<Option<HashMap<Identity, Weak<Vec<u8>>>>> = Mutex::new(None);

        let (mut file, identity) = open_regular(path)?;
        let mut copies = COPIES.lock().unwrap_or_else(PoisonError::into_inner);
        let copies = copies.get_or_insert_default();
        if let Some(bytes) = copies.get(&identity).and_then(Weak::upgrade) {
            return Ok(Source::Memory(bytes));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(identity.length()).unwrap_or(0));
        io::Read::read_to_end(&mut file, &mut bytes)?;
        identity.check(&file)?;
        let bytes = Arc::new(bytes);
        copies.retain(|_, bytes| bytes.strong_count() > 0);
        copies.insert(identity, Arc::downgrade(&bytes));
        Ok(Source::Memory(bytes))
    }

    /// Reads a whole regular file into memory.
    #[cfg(not(unix))]
    pub fn read(path: &Path) -> Result<Source, TableError> {
        check_regular(path)?;
        Ok(Source::Memory(Arc::new(fs::read(path)?)))
    }

    /// Number of bytes.
    pub fn len(&self) -> u64 {
        match self {
            #[cfg(unix)]
            Source::File(open) => open.identity.length(),
            Source::Static(bytes) => bytes.len() as u64,
            Source::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// The bytes if they are in memory, where nothing changes them.
    #[inline]
    pub fn in_memory(&self) -> Option<&[u8]> {
        match self {
            #[cfg(unix)]
            Source::File(_) => None,
            Source::Static(bytes) => Some(bytes),
            Source::Memory(bytes) => Some(bytes),
        }
    }

    /// `length` bytes from `start` on, which must not reach beyond the end. Those of a file are a copy.
    ///
    /// # Errors
    /// As [`Source::copy`].
    pub fn part(&self, start: usize, length: usize) -> Result<Cow<'_, [u8]>, TableError> {
        if let Some(bytes) = self.in_memory() {
            return Ok(Cow::Borrowed(&bytes[start..start + length]));
        }
        let mut copy = vec![0; length];
        self.copy(start, &mut copy)?;
        Ok(Cow::Owned(copy))
    }

    /// Fills a buffer with the bytes from `start` on. After the copy, checks that the file is still the one that was
    /// opened.
    ///
    /// # Errors
    /// An error of the operating system, or [`TableError::Changed`].
    #[inline]
    pub fn copy(&self, start: usize, buffer: &mut [u8]) -> Result<(), TableError> {
        match self {
            #[cfg(unix)]
            Source::File(OpenFile { file, identity }) => {
                let read = std::os::unix::fs::FileExt::read_exact_at(file, buffer, start as u64);
                // Before the outcome of the read: a file that was cut short has changed, and reading it fails.
                identity.check(file)?;
                Ok(read?)
            }
            Source::Static(bytes) => {
                buffer.copy_from_slice(&bytes[start..start + buffer.len()]);
                Ok(())
            }
            Source::Memory(bytes) => {
                buffer.copy_from_slice(&bytes[start..start + buffer.len()]);
                Ok(())
            }
        }
    }
}

/// A regular file that is not empty, and its identity.
#[cfg(unix)]
fn open_regular(path: &Path) -> Result<(fs::File, Identity), TableError> {
    check_regular(path)?;
    let file = fs::File::open(path)?;
    let identity = Identity::of(&file)?;
    Ok((file, identity))
}

/// Checks that a path leads to a regular file, before it is opened: opening a pipe waits for a writer.
fn check_regular(path: &Path) -> Result<(), TableError> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(TableError::Io(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    if !metadata.is_file() || metadata.len() == 0 {
        return Err(TableError::NotATable);
    }
    Ok(())
}
