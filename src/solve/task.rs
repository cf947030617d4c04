//! The searches that a region is made of: a score, the first of the best moves, or both.

use super::facts::{Fact, Facts};
use crate::rules::geometry::squares_of;
use crate::rules::{Move, Position, Score};
use crate::search::{Solver, Stop};
use crate::table::{RawEntry, key};

/// A search that a thread does.
pub(super) enum Task {
    /// The score of a position that has a move.
    Value(Position),
    /// The canonical best move of a position with this score.
    Move(Position, i8),
    /// The score of a position that has a move, and its canonical best move: asked for right after the score,
    /// while the tables still know what the moves are worth.
    Both(Position),
}

impl Task {
    /// What is searched.
    pub fn position(&self) -> Position {
        let (Task::Value(position) | Task::Move(position, _) | Task::Both(position)) = *self;
        position
    }
}

/// One search; `None` when it was stopped.
pub(super) fn work(solver: &Solver, facts: &Facts, task: &Task, stop: &Stop) -> Option<Fact> {
    // A short search is over before it looks.
    if stop.is_set() {
        return None;
    }
    match *task {
        Task::Value(position) => {
            let score = solver.solve(position, stop).ok()?.score.discs() as i8;
            let key = key::canonical(solver.geometry(), position).0;
            Some(Fact { key, score, best: RawEntry::NO_MOVE })
        }
        Task::Move(position, score) => first_best(solver, facts, position, score, None, stop),
        Task::Both(position) => {
            let solution = solver.solve(position, stop).ok()?;
            first_best(solver, facts, position, solution.score.discs() as i8, solution.best, stop)
        }
    }
}

/// The first move of the canonical form, in row-major order, that reaches the position's score. Of `reaching`
/// it is known already that it does.
fn first_best(
    solver: &Solver,
    facts: &Facts,
    position: Position,
    score: i8,
    reaching: Option<Move>,
    stop: &Stop,
) -> Option<Fact> {
    let geometry = solver.geometry();
    let (key, form, symmetry) = key::canonical(geometry, position);
    let found = |square| Some(Fact { key, score, best: geometry.row_major(square) as u8 });
    // Nobody does better than -score against a position of this score, so a child's score is at least that.
    let least = Score::new(-i32::from(score));
    let reaching = match reaching {
        Some(Move::Play(square)) => Some(symmetry.apply_square(geometry, square)),
        _ => None,
    };
    let mut refused = Vec::new();
    let mut squares = squares_of(form.legal_moves(geometry)).peekable();
    while let Some(square) = squares.next() {
        // The search goes on in the position as it was met, where the table knows it.
        let child = symmetry.inverse().apply(geometry, form.play(square, form.flips(square)));
        if squares.peek().is_none() || reaching == Some(square) {
            return found(square);
        }
        let child_key = key::canonical(geometry, child).0;
        if refused.contains(&child_key) {
            continue;
        }
        let reaches = match facts.score(child) {
            Some(known) => i32::from(known) == least.discs(),
            None => solver.is_at_most(child, least, stop).ok()?,
        };
        if reaches {
            return found(square);
        }
        refused.push(child_key);
    }
    unreachable!("the last move is taken without a question")
}
