//! `reversi tournament` as its user sees it: the matrix, the journal, the plots.

use crate::common::{self, run, stderr, stdout};
use reversi::formats::ggf;
use reversi::rules::Goal;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PLAYERS: [&str; 3] = ["random", "first", "alphabeta:2"];

fn arguments<'a>(options: &[&'a str]) -> Vec<&'a str> {
    let fixed = ["tournament", "--board", "6x6", "--games", "4", "--json"];
    [&fixed[..], &PLAYERS, options].concat()
}

fn json(options: &[&str]) -> Json {
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

/// Linux takes any name but those with a slash or a zero.
#[cfg(target_os = "linux")]
#[test]
fn a_directory_whose_name_is_no_text_is_one_like_any_other() {
    use std::os::unix::ffi::OsStrExt;
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join(std::ffi::OsStr::from_bytes(b"data\xff"));
    std::fs::create_dir(&data).unwrap();
    let journal = directory.path().join("journal.jsonl");
    for _ in 0..2 {
        let mut command = common::reversi();
        command.args(arguments(&["--data"])).arg(&data).arg("--journal").arg(&journal).assert().success();
    }
}

#[test]
fn a_journal_does_not_go_on_with_other_weights() {
    let directory = tempfile::tempdir().unwrap();
    let journal = directory.path().join("journal.jsonl");
    let play = |code: i32| {
        let mut command = common::reversi();
        command.args(["tournament", "engine:depth=1", "first", "--board", "5x5", "--games", "1"]);
        command.env("REVERSI_DATA", directory.path()).arg("--journal").arg(&journal);
        stderr(command.assert().code(code))
    };
    play(0);
    play(0);
    let out = directory.path().to_str().unwrap();
    let train = "train --board 5x5 --games 20 --generations 1 --exact 4 --depth 2 --exam 0 --out";
    run(&[&train.split(' ').collect::<Vec<_>>()[..], &[out]].concat()).success();
    let said = play(2);
    assert!(said.contains("another tournament") && said.contains("weights"), "{said}");
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
    let width = |found: &Json| {
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
    let mut bytes = std::fs::read(&path).unwrap();
    let third = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap().0 + 1;
    bytes.splice(third..third, *b"{\xff}\n");
    std::fs::write(directory.path().join("damaged.jsonl"), bytes).unwrap();
    let said = said_of(&directory.path().join("damaged.jsonl"), 2);
    assert!(said.contains("line 3"), "{said}");
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

/// No file may grow beyond a few blocks: what a full disk looks like.
#[cfg(target_os = "linux")]
#[test]
fn a_journal_that_cannot_be_written_any_more_is_said_and_goes_on_later() {
    let (directory, whole) = journal();
    let path = directory.path().join("small.jsonl");
    let options = ["--journal", path.to_str().unwrap(), "--at-once", "1"];
    let full = common::after("trap '' XFSZ; ulimit -f 4").args(arguments(&options)).output().unwrap();
    let said = String::from_utf8(full.stderr).unwrap();
    assert_eq!(full.status.code(), Some(1), "{said}");
    assert!(said.contains("small.jsonl"), "{said}");
    let kept = std::fs::read_to_string(&path).unwrap().matches('\n').count();
    let all = std::fs::read_to_string(&whole).unwrap().lines().count();
    assert!((1..all).contains(&kept), "{kept} of {all} lines");
    assert_eq!(json(&options), json(&["--journal", whole.to_str().unwrap()]));
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
    let game: Json = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
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
        (1, "null", "null", "either a score or a fault"),
        (1, "9", "\"out of time\"", "either a score or a fault"),
        (1, "9", "null", "the moves do not end the game"),
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
fn a_journal_with_other_moves_than_were_played_is_refused() {
    let (_directory, path) = journal();
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines = text.lines();
    let (heading, game) = (lines.next().unwrap(), lines.next().unwrap());
    let game: Json = serde_json::from_str(game).unwrap();
    let moves = game["moves"].as_str().unwrap();
    let score = game["score"].as_i64().unwrap();
    let changed = |changes: Json| {
        let mut game = game.clone();
        game.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        std::fs::write(&path, format!("{heading}\n{game}\n")).unwrap();
        said_of(&path, 2)
    };
    let said = changed(json!({"moves": moves[..moves.len() - 2]}));
    assert!(said.contains("line 2: there is a score, but the moves do not end"), "{said}");
    let other = if score > 0 { score - 1 } else { score + 1 };
    let said = changed(json!({"score": other, "winner": other.signum()}));
    assert!(said.contains(&format!("score is {other}, but the moves end in {score}")), "{said}");
    let said = changed(json!({"moves": format!("a1{moves}")}));
    assert!(said.contains("line 2: move 1") && said.contains("turns no disc"), "{said}");
    let late = |moves: &str, winner: i8| {
        changed(json!({"moves": moves, "winner": winner, "score": null, "fault": "out of time"}))
    };
    assert!(late(moves, 1).contains("a fault ended the game, but the moves end it too"));
    assert!(late(&moves[..2], -1).contains("winner is -1, but White was to move"));
}

/// Those that are not asked for may have begun with openings that are not drawn now.
#[test]
fn of_a_longer_journal_only_what_is_asked_for_is_looked_at() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal.jsonl");
    let played = |games: &str| {
        let options = ["--board", "6x6", "--openings", "4", "--json", "--games", games];
        let journal = ["--journal", path.to_str().unwrap()];
        let told = run(&[&["tournament", "random", "first"], &options[..], &journal].concat());
        common::json(told.success())["played"].as_u64().unwrap()
    };
    assert_eq!(["6", "2", "8"].map(played), [24, 8, 32]);
}

#[test]
fn the_games_of_a_tournament_can_be_looked_back_at() {
    let directory = tempfile::tempdir().unwrap();
    let (out, path) = (directory.path().join("out"), directory.path().join("journal.jsonl"));
    let options = ["--openings", "2", "--goal", "reversed", "--out", out.to_str().unwrap()];
    json(&[&options[..], &["--journal", path.to_str().unwrap()]].concat());
    let games = std::fs::read_to_string(out.join("games.ggf")).unwrap();
    let records = ggf::parse(&games).unwrap();
    let mut journal: Vec<Json> = std::fs::read_to_string(&path)
        .unwrap()
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    journal.sort_by_key(|game| ["game", "black", "white"].map(|key| game[key].as_u64()));
    assert_eq!((records.len(), journal.len()), (36, 36));
    for (record, kept) in records.iter().zip(&journal) {
        let named = |color: &str| PLAYERS[kept[color].as_u64().unwrap() as usize];
        assert_eq!((&*record.black, &*record.white), (named("black"), named("white")));
        let moves: String = record.moves().iter().map(|annotated| annotated.mv.to_string()).collect();
        assert_eq!(moves, kept["moves"].as_str().unwrap());
        assert_eq!(
            (record.goal, record.result),
            (Goal::Reversed, kept["score"].as_f64().map(|score| -score))
        );
    }
}

#[test]
fn the_command_that_looks_back_at_the_games_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let told = |board: &str| {
        let out = directory.path().join(board);
        let options = ["--board", board, "--games", "2", "--openings", "2", "--out", out.to_str().unwrap()];
        stderr(run(&[&["tournament", "random", "first"], &options[..]].concat()).success())
    };
    let said = told("4x4");
    let command = said.lines().find_map(|line| line.split_once("to look back at the games: reversi "));
    let words = common::words(command.unwrap().1);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let found = common::json(run(&[&words[..], &["--game", "2", "--json"]].concat()).success());
    assert_eq!((&found["opening"], &found["board"]), (&2.into(), &"4x4".into()));
    assert!(!told("10x10").contains("look back"), "no judge values moves there");
}

#[test]
fn a_game_lost_by_a_fault_is_saved_as_lost() {
    let directory = tempfile::tempdir().unwrap();
    let (out, path) = (directory.path().join("out"), directory.path().join("journal.jsonl"));
    let options = ["--out", out.to_str().unwrap(), "--journal", path.to_str().unwrap()];
    json(&options);
    let text = std::fs::read_to_string(&path).unwrap();
    let heading = text.lines().next().unwrap();
    for (fault, way, code) in [("out of time", 't', 1), ("illegal move a1", 'f', 1), ("resigned", 'r', 0)] {
        let pairing = "\"game\":0,\"black\":0,\"white\":0";
        let line = format!("{{{pairing},\"winner\":-1,\"score\":null,\"fault\":\"{fault}\",\"moves\":\"\"}}");
        std::fs::write(&path, format!("{heading}\n{line}\n")).unwrap();
        let arguments: Vec<&str> = arguments(&options);
        run(&arguments).code(code);
        let games = std::fs::read_to_string(out.join("games.ggf")).unwrap();
        let first = &ggf::parse(&games).unwrap()[0];
        assert_eq!((first.result, first.forfeit), (Some(-36.0), Some(way)));
    }
}

#[cfg(unix)]
#[test]
fn a_game_that_a_program_loses_by_an_illegal_move_is_gone_on_from_as_lost() {
    let directory = tempfile::tempdir().unwrap();
    let (out, path) = (directory.path().join("out"), directory.path().join("journal.jsonl"));
    let program = common::gtp_script(directory.path(), "printf '= a1\\n\\n'");
    let options = ["--board", "6x6", "--games", "1", "--no-itself", "--json", "--out", out.to_str().unwrap()];
    let outside = ["--gtp", &program, "--journal", path.to_str().unwrap()];
    let played = || {
        let found = run(&[&["tournament", "first"], &options[..], &outside].concat());
        let games = std::fs::read_to_string(out.join("games.ggf")).unwrap();
        let found = common::json(found.code(1));
        assert_eq!(found["failures"], serde_json::json!([0, 2]), "{found}");
        (found["matrix"].clone(), games)
    };
    let first = played();
    assert_eq!(played(), first);
    // The program has White in one game, after a move of `first`, and Black in the other, before any.
    let lost: Vec<_> = ggf::parse(&first.1).unwrap();
    let told: Vec<_> = lost.iter().map(|game| (game.moves().len(), game.result, game.forfeit)).collect();
    assert_eq!(told, [(1, Some(36.0), Some('f')), (0, Some(-36.0), Some('f'))]);
}

#[test]
fn players_of_the_same_name_are_told_apart_by_their_places() {
    let directory = tempfile::tempdir().unwrap();
    let (out, journal) = (directory.path().join("out"), directory.path().join("journal.jsonl"));
    let options = ["--board", "4x4", "--games", "2", "--json", "--out", out.to_str().unwrap()];
    let players = ["tournament", "first", "random", "random", "--journal", journal.to_str().unwrap()];
    let played = || common::json(run(&[&players[..], &options].concat()).success());
    let names = ["first", "random #2", "random #3"];
    let found = played();
    assert_eq!(found["players"], json!(names));
    let matrix = std::fs::read_to_string(out.join("matrix.csv")).unwrap();
    let rows: Vec<&str> = matrix.lines().collect();
    let games = ggf::parse(&std::fs::read_to_string(out.join("games.ggf")).unwrap()).unwrap();
    for black in names {
        for white in names {
            let cell = format!("{black},{white},");
            assert_eq!(rows.iter().filter(|row| row.starts_with(&cell)).count(), 1, "{matrix}");
            let of_both = games.iter().filter(|game| game.black == black && game.white == white);
            assert_eq!(of_both.count(), 2, "{black} {white}");
        }
    }
    // The journal says who was asked for, as it did before.
    let kept = std::fs::read_to_string(&journal).unwrap();
    let heading: Json = serde_json::from_str(kept.lines().next().unwrap()).unwrap();
    assert_eq!(heading["players"], json!(["first", "random", "random"]));
    assert_eq!(played(), found);
}

#[test]
fn more_games_than_the_memory_holds_are_refused() {
    for games in ["1000001", "4294967295"] {
        let said = stderr(run(&["tournament", "first", "random", "--games", games]).code(2));
        assert!(said.contains("--games") && said.contains("from 1 to 1000000"), "{said}");
    }
}
