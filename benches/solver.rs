//! The solver's small parts: whole positions with few empty squares, in and out of the transposition table.
//! `cargo bench --bench solver`; larger work is measured by `reversi bench solver`.

use divan::{Bencher, black_box};
use reversi::rules::playout::with_empties;
use reversi::rules::{Board, Geometry, Goal, Position, Rules, Scoring, Start};
use reversi::search::stability::Stability;
use reversi::search::{Solver, SolverOptions, Stop};

fn main() {
    divan::main();
}

/// Random reachable 6x6 positions with so many empty squares.
fn positions(empties: u32) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(1);
    let start = Board::start(Geometry::SIX, Start::Diagonal).position();
    with_empties(Geometry::SIX, start, empties, &mut random).take(64).collect()
}

/// 64 positions a time.
#[divan::bench(args = [2, 3, 4, 5, 7, 10])]
fn last_empties(bencher: Bencher, empties: u32) {
    let options = SolverOptions { memory_bytes: 1 << 20, threads: 1, ..SolverOptions::default() };
    let solver =
        Solver::new(Geometry::SIX, Rules::new(Goal::Normal, Scoring::Raw), options).expect("a megabyte");
    let positions = positions(empties);
    bencher.bench_local(|| {
        positions
            .iter()
            .map(|&position| solver.solve(position, &Stop::never()).map_or(0, |found| found.nodes))
            .sum::<u64>()
    });
}

#[divan::bench]
fn stable_discs(bencher: Bencher) {
    let stability = Stability::new(Geometry::SIX);
    let positions = positions(10);
    bencher.bench_local(|| {
        positions.iter().fold(0, |all, position| {
            all | stability.stable(black_box(position.player), black_box(position.opponent))
        })
    });
}
