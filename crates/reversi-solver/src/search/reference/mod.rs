//! Slow, simple searches as reference for the fast ones.

pub mod minimax;
