//! Search: exact values of positions, and estimates of a few plies; two searches over the same parts.
//!
//! | module | content |
//! |---|---|
//! | [`endgame`] | the exact search: [`Solver`], null windows, the last empties, the selective pass before the proof, YBWC |
//! | [`midgame`] | principal variation search with an evaluation, iterative deepening |
//! | [`tt`] | transposition tables: storage, exact entries, midgame entries, the per-thread local table |
//! | `ordering` | move ordering in the endgame |
//! | [`probcut`] | ProbCut and its measured standard deviations |
//! | [`stability`] | stable discs |
//! | `threads` | stopping, progress |
//! | [`cost`] | how long a search will take |
//! | [`reference`](mod@reference) | minimax: the slow reference for all other searches |
//!
//! An exact [`Score`](reversi_rules::Score) and an [`Eval`](crate::eval::Eval) never mix: they are of two types and
//! stand in two tables.

mod board_tables;
pub mod cost;
pub mod endgame;
mod last_flips;
pub mod midgame;
mod ordering;
pub mod probcut;
pub mod reference;
mod rule_set;
mod square_ranks;
pub mod stability;
mod threads;
pub mod tt;

pub use endgame::{
    BestMoves, EndgameContext, EndgameSearch, Proved, Remembered, Sizing, Solution, Solver, SolverOptions,
};

pub use crate::free_memory::free_memory;
pub use crate::pages::check_free;
pub use threads::{Progress, Stop, Watch};
pub use tt::MemoryError;
