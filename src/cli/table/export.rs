//! `reversi table export`: the entries as they are, as CSV.

use crate::cli::{Exit, Failure, common::Output};
use reversi_rules::{Board, Color, Geometry, notation};
use reversi_table::{RawEntry, Table, TableError, key};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

pub fn run(path: &Path, output: Output) -> Result<Exit, Failure> {
    output.refuse_json("table export writes CSV")?;
    let table = super::open(path)?;
    match write_csv(&table, BufWriter::new(io::stdout().lock())) {
        Ok(()) => Ok(Exit::Done),
        Err(ExportFault::Table(error)) => Err(super::at(path, error)),
        // The reader has closed the pipe, as `head` does.
        Err(ExportFault::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(Exit::Done),
        Err(ExportFault::Output(error)) => Err(Failure::cannot_write("standard output", error)),
    }
}

enum ExportFault {
    Table(TableError),
    Output(io::Error),
}

fn write_csv(table: &Table, mut out: impl Write) -> Result<(), ExportFault> {
    writeln!(out, "position,score,best").map_err(ExportFault::Output)?;
    for entry in table.raw_entries() {
        let line = csv_line(table.geometry(), entry.map_err(ExportFault::Table)?);
        writeln!(out, "{line}").map_err(ExportFault::Output)?;
    }
    out.flush().map_err(ExportFault::Output)
}

fn csv_line(geometry: Geometry, entry: RawEntry) -> String {
    let position = key::unpack(geometry, entry.key).expect("the table gives keys of its board only");
    let board = Board::from_position(geometry, position, Color::Black);
    let cells: String = geometry.squares().map(|square| notation::symbol(board.disc(square))).collect();
    let best = match entry.best {
        RawEntry::NO_MOVE => String::new(),
        RawEntry::PASS => "pa".to_owned(),
        place => geometry.at_row_major(place.into()).to_string(),
    };
    format!("{cells},{},{best}", entry.score)
}
