//! What the program finds is what is written down: node counts of the exact solver, and what commands print.
//!
//! After a change that is meant, both files are written anew by
//! `REVERSI_RENEW_GOLDEN=1 cargo test --profile checked golden`, and the difference is read before it is kept.

use crate::common;
use crate::common::{data, run, stdout, words};
use std::fmt::Write;
use std::path::Path;

const NODES: &str = "golden/nodes.txt";
const COMMANDS: &str = "golden/commands.txt";

/// The length of an output beyond which only its first lines are kept, with the checksum of the whole.
const LONG_OUTPUT: usize = 24 << 10;

/// Fields of JSON whose values differ from run to run.
const TIMES: [&str; 3] = ["seconds", "longest_seconds", "runs"];

/// Fields of JSON that hold sentences for people, which may be worded otherwise or tell times.
const SENTENCES: [&str; 4] = ["summary", "meaning", "claim", "measured"];

/// Compares a golden file with what it should be now, or writes it where renewal is asked for.
fn compare_or_renew(name: &str, now: &str) {
    if std::env::var_os("REVERSI_RENEW_GOLDEN").is_some() {
        let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path, now).unwrap();
        return;
    }
    let kept = data(name);
    let mut subject = "";
    for (number, (kept, now)) in kept.lines().zip(now.lines()).enumerate() {
        if kept.starts_with("$ ") {
            subject = kept;
        }
        assert!(kept == now, "{name}, line {}: {subject}\n{}", number + 1, first_difference(kept, now));
    }
    assert_eq!(kept.lines().count(), now.lines().count(), "lines of {name}");
}

/// The surroundings of the first place where two lines differ.
fn first_difference(kept: &str, now: &str) -> String {
    let common = kept.bytes().zip(now.bytes()).take_while(|(kept, now)| kept == now).count();
    let around = |line: &str| {
        let line = line.as_bytes();
        let part = &line[common.saturating_sub(60)..(common + 100).min(line.len())];
        String::from_utf8_lossy(part).into_owned()
    };
    format!("kept: {}\nnow:  {}", around(kept), around(now))
}

#[test]
fn golden_node_counts() {
    let mut now = String::new();
    for line in data(NODES).lines() {
        match line.split_once(" | ").filter(|_| !line.starts_with('#')) {
            None => now.push_str(line),
            Some((_, arguments)) => write!(now, "{} | {arguments}", nodes(arguments)).unwrap(),
        }
        now.push('\n');
    }
    compare_or_renew(NODES, &now);
}

fn nodes(arguments: &str) -> u64 {
    let fixed = ["solve", "--threads", "1", "--memory", "64M", "--json", "--quiet"].map(str::to_owned);
    let arguments = [&fixed[..], &words(arguments)].concat();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let solved = common::json(run(&arguments).success());
    solved["nodes"].as_u64().unwrap_or_else(|| panic!("no nodes in {solved}"))
}

#[test]
fn golden_commands() {
    let out = tempfile::tempdir().unwrap();
    let mut now = String::new();
    let kept = data(COMMANDS);
    for line in kept.lines().take_while(|line| !line.starts_with("$ ")) {
        writeln!(now, "{line}").unwrap();
    }
    for command in kept.lines().filter(|line| line.starts_with("$ ")) {
        let printed = shortened(&normalized(&printed(&command[2..], out.path()), out.path()));
        write!(now, "{command}\n{printed}").unwrap();
    }
    compare_or_renew(COMMANDS, &now);
}

/// What a command prints, with its exit code where that is not 0.
fn printed(command: &str, out: &Path) -> String {
    let words = words(&command.replace("{out}", out.to_str().unwrap()));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["copy", from, to] => copy(Path::new(from), Path::new(to)),
        ["checksum", file] => {
            let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
            format!("{} bytes, CRC-32 {:08x}\n", bytes.len(), common::specification::crc32(&bytes))
        }
        ["reversi", ref arguments @ ..] => {
            let mut reversi = common::reversi();
            let ended = reversi.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).assert();
            let code = ended.get_output().status.code();
            let code = if code == Some(0) { String::new() } else { format!("exit code {code:?}\n") };
            stdout(ended) + &code
        }
        _ => panic!("no command of a golden file: {command}"),
    }
}

/// Copies a file, or a directory with its files, to where a command may write.
fn copy(from: &Path, to: &Path) -> String {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(from);
    if from.is_dir() {
        std::fs::create_dir_all(to).unwrap();
        for file in std::fs::read_dir(&from).unwrap() {
            let name = file.unwrap().file_name();
            copy(&from.join(&name), &to.join(&name));
        }
    } else {
        std::fs::copy(&from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    }
    String::new()
}

/// The text without what differs between runs and machines: times, the temporary directory, the last digits
/// of numbers that come from logarithms.
fn normalized(text: &str, out: &Path) -> String {
    let mut text = text.replace(out.to_str().unwrap(), "{out}");
    for field in TIMES {
        text = masked(&text, field, |rest| rest.find([',', '}']));
    }
    for field in SENTENCES {
        text = masked(&text, field, length_of_string);
    }
    rounded(&text)
}

/// The text with `...` in place of a field's values; `length` gives that of a value, or `None` to keep it.
fn masked(text: &str, field: &str, length: impl Fn(&str) -> Option<usize>) -> String {
    let name = format!("\"{field}\":");
    let mut parts = text.split(&name);
    let mut masked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        masked.push_str(&name);
        match length(part) {
            Some(length) => write!(masked, "...{}", &part[length..]).unwrap(),
            None => masked.push_str(part),
        }
    }
    masked
}

/// The length in bytes of the JSON string, with its quotes, that a text begins with, if it does.
fn length_of_string(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    let end = text.strip_prefix('"')?.find(|character| {
        let is_end = character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_end
    });
    Some(end? + 2)
}

/// The text with ten significant digits of each fraction that has more.
fn rounded(text: &str) -> String {
    let is_number = |character: char| character.is_ascii_digit() || ".-e".contains(character);
    let mut rounded = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_number) {
        rounded.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(|character| !is_number(character)).unwrap_or(rest.len());
        let number = rest[..end].parse::<f64>().ok().filter(|_| end > 12 && rest[..end].contains('.'));
        match number {
            Some(number) if number.abs() < 1e-9 => rounded.push('0'),
            Some(number) => write!(rounded, "{number:.9e}").unwrap(),
            None => rounded.push_str(&rest[..end]),
        }
        rest = &rest[end..];
    }
    rounded + rest
}

/// The beginning of a long output, with the checksum of all of it.
fn shortened(text: &str) -> String {
    if text.len() <= LONG_OUTPUT {
        return text.to_owned();
    }
    let mut short: String = text.lines().take(10).flat_map(|line| [line, "\n"]).collect();
    let checksum = common::specification::crc32(text.as_bytes());
    writeln!(short, "... {} bytes in {} lines, CRC-32 {checksum:08x}", text.len(), text.lines().count())
        .unwrap();
    short
}

#[test]
fn what_differs_between_runs_is_masked() {
    let text = r#"{"seconds":1.2e-7,"summary":"a, \"b\".","x":{"longest_seconds":3},"file":"/tmp/x/y","n":0.1234567890123}"#;
    let expected =
        r#"{"seconds":...,"summary":...,"x":{"longest_seconds":...},"file":"{out}/y","n":1.234567890e-1}"#;
    assert_eq!(normalized(text, Path::new("/tmp/x")), expected);
    assert_eq!(
        rounded("best pa e4-e5 12345678901234 2003.12.15 -3.0"),
        "best pa e4-e5 12345678901234 2003.12.15 -3.0"
    );
}
