//! Problem files are read as they are written, and what is none is refused with its line.

use crate::common::{self, data};
use proptest::prelude::*;
use reversi::formats::obf;
use reversi::rules::{Board, Geometry, Goal, Scoring};

#[test]
fn the_published_problem_files_are_read() {
    let files = [
        ("6x6-normal.obf", Goal::Normal, Scoring::Raw, Geometry::SIX, 800),
        ("6x6-reversed.obf", Goal::Reversed, Scoring::Raw, Geometry::SIX, 800),
        ("ffo-40-59.obf", Goal::Normal, Scoring::Winner, Geometry::EIGHT, 20),
    ];
    for (name, goal, scoring, geometry, count) in files {
        let file: obf::File = data(name).parse().unwrap();
        assert_eq!((file.goal, file.scoring), (Some(goal), Some(scoring)), "{name}");
        assert_eq!(file.records.len(), count, "{name}");
        for record in &file.records {
            assert_eq!(record.board.geometry, geometry, "{name} line {}", record.line);
            assert!(record.best_score().is_some(), "{name} line {}", record.line);
            assert_eq!(record.best_moves().count(), record.moves.len(), "{name} lists best moves only");
        }
    }
}

#[test]
fn writing_gives_back_the_lines_that_were_read() {
    for name in ["6x6-normal.obf", "6x6-reversed.obf", "ffo-40-59.obf"] {
        let text = data(name);
        let is_remark = |line: &&str| line.starts_with("% ") && !line.starts_with("% goal=");
        let expected: Vec<&str> = text.lines().filter(|line| !is_remark(line)).collect();
        let written = text.parse::<obf::File>().unwrap().to_string();
        assert_eq!(written.lines().collect::<Vec<_>>(), expected, "{name}");
    }
}

#[test]
fn a_comment_of_two_lines_cannot_break_the_file() {
    let mut file: obf::File = "-----OX--XO----- X; -8; % the start".parse().unwrap();
    file.records[0].comment = Some("one\ntwo".to_owned());
    let read: obf::File = file.to_string().parse().unwrap();
    assert_eq!(read.records[0].comment.as_deref(), Some("one two"));
    assert_eq!("-----OX--XO----- X".parse::<Board>(), Ok(read.records[0].board));
}

#[test]
fn what_is_no_problem_file_is_refused_with_line_and_reason() {
    for case in common::records(&data("obf-invalid.txt")) {
        let (text, expected) = case.split_once(" => ").expect(case);
        let error = obf::parse(&text.replace("\\n", "\n"), None).expect_err(case);
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

/// Positions of 4x4 with scored moves: any discs, the legal moves with made-up scores.
fn records() -> impl Strategy<Value = obf::Record> {
    let cells = prop::collection::vec(0..3u8, 16);
    (cells, prop::bool::ANY, prop::collection::vec(-16..=16i32, 16), prop::option::of("[a-z ]*[a-z]"))
        .prop_map(|(cells, black, scores, comment)| {
            let symbol = |&cell: &u8| ['-', 'X', 'O'][cell as usize];
            let text: String = cells.iter().map(symbol).chain([if black { 'X' } else { 'O' }]).collect();
            let board: Board = reversi::rules::notation::parse_board(None, &text).unwrap();
            let moves = board.position().children(board.geometry);
            let score = moves.is_empty().then(|| reversi::rules::Score::new(scores[0]));
            let scored =
                moves.iter().zip(scores).map(|(&(mv, _), discs)| (mv, reversi::rules::Score::new(discs)));
            let comment = comment.map(|text| text.trim().to_owned());
            obf::Record { line: 1, board, moves: scored.collect(), score, comment }
        })
}

proptest! {
    #[test]
    fn a_written_record_reads_as_itself(record in records()) {
        let file: obf::File = record.to_string().parse().unwrap();
        prop_assert_eq!(&file.records[0], &record);
    }

    #[test]
    fn no_text_is_too_strange(text in "\\PC*") {
        let _ = text.parse::<obf::File>();
    }

    #[test]
    fn no_record_is_too_strange(text in "[-XO]{15,17} ?[XO]; ?(([a-e][0-9]|pa|PS):?[-+]?[0-9]{0,3};? ?|%|=|é){0,6}") {
        let _ = text.parse::<obf::File>();
    }
}
