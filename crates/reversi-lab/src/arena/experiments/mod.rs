//! The laboratory: players, evaluations and searches measured against exact scores.
//!
//! Everything random follows from a seed, and nothing depends on the number of threads.

pub mod evaluation_quality;
pub mod exact_scores;
pub mod full_depth;
pub mod prune;
pub mod regret;
pub mod rules_of_thumb;
pub mod sample;
pub mod savings;
pub mod selective;
