//! The fast rules and the naive ones say the same, on random games and random placements of every board.

use reversi::rules::geometry::squares_of;
use reversi::rules::symmetry::{self, canonical};
use reversi::rules::{Board, Color, Geometry, Move, Passing, Rules, Start, naive};

fn geometries() -> impl Iterator<Item = Geometry> {
    (3..=8).flat_map(|width| (3..=8).map(move |height| Geometry::new(width, height).unwrap()))
}

/// Compares everything that the rules say about one position.
fn assert_same(fast: Board, slow: &naive::Board) {
    assert_eq!(Board::from_naive(slow), Some(fast), "the same discs\n{}", fast.drawing());
    let (geometry, position) = (fast.geometry, fast.position());

    let legal: Vec<(u32, u32)> =
        squares_of(position.legal_moves(geometry)).map(|square| (square.column(), square.row())).collect();
    assert_eq!(legal, slow.legal_moves(), "legal moves of {fast:?}");
    assert_eq!(position.must_pass(geometry), slow.must_pass(), "{fast:?}");
    assert_eq!(position.is_over(geometry), slow.is_over(Passing::Allowed), "{fast:?}");
    assert_eq!(legal.is_empty(), slow.is_over(Passing::EndsGame), "{fast:?}");
    assert_eq!(fast.after(Move::Pass), bits(slow.after(naive::Move::Pass, Passing::Allowed)), "{fast:?}");
    assert_eq!(position.disc_count(), slow.count(Color::Black) + slow.count(Color::White));
    assert_eq!(position.empty_count(geometry), slow.empty_count());

    for square in geometry.squares() {
        let (column, row) = (square.column(), square.row());
        assert_eq!(
            fast.after(Move::Play(square)),
            bits(slow.play(column, row)),
            "{square} on {fast:?}\n{}",
            fast.drawing()
        );
        if position.discs() & square.bit() == 0 {
            let mut turned: Vec<(u32, u32)> =
                squares_of(position.flips(square)).map(|turned| (turned.column(), turned.row())).collect();
            let mut expected = slow.flips(column, row);
            turned.sort_unstable();
            expected.sort_unstable();
            assert_eq!(turned, expected, "flips of {square} on {fast:?}");
        }
    }
    for rules in Rules::ALL {
        assert_eq!(
            position.final_score(geometry, rules).discs(),
            slow.final_score(rules.goal, rules.scoring),
            "{rules} {fast:?}"
        );
    }
}

fn bits(board: Option<naive::Board>) -> Option<Board> {
    board.map(|board| Board::from_naive(&board).expect("the board is small"))
}

/// Compares the images and the canonical form of a position.
fn assert_same_symmetries(fast: Board, slow: &naive::Board) {
    let (geometry, position) = (fast.geometry, fast.position());
    let all = symmetry::Symmetry::all(geometry);
    assert_eq!(all.len(), naive::symmetries(slow.size()).len());
    for &symmetry in all {
        let image = symmetry.apply(geometry, position);
        let expected = slow.image(symmetry.number()).to_masks();
        assert_eq!(Some((image.player, image.opponent)), expected, "{symmetry:?} of {fast:?}");
    }
    let (form, symmetry) = canonical(geometry, position);
    let (slow_form, slow_symmetry) = slow.canonical();
    assert_eq!(Some((form.player, form.opponent)), slow_form.to_masks(), "canonical form of {fast:?}");
    assert_eq!(symmetry.number(), slow_symmetry, "the first symmetry that reaches it, {fast:?}");
}

/// Plays random moves to the end, comparing at every position.
fn compare_on_a_random_game(geometry: Geometry, start: Start, random: &mut fastrand::Rng) {
    let mut fast = Board::start(geometry, start);
    let mut slow = naive::Board::start(geometry.into(), start);
    loop {
        assert_same(fast, &slow);
        let mut moves: Vec<(u32, u32)> = slow.legal_moves();
        random.shuffle(&mut moves);
        let mv = match moves.first() {
            Some(&(column, row)) => naive::Move::Play(column, row),
            None if slow.must_pass() => naive::Move::Pass,
            None => break,
        };
        slow = slow.after(mv, Passing::Allowed).expect("the move is legal");
        fast = fast.after(Move::from_naive(mv).expect("the board is small")).expect("the move is legal");
    }
    assert!(fast.position().is_over(geometry));
    assert_same_symmetries(fast, &slow);
}

/// Discs anywhere, as dense as `density` in 0..=1.
fn random_placement(geometry: Geometry, density: f64, random: &mut fastrand::Rng) -> Board {
    let mut board = Board::start(geometry, Start::Diagonal);
    (board.black, board.white) = (0, 0);
    board.to_move = *random.choice(&[Color::Black, Color::White]).expect("there are two");
    for square in geometry.squares() {
        if random.f64() < density {
            *random.choice([&mut board.black, &mut board.white]).expect("there are two") |= square.bit();
        }
    }
    board
}

#[test]
fn both_rules_agree_on_random_games() {
    let mut random = fastrand::Rng::with_seed(1);
    for geometry in geometries() {
        for start in Start::ALL {
            for _ in 0..6 {
                compare_on_a_random_game(geometry, start, &mut random);
            }
        }
    }
}

#[test]
fn both_rules_agree_on_random_placements() {
    let mut random = fastrand::Rng::with_seed(2);
    for geometry in geometries() {
        for round in 0..60 {
            let board = random_placement(geometry, f64::from(round % 20 + 1) / 20.0, &mut random);
            let slow = naive::Board::from(board);
            assert_same(board, &slow);
            assert_same_symmetries(board, &slow);
        }
    }
}

#[test]
fn squares_and_boards_turn_alike_in_both_rules() {
    for geometry in geometries() {
        for &symmetry in symmetry::Symmetry::all(geometry) {
            for square in geometry.squares() {
                let image = symmetry.apply_square(geometry, square);
                let expected =
                    naive::image_of(geometry.into(), symmetry.number(), (square.column(), square.row()));
                assert_eq!((image.column(), image.row()), expected, "{symmetry:?} of {square} on {geometry}");
            }
        }
    }
}

#[test]
fn passes_happen_on_small_boards_and_keep_the_disc_count() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut passes = 0;
    for _ in 0..2000 {
        let board = random_placement(Geometry::FOUR, random.f64(), &mut random);
        if let Some(passed) = board.after(Move::Pass) {
            passes += 1;
            assert_eq!((passed.black, passed.white), (board.black, board.white));
            assert_eq!(passed.to_move, board.to_move.other());
            assert!(
                passed.position().legal_moves(Geometry::FOUR) != 0,
                "a pass gives the move to one who has one"
            );
        }
    }
    assert!(passes > 50, "only {passes} of the placements had to pass");
}

#[test]
fn large_boards_are_played_to_the_end() {
    let mut random = fastrand::Rng::with_seed(4);
    for (width, height) in [(9, 9), (12, 12), (16, 16), (24, 24), (3, 24), (24, 5)] {
        for passing in [Passing::Allowed, Passing::EndsGame] {
            let size = naive::Size::new(width, height).unwrap();
            let mut board = naive::Board::start(size, Start::Diagonal);
            while !board.is_over(passing) {
                let before = board.empty_count();
                board = match random.choice(board.legal_moves()) {
                    Some((column, row)) => board.play(column, row).expect("the move is legal"),
                    None => board.after(naive::Move::Pass, passing).expect("only a pass is left"),
                };
                assert!(board.empty_count() <= before);
            }
            let discs = board.count(Color::Black) + board.count(Color::White);
            assert_eq!(discs + board.empty_count(), size.square_count());
            assert!(!board.has_move() && (passing == Passing::EndsGame || !board.pass().has_move()));
        }
    }
}
