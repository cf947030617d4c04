//! Writing results, and leaving at Ctrl-C.

use super::failure::asked_for_json;
use super::{Exit, Failure};
use std::fmt::Display;
use std::io::{ErrorKind, Write};

/// Writes a line to stdout at once. Ends the program where nobody reads on, as `head` does, and with
/// an error where it cannot be written, as on a full disk.
pub fn print_line(line: impl Display) {
    let mut out = std::io::stdout().lock();
    let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush()) else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(Exit::Done as i32);
    }
    let failure = Failure::cannot_write("standard output", error);
    failure.report(asked_for_json());
    std::process::exit(Exit::Failed as i32);
}

/// Writes a line to stderr: progress, remarks, errors. Nobody needs to read them, so nothing happens where they cannot
/// be written.
pub fn print_remark(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Lets Ctrl-C end the program at once with exit code 130: for commands that leave nothing half done.
pub fn exit_on_ctrl_c() {
    // Without the handler the signal itself ends the program, only with another code.
    let _ = ctrlc::set_handler(|| std::process::exit(Exit::Interrupted as i32));
}
