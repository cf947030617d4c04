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
                prop_assert_eq!(read.theoretical, record.theoretical);
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

/// A game of three moves with this `RE`, read from the GGF that has it.
fn ended(re: &str) -> Record {
    let text = format!("(;GM[Othello]TY[8]B[f5]W[d6]B[c3]RE[{re}];)");
    text::read(&text, usual()).unwrap().record()
}

/// The `RE` of the game in a text.
fn told(text: &str) -> String {
    let record = text::read(text, usual()).unwrap().record().to_string();
    record.split_once("RE[").unwrap().1.split_once(']').unwrap().0.to_owned()
}

#[test]
fn more_discs_than_squares_are_no_result() {
    assert_eq!(
        [ended("-64.000"), ended("+64.001"), ended("-999")].map(|r| r.result),
        [Some(-64.0), None, None]
    );
}

#[test]
fn how_a_game_ended_that_did_not_end_on_the_board_is_kept() {
    for (re, of_sgf, of_pgn) in [
        ("+64.000:r", "B+R", "64-0"),
        ("-64.000:t", "W+T", "0-64"),
        ("+64.000:f", "B+F", "64-0"),
        ("-12.000", "W+12", "26-38"),
        ("+3.000", "B+3", "33-30"),
        ("+0.000", "0", "32-32"),
    ] {
        let record = ended(re);
        assert_eq!(told(&record.to_string()), re);
        let (sgf, pgn) = (sgf::write(&record).unwrap(), pgn::write(&record));
        assert!(sgf.contains(&format!("RE[{of_sgf}]")), "{sgf}");
        assert!(pgn.contains(&format!("[Result \"{of_pgn}\"]")), "{pgn}");
        assert_eq!([told(&sgf), told(&pgn)], [re, re]);
    }
    // Games that two players end as a draw, and those that go on.
    let agreed = ended("+0.000:s");
    assert_eq!([told(&agreed.to_string()), told(&pgn::write(&agreed))], ["+0.000:s"; 2]);
    assert_eq!(told(&sgf::write(&agreed).unwrap()), "+0.000");
    let open = ended("?");
    assert!(pgn::write(&open).contains("[Result \"*\"]"));
    let written = [open.to_string(), pgn::write(&open), sgf::write(&open).unwrap()];
    assert_eq!(written.map(|text| told(&text)), ["?"; 3]);
}

/// A game of which the board says nothing, as PGN.
fn unfinished(tags: &str, result: &str) -> String {
    format!("{tags}[Result \"{result}\"]\n\n1. f5 d6 2. c3 {result}\n")
}

#[test]
fn what_a_file_tells_of_a_result_is_told_again() {
    // Discs, the winner alone, and a draw.
    for result in ["40-20", "1-0", "0-1", "1/2-1/2", "32-32"] {
        let record = text::read(&unfinished("", result), usual()).unwrap().record();
        let written = pgn::write(&record);
        assert!(written.contains(&format!("[Result \"{result}\"]")), "{written}");
        assert!(written.ends_with(&format!(" {result}\n")), "{written}");
    }
    let record = text::read(&unfinished("", "1-0"), usual()).unwrap().record();
    let written = sgf::write(&record).unwrap();
    assert!(written.contains("RE[B+]"), "{written}");
    assert!(pgn::write(&text::read(&written, usual()).unwrap().record()).contains("\"1-0\""));
    let resigned = unfinished("[Termination \"resignation\"]\n", "1-0");
    let record = text::read(&resigned, usual()).unwrap().record();
    assert!(pgn::write(&record).contains("[Result \"1-0\"]\n[Termination \"resignation\"]"));
    assert!(sgf::write(&record).unwrap().contains("RE[B+R]"));
    // The goal says who has won by all squares.
    let record = text::read(&unfinished("[Goal \"reversed\"]\n", "1-0"), usual()).unwrap().record();
    assert_eq!(record.result, Some(-64.0));
    assert!(pgn::write(&record).contains("[Result \"1-0\"]"));
}

#[test]
fn a_board_tag_is_a_size_or_the_number_of_a_table() {
    let on = |board: &str| {
        let text = format!("[Event \"a\"]\n[Board \"{board}\"]\n\n*\n");
        text::read(&text, usual()).map(|read| read.game.size().to_string()).map_err(|error| error.to_string())
    };
    assert_eq!([on("10").unwrap(), on("6x6").unwrap(), on("1.2").unwrap()], ["8x8", "6x6", "8x8"]);
    assert!(on("6x").unwrap_err().contains("6x"));
}

#[test]
fn a_tag_that_was_there_begins_the_next_game() {
    let text = "[Event \"1\"]\n[Black \"Ann\"]\n\n[Event \"2\"]\n[Black \"Cid\"]\n\n1. f5 d6 *\n";
    let games = text::read_each(text, usual()).map(|game| game.unwrap());
    let told: Vec<_> = games.map(|read| (read.players[0].clone(), read.game.transcript())).collect();
    assert_eq!(told, [("Ann".into(), String::new()), ("Cid".into(), "f5d6".into())]);
    let twice = "[Black \"Ann\"]\n[Annotator \"x\"]\n[Annotator \"y\"]\n\n1. f5 d6 *\n";
    assert_eq!(text::read_each(twice, usual()).count(), 1);
}

#[test]
fn the_sign_of_a_record_in_a_name_begins_none() {
    let mut record = ended("+12.000");
    for name in ["sad (;", "bob (;D"] {
        record.black = name.to_owned();
        let read = text::read(&pgn::write(&record), usual()).unwrap();
        assert_eq!((read.kind, &read.players[0]), (Kind::Pgn, &record.black));
    }
    let read = text::read("{\"name\": \"bob (;x[\", \"moves\": \"f5d6\"}", usual()).unwrap();
    assert_eq!(read.game.transcript(), "f5d6");
}

#[test]
fn event_and_round_are_kept() {
    let text = unfinished("[Event \"Open of Paris\"]\n[Round \"3\"]\n", "40-20");
    let record = text::read(&text, usual()).unwrap().record();
    let written = sgf::write(&record).unwrap();
    assert!(written.contains("EV[Open of Paris]RO[3]"), "{written}");
    for text in [written, record.to_string()] {
        let again = pgn::write(&text::read(&text, usual()).unwrap().record());
        assert!(again.contains("[Event \"Open of Paris\"]"), "{again}");
        assert!(again.contains("[Round \"3\"]"), "{again}");
    }
    let nameless = pgn::write(&text::read(&unfinished("", "40-20"), usual()).unwrap().record());
    assert!(nameless.starts_with("[Event \"?\"]") && nameless.contains("[Round \"-\"]"), "{nameless}");
}

#[test]
fn how_other_programs_say_that_a_game_ended_is_read() {
    for (re, told_as) in [
        ("B+R", "+64.000:r"),
        ("W+Resign", "-64.000:r"),
        ("B+Time", "+64.000:t"),
        ("W+Forfeit", "-64.000:f"),
        ("W+", "-64.000"),
        ("b+2.5", "+2.500"),
        ("Draw", "+0.000"),
        ("W+0", "+0.000"),
        ("B+nan", "+64.000"),
        ("Void", "?"),
        ("?", "?"),
    ] {
        assert_eq!(told(&format!("(;GM[2]FF[4]SZ[8]RE[{re}];B[fe];W[df])")), told_as, "{re}");
    }
    for (result, told_as) in [
        ("1-0", "+64.000"),
        ("0-1", "-64.000"),
        ("1/2-1/2", "+0.000"),
        ("40-20", "+20.000"),
        ("0-0", "?"),
        ("99-1", "?"),
        ("4294967295-1", "?"),
        ("*", "?"),
    ] {
        let pgn = format!("[Black \"b\"]\n[Result \"{result}\"]\n\n1. f5 d6 *\n");
        assert_eq!(told(&pgn), told_as, "{result}");
    }
    // Black won, and so has the fewer discs.
    let reversed = "[Goal \"reversed\"]\n[Result \"1-0\"]\n\n1. f5 d6 1-0\n";
    assert_eq!(told(reversed), "-64.000");
}

#[test]
fn a_result_in_a_wthor_file_is_read() {
    // Black's discs alone are kept, so that an odd difference becomes one more for the winner.
    for (re, told_as) in [
        ("-64.000:t", "-64.000"),
        ("+12.000", "+12.000"),
        ("+1.000:r", "+2.000"),
        ("-1.000", "-2.000"),
        ("+63.000", "+64.000"),
        ("?", "?"),
    ] {
        let written = wthor::write([&ended(re)], (2026, 11, 25)).unwrap();
        let read = text::read_bytes(&written, &Names::default(), usual()).pop().unwrap().unwrap();
        assert_eq!(told(&read.record().to_string()), told_as);
    }
}

#[test]
fn the_numbers_of_a_wthor_file_are_kept() {
    let bytes = include_bytes!("../../../tests/data/field/two-games.wtb");
    let games = text::read_bytes(bytes, &Names::default(), usual());
    let records: Vec<Record> = games.into_iter().map(|game| game.unwrap().record()).collect();
    let written = wthor::write(&records, (2026, 11, 25)).unwrap();
    assert!(written[16..] == bytes[16..], "tournaments, players, scores and moves");
    assert_eq!((written[14], written.len()), (bytes[14], bytes.len()));
    assert_ne!(bytes[14], 0, "a file with a depth");
}

#[test]
fn a_wthor_file_has_the_year_that_all_games_have() {
    let dated = |date: &str| {
        let mut record = ended("+12.000");
        record.date = date.to_owned();
        record
    };
    for (dates, expected) in [
        (&["1996.05.12"][..], "1996"),
        (&["12 May 1996", "1996-11-01T10:00"], "1996"),
        (&["1996", "1997"], ""),
        (&["1996", ""], ""),
        (&["", "12345"], ""),
    ] {
        let records: Vec<Record> = dates.iter().map(|date| dated(date)).collect();
        let written = wthor::write(&records, (2026, 11, 25)).unwrap();
        let read = text::read_bytes(&written, &Names::default(), usual()).pop().unwrap().unwrap();
        assert_eq!(read.record().date, expected, "{dates:?}");
    }
}

#[test]
fn the_board_goes_before_what_a_file_says_of_a_game_that_ended_on_it() {
    let mut game = usual().new_game();
    game.play_transcript("f5d6c5f4e3f6g5e6e7").unwrap();
    let record = Record::new(&game).to_string();
    let score = "+64.000";
    assert_eq!(told(&record.replace("RE[+64.000]", "RE[-64.000:t]")), score);
    let sgf = sgf::write(&Record::new(&game)).unwrap();
    assert_eq!(told(&sgf.replace("RE[B+64]", "RE[W+T]")), score);
    let pgn = pgn::write(&Record::new(&game));
    assert_eq!(told(&pgn.replace("[Result \"13-0\"]", "[Result \"0-1\"]")), score);
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

#[test]
fn tags_of_ggf_that_mean_nothing_here_are_kept() {
    let tags = "RB[1735.7]RW[2014.28]TI[15:00//02:00]KM[0.5]";
    let game = format!("(;GM[Othello]PC[GGS]PB[a]PW[b]{tags}TY[4]BO[4 -----O*--*O----- *]B[b1//1.5];)");
    let read = text::read(&game, usual()).unwrap();
    let written = read.record().to_string();
    assert!(written.contains(&format!("PB[a]PW[b]{tags}TY[4]")), "{written}");
    assert_eq!(text::read(&written, usual()).unwrap().other_tags, read.other_tags);
    let mut record = read.record();
    record.other_tags = [["B", "d3"], ["", "x"], ["R]B[", "x"], ["KM", " \u{1}0.5 "]]
        .map(|tag| tag.map(str::to_owned))
        .into();
    assert!(record.to_string().contains("PW[b]KM[0.5]TY[4]"), "{record}");
}
