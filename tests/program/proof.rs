//! The whole verification of a table, as people and scripts see it: reports, parts, states, and values from elsewhere.

use crate::common::{json, json_lines, reversi, run, shipped, stderr, stdout};
use reversi::rules::{Board, Color, Geometry, Rules, Start};
use reversi::table::{Table, Writer};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

/// A directory with two tables of regions of 4x5.
static TABLES: LazyLock<TempDir> = LazyLock::new(|| {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    run(&["build", "4x5", "--prefix", "3", "--down-to", "8", "--out", out]).success();
    directory
});

fn table(goal: &str) -> String {
    TABLES.path().join(format!("4x5-{goal}-raw-diagonal.rvt")).to_str().unwrap().to_owned()
}

fn inside(directory: &Path, name: &str) -> String {
    directory.join(name).to_str().unwrap().to_owned()
}

fn read(path: &str) -> Json {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Writes the report of a part of the normal table.
fn report(part: &str, path: &str, more: &[&str]) {
    let table = table("normal");
    let arguments = ["table", "verify", "--whole", &table, "--part", part, "--report", path];
    run(&[&arguments, more].concat()).success();
}

/// A report without what differs from run to run: its times, and the nodes of searches that threads share out.
fn settled(mut report: Json) -> Json {
    for name in ["seconds", "search_seconds", "search_cpu_seconds"] {
        report[name] = Json::Null;
    }
    for class in report["classes"].as_array_mut().unwrap() {
        class["nodes"] = Json::Null;
    }
    report
}

#[test]
fn a_report_says_what_was_checked_for_all_and_what_by_sample() {
    let directory = tempfile::tempdir().unwrap();
    let path = inside(directory.path(), "report.json");
    report("1/1", &path, &["--walk-sample", "50"]);
    let other = ["table", "verify", "--whole", &table("reversed"), "--report", &path];
    let refused = crate::common::stderr(run(&other).code(2));
    assert!(refused.contains("this is not a report on"), "{refused}");
    let report = read(&path);
    assert_eq!((&report["verdict"], &report["seed"]), (&Json::from("sound"), &Json::from(1)));
    assert_eq!(report["sha256"].as_str().unwrap().len(), 64);
    assert!(report["for_all"].as_str().unwrap().contains("the value of the start is exact"), "{report}");
    assert!(report["checks"].as_array().unwrap().len() > 8);
    let classes = report["classes"].as_array().unwrap();
    assert_eq!((&classes[0]["class"], &classes[0]["coverage"]), (&Json::from("ends"), &Json::from("all")));
    assert_eq!(classes[0]["checked"], classes[0]["population"]);
    let sampled = &classes[1];
    assert_eq!((&sampled["class"], &sampled["checked"]), (&Json::from("walk-9"), &Json::from(50)));
    let most = 100.0 * (1.0 - 0.01f64.powf(1.0 / 50.0));
    let conclusion = sampled["conclusion"].as_str().unwrap();
    assert!(conclusion.contains(&format!("at most {most:.3} % of the population are wrong")), "{conclusion}");
}

#[test]
fn ends_and_samples_can_be_searched_apart_and_no_more_is_claimed() {
    let directory = tempfile::tempdir().unwrap();
    let path = inside(directory.path(), "report.json");
    let searched = |only: &[&str]| {
        report("1/1", &path, only);
        let report = read(&path);
        let checked = |class: &Json| (class["coverage"] == "all", class["checked"].as_u64().unwrap() > 0);
        let classes = report["classes"].as_array().unwrap();
        let [ends, sampled] = [true, false].map(|is_end| {
            classes.iter().map(checked).filter(|&(coverage, _)| coverage == is_end).all(|(_, done)| done)
        });
        (ends, sampled, report)
    };
    let (ends, sampled, report) = searched(&["--only", "ends"]);
    assert!(
        ends && !sampled && report["for_all"].as_str().unwrap().contains("the value of the start is exact")
    );
    assert!(report["by_sample"].as_str().unwrap().contains(": 0 of "), "{report}");
    let (ends, sampled, report) = searched(&["--only", "samples"]);
    assert!(!ends && sampled, "{report}");
    assert_eq!(report["for_all"], "nothing: some of the ends were not searched");
    assert_eq!((&report["verdict"], &report["classes"][0]["wrong"]), (&Json::from("sound"), &Json::from(0)));
}

#[test]
fn given_up_searches_count_as_wrong_in_the_bound_and_are_not_called_right() {
    let table = table("normal");
    let text = stdout(run(&["table", "verify", "--whole", &table, "--nodes", "1"]).success());
    let line = text.lines().find(|line| line.contains("walk-9 ")).unwrap();
    assert!(line.starts_with("- ") && line.contains("100 given up and counted as wrong"), "{line}");
    assert!(line.contains("at most 100.000 %"), "{line}");
}

#[test]
fn parts_join_to_the_report_of_the_whole_in_any_order() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| inside(directory.path(), name);
    report("1/1", &at("whole"), &[]);
    let parts: Vec<String> = (1..=3).map(|part| at(&part.to_string())).collect();
    for (number, path) in (1..).zip(&parts) {
        report(&format!("{number}/3"), path, &[]);
        let part = read(path);
        assert!(part["for_all"].as_str().unwrap().starts_with("nothing before"), "{part}");
    }
    let join = |paths: &[&str]| run(&[&["table", "join"], paths, &["--json"]].concat());
    let joined = json(join(&[&parts[2], &parts[0], &parts[1]]).success());
    assert_eq!(settled(joined), settled(read(&at("whole"))));

    report("2/3", &at("seed"), &["--seed", "2"]);
    report("2/4", &at("four"), &[]);
    fs::write(at("text"), "{}").unwrap();
    let one = parts[0].as_str();
    for (paths, why) in [
        (vec![one, &parts[1]], "only 2 of 3 parts"),
        (vec![&parts[1], &parts[2]], "part 1 is missing"),
        (vec![one, &parts[1], &parts[1], &parts[2]], "this is part 2, but part 3 is next"),
        (vec![one, &at("seed"), &parts[2]], "is of another table, program or sample"),
        (vec![one, &at("four"), &parts[2]], "is of another table, program or sample"),
        (vec![one, &at("text")], "is no report of --whole"),
        (vec![&at("missing")], "No such file"),
    ] {
        let refused = join(&paths).code(2);
        let text = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(text.contains(why), "{why}: {text}");
    }
}

#[test]
fn what_is_done_is_not_done_again_and_serves_other_samples_and_parts() {
    let directory = tempfile::tempdir().unwrap();
    let state = inside(directory.path(), "state");
    let table = table("normal");
    let verify = |more: &[&str]| {
        let arguments = ["table", "verify", "--whole", &table, "--resume", &state, "--json"];
        run(&[&arguments, more].concat()).success()
    };
    verify(&["--walk-sample", "0", "--prefix-sample", "0"]);
    let ends = fs::read_to_string(&state).unwrap();
    let first = json(verify(&[]));
    let all = fs::read_to_string(&state).unwrap();
    assert!(all.starts_with(&ends) && all.len() > ends.len());
    let again = verify(&[]);
    let told = stderr(run(&["table", "verify", "--whole", &table, "--resume", &state]).success());
    assert!(told.contains("entries were searched before"), "{told}");
    // With nodes too: nothing was searched again.
    assert_eq!(json(again)["classes"], first["classes"]);
    assert_eq!(fs::read_to_string(&state).unwrap(), all);
    verify(&["--part", "2/2"]);
    assert_eq!(fs::read_to_string(&state).unwrap(), all);

    // Cut short as by a crash, it goes on before the line that is not whole.
    fs::write(&state, &all[..all.len() - 9]).unwrap();
    assert_eq!(settled(json(verify(&[]))), settled(first));
}

#[test]
fn a_state_of_another_table_and_other_files_are_refused_before_anything_is_checked_and_kept() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| inside(directory.path(), name);
    let (normal, reversed, state) = (table("normal"), table("reversed"), at("state"));
    run(&["table", "verify", "--whole", &normal, "--resume", &state]).success();
    let kept = fs::read(&state).unwrap();
    fs::write(at("text"), "another program's notes\n").unwrap();
    for (code, resume, report, why) in [
        (2, state.clone(), at("report"), "another table"),
        (2, at("text"), at("report"), "holds something else"),
        (1, at("no/state"), at("report"), "No such file"),
        (1, at("new"), at("no/report"), "--report"),
        (2, at("new"), reversed.clone(), "this is also the table"),
        (2, reversed.clone(), at("report"), "this is also the table"),
        (2, at("new"), at("./new"), "this is also the file of --resume"),
    ] {
        let arguments = ["table", "verify", "--whole", &reversed, "--resume", &resume, "--report", &report];
        let refused = run(&arguments).code(code);
        assert_eq!(stdout(refused), "");
        let text = stderr(run(&arguments).code(code));
        assert!(text.contains(why), "{why}: {text}");
    }
    assert_eq!(fs::read(&state).unwrap(), kept);
    assert_eq!(fs::read_to_string(at("text")).unwrap(), "another program's notes\n");
    for part in ["0/3", "4/3", "1/0", "3", "a/b"] {
        let refused = run(&["table", "verify", "--whole", &normal, "--part", part]).code(2);
        assert!(stderr(refused).contains("a part is written as I/N"), "{part}");
    }
}

/// A line of another program: the position turned by half or mirrored, and with the colours exchanged.
fn as_others_write(line: &str, number: usize) -> String {
    let (position, rest) = line.split_once(',').unwrap();
    let mut cells: Vec<char> = position.chars().collect();
    if number.is_multiple_of(2) {
        cells.reverse();
    }
    if number.is_multiple_of(3) {
        cells.chunks_mut(4).for_each(<[char]>::reverse);
    }
    let swapped = |cell: &char| match cell {
        'X' => 'O',
        'O' => 'X',
        other => *other,
    };
    match number % 5 {
        0 => format!("{} O,{rest}", cells.iter().map(swapped).collect::<String>()),
        1 => format!("{} X , {rest}", cells.iter().collect::<String>()),
        _ => format!("{},{rest}", cells.iter().collect::<String>()),
    }
}

#[test]
fn values_from_elsewhere_are_compared_in_any_orientation_and_colour() {
    let directory = tempfile::tempdir().unwrap();
    let other = inside(directory.path(), "other.csv");
    let table = table("normal");
    let exported = stdout(run(&["table", "export", &table]).success());
    let mut lines: Vec<String> =
        exported.lines().skip(1).enumerate().map(|(number, line)| as_others_write(line, number)).collect();
    let compare = || run(&["table", "compare", &table, &other]);
    fs::write(&other, format!("position,score\n{}\n", lines.join("\n"))).unwrap();
    let all = lines.len();
    assert!(
        stdout(compare().success()).starts_with(&format!("{all} agree, 0 are not in the table, 0 differ"))
    );

    fs::write(&other, format!("position,value\n{}\n", lines.join("\n").replace(" , ", ","))).unwrap();
    compare().code(0);

    // As `sample` writes them.
    let columns = lines.iter().map(|line| {
        let (position, score) = line.split_once(',').unwrap();
        format!("9,{},{position}", score.trim().split(',').next().unwrap())
    });
    fs::write(&other, format!("empties,score,position\n{}\n", columns.collect::<Vec<_>>().join("\n")))
        .unwrap();
    assert!(stdout(compare().success()).starts_with(&format!("{all} agree")));

    // As spreadsheets write them.
    let quoted = lines.iter().map(|line| {
        let (position, score) = line.split_once(',').unwrap();
        format!("\"{}\",{score}", position.trim())
    });
    let quoted = quoted.collect::<Vec<_>>().join("\n");
    fs::write(&other, format!("\u{feff}\"position\",\"score\"\n{quoted}\n")).unwrap();
    assert!(stdout(compare().success()).starts_with(&format!("{all} agree")));

    let named = lines.iter().map(|line| {
        let (position, score) = line.split_once(',').unwrap();
        format!("{position},Normal,,{}", score.trim().split(',').next().unwrap())
    });
    let named = named.collect::<Vec<_>>().join("\n");
    fs::write(&other, format!("position,goal,scoring,score\n{named}\n")).unwrap();
    assert!(stdout(compare().success()).starts_with(&format!("{all} agree")));

    // One that is missing in the table, one that differs.
    lines[3] = "-".repeat(20) + ",0";
    lines[5] = lines[5].split(',').next().unwrap().to_owned() + ",-33";
    fs::write(&other, lines.join("\n")).unwrap();
    let text = stdout(compare().code(5));
    let expected = format!("{} agree, 1 are not in the table, 1 differ\n", all - 2);
    assert!(text.starts_with(&expected) && text.contains("line 6 has -33"), "{text}");

    // More that differ than are shown.
    let wrong = |line: &String| line.split(',').next().unwrap().to_owned() + ",-33";
    let many: Vec<String> = lines[6..31].iter().map(wrong).collect();
    fs::write(&other, many.join("\n")).unwrap();
    let text = stdout(compare().code(5));
    assert_eq!(text.matches("differs: line").count(), 20, "{text}");
    assert!(text.ends_with("\nand 5 more\n"), "{text}");
    let found = json(run(&["table", "compare", &table, &other, "--json"]).code(5));
    assert_eq!((&found["differ"], &found["first"]), (&25.into(), &found["differences"][0]));
    assert_eq!(found["differences"].as_array().unwrap().len(), 20);

    for (text, why) in [
        ("XXXX,3\n", "line 1: 4 characters, but 4x5 has 20 cells"),
        ("Position,Score\nnonsense\n", "line 2: there is no comma"),
        ("-----OX--XO---------,x\n", "line 1: \"x\" is no score"),
        ("-----OX--XO---------,\n", "line 1: \"\" is no score"),
        ("position,empties,value\n-----OX--XO---------,9,1\n", "line 1: no column is named score"),
        (
            "goal,position,score\nreversed,-----OX--XO---------,1\n",
            "line 2: goal reversed, but the table is of goal normal",
        ),
        ("", "there is nothing to compare"),
        ("position,score\n--------------------,0\n", "none of which is in the table"),
    ] {
        fs::write(&other, text).unwrap();
        let refused = stderr(compare().code(2));
        assert!(refused.contains(why), "{refused}");
    }
    fs::write(&other, [0xFF, 0xFE]).unwrap();
    compare().code(2);
}

/// A table of the same rules with one score changed and one entry left out, the last of all.
fn changed(table: &Table, path: &Path) {
    let mut entries: Vec<_> = table.raw_entries().map(Result::unwrap).collect();
    entries.pop();
    entries[1].score += 1;
    let mut writer = Writer::create(path, table.header().contents.clone()).unwrap();
    entries.into_iter().for_each(|entry| writer.push(entry).unwrap());
    writer.finish().unwrap();
}

#[test]
fn a_table_is_compared_with_another_one() {
    let directory = tempfile::tempdir().unwrap();
    let path = shipped("4x4-normal-raw-diagonal.rvt");
    let table = Table::open(Path::new(&path)).unwrap();
    let all = table.header().entries();
    let compare = |one: &str, other: &str| run(&["table", "compare", one, other]);
    let same = stdout(compare(&path, &path).success());
    assert_eq!(same, format!("{all} agree, 0 are not in the table, 0 differ\n"));

    let other = directory.path().join("other.rvt");
    changed(&table, &other);
    let other = other.to_str().unwrap();
    let text = stdout(compare(&path, other).code(5));
    assert!(text.starts_with(&format!("{} agree, 0 are not in the table, 1 differ\n", all - 2)), "{text}");
    let (position, entry) = table.entries().nth(1).unwrap().unwrap();
    let position = Board::from_position(Geometry::FOUR, position, Color::Black);
    let score = entry.score.discs();
    let first = format!("differs: {position} has {:+}, the table {score:+}\n", score + 1);
    assert!(text.ends_with(&first), "{text}");
    let text = stdout(compare(other, &path).code(5));
    assert!(text.starts_with(&format!("{} agree, 1 are not in the table, 1 differ\n", all - 2)), "{text}");
    let piped =
        reversi().args(["table", "compare", &path, "-"]).write_stdin(fs::read(&path).unwrap()).assert();
    assert_eq!(stdout(piped.success()), same);

    for (made_otherwise, why) in [
        ("4x4-reversed-raw-diagonal.rvt", "is for 4x4 reversed raw, but"),
        ("4x4-normal-winner-diagonal.rvt", "is for 4x4 normal winner, but"),
        ("6x6-normal-raw-diagonal.rvt", "is for 6x6 normal raw, but"),
    ] {
        let refused = stderr(compare(&path, &shipped(made_otherwise)).code(4));
        assert!(refused.contains(made_otherwise) && refused.contains(why), "{refused}");
    }
    fs::write(other, &fs::read(&path).unwrap()[..5000]).unwrap();
    assert!(stderr(compare(&path, other).code(4)).contains("other.rvt"));
}

#[test]
fn a_complete_table_is_proved_by_equations_alone() {
    let table = shipped("4x4-reversed-winner-parallel.rvt");
    let report = json(run(&["table", "verify", "--whole", &table, "--json"]).success());
    assert_eq!(
        (&report["verdict"], &report["classes"]),
        (&Json::from("sound"), &Json::from(Vec::<Json>::new()))
    );
    assert!(report["for_all"].as_str().unwrap().starts_with("every score and every move"), "{report}");
}

#[test]
fn a_damaged_table_is_not_searched() {
    let directory = tempfile::tempdir().unwrap();
    let path = inside(directory.path(), "4x5-normal-raw-diagonal.rvt");
    let mut bytes = fs::read(table("normal")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let report = json(run(&["table", "verify", "--whole", &path, "--json"]).code(4));
    assert_eq!(
        (&report["verdict"], &report["classes"]),
        (&Json::from("damaged"), &Json::from(Vec::<Json>::new()))
    );
    assert_eq!(report["for_all"], Json::from("nothing: a check failed"));
}

/// docs/small-boards.md up to 20 squares, which take a second; the others up to 25 are in `docs/proof`.
#[test]
fn the_starts_of_small_boards_have_the_published_values() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/small-boards.md")).unwrap();
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let values = json_lines(run(&["table", "starts", "--squares", "20", "--json"]).success());
    let boards = (3..=8).flat_map(|width| (3..=8).map(move |height| (width, height)));
    let boards =
        boards.filter(|(width, height)| width * height <= 20 && Geometry::new(*width, *height).is_ok());
    assert_eq!(values.len(), boards.count() * Start::ALL.len() * Rules::ALL.len());
    for value in values {
        let text = |name: &str| value[name].as_str().unwrap().to_owned();
        let (board, start) = (text("board"), text("start"));
        let row = rows.iter().find(|row| row[0].split(", ").any(|name| name == board) && row[1] == start);
        let column = Rules::ALL
            .iter()
            .position(|rules| rules.goal.name() == text("goal") && rules.scoring.name() == text("scoring"));
        let expected: i64 = row.unwrap()[2 + column.unwrap()].parse().unwrap();
        assert_eq!(value["score"], Json::from(expected), "{value}");
    }
}
