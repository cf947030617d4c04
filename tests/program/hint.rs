//! `reversi hint` as it is used: what it answers, and how deep it looks.

use crate::common;
use serde_json::Value as Json;

fn hint(arguments: &str) -> Json {
    common::json(common::reversi().arg("hint").args(arguments.split(' ')).arg("--json").assert().success())
}

#[test]
fn the_depth_asked_for_is_the_depth_reached() {
    let hint = hint("f5d6c3 --depth 12");
    assert_eq!(hint["lines"][0]["depth"], 12);
}

#[test]
fn several_lines_look_deeper_than_the_usual_level() {
    let hint = hint("--board 6x6 c2b4d5 --goal reversed --scoring winner --lines 2 --depth 12 --time 100s");
    let lines = hint["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(|line| line["depth"] == 12), "{hint}");
}

#[test]
fn a_level_tells_no_depth_beyond_its_own() {
    let depth = |lines| {
        let hint = hint(&format!("f5d6 --player engine:level=5 --time 100s --lines {lines}"));
        hint["lines"].as_array().unwrap().iter().map(|line| line["depth"].as_u64().unwrap()).max().unwrap()
    };
    assert_eq!((depth(1), depth(3)), (5, 5));
}

#[test]
fn a_forced_move_is_worth_what_it_leads_to() {
    let hint = hint("--position OX--------------O --time 1s");
    let expected = serde_json::json!({"move": "c1", "value": 3.0, "exact": true, "depth": 1, "line": ["c1"], "book": false});
    assert_eq!(hint["lines"], serde_json::json!([expected]));
}

#[test]
fn all_positions_visited_for_several_lines_are_counted() {
    let nodes = |lines: u32| {
        let hint = hint(&format!(
            "--board 6x6 c2b4 --goal reversed --scoring winner --lines {lines} --depth 4 --time 100s"
        ));
        hint["nodes"].as_u64().unwrap()
    };
    let (two, three) = (nodes(2), nodes(3));
    assert!(two > 0 && two == three, "{two} {three}");
}

#[test]
fn the_weights_in_use_are_told() {
    for (options, said) in [
        (&["--board", "8x8"][..], "8x8-normal.rvw"),
        (&["--board", "8x8", "--player", "engine:turned=on"], "8x8-reversed.rvw"),
        (&["--board", "6x6", "--player", "first"], ""),
        // A table answers, and there are no weights of 4x5 to miss.
        (&["--board", "6x6"], ""),
        (&["--board", "7x6"], "6x7-normal.rvw"),
        (&["--board", "4x5"], ""),
    ] {
        let told = common::stderr(common::run(&[&["hint", "--depth", "2"], options].concat()).success());
        assert!(told.contains(said) && told.is_empty() == said.is_empty(), "{options:?}: {told}");
    }
}

#[test]
fn who_finds_nothing_in_time_has_failed_and_who_has_no_view_has_not() {
    for (arguments, code) in [
        ("--board 5x7 --player perfect --time 50ms", 1),
        ("--board 5x7 --player perfect --time 50ms --lines 3", 1),
        ("--player alphabeta:30 --time 50ms", 1),
        ("--player alphabeta:30,time=50ms", 1),
        ("--player alphabeta:30,time=50ms --lines 3", 1),
        ("--player phases:time=10s", 0),
        ("--player random --time 10s", 0),
        ("--player random --time 10s --lines 3", 0),
        ("--player random", 0),
        ("--board 4x4 b1a1a2c1d1a3a4d2d3b4c4d4 --time 10s --lines 3", 0),
    ] {
        let mut command = common::reversi();
        let output = command.arg("hint").args(arguments.split(' ')).output().unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments}: {said}");
        let advice = match arguments.contains("time=") {
            true => "nothing was found within the player's own time; give it more with time=",
            false => "nothing was found within 0.05 s; give it more with --time",
        };
        assert_eq!(said.contains(advice), code == 1, "{arguments}: {said}");
    }
}

#[test]
fn points_are_no_discs() {
    for (player, value, points) in [("alphabeta:1", false, true), ("engine:depth=1", true, false)] {
        for lines in [1, 3] {
            let hint = hint(&format!("f5d6 --player {player} --lines {lines}"));
            let line = &hint["lines"][0];
            assert_eq!((line["value"].is_f64(), line["points"].is_i64()), (value, points), "{hint}");
        }
    }
}

#[test]
fn points_have_a_column_of_their_own() {
    let row = |player: &str| {
        let output = common::reversi()
            .args(["hint", "--file", "-", "--last", "--format", "csv", "--quiet", "--player", player])
            .write_stdin("f5d6\n")
            .output()
            .unwrap();
        let csv = String::from_utf8(output.stdout).unwrap();
        let cell = |line: &str, name: &str| {
            let place = csv.lines().next().unwrap().split(',').position(|head| head == name).unwrap();
            line.split(',').nth(place).unwrap().to_owned()
        };
        let line = csv.lines().nth(1).unwrap();
        ["value", "points"].map(|name| cell(line, name).parse::<f64>().is_ok())
    };
    assert_eq!((row("alphabeta:1"), row("engine:depth=1")), ([false, true], [true, false]));
}

#[test]
fn of_a_file_too_who_finds_nothing_in_time_has_failed() {
    for options in
        [&["--player", "alphabeta:30", "--time", "50ms"][..], &["--player", "alphabeta:30,time=50ms"]]
    {
        let mut command = common::reversi();
        let asked = ["hint", "--file", "-", "--last", "--json", "--quiet"];
        let output = command.args(asked).args(options).write_stdin("f5\n").output().unwrap();
        let error: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), &error["kind"]), (Some(1), &"out-of-time".into()), "{error}");
        assert_eq!((&error["game"], &error["ply"]), (&1.into(), &1.into()));
    }
}

/// A file of games, one that cannot be read among them, and what is asked about it.
fn of_file(text: &str, options: &[&str]) -> (i32, String) {
    let mut command = common::reversi();
    let asked = ["hint", "--file", "-", "--player", "alphabeta:2", "--quiet"];
    let output = command.args(asked).args(options).write_stdin(text).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn every_position_of_a_file_gets_an_answer() {
    let games = "f5d6c3\nf5f6\n";
    let (code, csv) = of_file(games, &["--format", "csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((code, lines.len()), (0, 1 + 4 + 3), "{csv}");
    assert!(
        lines[0].starts_with("game,ply,position,empties,played,rank,move,value,exact,depth,nodes,"),
        "{csv}"
    );
    assert!(lines[2].starts_with("1,1,") && lines[2].contains(",59,d6,1,"), "{csv}");
    assert!(lines[4].starts_with("1,3,") && lines[4].contains(",57,,1,"), "{csv}");
    let (code, text) = of_file(games, &["--format", "text"]);
    assert_eq!((code, text.lines().count()), (0, 8), "{text}");
    let (code, json) = of_file(games, &["--json", "--lines", "2", "--last"]);
    let answers: Vec<Json> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((code, answers.len()), (0, 2), "{json}");
    for (answer, (game, ply)) in answers.iter().zip([(1, 3), (2, 2)]) {
        assert_eq!((&answer["game"], &answer["ply"]), (&game.into(), &ply.into()), "{answer}");
        assert_eq!(answer["lines"].as_array().unwrap().len(), 2, "{answer}");
    }
}

#[test]
fn a_game_that_cannot_be_read_is_an_error_in_its_place() {
    let games = "(;GM[Othello]PB[a]PW[b]TY[8]B[f5]W[d6];)\n(;GM[Othello]PB[a]PW[b]TY[8]B[a1];)\n\
                 (;GM[Othello]PB[a]PW[b]TY[8]B[f5];)\n";
    let (code, csv) = of_file(games, &["--format", "csv", "--last"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((code, lines.len()), (2, 4), "{csv}");
    assert!(lines[2].starts_with("2,,,") && lines[2].contains("game 2"), "{csv}");
    assert!(lines[3].starts_with("3,1,"), "{csv}");
    let (code, json) = of_file(games, &["--json", "--last"]);
    let second: Json = serde_json::from_str(json.lines().nth(1).unwrap()).unwrap();
    assert_eq!((code, &second["schema"]), (2, &"reversi.error/1".into()));
    assert_eq!((&second["game"], &second["ply"]), (&2.into(), &Json::Null), "{second}");
}

#[test]
fn a_file_is_read_as_everywhere_else() {
    // UTF-16 with its mark, a board without a side, and a WTHOR file.
    let utf16: Vec<u8> = "\u{feff}f5d6".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.txt");
    let hint = |options: &[&str]| {
        let asked = ["hint", "--player", "alphabeta:1", "--last", "--json", "--file", path.to_str().unwrap()];
        common::run(&[&asked[..], options].concat())
    };
    std::fs::write(&path, utf16).unwrap();
    assert_eq!(common::json(hint(&[]).success())["ply"], 2);
    std::fs::write(&path, "-----OX--XO-----\n").unwrap();
    assert!(common::stderr(hint(&[]).code(2)).contains("--side"));
    assert_eq!(common::json(hint(&["--side", "white"]).success())["position"], "-----OX--XO----- O");
    let wthor = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/field/two-games.wtb");
    std::fs::copy(wthor, &path).unwrap();
    assert_eq!(common::json_lines(hint(&[]).success()).len(), 2);
}
