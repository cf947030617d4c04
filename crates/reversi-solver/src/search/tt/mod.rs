//! Transposition tables. Exact bounds and estimates are two types in two tables over the same storage.

pub(crate) mod exact;
pub(crate) mod local;
pub mod midgame;

pub use crate::pages::MemoryError;
pub use midgame::{MidgameEntry, MidgameTable};
