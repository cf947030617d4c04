//! `reversi table export`: the entries as they are, as CSV.

use crate::cli::{Exit, Failure, common::Output};
use reversi_table::export::{ExportError, write_csv};
use std::io::{self, BufWriter, ErrorKind};
use std::path::Path;

pub fn run(path: &Path, output: Output) -> Result<Exit, Failure> {
    output.refuse_json("table export writes CSV")?;
    let table = super::open(path)?;
    match write_csv(&table, &mut BufWriter::new(io::stdout().lock())) {
        Ok(()) => Ok(Exit::Done),
        Err(ExportError::Table(error)) => Err(super::at(path, error)),
        // The reader has closed the pipe, as `head` does.
        Err(ExportError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(Exit::Done),
        Err(ExportError::Output(error)) => Err(Failure::cannot_write("standard output", error)),
    }
}
