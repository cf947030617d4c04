//! Shows how far a search has come, on stderr, while it runs.

use super::common::Output;
use crate::search::{Progress, Watch};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Searches of fewer empty squares take milliseconds.
const WORTH_A_LOOK: u32 = 18;

/// Runs a search with somebody looking on: several times a second on a terminal, else a line every
/// ten seconds, nothing with `--quiet` or for a position so small that it is done before one could look.
/// The search fills in `watch`; `what` says what its scores are about.
pub fn shown<R>(output: Output, empties: u32, what: &str, watch: &Watch, search: impl FnOnce() -> R) -> R {
    if output.quiet || empties < WORTH_A_LOOK {
        return search();
    }
    let (done, wait) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(|| look_on(what, watch, wait));
        let result = search();
        drop(done);
        result
    })
}

fn look_on(what: &str, watch: &Watch, done: mpsc::Receiver<()>) {
    let terminal = std::io::stderr().is_terminal();
    let every = if terminal { Duration::from_millis(250) } else { Duration::from_secs(10) };
    let style = ProgressStyle::with_template("{spinner} {wide_msg}").expect("a correct template");
    let bar = ProgressBar::new_spinner().with_style(style);
    let started = Instant::now();
    while done.recv_timeout(every) == Err(mpsc::RecvTimeoutError::Timeout) {
        let line = describe(what, &watch.progress(), started.elapsed());
        if terminal {
            bar.set_message(line);
            bar.tick();
        } else {
            eprintln!("{line}");
        }
    }
    bar.finish_and_clear();
}

fn describe(what: &str, progress: &Progress, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let best = progress.best.map_or(String::new(), |best| format!(", best so far {best}"));
    let window = if progress.window.0.discs() + 1 == progress.window.1.discs() {
        format!("asking whether it is above {}", progress.window.0)
    } else {
        format!("asking whether it is between {} and {}", progress.window.0, progress.window.1)
    };
    format!(
        "{what} {} to {}{best}; {window}: {} of {} moves done; {} nodes, {seconds:.0} s, {:.1} million nodes/s",
        progress.lower,
        progress.upper,
        progress.moves.0,
        progress.moves.1,
        progress.nodes,
        progress.nodes as f64 / seconds / 1e6
    )
}
