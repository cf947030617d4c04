//! `reversi sample`: what it draws, and whether its scores are right by another way.

use crate::common::{self, run, stderr, stdout};
use assert_cmd::assert::Assert;
use reversi::formats::obf;
use reversi::rules::{Goal, Move, Rules, Score, Scoring, symmetry};
use reversi::search::reference::minimax::minimax;
use serde_json::Value as Json;
use std::collections::HashSet;

fn sample(options: &str) -> Assert {
    run(&["sample", "--quiet"].into_iter().chain(options.split(' ')).collect::<Vec<_>>())
}

fn objects(options: &str) -> Vec<Json> {
    common::json_lines(sample(&format!("{options} --json")).success())
}

fn text(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(" "),
        Json::Object(scored) => format!("{}:{:+}", text(&scored["move"]), scored["score"].as_i64().unwrap()),
        other => other.to_string(),
    }
}

/// Every move of every position by plain minimax, and the best moves by its scores.
#[test]
fn scores_and_best_moves_are_those_of_minimax() {
    for goal in [Goal::Normal, Goal::Reversed] {
        let file = stdout(sample(&format!("--board 4x4 --empties 1-6 --count 60 --goal {goal}")).success());
        let file = obf::parse(&file, None).unwrap();
        assert_eq!((file.goal, file.scoring, file.records.len()), (Some(goal), Some(Scoring::Raw), 60));
        for record in &file.records {
            let (board, rules) = (record.board, Rules::new(goal, Scoring::Raw));
            let children = board.position().children(board.geometry).into_iter();
            let expected: HashSet<(Move, Score)> =
                children.map(|(mv, child)| (mv, -minimax(board.geometry, rules, child))).collect();
            let found: HashSet<(Move, Score)> = record.moves.iter().copied().collect();
            assert_eq!(found, expected, "{board}");
            let scores: Vec<i32> = record.moves.iter().map(|(_, score)| score.discs()).collect();
            assert!(scores.is_sorted_by(|one, next| one >= next), "best first: {board}");
        }
    }
}

#[test]
fn a_small_board_has_positions_without_options() {
    assert_eq!(objects("--board 4x4 --count 3").len(), 3);
    let told = stderr(run(&["sample", "--board", "4x4", "--count", "1"]).success());
    assert_eq!(told, "");
}

#[test]
fn the_three_forms_say_the_same() {
    let options = "--empties 8-12 --count 30 --seed 5";
    let objects = objects(options);
    let csv = stdout(sample(&format!("{options} --format csv")).success());
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!((lines[0], lines.len()), ("position,empties,score,best,moves,game,board,goal,scoring", 31));
    let problems = stdout(sample(options).success());
    let file = obf::parse(&problems, None).unwrap();
    for ((object, line), record) in objects.iter().zip(&lines[1..]).zip(&file.records) {
        let cells: Vec<&str> = line.split(',').collect();
        let keys = ["position", "empties", "score", "best", "moves", "game", "board", "goal", "scoring"]
            .map(|key| text(&object[key]));
        assert_eq!(cells, keys, "{object}");
        assert_eq!(record.board.to_string(), keys[0]);
        // The moves lead to the position, and the query agrees.
        let asked = ["query", "--board", "6x6", cells[5], "--json", "--quiet"];
        let answer = common::json(run(&asked).success());
        for key in ["position", "score", "best"] {
            assert_eq!(answer[key], object[key], "{object}");
        }
    }
}

#[test]
fn positions_follow_from_the_seed_and_no_two_are_alike() {
    let first = stdout(sample("--empties 9 --count 40 --seed 3 --threads 1").success());
    assert_eq!(first, stdout(sample("--empties 9 --count 40 --seed 3 --threads 2").success()));
    assert!(stdout(sample("--empties 9 --count 60 --seed 3").success()).starts_with(&first), "only more");
    assert_ne!(first, stdout(sample("--empties 9 --count 40 --seed 4").success()));
    let boards = obf::parse(&first, None).unwrap().records;
    let canonical: HashSet<_> = boards
        .iter()
        .map(|record| symmetry::canonical(record.board.geometry, record.board.position()).0)
        .collect();
    assert_eq!(canonical.len(), 40);
    let played = objects("--empties 6 --count 10 --by engine:level=1");
    assert!(played.len() == 10 && played.iter().all(|object| object["empties"] == 6));
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let said = stderr(sample("--board 4x4 --empties 13 --count 5").code(2));
    assert!(said.contains("at most 12 empty squares"), "{said}");
    let said = stderr(sample("--board 4x4 --empties 12 --count 5").code(1));
    assert!(said.contains("only 1 of 5 different positions"), "{said}");
    let said = stderr(sample("--json --format csv").code(2));
    assert!(said.contains("leave --format out"), "{said}");
}

/// As the guide for engine authors does it.
#[test]
fn a_sample_is_checked_by_solve_and_asked_about_by_hint() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("test.obf");
    std::fs::write(&path, stdout(sample("--empties 8 --count 20").success())).unwrap();
    let path = path.to_str().unwrap();
    run(&["solve", path, "--check", "--all", "--quiet"]).success();
    let hints = run(&["hint", "--file", path, "--player", "perfect", "--format", "csv", "--last"]);
    assert_eq!(stdout(hints.success()).lines().count(), 21);
}
