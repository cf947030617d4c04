//! What each fuzz target does with its bytes: a function that panics where a promise is broken. The tests of the program
//! run the same functions on the corpus in `tests/data/fuzz` and on mutations of it.

pub mod checkpoint;
pub mod edits;
pub mod ggf;
pub mod gtp;
pub mod nboard;
pub mod notation;
pub mod obf;
pub mod table;
pub mod weights;

/// A fuzz target: its name, which is also that of its corpus, and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 8] = [
    ("checkpoint", checkpoint::check),
    ("ggf", ggf::check),
    ("gtp", gtp::check),
    ("nboard", nboard::check),
    ("notation", notation::check),
    ("obf", obf::check),
    ("table", table::check),
    ("weights", weights::check),
];
