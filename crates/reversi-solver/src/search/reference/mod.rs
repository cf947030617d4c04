//! Slow and obviously right: what the fast searches are tested against.

pub mod minimax;
