//! Searches a few entries again, to the end of the game and without any table: plain minimax on the
//! plain-array rules.

use super::content::Content;
use super::position::{children, decode};
use super::report::{Check, Faults};
use rayon::prelude::*;
use reversi_naive::Board;
use reversi_table_raw::{RawEntry, Region};
use reversi_terms::{Goal, Scoring};

/// Which entries are searched again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// How many; all of them if there are no more.
    pub entries: usize,
    /// Equal seeds choose equal entries.
    pub seed: u64,
    /// Positions looked at for each entry before it is given up and reported as not checked.
    pub nodes: u64,
}

impl Default for Sample {
    /// A hundred entries, two million nodes each: enough for some ten empty squares in a complete table, whose values
    /// are searched by plain minimax, and for some seventeen of 6x6 in a region.
    fn default() -> Sample {
        Sample { entries: 100, seed: 1, nodes: 2_000_000 }
    }
}

impl Sample {
    /// Which entries were drawn, and how many of them were given up.
    pub(super) fn remark(&self, unfinished: usize) -> String {
        match unfinished {
            0 => format!("seed {}", self.seed),
            _ => format!("seed {}; {unfinished} not checked, more than {} nodes each", self.seed, self.nodes),
        }
    }

    /// A complete table with no more entries than this is searched again as a whole, unless less is asked for.
    const SMALL: u64 = 20_000;

    /// The usual sample for a table of this region and number of entries: all of a small complete one. Entries of a
    /// semi-strong table may have too many empty squares for a plain search.
    pub fn usual(region: Region, entries: u64) -> Sample {
        let is_small = region == Region::Complete && entries <= Sample::SMALL;
        let all = is_small.then_some(entries as usize);
        Sample { entries: all.unwrap_or(Sample::default().entries), ..Sample::default() }
    }
}

/// The sample drawn from all entries and searched.
pub(super) fn check(content: &Content, sample: Sample) -> Check {
    // The generator allocates room for the number that is requested.
    let count = sample.entries.min(content.len());
    let chosen = fastrand::Rng::with_seed(sample.seed).choose_multiple(content.entries(), count);
    let results: Vec<Option<Faults>> =
        chosen.par_iter().map(|&entry| search_again(content, entry, sample.nodes)).collect();
    let unfinished = results.iter().filter(|result| result.is_none()).count();
    let mut faults = Faults::default();
    results.iter().flatten().for_each(|found| faults.merge(found.clone()));
    let searched = (results.len() - unfinished) as u64;
    let remark = sample.remark(unfinished);
    let outcome = faults.outcome().of_sample(searched, results.len() as u64, &remark);
    let claim = "the value is that of a plain minimax of the verifier's own";
    Check::new("sample", claim, searched, "entries", outcome).with_remark(remark)
}

/// `None` if the search was given up.
fn search_again(content: &Content, entry: RawEntry, nodes: u64) -> Option<Faults> {
    let mut faults = Faults::default();
    let Some(board) = decode(content.size, entry.key) else {
        faults.add(entry.key, format!("{} is no position", content.name(entry.key)));
        return Some(faults);
    };
    let score = Minimax { goal: content.goal, scoring: content.scoring, nodes_left: nodes }.score(&board)?;
    if score != i32::from(entry.score) {
        let name = content.name(entry.key);
        faults.add(entry.key, format!("{name} has {:+}, but is worth {score:+}", entry.score));
    }
    Some(faults)
}

struct Minimax {
    goal: Goal,
    scoring: Scoring,
    nodes_left: u64,
}

impl Minimax {
    /// The exact score for the side to move; `None` when the nodes are used up.
    fn score(&mut self, board: &Board) -> Option<i32> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let mut best = None;
        for (_, child) in children(board) {
            best = best.max(Some(-self.score(&child)?));
        }
        Some(best.unwrap_or_else(|| board.final_score(self.goal, self.scoring)))
    }
}
