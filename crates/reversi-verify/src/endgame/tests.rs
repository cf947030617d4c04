//! The endgame search against the plain-array rules, minimax over them, and the search over squares in an array.

use super::fill::{around, moves};
use super::layout::{Discs, Layout, MOST_SQUARES};
use super::{Claim, Endgame, Finding};
use crate::plain_search::PlainSearch;
use crate::position::children;
use reversi_naive::{Board, Move, Size};
use reversi_terms::{Color, Goal, Scoring, Start};

const RULES: [(Goal, Scoring); 4] = [
    (Goal::Normal, Scoring::Raw),
    (Goal::Normal, Scoring::Winner),
    (Goal::Reversed, Scoring::Raw),
    (Goal::Reversed, Scoring::Winner),
];

/// Every board that can be searched.
fn sizes() -> Vec<Size> {
    let sides = (3..=8).flat_map(|width| (3..=8).map(move |height| (width, height)));
    sides.filter(|&(w, h)| (w * h) as usize <= MOST_SQUARES).map(|(w, h)| Size::new(w, h).unwrap()).collect()
}

fn scattered(size: Size, rng: &mut fastrand::Rng) -> Board {
    let mut board = Board::empty(size, Color::Black);
    for (column, row) in size.squares() {
        let cell = [None, Some(Color::Black), Some(Color::White), Some(Color::White)][rng.usize(..4)];
        board.set(column, row, cell);
    }
    board
}

/// A position of a random game with the given number of empty squares, or a finished one with more.
fn late(size: Size, empties: u32, rng: &mut fastrand::Rng) -> Board {
    let mut board = Board::start(size, if rng.bool() { Start::Diagonal } else { Start::Parallel });
    while board.empty_count() > empties {
        let next = children(&board);
        if next.is_empty() {
            break;
        }
        board = next[rng.usize(..next.len())].1.clone();
    }
    board
}

fn endgame(size: Size, (goal, scoring): (Goal, Scoring), memory_bits: u32) -> Endgame {
    Endgame::new(size, goal, scoring, memory_bits, Default::default())
}

/// Plain minimax over the plain-array rules.
fn minimax(board: &Board, goal: Goal, scoring: Scoring) -> i32 {
    let best = children(board).iter().map(|(_, child)| -minimax(child, goal, scoring)).max();
    best.unwrap_or_else(|| board.final_score(goal, scoring))
}

fn play_is_that_of_the_rules<const S: u32>(size: Size, board: &Board) {
    let layout = Layout::new(size);
    let Discs { own, other } = layout.discs(board);
    let empties = layout.empties(Discs { own, other });
    let legal = moves::<S>(own, other, empties);
    let touching = around::<S>(own);
    for (column, row) in size.squares() {
        let square = 1u64 << layout.place_of((column, row));
        let near = layout.neighbours[layout.place_of((column, row)) as usize];
        assert!((near & own != 0) <= (touching & square != 0), "{board} {column} {row}");
        assert_eq!(legal & square != 0, board.is_legal(column, row), "{board} {column} {row}");
        if board.cell(column, row).is_none() {
            let turned =
                board.flips(column, row).iter().map(|&(c, r)| 1u64 << layout.place_of((c, r))).sum::<u64>();
            assert_eq!(layout.flips(square.trailing_zeros(), own, other), turned, "{board} {column} {row}");
        }
    }
}

#[test]
fn moves_and_flips_are_those_of_the_plain_array_rules_on_every_board() {
    let mut rng = fastrand::Rng::with_seed(11);
    for size in sizes() {
        for round in 0..300 {
            let board = match round % 2 {
                0 => scattered(size, &mut rng),
                _ => late(size, rng.u32(0..size.square_count() - 4), &mut rng),
            };
            match size.width().max(size.height()) {
                3 => play_is_that_of_the_rules::<4>(size, &board),
                4 => play_is_that_of_the_rules::<5>(size, &board),
                5 => play_is_that_of_the_rules::<6>(size, &board),
                6 => play_is_that_of_the_rules::<7>(size, &board),
                7 => play_is_that_of_the_rules::<8>(size, &board),
                _ => play_is_that_of_the_rules::<9>(size, &board),
            }
        }
    }
}

/// The last empty square may be any, with any discs around it.
#[test]
fn the_last_flips_are_those_of_the_plain_array_rules_on_every_board() {
    let mut rng = fastrand::Rng::with_seed(16);
    for size in sizes() {
        let layout = Layout::new(size);
        for (column, row) in size.squares() {
            for round in 0..40 {
                let mut board = Board::empty(size, Color::Black);
                let others = size.squares().filter(|&square| square != (column, row));
                // One side may have few discs only.
                let most = if round % 4 == 0 { 12 } else { 2 };
                for (c, r) in others {
                    let color = if rng.u32(..most) == 0 { Color::White } else { Color::Black };
                    board.set(c, r, Some(color));
                }
                let discs = layout.discs(&board);
                let turned = |discs: Discs| {
                    let flips = layout.flips(layout.place_of((column, row)), discs.own, discs.other);
                    flips.count_ones() as i32
                };
                let swapped = Discs { own: discs.other, other: discs.own };
                let found = layout.last_flips(layout.place_of((column, row)), discs);
                assert_eq!(found.0, board.flips(column, row).len() as i32, "{board} {column} {row}");
                assert_eq!(found, (turned(discs), turned(swapped)), "{board} {column} {row}");
            }
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[test]
fn look_up_and_carry_turn_the_same_discs() {
    use super::{flips::Rays, lines::Lines};
    let mut rng = fastrand::Rng::with_seed(17);
    for size in sizes() {
        let layout = Layout::new(size);
        for (column, row) in size.squares() {
            let [up, down] = layout.rays_of((column, row));
            let (rays, lines) = (Rays::new(up, down), Lines::new(up, down));
            let rest = layout.board & !(1 << layout.place_of((column, row)));
            for round in 0..100 {
                let few = if round % 2 == 0 { u64::MAX } else { rng.u64(..) };
                let own = rest & rng.u64(..) & few;
                let other = rest & !own;
                assert_eq!(rays.last_flips(own, other), lines.last_flips(own, other), "{size} {own:#x}");
                let other = other & rng.u64(..);
                assert_eq!(rays.flips(own, other), lines.flips(own, other), "{size} {own:#x} {other:#x}");
                assert_eq!(rays.flips(other, own), lines.flips(other, own), "{size} {other:#x} {own:#x}");
            }
        }
    }
}

#[test]
fn scores_are_those_of_minimax_on_every_board_under_all_rules() {
    let mut rng = fastrand::Rng::with_seed(12);
    for size in sizes() {
        for rules in RULES {
            let mut endgame = endgame(size, rules, 2);
            for empties in [0, 1, 2, 3, 4, 5, 6, 6] {
                let board = late(size, empties, &mut rng);
                let score = minimax(&board, rules.0, rules.1);
                assert_eq!(endgame.score(&board, u64::MAX), Some(score), "{board} {rules:?}");
            }
        }
    }
}

#[test]
fn scattered_discs_are_searched_as_minimax_does() {
    // Wiped out sides, passes and early ends are common here.
    let mut rng = fastrand::Rng::with_seed(13);
    for size in [Size::new(3, 3).unwrap(), Size::new(3, 4).unwrap(), Size::new(4, 4).unwrap()] {
        for rules in RULES {
            let mut endgame = endgame(size, rules, 2);
            for _ in 0..150 {
                let board = scattered(size, &mut rng);
                if board.empty_count() <= 7 {
                    let score = minimax(&board, rules.0, rules.1);
                    assert_eq!(endgame.score(&board, u64::MAX), Some(score), "{board} {rules:?}");
                }
            }
        }
    }
}

#[test]
fn deeper_scores_are_those_of_the_search_over_squares() {
    let mut rng = fastrand::Rng::with_seed(14);
    for (width, height) in
        [(3, 8), (4, 5), (5, 5), (6, 6), (6, 4), (8, 5), (5, 8), (7, 4), (6, 7), (7, 7), (6, 8)]
    {
        let size = Size::new(width, height).unwrap();
        for rules in RULES {
            // So small a table that most of it is replaced on the way.
            let mut endgame = endgame(size, rules, 4);
            for _ in 0..4 {
                let board = late(size, 11, &mut rng);
                let score = endgame.score(&board, u64::MAX).unwrap();
                let compared = PlainSearch::new(size, rules.0, rules.1, u64::MAX).compare(&board, score);
                assert_eq!(compared, Some(score), "{board} {rules:?}");
            }
        }
    }
}

/// The scores of all moves by the plain rules and the search over squares.
fn scores_of_moves(board: &Board, (goal, scoring): (Goal, Scoring)) -> Vec<(u8, i32)> {
    let mut scores = Vec::new();
    for (mv, child) in children(board) {
        if let Move::Play(column, row) = mv {
            let number = (row * board.size().width() + column) as u8;
            scores.push((number, -minimax(&child, goal, scoring)));
        }
    }
    scores
}

#[test]
fn every_wrong_claim_is_told_and_no_right_one() {
    let mut rng = fastrand::Rng::with_seed(15);
    let mut later_moves = 0;
    for size in [(4, 4), (5, 4), (6, 6), (6, 7)].map(|(w, h)| Size::new(w, h).unwrap()) {
        for rules in RULES {
            let mut endgame = endgame(size, rules, 3);
            for _ in 0..12 {
                let board = late(size, 6, &mut rng);
                let moves = scores_of_moves(&board, rules);
                let score = minimax(&board, rules.0, rules.1);
                let mut check = |score, best| endgame.check(&board, Claim { score, best }, u64::MAX);
                assert_eq!(check(score, None), Finding::Holds);
                for off in [-3, -2, -1, 1, 2, 3] {
                    let found = check(score + off, None);
                    let right = match found {
                        Finding::TooLow(least) => off < 0 && least > score + off && least <= score,
                        Finding::TooHigh(most) => off > 0 && most < score + off && most >= score,
                        _ => false,
                    };
                    assert!(right, "{board} {score} {off} {found:?}");
                    for &(number, _) in &moves {
                        let found = check(score + off, Some(number));
                        let right = match found {
                            Finding::TooLow(least) => off < 0 && least > score + off && least <= score,
                            Finding::TooHigh(most) => off > 0 && most < score + off && most >= score,
                            _ => false,
                        };
                        assert!(right, "{board} {score} {off} {number} {found:?}");
                    }
                }
                let first = moves.iter().find(|&&(_, reached)| reached == score).map(|&(number, _)| number);
                for &(number, reached) in &moves {
                    let found = check(score, Some(number));
                    let right = match found {
                        Finding::Holds => Some(number) == first,
                        Finding::LaterMove(earlier) => {
                            Some(earlier) == first && reached == score && earlier < number
                        }
                        Finding::WorseMove(most) => (reached..score).contains(&most),
                        _ => false,
                    };
                    later_moves += u32::from(matches!(found, Finding::LaterMove(_)));
                    assert!(right, "{board} {score} {number} {found:?}");
                }
                let illegal =
                    (0..size.square_count() as u8).find(|number| !moves.iter().any(|mv| mv.0 == *number));
                assert_eq!(check(score, illegal), Finding::NoMove);
            }
        }
    }
    assert!(later_moves > 20, "{later_moves} moves of equal worth");
}

#[test]
fn a_search_without_nodes_or_told_to_stop_says_nothing() {
    let size = Size::new(5, 5).unwrap();
    let board = Board::start(size, Start::Diagonal);
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let mut endgame = Endgame::new(size, Goal::Normal, Scoring::Raw, 10, stop.clone());
    assert_eq!(endgame.score(&board, 1000), None);
    assert!(endgame.nodes() >= 1000);
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(endgame.check(&board, Claim { score: 13, best: None }, u64::MAX), Finding::Unfinished);
    // What was stored before it was given up is true: the score comes out all the same.
    stop.store(false, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(endgame.score(&board, u64::MAX), Some(13));
}
