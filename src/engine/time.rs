//! How long a player may think about one move.

use super::game::Game;
use super::player::Clock;
use std::time::{Duration, Instant};

/// Kept back of the time that a clock leaves for a move, at most a fifth of it: for what happens outside the search.
const MARGIN: Duration = Duration::from_millis(100);

/// Kept back of a player's own time for a move, at most a fifth of it: the search notices its end a little late, but
/// nobody loses a game by that.
const OWN_MARGIN: Duration = Duration::from_millis(1);

/// Kept back of a game clock for each move to come, at most half of it: a busy machine does not always
/// let us run when time is up.
const RESERVE: Duration = Duration::from_millis(20);

/// More than any game lasts, and little enough to reckon with.
const LONGEST: Duration = Duration::from_secs(1 << 32);

/// When to stop thinking about the next move of `game`, if a clock runs or the player has a time of
/// its own for each move. The clock began to run at `started`.
pub(super) fn deadline(
    started: Instant,
    clock: Clock,
    own: Option<Duration>,
    game: &Game,
) -> Option<Instant> {
    let for_move = match clock {
        Clock::None => None,
        Clock::PerMove(time) => Some(less(time, MARGIN)),
        Clock::Game { left, per_move } => Some(share_of(left, game).max(less(per_move, MARGIN))),
    };
    let shorter = match (for_move, own.map(|own| less(own, OWN_MARGIN))) {
        (Some(given), Some(own)) => Some(given.min(own)),
        (given, own) => given.or(own),
    };
    shorter.map(|time| after(started, time))
}

/// So much later: any time is a time.
pub(crate) fn after(instant: Instant, time: Duration) -> Instant {
    instant + time.min(LONGEST)
}

fn less(time: Duration, margin: Duration) -> Duration {
    time - margin.min(time / 5)
}

/// A part of the time left so that it lasts for all moves to come, early ones getting half as much
/// again. However often it is asked for, something is left: first of all [`RESERVE`] for each move.
fn share_of(left: Duration, game: &Game) -> Duration {
    let own_moves = game.board().empty_count().div_ceil(2);
    let left = left.min(LONGEST);
    let reserve = (RESERVE * own_moves).min(left / 2);
    (left - reserve) * 3 / (2 * own_moves + 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::GameBoard;
    use crate::rules::{Passing, Rules, Start};

    fn game() -> Game {
        let first = GameBoard::start("6x6".parse().unwrap(), Start::Diagonal);
        Game::new(first, Rules::default(), Passing::Allowed)
    }

    fn time_for(clock: Clock, own: Option<Duration>) -> Option<Duration> {
        let started = Instant::now();
        deadline(started, clock, own, &game()).map(|deadline| deadline - started)
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
            let started = Instant::now();
            let used = deadline(started, clock, None, &game).unwrap() - started;
            assert!(used < left / 2, "{used:?} of {left:?}");
            assert!(used > Duration::ZERO);
            // A little more than it was given, as happens on a busy machine.
            left = left.checked_sub(used + Duration::from_millis(15)).expect("the time lasts");
            for _ in 0..2 {
                if let Some(&mv) = game.legal_moves().first() {
                    game.play(mv).unwrap();
                }
            }
        }
    }

    #[test]
    fn any_time_is_time() {
        let for_ever = Duration::MAX;
        for clock in [Clock::PerMove(for_ever), Clock::Game { left: for_ever, per_move: for_ever }] {
            assert!(time_for(clock, Some(for_ever)).is_some());
        }
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
