//! Small boards solved by enumeration, against known counts and values and a slow obvious twin.

use crate::common;
use reversi::build::enumerate::{EnumerateError, Limits, Reachable, expected_positions, layers};
use reversi::rules::{Board, Geometry, Move, Position, Rules, Score, Start, symmetry};
use reversi::search::Stop;
use reversi::table::{RawEntry, key};
use std::collections::{BTreeMap, HashMap, HashSet};

const MEMORY: u64 = 1 << 30;

fn start_of(geometry: Geometry, start: Start) -> Position {
    Board::start(geometry, start).position()
}

fn reachable(geometry: Geometry, start: Start) -> Reachable {
    let roots = [start_of(geometry, start)];
    Reachable::from_roots(geometry, &roots, MEMORY, &Stop::never(), |_, _| {}).unwrap()
}

#[test]
fn there_are_as_many_positions_as_known() {
    let mut known: HashMap<(Geometry, Start), BTreeMap<u32, usize>> = HashMap::new();
    for line in common::records(include_str!("../data/reachable.txt")) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let board = (fields[0].parse().unwrap(), fields[1].parse().unwrap());
        known.entry(board).or_default().insert(fields[2].parse().unwrap(), fields[3].parse().unwrap());
    }
    assert_eq!(known.len(), 3);
    for ((geometry, start), counts) in known {
        let limits = Limits { discs: *counts.keys().last().unwrap(), memory: MEMORY };
        let mut reported = BTreeMap::new();
        let found =
            layers(geometry, &[start_of(geometry, start)], limits, &Stop::never(), |discs, positions| {
                reported.insert(discs, positions);
            })
            .unwrap();
        assert_eq!(reported, counts, "{geometry} {start}");
        for (discs, count) in counts {
            assert_eq!(found[discs as usize].len(), count, "{geometry} {start} {discs} discs");
        }
    }
}

#[test]
fn the_positions_of_4x4_divide_as_known() {
    let reachable = reachable(Geometry::FOUR, Start::Diagonal);
    let solved = reachable.solve(&[Rules::default()], &Stop::never(), |_| ()).unwrap();
    let with_best =
        |wanted: fn(u8) -> bool| solved.entries(Rules::default()).filter(|entry| wanted(entry.best)).count();
    assert_eq!(with_best(|best| best < 16), 9830, "with a move");
    assert_eq!(with_best(|best| best == RawEntry::PASS), 1664, "that must pass");
    assert_eq!(with_best(|best| best == RawEntry::NO_MOVE), 857, "finished");
}

/// Everything reachable, not turned, with its score: by plain recursion.
fn plain_solve(
    geometry: Geometry,
    rules: Rules,
    position: Position,
    known: &mut HashMap<Position, Score>,
) -> Score {
    if let Some(&score) = known.get(&position) {
        return score;
    }
    let children = position.children(geometry).into_iter();
    let best = children.map(|(_, child)| -plain_solve(geometry, rules, child, known)).max();
    let score = best.unwrap_or_else(|| position.final_score(geometry, rules));
    known.insert(position, score);
    score
}

/// The entry that a position must have, from the scores of all positions.
fn expected_entry(geometry: Geometry, form: Position, known: &HashMap<Position, Score>) -> RawEntry {
    let score = known[&form];
    let optimal = form.children(geometry).into_iter().filter(|(_, child)| -known[child] == score);
    let places = optimal.map(|(mv, _)| match mv {
        Move::Play(square) => geometry.row_major(square) as u8,
        Move::Pass => RawEntry::PASS,
    });
    RawEntry {
        key: key::pack(geometry, form),
        score: score.discs() as i8,
        best: places.min().unwrap_or(RawEntry::NO_MOVE),
    }
}

#[test]
fn every_entry_agrees_with_plain_recursion() {
    for (width, height) in [(3, 3), (3, 4), (4, 3), (3, 5), (5, 3), (4, 4)] {
        let geometry = Geometry::new(width, height).unwrap();
        for (start, rules) in Start::ALL.into_iter().flat_map(|start| Rules::ALL.map(|rules| (start, rules)))
        {
            let mut known = HashMap::new();
            plain_solve(geometry, rules, start_of(geometry, start), &mut known);
            if (geometry, start) == (Geometry::FOUR, Start::Diagonal) {
                assert_eq!(known.len(), 58_533, "positions before symmetry");
            }
            // The twin knows no symmetry: of an entry it may have met other images only.
            let seen: Vec<(Position, Score)> =
                known.iter().map(|(&position, &score)| (position, score)).collect();
            for (position, score) in seen {
                for turn in reversi::rules::Symmetry::all(geometry) {
                    known.insert(turn.apply(geometry, position), score);
                }
            }
            let forms: HashSet<Position> =
                known.keys().map(|&p| symmetry::canonical(geometry, p).0).collect();
            let mut expected: Vec<RawEntry> =
                forms.into_iter().map(|form| expected_entry(geometry, form, &known)).collect();
            let discs = |entry: &RawEntry| key::unpack(geometry, entry.key).unwrap().disc_count();
            expected.sort_by_key(|entry| (discs(entry), entry.key));
            let reachable = reachable(geometry, start);
            let solved = reachable.solve(&Rules::ALL, &Stop::never(), |_| ()).unwrap();
            let found: Vec<RawEntry> = solved.entries(rules).collect();
            assert_eq!(found.len(), expected.len(), "{geometry} {start} {rules}");
            for (found, expected) in found.into_iter().zip(expected) {
                assert_eq!(found, expected, "{geometry} {start} {rules}");
            }
        }
    }
}

/// The keys of 5x8 take all 64 bits.
#[test]
fn the_end_of_a_game_on_the_largest_board_agrees_with_plain_recursion() {
    let geometry = Geometry::new(5, 8).unwrap();
    let late = |seed: usize| {
        let mut position = start_of(geometry, Start::Diagonal);
        while position.empty_count(geometry) > 7 {
            let children = position.children(geometry);
            position = children.get(seed % children.len().max(1))?.1;
        }
        Some(position)
    };
    let is_long = |root: &Position| key::canonical(geometry, *root).0 >> 63 != 0;
    let root = (0..100).filter_map(late).find(is_long).unwrap();
    let reachable = Reachable::from_roots(geometry, &[root], MEMORY, &Stop::never(), |_, _| {}).unwrap();
    let solved = reachable.solve(&Rules::ALL, &Stop::never(), |_| ()).unwrap();
    for rules in Rules::ALL {
        let mut known = HashMap::new();
        plain_solve(geometry, rules, root, &mut known);
        let scores: HashMap<u64, i8> = solved.entries(rules).map(|entry| (entry.key, entry.score)).collect();
        for (position, score) in known {
            let key = key::canonical(geometry, position).0;
            assert_eq!(i32::from(scores[&key]), score.discs(), "{rules} {position:?}");
        }
    }
}

#[test]
fn too_little_memory_and_a_stop_end_it() {
    let geometry = Geometry::new(4, 5).unwrap();
    let roots = [start_of(geometry, Start::Diagonal)];
    let error = Reachable::from_roots(geometry, &roots, 10_000, &Stop::never(), |_, _| {}).unwrap_err();
    assert!(matches!(error, EnumerateError::Memory { memory: 10_000, .. }), "{error}");
    let stop = Stop::never();
    let error = Reachable::from_roots(geometry, &roots, MEMORY, &stop, |discs, _| {
        if discs == 9 {
            stop.set();
        }
    });
    assert!(matches!(error.unwrap_err(), EnumerateError::Stopped));
    let reachable = reachable(Geometry::FOUR, Start::Diagonal);
    assert!(reachable.solve(&Rules::ALL, &stop, |_| ()).is_none());
}

#[test]
fn boards_without_keys_are_refused() {
    let limits = Limits { discs: 6, memory: MEMORY };
    let roots = [start_of(Geometry::EIGHT, Start::Diagonal)];
    let error = layers(Geometry::EIGHT, &roots, limits, &Stop::never(), |_, _| {}).unwrap_err();
    assert!(error.to_string().contains("too large for a table"), "{error}");
}

#[test]
fn the_number_of_positions_is_foreseen() {
    for size in ["3x3", "3x4", "4x3", "3x6", "4x4", "5x3", "6x3", "7x3", "8x3"] {
        let geometry: Geometry = size.parse().unwrap();
        for start in Start::ALL.into_iter().filter(|&start| size != "8x3" || start == Start::Parallel) {
            let counted: u64 = reachable(geometry, start).counts().into_iter().sum();
            let foreseen = expected_positions(geometry, start);
            assert_eq!(foreseen, counted as f64, "{size} {start}");
        }
    }
}
