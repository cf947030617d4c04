//! The exact search: proves the score of a position with best play by both sides.

mod cutoffs;
mod first_guess;
mod last_empties;
pub(crate) mod mode;
mod near_end;
pub(crate) mod node;
mod outcome;
mod proof;
mod remembered;
mod root;
pub(crate) mod search;
mod selective;
mod solver;
#[cfg(test)]
mod solver_tests;
pub(crate) mod split;
mod windowed;

pub use outcome::{BestMoves, Proved, Solution};
pub use remembered::Remembered;
pub use solver::{Sizing, Solver, SolverOptions};
pub use windowed::{EndgameContext, EndgameSearch};
