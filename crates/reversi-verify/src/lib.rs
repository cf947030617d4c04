//! The independent check of a table against the rules: only what reads the file is shared with the code that made it.
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
mod walk;
pub mod whole;

pub use report::{Check, Outcome, Report, Verdict};
pub use sample::Sample;

use reversi_naive::{Board, Size};
use reversi_table_raw::RawTable;
use reversi_terms::{Goal, Scoring, Start};
use roles::Extent;

/// Checks a table; `each` is called after every check.
pub fn verify(table: &RawTable, sample: Sample, mut each: impl FnMut(&Check)) -> Report {
    let mut report = Report { checks: Vec::new() };
    let mut add = |checks: Vec<Check>| {
        checks.iter().for_each(&mut each);
        report.checks.extend(checks);
    };
    if let Some(content) = file::open(table, &mut add) {
        let roots = file::roots(table, content.size);
        match Extent::of(table) {
            None => {
                add(complete::checks(&content, &roots));
                add(vec![file::root_values(&content, &roots), sample::check(&content, sample)]);
            }
            Some(extent) => {
                add(semi_strong::checks(&content, extent, &roles::walk(&content, extent, &roots)));
                add(vec![file::root_values(&content, &roots), strata::check(&content, sample)]);
            }
        }
    }
    report
}

/// The value of a board's start for Black, who moves first, by the verifier's own search from nothing. Seconds at most up
/// to 25 squares.
///
/// # Panics
/// If the board has more than 49 squares, or a side beyond 8.
pub fn start_value(size: Size, start: Start, goal: Goal, scoring: Scoring) -> i32 {
    let mut search = endgame::Endgame::new(size, goal, scoring, 19, Default::default());
    search.score(&Board::start(size, start), u64::MAX).expect("nothing stops it")
}
