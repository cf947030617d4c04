//! Proofs over the first plies of a position: whatever the depth, the guess and the division, what they show is true,
//! and the verifier finds their certificates sound, and none that was changed.

use fastrand::Rng;
use reversi::prove::{Certificate, Claim, MoveOrder, ProofGoal, ProofPlan, ProofStep, SharedProof, recheck};
use reversi::rules::notation;
use reversi::rules::playout::with_empties;
use reversi::rules::{Board, Geometry, Position, Rules, Start};
use reversi::search::{Sizing, Solver, SolverOptions, Stop};
use reversi::spread::parts::Part;
use reversi::spread::{PartTools, Recheck};
use reversi::verify::certificate::{Certificate as Checked, CertificateError, Chunk, Conclusion};
use reversi::verify::{Sample, Verdict};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn solver(plan: &ProofPlan) -> Solver {
    let options = SolverOptions { memory_bytes: 1 << 18, threads: 1, sizing: Sizing::Whole };
    Solver::new(plan.geometry, plan.rules, options).unwrap()
}

fn tools<'a>(
    solver: &'a Solver,
    stop: &'a Stop,
    progress: &'a mut dyn FnMut(reversi::spread::PartProgress),
) -> PartTools<'a> {
    PartTools { solver, threads: 2, stop, sync_every: Duration::from_secs(30), progress }
}

/// Plans, searches in the given number of parts in random order, and merges until the question is answered.
fn proved(directory: &Path, plan: &ProofPlan, of: u32, random: &mut Rng) -> (Certificate, u32) {
    let stop = Stop::never();
    let solver = solver(plan);
    let order = || MoveOrder::new(plan.geometry, plan.rules, 2);
    SharedProof::plan(directory, plan, None, &mut order(), &solver, &stop).unwrap();
    for round in 1.. {
        let mut parts: Vec<Part> = Part::new(1, of).unwrap().siblings().collect();
        random.shuffle(&mut parts);
        for part in parts {
            let proof = SharedProof::open(directory).unwrap();
            proof.run(part, tools(&solver, &stop, &mut |_| ())).unwrap();
        }
        let (step, report) = SharedProof::open(directory).unwrap().merge(&mut order(), &stop).unwrap();
        assert_eq!(report.round, round);
        if let ProofStep::Settled(certificate) = step {
            return (certificate, round);
        }
    }
    unreachable!()
}

fn verified(certificate: &Certificate, leaves: usize) -> (Verdict, Conclusion) {
    let sample = Sample { entries: leaves, seed: 1, nodes: 5_000_000 };
    let (report, conclusion) = Checked::read(&certificate.text).unwrap().verify(sample, |_| ());
    (report.verdict(), conclusion)
}

fn position(geometry: Geometry, empties: u32, random: &mut Rng) -> Position {
    let start = Board::start(geometry, Start::Diagonal).position();
    let has_move = |position: &Position| position.legal_moves(geometry) != 0;
    with_empties(geometry, start, empties, random).find(has_move).unwrap()
}

#[test]
fn values_are_those_of_the_solver_and_their_certificates_are_sound() {
    let mut random = Rng::with_seed(6);
    for (width, height) in [(4, 4), (5, 4), (3, 6), (5, 5), (6, 6)] {
        let geometry = Geometry::new(width, height).unwrap();
        for rules in Rules::ALL {
            let root = position(geometry, 11, &mut random);
            let depth = random.u8(0..5);
            let plan = ProofPlan { geometry, rules, root, depth, goal: ProofGoal::Value };
            let score = solver(&plan).solve(root, &Stop::never()).unwrap().score.discs();
            let directory = tempfile::tempdir().unwrap();
            let (certificate, _) = proved(directory.path(), &plan, random.u32(1..8), &mut random);
            assert_eq!(certificate.claims, [Claim::AtLeast(score), Claim::AtMost(score)], "{plan:?}");
            let (verdict, conclusion) = verified(&certificate, usize::MAX);
            assert_eq!(verdict, Verdict::Sound, "{}", certificate.text);
            assert_eq!(conclusion.leaves, conclusion.searched);
            assert!(conclusion.to_string().contains(": proved, all"), "{conclusion}");
            assert_eq!(conclusion.leaves as usize, certificate.leaves);
        }
    }
}

#[test]
fn a_claim_is_proved_or_refuted() {
    let mut random = Rng::with_seed(7);
    let (geometry, rules) = (Geometry::SIX, Rules::default());
    for _ in 0..5 {
        let root = position(geometry, 12, &mut random);
        let of = |goal| ProofPlan { geometry, rules, root, depth: 3, goal };
        let score = solver(&of(ProofGoal::Value)).solve(root, &Stop::never()).unwrap().score.discs();
        for asked in [score - 2, score, score + 2] {
            let claims = [
                (
                    Claim::AtLeast(asked),
                    if score >= asked { Claim::AtLeast(asked) } else { Claim::AtMost(asked - 1) },
                ),
                (
                    Claim::AtMost(asked),
                    if score <= asked { Claim::AtMost(asked) } else { Claim::AtLeast(asked + 1) },
                ),
            ];
            for (claim, expected) in claims.into_iter().filter(|_| asked.abs() < 36) {
                let directory = tempfile::tempdir().unwrap();
                let plan = of(ProofGoal::Claim(claim));
                let (certificate, _) = proved(directory.path(), &plan, 3, &mut random);
                assert_eq!(certificate.claims, [expected]);
                let (verdict, conclusion) = verified(&certificate, 2);
                assert_eq!(verdict, Verdict::Sound);
                let leaves = certificate.leaves;
                if leaves > 2 {
                    let words =
                        format!("conditional on {leaves} leaf bounds found by the solver, 2 of which");
                    assert!(conclusion.to_string().contains(&words), "{conclusion}");
                }
            }
        }
    }
}

/// A pass makes one leaf of this root be met with either side to move, so its certificate has two bounds of it.
#[test]
fn a_leaf_that_is_met_with_either_side_to_move_has_two_bounds() {
    let geometry = Geometry::new(5, 3).unwrap();
    let root = notation::parse_board(Some(geometry), "XOOO------OXO-- X").unwrap().position();
    let plan = ProofPlan { geometry, rules: Rules::default(), root, depth: 2, goal: ProofGoal::Value };
    let directory = tempfile::tempdir().unwrap();
    let (certificate, _) = proved(directory.path(), &plan, 1, &mut Rng::with_seed(12));
    let mut claims = certificate.text.split("claim").skip(1);
    let has_twice = |claim: &str| {
        let cells: Vec<&str> =
            claim.lines().filter_map(|line| line.strip_prefix("leaf ")?.split(' ').next()).collect();
        cells.iter().collect::<HashSet<_>>().len() < cells.len()
    };
    assert!(claims.any(has_twice), "{}", certificate.text);
    let (verdict, conclusion) = verified(&certificate, usize::MAX);
    assert_eq!((verdict, conclusion.searched), (Verdict::Sound, certificate.leaves as u64));

    // Neither of the two can be left out.
    let all: Vec<&str> = certificate.text.lines().collect();
    for place in (6..all.len() - 1).filter(|&place| all[place].starts_with("leaf")) {
        let without = [&all[..place], &all[place + 1..all.len() - 1]].concat();
        let changed = Certificate { text: text_of(&without), ..certificate.clone() };
        assert_eq!(verified(&changed, 0).0, Verdict::Wrong, "without {}", all[place]);
    }
}

/// Boards without packed keys; the last one is beyond the verifier's search.
#[test]
fn boards_of_more_than_forty_squares_are_proved_too() {
    let mut random = Rng::with_seed(8);
    for (width, height, is_searched) in [(6, 7, true), (7, 7, true), (8, 6, true), (8, 7, false)] {
        let geometry = Geometry::new(width, height).unwrap();
        let root = position(geometry, 11, &mut random);
        let plan = ProofPlan { geometry, rules: Rules::default(), root, depth: 3, goal: ProofGoal::Value };
        let directory = tempfile::tempdir().unwrap();
        let (certificate, _) = proved(directory.path(), &plan, 2, &mut random);
        let (verdict, conclusion) = verified(&certificate, 10);
        assert_eq!(verdict, Verdict::Sound, "{width}x{height}");
        assert_eq!(conclusion.searched > 0, is_searched, "{width}x{height}: {conclusion}");
        let score = solver(&plan).solve(root, &Stop::never()).unwrap().score.discs();
        assert_eq!(certificate.claims[0], Claim::AtLeast(score));
    }
}

fn some_certificate() -> Certificate {
    let mut random = Rng::with_seed(9);
    let (geometry, rules) = (Geometry::SIX, Rules::default());
    let root = position(geometry, 11, &mut random);
    let plan = ProofPlan { geometry, rules, root, depth: 3, goal: ProofGoal::Value };
    let directory = tempfile::tempdir().unwrap();
    proved(directory.path(), &plan, 1, &mut random).0
}

/// The text with these lines, and a last line that fits them.
fn text_of(lines: &[&str]) -> String {
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    format!("{body}end {} {:08x}\n", lines.len(), crc32fast::hash(body.as_bytes()))
}

/// Also where most leaves are given up.
#[test]
fn any_number_of_threads_finds_the_same_of_the_leaves() {
    let certificate = Checked::read(&some_certificate().text).unwrap();
    let mut given_up = 0;
    for nodes in [1, 100, 300, 1000, 5_000_000] {
        let sample = Sample { entries: usize::MAX, seed: 1, nodes };
        let [one, three] = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let searched = AtomicUsize::new(0);
            let each_leaf = || _ = searched.fetch_add(1, Relaxed);
            let search = |chunk: &Chunk| Ok::<_, ()>(chunk.search(&Arc::default(), each_leaf));
            let found = pool.install(|| certificate.verify_with(sample, search, |_| ()));
            assert_eq!(searched.into_inner(), drawn(&certificate, sample));
            found.unwrap()
        });
        assert_eq!(one, three, "{nodes} nodes");
        given_up += one.1.leaves - one.1.searched;
    }
    assert!(given_up > 10, "{given_up}");
    assert_eq!(drawn(&certificate, Sample { entries: 3, ..Sample::default() }), 6);
}

fn drawn(certificate: &Checked, sample: Sample) -> usize {
    certificate.chunks(sample).iter().map(Chunk::leaf_count).sum()
}

/// What is known of a chunk by its name is as good as its search, whatever else is drawn.
#[test]
fn a_check_that_goes_on_finds_what_one_in_one_go_finds() {
    let certificate = Checked::read(&some_certificate().text).unwrap();
    let kept = Mutex::new(HashMap::new());
    let all = usize::MAX;
    // One claim has from 11 to 16 leaves, the other one at most eight, all of which are in each sample.
    let samples = [
        ((8, 1, 300), 0, 2),
        ((8, 1, 300), 2, 2),
        ((10, 1, 300), 2, 3),
        ((8, 2, 300), 1, 2),
        ((8, 1, 3000), 0, 2),
        ((all, 1, 300), 1, 3),
        ((all, 2, 300), 3, 3),
    ];
    for ((entries, seed, nodes), known, chunks) in samples {
        let sample = Sample { entries, seed, nodes };
        let names: HashSet<String> = certificate.chunks(sample).iter().map(Chunk::name).collect();
        let is_known = |name: &&String| kept.lock().unwrap().contains_key(*name);
        assert_eq!((names.iter().filter(is_known).count(), names.len()), (known, chunks), "{sample:?}");
        // Ends at the first chunk that is not known, keeps it, and begins again.
        let found = loop {
            let search = |chunk: &Chunk| {
                let known = kept.lock().unwrap().get(&chunk.name()).cloned();
                known.ok_or_else(|| {
                    let tally = chunk.search(&Arc::default(), || ());
                    kept.lock().unwrap().insert(chunk.name(), tally);
                })
            };
            if let Ok(found) = certificate.verify_with(sample, search, |_| ()) {
                break found;
            }
        };
        assert_eq!(found, certificate.verify(sample, |_| ()), "{sample:?}");
        assert!(names.iter().all(|name| is_known(&name)));
    }
}

#[test]
fn a_certificate_that_was_changed_is_found_wrong() {
    let certificate = some_certificate();
    let all: Vec<&str> = certificate.text.lines().collect();
    let lines = &all[..all.len() - 1];
    let verdict = |text: &str| {
        let sample = Sample { entries: usize::MAX, seed: 1, nodes: 5_000_000 };
        Checked::read(text).map(|certificate| certificate.verify(sample, |_| ()).0.verdict())
    };
    assert_eq!(text_of(lines), certificate.text);
    let (mut left_out, mut turned) = (0, 0);
    for place in 6..lines.len() {
        let without: Vec<&str> = [&lines[..place], &lines[place + 1..]].concat();
        assert!(!matches!(verdict(&text_of(&without)), Ok(Verdict::Sound)), "without {}", lines[place]);
        left_out += 1;
        let words: Vec<&str> = lines[place].split(' ').collect();
        let ["leaf", cells, side, direction, score] = words[..] else { continue };
        // A bound that says nothing is not enough.
        let (nothing, word) = if direction == "at-least" { (-36, "at-least") } else { (36, "at-most") };
        if score != nothing.to_string() {
            let line = format!("leaf {cells} {side} {word} {nothing}");
            let mut changed = lines.to_vec();
            changed[place] = &line;
            assert_eq!(verdict(&text_of(&changed)), Ok(Verdict::Wrong), "{line}");
            turned += 1;
        }
    }
    assert!(left_out > 10 && turned > 5, "{left_out} {turned}");
}

#[test]
fn a_wrong_bound_of_a_leaf_is_found_by_its_search() {
    let certificate = some_certificate();
    let all: Vec<&str> = certificate.text.lines().collect();
    let mut found = 0;
    for place in 6..all.len() - 1 {
        let Some((before, score)) = all[place].rsplit_once(' ').filter(|_| all[place].starts_with("leaf"))
        else {
            continue;
        };
        let much = if before.ends_with("at-least") { 36 } else { -36 };
        if score == much.to_string() {
            continue;
        }
        let line = format!("{before} {much}");
        let mut changed = all[..all.len() - 1].to_vec();
        changed[place] = &line;
        let sample = Sample { entries: usize::MAX, seed: 1, nodes: 5_000_000 };
        let checked = Checked::read(&text_of(&changed)).unwrap();
        let (report, _) = checked.verify(sample, |_| ());
        assert_eq!(report.verdict(), Verdict::Wrong, "{line}");
        found += 1;
    }
    assert!(found > 5, "{found}");
}

#[test]
fn flipping_a_bit_or_cutting_a_certificate_is_noticed() {
    let text = some_certificate().text;
    for place in (0..text.len()).step_by(11) {
        let mut bytes = text.clone().into_bytes();
        bytes[place] ^= 1;
        assert!(Checked::read(&String::from_utf8(bytes).unwrap()).is_err(), "byte {place}");
        assert!(Checked::read(&text[..place]).is_err(), "cut at {place}");
    }
    assert_eq!(Checked::read("no").unwrap_err(), CertificateError::NoCertificate);
    let later = text.replacen("certificate 1", "certificate 2", 1);
    assert_eq!(Checked::read(&later).unwrap_err(), CertificateError::Version("2".to_owned()));
}

#[test]
fn a_recheck_agrees() {
    let mut random = Rng::with_seed(10);
    let (geometry, rules) = (Geometry::SIX, Rules::default());
    let root = position(geometry, 12, &mut random);
    let plan = ProofPlan { geometry, rules, root, depth: 2, goal: ProofGoal::Value };
    let directory = tempfile::tempdir().unwrap();
    proved(directory.path(), &plan, 2, &mut random);
    let (solver, stop) = (solver(&plan), Stop::never());
    let sample = Recheck { percent: 100.0, seed: 1 };
    let report = recheck(directory.path(), sample, tools(&solver, &stop, &mut |_| ())).unwrap();
    assert!(
        report.drawn > 0 && report.drawn == report.searches && report.differences.is_empty(),
        "{report:?}"
    );
}
