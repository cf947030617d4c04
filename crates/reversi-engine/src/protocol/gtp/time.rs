//! GTP time settings as clocks.

use crate::Clock;
use std::time::Duration;

/// `main` seconds for the game, then `byo_yomi` seconds for every `stones` moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeSettings {
    /// Main time.
    pub main: Duration,
    /// Time of a period after the main time.
    pub byo_yomi: Duration,
    /// Number of moves of a period; 0 with a nonzero `byo_yomi` means no limit at all.
    pub stones: u32,
}

impl TimeSettings {
    /// `0 5 1` is 5 s a move, `300 5 1` is 300 s and then 5 s a move, `300 0 0` is 300 s for all moves. The time of a
    /// period is divided evenly among its moves.
    pub fn clock(self) -> Clock {
        let per_move = self.byo_yomi.checked_div(self.stones);
        match (self.main, per_move) {
            (_, None) if !self.byo_yomi.is_zero() => Clock::None,
            (Duration::ZERO, None | Some(Duration::ZERO)) => Clock::None,
            (Duration::ZERO, Some(per_move)) => Clock::PerMove(per_move),
            (left, per_move) => Clock::Game { left, per_move: per_move.unwrap_or_default() },
        }
    }
}

/// The time left on the controller's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeLeft {
    /// Time left.
    pub left: Duration,
    /// Number of moves for this time; 0 during the main time.
    pub stones: u32,
}

impl TimeLeft {
    /// The side's clock, in a game with these settings, where its own count says `counted`.
    pub fn clock(self, settings: Clock, counted: Clock) -> Clock {
        let per_move = match settings {
            Clock::None => Duration::ZERO,
            Clock::PerMove(per_move) | Clock::Game { per_move, .. } => per_move,
        };
        match self.left.checked_div(self.stones) {
            Some(each) => Clock::PerMove(each),
            None => Clock::Game { left: self.left_by_both(counted), per_move },
        }
    }

    /// Controllers count whole seconds, which a short game has few of: the own count is finer. It is taken where it is within
    /// a second of theirs, on either side, for some round down and some up.
    fn left_by_both(self, counted: Clock) -> Duration {
        const SECOND: Duration = Duration::from_secs(1);
        match counted {
            Clock::Game { left, .. }
                if self.left.subsec_nanos() == 0 && self.left.abs_diff(left) < SECOND =>
            {
                left
            }
            _ => self.left,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    fn game(left: u64, per_move: u64) -> Clock {
        Clock::Game { left: seconds(left), per_move: seconds(per_move) }
    }

    #[test]
    fn settings_follow_the_protocol() {
        for ((main, byo_yomi, stones), expected) in [
            ((0, 5, 1), Clock::PerMove(seconds(5))),
            ((300, 5, 1), game(300, 5)),
            ((300, 50, 10), game(300, 5)),
            ((300, 0, 0), game(300, 0)),
            ((300, 0, 1), game(300, 0)),
            ((300, 5, 0), Clock::None),
            ((0, 0, 0), Clock::None),
            ((0, 0, 1), Clock::None),
        ] {
            let settings = TimeSettings { main: seconds(main), byo_yomi: seconds(byo_yomi), stones };
            assert_eq!(settings.clock(), expected, "{settings:?}");
        }
    }

    #[test]
    fn the_controllers_clock_replaces_our_own() {
        let shown = |stones| TimeLeft { left: seconds(3), stones }.clock(game(10, 2), game(10, 2));
        assert_eq!(shown(0), game(3, 2));
        assert_eq!(shown(3), Clock::PerMove(seconds(1)));
    }

    #[test]
    fn within_a_second_our_own_count_is_finer() {
        let milliseconds = Duration::from_millis;
        let clock = |told: u64, counted: u64| {
            let left = |milliseconds| Clock::Game { left: milliseconds, per_move: Duration::ZERO };
            let told = TimeLeft { left: milliseconds(told), stones: 0 };
            match told.clock(game(5, 0), left(milliseconds(counted))) {
                Clock::Game { left, .. } => left.as_millis() as u64,
                clock => panic!("{clock:?}"),
            }
        };
        assert_eq!(clock(2000, 2700), 2700);
        assert_eq!(clock(0, 400), 400);
        assert_eq!(clock(3000, 2400), 2400, "some controllers round up");
        assert_eq!(clock(2000, 3100), 2000);
        assert_eq!(clock(4000, 2500), 4000, "it gave time");
        assert_eq!(clock(2300, 2700), 2300, "it counts finer itself");
    }
}
