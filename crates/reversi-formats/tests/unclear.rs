//! Texts that could be read in two ways, or a part of which could be ignored, are refused in every form.

use reversi_formats::obf::{self, Asked};
use reversi_formats::reader::{Wanted, Zero};
use reversi_formats::text;
use reversi_rules::game::{GameBoard, GameSetup, Size};
use reversi_rules::{Color, Geometry, Goal, Passing, Start};

fn setup() -> GameSetup {
    GameSetup::new("4x4".parse().unwrap())
}

/// The cells, the side and the goal of the first game of a text, or the error.
fn read(text: &str) -> Result<String, String> {
    let reading = text::read(text, setup()).map_err(|error| error.to_string())?;
    Ok(format!("{} {}", reading.game.board(), reading.game.rules().goal))
}

#[test]
fn a_problem_is_as_clear_as_any_other_board() {
    let zeros = "00000OX00XO00000 X; -8;";
    let as_empty = Asked { zero: Some(Zero::Empty), ..Asked::default() };
    let as_white = Asked { zero: Some(Zero::White), ..Asked::default() };
    assert!(obf::parse(zeros, None).is_err() && read(zeros).is_err());
    let cells = |asked| obf::parse(zeros, asked).map(|file| file.records[0].board.to_string()).ok();
    assert_eq!(cells(as_empty).as_deref(), Some("-----OX--XO----- X"));
    assert_eq!(cells(as_white).as_deref(), Some("OOOOOOXOOXOOOOOO X"));
    assert!(obf::parse("-----0X--X0----- X; -8;", None).is_ok(), "White beside another sign for empty");
    let white = obf::parse("-----OX--XO----- 0; -8;", as_empty).unwrap().records[0].board.to_move;
    assert_eq!(white, Color::White, "the last sign is the side");
    for unclear in ["-----OX--XO--*-- X; -8;", "-----OX--XO--x-- X;", "-----OX--Xo----- O;"] {
        let error = obf::parse(unclear, None).unwrap_err().to_string();
        assert!(error.contains("can be read as"), "{error}");
    }
    let white = Asked { side: Some(Color::White), ..Asked::default() };
    let error = obf::parse("-----OX--XO----- X; -8;", white).unwrap_err().to_string();
    assert_eq!(error, "line 1: Black is to move there, not White");
}

/// The cells of a start in rows of one width.
fn drawing(width: usize, height: usize, cells: [char; 3], between: &str) -> String {
    let place = |column: usize, row: usize| match (
        (column + 1).wrapping_sub(width / 2),
        (row + 1).wrapping_sub(height / 2),
    ) {
        (0, 0) | (1, 1) => cells[2],
        (0, 1) | (1, 0) => cells[1],
        _ => cells[0],
    };
    let row = |row| (0..width).map(|column| place(column, row).to_string()).collect::<Vec<_>>().join(between);
    (0..height).map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_drawing_is_never_cut_to_a_smaller_board() {
    let usual = setup();
    for (width, height) in (3..=8).flat_map(|width| (3..=8).map(move |height| (width, height))) {
        let start = GameBoard::start(Size::new(width, height).unwrap(), Start::Diagonal);
        for cells in [['.', 'X', 'O'], ['-', 'X', 'O'], ['.', '●', '○'], ['-', 'B', 'W'], ['0', '1', '2']]
        {
            for (between, side) in
                [" ", ""].iter().flat_map(|one| ["black", "Black to move", "X"].map(|s| (one, s)))
            {
                let drawn = drawing(width as usize, height as usize, cells, between);
                let text = format!("{drawn}\n{side}");
                for asked in [None, Some((4, 4)), Some((4, 5)), Some((6, 6)), Some((height, width))] {
                    let size = asked.map(|(width, height)| Size::new(width, height).unwrap());
                    let wanted = Wanted { size, zero: Some(Zero::Empty), ..usual.into() };
                    if let Ok(read) = text::read_single(&text, wanted) {
                        assert_eq!(*read.game.first_board(), start, "{asked:?} {text}");
                        assert!(read.game.moves().is_empty(), "{text}");
                    }
                }
            }
        }
    }
}

#[test]
fn rows_are_not_those_of_the_board_on_its_side() {
    let six_by_four = Wanted { size: Some(Size::new(6, 4).unwrap()), ..setup().into() };
    for rows in [
        "---- ---- -OX- -XO- ---- ---- X",
        "X ---- ---- -OX- -XO- ---- ----",
        "---- ---- -OX- -XO- ---- ---- Black to move",
    ] {
        let error = text::read_single(rows, six_by_four).unwrap_err().to_string();
        assert!(error.contains("6 rows of a 4x6 board") && error.contains("6x4"), "{error}");
    }
    let geometry = Some(Geometry::new(6, 4).unwrap());
    assert!(obf::parse("---- ---- -OX- -XO- ---- ---- X; 16;", geometry).is_err());
    for whole in
        ["--------OX----XO-------- X", "------ --OX-- --XO-- ------ X", "--------OX-- --XO-------- X"]
    {
        let start = GameBoard::start(Size::new(6, 4).unwrap(), Start::Diagonal);
        let read = text::read_single(whole, six_by_four).unwrap();
        assert_eq!(*read.game.first_board(), start, "{whole}");
    }
}

#[test]
fn another_position_behind_moves_is_not_skipped() {
    let cells = "[[1,1,1,1],[0,1,2,0],[0,2,1,0],[0,0,0,0]]";
    assert!(read(&format!("b1 a1 {cells} black to move")).unwrap_err().contains("second board"));
    assert!(read(&format!("b1 a1 {{\"board\":{cells}}}")).unwrap_err().contains("JSON"));
    for remark in ["{\"good\" they say}", "[1,2,3]"] {
        assert!(read(&format!("b1 a1 {remark}")).is_ok(), "{remark}");
    }
}

#[test]
fn a_side_named_again_behind_moves_is_no_first_side() {
    let game = "(;GM[2]SZ[4];B[ba];PL[W]W[aa])";
    assert_eq!(text::read(game, setup()).unwrap().game.transcript(), "b1a1");
}

#[test]
fn a_goal_behind_a_position_counts_or_is_refused() {
    for text in [
        "-----OX--XO----- X % goal=reversed",
        "-----OX--XO----- X # goal=reversed",
        "-----OX--XO----- X (reversed goal: fewer discs win)",
        "% goal=reversed\n-----OX--XO----- X; -8; % goal=reversed",
    ] {
        assert_eq!(read(text).as_deref(), Ok("-----OX--XO----- X reversed"), "{text}");
    }
    let named = |text: &str| obf::parse(text, None).map(|file| file.goal);
    let start = "-----OX--XO----- X; -8;";
    assert_eq!(named(&format!("{start} % goal=reversed")), Ok(Some(Goal::Reversed)));
    assert!(named(&format!("{start}\n{start} % goal=reversed")).is_err(), "the one before has its goal");
    assert!(named(&format!("% goal=normal\n{start} % goal=reversed")).is_err());
    assert_eq!(named(&format!("% goal=normal\n{start} % Level ten, goal=normal")), Ok(Some(Goal::Normal)));
    for remark in ["the goal: more discs", "FFO goal=win", "my goal=+4"] {
        assert_eq!(named(&format!("{start} % {remark}")), Ok(None), "{remark}");
    }
}

#[test]
fn a_side_is_not_taken_for_the_last_cell() {
    for text in ["-----OX--XO---- X", "------------------------ X", "-----OX- -XO---- O"] {
        let wanted = Wanted { side: Some(Color::Black), ..setup().into() };
        let error = text::read(text, wanted).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("lacks a cell"), "{text}: {error}");
    }
    let spaced = "- - - - - O X - - X O - - - - X";
    let wanted = Wanted { side: Some(Color::Black), ..setup().into() };
    assert!(text::read(spaced, wanted).is_ok());
}

#[test]
fn moves_in_json_are_played_and_those_of_answers_are_not() {
    let start = r#""board":"4x4","position":"-----OX--XO----- X""#;
    let after = read("b1a1");
    for moves in [r#""moves":["b1","a1"]"#, r#""moves":"b1a1""#, r#""moves":["b1","a1","a2"],"ply":2"#] {
        assert_eq!(read(&format!("{{{start},{moves}}}")), after, "{moves}");
    }
    let answer = format!(r#"{{{start},"moves":[{{"move":"b1","value":-8}}]}}"#);
    assert_eq!(read(&answer).as_deref(), Ok("-----OX--XO----- X normal"));
    let game = r#"{"schema":"reversi.game/1","first":"-----OX--XO----- X","moves":["b1","a1"],"ply":1,
        "position":"-X---XX--XO----- O"}"#;
    assert_eq!(read(game).as_deref(), Ok("-X---XX--XO----- O normal"));
    for wrong in [
        r#""side":"white""#,
        r#""side":"O""#,
        r#""moves":"b1 d4""#,
        r#""moves":["b1",null]"#,
        r#""moves":["b1","a1"],"ply":-1"#,
    ] {
        assert!(read(&format!("{{{start},{wrong}}}")).is_err(), "{wrong}");
    }
    let review = r#"{"first":"-----OX--XO----- X","players":{"X":"Ann","O":"Bob"},"moves":[]}"#;
    assert_eq!(text::read(review, setup()).unwrap().players, ["Ann", "Bob"]);
}

#[test]
fn comments_alone_are_no_game() {
    for text in ["#1 -----OX--XO----- X", "; b1 is good", "{a comment}"] {
        assert!(read(text).is_err(), "{text}");
    }
    assert_eq!(read("% goal=reversed").as_deref(), Ok("-----OX--XO----- X reversed"));
}

/// The games and positions of a text, each with its moves, or the errors.
fn all(text: &str) -> Vec<Result<String, String>> {
    let game = |game: Result<text::Reading, text::ReadError>| {
        let game = game.map_err(|error| error.to_string())?.game;
        Ok(format!("{}{}", game.first_board(), game.transcript()))
    };
    text::read_each(text, setup()).map(game).collect()
}

#[test]
fn no_board_is_left_out_because_another_one_stands_beside_it() {
    let (one, other) = ("-----OX--XO----- X", "-X---XX--XO----- O");
    let fen = ["4/1Pp1/1pP1/4 b - - 0 1", "1p2/1pp1/1pP1/4 w - - 0 1"];
    let read = [Ok(one.to_owned()), Ok(other.to_owned())];
    for text in [
        fen.join("\n"),
        fen.join("\n\n"),
        format!("{one}\n{}", fen[1]),
        format!("{}\n{other}\n", fen[0]),
        format!("{one}\n[4 -*-- -**- -*O- ---- O]\n"),
        format!("[4 ---- -O*- -*O- ---- *]\n{}", fen[1]),
    ] {
        assert_eq!(all(&text), read, "{text}");
        let single = text::read_single(&text, setup()).map(|read| read.game.transcript());
        assert!(matches!(single, Err(text::ReadError::Several)), "{text}: {single:?}");
    }
    // Not only the next board counts, and the side to move does.
    let (first, turned) = (fen[0], "4/1Pp1/1pP1/4 w - - 0 1");
    let turned_board = "-----OX--XO----- O";
    for (lines, positions) in [
        (vec![first, turned], vec![one, turned_board]),
        (vec![first, turned, fen[1]], vec![one, turned_board, other]),
        (vec![turned, first, fen[1], first], vec![turned_board, one, other, one]),
        (vec![first, first, fen[1]], vec![one, one, other]),
        (vec!["[4 ---- -O*- -*O- ---- *]", "[4 ---- -O*- -*O- ---- O]"], vec![one, turned_board]),
    ] {
        let expected: Vec<_> = positions.iter().map(|&position| Ok(position.to_owned())).collect();
        assert_eq!(all(&lines.join("\n")), expected, "{lines:?}");
    }
    assert_eq!(all(&[first; 40].join("\n")).len(), 40, "a list of one position");
    let dates = "10/10/10\n".repeat(40);
    assert_eq!(all(&format!("{dates}{}\n", fen[0])), [read[0].clone()], "dates are no boards");
    let same = format!("{}\n{one}", fen[0]);
    assert_eq!(all(&same)[0], read[0], "the same twice");
    assert!(all("----\n-OX-\n-XO-\n----\nX to move\n10/10/10")[0].is_err(), "a date is no board");
    let answered =
        "4x4, normal goal, raw scoring, White (O) to move\n\n----\n-OX-\n-XO-\n----\n\nvalue -8\nbest b1\n";
    assert_eq!(
        all(&format!("{answered}\n{other}\n")),
        [Ok("-----OX--XO----- O".to_owned()), read[1].clone()]
    );
    for text in [
        "----\n-○●-\n-●○-\n----\nBlack to move\n-●--\n-●●-\n-●○-\n----\nWhite to move\n",
        "4/1Pp1/1pP1/4 b\n\n-●--\n-●●-\n-●○-\n----\nWhite to move\n",
    ] {
        assert!(all(text).iter().any(Result::is_err), "{text}: {:?}", all(text));
    }
}

#[test]
fn numbered_games_over_several_lines_are_told_apart() {
    let start = "-----OX--XO----- X";
    let game = |moves: &str| Ok(format!("{start}{moves}"));
    for (text, games) in [
        ("1. b1 a1\n2. a2 c1\n\n1. a2 a1\n2. b1\n", vec![game("b1a1a2c1"), game("a2a1b1")]),
        ("1. b1 a1\n2. a2 c1\n1. a2 a1\n2. b1\n", vec![game("b1a1a2c1"), game("a2a1b1")]),
        ("Game 1: Tom\n1. b1 a1\nGame 2: Ann\n1. a2 a1", vec![game("b1a1"), game("a2a1")]),
        ("1. b1 a1 {better was\n1. b1 c1}\n2. a2", vec![game("b1a1a2")]),
        ("Two games\n\n1. b1 a1 2. a2\nc1\n1. a2 a1", vec![game("b1a1a2c1"), game("a2a1")]),
        ("1.b1 a1\n1.a2 a1\n", vec![game("b1a1"), game("a2a1")]),
        ("1. b1\n1... a1\n2. a2", vec![game("b1a1a2")]),
    ] {
        assert_eq!(all(text), games, "{text}");
    }
    let board = "-X---XX--XO----- O";
    for text in [
        format!("{board}\n1. a1 a2\n1. c1 d1\n"),
        "reversed goal\n1. b1 a1\n1. a2 a1".to_owned(),
        "1. b1 a1\n\nreversed goal\n1. a2 a1".to_owned(),
        "Game 1: Tom\nb1a1\nGame 2: Ann\na2a1".to_owned(),
    ] {
        assert!(all(&text).iter().any(Result::is_err), "{text}: {:?}", all(&text));
    }
}

#[test]
fn a_text_may_stand_between_quotation_marks() {
    for text in
        ["\"-----OX--XO----- X\"", " '---- -OX- -XO- ---- X'\n", "“4/1Pp1/1pP1/4 b”", "`-----OX--XO----- X`"]
    {
        assert_eq!(read(text).as_deref(), Ok("-----OX--XO----- X normal"), "{text}");
    }
    assert!(read("\"-----OX--XO----- X\" \"-X---XX--XO----- O\"").is_err());
}

#[test]
fn numbers_of_moves_count_the_moves() {
    for text in [
        "1. b1 a1 2. a2 c1",
        "1. b1 2. a1 3. a2",
        "1.b1 1...a1 2.a2",
        "1. b1 1… a1",
        "b1 a1 2. a2",
        "b1 a1 3. a2",
        "1) b1 a1 2) a2",
        "1. b1 a1 3. a2 c1",
        "1. b1 a1 a2\n4. c1",
        "1.b1 1.a1 2.a2 2.c1",
        "== 1 ==\n1. b1 a1",
        "Game 1. 1. b1 a1",
        "-X---XX--XO----- O 7. a1 8. a2",
    ] {
        assert!(read(text).is_ok(), "{text}: {:?}", read(text));
    }
    for (text, number) in [
        ("7. b1 a1", "7."),
        ("1. b1 a1 7. a2", "7."),
        ("3. b1 a1 2. a2", "3."),
        ("1. b1 a1 1. a2 c1", "1."),
        ("2. b1 a1", "2."),
        ("-----OX--XO----- X 2. b1", "2."),
    ] {
        let said = read(text).unwrap_err();
        assert!(said.contains(&format!("\"{number}\" does not count on")), "{text}: {said}");
    }
}

#[test]
fn json_names_its_board_and_its_passing_rule() {
    let game = |text: &str| text::read(text, GameSetup::new("8x8".parse().unwrap())).unwrap().game;
    let read = game("{\"board\":\"4x4\",\"moves\":\"b1a1\"}");
    assert_eq!((read.transcript().as_str(), read.size().to_string()), ("b1a1", "4x4".to_owned()));
    for (passing, expected) in
        [("false", Passing::EndsGame), ("true", Passing::Allowed), ("null", Passing::Allowed)]
    {
        for what in ["\"position\":\"-----OX--XO----- X\"", "\"board\":\"4x4\",\"moves\":\"b1\""] {
            assert_eq!(
                game(&format!("{{{what},\"passing\":{passing}}}")).passing(),
                expected,
                "{what} {passing}"
            );
        }
    }
}
