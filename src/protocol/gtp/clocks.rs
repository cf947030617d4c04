//! Keeps the two clocks of a GTP game, between what the controller says of them.

use super::command::{TimeLeft, TimeSettings};
use crate::engine::Clock;
use crate::rules::Color;
use std::time::Duration;

/// The clocks of both colours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clocks {
    settings: Clock,
    black: Clock,
    white: Clock,
}

impl Clocks {
    /// Both clocks as the settings say: `0 5 1` is 5 s a move, `300 5 1` is 300 s and then 5 s a move, `300 0 0` is 300 s for all
    /// moves. Time for several stones is shared out evenly.
    pub fn new(settings: TimeSettings) -> Clocks {
        let per_move = settings.byo_yomi.checked_div(settings.stones);
        let clock = match (settings.main, per_move) {
            (_, None) if !settings.byo_yomi.is_zero() => Clock::None,
            (Duration::ZERO, None | Some(Duration::ZERO)) => Clock::None,
            (Duration::ZERO, Some(per_move)) => Clock::PerMove(per_move),
            (left, per_move) => Clock::Game { left, per_move: per_move.unwrap_or_default() },
        };
        Clocks { settings: clock, black: clock, white: clock }
    }

    /// Both clocks as at the start of a game.
    pub fn reset(&mut self) {
        (self.black, self.white) = (self.settings, self.settings);
    }

    /// What the side may use.
    pub fn get(&self, color: Color) -> Clock {
        match color {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }

    fn set(&mut self, color: Color, clock: Clock) {
        match color {
            Color::Black => self.black = clock,
            Color::White => self.white = clock,
        }
    }

    /// The controller says what is left.
    pub fn tell(&mut self, color: Color, told: TimeLeft) {
        let per_move = match self.settings {
            Clock::None => Duration::ZERO,
            Clock::PerMove(per_move) | Clock::Game { per_move, .. } => per_move,
        };
        let clock = match told.left.checked_div(told.stones) {
            Some(each) => Clock::PerMove(each),
            None => Clock::Game { left: told.left, per_move },
        };
        self.set(color, clock);
    }

    /// The side has thought for so long.
    pub fn spend(&mut self, color: Color, time: Duration) {
        if let Clock::Game { left, per_move } = self.get(color) {
            let left = left.saturating_sub(time);
            let used_up = left.is_zero() && !per_move.is_zero();
            self.set(color, if used_up { Clock::PerMove(per_move) } else { Clock::Game { left, per_move } });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(main: u64, byo_yomi: u64, stones: u32) -> Clocks {
        let seconds = Duration::from_secs;
        Clocks::new(TimeSettings { main: seconds(main), byo_yomi: seconds(byo_yomi), stones })
    }

    #[test]
    fn settings_are_understood_as_the_protocol_says() {
        let seconds = Duration::from_secs;
        let game = |left, per_move| Clock::Game { left: seconds(left), per_move: seconds(per_move) };
        for (settings, expected) in [
            ((0, 5, 1), Clock::PerMove(seconds(5))),
            ((300, 5, 1), game(300, 5)),
            ((300, 50, 10), game(300, 5)),
            ((300, 0, 0), game(300, 0)),
            ((300, 0, 1), game(300, 0)),
            ((300, 5, 0), Clock::None),
            ((0, 0, 0), Clock::None),
            ((0, 0, 1), Clock::None),
        ] {
            let (main, byo_yomi, stones) = settings;
            assert_eq!(clocks(main, byo_yomi, stones).get(Color::White), expected, "{settings:?}");
        }
    }

    #[test]
    fn only_the_thinking_side_spends_and_then_has_time_for_each_move() {
        let seconds = Duration::from_secs;
        let mut clocks = clocks(10, 2, 1);
        clocks.spend(Color::Black, seconds(4));
        assert_eq!(clocks.get(Color::Black), Clock::Game { left: seconds(6), per_move: seconds(2) });
        clocks.spend(Color::Black, seconds(7));
        assert_eq!(clocks.get(Color::Black), Clock::PerMove(seconds(2)));
        assert_eq!(clocks.get(Color::White), Clock::Game { left: seconds(10), per_move: seconds(2) });
        clocks.reset();
        assert_eq!(clocks.get(Color::Black), Clock::Game { left: seconds(10), per_move: seconds(2) });
    }

    #[test]
    fn the_controller_knows_better() {
        let seconds = Duration::from_secs;
        let mut clocks = clocks(10, 2, 1);
        clocks.tell(Color::Black, TimeLeft { left: seconds(3), stones: 0 });
        assert_eq!(clocks.get(Color::Black), Clock::Game { left: seconds(3), per_move: seconds(2) });
        clocks.tell(Color::Black, TimeLeft { left: seconds(3), stones: 3 });
        assert_eq!(clocks.get(Color::Black), Clock::PerMove(seconds(1)));
    }

    #[test]
    fn a_game_without_time_for_moves_can_run_out() {
        let mut clocks = clocks(1, 0, 0);
        clocks.spend(Color::White, Duration::from_secs(5));
        assert_eq!(clocks.get(Color::White), Clock::Game { left: Duration::ZERO, per_move: Duration::ZERO });
    }
}
