//! Regions: what they hold, that every value in them is right, and that neither threads nor memory nor
//! interruptions change a byte.

use crate::common::region::{self, failures, truth};
use crate::common::specification::mend_checksums;
use reversi::build::certificates;
use reversi::build::checkpoint::{CheckpointError, Workspace, kept};
use reversi::build::estimate::estimate;
use reversi::build::import;
use reversi::build::known_values::{KnownValue, KnownValues, words_of};
use reversi::build::last_ply::MissingMoves;
use reversi::build::plan::{BuildPlan, BuildPlanError};
use reversi::build::region::{BuildError, BuildProgress, Tools, solve};
use reversi::rules::playout::with_empties;
use reversi::rules::{Board, Geometry, Goal, Move, Position, Rules, Scoring, Start, notation};
use reversi::search::reference::minimax::minimax;
use reversi::search::{Sizing, Solver, SolverOptions, Stop};
use reversi::table::{Contents, RawEntry, Region, Table, key, to_bytes};
use reversi::verify::{Outcome, Report, Sample, Verdict, verify};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

const NORMAL: Rules = Rules::new(Goal::Normal, Scoring::Raw);
const REVERSED: Rules = Rules::new(Goal::Reversed, Scoring::Raw);

fn solver(plan: &BuildPlan, memory_bytes: usize) -> Solver {
    let options = SolverOptions { memory_bytes, threads: 1, sizing: Sizing::Whole };
    Solver::new(plan.geometry, plan.rules, options).unwrap()
}

/// Solves with `threads` threads from known values, nothing kept.
fn build(
    plan: BuildPlan,
    solver: &Solver,
    threads: usize,
    known: impl IntoIterator<Item = KnownValue>,
) -> Result<Vec<RawEntry>, BuildError> {
    let stop = Stop::never();
    let tools = Tools { solver, threads, stop: &stop, workspace: None, progress: &mut |_: BuildProgress| () };
    solve(plan, tools, known)
}

/// Solves with these threads and this memory.
fn entries_with(plan: BuildPlan, threads: usize, memory: usize, known: Vec<KnownValue>) -> Vec<RawEntry> {
    build(plan, &solver(&plan, memory), threads, known).unwrap()
}

fn entries(plan: BuildPlan) -> Vec<RawEntry> {
    entries_with(plan, 2, 1 << 20, Vec::new())
}

fn bytes(plan: &BuildPlan, entries: &[RawEntry]) -> Vec<u8> {
    to_bytes(plan.contents(), entries.iter().copied()).unwrap()
}

fn known_values(entries: &[RawEntry]) -> Vec<KnownValue> {
    entries.iter().map(|entry| KnownValue { key: entry.key, score: entry.score, best: entry.best }).collect()
}

/// The legal squares of a stored position as entries hold them, each with the key after it.
fn places(geometry: Geometry, key: u64) -> impl Iterator<Item = (u8, u64)> {
    let children = key::unpack(geometry, key).unwrap().children(geometry).into_iter();
    children.filter_map(move |(mv, child)| match mv {
        Move::Play(square) => Some((geometry.row_major(square) as u8, key::canonical(geometry, child).0)),
        Move::Pass => None,
    })
}

fn from_start(geometry: Geometry, start: Start, rules: Rules, prefix: u8, down_to: u8) -> BuildPlan {
    BuildPlan {
        geometry,
        rules,
        root: Board::start(geometry, start).position(),
        prefix,
        down_to,
        last_moves: false,
    }
}

/// A position of a random game with this number of empty squares and a move.
fn root_with(geometry: Geometry, empties: u32, seed: u64) -> Position {
    let mut random = fastrand::Rng::with_seed(seed);
    let start = Board::start(geometry, Start::Diagonal).position();
    let has_a_move = |position: &Position| position.legal_moves(geometry) != 0;
    with_empties(geometry, start, empties, &mut random).find(has_a_move).unwrap()
}

fn from_root(
    geometry: Geometry,
    empties: u32,
    seed: u64,
    rules: Rules,
    prefix: u8,
    down_to: u8,
) -> BuildPlan {
    BuildPlan {
        geometry,
        rules,
        root: root_with(geometry, empties, seed),
        prefix,
        down_to,
        last_moves: false,
    }
}

/// Some plans that are solved in a moment, on several boards, from starts and from later positions.
fn small_plans() -> Vec<BuildPlan> {
    let board = |width, height| Geometry::new(width, height).unwrap();
    vec![
        from_start(Geometry::FOUR, Start::Parallel, REVERSED, 3, 5),
        from_root(board(4, 5), 12, 1, NORMAL, 2, 7),
        from_root(board(4, 6), 13, 2, REVERSED, 3, 8),
        from_root(Geometry::SIX, 14, 3, NORMAL, 3, 9),
        from_root(Geometry::SIX, 14, 4, REVERSED, 2, 9),
    ]
}

#[test]
fn regions_of_4x4_are_as_defined_entry_by_entry() {
    for start in Start::ALL {
        for rules in Rules::ALL {
            let truth = truth(start, rules);
            for (prefix, down_to) in [(0, 12), (0, 0), (3, 8), (2, 5), (12, 12), (5, 3), (4, 11)] {
                let plan = from_start(Geometry::FOUR, start, rules, prefix, down_to);
                let expected = region::entries(&plan.contents(), &truth);
                assert_eq!(entries(plan), expected, "{start} {rules} prefix {prefix} down to {down_to}");
            }
        }
    }
}

/// The plan with the moves of the last ply, and its table: that of the plan, with the first best moves of `truth`.
fn with_last_moves(plan: BuildPlan, truth: &region::Truth) -> (BuildPlan, Vec<RawEntry>) {
    let last = plan.root.disc_count() + u32::from(plan.prefix);
    let mut expected = region::entries(&plan.contents(), truth);
    for entry in &mut expected {
        if key::unpack(plan.geometry, entry.key).unwrap().disc_count() == last {
            entry.best = truth[&entry.key].best;
        }
    }
    (BuildPlan { last_moves: true, ..plan }, expected)
}

#[test]
fn moves_of_the_last_ply_are_found_from_nothing_and_from_what_is_known() {
    for start in Start::ALL {
        for rules in Rules::ALL {
            let truth = truth(start, rules);
            for (prefix, down_to) in [(0, 12), (3, 8), (6, 5), (8, 8), (5, 7)] {
                let without = from_start(Geometry::FOUR, start, rules, prefix, down_to);
                let (plan, expected) = with_last_moves(without, &truth);
                let what = format!("{start} {rules} prefix {prefix} down to {down_to}");
                for known in [without, BuildPlan { prefix: prefix.saturating_sub(1), ..plan }, plan] {
                    let known = known_values(&entries(known));
                    assert_eq!(entries_with(plan, 2, 1 << 16, known), expected, "{what}");
                }
                assert_eq!(entries(plan), expected, "{what}");
            }
        }
    }
}

#[test]
fn the_whole_prefix_is_the_whole_board() {
    let plan = from_start(Geometry::FOUR, Start::Diagonal, NORMAL, 12, 12);
    assert_eq!(entries(plan).len(), 12_351);
}

#[test]
fn values_are_those_of_minimax_on_every_kind_of_board() {
    for plan in small_plans() {
        let entries = entries(plan);
        let small = |entry: &&RawEntry| {
            let position = key::unpack(plan.geometry, entry.key).unwrap();
            position.empty_count(plan.geometry) <= 9
        };
        let compared: Vec<_> = entries.iter().filter(small).take(60).collect();
        assert!(!compared.is_empty(), "{plan:?}");
        for entry in compared {
            let position = key::unpack(plan.geometry, entry.key).unwrap();
            let score = minimax(plan.geometry, plan.rules, position);
            assert_eq!(i32::from(entry.score), score.discs(), "{plan:?} {position:?}");
        }
    }
}

#[test]
fn threads_and_memory_change_no_byte() {
    let larger = from_root(Geometry::SIX, 18, 5, NORMAL, 2, 13);
    // All threads search its first positions together.
    let with_long_searches = from_root(Geometry::SIX, 21, 6, REVERSED, 0, 19);
    for plan in small_plans().into_iter().chain([larger, with_long_searches]) {
        let expected = bytes(&plan, &entries_with(plan, 1, 1 << 20, Vec::new()));
        for (threads, memory) in [(2, 1 << 22), (3, 1 << 12), (1, 1)] {
            let found = bytes(&plan, &entries_with(plan, threads, memory, Vec::new()));
            assert_eq!(found, expected, "{plan:?} {threads} threads, {memory} bytes");
        }
    }
}

#[test]
fn a_smaller_table_as_the_start_changes_no_byte() {
    for plan in small_plans() {
        let expected = bytes(&plan, &entries(plan));
        for smaller in [
            BuildPlan { prefix: plan.prefix - 1, ..plan },
            BuildPlan { down_to: plan.down_to + 2, ..plan },
            BuildPlan { prefix: 0, down_to: plan.down_to + 1, ..plan },
        ] {
            let known = known_values(&entries(smaller));
            assert_eq!(bytes(&plan, &entries_with(plan, 2, 1 << 20, known)), expected, "{plan:?}");
        }
    }
}

/// Solves in a workspace until `searches` have been done, or to the end.
fn run_for(plan: BuildPlan, directory: &Path, searches: usize) -> Result<Vec<RawEntry>, BuildError> {
    let mut workspace = Workspace::enter(directory, &plan).unwrap();
    workspace.save_every(Duration::ZERO);
    let known = workspace.load().unwrap().map_or(Vec::new(), |kept| kept.known_values);
    let solver = solver(&plan, 1 << 20);
    let stop = Stop::never();
    let mut left = searches;
    let mut progress = |progress: BuildProgress| {
        // What a kill would leave now is all but the search that has just ended.
        let saved = kept(directory, &plan).unwrap().map_or(0, |kept| kept.known_values.len());
        assert!(saved + 1 >= progress.done, "{saved} known values after {progress:?}");
        left = left.saturating_sub(1);
        if left == 0 {
            stop.set();
        }
    };
    let tools = Tools {
        solver: &solver,
        threads: 2,
        stop: &stop,
        workspace: Some(&mut workspace),
        progress: &mut progress,
    };
    solve(plan, tools, known)
}

#[test]
fn interruptions_change_no_byte() {
    let mut rng = fastrand::Rng::with_seed(7);
    for plan in small_plans() {
        let expected = bytes(&plan, &entries(plan));
        let directory = tempfile::tempdir().unwrap();
        let mut stopped = 0;
        let finished = loop {
            match run_for(plan, directory.path(), rng.usize(1..16)) {
                Ok(entries) => break entries,
                Err(BuildError::Stopped) => stopped += 1,
                Err(error) => panic!("{error}"),
            }
        };
        assert!(stopped > 3, "{plan:?} was stopped {stopped} times");
        assert_eq!(bytes(&plan, &finished), expected, "{plan:?} stopped {stopped} times");
    }
}

#[test]
fn a_checkpoint_of_another_build_is_refused_and_kept() {
    let plan = small_plans()[0];
    let directory = tempfile::tempdir().unwrap();
    assert!(matches!(run_for(plan, directory.path(), 10), Err(BuildError::Stopped)));
    let kept = fs::read(directory.path().join("checkpoint")).unwrap();
    let root = Board::start(Geometry::FOUR, Start::Diagonal).position();
    for other in [
        BuildPlan { prefix: plan.prefix + 1, ..plan },
        BuildPlan { down_to: plan.down_to + 1, ..plan },
        BuildPlan { rules: NORMAL, ..plan },
        BuildPlan { rules: Rules::new(Goal::Reversed, Scoring::Winner), ..plan },
        BuildPlan { root, ..plan },
        BuildPlan { last_moves: true, ..plan },
    ] {
        let refused = Workspace::enter(directory.path(), &other).unwrap().load().unwrap_err();
        assert!(matches!(refused, CheckpointError::OtherBuild { .. }), "{refused}");
        assert!(refused.to_string().contains("for another build"), "{refused}");
    }
    assert_eq!(fs::read(directory.path().join("checkpoint")).unwrap(), kept);
    assert!(Workspace::enter(directory.path(), &plan).unwrap().load().unwrap().is_some());
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let plan = small_plans()[0];
    let directory = tempfile::tempdir().unwrap();
    assert!(matches!(run_for(plan, directory.path(), 10), Err(BuildError::Stopped)));
    let path = directory.path().join("checkpoint");
    let whole = fs::read(&path).unwrap();
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..200 {
        let mut damaged = whole.clone();
        if rng.bool() {
            damaged.truncate(rng.usize(..whole.len()));
        } else {
            damaged[rng.usize(..whole.len())] ^= 1 << rng.u32(..8);
        }
        fs::write(&path, &damaged).unwrap();
        let refused = Workspace::enter(directory.path(), &plan).unwrap().load().unwrap_err();
        assert!(matches!(refused, CheckpointError::Unreadable { .. }), "{refused}");
    }
}

#[test]
fn a_second_builder_is_kept_out() {
    let plan = small_plans()[0];
    let directory = tempfile::tempdir().unwrap();
    let first = Workspace::enter(directory.path(), &plan).unwrap();
    let second = Workspace::enter(directory.path(), &plan);
    assert!(matches!(second.err(), Some(CheckpointError::Locked(_))));
    drop(first);
    assert!(Workspace::enter(directory.path(), &plan).is_ok());
}

#[test]
fn bounds_beyond_the_empty_squares_are_refused() {
    let plan = from_start(Geometry::FOUR, Start::Diagonal, NORMAL, 3, 8);
    assert!(plan.check().is_ok());
    assert!(matches!(BuildPlan { prefix: 13, ..plan }.check(), Err(BuildPlanError::PrefixTooLong { .. })));
    assert!(matches!(BuildPlan { down_to: 13, ..plan }.check(), Err(BuildPlanError::BoundTooHigh { .. })));
    let eight = Board::start(Geometry::EIGHT, Start::Diagonal);
    let too_large = BuildPlan { geometry: Geometry::EIGHT, root: eight.position(), ..plan };
    assert!(matches!(too_large.check(), Err(BuildPlanError::Table(_))));
}

fn verified(plan: &BuildPlan, entries: &[RawEntry]) -> Report {
    let sample = Sample { entries: 60, nodes: 200_000, ..Sample::default() };
    verify(Table::from_vec(bytes(plan, entries)).unwrap().raw(), sample, |_| {})
}

#[test]
fn the_verifier_finds_every_region_sound() {
    let whole = from_start(Geometry::FOUR, Start::Diagonal, NORMAL, 0, 0);
    for plan in small_plans().into_iter().chain([whole]) {
        let report = verified(&plan, &entries(plan));
        assert_eq!(report.verdict(), Verdict::Sound, "{plan:?} {report:#?}");
        let sampled = report.checks.iter().find(|check| check.name == "sample").unwrap();
        assert!(sampled.count > 30, "{sampled}");
    }
}

/// What follows on a position that is not stored is not looked at: there is no end to it.
#[test]
fn a_table_that_claims_more_than_it_holds_is_found_wrong_soon() {
    let plan = from_root(Geometry::SIX, 16, 3, NORMAL, 1, 13);
    let stored = entries(plan);
    for region in [Region::Complete, Region::SemiStrong { prefix: 16, down_to: 0 }] {
        let claims = to_bytes(Contents { region, ..plan.contents() }, stored.iter().copied()).unwrap();
        let sample = Sample { entries: 0, ..Sample::default() };
        let report = verify(Table::from_vec(claims).unwrap().raw(), sample, |_| {});
        let closure = report.checks.iter().find(|check| check.name == "closure").unwrap();
        assert!(matches!(closure.outcome, Outcome::Failed { .. }), "{closure}");
        assert!(closure.count < 20 * stored.len() as u64, "{closure}");
        let sampled = report.checks.iter().find(|check| check.name == "sample").unwrap();
        assert!(matches!(sampled.outcome, Outcome::NotChecked(_)), "{sampled}");
    }
}

/// What the verifier says about a region after `spoil` has changed it.
fn failures_after(plan: BuildPlan, spoil: impl FnOnce(&mut Vec<RawEntry>)) -> Vec<String> {
    let mut spoilt = entries(plan);
    spoil(&mut spoilt);
    let discs = |entry: &RawEntry| key::unpack(plan.geometry, entry.key).unwrap().disc_count();
    spoilt.sort_by_key(|entry| (discs(entry), entry.key));
    let report = verified(&plan, &spoilt);
    assert_eq!(report.verdict(), Verdict::Wrong, "{report:#?}");
    failures(&report).into_iter().map(str::to_owned).collect()
}

#[test]
fn what_is_wrong_in_a_region_is_found_by_the_check_whose_business_it_is() {
    let plan = from_start(Geometry::FOUR, Start::Diagonal, NORMAL, 3, 6);
    let empties =
        |entry: &RawEntry| key::unpack(plan.geometry, entry.key).unwrap().empty_count(plan.geometry);

    let above = failures_after(plan, |entries| {
        entries.iter_mut().find(|entry| empties(entry) == 8).unwrap().score += 1;
    });
    assert!(above.contains(&"values".to_owned()), "{above:?}");

    let missing = failures_after(plan, |entries| {
        let place = entries.iter().position(|entry| empties(entry) == 7).unwrap();
        entries.remove(place);
    });
    assert!(missing.contains(&"closure".to_owned()), "{missing:?}");

    let stranger = failures_after(plan, |entries| {
        let over = Position::new(Geometry::FOUR.mask(), 0);
        let key = key::pack(plan.geometry, over);
        entries.push(RawEntry { key, score: 16, best: RawEntry::NO_MOVE });
    });
    assert_eq!(stranger, ["reachable"]);

    let no_move = failures_after(plan, |entries| {
        let has_move = |entry: &&mut RawEntry| entry.best < 16 && empties(entry) == 6;
        entries.iter_mut().find(has_move).unwrap().best = RawEntry::NO_MOVE;
    });
    assert_eq!(no_move, ["moves"]);

    // A legal and even a best move where the format has none, at the end of a walk, would make another file of the same
    // region.
    let one_too_many = failures_after(plan, |entries| {
        let of_one_move = |entry: &&mut RawEntry| {
            empties(entry) == 6
                && entry.best == RawEntry::NO_MOVE
                && places(plan.geometry, entry.key).count() == 1
        };
        let entry = entries.iter_mut().find(of_one_move).unwrap();
        entry.best = places(plan.geometry, entry.key).next().unwrap().0;
    });
    assert_eq!(one_too_many, ["moves"]);

    // At the end of a walk no other entry tells which move is best.
    let another_move = failures_after(plan, |entries| {
        for entry in entries.iter_mut().filter(|entry| entry.best < 16 && empties(entry) == 6) {
            entry.best = places(plan.geometry, entry.key).last().unwrap().0;
        }
    });
    assert_eq!(another_move, ["sample"]);

    // Every equation holds when the sign of the goal is wrong throughout; only the ends tell.
    let reversed = entries(BuildPlan { rules: REVERSED, ..plan });
    let report = verified(&plan, &reversed);
    assert!(failures(&report).contains(&"sample"), "{report:#?}");
}

/// Of the positions after it only the one after its move is promised; others are stored for something else.
#[test]
fn a_worse_or_a_later_move_of_who_chooses_is_found_by_the_moves() {
    let tried: u32 = Start::ALL
        .map(|start| spoil_who_chooses(from_start(Geometry::FOUR, start, NORMAL, 0, 0)))
        .iter()
        .sum();
    assert!(tried > 10, "{tried}");
}

/// Gives every entry that only chooses each other move of which the table tells that it is wrong; how many there were.
fn spoil_who_chooses(plan: BuildPlan) -> u32 {
    let mut entries = entries(plan);
    let truth = entries.iter().map(|entry| (entry.key, *entry)).collect();
    let met = region::met(&plan.contents(), &truth);
    let mut tried = 0;
    for place in 0..entries.len() {
        let sound = entries[place];
        let known = &met[&sound.key];
        if sound.best >= 16 || known.free || known.prefix.is_some() {
            continue;
        }
        let others = places(plan.geometry, sound.key).filter(|(_, after)| met.contains_key(after));
        for (other, _) in others.filter(|&(other, _)| other != sound.best) {
            entries[place].best = other;
            let table = Table::from_vec(bytes(&plan, &entries)).unwrap();
            let report = verify(table.raw(), Sample { entries: 0, ..Sample::default() }, |_| {});
            assert!(failures(&report).contains(&"moves"), "{sound:?} {other}: {report:#?}");
            tried += 1;
        }
        entries[place] = sound;
    }
    tried
}

#[test]
fn a_known_line_of_6x6_leads_to_a_region_with_its_value() {
    // Tothello's line of the reversed goal, up to 14 empty squares; the start is worth +2, and so is its end.
    let line = "C2B4D5E2E3C1B1E4D1D2F2E1F3F4B3D6A5A4";
    let (_, board) = notation::replay(Board::start(Geometry::SIX, Start::Diagonal), line).unwrap();
    let plan = BuildPlan {
        geometry: Geometry::SIX,
        rules: REVERSED,
        root: board.position(),
        prefix: 1,
        down_to: 11,
        last_moves: false,
    };
    assert_eq!(plan.root.empty_count(Geometry::SIX), 14);
    assert_eq!(entries(plan)[0].score, 2, "Black is to move again after an even number of plies");
}

#[test]
fn the_two_certificates_make_up_a_region_without_a_prefix() {
    for rules in [NORMAL, REVERSED] {
        let plan = from_start(Geometry::FOUR, Start::Diagonal, rules, 0, 3);
        let entries = entries(plan);
        let mut stored = BTreeMap::<u32, u64>::new();
        for entry in &entries {
            let position = key::unpack(plan.geometry, entry.key).unwrap();
            *stored.entry(position.empty_count(plan.geometry)).or_default() += 1;
        }
        let table = Table::from_vec(bytes(&plan, &entries)).unwrap();
        let counts = certificates::count(&table).unwrap();
        assert_eq!(counts[&12], [1, 1]);
        for (&empties, &[first, second]) in &counts {
            let here = stored[&empties];
            assert!(
                first.max(second) <= here && here <= first + second,
                "{empties}: {first} {second} {here}"
            );
        }
        assert!(counts.keys().eq(stored.keys()));
        assert!(counts[&3][0] != counts[&3][1], "the sides are told apart");
    }
    let whole = Table::from_static(include_bytes!("../../data/4x4-normal-raw-diagonal.rvt")).unwrap();
    assert!(certificates::count(&whole).unwrap().is_empty());
}

#[test]
fn a_certificate_ends_at_a_move_that_is_not_legal() {
    let plan = from_start(Geometry::FOUR, Start::Diagonal, NORMAL, 0, 3);
    let mut entries = entries(plan);
    entries[0].best = 5;
    assert!(
        plan.root.player | plan.root.opponent != 0
            && entries[0].key == key::canonical(plan.geometry, plan.root).0
    );
    let counts = certificates::count(&Table::from_vec(bytes(&plan, &entries)).unwrap()).unwrap();
    assert_eq!(counts[&12], [1, 1]);
    assert_eq!(counts[&11], [0, 1], "the side to move at the start has no legal move stored");
}

/// From a position of a certificate nothing arises that does not from the start.
#[test]
fn what_arises_from_two_roots_counts_once() {
    let plan = from_start(Geometry::FOUR, Start::Diagonal, NORMAL, 0, 3);
    let entries = entries(plan);
    let of_roots = |roots: Vec<Position>| {
        let contents = Contents { roots, ..plan.contents() };
        Table::from_vec(to_bytes(contents, entries.iter().copied()).unwrap()).unwrap()
    };
    let table = of_roots(vec![plan.root]);
    let Some(Move::Play(square)) = table.probe(plan.root).unwrap().unwrap().best else { panic!("no move") };
    let replied = plan.root.play(square, plan.root.flips(square)).children(plan.geometry)[0].1;
    let counts = certificates::count(&of_roots(vec![plan.root, replied])).unwrap();
    let of_one = certificates::count(&table).unwrap();
    assert!(counts.keys().eq(of_one.keys()));
    for (empties, [first, _]) in &counts {
        assert_eq!(*first, of_one[empties][0], "{empties} empty squares");
    }
}

#[test]
fn a_guess_is_near_what_the_region_of_6x6_holds_and_knows_the_goal() {
    // Positions of the certified region after 8 to 14 plies, as the shipped tables have them.
    let held = [
        (NORMAL, [371.0, 859.0, 1967.0, 4425.0, 10_442.0, 21_978.0, 50_884.0]),
        (REVERSED, [449.0, 1371.0, 2585.0, 7694.0, 14_175.0, 40_072.0, 71_689.0]),
    ];
    for (rules, counts) in held {
        let plan = from_start(Geometry::SIX, Start::Diagonal, rules, 0, 18);
        let nothing = KnownValues::new(plan.geometry);
        let time = Duration::from_millis(1);
        let guess = estimate(&plan, &solver(&plan, 1 << 20), &nothing, time, &Stop::never()).unwrap();
        for (&(empties, guessed), held) in guess.region[8..].iter().zip(counts) {
            let factor = guessed / held;
            assert!((0.5..2.0).contains(&factor), "{rules} {empties} empty: {guessed} for {held}");
        }
    }
}

#[test]
fn a_guess_counts_the_missing_moves_of_the_last_ply_where_they_are_wanted() {
    let without = from_start(Geometry::FOUR, Start::Diagonal, NORMAL, 5, 7);
    let plan = BuildPlan { last_moves: true, ..without };
    let searches = |plan: &BuildPlan, held: &BuildPlan| {
        let mut known = KnownValues::new(plan.geometry);
        known.extend(known_values(&entries(*held)));
        let guess = estimate(plan, &solver(plan, 1 << 20), &known, Duration::from_millis(1), &Stop::never());
        guess.unwrap().prefix_searches
    };
    let table = Table::from_vec(bytes(&without, &entries(without))).unwrap();
    let missing = MissingMoves::of(&table).unwrap().len() as f64;
    assert!(missing > 50.0, "{missing}");
    assert_eq!(searches(&without, &without), 0.0);
    assert_eq!(searches(&plan, &without), missing);
    assert_eq!(searches(&plan, &plan), 0.0);
}

#[test]
fn a_losing_move_in_a_table_that_is_taken_over_is_noticed() {
    let plan = from_start(Geometry::FOUR, Start::Diagonal, NORMAL, 2, 5);
    let (geometry, truth) = (plan.geometry, truth(Start::Diagonal, NORMAL));
    let mut entries = entries(plan);
    let contradiction = |entries: &[RawEntry]| {
        let table = Table::from_vec(bytes(&plan, entries)).unwrap();
        import::contradiction(&table, &import::known_values_of(&table).unwrap()).unwrap()
    };
    assert_eq!(contradiction(&entries), None);
    let mut tried = 0;
    for place in 0..entries.len() {
        let sound = entries[place];
        let form = key::unpack(geometry, sound.key).unwrap();
        if sound.best == RawEntry::NO_MOVE || form.empty_count(geometry) <= 5 {
            continue;
        }
        for (best, after) in places(geometry, sound.key) {
            if -truth[&after].score < sound.score {
                entries[place].best = best;
                assert_eq!(contradiction(&entries), Some(sound.key), "{form:?} {best}");
                tried += 1;
            }
        }
        entries[place] = sound;
    }
    assert!(tried > 50, "{tried}");
}

#[test]
fn what_was_taken_over_and_is_not_true_ends_the_build() {
    let plan = from_start(Geometry::FOUR, Start::Diagonal, NORMAL, 2, 6);
    let sound = known_values(&entries(plan));
    let root = key::canonical(Geometry::FOUR, plan.root).0;
    let solver = solver(&plan, 1 << 20);
    let mut told = 0;
    for wrong in &sound {
        let known = sound.iter().map(|&known_value| match known_value.key == wrong.key {
            true => KnownValue { score: known_value.score + 2, ..known_value },
            false => known_value,
        });
        match build(plan, &solver, 1, known) {
            Err(BuildError::Contradiction(_)) => told += 1,
            Err(error) => panic!("{error}"),
            // Only what no equation holds: it is for the verifier's sample to find.
            Ok(entries) => {
                assert_ne!(wrong.key, root);
                let table = Table::from_vec(bytes(&plan, &entries)).unwrap();
                let report = verify(table.raw(), Sample { entries: 0, ..Sample::default() }, |_| {});
                assert_ne!(report.verdict(), Verdict::Wrong, "{wrong:?}: {report:?}");
            }
        }
    }
    assert!(told > 0 && told < sound.len());
}

#[test]
fn two_moves_that_were_taken_over_for_one_position_end_the_build() {
    let plan = from_start(Geometry::FOUR, Start::Diagonal, NORMAL, 0, 6);
    let sound = known_values(&entries(plan));
    let solver = solver(&plan, 1 << 20);
    let mut tried = 0;
    for known_value in sound.iter().filter(|known_value| known_value.best < 16) {
        let Some((best, _)) =
            places(plan.geometry, known_value.key).find(|place| place.0 != known_value.best)
        else {
            continue;
        };
        let mut wrong = sound.clone();
        wrong.iter_mut().filter(|known| known.key == known_value.key).for_each(|known| known.best = best);
        for known in [[&sound[..], &wrong].concat(), [&wrong[..], &sound].concat()] {
            let found = build(plan, &solver, 1, known).map(|entries| entries.len());
            assert!(matches!(found, Err(BuildError::Contradiction(_))), "{known_value:?} {best}: {found:?}");
        }
        tried += 1;
    }
    assert!(tried > 10, "{tried}");
}

#[test]
fn a_move_that_was_taken_over_and_is_not_the_first_of_the_best_ends_the_build() {
    let plan = from_start(Geometry::FOUR, Start::Diagonal, NORMAL, 2, 6);
    let truth = truth(Start::Diagonal, NORMAL);
    let sound = known_values(&entries(plan));
    let solver = solver(&plan, 1 << 20);
    let mut told = 0;
    for (place, known_value) in sound.iter().enumerate().filter(|(_, known_value)| known_value.best < 16) {
        let is_twin =
            |&(best, after): &(u8, u64)| best > known_value.best && -truth[&after].score == known_value.score;
        let Some((later, _)) = places(plan.geometry, known_value.key).find(is_twin) else { continue };
        let mut known = sound.clone();
        known[place].best = later;
        match build(plan, &solver, 1, known) {
            Err(BuildError::Contradiction(position)) => {
                told += u32::from(position == words_of(plan.geometry, known_value.key));
            }
            Err(error) => panic!("{error}"),
            // Nothing that is known shows the score after the first: that is for the verifier's sample to find.
            Ok(_) => {}
        }
    }
    assert!(told > 0);
}

#[test]
fn of_a_table_of_another_revision_only_the_scores_are_taken_over() {
    let plan = small_plans()[0];
    let sound = known_values(&entries(plan));
    let mut table = bytes(&plan, &entries(plan));
    let taken_over =
        |table: &[u8]| import::known_values_of(&Table::from_vec(table.to_vec()).unwrap()).unwrap();
    assert_eq!(taken_over(&table), sound);
    table[10] += 1;
    mend_checksums(&mut table).unwrap();
    let scores: Vec<KnownValue> =
        sound.iter().map(|&known_value| KnownValue { best: RawEntry::NO_MOVE, ..known_value }).collect();
    assert_eq!(taken_over(&table), scores);
}

/// The prefix is the whole game, so that nothing has to be searched and no search reports it.
#[test]
fn a_stop_is_heard_while_the_prefix_is_listed() {
    let plan = from_start(Geometry::FOUR, Start::Diagonal, NORMAL, 12, 0);
    let (solver, stop) = (solver(&plan, 1 << 20), Stop::already());
    let tools = Tools { solver: &solver, threads: 1, stop: &stop, workspace: None, progress: &mut |_| () };
    assert!(matches!(solve(plan, tools, []), Err(BuildError::Stopped)));
}

#[test]
fn what_no_position_of_the_board_can_be_worth_ends_the_build_before_any_search() {
    let plan = from_start(Geometry::FOUR, Start::Diagonal, NORMAL, 2, 6);
    let sound = known_values(&entries(plan))[0];
    let solver = solver(&plan, 1 << 20);
    let impossible = [
        KnownValue { score: 65, ..sound },
        KnownValue { score: 17, ..sound },
        KnownValue { score: i8::MIN, best: RawEntry::NO_MOVE, ..sound },
        KnownValue { key: 3u64.pow(16), best: RawEntry::NO_MOVE, ..sound },
        KnownValue { best: 16, ..sound },
    ];
    for known_value in impossible {
        let stop = Stop::never();
        let searched = &mut |progress: BuildProgress| panic!("{progress:?}");
        let tools = Tools { solver: &solver, threads: 1, stop: &stop, workspace: None, progress: searched };
        let ended = solve(plan, tools, [known_value]);
        assert!(
            matches!(ended, Err(BuildError::Contradiction(position)) if position == words_of(plan.geometry, known_value.key)),
            "{known_value:?}"
        );
    }
}
