//! The checks of a complete table: it holds every position that play can reach and no other, and each
//! entry follows from those after it.

use super::content::Content;
use super::file::RootEntry;
use super::position::canonical_key;
use super::report::{Check, Faults};
use super::walk::{Visited, reachable};
use rayon::prelude::*;
use std::sync::Mutex;

/// A list of checks for each of some tables with the same keys and roots. One walk visits every position once for all
/// of them, since finding the positions after a position takes most of the time.
pub(super) fn checks(contents: &[Content], roots: &[RootEntry]) -> Vec<Vec<Check>> {
    let Some(first) = contents.first() else { return Vec::new() };
    let found = Mutex::new(vec![EntryFaults::default(); contents.len()]);
    let starts = roots.iter().filter_map(|root| root.board.as_ref());
    let reached = reachable(first, starts, |visited| examine(contents, visited, &found));
    let strangers: Vec<u64> = lacking(first.keys(), &reached).collect();
    strangers.par_iter().for_each(|&key| examine_stranger(contents, key, &found));
    let found = found.into_inner().expect("no thread has panicked while it held the lock");
    let of_keys = [no_strangers(first, &strangers), closure(first, &reached)];
    found.into_iter().map(|found| found.checks(first.len(), &of_keys)).collect()
}

/// What is wrong with single entries of one table.
#[derive(Default, Clone)]
struct EntryFaults {
    canonical: Faults,
    values: Faults,
    moves: Faults,
}

impl EntryFaults {
    /// All checks in the order of a report, those of the keys included.
    fn checks(self, entries: usize, [reachable, closure]: &[Check; 2]) -> Vec<Check> {
        let check = |name, claim, faults: Faults| {
            Check::new(name, claim, entries as u64, "entries", faults.outcome())
        };
        vec![
            check("canonical", "the key is that of a position in canonical form", self.canonical),
            reachable.clone(),
            closure.clone(),
            check(
                "values",
                "the value is the best over the positions after it, or the final score",
                self.values,
            ),
            check("moves", "the stored move is the first of the best in canonical form", self.moves),
        ]
    }
}

/// Compares the entries of a position with those of the positions after it. If one of these is missing, the closure
/// check reports it.
fn examine(contents: &[Content], visited: &Visited, found: &Mutex<Vec<EntryFaults>>) {
    let place_of = |key| contents[0].place_of(key);
    let Some(place) = place_of(visited.key) else { return };
    let next: Option<Vec<_>> = visited.next.iter().map(|&(mv, key)| Some((mv, place_of(key)?))).collect();
    let Some(next) = next else { return };
    for (number, content) in contents.iter().enumerate() {
        let after = next.iter().map(|&(mv, place)| (mv, content.entry(place).score.into()));
        let expected = content.expected_from(&visited.board, after);
        let entry = content.entry(place);
        let (score, name) = (i32::from(entry.score), || content.name(entry.key));
        if score != expected.score {
            let text = format!("{} has {score:+}, its moves lead to {:+}", name(), expected.score);
            with(found, |found| found[number].values.add(entry.key, text));
        }
        if entry.best != expected.best {
            let (stored, wanted) = (content.move_name(entry.best), content.move_name(expected.best));
            let text = format!("{} has {stored}, not {wanted}", name());
            with(found, |found| found[number].moves.add(entry.key, text));
        }
    }
}

/// Examines an entry that the walk did not reach. Entries that it reached are in canonical form, since the walk makes
/// canonical keys.
fn examine_stranger(contents: &[Content], key: u64, found: &Mutex<Vec<EntryFaults>>) {
    let size = contents[0].size;
    let not_canonical = |text: String| {
        with(found, |found| found.iter_mut().for_each(|found| found.canonical.add(key, text.clone())));
    };
    let Some(visited) = Visited::of(size, key) else {
        return not_canonical(format!("{} is no position", contents[0].name(key)));
    };
    if canonical_key(&visited.board) != key {
        not_canonical(format!("{} is a turned or mirrored form", contents[0].name(key)));
    }
    examine(contents, &visited, found);
}

/// Notes a fault under the lock: faults are so few that threads hardly wait for each other.
fn with(found: &Mutex<Vec<EntryFaults>>, note: impl FnOnce(&mut Vec<EntryFaults>)) {
    note(&mut found.lock().expect("no thread has panicked while it held the lock"));
}

fn no_strangers(content: &Content, strangers: &[u64]) -> Check {
    let claim = "the position can be reached from a root";
    let faults = named(content, strangers.iter().copied());
    Check::new("reachable", claim, content.len() as u64, "entries", faults.outcome())
}

fn closure(content: &Content, reached: &[u64]) -> Check {
    let claim = "every position that can be reached from a root is stored";
    let faults = named(content, lacking(reached, content.keys()));
    Check::new("closure", claim, reached.len() as u64, "positions", faults.outcome())
}

/// A fault for each of these keys.
fn named(content: &Content, keys: impl Iterator<Item = u64>) -> Faults {
    let mut faults = Faults::default();
    keys.for_each(|key| faults.add(key, content.name(key)));
    faults
}

/// The keys that are not among some others; both ascending.
fn lacking(keys: &[u64], others: &[u64]) -> impl Iterator<Item = u64> {
    let mut others = others.iter().peekable();
    keys.iter().copied().filter(move |key| {
        while others.next_if(|&other| other < key).is_some() {}
        others.peek() != Some(&key)
    })
}

#[cfg(test)]
mod tests {
    use super::lacking;

    #[test]
    fn keys_that_others_lack_are_found_whichever_list_is_longer() {
        let of = |keys: &[u64], others: &[u64]| -> Vec<u64> { lacking(keys, others).collect() };
        assert_eq!(of(&[1, 2, 2, 5, 9, 9], &[0, 2, 3, 4, 9]), [1, 5]);
        assert_eq!(of(&[1, 1], &[]), [1, 1]);
        assert_eq!(of(&[], &[3]), []);
    }
}
