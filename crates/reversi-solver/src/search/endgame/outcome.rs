//! What a search has found out.

use reversi_rules::{Move, Score};

/// A solved position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Exact score for the side to move.
    pub score: Score,
    /// A best move; [`Move::Pass`] where it must pass, `None` when the game is over.
    pub best: Option<Move>,
    /// Positions looked at, those with a single empty square not counted.
    pub nodes: u64,
}

/// What is proved of a position that was only asked about a window, or whose search was stopped: as an error, that this
/// is not what was asked for.
///
/// ```
/// use reversi_rules::{Geometry, Rules, Start};
/// use reversi_solver::search::{Solver, SolverOptions, Stop};
/// use std::time::Duration;
///
/// let options = SolverOptions { memory_bytes: 1 << 20, ..SolverOptions::default() };
/// let solver = Solver::new(Geometry::EIGHT, Rules::default(), options).unwrap();
/// let deadline = Stop::after(Duration::from_millis(10));
/// let start = Board::start(Geometry::EIGHT, Start::Diagonal).position();
/// let unfinished = solver.solve(start, &deadline).unwrap_err();
/// assert!(unfinished.lower < unfinished.upper);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not settled: the score of the position searched is at least {lower} and at most {upper}")]
pub struct Proved {
    /// The score is at least this.
    pub lower: Score,
    /// The score is at most this.
    pub upper: Score,
    /// The move that proved the lower bound, if one did.
    pub best: Option<Move>,
    /// Positions looked at.
    pub nodes: u64,
}
