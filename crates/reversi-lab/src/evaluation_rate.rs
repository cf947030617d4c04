//! The number of evaluations per second on one core. It is measured in this crate and not in the program, which is
//! built without optimization (`Cargo.toml`): there the loop itself would be measured.

use reversi_rules::Position;
use reversi_solver::eval::Evaluator;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Evaluates all positions two moves after these again and again for about this time, and returns the number of
/// evaluations per second.
///
/// # Panics
/// If no position follows.
pub fn evaluations_a_second(evaluator: &Evaluator, roots: &[Position], time: Duration) -> f64 {
    let geometry = evaluator.geometry();
    let children = |position: Position| position.children(geometry).into_iter().map(|(_, child)| child);
    let positions: Vec<Position> = roots.iter().copied().flat_map(children).flat_map(children).collect();
    assert!(!positions.is_empty(), "positions to evaluate");
    let started = Instant::now();
    let mut count = 0;
    while started.elapsed() < time {
        let sum: i32 =
            positions.iter().map(|&position| evaluator.evaluate(black_box(position)).units()).sum();
        black_box(sum);
        count += positions.len();
    }
    count as f64 / started.elapsed().as_secs_f64()
}
