//! A region built in parts has the bytes of one that was built by one process, however it is divided, in whatever order
//! and with whatever interruptions; what is wrong in its files is named.

use fastrand::Rng;
use reversi::build::known_values::KnownValue;
use reversi::build::plan::BuildPlan;
use reversi::build::region::{Tools, solve};
use reversi::build::shared::{Merged, RoundReport, SharedBuild, SharedError, recheck};
use reversi::rules::{Board, Geometry, Goal, Rules, Scoring, Start};
use reversi::search::{Sizing, Solver, SolverOptions, Stop};
use reversi::spread::parts::Part;
use reversi::spread::{PartTools, Recheck, RecheckReport, SpreadError};
use reversi::table::RawEntry;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn solver(plan: &BuildPlan, memory_bytes: usize) -> Solver {
    let options = SolverOptions { memory_bytes, threads: 1, sizing: Sizing::Whole };
    Solver::new(plan.geometry, plan.rules, options).unwrap()
}

fn plan_of(columns: u32, rows: u32, goal: Goal, prefix: u8, down_to: u8) -> BuildPlan {
    let geometry = Geometry::new(columns, rows).unwrap();
    let root = Board::start(geometry, Start::Diagonal).position();
    BuildPlan { geometry, rules: Rules::new(goal, Scoring::Raw), root, prefix, down_to, last_moves: false }
}

/// With its known rounds: one for the prefix, then one for each two plies.
fn small_plan() -> BuildPlan {
    plan_of(5, 4, Goal::Normal, 3, 7)
}

fn by_one_process(plan: BuildPlan) -> Vec<RawEntry> {
    let tools = Tools {
        solver: &solver(&plan, 1 << 20),
        threads: 2,
        stop: &Stop::never(),
        workspace: None,
        progress: &mut |_| (),
    };
    solve(plan, tools, []).unwrap()
}

fn laid_out(directory: &Path, plan: &BuildPlan) -> SharedBuild {
    SharedBuild::plan(directory, plan, "table.rvt", [], &solver(plan, 1 << 20), &Stop::never()).unwrap()
}

/// Does a part as a process of its own would, but stops after a number of searches. Whether it was stopped.
fn run_for(directory: &Path, part: Part, searches: usize) -> bool {
    let build = SharedBuild::open(directory).unwrap();
    let stop = Stop::default();
    let tools = PartTools {
        solver: &solver(&build.build_plan(), 1 << 18),
        threads: 1,
        stop: &stop,
        sync_every: Duration::from_secs(30),
        progress: &mut |progress| {
            if progress.done >= searches {
                stop.set();
            }
        },
    };
    match build.run(part, tools) {
        Ok(_) => false,
        Err(SpreadError::Stopped) => true,
        Err(error) => panic!("{error}"),
    }
}

fn run_all(directory: &Path, of: u32) {
    Part::new(1, of).unwrap().siblings().for_each(|part| assert!(!run_for(directory, part, usize::MAX)));
}

fn merge(directory: &Path) -> Result<(Merged, RoundReport), SharedError> {
    SharedBuild::open(directory).unwrap().merge(&Stop::never())
}

/// Round after round, each in another number of parts, until the region is finished.
fn in_parts(plan: &BuildPlan, numbers: &[u32], random: &mut Rng, kills: bool) -> (Vec<RawEntry>, u32) {
    in_parts_in(tempfile::tempdir().unwrap().path(), plan, numbers, random, kills)
}

fn in_parts_in(
    directory: &Path,
    plan: &BuildPlan,
    numbers: &[u32],
    random: &mut Rng,
    kills: bool,
) -> (Vec<RawEntry>, u32) {
    laid_out(directory, plan);
    for round in 1.. {
        let of = numbers[round as usize % numbers.len()];
        let mut parts: Vec<Part> = Part::new(1, of).unwrap().siblings().collect();
        random.shuffle(&mut parts);
        while let Some(part) = parts.pop() {
            let searches = if kills { random.usize(1..20) } else { usize::MAX };
            if run_for(directory, part, searches) {
                parts.push(part);
                random.shuffle(&mut parts);
            }
            if kills {
                cut_some_file(&directory.join(format!("round-{round}")), random);
            }
        }
        // What was cut off is searched again.
        run_all(directory, 1);
        match merge(directory).unwrap() {
            (Merged::Finished(entries), _) => return (entries, round),
            (Merged::NextRound(next), report) => {
                assert_eq!((report.round, next.round()), (round, round + 1));
                assert!(report.nodes > 0 && report.searches > 0, "{report:?}");
            }
        }
    }
    unreachable!()
}

fn found_in(directory: &Path) -> Vec<PathBuf> {
    files_in(directory, "found")
}

fn files_in(directory: &Path, wanted: &str) -> Vec<PathBuf> {
    let paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == wanted)).collect();
    found.sort();
    found
}

/// As a crash of the machine does.
fn cut_some_file(round: &Path, random: &mut Rng) {
    let path = random.choice(found_in(round));
    if let Some(path) = path.filter(|_| random.bool()) {
        let bytes = fs::read(&path).unwrap();
        fs::write(path, &bytes[..bytes.len().saturating_sub(random.usize(1..50))]).unwrap();
    }
}

#[test]
fn any_number_of_parts_in_any_order_makes_the_same_entries() {
    let mut random = Rng::with_seed(1);
    let plans = [
        small_plan(),
        plan_of(5, 4, Goal::Reversed, 0, 6),
        plan_of(4, 5, Goal::Normal, 2, 16),
        plan_of(4, 4, Goal::Reversed, 2, 0),
        plan_of(4, 4, Goal::Normal, 12, 0),
        plan_of(3, 5, Goal::Normal, 1, 3),
        plan_of(5, 5, Goal::Normal, 6, 13),
        BuildPlan { last_moves: true, ..plan_of(4, 5, Goal::Reversed, 4, 9) },
        BuildPlan { last_moves: true, ..plan_of(5, 4, Goal::Normal, 6, 10) },
    ];
    for (place, plan) in plans.into_iter().enumerate() {
        let expected = by_one_process(plan);
        let divisions = [&[1][..], &[7], &[20], &[3, 100, 1]];
        // All of them for one plan, and for each of the others two.
        for numbers in divisions
            .into_iter()
            .enumerate()
            .filter(|(i, _)| place == 0 || (i + place) % 2 == 0)
            .map(|(_, n)| n)
        {
            let (entries, rounds) = in_parts(&plan, numbers, &mut random, false);
            assert!(entries == expected, "{plan:?} in {numbers:?} parts");
            let plies = plan.root.empty_count(plan.geometry) as i32 - i32::from(plan.down_to);
            let after_prefix = (plies - i32::from(plan.prefix) + 1).max(0) as u32;
            // Passes may cost rounds.
            assert!(rounds <= 3 + after_prefix.div_ceil(2), "{rounds} rounds of {plan:?}");
        }
    }
}

#[test]
fn stops_and_files_that_were_cut_off_change_no_entry() {
    let plan = small_plan();
    let expected = by_one_process(plan);
    for seed in 0..3 {
        let (entries, _) = in_parts(&plan, &[1, 7, 20], &mut Rng::with_seed(seed), true);
        assert!(entries == expected, "seed {seed}");
    }
}

#[test]
fn known_values_shorten_the_work_and_change_no_entry() {
    let plan = small_plan();
    let smaller = by_one_process(BuildPlan { prefix: 2, down_to: 9, ..plan });
    let known = smaller.into_iter().map(as_known);
    let directory = tempfile::tempdir().unwrap();
    let solver = solver(&plan, 1 << 20);
    let build = SharedBuild::plan(directory.path(), &plan, "t.rvt", known, &solver, &Stop::never()).unwrap();
    let other = tempfile::tempdir().unwrap();
    assert!(build.searches() < laid_out(other.path(), &plan).searches());
    loop {
        run_all(directory.path(), 2);
        if let (Merged::Finished(entries), _) = merge(directory.path()).unwrap() {
            assert!(entries == by_one_process(plan));
            return;
        }
    }
}

/// Positions of the last ply whose score is known, but not their move, and those with unknown scores, of which some
/// come after a pass, are all searched in the first round; nothing is left to do after it where the prefix ends at the
/// bound.
#[test]
fn all_moves_of_the_last_ply_are_found_in_the_first_round() {
    let without = plan_of(4, 5, Goal::Normal, 6, 10);
    let plan = BuildPlan { last_moves: true, ..without };
    let is_known = |entry: &RawEntry| entry.key.is_multiple_of(2);
    let known: Vec<_> = by_one_process(without).into_iter().filter(is_known).map(as_known).collect();
    for known in [Vec::new(), known] {
        let directory = tempfile::tempdir().unwrap();
        let solver = solver(&plan, 1 << 20);
        let build =
            SharedBuild::plan(directory.path(), &plan, "t.rvt", known, &solver, &Stop::never()).unwrap();
        assert_eq!(build.rounds_left(), 0);
        run_all(directory.path(), 3);
        let (Merged::Finished(entries), _) = merge(directory.path()).unwrap() else { panic!("not finished") };
        assert!(entries == by_one_process(plan));
    }
}

fn as_known(entry: RawEntry) -> KnownValue {
    KnownValue { key: entry.key, score: entry.score, best: entry.best }
}

#[test]
fn what_has_been_found_is_not_searched_again_by_any_division() {
    let directory = tempfile::tempdir().unwrap();
    laid_out(directory.path(), &small_plan());
    run_all(directory.path(), 3);
    let files = found_in(&directory.path().join("round-1")).len();
    run_all(directory.path(), 5);
    assert_eq!(found_in(&directory.path().join("round-1")).len(), files, "nothing was left to do");
}

/// Two processes that did the same part, on machines that could not lock each other out.
#[test]
fn what_was_found_twice_counts_once() {
    let directory = tempfile::tempdir().unwrap();
    laid_out(directory.path(), &small_plan());
    run_all(directory.path(), 2);
    let round = directory.path().join("round-1");
    for path in found_in(&round) {
        let twin = path.with_file_name(format!("part-of-another.{}", path.file_name().unwrap().display()));
        fs::copy(&path, twin).unwrap();
    }
    let (merged, report) = merge(directory.path()).unwrap();
    assert!(matches!(merged, Merged::NextRound(_)));
    assert_eq!(report.twice, report.searches);
}

#[test]
fn what_is_missing_is_counted_with_its_parts() {
    let directory = tempfile::tempdir().unwrap();
    let build = laid_out(directory.path(), &small_plan());
    let all = build.searches();
    let Err(SharedError::Spread(error)) = merge(directory.path()) else { panic!("nothing was done") };
    assert_eq!(error.to_string(), format!("{all} of {all} searches are missing"));
    for part in Part::new(1, 5).unwrap().siblings().filter(|part| part.to_string() != "4/5") {
        run_for(directory.path(), part, usize::MAX);
    }
    match merge(directory.path()) {
        Err(SharedError::Spread(SpreadError::Missing { missing, parts, .. })) => {
            assert!((1..all).contains(&missing));
            assert_eq!(parts, [Part::new(4, 5).unwrap()]);
        }
        _ => panic!("a part is missing"),
    }
}

#[test]
fn a_flipped_bit_is_found_by_the_merge_and_passed_over_by_a_part() {
    let directory = tempfile::tempdir().unwrap();
    laid_out(directory.path(), &small_plan());
    run_all(directory.path(), 2);
    let path = found_in(&directory.path().join("round-1"))[0].clone();
    let mut bytes = fs::read(&path).unwrap();
    let place = bytes.len() - 60;
    bytes[place] ^= 4;
    fs::write(&path, bytes).unwrap();
    match merge(directory.path()) {
        Err(SharedError::Spread(SpreadError::Damaged { path: named, .. })) => assert_eq!(named, path),
        _ => panic!("damage is an error"),
    }
    run_all(directory.path(), 2);
    fs::remove_file(&path).unwrap();
    assert!(matches!(merge(directory.path()).unwrap().0, Merged::NextRound(_)));
}

/// The whole second round, by one process; its nodes, and what was passed over.
fn second_round(directory: &Path) -> (u64, Vec<String>) {
    let build = SharedBuild::open(directory).unwrap();
    assert_eq!(build.round(), 2);
    let solver = &solver(&build.build_plan(), 1 << 20);
    let (stop, sync_every) = (Stop::never(), Duration::from_secs(30));
    let tools = PartTools { solver, threads: 1, stop: &stop, sync_every, progress: &mut |_| () };
    let report = build.run(Part::WHOLE, tools).unwrap();
    for extension in ["found", "bounds"] {
        files_in(&directory.join("round-2"), extension)
            .iter()
            .for_each(|path| fs::remove_file(path).unwrap());
    }
    (report.nodes, report.passed_over)
}

#[test]
fn bounds_of_the_round_before_save_nodes_and_what_is_wrong_with_their_file_is_told() {
    let directory = tempfile::tempdir().unwrap();
    laid_out(directory.path(), &plan_of(5, 5, Goal::Normal, 5, 12));
    run_all(directory.path(), 2);
    merge(directory.path()).unwrap();
    let (with, nothing) = second_round(directory.path());
    assert_eq!(nothing, [""; 0]);
    let paths = files_in(&directory.path().join("round-1"), "bounds");
    assert_eq!(paths.len(), 2);
    let bytes = fs::read(&paths[0]).unwrap();
    for place in (0..bytes.len()).step_by(bytes.len() / 40) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        fs::write(&paths[0], damaged).unwrap();
        let (_, passed_over) = second_round(directory.path());
        assert!(
            passed_over.len() == 1 && passed_over[0].contains(&paths[0].display().to_string()),
            "{place}"
        );
    }
    fs::write(&paths[0], &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(second_round(directory.path()).1.len(), 1);
    // Those of another plan.
    let other = tempfile::tempdir().unwrap();
    laid_out(other.path(), &plan_of(5, 5, Goal::Normal, 5, 13));
    run_all(other.path(), 1);
    fs::copy(&files_in(&other.path().join("round-1"), "bounds")[0], &paths[0]).unwrap();
    assert!(second_round(directory.path()).1[0].contains("another plan"));
    paths.iter().for_each(|path| fs::remove_file(path).unwrap());
    let (without, _) = second_round(directory.path());
    assert!(with * 10 < without * 9, "{with} nodes with bounds, {without} without");
}

/// So large that many searches rest on bounds of the rounds before.
#[test]
fn bounds_of_the_rounds_before_change_no_entry() {
    for goal in [Goal::Normal, Goal::Reversed] {
        let plan = plan_of(5, 5, goal, 4, 11);
        let expected = by_one_process(plan);
        let directory = tempfile::tempdir().unwrap();
        let (entries, rounds) = in_parts_in(directory.path(), &plan, &[3, 2], &mut Rng::with_seed(1), false);
        assert!(entries == expected && rounds > 4, "{plan:?}: {rounds} rounds");
        for round in 1..rounds - 1 {
            let kept = files_in(&directory.path().join(format!("round-{round}")), "bounds");
            assert!(!kept.is_empty(), "nothing was kept in round {round} of {rounds}");
        }
    }
}

#[test]
fn a_part_that_is_stopped_keeps_its_bounds_too() {
    let directory = tempfile::tempdir().unwrap();
    laid_out(directory.path(), &plan_of(5, 5, Goal::Normal, 5, 12));
    assert!(run_for(directory.path(), Part::WHOLE, 60));
    assert_eq!(files_in(&directory.path().join("round-1"), "bounds").len(), 1);
}

#[test]
fn results_of_another_plan_and_a_second_plan_are_refused() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    laid_out(one.path(), &small_plan());
    laid_out(two.path(), &BuildPlan { down_to: 8, ..small_plan() });
    run_all(one.path(), 1);
    run_all(two.path(), 1);
    let path = found_in(&two.path().join("round-1"))[0].clone();
    let there = one.path().join("round-1").join(path.file_name().unwrap());
    fs::copy(path, &there).unwrap();
    match merge(one.path()) {
        Err(SharedError::Spread(SpreadError::OtherPlan(named))) => assert_eq!(named, there),
        _ => panic!("it is of another plan"),
    }
    let plan = small_plan();
    let again =
        SharedBuild::plan(one.path(), &plan, "table.rvt", [], &solver(&plan, 1 << 20), &Stop::never());
    assert!(matches!(again, Err(SharedError::Spread(SpreadError::HasPlan(_)))));
    let none = tempfile::tempdir().unwrap();
    assert!(matches!(SharedBuild::open(none.path()), Err(SpreadError::NoPlan(_))));
}

#[test]
fn who_comes_late_does_not_lay_out_the_next_round_again() {
    let directory = tempfile::tempdir().unwrap();
    let late = laid_out(directory.path(), &small_plan());
    run_all(directory.path(), 1);
    merge(directory.path()).unwrap();
    let next = fs::read(directory.path().join("round-2/plan")).unwrap();
    let refused = late.merge(&Stop::never());
    assert!(matches!(refused, Err(SharedError::Spread(SpreadError::LaterRound(_, 2)))));
    assert_eq!(fs::read(directory.path().join("round-2/plan")).unwrap(), next);
}

#[test]
fn a_plan_of_a_table_elsewhere_is_refused() {
    for name in ["../table.rvt", "/tmp/table.rvt", "..", ""] {
        let directory = tempfile::tempdir().unwrap();
        let plan = small_plan();
        SharedBuild::plan(directory.path(), &plan, name, [], &solver(&plan, 1 << 20), &Stop::never())
            .unwrap();
        assert!(matches!(SharedBuild::open(directory.path()), Err(SpreadError::Unreadable { .. })), "{name}");
    }
}

#[test]
fn a_damaged_plan_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    laid_out(directory.path(), &small_plan());
    let path = directory.path().join("round-1/plan");
    let bytes = fs::read(&path).unwrap();
    for place in (0..bytes.len()).step_by(37) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        fs::write(&path, damaged).unwrap();
        assert!(SharedBuild::open(directory.path()).is_err(), "byte {place}");
        fs::write(&path, &bytes[..place]).unwrap();
        assert!(SharedBuild::open(directory.path()).is_err(), "cut at {place}");
    }
}

fn recheck_of(directory: &Path, percent: f64, seed: u64) -> RecheckReport {
    let plan = SharedBuild::open(directory).unwrap().build_plan();
    let options = SolverOptions { memory_bytes: 1 << 18, threads: 1, sizing: Sizing::Whole };
    let tools = PartTools {
        solver: &Solver::with_ordering(plan.geometry, plan.rules, options, None).unwrap(),
        threads: 2,
        stop: &Stop::never(),
        sync_every: Duration::from_secs(30),
        progress: &mut |_| (),
    };
    recheck(directory, Recheck { percent, seed }, tools).unwrap()
}

#[test]
fn a_recheck_repeats_what_was_drawn_once_and_a_merge_tells_of_it() {
    let directory = tempfile::tempdir().unwrap();
    laid_out(directory.path(), &small_plan());
    run_all(directory.path(), 2);
    merge(directory.path()).unwrap();
    run_all(directory.path(), 2);
    let first = recheck_of(directory.path(), 30.0, 1);
    assert!(first.drawn > 0 && first.drawn < first.searches && first.differences.is_empty(), "{first:?}");
    let again = recheck_of(directory.path(), 30.0, 1);
    assert_eq!((again.drawn, again.done_before, again.nodes), (first.drawn, first.drawn, 0));
    let (_, report) = merge(directory.path()).unwrap();
    assert_eq!((report.rechecked, report.all_searches), (first.drawn, first.searches));
    let all = recheck_of(directory.path(), 100.0, 1);
    assert_eq!((all.drawn, all.differences.len()), (all.searches, 0));
}

/// A machine that computes wrongly writes wrong results with right checksums.
#[test]
fn a_wrong_result_is_found_by_a_recheck_and_then_by_every_merge() {
    let directory = tempfile::tempdir().unwrap();
    laid_out(directory.path(), &small_plan());
    run_all(directory.path(), 1);
    let path = found_in(&directory.path().join("round-1"))[0].clone();
    falsify(&path, |score| score + 2);
    let report = recheck_of(directory.path(), 100.0, 1);
    assert_eq!(report.differences.len(), 1, "{report:?}");
    assert!(report.differences[0].contains(&path.display().to_string()), "{report:?}");
    // What is known already ends no later recheck.
    let again = recheck_of(directory.path(), 100.0, 2);
    assert_eq!(
        (again.searches, again.drawn, again.done_before),
        (report.searches, report.drawn, report.drawn)
    );
    assert_eq!(again.differences.len(), 1, "{again:?}");
    match merge(directory.path()) {
        Err(SharedError::Spread(SpreadError::Contradiction { first, .. })) => assert_eq!(first, path),
        _ => panic!("they differ"),
    }
    // Without the file of the faulty machine the work is done again.
    fs::remove_file(&path).unwrap();
    run_all(directory.path(), 1);
    assert!(merge(directory.path()).is_ok());
}

/// Changes the score of the first result of a file, and its checksum.
fn falsify(path: &Path, change: impl Fn(i8) -> i8) {
    let mut bytes = fs::read(path).unwrap();
    let length = 18 + u64::from_le_bytes(bytes[10..18].try_into().unwrap()) as usize + 4;
    let head = crc32fast::hash(&bytes[..length - 4]);
    bytes[length + 12] = change(bytes[length + 12] as i8) as u8;
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&head.to_le_bytes());
    hasher.update(&0_u64.to_le_bytes());
    hasher.update(&bytes[length..length + 30]);
    bytes[length + 30..length + 34].copy_from_slice(&hasher.finalize().to_le_bytes());
    fs::write(path, bytes).unwrap();
}
