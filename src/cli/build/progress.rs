//! Shows on stderr how far the build of a region has come.

use super::super::common::Output;
use super::super::print::print_remark;
use indicatif::{ProgressBar, ProgressStyle};
use reversi_lab::build::plan::BuildPlan;
use reversi_lab::build::region::{BuildProgress, Phase};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Redrawn several times a second on a terminal; else a line for each finished layer and every
/// half minute; nothing with `--quiet`.
pub(super) struct Reporter {
    quiet: bool,
    /// Only on a terminal.
    bar: Option<ProgressBar>,
    squares: u32,
    first_discs: u32,
    down_to: u32,
    told: Instant,
}

impl Reporter {
    pub fn new(plan: &BuildPlan, output: Output) -> Reporter {
        let terminal = std::io::stderr().is_terminal() && !output.quiet;
        let style = ProgressStyle::with_template("{spinner} {wide_msg}").expect("a correct template");
        Reporter {
            quiet: output.quiet,
            bar: terminal.then(|| ProgressBar::new_spinner().with_style(style)),
            squares: plan.geometry.square_count(),
            first_discs: plan.root.disc_count(),
            down_to: plan.down_to.into(),
            told: Instant::now(),
        }
    }

    /// Called after every search.
    pub fn tell(&mut self, progress: BuildProgress) {
        if self.quiet {
            return;
        }
        let finished = progress.done == progress.all;
        let every = Duration::from_millis(if self.bar.is_some() { 250 } else { 30_000 });
        if !finished && self.told.elapsed() < every {
            return;
        }
        self.told = Instant::now();
        let line = self.describe(progress);
        match &self.bar {
            Some(bar) if finished => bar.println(line),
            Some(bar) => {
                bar.set_message(line);
                bar.tick();
            }
            None => print_remark(line),
        }
    }

    fn describe(&self, progress: BuildProgress) -> String {
        let BuildProgress { phase, empties, done, all, since, entries, nodes } = progress;
        let what = match phase {
            Phase::Prefix => "the last ply of the prefix",
            Phase::Values => "values and best moves",
            Phase::Moves => "best moves",
        };
        let ply = self.squares - empties - self.first_discs;
        let seconds = since.elapsed().as_secs_f64();
        let rate = done as f64 / seconds.max(1e-3);
        let left = if done == all {
            format!("in {seconds:.1} s")
        } else {
            format!("about {:.0} s left here", (all - done) as f64 / rate)
        };
        let layers = empties.saturating_sub(self.down_to);
        format!(
            "ply {ply}, {empties} empty squares, {what}: {done} of {all}, {rate:.1}/s, {left}; \
             {layers} layers to go, {entries} entries done, {nodes} nodes in all"
        )
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
