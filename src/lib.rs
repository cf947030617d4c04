//! The reversi oracle: perfect play on small Othello boards, and a judge of everything else.
//!
//! ```
//! use reversi::oracle::{LineEnd, Oracle};
//! use reversi::rules::{Board, Geometry, Rules, Start, notation};
//! use reversi::search::{SolverOptions, Stop};
//! use reversi::table::library::Library;
//!
//! let (geometry, rules) = (Geometry::FOUR, Rules::default());
//! let table = Library::new(None).find(geometry, rules, Start::Diagonal)?.expect("4x4 is built in");
//! let oracle = Oracle::new(geometry, rules, vec![table], SolverOptions::default());
//! let answer = oracle.answer(Board::start(geometry, Start::Diagonal).position(), LineEnd::OfGame, &Stop::never())?;
//! assert_eq!(answer.score.discs(), -8);
//! assert_eq!(notation::transcript(&answer.line), "b1a1a2c1d4a3d1b4a4c4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The crates
//!
//! This crate only names the parts. Each is a crate of its own in `crates/`, on which you can depend alone. Each uses
//! only crates below it in this table; `CONTRIBUTING.md` says which.
//!
//! | crate | what it knows |
//! |---|---|
//! | `src/` | the program: the command line, a file or directory for each subcommand, and the page |
//! | `reversi-lab`: [`arena`], [`train`], [`build`], [`prove`], [`spread`] | contests, the laboratory, training, the building of tables and proofs, by one machine or many |
//! | `reversi-engine`: [`engine`], [`protocol`] | the players, and the protocols GTP and NBoard |
//! | `reversi-solver`: [`oracle`], [`search`], [`eval`] | exact values by search, the evaluation that orders moves, and the oracle that asks tables first |
//! | `reversi-verify`: [`verify`] | checks tables independently: plain-array rules, keys, symmetries and a search of its own |
//! | `reversi-table`, `reversi-table-raw`: [`table`] | a file of exact values: its bytes, how it is written, how a position is looked up |
//! | `reversi-formats`: [`formats`] | records and positions as people paste them and programs write them |
//! | `reversi-rules`: [`rules`] | the rules, games as they are played, packed keys of positions |
//! | `reversi-naive`: [`rules::naive`] | a second, slow implementation of the rules, for boards up to 24x24 |
//! | `reversi-files` | files that are replaced as a whole |
//! | `reversi-terms` | the words that all crates share: goal, scoring, score, colour, start |
//!
//! Three decisions shape the code:
//!
//! - *One representation*: every board up to 8x8 is a pair of 64-bit masks and a [`rules::Geometry`] that says which
//!   squares exist, so what is proved on 4x4 is what plays on 8x8.
//! - *The rules are a value*: [`rules::Rules`] says which goal and which scoring. It is read where a game is finished,
//!   and where a shortcut is legal under one goal only.
//! - *Exact and estimated never mix*: a [`rules::Score`] is exact, an [`eval::Eval`] is an estimate, and nothing turns
//!   the second into the first. Unknown values are `None` or an error, never 0.

pub use reversi_engine::{self as engine, protocol};
pub use reversi_formats as formats;
pub use reversi_lab::{arena, build, prove, spread, train};
pub use reversi_rules as rules;
pub use reversi_solver::{eval, oracle, search};
pub use reversi_table as table;
pub use reversi_verify as verify;

// The program is compiled as a part of the library: Cargo begins with a library while the crates below it are still
// being optimised, but with a binary only when they are finished.
#[cfg(feature = "program")]
mod advice;
#[cfg(feature = "program")]
mod cli;
#[cfg(feature = "program")]
mod json;
#[cfg(feature = "program")]
mod processor;
#[cfg(feature = "program")]
mod web;

/// The program `reversi`: reads the arguments of the process and carries them out.
#[cfg(feature = "program")]
#[doc(hidden)]
pub fn program() -> std::process::ExitCode {
    match processor::check() {
        Ok(()) => cli::run(),
        Err(code) => code,
    }
}

/// The README's examples, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
