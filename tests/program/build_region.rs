//! `reversi build --prefix --down-to`: killed at any moment it loses nothing but time, and what cannot be
//! done is refused in words.
#![cfg(unix)]

use crate::common::{self, interrupt};
use assert_cmd::assert::OutputAssertExt;
use reversi::rules::{Geometry, Move, Rules, Start};
use reversi::table::{Contents, RawEntry, Region, Table, key, library, to_bytes};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// 6x6 with 18 empty squares, X to move: down to 12 takes about a second.
const ROOT: &str = "------ -XOOO- -XOOX- -XXOX- -OXXO- -XO--- X";

fn command(out: &Path, checkpoint_every: &str) -> Command {
    let mut command = common::process();
    command.args(["build", "6x6", "--goal", "reversed", "--prefix", "2", "--position", ROOT]);
    command.args(["--memory", "16M", "--checkpoint-every", checkpoint_every, "--out"]).arg(out);
    command
}

fn reversi(out: &Path, options: &[&str]) -> Command {
    let mut command = command(out, "0.02");
    command.arg("--quiet").args(options);
    command
}

fn run(out: &Path, options: &[&str]) -> Output {
    reversi(out, options).output().unwrap()
}

fn start(out: &Path, options: &[&str]) -> Child {
    reversi(out, options).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The one table in a directory.
fn table_in(directory: &Path) -> PathBuf {
    let paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let tables: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == "rvt")).collect();
    assert_eq!(tables.len(), 1, "{tables:?}");
    tables[0].clone()
}

fn assert_code(output: &Output, code: i32) -> String {
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{error}");
    error
}

/// Kills a build at random moments and resumes it until it is done; how often it was killed.
fn kill_until_done(out: &Path, rng: &mut fastrand::Rng) -> u64 {
    for kills in 0.. {
        let mut child = start(out, &["--down-to", "12", "--threads", "2", "--resume"]);
        // Longer and longer: a build that is killed before it has begun never ends.
        sleep(Duration::from_millis(rng.u64(5..150 + 10 * kills)));
        if child.try_wait().unwrap().is_some() {
            assert!(child.wait().unwrap().success());
            return kills;
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    unreachable!("it is done some day")
}

#[test]
fn killed_a_hundred_times_it_makes_the_same_file() {
    let whole = tempfile::tempdir().unwrap();
    assert_code(&run(whole.path(), &["--down-to", "12", "--threads", "3"]), 0);
    let expected = fs::read(table_in(whole.path())).unwrap();

    let mut rng = fastrand::Rng::with_seed(3);
    let mut kills = 0;
    while kills < 100 {
        let killed = tempfile::tempdir().unwrap();
        kills += kill_until_done(killed.path(), &mut rng);
        assert_eq!(fs::read(table_in(killed.path())).unwrap(), expected);
        let left = fs::read_dir(killed.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let left: Vec<_> = left.filter(|name| !name.to_string_lossy().starts_with('.')).collect();
        assert_eq!(left.len(), 1, "the finished build leaves only its table: {left:?}");
    }
}

/// Sends Ctrl-C to a build of 6x6 soon after it has begun, and waits for its end.
fn interrupted(out: &Path, command: &mut Command) -> Output {
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let lock = out.join(".6x6-normal-raw-diagonal.build.lock");
    for _ in 0..600 {
        if lock.exists() {
            break;
        }
        sleep(Duration::from_millis(50));
    }
    sleep(Duration::from_millis(500));
    interrupt(child.id());
    child.wait_with_output().unwrap()
}

/// A build that takes far longer than a test.
fn long_build(out: &Path, prefix: &str) -> Command {
    let mut command = common::process();
    let options = ["--goal", "normal", "--prefix", prefix, "--down-to", "20", "--memory", "16M", "--out"];
    command.args(["build", "6x6"]).args(options).arg(out);
    command
}

#[test]
fn the_first_ctrl_c_keeps_what_was_found_and_ends_with_130() {
    let out = tempfile::tempdir().unwrap();
    let mut command = long_build(out.path(), "8");
    assert_code(&interrupted(out.path(), &mut command), 130);
    assert!(out.path().join("6x6-normal-raw-diagonal.build/checkpoint").exists());
    assert!(fs::read_dir(out.path()).unwrap().count() == 1, "no table yet");

    let error = assert_code(&command.output().unwrap(), 2);
    assert!(error.contains("--resume"), "{error}");
    let said = assert_code(&interrupted(out.path(), command.args(["--resume", "--json"])), 130);
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["kind"], "interrupted");
    assert!(said["message"].as_str().unwrap().ends_with("--resume continues"), "{said}");
}

/// The only search of the first layer is that of the start.
#[test]
fn nothing_is_said_to_be_kept_of_a_search_that_had_not_ended() {
    let out = tempfile::tempdir().unwrap();
    for options in [&[][..], &["--resume"]] {
        let mut command = long_build(out.path(), "0");
        let said = assert_code(&interrupted(out.path(), command.args(options)), 130);
        assert!(said.contains("an unfinished search is not saved: --resume begins it again"), "{said}");
    }
}

#[test]
fn a_smaller_table_is_grown_and_a_larger_one_kept() {
    let out = tempfile::tempdir().unwrap();
    assert_code(&run(out.path(), &["--down-to", "14"]), 0);
    let smaller = fs::read(table_in(out.path())).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("start"), &smaller).unwrap();

    assert_code(&run(out.path(), &["--down-to", "13"]), 0);
    let grown = fs::read(table_in(out.path())).unwrap();
    let error = assert_code(&run(out.path(), &["--down-to", "14"]), 2);
    assert!(error.contains("--down-to 13"), "{error}");
    assert_eq!(fs::read(table_in(out.path())).unwrap(), grown);

    let from = elsewhere.path().join("start");
    assert_code(&run(elsewhere.path(), &["--down-to", "13", "--from", from.to_str().unwrap()]), 0);
    assert_eq!(fs::read(table_in(elsewhere.path())).unwrap(), grown);
}

#[test]
fn a_damaged_table_is_made_again_only_when_asked() {
    let out = tempfile::tempdir().unwrap();
    assert_code(&run(out.path(), &["--down-to", "14"]), 0);
    let path = table_in(out.path());
    let sound = fs::read(&path).unwrap();
    let mut damaged = sound.clone();
    let place = damaged.len() - 100;
    damaged[place] ^= 0x10;
    fs::write(&path, &damaged).unwrap();
    let error = assert_code(&run(out.path(), &["--down-to", "14"]), 4);
    assert!(error.contains("--anew"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), damaged);
    assert_code(&run(out.path(), &["--down-to", "14", "--anew"]), 0);
    assert_eq!(fs::read(&path).unwrap(), sound);
}

/// A build that was killed after it had kept something.
fn leave_a_checkpoint(out: &Path, options: &[&str]) {
    let mut child = start(out, options);
    for _ in 0..600 {
        let paths = || fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path());
        if paths().any(|path| path.join("checkpoint").exists()) {
            break;
        }
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn with_anew_nothing_comes_from_the_old_table_by_way_of_a_checkpoint_either() {
    let out = tempfile::tempdir().unwrap();
    assert_code(&run(out.path(), &["--down-to", "14"]), 0);
    leave_a_checkpoint(out.path(), &["--down-to", "4"]);
    let error = assert_code(&run(out.path(), &["--down-to", "4", "--anew", "--resume"]), 2);
    assert!(error.contains("from the table that --anew is to replace"), "{error}");
    let error = assert_code(&run(out.path(), &["--down-to", "4", "--anew"]), 2);
    assert!(error.contains("delete it"), "{error}");
    assert!(searches(&guess(out.path(), &["--down-to", "12"])) > 0.0, "a guess asks for no checkpoint");
}

#[test]
fn moves_of_the_last_ply_are_not_lost_by_resuming_without_them() {
    let whole = tempfile::tempdir().unwrap();
    assert_code(&run(whole.path(), &["--down-to", "12", "--moves"]), 0);
    let out = tempfile::tempdir().unwrap();
    leave_a_checkpoint(out.path(), &["--down-to", "12", "--moves"]);
    let error = assert_code(&run(out.path(), &["--down-to", "12", "--resume"]), 2);
    assert!(error.contains("with the moves of the last ply") && error.contains("this one is"), "{error}");
    assert_code(&run(out.path(), &["--down-to", "12", "--moves", "--resume"]), 0);
    assert_eq!(fs::read(table_in(out.path())).unwrap(), fs::read(table_in(whole.path())).unwrap());
}

/// Builds anew until all is searched, but no table can be put in this place.
fn search_all_without_writing(target: &Path) {
    fs::create_dir(target).unwrap();
    assert_code(&without_checkpoints(target.parent().unwrap(), &["--anew"]), 1);
    fs::remove_dir(target).unwrap();
}

/// Whether it is said again or not.
#[test]
fn a_build_begun_with_anew_goes_on_without_the_old_table() {
    let whole = tempfile::tempdir().unwrap();
    assert_code(&run(whole.path(), &["--down-to", "12"]), 0);
    let table = table_in(whole.path());
    let sound = Table::open(&table).unwrap();
    let mut entries: Vec<RawEntry> = sound.raw_entries().map(Result::unwrap).collect();
    entries[0].score += 2;
    let wrong = to_bytes(sound.header().contents.clone(), entries).unwrap();
    for resumed in [&["--resume"][..], &["--resume", "--anew"]] {
        let out = tempfile::tempdir().unwrap();
        let target = out.path().join(table.file_name().unwrap());
        search_all_without_writing(&target);
        fs::write(&target, &wrong).unwrap();
        assert_code(&without_checkpoints(out.path(), resumed), 0);
        assert_eq!(fs::read(&target).unwrap(), fs::read(&table).unwrap());
    }
}

#[test]
fn moves_of_a_table_that_a_build_began_without_are_not_lost() {
    let with_moves = tempfile::tempdir().unwrap();
    assert_code(&run(with_moves.path(), &["--down-to", "12", "--moves"]), 0);
    let table = table_in(with_moves.path());
    let bytes = fs::read(&table).unwrap();
    let out = tempfile::tempdir().unwrap();
    let target = out.path().join(table.file_name().unwrap());
    search_all_without_writing(&target);
    fs::write(&target, &bytes).unwrap();
    let error = assert_code(&without_checkpoints(out.path(), &["--resume"]), 2);
    assert!(
        error.contains("best moves of the last ply") && error.contains("the results are saved"),
        "{error}"
    );
    assert!(fs::read(&target).unwrap() == bytes);
    assert_code(&without_checkpoints(out.path(), &["--resume", "--anew"]), 0);
    assert!(fs::read(&target).unwrap() != bytes);
}

/// A signal to a process.
fn send(signal: &str, child: &Child) {
    Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
}

/// Whatever the moments, the larger table stays: it was made before the smaller one, which is then refused,
/// or after it.
#[test]
fn a_larger_table_that_another_build_makes_meanwhile_is_not_replaced() {
    let build = |out: &Path, goal: &str, prefix: &str, down_to: &str| {
        let mut command = common::process();
        command.args(["build", "6x6", "--goal", goal, "--prefix", prefix, "--down-to", down_to]);
        command.args(["--position", ROOT, "--memory", "16M", "--quiet", "--out"]).arg(out);
        command
    };
    let files_of = |out: &Path, goal: &str| -> Vec<PathBuf> {
        let paths = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path());
        paths.filter(|path| path.file_name().unwrap().to_string_lossy().contains(goal)).collect()
    };
    // Stopped while it makes the first table. On a busy machine it may have come to the second one by then.
    let (out, mut both) = loop {
        let out = tempfile::tempdir().unwrap();
        let mut both =
            build(out.path(), "both", "1", "13").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while files_of(out.path(), "").is_empty() {
            assert!(both.try_wait().unwrap().is_none(), "it has ended without a table");
            sleep(Duration::from_millis(1));
        }
        send("-STOP", &both);
        if files_of(out.path(), "reversed").is_empty() {
            break (out, both);
        }
        send("-CONT", &both);
        both.wait().unwrap();
    };
    assert_code(&build(out.path(), "reversed", "2", "12").output().unwrap(), 0);
    send("-CONT", &both);
    assert!(both.wait().unwrap().code().is_some());
    let reversed = files_of(out.path(), "reversed");
    let [table] = &reversed[..] else { panic!("{reversed:?}") };
    let region = Table::open(table).unwrap().header().contents.region;
    assert_eq!(region, Region::SemiStrong { prefix: 2, down_to: 12 });
}

/// `nohup` starts it like this.
#[test]
fn a_hangup_that_is_ignored_does_not_end_a_build() {
    let out = tempfile::tempdir().unwrap();
    let mut command = common::after("trap '' HUP");
    let mut child = command.args(long_build(out.path(), "8").get_args()).arg("--quiet").spawn().unwrap();
    while fs::read_dir(out.path()).unwrap().next().is_none() {
        assert!(child.try_wait().unwrap().is_none(), "it has not begun");
        sleep(Duration::from_millis(10));
    }
    send("-HUP", &child);
    sleep(Duration::from_secs(1));
    assert!(child.try_wait().unwrap().is_none(), "it has ended");
    send("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn what_was_made_before_a_stop_is_told_of_in_json() {
    let out = tempfile::tempdir().unwrap();
    let mut command = common::process();
    command.args(["build", "3x4", "--json", "--out"]).arg(out.path());
    let made = common::json(command.assert());
    assert_eq!((made["complete"].as_bool(), made["starts"].as_array().unwrap().len()), (Some(true), 2));

    // The second start's table cannot be replaced.
    let name = library::file_name(Geometry::new(3, 4).unwrap(), Rules::default(), Start::Parallel);
    fs::remove_file(out.path().join(&name)).unwrap();
    fs::create_dir(out.path().join(&name)).unwrap();
    let made = common::json(command.assert().code(1));
    assert_eq!((made["complete"].as_bool(), made["starts"].as_array().unwrap().len()), (Some(false), 1));
}

#[test]
fn what_cannot_be_written_or_held_is_said_and_loses_nothing() {
    let out = tempfile::tempdir().unwrap();
    // No file may grow beyond a few blocks: what a full disk looks like.
    let mut full = common::after("trap '' XFSZ; ulimit -f 2");
    let options = reversi(out.path(), &["--down-to", "12"]);
    let error = assert_code(&full.args(options.get_args()).output().unwrap(), 1);
    assert!(error.contains("checkpoint") && error.contains("cannot be saved"), "{error}");
    // On a fast machine already the first checkpoint may be too large.
    if error.contains("still there") {
        assert_code(&run(out.path(), &["--down-to", "14", "--resume"]), 2);
    }
    assert_code(&run(out.path(), &["--down-to", "12", "--resume"]), 0);

    let mut command = common::process();
    command.args(["build", "6x6", "--prefix", "0", "--down-to", "30", "--memory", "100000G", "--out"]);
    let empty = tempfile::tempdir().unwrap();
    let error = assert_code(&command.arg(empty.path()).output().unwrap(), 1);
    assert!(error.contains("--memory"), "{error}");
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0, "nothing is left of a refused build");
}

/// Builds whose checkpoints never fall due, so that nothing is kept but at their end.
fn without_checkpoints(out: &Path, options: &[&str]) -> Output {
    command(out, "1000").args(["--down-to", "12", "--quiet"]).args(options).output().unwrap()
}

#[test]
fn a_table_that_cannot_be_written_loses_nothing_of_what_was_found() {
    let whole = tempfile::tempdir().unwrap();
    assert_code(&run(whole.path(), &["--down-to", "12"]), 0);
    let table = table_in(whole.path());

    let out = tempfile::tempdir().unwrap();
    let in_the_way = out.path().join(table.file_name().unwrap());
    fs::create_dir(&in_the_way).unwrap();
    // A directory is no table to start from either, so that is left out.
    let error = assert_code(&without_checkpoints(out.path(), &["--anew"]), 1);
    assert!(error.contains("cannot be written") && error.contains("--resume continues"), "{error}");

    fs::remove_dir(&in_the_way).unwrap();
    let error = assert_code(&without_checkpoints(out.path(), &[]), 2);
    assert!(error.contains("--resume"), "{error}");
    assert_goes_on_without_a_search(out.path());
    assert_eq!(fs::read(table_in(out.path())).unwrap(), fs::read(table).unwrap());
}

/// Resumes a build, which tells of every layer that it searches something in.
fn assert_goes_on_without_a_search(out: &Path) {
    let mut resumed = command(out, "1000");
    resumed.args(["--down-to", "12", "--resume"]);
    let told = assert_code(&resumed.output().unwrap(), 0);
    assert!(told.contains("going on with") && !told.contains("empty squares"), "{told}");
}

/// A file system that is full after `bytes` bytes, where such a one may be made.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount(bytes: u32) -> Option<SmallDisk> {
        let directory = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={bytes}"), "tmpfs"]).arg(directory.path());
        let mounted = mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        mounted.then_some(SmallDisk(directory))
    }

    fn grow(&self, bytes: u32) {
        let mut mount = Command::new("mount");
        mount.args(["-o", &format!("remount,size={bytes}")]).arg(self.0.path());
        assert!(mount.status().unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Left mounted it harms nothing; a test that fails already is not to fail twice.
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_disk_that_is_full_is_named_and_one_that_has_grown_goes_on() {
    let whole = tempfile::tempdir().unwrap();
    assert_code(&run(whole.path(), &["--down-to", "12"]), 0);
    let Some(disk) = SmallDisk::mount(4096) else {
        // Not by a macro: of a test that passes those are not shown.
        writeln!(std::io::stderr(), "skipped: no file system may be mounted here").unwrap();
        return;
    };
    let out = disk.0.path();
    let error = assert_code(&without_checkpoints(out, &[]), 1);
    assert!(error.contains("No space left") && error.contains("cannot be saved"), "{error}");

    // Room for what is kept, but not for the table beside it.
    let whole = table_in(whole.path());
    let mut bytes = 8192;
    let error = loop {
        disk.grow(bytes);
        let error = assert_code(&without_checkpoints(out, &["--resume"]), 1);
        if error.contains("--resume continues") {
            break error;
        }
        assert!(bytes < 1 << 20, "{error}");
        bytes += 8192;
    };
    assert!(error.contains("No space left") && error.contains("rvt"), "{error}");
    disk.grow(1 << 20);
    assert_goes_on_without_a_search(out);
    assert_eq!(fs::read(table_in(out)).unwrap(), fs::read(whole).unwrap());
}

#[test]
fn two_builders_in_one_directory_are_one_too_many() {
    let out = tempfile::tempdir().unwrap();
    let mut first = start(out.path(), &["--down-to", "4"]);
    let busy = || {
        let mut paths = fs::read_dir(out.path()).unwrap().map(|entry| entry.unwrap().path());
        let workspace = paths.find(|path| path.extension().is_some_and(|e| e == "build"));
        workspace.map(|path| path.join("checkpoint"))
    };
    for _ in 0..600 {
        if busy().is_some_and(|path| path.exists()) {
            break;
        }
        sleep(Duration::from_millis(50));
    }
    let error = assert_code(&run(out.path(), &["--down-to", "4"]), 1);
    assert!(error.contains("another build is at work"), "{error}");
    first.kill().unwrap();
    first.wait().unwrap();
    let error = assert_code(&run(out.path(), &["--down-to", "5", "--resume"]), 2);
    assert!(error.contains("for another build"), "{error}");

    // What it found is true all the same.
    let kept = busy().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let grown = run(elsewhere.path(), &["--down-to", "12", "--from", kept.to_str().unwrap()]);
    assert_code(&grown, 0);
    let anew = tempfile::tempdir().unwrap();
    assert_code(&run(anew.path(), &["--down-to", "12"]), 0);
    assert_eq!(fs::read(table_in(elsewhere.path())).unwrap(), fs::read(table_in(anew.path())).unwrap());
    let other_goal = ["build", "6x6", "--goal", "normal", "--prefix", "0", "--down-to", "30", "--from"];
    let mut command = common::process();
    let output = command.args(other_goal).arg(&kept).arg("--out").arg(anew.path()).output().unwrap();
    let error = assert_code(&output, 2);
    assert!(error.contains("holds positions of 6x6 reversed raw"), "{error}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let reversed = format!("reversed goal {ROOT}");
    let other_goal = ["build", "6x6", "--prefix", "2", "--down-to", "4", "--position", &reversed];
    let refused = common::reversi().args(other_goal).assert().code(2);
    assert!(common::stderr(refused).contains("build it with --goal reversed"));
    let named = ["normal goal", "winner scoring"].map(|rules| format!("{ROOT}, {rules}"));
    for (position, way_out) in named.iter().zip(["--goal normal", "--scoring winner"]) {
        let build = ["build", "6x6", "--goal", "reversed", "--prefix", "2", "--down-to", "4", "--position"];
        let refused = common::stderr(common::reversi().args(build).arg(position).assert().code(2));
        assert!(refused.contains(&format!("build it with {way_out}")), "{refused}");
    }
    let out = tempfile::tempdir().unwrap();
    for options in [&["--down-to", "19"][..], &["--down-to", "14", "--memory", "lots"], &[]] {
        assert_code(&run(out.path(), options), 2);
    }
    let no_table = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    assert_code(&run(out.path(), &["--down-to", "14", "--from", no_table]), 4);
    let four = common::shipped("4x4-normal-raw-diagonal.rvt");
    let error = assert_code(&run(out.path(), &["--down-to", "14", "--from", &four]), 4);
    assert!(error.contains("is for the 4x4 board") && error.contains("name another file"), "{error}");
}

/// Starts builds from these entries of the 4x4 start's whole table; what they say of it.
fn told_of(out: &Path, contents: Contents, entries: &[RawEntry]) -> [String; 2] {
    let spoilt = out.join("spoilt.rvt");
    fs::write(&spoilt, to_bytes(contents, entries.iter().copied()).unwrap()).unwrap();
    [&[][..], &["--dry-run"]].map(|dry_run| {
        let mut command = common::process();
        command.args(["build", "4x4", "--goal", "normal", "--prefix", "2", "--down-to", "5", "--quiet"]);
        command.arg("--from").arg(&spoilt).arg("--out").arg(out).args(dry_run);
        assert_code(&command.output().unwrap(), 5)
    })
}

#[test]
fn a_table_with_a_wrong_move_is_not_built_upon() {
    let out = tempfile::tempdir().unwrap();
    let geometry = Geometry::FOUR;
    let built_in = library::built_in(geometry, Rules::default(), Start::Diagonal).unwrap();
    let mut entries: Vec<RawEntry> = built_in.raw_entries().map(Result::unwrap).collect();
    let plays_on = |entry: &RawEntry| ![RawEntry::PASS, RawEntry::NO_MOVE].contains(&entry.best);
    let (first, another) = (0, entries.iter().rposition(plays_on).unwrap());
    assert!(plays_on(&entries[first]));
    let score = |position| built_in.probe(position).unwrap().unwrap().score;
    let loses = |entry: &RawEntry| {
        let form = key::unpack(geometry, entry.key).unwrap();
        form.children(geometry).into_iter().find_map(|(mv, child)| match mv {
            Move::Play(square) if -score(child) < score(form) => Some(geometry.row_major(square) as u8),
            _ => None,
        })
    };
    let (losing, by) = (100..).find_map(|place| loses(&entries[place]).map(|by| (place, by))).unwrap();
    // The centre is taken, no side has to pass, and one legal move loses discs.
    for (place, best) in [(first, 5), (first, RawEntry::PASS), (another, RawEntry::PASS), (losing, by)] {
        let sound = std::mem::replace(&mut entries[place].best, best);
        for error in told_of(out.path(), built_in.header().contents.clone(), &entries) {
            assert!(error.contains("spoilt.rvt") && error.contains("not legal, does not lead"), "{error}");
        }
        entries[place].best = sound;
    }
}

#[test]
fn a_checkpoint_that_cannot_be_read_is_no_failure_to_write() {
    let out = tempfile::tempdir().unwrap();
    assert_code(&run(out.path(), &["--down-to", "14"]), 0);
    let workspace = table_in(out.path()).with_extension("build");
    fs::create_dir_all(workspace.join("checkpoint")).unwrap();
    let error = assert_code(&run(out.path(), &["--down-to", "13", "--resume", "--json"]), 1);
    assert!(error.contains("cannot-read"), "{error}");
}

#[test]
fn a_dry_run_counts_no_positions_after_the_end_of_all_games() {
    let out = tempfile::tempdir().unwrap();
    let mut command = common::process();
    command.args([
        "build",
        "4x4",
        "--prefix",
        "5",
        "--down-to",
        "5",
        "--dry-run",
        "--json",
        "--goal",
        "normal",
    ]);
    command.args(["--position", "XXX- ---- ---- ---- X", "--out"]).arg(out.path());
    let json = common::json(command.assert().success());
    let guess = &json["estimates"][0];
    assert_eq!((guess["prefix_positions"].as_f64(), searches(guess)), (Some(1.0), 0.0), "{json}");
}

#[test]
fn a_dry_run_writes_nothing() {
    let out = tempfile::tempdir().unwrap();
    let guess = guess(out.path(), &["--down-to", "12"]);
    assert!(guess["seconds"].as_f64().unwrap() > 0.0, "{guess}");
    assert!(guess["prefix_positions"].as_f64().unwrap() > 1.0, "{guess}");
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0);
}

/// The guess of a dry run with these options.
fn guess(out: &Path, options: &[&str]) -> serde_json::Value {
    let json = common::json(run(out, &[&["--dry-run", "--json"], options].concat()).assert().success());
    json["estimates"][0].clone()
}

/// What is left to be searched according to a dry run.
fn searches(guess: &serde_json::Value) -> f64 {
    guess["prefix_searches"].as_f64().unwrap() + guess["region_searches"].as_f64().unwrap()
}

#[test]
fn a_dry_run_counts_only_what_is_not_known() {
    let out = tempfile::tempdir().unwrap();
    let nothing_known = searches(&guess(out.path(), &["--down-to", "12"]));
    assert_code(&run(out.path(), &["--down-to", "14"]), 0);
    let table = table_in(out.path());

    let finished = guess(out.path(), &["--down-to", "14"]);
    assert_eq!((searches(&finished), finished["seconds"].as_f64()), (0.0, Some(0.0)), "{finished}");
    let grown = searches(&guess(out.path(), &["--down-to", "12"]));
    assert!(0.0 < grown && grown < nothing_known, "{grown} of {nothing_known}");
    assert!(searches(&guess(out.path(), &["--down-to", "14", "--anew"])) > 0.0);

    let elsewhere = tempfile::tempdir().unwrap();
    let from = ["--down-to", "14", "--from", table.to_str().unwrap()];
    assert_eq!(searches(&guess(elsewhere.path(), &from)), 0.0);

    let whole = fs::read(&table).unwrap();
    fs::write(&table, &whole[..whole.len() / 2]).unwrap();
    let error = assert_code(&run(out.path(), &["--down-to", "14", "--dry-run"]), 4);
    assert!(error.contains("cut short"), "{error}");
}

#[test]
fn a_dry_run_counts_on_what_was_kept_when_told_to_resume() {
    let out = tempfile::tempdir().unwrap();
    assert_code(&run(out.path(), &["--down-to", "12"]), 0);
    let table = table_in(out.path());
    fs::remove_file(&table).unwrap();
    fs::create_dir(&table).unwrap();
    assert_code(&without_checkpoints(out.path(), &["--anew"]), 1);
    fs::remove_dir(&table).unwrap();
    assert_eq!(searches(&guess(out.path(), &["--down-to", "12", "--resume"])), 0.0);
    assert!(searches(&guess(out.path(), &["--down-to", "12"])) > 0.0);
}

#[test]
fn a_larger_table_that_is_replaced_on_purpose_is_named() {
    let out = tempfile::tempdir().unwrap();
    assert_code(&run(out.path(), &["--down-to", "13"]), 0);
    let larger = table_in(out.path());
    let smaller = |options| {
        let mut command = command(out.path(), "1000");
        assert_code(&command.args(["--down-to", "14", "--anew"]).args(options).output().unwrap(), 0)
    };
    let told = smaller(&["--dry-run"][..]);
    assert!(told.contains("--down-to 13") && told.contains(larger.to_str().unwrap()), "{told}");
    let told = smaller(&[]);
    assert!(told.contains("--down-to 13"), "{told}");
    assert!(!smaller(&[]).contains("holds more"), "nothing is lost any more");
}

#[test]
fn what_fits_only_one_of_two_goals_is_refused_before_either_is_built() {
    let of_one_goal = tempfile::tempdir().unwrap();
    let out = tempfile::tempdir().unwrap();
    let build = |out: &Path, goal, options: &[&str]| {
        let mut command = common::process();
        command.args(["build", "4x4", "--prefix", "2", "--down-to", "8", "--memory", "1M", "--goal", goal]);
        command.args(options).arg("--out").arg(out).output().unwrap()
    };
    assert_code(&build(of_one_goal.path(), "normal", &[]), 0);
    let from = table_in(of_one_goal.path());
    let error = assert_code(&build(out.path(), "both", &["--from", from.to_str().unwrap()]), 4);
    assert!(error.contains("goal"), "{error}");
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 0);
    assert_code(&build(out.path(), "normal", &["--from", from.to_str().unwrap()]), 0);
}

#[test]
fn a_dry_run_of_a_board_that_is_listed_whole_says_what_it_costs() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out");
    let dry_run = |board: &str| {
        let mut command = common::reversi();
        command.args(["build", board, "--dry-run", "--threads", "1", "--json", "--out"]).arg(&out);
        common::json(command.assert().success())
    };
    let (small, large) = (dry_run("4x4"), dry_run("4x6"));
    assert!(small["fits_in_memory"] == true && large["fits_in_memory"] == false, "{small} {large}");
    assert_eq!((small["starts"].as_u64(), small["tables"].as_u64()), (Some(2), Some(8)));
    assert_eq!(
        small["positions"].as_f64(),
        Some(19_859.0),
        "from the parallel start, more than from the other"
    );
    assert!(
        large["memory_bytes"].as_f64() > Some(1e9) && large["table_bytes"].as_f64() > Some(1e8),
        "{large}"
    );
    assert!(!out.exists(), "nothing is made");
}

#[test]
fn a_table_from_another_position_may_have_a_name() {
    let directory = tempfile::tempdir().unwrap();
    let build = |options: &[&str]| {
        let mut command = common::reversi();
        command.args(["build", "4x4", "--goal", "normal", "--prefix", "1", "--down-to", "8", "--position"]);
        command.arg("-----OX--XO----- X").args(options).arg("--quiet").arg("--out").arg(directory.path());
        command.assert()
    };
    build(&["--name", "my-start"]).success();
    build(&[]).success();
    let mut names: Vec<String> = fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), 2, "{names:?}");
    let named = names.iter().find(|name| name.starts_with("4x4-normal-raw-my-start-")).unwrap();
    assert_eq!(named.len(), "4x4-normal-raw-my-start-12345678.rvt".len(), "{named}");
    build(&["--name", "../up"]).code(2);
}
