//! The independent check of a table against the rules: only what reads the file is shared with the code that made it.
//!
//! [`verify`] takes the stored numbers from the reader as they are and does the rest by itself: it
//! reads keys with base-3 digits of its own, walks the game with [`crate::rules::naive`] alone, turns
//! boards with that module's symmetries, and searches a sample with searches of its own. None of the
//! bitboards, keys and searches that made the table take part, so an error in them shows.
//!
//! The result is a [`Report`]: one [`Check`] a line, each with what it looked at. The region that a
//! table promises decides which checks there are; [`mod@crate::table::format`] says what is promised.
//!
//! ```
//! use reversi::rules::{Geometry, Rules, Start};
//! use reversi::table::library::Library;
//! use reversi::verify::{Sample, Verdict, verify};
//!
//! let library = Library::new(None);
//! if let Some(found) = library.find(Geometry::FOUR, Rules::default(), Start::Diagonal).unwrap() {
//!     let report = verify(&found.table, Sample::default(), |check| println!("{check}"));
//!     assert_eq!(report.verdict(), Verdict::Sound);
//! }
//! ```

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

pub use report::{Check, Outcome, Report, Verdict};
pub use sample::Sample;

use crate::table::{Region, Table};

/// Checks a table; `each` is told every check as soon as it is made.
pub fn verify(table: &Table, sample: Sample, mut each: impl FnMut(&Check)) -> Report {
    let mut report = Report { checks: Vec::new() };
    let mut add = |checks: Vec<Check>| {
        checks.iter().for_each(&mut each);
        report.checks.extend(checks);
    };
    add(vec![file::header(table)]);
    let (bytes, content) = file::load(table);
    add(bytes.into());
    if let Some(content) = content {
        add(vec![file::order(table, &content), file::counts(table, &content)]);
        let content = content.sorted();
        let roots = file::roots(table, content.size);
        match table.header().contents.region {
            Region::Complete => {
                add(complete::checks(&content, &roots));
                add(vec![file::root_values(&content, &roots), sample::check(&content, sample)]);
            }
            Region::SemiStrong { prefix, down_to } => {
                add(semi_strong::checks(&content, &roots, prefix, down_to));
                add(vec![file::root_values(&content, &roots), strata::check(&content, sample)]);
            }
        }
    }
    report
}
