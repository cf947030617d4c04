//! Exact values of positions: search, the evaluation that orders its moves, and the oracle that asks tables first.

pub mod deflated;
pub mod eval;
mod free_memory;
pub mod oracle;
mod pages;
pub mod search;
