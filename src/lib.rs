//! The reversi oracle: perfect play on small Othello boards, and a judge of everything else.
//!
//! ```
//! use reversi::oracle::{LineEnd, Oracle};
//! use reversi::rules::{Geometry, Rules, Start, notation};
//! use reversi::search::{SolverOptions, Stop};
//! use reversi::table::library::Library;
//!
//! let (geometry, rules) = (Geometry::FOUR, Rules::default());
//! let table = Library::new(None).find(geometry, rules, Start::Diagonal)?.expect("4x4 is built in");
//! let oracle = Oracle::new(geometry, rules, vec![table], SolverOptions::default());
//! let answer = oracle.answer(geometry.start(Start::Diagonal).position(), LineEnd::OfGame, &Stop::never())?;
//! assert_eq!(answer.score.discs(), -8);
//! assert_eq!(notation::transcript(&answer.line), "b1a1a2c1d4a3d1b4a4c4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The house
//!
//! Each floor uses only floors below it in this table. If a change seems to need an arrow the other way, the
//! thing it wants lives in the wrong room.
//!
//! | floor | what it knows |
//! |---|---|
//! | `cli` | the command line: a file or directory for each subcommand, what they share beside them, and the only place that prints |
//! | `web` | the page, and the JSON interface behind it |
//! | [`arena`] | contests and tournaments between players, and the laboratory that measures them against the truth |
//! | [`protocol`] | how other programs are talked to, and whose files are read: GTP, NBoard, OBF, GGF |
//! | [`train`] | how the weights of the evaluation are learned from games the program plays with itself |
//! | [`engine`] | the players and their games: iterative deepening, time, levels, historical players |
//! | [`oracle`] | position in, exact answer out: table first, live exact search where the table ends |
//! | [`verify`] | checks tables independently: plain-array rules, keys, symmetries and a search of its own, sharing only the reader of the file |
//! | [`solve`] | how tables are made: which positions there are, and what each is worth |
//! | [`table`] | a file of exact values: its format, how it is written, how a position is looked up |
//! | [`search`] | exact values of single positions, fast; and [`search::minimax`], slow and obviously right |
//! | [`eval`] | estimates, which order moves and guide play |
//! | `files` | files that are put in their place as a whole |
//! | [`rules`] | what the game is; [`rules::naive`] says it a second time, slowly, for boards up to 24x24 |
//!
//! Other programs build on [`rules`], [`search`], [`table`], [`oracle`], [`engine`], [`protocol`] and [`arena`]; the
//! other floors are public for this program's tests and tools, and change as those need. `cli` and `web` are there only
//! with the feature `program`, which is on by default.
//!
//! Three decisions carry the rest. *One representation*: every board up to 8x8 is a pair of 64-bit masks and
//! a [`rules::Geometry`] that says which squares exist, so what is proved on 4x4 is what plays on 8x8. *The
//! rules are a value*: [`rules::Rules`] says which goal and which scoring, read where a game is finished and
//! where a shortcut is legal under one goal only. *Exact and estimated never mix*: a [`rules::Score`] is exact,
//! an [`eval::Eval`] is an opinion, and nothing turns the second into the first; what is not known is `None` or an
//! error, never 0.

pub mod arena;
#[cfg(feature = "program")]
pub mod cli;
pub mod engine;
pub mod eval;
mod files;
pub mod oracle;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod solve;
pub mod table;
pub mod train;
pub mod verify;
#[cfg(feature = "program")]
pub mod web;

/// The README's examples, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
