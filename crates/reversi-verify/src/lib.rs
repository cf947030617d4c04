//! The independent check of a table against the rules: it shares only the file reader with the code that made the
//! table.
//!
//! [`verify`] takes the stored numbers from the reader as they are and does the rest by itself: it
//! reads keys with base-3 digits of its own, walks the game with [`reversi_naive`] alone, turns
//! boards with that module's symmetries, and searches a sample with searches of its own. None of the
//! bitboards, keys and searches that made the table take part, so an error in them shows.
//!
//! The result is a [`Report`]: one [`Check`] a line, each with what it looked at. The region that a
//! table promises decides which checks there are; [`mod@reversi_table_raw::format`] says what is promised.
//!
//! ```
//! use reversi_table_raw::RawTable;
//! use reversi_verify::{Sample, Verdict, verify};
//!
//! let bytes = include_bytes!("../../../data/4x4-normal-raw-diagonal.rvt");
//! let report = verify(&RawTable::from_static(bytes)?, Sample::default(), |check| println!("{check}"));
//! assert_eq!(report.verdict(), Verdict::Sound);
//! # Ok::<(), reversi_table_raw::TableError>(())
//! ```

pub mod certificate;
mod complete;
mod content;
mod endgame;
mod file;
mod plain_search;
mod position;
mod report;
mod roles;
mod sample;
mod semi_strong;
mod strata;
mod tally;
mod walk;
pub mod whole;

pub use report::{Check, Outcome, Report, Verdict};
pub use sample::Sample;
pub use tally::Tally;

use content::Content;
use reversi_naive::{Board, Size};
use reversi_table_raw::RawTable;
use reversi_terms::{Goal, Scoring, Start};
use roles::Extent;
use std::ops::Range;

/// Checks a table; `each` is called after every check.
pub fn verify(table: &RawTable, sample: Sample, mut each: impl FnMut(&Check)) -> Report {
    let mut reports = verify_all(&[(table, sample)], |_, check| each(check));
    reports.pop().expect("a report for each table")
}

/// Checks several tables one after the other, and gives a report for each. `each` is called after every check with the
/// number of the table, from 0.
///
/// Complete tables of the same positions that follow each other, such as those of all rules of one start, take hardly
/// more time together than one of them alone. Their entries are in memory at the same time: ten bytes each for the
/// first table, two for each further one.
pub fn verify_all(tables: &[(&RawTable, Sample)], mut each: impl FnMut(usize, &Check)) -> Vec<Report> {
    let mut reports = vec![Report { checks: Vec::new() }; tables.len()];
    let mut add = |number: usize, checks: Vec<Check>| {
        checks.iter().for_each(|check| each(number, check));
        reports[number].checks.extend(checks);
    };
    let mut from = 0;
    while from < tables.len() {
        let (first, sample) = tables[from];
        let next = match Extent::of(first) {
            None => from + tables[from..].iter().take_while(|(table, _)| are_alike(first, table)).count(),
            Some(_) => from + 1,
        };
        match Extent::of(first) {
            None => verify_complete(tables, from..next, &mut add),
            Some(extent) => verify_part(first, extent, sample, |checks| add(from, checks)),
        }
        from = next;
    }
    reports
}

/// Whether two complete tables say that they hold the same positions.
fn are_alike(one: &RawTable, other: &RawTable) -> bool {
    let about = |table: &RawTable| {
        let size = table.header().contents.size;
        let roots: Vec<u64> = file::roots(table, size).iter().map(|root| root.key).collect();
        (size, table.header().counts().collect::<Vec<u64>>(), roots)
    };
    Extent::of(other).is_none() && about(one) == about(other)
}

/// Checks complete tables that are alike.
fn verify_complete(
    tables: &[(&RawTable, Sample)],
    numbers: Range<usize>,
    add: &mut impl FnMut(usize, Vec<Check>),
) {
    // The headers may be wrong, so tables are grouped by the keys that they really hold; each group has the tables'
    // numbers.
    let mut groups: Vec<(Vec<usize>, Vec<Content>)> = Vec::new();
    for number in numbers {
        let Some(mut content) = file::open(tables[number].0, &mut |checks| add(number, checks)) else {
            continue;
        };
        match groups.iter_mut().find(|(_, contents)| content.share_keys(&contents[0])) {
            Some((numbers, contents)) => {
                numbers.push(number);
                contents.push(content);
            }
            None => groups.push((vec![number], vec![content])),
        }
    }
    for (numbers, contents) in groups {
        let checked = complete::checks(&contents, &file::roots(tables[numbers[0]].0, contents[0].size));
        for ((number, content), checks) in numbers.into_iter().zip(&contents).zip(checked) {
            let (table, sample) = tables[number];
            let roots = file::roots(table, content.size);
            add(number, checks);
            add(number, vec![file::root_values(content, &roots), sample::check(content, sample)]);
        }
    }
}

/// Checks a semi-strong table.
fn verify_part(table: &RawTable, extent: Extent, sample: Sample, mut add: impl FnMut(Vec<Check>)) {
    let Some(content) = file::open(table, &mut add) else { return };
    let roots = file::roots(table, content.size);
    add(semi_strong::checks(&content, extent, &roles::walk(&content, extent, &roots)));
    add(vec![file::root_values(&content, &roots), strata::check(&content, sample)]);
}

/// The score in discs of a board's start for Black, who moves first, by the verifier's own search from nothing. Takes
/// seconds at most up to 25 squares.
///
/// # Panics
/// If the board has more than 49 squares, or a side beyond 8.
pub fn start_value(size: Size, start: Start, goal: Goal, scoring: Scoring) -> i32 {
    let mut search = endgame::Endgame::new(size, goal, scoring, 19, Default::default());
    search.score(&Board::start(size, start), u64::MAX).expect("nothing stops it")
}
