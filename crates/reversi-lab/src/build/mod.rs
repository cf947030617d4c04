//! Builds tables: finds their positions, and their scores and best moves.

pub mod certificates;
pub mod checkpoint;
pub mod enumerate;
pub mod estimate;
pub mod import;
mod job;
pub mod known_values;
pub mod last_ply;
mod layer;
pub mod plan;
pub mod region;
mod searching;
pub mod shared;
pub mod sources;
mod walk;

pub use crate::codec::CodecError;
