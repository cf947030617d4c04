//! What the oracle says.

use reversi_rules::{Move, Score};
use serde::Deserialize;

/// Where a score comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// An entry of a table, or entries of all the positions one move on.
    Table,
    /// A search to the end of the game.
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

/// How far the line of an answer goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
pub enum LineEnd {
    /// To where the table ends; to the end of the game for a position that is in no table.
    #[default]
    #[serde(rename = "table")]
    OfTable,
    /// To the end of the game, by search where the table ends.
    #[serde(rename = "full")]
    OfGame,
}

/// A legal move and what it is worth to the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveScore {
    /// The move; [`Move::Pass`] where the side to move must pass.
    pub mv: Move,
    /// Its exact score.
    pub score: Score,
    /// Where the score comes from.
    pub source: Source,
}

/// The score of a position and one best move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// The exact score for the side to move.
    pub score: Score,
    /// A best move, a forced pass, or `None` when the game is over.
    pub best: Option<Move>,
    /// Where the score comes from.
    pub source: Source,
    /// Where the move comes from: a table may hold the score alone.
    pub best_source: Source,
}

/// All there is to know about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The exact score for the side to move.
    pub score: Score,
    /// Where it comes from.
    pub source: Source,
    /// Every legal move, best first, then in row-major order; a lone pass where the side to move
    /// must pass; none when the game is over.
    pub moves: Vec<MoveScore>,
    /// Perfect play from here on, passes included.
    pub line: Vec<Move>,
    /// Whether the line ends with the game.
    pub line_complete: bool,
}

impl Answer {
    /// All best moves in row-major order.
    pub fn best(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves.iter().filter(|scored| scored.score == self.score).map(|scored| scored.mv)
    }
}
