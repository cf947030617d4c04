//! `reversi query` as scripts and people see it.

use crate::common::{self, stderr, stdout};
use assert_cmd::Command;
use reversi::formats::obf;
use reversi::rules::{Board, Geometry, Rules, Start};
use reversi::search::reference::minimax;
use serde_json::{Value as Json, json};
use std::fs;
use std::path::Path;

fn query(arguments: &[&str]) -> Command {
    let mut command = common::reversi();
    command.arg("query").args(arguments);
    command
}

fn json_of(arguments: &[&str]) -> Json {
    common::json(query(arguments).arg("--json").assert().success())
}

fn text_of(arguments: &[&str]) -> String {
    stdout(query(arguments).assert().success())
}

/// The names of the object's keys in their order.
fn keys(object: &Json) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn the_json_has_the_keys_that_scripts_rest_on() {
    let answer = json_of(&["--board", "4x4"]);
    let expected = [
        "schema",
        "board",
        "goal",
        "scoring",
        "position",
        "score",
        "source",
        "best",
        "moves",
        "line",
        "line_complete",
        "seconds",
    ];
    assert_eq!(keys(&answer), expected);
    assert_eq!(answer["schema"], "reversi.query/1");
    assert_eq!(answer["board"], "4x4");
    assert_eq!(answer["goal"], "normal");
    assert_eq!(answer["scoring"], "raw");
    assert_eq!(answer["position"], "-----OX--XO----- X");
    assert_eq!(answer["score"], -8);
    assert_eq!(answer["source"], "table");
    assert_eq!(answer["best"], json!(["b1", "a2", "d3", "c4"]), "symmetric twins too, row by row");
    assert_eq!(answer["moves"][0], json!({"move": "b1", "score": -8, "source": "table"}));
    assert_eq!(answer["line_complete"], true);
    assert!(answer["seconds"].as_f64().unwrap() >= 0.0);
}

#[test]
fn every_start_of_4x4_has_the_value_of_minimax() {
    for start in Start::ALL {
        for rules in Rules::ALL {
            let (goal, scoring) = (rules.goal.name(), rules.scoring.name());
            let options =
                ["--board", "4x4", "--start", start.name(), "--goal", goal, "--scoring", scoring, "--quick"];
            let position = Board::start(Geometry::FOUR, start).position();
            let score = minimax::minimax(Geometry::FOUR, rules, position);
            assert_eq!(json_of(&options)["score"], score.discs(), "{start} {rules}");
        }
    }
}

#[test]
fn moves_are_listed_best_first() {
    let answer = json_of(&["--board", "4x4", "b1"]);
    let moves: Vec<(&str, i64)> = answer["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|scored| (scored["move"].as_str().unwrap(), scored["score"].as_i64().unwrap()))
        .collect();
    assert_eq!(moves, [("a1", 8), ("c1", -8), ("a3", -9)]);
    assert_eq!(answer["best"], json!(["a1"]));
    assert_eq!(answer["position"], "-X---XX--XO----- O");
}

#[test]
fn a_position_and_moves_go_together() {
    let one = json_of(&["--position", "-X---XX--XO----- O", "a1 a2"]);
    let other = json_of(&["--board", "4x4", "b1a1a2"]);
    assert_eq!((&one["position"], &one["score"]), (&other["position"], &other["score"]));
}

#[test]
fn moves_beside_a_position_are_never_read_as_part_of_its_text() {
    let directory = tempfile::tempdir().unwrap();
    let drawing = text_of(&["--board", "4x4"]);
    let json = json_of(&["--board", "4x4"]).to_string();
    let start = "-----OX--XO----- X";
    let texts = [
        format!("{start} # start"),
        format!("{start} % start"),
        format!("{start}; -8;"),
        format!("{start}; b1:-8;"),
        format!("position,score\n{start},-8"),
        "(;GM[Othello]TY[4]BO[4 -----O*--*O----- *];)".to_owned(),
        format!("[4 {} *]\nBlack to move", &start[..16]),
        drawing,
        json,
    ];
    for text in &texts {
        for arguments in [&["--position", text, "b1"][..], &[text, "b1"]] {
            let answer = json_of(&[&["--quick"], arguments].concat());
            assert_eq!(answer["position"], "-X---XX--XO----- O", "{text}");
        }
        let refused = query(&["--position", text, "b2"]).assert().code(2);
        assert!(stderr(refused).contains("move 1 \"b2\""), "{text}");
        for command in ["solve", "hint", "perft", "play", "review", "prove"] {
            let mut refused = common::reversi();
            refused.current_dir(&directory).args([command, "--position", text, "a1"]).assert().code(2);
        }
    }
}

#[test]
fn what_follows_a_position_in_other_arguments_counts() {
    let (start, cells) = ("-----OX--XO----- X", "-----OX--XO-----");
    let after =
        |moves: &[&str]| json_of(&[&["--board", "4x4", "--quick"], moves].concat())["position"].clone();
    for (arguments, moves) in [
        (&["--position", cells, "X", "b1"][..], &["b1"][..]),
        (&["--position", cells, "--side", "black", "X", "b1"], &["b1"]),
        (&[start, "X to move: b1"], &["b1"]),
        (&[start, "b1 # best", "a1"], &["b1", "a1"]),
        (&["--position", start, "# comment", "b1"], &["b1"]),
        (&["--board", "4x4", "b1 # best", "a1"], &["b1", "a1"]),
    ] {
        let answer = json_of(&[&["--quick"], arguments].concat());
        assert_eq!(answer["position"], after(moves), "{arguments:?}");
    }
    let passed = json_of(&["--quick", "XXXXXXXXXXXXXXO- O # to move", "pa"]);
    assert_eq!(passed["position"], "XXXXXXXXXXXXXXO- X");
    for (arguments, part) in [
        (&["--position", start, "--", "b1", "-8"][..], "can be read as"),
        (&["--position", start, "% goal=reversed", "b1"], "comes after positions"),
        (
            &["--position", "-----OX--XO----- X; -8;\n-----OX--XO----- O; 3;", "b1"],
            "several games or positions",
        ),
    ] {
        let refused = stderr(query(arguments).assert().code(2));
        assert!(refused.contains(part), "{arguments:?}: {refused}");
    }
}

#[test]
fn of_several_positions_none_is_answered() {
    for text in [
        "-----OX--XO----- X; -8;\nOX---OX--XO----- X; 3;",
        "-----OX--XO----- X\nOX---OX--XO----- X",
        "(;GM[Othello]TY[4]B[b1];)(;GM[Othello]TY[4]B[d3];)",
    ] {
        let refused = stderr(query(&[text]).assert().code(2));
        assert!(refused.contains("several games or positions"), "{text}: {refused}");
    }
}

#[test]
fn a_board_may_stand_where_moves_do() {
    let board = "-X---XX--XO----- O";
    let mut named = json_of(&["--position", board]);
    let [cells, side] = [&board[..16], &board[17..]];
    for arguments in [&[board][..], &[cells, side], &["--board", "4x4", board]] {
        let mut pasted = json_of(arguments);
        for answer in [&mut named, &mut pasted] {
            answer["seconds"] = Json::Null;
        }
        assert_eq!(pasted, named, "{arguments:?}");
    }
}

#[test]
fn a_forced_pass_is_the_best_move() {
    let answer = json_of(&["--position", "XO--------------O"]);
    assert_eq!(answer["best"], json!(["pa"]));
    assert_eq!(answer["moves"].as_array().unwrap().len(), 1);
    assert_eq!(answer["line"], json!(["pa", "c1"]));
    assert_eq!(answer["score"], -3);
    assert_eq!(answer["source"], "search", "no game reaches it");
    let quick = json_of(&["--quick", "--position", "XO--------------O"]);
    assert_eq!(quick["best"], json!(["pa"]));
}

#[test]
fn a_finished_game_says_so() {
    let answer = json_of(&["--position", "XXX------------- O", "--scoring", "winner"]);
    assert_eq!(answer["finished"], true);
    assert_eq!(answer["best"], json!([]));
    assert_eq!(answer["moves"], json!([]));
    assert_eq!(answer["line"], json!([]));
    assert_eq!(answer["score"], -16);
    assert!(text_of(&["--position", "XXX------------- O"]).contains("the game is over and X wins by 3"));
}

#[test]
fn quick_gives_the_value_and_one_best_move() {
    let answer = json_of(&["--board", "4x4", "--quick"]);
    assert_eq!(answer["score"], -8);
    assert_eq!(answer["best"].as_array().unwrap().len(), 1);
    assert!(answer.get("moves").is_none() && answer.get("line").is_none());
}

/// At the end of a region the table has scores alone.
#[test]
fn a_move_that_is_searched_is_told_apart_from_a_score_that_is_stored() {
    let stored = ["--quick", "--position", "OOOOOOOXXXOOOXXXOOOXXX-------------- X"];
    let answer = json_of(&stored);
    assert_eq!((&answer["source"], &answer["best_source"]), (&json!("table"), &json!("search")));
    assert!(text_of(&stored).contains("diagonal.rvt, its move by live search, in "));
}

#[test]
fn a_board_without_a_table_is_searched() {
    let answer = json_of(&["--board", "4x5", "--goal", "reversed", "--quiet"]);
    assert_eq!(answer["source"], "search");
    assert_eq!(answer["line_complete"], true);
    assert_eq!(answer["moves"][0]["source"], "search");
    let answer = json_of(&["--position", "XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X"]);
    assert_eq!((&answer["score"], &answer["best"]), (&json!(20), &json!(["f6"])));
}

#[test]
fn the_drawing_shows_the_value_of_each_move_on_its_square() {
    let text = text_of(&["--board", "4x4", "b1"]);
    assert!(text.starts_with("4x4, normal goal, raw scoring, White (O) to move\n"), "{text}");
    assert!(text.contains(" 1  +8   X  -8   -\n 2   -   X   X   -\n 3  -9   X   O   -\n"), "{text}");
    assert!(text.contains("value +8, O wins by 8 with perfect play"), "{text}");
    assert!(text.contains("4x4-normal-raw-diagonal.rvt"), "the table is named: {text}");
    let text = text_of(&["--position", "XO--------------O"]);
    assert!(text.contains("live search"), "{text}");
}

#[test]
fn the_tables_of_a_named_directory_come_first() {
    let directory = tempfile::tempdir().unwrap();
    let name = "4x4-normal-raw-diagonal.rvt";
    let copy = directory.path().join(name);
    fs::copy(common::shipped(name), &copy).unwrap();
    let text = text_of(&["--board", "4x4", "--data", directory.path().to_str().unwrap()]);
    assert!(text.contains(copy.to_str().unwrap()), "{text}");
}

#[test]
fn a_batch_gives_one_line_for_each() {
    let input = "-----OX--XO----- X\n\n  ---- -OX- -XO- ---- X  b1 a1\nnonsense\n-----OX--XO----- X a1\n";
    let lines = common::json_lines(query(&["--batch", "-"]).write_stdin(input).assert().code(2));
    assert_eq!(lines.len(), 4, "blank lines are skipped");
    assert_eq!((&lines[0]["schema"], &lines[0]["score"]), (&json!("reversi.query/1"), &json!(-8)));
    assert_eq!(lines[1]["position"], "OX---OX--XO----- X");
    assert_eq!((&lines[2]["schema"], &lines[2]["kind"]), (&json!("reversi.error/1"), &json!("bad-position")));
    assert!(lines[2]["message"].as_str().unwrap().starts_with("line 4: "), "{}", lines[2]);
    assert_eq!(lines[3]["kind"], "bad-move");
    let numbers: Vec<u64> = lines.iter().map(|line| line["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 3, 4, 5]);
}

#[test]
fn a_batch_without_a_position_is_told() {
    let said = query(&["--batch", "-"]).write_stdin("# nothing\n\n").assert().success();
    assert!(common::stderr(said).contains("there is no position in it"));
}

#[test]
fn a_binary_file_is_one_error_of_a_batch() {
    let table = common::shipped("4x4-normal-raw-diagonal.rvt");
    let refused = stderr(query(&["--batch", &table]).assert().code(2).stdout(""));
    assert!(refused.contains("this is a binary file"), "{refused}");
}

#[test]
fn a_row_of_a_batch_names_its_side_and_board() {
    let asked = |table: &str, options: &[&str]| {
        let all = [&["--batch", "-", "--quick"], options].concat();
        common::json_lines(query(&all).write_stdin(table.to_owned()).assert())
    };
    for (table, side) in [
        ("position,score,best\n-----OX--XO-----,-8,b1\n", "X"),
        ("position,score,best\n-----OX--XO----- X,-8,b1\n", "X"),
        ("position,side\n-----OX--XO-----,O\n", "O"),
        ("position,to_move\n-----OX--XO-----,white\n", "O"),
    ] {
        assert_eq!(asked(table, &[])[0]["position"], format!("-----OX--XO----- {side}"), "{table}");
    }
    let wrong = [
        ("position,side\n-----OX--XO-----,O\n", &["--side", "black"][..]),
        ("position,side\n-----OX--XO-----,maybe\n", &[]),
        ("position,board\n-----OX--XO----- X,four\n", &[]),
    ];
    for (table, options) in wrong {
        assert_eq!(asked(table, options)[0]["schema"], "reversi.error/1", "{table}");
    }
}

#[test]
fn a_tag_of_pgn_in_a_batch_is_no_position() {
    let input = "[Event \"?\"]\n-----OX--XO----- X\n[Goal \"reversed\"]\n";
    let lines = common::json_lines(query(&["--batch", "-", "--quick"]).write_stdin(input).assert().code(2));
    let kinds: Vec<_> = lines.iter().map(|line| line["kind"].as_str()).collect();
    assert_eq!(kinds, [Some("bad-position"), None, Some("bad-position")]);
    assert!(lines[0]["message"].as_str().unwrap().contains("a tag of PGN"), "{}", lines[0]);
}

#[test]
fn a_line_of_a_batch_is_one_position_or_an_error() {
    let one = r#"{"position":"-----OX--XO----- X"}"#;
    let game = "(;GM[Othello]TY[4]B[b1];)";
    for two in [format!("[{one},{one}]"), format!("2 {game}{game}")] {
        let input = format!("{one}\n[{one}]\n{two}\n{game}\n");
        let lines = common::json_lines(query(&["--batch", "-"]).write_stdin(input).assert().code(2));
        let kinds: Vec<_> = lines.iter().map(|line| line["kind"].as_str()).collect();
        assert_eq!(kinds, [None, None, Some("bad-position"), None], "{two}");
        let message = lines[2]["message"].as_str().unwrap();
        assert!(message.starts_with("line 3: there are several games or positions"), "{message}");
    }
    let pretty = "{\n \"best\": [\n  \"c2\"\n ],\n \"position\": \"-----OX--XO----- X\"\n}\n";
    let refused = query(&["--batch", "-"]).write_stdin(pretty).assert().code(2).stdout("");
    assert!(common::stderr(refused).contains("JSON over several lines; write an object a line"));
}

#[test]
fn a_batch_answers_each_line_as_if_it_were_asked_alone() {
    let positions = ["-----OX--XO----- X", "-X---XX--XO----- O", "XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X"];
    for options in [&[][..], &["--quick"], &["--line", "full"]] {
        let answers = batch(&positions.join("\n"), options);
        for (number, (position, mut answer)) in (1..).zip(positions.iter().zip(answers)) {
            let mut alone = json_of(&[&["--position", position], options].concat());
            assert_eq!(answer.as_object_mut().unwrap().shift_remove("number"), Some(json!(number)));
            for object in [&mut alone, &mut answer] {
                object["seconds"] = json!(null);
            }
            assert_eq!(answer, alone, "{options:?}");
        }
    }
}

#[test]
fn a_batch_reads_what_an_obf_line_says_of_its_position() {
    let start = "-----OX--XO----- X";
    for good in ["; -8;", "; b1:-8; a2:-8;", ";", " b1; +8; % who knows"] {
        assert_eq!(
            batch(&format!("{start}{good}\n"), &["--quick"])[0]["schema"],
            "reversi.query/1",
            "{good}"
        );
    }
    for (bad, part) in [("; a1:-8;", "a1"), ("; b1:3; zz", "zz"), ("; +99;", "99"), (";\0", "score")] {
        let answer = &batch(&format!("{start}{bad}\n"), &["--quick"])[0];
        let message = answer["message"].as_str().unwrap();
        assert!(answer["kind"] == "bad-score" && message.contains(part), "{bad}: {message}");
    }
}

#[test]
fn a_line_without_an_end_is_refused() {
    let endless = "-".repeat(1 << 20);
    let error = stderr(query(&["--batch", "-"]).write_stdin(endless).assert().code(2));
    assert!(error.contains("line 1 is longer"), "{error}");
}

#[test]
fn a_goal_behind_a_line_of_a_batch_counts() {
    let start = "-----OX--XO----- X; ";
    let score = |input: String, options: &[&str]| {
        let all = [&["--batch", "-", "--quick"], options].concat();
        let output = query(&all).write_stdin(input).output().unwrap();
        serde_json::from_slice::<Json>(&output.stdout).unwrap()["score"].clone()
    };
    assert_eq!(score(format!("{start}% goal=reversed\n"), &[]), 3);
    assert_eq!(score(format!("{start}-8; % goal=normal\n"), &[]), -8);
    assert!(score(format!("{start}% goal=reversed\n"), &["--goal", "normal"]).is_null(), "refused");
}

#[test]
fn a_batch_of_good_lines_ends_well_whatever_their_boards() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("positions.txt");
    let full = format!("{} X\r\n-----OX--XO----- X", "XO".repeat(18));
    fs::write(&file, full).unwrap();
    let lines = text_of(&["--batch", file.to_str().unwrap()]);
    assert_eq!(lines.lines().count(), 2);
    assert!(lines.contains("\"board\":\"6x6\"") && lines.contains("\"board\":\"4x4\""), "{lines}");
}

#[test]
fn a_batch_knows_rectangles_by_the_board_option() {
    let input = "----- -OX-- -XO-- ----- X\n";
    let answers = query(&["--batch", "-", "--board", "5x4", "--quick"]).write_stdin(input).assert().success();
    assert_eq!(common::json(answers)["board"], "5x4");
}

/// What a batch prints.
fn batch(input: &str, args: &[&str]) -> Vec<Json> {
    common::json_lines(query(&[&["--batch", "-"], args].concat()).write_stdin(input).assert())
}

#[test]
fn a_batch_takes_lines_of_moves_from_the_start_asked_for() {
    for options in [&["--board", "4x4"][..], &["--board", "4x4", "--start", "parallel"]] {
        let start = json_of(options);
        let first = start["best"][0].as_str().unwrap();
        let moves = batch(&format!("{first}\n{first} % a remark\n"), options);
        let wanted = json_of(&[options, &[first]].concat());
        for answer in &moves {
            assert_eq!((&answer["position"], &answer["score"]), (&wanted["position"], &wanted["score"]));
        }
        assert_eq!(moves.len(), 2);
    }
    let wrong = batch("c2b4z9\n", &[]);
    let message = wrong[0]["message"].as_str().unwrap();
    assert_eq!(wrong[0]["kind"], "bad-move");
    assert!(
        message.starts_with("line 1: move 3 \"z9\"") && message.contains("--board was not given"),
        "{message}"
    );
}

#[test]
fn a_batch_takes_a_problem_file_by_the_goal_it_sets() {
    let record = "-----OX--XO----- X; -8; % the start";
    let scores = |input: &str, args: &[&str]| -> Vec<i64> {
        batch(input, args).iter().map(|answer| answer["score"].as_i64().expect("a score")).collect()
    };
    assert_eq!(scores(&format!("{record}\n"), &[]), [-8]);
    let listed =
        "-----OX--XO----- X; B1:-8; a2:-8;\n-----OX--XO----- X b1; 8;\n\n-----OX--XO----- X % start\n";
    assert_eq!(scores(listed, &[]), [-8, 8, -8]);
    let marked = format!("\u{feff}% goal=reversed\r\n{record}\r\n");
    assert_eq!(scores(&marked, &[]), scores(record, &["--goal", "reversed"]));
    let reversed = format!("% 4x4 of old\n% goal=reversed scoring=raw\n{record}\n-----OX--XO----- X\n");
    let known = scores(record, &["--goal", "reversed"]);
    assert_ne!(known, [-8]);
    assert_eq!(scores(&reversed, &[]), [known[0], known[0]]);
    assert_eq!(scores(&reversed, &["--goal", "reversed"]), [known[0], known[0]]);
    for (input, args, said) in [
        (
            reversed.as_str(),
            ["--goal", "normal"].as_slice(),
            "line 2: the file is for goal=reversed, but --goal normal is asked for",
        ),
        ("-----OX--XO----- X\n% goal=reversed\n", &[], "line 2: sets other rules"),
        ("% goal=both\n", &[], "line 1: \"goal=both\" is no setting"),
        ("# reversed goal\n", &[], "line 1: \"reversed goal\" is no setting"),
    ] {
        let message = stderr(query(&[&["--batch", "-"], args].concat()).write_stdin(input).assert().code(2));
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn a_batch_of_a_problem_file_finds_its_scores() {
    for goal in ["normal", "reversed"] {
        let path = format!("{}/tests/data/6x6-{goal}.obf", env!("CARGO_MANIFEST_DIR"));
        let file: obf::File = fs::read_to_string(&path).unwrap().parse().unwrap();
        let answers = common::json_lines(query(&["--quick", "--batch", &path]).assert().success());
        assert_eq!(answers.len(), file.records.len(), "an answer for each record");
        for (record, answer) in file.records.iter().zip(&answers) {
            assert_eq!(
                (&answer["goal"], &answer["position"]),
                (&json!(goal), &json!(record.board.to_string()))
            );
            assert_eq!(answer["score"], json!(record.best_score().unwrap().discs()), "line {}", record.line);
        }
    }
}

#[test]
fn a_search_out_of_time_gives_no_answer() {
    let start = ["--board", "8x8", "--time", "0.05", "--json"];
    let message = stderr(query(&start).assert().code(1).stdout("")); // Never a guess.
    let error: Json = serde_json::from_str(&message).expect("JSON and nothing besides it");
    assert_eq!((&error["schema"], &error["kind"]), (&json!("reversi.error/1"), &json!("out-of-time")));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_search_with_code_130() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    // As a script starts what is to run beside it.
    let mut child = common::after("trap '' INT")
        .args(["query", "--board", "8x8", "--memory", "16M"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut first, mut rest) = (String::new(), String::new());
    let mut told = BufReader::new(child.stderr.take().unwrap());
    told.read_line(&mut first).unwrap();
    assert!(first.contains("Ctrl-C"), "says before it begins that it may take long: {first}");
    common::interrupt(child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    told.read_to_string(&mut rest).unwrap();
    assert!(rest.ends_with("reversi: interrupted before the end\n"), "{rest}");
}

/// A small table built from a position.
fn table_from(position: &str, directory: &Path) -> String {
    table_of_prefix(position, 6, directory)
}

/// The path of a table of the two plies after a 6x6 position, and of the stored lines down to `down_to` empty squares.
fn table_of_prefix(position: &str, down_to: u32, directory: &Path) -> String {
    let mut build = common::reversi();
    let options = ["build", "6x6", "--goal", "normal", "--prefix", "2", "--quiet"];
    build.args(options).args(["--down-to", &down_to.to_string(), "--position", position, "--out"]);
    build.arg(directory).assert().success();
    fs::read_dir(directory).unwrap().next().unwrap().unwrap().path().to_str().unwrap().to_owned()
}

#[test]
fn a_table_from_another_position_is_asked_when_it_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let position = "XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X";
    let table = table_from(position, directory.path());
    let asked = ["--position", position, "--quick"];
    assert_eq!(json_of(&asked)["source"], "search");
    let answer = json_of(&[&asked[..], &["--table", &table]].concat());
    assert_eq!((&answer["source"], &answer["score"]), (&"table".into(), &20.into()));

    let other_rules = [&asked[..], &["--table", &table, "--goal", "reversed"]].concat();
    let refused = stderr(query(&other_rules).assert().code(4));
    let way_out =
        "made for normal raw, but the question is about reversed raw; pass --goal normal --scoring raw";
    assert!(refused.contains(way_out), "{refused}");
    query(&[&asked[..], &["--table", "/nowhere/x.rvt"]].concat()).assert().code(3);
}

#[test]
fn damaged_weights_are_not_in_the_way_where_moves_are_ordered_plainly() {
    let directory = tempfile::tempdir().unwrap();
    let mut weights = fs::read(format!("{}/data/6x6-normal.rvw", env!("CARGO_MANIFEST_DIR"))).unwrap();
    *weights.last_mut().unwrap() ^= 1;
    fs::write(directory.path().join("6x6-normal.rvw"), weights).unwrap();
    let position = "XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X";
    let asked = ["--position", position, "--quick", "--data", directory.path().to_str().unwrap()];
    assert!(stderr(query(&asked).assert().code(4)).contains("--ordering plain"));
    assert_eq!(json_of(&[&asked[..], &["--ordering", "plain"]].concat())["score"], 20);
}

#[test]
fn where_one_move_leads_into_a_table_the_answer_is_still_a_search() {
    let directory = tempfile::tempdir().unwrap();
    let position = "XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X";
    let after_d1 = json_of(&["--position", position, "d1"])["position"].as_str().unwrap().to_owned();
    let table = table_from(&after_d1, directory.path());
    let asked = ["--position", position, "--table", &table];
    let moves = json_of(&asked)["moves"].clone();
    let d1 = moves.as_array().unwrap().iter().find(|mv| mv["move"] == "d1").unwrap();
    assert_eq!(d1["source"], "table");
    assert!(text_of(&asked).contains("from  live search, in "));
}

/// A position of the last ply of a prefix, below the bound of the table: its score is stored, its move is not and takes
/// a search.
#[test]
fn out_of_time_it_says_what_a_table_holds() {
    let directory = tempfile::tempdir().unwrap();
    let position = "---XXX-XO-X---OOOO--OXO--OOXX---OX-- O";
    let table = table_of_prefix(position, 16, directory.path());
    let asked = ["--table", &table, "--position", position, "e6f2", "--time", "0.000001"];
    for more in [&[][..], &["--quick"]] {
        let said = stderr(query(&[&asked[..], more].concat()).assert().code(1));
        assert!(
            said.contains("did not end within 0.000001 s; a table says -32, but not by which move"),
            "{said}"
        );
    }
}

/// The table has the start and its moves; where it ends there is no time left to go on.
#[test]
fn a_line_cut_by_time_is_told_alone_and_in_a_batch() {
    let asked = ["--board", "6x6", "--line", "full", "--time", "0.000001"];
    let text = stdout(query(&asked).assert().code(1));
    assert!(text.contains(" (as far as time allowed)\n"), "{text}");
    let start = "--------------OX----XO-------------- X";
    let mut batch = query(&[&asked[..], &["--batch", "-"]].concat());
    let answer = common::json(batch.write_stdin(start).assert().code(1));
    assert_eq!((&answer["score"], &answer["line_complete"]), (&json!(-4), &json!(false)));
}

/// The table of a batch has the cells that its JSON has, and a fault in its place.
#[test]
fn a_batch_as_csv_says_what_its_json_says() {
    let questions = "--board-\n-----OX--XO----- X\nOX--OX--XO------ X\nc2b4\n";
    let batch = |format: &str| {
        let asked = ["query", "--batch", "-", "--quiet", "--format", format];
        let output = common::reversi().args(asked).write_stdin(questions).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let ((csv_code, csv), (json_code, json)) = (batch("csv"), batch("json"));
    assert_eq!((csv_code, json_code), (2, 2), "the first line is no position");
    let answers: Vec<Json> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines.len(), answers.len()), (5, 4), "{csv}");
    let heads: Vec<&str> = lines[0].split(',').collect();
    let place = |head: &str| heads.iter().position(|known| *known == head).unwrap();
    for (line, answer) in lines[2..].iter().zip(&answers[1..]) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), heads.len(), "{line}");
        for key in ["number", "score"] {
            assert_eq!(cells[place(key)], answer[key].to_string(), "{line}");
        }
        for key in ["board", "position", "source"] {
            assert_eq!(cells[place(key)], answer[key].as_str().unwrap(), "{line}");
        }
        let words = |key: &str| {
            let words = answer[key].as_array().unwrap().iter().map(|word| word.as_str().unwrap());
            words.collect::<Vec<_>>().join(" ")
        };
        assert_eq!((cells[place("best")], cells[place("line")]), (&*words("best"), &*words("line")));
        let moves = answer["moves"].as_array().unwrap();
        let scored: Vec<String> =
            moves.iter().map(|mv| format!("{}:{}", mv["move"].as_str().unwrap(), mv["score"])).collect();
        assert_eq!(cells[place("moves")], scored.join(" "));
    }
    assert!(lines[1].starts_with("1,,") && lines[1].contains("line 1: "), "{csv}");
    let both = query(&["--batch", "-", "--format", "csv", "--json"]).assert();
    assert!(stderr(both.code(2)).contains("leave --format out"));
}
