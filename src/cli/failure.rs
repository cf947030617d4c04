//! What can go wrong on the command line, with its exit code and its JSON.

use crate::advice::Advice;
use crate::json;
use reversi_engine::{PlayerError, ResourceError};
use reversi_solver::eval::weights::WeightsError;
use reversi_solver::oracle::OracleError;
use reversi_solver::search::MemoryError;
use reversi_table::WriteError;
use reversi_table::library::FileError;
use std::fmt::{self, Display, Formatter};
use std::io::{self, ErrorKind};
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// 0: done.
    Done = 0,
    /// 1: run-time failure, or out of the given time.
    Failed = 1,
    /// 2: wrong usage or input.
    Usage = 2,
    /// 3: a named table, or named weights, are missing.
    MissingTable = 3,
    /// 4: a table, weights or a book are corrupt (structure or checksum) or made for other rules.
    CorruptTable = 4,
    /// 5: a verification found a difference.
    Difference = 5,
    /// 130: ended by Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    /// This exit code, or the other one if this is [`Exit::Done`].
    pub fn or(self, other: Exit) -> Exit {
        if self == Exit::Done { other } else { self }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// An error as the user sees it: what is wrong and what to do about it.
#[derive(Debug)]
pub struct Failure {
    exit: Exit,
    kind: &'static str,
    message: String,
}

impl Failure {
    /// `kind` is the stable word of the JSON error object, such as `bad-position`.
    pub fn new(exit: Exit, kind: &'static str, message: impl Into<String>) -> Failure {
        Failure { exit, kind, message: printable(&message.into()) }
    }

    /// Wrong usage or input: exit code 2.
    pub fn usage(kind: &'static str, message: impl Into<String>) -> Failure {
        Failure::new(Exit::Usage, kind, message)
    }

    /// Output that cannot be written: exit code 1. `place` is the file, with its option if it has one.
    pub fn cannot_write(place: impl Display, error: impl Display) -> Failure {
        Failure::new(Exit::Failed, "cannot-write", format!("{place}: {error}"))
    }

    /// An error of the library; its kind decides the exit code.
    pub fn of_kind(kind: &'static str, message: String) -> Failure {
        let exit = match kind {
            "bad-board" | "bad-player" => Exit::Usage,
            "missing-table" | "missing-weights" => Exit::MissingTable,
            "corrupt-table" | "other-table" | "bad-weights" | "bad-book" => Exit::CorruptTable,
            "wrong-table" => Exit::Difference,
            _ => Exit::Failed,
        };
        Failure::new(exit, kind, message)
    }

    /// A table that an option names and that is for another board or other rules than are asked for.
    pub fn other_table(option: &str, error: &FileError) -> Failure {
        Failure::of_kind(error.error.kind(), format!("{option} {error}; name another file"))
    }

    /// The stable word of the JSON error object.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// What is wrong and what to do about it, without the program's name.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The exit code it leads to.
    pub fn exit(&self) -> Exit {
        self.exit
    }

    /// The same with the place named first, as in `line 3: ...`.
    pub fn within(&self, place: &str) -> Failure {
        Failure { message: format!("{place}: {}", self.message), ..*self }
    }

    /// The same with more advice, as in `...; what was found is kept`.
    pub fn followed_by(&self, more: &str) -> Failure {
        Failure { message: format!("{}; {more}", self.message), ..*self }
    }

    /// The object of the schema `reversi.error/1`.
    pub fn json(&self) -> serde_json::Value {
        json::error(self.kind, &self.message)
    }
}

/// A message that is safe to print whatever it quotes: without control characters, and with lines of bounded length.
fn printable(message: &str) -> String {
    const LONGEST: usize = 2000;
    let line = |line: &str| {
        let mut shown: String = line.chars().take(LONGEST).flat_map(without_control).collect();
        if line.chars().nth(LONGEST).is_some() {
            shown.push_str("...");
        }
        shown
    };
    message.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn without_control(c: char) -> Vec<char> {
    if c.is_control() { c.escape_default().collect() } else { vec![c] }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Lets clap carry it as the source of its error; `print_usage` takes it out again.
impl std::error::Error for Failure {}

/// A player that gives no move.
impl From<PlayerError> for Failure {
    fn from(error: PlayerError) -> Failure {
        Failure::of_kind(error.kind(), error.with_advice())
    }
}

/// A table file that cannot be used.
impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        Failure::of_kind(error.error.kind(), error.with_advice())
    }
}

/// Weights that cannot be used.
impl From<WeightsError> for Failure {
    fn from(error: WeightsError) -> Failure {
        Failure::of_kind(error.kind(), error.with_advice())
    }
}

/// Memory that is not available.
impl From<MemoryError> for Failure {
    fn from(error: MemoryError) -> Failure {
        Failure::new(Exit::Failed, "out-of-memory", error.with_advice())
    }
}

/// A file that a player cannot use.
impl From<ResourceError> for Failure {
    fn from(error: ResourceError) -> Failure {
        match error {
            ResourceError::Table(error) => error.into(),
            ResourceError::Weights(error) => error.into(),
        }
    }
}

/// A table that cannot be written.
impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Failure {
        match error {
            WriteError::Locked(_) => {
                Failure::new(Exit::Failed, "locked", format!("{error}; wait for it to end"))
            }
            _ => Failure::new(Exit::Failed, "cannot-write", error.to_string()),
        }
    }
}

impl From<OracleError> for Failure {
    fn from(error: OracleError) -> Failure {
        Failure::of_kind(error.kind(), error.with_advice())
    }
}

/// The result of a protocol session: a reader that has closed the output is an ordinary end.
pub(super) fn conversation_ended(ending: io::Result<()>) -> Result<Exit, Failure> {
    match ending {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(Exit::Failed, "protocol", format!("the conversation broke off: {error}")))
        }
        _ => Ok(Exit::Done),
    }
}
