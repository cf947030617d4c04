//! Counts the leaves of the game tree: the usual check that move generation is right, and how fast.
//!
//! A pass is one ply; a game that is over before the depth counts once.

use super::geometry::{Geometry, squares_of};
use super::position::Position;

/// Number of leaves `depth` plies below the position; 1 at depth 0.
///
/// ```
/// use reversi_rules::{Board, perft::perft, Geometry, Start};
/// let start = Board::start(Geometry::FOUR, Start::Diagonal).position();
/// assert_eq!(perft(Geometry::FOUR, start, 3), 44);
/// ```
pub fn perft(geometry: Geometry, position: Position, depth: u32) -> u64 {
    if depth == 0 { 1 } else { count(geometry.mask(), position, depth) }
}

/// [`perft`] on all threads of the rayon pool in which it is called.
#[cfg(feature = "threads")]
pub fn perft_in_parallel(geometry: Geometry, position: Position, depth: u32) -> u64 {
    use rayon::prelude::*;
    /// Up to this depth one thread counts the leaves.
    const NEAR: u32 = 5;
    if depth <= NEAR || position.is_over(geometry) {
        return perft(geometry, position, depth);
    }
    let moves = position.legal_moves(geometry);
    if moves == 0 {
        return perft_in_parallel(geometry, position.pass(), depth - 1);
    }
    let squares: Vec<super::geometry::Square> = squares_of(moves).collect();
    let after = |square| position.play(square, position.flips(square));
    squares.into_par_iter().map(|square| perft_in_parallel(geometry, after(square), depth - 1)).sum()
}

/// `depth` is at least 1; at the last ply the moves are counted without being made.
fn count(mask: u64, position: Position, depth: u32) -> u64 {
    let moves = super::kernel::moves(position.player, position.opponent) & mask & !position.discs();
    if moves == 0 {
        return count_passed(mask, position.pass(), depth);
    }
    if depth == 1 {
        return moves.count_ones().into();
    }
    squares_of(moves)
        .map(|square| count(mask, position.play(square, position.flips(square)), depth - 1))
        .sum()
}

/// Counts on after a pass, which takes a ply; or counts the finished game.
fn count_passed(mask: u64, passed: Position, depth: u32) -> u64 {
    let moves = super::kernel::moves(passed.player, passed.opponent) & mask & !passed.discs();
    if moves == 0 || depth == 1 { 1 } else { count(mask, passed, depth - 1) }
}
