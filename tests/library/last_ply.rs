//! Best moves of the last ply of a prefix: found at any number of threads, taken over, stored in part or whole, and checked.

use crate::common::region::{self, failures, truth};
use reversi::build::import::{contradiction, known_values_of, scores_after_moves};
use reversi::build::last_ply::{FoundMove, MissingMoves, Moves, with_moves};
use reversi::rules::{Board, Geometry, Goal, Rules, Scoring, Start};
use reversi::search::{Sizing, Solver, SolverOptions, Stop};
use reversi::table::{Contents, RawEntry, Region, Table, key, to_bytes};
use reversi::verify::{Report, Sample, Verdict, verify};

const FOUR: Geometry = Geometry::FOUR;

fn contents(rules: Rules, prefix: u8) -> Contents {
    let roots = vec![Board::start(FOUR, Start::Diagonal).position()];
    Contents { geometry: FOUR, rules, roots, region: Region::SemiStrong { prefix, down_to: 7 } }
}

/// As a build makes it.
fn built(rules: Rules, prefix: u8) -> Table {
    let contents = contents(rules, prefix);
    let entries = region::entries(&contents, &truth(Start::Diagonal, rules));
    Table::from_vec(to_bytes(contents, entries).unwrap()).unwrap()
}

fn filled(table: &Table, moves: &Moves) -> Table {
    let entries: Vec<RawEntry> = with_moves(table, moves).map(Result::unwrap).collect();
    Table::from_vec(to_bytes(table.header().contents.clone(), entries).unwrap()).unwrap()
}

fn found(table: &Table, threads: usize) -> Moves {
    let options = SolverOptions { memory_bytes: 1 << 16, threads: 1, sizing: Sizing::Whole };
    let solver = Solver::new(FOUR, table.rules(), options).unwrap();
    let mut moves = Moves::new();
    let each = |found: Option<_>| {
        moves.extend(found.map(|found: FoundMove| (found.key, found.best)));
    };
    MissingMoves::of(table).unwrap().find(&solver, threads, &Stop::never(), each).unwrap();
    moves
}

fn verified(table: &Table) -> Report {
    verify(table.raw(), Sample { entries: usize::MAX, ..Sample::default() }, |_| {})
}

#[test]
fn the_missing_moves_are_the_canonical_best_at_any_number_of_threads() {
    for rules in Rules::ALL {
        let truth = truth(Start::Diagonal, rules);
        for prefix in [0, 1, 4, 6] {
            let table = built(rules, prefix);
            let (one, several) = (found(&table, 1), found(&table, 3));
            assert_eq!(one, several);
            assert_eq!(one.len(), MissingMoves::of(&table).unwrap().len());
            assert!(one.iter().all(|(key, best)| truth[key].best == *best));
            let full = filled(&table, &one);
            assert!(MissingMoves::of(&full).unwrap().is_empty());
            let plies = |entry: &RawEntry| key::unpack(FOUR, entry.key).unwrap().disc_count() - 4;
            let of_prefix =
                full.raw_entries().map(Result::unwrap).filter(|entry| plies(entry) <= prefix.into());
            of_prefix.for_each(|entry| assert_eq!(entry, truth[&entry.key]));
            let report = verified(&full);
            assert_eq!(report.verdict(), Verdict::Sound, "{rules} {prefix}: {report:?}");
        }
    }
}

#[test]
fn the_moves_give_scores_beyond_the_table() {
    for rules in Rules::ALL {
        let truth = truth(Start::Diagonal, rules);
        let table = built(rules, 4);
        let after = |table: &Table| scores_after_moves(table, &known_values_of(table).unwrap()).unwrap();
        assert!(after(&table).is_empty(), "no move of the last ply");
        let full = filled(&table, &found(&table, 1));
        let beyond = after(&full);
        assert!(beyond.len() > 10, "{rules}: {}", beyond.len());
        for known in beyond {
            assert!(table.probe(key::unpack(FOUR, known.key).unwrap()).unwrap().is_none());
            assert_eq!((known.score, known.best), (truth[&known.key].score, RawEntry::NO_MOVE), "{rules}");
        }
    }
}

#[test]
fn a_table_with_some_of_the_moves_is_sound_and_lacks_the_others() {
    let table = built(Rules::default(), 6);
    let mut moves = found(&table, 1);
    let all = moves.len();
    assert!(all > 100, "{all}");
    moves.retain(|key, _| key % 2 == 0);
    let part = filled(&table, &moves);
    assert_eq!(verified(&part).verdict(), Verdict::Sound);
    let mut missing = MissingMoves::of(&part).unwrap();
    assert_eq!(missing.len(), all - moves.len());
    let full = filled(&table, &found(&table, 1));
    let taken = missing.take_over(&full).unwrap();
    assert!(missing.is_empty() && taken.len() == all - moves.len());
    assert!(filled(&part, &taken).bytes().unwrap() == full.bytes().unwrap());
    // A table of other rules has other scores: what it knows is no help where these differ.
    let mut missing = MissingMoves::of(&table).unwrap();
    let other = built(Rules::new(Goal::Reversed, Scoring::Raw), 6);
    let taken = missing.take_over(&filled(&other, &found(&other, 1))).unwrap();
    assert_eq!(missing.len() + taken.len(), all);
    assert!(!missing.is_empty());
}

/// The last ply's entries that have a choice, each with all moves but the stored one.
fn wrong_moves(table: &Table, moves: &Moves) -> Vec<(u64, u8)> {
    let mut wrong = Vec::new();
    for (&key, &best) in moves {
        let legal = key::unpack(table.geometry(), key).unwrap().legal_moves(FOUR);
        let squares = FOUR.squares().filter(|square| legal & square.bit() != 0);
        let others = squares.map(|square| FOUR.row_major(square) as u8).filter(|&place| place != best);
        wrong.extend(others.map(|other| (key, other)));
    }
    wrong.sort_unstable();
    wrong
}

#[test]
fn the_verifier_finds_every_wrong_move_of_the_last_ply() {
    let table = built(Rules::default(), 5);
    let moves = found(&table, 1);
    let wrong = wrong_moves(&table, &moves);
    assert!(wrong.len() > 100, "{}", wrong.len());
    for &(key, other) in wrong.iter().step_by(7) {
        let mut spoilt = moves.clone();
        spoilt.insert(key, other);
        let report = verified(&filled(&table, &spoilt));
        assert_eq!(report.verdict(), Verdict::Wrong, "{key} {other}");
        let failed = failures(&report);
        assert!(failed.iter().all(|name| ["moves", "sample"].contains(name)), "{failed:?}");
    }
    // A square that is not empty.
    let key = *moves.keys().min().unwrap();
    let form = key::unpack(FOUR, key).unwrap();
    let taken = FOUR.squares().find(|square| form.discs() & square.bit() != 0).unwrap();
    let mut spoilt = moves.clone();
    spoilt.insert(key, FOUR.row_major(taken) as u8);
    assert!(failures(&verified(&filled(&table, &spoilt))).contains(&"moves"));
    spoilt.insert(key, RawEntry::PASS);
    assert!(failures(&verified(&filled(&table, &spoilt))).contains(&"moves"));
}

#[test]
fn a_table_with_such_moves_is_a_valid_start_for_a_build() {
    for prefix in [3, 5] {
        let table = built(Rules::default(), prefix);
        let full = filled(&table, &found(&table, 1));
        let known = known_values_of(&full).unwrap();
        assert_eq!(contradiction(&full, &known).unwrap(), None);
    }
}

#[test]
fn a_complete_table_lacks_nothing() {
    let rules = Rules::default();
    let table = reversi::table::library::built_in(FOUR, rules, Start::Diagonal).unwrap();
    assert!(MissingMoves::of(&table).unwrap().is_empty());
}

#[test]
fn a_stopped_search_keeps_nothing_and_says_so() {
    let table = built(Rules::default(), 4);
    let solver =
        Solver::new(FOUR, table.rules(), SolverOptions { memory_bytes: 1 << 16, ..Default::default() });
    let stop = Stop::never();
    stop.set();
    let mut told = 0;
    let done = MissingMoves::of(&table).unwrap().find(&solver.unwrap(), 2, &stop, |found| {
        told += usize::from(found.is_some());
    });
    assert_eq!((done, told), (None, 0));
}
