//! Files that are put in their place as a whole: whoever looks sees the old one or the new one, after a crash too.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const TEMPORARY: &str = ".tmp";

/// Replaces a file, or makes it.
///
/// # Errors
/// What the system said; the old file is then still there.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = temporary_beside(path)?;
    file.write_all(bytes)?;
    put_in_place(file, path)
}

/// A hidden file beside the one that it is to become.
///
/// # Errors
/// What the system said, or a path that names no file.
pub(crate) fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
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

/// Waits until the file is on the disk, and gives it its name.
///
/// # Errors
/// What the system said.
pub(crate) fn put_in_place(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(path)?;
    // The new name lasts once the directory is on the disk, where a directory can be opened for that.
    if cfg!(unix) { File::open(directory_of(path))?.sync_all() } else { Ok(()) }
}

/// The file that is locked while another is written, in the same directory.
///
/// # Errors
/// A path that names no file.
pub(crate) fn lock_beside(path: &Path) -> io::Result<PathBuf> {
    Ok(directory_of(path).join(hidden(path, ".lock")?))
}

/// Removes what killed writers of this file have left. The caller sees to it that nobody writes it now.
///
/// # Errors
/// What the system said.
pub(crate) fn remove_left_over(path: &Path) -> io::Result<()> {
    let prefix = hidden(path, ".")?;
    for entry in fs::read_dir(directory_of(path))? {
        let name = entry?.file_name();
        let (bytes, prefix) = (name.as_encoded_bytes(), prefix.as_encoded_bytes());
        if bytes.starts_with(prefix) && bytes.ends_with(TEMPORARY.as_bytes()) {
            fs::remove_file(directory_of(path).join(&name))?;
        }
    }
    Ok(())
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
    fn only_what_writers_of_this_file_have_left_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        for name in [".data.a1b2c3.tmp", ".data.lock", ".data2.x.tmp", "data", "data.tmp", ".data.keep"] {
            fs::write(directory.path().join(name), "").unwrap();
        }
        remove_left_over(&directory.path().join("data")).unwrap();
        assert_eq!(names(directory.path()), [".data.keep", ".data.lock", ".data2.x.tmp", "data", "data.tmp"]);
    }
}
