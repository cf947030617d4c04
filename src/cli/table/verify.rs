//! `reversi table verify`: the independent check, one line a check.

use super::TablePath;
use super::proof::{CheckResult, verdict_name};
use super::whole::{self, WholeOptions};
use crate::cli::common::Output;
use crate::cli::print::{print_line, print_remark};
use crate::cli::values::{in_threads, parse_threads};
use crate::cli::{Exit, Failure};
use clap::Args;
use reversi_verify::{Check, Outcome, Report, Sample, Verdict, verify};
use serde_json::{Value as Json, json};
use std::time::Instant;

/// Check a table against the rules, with code that took no part in making it
///
/// Every entry is checked against the positions after it, as far as the table promises to hold them, and that
/// none is missing and none too many. A sample is searched again by plain code: all entries of a small complete
/// table, a hundred of another one, or as many as --sample says; of a region as many of each number of empty squares.
///
/// Ends with 4 if the file is damaged or has the usual name of another table, with 5 if it was made wrong.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi build 4x4 --out /tmp
  reversi table verify /tmp/4x4-normal-raw-diagonal.rvt
  reversi table verify /tmp/4x4-normal-raw-diagonal.rvt --sample 100 --seed 2
  reversi table verify --whole data/6x6-normal-raw-diagonal.rvt \\
    --resume /tmp/state --report /tmp/report.json")]
pub struct Verify {
    #[command(flatten)]
    at: TablePath,
    /// Entries to search again [default: all of a complete table of up to 20000, else 100]
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Chooses the entries: equal seeds choose equal ones
    #[arg(long, value_name = "S", default_value_t = Sample::default().seed)]
    seed: u64,
    /// Positions looked at for one entry of the sample before it is left out as "not checked" [default: 2000000; with
    /// --whole 100000000000]
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Threads that check [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    #[command(flatten)]
    whole: WholeOptions,
}

/// Positions looked at for one sampled entry of `--whole` at most: enough for hard ones; the report counts
/// those that do not.
const WHOLE_NODES: u64 = 100_000_000_000;

pub fn run(options: &Verify, output: Output) -> Result<Exit, Failure> {
    let path = &options.at.file;
    let table = super::open(path)?;
    let misnamed = super::misnamed(path, &table);
    let by_name = if misnamed.is_some() { Exit::CorruptTable } else { Exit::Done };
    if options.whole.is_asked_for() {
        let (seed, nodes) = (options.seed, options.nodes.unwrap_or(WHOLE_NODES));
        let exit = whole::run(&options.whole, path, &table, seed, nodes, options.threads, output)?;
        if let Some(fault) = misnamed {
            print_remark(format_args!("{}: {fault}", path.display()));
        }
        return Ok(exit.or(by_name));
    }
    let usual = Sample::usual(table.header().contents.region, table.header().entries());
    let sample = Sample {
        entries: options.sample.unwrap_or(usual.entries),
        seed: options.seed,
        nodes: options.nodes.unwrap_or(Sample::default().nodes),
    };
    let started = Instant::now();
    let tell = |check: &Check| {
        if !output.json {
            print_line(check);
        }
    };
    let report = in_threads(options.threads, || verify(table.raw(), sample, tell))?;
    let seconds = started.elapsed().as_secs_f64();
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
            let mut json = as_json(&path.display().to_string(), &report, seconds);
            json["misnamed"] = json!(misnamed);
            print_line(json);
        }
        false => {
            let but = misnamed.map_or(String::new(), |fault| format!(", but {fault}"));
            let rest = not_checked(&report);
            print_line(format_args!("{}: {words}{but}{rest} ({seconds:.3} s)", path.display()));
        }
    }
    Ok(exit.or(by_name))
}

/// What is not among that which was found sound, or wrong.
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
