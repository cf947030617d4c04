//! Ctrl-C as a wish to end: the command finishes what it is at and says what it has.

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
        // Without the handler the signal ends the program, which loses only the last words.
        let _ = ctrlc::set_handler(move || {
            if first.get_or_insert_with(Instant::now).elapsed() > SAME_WISH {
                std::process::exit(super::Exit::Interrupted as i32);
            }
            told.set();
        });
        stop
    })
    .clone()
}
