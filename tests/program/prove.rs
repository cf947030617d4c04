//! `reversi prove`: by one process, in parts, and what its verifier says.

use crate::common;
use serde_json::Value as Json;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Output, Stdio};

fn prove(arguments: &[&str], path: Option<&Path>) -> Output {
    common::process().args(["prove", "--memory", "16M"]).args(arguments).args(path).output().unwrap()
}

fn assert_code(output: &Output, code: i32) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(code), "{printed}{said}");
    printed + &said
}

/// 6x6 with 14 empty squares, X to move.
const POSITION: [&str; 4] = ["--position", "--OOO- --XOOX -XXXOX -OOXOO --XOX- --X--- X", "--depth", "3"];

#[test]
fn parts_and_one_process_prove_the_same_and_the_verifier_says_on_what_it_rests() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("alone.txt");
    let alone = assert_code(&prove(&[&POSITION[..], &["--quiet", "--certificate"]].concat(), Some(&file)), 0);
    let parts = directory.path().join("parts");
    let said = assert_code(&prove(&[&POSITION[..], &["--plan"]].concat(), Some(&parts)), 0);
    assert!(said.contains("round 1:") && said.contains("reversi prove --shard I/"), "{said}");
    loop {
        for part in ["2/3", "1/3", "3/3"] {
            assert_code(&prove(&["--shard", part], Some(&parts)), 0);
        }
        let merged = prove(&["--json", "--quiet", "--merge"], Some(&parts));
        let merged: Json = serde_json::from_str(&assert_code(&merged, 0)).unwrap();
        if merged["complete"] == true {
            break;
        }
    }
    let certificate = fs::read_to_string(parts.join("certificate.txt")).unwrap();
    assert_eq!(certificate, fs::read_to_string(&file).unwrap());
    assert!(alone.contains("the score is at least") && alone.contains("conditional on"), "{alone}");
    let all = assert_code(&prove(&["--sample", "100000", "--verify"], Some(&file)), 0);
    assert!(all.contains(": proved, all"), "{all}");
    assert!(all.contains("X on 6x6, normal goal, raw scoring:\nthe score is"), "{all}");
    for option in ["--board=5x5", "--goal=reversed", "--depth=3", "--at-least=1"] {
        for step in [&["--verify"][..], &["--merge"], &["--shard", "1/2"], &["--recheck", "5%"]] {
            let said = assert_code(&prove(&[&[option], step].concat(), Some(&file)), 2);
            assert!(said.contains("cannot be used with"), "{said}");
        }
    }
    let named: Json =
        serde_json::from_str(&assert_code(&prove(&["--json", "--sample=1", "--verify"], Some(&file)), 0))
            .unwrap();
    let sha256 = named["sha256"].as_str().unwrap();
    assert!(sha256.len() == 64 && all.ends_with(&format!("sha256 of the certificate: {sha256}\n")), "{all}");
    assert_eq!((&named["sample"], &named["seed"]), (&1.into(), &1.into()));
    let some = assert_code(&prove(&["--sample", "1", "--verify"], Some(&file)), 0);
    assert!(some.contains(": conditional on") && some.contains("2 of which"), "{some}");

    let lines: Vec<&str> = certificate.lines().collect();
    fs::write(&file, lines[..lines.len() - 1].join("\n")).unwrap();
    let said = assert_code(&prove(&["--verify"], Some(&file)), 4);
    assert!(said.contains("cut short or damaged"), "{said}");
}

/// Moves of a weak engine are refuted, and each refutation takes a round; those of a certificate are not.
#[test]
fn the_moves_of_a_certificate_prove_its_claims_again_in_one_round() {
    let directory = tempfile::tempdir().unwrap();
    let [first, second] = ["first.txt", "second.txt"].map(|name| directory.path().join(name));
    let proved =
        assert_code(&prove(&[&POSITION[..], &["--json", "--certificate"]].concat(), Some(&first)), 0);
    let claims: Json = serde_json::from_str(proved.lines().last().unwrap()).unwrap();
    let score = claims["claims"][0]["at_least"].to_string();
    let moves_of = format!("--moves-of={}", first.display());
    let again = |more: &[&str]| {
        let weak = ["--level", "0", "--expect", &score];
        prove(&[&POSITION[..], &weak, more, &["--certificate"]].concat(), Some(&second))
    };
    let said = assert_code(&again(&[&moves_of]), 0);
    assert!(said.contains("round 1: ") && !said.contains("round 2: "), "{said}");
    // A search may find a better bound of a leaf than another one, but the moves are the same.
    let moves = |path: &Path| {
        let text = fs::read_to_string(path).unwrap();
        text.lines().filter(|line| !line.starts_with("leaf") && !line.starts_with("end")).collect::<String>()
    };
    assert_eq!(moves(&first), moves(&second));
    let weak = assert_code(&again(&[]), 0);
    assert!(weak.contains("round 2: "), "{weak}");
    let said = assert_code(&prove(&["--board", "5x5", &moves_of], None), 2);
    assert!(said.contains("it is for 6x6, but the proof is for 5x5"), "{said}");
    let said = assert_code(&again(&[&moves_of, "--goal", "reversed"]), 2);
    assert!(said.contains("it is for the normal goal, but the proof is for the reversed goal"), "{said}");
    let other = ["--position", "--OOO- --XOOX -XXXOX -OOXOO --XOX- --X--- O", "--depth", "3"];
    let said = assert_code(&prove(&[&other[..], &[&moves_of]].concat(), None), 0);
    assert!(said.contains("it is of another position, "), "{said}");
}

#[test]
fn what_is_no_certificate_is_wrong_input_and_a_damaged_one_is_told_from_it() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("certificate.txt");
    let verify = |path: &Path| prove(&["--sample", "1", "--verify"], Some(path));
    let table = common::shipped("4x4-normal-raw-diagonal.rvt");
    fs::write(&file, "a text\n").unwrap();
    for (path, why) in [
        (&*directory.path().join("missing"), "No such file"),
        (directory.path(), "Is a directory"),
        (Path::new(&table), "is no certificate; `reversi prove` writes one"),
        (&file, "is no certificate; `reversi prove` writes one"),
    ] {
        let said = assert_code(&verify(path), 2);
        assert!(said.contains(why), "{why}: {said}");
    }
    fs::remove_file(&file).unwrap();
    assert_code(&prove(&[&POSITION[..], &["--quiet", "--certificate"]].concat(), Some(&file)), 0);
    let mut bytes = fs::read(&file).unwrap();
    bytes[100] ^= 0x80;
    fs::write(&file, bytes).unwrap();
    let said = assert_code(&verify(&file), 4);
    assert!(said.contains("damaged") && said.contains("make it again with `reversi prove`"), "{said}");
}

/// Also after its state lost its last lines, as when the check was ended, or holds a line cut short.
#[test]
fn a_check_of_a_certificate_goes_on_where_it_was_left_and_with_no_other() {
    let directory = tempfile::tempdir().unwrap();
    let [file, state] = ["certificate.txt", "state"].map(|name| directory.path().join(name));
    let resume = format!("--resume={}", state.display());
    assert_code(&prove(&[&POSITION[..], &["--quiet", "--certificate"]].concat(), Some(&file)), 0);
    let check = |more: &[&str]| {
        let output = prove(&[&["--sample", "100000"], more, &["--verify"]].concat(), Some(&file));
        let said = String::from_utf8(output.stderr.clone()).unwrap();
        assert_code(&output, 0);
        (String::from_utf8(output.stdout).unwrap(), said)
    };
    let (expected, _) = check(&[]);
    assert!(expected.contains("proved, all "), "{expected}");
    assert_eq!(check(&[&resume]), (expected.clone(), String::new()));
    let whole = fs::read_to_string(&state).unwrap();
    let all = expected.split("all ").nth(1).unwrap().split(' ').next().unwrap();
    let before = |searched: &str| format!("{searched} of {all} leaves were searched before\n");
    assert_eq!(check(&[&resume]), (expected.clone(), before(all)));
    // The first line names the certificate, the second the program; a line for each eight leaves follows.
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    assert!(lines.len() > 4, "{whole}");
    let (_, place) = lines[2].split_once("leaves ").unwrap();
    let (from, to) = place.split(',').next().unwrap().split_once("..").unwrap();
    let first = to.parse::<u32>().unwrap() - from.parse::<u32>().unwrap();
    for rest in ["", &lines[3][..20]] {
        fs::write(&state, lines[..3].concat() + rest).unwrap();
        assert_eq!(check(&[&resume]), (expected.clone(), before(&first.to_string())));
        let again = fs::read_to_string(&state).unwrap();
        assert_eq!(again.lines().count(), whole.lines().count());
    }
    let few = ["--sample", "1", &resume, "--verify"];
    let few = assert_code(&prove(&few, Some(&file)), 0);
    assert!(!few.contains("searched before") && few.contains("2 of which"), "{few}");
    let other =
        ["--position", "--OOO- --XOOX -XXXOX -OOXOO --XOX- --X--- O", "--depth", "2", "--certificate"];
    fs::remove_file(&file).unwrap();
    assert_code(&prove(&other, Some(&file)), 0);
    let said = assert_code(&prove(&[&resume, "--verify"], Some(&file)), 2);
    assert!(said.contains("state was made for another table or certificate, or by another"), "{said}");
    let said = assert_code(&prove(&["--board", "4x4", &resume], None), 2);
    assert!(said.contains("--verify"), "{said}");
}

/// Also if the fault was found before.
#[test]
fn a_check_that_goes_on_forgets_no_fault() {
    let directory = tempfile::tempdir().unwrap();
    let [file, state] = ["certificate.txt", "state"].map(|name| directory.path().join(name));
    assert_code(&prove(&[&POSITION[..], &["--quiet", "--certificate"]].concat(), Some(&file)), 0);
    let text = fs::read_to_string(&file).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.pop();
    let place = lines.iter().position(|line| line.contains(" at-most ") && line.starts_with("leaf")).unwrap();
    let too_good = format!("{} -36", lines[place].rsplit_once(' ').unwrap().0);
    lines[place] = &too_good;
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(&file, format!("{body}end {} {:08x}\n", lines.len(), crc32fast::hash(body.as_bytes())))
        .unwrap();
    let resume = format!("--resume={}", state.display());
    let check = |more: &[&str]| {
        let command = [&["--sample", "100000"], more, &[&resume, "--verify"]].concat();
        let output = prove(&command, Some(&file));
        assert_code(&output, 5);
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (first, said) = check(&[]);
    assert!(first.contains("1 is not: ") && first.contains("the certificate is WRONG"), "{first}{said}");
    let (again, said) = check(&[]);
    assert!(again == first && said.contains("leaves were searched before"), "{again}{said}");
    let (found, said) = check(&["--json", "--quiet"]);
    let found: Json = serde_json::from_str(&found).unwrap();
    assert_eq!(
        (&found["sound"], found["programs"].as_array().unwrap().len(), &*said),
        (&false.into(), 1, "")
    );
    assert!(found["seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_certificate_may_have_been_through_an_editor_on_windows() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("certificate.txt");
    assert_code(&prove(&[&POSITION[..], &["--quiet", "--certificate"]].concat(), Some(&file)), 0);
    // Only the checksum of the file differs.
    let verify = || {
        let said = assert_code(&prove(&["--sample", "1", "--verify"], Some(&file)), 0);
        said.lines().filter(|line| !line.starts_with("sha256")).collect::<Vec<_>>().join("\n")
    };
    let expected = verify();
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace('\n', "\r\n")).unwrap();
    assert_eq!(verify(), expected);
    fs::write(&file, format!("\u{feff}{text}")).unwrap();
    assert_eq!(verify(), expected);
}

#[test]
fn a_proof_goes_on_where_it_was_left_and_nowhere_else() {
    let directory = tempfile::tempdir().unwrap();
    let claim = [&POSITION[..], &["--at-least", "-35", "--work"]].concat();
    let said = assert_code(&prove(&claim, Some(directory.path())), 0);
    assert!(said.contains("at least -35"), "{said}");
    let said = assert_code(&prove(&[&POSITION[..], &["--work"]].concat(), Some(directory.path())), 2);
    assert!(said.contains("is for another proof"), "{said}");
    let build = common::process().args(["build", "--merge"]).arg(directory.path()).output().unwrap();
    let said = assert_code(&build, 2);
    assert!(said.contains("is a plan of a proof, not a plan of a build"), "{said}");
    let said = assert_code(&prove(&["--board", "4x4", "--depth", "12"], None), 2);
    assert!(said.contains("leaves nothing to search"), "{said}");
}

#[test]
fn a_place_that_cannot_take_the_certificate_is_named_before_the_searches() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("missing/c.txt");
    let said = assert_code(&prove(&[&POSITION[..], &["--certificate"]].concat(), Some(&file)), 1);
    assert!(said.contains("--certificate") && !said.contains("round 1"), "{said}");
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    for option in ["--plan", "--work"] {
        let said = assert_code(&prove(&[&POSITION[..], &[option]].concat(), Some(&file)), 1);
        assert!(said.contains(option) && said.contains("this is a file, not a directory"), "{said}");
    }
    let said = assert_code(&prove(&[&POSITION[..], &["--level", "21"]].concat(), None), 2);
    assert!(said.contains("--level"), "{said}");
}

#[test]
fn a_certificate_replaces_no_other_file_and_not_the_one_whose_moves_it_takes() {
    let directory = tempfile::tempdir().unwrap();
    let (file, notes) = (directory.path().join("c.txt"), directory.path().join("notes"));
    let proof = |options: &[&str], path: &Path| {
        prove(&[&["--board=4x4", "--depth=2", "--quiet"], options, &["--certificate"]].concat(), Some(path))
    };
    fs::write(&notes, "mine").unwrap();
    let no_certificate = "is no certificate of this position and these rules";
    assert!(assert_code(&proof(&[], &notes), 2).contains(no_certificate));
    assert_eq!(fs::read_to_string(&notes).unwrap(), "mine");
    assert_code(&proof(&[], &file), 0);
    assert_code(&proof(&[], &file), 0);
    let made = fs::read(&file).unwrap();
    for options in ["--goal=reversed", "--scoring=winner", "--start=parallel"] {
        assert!(assert_code(&proof(&[options], &file), 2).contains(no_certificate), "{options}");
    }
    let moves = proof(&["--moves-of", file.to_str().unwrap()], &file);
    assert!(assert_code(&moves, 2).contains("this is also the file of --moves-of"));
    assert_eq!(fs::read(&file).unwrap(), made);
}

#[test]
#[cfg(unix)]
fn a_stop_says_whether_anything_was_kept() {
    let directory = tempfile::tempdir().unwrap();
    let work = directory.path().join("work");
    for (options, says) in
        [(&[][..], "nothing was saved"), (&["--work", work.to_str().unwrap()], "are saved")]
    {
        let mut command = common::process();
        command.args(["prove", "--board", "6x6", "--depth", "6", "--memory", "16M", "--threads", "1"]);
        let mut child = command.args(options).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        assert!(line.contains("round 1"), "{line}");
        common::interrupt(child.id());
        said.read_to_string(&mut line).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{line}");
        assert!(line.contains(says), "{line}");
    }
}

/// Boards without tables, whose certificates the verifier's search proves all the same.
#[test]
fn a_line_is_tried_first_and_a_wrong_one_is_named() {
    // The moves of a table: the proof has no round that a wrong move adds.
    let searches = |line: &[&str]| {
        let run = prove(
            &[&["--board", "5x5", "--depth", "6", "--level", "0", "--expect", "13"], line].concat(),
            None,
        );
        assert_code(&run, 0);
        let told = String::from_utf8(run.stderr).unwrap();
        let rounds = told.lines().filter_map(|line| {
            line.split_once(" done, ")?.0.rsplit_once(' ')?.0.rsplit(' ').next()?.parse::<u32>().ok()
        });
        rounds.sum::<u32>()
    };
    let perfect = "d3d2a1c4b5c5d5a2a3b4c1e3d4b1a5e5e4d1e1e2a4";
    assert!(searches(&["--line", perfect]) < searches(&[]));
    let said = assert_code(&prove(&["--board", "5x5", "--depth", "5", "--line", "d3d4z9"], None), 2);
    assert!(said.contains("--line: move 3"), "{said}");
}

#[test]
fn the_leaves_of_boards_without_keys_are_searched_by_the_verifier() {
    let directory = tempfile::tempdir().unwrap();
    for (board, position) in [
        ("6x7", "--OXXX-XO-X--XOXXO--XOOOOOOXXOXXXXX---XXX- X"),
        ("7x7", "-XXXX-OOXXOXOOOXXXXX-OXOOXXX-X-O-X-XXOOXXX-X-O--- O"),
    ] {
        let file = directory.path().join(board);
        let claim = ["--board", board, "--position", position, "--depth", "2", "--quiet", "--certificate"];
        assert_code(&prove(&claim, Some(&file)), 0);
        let all = assert_code(&prove(&["--sample", "100000", "--verify"], Some(&file)), 0);
        assert!(all.contains(": proved, all"), "{board}: {all}");
    }
}

#[test]
fn a_score_that_is_expected_is_tried_first_and_a_wrong_one_changes_nothing_but_the_rounds() {
    let rounds_with = |expected: &str| {
        let arguments = ["--board", "4x5", "--depth", "4", "--expect", expected];
        let said = assert_code(&prove(&arguments, None), 0);
        assert!(said.contains("at least 16 and at most 16"), "{said}");
        said.matches(" rechecked; the score").count()
    };
    let (right, wrong) = (rounds_with("16"), rounds_with("-8"));
    assert!(right < wrong, "{right} and {wrong} rounds");
    let said = assert_code(&prove(&["--board", "4x5", "--expect", "21"], None), 2);
    assert!(said.contains("--expect") && said.contains("4x5"), "{said}");
    assert_code(&prove(&["--board", "4x5", "--expect", "16", "--at-least", "2"], None), 2);
    for (bound, proved) in [("16", true), ("17", false)] {
        let said = assert_code(&prove(&["--board", "4x5", "--at-least", bound, "--json"], None), 0);
        let said: Json = serde_json::from_str(said.lines().last().unwrap()).unwrap();
        assert_eq!(said["proved"], proved, "{said}");
    }
    let directory = tempfile::tempdir().unwrap();
    let begun = |expected| prove(&["--board", "4x5", "--expect", expected, "--work"], Some(directory.path()));
    assert_code(&begun("16"), 0);
    assert_code(&begun("16"), 0);
    assert!(assert_code(&begun("14"), 2).contains("begun with an expected score of 16"));
    assert_code(&begun("100"), 2);
    let trivial = |bound| prove(&["--board", "4x5", bound], None);
    assert!(assert_code(&trivial("--at-least=-20"), 2).contains("nothing to prove"));
    assert!(assert_code(&trivial("--at-most=20"), 2).contains("nothing to prove"));
}

/// Their trees whole; the leaves lie too far from the end of the game for a test.
#[test]
fn the_trees_of_the_shipped_certificates_hold() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/proof");
    let checksums = fs::read_to_string(directory.join("SHA256SUMS")).unwrap();
    let paths: Vec<_> =
        fs::read_dir(directory.join("certificates")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!paths.is_empty());
    for path in paths {
        let said = assert_code(&prove(&["--sample", "0", "--json", "--quiet", "--verify"], Some(&path)), 0);
        let said: Json = serde_json::from_str(&said).unwrap();
        let leaves = said["leaves"].as_u64().unwrap();
        assert!(said["sound"] == true && leaves > 0, "{said}");
        let line = format!(
            "{}  certificates/{}\n",
            said["sha256"].as_str().unwrap(),
            path.file_name().unwrap().display()
        );
        assert!(checksums.contains(&line), "{line}");
        // At least and at most the value that the atlas has.
        let name = path.file_stem().unwrap().to_str().unwrap();
        let [board, goal, scoring, start] = *name.split('-').collect::<Vec<_>>() else { panic!("{name}") };
        let atlas = common::process().args(["lab", "atlas", "--json", "--board", board]).output().unwrap();
        let atlas: Json = serde_json::from_str(&assert_code(&atlas, 0)).unwrap();
        let is_named = |value: &&Json| {
            (&value["goal"], &value["scoring"], &value["start"])
                == (&goal.into(), &scoring.into(), &start.into())
        };
        let known = atlas["values"].as_array().unwrap().iter().find(is_named).expect(name);
        let claims = serde_json::json!([{"at_least": known["score"]}, {"at_most": known["score"]}]);
        assert_eq!(said["claims"], claims, "{name}");
    }
}
