//! Whether an open file still has the content with which it was opened.

use crate::TableError;
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime};

/// A file at one moment. The system changes the times of a file before the first byte of a write, a cut or an
/// extension, and no call sets the time of the last change of status (ctime) back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
    length: u64,
    modified: (i64, i64),
    changed: (i64, i64),
    /// Names of the file.
    links: u64,
}

/// Systems count the times of files in steps of a timer: 10 ms at most.
const STEP_OF_TIMES: Duration = Duration::from_millis(20);

impl Identity {
    /// The file as it is now. If it was modified less than a step ago, waits until a later change would have another
    /// time.
    pub fn of(file: &File) -> io::Result<Identity> {
        let modified = file.metadata()?.modified()?;
        let age = SystemTime::now().duration_since(modified).unwrap_or_default();
        if age < STEP_OF_TIMES {
            std::thread::sleep(STEP_OF_TIMES - age);
        }
        let metadata = file.metadata()?;
        Ok(Identity {
            device: metadata.dev(),
            inode: metadata.ino(),
            length: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            links: metadata.nlink(),
        })
    }

    /// Bytes of the file.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Checks that the file still has the content of this moment. Replacing a file by renaming another one over it
    /// removes one of its names, which changes the ctime but not the content. Any other change of the ctime counts as a
    /// change of the content.
    ///
    /// # Errors
    /// [`TableError::Changed`], or an error of the operating system.
    #[inline]
    pub fn check(&self, file: &File) -> Result<(), TableError> {
        let metadata = file.metadata()?;
        let modified = (metadata.mtime(), metadata.mtime_nsec());
        let changed = (metadata.ctime(), metadata.ctime_nsec());
        let is_same = metadata.len() == self.length
            && modified == self.modified
            && (changed == self.changed || metadata.nlink() < self.links);
        if is_same { Ok(()) } else { Err(TableError::Changed) }
    }
}
