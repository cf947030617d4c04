//! The solver against plain minimax: stopped anywhere, with any memory and number of threads.

use super::outcome::Proved;
use super::solver::*;
use crate::eval::Evaluator;
use crate::search::cost::THREADS_EMPTIES;
use crate::search::{Stop, Watch};
use reversi_rules::playout::with_empties;
use reversi_rules::{Board, Geometry, Move, Position, Rules, Score};
use reversi_rules::{Goal, Scoring, Start, Symmetry};

fn solver(geometry: Geometry, rules: Rules, threads: usize) -> Solver {
    Solver::new(geometry, rules, SolverOptions { memory_bytes: 1 << 20, threads, sizing: Sizing::Whole })
        .unwrap()
}

/// A position of a random game with `empties` empty squares.
fn reachable(geometry: Geometry, empties: u32, random: &mut fastrand::Rng) -> Position {
    let start = Board::start(geometry, Start::Diagonal).position();
    with_empties(geometry, start, empties, random).next().unwrap()
}

/// The score, after a check that the best move reaches it.
fn solved(solver: &Solver, position: Position) -> Score {
    let solution = solver.solve(position, &Stop::never()).unwrap();
    if let Some(best) = solution.best {
        let children = position.children(solver.geometry());
        let (_, child) = children.into_iter().find(|&(mv, _)| mv == best).expect("a legal move");
        assert_eq!(solver.solve(child, &Stop::never()).unwrap().score, -solution.score, "{position:?}");
    }
    solution.score
}

#[test]
fn searches_that_share_a_watch_count_their_own_nodes() {
    let start = Board::start(Geometry::SIX, Start::Diagonal).position();
    let position = with_empties(Geometry::SIX, start, 13, &mut fastrand::Rng::with_seed(5)).next().unwrap();
    let solve = |watch: &Watch| {
        let solved =
            solver(Geometry::SIX, Rules::default(), 1).solve_watched(position, &Stop::never(), watch);
        solved.unwrap().nodes
    };
    let alone = solve(&Watch::default());
    let watch = Watch::default();
    std::thread::scope(|scope| {
        let others: Vec<_> = (0..4).map(|_| scope.spawn(|| solve(&watch))).collect();
        others.into_iter().for_each(|other| assert_eq!(other.join().unwrap(), alone));
    });
    assert_eq!(watch.progress().nodes, 4 * alone);
}

#[test]
fn known_bounds_change_no_score_and_a_score_below_them_is_noticed() {
    let mut random = fastrand::Rng::with_seed(7);
    let (stop, watch) = (Stop::never(), Watch::default());
    for rules in Rules::ALL {
        for (empties, rounds) in [(0, 5), (3, 20), (7, 20), (13, 5)] {
            for _ in 0..rounds {
                let position = reachable(Geometry::SIX, empties, &mut random);
                let mut solver = solver(Geometry::SIX, rules, 1);
                let score = solved(&solver, position).discs();
                let within = |discs: i32| Score::new(discs.clamp(-36, 36));
                for (below, above) in [(0, 0), (0, 72), (1, 2), (5, 0), (72, 1)] {
                    let bounds = (within(score - below), within(score + above));
                    solver.forget();
                    let found = solver.solve_between(position, bounds, &stop, &watch).unwrap();
                    assert_eq!(found.score.discs(), score, "{rules} {position:?} {bounds:?}");
                    let children = position.children(Geometry::SIX);
                    let best = children.iter().find(|&&(mv, _)| Some(mv) == found.best);
                    assert_eq!(best.is_some(), !children.is_empty(), "{rules} {position:?} {bounds:?}");
                    let reaches = |&(_, child)| solver.solve(child, &stop).unwrap().score.discs() == -score;
                    assert!(best.is_none_or(reaches), "{rules} {position:?} {bounds:?}");
                }
                for above in [1, 2, 9].into_iter().filter(|above| score + above <= 36) {
                    let least = Score::new(score + above);
                    solver.forget();
                    for most in [least, Score::new(36)] {
                        let proved =
                            solver.solve_between(position, (least, most), &stop, &watch).unwrap_err();
                        assert!(proved.upper < least, "{rules} {position:?} {proved:?}");
                        assert!(
                            (proved.lower..=proved.upper).contains(&Score::new(score)),
                            "{rules} {position:?}"
                        );
                    }
                }
            }
        }
    }
}

/// Where the score is known to be the least of the board, the bounds say nothing of whether a move was tried.
#[test]
fn a_stopped_search_for_a_move_at_the_least_score_returns_one() {
    let stopped = Stop::never();
    stopped.set();
    let (rules, least) = (Rules::new(Goal::Normal, Scoring::Winner), Score::new(-36));
    let mut random = fastrand::Rng::with_seed(9);
    let known = solver(Geometry::SIX, rules, 1);
    let positions = std::iter::repeat_with(|| reachable(Geometry::SIX, 14, &mut random));
    let lost = positions.take(4000).filter(|&position| {
        known.is_at_most(position, least, &Stop::never()).unwrap()
            && !position.children(Geometry::SIX).is_empty()
    });
    let mut tried = 0;
    for position in lost.take(3) {
        let fresh = solver(Geometry::SIX, rules, 1);
        let found = fresh.solve_between(position, (least, least), &stopped, &Watch::default()).unwrap();
        assert_eq!(found.score, least);
        assert!(found.best.is_some(), "{position:?}");
        tried += 1;
    }
    assert_eq!(tried, 3, "too few positions are lost by all squares");
}

#[test]
fn helpers_change_no_score_and_return_when_the_search_has_ended() {
    let mut random = fastrand::Rng::with_seed(6);
    let solver = solver(Geometry::SIX, Rules::default(), 1);
    assert!(!solver.help_search(), "nothing is under way");
    let mut helped = 0;
    for _ in 0..20 {
        let position = reachable(Geometry::SIX, 18, &mut random);
        let done = std::sync::atomic::AtomicBool::new(false);
        let found = std::thread::scope(|scope| {
            let help = || {
                let mut times = 0;
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    times += u32::from(solver.help_search());
                }
                times
            };
            let helpers = [scope.spawn(help), scope.spawn(help)];
            let found = solver.solve(position, &Stop::never()).unwrap();
            done.store(true, std::sync::atomic::Ordering::Relaxed);
            helped += helpers.map(|helper| helper.join().unwrap()).iter().sum::<u32>();
            found
        });
        let alone = self::solver(Geometry::SIX, Rules::default(), 1).solve(position, &Stop::never()).unwrap();
        assert_eq!(found.score, alone.score, "{position:?}");
    }
    assert!(helped > 0);
    assert!(!solver.help_search());
}

#[test]
fn canonical_forms_change_no_score_and_moves_are_mapped_back() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut passes = 0;
    for (width, height) in [(4, 4), (5, 4), (4, 5), (3, 6), (5, 5)] {
        let geometry = Geometry::new(width, height).unwrap();
        for rules in Rules::ALL {
            for threads in [1, 2] {
                let with = solver(geometry, rules, threads);
                let mut without = solver(geometry, rules, 1);
                without.board.canonical_empties = u32::MAX;
                for _ in 0..6 {
                    let most = geometry.square_count() - 4;
                    let empties = random.u32(with.board.canonical_empties..=most.min(14));
                    let position = reachable(geometry, empties, &mut random);
                    passes += u32::from(position.must_pass(geometry));
                    let score = without.solve(position, &Stop::never()).unwrap().score;
                    for symmetry in Symmetry::all(geometry) {
                        let image = symmetry.apply(geometry, position);
                        assert_eq!(solved(&with, image), score, "{geometry} {rules} {image:?}");
                    }
                }
            }
        }
    }
    assert!(passes > 0, "no position in which a side must pass");
}

/// Solves with cleared tables and stops after `looks` polls.
fn stopped(solver: &mut Solver, position: Position, looks: i64, watch: &Watch) -> Option<Proved> {
    solver.forget();
    solver.solve_watched(position, &Stop::after_looks(looks), watch).err()
}

/// Checks the bounds and progress of a stopped search against exact scores.
fn assert_true(reference: &Solver, position: Position, said: Proved, watch: &Watch) {
    let score = |position| reference.solve(position, &Stop::never()).unwrap().score;
    let name = format!("{} {} {position:?} {said:?}", reference.geometry(), reference.rules());
    assert!(said.lower <= score(position) && score(position) <= said.upper, "{name}");
    let seen = watch.progress();
    assert_eq!((seen.lower, seen.upper), (said.lower, said.upper), "{name}");
    if let Some(best) = said.best {
        let children = position.children(reference.geometry());
        let (_, child) = children.into_iter().find(|&(mv, _)| mv == best).expect("a legal move");
        assert!(-score(child) >= said.lower, "{name}");
        assert_eq!(seen.best, Some(best).filter(|&best| best != Move::Pass), "{name}");
    }
}

/// Counts of stopped searches.
#[derive(Default)]
struct Stopped {
    /// Stopped in the selective pass, before the first window.
    in_selective_pass: u32,
    /// Stopped in a window with a bound proved by a single move.
    by_a_move: u32,
}

/// Stops searches of positions with these numbers of empty squares at random polls.
fn stop_at_random(empties: std::ops::RangeInclusive<u32>, threads: usize, positions: usize) -> Stopped {
    let mut random = fastrand::Rng::with_seed(11);
    let mut ended = Stopped::default();
    for (width, height) in [(5, 4), (5, 5), (4, 6), (6, 6), (8, 8)] {
        let geometry = Geometry::new(width, height).unwrap();
        for rules in Rules::ALL {
            let reference = solver(geometry, rules, 1);
            let mut solver = solver(geometry, rules, threads);
            for _ in 0..positions {
                let position = reachable(geometry, random.u32(empties.clone()), &mut random);
                let nodes = reference.solve(position, &Stop::never()).unwrap().nodes;
                for _ in 0..10 {
                    // Near the end of the game there are no polls.
                    let looks = random.i64(0..=nodes as i64 / 64);
                    let watch = Watch::default();
                    let Some(said) = stopped(&mut solver, position, looks, &watch) else { continue };
                    assert_true(&reference, position, said, &watch);
                    match watch.progress().window {
                        Some((alpha, _)) => ended.by_a_move += u32::from(said.lower > alpha),
                        None => {
                            let most = Score::new(geometry.square_count() as i32);
                            assert_eq!((said.lower, said.upper, said.best), (-most, most, None));
                            ended.in_selective_pass += 1;
                        }
                    }
                }
            }
        }
    }
    ended
}

#[test]
fn a_search_stopped_anywhere_gives_only_true_bounds() {
    let Stopped { by_a_move, in_selective_pass } = stop_at_random(10..=14, 1, 5);
    assert!(by_a_move > 10, "only {by_a_move} bounds by a single move");
    assert_eq!(in_selective_pass, 0, "too few empty squares for a selective pass");
}

#[test]
fn a_search_stopped_in_its_selective_pass_has_proved_nothing() {
    let Stopped { by_a_move, in_selective_pass } = stop_at_random(16..=16, 1, 2);
    assert!(
        in_selective_pass > 10 && by_a_move > 0,
        "{in_selective_pass} in the pass, {by_a_move} bounds by a single move"
    );
}

#[test]
fn a_misled_selective_pass_changes_no_score() {
    let mut random = fastrand::Rng::with_seed(12);
    let options = SolverOptions { memory_bytes: 1 << 20, threads: 1, sizing: Sizing::Whole };
    for goal in Goal::ALL {
        let rules = Rules::new(goal, Scoring::Raw);
        let ordered = |evaluator| Solver::with_ordering(Geometry::SIX, rules, options, evaluator).unwrap();
        let without = ordered(None);
        let misled = ordered(Evaluator::shipped(Geometry::SIX, goal.other()));
        for _ in 0..8 {
            let position = reachable(Geometry::SIX, random.u32(16..=17), &mut random);
            assert_eq!(solved(&misled, position), solved(&without, position), "{goal} {position:?}");
        }
    }
}

/// A position that takes a while, with its score.
fn long_search() -> (Solver, Position, Score) {
    let geometry = Geometry::new(5, 5).unwrap();
    let solver = solver(geometry, Rules::default(), 1);
    let position = reachable(geometry, 14, &mut fastrand::Rng::with_seed(2));
    let score = solved(&solver, position);
    (solver, position, score)
}

#[test]
fn a_stopped_line_is_a_prefix_of_the_whole_one() {
    let (mut solver, position, score) = long_search();
    let mut whole = Vec::new();
    solver.line(position, score, &Stop::never(), &mut whole).unwrap();
    let mut lengths = Vec::new();
    for looks in 0..40 {
        let mut line = Vec::new();
        solver.forget();
        let stopped = solver.line(position, score, &Stop::after_looks(looks), &mut line).is_err();
        assert!(whole.starts_with(&line) && stopped == (line.len() < whole.len()), "{line:?} of {whole:?}");
        lengths.push(line.len());
    }
    assert!(lengths.iter().any(|&length| 0 < length && length < whole.len()), "{lengths:?}");
}

/// Searches with cleared tables and later and later stops: every answer must be the whole answer.
fn assert_whole_or_nothing<T: PartialEq + std::fmt::Debug>(
    solver: &mut Solver,
    ask: impl Fn(&Solver, &Stop) -> Option<T>,
) {
    let whole = ask(solver, &Stop::never());
    let mut answered = [0, 0];
    for looks in 0..50 {
        solver.forget();
        let answer = ask(solver, &Stop::after_looks(looks));
        assert!(answer.is_none() || answer == whole, "{answer:?} of {whole:?} after {looks} looks");
        answered[usize::from(answer.is_some())] += 1;
    }
    assert!(answered.iter().all(|&count| count > 2), "stopped or not: {answered:?}");
}

#[test]
fn a_stopped_search_gives_the_whole_answer_or_none() {
    let (mut solver, position, score) = long_search();
    assert_whole_or_nothing(&mut solver, |solver, stop| {
        Some(solver.best_moves(position, score, stop).ok()?.moves)
    });
    for most in [score, Score::new(score.discs() - 1)] {
        assert_whole_or_nothing(&mut solver, |solver, stop| solver.is_at_most(position, most, stop).ok());
    }
    assert_whole_or_nothing(&mut solver, |solver, stop| {
        let proved = solver.win_loss_draw(position, stop, &Watch::default()).ok()?;
        Some([proved.lower, proved.upper].map(|bound| bound.discs().signum()))
    });
}

#[test]
fn a_search_of_several_threads_stopped_anywhere_gives_only_true_bounds() {
    // The number of bounds by single moves depends on the scheduling of the threads.
    stop_at_random(THREADS_EMPTIES..=THREADS_EMPTIES + 1, 3, 1);
}

#[test]
fn symmetric_positions_have_one_score_with_an_evaluation() {
    let geometry = Geometry::SIX;
    for goal in Goal::ALL {
        let solver = solver(geometry, Rules::new(goal, Scoring::Raw), 2);
        let position = reachable(geometry, 23, &mut fastrand::Rng::with_seed(5));
        assert!(position.empty_count(geometry) > solver.board.canonical_empties);
        let score = solved(&solver, position);
        for symmetry in Symmetry::all(geometry) {
            assert_eq!(solved(&solver, symmetry.apply(geometry, position)), score, "{goal} {symmetry:?}");
        }
    }
}
