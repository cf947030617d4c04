//! Exact values by search; uses the rules only.

pub mod minimax;
