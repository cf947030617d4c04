//! Atomic replacement of files: a reader sees the old file or the new one, also after a crash.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const TEMPORARY: &str = ".tmp";

/// Writes a file atomically: replaces an existing one, which keeps its permissions, or creates it.
///
/// # Errors
/// As [`put_in_place`].
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    put_in_place(written_beside(path, bytes)?, path)
}

/// [`replace`] without waiting until the file is on the disk. It survives the end of this process, but perhaps not a
/// crash of the machine: for files that are soon replaced again.
///
/// # Errors
/// An error of the operating system.
pub fn replace_for_now(path: &Path, bytes: &[u8]) -> io::Result<()> {
    written_beside(path, bytes)?.persist(path)?;
    Ok(())
}

/// Checks that a file that exists may be written: one that may not must not be replaced either. A pipe is left alone: its
/// reader would take the end of the check for the end of everything.
///
/// # Errors
/// As of opening it.
pub fn check_writable(path: &Path) -> io::Result<()> {
    if path.is_file() {
        OpenOptions::new().append(true).open(path)?;
    }
    Ok(())
}

/// The regular file to which a path leads, or the path itself if there is none yet. Replacing the file at the returned
/// path keeps a link that leads to it.
///
/// # Errors
/// If the path leads to a directory or to anything else that is not a regular file.
pub fn behind_links(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => fs::canonicalize(path),
        Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => Err(io::Error::new(io::ErrorKind::InvalidInput, "this is no ordinary file")),
        Err(_) => Ok(path.to_owned()),
    }
}

fn written_beside(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut file = temporary_replacing(path)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// A [`temporary_beside`] `path`, with the permissions of the file there if there is one.
///
/// # Errors
/// As of [`temporary_beside`].
pub fn temporary_replacing(path: &Path) -> io::Result<NamedTempFile> {
    let file = temporary_beside(path)?;
    if let Ok(old) = fs::metadata(path) {
        file.as_file().set_permissions(old.permissions())?;
    }
    Ok(file)
}

/// A hidden temporary file in the directory of `path`, for [`put_in_place`].
///
/// # Errors
/// An error of the operating system, or a path that names no file.
pub fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let prefix = hidden(path, ".")?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(TEMPORARY);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file, not only for its owner as temporary files are; the umask still applies.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory_of(path))
}

/// Waits until the file is on the disk, renames it to `path`, and syncs the directory.
///
/// # Errors
/// An error of the operating system. The old file is then still in place, unless only the sync of the directory failed.
pub fn put_in_place(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(path)?;
    sync_directory(directory_of(path))
}

/// Waits until the names in a directory are on the disk. Does nothing where the directory cannot be opened or the file
/// system cannot sync it.
///
/// # Errors
/// An error of the operating system during the sync.
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, Unsupported};
    let Ok(opened) = File::open(directory) else { return Ok(()) };
    match opened.sync_all() {
        Err(error) if !cfg!(unix) || matches!(error.kind(), InvalidInput | Unsupported) => Ok(()),
        synced => synced,
    }
}

/// A lock on the writing of a file: a file beside it that is locked, and removed when the lock is dropped. The lock is
/// advisory and ends with the process, so a killed process leaves an empty file but no lock.
pub struct Lock {
    path: PathBuf,
    file: File,
}

/// Another process holds a lock.
#[derive(Debug)]
pub struct Held;

impl Lock {
    /// Takes the lock of this file. On a file system that cannot lock, no process is kept out.
    ///
    /// # Errors
    /// [`TryLockError::WouldBlock`] while another process holds the lock; the error of the system if there can be no
    /// file beside this one.
    pub fn take(target: &Path) -> Result<Lock, TryLockError> {
        let path = directory_of(target).join(hidden(target, ".lock").map_err(TryLockError::Error)?);
        loop {
            let Some(file) = open_locked(&path).map_err(TryLockError::Error)? else {
                return Err(TryLockError::WouldBlock);
            };
            // The previous holder may have removed the file after it was opened here.
            if is_in_place(&file, &path) {
                return Ok(Lock { path, file });
            }
        }
    }

    /// [`Lock::take`], but `None` where there can be no file beside this one.
    ///
    /// # Errors
    /// [`Held`] while another process holds the lock.
    pub fn take_if_possible(target: &Path) -> Result<Option<Lock>, Held> {
        match Lock::take(target) {
            Ok(lock) => Ok(Some(lock)),
            Err(TryLockError::WouldBlock) => Err(Held),
            Err(TryLockError::Error(_)) => Ok(None),
        }
    }
}

/// Opens a file for reading and writing, or creates it; `None` while another process has it open in this way. On a file
/// system that cannot lock, no process is kept out.
///
/// # Errors
/// An error of the operating system.
pub fn open_locked(path: &Path) -> io::Result<Option<File>> {
    let file = File::options().create(true).truncate(false).read(true).write(true).open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // If the lock file was removed meanwhile, the one at this path may belong to another process.
        if is_in_place(&self.file, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether the name leads to this open file.
#[cfg(unix)]
fn is_in_place(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let (open, named) = (file.metadata().map(identity), fs::metadata(path).map(identity));
    open.is_ok() && open.ok() == named.ok()
}

/// Other systems do not remove a file that is open.
#[cfg(not(unix))]
fn is_in_place(_: &File, _: &Path) -> bool {
    true
}

/// Removes the temporary files that killed writers of this file have left, as far as the system allows. The caller
/// guarantees that no writer is active.
pub fn remove_left_over(path: &Path) {
    let (Ok(prefix), Ok(entries)) = (hidden(path, "."), fs::read_dir(directory_of(path))) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let (bytes, prefix) = (name.as_encoded_bytes(), prefix.as_encoded_bytes());
        let middle = bytes.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(TEMPORARY.as_bytes()));
        // Another dot: the temporary file of another file, whose name begins with this one's.
        if middle.is_some_and(|middle| !middle.contains(&b'.')) {
            let _ = fs::remove_file(directory_of(path).join(&name));
        }
    }
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(directory) if directory != Path::new("") => directory,
        _ => Path::new("."),
    }
}

/// `.NAME` and `suffix`.
fn hidden(path: &Path, suffix: &str) -> io::Result<OsString> {
    let name =
        path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "this names no file"))?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(suffix);
    Ok(hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("data");
        for bytes in [&b"one"[..], b"another"] {
            replace(&path, bytes).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        assert_eq!(names(directory.path()), ["data"]);
        assert!(replace(directory.path(), b"one").is_err(), "it is a directory");
        assert!(replace(&directory.path().join("none/data"), b"one").is_err());
    }

    #[test]
    fn one_lock_at_a_time_when_several_remove_its_file() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("data");
        let lock = Lock::take(&target).unwrap();
        assert!(matches!(Lock::take(&target), Err(TryLockError::WouldBlock)));
        let opened_before = File::open(directory.path().join(".data.lock")).unwrap();
        drop(lock);
        assert_eq!(names(directory.path()), [""; 0]);
        assert!(!is_in_place(&opened_before, &directory.path().join(".data.lock")) || cfg!(not(unix)));
        let lock =
            Lock::take_if_possible(&target).unwrap().expect("a file system that has room for its file");
        assert!(matches!(Lock::take_if_possible(&target), Err(Held)));
        if cfg!(unix) {
            fs::remove_file(directory.path().join(".data.lock")).unwrap();
            let another = Lock::take(&target).unwrap();
            drop(lock);
            assert!(
                matches!(Lock::take(&target), Err(TryLockError::WouldBlock)),
                "the other's is still there"
            );
            drop(another);
        }
    }

    #[test]
    fn without_room_for_its_file_there_is_no_lock() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("none/data");
        assert!(matches!(Lock::take(&target), Err(TryLockError::Error(_))));
        assert!(matches!(Lock::take_if_possible(&target), Ok(None)));
    }

    #[test]
    fn a_file_is_open_to_one_writer_at_a_time_and_keeps_what_it_holds() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("data");
        fs::write(&path, "kept").unwrap();
        let file = open_locked(&path).unwrap();
        assert!(file.is_some() && open_locked(&path).unwrap().is_none());
        drop(file);
        assert!(open_locked(&path).unwrap().is_some());
        assert_eq!(fs::read(&path).unwrap(), b"kept");
    }

    #[test]
    #[cfg(unix)]
    fn a_link_leads_to_the_file_that_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let [path, link] = ["data", "link"].map(|name| directory.path().join(name));
        assert_eq!(behind_links(&path).unwrap(), path);
        fs::write(&path, "").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert_eq!(behind_links(&link).unwrap(), path.canonicalize().unwrap());
        assert!(behind_links(directory.path()).is_err() && behind_links(Path::new("/dev/null")).is_err());
    }

    #[test]
    fn only_what_writers_of_this_file_have_left_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        let others = [".data.keep", ".data.lock", ".data.x.a1b2c3.tmp", ".data2.x.tmp", "data", "data.tmp"];
        for name in others.into_iter().chain([".data.a1b2c3.tmp"]) {
            fs::write(directory.path().join(name), "").unwrap();
        }
        remove_left_over(&directory.path().join("data"));
        assert_eq!(names(directory.path()), others);
    }

    #[test]
    fn what_cannot_be_removed_stays_and_the_rest_goes() {
        let directory = tempfile::tempdir().unwrap();
        for name in [".data.a1b2c3.tmp", ".data.d4e5f6.tmp"] {
            fs::write(directory.path().join(name), "").unwrap();
        }
        fs::create_dir(directory.path().join(".data.b2c3d4.tmp")).unwrap();
        remove_left_over(&directory.path().join("data"));
        assert_eq!(names(directory.path()), [".data.b2c3d4.tmp"]);
    }

    #[test]
    #[cfg(unix)]
    fn a_directory_that_cannot_be_brought_to_the_disk_is_left_to_the_system() {
        let directory = tempfile::tempdir().unwrap();
        sync_directory(directory.path()).unwrap();
        sync_directory(&directory.path().join("none")).unwrap();
        // No file there can be brought to the disk.
        sync_directory(Path::new("/proc/self/status")).unwrap();
    }
}
