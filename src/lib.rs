//! The reversi oracle: perfect play on small Othello boards, and a judge of everything else.
//!
//! ```
//! use reversi::rules::{Geometry, Start};
//!
//! let start = Geometry::SIX.start(Start::Diagonal).position();
//! assert_eq!(start.legal_moves(Geometry::SIX).count_ones(), 4);
//! ```

pub mod arena;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod oracle;
pub mod protocol;
pub mod rules;
pub mod search;
pub mod solve;
pub mod table;
pub mod train;
pub mod verify;
