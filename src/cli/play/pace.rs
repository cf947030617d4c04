//! Time limits of the computers in a game in the terminal.

use reversi_engine::Clock;
use std::time::Duration;

/// A time for each move; zero means no limit.
pub fn of_move(time: Duration) -> Clock {
    if time.is_zero() { Clock::None } else { Clock::PerMove(time) }
}

/// A time for a game; zero means no limit.
pub fn of_game(left: Duration) -> Clock {
    if left.is_zero() { Clock::None } else { Clock::per_game(left) }
}

/// The time of each computer, in words.
pub fn in_words(clock: Clock) -> String {
    match clock {
        Clock::None => "no limit of time".to_owned(),
        Clock::PerMove(time) => format!("{} s for each move of a computer", time.as_secs_f64()),
        Clock::Game { left, .. } => format!("{} s for all moves of each computer", left.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_means_no_limit() {
        assert_eq!([of_move(Duration::ZERO), of_game(Duration::ZERO)], [Clock::None; 2]);
    }
}
