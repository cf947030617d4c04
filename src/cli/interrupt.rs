//! Ctrl-C as a wish to end: the command finishes what it is at and says what it has. So are the wish to terminate and
//! the end of a terminal.

use super::Exit;
use crate::search::Stop;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Signals that come within this time of the first are the same wish: `timeout` sends one to the program and
/// one to its whole group.
const SAME_WISH: Duration = Duration::from_millis(500);

/// A stop that Ctrl-C sets. Another, half a second later or more, ends the program at once.
pub fn stop_on_ctrl_c() -> Stop {
    static STOP: OnceLock<Stop> = OnceLock::new();
    STOP.get_or_init(|| {
        let stop = Stop::never();
        let told = stop.clone();
        let mut first = None;
        on_ctrl_c(move || {
            if first.get_or_insert_with(Instant::now).elapsed() > SAME_WISH {
                std::process::exit(Exit::Interrupted as i32);
            }
            told.set();
        });
        stop
    })
    .clone()
}

/// Lets Ctrl-C end the program at once with exit code 130: for commands that leave nothing half done.
pub fn exit_on_ctrl_c() {
    on_ctrl_c(|| std::process::exit(Exit::Interrupted as i32));
}

/// Does this at every signal to end, unless whoever started the program had it ignored. Without a handler the signal
/// itself ends the program, which loses only the last words.
fn on_ctrl_c(handler: impl FnMut() + Send + 'static) {
    let ignored = signals::ignored();
    let _ = ctrlc::set_handler(handler);
    signals::ignore(&ignored);
}

/// `nohup` has the end of a terminal ignored, a script Ctrl-C for what it starts with `&`.
#[cfg(unix)]
mod signals {
    use nix::sys::signal::{SigHandler, Signal, signal};

    /// Those among the signals to end that are ignored now; the others then do what they did when a program starts.
    pub fn ignored() -> Vec<Signal> {
        let is_ignored = |one: &Signal| {
            // SAFETY: ignoring a signal runs no handler.
            let before = unsafe { signal(*one, SigHandler::SigIgn) };
            let is_ignored = matches!(before, Ok(SigHandler::SigIgn));
            if !is_ignored {
                // SAFETY: what the system does by itself runs no handler.
                let _ = unsafe { signal(*one, SigHandler::SigDfl) };
            }
            is_ignored
        };
        [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM].into_iter().filter(is_ignored).collect()
    }

    pub fn ignore(signals: &[Signal]) {
        for &one in signals {
            // SAFETY: ignoring a signal runs no handler.
            let _ = unsafe { signal(one, SigHandler::SigIgn) };
        }
    }
}

#[cfg(not(unix))]
mod signals {
    pub fn ignored() {}

    pub fn ignore((): &()) {}
}
