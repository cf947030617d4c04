//! Samples of positions, and the figures of what a player gives away.

use crate::board::PyBoard;
use crate::errors::value_error;
use crate::run::interruptible;
use pyo3::prelude::*;
use reversi_lab::arena::experiments::regret::{MovesRow, Summary};
use reversi_lab::arena::experiments::sample::{ATTEMPTS, random_games};
use reversi_rules::symmetry;
use reversi_solver::search::Stop;
use std::collections::HashSet;

/// Games begun at least, however few positions are wanted, as in the program.
const LEAST_ATTEMPTS: u64 = 25_600;

/// Positions with a move from games of random moves that begin on `board`, no two alike, turned and mirrored ones
/// included: those of `reversi sample` with the same seed. Fewer than `count` where there are not as many.
#[pyfunction]
pub fn sample(
    py: Python<'_>,
    board: PyBoard,
    from_empties: u32,
    to_empties: u32,
    count: usize,
    seed: u64,
) -> PyResult<Vec<PyBoard>> {
    let (first, geometry) = (board.game(), board.geometry());
    let most = board.position().empty_count(geometry);
    if from_empties < 1 || from_empties > to_empties {
        return Err(value_error(
            "empties: a number of empty squares from 1 on, or two, the smaller one first",
        ));
    }
    if from_empties > most {
        return Err(value_error(format!("empties: the board has only {most} empty squares")));
    }
    let attempts = ATTEMPTS.saturating_mul(count as u64).max(LEAST_ATTEMPTS);
    let stop = Stop::never();
    interruptible(py, &stop, || {
        let mut seen = HashSet::new();
        let boards = random_games(&first, from_empties..=to_empties, 0..attempts, seed)
            .take_while(|_| !stop.is_set())
            .filter_map(|game| PyBoard::from_game(&game))
            .filter(|board| seen.insert(symmetry::canonical(geometry, board.position()).0));
        boards.take(count).collect()
    })
}

/// Moves, mean, half of the 95 % interval, worst, share of perfect moves, illegal moves, moves with a choice, their mean.
type Figures = (u64, Option<f64>, Option<f64>, Option<f64>, Option<f64>, u64, u64, Option<f64>);

/// The figures of moves, each the discs it gives away (`None` for an illegal one) and whether there was another move:
/// those of `reversi lab regret`.
#[pyfunction]
pub fn regret_figures(moves: Vec<(Option<u32>, bool)>) -> Figures {
    let mut summary = Summary::default();
    for (discs, choice) in moves {
        let Some(discs) = discs else {
            summary.illegal += 1;
            continue;
        };
        summary.discs.add(discs.into());
        summary.perfect += u64::from(discs == 0);
        if choice {
            summary.with_choice.add(discs.into());
        }
    }
    let row: MovesRow = summary.row(false);
    let (moves, perfect) = (row.moves, row.perfect);
    (
        moves,
        row.mean,
        row.half_width,
        row.worst,
        perfect,
        row.illegal,
        row.moves_with_choice,
        row.mean_with_choice,
    )
}
