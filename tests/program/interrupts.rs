//! What Ctrl-C leaves of commands that take long, and what they say of it.

use crate::common::{interrupt, process, shipped, wait_for};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};

/// Starts a command and reads the first line it writes to stderr.
fn begun(command: &mut Command) -> (Child, BufReader<ChildStderr>, String) {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut told, mut first) = (BufReader::new(child.stderr.take().unwrap()), String::new());
    told.read_line(&mut first).unwrap();
    (child, told, first)
}

/// Sends Ctrl-C, and gives what is said after it.
fn interrupted(mut child: Child, mut told: impl Read) -> String {
    interrupt(child.id());
    let mut rest = String::new();
    told.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    rest
}

#[test]
fn a_verification_that_takes_long_says_so_and_that_it_was_interrupted() {
    let table = shipped("6x6-normal-raw-diagonal.rvt");
    let (child, told, first) = begun(process().args(["table", "verify", &table]));
    assert_eq!(first, "reversi: checking 1638601 entries, which takes a while; Ctrl-C ends it\n");
    assert_eq!(interrupted(child, told), "reversi: interrupted before the end; there is no verdict\n");
}

/// Interrupts the verification of a whole table as soon as there is its state, if it keeps one.
fn interrupted_whole(state: Option<&Path>) -> String {
    let mut command = process();
    command.args(["table", "verify", "--whole", &shipped("6x6-normal-raw-diagonal.rvt")]);
    if let Some(state) = state {
        command.arg("--resume").arg(state);
    }
    let (mut child, told, _) = begun(&mut command);
    if let Some(state) = state {
        wait_for(state, &mut child);
    }
    interrupted(child, told)
}

#[test]
fn a_verification_of_the_whole_says_how_it_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let state = directory.path().join("state");
    let expected = format!("what was finished is saved in {}: the same command continues", state.display());
    let said = interrupted_whole(Some(&state));
    assert_eq!(said, format!("reversi: interrupted before the end; {expected}\n"));
    let said = interrupted_whole(None);
    assert_eq!(said, "reversi: interrupted before the end; nothing is kept without --resume\n");
}

#[test]
fn a_verification_of_a_certificate_says_how_it_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let state = directory.path().join("state");
    let file = format!("{}/docs/proof/certificates/6x7-normal-raw-diagonal.txt", env!("CARGO_MANIFEST_DIR"));
    let mut command = process();
    command.args(["prove", "--sample", "8", "--nodes", "1000000000000", "--verify", &file, "--resume"]);
    let mut child = command.arg(&state).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let told = child.stderr.take().unwrap();
    wait_for(&state, &mut child);
    let expected = format!("what was finished is saved in {}: the same command continues", state.display());
    let said = interrupted(child, told);
    assert_eq!(said, format!("reversi: interrupted before the end; there is no verdict, and {expected}\n"));
}

#[test]
fn hints_for_a_file_end_with_the_answer_that_was_interrupted() {
    let games = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(games.path(), "f5d6c3d3c4\n").unwrap();
    let mut command = process();
    command.args(["hint", "--last", "--player", "engine:depth=60", "--format", "csv", "--file"]);
    let mut child = command.arg(games.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (told, mut heading) = (child.stderr.take().unwrap(), String::new());
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut heading).unwrap();
    assert!(heading.starts_with("game,ply,"), "{heading}");
    std::thread::sleep(std::time::Duration::from_millis(700));
    let said = interrupted(child, told);
    assert!(said.starts_with("interrupted; the last answer may be incomplete"), "{said}");
}

#[test]
fn a_build_of_a_whole_board_says_that_it_was_stopped() {
    let directory = tempfile::tempdir().unwrap();
    let (child, told, first) =
        begun(process().args(["build", "4x5", "--start", "diagonal", "--out"]).arg(directory.path()));
    assert!(first.contains(" positions with "), "{first}");
    let said = interrupted(child, told);
    let last = "stopped; finished tables are complete, unfinished ones are not kept";
    assert_eq!(said.lines().last(), Some(last), "{said}");
}
