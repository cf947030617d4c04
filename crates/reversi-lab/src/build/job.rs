//! Search jobs of a region: a score, the canonical best move, or both.

use super::known_values::{KnownValue, KnownValues};
use crate::spread::by_masks;
use crate::spread::share::Job;
use reversi_rules::geometry::squares_of;
use reversi_rules::{Geometry, Move, Position, Score};
use reversi_solver::search::{Solver, Stop};
use reversi_table::{RawEntry, key};
use serde::{Deserialize, Serialize};

/// Nodes of a search of the score and the best move, as a multiple of one of the score alone: proofs that earlier moves
/// do not reach the score come on top.
pub(super) const WITH_MOVE: f64 = 1.3;
/// The same for a search of the best move of a position whose score is known.
pub(super) const MOVE_ALONE: f64 = 0.7;

/// A search for one thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum SearchJob {
    /// The score of a position that has a move.
    Value(#[serde(with = "by_masks")] Position),
    /// The canonical best move of a position with this score.
    Move(#[serde(with = "by_masks")] Position, i8),
    /// The score of a position that has a move, and its canonical best move: searched right after the score, while the
    /// tables still hold the scores of the moves.
    Both(#[serde(with = "by_masks")] Position),
    /// As `Both`, for a child of a position whose score is known. So no sibling is worth less than this score, and one
    /// is worth exactly this. The score is tried first.
    BothFrom(#[serde(with = "by_masks")] Position, i8),
}

impl SearchJob {
    /// The position that is searched.
    pub fn position(&self) -> Position {
        match *self {
            SearchJob::Value(position) | SearchJob::Both(position) => position,
            SearchJob::Move(position, _) | SearchJob::BothFrom(position, _) => position,
        }
    }

    /// Whether the board can have the position, with a move if one is asked for, and the score.
    pub fn is_possible(&self, geometry: Geometry) -> bool {
        let position = self.position();
        let score = match *self {
            SearchJob::Value(_) | SearchJob::Both(_) => 0,
            SearchJob::Move(_, score) | SearchJob::BothFrom(_, score) => score,
        };
        position.is_on(geometry)
            && (!self.asks_for_move() || position.legal_moves(geometry) != 0)
            && u32::from(score.unsigned_abs()) <= geometry.square_count()
    }

    /// Whether the best move is asked for.
    pub fn asks_for_move(&self) -> bool {
        !matches!(self, SearchJob::Value(_))
    }
}

impl Job for SearchJob {
    fn position(&self) -> Position {
        SearchJob::position(self)
    }
}

/// A search that the walk needs. Searches with the same family in one call have the same parent: their trees overlap,
/// so they are best done one after the other with one transposition table.
#[derive(Clone, Copy, Debug)]
pub(super) struct WantedSearch {
    pub family: u32,
    pub job: SearchJob,
}

/// The result of a search, and its nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub known_value: KnownValue,
    pub nodes: u64,
}

/// One search; `None` when it was stopped.
pub(super) fn work(
    solver: &Solver,
    known_values: &KnownValues,
    job: &SearchJob,
    stop: &Stop,
) -> Option<Found> {
    // A short search ends before it polls the stop.
    if stop.is_set() {
        return None;
    }
    let geometry = solver.geometry();
    let mut nodes = 0;
    let mut is_at_most = |position, most| {
        let proved = solver.bound(position, most, stop).ok()?;
        nodes += proved.nodes;
        Some(proved.upper <= most)
    };
    let known_value = match *job {
        SearchJob::Value(position) => {
            let solution = solver.solve(position, stop).ok()?;
            let (key, score) = (key::canonical(geometry, position).0, solution.score.discs() as i8);
            nodes = solution.nodes;
            KnownValue { key, score, best: RawEntry::NO_MOVE }
        }
        SearchJob::Move(position, score) => {
            first_best(geometry, known_values, position, score, None, &mut is_at_most)?
        }
        SearchJob::BothFrom(position, least) => {
            let guessed = match is_at_most(position, Score::new(least.into()))? {
                true => first_reaching(geometry, known_values, position, least, 0, &mut is_at_most)?,
                false => None,
            };
            match guessed {
                Some(found) => found,
                None => {
                    let found = work(solver, known_values, &SearchJob::Both(position), stop)?;
                    nodes += found.nodes;
                    found.known_value
                }
            }
        }
        SearchJob::Both(position) => {
            let solution = solver.solve(position, stop).ok()?;
            let score = solution.score.discs() as i8;
            let found = first_best(geometry, known_values, position, score, solution.best, &mut is_at_most)?;
            nodes += solution.nodes;
            found
        }
    };
    Some(Found { known_value, nodes })
}

/// The canonical best move of a position with this score, if it follows from known values without a search.
pub(super) fn known_best(
    geometry: Geometry,
    known_values: &KnownValues,
    position: Position,
    score: i8,
) -> Option<KnownValue> {
    first_best(geometry, known_values, position, score, None, &mut |_, _| None)
}

/// The first move of the canonical form, in row-major order, that reaches the position's score. `reaching` is a move
/// that is known to reach it. `is_at_most` compares the score of a position that is not known.
fn first_best(
    geometry: Geometry,
    known_values: &KnownValues,
    position: Position,
    score: i8,
    reaching: Option<Move>,
    is_at_most: &mut impl FnMut(Position, Score) -> Option<bool>,
) -> Option<KnownValue> {
    let (_, form, symmetry) = key::canonical(geometry, position);
    let last = squares_of(form.legal_moves(geometry)).last().map_or(0, |square| square.bit());
    let reaching = match reaching {
        Some(Move::Play(square)) => symmetry.apply_square(geometry, square).bit(),
        _ => 0,
    };
    let found = first_reaching(geometry, known_values, position, score, reaching | last, is_at_most)?;
    Some(found.expect("the last move is taken without a question"))
}

/// The first move of the canonical form, in row-major order, that reaches a score which no move exceeds: a move in the
/// mask `reaching`, or one that reaches it by a known value or by `is_at_most`. The inner `None` if no move reaches it.
fn first_reaching(
    geometry: Geometry,
    known_values: &KnownValues,
    position: Position,
    score: i8,
    reaching: u64,
    is_at_most: &mut impl FnMut(Position, Score) -> Option<bool>,
) -> Option<Option<KnownValue>> {
    let (key, form, symmetry) = key::canonical(geometry, position);
    // No move does better than -score against a position of this score, so a child's score is at least that.
    let least = Score::new(-i32::from(score));
    let mut refused = Vec::new();
    for square in squares_of(form.legal_moves(geometry)) {
        // The search continues from the position as it was met, which the table holds.
        let child = symmetry.inverse().apply(geometry, form.play(square, form.flips(square)));
        let child_key = key::canonical(geometry, child).0;
        let reaches = reaching & square.bit() != 0
            || !refused.contains(&child_key)
                && match known_values.score(child) {
                    Some(known) => i32::from(known) == least.discs(),
                    None => is_at_most(child, least)?,
                };
        if reaches {
            return Some(Some(KnownValue { key, score, best: geometry.row_major(square) as u8 }));
        }
        refused.push(child_key);
    }
    Some(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use reversi_rules::playout::playout;
    use reversi_rules::{Board, Geometry, Rules, Start, Symmetry};
    use reversi_solver::search::reference::minimax::{best_moves, minimax};
    use reversi_solver::search::{Sizing, SolverOptions};

    const EMPTIES: u32 = 7;

    fn of_a_game(geometry: Geometry, random: &mut Rng) -> Position {
        let mut game = playout(geometry, Board::start(geometry, Start::Diagonal).position(), random);
        game.find(|position| position.empty_count(geometry) <= EMPTIES || position.is_over(geometry)).unwrap()
    }

    /// A random position that is its own image under a symmetry.
    fn symmetric(geometry: Geometry, random: &mut Rng) -> Position {
        let symmetry = Symmetry::all(geometry)[random.usize(1..Symmetry::all(geometry).len())];
        let mut position = Position::default();
        for square in geometry.squares() {
            let orbit = (0..4).fold(square.bit(), |orbit, _| orbit | symmetry.apply_mask(geometry, orbit));
            match random.u32(..5) {
                _ if position.discs() & orbit != 0 => {}
                0 | 1 => position.player |= orbit,
                2 | 3 => position.opponent |= orbit,
                _ => {}
            }
        }
        position
    }

    /// Its score and the first best move of its canonical form, by minimax.
    fn expected(geometry: Geometry, rules: Rules, position: Position) -> KnownValue {
        let (key, form, _) = key::canonical(geometry, position);
        let Move::Play(first) = best_moves(geometry, rules, form)[0] else { panic!("it has a move") };
        let score = minimax(geometry, rules, position).discs() as i8;
        KnownValue { key, score, best: geometry.row_major(first) as u8 }
    }

    /// The scores of about half of what can follow.
    fn some_known_values(
        geometry: Geometry,
        rules: Rules,
        position: Position,
        random: &mut Rng,
    ) -> KnownValues {
        let mut known_values = KnownValues::new(geometry);
        for (_, child) in position.children(geometry) {
            if random.bool() {
                known_values.insert_score(child, minimax(geometry, rules, child).discs() as i8);
            }
        }
        known_values
    }

    #[test]
    fn jobs_no_board_has_are_told() {
        let geometry = Geometry::FOUR;
        let start = Board::start(geometry, Start::Diagonal).position();
        for score in [-16, 0, 16] {
            assert!(SearchJob::Move(start, score).is_possible(geometry));
        }
        for score in [i8::MIN, -17, 17, i8::MAX] {
            assert!(!SearchJob::Move(start, score).is_possible(geometry));
            assert!(!SearchJob::BothFrom(start, score).is_possible(geometry));
        }
        let full = Position::new(u64::from(u32::MAX) & geometry.mask(), 0);
        assert!(SearchJob::Value(full).is_possible(geometry) && !SearchJob::Both(full).is_possible(geometry));
    }

    #[test]
    fn a_job_finds_the_score_and_the_first_of_the_best_moves() {
        let mut random = Rng::with_seed(11);
        let stop = Stop::never();
        let (mut searched, mut of_another_move) = (0, 0);
        for (width, height) in [(3, 3), (4, 4), (5, 4), (3, 6), (5, 5), (4, 6)] {
            let geometry = Geometry::new(width, height).unwrap();
            for rules in Rules::ALL {
                let options = SolverOptions { memory_bytes: 1 << 16, threads: 1, sizing: Sizing::Whole };
                let solver = Solver::new(geometry, rules, options).unwrap();
                let make = [of_a_game, symmetric];
                let positions = (0..60).map(|round| make[round % 2](geometry, &mut random));
                let has_job =
                    |p: &Position| p.empty_count(geometry) <= EMPTIES && p.legal_moves(geometry) != 0;
                for position in positions.filter(has_job).collect::<Vec<_>>() {
                    let expected = expected(geometry, rules, position);
                    let known = some_known_values(geometry, rules, position, &mut random);
                    for known_values in [&KnownValues::new(geometry), &known] {
                        // A guess may be right, or wrong on either side.
                        let guess = expected.score + random.i8(-1..=1);
                        for job in [
                            SearchJob::Both(position),
                            SearchJob::BothFrom(position, expected.score),
                            SearchJob::BothFrom(position, guess),
                            SearchJob::Move(position, expected.score),
                        ] {
                            let found = work(&solver, known_values, &job, &stop);
                            let found = found.map(|found| found.known_value);
                            assert_eq!(found, Some(expected), "{geometry} {rules} {position:?}");
                        }
                    }
                    searched += 1;
                    let found = solver.solve(position, &stop).unwrap().best;
                    let first = best_moves(geometry, rules, position)[0];
                    of_another_move += u32::from(found != Some(first));
                }
            }
        }
        assert!(searched > 300, "{searched} positions");
        assert!(of_another_move > 30, "in {of_another_move} a search finds another best move than the first");
    }
}
