//! Training is a function of its plan: the seed decides, the number of threads does not.

use crate::common::{self, reversi};
use predicates::prelude::*;
use std::collections::HashSet;
use std::path::Path;

/// Trains on a few games with little effort and gives the bytes of the file.
fn train(directory: &Path, goal: &str, arguments: &[&str]) -> Vec<u8> {
    reversi()
        .args(["train", "--board", "6x6", "--goal", goal, "--games", "48", "--exact", "6", "--depth", "2"])
        .args(["--quiet", "--replace", "--out", directory.to_str().unwrap()])
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
fn how_games_are_played_and_what_they_count_changes_what_is_learned() {
    let directory = tempfile::tempdir().unwrap();
    let usual = train(directory.path(), "normal", &[]);
    let tame = train(directory.path(), "normal", &["--play", "tame"]);
    let even = train(directory.path(), "normal", &["--play", "even"]);
    let near_even = train(directory.path(), "normal", &["--half-worth", "5"]);
    let different = HashSet::from([&usual, &tame, &even, &near_even]);
    assert_eq!(different.len(), 4);
    assert!(usual == train(directory.path(), "normal", &["--play", "wild"]), "the default");
}

#[test]
fn with_few_games_what_is_not_known_is_said() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    let few = ["train", "--games", "16", "--generations", "1", "--exact", "2", "--depth", "2", "--replace"];
    let mut unknown = 0;
    for seed in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        let mut command = reversi();
        command.args(few).args(["--exam", "3", "--exam-positions", "5", "--seed", seed, "--out", out]);
        let text = common::stdout(command.assert().success());
        let start = text.lines().find(|line| line.contains("32 - 32")).expect("the stage of the start");
        let words: Vec<&str> = start.split_whitespace().collect();
        // Generation, empties in three words, positions, held out, and the two errors.
        assert_eq!((words[5] == "0", words[5] == "0"), (words[6] == "-", words[7] == "-"), "{start}");
        unknown += u32::from(words[4] == "0" || words[5] == "0");
        let last_square = text.lines().find(|line| line.contains(" 1 -  1 ")).expect("the exam");
        assert!(last_square.ends_with("- %"), "one square leaves no choice: {last_square}");
    }
    assert!(unknown > 0, "a start that was only learned from or only held out");
}

#[test]
fn what_goes_on_from_a_generation_learns_what_it_would_have_without_a_break() {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let little = ["--exam", "0", "--duel", "0", "--generations"];
    let at_once = train(whole.path(), "normal", &[&little[..], &["3"]].concat());
    let first = train(parts.path(), "normal", &[&little[..], &["1"]].concat());
    assert!(first != at_once);
    let file = parts.path().join("6x6-normal.rvw");
    let from = ["--from", file.to_str().unwrap()];
    let again = train(whole.path(), "normal", &[&little[..], &["2"], &from].concat());
    assert!(again != at_once, "as first generations they play other games");
    let went_on =
        train(parts.path(), "normal", &[&little[..], &["2", "--first-generation", "2"], &from].concat());
    assert!(went_on == at_once);
}

/// What training says that is interrupted once it has written a file.
#[cfg(unix)]
fn interrupted(out: &Path, file: &Path, options: &[&str]) -> String {
    let mut training = common::process()
        .args(["train", "--games", "16", "--exact", "2", "--depth", "2", "--duel", "0", "--out"])
        .arg(out)
        .args(options)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    common::wait_for(file, &mut training);
    common::interrupt(training.id());
    let output = training.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    String::from_utf8(output.stderr).unwrap()
}

#[cfg(unix)]
#[test]
fn interrupted_training_says_how_it_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("6x6-normal.rvw");
    let said = interrupted(directory.path(), &file, &["--generations", "1000000", "--exam", "0"]);
    let told =
        said.lines().find(|line| line.starts_with("generation ") && line.contains(" is in ")).expect(&said);
    let done: u32 = told.split_whitespace().nth(1).unwrap().parse().unwrap();
    let (next, left) = (done + 1, 1_000_000 - done);
    let options =
        format!("--from {} --replace --first-generation {next} --generations {left}", file.display());
    // In quotes where a shell needs them.
    assert!(told.replace('\'', "").ends_with(&options), "{said}");
}

#[cfg(unix)]
#[test]
fn a_generation_is_written_before_its_exam() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("6x6-normal.rvw");
    let long_exam = ["--generations", "1", "--exam", "24", "--exam-positions", "100000"];
    let said = interrupted(directory.path(), &file, &long_exam);
    assert!(said.contains("generation 1, the last, is in"), "{said}");
}

/// Two generations with an exam and a match.
fn train_twice(directory: &Path, options: &[&str]) -> (String, String) {
    let few = ["--games", "48", "--exact", "4", "--depth", "2", "--exam", "5", "--exam-positions", "10"];
    let mut command = reversi();
    command.args(["train", "--duel", "3", "--replace", "--out", directory.to_str().unwrap()]);
    command.args(few).args(options);
    let output = command.assert().success().get_output().clone();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn what_training_finds_is_its_result_and_only_remarks_can_be_silenced() {
    let directory = tempfile::tempdir().unwrap();
    let (results, remarks) = train_twice(directory.path(), &[]);
    let (quiet, silence) = train_twice(directory.path(), &["--quiet"]);
    assert!(remarks.contains("learning 6x6") && silence.is_empty(), "{remarks}{silence}");
    for results in [results, quiet] {
        let stages =
            results.lines().filter(|line| line.contains(" - ") && line.split_whitespace().count() == 9);
        assert_eq!(stages.count(), 2 * 17, "a line for each stage of each generation: {results}");
        assert!(results.contains("generation 2 against exact values"), "the exam: {results}");
        assert!(results.contains("both 3 plies deep"), "the match: {results}");
    }
}

#[test]
fn the_json_of_training_has_all_that_was_found() {
    let directory = tempfile::tempdir().unwrap();
    let (results, _) = train_twice(directory.path(), &["--json"]);
    let report: serde_json::Value = serde_json::from_str(&results).unwrap();
    assert_eq!((&report["schema"], &report["board"]), (&"reversi.train/1".into(), &"6x6".into()));
    let generations = report["generations"].as_array().unwrap();
    assert_eq!(generations.len(), 2);
    for generation in generations {
        let stages = generation["stages"].as_array().unwrap();
        assert_eq!(stages.len(), 17, "{report}");
        assert!(stages.iter().all(|stage| stage["positions"].as_u64() > Some(0) && stage["error"].is_f64()));
        assert!(stages.iter().all(|stage| stage["held_out"].is_u64() && stage["error_of_zero"].is_f64()));
        assert_eq!(generation["exam"].as_array().unwrap().len(), 3);
    }
    assert_eq!(generations[1]["match"]["wins"].as_u64().map(|wins| wins <= 6), Some(true), "{report}");
}

#[test]
fn any_board_from_4x4_on_can_be_learned_and_one_file_serves_both_orientations() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    let few = ["--games", "16", "--generations", "1", "--exact", "4", "--exam", "0", "--out", out];
    for (board, file) in [("4x4", "4x4-reversed.rvw"), ("7x4", "4x7-reversed.rvw")] {
        reversi().args(["train", "--board", board, "--goal", "reversed"]).args(few).assert().success();
        assert!(directory.path().join(file).exists(), "{file}");
    }
    for board in ["4x7", "7x4"] {
        let hint = ["hint", "--board", board, "--goal", "reversed", "--depth", "2", "--data", out];
        let told = common::stderr(common::run(&hint).success());
        assert!(told.contains("4x7-reversed.rvw"), "{told}");
    }
}

#[test]
fn weights_that_are_there_are_replaced_only_when_that_is_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("6x6-reversed.rvw");
    std::fs::write(&file, "the best so far").unwrap();
    let out = directory.path().to_str().unwrap();
    let few = ["--games", "16", "--generations", "1", "--exact", "4", "--depth", "2", "--exam", "0"];
    let train = |goal: &str, options: &[&str]| {
        let mut command = reversi();
        command.args(["train", "--goal", goal, "--out", out]).args(few).args(options).assert()
    };
    for (goal, code) in [("reversed", 2), ("normal", 0), ("normal", 2)] {
        train(goal, &[]).code(code);
    }
    let refused = train("reversed", &["--json"]).code(2).get_output().stderr.clone();
    let error: serde_json::Value = serde_json::from_slice(&refused).unwrap();
    let message = error["message"].as_str().unwrap();
    for part in [file.to_str().unwrap(), "is there already", "--out DIR", "--replace"] {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(std::fs::read(&file).unwrap(), b"the best so far");
    train("reversed", &["--replace"]).success();
    assert!(std::fs::read(&file).unwrap().starts_with(b"RVWEIGHT"));
}

#[test]
fn wrong_arguments_are_refused_with_the_way_out() {
    let refused = |arguments: &[&str], message: &str| {
        reversi().arg("train").args(arguments).assert().code(2).stderr(predicate::str::contains(message));
    };
    refused(&["--board", "3x5"], "learned for boards from 4x4 to 8x8");
    refused(&["--depth", "1"], "less than --stage-width 2: raise it");
    refused(&["--out", "/nowhere/at/all"], "no such directory");
    if cfg!(target_os = "linux") {
        let unwritable = ["--out", "/proc/self", "--board", "6x6"];
        reversi()
            .arg("train")
            .args(unwritable)
            .timeout(std::time::Duration::from_secs(60))
            .assert()
            .code(1)
            .stderr(predicate::str::contains("--out /proc/self"));
    }
    refused(&["--games", "15"], "--games <GAMES>': write a number from 16");
    refused(&["--exact", "64"], "--exact <EXACT>': write a number from 0 to 20");
    refused(&["--depth", "60"], "--depth <DEPTH>': write a number from 1 to 8");
    refused(&["--games", "4294967295"], "--games <GAMES>': write a number from 16 to 10000000");
    refused(&["--first-generation", "2"], "--from <FILE>");
    let shipped = common::shipped("6x6-normal.rvw");
    let out = tempfile::tempdir().unwrap();
    let other_stages = ["--stage-width", "3", "--from", &shipped, "--out", out.path().to_str().unwrap()];
    refused(&other_stages, "stages of 2 empty squares, not of 3: give --stage-width 2");
    refused(&["--stage-width", "0"], "write a number from 1 to 8");
    refused(&["--exam", "25"], "write a number from 0 to 24");
    for ridge in ["0", "-1", "nan", "inf", "1e-30", "firm"] {
        refused(&[&format!("--ridge={ridge}")], "write a number from 0.000001 to 1000000");
    }
    for discs in ["0", "-20", "nan", "inf", "half"] {
        refused(&[&format!("--half-worth={discs}")], "write a number from 1 to 1000000");
    }
}
