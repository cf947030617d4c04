//! `reversi perft` as its user sees it.

use crate::common::{run, stderr, stdout};
use serde_json::Value as Json;

const COUNTS_6X6: &str = "{\"schema\":\"reversi.perft/1\",\"board\":\"6x6\",\
                          \"position\":\"--------------OX----XO-------------- X\",\"counts\":[4,12,56,244]}\n";

#[test]
fn both_rules_print_the_same_counts() {
    run(&["perft", "4", "--board", "6x6", "--json"]).success().stdout(COUNTS_6X6);
    run(&["perft", "4", "--board", "6x6", "--json", "--naive"]).success().stdout(COUNTS_6X6);
}

#[test]
fn lines_are_printed_depth_by_depth() {
    let text = stdout(run(&["perft", "3", "--position", "-----OX--XO----- X"]).success());
    let starts: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().take(2).collect()).collect();
    assert_eq!(starts, [["1", "4"], ["2", "12"], ["3", "44"]]);
}

#[test]
fn where_all_games_have_ended_the_count_stays_the_same() {
    let counts = |position: &str, depth: u32| {
        let counted = run(&["perft", &depth.to_string(), "--position", position, "--json"]);
        let object: Json = serde_json::from_str(&stdout(counted.success().stderr(""))).unwrap();
        object["counts"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).collect::<Vec<_>>()
    };
    // Three squares are empty: a pass may come before each disc.
    let position = "XO- XO- XO- X";
    let (to_the_end, on) = (counts(position, 6), counts(position, 120));
    assert_eq!(on[..6], to_the_end);
    assert_eq!(on[6..], [to_the_end[5]; 114]);
    assert_eq!(counts("XXX XXX XXX X", 9), [1; 9]);
}

#[test]
fn threads_change_no_count() {
    for threads in ["1", "3"] {
        let counted = stdout(run(&["perft", "8", "--json", "--threads", threads]).success());
        assert!(counted.contains("[4,12,56,244,1396,8200,55092,390216]"), "{counted}");
    }
    // White has to pass first, and six plies are enough to be shared among threads.
    let passing = ["perft", "8", "--json", "--position", "XO-- XO-- ---- ---- X", "c1"];
    let [fast, naive] =
        [&["--threads", "3"][..], &["--naive"]].map(|how| stdout(run(&[&passing, how].concat()).success()));
    assert_eq!(fast, naive);
}

#[test]
fn options_may_follow_the_moves() {
    let counts = "{\"schema\":\"reversi.perft/1\",\"board\":\"6x6\",\
                  \"position\":\"--------X-----XX----XO-------------- O\",\"counts\":[3,14]}\n";
    run(&["perft", "2", "c2", "--board", "6x6", "--json"]).success().stdout(counts);
    run(&["perft", "2", "--board", "6x6", "--json", "--", "c2"]).success().stdout(counts);
}

#[test]
fn a_pass_of_two_hyphens_is_a_move_and_not_the_end_of_options() {
    // After c1 White has no move and Black has four.
    let position = "XO-- XO-- ---- ---- X";
    let after = |moves: &[&str]| {
        let arguments = [&["perft", "1", "--json", "--position", position], moves].concat();
        stdout(run(&arguments).success())
    };
    let counts = "{\"schema\":\"reversi.perft/1\",\"board\":\"4x4\",\"position\":\"XXX-XO---------- X\",\"counts\":[4]}\n";
    for moves in [&["c1", "--"][..], &["c1--"], &["c1", "pa"], &["--", "c1", "--"]] {
        assert_eq!(after(moves), counts, "{moves:?}");
    }
}

#[test]
fn wrong_input_ends_with_code_2_and_says_why() {
    for (arguments, word) in [
        (&["perft", "3", "c9"][..], "move 1 \"c9\": no such square on 8x8"),
        (&["perft", "3", "--board", "9x9"], "9x9 is outside the supported boards, 3x3 to 8x8"),
        (&["perft", "3", "--board", "six"], "\"six\" is no board size"),
        (&["perft", "3", "--position", "---- X"], "--position: 5 characters are no square board"),
        (&["perft", "0"], "write a whole number from 1 to 120"),
        (&["perft"], "DEPTH"),
    ] {
        let text = stderr(run(arguments).code(2).stdout(""));
        assert!(text.contains(word), "{arguments:?}: {text}");
    }
}

#[test]
fn the_long_version_names_the_instructions_of_the_build() {
    let text = stdout(run(&["--version"]).success());
    assert!(
        text.contains(env!("CARGO_PKG_VERSION")) && text.contains(reversi::rules::kernel::NAME),
        "{text}"
    );
}
