//! `reversi tournament` as its user sees it: the matrix, the journal, the plots.

mod common;

use common::{run, stderr, stdout};
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PLAYERS: [&str; 3] = ["random", "first", "alphabeta:2"];

fn arguments<'a>(options: &[&'a str]) -> Vec<&'a str> {
    let fixed = ["tournament", "--board", "6x6", "--games", "4", "--json"];
    [&fixed[..], &PLAYERS, options].concat()
}

fn json(options: &[&str]) -> Value {
    common::json(run(&arguments(options)).success())
}

/// The journal of a tournament that has ended; it goes when the directory is dropped.
fn journal() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.jsonl");
    json(&["--journal", path.to_str().unwrap()]);
    (directory, path)
}

/// What is said of a tournament that goes on from this journal and ends with that code.
fn said_of(journal: &Path, code: i32) -> String {
    stderr(run(&arguments(&["--journal", journal.to_str().unwrap()])).code(code))
}

#[test]
fn the_same_seed_gives_the_same_matrix_however_many_at_once() {
    let one = json(&["--at-once", "1", "--seed", "5"]);
    assert_eq!(one, json(&["--at-once", "3", "--seed", "5"]));
    assert_ne!(one["matrix"], json(&["--seed", "6"])["matrix"]);
    assert_eq!((&one["asked"], &one["played"]), (&36.into(), &36.into()));
    let of = |place: usize| one["ratings"][place]["elo"].as_f64().unwrap();
    assert!(of(2) > of(0) && of(2) > of(1), "two plies are better than none: {one}");
}

/// Where no player draws its moves, all games of a cell are one.
#[test]
fn the_same_game_again_makes_no_rating_more_certain() {
    let rated = |games: &str| {
        let options = ["--board", "4x4", "--no-itself", "--json", "--games", games];
        common::json(run(&[&["tournament", "perfect", "worst"], &options[..]].concat()).success())
    };
    let (few, many) = (rated("1"), rated("30"));
    let width = |found: &Value| {
        let of = |end: &str| found["ratings"][0][end].as_f64().unwrap();
        of("high") - of("low")
    };
    assert_eq!((&many["rated_games"], &many["different_rated_games"]), (&60.into(), &2.into()));
    assert!(width(&few) > 100.0 && width(&many) >= width(&few), "{few} {many}");
    let said = run(&["tournament", "first", "worst", "--board", "4x4", "--no-itself", "--games", "3"]);
    let said = stdout(said.success());
    assert!(said.contains("2 different games of 6"), "{said}");
}

#[test]
fn a_tournament_goes_on_from_its_journal() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.jsonl");
    let journal = path.to_str().unwrap();
    let whole = json(&["--journal", journal]);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 37, "a heading and a line a game");
    // As after a crash: in the first line, or after some games in the middle of a line.
    std::fs::write(&path, &text[..20]).unwrap();
    assert_eq!(json(&["--journal", journal]), whole);
    let some: String = text.lines().take(12).map(|line| format!("{line}\n")).collect();
    // The last piece may end within a character.
    for piece in [&b"{\"game\":3,\"bl"[..], b"{\"game\":3,\"fault\":\"\xC3"] {
        std::fs::write(&path, [some.as_bytes(), piece].concat()).unwrap();
        assert_eq!(json(&["--journal", journal]), whole);
    }
    let after = std::fs::read_to_string(&path).unwrap();
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&after), sorted(&text), "the rest was added and the piece removed");
    let said = stderr(run(&arguments(&["--journal", journal, "--seed", "2"])).code(2));
    assert!(said.contains("bad-journal") && said.contains("another tournament"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_game_is_in_the_journal_as_soon_as_it_has_ended() {
    for signal in ["-KILL", "-TERM"] {
        let directory = tempfile::tempdir().unwrap();
        let (program, second) = common::hanging_in_the_second_game(directory.path());
        let path = directory.path().join("journal.jsonl");
        let mut tournament = common::process()
            .args(["tournament", "first", "--gtp", &program, "--no-itself", "--at-once", "1", "--quiet"])
            .arg("--journal")
            .arg(&path)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        common::wait_for(&second, &mut tournament);
        std::process::Command::new("kill").args([signal, &tournament.id().to_string()]).status().unwrap();
        let code = if signal == "-KILL" { None } else { Some(130) };
        assert_eq!(tournament.wait().unwrap().code(), code);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 2, "a heading and a game: {text}");
        assert!(text.ends_with('\n') && text.contains("illegal move a1"), "{text}");
    }
}

#[test]
fn a_journal_is_of_one_place_of_weights_and_one_version() {
    let (directory, path) = journal();
    let journal = path.to_str().unwrap();
    let data = directory.path().to_str().unwrap();
    run(&arguments(&["--journal", journal, "--data", data])).code(2);
    let text = std::fs::read_to_string(&path).unwrap();
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(&version), "{text}");
    std::fs::write(&path, text.replace(&version, "\"version\":\"0.0.0\"")).unwrap();
    run(&arguments(&["--journal", journal])).code(2);
}

/// The first opening of 4x4 after eight discs, drawn with this seed, has a pass in it.
#[test]
fn passes_within_openings_are_not_counted() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.jsonl");
    let tournament = |plies| {
        let options = ["--board", "4x4", "--games", "1", "--no-itself", "--seed", "11", "--openings", plies];
        let journal = ["--journal", path.to_str().unwrap()];
        run(&[&["tournament", "first", "random"], &options[..], &journal].concat())
    };
    let said = stdout(tournament("8").success());
    assert!(said.contains("openings of 8 plies"), "{said}");
    let text = std::fs::read_to_string(&path).unwrap();
    let game: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    let first_moves = &game["moves"].as_str().unwrap()[..18];
    assert!(first_moves.contains("pa"), "{first_moves}");
    tournament("9").code(2);
    tournament("8").success();
}

#[test]
fn a_tournament_that_cannot_be_played_keeps_no_other_from_its_journal() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.jsonl");
    let tournament = |board| {
        let options = ["--games", "1", "--no-itself", "--openings", "0", "--board", board, "--quiet"];
        let journal = ["--journal", path.to_str().unwrap()];
        run(&[&["tournament", "perfect", "random"], &options[..], &journal].concat())
    };
    tournament("8x8").code(2);
    tournament("4x4").code(0);
    tournament("6x6").code(2);
}

#[test]
fn other_files_are_no_journals() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("text");
    for text in ["a text\nof two lines\n", "{\"one\":\"line without its end\"}"] {
        std::fs::write(&path, text).unwrap();
        run(&arguments(&["--journal", path.to_str().unwrap()])).code(2);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "it is left alone");
    }
    run(&["tournament", "first"]).code(2);
    run(&["tournament", "first", "phases", "--board", "6x6"]).code(2);
}

#[test]
fn plots_are_written_beside_the_numbers() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("plots");
    let options = ["first", "random", "--no-passing", "--no-itself", "--games", "60", "--board", "4x4"];
    run(&[&["tournament", "--out", out.to_str().unwrap()], &options[..]].concat()).success();
    for name in ["matrix", "ratings", "course-1-2", "course-2-1", "course-1-2-results"] {
        let file = |ending: &str| std::fs::read(Path::new(&out).join(format!("{name}.{ending}"))).unwrap();
        assert!(file("png").starts_with(b"\x89PNG"), "{name}");
        assert!(file("svg").starts_with(b"<svg"), "{name}");
    }
    let csv = std::fs::read_to_string(out.join("matrix.csv")).unwrap();
    assert_eq!(csv.lines().count(), 5);
}

#[test]
fn a_journal_belongs_to_one_tournament_at_a_time() {
    let (_directory, path) = journal();
    let before = std::fs::read(&path).unwrap();
    let held = std::fs::File::open(&path).unwrap();
    held.lock().unwrap();
    let said = said_of(&path, 1);
    assert!(said.contains("locked") && said.contains("another tournament is writing"), "{said}");
    drop(held);
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_journal_with_a_game_that_cannot_be_is_refused() {
    let (_directory, path) = journal();
    let text = std::fs::read_to_string(&path).unwrap();
    let heading = text.lines().next().unwrap();
    for (winner, score, fault, word) in [
        (5, "9", "null", "winner is 5"),
        (1, "-9", "null", "line 2: score is -9, but winner is 1"),
        (1, "0", "null", "score is 0, but winner is 1"),
        (1, "37", "null", "score is 37, on a board of 36 squares"),
        (1, "null", "null", "either a score or a fault"),
        (1, "9", "\"out of time\"", "either a score or a fault"),
    ] {
        let line = format!(
            "{{\"game\":0,\"black\":0,\"white\":0,\"winner\":{winner},\"score\":{score},\"fault\":{fault},\"moves\":\"\"}}"
        );
        std::fs::write(&path, format!("{heading}\n{line}\n")).unwrap();
        let said = said_of(&path, 2);
        assert!(said.contains("bad-journal") && said.contains(word), "{said}");
    }
}

#[test]
fn more_games_than_the_memory_holds_are_refused() {
    for games in ["1000001", "4294967295"] {
        let said = stderr(run(&["tournament", "first", "random", "--games", games]).code(2));
        assert!(said.contains("--games") && said.contains("1..=1000000"), "{said}");
    }
}
