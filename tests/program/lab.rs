//! The laboratory measures what is known otherwise, notices what is broken, and depends on its seed alone.

use crate::common::{self, run, stderr, stdout, words};
use reversi::rules::{Board, Geometry, Goal, Position, Rules, Scoring, Start, Symmetry};
use reversi::table::Table;
use reversi::table::library::built_in;
use serde_json::Value as Json;
use std::collections::HashSet;

fn json(arguments: &[&str]) -> Json {
    common::json(run(&[arguments, &["--json"]].concat()).success())
}

#[test]
fn no_enhancement_changes_what_a_search_finds() {
    let found = json(&["lab", "prune", "--positions", "2000"]);
    assert_eq!(found["differences"], Json::Array(Vec::new()));
    assert_eq!((&found["positions"], &found["boards"]), (&2000.into(), &36.into()));
    assert!(found["to_the_end"].as_u64().unwrap() > 5000, "{found}");
    let searches: Vec<(&str, u64)> = found["searches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|search| (search["search"].as_str().unwrap(), search["nodes"].as_u64().unwrap()))
        .collect();
    assert_eq!(searches.len(), 9);
    assert_eq!(searches[0].0, "minimax");
    assert!(searches[1..].iter().all(|(_, nodes)| *nodes < searches[0].1 / 3), "{searches:?}");
}

#[test]
fn planted_bugs_are_noticed_and_their_commands_show_them_again() {
    for plant in ["cut-off", "bound", "null-window"] {
        let found = common::json(run(&["lab", "prune", "--plant", plant, "--json"]).code(5));
        let difference = &found["differences"][0];
        let differs = |one: &str, other: &str| difference[one] != difference[other];
        assert!(
            differs("expected", "found")
                || differs("expected", "worth")
                || differs("expected_move", "found_move"),
            "{difference}"
        );
        let command = words(difference["command"].as_str().unwrap());
        let again: Vec<&str> = command[1..].iter().map(String::as_str).collect();
        let said = stdout(run(&again).code(5));
        assert!(said.contains("DIFFERENCE") && said.contains("\n1 difference"), "{said}");
        let sound: Vec<&str> = again.iter().copied().take_while(|word| *word != "--plant").collect();
        run(&sound).success();
    }
}

#[test]
fn one_goal_is_one_half_of_the_searches_to_the_end() {
    let to_the_end = |more: &[&str]| {
        json(&[&["lab", "prune", "--positions", "4"], more].concat())["to_the_end"].as_u64().unwrap()
    };
    let [normal, reversed] = ["normal", "reversed"].map(|goal| to_the_end(&["--goal", goal]));
    assert!(normal > 0 && reversed > 0);
    assert_eq!(to_the_end(&[]), normal + reversed);
}

#[test]
fn where_nothing_can_be_compared_that_is_no_success() {
    let asked = ["lab", "prune", "--search", "engine", "--eval", "corners", "--board", "4x4", "--json"];
    for more in [["--positions", "10"], ["--position", "-----OX--XO----- X"]] {
        let refused = stderr(run(&[&asked[..], &more].concat()).code(2));
        let error: Json = serde_json::from_str(&refused).unwrap();
        assert_eq!(error["kind"], "bad-search", "{error}");
    }
}

#[test]
fn a_position_is_searched_under_the_goal_that_it_names() {
    let asked = ["lab", "prune", "--search", "minimax", "--depth", "2", "--position"];
    let cases = |position| {
        let found = json(&[&asked[..], &[position]].concat());
        assert_eq!(
            found["depth_on_small_boards"], 2,
            "a single position is searched as deep as asked: {found}"
        );
        found["searches"][0]["searches"].as_u64().unwrap()
    };
    let (both, one) = (cases("-----OX--XO----- X"), cases("reversed goal -----OX--XO----- X"));
    assert!(0 < one && one < both, "{one} of {both}: each evaluation under one goal instead of two");
    let contradicted = ["--goal", "normal"];
    let refused =
        stderr(run(&[&asked[..], &["reversed goal -----OX--XO----- X"], &contradicted].concat()).code(2));
    assert!(refused.contains("goal=reversed"), "{refused}");
}

#[test]
fn a_search_to_the_end_is_compared_with_the_oracle_by_its_command() {
    let position = "XXXXOXXOXOOX---- X";
    let command = ["lab", "prune", "--board", "4x4", "--search", "alpha-beta", "--to-the-end", "--position"];
    let first = "-----OX--XO----- X";
    for position in [position, first] {
        let found = json(&[&command[..], &[position]].concat());
        assert_eq!(found["differences"], Json::Array(Vec::new()));
        assert_eq!(
            found["to_the_end"], 4,
            "under both goals, by discs and by the engine's evaluation: {found}"
        );
    }
    let planted = run(&[&command[..], &[first, "--plant", "cut-off", "--json"]].concat());
    let found = common::json(planted.code(5));
    let difference = &found["differences"][0];
    assert_ne!(difference["expected"], difference["found"]);
    assert_eq!(difference["expected"], -8, "the first player loses 4x4 by eight discs");
    assert!(difference["command"].as_str().unwrap().contains("--to-the-end"), "{difference}");
}

/// Every position of 4x4 with a move, once for all its images.
fn positions_with_a_move(table: &Table) -> Vec<Position> {
    let geometry = Geometry::FOUR;
    let mut seen = HashSet::new();
    let mut open = vec![Board::start(geometry, Start::Diagonal).position()];
    let mut found = Vec::new();
    while let Some(position) = open.pop() {
        let images = Symmetry::all(geometry).iter().map(|symmetry| symmetry.apply(geometry, position));
        if !seen.insert(images.min().unwrap()) {
            continue;
        }
        assert!(table.probe(position).unwrap().is_some(), "the table is whole");
        open.extend(position.children(geometry).into_iter().map(|(_, child)| child));
        if position.legal_moves(geometry) != 0 {
            found.push(position);
        }
    }
    found
}

/// The mean loss of moves drawn at random, and of the worst ones, from the table alone.
fn expected_regrets(goal: Goal) -> (f64, f64) {
    let table = built_in(Geometry::FOUR, Rules::new(goal, Scoring::Raw), Start::Diagonal).unwrap();
    let positions = positions_with_a_move(&table);
    assert_eq!(positions.len(), 9830);
    let (mut random, mut worst) = (0.0, 0.0);
    for position in &positions {
        let scores: Vec<i32> = position
            .children(Geometry::FOUR)
            .into_iter()
            .map(|(_, child)| -table.probe(child).unwrap().unwrap().score.discs())
            .collect();
        let (best, least) = (*scores.iter().max().unwrap(), *scores.iter().min().unwrap());
        assert_eq!(best, table.probe(*position).unwrap().unwrap().score.discs());
        random += scores.iter().map(|score| f64::from(best - score)).sum::<f64>() / scores.len() as f64;
        worst += f64::from(best - least);
    }
    (random / 9830.0, worst / 9830.0)
}

#[test]
fn regrets_that_are_known_are_found_on_all_of_4x4() {
    for goal in Goal::ALL {
        let (random, worst) = expected_regrets(goal);
        let found = json(&[
            "lab",
            "regret",
            "perfect",
            "worst",
            "random",
            "--board",
            "4x4",
            "--sample",
            "all",
            "--goal",
            goal.name(),
        ]);
        let player = |place: usize| &found["players"][place];
        assert_eq!(found["positions"], 9830);
        assert_eq!((&player(0)["mean"], &player(0)["perfect"]), (&0.0.into(), &1.0.into()));
        assert!((player(1)["mean"].as_f64().unwrap() - worst).abs() < 1e-9, "{goal}: {}", player(1));
        assert_eq!(player(1)["half_width"], 0.0, "all positions and always the same move");
        let (mean, half) = (player(2)["mean"].as_f64().unwrap(), player(2)["half_width"].as_f64().unwrap());
        assert!((mean - random).abs() < 2.0 * half, "{goal}: {mean} +- {half}, and {random} is right");
        assert!(half < 0.1);
    }
}

#[test]
fn the_numbers_do_not_depend_on_the_threads() {
    for sample in [&["--sample", "random"][..], &["--sample", "self-play", "--by", "corners:2"]] {
        let measured = |threads: &str| {
            let asked = ["lab", "regret", "random", "alphabeta:2", "engine:level=2", "--eval", "all"];
            let amounts = ["--positions", "60", "--max-empties", "10", "--games", "4", "--threads", threads];
            json(&[&asked[..], &amounts, sample].concat())
        };
        let one = measured("1");
        assert_eq!(one, measured("3"), "{sample:?}");
        assert_eq!(one["positions"], 60);
        assert_eq!(one["players"][2]["games"]["games"], 8);
    }
    let compared = |threads: &str| json(&["lab", "prune", "--positions", "300", "--threads", threads]);
    assert_eq!(compared("1"), compared("3"));
}

/// The first move from the few openings of 4x4 is the same game again and again.
#[test]
fn the_same_game_again_makes_no_regret_more_certain() {
    let found = json(&["lab", "regret", "first", "--board", "4x4", "--positions", "5", "--games", "200"]);
    let games = &found["players"][0]["games"];
    assert_eq!(games["games"], 400);
    assert!(games["different"].as_u64().unwrap() <= 24, "{games}");
    assert!(games["half_width"].as_f64().unwrap() > 1.0, "{games}");
}

#[test]
fn a_perfect_player_loses_nothing_on_6x6_either() {
    for goal in ["normal", "reversed"] {
        let found = json(&[
            "lab",
            "regret",
            "perfect",
            "--goal",
            goal,
            "--positions",
            "40",
            "--max-empties",
            "10",
            "--games",
            "3",
        ]);
        let player = &found["players"][0];
        assert_eq!((&player["mean"], &player["games"]["mean"]), (&0.0.into(), &0.0.into()), "{goal}");
        assert_eq!(player["games"]["perfect"], 6);
    }
}

#[test]
fn another_program_is_measured_like_a_player() {
    let program = common::gtp("--player first");
    let conditions = ["--board", "4x4", "--positions", "50", "--max-empties", "12"];
    let inside = json(&[&["lab", "regret", "first"], &conditions[..]].concat());
    let outside = json(&[&["lab", "regret", "--gtp", &program], &conditions[..]].concat());
    assert_eq!(inside["players"][0]["by_empties"], outside["players"][0]["by_empties"]);
    assert!(inside["players"][0]["mean"].as_f64().unwrap() > 0.0);
}

#[test]
fn games_against_perfect_play_that_are_out_of_reach_are_refused_at_once() {
    let asked = ["lab", "regret", "first", "--board", "8x8", "--games", "1", "--max-empties", "8"];
    let said = stderr(run(&asked).code(2));
    assert!(said.contains("perfect cannot play this game"), "{said}");
}

#[test]
fn a_damaged_table_is_named_as_such() {
    let directory = tempfile::tempdir().unwrap();
    let name = "4x4-normal-raw-diagonal.rvt";
    let mut bytes = std::fs::read(common::shipped(name)).unwrap();
    bytes[40] ^= 1;
    std::fs::write(directory.path().join(name), bytes).unwrap();
    let data = ["--data", directory.path().to_str().unwrap()];
    for player in ["perfect", "engine"] {
        let asked = ["lab", "regret", player, "--board", "4x4", "--positions", "5"];
        let said = stderr(run(&[&asked[..], &data[..]].concat()).code(4));
        assert!(said.contains("is damaged"), "{said}");
    }
}

#[cfg(unix)]
mod broken_programs {
    use super::*;
    use crate::common::gtp_script;

    const CONDITIONS: [&str; 6] = ["--board", "4x4", "--positions", "60", "--games", "4"];

    #[test]
    fn an_illegal_move_is_a_failure_and_counts_in_no_mean() {
        let directory = tempfile::tempdir().unwrap();
        let program = gtp_script(directory.path(), "printf '= a1\\n\\n'");
        let asked = [&["lab", "regret", "--gtp", &program, "--json"], &CONDITIONS[..]].concat();
        let found = common::json(run(&asked).code(1));
        let player = &found["players"][0];
        let count = |name: &str| player[name].as_u64().unwrap();
        assert!(count("moves") > 0 && count("illegal") > 0, "the corner is legal now and then: {player}");
        assert_eq!(
            (count("moves") + count("illegal"), count("failures")),
            (60, count("illegal")),
            "{player}"
        );
        assert!(
            player["perfect"].as_f64().unwrap() <= count("moves") as f64 / 60.0,
            "of all positions: {player}"
        );
        assert_eq!(player["first_failure"], "illegal move a1");
        let games = &player["games"];
        assert_eq!(games["games"].as_u64().unwrap() + games["failures"].as_u64().unwrap(), 8, "{games}");
    }

    #[test]
    fn who_never_moves_has_no_mean_and_fails_everywhere() {
        for on_genmove in ["printf '= i9\\n\\n'", "exit 3", "printf '? no\\n\\n'"] {
            let directory = tempfile::tempdir().unwrap();
            let program = gtp_script(directory.path(), on_genmove);
            let asked = [&["lab", "regret", "first", "--gtp", &program], &CONDITIONS[..]].concat();
            let text = stdout(run(&asked).code(1));
            let failed = text.lines().find(|line| line.contains("FAILED at 60 of 60 positions")).unwrap();
            assert!(failed.contains("times no move; the first: "), "{text}");
            let row = text.lines().find(|line| line.trim_start().starts_with("sh ")).unwrap();
            assert!(row.contains(" - ") && row.contains("0.0 %") && row.contains(" 60 "), "{text}");
            assert!(text.contains("FAILED in 8 more"), "{text}");
            let row = text.lines().find(|line| line.trim_start().starts_with("first ")).unwrap();
            assert!(!row.contains("0.0 %"), "the others are measured: {text}");
        }
    }

    /// Who is silent three times in a row is waited for no more.
    #[test]
    fn a_silent_program_does_not_hold_up_the_others() {
        let directory = tempfile::tempdir().unwrap();
        let program = gtp_script(directory.path(), "exec sleep 60");
        let asked = ["lab", "regret", "--gtp", &program, "--patience", "300ms", "--threads", "1", "--json"];
        let started = std::time::Instant::now();
        let found = common::json(run(&[&asked[..], &CONDITIONS].concat()).code(1));
        assert_eq!(found["players"][0]["unanswered"], 60, "{found}");
        assert!(started.elapsed().as_secs() < 60);
    }

    #[test]
    fn a_resigned_game_is_lost_with_all_discs() {
        let directory = tempfile::tempdir().unwrap();
        let program = gtp_script(directory.path(), "printf '= resign\\n\\n'");
        let asked = [&["lab", "regret", "--gtp", &program, "--json"], &CONDITIONS[..]].concat();
        let found = common::json(run(&asked).code(1));
        let games = &found["players"][0]["games"];
        assert_eq!((&games["resigned"], &games["failures"]), (&8.into(), &0.into()), "{games}");
        assert!(games["worst"].as_f64().unwrap() >= 16.0, "{games}");
        assert_eq!(found["players"][0]["unanswered"], 60, "at a position it is no move");
    }

    #[test]
    fn programs_are_checked_where_the_scores_are_known() {
        let prune = |program: &str, more: &[&str]| {
            let asked = ["lab", "prune", "--gtp", program, "--positions", "40", "--max-empties", "8"];
            run(&[&asked[..], more].concat())
        };
        let sound = common::gtp("--player perfect");
        assert!(stdout(prune(&sound, &[]).success()).contains("a best move at 40 of 40 positions"));
        let weak = common::gtp("--player first");
        let text = stdout(prune(&weak, &[]).code(5));
        assert!(text.contains("DIFFERENCE: plays "), "{text}");
        let found = common::json(prune(&weak, &["--json"]).code(5));
        let differences = found["players"][0]["differences"].as_array().unwrap();
        let perfect = found["players"][0]["perfect"].as_u64().unwrap();
        assert_eq!(differences.len() as u64 + perfect, 40, "{found}");
        // What is said can be asked for again.
        let again = text.lines().find_map(|line| line.strip_prefix("again with: reversi ")).unwrap();
        let words = common::words(again);
        let words: Vec<&str> = words.iter().map(String::as_str).chain(["--json"]).collect();
        let answer = common::json(run(&words).success());
        assert_eq!((&answer["best"], &answer["score"]), (&differences[0]["best"], &differences[0]["score"]));
        let csv = stdout(prune(&weak, &["--format", "csv"]).code(5));
        assert_eq!(csv.lines().count(), 41, "{csv}");
        let directory = tempfile::tempdir().unwrap();
        let broken = gtp_script(directory.path(), "printf '= i9\\n\\n'");
        let text = stdout(prune(&broken, &[]).code(1));
        assert!(text.contains("FAILED at 40: 0 illegal moves, 40 times no move"), "{text}");
    }
}

#[test]
fn games_say_how_many_squares_are_empty_where_they_begin() {
    let begun = |options: &[&str]| {
        let fixed = ["lab", "regret", "perfect", "--positions", "3", "--max-empties", "10", "--games", "1"];
        json(&[&fixed[..], options].concat())["players"][0]["games"]["empties"].clone()
    };
    assert_eq!((begun(&[]), begun(&["--opening-plies", "24"])), (10.into(), 8.into()));
}

#[test]
fn every_position_is_written_to_the_file_with_all_best_moves() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("regret.csv");
    let path = path.to_str().unwrap();
    run(&["lab", "regret", "first", "random", "--board", "4x4", "--positions", "30", "--csv", path])
        .success();
    let text = std::fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "goal,position,empties,score,best,board,scoring,first,first plays,random,random plays"
    );
    assert_eq!(lines.len(), 31);
    assert!(lines.iter().all(|line| line.split(',').count() == 11), "{text}");
    let mut several = 0;
    for line in &lines[1..] {
        let cells: Vec<&str> = line.split(',').collect();
        let asked = ["query", "--position", cells[1], "--json", "--quiet"];
        let answer = common::json(run(&asked).success());
        let best: Vec<&str> =
            answer["best"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        assert_eq!(cells[4], best.join(" "), "{line}");
        several += usize::from(best.len() > 1);
    }
    assert!(several > 3);
}

#[test]
fn tables_are_printed_as_they_are_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table.csv");
    for command in [
        "regret first --board 4x4 --positions 20",
        "rules --board 4x4 --positions 20",
        "savings --board 4x4 --depth 2 --positions 2 --eval discs",
        "prune --positions 20 --depth 1 --board 4x4",
    ] {
        let asked: Vec<&str> = ["lab"].into_iter().chain(command.split(' ')).collect();
        let csv = ["--format", "csv", "--csv", path.to_str().unwrap()];
        let printed = stdout(run(&[&asked[..], &csv].concat()).success());
        assert_eq!(printed, std::fs::read_to_string(&path).unwrap(), "{command}");
        assert!(printed.lines().count() > 1, "{command}: {printed}");
        let said = stderr(run(&[&asked[..], &["--format", "csv", "--json"]].concat()).code(2));
        assert!(said.contains("leave --format out"), "{said}");
    }
}

#[test]
fn every_measurement_can_be_written_as_a_table_and_drawn() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    // The lines of the table, and what the same command prints as JSON.
    let measure = |name: &str, arguments: &[&str]| {
        let (file, plots) = (path(name), path("plots"));
        let options = ["--board", "4x4", "--csv", &file, "--plots", &plots];
        let measured = json(&[&["lab"], arguments, &options].concat());
        let text = std::fs::read_to_string(file).unwrap();
        (text.lines().map(str::to_owned).collect::<Vec<_>>(), measured)
    };
    let arguments = ["regret", "alphabeta:2,presort=nodes", "--eval", "discs", "--positions", "20"];
    let (lines, measured) = measure("regret.csv", &arguments);
    let player = measured["players"][0]["player"].as_str().unwrap();
    assert_eq!(
        lines[0],
        format!(
            "goal,position,empties,score,best,board,scoring,\"{player}\",\"{player} plays\",discs says,discs loses"
        )
    );
    let column = |place: usize| lines[1..].iter().map(move |line| line.split(',').nth(place).unwrap());
    let mean = |place| column(place).map(|cell| cell.parse::<f64>().unwrap()).sum::<f64>() / 20.0;
    assert_eq!(lines.len(), 21);
    assert!((mean(7) - measured["players"][0]["mean"].as_f64().unwrap()).abs() < 1e-9);
    assert!((mean(10) - measured["evaluations"][0]["mean"].as_f64().unwrap()).abs() < 1e-9);

    let (lines, measured) = measure("rules.csv", &["rules", "--positions", "20"]);
    let first = &measured["rules"][0];
    assert_eq!(
        lines[0],
        "board,goal,rule,stage,positions,following,any,gain,best-following,best-any,half-width"
    );
    let cells: Vec<&str> = lines[1].split(',').collect();
    assert_eq!(cells[..4], ["4x4", "normal", first["rule"].as_str().unwrap(), "all"]);
    let figure = |name: &str| first[name].as_f64().unwrap();
    let expected =
        ["positions", "following", "any", "gain", "best_following", "best_any", "half_width"].map(figure);
    let found = cells[4..].iter().map(|cell| cell.parse::<f64>().unwrap());
    assert!(
        found.zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-9),
        "{cells:?} {first}"
    );
    assert_eq!(
        lines.len(),
        1 + 5 * measured["rules"].as_array().unwrap().len(),
        "all positions and four stages"
    );

    let (lines, measured) = measure("savings.csv", &["savings", "--eval", "discs", "--depth", "2"]);
    assert_eq!(lines[0], "board,goal,evaluation,depth,search,positions,nodes,seconds,runs");
    let first = &measured["evaluations"][0]["costs"][0];
    let begins = format!("4x4,normal,discs,1,minimax,6,{},", first["nodes"]);
    assert!(lines[1].starts_with(&begins), "{} {begins}", lines[1]);
    for plot in ["players.svg", "evaluations.png", "rules.svg", "savings-discs.png"] {
        assert!(directory.path().join("plots").join(plot).is_file(), "{plot}");
    }
}

#[test]
fn the_atlas_lists_known_values_and_the_shipped_plot_shows_them() {
    run(&["lab", "atlas", "--board", "4x4"])
        .success()
        .stdout(predicates::str::contains("4x4    diagonal  normal    raw        -8  published"));
    run(&["lab", "atlas", "--board", "12x12"]).code(2);
    run(&["lab", "atlas", "--board", "7x8"]).success().stdout("no start value is recorded for this board\n");
    run(&["lab", "atlas", "--json"])
        .success()
        .stdout(predicates::str::starts_with("{\"schema\":\"reversi.atlas/1\""));
    let directory = tempfile::tempdir().unwrap();
    run(&["lab", "atlas", "--plots", directory.path().to_str().unwrap()]).success();
    let drawn = std::fs::read_to_string(directory.path().join("start-values.svg")).unwrap();
    let shipped = include_str!("../../docs/start-values.svg");
    assert_eq!(drawn, shipped, "made by: reversi lab atlas --plots docs");
}

/// A full disk is noticed only when the table is written.
#[cfg(target_os = "linux")]
#[test]
fn what_was_measured_is_printed_also_where_it_cannot_be_written() {
    run(&["lab", "rules", "--board", "4x4", "--positions", "9", "--csv", "/dev/full"])
        .code(1)
        .stdout(predicates::str::contains("rule of thumb"))
        .stderr(predicates::str::contains("--csv /dev/full: "));
}

#[test]
fn the_report_is_one_page_that_loads_nothing_and_follows_from_its_seed() {
    let page = |threads: &str| {
        let directory = tempfile::tempdir().unwrap();
        let out = directory.path().to_str().unwrap();
        run(&["lab", "report", "--quick", "--quiet", "--out", out, "--threads", threads]).success();
        let page = std::fs::read_to_string(directory.path().join("report.html")).unwrap();
        assert!(std::fs::read(directory.path().join("rules-6x6.png")).unwrap().starts_with(b"\x89PNG"));
        // Times are of the day; they stand in the comparison with the reports only.
        page.lines()
            .filter(|line| !line.contains(" the time") && !line.contains(" the speed"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let one = page("1");
    assert_eq!(one, page("2"));
    assert!(!one.contains("src=") && !one.contains("<link") && !one.contains("@import"), "nothing is loaded");
    for command in [
        "reversi lab prune",
        "reversi lab regret",
        "reversi lab rules",
        "reversi lab savings",
        "reversi tournament",
    ] {
        assert!(one.contains(command), "{command}");
    }
    assert!(one.matches("<svg").count() >= 12);
    assert!(one.contains("Differences: 0."));
}

/// The shipped page.
fn shipped_report() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/lab/report.html")).unwrap()
}

fn unescaped(html: &str) -> String {
    html.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// The commands that a page names.
fn commands(page: &str) -> Vec<String> {
    page.split("<code>").skip(1).map(|rest| unescaped(rest.split_once("</code>").unwrap().0)).collect()
}

/// The rows of all tables of a page, each as its cells.
fn rows(page: &str) -> Vec<Vec<String>> {
    let text = |cell: &str| cell.rsplit_once('>').map(|(_, text)| unescaped(text));
    let cells = |row: &str| {
        let row = format!(">{row}").replace("</td>", "</th>");
        row.split_terminator("</th>").filter_map(text).collect()
    };
    let rows = page.split("<tr><th scope=\"row\">").skip(1);
    rows.map(|rest| cells(rest.split_once("</tr>").unwrap().0)).collect()
}

const STALE: &str = "docs/lab is not what this program measures: make it again with `just report`";

/// What is cheap to measure again is: everything on 4x4, and the nodes of shallow searches on 8x8.
#[test]
fn the_shipped_report_is_that_of_this_program() {
    let page = shipped_report();
    let (commands, rows) = (commands(&page), rows(&page));
    let on_4x4 = |command: &&String| command.contains("--board 4x4");
    assert_eq!(commands.iter().filter(on_4x4).count(), 6, "{STALE}");
    for command in commands.iter().filter(on_4x4) {
        let words = common::words(command);
        let text = stdout(run(&words[1..].iter().map(String::as_str).collect::<Vec<_>>()).success());
        let names = rows.iter().map(|row| &row[0]);
        let is_row =
            |line: &&str| names.clone().any(|name| line.trim_start().starts_with(&format!("{name}  ")));
        let measured: Vec<&str> = text.lines().filter(is_row).collect();
        assert!(measured.len() > 5, "{command}: {text}");
        for line in measured {
            let cells: Vec<String> =
                line.trim().split("  ").map(|cell| cell.trim().replace(" +- ", " \u{b1} ")).collect();
            let cells: Vec<String> = cells.into_iter().filter(|cell| !cell.is_empty()).collect();
            assert!(rows.iter().any(|row| cells.starts_with(row)), "{STALE}: {command}: {line}");
        }
    }
    for command in commands.iter().filter(|command| command.contains("lab savings")) {
        let shallow = command.replace("--depth 8", "--depth 4");
        let words = common::words(&shallow);
        let found = json(&words[1..].iter().map(String::as_str).collect::<Vec<_>>());
        let positions = found["positions"].as_f64().unwrap();
        for evaluation in found["evaluations"].as_array().unwrap() {
            let costs = evaluation["costs"].as_array().unwrap().iter().filter(|cost| cost["depth"] == 4);
            let nodes = costs.map(|cost| (cost["nodes"].as_f64().unwrap() / positions).round().to_string());
            let row: Vec<String> = ["4".to_owned()].into_iter().chain(nodes).collect();
            assert!(rows.contains(&row), "{STALE}: {command}: {row:?} by {}", evaluation["evaluation"]);
        }
    }
}

#[test]
fn a_smaller_report_has_every_part_and_less_of_each() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    run(&["lab", "report", "--quick", "--quiet", "--out", out]).success();
    let small = std::fs::read_to_string(directory.path().join("report.html")).unwrap();
    // Everything but amounts: the number after the options that name them.
    let amounts = ["--positions", "--games", "--sample", "--max-empties", "--depth"];
    let kept = |command: &String| {
        let words = common::words(command);
        let is_amount = |place: usize| {
            amounts.contains(&words[place].as_str())
                || place > 0 && amounts.contains(&words[place - 1].as_str())
        };
        (0..words.len())
            .filter(|&place| !is_amount(place))
            .map(|place| words[place].clone())
            .collect::<Vec<_>>()
    };
    let [small, shipped] = [&small, &shipped_report()].map(|page| commands(page));
    let [kept_small, kept_shipped] = [&small, &shipped].map(|all| all.iter().map(kept).collect::<Vec<_>>());
    assert_eq!(kept_small, kept_shipped, "{STALE}");
    for (small, shipped) in small.iter().zip(&shipped) {
        assert_ne!(small, shipped, "one percent of it is less");
    }
}

#[test]
fn searches_and_rules_are_measured() {
    let found = json(&["lab", "savings", "--board", "6x6", "--depth", "4", "--positions", "3"]);
    let costs = found["evaluations"][0]["costs"].as_array().unwrap();
    assert!(costs.iter().any(|cost| cost["search"] == "minimax" && cost["depth"] == 4), "{found}");
    let rules = json(&["lab", "rules", "--board", "6x6", "--positions", "200", "--max-empties", "10"]);
    let corner =
        rules["rules"].as_array().unwrap().iter().find(|rule| rule["rule"] == "take a corner").unwrap();
    assert!(corner["gain"].as_f64().unwrap() > 1.0, "{corner}");
}

#[test]
fn more_positions_or_games_than_the_memory_holds_are_refused() {
    for asked in [
        &["lab", "savings", "--positions", "18446744073709551615"][..],
        &["lab", "regret", "first", "--positions", "4294967295"],
        &["lab", "regret", "first", "--games", "4294967295"],
    ] {
        let said = stderr(run(asked).code(2));
        assert!(said.contains(asked[asked.len() - 2]) && said.contains("to 100000"), "{said}");
    }
}

#[test]
fn a_census_knows_its_means_exactly_but_for_players_that_draw_their_moves() {
    let printed = |sample: &[&str]| {
        let asked = ["lab", "regret", "first", "random", "--eval", "discs", "--board", "4x4"];
        let text = stdout(run(&[&asked[..], sample].concat()).success());
        assert!(text.lines().skip(2).all(|line| line.chars().count() <= 100), "{text}");
        let line = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        ["first ", "random "].map(|name| line(name).contains("+-"))
    };
    assert_eq!(printed(&["--sample", "all"]), [false, true]);
    assert_eq!(printed(&["--sample", "all", "--max-empties", "6"]), [false, true]);
    assert_eq!(printed(&["--max-empties", "6"]), [true, true]);
}

#[test]
fn forced_moves_are_left_out_where_there_is_a_choice() {
    let player = &json(&["lab", "regret", "first", "--board", "4x4", "--sample", "all"])["players"][0];
    let number = |name: &str| player[name].as_f64().unwrap();
    let lost = number("mean") * number("moves");
    assert!((lost - number("mean_with_choice") * number("moves_with_choice")).abs() < 1e-6, "{player}");
    let printed = run(&["lab", "regret", "first", "--board", "4x4", "--sample", "all"]).success();
    printed.stdout(predicates::str::contains(format!(" {:.2} ", number("mean_with_choice"))));
}

#[test]
fn a_census_of_the_end_is_smaller_and_says_so() {
    let count = |most: &str| {
        let asked = ["lab", "rules", "--board", "4x4", "--sample", "all", "--max-empties", most];
        let found = json(&asked);
        assert!(found["sample"].as_str().unwrap().ends_with(&format!("at most {most} empty squares")));
        assert_eq!(found["start"], "diagonal");
        found["positions"].as_u64().unwrap()
    };
    let (few, all) = (count("4"), count("12"));
    assert!(0 < few && few < all && all == 9830, "{few} {all}");
}

#[cfg(unix)]
mod interrupted {
    use super::*;
    use std::path::Path;
    use std::process::{Child, Output, Stdio};
    use std::thread::sleep;
    use std::time::Duration;

    fn spawn(arguments: &[&str]) -> Child {
        let mut command = common::process();
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn interrupt(child: Child) -> Output {
        common::interrupt(child.id());
        child.wait_with_output().unwrap()
    }

    /// Ctrl-C once there is this file.
    fn interrupted_at(sign: &Path, arguments: &[&str]) -> Output {
        let mut child = spawn(arguments);
        common::wait_for(sign, &mut child);
        let output = interrupt(child);
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        output
    }

    /// Ctrl-C in the middle of its work: as late as it takes for it to have begun.
    fn interrupted(arguments: &[&str], has_begun: impl Fn(&Output) -> bool) -> Output {
        let mut last = None;
        for wait in [1500, 3000, 6000, 12_000, 24_000, 48_000] {
            let child = spawn(arguments);
            sleep(Duration::from_millis(wait));
            let output = interrupt(child);
            if output.status.code() == Some(130) && has_begun(&output) {
                return output;
            }
            last = Some(output);
        }
        panic!("it has never begun: {last:?}");
    }

    /// Whether there is a result.
    fn prints(output: &Output) -> bool {
        !output.stdout.is_empty()
    }

    fn report(output: &Output) -> Json {
        let report: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["interrupted"], true, "{report}");
        report
    }

    fn text(bytes: &[u8]) -> &str {
        std::str::from_utf8(bytes).unwrap()
    }

    /// The second player hangs at its fifth move, and the third never comes to its turn.
    #[test]
    fn the_moves_made_till_then_are_reported() {
        let directory = tempfile::tempdir().unwrap();
        let place = |name: &str| directory.path().join(name).display().to_string();
        let words = format!(
            "moves=0\n\
             while read command rest; do\n\
               case $command in genmove)\n\
                 moves=$((moves + 1))\n\
                 if [ $moves = 5 ]; then touch '{}'; sleep 60; fi ;;\n\
               esac\n\
               printf '= a1\\n\\n'\n\
             done\n",
            place("fifth")
        );
        std::fs::write(place("player.sh"), words).unwrap();
        let (program, csv) = (format!("sh '{}'", place("player.sh")), place("table.csv"));
        let asked = ["lab", "regret", "first", "--gtp", &program, "--gtp", &program, "--threads", "1"];
        let sample = ["--board", "4x4", "--positions", "20", "--csv", &csv];
        for json in [&["--json"][..], &[]] {
            let arguments = [&asked[..], &sample, json].concat();
            let sign = directory.path().join("fifth");
            let output = interrupted_at(&sign, &arguments);
            std::fs::remove_file(sign).unwrap();
            let told = format!("interrupted: not written: {csv}\n");
            let said = if json.is_empty() { told.as_str() } else { "" };
            assert_eq!(text(&output.stderr), said);
            assert!(!Path::new(&csv).exists());
            if json.is_empty() {
                let said = format!(
                    "\ninterrupted: {program} moved at 4 of 20 positions\n\
                     interrupted: nothing was measured of {program}\n"
                );
                assert!(text(&output.stdout).contains(&said), "{output:?}");
                continue;
            }
            let report = report(&output);
            let moves = |player: usize| {
                let player = &report["players"][player];
                player["moves"].as_u64().unwrap() + player["illegal"].as_u64().unwrap()
            };
            assert_eq!((moves(0), moves(1)), (20, 4));
        }
    }

    #[test]
    fn where_nothing_was_measured_that_is_said() {
        let asked =
            ["lab", "regret", "first", "--board", "8x8", "--sample", "self-play", "--by", "engine:level=20"];
        let output = interrupted(&asked, |_| true);
        assert_eq!(text(&output.stdout), "");
        assert!(text(&output.stderr).contains("interrupted before anything was measured; nothing is kept"));
    }

    #[test]
    fn rules_are_measured_at_the_positions_that_are_known() {
        let asked = ["lab", "rules", "--max-empties", "26", "--positions", "2000"];
        let report = report(&interrupted(&[&asked[..], &["--json"]].concat(), prints));
        assert!((1..2000).contains(&report["positions"].as_u64().unwrap()), "{report}");
        let output = interrupted(&asked, prints);
        assert!(text(&output.stdout).contains("\ninterrupted: the exact scores of "), "{output:?}");
        assert!(text(&output.stdout).contains(" of 2000 positions were found\n"), "{output:?}");
    }

    #[test]
    fn searches_that_were_not_done_cost_nothing_and_that_is_said() {
        let asked =
            ["lab", "savings", "--depth", "40", "--most-nodes", "18446744073709551615", "--plots", "."];
        let has_cost = |output: &Output| {
            let report: Json = serde_json::from_slice(&output.stdout).unwrap_or_default();
            report["evaluations"][0]["costs"].as_array().is_some_and(|costs| !costs.is_empty())
        };
        report(&interrupted(&[&asked[..], &["--json"]].concat(), has_cost));
        let output = interrupted(&asked, prints);
        assert!(
            text(&output.stdout).contains("\ninterrupted: the searches by discs to depth "),
            "{output:?}"
        );
        assert!(text(&output.stderr).contains("interrupted: not written: the plots"), "{output:?}");
    }

    #[test]
    fn a_check_in_part_does_not_read_like_a_whole_one() {
        let asked = ["lab", "prune", "--positions", "10000000"];
        let report = report(&interrupted(&[&asked[..], &["--json"]].concat(), prints));
        assert_eq!(report["positions_asked"], 10_000_000);
        assert!(report["positions"].as_u64().unwrap() < 10_000_000);
        let output = interrupted(&asked, prints);
        assert!(text(&output.stdout).starts_with("interrupted after "), "{output:?}");
        assert!(text(&output.stdout).contains(" of 10000000 positions\n"), "{output:?}");
        assert!(text(&output.stdout).ends_with("\nno difference in what was compared\n"), "{output:?}");
    }
}
