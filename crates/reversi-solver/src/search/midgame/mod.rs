//! The midgame search: principal variation search on estimates, one depth after the other.

pub mod iterative_deepening;
mod ordering;
mod search;

pub use iterative_deepening::{Iteration, MidgameResult, deepen};
pub use search::{MidgameContext, MidgameSearch};
