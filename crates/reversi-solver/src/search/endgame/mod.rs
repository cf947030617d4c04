//! The exact search: what a position is worth with best play from both sides, proved.

mod cutoffs;
mod first_guess;
mod last_empties;
pub(crate) mod last_flips;
pub(crate) mod mode;
mod near_end;
pub(crate) mod node;
mod outcome;
mod proof;
mod root;
pub(crate) mod search;
mod selective;
mod solver;
#[cfg(test)]
mod solver_tests;
mod windowed;

pub use outcome::{Proved, Solution};
pub use solver::{Sizing, Solver, SolverOptions};
pub use windowed::{EndgameContext, EndgameSearch};
