//! Which move first: the sooner the refuting move is tried, the smaller the tree.
//!
//! Only the order depends on what is here, never a score.

use crate::eval::{Eval, Evaluator};
use crate::search::Stop;
use crate::search::board_tables::BoardTables;
use crate::search::ordering::shallow::ShallowSearch;
use crate::search::rule_set::RuleSet;
use arrayvec::ArrayVec;
use reversi_rules::geometry::around;
use reversi_rules::kernel::{flips, moves};
use reversi_rules::{Geometry, Goal, Position, Square, symmetry};

/// A legal move with the position it leads to.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    /// The side to move after the move: the opponent.
    pub player: u64,
    pub opponent: u64,
    /// Where the position is in the transposition tables, if it is to be looked for there.
    pub key: u64,
    /// The legal moves there, once ranking has looked for them; else [`UNKNOWN`].
    pub replies: u64,
    pub square: u8,
    /// Higher is tried earlier.
    pub rank: i32,
}

impl Candidate {
    #[inline(always)]
    fn look_for_replies(&mut self, board: &BoardTables) {
        let Candidate { player, opponent, .. } = *self;
        self.replies = moves(player, opponent) & board.mask & !(player | opponent);
    }
}

/// Legal moves that nobody has looked for yet.
pub(crate) const UNKNOWN: u64 = u64::MAX;

/// The legal moves of a position.
pub(crate) type Candidates = ArrayVec<Candidate, 64>;

/// The move that the transposition table remembers comes before all others.
const HASH_MOVE_RANK: i32 = 1 << 24;

/// What a reply of the opponent's costs against the evaluation's units: about a disc.
const UNITS_PER_REPLY: i32 = 150;

/// Six discs.
const FAR_BEHIND: i32 = 6 * Eval::UNITS_PER_DISC;

/// Puts in all legal moves, not yet ranked; `key` says where a position is in the transposition tables.
#[inline(always)]
pub(crate) fn fill(
    list: &mut Candidates,
    player: u64,
    opponent: u64,
    mut legal: u64,
    key: impl Fn(u64, u64) -> u64,
) {
    while legal != 0 {
        let square = legal.trailing_zeros();
        legal &= legal - 1;
        let turned = flips(square, player, opponent);
        let (next, other) = (opponent ^ turned, player ^ turned | 1 << square);
        list.push(Candidate {
            player: next,
            opponent: other,
            key: key(next, other),
            replies: UNKNOWN,
            square: square as u8,
            rank: 0,
        });
    }
}

/// Puts the canonical form in place of every position and drops the moves that lead to one that is there already:
/// near the start of a game many are turned or mirrored twins of others.
#[cold]
pub(crate) fn drop_twins(list: &mut Candidates, geometry: Geometry, key: impl Fn(u64, u64) -> u64) {
    let children: Candidates = list.take();
    for mut child in children {
        let (form, _) = symmetry::canonical(geometry, Position::new(child.player, child.opponent));
        (child.player, child.opponent) = (form.player, form.opponent);
        child.key = key(form.player, form.opponent);
        if list.iter().all(|other| (other.player, other.opponent) != (form.player, form.opponent)) {
            list.push(child);
        }
    }
}

/// Puts the remembered move, if it is among them, before all others.
#[inline]
pub(crate) fn prefer(list: &mut Candidates, remembered: u8) -> bool {
    let found = list.iter_mut().find(|candidate| candidate.square == remembered);
    found.map(|candidate| candidate.rank = HASH_MOVE_RANK).is_some()
}

/// Ranks by what can be seen at once: few moves for the opponent above all ("fastest first"). Like the other two
/// ways of ranking it finds the replies to each move.
#[inline]
pub(crate) fn rank_statically<L: RuleSet>(list: &mut [Candidate], board: &BoardTables, parity: u8) {
    for candidate in list {
        candidate.look_for_replies(board);
        let Candidate { player, opponent, replies, square, .. } = *candidate;
        candidate.rank = static_rank::<L>(board, (player, opponent), replies, square.into(), parity);
    }
}

/// Ranks by a search of `depth` more plies with the learned evaluation, and by the opponent's mobility.
pub(crate) fn rank_by_search(
    list: &mut [Candidate],
    board: &BoardTables,
    evaluator: &Evaluator,
    depth: u32,
    stop: &Stop,
) {
    let shallow = ShallowSearch { geometry: board.geometry, evaluator, stop };
    let mut best = -Eval::INFINITE;
    for candidate in list {
        // How bad a move is need not be known once it is far behind the best.
        let bad_enough = Eval::new(FAR_BEHIND - best.units());
        let position = Position::new(candidate.player, candidate.opponent);
        let value = -shallow.value(position, depth, -Eval::INFINITE, bad_enough);
        best = best.max(value);
        candidate.look_for_replies(board);
        candidate.rank = learned_rank(candidate, board, evaluator, value);
    }
}

/// The same without more plies, for the children of `parent` as its moves make them, not their twins.
pub(crate) fn rank_by_estimate(
    list: &mut [Candidate],
    board: &BoardTables,
    evaluator: &Evaluator,
    parent: Position,
) {
    if list.is_empty() {
        return;
    }
    let child_evaluator = evaluator.child_evaluator(parent);
    for candidate in list {
        let square = Square::from_index(candidate.square.into());
        let value = -child_evaluator.evaluate(square, candidate.player ^ parent.opponent);
        candidate.look_for_replies(board);
        candidate.rank = learned_rank(candidate, board, evaluator, value);
    }
}

/// What is good and what is soon proved are both wanted.
#[inline]
fn learned_rank(candidate: &Candidate, board: &BoardTables, evaluator: &Evaluator, value: Eval) -> i32 {
    value.units() - UNITS_PER_REPLY * mobility(candidate.replies, board, evaluator.goal() == Goal::Reversed)
}

/// How many replies there are; one in a corner counts twice where corners are worth having.
#[inline]
fn mobility(replies: u64, board: &BoardTables, reversed: bool) -> i32 {
    let corners = if reversed { 0 } else { (replies & board.corners).count_ones() };
    (replies.count_ones() + corners) as i32
}

/// How good a move to a square is that leads to a position, player and opponent, with these replies. The weights were
/// fitted to node counts on 6x6, for each goal by itself; how many empty squares the opponent's
/// discs touch says something under the normal goal only.
#[inline(always)]
pub(crate) fn static_rank<L: RuleSet>(
    board: &BoardTables,
    (player, opponent): (u64, u64),
    replies: u64,
    square: u32,
    parity: u8,
) -> i32 {
    let mobility = mobility(replies, board, L::REVERSED);
    let bit = 1u64 << square;
    let odd = i32::from(board.odd_squares(parity) & bit != 0);
    let corner = i32::from(board.corners & bit != 0);
    if L::REVERSED {
        let discs = opponent.count_ones() as i32;
        -2 * odd - 36 * corner - 24 * mobility - 10 * discs
    } else {
        let empties = board.mask & !(player | opponent);
        let potential = (around(opponent) & empties).count_ones() as i32;
        6 * odd + 16 * corner - 16 * mobility - 2 * potential
    }
}

/// Moves the best of the rest to `place` and returns it.
#[inline]
pub(crate) fn next_best(list: &mut Candidates, place: usize) -> Candidate {
    let mut best = place;
    for other in place + 1..list.len() {
        if list[other].rank > list[best].rank {
            best = other;
        }
    }
    list.swap(place, best);
    list[place]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tt::exact::hash;
    use reversi_rules::playout::after_random_moves;
    use reversi_rules::{Board, Move, Start};

    /// What is left of the moves of a position.
    fn without_twins(geometry: Geometry, position: Position) -> Candidates {
        let mut list = Candidates::new();
        fill(&mut list, position.player, position.opponent, position.legal_moves(geometry), hash);
        drop_twins(&mut list, geometry, hash);
        list
    }

    /// The canonical forms of all children, each once.
    fn forms(geometry: Geometry, position: Position) -> Vec<Position> {
        let mut forms: Vec<Position> = (position.children(geometry).into_iter())
            .filter(|&(mv, _)| mv != Move::Pass)
            .map(|(_, child)| symmetry::canonical(geometry, child).0)
            .collect();
        forms.sort();
        forms.dedup();
        forms
    }

    #[test]
    fn of_twins_one_is_left() {
        let start = Board::start(Geometry::SIX, Start::Diagonal).position();
        assert_eq!(without_twins(Geometry::SIX, start).len(), 1);
        let mut random = fastrand::Rng::with_seed(8);
        for geometry in [Geometry::SIX, Geometry::new(4, 7).unwrap(), Geometry::new(5, 5).unwrap()] {
            for _ in 0..200 {
                let start = Board::start(geometry, Start::Diagonal).position();
                let moves = random.usize(0..12);
                let position = after_random_moves(geometry, start, moves, &mut random);
                let left = without_twins(geometry, position);
                for candidate in &left {
                    let square = Square::from_index(candidate.square.into());
                    let child = position.play(square, position.flips(square));
                    let form = Position::new(candidate.player, candidate.opponent);
                    assert_eq!(symmetry::canonical(geometry, child).0, form);
                    assert_eq!(candidate.key, hash(form.player, form.opponent));
                }
                let mut left: Vec<Position> =
                    left.iter().map(|left| Position::new(left.player, left.opponent)).collect();
                left.sort();
                assert_eq!(left, forms(geometry, position));
            }
        }
    }

    #[test]
    fn estimates_of_children_rank_as_a_search_of_no_plies_does() {
        let (geometry, board) = (Geometry::SIX, BoardTables::new(Geometry::SIX));
        let evaluator = Evaluator::shipped(geometry, Goal::Normal).unwrap();
        let position = Board::start(geometry, Start::Diagonal).position().children(geometry)[0].1;
        let mut list = Candidates::new();
        fill(&mut list, position.player, position.opponent, position.legal_moves(geometry), hash);
        let mut twin = list.clone();
        rank_by_estimate(&mut list, &board, &evaluator, position);
        rank_by_search(&mut twin, &board, &evaluator, 0, &Stop::never());
        assert_eq!(list.len(), 3);
        assert!(list.iter().zip(&twin).all(|(one, other)| one.rank == other.rank && one.rank != 0));
    }
}
