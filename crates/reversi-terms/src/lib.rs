//! The words that every crate of the oracle shares: goal, scoring and score, colour, start, and how squares, moves and
//! boards of any size are written. No board and no rules of movement.

mod cells;
mod color;
mod names;
pub mod notation;
pub mod scoring;
mod start;

pub use color::{Color, Passing};
pub use names::UnknownName;
pub use scoring::{Goal, Rules, Score, Scoring};
pub use start::Start;
