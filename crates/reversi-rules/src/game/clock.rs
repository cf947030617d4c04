//! The clocks of both sides in a game.

use reversi_terms::Color;
use std::time::Duration;

/// The time a player has left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Clock {
    /// As long as it likes.
    #[default]
    None,
    /// So long for this move.
    PerMove(Duration),
    /// A game clock.
    Game {
        /// For the rest of the game, this move included.
        left: Duration,
        /// For each move once `left` is used up; zero if the game is then lost.
        per_move: Duration,
    },
}

impl Clock {
    /// So long for all moves of a game together.
    pub fn per_game(left: Duration) -> Clock {
        Clock::Game { left, per_move: Duration::ZERO }
    }

    /// The longest that the next move may take; `None` if it may take as long as it likes.
    pub fn for_move(self) -> Option<Duration> {
        match self {
            Clock::None => None,
            Clock::PerMove(time) => Some(time),
            Clock::Game { left, per_move } => Some(left.saturating_add(per_move)),
        }
    }
}

/// What each side may use, now and at the start of a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clocks {
    settings: Clock,
    /// By colour.
    now: [Clock; 2],
}

impl Clocks {
    /// So much for each side.
    pub fn new(settings: Clock) -> Clocks {
        Clocks { settings, now: [settings; 2] }
    }

    /// What each side has at the start of a game.
    pub fn settings(&self) -> Clock {
        self.settings
    }

    /// What the side may use now.
    pub fn of(&self, side: Color) -> Clock {
        self.now[side as usize]
    }

    /// The side has this from now on.
    pub fn set(&mut self, side: Color, clock: Clock) {
        self.now[side as usize] = clock;
    }

    /// The side has thought for so long. Once its time for the game is used up it has its time for each move, if any.
    pub fn spend(&mut self, side: Color, time: Duration) {
        if let Clock::Game { left, per_move } = self.of(side) {
            let left = left.saturating_sub(time);
            let used_up = left.is_zero() && !per_move.is_zero();
            self.set(side, if used_up { Clock::PerMove(per_move) } else { Clock::Game { left, per_move } });
        }
    }

    /// A new game begins.
    pub fn restart(&mut self) {
        *self = Clocks::new(self.settings);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(left: u64, per_move: u64) -> Clock {
        Clock::Game { left: Duration::from_secs(left), per_move: Duration::from_secs(per_move) }
    }

    #[test]
    fn only_the_thinking_side_spends_and_then_has_time_for_each_move() {
        let seconds = Duration::from_secs;
        let mut clocks = Clocks::new(game(10, 2));
        clocks.spend(Color::Black, seconds(4));
        assert_eq!((clocks.of(Color::Black), clocks.of(Color::White)), (game(6, 2), game(10, 2)));
        clocks.spend(Color::Black, seconds(7));
        assert_eq!(clocks.of(Color::Black), Clock::PerMove(seconds(2)));
        assert_eq!(clocks.of(Color::White), game(10, 2));
        clocks.restart();
        assert_eq!(clocks.of(Color::Black), game(10, 2));
    }

    #[test]
    fn a_game_without_time_for_moves_can_run_out() {
        let mut clocks = Clocks::new(game(1, 0));
        clocks.spend(Color::White, Duration::from_secs(5));
        assert_eq!(clocks.of(Color::White), game(0, 0));
    }
}
