//! Conversations with the program, word for word, kept in `tests/data/gtp`, `nboard` and `play`.
//!
//! Each file is one conversation. Its first line, `$ reversi ...`, starts the program. `> text` is sent to
//! it, `< text` is the next line it must answer (`*` stands for any text, `?` for any character), `<* text`
//! passes over any number of such lines, and `~ N` waits for N milliseconds. At the end of the file the input
//! is closed, and the program must end by itself with exit code 0 and nothing more to say. Lines that begin
//! with `#` are remarks.

use crate::common;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;
#[cfg(target_os = "linux")]
use std::time::Instant;

/// How long an answer may take before it counts as missing: generous, since the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn gtp_conversations_go_as_written() {
    run_all("gtp");
}

#[test]
fn a_player_that_does_not_play_such_games_is_refused_at_the_start() {
    for (options, fault) in [
        (&["--board", "4x4", "--no-passing"][..], "a side without a move passes"),
        (&["--board", "8x8"], "at most 36 squares"),
    ] {
        let arguments = [&["gtp", "--player", "perfect"], options].concat();
        let refused = common::stderr(common::run(&arguments).failure());
        assert!(refused.contains(fault), "{refused}");
    }
}

#[test]
fn nboard_conversations_go_as_written() {
    run_all("nboard");
}

#[test]
fn terminal_games_go_as_written() {
    run_all("play");
}

/// Thinking that would take for ever is begun and ended; the program must keep up.
#[test]
fn nboard_starts_and_stops_a_thousand_times() {
    let mut program = Conversation::start("nboard --player alphabeta:60");
    for cycle in 0..1000 {
        let place = format!("cycle {cycle}");
        program.send(["hint 3", "go", "analyze"][cycle % 3], &place);
        if cycle % 2 == 0 {
            program.skip("status*");
            program.expect("status alphabeta:60 is *", &place);
        }
        program.send(&format!("ping {cycle}"), &place);
        for line in ["status*", "=== *", "nodestats*", "search*"] {
            program.skip(line);
        }
        program.expect(&format!("pong {cycle}"), &place);
    }
    program.send("go", "the end");
    program.send("quit", "the end");
    program.skip("*");
    program.end("the end");
}

/// A table that is written over or cut short while the program runs changes nothing that it answers.
#[test]
fn a_player_goes_on_when_its_table_is_damaged() {
    let directory = tempfile::tempdir().unwrap();
    let table = directory.path().join("4x4-normal-raw-diagonal.rvt");
    let shipped =
        |name: &str| fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)).unwrap();
    fs::write(&table, shipped("4x4-normal-raw-diagonal.rvt")).unwrap();
    let data = directory.path().display();
    let mut program = Conversation::start(&format!("gtp --player perfect --board 4x4 --data {data}"));
    let mut play = |place: &str| {
        for (question, answer) in [("genmove b", "= b1"), ("genmove w", "= a1"), ("undo", "="), ("undo", "=")]
        {
            program.send(question, place);
            program.expect(answer, place);
            program.expect("", place);
        }
    };
    play("a sound table");
    fs::write(&table, shipped("4x4-reversed-raw-diagonal.rvt")).unwrap();
    play("another table");
    fs::write(&table, "").unwrap();
    play("an empty file");
    program.end("the end");
}

/// Whichever ends first, the game or the script, the output is the same.
#[test]
fn a_script_asks_two_computers_of_their_whole_game() {
    let said = || {
        let mut command = common::reversi();
        let players = ["--black", "random", "--white", "random", "--seed", "3"];
        let output =
            command.args(["play", "--board", "4x4"]).args(players).write_stdin("moves\nquit\n").output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let first = said();
    assert!(first.contains("Game over"), "{first}");
    for _ in 0..5 {
        assert_eq!(said(), first);
    }
}

/// A search whose answer nothing will read ends, and the program with it.
#[cfg(target_os = "linux")]
#[test]
fn a_search_ends_when_both_pipes_are_closed() {
    for (protocol, question) in [("gtp", "genmove b\n"), ("nboard", "hint 5\n")] {
        let mut child = common::process()
            .args([protocol, "--player", "alphabeta:60"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(question.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(300));
        assert!(child.try_wait().unwrap().is_none(), "{protocol}: it searches for ever");
        drop(child.stdout.take());
        let closed = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(closed.elapsed() < PATIENCE, "{protocol}: it goes on");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Commands that are sent faster than they are carried out wait in the pipe, not in memory.
#[cfg(target_os = "linux")]
#[test]
fn a_flood_of_commands_takes_no_memory() {
    let mut child = common::process()
        .args(["nboard", "--player", "alphabeta:60"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"hint 5\n").unwrap();
    // Contempt does not interrupt the search, so that nothing is taken from the queue.
    let line = format!("set contempt {}\n", "1".repeat(60_000));
    let sender = thread::spawn(move || while input.write_all(line.as_bytes()).is_ok() {});
    thread::sleep(Duration::from_secs(2));
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let memory = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = memory.trim().trim_end_matches(" kB").parse().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    sender.join().unwrap();
    assert!(kilobytes < 400_000, "{kilobytes} kB");
}

fn run_all(folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "no conversations in {}", folder.display());
    for file in files {
        run(&file);
    }
}

fn run(file: &Path) {
    let script = fs::read_to_string(file).unwrap();
    let mut lines = script.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
    let (_, first) = lines.next().expect("the first line starts the program");
    let arguments = first.strip_prefix("$ reversi ").expect("the first line is `$ reversi ...`");
    let mut program = Conversation::start(arguments);
    for (index, line) in lines {
        let place = format!("{}:{}: {line}", file.display(), index + 1);
        let (what, text) = line.split_once(' ').unwrap_or((line, ""));
        match what {
            ">" => program.send(text, &place),
            "<" => program.expect(text, &place),
            "<*" => program.skip(text),
            "~" => thread::sleep(Duration::from_millis(text.parse().expect("milliseconds"))),
            _ => panic!("{place}: no such instruction"),
        }
    }
    program.end(&file.display().to_string());
}

struct Conversation {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
    /// Patterns whose lines are passed over until the next expected line.
    skipped: Vec<String>,
}

impl Conversation {
    fn start(arguments: &str) -> Conversation {
        let mut child = common::process()
            .args(arguments.split_whitespace())
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, answers) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let input = child.stdin.take();
        Conversation { child, input, answers, skipped: Vec::new() }
    }

    /// `\xNN` in the text is the byte with that number.
    fn send(&mut self, text: &str, place: &str) {
        let mut bytes = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("\\x") {
            bytes.extend(before.as_bytes());
            bytes.push(u8::from_str_radix(&after[..2], 16).expect("two hexadecimal digits"));
            rest = &after[2..];
        }
        bytes.extend(rest.as_bytes());
        bytes.push(b'\n');
        let input = self.input.as_mut().unwrap();
        input
            .write_all(&bytes)
            .and_then(|()| input.flush())
            .unwrap_or_else(|error| panic!("{place}: {error}"));
    }

    fn skip(&mut self, pattern: &str) {
        self.skipped.push(pattern.to_owned());
    }

    fn expect(&mut self, pattern: &str, place: &str) {
        loop {
            match self.answers.recv_timeout(PATIENCE) {
                Ok(line) if fits(pattern, line.trim_end()) => break,
                Ok(line) if self.skipped.iter().any(|skipped| fits(skipped, &line)) => {}
                Ok(line) => panic!("{place}\nthe program said: {line}"),
                Err(error) => panic!("{place}\nthe program said nothing: {error}"),
            }
        }
        self.skipped.clear();
    }

    fn end(mut self, place: &str) {
        drop(self.input.take());
        loop {
            match self.answers.recv_timeout(PATIENCE) {
                Ok(line) if self.skipped.iter().any(|skipped| fits(skipped, &line)) => {}
                Ok(line) => panic!("{place}: at the end the program said: {line}"),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("{place}: the program does not end"),
            }
        }
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{place}: ended with {status}");
    }
}

/// A failed conversation leaves no program behind.
impl Drop for Conversation {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a line is the pattern, in which `*` stands for any text and `?` for any character.
fn fits(pattern: &str, line: &str) -> bool {
    match (pattern.chars().next(), line.chars().next()) {
        (None, None) => true,
        (Some('*'), None) => fits(&pattern[1..], line),
        (Some('*'), Some(first)) => fits(&pattern[1..], line) || fits(pattern, &line[first.len_utf8()..]),
        (Some(wanted), Some(first)) if wanted == first || wanted == '?' => {
            fits(&pattern[wanted.len_utf8()..], &line[first.len_utf8()..])
        }
        _ => false,
    }
}

#[test]
fn patterns_fit_what_they_should() {
    for (pattern, line) in
        [("a*c", "abbc"), ("*", ""), ("a*b*c", "a-b-b-c"), ("a", "a"), ("a?c?", "abc*"), ("", "")]
    {
        assert!(fits(pattern, line), "{pattern} {line}");
    }
    for (pattern, line) in [("a*c", "abb"), ("a", "ab"), ("ab*ba", "aba"), ("a?", "a"), ("", "a")] {
        assert!(!fits(pattern, line), "{pattern} {line}");
    }
}
