//! The rules of the game on bitboards, and games as they are played. Depends on no other crate of the oracle but the
//! shared terms and the naive rules.
//!
//! One representation serves every board up to 8x8: bit `8 * row + column` of a 64-bit
//! mask is a square, and a [`Geometry`] says which of the 64 exist. [`naive`] states the
//! same rules a second time on a plain array, slowly and obviously, for boards up to 24x24.

pub mod board;
pub mod game;
pub mod geometry;
pub mod kernel;
pub mod key;
pub mod notation;
pub mod perft;
pub mod playout;
pub mod position;
mod predecessors;
pub mod symmetry;

pub use board::Board;
pub use geometry::{Geometry, Square};
pub use position::{Move, Position};
pub use reversi_naive as naive;
pub use reversi_terms::{Color, Goal, Passing, Rules, Score, Scoring, Start, UnknownName, scoring};
pub use symmetry::Symmetry;
