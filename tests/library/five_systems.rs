//! The players of the five systems do what their sources say.

use crate::common::players::{choose, new_game, player};
use reversi::engine::historical::WIN;
use reversi::engine::{Clock, Game, GameBoard, GameMove, Limits, PlayerError, Value};
use reversi::rules::{Color, Goal, Passing, Rules, Scoring, Start};
use reversi::search::Stop;
use reversi::search::reference::minimax::minimax;
use std::time::Duration;

/// A game after this number of random moves, fewer if it is over sooner.
fn random_game(size: &str, goal: Goal, moves: usize, seed: u64) -> Game {
    let mut game = new_game(size, goal, Passing::Allowed);
    let mut random = player("random", seed);
    while game.moves().len() < moves && !game.is_over() {
        game.play(choose(&mut *random, &game).mv).unwrap();
    }
    game
}

/// Both sides play until the game is over.
fn play_out(mut game: Game, black: &str, white: &str, seed: u64) -> Game {
    let mut players = [player(black, seed), player(white, seed + 1)];
    while !game.is_over() {
        let mover = &mut players[usize::from(game.to_move() == Color::White)];
        let choice = choose(&mut **mover, &game);
        game.play(choice.mv).unwrap();
    }
    game
}

#[test]
fn minimax_and_alpha_beta_choose_the_same_move_without_shuffling() {
    let mut compared = 0;
    for size in ["3x3", "4x4", "5x4", "6x6", "8x8", "9x10"] {
        let depth = if size == "9x10" { 2 } else { 4 };
        for goal in Goal::ALL {
            for seed in 0..12 {
                let game = random_game(size, goal, 3 * seed as usize, seed);
                if game.is_over() {
                    continue;
                }
                let plain = choose(&mut *player(&format!("minimax:{depth},shuffle=off"), 1), &game);
                let pruned = choose(&mut *player(&format!("alphabeta:{depth},shuffle=off"), 2), &game);
                assert_eq!(pruned.mv, plain.mv, "{size} {goal} {}", game.transcript());
                assert_eq!(pruned.info.value, plain.info.value, "{size} {goal} {}", game.transcript());
                assert!(pruned.info.nodes <= plain.info.nodes);
                compared += 1;
            }
        }
    }
    assert!(compared > 80, "only {compared} positions");
}

#[test]
fn every_evaluation_gives_minimax_and_alpha_beta_the_same_move() {
    for evaluation in reversi::engine::historical::Historical::ALL {
        for goal in Goal::ALL {
            for seed in 0..6 {
                let game = random_game("8x8", goal, 10 * seed as usize, seed);
                let plain = choose(&mut *player(&format!("minimax:3,{evaluation},shuffle=off"), 1), &game);
                let pruned = choose(&mut *player(&format!("alphabeta:3,{evaluation},shuffle=off"), 1), &game);
                assert_eq!(pruned.mv, plain.mv, "{evaluation} {goal} {}", game.transcript());
                assert_eq!(pruned.info.value, plain.info.value, "{evaluation} {goal}");
            }
        }
    }
}

#[test]
fn shuffling_varies_equal_moves_and_follows_the_seed() {
    let game = new_game("8x8", Goal::Normal, Passing::Allowed);
    for name in ["alphabeta:2", "minimax:2", "tokens:2"] {
        let moves: Vec<GameMove> = (0..20).map(|seed| choose(&mut *player(name, seed), &game).mv).collect();
        assert!(moves.iter().any(|mv| mv != &moves[0]), "{name}: all four first moves are equal");
        for seed in 0..20 {
            assert_eq!(choose(&mut *player(name, seed), &game).mv, moves[seed as usize], "{name}");
        }
    }
}

#[test]
fn a_depth_to_the_end_finds_the_exact_score_of_4x4() {
    // 3-11 for White under the normal goal, +3 for Black under the reversed one.
    for (goal, points) in [(Goal::Normal, -8), (Goal::Reversed, 3)] {
        let game = new_game("4x4", goal, Passing::Allowed);
        let choice = choose(&mut *player("alphabeta:24,shuffle=off", 1), &game);
        assert_eq!(choice.info.value, Some(Value::Points(points)), "{goal}");
    }
}

#[test]
fn a_game_ends_at_once_where_passing_is_not_allowed() {
    for seed in 0..20 {
        let game = play_out(new_game("6x6", Goal::Normal, Passing::EndsGame), "random", "alphabeta:2", seed);
        assert!(!game.moves().contains(&GameMove::Pass));
        assert!(game.board().placements().is_empty());
    }
}

/// The result for Black if both sides play perfectly, by playing out every game.
fn perfect_result(game: &mut Game) -> i32 {
    if let Some(result) = game.result() {
        return result.score;
    }
    let black = game.to_move() == Color::Black;
    let results = game.legal_moves().into_iter().map(|mv| {
        game.play(mv).unwrap();
        let result = perfect_result(game);
        game.undo();
        result
    });
    if black { results.max() } else { results.min() }.unwrap()
}

#[test]
fn a_search_to_the_end_agrees_with_playing_out_every_game() {
    let mut differ = 0;
    for goal in Goal::ALL {
        for seed in 0..30 {
            let middle = random_game("4x4", goal, 5, seed);
            let mut values = Vec::new();
            for passing in [Passing::Allowed, Passing::EndsGame] {
                let mut game = Game::new(middle.board().clone(), middle.rules(), passing);
                if game.is_over() || game.must_pass() {
                    continue;
                }
                let result = perfect_result(&mut game);
                let points = i64::from(if game.to_move() == Color::Black { result } else { -result });
                for name in ["minimax:40", "alphabeta:40"] {
                    let choice = choose(&mut *player(name, seed), &game);
                    assert_eq!(
                        choice.info.value,
                        Some(Value::Points(points)),
                        "{name} {goal} {}",
                        game.board()
                    );
                }
                values.push(points);
            }
            values.dedup();
            differ += usize::from(values.len() == 2);
        }
    }
    assert!(differ > 0, "the rule about passing changes some results");
}

#[test]
fn the_presort_and_the_pruning_save_nodes() {
    let mut nodes = [0; 3];
    for seed in 0..8 {
        let game = random_game("8x8", Goal::Reversed, 12 + 4 * seed as usize, seed);
        let names = ["phases", "phases:presort=off", "phases:presort=off,pruning=off"];
        for (nodes, name) in nodes.iter_mut().zip(names) {
            *nodes += choose(&mut *player(name, 1), &game).info.nodes;
        }
    }
    assert!(nodes[0] < nodes[1] && nodes[1] < nodes[2], "{nodes:?}");
}

#[test]
fn phases_opens_at_random_inside_the_centre() {
    for seed in 0..10 {
        let mut game = new_game("8x8", Goal::Reversed, Passing::Allowed);
        let mut phases = player("phases", seed);
        for _ in 0..8 {
            let placements = game.board().placements();
            let central = |mv: &GameMove| matches!(mv, GameMove::Play(2..=5, 2..=5));
            let choice = choose(&mut *phases, &game);
            if placements.iter().any(central) {
                assert!(central(&choice.mv), "{} then {}", game.transcript(), choice.mv);
                assert_eq!(choice.info.nodes, 0);
            }
            game.play(choice.mv).unwrap();
        }
        assert!(choose(&mut *phases, &game).info.nodes > 0, "from the fifth own move on it searches");
    }
}

#[test]
fn phases_searches_deeper_with_few_moves_or_few_empties() {
    let mut seen = [false; 2];
    for seed in 0..20 {
        let game = random_game("8x8", Goal::Reversed, 12 + 2 * seed as usize, seed);
        let discs = game.board().count(Color::Black) + game.board().count(Color::White);
        if game.must_pass() || game.is_over() {
            continue;
        }
        let deeper = game.legal_moves().len() <= 4 || 64 - discs <= 12;
        assert_eq!(choose(&mut *player("phases", 1), &game).info.depth, 4 + u32::from(deeper));
        seen[usize::from(deeper)] = true;
    }
    assert_eq!(seen, [true, true]);
}

#[test]
fn stages_takes_its_depth_from_the_discs_at_the_root() {
    for (moves, depth) in [(8, 3), (19, 3), (20, 4), (53, 4), (54, 6), (57, 3)] {
        let mut seed = 0;
        let game = loop {
            let game = random_game("8x8", Goal::Reversed, moves, seed);
            let discs = game.board().count(Color::Black) + game.board().count(Color::White);
            if discs as usize == moves + 4 && !game.board().placements().is_empty() {
                break game;
            }
            seed += 1;
        };
        let choice = choose(&mut *player("stages", 1), &game);
        assert_eq!(choice.info.depth, depth, "{moves} moves made");
        if moves >= 54 {
            let Some(Value::Points(points)) = choice.info.value else { panic!("it has searched") };
            assert_eq!(points.abs(), WIN, "only winning counts");
        }
    }
}

#[test]
fn players_refuse_boards_on_which_they_are_not_defined() {
    for (name, size, message) in [
        (
            "phases",
            "6x6",
            "phases cannot play this game: the evaluation phases is only defined on 8x8, not on 6x6",
        ),
        (
            "stages",
            "12x12",
            "stages cannot play this game: the evaluation stages is only defined on 8x8, not on 12x12",
        ),
        (
            "minimax:2,positional",
            "8x6",
            "minimax:2,positional cannot play this game: the evaluation positional is only defined on 8x8, not on 8x6",
        ),
        (
            "corners:2",
            "16x16",
            "corners:2 cannot play this game: beyond 8x8 there is only the evaluation discs, not corners",
        ),
    ] {
        let game = new_game(size, Goal::Normal, Passing::Allowed);
        let error = player(name, 1).choose(&game, &Limits::default(), &Stop::never()).unwrap_err();
        assert!(matches!(error, PlayerError::Unsupported { .. }));
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn large_boards_are_played_to_the_end() {
    for (size, black, white) in [
        ("12x12", "alphabeta:2", "random"),
        ("16x16", "first", "minimax:1"),
        ("24x24", "random", "alphabeta:1"),
    ] {
        for passing in [Passing::Allowed, Passing::EndsGame] {
            let game = play_out(new_game(size, Goal::Normal, passing), black, white, 7);
            let result = game.result().unwrap();
            assert_eq!(result.score, result.black as i32 - result.white as i32, "{size}");
            let again = play_out(new_game(size, Goal::Normal, passing), black, white, 7);
            assert_eq!(game.transcript(), again.transcript(), "{size}: the same seed, the same game");
        }
    }
}

#[test]
fn a_stopped_search_answers_with_a_legal_move() {
    let stop = Stop::already();
    for (name, size) in [("minimax:12", "8x8"), ("alphabeta:9", "16x16"), ("phases:opening=off", "8x8")] {
        let game = random_game(size, Goal::Normal, 15, 3);
        let choice = player(name, 1).choose(&game, &Limits::default(), &stop).unwrap();
        assert!(game.legal_moves().contains(&choice.mv), "{name}");
        assert_eq!(choice.info.depth, 0, "{name} has not seen so far ahead");
    }
}

#[test]
fn a_short_time_ends_a_deep_search() {
    let game = random_game("8x8", Goal::Normal, 15, 3);
    let clock = Clock::PerMove(Duration::from_millis(50));
    let choice =
        player("minimax:40", 1).choose(&game, &Limits { depth: None, clock }, &Stop::never()).unwrap();
    assert!(game.legal_moves().contains(&choice.mv));
    assert_eq!(choice.info.depth, 0);
}

#[test]
fn a_finished_game_has_no_move_to_choose() {
    let game = random_game("4x4", Goal::Normal, 100, 1);
    assert!(game.is_over());
    for name in ["first", "random", "minimax:2", "alphabeta:2"] {
        let error = player(name, 1).choose(&game, &Limits::default(), &Stop::never()).unwrap_err();
        assert_eq!(error, PlayerError::GameOver, "{name}");
    }
}

#[test]
fn perfect_play_on_4x4_gets_what_the_game_is_worth() {
    for (start, goal, score) in [
        (Start::Diagonal, Goal::Normal, -8),
        (Start::Diagonal, Goal::Reversed, 3),
        (Start::Parallel, Goal::Normal, -3),
        (Start::Parallel, Goal::Reversed, 0),
    ] {
        let first = GameBoard::start("4x4".parse().unwrap(), start);
        let game = || Game::new(first.clone(), Rules::new(goal, Scoring::Raw), Passing::Allowed);
        assert_eq!(
            play_out(game(), "perfect", "perfect", 1).result().unwrap().score,
            score,
            "{start} {goal}"
        );
        for seed in 0..5 {
            let as_black = play_out(game(), "perfect", "random", seed).result().unwrap().score;
            assert!(as_black >= score, "{start} {goal}");
            let as_white = play_out(game(), "alphabeta:4", "perfect", seed).result().unwrap().score;
            assert!(as_white <= score, "{start} {goal}");
        }
    }
}

#[test]
fn perfect_play_searches_what_no_table_holds() {
    let game = random_game("6x6", Goal::Reversed, 24, 1);
    let choice = choose(&mut *player("perfect", 1), &game);
    let board = game.board().small().unwrap();
    let score = minimax(board.geometry, game.rules(), board.position());
    assert_eq!(choice.info.value, Some(Value::Exact(score)));
    assert!(choice.info.nodes > 0, "it has searched");
}

#[test]
fn perfect_play_refuses_what_the_oracle_does_not_know() {
    for (size, passing, words) in [
        ("8x8", Passing::Allowed, "at most 36 squares, not on 8x8"),
        ("12x3", Passing::Allowed, "at most 36 squares, not on 12x3"),
        ("4x4", Passing::EndsGame, "a side without a move passes"),
    ] {
        let game = new_game(size, Goal::Normal, passing);
        let error = player("perfect", 1).choose(&game, &Limits::default(), &Stop::never()).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}
