//! Import of known values from a finished table.

use super::known_values::KnownValue;
use rayon::prelude::*;
use reversi_rules::Position;
use reversi_table::format::OUTPUT_REVISION;
use reversi_table::{RawEntry, Region, Table, TableError, key};

/// All entries of a table; without their moves if the table is of another output revision, whose builder chose
/// moves differently.
///
/// # Errors
/// A damaged table.
pub fn known_values_of(table: &Table) -> Result<Vec<KnownValue>, TableError> {
    let has_our_moves = table.header().revision() == OUTPUT_REVISION;
    let known_value = |entry: RawEntry| {
        let best = if has_our_moves { entry.best } else { RawEntry::NO_MOVE };
        KnownValue { key: entry.key, score: entry.score, best }
    };
    table.raw_entries().map(|entry| entry.map(known_value)).collect()
}

/// The key of an entry whose move is not legal or leads to a stored position with another score, if there is one.
/// The score of a single entry is not checked: that takes a search.
///
/// # Errors
/// A damaged table.
pub fn contradiction(table: &Table, known_values: &[KnownValue]) -> Result<Option<u64>, TableError> {
    let wrong = |known_value: &&KnownValue| !matches!(is_consistent(table, known_value), Ok(true));
    match known_values.par_iter().find_first(wrong) {
        Some(known_value) => is_consistent(table, known_value).map(|_| Some(known_value.key)),
        None => Ok(None),
    }
}

fn is_consistent(table: &Table, known_value: &KnownValue) -> Result<bool, TableError> {
    if !known_value.has_move() {
        return Ok(true);
    }
    let Some(after) = known_value.after(table.geometry()) else { return Ok(false) };
    Ok(match table.probe(after)? {
        Some(entry) => entry.score.discs() == -i32::from(known_value.score),
        None => !goes_on_after(table, known_value.key),
    })
}

/// Whether the table holds the position after the entry's move for certain.
fn goes_on_after(table: &Table, entry: u64) -> bool {
    let geometry = table.geometry();
    match table.header().contents.region {
        Region::Complete => true,
        Region::SemiStrong { prefix, down_to } => {
            let form = key::unpack(geometry, entry).expect("a key of the table's board");
            // Moves that were found later lead out of the table.
            let is_last_ply = |root: &Position| form.disc_count() == root.disc_count() + u32::from(prefix);
            let may_lead_out =
                table.header().version() > 1 && table.header().contents.roots.iter().any(is_last_ply);
            form.empty_count(geometry) > down_to.into() && !may_lead_out
        }
    }
}
