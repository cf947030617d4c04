//! `docs/guide/scripts.md` names every field and every kind of error.

use crate::common::{json_lines, run};
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};

const GUIDE: &str = include_str!("../../docs/guide/scripts.md");

/// The fields that a part of the guide names: what stands between backquotes.
fn named(part: &str) -> Vec<&str> {
    part.split('`').skip(1).step_by(2).collect()
}

/// The part of the guide below a heading.
fn part(heading: &str) -> &'static str {
    let parts = GUIDE.split("\n## ").skip(1);
    let mut parts = parts.filter_map(|part| part.split_once('\n'));
    parts
        .find(|(head, _)| head.trim_matches('`') == heading)
        .map_or_else(|| panic!("{heading}"), |(_, text)| text)
}

/// The names of all fields of an object and of the objects in it.
fn fields(object: &Json, found: &mut Vec<String>) {
    match object {
        Json::Object(fields_of) => {
            for (name, value) in fields_of {
                found.push(name.clone());
                fields(value, found);
            }
        }
        Json::Array(items) => items.iter().for_each(|item| fields(item, found)),
        _ => {}
    }
}

#[test]
fn the_guide_names_every_field() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = directory.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let games = file("games.txt", "b1a1a2\nb1a1\n");
    let problems = file("problems.obf", "XO-- ---- ---- ---- O; -3;\nXO-- ---- ---- ---- O; -4;\n");
    let over = "XXXXXXXXXXXXXXXX O";
    let commands: [&[&str]; 14] = [
        &["query", "--board", "4x4"],
        &["query", "--board", "4x4", "--quick"],
        &["query", over],
        &["query", "--board", "4x4", "--batch", &problems],
        &["solve", "--board", "4x4"],
        &["solve", "--board", "4x4", "--wld"],
        &["solve", over],
        &["solve", "--board", "4x4", "--check", &problems],
        &["hint", "--board", "4x4", "--lines", "2"],
        &["hint", "--board", "4x4", "--player", "alphabeta:2"],
        &["hint", "--board", "4x4", "--file", &games],
        &["review", "--board", "4x4", "--file", &games],
        &["prove", "--board", "4x4", "--depth", "2"],
        &["sample", "--board", "4x4", "--empties", "5", "--count", "1"],
    ];
    for command in commands {
        let objects = json_lines(run(&[command, &["--json"]].concat()));
        assert!(!objects.is_empty(), "{command:?}");
        for object in objects {
            let schema = object["schema"].as_str().unwrap();
            // The sums of several games stand with the games.
            let known = named(part(schema.strip_suffix("-sums/1").map_or(schema, |_| "reversi.review/1")));
            let shared = named(part("Values that many objects have"));
            let mut found = Vec::new();
            fields(&object, &mut found);
            for field in found.iter().filter(|field| *field != "schema") {
                let is_side = ["X", "O"].contains(&&**field);
                assert!(
                    is_side || known.contains(&&**field) || shared.contains(&&**field),
                    "{schema} has the field {field}: {command:?}"
                );
            }
        }
    }
}

/// The files of a directory and of those in it.
fn sources(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The kinds that the guide names for an exit code.
fn kinds_of(code: &str) -> Vec<&'static str> {
    let head = format!("| {code}: ");
    named(part("reversi.error/1").lines().find(|line| line.starts_with(&head)).unwrap())
}

/// The exit code and the kind of a failure, from its arguments; `None` where the kind is one of another error.
fn code_and_kind<'a>(head: &str, arguments: &'a str) -> Option<(&'static str, &'a str)> {
    let arguments = arguments.trim_start();
    let (code, kind) = match head {
        "Failure::usage(" => ("2", arguments),
        _ => {
            let (exit, kind) = arguments.strip_prefix("Exit::")?.split_once(',')?;
            let codes = [
                ("Failed", "1"),
                ("Usage", "2"),
                ("MissingTable", "3"),
                ("CorruptTable", "4"),
                ("Difference", "5"),
                ("Interrupted", "130"),
            ];
            (codes.into_iter().find(|(name, _)| *name == exit).unwrap().1, kind.trim_start())
        }
    };
    Some((code, kind.strip_prefix('"')?.split('"').next()?))
}

#[test]
fn the_guide_names_every_kind_of_error() {
    let mut count = 0;
    let all = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli"));
    for path in all.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs")) {
        let text = fs::read_to_string(&path).unwrap();
        for head in ["Failure::usage(", "Failure::new("] {
            for (code, kind) in text.split(head).skip(1).filter_map(|call| code_and_kind(head, call)) {
                count += 1;
                assert!(kinds_of(code).contains(&kind), "{}: {kind} with exit code {code}", path.display());
            }
        }
    }
    assert!(count > 100, "the calls are found: {count}");
}
