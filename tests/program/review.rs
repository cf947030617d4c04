//! `reversi review` as it is used: what it says each move gave away, and what it refuses.

use crate::common::{self, stderr, stdout, words};
use assert_cmd::Command;
use predicates::str::contains;
use serde_json::Value as Json;
use std::fs;

fn review(arguments: &str) -> Command {
    let mut command = common::reversi();
    command.arg("review").args(words(arguments));
    command
}

fn json(arguments: &str) -> Json {
    common::json(review(arguments).arg("--json").assert().success())
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
fn a_game_of_another_kind_than_the_options_ask_for_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("game.ggf");
    let game = "(;GM[Othello]TY[4a]BO[4 -----O*--*O----- *]B[b1]W[a1];)";
    std::fs::write(&path, game).unwrap();
    for (options, said) in [
        (
            "--goal normal",
            "the game is for goal=reversed, but --goal normal is asked for; leave the option out",
        ),
        ("--board 8x8", "the game is for board=4x4, but --board 8x8 is asked for"),
        ("--start parallel", "does not begin with the discs that --start parallel asks for"),
    ] {
        let refused = review(&format!("--file \"{}\" {options}", path.display())).assert().code(2);
        refused.stderr(contains(format!("--file {}: ", path.display()))).stderr(contains(said));
        review(&format!("\"{game}\" {options}")).assert().code(2).stderr(contains(said));
        let mut play = common::reversi();
        play.args(["play", "--load"]).arg(&path).args(words(options)).assert().code(2).stderr(contains(said));
    }
    json(&format!("--file \"{}\" --goal reversed --board 4x4 --start diagonal", path.display()));
    std::fs::write(&path, "% goal=reversed scoring=raw\n-----OX--XO----- X; b1:+3;\n").unwrap();
    for options in ["--goal normal", "--scoring winner"] {
        review(&format!("--file \"{}\" {options}", path.display()))
            .assert()
            .code(2)
            .stderr(contains("the game is for"));
    }
}

#[test]
fn dashes_before_moves_are_a_pass_and_no_option() {
    for arguments in ["\"-- c4\"", "-- \"-- c4\"", "c2 \"-- c4\""] {
        let refused = review(&format!("--board 6x6 {arguments}")).assert().code(2);
        refused.stderr(contains("\"--\": a pass is only legal without a move"));
    }
    review("--board 6x6 --c4").assert().code(2).stderr(contains("unexpected argument '--c4'"));
    // O has no move.
    json("--position \"XO-- ---- ---- ---- O\" \"-- c1\"");
}

#[test]
fn a_game_comes_from_a_file_or_from_standard_input() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("game.ggf");
    std::fs::write(&path, "(;GM[Othello]PB[me]TY[4a]BO[4 -----O*--*O----- *]B[b1]W[a1];)").unwrap();
    let found = json(&format!("--file \"{}\"", path.display()));
    assert_eq!((&found["goal"], &found["board"]), (&"reversed".into(), &"4x4".into()));
    assert_eq!(found["moves"].as_array().unwrap().len(), 2);
    review("--file - --board 4x4").write_stdin("b1 a1\n").assert().success().stdout(contains("of 1 moves"));
    review("--file /nowhere/game.ggf").assert().code(2).stderr(contains("/nowhere/game.ggf"));
    let positions = "-----OX--XO----- X;\n-----OX--XO----- X; b1:+3;\n";
    for (no_moves, said) in
        [("\n", "there is neither a board nor a move in it"), (positions, "there is no move in it")]
    {
        review("--file -").write_stdin(no_moves).assert().code(2).stderr(contains(said));
    }
    let mistaken = format!("\"{}\"", path.display());
    review(&mistaken).assert().code(2).stderr(contains("read it with --file"));
}

/// A file of games, the second of which cannot be read.
fn three_games(directory: &tempfile::TempDir) -> String {
    let path = directory.path().join("games.ggf");
    let games = ["PB[me]PW[you]B[b1]W[c1]", "B[a1]", "PB[you]PW[me]B[b1]W[a1]"];
    let games = games.map(|game| format!("(;GM[Othello]TY[4]{game};)"));
    std::fs::write(&path, games.join("\n")).unwrap();
    path.display().to_string()
}

#[test]
fn all_games_of_a_file_are_looked_at_and_what_each_player_lost_is_summed_up() {
    let directory = tempfile::tempdir().unwrap();
    let path = three_games(&directory);
    let told = review(&format!("--file \"{path}\"")).assert().code(2);
    let told = told.stderr(contains(format!("game 2: --file {path}: move 1 \"a1\": turns no disc")));
    let text = stdout(told);
    let titles: Vec<&str> = text.lines().filter(|line| line.starts_with("Game ")).collect();
    assert_eq!(titles, ["Game 1: me (X) against you (O)", "Game 3: you (X) against me (O)"]);
    let sums = "player  games  moves  mistakes  discs lost  a move\n\
                me          2      2         0           0    0.00\n\
                you         2      2         1          16    8.00\n";
    assert!(text.ends_with(sums), "{text}");

    let lines = common::json_lines(review(&format!("--file \"{path}\" --json")).assert().code(2));
    let of = |field: &str| lines.iter().map(|line| line[field].clone()).collect::<Vec<_>>();
    assert_eq!(of("game")[..3], [1, 2, 3]);
    let schemas = ["reversi.review/1", "reversi.error/1", "reversi.review/1", "reversi.review-sums/1"];
    assert_eq!(of("schema"), schemas);
    assert_eq!(lines[3]["interrupted"], false);
    let you = serde_json::json!({"player": "you", "games": 2, "moves": 2, "mistakes": 1, "lost": 16.0});
    assert_eq!(lines[3]["players"][1], you);
    assert_eq!(lines[2]["players"], serde_json::json!({"X": "you", "O": "me"}));
    assert_eq!(lines[0]["lost"], serde_json::json!({"X": 0.0, "O": 16.0}));
}

#[test]
fn an_opening_as_long_as_the_game_is_told() {
    for (opening, told) in [
        ("1", "the opening, the first move, counts for neither side\n"),
        ("2", "no move counts for either side: the opening has 2 moves, the game 2 moves\n"),
        ("100", "no move counts for either side: the opening has 100 moves, the game 2 moves\n"),
    ] {
        let text = stdout(review(&format!("--board 4x4 b1a1 --opening {opening}")).assert().success());
        assert!(text.contains(told), "{text}");
    }
}

#[test]
fn an_opening_counts_for_no_player() {
    let directory = tempfile::tempdir().unwrap();
    let path = three_games(&directory);
    // The mistake is the second move of the first game.
    for (opening, moves, mistakes, lost) in [(0, 2, 1, 16.0), (1, 1, 1, 16.0), (2, 0, 0, 0.0)] {
        let mut command = review(&format!("--file \"{path}\" --opening {opening} --json"));
        let lines = common::json_lines(command.assert().code(2));
        assert_eq!((&lines[0]["opening"], &lines[0]["lost"]["O"]), (&opening.into(), &lost.into()));
        let you = &lines[3]["players"][1];
        let found = (&you["player"], &you["moves"], &you["mistakes"], &you["lost"]);
        assert_eq!(found, (&"you".into(), &moves.into(), &mistakes.into(), &lost.into()));
    }
}

#[test]
fn one_game_of_a_file_can_be_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let path = three_games(&directory);
    let of_game = |number: u32| review(&format!("--file \"{path}\" --game {number}"));
    assert_eq!(json(&format!("--file \"{path}\" --game 3"))["players"]["X"], "you");
    let title = "Game 1: me (X) against you (O)\n4x4, normal goal";
    of_game(1).assert().success().stdout(predicates::str::starts_with(title));
    of_game(2).assert().code(2).stderr(contains("move 1 \"a1\""));
    of_game(4).assert().code(2).stderr(contains("there is no game 4, the last one is 3"));
    of_game(0).assert().code(2).stderr(contains("write a whole number, 1 or more"));
    review("--board 4x4 b1 --game 1").assert().code(2).stderr(contains("cannot be used with"));
}

/// Every game would fail by it.
#[test]
fn what_no_game_can_be_looked_at_with_is_said_once() {
    let directory = tempfile::tempdir().unwrap();
    let path = three_games(&directory);
    std::fs::write(directory.path().join("6x6-normal.rvw"), "no weights").unwrap();
    let data = format!("--board 6x6 --player engine --data \"{}\"", directory.path().display());
    let games = "c2b4\nc2b2\n";
    for (options, code, said) in [
        (format!("--file \"{path}\" --player engin"), 2, "engin"),
        (format!("--file \"{path}\" --player random"), 2, "random does not value positions in discs"),
        (format!("--file - {data}"), 4, "6x6-normal.rvw"),
    ] {
        let told = review(&format!("{options} --quiet")).write_stdin(games).assert();
        let told = stderr(told.code(code).stdout(""));
        assert_eq!((told.contains(said), told.lines().count()), (true, 1), "{told}");
    }
    let refused = review(&format!("--file \"{path}\" --goal reversed")).assert().code(2).stdout("");
    refused.stderr(contains("game 3: "));
}

#[test]
fn games_of_several_boards_stand_in_one_file() {
    let games = "(;GM[Othello]TY[10]B[e4];)\r\n(;GM[Othello]TY[4]PB[a\u{1b}[2Jb\n]PW[c]B[b1]W[c1];)\r\n\
                 (;GM[Othello]TY[5a]PB[c]PW[c];)\r\n";
    let told = review("--file -").write_stdin(games).assert().code(2);
    let told = told.stderr(contains("game 1: no judge values moves in discs on 10x10"));
    let text = stdout(told);
    assert!(text.contains("Game 2: a [2Jb (X) against c (O)\n4x4, normal goal"), "{text:?}");
    assert!(text.contains("Game 3: c (X) against c (O)\n5x5, reversed goal"), "{text}");
    assert!(text.contains("\nc           2      1         1          16   16.00\n"), "{text}");
}

/// What was found before is not lost.
#[test]
fn a_fault_that_ends_it_comes_after_the_sums() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("6x6-normal.rvw"), "no weights").unwrap();
    let options = format!("--file - --player engine:depth=2 --data \"{}\"", directory.path().display());
    let long = "x".repeat(70);
    let games = format!(
        "(;GM[Othello]PB[{long}1]PW[{long}2]TY[4]B[b1];)(;GM[Othello]TY[6]B[c2];)(;GM[Othello]TY[4]B[b1];)"
    );
    let told = review(&format!("{options} --json")).write_stdin(games).assert().code(4);
    let told = told.stderr(contains("game 2: ")).stderr(contains("6x6-normal.rvw"));
    let [_, sums] = &common::json_lines(told)[..] else { panic!("a game and the sums") };
    assert_eq!(sums["interrupted"], true, "{sums}");
    assert_eq!(sums["players"].as_array().unwrap().len(), 2, "names that begin alike are two");
}

/// The first game takes no time, the second many minutes.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_games_with_the_sums_till_then() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    let mut process = common::process();
    process.args(words("review --file - --json --quiet --player engine:level=20"));
    let mut child = process.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let games = "(;GM[Othello]TY[4]B[b1];)(;GM[Othello]TY[8]B[f5]W[d6]B[c3]W[d3]B[c4]W[f4]B[f6]W[f3];)";
    child.stdin.take().unwrap().write_all(games.as_bytes()).unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let first = lines.next().unwrap();
    common::interrupt(child.id());
    let last = lines.last().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(first.contains("\"game\":1"), "{first}");
    let sums: Json = serde_json::from_str(&last).unwrap();
    assert_eq!((&sums["schema"], &sums["interrupted"]), (&"reversi.review-sums/1".into(), &true.into()));
    assert_eq!(sums["players"][0]["moves"], 1, "{last}");
}

#[test]
fn games_without_names_are_told_by_their_sides() {
    let games = "b1a1\n\nb1c1\n";
    let text = stdout(review("--file - --board 4x4").write_stdin(games).assert().success());
    assert!(text.starts_with("Game 1\n4x4") && text.contains("\nGame 2\n4x4"), "{text}");
    assert!(text.contains("\nO           2      2         1          16    8.00\n"), "{text}");
}

#[test]
fn opinions_are_told_from_proofs() {
    let found = json("f5d6c3 --player engine:depth=3");
    let moves = found["moves"].as_array().unwrap();
    assert!(moves.iter().all(|mv| mv["exact"] == false && mv["proved"] == false));
    assert!(moves.iter().all(|mv| mv["lost"].as_f64().unwrap() >= 0.0));
    let lost = |side: &str| {
        let of_side = moves.iter().filter(|mv| mv["side"] == side);
        of_side.map(|mv| mv["lost"].as_f64().unwrap()).sum::<f64>()
    };
    assert_eq!(found["lost"]["O"].as_f64().unwrap(), lost("O"));
    assert_eq!(moves[0]["lost"], 0.0, "all first moves are each other's mirror images");
    review("f5d6c3 --player engine:depth=3")
        .assert()
        .success()
        .stdout(contains("judged by engine:depth=3"))
        .stdout(contains("all others are estimates"));
}

#[test]
fn what_cannot_be_reviewed_is_refused_with_the_reason() {
    for (arguments, reason) in [
        ("f5 z9", "no such square"),
        ("c2b4c5", "on 8x8, as --board was not given"),
        ("f5 a1", "move 2 \"a1\""),
        ("--player random f5d6c3", "random does not value positions in discs"),
        ("--player phases f5d6c3", "phases does not value positions in discs"),
        ("--player worst --board 4x4 b1c1", "worst does not value positions in discs"),
        ("--board 6x6 --position \"-----OX--XO----- X\" b1", "--position"),
        ("--player perfect f5d6", "at most 36 squares"),
        ("--board 10x10 e4", "only on boards up to 8x8"),
        ("--player engin f5", "engine"),
    ] {
        review(arguments).assert().code(2).stderr(contains(reason));
    }
}

/// What follows in the game changes no estimate of a move before it.
#[test]
fn an_opinion_of_a_move_is_the_same_in_a_longer_game() {
    let row = |moves: &str| json(&format!("{moves} --player engine:depth=4"))["moves"][2].clone();
    assert_eq!(row("f5d6c3"), row("f5d6c3d3c4f4f6"));
}

/// `reversi query` says the same of the position before a4, in half a minute.
#[test]
fn near_the_end_every_move_is_looked_at() {
    let game = "c4c3d3e3f2e2f6g1e1f1c2c5h1f4f5d2d1b4g2b3f3g6b6f7b5c6d6e6e7c7g4d7h6g7d8c8g5f8h8e8g8a4";
    let found = json(&format!("{game} --player engine:level=10"));
    let last = &found["moves"].as_array().unwrap()[41];
    assert_eq!((&last["move"], &last["value"]), (&"a4".into(), &(-6.0).into()));
    assert_eq!((&last["best"], &last["best_value"], &last["lost"]), (&"a7".into(), &0.0.into(), &6.0.into()));
}

#[test]
fn games_that_end_where_a_pass_would_be_are_judged_by_the_engine() {
    assert_eq!(json("--board 6x6 --no-passing c2 --player engine:depth=2")["judge"], "engine:depth=2");
    assert_eq!(json("--board 4x4 --no-passing b1c1")["judge"], "engine");
}

/// To the parser of options a lone -- is something else.
#[test]
fn numbers_may_stand_between_moves_and_passes() {
    let numbered = "--position \"XO-- XO-- ---- ---- X\" 1. c1 2. -- 3. c2 --json";
    let found = common::json(review(numbered).assert().success());
    let moves: Vec<&Json> = found["moves"].as_array().unwrap().iter().map(|mv| &mv["move"]).collect();
    assert_eq!(moves, ["c1", "pa", "c2"]);
    review("1.").assert().code(2).stderr(contains("there is neither a board nor a move in it"));
}

#[test]
fn forced_passes_are_no_moves_that_could_have_been_better() {
    let options = "--position \"XXXX XXXX XXXX XXO- O\" d4";
    review(options).assert().success().stdout(contains("O gave away 0 discs, with 0 of 0 moves"));
}

#[test]
fn the_theoretical_score_of_a_file_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let game = directory.path().join("game.pgn");
    fs::write(&game, "[Event \"?\"]\n[Theoretical \"40-24\"]\n\n1. f5 d6 *\n").unwrap();
    let convert = |to: &str| {
        common::reversi().arg("convert").arg(&game).arg(directory.path().join(to)).assert().success();
        directory.path().join(to)
    };
    let sgf = fs::read_to_string(convert("game.sgf")).unwrap();
    assert!(sgf.contains("GC[perfect play: 40-24]"), "{sgf}");
    for file in [game.clone(), convert("game.wtb")] {
        let options = format!("--player engine:level=1 --file {}", file.display());
        review(&options).assert().success().stdout(contains("the file says that perfect play ends 40-24"));
        let json = common::json_lines(review(&format!("{options} --json")).assert().success());
        assert_eq!(json[0]["theoretical"]["O"], 24, "{}", json[0]);
    }
}

#[test]
fn what_is_wrong_with_a_wthor_file_is_said_whichever_game_is_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let (moves, games) = (directory.path().join("games.txt"), directory.path().join("games.wtb"));
    fs::write(&moves, "f5d6c3d3c4\nf5f6e6f4\n").unwrap();
    common::reversi().arg("convert").args([&moves, &games]).assert().success();
    let bytes = fs::read(&games).unwrap();
    for (place, value, fault) in
        [(13, 20, "byte 13 of its header is 20, not 0 or 1"), (4, 3, "a WTHOR file of 3 games")]
    {
        let mut changed = bytes.clone();
        changed[place] = value;
        fs::write(&games, &changed).unwrap();
        for options in ["", "--game 2"] {
            let mut reviewed =
                review(&format!("--player engine:level=1 --file {} {options}", games.display()));
            reviewed.assert().code(2).stderr(contains(fault));
        }
    }
}
