//! `reversi match` and `reversi players` as their user sees them.

use crate::common::{self, stderr, stdout};
use assert_cmd::assert::Assert;
use reversi::arena::openings;
use reversi::engine::{Game, GameBoard};
use reversi::rules::{Geometry, Passing, Rules, Start};
use reversi::search::reference::minimax::minimax;
use serde_json::Value as Json;
use std::path::Path;
use std::time::{Duration, Instant};

fn reversi(arguments: &[&str]) -> Assert {
    common::reversi().args(arguments).timeout(Duration::from_secs(120)).assert()
}

/// The JSON of a match that ends well.
fn match_json(arguments: &[&str]) -> Json {
    let all = [&["match", "--json"], arguments].concat();
    common::json(reversi(&all).success())
}

/// The JSON of a match in which a player fails.
#[cfg(unix)]
fn failed_match_json(arguments: &[&str]) -> Json {
    let all = [&["match", "--json"], arguments].concat();
    common::json(reversi(&all).code(1))
}

/// The transcripts of a match.
fn saved_games(arguments: &[&str]) -> String {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("games.txt");
    let all = [&["match", "--quiet", "--save", file.to_str().unwrap()], arguments].concat();
    reversi(&all).success();
    std::fs::read_to_string(file).unwrap()
}

#[test]
fn the_same_seed_plays_the_same_games_however_many_at_once() {
    for players in
        [["alphabeta:2", "random"], ["engine:depth=3", "corners-moves-tokens:2"], ["phases:3", "stages"]]
    {
        let games = |at_once, seed| {
            let mut arguments = players.to_vec();
            arguments.extend(["--games", "10", "--at-once", at_once, "--seed", seed, "--goal", "reversed"]);
            saved_games(&arguments)
        };
        let one = games("1", "7");
        assert_eq!((one.lines().next(), one.lines().count()), (Some("% goal=reversed"), 11));
        assert_eq!(one, games("4", "7"), "{players:?}");
        assert_ne!(one, games("1", "8"), "{players:?}");
    }
}

#[test]
fn each_opening_is_played_with_both_colours() {
    for opening in [["--openings", "5"], ["--random-openings", "5"]] {
        let games = saved_games(&["first", "first", "--games", "20", opening[0], opening[1]]);
        let games: Vec<&str> = games.lines().collect();
        for pair in games.chunks(2) {
            assert_eq!(pair[0], pair[1], "two players who are the same play the same game twice");
        }
        assert_ne!(games[0], games[2], "{opening:?}");
    }
}

/// On 4x4 the engine's judgement is proved, so that it can be told from outside what it has to take.
#[test]
fn even_openings_are_all_those_near_a_draw() {
    let first = GameBoard::start(Geometry::FOUR.into(), Start::Diagonal);
    let game = Game::new(first, Rules::default(), Passing::Allowed);
    let worth = |game: &Game| {
        let position = game.board().small().expect("a small board").position();
        minimax(Geometry::FOUR, Rules::default(), position).discs().abs()
    };
    let all: Vec<i32> = openings::canonical(&game, 5).iter().map(worth).collect();
    for most in [0, 3, 64] {
        let expected = all.iter().filter(|&&worth| worth <= most).count();
        let most = most.to_string();
        let match_of = |kind: &str| {
            let games = ["first", "first", "--board", "4x4", "--games", "1000"];
            let report = match_json(&[&games[..], &[kind, "5", "--even", &most]].concat());
            assert_eq!(report["openings"]["even"].to_string(), most);
            report["openings"]["count"].as_u64().unwrap() as usize
        };
        assert_eq!(match_of("--openings"), expected, "within {most} of {all:?}");
        assert_eq!(match_of("--random-openings"), 500, "drawn until there are enough");
        assert!(most == "64" || (1..all.len()).contains(&expected), "a choice that can go wrong");
    }
}

#[test]
fn a_match_adds_up() {
    let report = match_json(&["alphabeta:2", "random", "--board", "6x6", "--games", "30"]);
    assert_eq!(report["schema"], "reversi.match/1");
    assert_eq!(report["players"], serde_json::json!(["alphabeta:2", "random"]));
    let number = |value: &Json| value.as_u64().unwrap();
    assert_eq!(number(&report["wins"]) + number(&report["draws"]) + number(&report["losses"]), 30);
    for color in ["as_black", "as_white"] {
        let sums: u64 = ["wins", "draws", "losses"].iter().map(|word| number(&report[color][word])).sum();
        assert_eq!(sums, 15);
    }
    assert!(number(&report["wins"]) > 20, "depth 2 beats random moves nearly always: {report}");
    assert!(report["elo"]["low"].as_f64() < report["elo"]["difference"].as_f64());
    assert!(report["effort"][0]["nodes"].as_u64() > Some(0));
    assert_eq!(report["forfeits"], serde_json::json!([]));
}

#[test]
fn pairs_and_the_stop_rule_are_the_same_however_many_games_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let play = |at_once: &str| {
        let path = |ending: &str| directory.path().join(format!("{at_once}.{ending}"));
        let (games, table) = (path("txt"), path("csv"));
        let options = ["--sprt", "0,150", "--games", "400", "--openings", "xot", "--at-once", at_once];
        let files = ["--save", games.to_str().unwrap(), "--csv", table.to_str().unwrap(), "--quiet"];
        let report = match_json(&[&["engine:depth=2", "corners:1"], &options[..], &files[..]].concat());
        let read = |path| std::fs::read_to_string(path).unwrap();
        (report, read(&games), read(&table))
    };
    let (report, games, table) = play("1");
    let (again, same_games, same_table) = play("3");
    assert_eq!(
        (&games, &table, &report["pairs"], &report["sprt"]),
        (&same_games, &same_table, &again["pairs"], &again["sprt"])
    );
    let count = report["games"].as_u64().unwrap();
    assert!(count < 400 && games.lines().count() as u64 == count, "{report}");
    assert_eq!(report["pairs"]["pairs"].as_u64(), Some(count / 2));
    assert_eq!((&report["sprt"]["accepted"], &report["openings"]["kind"]), (&"elo1".into(), &"xot".into()));
    let (names, cells) = table.trim_end().split_once('\n').unwrap();
    assert_eq!(names.split(',').count(), cells.split(',').count());
    assert!(names.contains("both-won") && names.ends_with("llr,upper-bound,accepted"), "{names}");
    assert!(cells.starts_with("engine:depth=2,corners:1,") && cells.ends_with(",elo1"), "{cells}");
}

/// What is there is printed all the same.
#[test]
fn fewer_openings_than_asked_for_are_a_failure() {
    let few = "openings --board 4x4 --count 50 --plies 2 --even 20 --judge engine:level=1 --quiet";
    let arguments: Vec<&str> = few.split(' ').collect();
    let ended = reversi(&arguments).code(1).get_output().clone();
    let [printed, said] = [ended.stdout, ended.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(printed.lines().filter(|line| !line.starts_with(['#', '%'])).count() > 0, "{printed}");
    assert!(said.contains("of 50 openings were found"), "{said}");
}

#[test]
fn openings_of_a_file_are_made_and_played() {
    let directory = tempfile::tempdir().unwrap();
    let make = ["openings", "--board", "6x6", "--plies", "6", "--count", "3", "--judge", "engine:level=3"];
    let list = stdout(reversi(&make).success());
    assert_eq!(list, stdout(reversi(&make).success()), "the same options, the same list");
    let lines: Vec<&str> = list.lines().filter(|line| !line.starts_with(['#', '%'])).collect();
    assert_eq!(lines.len(), 3, "{list}");
    let file = directory.path().join("list.txt");
    std::fs::write(&file, &list).unwrap();
    let file = file.to_str().unwrap();
    let games = saved_games(&["first", "first", "--board", "6x6", "--games", "6", "--openings", file]);
    let begins = |line: &&str| games.lines().filter(|game| game.contains(*line)).count() == 2;
    assert!(lines.iter().all(begins), "{games}");
    let wrong = stderr(reversi(&["match", "first", "first", "--openings", file]).code(2));
    assert!(wrong.contains("list.txt: line 3:"), "{wrong}");
    let play = ["match", "first", "first", "--board", "6x6", "--openings", file];
    let reversed = stderr(reversi(&[&play[..], &["--goal", "reversed"]].concat()).code(2));
    assert!(reversed.contains("list.txt: line 1: these openings are for the normal goal"), "{reversed}");
    let over = stderr(reversi(&[&play[..], &["--save", file]].concat()).code(2));
    assert!(over.contains("this is also the list of --openings"), "{over}");
    assert_eq!(std::fs::read_to_string(file).unwrap(), list);
    let none = stderr(reversi(&["match", "first", "first", "--board", "6x6", "--openings", "xot"]).code(2));
    assert!(none.contains("reversi openings"), "{none}");
}

#[test]
fn the_same_game_again_makes_nothing_more_certain() {
    let conditions = ["--board", "4x4", "--openings", "1", "--games"];
    let report = match_json(&[&["perfect", "first"], &conditions[..], &["20"]].concat());
    let few = match_json(&[&["perfect", "first"], &conditions[..], &["2"]].concat());
    assert_eq!((&report["games"], &report["different_games"]), (&20.into(), &2.into()));
    assert_eq!(report["elo"], few["elo"]);
}

#[test]
fn other_boards_and_rules_are_played() {
    for arguments in [
        &["alphabeta:1", "random", "--board", "16x16", "--no-passing", "--games", "2"][..],
        &["engine:depth=2", "first", "--board", "4x7", "--start", "parallel", "--games", "2"],
        &["minimax:2", "first", "--board", "3x3", "--goal", "reversed", "--games", "2", "--openings", "1"],
        &["random", "first", "--board", "24x24", "--games", "2", "--random-openings", "3"],
    ] {
        assert_eq!(match_json(arguments)["games"], 2, "{arguments:?}");
    }
}

#[test]
fn games_are_saved_as_ggf() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("games.ggf");
    reversi(&[
        "match",
        "alphabeta:2",
        "first",
        "--games",
        "4",
        "--goal",
        "reversed",
        "--save",
        file.to_str().unwrap(),
    ])
    .success();
    let records = reversi::formats::ggf::parse(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(records.len(), 4);
    assert_eq!((records[0].black.as_str(), records[0].white.as_str()), ("alphabeta:2", "first"));
    assert_eq!((records[1].black.as_str(), records[1].white.as_str()), ("first", "alphabeta:2"));
    assert!(records.iter().all(|record| record.result.is_some()));
    assert!(records[0].moves().iter().skip(4).any(|annotated| annotated.seconds.is_some()));
}

#[test]
fn saved_games_can_be_read_again_whatever_they_begin_with() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("games.txt");
    let path = file.to_str().unwrap();
    for options in
        [&["--board", "4x4"][..], &["--board", "4x4", "--start", "parallel"], &["--start", "parallel"]]
    {
        let game = ["match", "first", "random", "--games", "3", "--openings", "2", "--save", path];
        let told = reversi(&[&game[..], options].concat()).success();
        assert!(stderr(told).trim_end().ends_with("--opening 2"));
        let review = ["review", "--file", path, "--game", "1", "--player", "engine:depth=1", "--json"];
        let reviewed = common::json(reversi(&review).success());
        let first = std::fs::read_to_string(&file).unwrap().lines().next().unwrap().to_owned();
        let moves: Vec<&str> =
            reviewed["moves"].as_array().unwrap().iter().map(|mv| mv["move"].as_str().unwrap()).collect();
        assert!(first.ends_with(&moves.concat()), "{first}");
        assert!(first.starts_with(reviewed["first"].as_str().unwrap()), "{first}");
    }
    let other = ["--board", "4x6", "--no-passing", "--scoring", "winner", "--goal", "reversed"];
    let game = ["match", "first", "random", "--games", "3", "--openings", "2", "--save", path];
    let told = stderr(reversi(&[&game[..], &other].concat()).success());
    assert!(told.contains("games.txt --no-passing --board 4x6 --opening 2\n"), "{told}");
    let review = format!("review --file {path} --no-passing --board 4x6 --opening 2 --game 1 --json");
    let reviewed = common::json(reversi(&review.split(' ').collect::<Vec<_>>()).success());
    assert_eq!((&reviewed["goal"], &reviewed["scoring"]), (&"reversed".into(), &"winner".into()));
}

#[cfg(unix)]
#[test]
fn saved_games_take_the_place_of_older_ones_as_a_whole() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let directory = tempfile::tempdir().unwrap();
    let (file, link) = (directory.path().join("games.txt"), directory.path().join("link"));
    std::fs::write(&file, "f5d6\n").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o600)).unwrap();
    for path in [&link, &file] {
        // As long as it is open, its number is not given to another.
        let older = std::fs::File::open(&file).unwrap();
        let save = ["--games", "2", "--board", "4x4", "--save", path.to_str().unwrap()];
        reversi(&[&["match", "first", "random"], &save[..]].concat()).success();
        assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 2);
        let saved = std::fs::metadata(&file).unwrap();
        assert_ne!(saved.ino(), older.metadata().unwrap().ino(), "{}", path.display());
        assert_eq!(saved.mode() & 0o777, 0o600, "as private as before");
    }
    assert!(link.is_symlink() && std::fs::read_dir(directory.path()).unwrap().count() == 2);
}

#[test]
fn the_engine_keeps_its_clock() {
    let clocks = [["--time", "5s"], ["--move-time", "500ms"]];
    for (clock, board) in clocks.into_iter().zip(["8x8", "5x6"]) {
        let conditions = ["--games", "2", "--at-once", "1", "--board", board];
        let arguments = [&["engine", "engine:level=20"], &clock[..], &conditions[..]].concat();
        let is_in_time =
            |report: &Json| report["faults"].as_array().unwrap().iter().all(|faults| faults["late"] == 0);
        let mut report = match_json(&arguments);
        if !is_in_time(&report) {
            // The machine may have stood still for a tenth of a second.
            report = match_json(&arguments);
        }
        assert!(is_in_time(&report), "{report}");
    }
}

#[test]
fn a_clock_that_gtp_cannot_tell_is_named() {
    let program = common::gtp("--player first");
    let said = |time| {
        let arguments =
            ["match", "first", "--gtp", &program, "--games", "2", "--board", "4x4", "--move-time", time];
        String::from_utf8(reversi(&arguments).success().get_output().stderr.clone()).unwrap()
    };
    assert!(said("900ms").contains("the limit of 0.9 s cannot be sent to other programs"));
    assert!(!said("1s").contains("cannot be sent"));
}

#[test]
fn wrong_usage_is_told_with_the_way_out() {
    let reversi_gtp = common::gtp("--player first");
    for (arguments, words) in [
        (&["alphabeta:2"][..], "a match is between two players, not 1"),
        (&["first", "first", "first"], "a match is between two players, not 3"),
        (&["first", "--gtp", "a 'b"], "with all quotes closed"),
        (&["first", "first", "--save", "-"], "games are saved in a file; name one"),
        (&["first", "first", "--save", "a.csv", "--csv", "a.csv"], "--csv names the same file; name two"),
        (&["alphabet:2", "first"], "the nearest names are alphabeta"),
        (&["alphabeta:0", "first"], "\"0\" is no value for depth; 1 to 60"),
        (&["phases", "first", "--board", "6x6"], "only defined on 8x8"),
        (&["engine", "first", "--board", "10x10"], "from 3x3 to 8x8, not on 10x10"),
        (&["first", "first", "--board", "25x3"], "25x3 is outside"),
        (&["first", "first", "--board", "3x3", "--openings", "8"], "every game is over after 8 moves"),
        (&["first", "first", "--board", "10x10", "--even", "2"], "so it cannot tell how even an opening is"),
        (
            &["first", "first", "--board", "4x4", "--openings", "1", "--even", "0"],
            "none of the 1 openings examined",
        ),
        (
            &["first", "first", "--board", "3x3", "--openings", "8", "--even", "2"],
            "every game is over after 8",
        ),
        (&["first", "first", "--time", "soon"], "write a time above 0, as in 60s"),
        (&["first", "--gtp", &reversi_gtp, "--board", "6x8"], "GTP only has square boards"),
        (&["perfect", "first", "--board", "4x4", "--no-passing"], "a side without a move passes"),
    ] {
        let all = [&["match", "--games", "2"], arguments].concat();
        let said = stderr(reversi(&all).code(2));
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

#[test]
fn the_engine_says_what_its_levels_spare_and_prove() {
    let text = stdout(reversi(&["players", "engine"]).success());
    for part in ["lies a standard deviation", "about half as deep", "level 10", "8 + level * 4 / 5"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn players_are_listed_with_a_sentence_each() {
    let text = stdout(reversi(&["players"]).success());
    let json = common::json(reversi(&["players", "--json"]).success());
    assert_eq!(json["schema"], "reversi.players/1");
    let players = json["players"].as_array().unwrap();
    for name in
        ["engine", "random", "first", "minimax", "alphabeta", "phases", "stages", "corners-moves-tokens"]
    {
        assert!(players.iter().any(|player| player["name"] == name), "{name}");
        assert!(text.lines().any(|line| line.starts_with(name)), "{name}");
    }
    let one = stdout(reversi(&["players", "phases"]).success());
    assert!(one.contains("presort"), "{one}");
    let said = stderr(reversi(&["players", "phasis"]).code(2));
    assert!(said.contains("phases"), "{said}");
}

#[cfg(target_os = "linux")]
mod with_other_programs {
    use super::*;
    use crate::common::{gtp, gtp_script};
    use assert_cmd::assert::OutputAssertExt;

    fn edit_script(directory: &Path, edit: impl Fn(String) -> String) {
        let file = directory.join("engine.sh");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, edit(text)).unwrap();
    }

    fn processes(directory: &Path) -> Vec<String> {
        let text = std::fs::read_to_string(directory.join("pid")).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    /// The process group, the fifth word about a process (its second is its name).
    fn group(process: &str) -> String {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        let (_, after_name) = stat.rsplit_once(") ").unwrap();
        after_name.split(' ').nth(2).unwrap().to_owned()
    }

    fn assert_all_ended(directory: &Path) {
        for process in processes(directory) {
            // A program that has given way to another has the name of that.
            let state = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            assert!(state.is_empty() || state.contains(") Z "), "process {process} still runs: {state}");
        }
    }

    #[test]
    fn a_program_plays_what_it_would_play_within() {
        let program = gtp("--player alphabeta:2,shuffle=off");
        for board in ["8x8", "6x6"] {
            let conditions = ["--games", "6", "--board", board];
            let within = saved_games(&[&["first", "alphabeta:2,shuffle=off"], &conditions[..]].concat());
            let outside = saved_games(&[&["first", "--gtp", &program], &conditions[..]].concat());
            assert_eq!(within, outside, "{board}: passes included");
        }
    }

    #[test]
    fn programs_of_one_name_are_told_apart_and_their_nodes_are_not_made_up() {
        let [one, other] = ["--seed 1", "--seed 2"].map(|seed| gtp(&format!("--player random {seed}")));
        let match_ = ["match", "--gtp", &one, "--gtp", &other, "--games", "2", "--board", "4x4"];
        let conditions = ["--openings", "1", "--at-once", "1"];
        let said = stdout(reversi(&[&match_[..], &conditions].concat()).success());
        for command in [&one, &other] {
            assert!(said.contains(&format!("({}): ", command.replace('\'', ""))), "{said}");
        }
        assert!(said.contains("longest move") && !said.contains("nodes"), "{said}");
        let report = match_json(&[&match_[1..], &conditions].concat());
        assert_eq!(report["effort"][0]["nodes"], Json::Null, "{report}");
        assert!(report["effort"][0]["moves"].is_u64(), "{report}");
        assert_ne!(report["players"][0], report["players"][1], "{report}");
    }

    #[test]
    fn a_program_does_not_write_to_the_screen_by_its_name() {
        let directory = tempfile::tempdir().unwrap();
        let program = gtp_script(directory.path(), "printf '? no\\033[31m idea\\n\\n'");
        let long = "x".repeat(500);
        edit_script(directory.path(), |text| text.replace("= fake", &format!("= \\033[2Jfake {long}")));
        let said = stdout(reversi(&["match", "first", "--gtp", &program, "--games", "1"]).code(1));
        assert!(said.contains("[2Jfake xxx") && said.contains("loses: "), "{said}");
        assert!(!said.contains('\u{1b}') && !said.contains(&"x".repeat(100)), "{said}");
    }

    #[test]
    fn faults_of_a_program_are_counted_and_reported() {
        // Who is never late has time enough on the busiest machine.
        for (on_genmove, kind, reason) in [
            ("printf '= a1\\n\\n'", "illegal", "illegal move a1"),
            ("printf '= hello\\n\\n'", "failed", "it answered \"hello\", which is not a move"),
            ("printf '? no idea\\n\\n'", "failed", "it refused \"genmove w\": no idea"),
            ("exit 3", "failed", "it ended (exit status: 3) after \"genmove w\""),
            ("yes", "failed", "it wrote more than the longest possible answer after \"genmove w\""),
            ("printf =; yes", "failed", "it wrote more than the longest possible answer after \"genmove w\""),
            ("exec sleep 60", "late", "out of time"),
            ("printf '= RESIGN\n\n'", "resigned", "resigned"),
        ] {
            let directory = tempfile::tempdir().unwrap();
            let program = gtp_script(directory.path(), on_genmove);
            let time = if kind == "late" { "1s" } else { "20s" };
            let started = Instant::now();
            let conditions = ["--games", "3", "--at-once", "1", "--move-time", time];
            let asked = [&["first", "--gtp", &program], &conditions[..]].concat();
            // Where a clock runs, time that is up loses a game and is no failure; to resign is none anywhere.
            let report = match kind {
                "late" | "resigned" => match_json(&asked),
                _ => failed_match_json(&asked),
            };
            assert!(started.elapsed() < Duration::from_secs(50), "{on_genmove} is not waited for");
            assert_eq!(report["players"][1], "fake 1");
            assert_eq!(
                (&report["wins"], &report["losses"]),
                (&3.into(), &0.into()),
                "{on_genmove}: {report}"
            );
            assert_eq!(report["faults"][1][kind], 3, "{on_genmove}: {report}");
            let told = report["forfeits"][0]["reason"].as_str().unwrap();
            assert!(told == reason || told == reason.replace("genmove w", "genmove b"), "{told}");
            assert_all_ended(directory.path());
        }
    }

    #[test]
    fn a_silent_program_fails_where_no_clock_runs() {
        let directory = tempfile::tempdir().unwrap();
        let program = gtp_script(directory.path(), "exec sleep 60");
        let asked = ["match", "first", "--gtp", &program, "--games", "2", "--patience", "500ms"];
        let said = stdout(reversi(&asked).code(1));
        assert!(said.contains("; FAILED in 2 of its games; no move 2"), "{said}");
        assert!(said.contains("loses: it gave no answer within 500ms"), "{said}");
    }

    /// Games are in the file before the match ends, whatever ends it.
    #[test]
    fn a_match_that_is_killed_keeps_its_games() {
        for ending in ["txt", "ggf", "pgn", "sgf", "wtb"] {
            let directory = tempfile::tempdir().unwrap();
            let asked = directory.path().join("asked");
            // It resigns two games and hangs in the third.
            let on_genmove = format!(
                "if [ -e two ]; then touch '{}'; exec sleep 60; fi; [ -e one ] && touch two; touch one; \
                 printf '= resign\\n\\n'",
                asked.display()
            );
            let program = gtp_script(directory.path(), &on_genmove);
            let games = format!("games.{ending}");
            std::fs::write(directory.path().join(&games), "what was there before\n").unwrap();
            let mut match_ = common::process()
                .args(["match", "first", "--gtp", &program, "--at-once", "1", "--quiet", "--save", &games])
                .current_dir(directory.path())
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap();
            common::wait_for(&asked, &mut match_);
            match_.kill().unwrap();
            match_.wait().unwrap();
            let read = reversi_in(directory.path(), &["convert", &games, "--format", "ggf"]);
            let read = stdout(read.success());
            assert_eq!(read.matches("(;GM[Othello]").count(), 2, "{ending}: {read}");
        }
    }

    fn reversi_in(directory: &Path, arguments: &[&str]) -> Assert {
        common::reversi().current_dir(directory).args(arguments).assert()
    }

    #[test]
    fn a_program_that_ends_is_started_again_for_the_next_game() {
        let directory = tempfile::tempdir().unwrap();
        let program = gtp_script(directory.path(), "exit 1");
        failed_match_json(&["first", "--gtp", &program, "--games", "3", "--at-once", "1"]);
        assert_eq!(processes(directory.path()).len(), 3);
        assert_all_ended(directory.path());
    }

    #[test]
    fn a_program_that_cannot_be_started_is_named() {
        let said = stderr(reversi(&["match", "first", "--gtp", "/no/such/program --fast"]).code(1));
        assert!(said.contains("/no/such/program cannot be started"), "{said}");
        let said = stderr(reversi(&["match", "first", "--gtp", "false"]).code(1));
        assert!(said.contains("it ended (exit status: 1) after \"name\""), "{said}");
        let unended = "sh -c \"echo = me; sleep 60\"";
        let said = stderr(reversi(&["match", "first", "--gtp", unended, "--patience", "200ms"]).code(1));
        assert!(said.contains("gave no answer within 10 s; it wrote \"= me\", but"), "{said}");
    }

    /// Sends Ctrl-C to a match as soon as the file is there, and waits until it has ended by that.
    fn interrupted_once_there_is(file: &Path, arguments: &[&str]) -> Assert {
        signalled_once_there_is(file, 1, arguments)
    }

    /// The same with several signals, one after the other.
    fn signalled_once_there_is(file: &Path, signals: usize, arguments: &[&str]) -> Assert {
        let mut match_ = common::process()
            .args([&["match", "--json", "--quiet"], arguments].concat())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        common::wait_for(file, &mut match_);
        assert_ne!(
            group(processes(file.parent().unwrap()).last().unwrap()),
            group(&match_.id().to_string()),
            "Ctrl-C on a terminal goes to a whole group"
        );
        common::interrupt_at_once(match_.id(), signals);
        match_.wait_with_output().unwrap().assert().code(130)
    }

    #[test]
    fn ctrl_c_reports_the_games_played_and_leaves_nothing_running() {
        let directory = tempfile::tempdir().unwrap();
        let asked = directory.path().join("asked");
        let program = gtp_script(directory.path(), &format!("touch '{}'; exec sleep 60", asked.display()));
        let saved = directory.path().join("games.txt");
        std::fs::write(&saved, "f5d6\n").unwrap();
        let save = ["--save", saved.to_str().unwrap()];
        let ended = interrupted_once_there_is(&asked, &[&["first", "--gtp", &program], &save[..]].concat());
        let report = common::json(ended);
        assert_eq!(std::fs::read_to_string(saved).unwrap(), "f5d6\n", "no game, so the old ones stay");
        assert_eq!(report["interrupted"], true);
        assert_all_ended(directory.path());
    }

    #[test]
    fn ctrl_c_keeps_the_games_that_have_ended() {
        let directory = tempfile::tempdir().unwrap();
        let (program, asked) = common::hanging_in_the_second_game(directory.path());
        let saved = directory.path().join("games.txt");
        let options = ["--at-once", "1", "--save", saved.to_str().unwrap()];
        let ended =
            interrupted_once_there_is(&asked, &[&["first", "--gtp", &program], &options[..]].concat());
        let report = common::json(ended);
        assert_eq!((&report["interrupted"], &report["games"]), (&true.into(), &1.into()), "{report}");
        assert_eq!(std::fs::read_to_string(saved).unwrap().lines().count(), 1);
        assert_all_ended(directory.path());
    }

    /// As `timeout -s INT` sends them: to the program and to its whole group.
    #[test]
    fn signals_that_come_at_once_are_one() {
        let directory = tempfile::tempdir().unwrap();
        let asked = directory.path().join("asked");
        let program = gtp_script(directory.path(), &format!("touch '{}'; exec sleep 60", asked.display()));
        let ended = signalled_once_there_is(&asked, 3, &["first", "--gtp", &program]);
        let report = common::json(ended);
        assert_eq!(report["interrupted"], true, "as after one signal");
        assert_all_ended(directory.path());
    }

    #[test]
    fn ctrl_c_is_heard_while_a_program_starts() {
        let directory = tempfile::tempdir().unwrap();
        let (file, pid) = (directory.path().join("engine.sh"), directory.path().join("pid"));
        std::fs::write(
            &file,
            format!("echo $$ > '{0}.new'; mv '{0}.new' '{0}'; exec sleep 60", pid.display()),
        )
        .unwrap();
        let started = Instant::now();
        let program = format!("sh '{}'", file.display());
        let ended = interrupted_once_there_is(&pid, &["first", "--gtp", &program]);
        let error: Json = serde_json::from_str(&stderr(ended)).unwrap();
        assert_eq!(error["message"], "interrupted before the first game began");
        assert!(started.elapsed() < Duration::from_secs(50), "the program is not waited for");
    }

    #[test]
    fn games_that_a_program_cannot_play_are_refused_beforehand() {
        let reversi_gtp = gtp("--player first");
        let match_ = |more: &[&str]| {
            reversi(&[&["match", "random", "--gtp", &reversi_gtp, "--games", "2"], more].concat())
        };
        let said = stderr(match_(&["--start", "parallel"]).code(2));
        assert!(said.contains("only has games from the usual first position"), "{said}");
        let said = stderr(match_(&["--board", "10x10"]).code(1));
        assert!(said.contains("it refused \"boardsize 10\""), "{said}");
        let tournament =
            ["tournament", "first", "--gtp", &reversi_gtp, "--games", "1", "--start", "parallel"];
        let said = stderr(reversi(&tournament).code(2));
        assert!(said.contains("only has games from the usual first position"), "{said}");
        let own_board = format!("{reversi_gtp} --board 5x5");
        let report = match_json(&["random", "--gtp", &own_board, "--board", "5x5", "--games", "2"]);
        assert_eq!(report["faults"][1]["failed"], 0, "{report}");
    }

    #[test]
    fn a_program_is_told_whole_seconds_and_nothing_of_less() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let (file, log) = (directory.path().join("engine.sh"), log.to_str().unwrap());
        // It passes the questions on to a player and notes what is said of time.
        let text = format!("tee -a '{log}' | {}\n", gtp("--player first"));
        std::fs::write(&file, text).unwrap();
        let program = format!("sh '{}'", file.display());
        let told = |time: &[&str]| {
            let _ = std::fs::remove_file(log);
            // After one ply the program is to move: whatever comes of its answer, it was told the time.
            let conditions = ["--games", "1", "--board", "4x4", "--openings", "1"];
            let _ = common::reversi()
                .args([&["match", "first", "--gtp", &program, "--quiet"], &conditions[..], time].concat())
                .assert();
            let text = std::fs::read_to_string(log).unwrap();
            text.lines().filter(|line| line.starts_with("time_")).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(told(&["--move-time", "20.5s"]), ["time_settings 0 20 1"]);
        assert_eq!(told(&["--move-time", "900ms"]), [""; 0]);
        let game = told(&["--time", "60s"]);
        assert_eq!(game[0], "time_settings 60 0 0");
        assert!(game[1].starts_with("time_left w "), "{game:?}");
        assert_eq!(told(&["--time", "900ms"]), [""; 0], "two zeros would say that the time is up");
    }

    #[test]
    fn a_program_that_refuses_what_it_lists_is_told_by_the_command() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("engine.sh");
        let text = "while read command rest; do case $command in \
            list_commands) printf '= set_game\n\n' ;; set_game) printf '? no such game\n\n' ;; \
            *) printf '=\n\n' ;; esac; done\n";
        std::fs::write(&file, text).unwrap();
        let program = format!("sh '{}'", file.display());
        let said = stderr(reversi(&["match", "first", "--gtp", &program, "--games", "1"]).code(1));
        assert!(said.contains("it refused \"set_game Othello\": no such game"), "{said}");
    }

    #[test]
    fn games_without_a_move_are_saved_in_every_form() {
        for ending in ["txt", "ggf", "pgn", "sgf"] {
            let directory = tempfile::tempdir().unwrap();
            let program = gtp_script(directory.path(), "printf '= resign\n\n'");
            let games = format!("games.{ending}");
            let common = ["--games", "4", "--openings", "0", "--quiet", "--save", &games];
            let arguments = [&["match", "first", "--gtp", &program], &common[..]].concat();
            reversi_in(directory.path(), &arguments).success();
            let read = reversi_in(directory.path(), &["convert", &games, "--format", "ggf"]);
            let read = stdout(read.success());
            assert_eq!(read.matches("(;GM[Othello]").count(), 4, "{ending}: {read}");
        }
    }

    #[test]
    fn a_random_player_plays_another_game_each_time() {
        let program = gtp("--player random");
        // Each process begins with the same numbers.
        let conditions = ["--games", "20", "--openings", "0", "--at-once", "1"];
        let report = match_json(&[&["first", "--gtp", &program], &conditions[..]].concat());
        assert!(report["different_games"].as_u64().unwrap() > 10, "{report}");
    }

    #[test]
    fn setting_up_is_not_on_the_clock() {
        let directory = tempfile::tempdir().unwrap();
        let program = gtp_script(directory.path(), "printf '? no idea\\n\\n'");
        edit_script(directory.path(), |text| {
            text.replace("quit)", "clear_board) sleep 6; printf '=\\n\\n' ;;\n quit)")
        });
        let conditions = ["--games", "1", "--at-once", "1", "--move-time", "5s"];
        let report = failed_match_json(&[&["first", "--gtp", &program], &conditions[..]].concat());
        assert_eq!(report["forfeits"][0]["reason"], "it refused \"genmove w\": no idea", "{report}");
    }

    #[test]
    fn a_program_that_died_between_games_is_started_off_the_clock() {
        let directory = tempfile::tempdir().unwrap();
        let program = gtp_script(directory.path(), "printf '? no idea\\n\\n'");
        // It takes longer to start than a move may take, and ends when it is to set up a board for the second time.
        edit_script(directory.path(), |text| {
            let mortal = "clear_board) [ -n \"$second\" ] && exit 3; second=1; printf '=\\n\\n' ;;\n quit)";
            text.replace("quit)", mortal).replacen('\n', "\nsleep 6\n", 1)
        });
        let conditions = ["--games", "2", "--at-once", "1", "--move-time", "5s", "--openings", "0"];
        let report = failed_match_json(&[&["first", "--gtp", &program], &conditions[..]].concat());
        let forfeits = report["forfeits"].as_array().unwrap();
        assert_eq!(forfeits.len(), 2, "{report}");
        for forfeit in forfeits {
            assert!(forfeit["reason"].as_str().unwrap().ends_with("no idea"), "{report}");
        }
    }

    #[test]
    fn saved_games_say_who_lost_by_a_fault() {
        let directory = tempfile::tempdir().unwrap();
        let program = gtp_script(directory.path(), "exit 3");
        let file = directory.path().join("games.ggf");
        let save = ["--games", "2", "--board", "6x6", "--save", file.to_str().unwrap()];
        failed_match_json(&[&["first", "--gtp", &program], &save[..]].concat());
        let saved = std::fs::read_to_string(&file).unwrap();
        let ends: Vec<&str> = saved.lines().map(|line| line.rsplit_once("RE").unwrap().1).collect();
        assert_eq!(ends, ["[+36.000:f];)", "[-36.000:f];)"]);
    }

    #[test]
    fn with_a_game_without_a_move_all_lines_of_text_have_a_board() {
        let directory = tempfile::tempdir().unwrap();
        let program = gtp_script(directory.path(), "exit 3");
        let file = directory.path().join("games.txt");
        let asked = ["match", "first", "--gtp", &program, "--games", "2", "--openings", "0", "--save"];
        reversi(&[&asked[..], &[file.to_str().unwrap()]].concat()).code(1);
        let saved = std::fs::read_to_string(&file).unwrap();
        // The program has White in the first game only.
        let start = "---------------------------OX------XO--------------------------- X";
        assert_eq!(saved.lines().collect::<Vec<_>>(), [&format!("{start} d3"), start]);
        let read = stdout(reversi(&["convert", file.to_str().unwrap(), "--format", "ggf"]).success());
        assert_eq!(read.matches("(;GM[Othello]").count(), 2, "{read}");
    }
}
