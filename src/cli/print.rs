//! Writing results and remarks.

use super::failure::asked_for_json;
use super::{Exit, Failure};
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether nobody reads stdout any more, as after `| head -1`.
static IS_UNREAD: AtomicBool = AtomicBool::new(false);

/// Writes a line to stdout at once. Where nobody reads on nothing is written any more, but the work goes on: files are
/// made and the exit code is the true one. Ends the program with an error where the line cannot be written, as on a
/// full disk.
pub fn print_line(line: impl Display) {
    if IS_UNREAD.load(Relaxed) {
        return;
    }
    let mut out = std::io::stdout().lock();
    let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush()) else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        IS_UNREAD.store(true, Relaxed);
        return;
    }
    let failure = Failure::cannot_write("standard output", error);
    failure.report(asked_for_json());
    std::process::exit(Exit::Failed as i32);
}

/// Whether nobody reads stdout any more: then a command that does nothing but print can end.
pub fn is_unread() -> bool {
    IS_UNREAD.load(Relaxed)
}

/// Writes a line to stderr: progress, remarks, errors. Nobody needs to read them, so nothing happens where they cannot
/// be written.
pub fn print_remark(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// A word as a shell takes it.
pub fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), Into::into)
}
