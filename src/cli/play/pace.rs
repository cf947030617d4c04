//! How much time the computers have in a game in the terminal.

use crate::engine::Clock;
use crate::rules::Color;
use std::fmt;
use std::time::Duration;

/// The time of both computers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pace {
    /// As much as they like.
    #[default]
    Free,
    /// So much for each move.
    Move(Duration),
    /// So much for a game.
    Game {
        /// At the start of a game.
        whole: Duration,
        /// What Black has left.
        black: Duration,
        /// What White has left.
        white: Duration,
    },
}

impl Pace {
    /// So much for each move; nothing means no limit.
    pub fn of_move(time: Duration) -> Pace {
        if time.is_zero() { Pace::Free } else { Pace::Move(time) }
    }

    /// So much for a game; nothing means no limit.
    pub fn of_game(whole: Duration) -> Pace {
        if whole.is_zero() { Pace::Free } else { Pace::Game { whole, black: whole, white: whole } }
    }

    /// What a side may use for its next move.
    pub fn clock(self, side: Color) -> Clock {
        let (left, per_move) = match (self, side) {
            (Pace::Free, _) => return Clock::None,
            (Pace::Move(time), _) => return Clock::PerMove(time),
            (Pace::Game { black, .. }, Color::Black) => (black, Duration::ZERO),
            (Pace::Game { white, .. }, Color::White) => (white, Duration::ZERO),
        };
        Clock::Game { left, per_move }
    }

    /// A side has thought for so long.
    pub fn spend(&mut self, side: Color, time: Duration) {
        if let Pace::Game { black, white, .. } = self {
            let left = if side == Color::Black { black } else { white };
            *left = left.saturating_sub(time);
        }
    }

    /// A new game begins.
    pub fn restart(&mut self) {
        if let Pace::Game { whole, .. } = *self {
            *self = Pace::of_game(whole);
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pace::Free => write!(f, "no limit of time"),
            Pace::Move(time) => write!(f, "{} s for each move of a computer", time.as_secs_f64()),
            Pace::Game { whole, .. } => {
                write!(f, "{} s for all moves of each computer", whole.as_secs_f64())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_clock_runs_only_for_the_side_that_thinks_and_starts_anew() {
        let seconds = Duration::from_secs;
        let left = |seconds| Clock::Game { left: Duration::from_secs(seconds), per_move: Duration::ZERO };
        let mut pace = Pace::of_game(seconds(60));
        pace.spend(Color::White, seconds(25));
        assert_eq!((pace.clock(Color::Black), pace.clock(Color::White)), (left(60), left(35)));
        pace.spend(Color::White, seconds(99));
        assert_eq!(pace.clock(Color::White), left(0));
        pace.restart();
        assert_eq!(pace.clock(Color::White), left(60));
    }

    #[test]
    fn no_time_means_no_limit() {
        assert_eq!(Pace::of_move(Duration::ZERO).clock(Color::Black), Clock::None);
        assert_eq!(Pace::of_game(Duration::ZERO).clock(Color::Black), Clock::None);
    }
}
