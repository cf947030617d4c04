//! What a build takes over from a finished table.

use super::facts::Fact;
use rayon::prelude::*;
use reversi_table::format::OUTPUT_REVISION;
use reversi_table::{RawEntry, Region, Table, TableError, key};

/// All that a table says; of one whose builder chose moves by other rules only the scores.
///
/// # Errors
/// A table that is damaged.
pub fn facts_of(table: &Table) -> Result<Vec<Fact>, TableError> {
    let has_our_moves = table.header().revision() == OUTPUT_REVISION;
    let fact = |entry: RawEntry| {
        let best = if has_our_moves { entry.best } else { RawEntry::NO_MOVE };
        Fact { key: entry.key, score: entry.score, best }
    };
    table.raw_entries().map(|entry| entry.map(fact)).collect()
}

/// The key of an entry whose move is not legal or does not lead where its score says, if there is one. What a table
/// says about one position only is not looked into: whether that is true takes a search.
///
/// # Errors
/// A table that is damaged.
pub fn contradiction(table: &Table, facts: &[Fact]) -> Result<Option<u64>, TableError> {
    let wrong = |fact: &&Fact| !matches!(is_consistent(table, fact), Ok(true));
    match facts.par_iter().find_first(wrong) {
        Some(fact) => is_consistent(table, fact).map(|_| Some(fact.key)),
        None => Ok(None),
    }
}

fn is_consistent(table: &Table, fact: &Fact) -> Result<bool, TableError> {
    if !fact.has_move() {
        return Ok(true);
    }
    let Some(after) = fact.after(table.geometry()) else { return Ok(false) };
    Ok(match table.probe(after)? {
        Some(entry) => entry.score.discs() == -i32::from(fact.score),
        None => !goes_on_after(table, fact.key),
    })
}

/// Whether the table holds the position after the entry's move for certain.
fn goes_on_after(table: &Table, entry: u64) -> bool {
    let geometry = table.geometry();
    match table.header().contents.region {
        Region::Complete => true,
        Region::SemiStrong { down_to, .. } => {
            let form = key::unpack(geometry, entry).expect("a key of the table's board");
            form.empty_count(geometry) > down_to.into()
        }
    }
}
