//! Training is a function of its plan: the seed decides, the number of threads does not.

use assert_cmd::Command;
use predicates::prelude::*;
use std::path::Path;

fn reversi() -> Command {
    Command::cargo_bin("reversi").unwrap()
}

/// Trains on a few games with little effort and gives the bytes of the file.
fn train(directory: &Path, goal: &str, arguments: &[&str]) -> Vec<u8> {
    reversi()
        .args(["train", "--board", "6x6", "--goal", goal, "--games", "48", "--exact", "6", "--depth", "2"])
        .args(["--quiet", "--out", directory.to_str().unwrap()])
        .args(arguments)
        .assert()
        .success();
    std::fs::read(directory.join(format!("6x6-{goal}.rvw"))).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_file_at_any_number_of_threads() {
    let directory = tempfile::tempdir().unwrap();
    for goal in ["normal", "reversed"] {
        let one = train(directory.path(), goal, &["--threads", "1"]);
        let three = train(directory.path(), goal, &["--threads", "3"]);
        assert!(one == three, "{goal}");
        let other_seed = train(directory.path(), goal, &["--seed", "2"]);
        assert!(one != other_seed, "{goal}");
    }
}

#[test]
fn wrong_arguments_are_refused_with_the_way_out() {
    let refused = |arguments: &[&str], message: &str| {
        reversi().arg("train").args(arguments).assert().code(2).stderr(predicate::str::contains(message));
    };
    refused(&["--board", "5x5"], "learned for 6x6 and 8x8 only");
    refused(&["--depth", "1"], "less than --stage-width 2: raise it");
    refused(&["--out", "/nowhere/at/all"], "no such directory");
    refused(&["--games", "0"], "--games");
}
