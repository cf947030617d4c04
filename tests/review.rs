//! `reversi review` as it is used: what it says each move gave away, and what it refuses.

mod common;

use assert_cmd::Command;
use common::words;
use predicates::str::contains;
use serde_json::Value;

fn review(arguments: &str) -> Command {
    let mut command = Command::cargo_bin("reversi").unwrap();
    command.arg("review").args(words(arguments));
    command
}

fn json(arguments: &str) -> Value {
    let output = review(arguments).arg("--json").assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

#[test]
fn a_mistake_on_4x4_is_named_with_the_better_move() {
    let found = json("--board 4x4 b1 c1");
    assert_eq!(found["judge"], "perfect");
    assert_eq!(found["lost"], serde_json::json!({"X": 0.0, "O": 16.0}));
    let second = &found["moves"][1];
    assert_eq!((&second["move"], &second["best"]), (&"c1".into(), &"a1".into()));
    assert_eq!((&second["value"], &second["best_value"]), (&(-8.0).into(), &8.0.into()));
    review("--board 4x4 b1 c1").assert().success().stdout(contains(
        "X gave away 0 discs, with 0 of 1 moves\nO gave away 16 discs, with 1 of 1 moves\n",
    ));
}

/// f6 alone is best, as the README says.
#[test]
fn a_game_may_begin_anywhere() {
    let found = json("--position \"XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X\" d1");
    let first = &found["moves"][0];
    assert_eq!(
        (&first["best"], &first["best_value"], &first["exact"]),
        (&"f6".into(), &20.0.into(), &true.into())
    );
    assert!(first["lost"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_game_comes_from_a_file_or_from_standard_input() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("game.ggf");
    std::fs::write(&path, "(;GM[Othello]PB[me]TY[4a]BO[4 -----O*--*O----- *]B[b1]W[a1];)").unwrap();
    let found = json(&format!("--file {}", path.display()));
    assert_eq!((&found["goal"], &found["board"]), (&"reversed".into(), &"4x4".into()));
    assert_eq!(found["moves"].as_array().unwrap().len(), 2);
    review("--file - --board 4x4").write_stdin("b1 a1\n").assert().success().stdout(contains("of 1 moves"));
    review("--file /nowhere/game.ggf").assert().code(2).stderr(contains("/nowhere/game.ggf"));
}

#[test]
fn opinions_are_told_from_proofs() {
    let found = json("f5d6c3 --player engine:depth=3");
    let moves = found["moves"].as_array().unwrap();
    assert!(moves.iter().all(|mv| mv["exact"] == false && mv["lost"].as_f64().unwrap() >= 0.0));
    assert_eq!(moves[0]["lost"], 0.0, "all first moves are each other's mirror images");
    review("f5d6c3 --player engine:depth=3")
        .assert()
        .success()
        .stdout(contains("opinions of engine:depth=3"));
}

#[test]
fn a_game_without_moves_gave_nothing_away() {
    let found = json("--position \"-----OX--XO----- X\"");
    assert_eq!(found["moves"], serde_json::json!([]));
    assert_eq!(found["lost"], serde_json::json!({"X": 0.0, "O": 0.0}));
}

#[test]
fn what_cannot_be_reviewed_is_refused_with_the_reason() {
    for (arguments, reason) in [
        ("f5 z9", "no such square"),
        ("f5 a1", "move 2 \"a1\""),
        ("--player random f5d6c3", "random does not value moves in discs"),
        ("--player phases f5d6c3", "phases does not value moves in discs"),
        ("--player perfect f5d6", "at most 36 squares"),
        ("--board 10x10 e4", "only on boards up to 8x8"),
        ("--player engin f5", "engine"),
    ] {
        review(arguments).assert().code(2).stderr(contains(reason));
    }
}
