//! Shows the progress of a search or a long count on stderr while it runs.

use super::common::Output;
use super::print::{print_line, print_remark};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reversi_rules::Score;
use reversi_solver::search::cost;
use reversi_solver::search::{Progress, Watch};
use std::fmt::Display;
use std::io::IsTerminal;
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

/// Runs a search with progress reports, which there are for a position that takes long. The search fills in `watch`;
/// `what` names the thing that its scores are about.
pub fn shown<R>(output: Output, empties: u32, what: &str, watch: &Watch, search: impl FnOnce() -> R) -> R {
    reported(output, empties, |elapsed| describe(what, &watch.progress(), elapsed), search)
}

/// Runs further searches of a position that takes long. Their progress is the time alone, after `what`.
pub fn timed<R>(output: Output, empties: u32, what: &str, search: impl FnOnce() -> R) -> R {
    reported(output, empties, |elapsed| format!("{what}; {:.0} s", elapsed.as_secs_f64()), search)
}

/// Reports several times a second on a terminal, otherwise a line every ten seconds. There are no reports with
/// `--quiet`, or for a position so small that it is solved at once.
fn reported<R>(
    output: Output,
    empties: u32,
    report: impl Fn(Duration) -> String + Send,
    search: impl FnOnce() -> R,
) -> R {
    if output.quiet || empties < cost::PROGRESS_EMPTIES {
        return search();
    }
    let (done, wait) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        // No progress if the system gives no thread for it.
        let _ = std::thread::Builder::new().spawn_scoped(scope, || look_on(report, wait));
        let result = search();
        drop(done);
        result
    })
}

fn look_on(report: impl Fn(Duration) -> String, done: mpsc::Receiver<()>) {
    let terminal = std::io::stderr().is_terminal();
    let every = if terminal { Duration::from_millis(250) } else { Duration::from_secs(10) };
    let style = ProgressStyle::with_template("{wide_msg}").expect("a correct template");
    let bar = ProgressBar::new_spinner().with_style(style);
    let started = Instant::now();
    while done.recv_timeout(every) == Err(mpsc::RecvTimeoutError::Timeout) {
        let line = report(started.elapsed());
        if terminal {
            bar.set_message(line);
            bar.tick();
        } else {
            print_remark(line);
        }
    }
    bar.finish_and_clear();
}

/// One line that fits a terminal of 80 columns: what is proved, the present question, and the cost so far.
fn describe(what: &str, progress: &Progress, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let best = progress.best.map_or(String::new(), |best| format!(", best {best}"));
    format!(
        "{what} {} to {}{best}; {}; {} nodes, {seconds:.0} s, {}/s",
        progress.lower,
        progress.upper,
        at_work(progress),
        short(progress.nodes as f64),
        short(progress.nodes as f64 / seconds.max(1e-3))
    )
}

/// The present question, and which of the moves is searched for it.
fn at_work(progress: &Progress) -> String {
    let Some((alpha, beta)) = progress.window else { return "estimating it first".to_owned() };
    let question = match beta.discs() - alpha.discs() {
        1 => format!("above {alpha}?"),
        2 => format!("is it {}?", Score::new(alpha.discs() + 1)),
        _ => format!("in {alpha} to {beta}?"),
    };
    match progress.moves {
        (_, 0) => format!("{question} ordering"),
        (done, all) => format!("{question} move {}/{all}", all.min(done + 1)),
    }
}

/// A number in at most four characters: 950, 3.4M, 12G.
fn short(number: f64) -> String {
    let (mut value, mut units) = (number, ["", "k", "M", "G", "T"].into_iter());
    let mut unit = units.next().unwrap_or_default();
    while value >= 999.5
        && let Some(larger) = units.next()
    {
        (value, unit) = (value / 1000.0, larger);
    }
    let decimals = usize::from(!unit.is_empty() && value < 9.95);
    format!("{value:.decimals$}{unit}")
}

/// Time between two lines if there is no terminal.
const EVERY: Duration = Duration::from_secs(30);

/// Counts finished items on stderr: a bar on a terminal, otherwise a line every half minute, nothing with `--quiet`.
pub struct Counter {
    bar: ProgressBar,
    what: String,
    started: Instant,
    /// Number of items done before it started.
    before: u64,
    /// When the last line was written; `None` if there is a bar, or nothing is shown.
    told: Option<Mutex<Instant>>,
}

impl Counter {
    /// Counts up to `count`; `done` items are done already.
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

    /// Counts one more item.
    pub fn inc(&self) {
        self.bar.inc(1);
        self.tell();
    }

    /// Sets the number of items done.
    pub fn set(&self, done: u64) {
        self.bar.set_position(done);
        self.tell();
    }

    /// Prints a line of output, which a bar would stand in.
    pub fn print_line(&self, line: impl Display) {
        self.bar.suspend(|| print_line(line));
    }

    /// Sets the text beside the count.
    pub fn set_message(&self, message: String) {
        self.bar.set_message(message);
    }

    fn tell(&self) {
        let Some(told) = &self.told else { return };
        let mut told = told.lock().expect("no thread panics while it holds the lock");
        if told.elapsed() >= EVERY {
            *told = Instant::now();
            print_remark(self.describe(self.started.elapsed()));
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

/// Removes the bar.
impl Drop for Counter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search of a 6x6 position that has proved something and is in its last moves.
    fn seen() -> Progress {
        let (lower, upper) = (Score::new(-36), Score::new(36));
        let best = Some("c2".parse().unwrap());
        let window = Some((Score::new(-35), Score::new(-31)));
        Progress { nodes: 123_456_789_012, lower, upper, window, best, moves: (11, 12) }
    }

    #[test]
    fn a_search_is_described_in_80_columns() {
        let said = describe("score", &seen(), Duration::from_secs(9999));
        assert_eq!(said, "score -36 to +36, best c2; in -35 to -31? move 12/12; 123G nodes, 9999 s, 12M/s");
        assert!(said.len() <= 80);
        let slow = describe("reply", &seen(), Duration::from_secs(99_999));
        assert!(slow.ends_with("123G nodes, 99999 s, 1.2M/s") && slow.len() <= 82);
    }

    #[test]
    fn the_first_seconds_of_a_search_are_described_as_they_are() {
        let begun = Progress { nodes: 0, window: None, best: None, moves: (0, 0), ..seen() };
        assert_eq!(
            describe("score", &begun, Duration::ZERO),
            "score -36 to +36; estimating it first; 0 nodes, 0 s, 0/s"
        );
        let first = Progress { window: Some((Score::new(-1), Score::new(1))), moves: (0, 4), ..begun };
        assert!(describe("score", &first, Duration::ZERO).contains("; is it +0? move 1/4;"));
        let ordering = Progress { window: Some((Score::new(3), Score::new(4))), ..begun };
        assert!(describe("score", &ordering, Duration::ZERO).contains("; above +3? ordering;"));
    }

    #[test]
    fn large_numbers_are_short() {
        let said = [0.0, 999.0, 999.6, 1234.0, 9_960.0, 999_700.0, 3.4e9, 1e15].map(short);
        assert_eq!(said, ["0", "999", "1.0k", "1.2k", "10k", "1.0M", "3.4G", "1000T"]);
    }

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
