//! GTP time settings as clocks.

use crate::Clock;
use std::time::Duration;

/// Unit of most controllers' clocks.
const SECOND: Duration = Duration::from_secs(1);

/// `main` seconds for the game, then `byo_yomi` seconds for every `stones` moves.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
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
        match (self.main, self.per_move()) {
            (_, None) if !self.byo_yomi.is_zero() => Clock::None,
            (Duration::ZERO, None | Some(Duration::ZERO)) => Clock::None,
            (Duration::ZERO, Some(per_move)) => Clock::PerMove(per_move),
            (left, per_move) => Clock::Game { left, per_move: per_move.unwrap_or_default() },
        }
    }

    /// An even part of a period; `None` if a period has no moves.
    fn per_move(self) -> Option<Duration> {
        self.byo_yomi.checked_div(self.stones)
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
    /// The side's clock in a game with these settings. `counted` is the clock by the own count, `lag` is what was
    /// measured of the controller's clock.
    pub fn clock(self, settings: TimeSettings, counted: Clock, lag: &Lag) -> Clock {
        match self.of_a_period(settings, lag).checked_div(self.stones) {
            Some(each) => Clock::PerMove(each),
            None => {
                let per_move = settings.per_move().unwrap_or_default();
                Clock::Game { left: self.left_by_both(counted, lag), per_move }
            }
        }
    }

    /// The time that is certainly left of a period. A period that has just begun is shown exactly; later whole seconds
    /// may have been rounded up.
    fn of_a_period(self, settings: TimeSettings, lag: &Lag) -> Duration {
        let has_just_begun = self.left == settings.byo_yomi && self.stones == settings.stones;
        match self.is_exact(lag) || has_just_begun {
            true => self.left,
            false => self.left.saturating_sub(SECOND),
        }
    }

    /// Combines the shown time with the own count of the main time. Most controllers show whole seconds, which is
    /// coarse in a short game; the own count is finer. Some round down and some up, so the time left is within a second
    /// of the shown time.
    ///
    /// An own count above the shown time is used if it is less than a second above, unless the controller was seen to
    /// round up or to count time that the own count misses; otherwise the shown time is used. An own count below the
    /// shown time is used, but not less than the shown time minus a second: the controller may have added time.
    fn left_by_both(self, counted: Clock, lag: &Lag) -> Duration {
        let Clock::Game { left: counted, .. } = counted else { return self.left };
        if self.is_exact(lag) {
            return self.left;
        }
        let may_be_more = lag.of_a_move().is_zero() && !lag.rounds_up;
        if counted <= self.left {
            counted.max(self.left.saturating_sub(SECOND))
        } else if may_be_more && counted < self.left + SECOND {
            counted
        } else {
            self.left
        }
    }

    /// Whether the shown time is not rounded to whole seconds.
    fn is_exact(self, lag: &Lag) -> bool {
        !self.is_whole() || lag.is_fine
    }

    /// Whether the shown time may be rounded to whole seconds.
    fn is_whole(self) -> bool {
        self.left.subsec_nanos() == 0
    }
}

/// The time that the controller's clock counts for each move of a side in addition to the search, mainly the transfer
/// of command and answer, which is slow over a network or through a busy program. It is the average over all moves
/// since the clock was first seen, without the longest single delay, since a program may hang once.
#[derive(Clone, Copy, Default, Debug)]
pub struct Lag {
    /// The first and the latest time that the controller's clock showed.
    shown: Option<(Duration, Duration)>,
    /// Whether the first time it showed was the whole time of the game, which is not rounded.
    is_from_full: bool,
    /// Number of the side's moves since the clock was first seen, and the total time of their searches.
    searched: (u32, Duration),
    /// The time of the searches since the latest time it showed.
    searched_since: Duration,
    /// The most that it counted in addition to searches from one shown time to the next.
    longest: Duration,
    of_a_move: Duration,
    /// Whether the controller has ever shown a part of a second.
    is_fine: bool,
    /// Whether it has ever shown more time than could be left.
    rounds_up: bool,
}

/// With fewer moves there is no estimate.
const FEWEST_MOVES: u32 = 3;

impl Lag {
    /// Records the search time of a move of the side.
    pub fn searched(&mut self, time: Duration) {
        self.searched = (self.searched.0 + 1, self.searched.1 + time);
        self.searched_since += time;
    }

    /// Records the time that the controller's clock shows before a move of the side; `main` is the main time of the
    /// game. If it shows whole seconds and was not seen to round up, a second of difference may be rounding and does
    /// not count as lag.
    pub fn told(&mut self, time: TimeLeft, main: Duration) {
        self.is_fine |= !time.is_whole();
        let besides =
            |shown: Duration, searched: Duration| shown.saturating_sub(searched).saturating_sub(time.left);
        match self.shown {
            Some((first, last)) if time.stones == 0 && time.left <= last => {
                self.longest = self.longest.max(besides(last, self.searched_since));
                let (moves, searched) = self.searched;
                self.rounds_up |= self.is_from_full && time.left > first.saturating_sub(searched);
                if moves >= FEWEST_MOVES {
                    let rounding = if self.is_fine || self.rounds_up { Duration::ZERO } else { SECOND };
                    // A step of one second may be the sum of the lags of several moves.
                    let is_step = !self.is_fine && self.longest < SECOND * 3 / 2;
                    let once = if is_step { Duration::ZERO } else { self.longest };
                    let all = besides(first, searched).saturating_sub(once.max(rounding));
                    self.of_a_move = all / (moves - 1);
                }
                (self.shown, self.searched_since) = (Some((first, time.left)), Duration::ZERO);
            }
            // The clock is seen for the first time, or was reset.
            _ => {
                self.restart();
                self.shown = Some((time.left, time.left));
                self.is_from_full = time.stones == 0 && time.left == main;
            }
        }
    }

    /// Keeps the measured lag, but does not compare later clock readings with earlier ones: another game begins, or
    /// moves were made that were not searched here.
    pub fn restart(&mut self) {
        let Lag { of_a_move, is_fine, rounds_up, .. } = *self;
        *self = Lag { of_a_move, is_fine, rounds_up, ..Lag::default() };
    }

    /// The lag of a move.
    pub fn of_a_move(&self) -> Duration {
        self.of_a_move
    }

    /// The clock minus twice the lag for each of the `moves` to come, but at least an eighth of it.
    pub fn leave(&self, clock: Clock, moves: u32) -> Clock {
        match clock {
            Clock::Game { left, per_move } => {
                let free = left.saturating_sub(self.of_a_move.saturating_mul(moves.saturating_mul(2)));
                Clock::Game { left: free.max(left / 8), per_move }
            }
            _ => clock,
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

    fn settings(main: u64, byo_yomi: u64, stones: u32) -> TimeSettings {
        TimeSettings { main: seconds(main), byo_yomi: seconds(byo_yomi), stones }
    }

    #[test]
    fn the_controllers_clock_replaces_our_own() {
        let (none, settings) = (Lag::default(), settings(10, 4, 2));
        let shown =
            |left, stones| TimeLeft { left: seconds(left), stones }.clock(settings, game(10, 2), &none);
        assert_eq!(shown(3, 0), game(3, 2));
        assert_eq!(shown(12, 0), game(11, 2));
        assert_eq!(shown(4, 2), Clock::PerMove(seconds(2)), "a period begins");
        assert_eq!(shown(4, 1), Clock::PerMove(seconds(3)), "it may be rounded up");
        assert_eq!(shown(1, 1), Clock::PerMove(seconds(0)));
        let fine = Lag { is_fine: true, ..Lag::default() };
        let left = TimeLeft { left: seconds(4), stones: 1 };
        assert_eq!(left.clock(settings, game(10, 2), &fine), Clock::PerMove(seconds(4)));
    }

    #[test]
    fn within_a_second_our_own_count_is_finer() {
        let milliseconds = Duration::from_millis;
        let by_both = |told: u64, counted: u64, lag: &Lag| {
            let left = |milliseconds| Clock::Game { left: milliseconds, per_move: Duration::ZERO };
            let told = TimeLeft { left: milliseconds(told), stones: 0 };
            match told.clock(settings(5, 0, 0), left(milliseconds(counted)), lag) {
                Clock::Game { left, .. } => left.as_millis() as u64,
                clock => panic!("{clock:?}"),
            }
        };
        let clock = |told, counted| by_both(told, counted, &Lag::default());
        let late = Lag { of_a_move: milliseconds(100), ..Lag::default() };
        assert_eq!((by_both(2000, 2700, &late), by_both(3000, 2400, &late)), (2000, 2400));
        assert_eq!(clock(2000, 2700), 2700);
        assert_eq!(clock(0, 400), 400);
        assert_eq!(clock(3000, 2400), 2400, "some controllers round up");
        assert_eq!(clock(2000, 3100), 2000);
        assert_eq!(clock(4000, 2500), 3000, "it gave time, or rounds up");
        assert_eq!(clock(2300, 2700), 2300, "it counts finer itself");
    }

    /// Plays a game's moves by a controller that rounds its clock by `round` and counts `delay` for each move in
    /// addition to its search. Returns whether the own count was ever more than the time left, and the time left at the
    /// end.
    fn played(
        main: u64,
        delay: Duration,
        round: fn(Duration) -> u64,
        random: &mut fastrand::Rng,
    ) -> (bool, Duration) {
        let (mut left, mut clock, mut lag) = (seconds(main), game(main, 0), Lag::default());
        let mut was_more = false;
        for moves in (1..=30).rev() {
            let told = TimeLeft { left: seconds(round(left)), stones: 0 };
            lag.told(told, seconds(main));
            clock = told.clock(settings(main, 0, 0), clock, &lag);
            let Clock::Game { left: counted, .. } = clock else { panic!("{clock:?}") };
            was_more |= counted > left;
            let Clock::Game { left: free, .. } = lag.leave(clock, moves) else { panic!("{clock:?}") };
            let searched = free.mul_f64((0.3 + random.f64()) / f64::from(moves + 3));
            lag.searched(searched);
            left = left.saturating_sub(searched + delay);
            let spent = searched + lag.of_a_move().max(Duration::from_millis(10));
            clock = Clock::Game { left: counted.saturating_sub(spent), per_move: Duration::ZERO };
        }
        (was_more, left)
    }

    #[test]
    fn no_rounding_loses_a_game_on_time() {
        let mut random = fastrand::Rng::with_seed(6);
        let down = |left: Duration| left.as_secs();
        let up = |left: Duration| left.as_millis().div_ceil(1000) as u64;
        let nearest = |left: Duration| (left.as_millis() as u64 + 500) / 1000;
        for (name, round) in [("down", down as fn(Duration) -> u64), ("up", up), ("nearest", nearest)] {
            for delay in [0, 10, 30, 50, 70].map(Duration::from_millis) {
                for _ in 0..200 {
                    let (was_more, left) = played(random.u64(4..10), delay, round, &mut random);
                    assert!(!was_more || delay > Duration::from_millis(10), "{name}, {delay:?}");
                    assert!(!left.is_zero(), "{name}, {delay:?}");
                }
            }
        }
    }

    /// A clock of ten seconds; each move is searched for 200 ms and costs 300 ms. Returns the lag estimated before each
    /// move if the clock shows its time cut to `unit`.
    fn seen(unit: Duration) -> Vec<Duration> {
        let (mut lag, mut left, mut found) = (Lag::default(), seconds(10), Vec::new());
        for _ in 0..25 {
            let units = left.as_millis() / unit.as_millis();
            lag.told(TimeLeft { left: unit * units as u32, stones: 0 }, seconds(10));
            found.push(lag.of_a_move());
            lag.searched(Duration::from_millis(200));
            left -= Duration::from_millis(300);
        }
        found
    }

    #[test]
    fn what_only_the_controller_counts_is_found() {
        let milliseconds = Duration::from_millis;
        let fine = seen(milliseconds(1));
        let (few, more) = fine.split_at(FEWEST_MOVES as usize);
        assert!(
            few.iter().all(Duration::is_zero) && more.iter().all(|&lag| lag == milliseconds(100)),
            "{fine:?}"
        );
        let whole = seen(SECOND);
        assert!(whole.iter().all(|&lag| lag <= milliseconds(100)), "not what may be rounding: {whole:?}");
        assert!(whole[20..].iter().all(|&lag| lag >= milliseconds(40)), "{whole:?}");
    }

    #[test]
    fn what_happens_once_is_no_lag() {
        let mut lag = Lag::default();
        for left in [20_000, 16_800, 16_600, 16_400, 16_200, 16_000] {
            lag.told(TimeLeft { left: Duration::from_millis(left), stones: 0 }, seconds(20));
            assert!(lag.of_a_move().is_zero(), "{left}");
            lag.searched(Duration::from_millis(200));
        }
    }

    #[test]
    fn a_clock_that_is_set_anew_has_no_lag() {
        let mut lag = Lag::default();
        let told = |left| TimeLeft { left: seconds(left), stones: 0 };
        for left in [10, 20, 19, 18, 17, 16] {
            lag.told(told(left), seconds(10));
            assert!(lag.of_a_move().is_zero(), "{left}");
            lag.searched(seconds(1));
        }
        lag.restart();
        for left in [16, 13, 10, 7] {
            lag.told(told(left), seconds(10));
            lag.searched(seconds(1));
        }
        assert_eq!(lag.of_a_move(), seconds(2), "of three moves without the longest");
        lag.restart();
        lag.told(told(10), seconds(10));
        assert_eq!(lag.of_a_move(), seconds(2), "until it is seen again");
    }

    #[test]
    fn the_lag_of_the_moves_to_come_is_left() {
        let lag = Lag { of_a_move: Duration::from_millis(100), ..Lag::default() };
        assert_eq!(lag.leave(game(10, 2), 20), game(6, 2));
        assert_eq!(lag.leave(game(8, 0), 60), game(1, 0));
        assert_eq!(lag.leave(Clock::PerMove(SECOND), 60), Clock::PerMove(SECOND));
        assert_eq!(Lag::default().leave(game(10, 2), 60), game(10, 2));
    }
}
