//! The commands of the README and of the guides do what they show.

use crate::common::{self, words};
use std::io::Write;

/// The `console` blocks: each command with the lines that are shown under it.
fn sessions(readme: &str) -> Vec<(String, Vec<String>)> {
    let mut sessions: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            sessions.push((command.to_owned(), Vec::new()));
        } else if let Some((_, shown)) = sessions.last_mut().filter(|_| inside) {
            shown.push(line.to_owned());
        }
    }
    sessions
}

/// Whether a line is as shown, where `...` stands for anything.
fn fits(shown: &str, line: &str) -> bool {
    match shown.split_once("...") {
        None => shown == line,
        Some((head, rest)) => line.strip_prefix(head).is_some_and(|tail| {
            (0..=tail.len()).any(|skip| tail.is_char_boundary(skip) && fits(rest, &tail[skip..]))
        }),
    }
}

/// The same for several lines, where a line of nothing but `...` stands for any number of lines.
fn all_fit(shown: &[String], lines: &[&str]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "..." => (0..=lines.len()).any(|skip| all_fit(rest, &lines[skip..])),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, lines)| fits(first, line) && all_fit(rest, lines))
        }
    }
}

#[test]
fn every_command_of_the_readme_and_of_the_tables_guide_prints_what_it_shows() {
    let mut sessions = sessions(include_str!("../../README.md"));
    assert!(sessions.len() >= 5, "the README shows commands");
    sessions.extend(self::sessions(include_str!("../../docs/guide/tables.md")));
    for (command, shown) in sessions {
        let words = words(&command);
        assert_eq!(words[0], "reversi", "{command}");
        let mut reversi = common::reversi();
        reversi.args(&words[1..]).current_dir(env!("CARGO_MANIFEST_DIR"));
        let printed = common::stdout(reversi.assert().success());
        let lines: Vec<&str> = printed.lines().collect();
        assert!(all_fit(&shown, &lines), "{command}\nshown:\n{}\nprinted:\n{printed}", shown.join("\n"));
    }
}

#[test]
fn dots_stand_for_anything() {
    assert!(fits("in ... s", "in 0.1 s") && fits("a...", "a") && !fits("in ... s", "in 0.1 ms."));
    let shown = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(all_fit(&shown("a\n...\nd"), &["a", "b", "c", "d"]));
    assert!(!all_fit(&shown("a\n...\nd"), &["a", "b", "c"]));
}

/// The guide's commands, with its engine, in the order in which it gives them.
#[cfg(unix)]
#[test]
fn the_guide_for_engine_authors_works_as_it_stands() {
    let has_python = std::process::Command::new("python3").arg("--version").output();
    if has_python.is_err() {
        // Not by a macro: of a test that passes those are not shown.
        writeln!(std::io::stderr(), "SKIPPED: there is no python3 here").unwrap();
        return;
    }
    let guide = include_str!("../../docs/guide/engine-authors.md");
    let block = |language: &str| {
        let fence = format!("```{language}\n");
        let blocks = guide.split(&*fence).skip(1).map(|rest| rest.split_once("```").unwrap().0);
        blocks.collect::<String>()
    };
    let directory = tempfile::tempdir().unwrap();
    let place = |text: &str| text.replace("/tmp/", &format!("{}/", directory.path().display()));
    std::fs::write(directory.path().join("greedy.py"), block("python")).unwrap();
    let mut codes = Vec::new();
    for command in block("sh").lines() {
        let (command, output) = place(command)
            .split_once(" > ")
            .map_or((place(command), None), |(command, file)| (command.to_owned(), Some(file.to_owned())));
        let run = common::reversi().args(&words(&command)[1..]).arg("--quiet").assert();
        let done = run.get_output().clone();
        codes.push(done.status.code().unwrap());
        if let Some(file) = output {
            std::fs::write(file, &done.stdout).unwrap();
        }
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(!text.contains("FAILED") && done.stderr.is_empty(), "{command}: {text}{done:?}");
        assert!(!text.is_empty(), "{command}");
    }
    assert_eq!(codes, [0, 0, 0, 5, 0, 0, 0], "the greedy engine is no perfect one, all else goes well");
}
