//! Results of the exact search.

use reversi_rules::{Move, Score};

/// A solved position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The exact score in discs for the side to move.
    pub score: Score,
    /// A best move; [`Move::Pass`] where it must pass, `None` when the game is over.
    pub best: Option<Move>,
    /// Nodes searched; positions with a single empty square count on the principal variation only.
    pub nodes: u64,
    /// Nodes as Edax counts them, for comparisons with published figures: also positions with a single empty square,
    /// moves ranked, children looked up in the table (ETC) and positions evaluated.
    pub nodes_as_edax: u64,
}

/// All best moves of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BestMoves {
    /// In row-major order, symmetric ones included. One pass where the side to move must pass; none when the game is
    /// over.
    pub moves: Vec<Move>,
    /// Nodes searched; positions with a single empty square count on the principal variation only.
    pub nodes: u64,
    /// Nodes as for [`Solution::nodes_as_edax`].
    pub nodes_as_edax: u64,
}

/// Proved bounds of a position after a window search or a stop. As an error: the bounds do not settle the question.
///
/// ```
/// use reversi_rules::{Board, Geometry, Rules, Start};
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
    /// Lower bound of the score in discs for the side to move.
    pub lower: Score,
    /// Upper bound of the score in discs for the side to move.
    pub upper: Score,
    /// The move that proved the lower bound, if one did.
    pub best: Option<Move>,
    /// Nodes searched; positions with a single empty square count on the principal variation only.
    pub nodes: u64,
    /// Nodes as Edax counts them, for comparisons with published figures: also positions with a single empty square,
    /// moves ranked, children looked up in the table (ETC) and positions evaluated.
    pub nodes_as_edax: u64,
}
