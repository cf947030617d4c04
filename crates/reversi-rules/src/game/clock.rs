//! The clocks of both sides in a game.

use reversi_terms::Color;
use std::time::Duration;

/// The time a player has left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Clock {
    /// No limit.
    #[default]
    None,
    /// A limit for this move.
    PerMove(Duration),
    /// A game clock.
    Game {
        /// For the rest of the game, this move included.
        left: Duration,
        /// For each move once `left` is used up. With zero the game is then lost.
        per_move: Duration,
    },
}

impl Clock {
    /// A limit for all moves of a game together.
    pub fn per_game(left: Duration) -> Clock {
        Clock::Game { left, per_move: Duration::ZERO }
    }

    /// The longest time that the next move may take; `None` without a limit.
    pub fn for_move(self) -> Option<Duration> {
        match self {
            Clock::None => None,
            Clock::PerMove(time) => Some(time),
            Clock::Game { left, per_move } => Some(left.saturating_add(per_move)),
        }
    }
}

/// The clocks of both sides now, and their setting at the start of a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clocks {
    settings: Clock,
    /// By colour.
    now: [Clock; 2],
}

impl Clocks {
    /// The same clock for each side.
    pub fn new(settings: Clock) -> Clocks {
        Clocks { settings, now: [settings; 2] }
    }

    /// The clock of each side at the start of a game.
    pub fn settings(&self) -> Clock {
        self.settings
    }

    /// The clock of a side now.
    pub fn of(&self, side: Color) -> Clock {
        self.now[side as usize]
    }

    /// Sets the clock of a side.
    pub fn set(&mut self, side: Color, clock: Clock) {
        self.now[side as usize] = clock;
    }

    /// Takes thinking time off the clock of a side. A game clock that is used up becomes a limit of `per_move` for each
    /// move, unless that is zero. Other clocks do not change.
    pub fn spend(&mut self, side: Color, time: Duration) {
        if let Clock::Game { left, per_move } = self.of(side) {
            let left = left.saturating_sub(time);
            let used_up = left.is_zero() && !per_move.is_zero();
            self.set(side, if used_up { Clock::PerMove(per_move) } else { Clock::Game { left, per_move } });
        }
    }

    /// Resets both clocks for a new game.
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
