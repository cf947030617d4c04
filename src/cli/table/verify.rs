//! `reversi table verify`: the independent check, one line for each check; several tables one after the other.

use super::proof::{CheckResult, verdict_name};
use super::whole::{self, WholeOptions};
use crate::cli::common::Output;
use crate::cli::interrupt::fail_on_ctrl_c_saying;
use crate::cli::print::{print_line, print_remark};
use crate::cli::values::{in_threads, parse_threads};
use crate::cli::{Exit, Failure};
use clap::Args;
use reversi_table::Table;
use reversi_verify::{Check, Outcome, Report, Sample, Verdict, verify_all};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::slice;
use std::time::Instant;

/// Check tables against the rules, with code that took no part in making them
///
/// Checks every entry against the positions after it, as far as the table promises to hold them, and that no entry is
/// missing or superfluous. Plain code searches a sample again: all entries of a small complete table, a hundred of any
/// other, or the number given by --sample; for a region as many for each number of empty squares.
///
/// Complete tables of the same positions, such as those of all rules of one start, are checked together if they are
/// named one after the other. This takes hardly more time than one of them alone.
///
/// The exit code is 4 if a file is damaged or has the usual name of a table of other rules or from another start, and 5
/// if its contents are wrong. Of several files the first that is not sound decides, but nothing is checked if one cannot
/// be opened. The seconds are those of all files together.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi build 4x4 --out /tmp
  reversi table verify /tmp/4x4-normal-raw-diagonal.rvt
  reversi table verify /tmp/4x4-*-diagonal.rvt --sample 100 --seed 2
  reversi table verify --whole data/6x6-normal-raw-diagonal.rvt \\
    --resume /tmp/state --report /tmp/report.json")]
pub struct Verify {
    /// Tables, as in data/4x4-normal-raw-diagonal.rvt; only one with --whole
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Number of entries to search again [default: all of a complete table of up to 20000, else 100]
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Seed that chooses the entries: equal seeds choose equal ones
    #[arg(long, value_name = "S", default_value_t = Sample::default().seed)]
    seed: u64,
    /// Positions visited for one entry of the sample before it is left out as "not checked" [default: 2000000; with
    /// --whole 100000000000]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Threads for checking [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    #[command(flatten)]
    whole: WholeOptions,
}

/// Maximum positions visited for one sampled entry of `--whole`: enough for hard ones; the report counts the entries
/// for which it is not.
const WHOLE_NODES: u64 = 100_000_000_000;

pub fn run(options: &Verify, output: Output) -> Result<Exit, Failure> {
    if options.whole.is_asked_for() {
        return match options.files.as_slice() {
            [path] => run_whole(options, path, output),
            files => {
                let message = format!(
                    "--whole checks one table, but {} are named: use a command for each",
                    files.len()
                );
                Err(Failure::usage("usage", message))
            }
        };
    }
    // Report a table that cannot be read before hours go into the others.
    let tables: Vec<Table> = options.files.iter().map(|path| super::open(path)).collect::<Result<_, _>>()?;
    let with_samples: Vec<_> = tables.iter().map(|table| (table.raw(), options.sample_of(table))).collect();
    tell_of_length(&tables, output);
    let started = Instant::now();
    let mut last = None;
    let tell = |number: usize, check: &Check| {
        if output.json {
            return;
        }
        if tables.len() > 1 && last.replace(number) != Some(number) {
            print_line(format_args!("{}:", options.files[number].display()));
        }
        print_line(check);
    };
    let reports = in_threads(options.threads, || verify_all(&with_samples, tell))?;
    let seconds = started.elapsed().as_secs_f64();
    let mut exit = Exit::Done;
    for ((path, table), report) in options.files.iter().zip(&tables).zip(&reports) {
        exit = exit.or(tell_verdict(path, table, report, seconds, output));
    }
    Ok(exit)
}

/// With more entries than this the check takes so long that a remark is printed first.
const MANY_ENTRIES: u64 = 200_000;

fn tell_of_length(tables: &[Table], output: Output) {
    let entries: u64 = tables.iter().map(|table| table.header().entries()).sum();
    if entries > MANY_ENTRIES && !output.quiet {
        print_remark(format_args!(
            "reversi: checking {entries} entries, which takes a while; Ctrl-C ends it"
        ));
    }
}

impl Verify {
    /// Lets Ctrl-C end the command, which then says what is left of its work.
    pub fn fail_on_ctrl_c(&self) {
        match self.whole.is_asked_for() {
            true => self.whole.fail_on_ctrl_c(),
            false => fail_on_ctrl_c_saying(|| "there is no verdict".to_owned()),
        }
    }

    fn sample_of(&self, table: &Table) -> Sample {
        let usual = Sample::usual(table.header().contents.region, table.header().entries());
        Sample {
            entries: self.sample.unwrap_or(usual.entries),
            seed: self.seed,
            nodes: self.nodes.unwrap_or(Sample::default().nodes),
        }
    }
}

fn run_whole(options: &Verify, path: &Path, output: Output) -> Result<Exit, Failure> {
    let table = super::open(path)?;
    tell_of_length(slice::from_ref(&table), output);
    let misnamed = super::misnamed(path, &table);
    let (seed, nodes) = (options.seed, options.nodes.unwrap_or(WHOLE_NODES));
    let exit = whole::run(&options.whole, path, &table, seed, nodes, options.threads, output)?;
    let Some(fault) = misnamed else { return Ok(exit) };
    print_remark(format_args!("{}: {fault}", path.display()));
    Ok(exit.or(Exit::CorruptTable))
}

/// Prints the verdict on one table and returns its exit code. `seconds` is the time of all tables.
fn tell_verdict(path: &Path, table: &Table, report: &Report, seconds: f64, output: Output) -> Exit {
    let misnamed = super::misnamed(path, table);
    let by_name = if misnamed.is_some() { Exit::CorruptTable } else { Exit::Done };
    let (exit, words) = match report.verdict() {
        Verdict::Sound => (Exit::Done, "sound"),
        Verdict::Damaged => (
            Exit::CorruptTable,
            "damaged after it was made: copy it again, or make it again with `reversi build --anew`",
        ),
        Verdict::Wrong => (Exit::Difference, "wrong: make it again with `reversi build --anew`"),
    };
    match output.json {
        true => {
            let mut json = as_json(&path.display().to_string(), report, seconds);
            json["misnamed"] = json!(misnamed);
            print_line(json);
        }
        false => {
            let but = misnamed.map_or(String::new(), |fault| format!(", but {fault}"));
            let rest = not_checked(report);
            print_line(format_args!("{}: {words}{but}{rest} ({seconds:.3} s)", path.display()));
        }
    }
    exit.or(by_name)
}

/// What the verdict does not cover.
fn not_checked(report: &Report) -> String {
    let skipped = report.checks.iter().filter(|check| matches!(check.outcome, Outcome::NotChecked(_)));
    let names: Vec<&str> = skipped.map(|check| check.name).collect();
    if names.is_empty() { String::new() } else { format!("; not checked: {}", names.join(", ")) }
}

fn as_json(file: &str, report: &Report, seconds: f64) -> Json {
    json!({
        "schema": "reversi.table-verify/1",
        "file": file,
        "verdict": verdict_name(report),
        "checks": report.checks.iter().map(CheckResult::new).collect::<Vec<_>>(),
        "seconds": seconds,
    })
}
