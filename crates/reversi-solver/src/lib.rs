//! Exact values of positions: search, the evaluation that orders its moves, and the oracle that asks tables first.

pub mod eval;
pub mod oracle;
mod pages;
pub mod search;
