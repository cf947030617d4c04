//! The oracle's answers against plain minimax, with a whole table, with a part of one, and with none.

use reversi::oracle::{Answer, LineEnd, Oracle, OracleError, Source};
use reversi::rules::{Board, Color, Geometry, Move, Position, Rules, Score, Start, notation};
use reversi::search::{SolverOptions, Stop, reference::minimax};
use reversi::table::library::{self, OpenedTable, Source as Origin};
use reversi::table::{Contents, RawEntry, Region, Table, key, to_bytes};
use std::collections::HashMap;

const FOUR: Geometry = Geometry::FOUR;

fn options() -> SolverOptions {
    SolverOptions { memory_bytes: 1 << 20, threads: 1, ..SolverOptions::default() }
}

fn with_tables(rules: Rules, tables: Vec<Table>) -> Oracle {
    let found = tables.into_iter().map(|table| OpenedTable { table, source: Origin::BuiltIn }).collect();
    Oracle::new(FOUR, rules, found, options())
}

fn shipped(rules: Rules, start: Start) -> Table {
    library::built_in(FOUR, rules, start).expect("4x4 is part of the program")
}

fn entries(rules: Rules) -> Vec<RawEntry> {
    shipped(rules, Start::Diagonal).raw_entries().map(Result::unwrap).collect()
}

fn position(entry: &RawEntry) -> Position {
    key::unpack(FOUR, entry.key).unwrap()
}

fn start() -> Position {
    Board::start(FOUR, Start::Diagonal).position()
}

/// A table that is only known down to some number of empty squares, without moves in its last layer.
fn cut_off(rules: Rules, down_to: u32, spoil: impl Fn(&mut RawEntry)) -> Table {
    let mut entries = entries(rules);
    entries.retain(|entry| position(entry).empty_count(FOUR) >= down_to);
    for entry in &mut entries {
        if position(entry).empty_count(FOUR) == down_to {
            entry.best = RawEntry::NO_MOVE;
        }
        spoil(entry);
    }
    let region = Region::SemiStrong { prefix: (12 - down_to) as u8, down_to: 12 };
    let contents = Contents { geometry: FOUR, rules, roots: vec![start()], region };
    Table::from_vec(to_bytes(contents, entries).unwrap()).unwrap()
}

/// Everything in the answer is what plain minimax says, and the line is perfect play.
fn assert_right(answer: &Answer, rules: Rules, position: Position) {
    let board = Board::from_position(FOUR, position, Color::Black);
    let mut expected = minimax::move_scores(FOUR, rules, position);
    let mut said: Vec<_> = answer.moves.iter().map(|scored| (scored.mv, scored.score)).collect();
    assert!(answer.moves.is_sorted_by_key(|scored| -scored.score), "best first: {board} {rules}");
    let place = |mv: &Move| match mv {
        Move::Play(square) => square.index(),
        Move::Pass => 0,
    };
    said.sort_by_key(|(mv, _)| place(mv));
    expected.sort_by_key(|(mv, _)| place(mv));
    assert_eq!(said, expected, "{board} {rules}");
    assert_eq!(answer.score, minimax::minimax(FOUR, rules, position), "{board} {rules}");
    assert_eq!(
        answer.best().collect::<Vec<_>>(),
        minimax::best_moves(FOUR, rules, position),
        "{board} {rules}"
    );

    let mut end = board;
    for &mv in &answer.line {
        end = end.after(mv).unwrap_or_else(|| panic!("{board} {rules}: {mv} in the line is not legal"));
    }
    assert_eq!(answer.line_complete, end.position().is_over(FOUR), "{board} {rules}");
    let at_the_end = minimax::minimax(FOUR, rules, end.position());
    let for_black = if end.to_move == Color::Black { at_the_end } else { -at_the_end };
    assert_eq!(for_black, answer.score, "{board} {rules}");
}

#[test]
fn what_the_table_holds_is_answered_as_by_minimax() {
    for rules in Rules::ALL {
        let oracle = with_tables(rules, vec![shipped(rules, Start::Diagonal)]);
        for entry in entries(rules).iter().skip(50).step_by(23) {
            let answer = oracle.answer(position(entry), LineEnd::OfTable, &Stop::never()).unwrap();
            assert_eq!(answer.source, Source::Table);
            assert!(answer.moves.iter().all(|scored| scored.source == Source::Table));
            assert!(answer.line_complete, "a complete table knows every line to its end");
            assert_right(&answer, rules, position(entry));
        }
    }
}

#[test]
fn every_image_of_a_position_gets_the_same_score() {
    let rules = Rules::default();
    let oracle = with_tables(rules, vec![shipped(rules, Start::Diagonal)]);
    for entry in entries(rules).iter().step_by(301) {
        for symmetry in reversi::rules::Symmetry::all(FOUR) {
            let turned = symmetry.apply(FOUR, position(entry));
            let value = oracle.value(turned, &Stop::never()).unwrap();
            assert_eq!((value.score.discs(), value.source), (entry.score.into(), Source::Table));
            assert_eq!(value.best.is_some(), !turned.is_over(FOUR));
            let best = minimax::best_moves(FOUR, rules, turned);
            assert!(value.best.is_none_or(|mv| best.contains(&mv)));
        }
    }
}

#[test]
fn what_no_game_reaches_is_searched() {
    let mut random = fastrand::Rng::with_seed(5);
    for round in 0..60 {
        let discs = random.u64(..) & FOUR.mask() | random.u64(..) & FOUR.mask();
        let player = random.u64(..) & discs;
        let position = Position::new(player, discs & !player);
        for rules in Rules::ALL {
            let oracle = with_tables(rules, vec![shipped(rules, Start::Diagonal)]);
            let answer = oracle.answer(position, LineEnd::OfTable, &Stop::never()).unwrap();
            assert_right(&answer, rules, position);
            if oracle.probe(position).unwrap().is_none() {
                assert!(answer.line_complete, "round {round}: a searched line goes to the end of the game");
            }
        }
    }
}

#[test]
fn the_second_table_answers_what_the_first_lacks() {
    let rules = Rules::default();
    let oracle = with_tables(rules, vec![shipped(rules, Start::Diagonal), shipped(rules, Start::Parallel)]);
    for start in Start::ALL {
        let value = oracle.value(Board::start(FOUR, start).position(), &Stop::never()).unwrap();
        assert_eq!(value.source, Source::Table, "{start}");
    }
}

#[test]
fn the_line_ends_where_the_table_ends_unless_asked_to_go_on() {
    for rules in Rules::ALL {
        let oracle = with_tables(rules, vec![cut_off(rules, 9, |_| {})]);
        let short = oracle.answer(start(), LineEnd::OfTable, &Stop::never()).unwrap();
        assert_eq!(
            (short.line.len(), short.line_complete),
            (3, false),
            "{rules}: three plies are in the table"
        );
        assert_right(&short, rules, start());
        let full = oracle.answer(start(), LineEnd::OfGame, &Stop::never()).unwrap();
        assert!(full.line_complete && full.line.starts_with(&short.line), "{rules}");
        assert_right(&full, rules, start());
    }
}

#[test]
fn the_line_begins_with_the_stored_move() {
    let rules = Rules::default();
    let oracle = with_tables(rules, vec![shipped(rules, Start::Diagonal)]);
    let mut other_than_first = 0;
    for entry in entries(rules).iter().step_by(97) {
        for &symmetry in reversi::rules::Symmetry::all(FOUR) {
            let turned = symmetry.apply(FOUR, position(entry));
            let answer = oracle.answer(turned, LineEnd::OfTable, &Stop::never()).unwrap();
            let (_, stored) = oracle.probe(turned).unwrap().unwrap();
            assert_eq!(answer.line.first().copied(), stored.best);
            other_than_first += u32::from(stored.best != answer.best().next());
        }
    }
    assert!(
        other_than_first > 0,
        "some positions have several best moves, and the stored one is not the first"
    );
}

#[test]
fn the_edge_of_a_table_is_answered_by_both() {
    for rules in Rules::ALL {
        let oracle = with_tables(rules, vec![cut_off(rules, 9, |_| {})]);
        let on_the_edge = entries(rules).into_iter().filter(|entry| position(entry).empty_count(FOUR) == 9);
        for entry in on_the_edge {
            let answer = oracle.answer(position(&entry), LineEnd::OfTable, &Stop::never()).unwrap();
            assert_eq!(answer.source, Source::Table, "{rules}");
            assert!(answer.moves.iter().all(|scored| scored.source == Source::Search), "{rules}");
            assert_right(&answer, rules, position(&entry));
            let value = oracle.value(position(&entry), &Stop::never()).unwrap();
            assert_eq!(value.source, Source::Table, "{rules}");
            assert!(minimax::best_moves(FOUR, rules, position(&entry)).contains(&value.best.unwrap()));
        }
    }
}

#[test]
fn a_table_that_contradicts_the_search_is_an_error_and_no_answer() {
    let rules = Rules::default();
    let wrong = |entry: &mut RawEntry| {
        if position(entry).empty_count(FOUR) == 9 {
            entry.score += 1;
        }
    };
    let oracle = with_tables(rules, vec![cut_off(rules, 9, wrong)]);
    let (_, board) = notation::replay(Board::start(FOUR, Start::Diagonal), "b1a1a2").unwrap();
    assert_eq!(board.position().empty_count(FOUR), 9);
    let error = oracle.answer(board.position(), LineEnd::OfTable, &Stop::never()).unwrap_err();
    assert!(matches!(error, OracleError::Contradiction { .. }), "{error}");
    assert!(error.to_string().starts_with("the table in the program itself: "), "{error}");
    let error = oracle.value(board.position(), &Stop::never()).unwrap_err();
    assert!(matches!(error, OracleError::Contradiction { .. }), "{error}");
}

/// A table of the whole board whose start has this move.
fn with_first_move(best: u8) -> Oracle {
    let rules = Rules::default();
    let first = key::canonical(FOUR, start()).0;
    let spoil = |entry: &mut RawEntry| {
        if entry.key == first {
            entry.best = best;
        }
    };
    with_tables(rules, vec![cut_off(rules, 9, spoil)])
}

#[test]
fn a_stored_move_that_is_not_legal_is_an_error_and_no_answer() {
    let legal = start().legal_moves(FOUR);
    let illegal = FOUR.squares().filter(|square| legal & square.bit() == 0);
    let mut tried = 0;
    for best in illegal.map(|square| FOUR.row_major(square) as u8).chain([RawEntry::PASS]) {
        let oracle = with_first_move(best);
        let answers = [
            oracle.answer(start(), LineEnd::OfTable, &Stop::never()).err(),
            oracle.value(start(), &Stop::never()).err(),
            oracle.probe(start()).err(),
        ];
        for error in answers {
            let error = error.expect("the table is wrong");
            assert!(matches!(error, OracleError::IllegalMove { .. }), "{best}: {error}");
            assert!(error.to_string().starts_with("the table in the program itself: "), "{error}");
        }
        tried += 1;
    }
    assert_eq!(tried, 16 - 4 + 1);
}

#[test]
fn a_stored_move_that_gives_something_away_is_an_error_and_no_answer() {
    let rules = Rules::default();
    let (replay, board) = notation::replay(Board::start(FOUR, Start::Diagonal), "b1").unwrap();
    assert_eq!(replay.len(), 1);
    let scores = minimax::move_scores(FOUR, rules, board.position());
    let worst = scores.iter().min_by_key(|scored| scored.1).unwrap();
    assert!(worst.1 < scores.iter().map(|scored| scored.1).max().unwrap());
    let Move::Play(square) = worst.0 else { panic!("it need not pass") };
    let (wanted, _, symmetry) = key::canonical(FOUR, board.position());
    let stored = FOUR.row_major(symmetry.apply_square(FOUR, square)) as u8;
    let spoil = |entry: &mut RawEntry| {
        if entry.key == wanted {
            entry.best = stored;
        }
    };
    let oracle = with_tables(rules, vec![cut_off(rules, 9, spoil)]);
    let at_the_move = oracle.answer(board.position(), LineEnd::OfTable, &Stop::never()).unwrap_err();
    let quickly = oracle.value(board.position(), &Stop::never()).unwrap_err();
    let on_the_way = oracle.answer(start(), LineEnd::OfTable, &Stop::never()).unwrap_err();
    for error in [at_the_move, quickly, on_the_way] {
        assert!(matches!(error, OracleError::Contradiction { .. }), "{error}");
    }
}

#[test]
#[should_panic(expected = "no position of a 4x4 board")]
fn positions_of_another_board_are_refused() {
    let other = Board::start(Geometry::EIGHT, Start::Diagonal).position();
    drop(with_tables(Rules::default(), Vec::new()).answer(other, LineEnd::OfGame, &Stop::never()));
}

#[test]
fn a_stopped_search_gives_no_answer() {
    let oracle = Oracle::new(Geometry::SIX, Rules::default(), Vec::new(), options());
    let stop = Stop::already();
    let start = Board::start(Geometry::SIX, Start::Diagonal).position();
    assert!(matches!(oracle.value(start, &stop), Err(OracleError::Stopped)));
    assert!(matches!(oracle.answer(start, LineEnd::OfTable, &stop), Err(OracleError::Stopped)));
}

#[test]
fn a_stop_takes_nothing_from_what_the_table_knows() {
    let rules = Rules::default();
    let oracle = with_tables(rules, vec![cut_off(rules, 9, |_| {})]);
    let stop = Stop::already();
    let answer = oracle.answer(start(), LineEnd::OfGame, &stop).unwrap();
    assert_eq!((answer.score.discs(), answer.moves.len()), (-8, 4));
    assert!(!answer.line_complete, "the rest of the line would have to be searched");
}

#[test]
fn moves_that_a_table_lacks_follow_from_its_scores_without_a_search() {
    for rules in Rules::ALL {
        let leave_scores = |entry: &mut RawEntry| {
            if position(entry).empty_count(FOUR) < 10 {
                entry.best = RawEntry::NO_MOVE;
            }
        };
        let oracle = with_tables(rules, vec![cut_off(rules, 6, leave_scores)]);
        let stop = Stop::already();
        for entry in entries(rules).iter().filter(|entry| position(entry).empty_count(FOUR) > 6) {
            let (position, best) = (position(entry), oracle.value(position(entry), &stop).unwrap().best);
            assert!(
                minimax::best_moves(FOUR, rules, position).contains(&best.unwrap()),
                "{position:?} {rules}"
            );
            let answer = oracle.answer(position, LineEnd::OfTable, &stop).unwrap();
            assert_right(&answer, rules, position);
        }
    }
}

#[test]
fn a_score_that_stands_in_a_table_needs_no_search_for_a_move() {
    let rules = Rules::default();
    let oracle = with_tables(rules, vec![cut_off(rules, 9, |_| {})]);
    let stop = Stop::already();
    let last = entries(rules).into_iter().filter(|entry| position(entry).empty_count(FOUR) == 9);
    let mut without_move = 0;
    for entry in last {
        let score = oracle.score(position(&entry), &stop).unwrap();
        assert_eq!(score, (Score::new(entry.score.into()), Source::Table));
        without_move += u32::from(matches!(oracle.value(position(&entry), &stop), Err(OracleError::Stopped)));
    }
    assert!(without_move > 10, "a move of {without_move} has to be searched");
    let searched = oracle.score(position(&entries(rules)[9_000]), &Stop::never()).unwrap();
    assert_eq!(searched, (Score::new(entries(rules)[9_000].score.into()), Source::Search));
}

/// With stored moves in the last layer a score is still compared with those of the moves, the stored one included.
#[test]
fn the_full_answer_finds_a_wrong_score_of_the_last_layer() {
    let rules = Rules::default();
    for wrong in [-1, 1, 4] {
        let fill = known_moves(rules);
        let is_wrong = |entry: &RawEntry| position(entry).empty_count(FOUR) == 9 && entry.score.abs() <= 12;
        let spoil = |entry: &mut RawEntry| {
            fill(entry);
            if is_wrong(entry) {
                entry.score += wrong;
            }
        };
        let oracle = with_tables(rules, vec![cut_off(rules, 9, spoil)]);
        for entry in entries(rules).iter().filter(|entry| is_wrong(entry)) {
            let error = oracle.answer(position(entry), LineEnd::OfTable, &Stop::never()).unwrap_err();
            assert!(matches!(error, OracleError::Contradiction { .. }), "{wrong}: {error}");
        }
    }
}

/// The best move of each entry of a whole table.
fn known_moves(rules: Rules) -> impl Fn(&mut RawEntry) {
    let best: HashMap<u64, u8> = entries(rules).iter().map(|entry| (entry.key, entry.best)).collect();
    move |entry| entry.best = best[&entry.key]
}

#[test]
fn one_move_beyond_a_table_its_entries_bound_the_score_and_its_moves_give_it() {
    for rules in Rules::ALL {
        let oracle = with_tables(rules, vec![cut_off(rules, 9, known_moves(rules))]);
        let (mut known, mut all) = (0, 0);
        for entry in entries(rules).iter().filter(|entry| position(entry).empty_count(FOUR) == 8) {
            let position = position(entry);
            let score = match oracle.score(position, &Stop::already()) {
                Ok((score, source)) => {
                    assert_eq!(source, Source::Table);
                    known += 1;
                    Some(score)
                }
                Err(OracleError::Stopped) => None,
                Err(error) => panic!("{error}"),
            };
            assert!(
                score.is_none_or(|score| score.discs() == i32::from(entry.score)),
                "{position:?} {rules}"
            );
            let value = oracle.value(position, &Stop::never()).unwrap();
            assert_eq!(value.score.discs(), i32::from(entry.score), "{position:?} {rules}");
            assert_eq!(value.source, if score.is_some() { Source::Table } else { Source::Search });
            let best = minimax::best_moves(FOUR, rules, position);
            assert!(value.best.map_or(best.is_empty(), |mv| best.contains(&mv)), "{position:?} {rules}");
            all += 1;
        }
        assert!(known > all / 10 && known < all / 2, "{known} of {all}");
    }
}

#[test]
fn a_table_that_contradicts_the_search_one_move_on_is_an_error_and_no_answer() {
    let rules = Rules::default();
    let fill = known_moves(rules);
    let too_low = |entry: &mut RawEntry| {
        fill(entry);
        if position(entry).empty_count(FOUR) == 9 {
            entry.score -= 1;
        }
    };
    let oracle = with_tables(rules, vec![cut_off(rules, 9, too_low)]);
    let (mut wrong, mut all) = (0, 0);
    for entry in entries(rules).iter().filter(|entry| position(entry).empty_count(FOUR) == 8) {
        match oracle.value(position(entry), &Stop::never()) {
            Ok(value) => assert_eq!(value.score.discs(), i32::from(entry.score)),
            Err(OracleError::Contradiction { .. }) => wrong += 1,
            Err(error) => panic!("{error}"),
        }
        all += 1;
    }
    assert!(wrong > all / 10, "{wrong} of {all}");
}

#[test]
fn a_move_of_the_last_ply_is_answered_without_a_search_where_it_is_known() {
    let rules = Rules::default();
    let all = with_tables(rules, vec![shipped(rules, Start::Diagonal)]);
    let without = with_tables(rules, vec![cut_off(rules, 6, |_| {})]);
    let known = entries(rules);
    let best = |key| known.iter().find(|entry: &&RawEntry| entry.key == key).unwrap().best;
    // In every second entry of the last ply.
    let table = cut_off(rules, 6, |entry| {
        if entry.best == RawEntry::NO_MOVE && entry.key % 2 == 0 {
            entry.best = best(entry.key);
        }
    });
    let with = with_tables(rules, vec![table]);
    let mut answered = 0;
    for entry in known.iter().filter(|entry| position(entry).empty_count(FOUR) == 6).step_by(3) {
        if position(entry).legal_moves(FOUR) == 0 {
            continue;
        }
        let nodes = with.nodes();
        let value = with.value(position(entry), &Stop::never()).unwrap();
        let full = all.value(position(entry), &Stop::never()).unwrap();
        assert_eq!(value.score, full.score);
        if entry.key % 2 == 0 {
            assert_eq!((value.best, value.best_source, with.nodes()), (full.best, Source::Table, nodes));
            answered += 1;
        }
        let searched = without.value(position(entry), &Stop::never()).unwrap();
        assert_eq!((searched.score, searched.best_source), (full.score, Source::Search));
    }
    assert!(answered > 20, "{answered}");
    assert!(without.nodes() > with.nodes() && all.nodes() == 0);
}

#[test]
fn the_next_question_of_a_game_rests_on_what_was_searched_before() {
    let six = Geometry::SIX;
    let rules = Rules::default();
    let board = notation::parse_board(None, "XX-----XX----XXXO-OOXOX---X-----X--- O").unwrap();
    let oracle = Oracle::new(six, rules, Vec::new(), options());
    let first = oracle.value(board.position(), &Stop::never()).unwrap();
    let before = oracle.nodes();
    let next = board.position().after(first.best.unwrap());
    assert_eq!(oracle.value(next, &Stop::never()).unwrap().score, -first.score);
    let spent = oracle.nodes() - before;
    assert!(100 * spent < before, "{spent} nodes after {before}");
}
