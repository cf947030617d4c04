//! `reversi table info`: what the header says, without reading the entries.

use crate::cli::print::print_line;
use crate::cli::{Exit, Failure, common::Output};
use reversi_rules::{Board, Color, Start};
use reversi_table::{Header, Region, format};
use serde_json::{Map, Value as Json, json};
use std::path::Path;

pub fn run(path: &Path, output: Output) -> Result<Exit, Failure> {
    let table = super::open(path)?;
    let header = table.header();
    if output.json {
        print_line(as_json(path, header));
    } else {
        print_text(path, header);
    }
    Ok(Exit::Done)
}

/// The roots as boards with Black to move, each with its start if it is one.
fn roots(header: &Header) -> impl Iterator<Item = (Board, Option<Start>)> {
    let geometry = header.contents.geometry;
    header.contents.roots.iter().map(move |&root| {
        let start = Start::ALL.into_iter().find(|&start| Board::start(geometry, start).position() == root);
        (Board::from_position(geometry, root, Color::Black), start)
    })
}

fn bytes_per_entry(header: &Header) -> f64 {
    header.file_length() as f64 / header.entries() as f64
}

fn print_text(path: &Path, header: &Header) {
    let contents = &header.contents;
    let line = |name: &str, text: String| print_line(format_args!("{name:<9} {text}"));
    line("file", path.display().to_string());
    line("board", contents.geometry.to_string());
    line("goal", contents.rules.goal.to_string());
    line("scoring", contents.rules.scoring.to_string());
    for ((board, start), score) in roots(header).zip(header.root_scores()) {
        let name = start.map_or("no start".to_owned(), |start| format!("{start} start"));
        line("from", format!("{board} ({name}), score {score}"));
    }
    line(
        "holds",
        match contents.region {
            Region::Complete => "every position that can be reached from there".to_owned(),
            Region::SemiStrong { prefix, down_to } => format!(
                "every position of the first {prefix} plies, and for each side all that can arise when it \
             plays its stored moves, down to {down_to} empty squares"
            ),
        },
    );
    line("entries", header.entries().to_string());
    for (empties, entries) in header.counts().enumerate().rev().filter(|&(_, entries)| entries > 0) {
        line("", format!("{entries:>10} with {empties} empty squares"));
    }
    line("bytes", format!("{} ({:.2} an entry)", header.file_length(), bytes_per_entry(header)));
    line("format", format!("version {}, output revision {}", header.version(), header.revision()));
}

fn as_json(path: &Path, header: &Header) -> Json {
    let contents = &header.contents;
    let region = match contents.region {
        Region::Complete => json!({"kind": "complete"}),
        Region::SemiStrong { prefix, down_to } => {
            json!({"kind": "semi-strong", "prefix": prefix, "down_to": down_to})
        }
    };
    let roots: Vec<Json> = roots(header)
        .zip(header.root_scores())
        .map(|((board, start), score)| {
            json!({"position": board.to_string(), "start": start.map(Start::name), "score": score.discs()})
        })
        .collect();
    let counts = header.counts().enumerate().rev().filter(|&(_, entries)| entries > 0);
    let empties: Map<String, Json> =
        counts.map(|(empties, entries)| (empties.to_string(), entries.into())).collect();
    json!({
        "schema": "reversi.table-info/1",
        "file": path.display().to_string(),
        "board": contents.geometry.to_string(),
        "goal": contents.rules.goal.name(),
        "scoring": contents.rules.scoring.name(),
        "roots": roots,
        "region": region,
        "entries": header.entries(),
        "empties": empties,
        "bytes": header.file_length(),
        "bytes_per_entry": bytes_per_entry(header),
        "format_version": header.version(),
        "output_revision": header.revision(),
        "symmetry_rule": format::SYMMETRY_RULE,
        "passing_rule": format::PASSING_RULE,
    })
}
