//! `reversi book` and `--book` as their user sees them.

use crate::common::{self, stderr, stdout};
use assert_cmd::assert::Assert;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;
use std::time::Duration;

fn reversi(arguments: &[&str]) -> Assert {
    common::reversi().args(arguments).timeout(Duration::from_secs(120)).assert()
}

fn build(path: &Path, positions: &str, more: &[&str]) -> String {
    let usual =
        ["book", "build", "--searcher", "engine:level=1", "--quiet", "--positions", positions, "--out"];
    stdout(reversi(&[&usual[..], &[path.to_str().unwrap()], more].concat()).success())
}

#[test]
fn a_book_is_built_shown_merged_and_played_from() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let text = |name: &str| path(name).to_str().unwrap().to_owned();
    build(&path("whole.rvo"), "400", &[]);
    build(&path("part.rvo"), "100", &[]);
    build(&path("part.rvo"), "400", &["--resume"]);
    let read = |name: &str| fs::read(path(name)).unwrap();
    assert!(read("whole.rvo") == read("part.rvo"), "gone on with, it is the same book");

    reversi(&["book", "merge", &text("whole.rvo"), "--out", &text("whole.txt")]).success();
    reversi(&["book", "merge", &text("whole.txt"), "--out", &text("again.rvo")]).success();
    assert!(read("whole.rvo") == read("again.rvo"), "through text and back");
    let shown = stdout(reversi(&["book", "show", &text("again.rvo"), "--format", "text"]).success());
    assert_eq!(shown.trim_end(), String::from_utf8(read("whole.txt")).unwrap().trim_end());
    reversi(&["book", "show", &text("again.rvo"), "--format", "text", "f5"]).code(2);
    fs::write(path("marked.txt"), [&b"\xef\xbb\xbf"[..], &read("whole.txt")].concat()).unwrap();
    reversi(&["book", "merge", &text("marked.txt"), "--out", &text("again.rvo")]).success();
    assert!(read("whole.rvo") == read("again.rvo"), "with a byte order mark");

    build(&path("small.rvo"), "50", &[]);
    let refused =
        stderr(reversi(&["book", "merge", &text("small.rvo"), "--out", &text("whole.rvo")]).code(2));
    assert!(refused.contains("better searches that the merged one lacks"), "{refused}");
    reversi(&["book", "merge", &text("small.rvo"), &text("whole.rvo"), "--out", &text("small.rvo")])
        .success();
    fs::copy(common::shipped("4x4-normal-raw-diagonal.rvt"), path("table")).unwrap();
    let refused = stderr(reversi(&["book", "merge", &text("whole.rvo"), "--out", &text("table")]).code(2));
    assert!(refused.contains("this is a table of values"), "{refused}");

    let told = build(&path("told.rvo"), "60", &[]);
    assert!(told.contains(", the start is worth "), "{told}");
    let apart = stdout(reversi(&["book", "show", &text("whole.rvo"), "f5", "d6"]).success());
    assert_eq!(apart, stdout(reversi(&["book", "show", &text("whole.rvo"), "f5d6"]).success()));
    let json = common::json(reversi(&["book", "show", &text("whole.rvo"), "f5", "--json"]).success());
    let moves = json["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &moves[0]["exact"]), (3, &false.into()), "{json}");
    let hint = ["hint", "f5", "--lines", "1", "--json", "--book", &text("whole.rvo")];
    let hint = stdout(reversi(&hint).success());
    assert!(hint.contains(moves[0]["move"].as_str().unwrap()), "{hint}");

    let game = ["match", "engine:depth=1", "first", "--games", "2", "--openings", "0", "--json"];
    let nodes = |more: &[&str]| {
        let report = common::json(reversi(&[&game[..], more].concat()).success());
        report["effort"][0]["nodes"].as_u64().unwrap() / report["effort"][0]["moves"].as_u64().unwrap()
    };
    assert!(nodes(&[]) > 0, "a match has no book unless it is given one");
    assert!(nodes(&["--book", &text("whole.rvo")]) > 0, "beyond the book the engine searches");
}

#[test]
fn a_damaged_book_and_one_for_another_goal_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("some.rvo");
    build(&path, "50", &[]);
    let name = path.to_str().unwrap();
    let exists = stderr(reversi(&["book", "build", "--out", name]).code(2));
    assert!(exists.contains("--resume"), "{exists}");
    let other = ["book", "build", "--resume", "--goal", "reversed", "--out", name];
    assert!(stderr(reversi(&other).code(4)).contains("some.rvo: that book is for normal"));
    let text = directory.path().join("other.txt");
    for board in ["6x6", "junk"] {
        fs::write(&text, format!("opening book {board} normal winner\n")).unwrap();
        let other = stderr(reversi(&["book", "show", text.to_str().unwrap()]).code(4));
        assert!(other.contains("line 1: write the rules"), "{other}");
    }
    let hint = ["hint", "--player", "engine:depth=1", "--book", name];
    let told = |more: &[&str]| stderr(reversi(&[&hint[..], more].concat()).success());
    assert!(!told(&["--goal", "normal"]).contains("--book"));
    for (more, games) in
        [(["--goal", "reversed"], "8x8 reversed winner"), (["--board", "6x6"], "6x6 normal raw")]
    {
        let unused = told(&more);
        assert!(
            unused.contains(&format!("--book: the book is for 8x8 normal winner, not for {games}")),
            "{unused}"
        );
    }
    reversi(&["book", "show", "/no/such.rvo"]).code(2);
    let mut bytes = fs::read(&path).unwrap();
    bytes[100] ^= 4;
    fs::write(&path, bytes).unwrap();
    let damaged = stderr(reversi(&["book", "show", name]).code(4));
    assert!(damaged.contains("some.rvo: a damaged opening book"), "{damaged}");
    let used = stderr(reversi(&["match", "engine", "first", "--book", name]).code(4));
    assert!(
        used.starts_with("reversi: --book: ") && used.contains("some.rvo: a damaged opening book"),
        "{used}"
    );
}

#[test]
fn the_shipped_books_are_shown_and_played_from() {
    let shown = stdout(reversi(&["book", "show", "shipped", "--goal", "reversed", "f5"]).success());
    assert!(shown.starts_with("opening book of 8x8 reversed winner, "), "{shown}");
    assert_eq!(shown.lines().count(), 4, "three replies to f5: {shown}");
    let readme = fs::read_to_string(common::shipped("README.md")).unwrap();
    for goal in ["normal", "reversed"] {
        let file = common::shipped(&format!("8x8-{goal}.rvo"));
        let sum = Sha256::digest(fs::read(&file).unwrap());
        let row = readme.lines().find(|line| line.starts_with(&format!("| `8x8-{goal}.rvo` |"))).unwrap();
        assert!(row.contains(&format!("{sum:x}")), "{row} {sum:x}");
        let of_file = stdout(reversi(&["book", "show", &file, "f5"]).success());
        assert_eq!(of_file, stdout(reversi(&["book", "show", "shipped", "--goal", goal, "f5"]).success()));
    }
    let file = common::shipped("8x8-normal.rvo");
    let refused = ["book", "show", &file, "--goal", "reversed"];
    assert!(stderr(reversi(&refused).code(4)).contains("that book is for normal"));

    let hint = ["hint", "f5", "--lines", "1", "--json", "--goal", "reversed", "--player", "engine:depth=1"];
    let nodes = |more: &[&str]| {
        common::json(reversi(&[&hint[..], more].concat()).success())["nodes"].as_u64().unwrap()
    };
    assert_eq!(nodes(&["--book", "shipped"]), 0);
    assert!(nodes(&[]) > 0 && nodes(&["--book", "none"]) > 0);
    let unused = |arguments: &[&str], games: &str| {
        let unused = stderr(reversi(&[arguments, &["--book", "shipped"]].concat()).success());
        let said = format!("the book is for 8x8 normal winner or 8x8 reversed winner, not for {games}");
        assert!(unused.contains(&said), "{unused}");
    };
    unused(&["hint", "--board", "6x6", "--depth", "2"], "6x6 normal raw, and is not used");
    unused(&["match", "first", "first", "--games", "2", "--no-passing"], "8x8 normal winner, ");
    let lines = ["hint", "f5", "--lines", "3", "--json", "--book", "shipped"];
    let lines = common::json(reversi(&lines).success());
    let shown = common::json(reversi(&["book", "show", "shipped", "f5", "--json"]).success());
    for (line, mv) in lines["lines"].as_array().unwrap().iter().zip(shown["moves"].as_array().unwrap()) {
        assert_eq!((&line["move"], &line["value"], &line["book"]), (&mv["move"], &mv["value"], &true.into()));
    }
    assert_eq!((&lines["nodes"], lines["lines"].as_array().unwrap().len()), (&0.into(), 3));
    let review = stderr(reversi(&["review", "f5", "--book", "shipped"]).code(2));
    assert!(review.contains("--book: a review searches every position"), "{review}");

    let leaf = stdout(reversi(&["book", "show", "shipped", "f5f4"]).success());
    assert!(leaf.contains("searched 18 plies deep, it is worth +6.16 for Black, who is to move"), "{leaf}");
    let text = stdout(reversi(&["book", "merge", "shipped", "--out", "-"]).success());
    assert_eq!(text.lines().count(), 1 + 24_080);
    let directory = tempfile::tempdir().unwrap();
    let games = directory.path().join("games.ggf");
    fs::write(&games, "(;GM[Othello]...").unwrap();
    let refused = stderr(reversi(&["book", "merge", "shipped", "--out", games.to_str().unwrap()]).code(2));
    assert!(refused.contains("is no sound book"), "{refused}");
}

/// Who plays in the terminal meets the books of both goals, but hints are searched.
#[test]
fn play_uses_the_shipped_books_unless_told_otherwise() {
    let played = |player: &str, more: &[&str]| {
        let mut play = common::reversi();
        play.args(["play", "--white", player, "--move-time", "200ms"]).args(more);
        let words = "f5\nhint 1\nquit\n";
        let played = play.timeout(Duration::from_secs(120)).write_stdin(words).assert().success();
        assert!(played.get_output().stderr.is_empty(), "{played}");
        stdout(played)
    };
    for goal in ["normal", "reversed"] {
        let text = played("engine", &["--goal", goal]);
        assert!(text.contains(", from the book, "), "{text}");
        let (_, hint) = text.split_once("move      value  depth").expect("a hint");
        let depth: u32 = hint.lines().nth(1).unwrap().split_whitespace().nth(2).unwrap().parse().unwrap();
        assert!(depth > 1, "a search: {hint}");
    }
    for (player, more) in [
        ("engine:level=10", &["--book", "none"][..]),
        ("engine:level=10", &["--no-passing"]),
        ("engine:level=9", &[]),
    ] {
        assert!(!played(player, more).contains("from the book"), "{player} {more:?}");
    }
    assert!(played("engine:level=10", &[]).contains("from the book"));
    // Where it was seated does not matter.
    let start = format!("setboard {0}OX------XO{0} X\n", "-".repeat(27));
    for (player, expected) in [("engine:level=10", true), ("engine:level=9", false)] {
        let mut play = common::reversi();
        play.args(["play", "--position", &format!("{}OX-- X", "X".repeat(60)), "--white", player]);
        let played = stdout(play.write_stdin(format!("{start}f5\nquit\n")).assert().success());
        assert_eq!(played.contains("from the book"), expected, "{played}");
    }
    assert!(played("engine:level=9", &["--book", "shipped"]).contains("from the book"));
}
