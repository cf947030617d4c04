//! The midgame search: principal variation search (PVS) on estimates with iterative deepening.

pub mod iterative_deepening;
mod ordering;
mod search;

pub use iterative_deepening::{Iteration, MidgameResult, deepen};
pub use search::{MidgameContext, MidgameSearch};
