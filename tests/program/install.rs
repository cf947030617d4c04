//! What makes the program at home on a machine: tables where they are found, manual pages, completions.

use crate::common::{self, stderr, stdout};
use assert_cmd::Command;
use std::fs;
use std::path::Path;

/// The program for a user with this directory of data, at work in another one.
fn reversi(user: &Path) -> Command {
    let mut command = common::reversi();
    command.env("XDG_DATA_HOME", user).current_dir(user);
    command
}

fn build_3x3(out: &Path) {
    common::reversi().args(["build", "3x3", "--goal", "normal", "--out"]).arg(out).assert().success();
}

#[cfg(target_os = "linux")]
#[test]
fn installed_tables_are_found_from_everywhere() {
    let (made, user) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    build_3x3(made.path());
    // Neither what is in the program nor what has another name than that of its table.
    fs::copy(common::shipped("4x4-normal-raw-diagonal.rvt"), made.path().join("4x4-normal-raw-diagonal.rvt"))
        .unwrap();
    let three = made.path().join("3x3-normal-raw-diagonal.rvt");
    fs::copy(&three, made.path().join("3x3-reversed-raw-diagonal.rvt")).unwrap();
    let install = || {
        let mut command = reversi(user.path());
        command.args(["data", "install", "--from"]).arg(made.path());
        command
    };
    let installed = install().assert().success();
    let remark = stderr(installed);
    assert!(remark.contains("3x3-reversed-raw-diagonal.rvt: its name says goal reversed"), "{remark}");
    fs::remove_dir_all(user.path().join("reversi")).unwrap();
    let said = stdout(install().assert().success());
    assert_eq!(said.matches("copied").count(), 4, "{said}");
    assert!(said.contains("where every command finds them"), "{said}");
    let place = user.path().join("reversi");
    let mut names: Vec<_> = fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names.len(), 4, "{names:?}");
    let name = "3x3-normal-raw-diagonal.rvt";
    assert!(fs::read(place.join(name)).unwrap() == fs::read(&three).unwrap());
    let answer = stdout(reversi(user.path()).args(["query", "--board", "3x3", "--quick"]).assert().success());
    assert!(answer.contains(&format!("from  {}", place.join(name).display())), "{answer}");
    let listed = stdout(reversi(user.path()).args(["data", "list"]).assert().success());
    assert!(listed.contains(&format!("{}\n  3x3-normal-raw-diagonal.rvt", place.display())), "{listed}");

    let first = tempfile::tempdir().unwrap();
    fs::copy(&three, first.path().join(name)).unwrap();
    let hidden = stderr(install().env("REVERSI_DATA", first.path()).assert().success());
    assert!(
        hidden.contains(&format!("{} is found before it", first.path().join(name).display())),
        "{hidden}"
    );

    // Again: nothing is copied. A damaged file is replaced, unless the damage is in what is to be installed.
    let again = common::json(install().arg("--json").assert().success());
    assert!(again["files"].as_array().unwrap().iter().all(|file| file["copied"] == false), "{again}");
    let mut damaged = fs::read(&three).unwrap();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(place.join(name), &damaged).unwrap();
    assert_eq!(stdout(install().assert().success()).matches("copied").count(), 1);
    fs::write(&three, &damaged).unwrap();
    assert!(stderr(install().assert().code(4)).contains("is damaged"));
    assert!(fs::read(place.join(name)).unwrap() != damaged, "the sound one stays");
}

#[test]
fn weights_of_ones_own_are_installed_where_they_differ_from_those_in_the_program() {
    let (made, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let shipped = common::shipped("6x6-normal.rvw");
    fs::copy(&shipped, made.path().join("6x6-normal.rvw")).unwrap();
    fs::copy(&shipped, made.path().join("6x6-reversed.rvw")).unwrap();
    let install = || {
        let mut command = common::reversi();
        command.args(["data", "install", "--from"]).arg(made.path()).arg("--to").arg(to.path());
        command
    };
    let said = stderr(install().assert().code(3));
    assert!(
        said.contains("not installed") && said.contains("6x6-reversed.rvw: its name says otherwise"),
        "{said}"
    );
    let mut train = common::reversi();
    train.args([
        "train",
        "--board",
        "6x6",
        "--games",
        "50",
        "--generations",
        "1",
        "--exam",
        "0",
        "--duel",
        "0",
    ]);
    train.arg("--replace").arg("--out").arg(made.path()).assert().success();
    let said = stdout(install().assert().success());
    assert!(said.contains("6x6-normal.rvw") && said.contains("copied"), "{said}");
    let copy = |directory: &Path| fs::read(directory.join("6x6-normal.rvw")).unwrap();
    assert!(copy(to.path()) == copy(made.path()));
    // Back to those in the program.
    let own = copy(made.path());
    fs::copy(&shipped, made.path().join("6x6-normal.rvw")).unwrap();
    let said = stderr(install().assert().code(2));
    assert!(said.contains("kept") && said.contains("other weights") && said.contains("--replace"), "{said}");
    assert!(copy(to.path()) == own, "nothing was copied");
    assert!(stdout(install().arg("--replace").assert().success()).contains("copied"));
    assert!(copy(to.path()) != own);
}

#[test]
fn a_table_that_holds_more_is_not_replaced_by_an_install() {
    let [small, large, with_moves, to] = [(); 4].map(|()| tempfile::tempdir().unwrap());
    for (directory, options) in [
        (&small, &["--prefix", "1"][..]),
        (&large, &["--prefix", "2"]),
        (&with_moves, &["--prefix", "2", "--moves"]),
    ] {
        let mut build = common::reversi();
        build.args(["build", "4x5", "--goal", "normal", "--down-to", "10", "--out"]).arg(directory.path());
        build.args(options).assert().success();
    }
    let install = |from: &tempfile::TempDir, replace: &[&str]| {
        let mut command = common::reversi();
        command.args(["data", "install", "--from"]).arg(from.path()).arg("--to").arg(to.path()).args(replace);
        command.assert()
    };
    let name = "4x5-normal-raw-diagonal.rvt";
    let there = || fs::read(to.path().join(name)).unwrap();
    for (from, is_installed) in [(&small, true), (&large, true), (&small, false), (&with_moves, true)] {
        let run = install(from, &[]);
        match is_installed {
            true => assert!(stdout(run.success()).contains("copied")),
            false => assert!(stderr(run.code(2)).contains("lacks; --replace replaces it")),
        }
    }
    assert!(stderr(install(&large, &[]).code(2)).contains("best moves"), "the moves would be lost");
    assert!(there() == fs::read(with_moves.path().join(name)).unwrap());
    install(&small, &["--replace"]).success();
    assert!(there() == fs::read(small.path().join(name)).unwrap());
}

#[test]
fn tables_in_a_directory_of_ones_own_have_to_be_named() {
    let (made, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    build_3x3(made.path());
    let mut command = common::reversi();
    command.args(["data", "install", "--from"]).arg(made.path()).arg("--to").arg(to.path().join("new"));
    let said = stdout(command.assert().success());
    assert!(said.contains("pass --data") && said.contains("$REVERSI_DATA"), "{said}");
    let mut command = common::reversi();
    command.args(["data", "install", "--from"]).arg(to.path());
    assert!(stderr(command.assert().code(3)).contains("there is nothing to install"));
}

#[test]
fn a_table_that_another_program_is_writing_is_not_installed() {
    let (made, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    build_3x3(made.path());
    let name = "3x3-normal-raw-diagonal.rvt";
    let lock = fs::File::create(to.path().join(format!(".{name}.lock"))).unwrap();
    lock.lock().unwrap();
    let install = || {
        let mut command = common::reversi();
        command.args(["data", "install", "--from"]).arg(made.path()).arg("--to").arg(to.path());
        command.assert()
    };
    let said = stderr(install().code(1));
    assert!(said.contains(name) && said.contains("another program is writing this table"), "{said}");
    assert!(!to.path().join(name).exists());
    drop(lock);
    install().success();
    assert!(to.path().join(name).exists());
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    let directory = tempfile::tempdir().unwrap();
    let pages = directory.path().join("man1");
    common::reversi().arg("man").arg(&pages).assert().success();
    for (page, words) in [
        ("reversi.1", "query"),
        ("reversi-query.1", "perfect line"),
        ("reversi-table-verify.1", "took no part in making them"),
    ] {
        let text = fs::read_to_string(pages.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
        assert!(text.contains(".TH reversi") && text.contains(words), "{page}: {text}");
    }
}

#[test]
fn completions_know_the_players() {
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(common::reversi().args(["completions", shell]).assert().success());
        assert!(script.contains("alphabeta") && script.contains("human"), "{shell}");
    }
}

#[test]
fn wrong_numbers_are_told_in_our_own_words() {
    for (arguments, words) in [
        ("perft abc", "invalid value 'abc' for '<DEPTH>': write a whole number\n"),
        ("perft 500", "write a whole number from 1 to 120\n"),
        ("hint --depth abc", "'--depth <PLIES>': write a whole number\n"),
        ("match engine random --games -3", "write a whole number"),
    ] {
        let said = stderr(common::reversi().args(arguments.split(' ')).assert().code(2));
        assert!(said.contains(words) && !said.contains("digit"), "{arguments}: {said}");
    }
}
