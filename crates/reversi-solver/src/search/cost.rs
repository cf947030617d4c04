//! The expected time of an exact search: the only place that estimates it.
//!
//! The cost depends on the number of empty squares above all: two more cost about [`GROWTH_OF_TWO_PLIES`] times as
//! much. The thresholds below are numbers of empty squares, chosen on one or two cores of a machine of 2020, on 6x6 and
//! 8x8; a faster machine shifts each by one at most.

use reversi_rules::{Geometry, Goal};
use std::time::Duration;

/// How many times longer an exact search of two more empty squares takes; measured on random positions of 6x6.
pub const GROWTH_OF_TWO_PLIES: f64 = 4.5;
/// The same for one more empty square, rounded.
pub const GROWTH_OF_A_PLY: f64 = 2.1;
/// At most this many empty squares are searched in less than a millisecond: no estimate is needed first.
pub const INSTANT_EMPTIES: u32 = 13;
/// From this many empty squares on a search lasts longer than a second thread takes to wake.
pub const THREADS_EMPTIES: u32 = 15;
/// At most this many empty squares are searched in milliseconds.
pub const MILLISECONDS_EMPTIES: u32 = 16;
/// At most this many empty squares are searched within a second or two, nearly always in less. Such a search needs no
/// progress bar, and several of them are better run side by side than with several threads each.
pub const SECOND_EMPTIES: u32 = 20;
/// At most this many empty squares are searched in seconds, while a person waits.
const SECONDS_EMPTIES: u32 = 22;
/// From this many empty squares on progress is worth showing.
pub const PROGRESS_EMPTIES: u32 = 18;

/// At most this many empty squares are searched within a fraction of a second, for each of the many positions of a
/// game.
const GAME_EMPTIES: u32 = 18;
/// The limit for the positions of a game on 6x6 and smaller boards, where one search takes seconds: the tables of 6x6
/// hold every position with more empty squares.
const SMALL_BOARD_GAME_EMPTIES: u32 = 25;

/// Squares of the largest board on which any position can be searched while a person waits: 6x6.
const WAITING_SQUARES: u32 = 36;
/// Squares of the largest board that is searched from its start within seconds.
const SECONDS_SQUARES: u32 = 30;

/// Whether any position of a board of this size can be searched to the end while a person waits, within a minute.
pub fn is_searched_whole(geometry: Geometry) -> bool {
    geometry.square_count() <= WAITING_SQUARES
}

/// Whether all moves of a position with this many empty squares are searched to the end while a person waits.
pub fn is_searched_while_waiting(geometry: Geometry, empties: u32) -> bool {
    is_searched_whole(geometry) || empties <= SECONDS_EMPTIES
}

/// Whether a position with this many empty squares is searched to the end as one of all positions of a game.
pub fn is_searched_in_games(geometry: Geometry, empties: u32) -> bool {
    empties <= if is_searched_whole(geometry) { SMALL_BOARD_GAME_EMPTIES } else { GAME_EMPTIES }
}

/// Whether every position of a game that begins with `empties` empty squares is searched within seconds.
pub fn takes_seconds(geometry: Geometry, empties: u32) -> bool {
    geometry.square_count() <= SECONDS_SQUARES || empties <= SECOND_EMPTIES
}

/// The most empty squares of positions that are mostly searched within `time`; one less under the reversed goal, where
/// there is less to cut off.
pub fn empties_within(time: Duration, goal: Goal) -> u32 {
    let milliseconds = time.as_secs_f64() * 1000.0;
    let normal = 10.0 + 2.0 * milliseconds.max(1.0).log(GROWTH_OF_TWO_PLIES);
    normal as u32 - u32::from(goal == Goal::Reversed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_time_reaches_further_and_the_reversed_goal_one_square_less() {
        let within = |milliseconds, goal| empties_within(Duration::from_millis(milliseconds), goal);
        assert_eq!(within(0, Goal::Normal), 10);
        assert_eq!(within(1, Goal::Reversed), 9);
        for milliseconds in [10, 100, 1_000, 10_000] {
            assert!(within(10 * milliseconds, Goal::Normal) > within(milliseconds, Goal::Normal));
            assert_eq!(within(milliseconds, Goal::Normal), within(milliseconds, Goal::Reversed) + 1);
        }
    }
}
