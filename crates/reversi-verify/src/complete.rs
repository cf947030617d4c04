//! The checks of a complete table: it holds every position that play can reach and no other, and each
//! entry follows from those after it.

use super::content::Content;
use super::file::RootEntry;
use super::position::{canonical_key, decode};
use super::report::{Check, Faults};
use super::walk::reachable;
use rayon::prelude::*;
use reversi_table_raw::RawEntry;

pub(super) fn checks(content: &Content, roots: &[RootEntry]) -> Vec<Check> {
    let reached = reachable(content, roots.iter().filter_map(|root| root.board.as_ref()));
    let [canonical, values, moves] = entry_checks(content);
    vec![canonical, no_strangers(content, &reached), closure(content, &reached), values, moves]
}

/// The checks that look at one entry and those after it.
fn entry_checks(content: &Content) -> [Check; 3] {
    let found = content
        .entries
        .par_iter()
        .map(|entry| examine(content, entry))
        .reduce(EntryFaults::default, EntryFaults::merge);
    let count = content.entries.len() as u64;
    let check = |name, claim, faults: Faults| Check::new(name, claim, count, "entries", faults.outcome());
    [
        check("canonical", "the key is that of a position in canonical form", found.canonical),
        check(
            "values",
            "the value is the best over the positions after it, or the final score",
            found.values,
        ),
        check("moves", "the stored move is the first of the best in canonical form", found.moves),
    ]
}

#[derive(Default)]
struct EntryFaults {
    canonical: Faults,
    values: Faults,
    moves: Faults,
}

impl EntryFaults {
    fn merge(mut self, other: EntryFaults) -> EntryFaults {
        self.canonical.merge(other.canonical);
        self.values.merge(other.values);
        self.moves.merge(other.moves);
        self
    }
}

fn examine(content: &Content, entry: &RawEntry) -> EntryFaults {
    let mut faults = EntryFaults::default();
    let name = || content.name(entry.key);
    let Some(board) = decode(content.size, entry.key) else {
        faults.canonical.add(entry.key, format!("{} is no position", name()));
        return faults;
    };
    if canonical_key(&board) != entry.key {
        faults.canonical.add(entry.key, format!("{} is a turned or mirrored form", name()));
    }
    // Where a position after this one is missing, the closure check says so.
    if let Some(expected) = content.expected(&board) {
        let score = i32::from(entry.score);
        if score != expected.score {
            let text = format!("{} has {score:+}, its moves lead to {:+}", name(), expected.score);
            faults.values.add(entry.key, text);
        }
        if entry.best != expected.best {
            let (stored, wanted) = (content.move_name(entry.best), content.move_name(expected.best));
            faults.moves.add(entry.key, format!("{} has {stored}, not {wanted}", name()));
        }
    }
    faults
}

fn no_strangers(content: &Content, reached: &[u64]) -> Check {
    let mut faults = Faults::default();
    for entry in &content.entries {
        if reached.binary_search(&entry.key).is_err() {
            faults.add(entry.key, content.name(entry.key));
        }
    }
    let claim = "the position can be reached from a root";
    Check::new("reachable", claim, content.entries.len() as u64, "entries", faults.outcome())
}

fn closure(content: &Content, reached: &[u64]) -> Check {
    let mut faults = Faults::default();
    for &key in reached {
        if content.find(key).is_none() {
            faults.add(key, content.name(key));
        }
    }
    let claim = "every position that can be reached from a root is stored";
    Check::new("closure", claim, reached.len() as u64, "positions", faults.outcome())
}
