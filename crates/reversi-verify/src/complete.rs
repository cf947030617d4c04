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
    let stored = content.entries.iter().map(|entry| entry.key);
    for key in lacking(stored, reached.iter().copied()) {
        faults.add(key, content.name(key));
    }
    let claim = "the position can be reached from a root";
    Check::new("reachable", claim, content.entries.len() as u64, "entries", faults.outcome())
}

fn closure(content: &Content, reached: &[u64]) -> Check {
    let mut faults = Faults::default();
    let stored = content.entries.iter().map(|entry| entry.key);
    for key in lacking(reached.iter().copied(), stored) {
        faults.add(key, content.name(key));
    }
    let claim = "every position that can be reached from a root is stored";
    Check::new("closure", claim, reached.len() as u64, "positions", faults.outcome())
}

/// The keys that are not among some others; both ascending.
fn lacking(keys: impl Iterator<Item = u64>, others: impl Iterator<Item = u64>) -> impl Iterator<Item = u64> {
    let mut others = others.peekable();
    keys.filter(move |key| {
        while others.next_if(|other| other < key).is_some() {}
        others.peek() != Some(key)
    })
}

#[cfg(test)]
mod tests {
    use super::lacking;

    #[test]
    fn keys_that_others_lack_are_found_whichever_list_is_longer() {
        let of = |keys: &[u64], others: &[u64]| -> Vec<u64> {
            lacking(keys.iter().copied(), others.iter().copied()).collect()
        };
        assert_eq!(of(&[1, 2, 2, 5, 9, 9], &[0, 2, 3, 4, 9]), [1, 5]);
        assert_eq!(of(&[1, 1], &[]), [1, 1]);
        assert_eq!(of(&[], &[3]), []);
    }
}
