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

    /// An even part of a period, if there are any.
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
    /// The side's clock, in a game with these settings, where its own count says `counted`; `lag` is what was seen of the
    /// controller's.
    pub fn clock(self, settings: TimeSettings, counted: Clock, lag: &Lag) -> Clock {
        match self.of_a_period(settings, lag).checked_div(self.stones) {
            Some(each) => Clock::PerMove(each),
            None => {
                let per_move = settings.per_move().unwrap_or_default();
                Clock::Game { left: self.left_by_both(counted, lag), per_move }
            }
        }
    }

    /// What is left of a period for certain. A period that has just begun is shown as it is; later whole seconds may have been
    /// rounded up.
    fn of_a_period(self, settings: TimeSettings, lag: &Lag) -> Duration {
        let has_just_begun = self.left == settings.byo_yomi && self.stones == settings.stones;
        match self.is_exact(lag) || has_just_begun {
            true => self.left,
            false => self.left.saturating_sub(SECOND),
        }
    }

    /// Controllers count whole seconds, which a short game has few of: the own count is finer. Some round down and some up,
    /// so that less than a second lies between theirs and what is left. The own count is therefore taken up to a second
    /// above theirs, but not above it where they were seen to round up or answers to take time that only they count; and a
    /// second below theirs where the own count is lower still, for they may have given time.
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

    /// Whether it is no number that was made whole.
    fn is_exact(self, lag: &Lag) -> bool {
        !self.is_whole() || lag.is_fine
    }

    /// Whether it may be cut to whole seconds.
    fn is_whole(self) -> bool {
        self.left.subsec_nanos() == 0
    }
}

/// What the controller's clock counts of a side's moves besides their searches: the way of command and answer, which takes
/// long over a network or through a busy program. Measured over all moves since the clock was seen first, without the
/// longest of its times: once a program may hang.
#[derive(Clone, Copy, Default, Debug)]
pub struct Lag {
    /// What the controller's clock showed first, and last.
    shown: Option<(Duration, Duration)>,
    /// Whether what it showed first was all the time of the game, which is not rounded.
    is_from_full: bool,
    /// The side's moves since it was seen first, and the time of their searches.
    searched: (u32, Duration),
    /// The time of the searches since it was seen last.
    searched_since: Duration,
    /// The most that it counted besides searches from one time to the next.
    longest: Duration,
    of_a_move: Duration,
    /// Whether the controller has ever shown a part of a second.
    is_fine: bool,
    /// Whether it has ever shown more than could be left.
    rounds_up: bool,
}

/// Fewer moves say nothing of the next ones.
const FEWEST_MOVES: u32 = 3;

impl Lag {
    /// A move of the side was searched for so long.
    pub fn searched(&mut self, time: Duration) {
        self.searched = (self.searched.0 + 1, self.searched.1 + time);
        self.searched_since += time;
    }

    /// The controller's clock shows this before a move of the side, of `main` time for the game. Of whole seconds that are not
    /// known to be rounded up one is no lag.
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
                    // A whole second may have passed as several moves were made.
                    let is_step = !self.is_fine && self.longest < SECOND * 3 / 2;
                    let once = if is_step { Duration::ZERO } else { self.longest };
                    let all = besides(first, searched).saturating_sub(once.max(rounding));
                    self.of_a_move = all / (moves - 1);
                }
                (self.shown, self.searched_since) = (Some((first, time.left)), Duration::ZERO);
            }
            // Seen for the first time, or set anew.
            _ => {
                self.restart();
                self.shown = Some((time.left, time.left));
                self.is_from_full = time.stones == 0 && time.left == main;
            }
        }
    }

    /// What was measured holds on, but moves from here on are not compared with a clock shown before: another game begins, or
    /// moves are made that were not searched here.
    pub fn restart(&mut self) {
        let Lag { of_a_move, is_fine, rounds_up, .. } = *self;
        *self = Lag { of_a_move, is_fine, rounds_up, ..Lag::default() };
    }

    /// The lag of a move.
    pub fn of_a_move(&self) -> Duration {
        self.of_a_move
    }

    /// The clock less twice the lag of each of the moves to come, but an eighth of it at least.
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

    /// Plays a game's moves by a controller that makes its clock whole by `round` and counts `delay` of each move besides its
    /// search. Whether the own count was ever more than was left, and what was left at last.
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

    /// A clock of ten seconds; each move is searched for 200 ms and costs 300. What the lag is found to be before each move
    /// where the clock shows its time cut to `unit`.
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
