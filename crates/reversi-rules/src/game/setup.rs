//! How games begin, and the rules by which they are played.

use super::board::GameBoard;
use super::played::Game;
use crate::{Goal, Passing, Rules, Scoring, Start};
use reversi_naive::Size;

/// The board, start and rules of new games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameSetup {
    /// Columns and rows.
    pub size: Size,
    /// The usual discs of the first board.
    pub start: Start,
    /// Which side wins.
    pub goal: Goal,
    /// Who gets the empty squares; `None` for the [usual](Scoring::usual) scoring of the board.
    pub scoring: Option<Scoring>,
    /// What happens when the side to move has no move.
    pub passing: Passing,
}

impl GameSetup {
    /// The usual game on a board of this size: diagonal start, more discs win, usual scoring, passes allowed.
    ///
    /// ```
    /// use reversi_rules::game::GameSetup;
    /// use reversi_rules::Goal;
    /// let reversed = GameSetup { goal: Goal::Reversed, ..GameSetup::new("6x6".parse().unwrap()) };
    /// assert_eq!(reversed.new_game().legal_moves().len(), 4);
    /// ```
    pub fn new(size: Size) -> GameSetup {
        GameSetup {
            size,
            start: Start::Diagonal,
            goal: Goal::Normal,
            scoring: None,
            passing: Passing::Allowed,
        }
    }

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
