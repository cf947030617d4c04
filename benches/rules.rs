//! How fast the rules are: moves, flips and whole trees, by this build's code and by the portable twin.
//!
//! `cargo bench --bench rules`; `kernel` is the vector code of this build, if it has any.

use divan::{Bencher, black_box, counter::ItemsCount};
use reversi::rules::geometry::squares_of;
use reversi::rules::kernel::{self, portable};
use reversi::rules::playout::playout;
use reversi::rules::{Board, Geometry, Move, Position, Square, Start};

fn main() {
    println!("kernel: {}", kernel::NAME);
    divan::main();
}

/// The positions of a hundred random games on 8x8, without those that are over.
fn positions() -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(1);
    let start = Board::start(Geometry::EIGHT, Start::Diagonal).position();
    let games = (0..100).flat_map(|_| playout(Geometry::EIGHT, start, &mut random).collect::<Vec<_>>());
    games.filter(|position| !position.is_over(Geometry::EIGHT)).collect()
}

/// Every legal move of [`positions`].
fn moves() -> Vec<(Position, Square)> {
    let mut moves = Vec::new();
    for position in positions() {
        for (mv, _) in position.children(Geometry::EIGHT) {
            if let Move::Play(square) = mv {
                moves.push((position, square));
            }
        }
    }
    moves
}

fn bench_moves(bencher: Bencher, moves: impl Fn(u64, u64) -> u64 + Sync) {
    let positions = positions();
    bencher.counter(ItemsCount::new(positions.len())).bench(|| {
        black_box(&positions).iter().fold(0, |sum, position| sum ^ moves(position.player, position.opponent))
    });
}

fn bench_flips(bencher: Bencher, flips: impl Fn(u32, u64, u64) -> u64 + Sync) {
    let moves = moves();
    bencher.counter(ItemsCount::new(moves.len())).bench(|| {
        let flips = |&(position, square): &(Position, Square)| {
            flips(square.index(), position.player, position.opponent)
        };
        black_box(&moves).iter().fold(0, |sum, mv| sum ^ flips(mv))
    });
}

/// Leaves of the tree from the start of 8x8, by the given moves and flips.
fn bench_perft(
    bencher: Bencher,
    moves: impl Fn(u64, u64) -> u64 + Copy + Sync,
    flips: impl Fn(u32, u64, u64) -> u64 + Copy + Sync,
) {
    const DEPTH: u32 = 8;
    const LEAVES: u64 = 390_216;
    bencher.counter(ItemsCount::new(LEAVES)).bench(|| {
        let leaves = leaves(Board::start(Geometry::EIGHT, Start::Diagonal).position(), DEPTH, moves, flips);
        assert_eq!(leaves, LEAVES);
        leaves
    });
}

fn leaves(
    position: Position,
    depth: u32,
    moves: impl Fn(u64, u64) -> u64 + Copy,
    flips: impl Fn(u32, u64, u64) -> u64 + Copy,
) -> u64 {
    let legal = |position: Position| moves(position.player, position.opponent) & !position.discs();
    let squares = legal(position);
    if squares == 0 {
        let ends = depth == 1 || legal(position.pass()) == 0;
        return if ends { 1 } else { leaves(position.pass(), depth - 1, moves, flips) };
    }
    if depth == 1 {
        return squares.count_ones().into();
    }
    let next =
        |square: Square| position.play(square, flips(square.index(), position.player, position.opponent));
    squares_of(squares).map(|square| leaves(next(square), depth - 1, moves, flips)).sum()
}

#[divan::bench]
fn moves_kernel(bencher: Bencher) {
    bench_moves(bencher, kernel::moves);
}

#[divan::bench]
fn moves_portable(bencher: Bencher) {
    bench_moves(bencher, portable::moves);
}

#[divan::bench]
fn flips_kernel(bencher: Bencher) {
    bench_flips(bencher, kernel::flips);
}

#[divan::bench]
fn flips_portable(bencher: Bencher) {
    bench_flips(bencher, portable::flips);
}

#[divan::bench]
fn perft_kernel(bencher: Bencher) {
    bench_perft(bencher, kernel::moves, kernel::flips);
}

#[divan::bench]
fn perft_portable(bencher: Bencher) {
    bench_perft(bencher, portable::moves, portable::flips);
}
