//! The game tree has as many leaves as it should, by the fast rules and by the naive ones.

use crate::common;
use reversi::rules::{Board, Geometry, Start, naive, perft::perft};

/// Counts above these take too long for a test; `reversi perft` goes further.
const MOST_LEAVES_FAST: u64 = 120_000_000;
const MOST_LEAVES_NAIVE: u64 = 100_000;

struct Record {
    geometry: Geometry,
    start: Start,
    counts: Vec<u64>,
}

/// The records of `perft.txt`.
fn records() -> Vec<Record> {
    let records: Vec<Record> = common::records(include_str!("../data/perft.txt"))
        .map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            Record {
                geometry: fields[0].parse().unwrap(),
                start: fields[1].parse().unwrap(),
                counts: fields[2..].iter().map(|count| count.parse().expect(line)).collect(),
            }
        })
        .collect();
    assert!(records.len() >= 3, "the file has records");
    records
}

#[test]
fn fast_rules_count_the_published_leaves() {
    for Record { geometry, start, counts } in records() {
        for (depth, &leaves) in (1..).zip(&counts).filter(|(_, leaves)| **leaves <= MOST_LEAVES_FAST) {
            let position = Board::start(geometry, start).position();
            assert_eq!(perft(geometry, position, depth), leaves, "{geometry} {start} depth {depth}");
        }
    }
}

#[test]
fn naive_rules_count_the_published_leaves() {
    for Record { geometry, start, counts } in records() {
        for (depth, &leaves) in (1..).zip(&counts).filter(|(_, leaves)| **leaves <= MOST_LEAVES_NAIVE) {
            let board = naive::Board::start(geometry.into(), start);
            assert_eq!(naive::perft(&board, depth), leaves, "{geometry} {start} depth {depth}");
        }
    }
}

#[test]
fn both_rules_count_alike_on_every_board() {
    for width in 3..=8 {
        for height in 3..=8 {
            let geometry = Geometry::new(width, height).unwrap();
            for start in Start::ALL {
                let fast = Board::start(geometry, start).position();
                let slow = naive::Board::start(geometry.into(), start);
                for depth in 0..=5 {
                    assert_eq!(
                        perft(geometry, fast, depth),
                        naive::perft(&slow, depth),
                        "{geometry} {start} depth {depth}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_tree_counted_beyond_its_end_keeps_its_games() {
    for (width, height) in [(3, 3), (3, 4), (4, 3), (3, 5)] {
        let geometry = Geometry::new(width, height).unwrap();
        for start in Start::ALL {
            let games = naive::perft(&naive::Board::start(geometry.into(), start), 30);
            assert!(games > 1, "{geometry} {start}");
            assert_eq!(
                perft(geometry, Board::start(geometry, start).position(), 30),
                games,
                "{geometry} {start}"
            );
        }
    }
}
