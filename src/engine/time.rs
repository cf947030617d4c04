//! How long a player may think about one move.

use super::game::Game;
use super::player::Clock;
use crate::rules::Color;
use std::time::{Duration, Instant};

/// Kept back of each move for what happens outside the search: at most this, and at most a tenth.
const MARGIN: Duration = Duration::from_millis(30);

/// When to stop thinking about the next move of `game`, if a clock runs or the player has a time of
/// its own for each move. The clock began to run at `started`.
pub fn deadline(started: Instant, clock: Clock, own: Option<Duration>, game: &Game) -> Option<Instant> {
    let for_move = match clock {
        Clock::None => None,
        Clock::PerMove(time) => Some(less_margin(time)),
        Clock::Game { left, per_move } => Some(share_of(left, game).max(less_margin(per_move))),
    };
    let shorter = match (for_move, own.map(less_margin)) {
        (Some(given), Some(own)) => Some(given.min(own)),
        (given, own) => given.or(own),
    };
    shorter.map(|time| started + time)
}

fn less_margin(time: Duration) -> Duration {
    time - MARGIN.min(time / 10)
}

/// A part of the time left so that it lasts for all moves to come, early ones getting half as much
/// again. However often it is asked for, something is left.
fn share_of(left: Duration, game: &Game) -> Duration {
    let board = game.board();
    let discs = board.count(Color::Black) + board.count(Color::White);
    let own_moves = (game.size().square_count() - discs).div_ceil(2);
    less_margin(left) * 3 / (2 * own_moves + 4)
}
