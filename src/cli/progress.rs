//! Shows how far a search or a long count has come, on stderr, while it runs.

use super::common::Output;
use crate::search::{Progress, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Mutex, mpsc};
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

/// Time between two lines where there is no terminal.
const EVERY: Duration = Duration::from_secs(30);

/// Counts what is done, on stderr: a bar on a terminal, else a line every half minute, nothing with `--quiet`.
pub struct Counter {
    bar: ProgressBar,
    what: String,
    started: Instant,
    /// What was done before it started.
    before: u64,
    /// When the last line was written; `None` where there is a bar, or nothing is to be seen.
    told: Option<Mutex<Instant>>,
}

impl Counter {
    /// Counts to `count` from what is `done` before.
    pub fn new(output: Output, what: &str, count: u64, done: u64) -> Counter {
        let terminal = std::io::stderr().is_terminal();
        let shown = terminal && !output.quiet;
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template("{prefix} {pos}/{len} {wide_bar} {msg} {eta}");
        let bar = ProgressBar::with_draw_target(Some(count), target)
            .with_style(style.expect("a correct template"))
            .with_prefix(what.to_owned())
            .with_position(done);
        let (what, started) = (what.to_owned(), Instant::now());
        let told = (!terminal && !output.quiet).then(|| Mutex::new(started));
        Counter { bar, what, started, before: done, told }
    }

    /// One more is done.
    pub fn inc(&self) {
        self.bar.inc(1);
        self.tell();
    }

    /// So many are done.
    pub fn set(&self, done: u64) {
        self.bar.set_position(done);
        self.tell();
    }

    /// What is said beside the count.
    pub fn set_message(&self, message: String) {
        self.bar.set_message(message);
    }

    fn tell(&self) {
        let Some(told) = &self.told else { return };
        let mut told = told.lock().expect("no thread panics while it holds the lock");
        if told.elapsed() >= EVERY {
            *told = Instant::now();
            eprintln!("{}", self.describe(self.started.elapsed()));
        }
    }

    fn describe(&self, elapsed: Duration) -> String {
        let (done, count) = (self.bar.position(), self.bar.length().unwrap_or_default());
        let seconds = elapsed.as_secs_f64();
        let here = done.saturating_sub(self.before).max(1);
        let left = seconds * count.saturating_sub(done) as f64 / here as f64;
        let message = self.bar.message();
        let message = if message.is_empty() { String::new() } else { format!(" {message},") };
        format!("{}: {done} of {count},{message} {seconds:.0} s, about {left:.0} s left", self.what)
    }
}

/// Nothing of the bar stays.
impl Drop for Counter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_it_is_and_how_long_it_takes() {
        let counter = Counter::new(Output { json: false, quiet: true }, "games", 100, 50);
        (0..10).for_each(|_| counter.inc());
        let said = counter.describe(Duration::from_secs(20));
        assert_eq!(said, "games: 60 of 100, 20 s, about 80 s left", "ten in twenty seconds");
        counter.set_message("+6 =0 -4".to_owned());
        assert_eq!(
            counter.describe(Duration::from_secs(20)),
            "games: 60 of 100, +6 =0 -4, 20 s, about 80 s left"
        );
    }
}
