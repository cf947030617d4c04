//! `reversi table stats`: what the entries are worth, counted from the entries themselves.

use crate::cli::print::print_line;
use crate::cli::{Exit, Failure, common::Output};
use crate::table::{RawEntry, Table, TableError, key};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

pub fn run(path: &Path, output: Output) -> Result<Exit, Failure> {
    let table = super::open(path)?;
    let stats = count(&table).map_err(|error| super::at(path, error))?;
    if output.json {
        print_line(as_json(path, &stats));
    } else {
        print_text(&stats);
    }
    Ok(Exit::Done)
}

/// Entries of one number of empty squares, or of all.
#[derive(Clone, Copy, Default)]
struct Tally {
    entries: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Positions whose best move is a pass.
    passes: u64,
    /// Positions without a best move: finished games, and where none is stored.
    without_move: u64,
}

impl Tally {
    fn add(&mut self, entry: &RawEntry) {
        self.entries += 1;
        self.wins += u64::from(entry.score > 0);
        self.draws += u64::from(entry.score == 0);
        self.losses += u64::from(entry.score < 0);
        self.passes += u64::from(entry.best == RawEntry::PASS);
        self.without_move += u64::from(entry.best == RawEntry::NO_MOVE);
    }

    fn line(&self, name: impl std::fmt::Display) -> String {
        let Tally { entries, wins, draws, losses, passes, without_move } = self;
        format!("{name:>7} {entries:>10} {wins:>10} {draws:>10} {losses:>10} {passes:>10} {without_move:>10}")
    }

    fn json(&self) -> Value {
        json!({
            "entries": self.entries, "wins": self.wins, "draws": self.draws, "losses": self.losses,
            "passes": self.passes, "without_move": self.without_move,
        })
    }
}

#[derive(Default)]
struct Stats {
    all: Tally,
    by_empties: BTreeMap<u32, Tally>,
    by_score: BTreeMap<i8, u64>,
}

fn count(table: &Table) -> Result<Stats, TableError> {
    let geometry = table.geometry();
    let mut stats = Stats::default();
    for entry in table.raw_entries() {
        let entry = entry?;
        let position = key::unpack(geometry, entry.key).expect("the table gives keys of its board only");
        stats.by_empties.entry(position.empty_count(geometry)).or_default().add(&entry);
        stats.all.add(&entry);
        *stats.by_score.entry(entry.score).or_default() += 1;
    }
    Ok(stats)
}

fn print_text(stats: &Stats) {
    let titles =
        ["entries", "wins", "draws", "losses", "passes", "no move"].map(|title| format!(" {title:>10}"));
    print_line(format_args!("empties{}", titles.concat()));
    for (empties, tally) in stats.by_empties.iter().rev() {
        print_line(tally.line(empties));
    }
    print_line(stats.all.line("all"));
    print_line("\n  score    entries");
    for (score, entries) in &stats.by_score {
        print_line(format_args!("{score:>+7} {entries:>10}"));
    }
}

fn as_json(path: &Path, stats: &Stats) -> Value {
    let by_empties: Map<String, Value> =
        stats.by_empties.iter().rev().map(|(empties, tally)| (empties.to_string(), tally.json())).collect();
    let by_score: Map<String, Value> =
        stats.by_score.iter().map(|(score, &entries)| (score.to_string(), entries.into())).collect();
    json!({
        "schema": "reversi.table-stats/1",
        "file": path.display().to_string(),
        "all": stats.all.json(),
        "empties": by_empties,
        "scores": by_score,
    })
}
