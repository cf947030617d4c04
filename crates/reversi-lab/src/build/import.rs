//! Import of known values from a finished table.

use super::known_values::KnownValue;
use super::layer::{Layer, LayerNode, Roles};
use super::plan::BuildPlan;
use hashbrown::HashSet;
use rayon::prelude::*;
use reversi_table::format::OUTPUT_REVISION;
use reversi_table::{Contents, RawEntry, Region, Table, TableError, key};

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

/// The scores of the positions that moves of a table lead to and that it does not hold: those after the last ply of a
/// prefix, where best moves of that ply are stored. The score is the opposite of that of the entry with the move.
///
/// # Errors
/// A damaged table.
pub fn scores_after_moves(table: &Table, known_values: &[KnownValue]) -> Result<Vec<KnownValue>, TableError> {
    let geometry = table.geometry();
    let last_ply = discs_after_prefix(&table.header().contents);
    let after = |known_value: &KnownValue| {
        key::unpack(geometry, known_value.key).filter(|form| last_ply.contains(&form.disc_count()))?;
        let after = known_value.after(geometry)?;
        let score = KnownValue {
            key: key::canonical(geometry, after).0,
            score: -known_value.score,
            best: RawEntry::NO_MOVE,
        };
        match table.probe(after) {
            Ok(Some(_)) => None,
            Ok(None) => Some(Ok(score)),
            Err(error) => Some(Err(error)),
        }
    };
    known_values.par_iter().filter_map(after).collect()
}

/// The key of an entry whose move is not legal or leads to a stored position with another score, if there is one.
/// The score of a single entry is not checked: that takes a search.
///
/// # Errors
/// A damaged table.
pub fn contradiction(table: &Table, known_values: &[KnownValue]) -> Result<Option<u64>, TableError> {
    let ends = ends_of_prefix(table)?;
    let wrong = |known_value: &&KnownValue| !matches!(is_consistent(table, &ends, known_value), Ok(true));
    match known_values.par_iter().find_first(wrong) {
        Some(known_value) => is_consistent(table, &ends, known_value).map(|_| Some(known_value.key)),
        None => Ok(None),
    }
}

fn is_consistent(table: &Table, ends: &PrefixEnds, known_value: &KnownValue) -> Result<bool, TableError> {
    if !known_value.has_move() {
        return Ok(true);
    }
    let Some(after) = known_value.after(table.geometry()) else { return Ok(false) };
    Ok(match table.probe(after)? {
        Some(entry) => entry.score.discs() == -i32::from(known_value.score),
        None => !goes_on_after(table, ends, known_value.key),
    })
}

/// Whether the table must hold the position after the entry's move.
fn goes_on_after(table: &Table, ends: &PrefixEnds, entry: u64) -> bool {
    let geometry = table.geometry();
    match table.header().contents.region {
        Region::Complete => true,
        Region::SemiStrong { down_to, .. } => {
            let form = key::unpack(geometry, entry).expect("a key of the table's board");
            let is_end = ends.discs.contains(&form.disc_count()) && !ends.walked.contains(&entry);
            form.empty_count(geometry) > down_to.into() && !is_end
        }
    }
}

/// The entries whose move may lead out of the table: those of the last ply of the prefix with a move that the region
/// does not promise.
struct PrefixEnds {
    /// Discs after the last ply, for each root.
    discs: Vec<u32>,
    /// Keys of entries with as many discs from which a walk continues.
    walked: HashSet<u64>,
}

fn ends_of_prefix(table: &Table) -> Result<PrefixEnds, TableError> {
    let contents = &table.header().contents;
    let mut ends = PrefixEnds { discs: discs_after_prefix(contents), walked: HashSet::new() };
    let Region::SemiStrong { prefix, down_to } = contents.region else { return Ok(ends) };
    let Contents { geometry, rules, .. } = *contents;
    for &root in &contents.roots {
        let plan = BuildPlan { geometry, rules, root, prefix, down_to, last_moves: false };
        let mut layer = Layer::default();
        layer.add(geometry, root, Roles::ALL);
        layer.add_passed(geometry);
        for _ in 0..prefix {
            layer = after_stored_moves(table, &plan, &layer)?;
            layer.add_passed(geometry);
        }
        let goes_on =
            |node: &&LayerNode| plan.is_open(node, Roles::FREE) || plan.is_open(node, Roles::CHOOSES);
        ends.walked.extend(layer.nodes.iter().filter(goes_on).map(|node| node.key));
    }
    Ok(ends)
}

/// Discs after the last ply of a prefix, for each root; none if the table is complete.
fn discs_after_prefix(contents: &Contents) -> Vec<u32> {
    match contents.region {
        Region::Complete => Vec::new(),
        Region::SemiStrong { prefix, .. } => {
            contents.roots.iter().map(|root| root.disc_count() + u32::from(prefix)).collect()
        }
    }
}

/// The positions that the two walks lead to from a layer, one disc later.
fn after_stored_moves(table: &Table, plan: &BuildPlan, layer: &Layer) -> Result<Layer, TableError> {
    let geometry = plan.geometry;
    let mut next = Layer::default();
    for node in layer.nodes.iter().filter(|node| node.position.legal_moves(geometry) != 0) {
        if plan.is_open(node, Roles::FREE) {
            next.add_children(geometry, node.position, Roles::CHOOSES);
        }
        if plan.is_open(node, Roles::CHOOSES)
            && let Some(entry) = table.probe(node.position)?
            && let Some(best) = entry.best.filter(|&mv| node.position.is_legal(geometry, mv))
        {
            next.add(geometry, node.position.after(best), Roles::FREE);
        }
    }
    Ok(next)
}
