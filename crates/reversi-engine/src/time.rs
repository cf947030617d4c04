//! Time management: the time budget of a move.

use reversi_rules::game::Clock;
use reversi_rules::game::Game;
use reversi_solver::search::cost;
use std::time::{Duration, Instant};

/// Margin of the time that a clock leaves for a move, at most a fifth of it: for delays outside the search.
const MARGIN: Duration = Duration::from_millis(100);

/// Margin of a player's own time for a move, at most a fifth of it: the search polls its stop a little late, which
/// loses no game.
const OWN_MARGIN: Duration = Duration::from_millis(1);

/// Reserve of a game clock for each move to come: a busy machine may schedule the program late.
const RESERVE: Duration = Duration::from_millis(20);

/// Longer than any game, and small enough for arithmetic on instants.
const LONGEST: Duration = Duration::from_secs(1 << 32);

/// How many times its share of a game clock a move may take at most.
const LIMIT_IN_SHARES: u32 = 3;

/// Moves that count in addition to those until the end of the game can be solved: for the search that solves it, and as
/// a margin.
const SOLVING_MOVES: u32 = 3;

/// The part of a clock that the search to the end of the game may take.
const SOLVING_PART: u32 = 8;

/// The time budget of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Budget {
    /// The time that the move should take. If it is a share of a game clock, the search may decide to take less or
    /// more.
    pub target: Duration,
    /// The time that the move must not exceed.
    pub limit: Duration,
    /// Whether it is a share of a game clock: time left over serves later moves.
    pub is_share: bool,
}

impl Budget {
    /// All of this time: unused time is lost.
    fn whole(time: Duration) -> Budget {
        Budget { target: time, limit: time, is_share: false }
    }

    /// No more than this for one move.
    fn at_most(self, time: Duration) -> Budget {
        match self.target < time {
            true => Budget { limit: self.limit.min(time), ..self },
            false => Budget::whole(time),
        }
    }

    /// When a search that began at `started` must stop.
    pub fn ends(self, started: Instant) -> Instant {
        after(started, self.limit)
    }

    /// When a search that began at `started` has used the target, for a search that cannot tell when to take more.
    pub fn target_ends(self, started: Instant) -> Instant {
        after(started, self.target)
    }
}

/// How late a player's answers came after the end of their budget, as on a busy machine. The next budgets of a time for
/// one move leave a margin for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Delay(Duration);

impl Delay {
    /// Records an answer that came after `elapsed`. The longest delay counts, and shrinks by an eighth with each later
    /// answer.
    pub fn observe(&mut self, budget: Budget, elapsed: Duration) {
        self.0 = elapsed.saturating_sub(budget.limit).max(self.0 * 7 / 8);
    }

    /// The margin of a time for a move: twice the delay, if that is more than the usual one.
    fn margin(self, time: Duration) -> Duration {
        MARGIN.min(time / 5).max(self.0.saturating_mul(2).min(time / 5 * 4))
    }
}

/// The budget of the next move of `game`; `None` without a clock and without the player's own time for each move.
pub(super) fn budget(clock: Clock, own: Option<Duration>, game: &Game, delay: Delay) -> Option<Budget> {
    let given = match clock {
        Clock::None => None,
        Clock::PerMove(time) => Some(Budget::whole(time - delay.margin(time))),
        Clock::Game { left, per_move } => {
            let share = share_of(left, game);
            let after_it = Budget::whole(per_move - delay.margin(per_move));
            Some(if after_it.target > share.target { after_it } else { share })
        }
    };
    match (given, own.map(|own| less(own, OWN_MARGIN))) {
        (Some(given), Some(own)) => Some(given.at_most(own)),
        (given, own) => given.or(own.map(Budget::whole)),
    }
}

/// All the time that a clock leaves for the next move: for a player that has no move before its search ends.
pub(super) fn all_of(clock: Clock) -> Option<Duration> {
    clock.for_move().map(|time| less(time, MARGIN))
}

/// The instant `time` later; saturates instead of overflowing.
pub fn after(instant: Instant, time: Duration) -> Instant {
    instant + time.min(LONGEST)
}

fn less(time: Duration, margin: Duration) -> Duration {
    time - margin.min(time / 5)
}

/// A share of the time left: equal parts for the moves until the end of the game can be solved, since later moves need
/// next to none. [`RESERVE`] for each move is kept until nothing else is left.
fn share_of(left: Duration, game: &Game) -> Budget {
    let empties = game.board().empty_count();
    let own_moves = empties.div_ceil(2);
    let left = left.min(LONGEST);
    let free = left.saturating_sub(RESERVE * own_moves);
    let solved = cost::empties_within(free / SOLVING_PART, game.rules().goal);
    let share = free / (empties.saturating_sub(solved).div_ceil(2) + SOLVING_MOVES);
    // At least a part of the reserve, so that every later move finds some of it.
    let target = share.max(left / (4 * own_moves + 4));
    Budget { target, limit: (share * LIMIT_IN_SHARES).min(free / 2).max(target), is_share: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameBoard;
    use reversi_rules::{Passing, Rules, Start};

    fn game() -> Game {
        let first = GameBoard::start("6x6".parse().unwrap(), Start::Diagonal);
        Game::new(first, Rules::default(), Passing::Allowed)
    }

    fn time_for(clock: Clock, own: Option<Duration>) -> Option<Duration> {
        budget(clock, own, &game(), Delay::default()).map(|budget| budget.target)
    }

    #[test]
    fn without_a_clock_only_the_players_own_time_counts() {
        let second = Duration::from_secs(1);
        assert_eq!(time_for(Clock::None, None), None);
        assert_eq!(time_for(Clock::None, Some(second)), Some(second - OWN_MARGIN));
    }

    #[test]
    fn the_tighter_time_counts() {
        let (second, minute) = (Duration::from_secs(1), Duration::from_secs(60));
        assert_eq!(time_for(Clock::PerMove(second), Some(minute)), Some(second - MARGIN));
        assert_eq!(time_for(Clock::PerMove(minute), Some(second)), Some(second - OWN_MARGIN));
        let game_clock = Clock::Game { left: minute, per_move: Duration::ZERO };
        assert_eq!(time_for(game_clock, Some(second)), Some(second - OWN_MARGIN));
    }

    #[test]
    fn a_game_clock_lasts_for_the_whole_game() {
        let mut game = game();
        let mut left = Duration::from_secs(3);
        while !game.is_over() {
            let clock = Clock::Game { left, per_move: Duration::ZERO };
            let used = budget(clock, None, &game, Delay::default()).unwrap().limit;
            assert!(used <= left / 2, "{used:?} of {left:?}");
            assert!(used > Duration::ZERO);
            // A little more than the budget, as on a busy machine.
            left = left.checked_sub(used + Duration::from_millis(15)).expect("the time lasts");
            for _ in 0..2 {
                if let Some(&mv) = game.legal_moves().first() {
                    game.play(mv).unwrap();
                }
            }
        }
    }

    #[test]
    fn the_moves_before_the_solved_end_get_the_time() {
        let ten = Duration::from_secs(10);
        let mut game = game();
        let (mut left, mut before) = (ten, Duration::ZERO);
        while game.board().empty_count() > 20 {
            let share = share_of(left, &game);
            assert!(share.target >= before.mul_f64(0.9), "about equal shares");
            (left, before) = (left - share.target, share.target);
            for _ in 0..2 {
                game.play(game.legal_moves()[0]).unwrap();
            }
        }
        assert!(left < ten / 2, "{left:?} is left for the end");
    }

    #[test]
    fn the_players_own_time_bounds_a_share() {
        let clock = Clock::Game { left: Duration::from_secs(10), per_move: Duration::ZERO };
        let share = share_of(Duration::from_secs(10), &game());
        for own in [share.target / 2, share.target + Duration::from_millis(100), share.limit * 2] {
            let bounded = budget(clock, Some(own), &game(), Delay::default()).unwrap();
            assert!(bounded.limit <= own && bounded.target <= bounded.limit, "{bounded:?} of {own:?}");
            assert_eq!(bounded.is_share, own > share.target, "{own:?}");
        }
    }

    #[test]
    fn delays_that_were_seen_are_left_free() {
        let (fifty, ms) = (Duration::from_millis(50), Duration::from_millis);
        let time = |delay| budget(Clock::PerMove(fifty), None, &game(), delay).unwrap().limit;
        let mut delay = Delay::default();
        assert_eq!(time(delay), ms(40));
        let budget = Budget::whole(ms(40));
        delay.observe(budget, ms(55));
        assert_eq!(time(delay), ms(20));
        (0..100).for_each(|_| delay.observe(budget, ms(39)));
        assert_eq!(time(delay), ms(40), "forgotten");
        delay.observe(budget, Duration::from_secs(9));
        assert_eq!(time(delay), ms(10));
    }

    #[test]
    fn any_time_can_be_added() {
        let for_ever = Duration::MAX;
        for clock in [Clock::PerMove(for_ever), Clock::Game { left: for_ever, per_move: for_ever }] {
            let budget = budget(clock, Some(for_ever), &game(), Delay::default()).unwrap();
            assert!(budget.ends(Instant::now()) > Instant::now());
            assert!(all_of(clock).is_some());
        }
    }

    #[test]
    fn only_a_share_of_a_game_clock_serves_later_moves() {
        let [second, minute] = [1, 60].map(Duration::from_secs);
        let is_share = |clock, own| budget(clock, own, &game(), Delay::default()).unwrap().is_share;
        let game_clock = |left, per_move| Clock::Game { left, per_move };
        assert!(is_share(game_clock(minute, Duration::ZERO), None));
        assert!(is_share(game_clock(minute, second), None));
        assert!(!is_share(game_clock(minute, minute), None), "what is left of the time for one move is lost");
        assert!(!is_share(game_clock(minute, Duration::ZERO), Some(second)));
        assert!(!is_share(Clock::PerMove(second), None));
    }

    #[test]
    fn all_that_a_clock_leaves_is_more_than_a_share() {
        let minute = Duration::from_secs(60);
        let clock = Clock::Game { left: minute, per_move: Duration::ZERO };
        assert_eq!(all_of(clock), Some(minute - MARGIN));
        assert!(time_for(clock, None) < all_of(clock));
        assert_eq!(all_of(Clock::None), None);
    }

    #[test]
    fn time_for_each_move_remains_when_the_clock_has_run_down() {
        let second = Duration::from_secs(1);
        let clock = Clock::Game { left: Duration::ZERO, per_move: second };
        assert_eq!(time_for(clock, None), Some(second - MARGIN));
        let nothing = Clock::Game { left: Duration::ZERO, per_move: Duration::ZERO };
        assert_eq!(time_for(nothing, None), Some(Duration::ZERO));
    }
}
