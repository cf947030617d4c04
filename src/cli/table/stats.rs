//! `reversi table stats`: what the entries are worth, counted from the entries themselves.

use crate::cli::print::print_line;
use crate::cli::{Exit, Failure, common::Output};
use hashbrown::HashMap;
use rayon::prelude::*;
use reversi_lab::build::certificates;
use reversi_rules::Position;
use reversi_table::{RawEntry, Table, TableError, key};
use serde_json::{Map, Value as Json, json};
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
    /// Positions with a move whose next positions are all stored.
    complete: u64,
    /// Of these, those with only one best move up to symmetry.
    unique: u64,
}

impl Tally {
    fn add(&mut self, entry: &RawEntry, best_moves: Option<usize>) {
        self.complete += u64::from(best_moves.is_some());
        self.unique += u64::from(best_moves == Some(1));
        self.entries += 1;
        self.wins += u64::from(entry.score > 0);
        self.draws += u64::from(entry.score == 0);
        self.losses += u64::from(entry.score < 0);
        self.passes += u64::from(entry.best == RawEntry::PASS);
        self.without_move += u64::from(entry.best == RawEntry::NO_MOVE);
    }

    fn line(&self, name: impl std::fmt::Display) -> String {
        let Tally { entries, wins, draws, losses, passes, without_move, complete, unique } = self;
        format!(
            "{name:>7} {entries:>10} {wins:>10} {draws:>10} {losses:>10} {passes:>10} {without_move:>10} \
             {complete:>10} {unique:>10}"
        )
    }

    fn json(&self) -> Json {
        json!({
            "entries": self.entries, "wins": self.wins, "draws": self.draws, "losses": self.losses,
            "passes": self.passes, "without_move": self.without_move,
            "all_next_stored": self.complete, "one_best_move": self.unique,
        })
    }
}

#[derive(Default)]
struct Stats {
    all: Tally,
    by_empties: BTreeMap<u32, Tally>,
    by_score: BTreeMap<i8, u64>,
    /// Of a region, by empty squares: positions in the certificate of either side.
    certificates: BTreeMap<u32, [u64; 2]>,
}

fn count(table: &Table) -> Result<Stats, TableError> {
    let geometry = table.geometry();
    let entries: Vec<RawEntry> = table.raw_entries().collect::<Result<_, _>>()?;
    let scores: HashMap<u64, i8> = entries.iter().map(|entry| (entry.key, entry.score)).collect();
    let position =
        |entry: &RawEntry| key::unpack(geometry, entry.key).expect("the table gives keys of its board only");
    let best_moves: Vec<Option<usize>> =
        entries.par_iter().map(|entry| best_moves(table, &scores, position(entry))).collect();
    let mut stats = Stats { certificates: certificates::count(table)?, ..Stats::default() };
    for (entry, best_moves) in entries.iter().zip(best_moves) {
        let empties = position(entry).empty_count(geometry);
        stats.by_empties.entry(empties).or_default().add(entry, best_moves);
        stats.all.add(entry, best_moves);
        *stats.by_score.entry(entry.score).or_default() += 1;
    }
    Ok(stats)
}

/// How many best moves a position has, twins by symmetry counted once; `None` where not all positions
/// after it are stored or it has no move.
fn best_moves(table: &Table, scores: &HashMap<u64, i8>, position: Position) -> Option<usize> {
    let geometry = table.geometry();
    if position.legal_moves(geometry) == 0 {
        return None;
    }
    let next = position.children(geometry).into_iter().map(|(_, child)| {
        let key = key::canonical(geometry, child).0;
        Some((*scores.get(&key)?, key))
    });
    let mut next: Vec<(i8, u64)> = next.collect::<Option<_>>()?;
    next.sort_unstable();
    next.dedup();
    Some(next.iter().filter(|(score, _)| *score == next[0].0).count())
}

fn print_text(stats: &Stats) {
    let titles = ["entries", "wins", "draws", "losses", "passes", "no move", "all next", "one best"]
        .map(|title| format!(" {title:>10}"));
    print_line(format_args!("empties{}", titles.concat()));
    for (empties, tally) in stats.by_empties.iter().rev() {
        print_line(tally.line(empties));
    }
    print_line(stats.all.line("all"));
    print_line(
        "\nall next: the positions after every move are stored too; one best: of these, only one move, up to \
         symmetry, is best",
    );
    if !stats.certificates.is_empty() {
        print_line(
            "\nempties    first's   second's   positions that arise when this side plays the stored moves",
        );
        for (empties, [first, second]) in stats.certificates.iter().rev() {
            print_line(format_args!("{empties:>7} {first:>10} {second:>10}"));
        }
    }
    print_line("\n  score    entries");
    for (score, entries) in &stats.by_score {
        print_line(format_args!("{score:>+7} {entries:>10}"));
    }
}

fn as_json(path: &Path, stats: &Stats) -> Json {
    let by_empties: Map<String, Json> =
        stats.by_empties.iter().rev().map(|(empties, tally)| (empties.to_string(), tally.json())).collect();
    let by_score: Map<String, Json> =
        stats.by_score.iter().map(|(score, &entries)| (score.to_string(), entries.into())).collect();
    let certificates: Map<String, Json> = stats
        .certificates
        .iter()
        .rev()
        .map(|(empties, [first, second])| (empties.to_string(), json!({"first": first, "second": second})))
        .collect();
    json!({
        "schema": "reversi.table-stats/1",
        "file": path.display().to_string(),
        "all": stats.all.json(),
        "empties": by_empties,
        "certificates": certificates,
        "scores": by_score,
    })
}
