//! How the program talks to other programs and reads their files: parse to a value, call one
//! function, format the answer.

pub mod ggf;
pub mod gtp;
pub mod inbox;
pub mod json;
pub mod nboard;
pub mod obf;
pub mod text;

use crate::engine::{Game, GameBoard, Size};
use crate::rules::{Goal, Passing, Rules, Scoring, Start};

/// The board and the rules of games that begin with the usual discs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Columns and rows.
    pub size: Size,
    /// The first discs.
    pub start: Start,
    /// Which side wins.
    pub goal: Goal,
    /// Who gets the empty squares; if not given what is [usual](Scoring::usual) on the board.
    pub scoring: Option<Scoring>,
    /// What happens when the side to move has no move.
    pub passing: Passing,
}

impl Setup {
    /// What a finished game on a board of this size is worth.
    pub fn rules(&self, size: Size) -> Rules {
        let scoring = self.scoring.unwrap_or(Scoring::usual(size.width(), size.height()));
        Rules::new(self.goal, scoring)
    }

    /// A game at its first board.
    pub fn new_game(&self) -> Game {
        self.game_from(GameBoard::start(self.size, self.start))
    }

    /// A game that begins on any board, under the same rules.
    pub fn game_from(&self, first: GameBoard) -> Game {
        let rules = self.rules(first.size());
        Game::new(first, rules, self.passing)
    }
}
