//! Output files and directories: problems with them are reported before the work, not after it.

use super::{Exit, Failure};
use reversi_files::{self as files, Held, Lock};
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Creates a directory for results if it is missing, and checks that files can be made in it. `option` is the option
/// that named it, as in `--out`.
///
/// # Errors
/// A file in the directory's place, or an error of the system.
pub fn make_directory(option: &str, directory: &Path) -> Result<(), Failure> {
    let made = std::fs::create_dir_all(directory);
    made.map_err(|error| no_directory(option, directory, &error))?;
    check_directory(option, directory)
}

/// Checks that files can be made in a directory.
///
/// # Errors
/// As [`make_directory`].
pub fn check_directory(option: &str, directory: &Path) -> Result<(), Failure> {
    let made = tempfile::tempfile_in(directory).map(drop);
    made.map_err(|error| no_directory(option, directory, &error))
}

/// Checks that no file is in the place of a directory that is created only when it is needed.
///
/// # Errors
/// A file in the directory's place.
pub fn check_no_file(option: &str, directory: &Path) -> Result<(), Failure> {
    match file_in_the_way(directory) {
        Some(_) => Err(no_directory(option, directory, &io::ErrorKind::NotADirectory.into())),
        None => Ok(()),
    }
}

/// The file in the place of a directory or of one of its parents.
fn file_in_the_way(directory: &Path) -> Option<&Path> {
    directory.ancestors().find(|path| path.exists()).filter(|path| !path.is_dir())
}

/// The error for a directory that cannot be made. If a file is in the way, the system only says that it exists.
fn no_directory(option: &str, directory: &Path, error: &io::Error) -> Failure {
    let fault = match file_in_the_way(directory) {
        Some(file) if file == directory => "this is a file, not a directory".to_owned(),
        Some(file) => format!("{} is a file, not a directory", file.display()),
        None => error.to_string(),
    };
    Failure::cannot_write(format_args!("{option} {}", directory.display()), fault)
}

/// Checks that a file can be written, or replaced if it exists. Creates no directory for it.
///
/// # Errors
/// No directory for it, or an error of the system.
pub fn check_file(option: &str, path: &Path) -> Result<(), Failure> {
    let fails = |fault: &str| Failure::cannot_write(format_args!("{option} {}", path.display()), fault);
    if path.is_dir() {
        return Err(fails("this is a directory, not a file"));
    }
    if let Some(fault) = without_directory(path) {
        return Err(fails(&fault));
    }
    if let Some(fault) = leads_nowhere(path) {
        return Err(fails(&fault));
    }
    let check = || {
        files::check_writable(path)?;
        if !is_replaced(path) {
            return Ok(());
        }
        match files::temporary_beside(&files::behind_links(path)?) {
            Err(error) if !may_be_written_over(path, &error) => Err(error),
            _ => Ok(()),
        }
    };
    check().map_err(|error| cannot_write(option, path, &error))
}

/// Refuses to replace a file of a kind that this program never writes at such a place and that may have taken hours: a
/// table, weights, an opening book or a certificate.
///
/// # Errors
/// The file begins as one of these.
pub fn check_no_data(option: &str, path: &Path) -> Result<(), Failure> {
    const KINDS: [(&[u8], &str); 5] = [
        (b"\x89RVT", "a table of values"),
        (b"RVWEIGHT", "a file of weights"),
        (b"RVOPBOOK", "an opening book"),
        (b"opening book ", "an opening book as text"),
        (b"reversi certificate", "a certificate"),
    ];
    let mut head = Vec::new();
    // A pipe must not be read.
    let file = Some(path).filter(|path| path.is_file()).and_then(|path| File::open(path).ok());
    // A file that cannot be read is left to the check that it can be written.
    let _ = file.map(|file| file.take(32).read_to_end(&mut head));
    match KINDS.iter().find(|(magic, _)| head.starts_with(magic)) {
        Some((_, what)) => {
            let message = format!("{option} {}: this is {what}; name another file", path.display());
            Err(Failure::usage("usage", message))
        }
        None => Ok(()),
    }
}

/// Refuses to write to a file that the command also reads or keeps its state in.
///
/// # Errors
/// One of `others`, each with the words for it, is the same file.
pub fn check_distinct(option: &str, path: &Path, others: &[(&str, &Path)]) -> Result<(), Failure> {
    // Only ordinary files have one, and files in existing directories: /dev/null may be named twice.
    let place = |path: &Path| {
        let path = std::path::absolute(files::behind_links(path).ok()?).ok()?;
        Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?))
    };
    let Some(own) = place(path) else { return Ok(()) };
    let Some((what, _)) = others.iter().find(|(_, other)| place(other).as_ref() == Some(&own)) else {
        return Ok(());
    };
    let message = format!("{option} {}: this is also {what}; name another file", path.display());
    Err(Failure::usage("usage", message))
}

/// Writes a file; an older one is replaced as a whole. If no file may be made beside it, it is overwritten in place.
///
/// # Errors
/// An error of the system.
pub fn write_file(option: &str, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write(path, bytes).map_err(|error| cannot_write(option, path, &error))
}

/// The same for a file that no option named.
///
/// # Errors
/// An error of the system.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_by(path, bytes, files::replace)
}

/// The same for a file that will soon be written again: see [`files::replace_for_now`].
///
/// # Errors
/// An error of the system.
pub fn write_for_now(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_by(path, bytes, files::replace_for_now)
}

fn write_by(path: &Path, bytes: &[u8], replace: fn(&Path, &[u8]) -> io::Result<()>) -> io::Result<()> {
    if !is_replaced(path) {
        // Held until everything is written: a reader must not see the end before.
        let _probe = wait_for_reader(path)?;
        return std::fs::write(path, bytes);
    }
    if let Some(fault) = without_directory(path) {
        return Err(io::Error::new(io::ErrorKind::NotFound, fault));
    }
    files::check_writable(path)?;
    match replace(&files::behind_links(path)?, bytes) {
        Err(error) if may_be_written_over(path, &error) => std::fs::write(path, bytes).map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("{error}; the file was overwritten in part, and what it held is lost"),
            )
        }),
        replaced => replaced,
    }
}

/// Waits until a pipe has a reader, as opening it does, but ends at a stop (opening would continue after a signal).
/// Returns a handle to the pipe; `None` for anything else.
///
/// # Errors
/// A stop before there was a reader.
#[cfg(unix)]
fn wait_for_reader(path: &Path) -> io::Result<Option<std::fs::File>> {
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
    const PAUSE: std::time::Duration = std::time::Duration::from_millis(50);
    if !path.metadata().is_ok_and(|metadata| metadata.file_type().is_fifo()) {
        return Ok(None);
    }
    let stop = super::interrupt::stop_on_ctrl_c();
    let mut options = OpenOptions::new();
    options.write(true).custom_flags(nix::libc::O_NONBLOCK);
    loop {
        match options.open(path) {
            Err(error) if error.raw_os_error() != Some(nix::libc::ENXIO) => return Err(error),
            Ok(pipe) => return Ok(Some(pipe)),
            Err(_) if stop.is_set() => {
                let message = "stopped before anything read from the pipe";
                return Err(io::Error::new(io::ErrorKind::Interrupted, message));
            }
            Err(_) => std::thread::sleep(PAUSE),
        }
    }
}

/// Elsewhere there are no such pipes.
#[cfg(not(unix))]
fn wait_for_reader(_: &Path) -> io::Result<Option<std::fs::File>> {
    Ok(None)
}

/// The same for text, with an error that names the file.
///
/// # Errors
/// An error of the system.
pub fn write_text(path: &Path, text: &str) -> Result<(), Failure> {
    write(path, text.as_bytes()).map_err(|error| Failure::cannot_write(path.display(), error))
}

/// Keeps out other processes that would do the same work on a file, as long as the lock lives and if the file system
/// can do this: each process would overwrite the results of the other. `work` distinguishes this lock from that of a
/// writer, which is held for a moment only. A link and the file to which it leads are the same file.
///
/// # Errors
/// Another process that does this work.
pub fn lock(path: &Path, work: &str) -> Result<Option<Lock>, Failure> {
    let path = &files::behind_links(path).unwrap_or_else(|_| path.to_owned());
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{work}"));
    Lock::take_if_possible(&path.with_file_name(name)).map_err(|Held| {
        let fault = "another process is at work on this: wait for it to end, or end it";
        Failure::new(Exit::Failed, "locked", format!("{}: {fault}", path.display()))
    })
}

/// Whether the file itself may be written and only its directory may not, or a file that is mounted alone cannot be
/// replaced.
fn may_be_written_over(path: &Path, error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ResourceBusy) && path.is_file()
}

/// The message about a link to a file that is missing and cannot be made.
fn leads_nowhere(path: &Path) -> Option<String> {
    const MOST_LINKS: usize = 40;
    path.symlink_metadata().ok().filter(|_| path.metadata().is_err())?;
    let end = followed(path).take(MOST_LINKS).last()?;
    if end.is_symlink() {
        return Some("this link leads in a circle".to_owned());
    }
    let fault = without_directory(&end)
        .or_else(|| files::temporary_beside(&end).err().map(|error| error.to_string()));
    fault.map(|fault| format!("this link leads nowhere: {fault}"))
}

/// A path and, link by link, where it leads: without end for links in a circle.
fn followed(path: &Path) -> impl Iterator<Item = PathBuf> {
    std::iter::successors(Some(path.to_owned()), |link| {
        let next = std::fs::read_link(link).ok()?;
        Some(link.parent().unwrap_or(Path::new("")).join(next))
    })
}

/// The message about a file in a directory that does not exist.
fn without_directory(path: &Path) -> Option<String> {
    let directory = path.parent().filter(|parent| *parent != Path::new("") && !parent.is_dir())?;
    let directory_in_words = directory.display();
    Some(match directory.is_file() {
        true => format!("{directory_in_words} is a file, not a directory"),
        false => format!("there is no directory {directory_in_words}"),
    })
}

/// Whether a new file replaces this one. A link stays a link: the file to which it leads is replaced, or made if it is
/// missing. A pipe or a device is written to, and so is a link of the system such as `/dev/stdout`, which others have
/// open.
pub fn is_replaced(path: &Path) -> bool {
    let is_file = |metadata: std::fs::Metadata| metadata.is_file();
    path.metadata().map_or_else(|_| path.symlink_metadata().is_err(), is_file)
        && !leads_through_the_system(path)
}

/// Whether a link is one of the system's, or leads to one.
fn leads_through_the_system(path: &Path) -> bool {
    let is_of_the_system = |link: PathBuf| link.starts_with("/dev") || link.starts_with("/proc");
    followed(path).take_while(|link| link.is_symlink()).any(is_of_the_system)
}

fn cannot_write(option: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::cannot_write(format_args!("{option} {}", path.display()), error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(result: Result<(), Failure>) -> String {
        result.unwrap_err().json()["message"].as_str().unwrap().to_owned()
    }

    #[test]
    fn a_file_in_the_place_of_a_directory_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().display();
        let expected = format!("--out {path}: this is a file, not a directory");
        assert_eq!(said(make_directory("--out", file.path())), expected);
        assert_eq!(said(check_directory("--out", file.path())), expected);
        for below in ["below", "a/b"] {
            let expected = format!("--out {path}/{below}: {path} is a file, not a directory");
            assert_eq!(said(make_directory("--out", &file.path().join(below))), expected);
        }
    }

    #[test]
    fn a_directory_is_made_but_none_for_a_file() {
        let directory = tempfile::tempdir().unwrap();
        let below = directory.path().join("a/b");
        let path = below.join("table.csv");
        let missing = format!("--csv {}: there is no directory {}", path.display(), below.display());
        assert_eq!(said(check_file("--csv", &path)), missing);
        assert!(!below.exists());
        make_directory("--out", &below).unwrap();
        make_directory("--out", &below).unwrap();
        check_file("--csv", &path).unwrap();
        assert!(!path.exists(), "the check leaves nothing");
        assert!(said(check_file("--csv", &below)).ends_with(": this is a directory, not a file"));
    }

    #[test]
    fn files_that_took_hours_are_not_replaced_by_games() {
        let directory = tempfile::tempdir().unwrap();
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        for (name, what) in
            [("4x4-normal-raw-diagonal.rvt", "a table"), ("5x5-normal.rvw", "a file of weights")]
        {
            let refused = said(check_no_data("--csv", &shipped.join(name)));
            assert!(refused.contains(&format!("{name}: this is {what}")), "{refused}");
        }
        let path = directory.path().join("games.txt");
        for content in [&b"f5d6"[..], b"", b"\x89RV"] {
            std::fs::write(&path, content).unwrap();
            check_no_data("--csv", &path).unwrap();
        }
        std::fs::write(&path, "reversi certificate 1\n").unwrap();
        assert!(said(check_no_data("--csv", &path)).contains("this is a certificate"));
        check_no_data("--csv", directory.path()).unwrap();
        check_no_data("--csv", &directory.path().join("none")).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn behind_a_link_a_file_is_replaced_as_a_whole() {
        use std::os::unix::fs::{MetadataExt, symlink};
        let directory = tempfile::tempdir().unwrap();
        let [path, link, nowhere, none] =
            ["data", "link", "nowhere", "none"].map(|name| directory.path().join(name));
        symlink(&path, &link).unwrap();
        symlink(&none, &nowhere).unwrap();
        std::fs::write(&path, "old").unwrap();
        let before = path.metadata().unwrap().ino();
        assert!(is_replaced(&link) && !is_replaced(&nowhere));
        check_file("--out", &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(link.is_symlink() && path.metadata().unwrap().ino() != before, "another file");
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        write(&nowhere, b"new").unwrap();
        assert!(nowhere.is_symlink() && std::fs::read(&none).unwrap() == b"new");
        let held = lock(&link, "games").unwrap();
        assert!(held.is_some() && lock(&path, "games").is_err(), "the same file");
    }

    #[test]
    #[cfg(unix)]
    fn a_link_that_leads_nowhere_is_noticed_before_the_work() {
        use std::os::unix::fs::symlink;
        let directory = tempfile::tempdir().unwrap();
        let [link, circle] = ["link", "circle"].map(|name| directory.path().join(name));
        symlink(directory.path().join("none/file"), &link).unwrap();
        symlink(&circle, &circle).unwrap();
        assert!(said(check_file("--csv", &link)).contains("leads nowhere: there is no directory"));
        assert!(said(check_file("--csv", &circle)).ends_with("leads in a circle"));
    }

    /// A file that the shell has open must not be replaced.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_that_the_system_names_is_written_to() {
        use std::os::fd::AsRawFd;
        let file = tempfile::NamedTempFile::new().unwrap();
        let number = file.as_file().as_raw_fd();
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("link");
        std::os::unix::fs::symlink(format!("/proc/self/fd/{number}"), &link).unwrap();
        assert!(is_replaced(file.path()) && !is_replaced(&link));
        write(&link, b"new").unwrap();
        assert_eq!(std::io::read_to_string(file.as_file()).unwrap(), "new", "by the open file");
    }

    #[test]
    fn the_same_work_on_a_file_is_done_by_one_process_at_a_time() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("some.rvo");
        let held = lock(&path, "build").unwrap();
        assert!(held.is_some() && lock(&path, "moves").unwrap().is_some());
        let refused = lock(&path, "build").err().unwrap();
        assert!(refused.message().contains("some.rvo: another process"), "{}", refused.message());
        drop(held);
        assert!(lock(&path, "build").unwrap().is_some());
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0, "no file is left");
    }
}
