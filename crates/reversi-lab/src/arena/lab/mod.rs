//! The laboratory: players, evaluations and searches measured against the truth.
//!
//! Everything random follows from a seed, and nothing depends on the number of threads.

pub mod ends;
pub mod judgement;
pub mod prune;
pub mod regret;
pub mod sample;
pub mod savings;
pub mod selective;
pub mod thumb;
pub mod truth;
