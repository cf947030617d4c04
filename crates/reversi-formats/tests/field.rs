//! Reads what people paste and programs write: the files of `tests/data/field`, and the lines of the corpora of valid,
//! ambiguous and wrong texts.

use reversi_formats::reader::{Wanted, Zero};
use reversi_formats::text::{self, Kind, ReadError, Reading};
use reversi_formats::wthor::Names;
use reversi_rules::Color;
use reversi_rules::game::GameSetup;
use std::fs;
use std::path::PathBuf;

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

fn wanted(size: &str) -> Wanted {
    GameSetup::new(size.parse().unwrap()).into()
}

fn field(name: &str, wanted: Wanted) -> Vec<Result<Reading, ReadError>> {
    text::read_bytes(&fs::read(data("field").join(name)).unwrap(), &Names::default(), wanted)
}

fn only(mut all: Vec<Result<Reading, ReadError>>) -> Reading {
    assert_eq!(all.len(), 1, "{all:?}");
    all.pop().unwrap().unwrap()
}

#[test]
fn boards_and_moves_of_the_field_are_read() {
    let eight = wanted("8x8");
    let game = only(field("board-and-moves.txt", eight)).game;
    assert_eq!((game.board().empty_count(), game.transcript().as_str()), (18, "a2b1"));
    let start = "---------------------------OX------XO--------------------------- X";
    for name in ["board-fen.txt", "ggs-board.txt"] {
        let reading = only(field(name, eight));
        assert_eq!((reading.kind, reading.game.board().to_string().as_str()), (Kind::Board, start), "{name}");
    }
    assert_eq!(only(field("own-drawing.txt", eight)).game.board().to_string(), "-----OX--XO----- X");
    assert_eq!(only(field("comment-in-moves.txt", eight)).game.transcript(), "f5d6c3");
    let game = only(field("problems.scr", eight)).game;
    assert_eq!(game.board().to_string().split(' ').next_back(), Some("X"));
}

#[test]
fn what_the_text_leaves_open_is_asked_for() {
    let eight = wanted("8x8");
    let error = field("board-without-side.txt", eight).remove(0).unwrap_err();
    assert!(error.to_string().contains("the side to move is missing after the 64 cells"), "{error}");
    for side in [Color::Black, Color::White] {
        let game = only(field("board-without-side.txt", Wanted { side: Some(side), ..eight })).game;
        assert_eq!(game.to_move(), side);
    }
    let error = field("zeros-for-empty.txt", eight).remove(0).unwrap_err();
    assert!(error.to_string().contains("0 may stand for White"), "{error}");
    let game = only(field("zeros-for-empty.txt", Wanted { zero: Some(Zero::Empty), ..eight })).game;
    assert_eq!(game.board().to_string(), "-----OX--XO----- X");
    let game = only(field("zeros-for-empty.txt", Wanted { zero: Some(Zero::White), ..eight })).game;
    assert_eq!(game.board().to_string(), "OOOOOOXOOXOOOOOO X");
}

#[test]
fn files_of_the_field_are_read() {
    let eight = wanted("8x8");
    let game = only(field("playok-result-at-end.txt", eight)).game;
    assert_eq!(game.result().map(|result| (result.black, result.white)), Some((51, 13)));
    let reading = only(field("playok.pgn", eight));
    assert_eq!((reading.kind, reading.players.concat().as_str()), (Kind::Pgn, "alphabeta"));
    assert_eq!(reading.game.result().map(|result| (result.black, result.white)), Some((38, 26)));
    let reading = only(field("quarry.sgf", eight));
    // White has all discs, and five squares are empty.
    let discs = reading.game.result().map(|result| (result.black, result.white));
    assert_eq!((reading.kind, discs), (Kind::Sgf, Some((0, 59))));
    let reading = only(field("quest.json", eight));
    assert_eq!((reading.kind, reading.game.transcript().as_str()), (Kind::Quest, "e6f6f5d6c3g4c6"));
    assert_eq!(reading.notes[1].seconds, Some(0.218));
    let games = field("two-games.wtb", eight);
    assert_eq!(games.len(), 2);
    for (game, discs) in games.into_iter().zip([0x22, 0x34]) {
        let game = game.unwrap();
        assert_eq!((game.kind, game.theoretical.is_some()), (Kind::Wthor, true));
        assert_eq!(game.game.result().map(|result| (64 + result.score) / 2), Some(discs));
    }
    let problems = field("obf-no-move-entry.obf", eight);
    assert_eq!(problems.len(), 2);
    assert!(problems.iter().all(Result::is_ok), "{problems:?}");
}

#[test]
fn the_percent_sign_of_a_number_hides_no_moves_of_a_pgn_game() {
    let read = |moves: &str| {
        let pgn = format!("[Event \"?\"]\n[Result \"*\"]\n\n{moves} *\n");
        text::read_bytes(pgn.as_bytes(), &Names::default(), wanted("8x8")).remove(0)
    };
    assert_eq!(read("1. f5 d6 % c3\n2. c3").unwrap().game.transcript(), "f5d6c3");
    assert_eq!(read("1. f5 51% d6").unwrap().game.transcript(), "f5d6");
}

#[test]
fn tags_of_a_pgn_game_may_share_a_line() {
    let read = |pgn: &str| text::read_bytes(pgn.as_bytes(), &Names::default(), wanted("8x8"));
    let games = read(
        "[Black \"B \"x\" [1]\"][White \"W\\\\\"] [Result \"40-24\"]\n\n1. f5 d6\n\n[Black \"C\"]\n1. f5\n",
    );
    let players = |reading: &Reading| reading.players.clone();
    let names: Vec<_> = games.iter().map(|game| players(game.as_ref().unwrap())).collect();
    assert_eq!(names, [["B \"x\" [1]", "W\\"], ["C", ""]].map(|pair| pair.map(str::to_owned)));
    assert_eq!(games[0].as_ref().unwrap().outcome.result, Some(16.0));
    // Values that look like the end of a tag.
    for (line, name) in [
        (r#"[Black "x\"][y"]"#, r#"x"][y"#),
        (r#"[Black "a \"] [b \"c"]"#, r#"a "] [b "c"#),
        (r#"[Black "a"] [b"]"#, r#"a"] [b"#),
        (r#"[Black "A "C" ][ d"]"#, r#"A "C" ][ d"#),
        (r#"[Black "C:\"]"#, r"C:\"),
    ] {
        let game = read(&format!("{line}\n\n1. f5\n")).remove(0).unwrap();
        assert_eq!((game.players[0].as_str(), game.game.transcript().as_str()), (name, "f5"), "{line}");
    }
}

/// Without a tag the result stands behind the moves alone.
#[test]
fn the_result_of_a_pgn_game_may_stand_behind_its_moves() {
    for (tag, sign, result) in [
        ("", "0-1", Some(-64.0)),
        ("", "40-24", Some(16.0)),
        ("", "*", None),
        ("", "", None),
        ("[Result \"24-40\"]\n", "40-24", Some(-16.0)),
        ("[Result \"*\"]\n", "0-1", None),
    ] {
        let pgn = format!("[Event \"?\"]\n{tag}\n1. f5 f6 2. e6 f4 {sign}\n");
        let reading = only(text::read_bytes(pgn.as_bytes(), &Names::default(), wanted("8x8")));
        assert_eq!(
            (reading.outcome.result, reading.game.transcript()),
            (result, "f5f6e6f4".to_owned()),
            "{pgn}"
        );
    }
}

#[test]
fn players_of_othello_quest_are_told_apart_by_their_ids() {
    let json = fs::read_to_string(data("field").join("quest.json")).unwrap();
    let players =
        |json: &str| only(text::read_bytes(json.as_bytes(), &Names::default(), wanted("8x8"))).players;
    let as_written = ["b_player".to_owned(), "w_player".to_owned()];
    assert_eq!(players(&json), as_written);
    let exchanged = json.replace("\"id\":\"b\"", "\"id\":\"?\"").replace("\"id\":\"w\"", "\"id\":\"b\"");
    let exchanged = exchanged.replace("\"id\":\"?\"", "\"id\":\"w\"");
    assert_eq!(players(&exchanged), ["w_player".to_owned(), "b_player".to_owned()]);
}

/// The lines of a corpus that are no comment, split into fields at `=>`; `\n`, `\t` and `\r` are unescaped.
fn corpus(name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(data(name)).unwrap();
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("##"));
    let split = |line: &str| {
        line.split("=>")
            .map(|part| part.trim().replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r"))
            .collect()
    };
    lines.map(split).collect()
}

/// `8x8`, `8x8 black`, `4x4 zero=empty`: the size of bare moves, and what the caller names.
fn options(text: &str) -> Wanted {
    let mut words = text.split_whitespace();
    let mut wanted = wanted(words.next().unwrap());
    for word in words {
        match word {
            "black" => wanted.side = Some(Color::Black),
            "white" => wanted.side = Some(Color::White),
            "zero=empty" => wanted.zero = Some(Zero::Empty),
            "zero=white" => wanted.zero = Some(Zero::White),
            "size" => wanted.size = Some(wanted.setup.size),
            _ => panic!("{word}"),
        }
    }
    wanted
}

#[test]
fn every_valid_text_is_read_as_the_strict_reader_reads_its_normal_form() {
    let lines = corpus("reader-valid.txt");
    assert!(lines.len() > 60, "the corpus is there: {}", lines.len());
    let mut complaints = Vec::new();
    for line in &lines {
        let [how, text, first, moves] = &line[..] else { panic!("four fields: {line:?}") };
        let wanted = options(how);
        let read = text::read(text, wanted);
        let said = match &read {
            Ok(read) => format!("{} => {}", read.game.first_board(), read.game.transcript()),
            Err(error) => error.to_string(),
        };
        let start = wanted.setup.new_game();
        let first = if first == "start" { start.first_board().to_string() } else { first.clone() };
        if said != format!("{first} => {moves}") {
            complaints.push(format!("{text}\n  expected {first} => {moves}\n  read     {said}"));
        }
    }
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), lines.len(), complaints.join("\n"));
}

#[test]
fn every_unclear_or_wrong_text_is_refused_with_its_reason() {
    let lines = corpus("reader-refused.txt");
    assert!(lines.len() > 50, "the corpus is there: {}", lines.len());
    let mut complaints = Vec::new();
    for line in &lines {
        let [how, text, part] = &line[..] else { panic!("three fields: {line:?}") };
        match text::read(text, options(how)) {
            Err(error) if error.to_string().contains(part) => {}
            Err(error) => complaints.push(format!("{text}\n  expected {part}\n  said     {error}")),
            Ok(read) => {
                complaints.push(format!(
                    "{text}\n  read as {} {}",
                    read.game.first_board(),
                    read.game.transcript()
                ));
            }
        }
    }
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), lines.len(), complaints.join("\n"));
}

#[test]
fn messages_are_one_short_line_without_control_characters() {
    let long = "z".repeat(300_000);
    for text in [
        long.clone(),
        format!("f5 {long}"),
        format!("f5 z{}", "9".repeat(300_000)),
        format!("(;GM[{long}];)"),
        format!("(;GM[2]SZ[{long}];)"),
        format!("[Black \"{long}\"]\n\n{long}"),
        format!("{{\"gtype\":\"{long}\",\"position\":{{\"moves\":[]}}}}"),
        format!("{{\"{long}"),
        "-".repeat(300_000),
        format!("-----OX--XO----- X; {long}:+2;"),
        "\u{1b}[31mf5\u{7}".to_owned(),
        "\u{0}\u{1}\u{2}".to_owned(),
    ] {
        for error in text::read_each(&text, wanted("8x8")).filter_map(Result::err).take(3) {
            let message = error.to_string();
            assert!(message.len() < 400, "{} bytes: {}", message.len(), &message[..200]);
            assert!(!message.chars().any(char::is_control), "{message:?}");
        }
    }
}

#[test]
fn each_of_several_boards_is_a_position_and_none_is_skipped_behind_another() {
    let board = "-----OX--XO----- X";
    for text in [
        format!("{board}\n{board}\n"),
        format!("% two\n{board} % one\n{board} % other\n"),
        format!("{}\n{}\n", board.to_lowercase(), board.to_lowercase()),
    ] {
        assert_eq!(text::read_each(&text, wanted("8x8")).filter(Result::is_ok).count(), 2, "{text}");
    }
    let error = text::read("----\n-OX-\n-XO-\n----\nX\n\n----\n-OX-\n-XO-\n----\nX\n", wanted("8x8"));
    assert!(error.is_err(), "{error:?}");
}

#[test]
fn files_that_are_cut_off_or_hold_names_are_told_apart() {
    let games = fs::read(data("field").join("two-games.wtb")).unwrap();
    let cut = text::read_bytes(&games[..games.len() - 5], &Names::default(), wanted("8x8"));
    let said = cut[0].as_ref().unwrap_err().to_string();
    assert!(said.contains("WTHOR file of 2 games") && said.contains("147"), "{said}");
    let names = [&[20, 20, 1, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0][..], &[b'a'; 40]].concat();
    let said =
        text::read_bytes(&names, &Names::default(), wanted("8x8"))[0].as_ref().unwrap_err().to_string();
    assert!(said.contains("holds no games"), "{said}");
}

#[test]
fn text_in_utf_16_is_read() {
    let text = "F5 d6\r\nc3";
    let little: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let big: Vec<u8> =
        [0xfe, 0xff].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect();
    for bytes in [&little[..], &big[..], &little[2..], &big[2..], text.as_bytes()] {
        assert_eq!(
            only(text::read_bytes(bytes, &Names::default(), wanted("8x8"))).game.transcript(),
            "f5d6c3"
        );
    }
}

#[test]
fn what_was_skipped_is_listed_with_its_place() {
    let read = text::read("# mine\n1. f5, d6 {good}\n2. c3 51-13", wanted("8x8")).unwrap();
    let listed: Vec<(usize, usize, &str, &str)> =
        read.skipped.iter().map(|piece| (piece.line, piece.column, piece.text.as_str(), piece.why)).collect();
    assert!(listed.contains(&(1, 1, "# mine", "comment")), "{listed:?}");
    assert!(listed.contains(&(2, 11, "{good}", "comment")), "{listed:?}");
    assert!(listed.contains(&(3, 7, "51-13", "result")), "{listed:?}");
}
