//! `reversi table`: what a table file says about itself, what it holds, and whether it is right.

mod compare;
mod convert;
mod export;
mod info;
mod moves;
mod proof;
mod starts;
mod stats;
mod target;
mod verify;
mod whole;

pub use proof::CheckResult;

use super::checksum::sha256_of_parts;
use super::interrupt::exit_on_ctrl_c;
use super::{Exit, Failure, common::Output};
use clap::{Args, Subcommand};
use proof::Proof;
use reversi_rules::{Geometry, Goal, Rules, Scoring, Start};
use reversi_table::Table;
use reversi_table::library::{FileError, file_name};
use std::path::{Path, PathBuf};

/// Inspect, verify, compare and convert table files
#[derive(Args)]
#[command(after_help = "Examples:
  reversi build 4x4 --out /tmp
  reversi table info /tmp/4x4-normal-raw-diagonal.rvt
  reversi table verify /tmp/4x4-normal-raw-diagonal.rvt")]
pub struct TableCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show what the file says about itself
    ///
    /// Reads only its header, its length and its end; `verify` reads all of it.
    #[command(after_help = "Examples:
  reversi build 4x4 --out /tmp
  reversi table info /tmp/4x4-normal-raw-diagonal.rvt")]
    Info(TablePath),
    /// Count entries by empty squares and by score
    #[command(after_help = "Examples:
  reversi build 4x4 --out /tmp
  reversi table stats /tmp/4x4-normal-raw-diagonal.rvt --json")]
    Stats(TablePath),
    Export(export::Export),
    Verify(verify::Verify),
    Compare(compare::Compare),
    /// Join the reports of all parts of `verify --whole --part I/N`
    ///
    /// Refuses parts of different tables, programs or samples, and reports a missing one. The exit code is 5 if one of
    /// them found a difference.
    #[command(after_help = "Examples:
  reversi build 4x5 --goal normal --prefix 3 --down-to 8 --out /tmp
  reversi table verify /tmp/4x5-normal-raw-diagonal.rvt --whole \\
    --part 1/2 --report /tmp/part1.json
  reversi table verify /tmp/4x5-normal-raw-diagonal.rvt --whole \\
    --part 2/2 --report /tmp/part2.json
  reversi table join /tmp/part1.json /tmp/part2.json --json")]
    Join(Reports),
    Starts(starts::Starts),
    Convert(convert::Convert),
    Moves(moves::Moves),
}

#[derive(Args)]
struct Reports {
    /// Reports written by --report, one per part
    #[arg(required = true, value_name = "REPORT")]
    reports: Vec<PathBuf>,
}

#[derive(Args)]
struct TablePath {
    /// A table, as in data/4x4-normal-raw-diagonal.rvt
    file: PathBuf,
}

impl TableCommand {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        match &self.command {
            Command::Moves(_) | Command::Convert(_) => {}
            Command::Verify(options) => options.fail_on_ctrl_c(),
            _ => exit_on_ctrl_c(),
        }
        match self.command {
            Command::Info(at) => info::run(&at.file, output),
            Command::Stats(at) => stats::run(&at.file, output),
            Command::Export(options) => export::run(&options, output),
            Command::Verify(options) => verify::run(&options, output),
            Command::Compare(options) => compare::run(&options, output),
            Command::Join(parts) => {
                let proof = Proof::join(&parts.reports)?;
                proof.tell(output);
                Ok(proof.exit())
            }
            Command::Convert(options) => options.run(output),
            Command::Moves(options) => options.run(output),
            Command::Starts(options) => starts::run(&options, output),
        }
    }
}

fn open(path: &Path) -> Result<Table, Failure> {
    Table::open(path).map_err(|error| at(path, error))
}

/// The failure for an error of a table, with the file's name.
pub(in crate::cli) fn at(path: &Path, error: reversi_table::TableError) -> Failure {
    FileError { path: path.to_owned(), error }.into()
}

/// What the name of a file promises and its table does not hold, if the file has the usual name of a table. Programs
/// that find it by this name refuse it.
pub(in crate::cli) fn misnamed(path: &Path, table: &Table) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let named = [Goal::Normal, Goal::Reversed].into_iter().flat_map(|goal| {
        let all = [Scoring::Raw, Scoring::Winner].into_iter();
        all.flat_map(move |scoring| Start::ALL.map(|start| (Rules::new(goal, scoring), start)))
    });
    let size: Geometry = name.split('-').next()?.parse().ok()?;
    let (rules, start) = named.into_iter().find(|&(rules, start)| file_name(size, rules, start) == name)?;
    let (board, made) = (table.geometry(), table.rules());
    let differences: Vec<String> = [
        (board != size).then(|| format!("board {size}, the table is for {board}")),
        (made.goal != rules.goal).then(|| format!("goal {}, the table is for {}", rules.goal, made.goal)),
        (made.scoring != rules.scoring)
            .then(|| format!("scoring {}, the table is for {}", rules.scoring, made.scoring)),
        (board == size && !table.header().contents.covers(start))
            .then(|| format!("the {start} start, the table is not built from it")),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!differences.is_empty()).then(|| format!("its name says {}", differences.join("; ")))
}

/// The checksum of a table's file, as `sha256sum` prints it.
pub(in crate::cli) fn sha256_of(table: &Table) -> Result<String, reversi_table::TableError> {
    sha256_of_parts(table.raw().parts())
}
