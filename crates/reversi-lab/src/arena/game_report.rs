//! One game of a contest, seen from the first of its two players.

use super::duel::Duel;
use reversi_rules::Color;

/// One game of a contest.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// Which game, from 0. Games 2n and 2n + 1 share an opening; the first player has Black in 2n.
    pub number: usize,
    /// The game.
    pub duel: Duel,
}

impl GameReport {
    /// The first player's colour.
    pub fn color_of_first(&self) -> Color {
        if self.number.is_multiple_of(2) { Color::Black } else { Color::White }
    }

    /// Whether the first player has won; `None` for a draw or an interrupted game.
    pub fn is_won_by_first(&self) -> Option<bool> {
        self.duel.winner().map(|winner| winner == self.color_of_first())
    }
}
