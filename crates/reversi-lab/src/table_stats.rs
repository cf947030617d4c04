//! Statistics of the scores and moves of a table, counted from its entries.

use crate::build::certificates;
use hashbrown::HashMap;
use rayon::prelude::*;
use reversi_rules::Position;
use reversi_table::{RawEntry, Table, TableError, key};
use std::collections::BTreeMap;

/// Entries of one number of empty squares, or of all.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// All of them.
    pub entries: u64,
    /// Entries with a score above 0.
    pub wins: u64,
    /// Entries with a score of 0.
    pub draws: u64,
    /// Entries with a score below 0.
    pub losses: u64,
    /// Positions whose best move is a pass.
    pub passes: u64,
    /// Positions without a best move: finished games, and positions for which none is stored.
    pub without_move: u64,
    /// Positions with a move whose next positions are all stored.
    pub complete: u64,
    /// Positions among these with only one best move up to symmetry.
    pub unique: u64,
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
}

/// The tallies of a table.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct TableStats {
    /// Of all entries.
    pub all: Tally,
    /// By number of empty squares.
    pub by_empties: BTreeMap<u32, Tally>,
    /// Entries of each score, in discs for the side to move.
    pub by_score: BTreeMap<i8, u64>,
    /// For a region, by number of empty squares: positions in the certificate of either side.
    pub certificates: BTreeMap<u32, [u64; 2]>,
}

/// Counts the entries of a table.
///
/// # Errors
/// A table that cannot be read.
pub fn count(table: &Table) -> Result<TableStats, TableError> {
    let geometry = table.geometry();
    let entries: Vec<RawEntry> = table.raw_entries().collect::<Result<_, _>>()?;
    let scores: HashMap<u64, i8> = entries.iter().map(|entry| (entry.key, entry.score)).collect();
    let position =
        |entry: &RawEntry| key::unpack(geometry, entry.key).expect("the table gives keys of its board only");
    let best_moves: Vec<Option<usize>> =
        entries.par_iter().map(|entry| best_moves(table, &scores, position(entry))).collect();
    let mut stats = TableStats { certificates: certificates::count(table)?, ..TableStats::default() };
    for (entry, best_moves) in entries.iter().zip(best_moves) {
        let empties = position(entry).empty_count(geometry);
        stats.by_empties.entry(empties).or_default().add(entry, best_moves);
        stats.all.add(entry, best_moves);
        *stats.by_score.entry(entry.score).or_default() += 1;
    }
    Ok(stats)
}

/// Number of best moves of a position, symmetric ones counted once; `None` if not all positions after it are stored, or
/// if it has no move.
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
