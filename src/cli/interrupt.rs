//! Ctrl-C as a wish to end: the command finishes what it is at and says what it has.

use crate::search::Stop;
use std::sync::OnceLock;

/// A stop that Ctrl-C sets. A second Ctrl-C ends the program at once.
pub fn stop_on_ctrl_c() -> Stop {
    static STOP: OnceLock<Stop> = OnceLock::new();
    STOP.get_or_init(|| {
        let stop = Stop::never();
        let told = stop.clone();
        // Without the handler the signal ends the program, which loses only the last words.
        let _ = ctrlc::set_handler(move || {
            if told.is_set() {
                std::process::exit(super::Exit::Interrupted as i32);
            }
            told.set();
        });
        stop
    })
    .clone()
}
