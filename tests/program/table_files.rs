//! The tables that ship, and the commands that make them and look into them.

use crate::common::{self, run, shipped, stdout};
use predicates::prelude::*;
use reversi::rules::{Board, Geometry, Rules, Start};
use reversi::table::library::{self, file_name};
use reversi::table::{Region, Table, key};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

fn json_of(arguments: &[&str]) -> Json {
    common::json(run(&[arguments, &["--json"]].concat()).success())
}

fn all_4x4() -> impl Iterator<Item = (Rules, Start)> {
    Start::ALL.into_iter().flat_map(|start| Rules::ALL.map(|rules| (rules, start)))
}

#[test]
fn build_4x4_makes_the_shipped_bytes_at_any_number_of_threads() {
    for threads in ["1", "2", "8"] {
        let directory = tempfile::tempdir().unwrap();
        let out = directory.path().join("made/here");
        run(&["build", "4x4", "--threads", threads, "--out", out.to_str().unwrap()]).success();
        for (rules, start) in all_4x4() {
            let name = file_name(Geometry::FOUR, rules, start);
            assert!(
                fs::read(out.join(&name)).unwrap() == fs::read(shipped(&name)).unwrap(),
                "{name}, {threads} threads"
            );
        }
        assert_eq!(fs::read_dir(&out).unwrap().count(), 8, "nothing is left beside the tables");
    }
}

/// What the top of `crates/reversi-table-raw/src/format.rs` gives as examples.
#[test]
fn the_examples_of_the_specification_hold() {
    for (geometry, diagonal, parallel) in
        [(Geometry::FOUR, 138_996, 80_676), (Geometry::SIX, 24_431_405_652, 13_985_401_356)]
    {
        let [one, other] =
            [Start::Diagonal, Start::Parallel].map(|start| Board::start(geometry, start).position());
        assert_eq!(key::canonical(geometry, one).0, diagonal);
        assert_eq!(key::pack(geometry, other), parallel);
        assert_ne!(key::canonical(geometry, other).0, parallel);
    }
    let block = b"\x03\0\x0D\x01\x94\0\x18\x30\x1F\x3A\xBF\xCF\x1B\0\0\0";
    let index = [&139_001_u64.to_le_bytes()[..], b"\x7B\x39\xC7\x74"].concat();
    let file = fs::read(shipped("4x4-normal-raw-diagonal.rvt")).unwrap();
    assert!(file.windows(16 + 12).any(|bytes| bytes[..16] == *block && bytes[16..] == index));
    let table = Table::open(Path::new(&shipped("4x4-normal-raw-diagonal.rvt"))).unwrap();
    let entries = [(139_001, -8, "a2"), (171_561, 9, "c4"), (171_639, 8, "a4")];
    for (key, score, best) in entries {
        let entry = table.probe(key::unpack(Geometry::FOUR, key).unwrap()).unwrap().unwrap();
        assert_eq!((entry.score.discs(), entry.best.unwrap().to_string()), (score, best.to_owned()));
    }
}

#[test]
fn the_data_readme_names_the_checksums_that_build_prints() {
    let readme = fs::read_to_string(shipped("README.md")).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let made = json_of(&["build", "4x4", "--out", directory.path().to_str().unwrap()]);
    assert_eq!(made["schema"], "reversi.build/1");
    let mut tables = 0;
    for start in made["starts"].as_array().unwrap() {
        for table in start["tables"].as_array().unwrap() {
            let name = Path::new(table["file"].as_str().unwrap()).file_name().unwrap().to_str().unwrap();
            let row = format!("| `{name}` | {} | {} |", table["bytes"], table["sha256"].as_str().unwrap());
            assert!(readme.contains(&row), "data/README.md lacks {row}");
            tables += 1;
        }
    }
    assert_eq!(tables, 8);
}

/// Values of unfinished tables can be gone on from, do not contradict the shipped tables, and are as many as the README
/// says.
#[test]
fn the_values_of_unfinished_tables_are_those_that_the_data_readme_names() {
    let readme = fs::read_to_string(shipped("README.md")).unwrap();
    let mut files = 0;
    for entry in fs::read_dir(shipped("partial")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let row = readme.lines().find(|line| line.starts_with(&format!("| `{name}` |"))).unwrap();
        let sum = format!("{:x}", Sha256::digest(fs::read(&path).unwrap()));
        assert!(row.contains(&sum), "{row} {sum}");

        let table = shipped("6x6-normal-raw-diagonal.rvt");
        let directory = tempfile::tempdir().unwrap();
        let arguments = ["build", "6x6", "--goal", "normal", "--prefix", "9", "--down-to", "14", "--moves"];
        let from = ["--from", table.as_str(), "--from", path.to_str().unwrap()];
        let plan = ["--plan", directory.path().to_str().unwrap()];
        let laid_out = json_of(&[&arguments[..], &from, &plan].concat());
        let left = laid_out["next"]["searches"].as_u64().unwrap();
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [done, all] = cells[3].split(" of ").collect::<Vec<_>>()[..] else { panic!("{row}") };
        let number = |text: &str| text.replace(' ', "").parse::<u64>().unwrap();
        assert_eq!(number(done), number(all) - left, "{row}");
        files += 1;
    }
    assert_eq!(files, 1);
}

#[test]
fn a_rectangle_is_built_and_answers() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    run(&["build", "3x5", "--goal", "reversed", "--scoring", "winner", "--start", "parallel", "--out", out])
        .success()
        .stdout(predicate::str::contains("3x5 parallel: 2169 positions"));
    let table = Table::open(&directory.path().join("3x5-reversed-winner-parallel.rvt")).unwrap();
    let geometry = Geometry::new(3, 5).unwrap();
    let entry = table.probe(Board::start(geometry, Start::Parallel).position()).unwrap().unwrap();
    assert_eq!(entry.score, table.header().root_scores()[0]);
    assert_eq!(fs::read_dir(out).unwrap().count(), 1);
}

#[test]
fn boards_that_cannot_be_listed_are_refused_at_once() {
    let cases = [
        ("6x6", "reachable positions"),
        ("5x5", "pass --memory"),
        ("8x8", "too large for a table"),
        ("9x9", "outside the supported boards"),
        ("four", "no board size"),
    ];
    for (board, words) in cases {
        run(&["build", board]).code(2).stderr(predicate::str::contains(words));
    }
    run(&["build", "4x5", "--memory", "1M"]).code(2).stderr(predicate::str::contains("--memory"));
}

#[test]
fn every_table_in_the_program_is_whole_and_is_the_file_that_ships() {
    for (rules, start) in all_4x4() {
        let table = library::built_in(Geometry::FOUR, rules, start).expect("all eight are there");
        table.check_all_blocks().unwrap();
        table.expect(Geometry::FOUR, rules).unwrap();
        assert!(table.header().contents.covers(start));
        assert_eq!(table.header().contents.region, Region::Complete);
        let name = file_name(Geometry::FOUR, rules, start);
        assert!(*table.bytes().unwrap() == fs::read(shipped(&name)).unwrap(), "{name}");
    }
    assert!(library::built_in(Geometry::SIX, Rules::default(), Start::Diagonal).is_none());
}

#[test]
fn info_says_what_a_table_is() {
    let path = &shipped("4x4-normal-raw-diagonal.rvt");
    run(&["table", "info", path]).success().stdout(
        predicate::str::contains("12351")
            .and(predicate::str::contains("diagonal start"))
            .and(predicate::str::contains("every position that can be reached")),
    );
    let info = json_of(&["table", "info", path]);
    assert_eq!(info["schema"], "reversi.table-info/1");
    assert_eq!(
        (&info["board"], &info["goal"], &info["scoring"]),
        (&"4x4".into(), &"normal".into(), &"raw".into())
    );
    assert_eq!(info["region"]["kind"], "complete");
    assert_eq!(info["roots"][0]["position"], "-----OX--XO----- X");
    assert_eq!(info["roots"][0]["score"], -8);
    assert_eq!(
        (&info["entries"], &info["empties"]["12"], &info["empties"]["0"]),
        (&12_351.into(), &1.into(), &684.into())
    );
}

#[test]
fn stats_count_what_export_lists() {
    for name in ["4x4-normal-raw-diagonal.rvt", "4x4-reversed-winner-parallel.rvt"] {
        let path = &shipped(name);
        let stats = json_of(&["table", "stats", path]);
        let csv = stdout(run(&["table", "export", path]).success());
        let mut lines = csv.lines();
        assert_eq!(lines.next(), Some("position,score,best"));
        let mut scores: BTreeMap<String, u64> = BTreeMap::new();
        let (mut entries, mut passes, mut without_move) = (0, 0, 0);
        for line in lines {
            let fields: Vec<&str> = line.split(',').collect();
            let [position, score, best] = fields[..] else { panic!("{line}") };
            assert!(position.len() == 16 && position.chars().all(|cell| "XO-".contains(cell)), "{line}");
            *scores.entry(score.to_owned()).or_default() += 1;
            entries += 1;
            passes += u64::from(best == "pa");
            without_move += u64::from(best.is_empty());
        }
        assert_eq!(stats["all"]["entries"], entries);
        assert_eq!(stats["all"]["passes"], passes);
        assert_eq!(stats["all"]["without_move"], without_move);
        // Of a complete table everything that follows is stored.
        let finished = without_move;
        assert_eq!(stats["all"]["all_next_stored"], entries - passes - finished);
        let unique = stats["all"]["one_best_move"].as_u64().unwrap();
        assert!(unique > entries / 10 && unique < entries - passes - finished, "{unique}");
        assert_eq!(stats["certificates"], serde_json::json!({}));
        assert_eq!(stats["scores"], serde_json::to_value(scores).unwrap());
    }
}

#[test]
fn export_begins_with_the_start() {
    let path = &shipped("4x4-normal-raw-diagonal.rvt");
    let csv = stdout(run(&["table", "export", path]).success());
    assert_eq!(csv.lines().nth(1), Some("-----OX--XO-----,-8,b1"));
    run(&["table", "export", path, "--json"]).code(2);
}

#[test]
fn what_is_no_table_is_refused_with_its_code() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let whole = fs::read(shipped("4x4-normal-raw-diagonal.rvt")).unwrap();
    fs::write(at("empty.rvt"), "").unwrap();
    fs::write(at("text.rvt"), "position,score,best\n".repeat(100)).unwrap();
    fs::write(at("short.rvt"), &whole[..5000]).unwrap();
    fs::write(at("long.rvt"), [&whole[..], b"more"].concat()).unwrap();
    let mut newer = whole.clone();
    newer[8] = 3;
    fs::write(at("newer.rvt"), newer).unwrap();
    let mut flipped = whole;
    flipped[30_000] ^= 4;
    fs::write(at("flipped.rvt"), flipped).unwrap();
    let cases = [
        ("missing.rvt", 3, "missing.rvt"),
        ("empty.rvt", 4, "is not a reversi table"),
        ("text.rvt", 4, "is not a reversi table"),
        ("short.rvt", 4, "5000 bytes of 39760"),
        ("long.rvt", 4, "39764 bytes long instead of 39760"),
        ("newer.rvt", 4, "use a newer program"),
        ("flipped.rvt", 4, "checksum of block"),
        (".", 1, "directory"),
    ];
    for (name, code, words) in cases {
        for command in ["stats", "export", "moves"] {
            run(&["table", command, &at(name)])
                .code(code)
                .stderr(predicate::str::contains(words).and(predicate::str::contains(at(name))));
        }
    }
}

#[test]
fn a_killed_build_leaves_old_tables_or_whole_new_ones() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("3x7-normal-raw-diagonal.rvt");
    let (mut old, mut new) = (0, 0);
    // Later and later, until it was too late.
    for attempt in 0.. {
        fs::write(&path, "old").unwrap();
        let mut build = common::process()
            .args(["build", "3x7", "--start", "diagonal", "--out"])
            .arg(directory.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(25 * attempt));
        let ended = build.try_wait().unwrap();
        assert!(ended.is_none_or(|status| status.success()), "{ended:?}");
        build.kill().unwrap();
        build.wait().unwrap();
        if fs::read(&path).unwrap() == b"old" {
            old += 1;
        } else {
            Table::open(&path).and_then(|table| table.check_all_blocks()).expect("the new table is whole");
            new += 1;
        }
        if attempt >= 12 && new > 0 {
            break;
        }
    }
    assert!(old > 0, "the first was killed at once");
}

#[test]
fn a_table_under_the_name_of_another_one_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("4x4-normal-raw-diagonal.rvt");
    fs::copy(shipped("4x4-reversed-winner-diagonal.rvt"), &path).unwrap();
    let path = path.to_str().unwrap();
    let said = stdout(run(&["table", "verify", path]).code(4));
    let words = "sound, but its name says goal normal, the table is for reversed; scoring raw, the table is for winner";
    assert!(said.contains(words), "{said}");
    let json = common::json(run(&["table", "verify", path, "--json"]).code(4));
    assert_eq!(json["verdict"], "sound");
    assert!(json["misnamed"].as_str().unwrap().starts_with("its name says"), "{json}");
    // A name that promises nothing.
    let other = directory.path().join("mine.rvt");
    fs::copy(path, &other).unwrap();
    run(&["table", "verify", other.to_str().unwrap()]).success();
}

#[test]
fn several_tables_are_verified_together_and_the_first_that_is_not_sound_decides_the_exit_code() {
    let directory = tempfile::tempdir().unwrap();
    let misnamed = directory.path().join("4x4-normal-raw-diagonal.rvt");
    fs::copy(shipped("4x4-reversed-winner-diagonal.rvt"), &misnamed).unwrap();
    let misnamed = misnamed.to_str().unwrap();
    let (one, other) = (shipped("4x4-normal-raw-diagonal.rvt"), shipped("4x4-reversed-raw-diagonal.rvt"));
    let said = stdout(run(&["table", "verify", &one, &other]).success());
    let verdicts = said.lines().rev().take(2).collect::<Vec<&str>>();
    assert!(verdicts[0].starts_with(&format!("{other}: sound (")), "{said}");
    assert!(verdicts[1].starts_with(&format!("{one}: sound (")), "{said}");
    assert_eq!(said.lines().filter(|line| line.starts_with("ok    values")).count(), 2);
    let lines = stdout(run(&["table", "verify", &one, misnamed, &other, "--json"]).code(4));
    let reports: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(reports.len(), 3);
    assert!(reports.iter().all(|report| report["verdict"] == "sound"));
    assert!(reports[1]["misnamed"].is_string() && reports[2]["misnamed"].is_null());
    run(&["table", "verify", &one, "no-such-file.rvt"])
        .code(3)
        .stderr(predicate::str::contains("no-such-file.rvt"));
    run(&["table", "verify", "--whole", &one, &other])
        .code(2)
        .stderr(predicate::str::contains("a command for each"));
}

#[test]
fn a_table_of_version_1_is_converted_entry_for_entry() {
    let directory = tempfile::tempdir().unwrap();
    let old = shipped("../tests/data/tables-v1/5x5-reversed-raw-diagonal.rvt");
    let new = directory.path().join("new.rvt");
    let (old, new) = (old.as_str(), new.to_str().unwrap());
    assert_eq!(json_of(&["table", "info", old])["format_version"], 1);
    let converted = json_of(&["table", "convert", old, new]);
    assert_eq!(converted["schema"], "reversi.table-convert/1");
    assert_eq!((&converted["from_version"], &converted["format_version"]), (&1.into(), &2.into()));
    assert_eq!(json_of(&["table", "info", new])["format_version"], 2);
    let exported = |path| stdout(run(&["table", "export", path]).success());
    assert_eq!(exported(old), exported(new));
    // In its own place: the same bytes again.
    let bytes = fs::read(new).unwrap();
    run(&["table", "convert", new]).success().stdout(predicate::str::contains("version 2 to 2"));
    assert!(fs::read(new).unwrap() == bytes);
    fs::write(new, &bytes[..bytes.len() - 1]).unwrap();
    run(&["table", "convert", new]).code(4);
    run(&["table", "convert", "no-such.rvt"]).code(3);
    // Nothing else is lost for it.
    let notes = directory.path().join("notes.txt");
    fs::write(&notes, "mine").unwrap();
    let other = directory.path().join("4x4-reversed-raw-diagonal.rvt");
    let other_table = shipped("4x4-normal-raw-diagonal.rvt");
    let renamed = directory.path().join("renamed.rvt");
    fs::copy(&other_table, &renamed).unwrap();
    for (out, why) in [
        (&notes, "exists already and cannot be read as a table"),
        (&other, "its name says"),
        (&renamed, "is a table of other contents already"),
    ] {
        let refused = run(&["table", "convert", old, out.to_str().unwrap()]).code(2);
        refused.stderr(predicate::str::contains(why));
    }
    assert_eq!(fs::read_to_string(notes).unwrap(), "mine");
    assert!(fs::read(renamed).unwrap() == fs::read(other_table).unwrap());
    assert!(!other.exists());
}

#[test]
fn missing_moves_are_found_once_and_the_table_stays_sound() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    run(&["build", "4x5", "--goal", "normal", "--prefix", "3", "--down-to", "8", "--out", out]).success();
    let path = directory.path().join("4x5-normal-raw-diagonal.rvt");
    let (path, built) = (path.to_str().unwrap(), directory.path().join("built.rvt"));
    fs::copy(path, &built).unwrap();
    let without = |path: &str| json_of(&["table", "stats", path])["all"]["without_move"].as_u64().unwrap();
    let before = without(path);
    let found = json_of(&["table", "moves", path, "--threads", "2"]);
    assert_eq!(found["schema"], "reversi.table-moves/1");
    assert_eq!(found["missing"], 0);
    let count = found["found"].as_u64().unwrap();
    assert!(count > 0);
    assert_eq!(without(path), before - count);
    run(&["table", "verify", path]).success();
    let bytes = fs::read(path).unwrap();
    run(&["table", "moves", path]).success().stdout(predicate::str::contains("0 moves found"));
    assert!(fs::read(path).unwrap() == bytes);
    // A conversion of the table without them does not replace them.
    let lost = format!("holds {count} best moves of the last ply that");
    run(&["table", "convert", built.to_str().unwrap(), path]).code(2).stderr(predicate::str::contains(lost));
    assert!(fs::read(path).unwrap() == bytes);
    // A build finds them itself, in one go or in the table that it replaces.
    let with_moves = directory.path().join("with-moves");
    let region = ["build", "4x5", "--goal", "normal", "--prefix", "3", "--down-to", "8", "--moves", "--out"];
    let build_with_moves = || {
        run(&[&region[..], &[with_moves.to_str().unwrap()]].concat()).success();
        assert!(fs::read(with_moves.join("4x5-normal-raw-diagonal.rvt")).unwrap() == bytes);
    };
    build_with_moves();
    fs::copy(&built, with_moves.join("4x5-normal-raw-diagonal.rvt")).unwrap();
    build_with_moves();
    // What is known elsewhere is not searched again.
    let built = built.to_str().unwrap();
    let again = directory.path().join("again.rvt");
    fs::copy(built, &again).unwrap();
    let taken = json_of(&["table", "moves", built, "--from", path]);
    assert_eq!((&taken["taken_over"], &taken["nodes"]), (&count.into(), &0.into()));
    assert!(fs::read(built).unwrap() == bytes);
    let said = format!("{count} moves copied, 0 moves found");
    let again = again.to_str().unwrap();
    run(&["table", "moves", again, "--from", path]).success().stdout(predicate::str::contains(said));
    let other = run(&["table", "moves", again, "--from", &shipped("4x4-normal-raw-diagonal.rvt")]);
    other.code(4).stderr(predicate::str::contains("name another file"));
    // A build of another table drops them: its bytes do not depend on what it starts from.
    let again = directory.path().join("again");
    let again_path = again.to_str().unwrap();
    run(&[
        "build",
        "4x5",
        "--goal",
        "normal",
        "--prefix",
        "3",
        "--down-to",
        "8",
        "--out",
        again_path,
        "--from",
        path,
    ])
    .success();
    assert_eq!(without(again.join("4x5-normal-raw-diagonal.rvt").to_str().unwrap()), before);
    // What is in the table that it replaces would be lost: it stays, also in a larger region.
    let build = |down_to: &str, options: &[&str]| {
        let region =
            ["build", "4x5", "--goal", "normal", "--prefix", "3", "--down-to", down_to, "--out", out];
        run(&[&region, options].concat()).success()
    };
    build("8", &[]).stderr(predicate::str::contains(format!("{count} best moves of the last ply")));
    assert!(fs::read(path).unwrap() == bytes);
    build("7", &["--resume"]);
    assert!(without(path) <= before - count);
    run(&["table", "moves", path]).success().stdout(predicate::str::contains("0 moves found"));
    // A merge has the bytes of one process, or none.
    let plan = directory.path().join("plan");
    let plan = plan.to_str().unwrap();
    let region = ["build", "4x5", "--goal", "normal", "--prefix", "3", "--down-to", "7", "--plan", plan];
    run(&region).success();
    let bytes = fs::read(path).unwrap();
    while !Path::new(plan).join("4x5-normal-raw-diagonal.rvt").exists() {
        run(&["build", "--shard", "1/1", plan]).success();
        let merged = common::run(&["build", "--merge", plan, "--out", out]).get_output().clone();
        if !merged.status.success() {
            let said = String::from_utf8_lossy(&merged.stderr).into_owned();
            assert!(said.contains("best moves of the last ply, which a merge would lose"), "{said}");
            break;
        }
    }
    assert!(fs::read(path).unwrap() == bytes);
    build("7", &["--anew"]);
    run(&["table", "moves", path]).success().stdout(predicate::str::contains(format!("{count} moves found")));
    let other = shipped("4x4-normal-raw-diagonal.rvt");
    run(&["table", "moves", path, "--from", &other]).code(4);
}
