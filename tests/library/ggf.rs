//! GGF games are read as servers and programs write them, and written so that they read as themselves.

use crate::common::{self, data};
use proptest::prelude::*;
use reversi::engine::{Game, GameBoard, GameMove, GameSetup};
use reversi::formats::ggf::{self, Record};
use reversi::rules::{Color, Goal, Passing, Rules, Scoring, Start, naive};

/// As a record's game was played, but for passing.
fn setup_of(record: &Record, passing: Passing) -> GameSetup {
    GameSetup { goal: record.goal, passing, ..GameSetup::new(record.first_board().size()) }
}

/// A record's game as it was played.
fn played(record: &Record) -> Game {
    record.game(setup_of(record, Passing::Allowed)).unwrap()
}

#[test]
fn several_games_of_one_file_are_read() {
    let games = ggf::parse(&data("games.ggf")).unwrap();
    assert_eq!(games.len(), 3);

    let server = &games[0];
    assert_eq!((server.black.as_str(), server.white.as_str()), ("Saio1200", "Saio3000"));
    assert_eq!((server.goal, server.result), (Goal::Normal, None));
    assert_eq!(played(server).transcript(), "d3c5e6f5f6");
    let notes: Vec<_> = server.moves().iter().map(|note| (note.eval, note.seconds)).collect();
    let seconds = (None, Some(0.01));
    assert_eq!(notes, [seconds, seconds, (Some(-2.0), None), (Some(1.5), Some(62.5)), (None, None)]);

    assert_eq!(games[1].goal, Goal::Reversed);
    assert_eq!(games[1].first_board().size().to_string(), "4x4");

    let set_up = &games[2];
    assert_eq!(set_up.first_board().to_move(), Color::White);
    assert_eq!(set_up.result, Some(3.0));
    assert_eq!(played(set_up).transcript(), "pac1", "White's pass was left out");
}

#[test]
fn what_is_no_game_record_is_refused_with_the_reason() {
    for case in common::records(&data("ggf-invalid.txt")) {
        let (text, expected) = case.split_once(" => ").expect(case);
        // Of a text without any game only who wants one complains.
        let error = ggf::parse(text).and_then(|_| text.parse::<Record>()).expect_err(case);
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

#[test]
fn the_result_counts_blacks_discs_under_both_goals() {
    for goal in Goal::ALL {
        let first = naive::Board::parse(None, "XXX- ---- ---- ---- O").unwrap();
        let game = Game::new(first.into(), Rules::new(goal, Scoring::Winner), Passing::Allowed);
        let record = Record::new(&game);
        assert_eq!(record.result, Some(16.0), "{goal}");
        assert!(record.to_string().ends_with("RE[+16.000];)"), "{record}");
    }
}

#[test]
fn a_forfeit_counts_all_squares_from_blacks_view() {
    for (goal, loser, end) in [
        (Goal::Normal, Color::Black, "RE[-16.000:t];)"),
        (Goal::Normal, Color::White, "RE[+16.000:t];)"),
        (Goal::Reversed, Color::Black, "RE[+16.000:t];)"),
        (Goal::Reversed, Color::White, "RE[-16.000:t];)"),
    ] {
        let first = GameBoard::start("4x4".parse().unwrap(), Start::Diagonal);
        let mut record = Record::new(&Game::new(first, Rules::new(goal, Scoring::Raw), Passing::Allowed));
        record.forfeit(loser, 't');
        assert!(record.to_string().ends_with(end), "{record}");
        assert_eq!(record.to_string().parse(), Ok(record));
    }
}

#[test]
fn where_games_end_without_passing_a_record_may_not_go_on() {
    let record: Record = "(;GM[Othello]BO[4 XO-- ---- ---- ---- O]W[PA]B[c1];)".parse().unwrap();
    assert_eq!(played(&record).moves().len(), 2);
    assert!(record.game(setup_of(&record, Passing::EndsGame)).is_err());
}

#[test]
fn passes_after_the_end_are_dropped() {
    let record: Record = "(;GM[Othello]BO[4 XXX- ---- ---- ---- O]W[PA]B[PA];)".parse().unwrap();
    assert_eq!(record.moves(), []);
}

#[test]
fn brackets_in_names_cannot_break_the_record() {
    let mut record: Record = "(;GM[Othello]TY[4];)".parse().unwrap();
    record.black = "a [b];)\nc".to_owned();
    let read: Record = record.to_string().parse().unwrap();
    assert_eq!(read.black, "a (b);) c");
}

#[test]
fn numbers_that_cannot_be_written_are_left_out() {
    let mut record: Record = "(;GM[Othello]TY[4]B[b1]W[a1];)".parse().unwrap();
    record.annotate(0, Some(f64::NAN), Some(f64::INFINITY));
    record.annotate(1, Some(f64::INFINITY), Some(1.0));
    record.result = Some(f64::NAN);
    assert!(record.to_string().ends_with("B[b1]W[a1//1.00]RE[?];)"), "{record}");
}

/// A game of moves chosen by numbers, on boards up to 24x24.
fn records() -> impl Strategy<Value = Record> {
    let sizes = prop_oneof![Just((4, 4)), Just((3, 7)), Just((8, 8)), Just((10, 10)), Just((24, 24))];
    let note = (prop::option::of(-6400..6400i32), prop::option::of(0..100_000u32));
    let moves = prop::collection::vec((any::<prop::sample::Index>(), note), 0..40);
    (sizes, any::<bool>(), moves, "[ -Z^-~]{0,9}").prop_map(|((width, height), anti, moves, name)| {
        let goal = if anti { Goal::Reversed } else { Goal::Normal };
        let size = naive::Size::new(width, height).unwrap();
        let first = GameBoard::from(naive::Board::start(size, Start::Parallel));
        let mut game = Game::new(first, Rules::new(goal, Scoring::Raw), Passing::Allowed);
        let mut notes = Vec::new();
        for (index, note) in moves {
            let legal: Vec<GameMove> = game.legal_moves();
            if !legal.is_empty() {
                game.play(legal[index.index(legal.len())]).unwrap();
                notes.push(note);
            }
        }
        let mut record = Record::new(&game);
        for (index, (eval, seconds)) in notes.into_iter().enumerate() {
            let hundredths = |number: f64| number / 100.0;
            record.annotate(
                index,
                eval.map(|eval| hundredths(eval.into())),
                seconds.map(|seconds| hundredths(seconds.into())),
            );
        }
        record.black = name.trim().to_owned();
        record
    })
}

proptest! {
    #[test]
    fn a_written_game_reads_as_itself(record in records()) {
        let read: Record = record.to_string().parse().unwrap();
        prop_assert_eq!(read, record);
    }

    #[test]
    fn no_text_is_too_strange(text in "\\PC*") {
        let _ = ggf::parse(&text);
    }

    #[test]
    fn no_record_is_too_strange(text in "(\\(;|;\\)|GM\\[Othello\\]|TY\\[[48a]{0,2}\\]|BO\\[4 [-*O]{15,17} [*O]?\\]|[BW]\\[[a-e][1-5](/[0-9.:-]{0,4}){0,3}\\]|\\[|\\]|é){0,12}") {
        let _ = ggf::parse(&text);
    }
}
