//! Ctrl-C, SIGTERM and the end of a terminal as requests to stop: the command finishes its step and prints what it has.

use super::print::print_failure;
use super::{Exit, Failure};
use reversi_solver::search::Stop;
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// Signals within this time of the first are the same request: `timeout` sends one to the program and
/// one to its whole group.
const SAME_REQUEST: Duration = Duration::from_millis(500);

/// Time limit for the last message.
const TIME_FOR_MESSAGE: Duration = Duration::from_millis(200);

/// A stop that Ctrl-C sets. A second Ctrl-C, at least half a second later, ends the program at once.
pub fn stop_on_ctrl_c() -> Stop {
    static STOP: OnceLock<Stop> = OnceLock::new();
    STOP.get_or_init(|| {
        let stop = Stop::never();
        let told = stop.clone();
        let mut first = None;
        on_ctrl_c(move || {
            if first.get_or_insert_with(Instant::now).elapsed() > SAME_REQUEST {
                std::process::exit(Exit::Interrupted as i32);
            }
            told.set();
        });
        stop
    })
    .clone()
}

/// Called when the program starts: writing beyond a limit on the size of files (`ulimit -f`) is an error like others.
pub fn tell_of_file_limits() {
    signals::ignore_file_limit();
}

/// Lets Ctrl-C end the program at once with exit code 130: for commands that leave nothing half done.
pub fn exit_on_ctrl_c() {
    on_ctrl_c(|| std::process::exit(Exit::Interrupted as i32));
}

/// The same, and prints that the command was interrupted.
pub fn fail_on_ctrl_c() {
    fail_with(|failure| failure);
}

/// The same, and prints what the interruption means for the work; `what` is called at that moment.
pub fn fail_on_ctrl_c_saying(what: impl Fn() -> String + Send + 'static) {
    fail_with(move |failure| failure.followed_by(&what()));
}

fn fail_with(completed: impl Fn(Failure) -> Failure + Send + 'static) {
    on_ctrl_c(move || {
        let failure = Failure::new(Exit::Interrupted, "interrupted", "interrupted before the end");
        let failure = completed(failure);
        // On a thread of its own, with a time limit: stderr may have no reader.
        let (told, is_told) = mpsc::channel();
        let tell = move || {
            print_failure(&failure);
            let _ = told.send(());
        };
        if thread::Builder::new().spawn(tell).is_ok() {
            let _ = is_told.recv_timeout(TIME_FOR_MESSAGE);
        }
        std::process::exit(Exit::Interrupted as i32);
    });
}

/// Calls the handler at Ctrl-C, and at every other signal to end that the parent process has not set to be ignored. If
/// no handler can be installed, the signal itself ends the program and only its last words are lost.
fn on_ctrl_c(handler: impl FnMut() + Send + 'static) {
    let ignored = signals::ignored();
    if let Err(ctrlc::Error::System(_)) = ctrlc::set_handler(handler) {
        // It may have been installed although the thread that it needs could not be started.
        signals::reset();
    }
    signals::ignore(&ignored);
}

/// `nohup` sets the end of a terminal to be ignored, and it stays ignored. A script sets Ctrl-C to be ignored for what
/// it starts with `&`; here it counts all the same, so that it can be sent with `kill`. Ctrl-C at the script's terminal
/// ends both.
#[cfg(unix)]
mod signals {
    use nix::libc;
    use std::mem::MaybeUninit;
    use std::ptr;

    /// Signals to end besides Ctrl-C.
    const OTHER_SIGNALS: [libc::c_int; 2] = [libc::SIGHUP, libc::SIGTERM];

    /// The signals among them that are ignored now.
    pub fn ignored() -> Vec<libc::c_int> {
        OTHER_SIGNALS.into_iter().filter(|&signal| is_ignored(signal)).collect()
    }

    fn is_ignored(signal: libc::c_int) -> bool {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: without a new action the call only writes the present one, for which there is room.
        let asked = unsafe { libc::sigaction(signal, ptr::null(), action.as_mut_ptr()) };
        // SAFETY: all zeros are a valid value too, whatever part of it was filled in.
        asked == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
    }

    pub fn ignore(signals: &[libc::c_int]) {
        for &signal in signals {
            // SAFETY: a signal that is ignored runs no handler.
            unsafe { libc::signal(signal, libc::SIG_IGN) };
        }
    }

    /// Makes writing beyond a limit on the size of files an error, which is told, instead of the end of the program.
    pub fn ignore_file_limit() {
        ignore(&[libc::SIGXFSZ]);
    }

    /// Lets the signals end the program.
    pub fn reset() {
        for signal in OTHER_SIGNALS.into_iter().chain([libc::SIGINT]) {
            // SAFETY: the default action runs no handler.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
    }
}

#[cfg(not(unix))]
mod signals {
    pub fn ignored() {}

    pub fn ignore((): &()) {}

    pub fn ignore_file_limit() {}

    pub fn reset() {}
}
