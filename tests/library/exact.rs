//! The solver's scores are the scores: equal to plain minimax under every rule set, on boards of
//! every shape, and the same whatever memory and threads it has.

use reversi::eval::Evaluator;
use reversi::formats::obf;
use reversi::rules::playout::playout;
use reversi::rules::{
    Board, Geometry, Goal, Move, Position, Rules, Score, Scoring, Start, Symmetry, notation,
};
use reversi::search::{Proved, Solver, SolverOptions, Stop, Watch, reference::minimax};

/// Boards of all kinds: square, wide, tall, odd.
const BOARDS: [(u32, u32); 14] = [
    (3, 3),
    (4, 4),
    (5, 5),
    (6, 6),
    (7, 7),
    (8, 8),
    (4, 6),
    (6, 4),
    (3, 8),
    (8, 3),
    (5, 4),
    (7, 5),
    (8, 6),
    (6, 7),
];

fn solver(geometry: Geometry, rules: Rules, threads: usize, memory_bytes: usize) -> Solver {
    Solver::new(geometry, rules, SolverOptions { memory_bytes, threads, ..SolverOptions::default() }).unwrap()
}

fn boards() -> impl Iterator<Item = Geometry> {
    BOARDS.into_iter().map(|(width, height)| Geometry::new(width, height).unwrap())
}

/// A position of a random game with this number of empty squares, or fewer moves where the game ended before.
fn reachable(geometry: Geometry, empties: u32, random: &mut fastrand::Rng) -> Position {
    let start = if random.bool() { Start::Diagonal } else { Start::Parallel };
    let mut game = playout(geometry, Board::start(geometry, start).position(), random);
    let is_last =
        |position: &Position| position.empty_count(geometry) <= empties || position.is_over(geometry);
    game.find(is_last).unwrap()
}

/// Any placement of discs that leaves this number of squares empty, lopsided ones among them.
fn arbitrary(geometry: Geometry, empties: u32, random: &mut fastrand::Rng) -> Position {
    let mut squares: Vec<u64> = geometry.squares().map(|square| square.bit()).collect();
    random.shuffle(&mut squares);
    let share = random.f64();
    let mut position = Position::default();
    for bit in squares.into_iter().skip(empties as usize) {
        if random.f64() < share {
            position.player |= bit;
        } else {
            position.opponent |= bit;
        }
    }
    position
}

fn assert_solved(solver: &Solver, position: Position, seed: u64) {
    let (geometry, rules) = (solver.geometry(), solver.rules());
    let board = reversi::rules::Board::from_position(geometry, position, reversi::rules::Color::Black);
    let expected = minimax::minimax(geometry, rules, position);
    let found = solver.solve(position, &Stop::never()).expect("it is not stopped");
    assert_eq!(found.score, expected, "{geometry} {rules} {board} seed {seed}");
    let best = minimax::best_moves(geometry, rules, position);
    match found.best {
        Some(mv) => assert!(best.contains(&mv), "{geometry} {rules} {board} {mv} seed {seed}"),
        None => assert!(best.is_empty(), "{geometry} {rules} {board} seed {seed}"),
    }
    let all = solver.best_moves(position, expected, &Stop::never()).expect("it is not stopped").moves;
    let bound = |score| solver.bound(position, score, &Stop::never()).expect("it is not stopped");
    assert!(bound(expected).upper <= expected, "seed {seed}");
    if expected.discs() > -(geometry.square_count() as i32) {
        let Proved { lower, best: one, .. } = bound(Score::new(expected.discs() - 1));
        assert!(lower >= expected, "seed {seed}");
        assert!(one.map_or(all.is_empty(), |one| all.contains(&one)), "{one:?} of {all:?} seed {seed}");
    }
    assert_eq!(all, best, "{geometry} {rules} {board} seed {seed}");
}

#[test]
fn scores_and_best_moves_are_those_of_minimax() {
    for geometry in boards() {
        for rules in Rules::ALL {
            let solver = solver(geometry, rules, 1, 1 << 20);
            for seed in 0..40 {
                let mut random = fastrand::Rng::with_seed(seed);
                let empties = random.u32(0..=7).min(geometry.square_count() - 4);
                assert_solved(&solver, reachable(geometry, empties, &mut random), seed);
                assert_solved(&solver, arbitrary(geometry, empties, &mut random), seed);
            }
        }
    }
}

#[test]
fn deeper_scores_are_those_of_minimax_too() {
    for geometry in boards().filter(|geometry| geometry.square_count() >= 16) {
        for rules in Rules::ALL {
            let solver = solver(geometry, rules, 1, 1 << 20);
            for seed in 0..3 {
                let mut random = fastrand::Rng::with_seed(seed);
                assert_solved(&solver, reachable(geometry, 9, &mut random), seed);
            }
        }
    }
}

/// From 10 empty squares on the shared table and the learned order of moves have a part in it.
#[test]
fn scores_with_the_shared_table_are_those_of_minimax_too() {
    for (geometry, rules) in [Geometry::SIX, Geometry::EIGHT]
        .into_iter()
        .flat_map(|geometry| Rules::ALL.map(|rules| (geometry, rules)))
    {
        let solver = solver(geometry, rules, 1, 1 << 16);
        let mut random = fastrand::Rng::with_seed(5);
        let position = reachable(geometry, 11, &mut random);
        assert_eq!(
            solver.solve(position, &Stop::never()).unwrap().score,
            minimax::minimax(geometry, rules, position),
            "{geometry} {rules} {position:?}"
        );
    }
}

#[test]
fn neither_threads_nor_memory_change_a_score() {
    for goal in Goal::ALL {
        for scoring in Scoring::ALL {
            let rules = Rules::new(goal, scoring);
            let reference = solver(Geometry::SIX, rules, 1, 1 << 24);
            let others = [solver(Geometry::SIX, rules, 2, 1 << 22), solver(Geometry::SIX, rules, 5, 1)];
            for seed in 0..6 {
                let mut random = fastrand::Rng::with_seed(seed);
                let position = reachable(Geometry::SIX, 16, &mut random);
                let expected = reference.solve(position, &Stop::never()).unwrap().score;
                for other in &others {
                    assert_eq!(other.solve(position, &Stop::never()).unwrap().score, expected, "seed {seed}");
                }
            }
        }
    }
}

#[test]
fn plain_ordering_gives_the_same_scores() {
    for goal in Goal::ALL {
        agree_with_plain_ordering("6x6", goal, 12, 20);
    }
}

/// With as many empty squares the learned evaluation also makes the first guess and the selective pass before the proof.
#[test]
fn weights_of_no_board_change_a_score() {
    for size in ["5x5", "6x5", "5x7", "8x5", "6x7", "8x6", "7x7"] {
        for goal in Goal::ALL {
            agree_with_plain_ordering(size, goal, 12, 10);
            agree_with_plain_ordering(size, goal, 16, 4);
        }
    }
}

/// Solves positions of random games, a seed each, with and without the learned evaluation.
fn agree_with_plain_ordering(size: &str, goal: Goal, empties: u32, seeds: u64) {
    let (geometry, rules) = (size.parse().unwrap(), Rules::new(goal, Scoring::Raw));
    let options = SolverOptions { memory_bytes: 1 << 22, threads: 1, ..SolverOptions::default() };
    let evaluator = Evaluator::shipped(geometry, goal).expect("a board with weights");
    let plain = Solver::with_ordering(geometry, rules, options, None).unwrap();
    let learned = Solver::with_ordering(geometry, rules, options, Some(evaluator)).unwrap();
    for seed in 0..seeds {
        let position = reachable(geometry, empties, &mut fastrand::Rng::with_seed(seed));
        let expected = plain.solve(position, &Stop::never()).unwrap().score;
        let found = learned.solve(position, &Stop::never()).unwrap().score;
        assert_eq!(found, expected, "{size} {goal}, seed {seed}");
    }
}

#[test]
fn all_symmetric_images_have_one_score() {
    for geometry in boards().filter(|geometry| geometry.square_count() >= 20) {
        for rules in Rules::ALL {
            let position = reachable(geometry, 10, &mut fastrand::Rng::with_seed(3));
            let scores: Vec<Score> = Symmetry::all(geometry)
                .iter()
                .map(|symmetry| {
                    let image = symmetry.apply(geometry, position);
                    solver(geometry, rules, 1, 1 << 20).solve(image, &Stop::never()).unwrap().score
                })
                .collect();
            assert!(scores.iter().all(|&score| score == scores[0]), "{geometry} {rules} {scores:?}");
        }
    }
}

/// All four first moves are twins of one another, and each is a best move (J. Feinstein, 1993).
#[test]
fn six_by_six_from_the_start_has_its_published_score() {
    let start = Board::start(Geometry::SIX, Start::Diagonal).position();
    let solver = solver(Geometry::SIX, Rules::default(), 2, 1 << 27);
    let score = solver.solve(start, &Stop::never()).unwrap().score;
    assert_eq!(score.discs(), -4);
    let best = solver.best_moves(start, score, &Stop::never()).unwrap().moves;
    assert_eq!(best.iter().map(Move::to_string).collect::<Vec<_>>(), ["c2", "b3", "e4", "d5"]);
}

/// Every position of the golden files: the score, and exactly the listed set of best moves.
fn check_file(text: &str) {
    let file = obf::parse(text, None).unwrap();
    let rules = Rules::new(file.goal.unwrap(), file.scoring.unwrap());
    assert!(file.records.len() >= 800);
    let solver = solver(Geometry::SIX, rules, 1, 1 << 24);
    for record in &file.records {
        let position = record.board.position();
        let score = solver.solve(position, &Stop::never()).unwrap().score;
        assert_eq!(Some(score), record.best_score(), "{}", record.board);
        let mut listed: Vec<Move> = record.best_moves().collect();
        let mut best = solver.best_moves(position, score, &Stop::never()).unwrap().moves;
        listed.sort_by_key(Move::to_string);
        best.sort_by_key(Move::to_string);
        assert_eq!(best, listed, "{}", record.board);
    }
}

#[test]
fn golden_positions_of_the_normal_goal() {
    check_file(include_str!("../data/6x6-normal.obf"));
}

#[test]
fn golden_positions_of_the_reversed_goal() {
    check_file(include_str!("../data/6x6-reversed.obf"));
}

#[test]
fn the_first_ffo_position_has_its_published_score() {
    let file = obf::parse(include_str!("../data/ffo-40-59.obf"), None).unwrap();
    let record = &file.records[0];
    let rules = Rules::new(file.goal.unwrap(), file.scoring.unwrap());
    let solution =
        solver(Geometry::EIGHT, rules, 2, 1 << 26).solve(record.board.position(), &Stop::never()).unwrap();
    assert_eq!(solution.score.discs(), 38);
    assert_eq!(solution.best.map(|mv| mv.to_string()).as_deref(), Some("a2"));
}

#[test]
fn the_line_leads_to_the_score() {
    for rules in Rules::ALL {
        let solver = solver(Geometry::SIX, rules, 1, 1 << 22);
        for seed in 0..10 {
            let mut position = reachable(Geometry::SIX, 12, &mut fastrand::Rng::with_seed(seed));
            let score = solver.solve(position, &Stop::never()).unwrap().score;
            let mut line = Vec::new();
            solver.line(position, score, &Stop::never(), &mut line).unwrap();
            let mut sign = 1;
            for mv in line {
                let child = position.children(Geometry::SIX).into_iter().find(|child| child.0 == mv);
                position = child.expect("a legal move").1;
                sign = -sign;
            }
            assert!(position.is_over(Geometry::SIX));
            assert_eq!(
                sign * position.final_score(Geometry::SIX, rules).discs(),
                score.discs(),
                "seed {seed}"
            );
        }
    }
}

/// Where every move loses all discs, the window around the score begins below all scores.
#[test]
fn the_line_goes_on_where_every_move_is_worth_the_least_score() {
    let geometry = Geometry::new(4, 4).unwrap();
    let position = notation::parse_board(None, "-X-- XO-- ---- ---- O").unwrap().position();
    let solver = solver(geometry, Rules::new(Goal::Reversed, Scoring::Winner), 1, 1 << 22);
    let score = solver.solve(position, &Stop::never()).unwrap().score;
    assert_eq!(score.discs(), 16);
    let mut line = Vec::new();
    solver.line(position, score, &Stop::never(), &mut line).unwrap();
    let wipe_outs = ["b3", "c2"].map(|square| square.parse::<Move>().unwrap());
    assert!(wipe_outs.map(|last| vec![Move::Pass, last]).contains(&line), "{line:?}");
}

#[test]
fn win_loss_draw_agrees_with_the_score() {
    for rules in Rules::ALL {
        let solver = solver(Geometry::SIX, rules, 1, 1 << 22);
        for seed in 0..30 {
            let position = reachable(Geometry::SIX, 11, &mut fastrand::Rng::with_seed(seed));
            let proved = solver.win_loss_draw(position, &Stop::never(), &Watch::default()).unwrap();
            let score = solver.solve(position, &Stop::never()).unwrap().score;
            assert!(proved.lower <= score && score <= proved.upper, "{proved:?} {score} seed {seed}");
            let settled =
                proved.lower > Score::DRAW || proved.upper < Score::DRAW || proved.lower == proved.upper;
            assert!(settled, "{proved:?} seed {seed}");
        }
    }
}

/// Where a move wipes the opponent out, the four rule sets part: the shortcut is legal under one of them only.
#[test]
fn wiping_out_is_only_best_where_the_empty_squares_count() {
    let (mut avoided_with_raw_scoring, mut avoided_when_reversed) = (0, 0);
    for seed in 0..3000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let position = arbitrary(Geometry::FOUR, 8, &mut random);
        let wipes_out = position.children(Geometry::FOUR).into_iter().any(|(_, child)| child.player == 0);
        if !wipes_out {
            continue;
        }
        for rules in Rules::ALL {
            assert_solved(&solver(Geometry::FOUR, rules, 1, 1), position, seed);
        }
        let best = |goal, scoring| minimax::best_moves(Geometry::FOUR, Rules::new(goal, scoring), position);
        let is_wipe_out = |mv: &Move| {
            position.children(Geometry::FOUR).iter().any(|(other, child)| other == mv && child.player == 0)
        };
        assert!(best(Goal::Normal, Scoring::Winner).iter().any(is_wipe_out), "{position:?}");
        avoided_with_raw_scoring += u32::from(!best(Goal::Normal, Scoring::Raw).iter().any(is_wipe_out));
        avoided_when_reversed += u32::from(!best(Goal::Reversed, Scoring::Winner).iter().any(is_wipe_out));
    }
    assert!(avoided_with_raw_scoring > 0, "a longer game that brings more discs");
    assert!(avoided_when_reversed > 0, "another move that loses fewer");
}

#[test]
fn a_stopped_search_says_only_what_is_true() {
    let board = notation::replay(Board::start(Geometry::SIX, Start::Diagonal), "c2").unwrap().1;
    let solver = solver(Geometry::SIX, Rules::default(), 2, 1 << 20);
    let stop = Stop::already();
    let proved = solver.solve(board.position(), &stop).unwrap_err();
    assert!(proved.lower.discs() <= 4 && 4 <= proved.upper.discs(), "the score is +4 for White: {proved:?}");
}

/// With many empty squares a single node may take long, so that the clock is looked at more often.
#[test]
fn a_search_told_to_stop_ends_after_a_few_nodes() {
    let solver = solver(Geometry::EIGHT, Rules::default(), 1, 1 << 20);
    let told = Stop::never();
    told.set();
    let start = Board::start(Geometry::EIGHT, Start::Diagonal).position();
    assert!(solver.solve(start, &told).unwrap_err().nodes < 100);
}

#[test]
fn positions_of_another_board_are_refused() {
    let solver = solver(Geometry::FOUR, Rules::default(), 1, 1 << 20);
    let twice = Position { player: 1 << 9, opponent: 1 << 9 };
    for position in
        [Board::start(Geometry::EIGHT, Start::Diagonal).position(), Position::new(1 << 4, 1 << 63), twice]
    {
        assert!(!position.is_on(Geometry::FOUR));
        let questions: [&dyn Fn(); 6] = [
            &|| _ = solver.solve(position, &Stop::never()),
            &|| _ = solver.best_moves(position, Score::DRAW, &Stop::never()),
            &|| _ = solver.bound(position, Score::new(-16), &Stop::never()),
            &|| _ = solver.line(position, Score::DRAW, &Stop::never(), &mut Vec::new()),
            &|| _ = minimax::minimax(Geometry::FOUR, Rules::default(), position),
            &|| _ = minimax::best_moves(Geometry::FOUR, Rules::default(), position),
        ];
        for question in questions {
            let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(question)).unwrap_err();
            assert!(refused.downcast_ref::<String>().unwrap().contains("no position of a 4x4 board"));
        }
    }
}

#[test]
fn memory_that_the_machine_lacks_is_refused() {
    let options = SolverOptions { memory_bytes: 1 << 55, ..SolverOptions::default() };
    let error = Solver::new(Geometry::SIX, Rules::default(), options).expect_err("no machine has 32 PiB");
    assert!(error.to_string().contains("of memory asked for, but only"), "{error}");
}
