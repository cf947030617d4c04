//! What the game is. Uses nothing else of ours.
//!
//! One representation serves every board up to 8x8: bit `8 * row + column` of a 64-bit
//! mask is a square, and a [`Geometry`] says which of the 64 exist. [`naive`] states the
//! same rules a second time on a plain array, slowly and obviously, for boards up to 24x24.

pub mod geometry;
pub mod kernel;
pub mod naive;
mod names;
pub mod notation;
pub mod perft;
pub mod playout;
pub mod position;
pub mod scoring;
pub mod symmetry;

pub use geometry::{Geometry, Square, Start};
pub use names::UnknownName;
pub use position::{Board, Color, Move, Passing, Position};
pub use scoring::{Goal, Rules, Score, Scoring};
pub use symmetry::Symmetry;
