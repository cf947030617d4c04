//! The exact search: what a position is worth with best play from both sides, proved.

mod cutoffs;
mod first_guess;
mod last_empties;
pub(crate) mod last_flips;
mod near_end;
mod proof;
mod root;
pub(crate) mod search;
pub(crate) mod selective;
mod solver;
#[cfg(test)]
mod solver_tests;
mod windowed;

pub use solver::{Proved, Sizing, Solution, Solver, SolverOptions};
pub use windowed::{EndgameContext, EndgameSearch};
