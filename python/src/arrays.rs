//! Many positions at once: arrays in, arrays out, several threads between.

use crate::board::{PyBoard, checked_position};
use crate::errors::value_error;
use crate::run::interruptible;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use reversi_rules::{Geometry, Position, Rules};
use reversi_solver::search::Stop;
use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

/// The number of table look-ups whose time exceeds that of starting a thread.
const LEAST_SHARE: usize = 2048;

/// Reads bitboards of the side to move and of the other side. They are copied: without the GIL another thread of Python
/// might write to the arrays.
///
/// # Errors
/// `ValueError` for arrays of different lengths, and for what is no position.
pub fn positions(
    geometry: Geometry,
    player: &PyReadonlyArray1<'_, u64>,
    opponent: &PyReadonlyArray1<'_, u64>,
) -> PyResult<Vec<Position>> {
    let (player, opponent) = (player.as_array(), opponent.as_array());
    if player.len() != opponent.len() {
        let message = format!("player has {} positions, opponent {}", player.len(), opponent.len());
        return Err(value_error(message));
    }
    let pairs = player.iter().zip(opponent).enumerate();
    pairs
        .map(|(place, (&player, &opponent))| {
            checked_position(geometry, player, opponent)
                .map_err(|error| value_error(format!("position {place}: {}", without_type(&error))))
        })
        .collect()
}

fn without_type(error: &PyErr) -> String {
    Python::attach(|py| error.value(py).to_string())
}

/// A board and its rules.
pub type GameKind = (Geometry, Rules);

/// The positions of boards, which are all of one size and under the same rules. The boards are given back: another thread
/// may go on with them while theirs are searched.
///
/// # Errors
/// `ValueError` for boards of different games.
pub fn positions_of(boards: Vec<PyRef<'_, PyBoard>>) -> PyResult<(Vec<Position>, Option<GameKind>)> {
    let game = |board: &PyRef<'_, PyBoard>| (board.geometry(), board.rules);
    let first = boards.first().map(game);
    if let Some(place) = boards.iter().position(|board| Some(game(board)) != first) {
        let message = format!("board {place} has another size or other rules than board 0");
        return Err(value_error(message));
    }
    Ok((boards.iter().map(|board| board.position()).collect(), first))
}

/// Positions to be worked on by several threads.
pub struct Batch<'a> {
    pub positions: &'a [Position],
    pub threads: usize,
    /// Positions that a thread fetches at once.
    pub share: usize,
    /// Set when a signal comes.
    pub stop: &'a Stop,
}

impl Batch<'_> {
    /// Writes the result for each position into `results`, on as many threads as pay.
    ///
    /// # Errors
    /// The exception of a signal handler, or the first error of `work`, as `error` translates it.
    pub fn fill<T: Send, E: Send>(
        &self,
        py: Python<'_>,
        results: &mut [T],
        work: impl Fn(Position) -> Result<T, E> + Sync,
        error: impl Fn(&E) -> PyErr,
    ) -> PyResult<()> {
        let share = self.share.max(1);
        let helpers = self.threads.min(self.positions.len().div_ceil(share)).saturating_sub(1);
        let shares = Mutex::new(self.positions.chunks(share).zip(results.chunks_mut(share)));
        let fault = Mutex::new(None);
        let next = || shares.lock().map_or(None, |mut shares| shares.next());
        let fill = |positions: &[Position], results: &mut [T]| {
            positions.iter().zip(results).try_for_each(|(&position, result)| {
                *result = work(position)?;
                Ok(())
            })
        };
        let run = || {
            while let Some((positions, results)) = next() {
                if let Err(error) = fill(positions, results) {
                    if let Ok(mut fault) = fault.lock() {
                        fault.get_or_insert(error);
                    }
                    // The others end with their present shares.
                    while next().is_some() {}
                }
            }
        };
        let all = || {
            thread::scope(|scope| {
                for _ in 0..helpers {
                    // Where the system refuses a thread, the others do its share.
                    if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                        break;
                    }
                }
                run();
            });
        };
        interruptible(py, self.stop, all)?;
        match fault.into_inner() {
            Ok(Some(fault)) => Err(error(&fault)),
            _ => Ok(()),
        }
    }
}

/// The share of table look-ups.
pub fn share_of_probes(count: usize, threads: usize) -> usize {
    let threads = NonZero::new(threads).map_or(1, NonZero::get);
    count.div_ceil(threads).clamp(LEAST_SHARE, 1 << 16)
}
