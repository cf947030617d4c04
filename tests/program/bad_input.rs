//! Wrong commands and files end with the right code and words for the person in front of them, in text
//! and in JSON, and never with a panic.

use crate::common::{self, shipped, stderr, stdout, words};
use reversi::rules::{Geometry, Goal, Rules, Scoring, Start};
use reversi::table::library::file_name;
use reversi::table::{RawEntry, Table, to_bytes};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

const TABLE: &str = "4x4-normal-raw-diagonal.rvt";

/// The bytes of the table of 4x4.
fn table(goal: Goal, start: Start) -> Vec<u8> {
    fs::read(shipped(&file_name(Geometry::FOUR, Rules::new(goal, Scoring::Raw), start))).unwrap()
}

/// The files that the lines of the corpus name in braces.
struct Files {
    paths: BTreeMap<String, PathBuf>,
    _directory: TempDir,
}

impl Files {
    fn make() -> Files {
        let directory = tempfile::tempdir().unwrap();
        let mut files = Files { paths: BTreeMap::new(), _directory: directory };
        let whole = table(Goal::Normal, Start::Diagonal);
        let changed = |place: usize, bit: u8| {
            let mut bytes = whole.clone();
            bytes[place] ^= bit;
            bytes
        };
        files.name("missing", "missing.rvt");
        files.write("text", b"no table");
        files.write("empty", b"");
        files.write("truncated", &whole[..20_000]);
        files.write("longer", &[&whole[..], b"more"].concat());
        files.write("newer", &changed(8, 3));
        files.write("header", &changed(50, 1));
        files.write("flipped", &changed(30_000, 1));
        files.write("wrong", &wrong_values(&whole));
        files.directory("truncated-data", &whole[..20_000]);
        // The entry of the start is in the first block.
        files.directory("flipped-data", &changed(500, 1));
        files.directory("reversed-data", &table(Goal::Reversed, Start::Diagonal));
        files.directory("parallel-data", &table(Goal::Normal, Start::Parallel));
        files.directory("wrong-data", &wrong_values(&whole));
        let engine = fs::read(shipped("6x6-normal.rvw")).unwrap();
        let cut = fs::read(shipped("6x6-reversed-raw-diagonal.rvt")).unwrap()[..20_000].to_vec();
        let mut damaged = engine.clone();
        damaged[1_000] ^= 1;
        files.file_in("junk-engine", "6x6-normal.rvw", b"no weights");
        files.file_in("damaged-engine", "6x6-normal.rvw", &damaged);
        files.file_in("other-engine", "6x6-reversed.rvw", &engine);
        files.file_in("table-engine", "6x6-reversed-raw-diagonal.rvt", &cut);
        files.write("small-game", b"b1c1d1\n");
        files.name("directory", "");
        files
    }

    fn name(&mut self, word: &str, file: &str) -> PathBuf {
        let path = self._directory.path().join(file);
        self.paths.insert(format!("{{{word}}}"), path.clone());
        path
    }

    fn write(&mut self, word: &str, bytes: &[u8]) {
        fs::write(self.name(word, &format!("{word}.rvt")), bytes).unwrap();
    }

    fn directory(&mut self, word: &str, table: &[u8]) {
        self.file_in(word, TABLE, table);
    }

    /// A directory with one file in it.
    fn file_in(&mut self, word: &str, file: &str, bytes: &[u8]) {
        let path = self.name(word, word);
        fs::create_dir(&path).unwrap();
        fs::write(path.join(file), bytes).unwrap();
    }

    /// The text with the names in braces replaced.
    fn fill_in(&self, text: &str) -> String {
        let fill =
            |text: String, (word, path): (&String, &PathBuf)| text.replace(word, path.to_str().unwrap());
        self.paths.iter().fold(text.to_owned(), fill)
    }
}

/// The start says more than its moves lead to, under right checksums.
fn wrong_values(whole: &[u8]) -> Vec<u8> {
    let table = Table::from_vec(whole.to_vec()).unwrap();
    let mut entries: Vec<RawEntry> = table.raw_entries().map(Result::unwrap).collect();
    entries[0].score += 2;
    to_bytes(table.header().contents.clone(), entries).unwrap()
}

fn run(arguments: &[String]) -> (Option<i32>, String) {
    let mut command = common::reversi();
    let output = command.args(arguments).write_stdin("").output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn every_bad_command_is_refused_with_its_code_and_reason() {
    let files = Files::make();
    let corpus = include_str!("../data/bad-commands.txt");
    let lines: Vec<&str> = common::records(corpus).collect();
    assert!(lines.len() > 40, "the corpus is there");
    let complaints: Vec<String> = lines.iter().filter_map(|line| complaint(&files, line)).collect();
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), lines.len(), complaints.join("\n"));
}

/// What a line of the corpus promises that is not so.
fn complaint(files: &Files, line: &str) -> Option<String> {
    let fields: Vec<&str> = line.splitn(4, '|').map(str::trim).collect();
    let [code, kind, part, command] = fields[..] else { panic!("four fields: {line}") };
    let (code, part) = (code.parse().ok(), flat(&files.fill_in(part)));
    let mut arguments: Vec<String> = words(command).iter().map(|word| files.fill_in(word)).collect();
    let (status, said) = run(&arguments);
    if status != code || !flat(&said).contains(&part) {
        return Some(format!("{line}\n    {status:?} {said}"));
    }
    arguments.push("--json".to_owned());
    let (status, said) = run(&arguments);
    let error: Json = serde_json::from_str(&said).unwrap_or_default();
    let right = status == code
        && error["schema"] == "reversi.error/1"
        && error["kind"] == kind
        && error["message"].as_str().is_some_and(|message| flat(message).contains(&part));
    (!right).then(|| format!("{line} --json\n    {status:?} {said}"))
}

/// Without line ends, which depend on the width of the terminal.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn verify_tells_damage_from_error() {
    let files = Files::make();
    for (word, code, check) in [("flipped", 4, "checksums"), ("wrong", 5, "values")] {
        let path = files.fill_in(&format!("{{{word}}}"));
        let report = common::json(common::run(&["table", "verify", &path, "--json"]).code(code));
        assert_eq!(report["schema"], "reversi.table-verify/1");
        let checks = report["checks"].as_array().unwrap();
        let found = checks.iter().find(|found| found["check"] == check).unwrap();
        assert_eq!(found["result"], "failed", "{report}");
        assert!(found["faults"].as_u64() > Some(0) && !found["detail"].as_str().unwrap().is_empty());

        let text = stdout(common::run(&["table", "verify", &path]).code(code));
        assert!(text.contains("\nWRONG "), "{text}");
        // Behind damaged checksums there is nothing to believe, so the rest is not looked at.
        let end = text.lines().last().unwrap();
        assert_eq!(end.contains("; not checked: "), word == "flipped", "{end}");
    }
}

#[test]
fn a_sound_table_is_verified_in_text_and_json() {
    let path = shipped(TABLE);
    let verify = |options: &[&str]| {
        let fixed = ["table", "verify", &path, "--sample", "50", "--seed", "3"];
        common::run(&[&fixed, options].concat()).success()
    };
    let text = stdout(verify(&[]));
    assert_eq!(text.lines().filter(|line| line.starts_with("ok ")).count(), 12, "one line a check: {text}");
    assert!(text.contains("12351 positions") && text.ends_with(" s)\n"), "{text}");
    assert!(text.contains(": sound ("), "nothing was left out: {text}");
    let report = common::json(verify(&["--json"]));
    assert_eq!(report["verdict"], "sound");
    assert_eq!(report["checks"].as_array().unwrap().len(), 12);
}

/// What asking for 4x4 comes to with this for standard output.
fn query_into(out: impl Into<std::process::Stdio>, more: &[&str]) -> std::process::Output {
    common::process().args(["query", "--board", "4x4"]).args(more).stdout(out).output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let output = query_into(full(), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard output"), "says what is full");
    let error: Json = serde_json::from_slice(&query_into(full(), &["--json"]).stderr).unwrap();
    assert_eq!(error["kind"], "cannot-write");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = query_into(writer, &[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "nothing reads on: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn games_that_nobody_reads_are_no_error() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.txt");
    fs::write(&path, "f5d6c3\n".repeat(1000)).unwrap();
    for form in ["text", "ggf", "pgn", "sgf", "wthor"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = common::process();
        command.arg("convert").arg(&path).args(["--format", form]).stdout(writer);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), said.as_ref()), (Some(0), ""), "{form}");
    }
}

#[test]
fn what_is_not_read_is_done_all_the_same() {
    let run = |args: &[&str]| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = common::process();
        command.args(args).stdout(writer).output().unwrap()
    };
    let files = Files::make();
    let damaged = files.paths["{flipped}"].to_str().unwrap();
    assert_eq!(run(&["table", "verify", damaged]).status.code(), Some(4), "the verdict is the exit code");
    let out = tempfile::tempdir().unwrap();
    let directory = out.path().to_str().unwrap();
    let games = out.path().join("games.ggf");
    assert_eq!(run(&["build", "3x3", "--out", directory]).status.code(), Some(0));
    assert_eq!(fs::read_dir(directory).unwrap().count(), 8, "all tables of both starts");
    let save = ["match", "first", "random", "--board", "4x4", "--games", "4", "--save"];
    assert_eq!(run(&[&save[..], &[games.to_str().unwrap()]].concat()).status.code(), Some(0));
    assert!(games.exists());
}

#[test]
fn a_line_without_end_is_answered_and_not_kept() {
    let endless = "x".repeat(10 << 20);
    for (program, last, answer) in [
        ("gtp", "name", "? unknown command\n\n= reversi"),
        ("nboard", "ping 7", "pong 7"),
        ("play", "f5", "xxx...: a line of more than 64 KB is not read"),
    ] {
        let sent = format!("{endless}\n{last}\n");
        let said = stdout(common::reversi().arg(program).write_stdin(sent).assert().success());
        assert!(said.contains(answer) && said.len() < 10_000, "{program}: {said}");
    }
    let gtp = |sent: String| stdout(common::reversi().arg("gtp").write_stdin(sent).assert().success());
    let answers = gtp(format!("# {endless}\n7 undo {endless}\n8 name\n"));
    assert_eq!(answers, "?7 unknown command\n\n=8 reversi\n\n");
    // Nothing of it is carried out.
    let sent = format!("f5 d6 {endless}\nshow\n");
    let said =
        stdout(common::reversi().args(["play", "--white", "human"]).write_stdin(sent).assert().success());
    assert!(!said.contains("Black 4"), "{said}");
    // A game that could not be read leaves no game in which a move could be found.
    let sent = format!("nboard 2\nset game (;GM[Othello]PC[{endless}]PB[a]PW[b]TY[8]BO[8 *];)\ngo\nping 1\n");
    let said = stdout(common::reversi().arg("nboard").write_stdin(sent).assert().success());
    assert!(!said.contains("==="), "{said}");
}

#[test]
fn a_negative_number_is_refused_by_its_option() {
    for args in [&["query", "--time", "-1"][..], &["match", "--games", "-5"], &["serve", "--port", "-1"]] {
        let error = stderr(common::run(args).code(2));
        let part = format!("invalid value '{}' for '{}", args[2], args[1]);
        assert!(error.contains(&part), "{error}");
    }
}

#[test]
fn a_variable_that_names_no_directory_is_told_of() {
    let with = |options: &[&str]| {
        let mut command = common::reversi();
        command.args(["query", "--board", "4x4"]).args(options).env("REVERSI_DATA", "/no/such/directory");
        stderr(command.assert().success())
    };
    assert!(with(&[]).contains("$REVERSI_DATA names /no/such/directory"), "{}", with(&[]));
    assert_eq!(with(&["--quiet"]), "");
    assert_eq!(with(&["--json"]), "", "who reads JSON reads it on stderr too");
}

/// Where a process may have little address space few threads with large stacks can be made.
#[cfg(unix)]
#[test]
fn a_search_goes_on_with_the_threads_there_are() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("two.obf");
    let with_16_empty_squares = "--OOO--XXXX-XXOXX--OXXOX--OX---O---- X";
    fs::write(&file, "-----OX--XO----- X; -8;\n".repeat(3)).unwrap();
    // Room for a few such stacks, and for none.
    for (what, stack) in [
        (&["--position", with_16_empty_squares][..], 256_u64 << 20),
        (&[file.to_str().unwrap(), "--check"], 4 << 30),
    ] {
        let mut command = common::after("ulimit -v 3000000");
        command.args(["solve", "--threads", "64", "--memory", "16M", "--quiet"]).args(what);
        command.env("RUST_MIN_STACK", stack.to_string());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{what:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_table_and_is_not_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("pipe.rvt");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = common::reversi();
    command.args(["table", "info"]).arg(&pipe).timeout(std::time::Duration::from_secs(60)).assert().code(4);
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let argument = std::ffi::OsStr::from_bytes(b"\xff");
    let mut command = common::reversi();
    command.arg("query").arg(argument).assert().code(2);
}

/// Progress without a reader, as after `2>&1 | head`.
#[cfg(target_os = "linux")]
#[test]
fn progress_that_is_not_read_ends_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = common::process();
    // With nothing to resume it says so before it does anything.
    let options =
        ["build", "4x4", "--goal", "normal", "--prefix", "2", "--down-to", "4", "--resume", "--out"];
    let status = command.args(options).arg(directory.path()).stderr(writer).status().unwrap();
    assert!(status.success());
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn json_is_refused_where_there_is_none() {
    for command in ["play --board 4x4", "bench cuts --board 6x6 --positions 1"] {
        let mut program = common::reversi();
        let refused = program.args(words(command)).arg("--json").assert().code(2).stdout("");
        let error: Json = serde_json::from_str(&stderr(refused)).unwrap();
        assert!(error["message"].as_str().unwrap().ends_with("leave --json out"), "{error}");
    }
}

#[test]
fn the_benchmark_of_the_engine_names_its_schema_as_the_others_do() {
    let bench = common::run(&["bench", "engine", "--board", "6x6", "--time", "10ms", "--json"]);
    assert_eq!(common::json(bench.success())["schema"], "reversi.bench-engine/1");
}

/// A pipe in the place of a book is not waited for; while one is waited for that may hold openings, a signal ends it.
#[cfg(unix)]
#[test]
fn pipes_hang_nothing_for_good() {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = common::reversi();
    let refused =
        command.args(["hint", "f5", "--book"]).arg(&pipe).timeout(std::time::Duration::from_secs(60));
    let said = stderr(refused.assert().code(2));
    assert!(said.contains("not a regular file"), "{said}");
    let mut waiting = common::process();
    waiting.args(["match", "random", "first", "--openings"]).arg(&pipe);
    let mut waiting = waiting.spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(waiting.try_wait().unwrap().is_none(), "it waits for the openings");
    let killed = std::process::Command::new("kill").arg(waiting.id().to_string()).status().unwrap();
    assert!(killed.success());
    assert!(!waiting.wait().unwrap().success(), "one signal is enough");
}

/// While a pipe that is to take the games has no reader, one signal ends the program; with one it gets all games.
#[cfg(unix)]
#[test]
fn a_pipe_for_games_is_waited_for_until_a_signal() {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("games.ggf");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let start = || {
        let mut command = common::process();
        command.args(["match", "random", "first", "--board", "4x4", "--games", "2", "--save"]).arg(&pipe);
        command.spawn().unwrap()
    };
    let mut waiting = start();
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(waiting.try_wait().unwrap().is_none(), "it waits for a reader");
    let killed = std::process::Command::new("kill").arg(waiting.id().to_string()).status().unwrap();
    assert!(killed.success());
    assert!(!waiting.wait().unwrap().success(), "one signal is enough");
    let mut waiting = start();
    let games = std::fs::read_to_string(&pipe).unwrap();
    assert_eq!(games.matches("(;GM[Othello]").count(), 2, "{games}");
    assert!(waiting.wait().unwrap().success());
}
