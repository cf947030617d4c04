//! The engine plays legal, sound and in time, on every board and under both goals.

use crate::common::players::{choose, new_game, player};
use reversi::arena::openings;
use reversi::engine::{Clock, Game, GameBoard, GameMove, Limits, Player, PlayerSpec, Resources, Value};
use reversi::eval::Eval;
use reversi::rules::{Color, Goal, Passing, Rules};
use reversi::search::{Solver, SolverOptions, Stop};
use std::time::{Duration, Instant};

/// The score for Black of a game between the two.
fn play<'a>(mut game: Game, black: &'a mut dyn Player, white: &'a mut dyn Player) -> i32 {
    while !game.is_over() {
        let mover = if game.to_move() == Color::Black { &mut *black } else { &mut *white };
        let choice = choose(mover, &game);
        game.play(choice.mv).unwrap();
    }
    game.result().unwrap().score
}

#[test]
fn every_board_is_played_to_the_end_under_every_rule() {
    for width in 3..=8 {
        for height in 3..=8 {
            for goal in Goal::ALL {
                for passing in [Passing::Allowed, Passing::EndsGame] {
                    let game = new_game(&format!("{width}x{height}"), goal, passing);
                    play(game, &mut *player("engine:depth=3", 0), &mut *player("random", 1));
                }
            }
        }
    }
}

#[test]
fn the_engine_mostly_beats_random_play() {
    for (size, games) in [("5x6", 10), ("6x6", 10), ("8x8", 6)] {
        for goal in Goal::ALL {
            let mut wins = 0;
            for seed in 0..games {
                let (mut engine, mut random) = (player("engine:depth=4", seed), player("random", seed));
                let game = new_game(size, goal, Passing::Allowed);
                let score = if seed % 2 == 0 {
                    play(game, &mut *engine, &mut *random)
                } else {
                    -play(game, &mut *random, &mut *engine)
                };
                wins += u64::from(score > 0);
            }
            assert!(4 * wins >= 3 * games, "{size} {goal}: {wins} of {games}");
        }
    }
}

#[test]
fn a_search_to_the_end_is_exact() {
    // 3-11 for White under the normal goal, +3 for Black under the reversed one.
    for (goal, score) in [(Goal::Normal, -8), (Goal::Reversed, 3)] {
        let game = new_game("4x4", goal, Passing::Allowed);
        let choice = choose(&mut *player("engine:depth=12", 1), &game);
        let Some(Value::Exact(found)) = choice.info.value else { panic!("{goal}: {:?}", choice.info) };
        assert_eq!(found.discs(), score, "{goal}");
        let mut line = game.clone();
        for &mv in &choice.info.pv {
            line.play(mv).unwrap();
        }
        assert_eq!(line.result().map(|result| result.score), Some(score), "{goal}: {}", line.transcript());
    }
}

#[test]
fn what_a_table_knows_is_played_without_a_search() {
    for (name, knows) in [("engine", true), ("engine:level=20,tables=off", false), ("engine:depth=12", false)]
    {
        let game = new_game("4x4", Goal::Normal, Passing::Allowed);
        let choice = choose(&mut *player(name, 1), &game);
        let Some(Value::Exact(found)) = choice.info.value else { panic!("{name}: {:?}", choice.info) };
        assert_eq!(found.discs(), -8, "{name}");
        assert_eq!(choice.info.nodes == 0, knows, "{name}");
        assert_eq!(choice.info.pv[0], choice.mv, "{name}");
    }
}

#[test]
fn probable_cuts_spare_most_of_the_work() {
    let nodes = |name: &str| {
        let mut game = new_game("8x8", Goal::Reversed, Passing::Allowed);
        game.play_transcript("f5d6c3d3c4").unwrap();
        choose(&mut *player(name, 1), &game).info.nodes
    };
    let (with, without) = (nodes("engine:depth=8,cuts=on"), nodes("engine:depth=8"));
    assert!(2 * with < without, "{with} nodes with cuts, {without} without");
}

#[test]
fn several_threads_find_a_move_as_deep_as_one() {
    let resources = Resources { memory_bytes: 4 << 20, threads: 3, ..Resources::default() };
    for goal in Goal::ALL {
        let mut engine = "engine:depth=7,cuts=on".parse::<PlayerSpec>().unwrap().build(&resources, 1);
        let mut game = new_game("8x8", goal, Passing::Allowed);
        for _ in 0..6 {
            let choice = choose(&mut *engine, &game);
            assert_eq!(choice.info.depth, 7, "{goal}");
            game.play(choice.mv).unwrap();
        }
    }
}

#[test]
fn an_estimate_is_never_called_exact() {
    let mut game = new_game("8x8", Goal::Normal, Passing::Allowed);
    game.play_transcript("f5d6c3d3c4").unwrap();
    let choice = choose(&mut *player("engine:depth=5", 1), &game);
    assert!(matches!(choice.info.value, Some(Value::Estimate(_))));
    assert_eq!(choice.info.depth, 5);
    assert_eq!(choice.info.pv.len(), 5, "the line is as long as the search was deep");
    assert_eq!(choice.info.pv[0], choice.mv);
    let mut replayed = game.clone();
    for &mv in &choice.info.pv {
        replayed.play(mv).unwrap();
    }
}

/// What a game is worth for the side to move, by its own rules and nothing else.
fn minimax(game: &Game) -> i32 {
    if let Some(result) = game.result() {
        return if game.to_move() == Color::Black { result.score } else { -result.score };
    }
    let after = |mv: GameMove| {
        let mut game = game.clone();
        game.play(mv).unwrap();
        -minimax(&game)
    };
    game.legal_moves().into_iter().map(after).max().expect("a game that is not over has a move")
}

/// Where the game ends without a move, no exact search of the usual rules may decide.
#[test]
fn where_passing_is_not_allowed_the_estimates_still_see_the_end() {
    let mut differing = 0;
    for goal in Goal::ALL {
        let start = new_game("4x4", goal, Passing::EndsGame);
        for game in openings::random(&start, 5, 100, 1, &Stop::never()).unwrap() {
            let mut with_passes = new_game("4x4", goal, Passing::Allowed);
            with_passes.play_transcript(&game.transcript()).unwrap();
            let expected = minimax(&game);
            if expected == minimax(&with_passes) {
                continue;
            }
            differing += 1;
            let value = choose(&mut *player("engine:depth=9", 1), &game).info.value;
            let believed = Value::Estimate(Eval::from_discs(expected.into()));
            assert_eq!(value, Some(believed), "{goal} {}", game.transcript());
        }
    }
    assert!(differing >= 20, "{differing} positions tell the rules apart");
}

#[test]
fn a_fixed_depth_plays_the_same_game_again() {
    for goal in Goal::ALL {
        let transcript = |seed| {
            let mut game = new_game("6x6", goal, Passing::Allowed);
            let mut engine = player("engine:depth=6", seed);
            while !game.is_over() {
                let mv = choose(&mut *engine, &game).mv;
                game.play(mv).unwrap();
            }
            game.transcript()
        };
        assert_eq!(transcript(1), transcript(2), "{goal}");
    }
}

#[test]
fn a_new_game_begins_without_memories() {
    for (name, size) in [("engine:depth=6", "8x8"), ("engine:depth=16", "5x4"), ("perfect", "5x4")] {
        let game = new_game(size, Goal::Normal, Passing::Allowed);
        let mut player = player(name, 1);
        let first = choose(&mut *player, &game);
        let remembered = choose(&mut *player, &game);
        assert!(remembered.info.nodes < first.info.nodes, "{name}");
        player.new_game(1);
        let again = choose(&mut *player, &game);
        assert_eq!((again.mv, again.info.nodes), (first.mv, first.info.nodes), "{name}");
    }
}

#[test]
fn an_only_move_takes_no_thought_where_a_clock_runs() {
    let mut random = player("random", 3);
    let mut game = new_game("6x6", Goal::Normal, Passing::Allowed);
    while game.legal_moves().len() > 1 {
        let choice = choose(&mut *random, &game);
        game.play(choice.mv).unwrap();
    }
    assert!(!game.is_over() && game.board().empty_count() > 3, "{}", game.board());
    let clock = Clock::per_game(Duration::from_secs(60));
    for name in ["engine", "alphabeta:30", "corners", "perfect", "worst"] {
        let choose = |limits| player(name, 1).choose(&game, &limits, &Stop::never()).unwrap();
        let choice = choose(Limits { depth: None, clock });
        assert_eq!((choice.mv, choice.info.nodes), (game.legal_moves()[0], 0), "{name}");
    }
}

/// Whether a player gets through a game against random moves in so much time.
fn lasts(name: &str, size: &str, goal: Goal, mut left: Duration) -> bool {
    let mut game = new_game(size, goal, Passing::Allowed);
    let mut mover = player(name, 1);
    mover.prepare(&game).unwrap();
    let mut other = player("random", 2);
    while !game.is_over() {
        let mv = if game.to_move() == Color::Black {
            let clock = Clock::Game { left, per_move: Duration::ZERO };
            let started = Instant::now();
            let choice = mover.choose(&game, &Limits { depth: None, clock }, &Stop::never()).unwrap();
            match left.checked_sub(started.elapsed()) {
                Some(rest) => left = rest,
                None => return false,
            }
            choice.mv
        } else {
            choose(&mut *other, &game).mv
        };
        game.play(mv).unwrap();
    }
    true
}

#[test]
fn a_game_clock_is_not_overstepped() {
    for (name, size, goal) in [
        ("engine", "8x8", Goal::Normal),
        ("engine", "8x8", Goal::Reversed),
        ("engine", "6x6", Goal::Normal),
        ("engine:level=20", "7x8", Goal::Normal),
        ("engine:time=60s", "8x8", Goal::Normal),
        ("alphabeta:30", "8x8", Goal::Normal),
    ] {
        // A machine that is busy with something else may halt a player for longer than its clock has to
        // spare; hardly three times.
        let lasts = (0..3).any(|_| lasts(name, size, goal, Duration::from_secs(3)));
        assert!(lasts, "{name} loses on time");
    }
}

/// With this number of empty squares a proof is not what the time is meant for, but it is over long before.
#[test]
fn time_that_is_left_after_a_search_to_the_end_goes_into_a_proof() {
    let mut random = player("random", 4);
    let mut game = new_game("6x6", Goal::Normal, Passing::Allowed);
    for _ in 0..8 {
        let choice = choose(&mut *random, &game);
        game.play(choice.mv).unwrap();
    }
    let limits = Limits::per_move(Duration::from_secs(20));
    let choice = player("engine:tables=off", 1).choose(&game, &limits, &Stop::never()).unwrap();
    let Some(Value::Exact(found)) = choice.info.value else { panic!("{:?}", choice.info) };
    let board = game.board().small().unwrap();
    let options = SolverOptions { memory_bytes: 16 << 20, ..SolverOptions::default() };
    let solver = Solver::new(board.geometry, game.rules(), options).unwrap();
    assert_eq!(solver.solve(board.position(), &Stop::never()).unwrap().score, found);
}

#[test]
fn a_stop_from_outside_ends_the_thinking() {
    let stop = Stop::never();
    let game = new_game("8x8", Goal::Normal, Passing::Allowed);
    let teller = stop.clone();
    let telling = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        teller.set();
    });
    let choice = player("engine:depth=60", 1).choose(&game, &Limits::default(), &stop).unwrap();
    telling.join().unwrap();
    assert!(game.legal_moves().contains(&choice.mv));
}

#[test]
fn limits_bound_the_depth() {
    let game = new_game("8x8", Goal::Normal, Passing::Allowed);
    let depth = |name: &str, limits: Limits| {
        player(name, 1).choose(&game, &limits, &Stop::never()).unwrap().info.depth
    };
    assert_eq!(depth("engine:level=20", Limits { depth: Some(2), clock: Clock::None }), 2);
    let more = Limits { depth: Some(11), clock: Clock::None };
    assert_eq!(depth("engine", more), 11, "deeper than usual");
    assert!(depth("engine", Limits::per_move(Duration::from_millis(20))) >= 1);
}

#[test]
fn a_forced_pass_is_passed() {
    let first = GameBoard::parse(None, "XXXO OOOO OOOO ---- X").unwrap();
    let mut game = Game::new(first, Rules::default(), Passing::Allowed);
    for _ in 0..8 {
        if game.must_pass() {
            let choice = choose(&mut *player("engine:depth=3", 1), &game);
            assert_eq!(choice.mv, GameMove::Pass);
            return;
        }
        let mv = game.legal_moves()[0];
        game.play(mv).unwrap();
    }
    panic!("no side had to pass: {}", game.board());
}
