//! What the program writes it reads again, and every command reads the same from the same text.

use crate::common::{self, stderr, stdout};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

const SIX: &str = "XOO----O-OXXOOXXOO-OXXOO-XOX-OXXO-X- X";
/// The start of 4x4 after b1, White to move.
const FOUR: &str = "-X---XX--XO----- O";

/// Runs the program with these arguments and keeps what it writes in a file.
fn kept(directory: &Path, arguments: &[&str], input: &str) -> PathBuf {
    let path = directory.join("kept");
    let mut command = common::reversi();
    command.args(arguments).write_stdin(input);
    fs::write(&path, stdout(command.assert().success())).unwrap();
    path
}

/// The boards in a file with their goals, as `hint --file --last` reads them.
fn read(path: &Path) -> Vec<(String, String)> {
    let mut command = common::reversi();
    command.args(["hint", "--player", "engine:depth=1", "--json", "--last", "--file"]).arg(path);
    let word = |line: &Json, name: &str| line[name].as_str().unwrap_or_default().to_owned();
    let lines = common::json_lines(command.assert().success());
    lines.iter().map(|line| (word(line, "position"), word(line, "goal"))).collect()
}

#[test]
fn every_answer_about_a_position_is_read_as_that_position() {
    let directory = tempfile::tempdir().unwrap();
    let position = |board: &str, goal: &str| vec![(board.to_owned(), goal.to_owned())];
    let batch = format!("{SIX}\n");
    for arguments in [
        vec!["query", "--position", SIX],
        vec!["query", "--position", SIX, "--quick"],
        vec!["query", "--position", SIX, "--json"],
        vec!["query", "--batch", "-"],
        vec!["query", "--batch", "-", "--format", "csv"],
        vec!["solve", SIX],
        vec!["solve", SIX, "--wld"],
        vec!["solve", SIX, "--json"],
        vec!["hint", SIX, "--depth", "2", "--json"],
        vec!["hint", "--file", "-", "--depth", "2", "--format", "csv"],
        vec!["hint", "--file", "-", "--depth", "2", "--format", "json"],
    ] {
        let path = kept(directory.path(), &arguments, &batch);
        assert_eq!(read(&path), position(SIX, "normal"), "{arguments:?}");
    }
    // Values of three signs beside the numbers of the rows.
    let path = kept(directory.path(), &["query", "c2b4"], "");
    assert!(fs::read_to_string(&path).unwrap().contains(" 5 -10 -18"));
    assert_eq!(read(&path), position("--------X-----XX---OOO-------------- X", "normal"));
    for arguments in [
        vec!["query", "--board", "4x4", "b1", "--goal", "reversed"],
        vec!["query", "--board", "4x4", "b1", "--goal", "reversed", "--json"],
        vec!["solve", "--board", "4x4", "b1", "--goal", "reversed"],
        vec!["solve", "--board", "4x4", "b1", "--goal", "reversed", "--wld", "--all"],
        vec!["review", "--board", "4x4", "b1", "--goal", "reversed", "--json"],
    ] {
        let path = kept(directory.path(), &arguments, "");
        assert_eq!(read(&path), position(FOUR, "reversed"), "{arguments:?}");
    }
    let path = kept(directory.path(), &["gtp", "--board", "4x4"], "play b b1\nshowboard\nquit\n");
    let drawing = fs::read_to_string(&path).unwrap().replace('=', "");
    fs::write(&path, drawing).unwrap();
    assert_eq!(read(&path), position(FOUR, "normal"), "showboard");
}

#[test]
fn samples_and_tables_are_read_as_their_positions() {
    let directory = tempfile::tempdir().unwrap();
    let sample = ["sample", "--empties", "6", "--count", "3", "--goal", "reversed", "--format"];
    let all: Vec<Vec<(String, String)>> = ["obf", "csv", "json"]
        .map(|format| read(&kept(directory.path(), &[&sample[..], &[format]].concat(), "")))
        .into();
    let boards = |read: &[(String, String)]| read.iter().map(|(board, _)| board.clone()).collect::<Vec<_>>();
    assert_eq!(all[0].len(), 3);
    assert!(all[0].iter().all(|(_, goal)| goal == "reversed"), "{:?}", all[0]);
    assert!(all.iter().all(|read| boards(read) == boards(&all[0])), "{all:?}");
    assert_eq!(all[0], all[2]);
    let table =
        kept(directory.path(), &["table", "export", &common::shipped("4x4-normal-raw-diagonal.rvt")], "");
    let few: String =
        fs::read_to_string(&table).unwrap().lines().take(4).map(|line| format!("{line}\n")).collect();
    fs::write(&table, few).unwrap();
    assert_eq!(read(&table)[0].0, "-----OX--XO----- X");
}

#[test]
fn tables_that_are_written_are_read_back_under_their_rules() {
    let [directory, answered, exported] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let rules = ["--goal", "reversed", "--scoring", "winner"];
    let sample = [&["sample", "--board", "6x4", "--empties", "5", "--count", "2"][..], &rules].concat();
    let problems = kept(directory.path(), &sample, "");
    let problems = problems.to_str().unwrap();
    let csv = directory.path().join("moves.csv").display().to_string();
    let regret = ["lab", "regret", "first", "--board", "6x4", "--positions", "3", "--quiet", "--csv", &csv];
    common::run(&[&regret[..], &rules].concat()).success();
    let hint = ["hint", "--player", "first", "--board", "6x4", "--file", problems, "--format", "csv"];
    let table = common::shipped("4x4-reversed-winner-parallel.rvt");
    let export = ["table", "export", &table, "--rules"];
    let tables = [kept(answered.path(), &hint, ""), csv.into(), kept(exported.path(), &export, "")];
    let unnamed = kept(directory.path(), &["table", "export", &table], "");
    let told = |arguments: &[&str]| stderr(common::run(arguments).success()).contains("names no rules");
    let path = unnamed.to_str().unwrap();
    let few: String =
        fs::read_to_string(path).unwrap().lines().take(3).map(|line| format!("{line}\n")).collect();
    fs::write(path, few).unwrap();
    for command in
        [&["query", "--quick", "--batch"][..], &["solve"], &["hint", "--player", "first", "--file"]]
    {
        assert!(told(&[command, &[path]].concat()), "{command:?}");
        let named = [command, &[path, "--goal", "reversed", "--scoring", "winner"]].concat();
        assert!(!told(&named), "{named:?}");
    }
    for table in tables {
        let text = fs::read_to_string(&table).unwrap();
        let few: String = text.lines().take(3).map(|line| format!("{line}\n")).collect();
        fs::write(&table, few).unwrap();
        let run = common::run(&["query", "--quick", "--batch", table.to_str().unwrap()]).success();
        let answers: Vec<serde_json::Value> =
            stdout(run).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(!answers.is_empty(), "{table:?}");
        for answer in answers {
            assert_eq!([&answer["goal"], &answer["scoring"]], ["reversed", "winner"], "{answer}");
        }
    }
}

#[test]
fn games_are_written_and_read_in_every_form() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).display().to_string();
    let moves = "f5d6c3d3c4";
    let words =
        ["ggf", "pgn", "sgf", "wtb", "txt"].map(|ending| format!("save {}\n", file(&format!("a.{ending}"))));
    let mut play = common::reversi();
    play.args(["play", "--white", "human", moves]).write_stdin(words.concat() + "quit\n").assert().success();
    for ending in ["ggf", "pgn", "sgf", "wtb", "txt"] {
        let mut convert = common::reversi();
        let run = convert.args(["convert", &file(&format!("a.{ending}"))]).assert().success();
        assert_eq!(stdout(run).trim(), moves, "{ending}");
    }
}

#[test]
fn a_game_that_was_loaded_is_saved_with_all_that_its_file_says() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).display().to_string();
    let lost = "(;GM[Othello]PC[GGS]DT[2003.12.15]PB[Alice]PW[Bob]RB[2197.01]TI[05:00]TY[8]B[f5]W[d6]B[c3]RE[-64.000:t];)";
    fs::write(file("lost.ggf"), lost).unwrap();
    let load = format!("load {}\n", file("lost.ggf"));
    let save = |name: &str| format!("save {}\n", file(name));
    let words = [load, save("a.ggf"), save("a.sgf"), "undo\n".to_owned(), save("b.ggf"), "quit\n".to_owned()]
        .concat();
    common::reversi().args(["play", "--white", "human"]).write_stdin(words).assert().success();
    let told = |name: &str| {
        let text = fs::read_to_string(file(name)).unwrap();
        text.split_once("RE[").map(|(_, told)| told.split_once(']').unwrap().0.to_owned())
    };
    assert_eq!(told("a.ggf").as_deref(), Some("-64.000:t"));
    assert_eq!(told("a.sgf").as_deref(), Some("W+T"));
    assert_eq!(told("b.ggf").as_deref(), Some("?"), "another game has another result");
    let text = |name: &str| fs::read_to_string(file(name)).unwrap();
    let [kept, another] = [text("a.ggf"), text("b.ggf")];
    for tag in ["PC[GGS]", "DT[2003.12.15]", "PB[Alice]", "PW[Bob]", "RB[2197.01]", "TI[05:00]"] {
        assert!(kept.contains(tag) && !another.contains(tag), "{tag}: {kept}{another}");
    }
    assert!(another.contains("PB[human]"), "{another}");
}

#[test]
fn the_rules_of_one_file_are_not_those_of_the_next() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).display().to_string();
    fs::write(file("reversed.txt"), "% goal=reversed\nf5d6\n").unwrap();
    fs::write(file("usual.txt"), "f5f6\n").unwrap();
    let words = format!("load {}\nload {}\nsave {0}\nquit\n", file("reversed.txt"), file("usual.txt"));
    let mut play = common::reversi();
    let told = stdout(play.args(["play", "--white", "human"]).write_stdin(words).assert().success());
    assert!(
        told.contains("reversed.txt; reversed goal") && told.contains("usual.txt; normal goal"),
        "{told}"
    );
    let saved = fs::read_to_string(file("reversed.txt")).unwrap();
    assert!(!saved.contains("reversed"), "{saved}");
}

/// Where empty squares count, and where a side without a move ends the game.
#[test]
fn the_result_of_a_pgn_is_the_discs_on_the_board() {
    let directory = tempfile::tempdir().unwrap();
    for more in [&["--no-passing"][..], &["--no-passing", "--scoring", "raw"], &[]] {
        let file = directory.path().join("a.pgn").display().to_string();
        let mut play = common::reversi();
        play.args(["play", "--board", "4x4", "--black", "first", "--white", "random", "--seed", "3"])
            .args(more);
        let told = stdout(play.write_stdin(format!("save {file}\nquit\n")).assert().success());
        let discs = told.split("Game over. Black ").nth(1).and_then(|rest| rest.split(':').next()).unwrap();
        let result = format!("[Result \"{}\"]", discs.replace(", White ", "-"));
        let pgn = fs::read_to_string(file).unwrap();
        assert!(pgn.contains(&result), "{result} {pgn}");
    }
}

#[test]
fn a_game_that_is_saved_before_its_first_move_is_loaded_again() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a.txt").display().to_string();
    let words = format!("save {file}\nf5\nload {file}\nquit\n");
    let mut play = common::reversi();
    let run = play.args(["play", "--white", "human"]).write_stdin(words).assert().success();
    assert_eq!(
        stdout(run).matches("Black 2, White 2, 60 empty").count(),
        2,
        "shown at first and when loaded"
    );
}

#[test]
fn a_game_of_a_form_without_goals_is_solved_by_the_one_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a.sgf").display().to_string();
    fs::write(&file, "(;GM[2]FF[4]SZ[8];B[f5];W[d6])").unwrap();
    let asked = ["solve", &file, "--goal", "reversed", "--time", "10ms", "--json", "--threads", "1"];
    let code = common::run(&asked).get_output().status.code();
    assert!(code.is_some_and(|code| code != 2), "no time to solve it, but not refused: {code:?}");
}

/// It may be mistyped.
#[test]
fn an_ending_that_names_no_form_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).display().to_string();
    fs::write(file("game.ggf"), "(;GM[Othello]TY[8]B[f5]RE[?];)").unwrap();
    let (game, odd) = (file("game.ggf"), file("game.gff"));
    let told = "games in .gff files are written as text, as in .txt; the other forms are .ggf, .pgn, .sgf and .wtb\n";
    let convert = |more: &[&str]| stderr(common::run(&[&["convert", &game], more].concat()).success());
    assert_eq!(convert(&[&odd]), told.to_owned() + "1 game written\n");
    assert_eq!(fs::read_to_string(&odd).unwrap(), "f5\n");
    assert_eq!(convert(&[&odd, "--quiet"]), "");
    for usual in [&["--format", "text", &odd][..], &[&file("game.txt")], &[&file("game")]] {
        assert_eq!(convert(usual), "1 game written\n", "{usual:?}");
    }
    let contest = ["match", "first", "random", "--games", "2", "--save", &odd];
    assert!(stderr(common::run(&contest).success()).contains(&format!("--save: {told}")));
    assert_eq!(stderr(common::run(&[&contest[..], &["--quiet"]].concat()).success()), "");
    let words = format!("save {odd}\nsave {}\nquit\n", file("game.obf"));
    let said = stdout(common::reversi().args(["play", "f5d6"]).write_stdin(words).assert().success());
    assert!(said.contains(&format!("2 moves in {odd}; {told}")) && said.contains("game.obf\n"), "{said}");
}

#[test]
fn names_that_a_file_does_not_hold_are_told() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).display().to_string();
    fs::write(file("named.ggf"), "(;GM[Othello]PB[one]PW[two]TY[8]B[f5]RE[?];)").unwrap();
    fs::write(file("nameless.txt"), "f5d6").unwrap();
    let lost = "their names are not in the file";
    let [named, nameless, base] = ["named.ggf", "nameless.txt", "a.wtb"].map(file);
    assert!(stderr(common::run(&["convert", &named, &base]).success()).contains(lost));
    let to_nobody = stderr(common::run(&["convert", &named, "--format", "wthor"]).success());
    assert!(to_nobody.contains(lost), "{to_nobody}");
    assert_eq!(stderr(common::run(&["convert", &named, &base, "--quiet"]).success()), "");
    for arguments in [["convert", &nameless, &base], ["convert", &named, &file("a.pgn")]] {
        assert_eq!(stderr(common::run(&arguments).success()), "1 game written\n");
    }
    let contest = ["match", "first", "random", "--games", "2", "--save", &base];
    assert!(stderr(common::run(&contest).success()).contains(lost));
    assert_eq!(stderr(common::run(&[&contest[..], &["--quiet"]].concat()).success()), "");
    let words = format!("save {base}\nquit\n");
    let said = stdout(common::reversi().args(["play", "f5d6"]).write_stdin(words).assert().success());
    assert!(said.contains(lost), "{said}");
}

/// A GGF game of the reversed goal has another value than the same discs under the normal one.
#[test]
fn a_text_that_names_the_reversed_goal_is_answered_for_it() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("game.ggf");
    let game = "(;GM[Othello]TY[4a]BO[4 -----O*--*O----- *]B[b1];)";
    fs::write(&path, game).unwrap();
    let path = path.display().to_string();
    let score = |arguments: &[&str], input: &str| {
        let mut command = common::reversi();
        let run = command.args(arguments).write_stdin(input.to_owned()).assert().success();
        let answer = stdout(run);
        let answer: Json = serde_json::from_str(answer.lines().next().unwrap()).unwrap();
        (answer["goal"].as_str().unwrap().to_owned(), answer["score"].as_i64().unwrap())
    };
    let expected = score(&["query", "--board", "4x4", "b1", "--goal", "reversed", "--json"], "");
    assert_eq!(expected, ("reversed".to_owned(), -3));
    for arguments in [
        vec!["query", game, "--json"],
        vec!["query", game, "--json", "--goal", "reversed"],
        vec!["solve", game, "--json"],
        vec!["solve", &path, "--json"],
        vec!["query", "--batch", "-"],
    ] {
        assert_eq!(score(&arguments, game), expected, "{arguments:?}");
    }
    for arguments in [vec!["query", game, "--goal", "normal"], vec!["solve", game, "--goal", "normal"]] {
        let refused = common::run(&arguments).code(2);
        assert!(stderr(refused).contains("goal=reversed"), "{arguments:?}");
    }
}

#[test]
fn a_wrong_word_for_the_side_is_named_as_such_everywhere() {
    let board = "-----OX--XO-----";
    let text = format!("{board} blck");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("board.txt");
    fs::write(&path, &text).unwrap();
    let path = path.display().to_string();
    for arguments in [
        vec!["query", &text],
        vec!["query", "--position", &text],
        vec!["solve", &text],
        vec!["solve", &path],
        vec!["hint", &text],
        vec!["hint", "--file", &path],
        vec!["review", &text],
        vec!["review", "--file", &path],
        vec!["play", &text],
        vec!["play", "--load", &path],
        vec!["convert", &path],
    ] {
        let said = stderr(common::run(&arguments).code(2));
        assert!(said.contains("\"blck\" is neither a side to move nor a move"), "{arguments:?}: {said}");
    }
}

#[test]
fn a_batch_in_utf_16_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("batch.txt");
    let text = format!("{SIX}\r\n{FOUR}\r\n");
    let bytes: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    fs::write(&path, bytes).unwrap();
    let mut command = common::reversi();
    let answers =
        common::json_lines(command.args(["query", "--quick", "--batch"]).arg(&path).assert().success());
    let positions: Vec<&str> = answers.iter().map(|answer| answer["position"].as_str().unwrap()).collect();
    assert_eq!(positions, [SIX, FOUR]);
}

/// The positions of a batch with the numbers of their lines, and how it ended.
fn batch(path: &str, text: &str, code: i32) -> Vec<(u64, String)> {
    let mut command = common::reversi();
    let run =
        command.args(["query", "--quick", "--batch", path]).write_stdin(text.to_owned()).assert().code(code);
    let answer = |line: &Json| {
        let said = line["position"].as_str().or(line["message"].as_str()).unwrap_or_default().to_owned();
        (line["number"].as_u64().unwrap(), said)
    };
    common::json_lines(run).iter().map(answer).collect()
}

#[test]
fn drawings_in_a_batch_are_positions() {
    let directory = tempfile::tempdir().unwrap();
    let picture = |arguments: &[&str]| stdout(common::run(arguments).success());
    let text = format!(
        "{FOUR}\n\n  a b c d\n1 - X - -\n2 - X X -\n3 - X O -\n4 - - - -\nWhite to move\n\n{}\n{}\n{FOUR}\n",
        picture(&["query", "--board", "4x4", "b1"]),
        picture(&["query", SIX, "--quick"]),
    );
    let path = directory.path().join("drawings.txt");
    fs::write(&path, &text).unwrap();
    let found = batch(path.to_str().unwrap(), "", 0);
    let boards: Vec<&str> = found.iter().map(|(_, board)| board.as_str()).collect();
    assert_eq!(boards, [FOUR, FOUR, FOUR, SIX, FOUR]);
    assert_eq!(found[..3].iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 3, 10]);
    // Every command reads all of them.
    let drawings = [picture(&["query", "--board", "4x4", "b1"]), picture(&["query", SIX, "--quick"])];
    fs::write(&path, drawings.join("\n")).unwrap();
    let solved = common::run(&["solve", path.to_str().unwrap(), "--json", "--quiet"]).success();
    let solved: Vec<Json> = common::json_lines(solved);
    assert_eq!(
        solved.iter().map(|answer| answer["position"].as_str().unwrap()).collect::<Vec<_>>(),
        [FOUR, SIX]
    );
    // A reader of lines gets an answer to each line, and a hint how drawings are read.
    let told = batch("-", "1 - X - -\n", 2);
    assert!(told[0].1.contains("a drawing cannot be read line by line: name a file"), "{told:?}");
}

/// Every command reads a file under the rules that it names, wherever they stand.
#[test]
fn a_batch_is_answered_under_the_rules_that_solve_finds() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("positions.txt");
    let drawing = "----\n-OX-\n-XO-\n----\nX to move";
    let start = "-----OX--XO----- X";
    let answers = |arguments: &[&str]| -> Vec<(String, i64)> {
        let run = common::reversi().args(arguments).arg(&path).assert().success();
        let answer = |line: &Json| Some((line["position"].as_str()?.to_owned(), line["score"].as_i64()?));
        common::json_lines(run).iter().filter_map(answer).collect()
    };
    for text in [
        format!("# goal=reversed\n{start}\n{FOUR}\n"),
        format!("reversed goal\n{drawing}\n"),
        format!("4x4, reversed goal\n\n{drawing}\n\n4x4, reversed goal\n{drawing}\n"),
        format!("{start}; % goal=reversed\n{FOUR};\n"),
        format!("{start} % goal=reversed\n{FOUR}\n"),
    ] {
        fs::write(&path, &text).unwrap();
        let answered = answers(&["query", "--quick", "--batch"]);
        assert_eq!(answered, answers(&["solve", "--json", "--quiet"]), "{text}");
        assert_eq!(answered[0], (start.to_owned(), 3), "{text}");
    }
    let mut command = common::reversi();
    let heading = format!("reversed goal\n{start}\n{FOUR}\n");
    let said = stderr(command.args(["query", "--batch", "-"]).write_stdin(heading).assert().code(2));
    assert!(said.contains("line 1: rules in words, without a position; write `% goal=reversed`"), "{said}");
    for agreed in [format!("{start}\n{FOUR} % goal=normal\n"), "(;FF[4]GM[2]SZ[4];B[ba];W[aa])\n".to_owned()]
    {
        assert!(batch("-", &agreed, 0).iter().all(|(_, board)| board.len() == FOUR.len()), "{agreed}");
    }
    let told = batch("-", &format!("4x4, normal goal, raw scoring\n\n{FOUR}\n"), 2);
    assert_eq!(told[1].1, FOUR, "rules that are in use end nothing");
    let told = batch("-", &format!("{start}\n{FOUR} % goal=reversed\n"), 2);
    assert!(told[0].1 == start && told[1].1.contains("sets other rules"), "{told:?}");
}

/// The passing rule in the program's own answers counts too.
#[test]
fn a_game_without_passing_has_no_exact_values() {
    let directory = tempfile::tempdir().unwrap();
    let game = ["review", "--board", "4x4", "b1c1d1a1a2a3d4d2d3", "--no-passing", "--json"];
    let path = kept(directory.path(), &game, "");
    let path = path.to_str().unwrap();
    let text = fs::read_to_string(path).unwrap();
    for arguments in [["solve", path], ["query", &text]] {
        let said = stderr(common::run(&arguments).code(2));
        assert!(said.contains("without a move passes"), "{said}");
    }
    let again = common::json(common::run(&["review", "--json", "--file", path]).success());
    assert_eq!(again["passing"], false);
    let one_disc_each = r#"{"position":"OX-------------- X","passing":false}"#;
    let hint = common::json(common::run(&["hint", one_disc_each, "--json"]).success());
    assert_eq!(hint["finished"], true, "a side without a move ends the game: {hint}");
    let said = stderr(common::run(&["perft", "3", one_disc_each]).code(2));
    assert!(said.contains("without a move passes are counted"), "{said}");
    let passes = r#"{"position":"OX-------------- X","passing":true}"#;
    let said = stderr(common::run(&["review", passes, "--no-passing"]).code(2));
    assert!(said.contains("--no-passing"), "{said}");
}

#[test]
fn tables_in_a_batch_are_positions_under_their_rules() {
    let directory = tempfile::tempdir().unwrap();
    let text = format!("{FOUR}\nb1 z9\n");
    let arguments = ["query", "--board", "4x4", "--goal", "reversed", "--batch", "-", "--format", "csv"];
    let mut command = common::reversi();
    let table = stdout(command.args(arguments).write_stdin(text).assert().code(2));
    let path = directory.path().join("table.csv");
    fs::write(&path, &table).unwrap();
    for (path, input) in [(path.to_str().unwrap(), ""), ("-", table.as_str())] {
        let mut command = common::reversi();
        let run = command.args(["query", "--batch", path]).write_stdin(input.to_owned()).assert().code(2);
        let answers = common::json_lines(run);
        assert_eq!((&answers[0]["goal"], &answers[0]["score"]), (&"reversed".into(), &(-3).into()));
        assert_eq!(answers[1]["message"], "line 3: there is no position in it");
    }
}

#[test]
fn a_file_in_the_place_of_moves_is_told_so() {
    for (arguments, said) in [
        (["query", "none.obf"], "there is no file none.obf"),
        (["hint", "./none"], "there is no file ./none"),
        (["review", "none.ggf"], "there is no file none.ggf"),
        (["play", "none.txt"], "there is no file none.txt"),
        (["query", "Cargo.toml"], "it is the name of a file"),
        (["solve", "justfile"], "`solve ./justfile` read one"),
        (["solve", "/nowhere/none"], "there is no file /nowhere/none"),
        (["query", "-"], "`query --batch -`"),
        (["hint", "-"], "`hint --file -`"),
    ] {
        let message = stderr(common::run(&arguments).code(2));
        assert!(message.contains(said), "{arguments:?}: {message}");
    }
}

#[test]
fn a_converted_game_goes_to_standard_output() {
    let mut command = common::reversi();
    let run =
        command.args(["convert", "-", "-", "--format", "text"]).write_stdin("F5 D6\n").assert().success();
    assert_eq!(stdout(run), "f5d6\n");
    assert!(!Path::new("-").exists());
}

#[test]
fn games_that_cannot_be_read_are_left_out_only_if_asked() {
    let game = |moves: &str| {
        format!("(;GM[Othello]TY[8]BO[8 {}---O*------*O---{} *]{moves};)\n", "-".repeat(24), "-".repeat(24))
    };
    let directory = tempfile::tempdir().unwrap();
    let (from, to) = (directory.path().join("from"), directory.path().join("to.ggf"));
    let (from, to) = (from.to_str().unwrap(), to.to_str().unwrap());
    let convert = |games: &[&str], more: &[&str]| {
        fs::write(from, games.iter().map(|moves| game(moves)).collect::<String>()).unwrap();
        common::run(&[&["convert", from, to][..], more].concat())
    };
    let games = ["B[f5]W[d6]", "B[f5]W[a1]", "B[f5]W[f6]"];
    let refused = stderr(convert(&games, &[]).code(2));
    assert!(refused.contains("game 2: move 2 \"a1\"") && refused.contains("--skip-bad"), "{refused}");
    assert!(!Path::new(to).exists());
    let said = stderr(convert(&games, &["--skip-bad", "--quiet"]).success());
    assert!(said.contains("left out: ") && said.contains("game 2: move 2 \"a1\": turns no disc\n"), "{said}");
    assert_eq!(stdout(common::run(&["convert", to, "--format", "text"]).success()), "f5d6\nf5f6\n");
    let nothing = stderr(convert(&games[1..2], &["--skip-bad"]).code(2));
    assert!(
        nothing.contains("turns no disc") && nothing.contains("no game of the file is left"),
        "{nothing}"
    );
}

/// What is asked for and what a file holds are two games: neither is answered about silently.
#[test]
fn options_that_contradict_a_file_of_games_are_refused() {
    let game = "(;GM[Othello]TY[4a]BO[4 -----O*--*O----- *]B[b1];)";
    let answer = "{\"board\":\"4x4\",\"scoring\":\"winner\",\"position\":\"-----OX--XO----- X\"}";
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.txt");
    let path = path.to_str().unwrap();
    let refused = |text: &str, options: [&str; 2], said: &str| {
        fs::write(path, text).unwrap();
        for command in [vec!["hint", "--file", path], vec!["convert", path], vec!["review", "--file", path]] {
            let message = stderr(common::run(&[&command[..], &options].concat()).code(2));
            assert!(message.contains(said), "{command:?} {options:?}: {message}");
        }
    };
    refused(
        game,
        ["--goal", "normal"],
        "is for goal=reversed, but --goal normal is asked for; leave the option out",
    );
    refused(game, ["--board", "8x8"], "is for board=4x4, but --board 8x8 is asked for; leave the option out");
    refused(game, ["--start", "parallel"], "does not begin with the discs that --start parallel asks for");
    refused(answer, ["--scoring", "raw"], "is for scoring=winner, but --scoring raw is asked for");
    fs::write(path, game).unwrap();
    let agreeing = ["--goal", "reversed", "--board", "4x4", "--start", "diagonal"];
    common::run(&[&["hint", "--depth", "2", "--file", path][..], &agreeing].concat()).success();
    common::run(&[&["convert", path, "--format", "ggf"][..], &agreeing].concat()).success();
    let solved = common::run(&["solve", path, "--board", "6x6"]).code(2);
    assert!(stderr(solved).contains("the game is for board=4x4, but --board 6x6 is asked for"));
}

#[test]
fn a_file_that_holds_nothing_is_no_game() {
    for text in ["", "\n", "# a comment\n% another one\n"] {
        for arguments in [
            &["convert", "-"] as &[&str],
            &["hint", "--file", "-", "--depth", "2"],
            &["review", "--file", "-"],
        ] {
            let mut command = common::reversi();
            let said = stderr(command.args(arguments).write_stdin(text).assert().code(2));
            assert!(said.contains("there is neither a board nor a move in it"), "{arguments:?}: {said}");
        }
    }
}

/// What is written is read back under the same rules, or not written.
#[test]
fn a_converted_game_keeps_its_rules() {
    let directory = tempfile::tempdir().unwrap();
    let (from, to) = (directory.path().join("from"), directory.path().join("to"));
    let (from, to) = (from.to_str().unwrap(), to.to_str().unwrap());
    let convert = |text: &str, format: &str| {
        fs::write(from, text).unwrap();
        common::run(&["convert", from, to, "--format", format])
    };
    let reversed = "(;GM[Othello]TY[4a]BO[4 -----O*--*O----- *]B[b1];)\n";
    let winner = "{\"board\":\"4x4\",\"scoring\":\"winner\",\"position\":\"-----OX--XO----- X\"}\n";
    for (text, heading) in [
        (reversed.to_owned(), "% goal=reversed\n"),
        (reversed.repeat(2), "% goal=reversed\n"),
        (winner.to_owned(), "% scoring=winner\n"),
        (reversed.replace("4a", "4"), ""),
    ] {
        convert(&text, "text").success();
        let written = fs::read_to_string(to).unwrap();
        assert!(written.starts_with(&format!("{heading}-----OX--XO----- X")), "{written}");
        let json = |path| {
            let run =
                common::run(&["hint", "--player", "engine:depth=1", "--json", "--last", "--file", path]);
            let rules =
                |line: &Json| [&line["goal"], &line["scoring"], &line["position"]].map(Json::to_string);
            common::json_lines(run.success()).iter().map(rules).collect::<Vec<_>>()
        };
        assert_eq!(json(from), json(to), "{written}");
        let solved = common::json_lines(common::run(&["solve", to, "--json", "--quiet"]).success());
        assert_eq!(solved.len(), json(to).len(), "{written}");
        assert_eq!(solved[0]["goal"].to_string(), json(to)[0][0], "{written}");
    }
    for format in ["ggf", "pgn", "sgf"] {
        let said = stderr(convert(winner, format).code(2));
        assert!(said.contains("game 1: this form does not name the scoring"), "{format}: {said}");
    }
    let said = stderr(convert(&(reversed.to_owned() + &reversed.replace("4a", "4")), "text").code(2));
    assert!(said.contains("game 2: its goal is different from that of the games before it"), "{said}");
}

#[test]
fn an_argument_that_names_the_goal_is_answered_for_it() {
    let score = |text: &str, options: &[&str]| {
        let asked = ["query", "--quick", "--json", text];
        common::json(common::run(&[&asked[..], options].concat()).success())["score"].clone()
    };
    let (board, reversed) = ("-----OX--XO----- X", 3);
    for text in [
        format!("% goal=reversed\n{board}"),
        format!("4x4, reversed goal: {board}"),
        format!("4x4 (reversed goal): {board}"),
    ] {
        assert_eq!(score(&text, &[]), reversed, "{text}");
        assert_eq!(score(&text, &["--goal", "reversed"]), reversed, "{text}");
        let said = stderr(common::run(&["query", &text, "--goal", "normal"]).code(2));
        assert!(said.contains("is for goal=reversed, but --goal normal is asked for"), "{text}: {said}");
    }
    assert_eq!(score(board, &[]), -8);
}

/// A text may name the rules that are taken for granted elsewhere, too.
#[test]
fn an_argument_that_names_the_usual_rules_contradicts_an_option_for_others() {
    let answer = "{\"goal\":\"normal\",\"scoring\":\"raw\",\"position\":\"-----OX--XO----- X\"}";
    for command in ["query", "solve", "hint"] {
        for (options, said) in
            [(["--goal", "reversed"], "goal=normal"), (["--scoring", "winner"], "scoring=raw")]
        {
            let message = stderr(common::run(&[&[command, answer][..], &options].concat()).code(2));
            assert!(
                message.contains(&format!("the position is for {said}")),
                "{command} {options:?}: {message}"
            );
        }
    }
    let mut command = common::reversi();
    let input = format!("% goal=reversed\n-----OX--XO----- X\n{answer}\n");
    let run = command.args(["query", "--quick", "--batch", "-"]).write_stdin(input).assert().success();
    let scores: Vec<Json> = common::json_lines(run).iter().map(|line| line["score"].clone()).collect();
    assert_eq!(scores, [3, -8]);
}

#[test]
fn rules_in_a_file_are_read_in_any_letters_and_refused_if_unknown() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = directory.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let csv = |goal: &str| format!("position,goal\n-----OX--XO----- X,{goal}\n");
    let json = |goal: &str| format!("{{\"position\":\"-----OX--XO----- X\",\"goal\":\"{goal}\"}}\n");
    let pgn = |goal: &str| format!("[Goal \"{goal}\"]\n\n1. f5 d6 2. c3 *\n");
    for (name, known, unknown) in [
        ("a.csv", csv("Reversed"), csv("misere")),
        ("a.json", json("REVERSED"), json("anti")),
        ("a.pgn", pgn("Reversed"), pgn("fewer")),
    ] {
        let path = file(name, &known);
        let text = stdout(common::run(&["convert", &path]).success());
        assert!(text.starts_with("% goal=reversed\n"), "{name}: {text}");
        let path = file(name, &unknown);
        let said = stderr(common::run(&["convert", &path]).code(2));
        assert!(said.contains("is no goal; there are normal and reversed"), "{name}: {said}");
    }
    let path = file("b.csv", &csv("misere"));
    let said = stdout(common::run(&["query", "--quick", "--batch", &path]).code(2));
    assert!(said.contains("is no goal"), "{said}");
    let path = file("c.csv", "position\n-----OX--XO----- X\n");
    let solved = stdout(common::run(&["solve", &path]).success());
    assert!(solved.contains("-8"), "{solved}");
}

/// A sample is solved as it says.
#[test]
fn a_sample_names_its_rules() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("sample.csv");
    let path = path.to_str().unwrap();
    let of = ["sample", "--board", "4x4", "--empties", "6", "--count", "3", "--goal", "reversed"];
    let sample = stdout(common::run(&[&of[..], &["--format", "csv", "--quiet"]].concat()).success());
    fs::write(path, &sample).unwrap();
    let scores: Vec<i64> =
        sample.lines().skip(1).map(|line| line.split(',').nth(2).unwrap().parse().unwrap()).collect();
    let solved = common::json_lines(common::run(&["solve", path, "--json"]).success());
    let solved: Vec<i64> = solved.iter().filter_map(|line| line["score"].as_i64()).collect();
    assert_eq!(solved, scores);
}

/// Boards of 4x5, whose size no form of a sample but JSON names.
#[test]
fn a_board_of_unknown_size_is_told_by_its_place_and_with_the_option_that_names_its_size() {
    let directory = tempfile::tempdir().unwrap();
    let (board, other) = ("-O-OXXXX-OX--OO-XXXO X", "-XXX-XX-OXXO-OOO--OO X");
    let table = format!("position,empties,score\n{board},6,10\n{other},6,-6\n");
    let problems = format!("% goal=normal\n{board}; d3:+10;\n{other}; a5:-6;\n");
    let way_out = "20 cells and the side to move are a board of 4x5 or 5x4: --board 4x5 or --board 5x4";
    for (text, name) in [(table, "table.csv"), (problems, "problems.obf")] {
        let path = directory.path().join(name);
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        for command in [
            &["query", "--quick", "--batch", path] as &[&str],
            &["solve", path],
            &["hint", "--depth", "2", "--file", path],
            &["convert", path],
            &["review", "--file", path],
        ] {
            let run = common::run(command).code(2);
            let said = stdout(common::run(command)) + &stderr(run);
            assert!(said.contains("line 2: 21 characters") && said.contains(way_out), "{command:?}: {said}");
            assert!(!said.contains("JSON"), "{command:?}: {said}");
        }
        let said = stdout(common::run(&["query", "--quick", "--batch", path]));
        assert!(said.contains("from 3x3 to 8x8"), "{said}");
        for command in [&["query", "--quick", "--batch", path] as &[&str], &["solve", path, "--quiet"]] {
            common::run(&[command, &["--board", "4x5"]].concat()).success();
        }
    }
    // 36 characters are the cells of 6x6 too.
    let path = directory.path().join("6x6.obf");
    fs::write(&path, "XXX--OOOXXOOOOOOOOX-XXOXXXXXO-XXX-O X; e4:-1;\n").unwrap();
    let path = path.to_str().unwrap();
    for command in [&["query", "--batch", path] as &[&str], &["solve", path], &["hint", "--file", path]] {
        let run = common::run(command).code(2);
        let said = stdout(common::run(command)) + &stderr(run);
        assert!(
            said.contains("35 cells and the side to move are a board of 5x7 or 7x5"),
            "{command:?}: {said}"
        );
    }
}
