//! `reversi table export`: the entries as they are, as CSV.

use super::TablePath;
use crate::cli::{Exit, Failure, common::Output};
use clap::Args;
use reversi_table::export::{ExportError, write_csv};
use std::io::{self, BufWriter, ErrorKind};

/// Export all entries as CSV: position,score,best
///
/// Positions are written as they are stored, in the order of the file, those with more empty squares first. Each is row
/// by row: the player to move is X, the opponent O. Scores are for the player to move. `pa` is a pass. The best move is
/// empty if the game is over or none is stored.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi build 4x4 --out /tmp
  reversi table export /tmp/4x4-normal-raw-diagonal.rvt > /tmp/4x4.csv
  reversi table export /tmp/4x4-reversed-raw-diagonal.rvt --rules > /tmp/4.csv")]
pub struct Export {
    #[command(flatten)]
    at: TablePath,
    /// Add the columns goal and scoring, which tell other commands the rules for reading the lines
    #[arg(long)]
    rules: bool,
}

pub fn run(options: &Export, output: Output) -> Result<Exit, Failure> {
    let path = &options.at.file;
    output.refuse_json("table export writes CSV")?;
    let table = super::open(path)?;
    match write_csv(&table, options.rules, &mut BufWriter::new(io::stdout().lock())) {
        Ok(()) => Ok(Exit::Done),
        Err(ExportError::Table(error)) => Err(super::at(path, error)),
        // The reader has closed the pipe, as `head` does.
        Err(ExportError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(Exit::Done),
        Err(ExportError::Output(error)) => Err(Failure::cannot_write("standard output", error)),
    }
}
