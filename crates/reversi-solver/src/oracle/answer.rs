//! Answers of the oracle: scores, moves, lines, and the source of each.

use reversi_rules::{Move, Score};
use serde::Deserialize;

/// Source of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A table entry of the position, entries of all its children, or the entry of a position whose stored move leads to
    /// it.
    Table,
    /// An exact search to the end of the game.
    Search,
}

impl Source {
    /// The word used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Table => "table",
            Source::Search => "search",
        }
    }
}

/// Where the line of an answer ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
pub enum LineEnd {
    /// Where the table ends; at the end of the game for a position that is in no table.
    #[default]
    #[serde(rename = "table")]
    OfTable,
    /// At the end of the game, by search where the table ends.
    #[serde(rename = "full")]
    OfGame,
}

/// A legal move and its exact score for the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveScore {
    /// The move; [`Move::Pass`] where the side to move must pass.
    pub mv: Move,
    /// The exact score in discs for the side that makes the move.
    pub score: Score,
    /// Source of the score.
    pub source: Source,
}

/// The score of a position and one best move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// The exact score in discs for the side to move.
    pub score: Score,
    /// A best move, a forced pass, or `None` when the game is over.
    pub best: Option<Move>,
    /// Source of the score.
    pub source: Source,
    /// Source of the move: a table may hold the score alone.
    pub best_source: Source,
}

/// The full answer for a position: score, every move with its score, and a line of best play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The exact score in discs for the side to move.
    pub score: Score,
    /// Source of the score.
    pub source: Source,
    /// Every legal move, best first, equal scores in row-major order; a single pass where the side to move must pass;
    /// empty when the game is over.
    pub moves: Vec<MoveScore>,
    /// Best play from the position on, passes included.
    pub line: Vec<Move>,
    /// Whether the line reaches the end of the game.
    pub line_complete: bool,
}

impl Answer {
    /// All best moves in row-major order.
    pub fn best(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves.iter().filter(|scored| scored.score == self.score).map(|scored| scored.mv)
    }
}
