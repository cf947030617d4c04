//! Exact search without tables.

use crate::board::PyBoard;
use crate::errors::memory_error;
use crate::run::{interruptible, stop_after, thread_count};
use crate::words::move_names;
use pyo3::prelude::*;
use reversi_rules::{Move, Position, Score};
use reversi_solver::search::{Proved, Solver, SolverOptions, Stop, Watch};
use std::time::{Duration, Instant};

/// What a search has found, as far as it came.
struct Found {
    proved: Proved,
    /// Best play from the position on, where the score is known.
    line: Vec<Move>,
    time: Duration,
}

/// Lower and upper bound, a best move, nodes, line and seconds.
type Solved = (i32, i32, Option<String>, u64, Vec<String>, f64);

/// Searches a position to the end of the game. The bounds are equal where the score was found, or only decide who wins
/// with `wld`; they are further apart where time was over.
#[pyfunction]
#[pyo3(signature = (board, *, threads, time, wld, memory))]
pub fn solve(
    py: Python<'_>,
    board: PyBoard,
    threads: Option<usize>,
    time: Option<f64>,
    wld: bool,
    memory: Option<usize>,
) -> PyResult<Solved> {
    let usual = SolverOptions::default();
    let memory_bytes = memory.unwrap_or(usual.memory_bytes);
    let options = SolverOptions { threads: thread_count(threads)?, memory_bytes, ..usual };
    let (geometry, rules, position) = (board.geometry(), board.rules, board.position());
    let stop = stop_after(time)?;
    // With the GIL held, see `settle`; this reserves memory and takes no time.
    let solver = Solver::new(geometry, rules, options).map_err(|error| memory_error(&error))?;
    let Found { proved, line, time } = interruptible(py, &stop, || search(&solver, position, wld, &stop))?;
    let best = proved.best.map(|mv| mv.to_string());
    let (lower, upper) = (proved.lower.discs(), proved.upper.discs());
    Ok((lower, upper, best, proved.nodes, move_names(line), time.as_secs_f64()))
}

fn search(solver: &Solver, position: Position, wld: bool, stop: &Stop) -> Found {
    let started = Instant::now();
    let (Ok(mut proved) | Err(mut proved)) = match wld {
        true => solver.win_loss_draw(position, stop, &Watch::default()),
        false => solver.solve(position, stop).map(|solution| Proved {
            lower: solution.score,
            upper: solution.score,
            best: solution.best,
            nodes: solution.nodes,
            nodes_as_edax: solution.nodes_as_edax,
        }),
    };
    let time = started.elapsed();
    if wld && proved.best.is_none() && proved.upper < Score::DRAW {
        // No move changes who wins, so every one is as good; without a window above the score none has been proved.
        proved.best = position.children(solver.geometry()).first().map(|&(mv, _)| mv);
    }
    let mut line = Vec::new();
    // A move with the best outcome need not be one with the best score.
    let is_known = proved.lower == proved.upper && (!wld || proved.lower == Score::DRAW);
    if let Some(best) = proved.best.filter(|_| is_known) {
        line.push(best);
        // Where time is over the line is as long as it is.
        let _ = solver.line(position.after(best), -proved.lower, stop, &mut line);
    }
    Found { proved, line, time }
}
