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

/// What another program or a file says, fit for one line of a screen, whose colours and title are not its
/// business: without control characters, and cut off after so many others.
pub(crate) fn one_line(text: &str, length: usize) -> String {
    let words = text.split(|c: char| c.is_control() || c.is_whitespace()).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(length) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

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
    /// The usual game on a board of this size: the diagonal start, more discs win, and so on.
    ///
    /// ```
    /// use reversi::protocol::Setup;
    /// use reversi::rules::Goal;
    /// let reversed = Setup { goal: Goal::Reversed, ..Setup::new("6x6".parse().unwrap()) };
    /// assert_eq!(reversed.new_game().legal_moves().len(), 4);
    /// ```
    pub fn new(size: Size) -> Setup {
        Setup { size, start: Start::Diagonal, goal: Goal::Normal, scoring: None, passing: Passing::Allowed }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_say_fits_on_a_line() {
        for (said, length, line) in [
            ("Rhino 2.0", 9, "Rhino 2.0"),
            ("\u{1b}[2Jevil\u{7}\n\tname ", 60, "[2Jevil name"),
            ("größer als erlaubt", 9, "größer al..."),
            ("\u{1b}\u{0}", 60, ""),
        ] {
            assert_eq!(one_line(said, length), line);
        }
    }
}
