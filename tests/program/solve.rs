//! `reversi solve` as scripts and people see it.

use crate::common;
use assert_cmd::assert::Assert;
use predicates::str::contains;
use reversi::rules::playout::playout;
use reversi::rules::{Board, Color, Geometry, Move, Rules, Start};
use reversi::search::reference::minimax;
use serde_json::{Value as Json, json};
use std::fs;
use std::path::PathBuf;

const START: &str = "-----OX--XO----- X";

fn solve(arguments: &[&str]) -> Assert {
    let mut command = common::reversi();
    command.args(["solve", "--threads", "1", "--memory", "16M"]).args(arguments).assert()
}

fn json_of(arguments: &[&str]) -> Json {
    let arguments = [arguments, &["--json"]].concat();
    common::json(solve(&arguments).success())
}

/// A problem file for as long as the test runs.
struct Problems(tempfile::TempDir);

impl Problems {
    fn new(bytes: impl AsRef<[u8]>) -> Problems {
        let problems = Problems(tempfile::tempdir().unwrap());
        fs::write(problems.path(), bytes).unwrap();
        problems
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("problems.obf")
    }

    fn solve(&self, arguments: &[&str]) -> Assert {
        let path = self.path();
        solve(&[&[path.to_str().unwrap()], arguments].concat())
    }

    /// What is said in JSON of the whole file, beside the results of its positions.
    fn summary(&self, arguments: &[&str]) -> Json {
        let said = common::stderr(self.solve(&[arguments, &["--json", "--quiet"]].concat()));
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"))
    }
}

#[test]
fn comparing_nothing_is_an_error() {
    let unscored = format!("{START};\n{START}; % what is it worth?\n");
    for (text, words) in
        [("", "holds no position"), ("% nothing\n\n", "holds no position"), (&unscored, "gives no score")]
    {
        let problems = Problems::new(text);
        problems.solve(&["--check"]).code(2).stderr(contains(words)).stderr(contains("nothing to compare"));
        problems.solve(&["--check", "--json"]).code(2).stderr(contains("\"nothing-to-compare\""));
    }
    Problems::new(unscored).solve(&[]).success();
}

#[test]
fn what_has_no_score_is_told_as_not_compared() {
    let problems = Problems::new(format!("{START}; -8;\n{START};\n"));
    let said = "1 compared, as the file says; 1 without a score in the file, not compared";
    problems.solve(&["--check"]).success().stdout(contains(said));
    let summary = problems.summary(&["--check"]);
    assert_eq!((&summary["compared"], &summary["without_score"]), (&json!(1), &json!(1)));
    let whole = Problems::new(format!("{START}; -8;\n"));
    whole.solve(&["--check"]).success().stdout(contains(", all as the file says\n"));
}

#[test]
fn a_difference_is_a_wrong_score_or_a_wrong_best_move() {
    let after_b1 = "-X---XX--XO----- O";
    for (arguments, position, said, difference) in [
        (&["--all"][..], START, "b1:-8; a2:-8; d3:-8; c4:-8;", None),
        (&["--all"], START, "b1:-8; a2:-8;", Some("the file's best moves are b1 a2")),
        (&["--all"], after_b1, "a1:8; c1:8;", Some("the file's best moves are a1 c1")),
        (&[], after_b1, "a1:8; c1:8;", None),
        (&[], after_b1, "c1:8;", Some("the file's best moves are c1")),
        (&[], after_b1, "a1:6;", Some("the file says +6")),
        (&["--wld"], after_b1, "c1:6;", None),
        (&["--wld"], after_b1, "-8;", Some("the file says -8")),
    ] {
        let problems = Problems::new(format!("{position}; {said}\n"));
        let solved = problems.solve(&[arguments, &["--check"]].concat());
        match difference {
            Some(difference) => solved.code(5).stdout(contains(difference)),
            None => solved.success().stdout(contains("all as the file says")),
        };
    }
}

/// The start of 8x8 takes longer than any time given; before it stands a position that takes none.
#[test]
fn a_stopped_comparison_says_what_it_has_compared() {
    let long = Board::start(Geometry::EIGHT, Start::Diagonal);
    let (right, wrong) = (format!("{START}; -8;\n{long}; 0;\n"), format!("{START}; -6;\n{long}; 0;\n"));
    // Ample for the first even where the machine is busy.
    let arguments = ["--check", "--time", "3"];
    let said = "1 compared, as the file says; stopped, 1 of 2 positions not solved";
    Problems::new(&right).solve(&arguments).code(1).stdout(contains(said));
    assert_eq!(Problems::new(&right).summary(&arguments)["not_solved"], 1);
    let said = "1 compared, 1 DIFFERENT from the file; stopped, 1 of 2";
    Problems::new(&wrong).solve(&arguments).code(5).stdout(contains(said));
    // Stopped before the first is solved, it has still something to say.
    let none = format!("{long}; 0;\n{START}; -8;\n");
    Problems::new(none).solve(&["--check", "--time", "0.1"]).code(1).stdout(contains("none compared"));
}

/// Small positions are solved several at a time, and those of other boards or sizes by other solvers.
#[test]
fn a_file_is_answered_in_its_order_whatever_the_threads() {
    let text = fs::read_to_string("tests/data/6x6-normal.obf").unwrap();
    let mut lines: Vec<&str> = text.lines().take(120).collect();
    let larger = format!("{}; 0;", Board::start(Geometry::new(5, 5).unwrap(), Start::Diagonal));
    let (small, wrong) = (format!("{START}; -8;"), format!("{START}; -6;"));
    lines.splice(40..40, [larger.as_str(), &small, &wrong]);
    let problems = Problems::new(lines.join("\n"));
    let scores = |threads: &str| -> Vec<Json> {
        let mut command = common::reversi();
        let arguments = ["--check", "--json", "--memory", "16M", "--threads", threads];
        let results = command.arg("solve").arg(problems.path()).args(arguments).assert().code(5);
        let what = |result: Json| json!([result["position"], result["score"], result["difference"]]);
        common::json_lines(results).into_iter().map(what).collect()
    };
    let alone = scores("1");
    assert!(alone.len() > 100);
    let different = alone.iter().filter(|result| !result[2].is_null()).count();
    assert_eq!(different, 2, "the score of 5x5 is not 0, that of 4x4 not -6");
    assert_eq!(scores("3"), alone);
}

#[test]
fn a_file_is_the_only_place_of_positions() {
    let problems = Problems::new(format!("{START}; -8;\n"));
    let file = problems.path();
    let file = file.to_str().unwrap();
    let others: [&[&str]; 3] = [&["--position", START], &["b1"], &["--", "b1"]];
    for other in others {
        solve(&[&[file], other].concat()).code(2).stderr(contains("the positions are those of"));
    }
    solve(&[file, file]).code(2).stderr(contains("one file at a time"));
    solve(&[file, "--board", "4x4"]).success();
}

#[test]
fn a_position_has_its_discs_already() {
    solve(&["--position", START, "--start", "parallel"]).code(2).stderr(contains("cannot be used with"));
}

#[test]
fn a_file_is_told_by_its_content_and_not_taken_for_moves() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("game.txt");
    std::fs::write(&file, "(;GM[Othello]PC[lab]TY[4]BO[4 -----O*--*O----- *]B[b1]W[a1];)").unwrap();
    solve(&[file.to_str().unwrap()]).success().stdout(contains("1 position"));
    solve(&["f5.d6"]).code(2).stderr(contains("turns no disc"));
}

#[test]
fn moves_of_a_file_begin_at_the_start_that_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("moves.txt");
    std::fs::write(&file, "b1\n").unwrap();
    let of_file = json_of(&[file.to_str().unwrap(), "--board", "4x5", "--start", "parallel"]);
    let alone = json_of(&["--board", "4x5", "--start", "parallel", "b1"]);
    assert_eq!((&of_file["score"], &of_file["position"]), (&alone["score"], &alone["position"]), "{of_file}");
    assert_eq!(alone["score"], -16);
    solve(&[file.to_str().unwrap(), "--board", "4x5"]).success();
    let problems = directory.path().join("problems.obf");
    std::fs::write(&problems, format!("{START}; -8;\n")).unwrap();
    solve(&[problems.to_str().unwrap(), "--start", "parallel"]).code(2).stderr(contains("leave it out"));
}

#[test]
fn a_dash_is_standard_input() {
    let mut command = common::reversi();
    command.args(["solve", "-", "--check"]).write_stdin(format!("{START}; -8;\n"));
    command.assert().success().stdout(contains("all as the file says"));
}

#[test]
fn comments_in_an_old_encoding_do_no_harm() {
    let comment = b"% f\xfcr 4x4\n".to_vec();
    Problems::new([&comment[..], START.as_bytes(), b"; -8; % caf\xe9\n"].concat())
        .solve(&["--check"])
        .success()
        .stdout(contains("all as the file says"));
    Problems::new([&comment[..], START.as_bytes(), b"; -8\xe9;\n"].concat())
        .solve(&["--check"])
        .code(2)
        .stderr(contains("line 2: \"-8\u{e9}\" is no score"));
}

#[test]
fn who_loses_anyway_has_nothing_but_best_moves() {
    let lost = json_of(&["--board", "4x4", "--wld", "--all"]);
    assert_eq!(lost["outcome"], "loss");
    assert_eq!(lost["best"], json!(["b1", "a2", "d3", "c4"]));
    solve(&["--board", "4x4", "--wld"]).success().stdout(contains("best   b1\n"));
}

#[test]
fn all_moves_with_the_best_outcome_are_found() {
    let geometry = Geometry::FOUR;
    let rules = Rules::default();
    let mut outcomes = [0; 3];
    for seed in 0..12 {
        let mut random = fastrand::Rng::with_seed(seed);
        let start = Board::start(geometry, Start::Diagonal).position();
        let moves = random.usize(3..7);
        let position = playout(geometry, start, &mut random).nth(moves).unwrap_or(start);
        let outcome = |position| minimax::minimax(geometry, rules, position).discs().signum();
        let expected: Vec<String> = (position.children(geometry).into_iter())
            .filter(|&(_, child)| -outcome(child) == outcome(position))
            .map(|(mv, _): (Move, _)| mv.to_string())
            .collect();
        let text = Board::from_position(geometry, position, Color::Black).to_string();
        let found = json_of(&["--wld", "--all", "--position", &text]);
        assert_eq!(found["best"], json!(expected), "{text} seed {seed}");
        outcomes[(outcome(position) + 1) as usize] += 1;
    }
    assert!(outcomes[0] > 0 && outcomes[2] > 0, "losses, draws, wins: {outcomes:?}");
}

#[test]
fn too_much_memory_is_refused_in_the_words_of_the_caller() {
    let refused = || solve_with_memory("500000G").code(1);
    refused().stderr(contains("500000G of memory asked for, but only"));
    refused().stderr(contains("are free for this program; ask for less with --memory"));
}

fn solve_with_memory(memory: &str) -> Assert {
    common::reversi().args(["solve", "--board", "4x4", "--memory", memory]).assert()
}

#[test]
fn games_of_a_file_are_solved_where_they_end_or_with_as_many_empty_squares() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("games.txt");
    std::fs::write(&file, "b1a1a2c1d4a3d1b4a4c4\n").unwrap();
    let solve = |options: &[&str]| {
        let mut command = common::reversi();
        command.args(["solve", "--board", "4x4", "--json"]).args(options).arg(&file).assert()
    };
    // Perfect play from the start, which is worth 8 discs to White.
    for (options, score) in [(&["--empties", "6"] as &[&str], 8), (&["--empties", "7"], -8)] {
        let answer = common::json_lines(solve(options).success()).remove(0);
        assert_eq!(answer["score"].as_i64().map(i64::abs), Some(i64::abs(score)), "{answer}");
    }
    for (options, words) in [(["--empties", "13"], "begins with 12"), (["--empties", "0"], "ends with 2")] {
        assert!(common::stderr(solve(&options).code(2)).contains(words), "{words}");
    }
    let mut whole = common::reversi();
    let said = common::stderr(whole.args(["solve", "--board", "4x4"]).arg(&file).assert().success());
    assert!(said.contains("1 of 1 games are over"), "{said}");
}

#[test]
fn the_fault_of_a_game_of_several_has_its_number_once() {
    let games = Problems::new("(;GM[Othello]TY[4]B[b1];)(;GM[Othello]TY[4]B[b1]W[d4];)");
    let said = common::stderr(games.solve(&[]).code(2));
    assert!(said.contains(": position 2: move 2 \"d4\""), "{said}");
}

/// Games that others have resigned or that ended early stand among them.
#[test]
fn a_game_without_as_many_empty_squares_is_told_of_in_its_place() {
    let game = "b1a1a2c1d4a3d1b4a4c4";
    let problems = Problems::new(format!("b1c1\n{game}\nb1a1\n{game}\n"));
    let json = common::json_lines(problems.solve(&["--board", "4x4", "--empties", "6", "--json"]).code(2));
    let told: Vec<&str> = json.iter().map(|line| line["schema"].as_str().unwrap()).collect();
    let (error, result) = ("reversi.error/1", told[1]);
    assert_eq!(told, [error, result, error, result]);
    let numbers: Vec<_> = json.iter().map(|line| line["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    assert!(
        json[0]["message"].as_str().unwrap().contains("position 1: the game ends with 10"),
        "{}",
        json[0]
    );
    assert_eq!([&json[1]["position"], &json[1]["score"]], [&json[3]["position"], &json[3]["score"]]);
    let text = common::stdout(problems.solve(&["--board", "4x4", "--empties", "6"]).code(2));
    let starts: Vec<&str> = text.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(starts, ["1", "2", "3", "4", "2"], "{text}");
    assert!(text.lines().nth(2).unwrap().contains("position 3: the game ends with 10"), "{text}");
    assert!(text.ends_with("; 2 games have no position to solve\n"), "{text}");
    let summary = problems.summary(&["--board", "4x4", "--empties", "6"]);
    assert_eq!((&summary["not_solved"], &summary["without_position"]), (&0.into(), &2.into()));
}

/// The start of 4x4 is worth -8 with the raw count and -10 with the empty squares counted for the winner.
#[test]
fn the_scoring_that_a_file_of_games_names_is_the_one_it_is_solved_by() {
    let answer =
        |scoring: &str| format!("{{\"board\":\"4x4\",\"scoring\":\"{scoring}\",\"position\":\"{START}\"}}\n");
    let score = |text: &str, options: &[&str]| {
        let run = Problems::new(text).solve(&[options, &["--json", "--quiet"]].concat());
        common::json_lines(run.success())[0]["score"].clone()
    };
    let table = format!("position,goal,scoring\n{START},normal,winner\n");
    let picture = "4x4, normal goal, winner scoring, Black (X) to move\n\n----\n-OX-\n-XO-\n----\n";
    for text in [&answer("winner"), &table, picture] {
        assert_eq!(score(text, &[]), -10, "{text}");
        Problems::new(text).solve(&["--scoring", "raw"]).code(2).stderr(contains(
            "the game is for scoring=winner, but --scoring raw is asked for; leave the option out",
        ));
    }
    assert_eq!(score(&answer("raw"), &[]), -8);
    assert_eq!(score("-----OX--XO----- X\n", &["--scoring", "winner"]), -10);
    let contradicting = Problems::new(answer("raw")).solve(&["--scoring", "winner"]);
    contradicting.code(2).stderr(contains("the game is for scoring=raw, but --scoring winner is asked for"));
    for (one, other) in [("raw", "winner"), ("winner", "raw")] {
        let mixed = Problems::new(answer(one) + &answer(other)).solve(&[]);
        mixed.code(2).stderr(contains("position 2: its scoring differs from that of the games before it"));
    }
}

/// On each board its own scoring is the usual one, so that no option is needed for both in one file.
#[test]
fn boards_of_several_sizes_may_have_each_its_usual_scoring() {
    let full = "X".repeat(63) + "- O";
    let text = format!("{{\"position\":\"{START}\"}}\n{{\"position\":\"{full}\"}}\n");
    let answers = common::json_lines(Problems::new(text).solve(&["--json", "--quiet"]).success());
    let scorings: Vec<&Json> = answers.iter().map(|answer| &answer["scoring"]).collect();
    assert_eq!(scorings, ["raw", "winner"]);
}

#[test]
fn tables_with_any_separator_are_solved_and_their_faults_named_by_line() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table.csv");
    for separator in [",", ";", "\t"] {
        let table = "position;score\n-----OX--XO----- X;-8\n-X---XX--XO----- O;8\n".replace(';', separator);
        fs::write(&path, table).unwrap();
        let answers = common::json_lines(solve(&[path.to_str().unwrap(), "--json"]).success());
        let scores: Vec<_> = answers.iter().map(|answer| answer["score"].as_i64()).collect();
        assert_eq!(scores, [Some(-8), Some(8)], "{separator:?}");
    }
    let row = "-----OX--XO----- X";
    for (table, line) in [
        (format!("position,score\n{row},-8\n{row} z9,3\n"), 3),
        (format!("position,score\r\n{row},-8\r\n{row} z9,3\r\n"), 3),
        (format!("position,score\n\n{row},-8\n\n{row} z9,3\n"), 5),
        (format!("position,score\r\n\r\n{row},-8\r\n\r\n{row} z9,3\r\n"), 5),
    ] {
        fs::write(&path, &table).unwrap();
        let refused = common::stderr(solve(&[path.to_str().unwrap()]).code(2));
        assert!(refused.contains(&format!("line {line}: ")), "{table:?}: {refused}");
    }
}
