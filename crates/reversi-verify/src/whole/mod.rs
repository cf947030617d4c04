//! Checks a semi-strong table as a whole: every end of the walks by search, and samples of what no equation and no end
//! decides.
//!
//! [`Whole::prepare`] makes the checks of all entries that need no search (see [`crate::verify`]) and sorts the rest
//! into classes:
//!
//! * *ends*: every entry of a walk with the least number of empty squares. All are searched, value and stored move.
//!   With the equations above them this proves for every position of a walk that the side which plays the stored moves
//!   gets at least the stored value, and the value of each root.
//! * *prefix*: entries of the last ply of the prefix, whose positions after them are not all stored. A sample is
//!   searched; the rest of the prefix follows from them by equations.
//! * *walk-N*: entries with N empty squares, above the ends, met in one of the two ways only: the equations prove one
//!   side of their value. A sample is searched: that the other side holds too, and that the stored move is the first of
//!   the best.
//!
//! The work of a class is cut into chunks, so that it can be done in parts and resumed.

mod bound;
mod classes;

pub use bound::most_wrong;
pub use classes::{Class, Coverage};

use super::content::Content;
use super::endgame::{Claim, Endgame, Finding};
use super::position::decode;
use super::report::{Check, Report};
use super::roles::{Extent, walk};
use super::tally::Tally;
use super::{complete, file, semi_strong};
use rayon::prelude::*;
use reversi_table_raw::{RawEntry, RawTable};
use std::ops::Range;

/// How many entries of each class are searched, and for how long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sampling {
    /// Entries of the last ply of the prefix; all if there are no more.
    pub prefix: usize,
    /// Entries of each number of empty squares between the ends and the prefix; all if there are no more.
    pub walk: usize,
    /// Equal seeds choose equal entries of a class, whatever is drawn of the others.
    pub seed: u64,
    /// Positions looked at for each sampled entry before it is given up, and counted as wrong in the bound.
    pub nodes: u64,
}

/// A piece of work: some of the chosen entries of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// The place of the class in [`Whole::classes`].
    pub class: usize,
    /// Places among its chosen entries.
    pub entries: Range<usize>,
}

/// A table whose entries are ready to be searched.
pub struct Whole {
    content: Content,
    classes: Vec<Class>,
    sampling: Sampling,
}

impl Whole {
    /// Makes every check that needs no search; `each` is called after every check. `None` if the entries
    /// cannot be read.
    pub fn prepare(
        table: &RawTable,
        sampling: Sampling,
        mut each: impl FnMut(&Check),
    ) -> (Report, Option<Whole>) {
        let mut report = Report { checks: Vec::new() };
        let mut add = |checks: Vec<Check>| {
            checks.iter().for_each(&mut each);
            report.checks.extend(checks);
        };
        let Some(content) = file::open(table, &mut add) else { return (report, None) };
        let roots = file::roots(table, content.size);
        let classes = match Extent::of(table) {
            // Every entry follows from those after it, down to finished games: there is nothing to search.
            None => {
                add(complete::checks(std::slice::from_ref(&content), &roots).concat());
                Vec::new()
            }
            Some(extent) => {
                let reached = walk(&content, extent, &roots);
                add(semi_strong::checks(&content, extent, &reached));
                classes::classes(&content, extent, &reached, sampling)
            }
        };
        add(vec![file::root_values(&content, &roots)]);
        (report, Some(Whole { content, classes, sampling }))
    }

    /// What there is to search; nothing in a complete table.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// All the work, the same for equal tables and samplings.
    pub fn chunks(&self) -> Vec<Chunk> {
        let of_class = |(class, kind): (usize, &Class)| {
            let (count, step) = (kind.chosen.len(), kind.chunk_entries());
            (0..count).step_by(step).map(move |from| Chunk { class, entries: from..count.min(from + step) })
        };
        self.classes.iter().enumerate().flat_map(of_class).collect()
    }

    /// The name of a chunk, which does not change when other classes are sampled otherwise: a key under which its
    /// result can be kept.
    ///
    /// # Panics
    /// If the chunk is not one of [`Whole::chunks`].
    pub fn name_of(&self, chunk: &Chunk) -> String {
        let class = &self.classes[chunk.class];
        let Range { start, end } = chunk.entries;
        match class.coverage {
            Coverage::All => format!("{} {start}..{end}", class.name),
            Coverage::Sample => format!(
                "{} {start}..{end} of {} by seed {}, {} nodes",
                class.name,
                class.chosen(),
                self.sampling.seed,
                self.sampling.nodes
            ),
        }
    }

    /// Searches the entries of a chunk on all threads of the pool.
    ///
    /// # Panics
    /// If the chunk is not one of [`Whole::chunks`].
    pub fn search(&self, chunk: &Chunk) -> Tally {
        let class = &self.classes[chunk.class];
        let Content { size, goal, scoring, .. } = self.content;
        let search = || Endgame::new(size, goal, scoring, class.memory_bits(), Default::default());
        let entries = class.chosen[chunk.entries.clone()].par_iter();
        entries
            .map_init(search, |endgame, entry| self.search_entry(endgame, class, entry))
            .reduce(Tally::default, Tally::merge)
    }

    fn search_entry(&self, endgame: &mut Endgame, class: &Class, entry: &RawEntry) -> Tally {
        let wrong = |text, nodes| Tally {
            checked: 1,
            wrong: 1,
            unfinished: 0,
            nodes,
            first: Some((entry.key, text)),
        };
        let name = || self.content.name(entry.key);
        let Some(board) = decode(self.content.size, entry.key) else {
            return wrong(format!("{} is no position", name()), 0);
        };
        let is_square = u32::from(entry.best) < self.content.size.square_count();
        let claim = Claim { score: entry.score.into(), best: is_square.then_some(entry.best) };
        // Ends are few moves from the end of the game: every one is searched, however long it takes.
        let nodes = if class.coverage == Coverage::All { u64::MAX } else { self.sampling.nodes };
        let finding = endgame.check(&board, claim, nodes);
        let nodes = endgame.nodes();
        let (score, best) = (entry.score, self.content.move_name(entry.best));
        let text = match finding {
            Finding::Holds => return Tally { checked: 1, nodes, ..Tally::default() },
            Finding::Unfinished => return Tally { unfinished: 1, nodes, ..Tally::default() },
            Finding::TooLow(least) => format!("{} has {score:+}, but is worth at least {least:+}", name()),
            Finding::TooHigh(most) => format!("{} has {score:+}, but is worth at most {most:+}", name()),
            Finding::WorseMove(most) => format!("{} has {best}, which leads to at most {most:+}", name()),
            Finding::LaterMove(earlier) => {
                format!("{} has {best}, not {}", name(), self.content.move_name(earlier))
            }
            Finding::NoMove => format!("{} has {best}, which is no legal move", name()),
        };
        wrong(text, nodes)
    }
}
