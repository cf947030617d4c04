//! What the program writes is read back the same, and no text makes the reader panic or hang.

use proptest::prelude::*;
use reversi_formats::ggf::Record;
use reversi_formats::text::{self, Kind, Reading};
use reversi_formats::wthor::{self, Names};
use reversi_formats::{decode, obf, pgn, sgf};
use reversi_rules::game::{Game, GameSetup};
use reversi_rules::{Board, Goal, Start, notation};

/// A game of random legal moves, from the usual start.
fn game(size: &str, goal: Goal, start: Start, choices: &[usize]) -> Game {
    let setup = GameSetup { goal, start, ..GameSetup::new(size.parse().unwrap()) };
    let mut game = setup.new_game();
    for choice in choices {
        let legal = game.legal_moves();
        if legal.is_empty() {
            break;
        }
        game.play(legal[choice % legal.len()]).unwrap();
    }
    game
}

fn same(read: &Reading, game: &Game, kind: Kind) {
    assert_eq!(read.kind, kind);
    assert_eq!(read.game.first_board(), game.first_board());
    assert_eq!(read.game.moves(), game.moves());
    assert_eq!(read.game.rules().goal, game.rules().goal);
}

fn usual() -> GameSetup {
    GameSetup::new("8x8".parse().unwrap())
}

fn sizes() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["8x8", "6x6", "4x4", "5x7", "10x10", "12x9"])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn games_are_read_back(
        size in sizes(),
        reversed: bool,
        parallel: bool,
        choices in prop::collection::vec(0..64usize, 0..70),
    ) {
        let goal = if reversed { Goal::Reversed } else { Goal::Normal };
        let start = if parallel { Start::Parallel } else { Start::Diagonal };
        let game = game(size, goal, start, &choices);
        let mut record = Record::new(&game);
        (record.black, record.white) = ("O'Brien \"x\" [1]".to_owned(), "b\\c".to_owned());
        record.theoretical = choices.first().map(|&choice| choice as u8 % 17);
        same(&text::read(&record.to_string(), usual()).unwrap(), &game, Kind::Ggf);
        let read = text::read(&pgn::write(&record), usual()).unwrap();
        same(&read, &game, Kind::Pgn);
        prop_assert_eq!(&read.players[0], &record.black);
        prop_assert_eq!(read.theoretical, record.theoretical);
        match sgf::write(&record) {
            Ok(written) => {
                let read = text::read(&written, usual()).unwrap();
                same(&read, &game, Kind::Sgf);
                prop_assert_eq!(&read.players[1], &record.white);
            }
            Err(_) => prop_assert!(reversed),
        }
        match wthor::write([&record], (2026, 11, 25)) {
            Ok(written) => {
                let mut all = text::read_bytes(&written, &Names::default(), usual());
                prop_assert_eq!(all.len(), 1);
                let read = all.pop().unwrap().unwrap();
                // Passes at the very end are not kept.
                prop_assert!(game.transcript().starts_with(&read.game.transcript()));
                prop_assert_eq!(read.kind, Kind::Wthor);
                prop_assert!(record.theoretical.is_none() || read.theoretical == record.theoretical);
            }
            Err(_) => prop_assert!(reversed || parallel || size != "8x8"),
        }
        // As text: the board, then the moves.
        let first = game.first_board();
        let setup = GameSetup { size: first.size(), goal, ..usual() };
        let read = text::read(&format!("{first} {}", game.transcript()), setup).unwrap();
        same(&read, &game, Kind::Board);
    }

    #[test]
    fn positions_are_read_back(size in prop::sample::select(vec!["8x8", "6x6", "4x4", "4x6", "7x3"]), choices in prop::collection::vec(0..64usize, 0..60)) {
        let game = game(size, Goal::Normal, Start::Diagonal, &choices);
        let board: Board = game.board().small().unwrap();
        let setup = GameSetup::new(size.parse().unwrap());
        let drawing = format!("{}{} to move\n", board.drawing(), board.to_move);
        for text in [drawing.clone(), drawing.trim_end().to_owned(), format!("my board:\n{drawing}")] {
            prop_assert_eq!(text::read(&text, usual()).unwrap().game.board().small(), Some(board), "{}", text);
        }
        let record = obf::Record { line: 0, board, moves: Vec::new(), score: None, comment: None };
        for text in [board.to_string(), record.to_string()] {
            prop_assert_eq!(text::read(&text, setup).unwrap().game.board().small(), Some(board), "{}", text);
            prop_assert_eq!(notation::parse_board(Some(board.geometry), &board.to_string()), Ok(board));
        }
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = text::read_bytes(&bytes, &Names::default(), usual());
    }

    #[test]
    fn no_text_panics_and_what_is_read_is_legal(
        text in "([-.XOxo*0-2bwaA-H1-9 \n|/;:%#{}()\\[\\]+=,'\"Ppstblackwhiteto move🂡é]|f5d6|c3 |--|\\[8 |\\(;GM\\[2\\]|;B\\[cd\\]|-----OX--XO----- X ){0,60}"
    ) {
        for reading in text::read_each(&text, usual()).take(20).flatten() {
            let strict = format!("{} {}", reading.game.first_board(), reading.game.transcript());
            let setup = GameSetup { size: reading.game.size(), ..usual() };
            let again = text::read(&strict, setup).unwrap();
            prop_assert_eq!(again.game.board(), reading.game.board(), "{:?}", text);
        }
        let _ = decode::text(text.as_bytes());
    }
}

#[test]
fn long_texts_take_no_long_time() {
    for piece in [
        "X",
        "- ",
        "f5",
        "f5 ",
        "(",
        "{",
        "[",
        "(;",
        ";",
        "1.",
        "8/",
        "|",
        "\n",
        "a b c\n",
        "X X X\n",
        "-----OX--XO----- X\n",
        "(;GM[2]",
        "P@",
        "f5:+2 ",
        "a:",
        "1--XO-\n",
        ">",
        "position,a\n\"",
        "Ｆ",
        "'X', ",
    ] {
        let text = piece.repeat(100_000 / piece.len());
        let began = std::time::Instant::now();
        let count = text::read_each(&text, usual()).take(100).count();
        assert!(began.elapsed().as_secs() < 20, "{piece:?}: {:?}, {count}", began.elapsed());
    }
}
