//! The checks of a semi-strong table: that it holds what two walks by its own moves meet and nothing
//! else, and every equation that its values must satisfy.
//!
//! Suppose that the scores with the least number of empty squares are right. Then the equations prove, from there
//! upwards and for every position of a walk, that the side which plays the stored moves gets at least the stored score,
//! whatever the other does; and since each side has such a walk from the root, they prove the score of the root. No
//! equation of stored entries shows that a side could not get more after the other's mistakes, nor that the supposed
//! scores are right. A sample of these is searched.

use super::content::Content;
use super::position::{canonical_key, children, decode};
use super::report::{Check, Faults, Outcome};
use super::roles::{Extent, Role, Roles};
use rayon::prelude::*;
use reversi_naive::{Board, Move};
use reversi_table_raw::RawEntry;
use std::collections::HashMap;

/// `reached` is what [`super::roles::walk`] finds.
pub(super) fn checks(content: &Content, extent: Extent, reached: &HashMap<u64, Roles>) -> Vec<Check> {
    let found = (0..content.len())
        .into_par_iter()
        .map(|place| examine(content, extent, reached, &content.entry(place)))
        .reduce(Findings::default, Findings::merge);
    let count = content.len() as u64;
    let entries = |name, claim, faults: Faults| Check::new(name, claim, count, "entries", faults.outcome());
    vec![
        entries("canonical", "the key is that of a position in canonical form", found.canonical),
        entries("reachable", "the position is in the prefix or met by one of the two walks", found.strangers),
        closure(content, reached),
        Check::new(
            "values",
            "where it is promised, the value is the best over all positions after it, minus that after \
             the stored move, or the final score",
            found.equations,
            "equations",
            found.values.outcome(),
        )
        .with_remark(
            "so each side gets at least the stored value by its stored moves, given the values at the end of \
             the walks"
                .to_owned(),
        ),
        Check::new(
            "moves",
            match extent.may_add_moves {
                true => {
                    "where one is promised a legal move is stored, in the last ply of the prefix one or none, elsewhere none, \
                     and no stored position after a move shows it to be not the first of the best"
                }
                false => {
                    "where one is promised a legal move is stored, elsewhere none, and no stored position after another \
                     move shows it to be not the first of the best"
                }
            },
            found.moves_looked_at,
            "moves",
            found.moves.outcome(),
        ),
        unproved(count - found.best_over_all),
    ]
}

fn unproved(count: u64) -> Check {
    let claim = match count {
        0 => "every entry is the best over all positions after it",
        _ => {
            "entries that no equation compares with all positions after them, at the end of the walks and of the \
             prefix and where a side chooses: that they are worth no more, and what rests on them"
        }
    };
    let outcome = match count {
        0 => Outcome::Passed,
        _ => Outcome::NotChecked("the sample searches some of them again".to_owned()),
    };
    Check::new("unproved", claim, count, "entries", outcome)
}

#[derive(Default)]
struct Findings {
    canonical: Faults,
    strangers: Faults,
    values: Faults,
    moves: Faults,
    equations: u64,
    moves_looked_at: u64,
    /// Entries that were compared with all positions after them, or are finished.
    best_over_all: u64,
}

impl Findings {
    fn merge(mut self, other: Findings) -> Findings {
        self.canonical.merge(other.canonical);
        self.strangers.merge(other.strangers);
        self.values.merge(other.values);
        self.moves.merge(other.moves);
        self.equations += other.equations;
        self.moves_looked_at += other.moves_looked_at;
        self.best_over_all += other.best_over_all;
        self
    }
}

fn examine(content: &Content, extent: Extent, reached: &HashMap<u64, Roles>, entry: &RawEntry) -> Findings {
    let mut found = Findings::default();
    let key = entry.key;
    let Some(board) = decode(content.size, key) else {
        found.canonical.add(key, format!("{} is no position", content.name(key)));
        return found;
    };
    if canonical_key(&board) != key {
        found.canonical.add(key, format!("{} is a turned or mirrored form", content.name(key)));
    }
    let Some(&roles) = reached.get(&key) else {
        found.strangers.add(key, content.name(key));
        return found;
    };
    let empties = board.empty_count();
    let children = children(&board);
    let forced = matches!(children.as_slice(), [] | [(Move::Pass, _)]);
    let all_follow = roles.prefix.is_some_and(|left| extent.goes_on(Role::Prefix(left), empties))
        || (roles.free && extent.goes_on(Role::Free, empties));
    if forced || all_follow {
        compare_with_all(content, &board, entry, &mut found);
    } else {
        let promise = match roles.chooses && empties >= extent.down_to {
            true => Promise::Move,
            false if extent.may_add_moves && roles.prefix == Some(0) => Promise::MoveOrNone,
            false => Promise::NoMove,
        };
        look_at_move(content, entry, &children, promise, &mut found);
    }
    if !forced && roles.chooses && extent.goes_on(Role::Chooses, empties) {
        compare_with_stored(content, entry, &children, &mut found);
    }
    found
}

/// All positions after this one are promised: its value is the best over them, its move the first best.
fn compare_with_all(content: &Content, board: &Board, entry: &RawEntry, found: &mut Findings) {
    // Where a position after this one is missing, the closure check says so.
    let Some(expected) = content.expected(board) else { return };
    let (key, name) = (entry.key, || content.name(entry.key));
    found.equations += 1;
    found.moves_looked_at += 1;
    found.best_over_all += 1;
    if i32::from(entry.score) != expected.score {
        let text = format!("{} has {:+}, its moves lead to {:+}", name(), entry.score, expected.score);
        found.values.add(key, text);
    }
    if entry.best != expected.best {
        let (stored, wanted) = (content.move_name(entry.best), content.move_name(expected.best));
        found.moves.add(key, format!("{} has {stored}, not {wanted}", name()));
    }
}

/// The side to move plays the stored move: the value is minus that of the position after it.
fn compare_with_stored(
    content: &Content,
    entry: &RawEntry,
    children: &[(Move, Board)],
    found: &mut Findings,
) {
    let played = children.iter().find(|(mv, _)| content.stored_move(*mv) == entry.best);
    let Some(after) = played.and_then(|(_, child)| content.score_of(child)) else { return };
    found.equations += 1;
    if i32::from(entry.score) != -after {
        let text = format!(
            "{} has {:+}, its stored move leads to {:+}",
            content.name(entry.key),
            entry.score,
            -after
        );
        found.values.add(entry.key, text);
    }
}

/// What the format says about the move of an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Promise {
    Move,
    /// The first of the best where it is known.
    MoveOrNone,
    NoMove,
}

/// What can be said of a move when not all positions after the entry are stored.
fn look_at_move(
    content: &Content,
    entry: &RawEntry,
    children: &[(Move, Board)],
    promise: Promise,
    found: &mut Findings,
) {
    let (key, score) = (entry.key, i32::from(entry.score));
    if entry.best == RawEntry::NO_MOVE && promise != Promise::Move {
        return;
    }
    found.moves_looked_at += 1;
    if promise == Promise::NoMove {
        let (name, stored) = (content.name(key), content.move_name(entry.best));
        found.moves.add(key, format!("{name} has {stored}, where the format has no move"));
        return;
    }
    let Some(place) = children.iter().position(|(mv, _)| content.stored_move(*mv) == entry.best) else {
        let (name, stored) = (content.name(key), content.move_name(entry.best));
        found.moves.add(key, format!("{name} has {stored}, which is no legal move"));
        return;
    };
    for (number, (mv, child)) in children.iter().enumerate() {
        let Some(reached) = content.score_of(child).map(|score| -score) else { continue };
        if reached > score || (reached == score && number < place) || (reached < score && number == place) {
            let name = content.name(key);
            found.moves.add(key, format!("{name} has {score:+} by another move, {mv} leads to {reached:+}"));
        }
    }
}

fn closure(content: &Content, reached: &HashMap<u64, Roles>) -> Check {
    let mut faults = Faults::default();
    for &key in reached.keys() {
        if content.find(key).is_none() {
            faults.add(key, content.name(key));
        }
    }
    let claim = "every position of the prefix and of the two walks is stored";
    let walked = |role: fn(&Roles) -> bool| reached.values().filter(|roles| role(roles)).count();
    let remark = format!(
        "{} in the prefix, {} where the walking side is to move, {} where the other is",
        walked(|roles| roles.prefix.is_some()),
        walked(|roles| roles.chooses),
        walked(|roles| roles.free)
    );
    Check::new("closure", claim, reached.len() as u64, "positions", faults.outcome()).with_remark(remark)
}
