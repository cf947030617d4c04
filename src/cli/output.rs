//! The form of the output that the arguments request.

use super::Failure;
use clap::Args;
use std::ffi::OsStr;
use std::io::{self, IsTerminal};

/// How results, remarks and errors are printed.
#[derive(Args, Clone, Copy, Debug)]
pub struct Output {
    /// Print JSON; refused by commands with their own output format, such as play, gtp and table export
    #[arg(long, global = true)]
    pub json: bool,
    /// Print no progress and no remarks
    #[arg(long, global = true)]
    pub quiet: bool,
}

impl Output {
    /// The form of an error about arguments that cannot be parsed: `--json` counts in any place.
    pub fn of_unparsed<'a>(mut arguments: impl Iterator<Item = &'a OsStr>) -> Output {
        Output { json: arguments.any(|argument| argument == "--json"), quiet: false }
    }

    /// Programs that ask for JSON read stderr too: no remark is printed there unless stderr is a terminal.
    pub fn settled(self) -> Output {
        Output { quiet: self.quiet || (self.json && !io::stderr().is_terminal()), ..self }
    }

    /// Refuses JSON for a command with its own output format; `what` describes it, as in "play shows boards".
    ///
    /// # Errors
    /// JSON was requested.
    pub fn refuse_json(self, what: &str) -> Result<(), Failure> {
        match self.json {
            true => Err(Failure::usage("usage", format!("{what}, not JSON: leave --json out"))),
            false => Ok(()),
        }
    }
}
