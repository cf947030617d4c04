//! `reversi lab report`: a standard set of measurements as one page with tables, plots and commands.

mod page;
mod sections;

use super::super::interrupt::stop_on_ctrl_c;
use super::super::print::print_remark;
use crate::cli::chart::Chart;
use crate::cli::common::Output;
use crate::cli::places::{make_directory, write_text};
use crate::cli::print::{print_line, quoted};
use crate::cli::values::{data_directory, parse_threads};
use crate::cli::{Exit, Failure};
use clap::{Args, FromArgMatches};
use page::Page;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Run a standard set of measurements and write them as one page
///
/// Writes report.html, which needs no other file, and beside it every plot as SVG and PNG and every table as JSON. Each
/// section names the command behind it, which gives the same numbers. The exit code is 5 if pruning is not sound.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  reversi lab report --out /tmp/lab\n  reversi lab report --out /tmp/report --quick"
)]
pub struct ReportCommand {
    /// Directory for the page and its parts
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Percentage of the positions and games to use in every part: fewer take less time and give wider intervals
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100))]
    percent: u32,
    /// Use one percent of them, for a preview
    #[arg(long, conflicts_with = "percent")]
    quick: bool,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads to use [default: all cores]; only the times depend on it
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Directory searched first for tables and weights
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    data: Option<PathBuf>,
}

/// Below this percentage searches are not measured at the depths that take longest.
const LEAST_PERCENT_FOR_DEPTHS: u32 = 10;
/// Reachable positions of 4x4 that have a move, up to symmetry.
const ALL_OF_4X4: u32 = 9830;

/// What the sections are written with.
struct Writer<'a> {
    asked: &'a ReportCommand,
    output: Output,
    page: Page,
    /// The first search with a wrong result.
    difference: Option<String>,
}

impl ReportCommand {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let started = Instant::now();
        make_directory("--out", &self.out)?;
        let mut writer = Writer {
            asked: &self,
            output,
            page: Page::new("The laboratory: heuristics against perfect play"),
            difference: None,
        };
        for (name, section) in sections::ALL {
            if !output.quiet {
                print_remark(format_args!("{name} ({:.0} s)", started.elapsed().as_secs_f64()));
            }
            section(&mut writer).map_err(|failure| match failure.exit() {
                Exit::Interrupted => self.interrupted(),
                _ => failure,
            })?;
        }
        let path = self.out.join("report.html");
        write_text(&path, &writer.page.html())?;
        let (path, seconds) = (path.display().to_string(), started.elapsed().as_secs_f64());
        let difference = writer.difference.as_ref();
        print_line(match output.json {
            true => json!({
                "schema": "reversi.lab.report/1", "file": path, "seconds": seconds, "difference": difference,
            })
            .to_string(),
            false => {
                let difference = difference.map_or(String::new(), |words| format!("{words}\n"));
                format!("{difference}wrote {path} after {seconds:.0} s")
            }
        });
        Ok(if difference.is_some() { Exit::Difference } else { Exit::Done })
    }

    /// The failure for Ctrl-C: the parts that were finished before are kept in files of their own.
    fn interrupted(&self) -> Failure {
        let message =
            format!("interrupted: no page was written; the finished parts are in {}", self.out.display());
        Failure::new(Exit::Interrupted, "interrupted", message)
    }
}

impl Writer<'_> {
    /// The command as it is typed, with this report's seed and directory of tables and weights.
    fn command(&mut self, command: &str) -> String {
        let mut command = format!("{command} --seed {}", self.asked.seed);
        if let Some(data) = &self.asked.data {
            command += &format!(" --data {}", quoted(&data.display().to_string()));
        }
        self.page.command(&command);
        command
    }

    /// Parses a command as the command line would, without its first word and the `skip` words after it. Adds the
    /// option for threads, on which no number depends; `threads` is the name of that option, if there is one.
    fn parse<C: Args + FromArgMatches>(
        &self,
        command: &str,
        skip: usize,
        threads: &str,
    ) -> Result<C, Failure> {
        let mut words = shlex::split(command).unwrap_or_default();
        words.drain(1..=skip);
        if let Some(count) = self.asked.threads.filter(|_| !threads.is_empty()) {
            words.extend([threads.to_owned(), count.to_string()]);
        }
        let known = C::augment_args(clap::Command::new("reversi"));
        known
            .try_get_matches_from(words)
            .and_then(|matches| C::from_arg_matches(&matches))
            .map_err(|error| Failure::usage("usage", error.to_string()))
    }

    fn percent(&self) -> u32 {
        if self.asked.quick { 1 } else { self.asked.percent }
    }

    /// The requested percentage of `usual`, at least `least`.
    fn amount(&self, usual: u32, least: u32) -> u32 {
        (usual * self.percent() / 100).max(least)
    }

    /// The positions of 4x4: all of them, or the requested percentage.
    fn sample_of_4x4(&self) -> String {
        match self.percent() {
            100.. => "--sample all".to_owned(),
            _ => format!("--positions {} --max-empties 12", self.amount(ALL_OF_4X4, 1)),
        }
    }

    /// Whether the percentage is so small that what cannot be made smaller is left out.
    fn is_sketch(&self) -> bool {
        self.percent() < LEAST_PERCENT_FOR_DEPTHS
    }

    /// Saves a plot to files of its own and puts it on the page.
    fn plot(&mut self, name: &str, chart: &Chart, says: &str) -> Result<(), Failure> {
        chart.save(self.directory(), name)?;
        self.page.plot(chart, says)
    }

    /// Saves the results of a command to a file of its own.
    ///
    /// # Errors
    /// A file that cannot be written. Ctrl-C: the page shows no partial measurement.
    fn keep(&self, name: &str, json: &Json) -> Result<(), Failure> {
        if stop_on_ctrl_c().is_set() {
            return Err(self.asked.interrupted());
        }
        write_text(&self.directory().join(format!("{name}.json")), &format!("{json:#}\n"))
    }

    fn directory(&self) -> &Path {
        &self.asked.out
    }
}
