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
    let expected = serde_json::json!({"move": "c1", "value": 3.0, "exact": true, "depth": 1, "line": ["c1"]});
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
        (&["--board", "6x6"][..], "6x6-normal.rvw"),
        (&["--board", "6x6", "--player", "engine:turned=on"], "6x6-reversed.rvw"),
        (&["--board", "5x5"], "no weights for 5x5 normal in "),
        (&["--board", "6x6", "--player", "first"], ""),
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
        ("--player random --time 10s", 0),
        ("--player random --time 10s --lines 3", 0),
        ("--player random", 0),
        ("--board 4x4 b1a1a2c1d1a3a4d2d3b4c4d4 --time 10s --lines 3", 0),
    ] {
        let mut command = common::reversi();
        let output = command.arg("hint").args(arguments.split(' ')).output().unwrap();
        let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments}: {said}");
        let advice = "nothing was found within 0.05 s; give it more with --time";
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
