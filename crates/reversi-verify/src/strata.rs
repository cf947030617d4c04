//! Searches a sample of a semi-strong table again, values and moves, by the verifier's own search: the same number of
//! entries for each number of empty squares.

use super::content::Content;
use super::plain_search::PlainSearch;
use super::position::{children, decode};
use super::report::{Check, Faults};
use super::sample::Sample;
use rayon::prelude::*;
use reversi_naive::Board;
use reversi_table_raw::RawEntry;
use std::collections::BTreeMap;

/// The sample drawn evenly from each number of empty squares, and searched.
pub(super) fn check(content: &Content, sample: Sample) -> Check {
    let chosen = choose(content, sample);
    let results: Vec<(u32, Option<Faults>)> = chosen
        .par_iter()
        .map(|(empties, entry)| (*empties, search_again(content, entry, sample.nodes)))
        .collect();
    let mut faults = Faults::default();
    let mut strata: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (empties, result) in results {
        let (searched, drawn) = strata.entry(empties).or_default();
        *drawn += 1;
        if let Some(found) = result {
            *searched += 1;
            faults.merge(found);
        }
    }
    let searched: usize = strata.values().map(|(searched, _)| searched).sum();
    let drawn: usize = strata.values().map(|(_, drawn)| drawn).sum();
    let by_empties: Vec<String> = strata
        .iter()
        .map(|(empties, (searched, drawn))| format!("{empties}: {searched} of {drawn}"))
        .collect();
    let remark = format!("{}; by empty squares {}", sample.remark(drawn - searched), by_empties.join(", "));
    let outcome = faults.outcome().of_sample(searched as u64, drawn as u64, &remark);
    let claim = "the value, and that a stored move is the first of the best, by a plain alpha-beta of the verifier's own";
    Check::new("sample", claim, searched as u64, "entries", outcome).with_remark(remark)
}

/// The same number of entries for each number of empty squares, as far as there are enough.
fn choose(content: &Content, sample: Sample) -> Vec<(u32, RawEntry)> {
    let mut strata: BTreeMap<u32, Vec<RawEntry>> = BTreeMap::new();
    for entry in content.entries() {
        if let Some(board) = decode(content.size, entry.key) {
            strata.entry(board.empty_count()).or_default().push(entry);
        }
    }
    let mut rng = fastrand::Rng::with_seed(sample.seed);
    let mut strata: Vec<(u32, Vec<RawEntry>)> = strata.into_iter().collect();
    strata.iter_mut().for_each(|(_, entries)| rng.shuffle(entries));
    let mut chosen = Vec::new();
    let longest = strata.iter().map(|(_, entries)| entries.len()).max().unwrap_or(0);
    for place in 0..longest {
        for (empties, entries) in &strata {
            if chosen.len() == sample.entries {
                return chosen;
            }
            chosen.extend(entries.get(place).map(|&entry| (*empties, entry)));
        }
    }
    chosen
}

/// `None` if the search was given up.
fn search_again(content: &Content, entry: &RawEntry, nodes: u64) -> Option<Faults> {
    let mut faults = Faults::default();
    let board = decode(content.size, entry.key)?;
    let mut search = PlainSearch::new(content.size, content.goal, content.scoring, nodes);
    let score = i32::from(entry.score);
    let name = || content.name(entry.key);
    let found = search.compare(&board, score)?;
    if found != score {
        let bound = if found > score { "at least" } else { "at most" };
        faults.add(entry.key, format!("{} has {score:+}, but is worth {bound} {found:+}", name()));
        return Some(faults);
    }
    if let Some(first) = first_best(content, &mut search, &board, entry)?
        && first != entry.best
    {
        let (stored, wanted) = (content.move_name(entry.best), content.move_name(first));
        faults.add(entry.key, format!("{} has {stored}, not {wanted}", name()));
    }
    Some(faults)
}

/// The first best move as stored, where a move is stored; the outer `None` if the search was given up.
fn first_best(
    content: &Content,
    search: &mut PlainSearch,
    board: &Board,
    entry: &RawEntry,
) -> Option<Option<u8>> {
    if entry.best == RawEntry::NO_MOVE {
        return Some(None);
    }
    let wanted = -i32::from(entry.score);
    for (mv, child) in children(board) {
        if search.compare(&child, wanted)? == wanted {
            return Some(Some(content.stored_move(mv)));
        }
    }
    Some(None)
}
