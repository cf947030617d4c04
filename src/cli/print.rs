//! Writing results, remarks and errors: the only place that prints.

use super::output::Output;
use super::{Exit, Failure, usage};
use std::error::Error as _;
use std::fmt::Display;
use std::io::{self, ErrorKind, StdoutLock, Write};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The form of the output, once the arguments have been parsed.
static OUTPUT: OnceLock<Output> = OnceLock::new();

/// Whether the reader of stdout has closed it, as `| head -1` does.
static IS_UNREAD: AtomicBool = AtomicBool::new(false);

/// Sets the form of the errors that [`print_failure`] writes. The first call counts; without one they are text.
pub fn set_output(output: Output) {
    let _ = OUTPUT.set(output);
}

/// Writes an error to stderr, as JSON if that was requested, and returns its exit code.
pub fn print_failure(failure: &Failure) -> ExitCode {
    if OUTPUT.get().is_some_and(|output| output.json) {
        print_remark(failure.json());
    } else {
        print_text(failure);
    }
    failure.exit().into()
}

/// Says that the work was stopped before its end, and what this means for it: a remark, or with `--json` an error.
pub fn print_stopped(output: Output, text: impl Display) {
    if output.json {
        print_remark(Failure::new(Exit::Interrupted, "interrupted", text.to_string()).json());
    } else if !output.quiet {
        print_remark(text);
    }
}

/// Writes an error to stderr as text, whatever form was requested.
pub fn print_text(failure: &Failure) {
    print_remark(format_args!("reversi: {}", failure.message()));
}

/// Help and version go to stdout with code 0. Usage errors go to stderr with code 2, in the form of the output. The
/// failure of a file that an option names keeps its exit code.
pub fn print_usage(error: &clap::Error) -> ExitCode {
    if let Some(failure) = error.source().and_then(|source| source.downcast_ref::<Failure>()) {
        return print_failure(failure);
    }
    let worded = usage::in_own_words(error);
    let error = worded.as_ref().unwrap_or(error);
    if error.use_stderr() && OUTPUT.get().is_some_and(|output| output.json) {
        return print_failure(&Failure::usage("usage", error.render().to_string().trim_end()));
    }
    match (error.use_stderr(), error.print()) {
        (true, _) => Exit::Usage.into(),
        (false, Err(error)) if error.kind() != ErrorKind::BrokenPipe => {
            let failure = Failure::cannot_write("standard output", error);
            print_text(&failure);
            failure.exit().into()
        }
        (false, _) => Exit::Done.into(),
    }
}

/// Writes a line to stdout and flushes it. Once the reader has closed stdout nothing more is written, but the work goes
/// on: files are made, and the exit code is that of the work. If the line cannot be written for another reason, as on a
/// full disk, the program ends with an error.
pub fn print_line(line: impl Display) {
    print_with(|out| writeln!(out, "{line}"));
}

/// Writes bytes to stdout as they are, under the same conditions as a line.
pub fn print_bytes(bytes: &[u8]) {
    print_with(|out| out.write_all(bytes));
}

fn print_with(write: impl FnOnce(&mut StdoutLock) -> io::Result<()>) {
    if IS_UNREAD.load(Relaxed) {
        return;
    }
    let mut out = io::stdout().lock();
    let Err(error) = write(&mut out).and_then(|()| out.flush()) else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        IS_UNREAD.store(true, Relaxed);
        return;
    }
    let failure = Failure::cannot_write("standard output", error);
    print_failure(&failure);
    std::process::exit(Exit::Failed as i32);
}

/// Whether the reader of stdout has closed it. A command that only prints can then end.
pub fn is_unread() -> bool {
    IS_UNREAD.load(Relaxed)
}

/// Writes a line to stderr: progress, remarks, errors. A line that cannot be written is dropped without an error.
pub fn print_remark(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// A word quoted for a shell.
pub fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), Into::into)
}
