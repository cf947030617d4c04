//! Walks the two certificates of a region's table: all positions that can arise when one side plays the stored moves.

use super::layer::children;
use hashbrown::HashSet;
use reversi_rules::{Move, Position};
use reversi_table::{Region, Table, TableError, key};
use std::collections::BTreeMap;

/// Number of positions in the certificate of each side, the side to move at the root first, by number of empty squares;
/// empty for a table that is not semi-strong.
///
/// A position counts once for each certificate and each side to move. The walk ends where a stored move is missing or
/// illegal.
///
/// # Errors
/// A table that is damaged where it had to be read.
pub fn count(table: &Table) -> Result<BTreeMap<u32, [u64; 2]>, TableError> {
    let Region::SemiStrong { down_to, .. } = table.header().contents.region else {
        return Ok(BTreeMap::new());
    };
    let mut counts = BTreeMap::<u32, [u64; 2]>::new();
    for (side, chooses) in [true, false].into_iter().enumerate() {
        let roots = table.header().contents.roots.iter().map(|&root| (root, chooses));
        let mut layer: Vec<(Position, bool)> = roots.collect();
        let mut seen = HashSet::new();
        while !layer.is_empty() {
            let met = with_passes(table, &layer, &mut seen);
            for &(position, _) in &met {
                counts.entry(position.empty_count(table.geometry())).or_default()[side] += 1;
            }
            layer = next_layer(table, down_to, &met)?;
        }
    }
    Ok(counts)
}

/// The states of a layer that were not seen before, each once up to symmetry, and those after the passes that must be
/// made.
fn with_passes(
    table: &Table,
    layer: &[(Position, bool)],
    seen: &mut HashSet<(u64, bool)>,
) -> Vec<(Position, bool)> {
    let mut met = Vec::new();
    for &(position, chooses) in layer {
        let passed = position.must_pass(table.geometry()).then(|| (position.pass(), !chooses));
        for state in [Some((position, chooses)), passed].into_iter().flatten() {
            if seen.insert((key::canonical(table.geometry(), state.0).0, state.1)) {
                met.push(state);
            }
        }
    }
    met
}

/// The positions one disc later: after the stored move if the walking side chooses, else after every move.
fn next_layer(
    table: &Table,
    down_to: u8,
    met: &[(Position, bool)],
) -> Result<Vec<(Position, bool)>, TableError> {
    let mut next = Vec::new();
    for &(position, chooses) in met {
        if position.empty_count(table.geometry()) <= down_to.into() {
            continue;
        }
        if !chooses {
            next.extend(children(table.geometry(), position).map(|child| (child, true)));
        } else if let Some(Move::Play(square)) = table.probe(position)?.and_then(|entry| entry.best) {
            next.extend(position.try_play(table.geometry(), square).map(|child| (child, false)));
        }
    }
    Ok(next)
}
