//! How long one evaluation takes.

use divan::{Bencher, black_box, counter::ItemsCount};
use reversi::eval::Evaluator;
use reversi::rules::playout::with_empties;
use reversi::rules::{Board, Geometry, Goal, Position, Start};

fn main() {
    divan::main();
}

/// Positions with this number of empties from random games.
fn positions(geometry: Geometry, empties: u32) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(3);
    let start = Board::start(geometry, Start::Diagonal).position();
    with_empties(geometry, start, empties, &mut random).take(256).collect()
}

#[divan::bench(args = [10, 20])]
fn evaluate_6x6(bencher: Bencher, empties: u32) {
    evaluate(bencher, Geometry::SIX, empties);
}

#[divan::bench(args = [16, 40])]
fn evaluate_8x8(bencher: Bencher, empties: u32) {
    evaluate(bencher, Geometry::EIGHT, empties);
}

fn evaluate(bencher: Bencher, geometry: Geometry, empties: u32) {
    let evaluator = Evaluator::shipped(geometry, Goal::Normal).expect("weights ship for this board");
    let positions = positions(geometry, empties);
    bencher.counter(ItemsCount::new(positions.len())).bench(|| {
        positions.iter().map(|&position| evaluator.evaluate(black_box(position)).units()).sum::<i32>()
    });
}
