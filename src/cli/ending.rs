//! How long work ends that Ctrl-C can stop.

use super::output::Output;
use super::print::print_stopped;
use super::{Exit, Failure};

/// Why work ended early.
pub enum Ending {
    /// Ctrl-C, or its like; what is kept has been told.
    Stopped,
    Failed(Failure),
}

impl Ending {
    /// Says what is kept, if the work was stopped.
    pub fn tell_if_stopped(&self, output: Output, text: &str) {
        if matches!(self, Ending::Stopped) {
            print_stopped(output, text);
        }
    }

    /// The exit code of work that has ended in one way or the other.
    pub fn exit_of(ended: Result<Exit, Ending>) -> Result<Exit, Failure> {
        match ended {
            Ok(exit) => Ok(exit),
            Err(Ending::Stopped) => Ok(Exit::Interrupted),
            Err(Ending::Failed(failure)) => Err(failure),
        }
    }
}

impl<F: Into<Failure>> From<F> for Ending {
    fn from(failure: F) -> Ending {
        Ending::Failed(failure.into())
    }
}
