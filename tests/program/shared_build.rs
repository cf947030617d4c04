//! `reversi build --plan`, `--shard`, `--merge`, `--keep` and `--recheck`: processes that are killed at any moment make
//! the bytes that one process makes, and what cannot be done is refused in words.
#![cfg(unix)]

use crate::common;
use flate2::read::DeflateDecoder;
use serde_json::Value as Json;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// 6x6 with 18 empty squares, X to move.
const ROOT: &str = "------ -XOOO- -XOOX- -XXOX- -OXXO- -XO--- X";
const REGION: [&str; 9] =
    ["6x6", "--goal", "reversed", "--prefix", "2", "--down-to", "12", "--position", ROOT];

fn reversi(arguments: &[&str]) -> Command {
    let mut command = common::process();
    command.args(arguments);
    command
}

fn build(arguments: &[&str], path: &Path) -> Output {
    reversi(&["build", "--memory", "16M"]).args(arguments).arg(path).output().unwrap()
}

fn assert_code(output: &Output, code: i32) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(code), "{printed}{said}");
    printed + &said
}

fn laid_out() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let arguments = [&REGION[..], &["--plan"]].concat();
    let said = assert_code(&build(&arguments, directory.path()), 0);
    assert!(said.contains("round 1:") && said.contains("--shard I/"), "{said}");
    directory
}

/// The one table in a directory, if there is one.
fn table_if_any(directory: &Path) -> Option<Vec<u8>> {
    let paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let tables: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == "rvt")).collect();
    assert!(tables.len() <= 1, "{tables:?}");
    tables.first().map(|path| fs::read(path).unwrap())
}

fn table_in(directory: &Path) -> Vec<u8> {
    table_if_any(directory).expect("a table is there")
}

fn by_one_process() -> Vec<u8> {
    let out = tempfile::tempdir().unwrap();
    let arguments = [&REGION[..], &["--quiet", "--out"]].concat();
    assert_code(&build(&arguments, out.path()), 0);
    table_in(out.path())
}

/// Does a part, killed and begun again until it ends.
fn with_kills(part: &str, directory: &Path, random: &mut fastrand::Rng) -> u64 {
    for kills in 0.. {
        let mut command =
            reversi(&["build", "--quiet", "--threads", "1", "--memory", "16M", "--shard", part]);
        let mut child = command.arg(directory).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(random.u64(2..60 + 10 * kills)));
        if child.try_wait().unwrap().is_some() {
            assert!(child.wait().unwrap().success());
            return kills;
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    unreachable!("it is done some day")
}

fn file_in(directory: &Path, name: &str) -> String {
    directory.join(name).to_str().unwrap().to_owned()
}

/// The searches that a plan or a merge says are to be done.
fn searches(said: &str) -> u32 {
    let (_, said) = said.split_once("round 1: ").unwrap_or_else(|| panic!("{said}"));
    said.split(' ').next().unwrap().parse().unwrap()
}

/// Writes what is known in a directory into a file, and says how many values the file then holds.
fn keep(file: &str, directory: &Path, rest: &[&str]) -> u64 {
    let said = reversi(&["build", "--json", "--keep", file]).arg(directory).args(rest).output().unwrap();
    let said: Json = serde_json::from_str(&assert_code(&said, 0)).unwrap();
    said["values"].as_u64().unwrap()
}

/// Lays out the region from files of values, and says how many searches are to be done.
fn searches_from(files: &[&str], directory: &Path) -> u64 {
    let from: Vec<&str> = files.iter().flat_map(|&file| ["--from", file]).collect();
    let said = assert_code(&build(&[&REGION[..], &from, &["--plan"]].concat(), directory), 0);
    searches(&said).into()
}

#[test]
fn what_is_known_of_an_unfinished_build_is_kept_in_a_file_and_gone_on_with_elsewhere() {
    let (directory, other) = (laid_out(), tempfile::tempdir().unwrap());
    let kept = file_in(other.path(), "kept");
    assert_eq!(keep(&kept, directory.path(), &[]), 0);
    assert_code(&build(&["--quiet", "--shard", "2/3"], directory.path()), 0);
    let values = keep(&kept, directory.path(), &[]);
    assert!(values > 0);

    // The new plan lists only what was not done, and ends in the same table.
    let all = searches_from(&[], &other.path().join("all"));
    let there = other.path().join("plan");
    assert_eq!(searches_from(&[&kept], &there), all - values);
    let round = |_| {
        assert_code(&build(&["--quiet", "--shard", "1/1"], &there), 0);
        assert_code(&build(&["--quiet", "--merge"], &there), 0);
        table_if_any(&there)
    };
    let table = (0..9).find_map(round).expect("finished after a few rounds");
    assert_eq!(table, by_one_process());
    // Of a finished build nothing is left that its table lacks.
    let file = there.join("6x6-table.rvt");
    fs::write(&file, &table).unwrap();
    let beside = file_in(other.path(), "beside");
    assert_eq!(keep(&beside, directory.path(), &["--from", file.to_str().unwrap()]), 0);

    // Several files to start from; what the one holds is not written to the other. A file that exists is added to.
    assert_code(&build(&["--quiet", "--shard", "1/3"], directory.path()), 0);
    let first = file_in(other.path(), "first");
    fs::rename(&kept, &first).unwrap();
    let more = keep(&kept, directory.path(), &["--from", &first]);
    assert!(more > 0);
    assert_eq!(searches_from(&[&first, &kept], &other.path().join("both")), all - values - more);
    let empty = laid_out();
    assert_eq!(keep(&kept, empty.path(), &[]), more, "nothing that the file held is lost");
    assert_eq!(keep(&kept, directory.path(), &[]), values + more);
}

#[test]
fn of_later_rounds_all_is_kept_unless_results_are_damaged_or_contradict_each_other() {
    let (directory, other) = (laid_out(), tempfile::tempdir().unwrap());
    let kept = file_in(other.path(), "kept");
    let all = searches_from(&[], &other.path().join("all"));
    assert_code(&build(&["--quiet", "--shard", "1/1"], directory.path()), 0);
    assert_code(&build(&["--quiet", "--merge"], directory.path()), 0);
    assert!(keep(&kept, directory.path(), &[]) >= all);
    // Round 1 is not laid out again.
    let said = assert_code(
        &build(&[&REGION[..], &["--from", &kept, "--plan"]].concat(), &other.path().join("on")),
        0,
    );
    let next = fs::read_dir(directory.path().join("round-2")).unwrap().count();
    assert!(next == 1 && !said.contains(&format!("round 1: {all} ")), "{said}");

    let found = fs::read_dir(directory.path().join("round-1")).unwrap().map(|entry| entry.unwrap().path());
    let found = found.filter(|path| path.extension().is_some_and(|e| e == "found")).last().unwrap();
    let mut bytes = fs::read(&found).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&found, bytes).unwrap();
    let before = fs::read(&kept).unwrap();
    assert_code(&build(&["--keep", &kept], directory.path()), 4);
    assert_eq!(fs::read(&kept).unwrap(), before);
}

#[test]
fn what_is_known_is_written_over_no_other_file_and_files_to_start_from_need_a_region() {
    let directory = laid_out();
    let plan = file_in(&directory.path().join("round-1"), "plan");
    let before = fs::read(&plan).unwrap();
    let error = assert_code(&build(&["--keep", &plan], directory.path()), 2);
    assert!(error.contains("--keep") && error.contains("name another file"), "{error}");
    assert_eq!(fs::read(&plan).unwrap(), before);
    let kept = file_in(directory.path(), "kept");
    keep(&kept, directory.path(), &[]);
    let error = assert_code(&build(&["--from", &kept, "--keep", &kept], directory.path()), 2);
    assert!(error.contains("this is also a file of --from"), "{error}");
    // The file is for this region alone.
    let other = tempfile::tempdir().unwrap();
    let arguments = [&REGION[..8], &["------ -XOOO- -XOOX- -XXOX- -OXXO- -XO--- O", "--plan"]].concat();
    assert_code(&build(&arguments, other.path()), 0);
    let error = assert_code(&build(&["--keep", &kept], other.path()), 2);
    assert!(error.contains("is for another build") && error.contains("name another file"), "{error}");

    for arguments in [&["4x4", "--from", &kept, "--out"][..], &["--from", &kept, "--shard", "1/1"]] {
        let error = assert_code(&build(arguments, directory.path()), 2);
        assert!(error.contains("--from: only with --prefix and --down-to, or with --keep"), "{error}");
    }
}

/// Changes the score of the last value of a file of --keep, under a right checksum. The file is not deflated then.
fn falsify(file: &str) {
    let deflated = fs::read(file).unwrap();
    // Behind the head stands the length of what is deflated, in one byte below 251, else in two or four more.
    let start = 18 + [1, 3, 5][usize::from(deflated[18].saturating_sub(250))];
    let mut bytes = Vec::new();
    DeflateDecoder::new(&deflated[start..deflated.len() - 4]).read_to_end(&mut bytes).unwrap();
    // The last value: key, score, move; then the checksum.
    let end = bytes.len() - 4;
    bytes[end - 2] ^= 4;
    let sum = crc32fast::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    fs::write(file, bytes).unwrap();
}

#[test]
fn files_of_values_that_contradict_each_other_are_named() {
    let (directory, other) = (laid_out(), tempfile::tempdir().unwrap());
    assert_code(&build(&["--quiet", "--shard", "2/3"], directory.path()), 0);
    let (right, wrong) = (file_in(other.path(), "right"), file_in(other.path(), "wrong"));
    keep(&right, directory.path(), &[]);
    fs::copy(&right, &wrong).unwrap();
    falsify(&wrong);
    let arguments = [&REGION[..], &["--from", &right, "--from", &wrong, "--plan"]].concat();
    let error = assert_code(&build(&arguments, &other.path().join("plan")), 5);
    assert!(error.contains(&format!("leave --from {wrong} out")), "{error}");
    assert_code(&build(&["--keep", &wrong], directory.path()), 5);
    assert_code(&build(&["--from", &wrong, "--keep", &right], directory.path()), 5);
}

/// Only what is damaged may go: not a table that a later version has written.
#[test]
fn a_merge_writes_over_no_table_that_this_program_cannot_read() {
    let directory = laid_out();
    let merged = || build(&["--quiet", "--merge"], directory.path());
    while !directory.path().read_dir().unwrap().any(|entry| entry.unwrap().path().extension().is_some()) {
        assert_code(&build(&["--quiet", "--shard", "1/1"], directory.path()), 0);
        assert_code(&merged(), 0);
    }
    let table = table_in(directory.path());
    let path = directory.path().read_dir().unwrap().map(|entry| entry.unwrap().path());
    let path = path.filter(|path| path.extension().is_some_and(|ending| ending == "rvt")).last().unwrap();
    let mut newer = table.clone();
    newer[8..10].copy_from_slice(&99u16.to_le_bytes());
    fs::write(&path, &newer).unwrap();
    let said = assert_code(&merged(), 4);
    assert!(said.contains("has format version 99"), "{said}");
    assert_eq!(fs::read(&path).unwrap(), newer);
    let mut damaged = table.clone();
    damaged[20] ^= 1;
    fs::write(&path, damaged).unwrap();
    assert_code(&merged(), 0);
    assert_eq!(fs::read(&path).unwrap(), table);
}

#[test]
fn parts_that_are_killed_make_the_bytes_of_one_process() {
    let expected = by_one_process();
    let mut random = fastrand::Rng::with_seed(4);
    let mut kills = 0;
    for of in [1, 7, 20] {
        let directory = laid_out();
        let mut rounds = 0;
        loop {
            rounds += 1;
            let mut parts: Vec<u32> = (1..=of).collect();
            random.shuffle(&mut parts);
            for part in parts {
                kills += with_kills(&format!("{part}/{of}"), directory.path(), &mut random);
            }
            let said = assert_code(&build(&["--json", "--merge"], directory.path()), 0);
            let merged: Json = serde_json::from_str(&said).unwrap();
            if merged["complete"] == true {
                break;
            }
            assert_eq!(merged["next"]["round"], rounds + 1, "{merged}");
        }
        assert!(table_in(directory.path()) == expected, "{of} parts");
        // From 18 empty squares, past a prefix of 2 plies, down to 12: 4, and more where sides must pass.
        assert!((2..=6).contains(&rounds), "{rounds} rounds");
        let again = assert_code(&build(&["--merge"], directory.path()), 0);
        assert!(again.contains("sha256"), "a finished build may be merged again: {again}");
    }
    assert!(kills > 10, "{kills} kills");
}

#[test]
fn what_is_missing_damaged_or_foreign_is_named_with_a_way_out() {
    let directory = laid_out();
    let said = assert_code(&build(&["--merge"], directory.path()), 1);
    assert!(said.contains("searches are missing; run every part, or these, again with --shard"), "{said}");
    assert_code(&build(&["--shard", "1/2"], directory.path()), 0);
    let said = assert_code(&build(&["--merge"], directory.path()), 1);
    assert!(said.contains("searches are missing, of the parts 2/2"), "{said}");
    assert_code(&build(&["--shard", "2/2"], directory.path()), 0);
    let round = directory.path().join("round-1");
    let found = fs::read_dir(&round).unwrap().map(|entry| entry.unwrap().path());
    let path = found.filter(|path| path.extension().is_some_and(|e| e == "found")).min().unwrap();
    let whole = fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    let place = whole.len() - 40;
    flipped[place] ^= 1;
    fs::write(&path, &flipped).unwrap();
    let said = assert_code(&build(&["--merge"], directory.path()), 4);
    assert!(
        said.contains(path.to_str().unwrap()) && said.contains("delete it and run its part again"),
        "{said}"
    );
    let said = assert_code(&build(&["--shard", "1/2"], directory.path()), 0);
    assert!(said.contains("passed over:"), "{said}");
    fs::remove_file(&path).unwrap();
    assert_code(&build(&["--recheck", "50%"], directory.path()), 0);
    let said = assert_code(&build(&["--merge"], directory.path()), 0);
    assert!(said.contains("rechecked until now:") && !said.contains(": 0 of"), "{said}");
    // A file of the first round is none of the second.
    fs::write(directory.path().join("round-2/part-1-of-2.found"), &whole).unwrap();
    let said = assert_code(&build(&["--merge"], directory.path()), 2);
    assert!(said.contains("belongs to another plan"), "{said}");
}

#[test]
fn wrong_usage_is_refused() {
    let none = tempfile::tempdir().unwrap();
    let said = assert_code(&build(&["--merge"], none.path()), 2);
    assert!(said.contains("holds no plan; lay one out with --plan"), "{said}");
    for (arguments, wanted) in [
        (&["--shard", "3/2"][..], "as in 3/20"),
        (&["--shard", "x"], "as in 3/20"),
        (&["--recheck", "200%"], "from 0 to 100"),
        (&["6x6", "--shard", "1/2"], "cannot be used with"),
        (&["6x6", "--plan"], "--prefix"),
        (&["6x6", "--prefix", "2", "--down-to", "20", "--plan"], "name one --goal"),
    ] {
        let said = assert_code(&build(arguments, none.path()), 2);
        assert!(said.contains(wanted), "{arguments:?}: {said}");
    }
    let directory = laid_out();
    let arguments = [&REGION[..], &["--plan"]].concat();
    let said = assert_code(&build(&arguments, directory.path()), 2);
    assert!(said.contains("holds a plan already"), "{said}");
}

/// Files may not grow beyond a few blocks: as on a full disk a write ends in the middle.
#[test]
fn on_a_full_disk_a_part_says_so_and_goes_on_later() {
    let directory = laid_out();
    let limited = "trap '' XFSZ; ulimit -f 1; exec \"$0\" build --threads 1 --memory 16M --shard 1/1 \"$1\"";
    let mut command = Command::new("bash");
    command.args(["-c", limited]).arg(common::process().get_program()).arg(directory.path());
    let said = assert_code(&command.output().unwrap(), 1);
    assert!(
        said.contains("the results cannot be saved") && said.contains("the same command continues"),
        "{said}"
    );
    let said = assert_code(&build(&["--json", "--shard", "1/1"], directory.path()), 0);
    let report: Json = serde_json::from_str(&said).unwrap();
    assert!(report["done_before"].as_u64().unwrap() > 10, "{report}");
    assert_code(&build(&["--merge"], directory.path()), 0);
}

/// The second process finds the part locked, or, begun too late, all of it done.
#[test]
fn two_processes_with_the_same_part_do_no_harm() {
    let directory = laid_out();
    let start = || {
        let mut command = reversi(&["build", "--threads", "1", "--memory", "16M", "--shard", "1/1"]);
        command.arg(directory.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    for child in [start(), start()] {
        let output = child.wait_with_output().unwrap();
        if !output.status.success() {
            let said = assert_code(&output, 1);
            assert!(said.contains("another process is at work on this; wait for it to end"), "{said}");
        }
    }
    assert_code(&build(&["--merge"], directory.path()), 0);
}
