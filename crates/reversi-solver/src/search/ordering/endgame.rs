//! Move ordering: the sooner the refuting move is tried, the smaller the tree.
//!
//! The order never changes a score.

use crate::eval::{Eval, Evaluator};
use crate::search::board_tables::BoardTables;
use crate::search::ordering::move_weights::MoveWeights;
use crate::search::ordering::shallow::ShallowSearch;
use crate::search::rule_set::RuleSet;
use arrayvec::ArrayVec;
use reversi_rules::{Geometry, Position, Square, symmetry};

/// A legal move and the position after it.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    /// The side to move after the move: the opponent.
    pub player: u64,
    pub opponent: u64,
    /// Table key of the position after the move, where it is looked up.
    pub key: u64,
    /// The legal moves after the move, once the ranking has computed them; else [`UNKNOWN`].
    pub replies: u64,
    pub square: u8,
    /// Higher ranks are tried earlier.
    pub rank: i32,
}

impl Candidate {
    #[inline(always)]
    fn compute_replies(&mut self, board: &BoardTables) {
        let Candidate { player, opponent, .. } = *self;
        self.replies = board.kernel.moves(player, opponent) & board.mask & !(player | opponent);
    }
}

/// Legal moves not computed yet.
pub(crate) const UNKNOWN: u64 = u64::MAX;

/// The legal moves of a position.
pub(crate) type Candidates = ArrayVec<Candidate, 64>;

/// Rank of the hash move: above all other ranks.
const HASH_MOVE_RANK: i32 = 1 << 24;

/// Three discs behind the best move: moves below get only a bound as their estimate.
const FAR_BEHIND: i32 = 3 * Eval::UNITS_PER_DISC;

/// Adds all legal moves, not yet ranked; `key` gives the table key of a position.
#[inline(always)]
pub(crate) fn fill(
    board: &BoardTables,
    list: &mut Candidates,
    player: u64,
    opponent: u64,
    mut legal: u64,
    key: impl Fn(u64, u64) -> u64,
) {
    while legal != 0 {
        let square = legal.trailing_zeros();
        legal &= legal - 1;
        let turned = board.kernel.flips(square, player, opponent);
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

/// Replaces every position by its canonical form and drops moves that lead to a position already in the list: near
/// the start of a game many moves are symmetric.
#[cold]
pub(crate) fn drop_symmetric(list: &mut Candidates, geometry: Geometry, key: impl Fn(u64, u64) -> u64) {
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

/// Ranks the hash move, if it is in the list, above all others; returns whether it is.
#[inline]
pub(crate) fn rank_hash_move(list: &mut Candidates, hash_move: u8) -> bool {
    let found = list.iter_mut().find(|candidate| candidate.square == hash_move);
    found.map(|candidate| candidate.rank = HASH_MOVE_RANK).is_some()
}

/// Static ranks: above all few moves for the opponent ("fastest first"). Like the other two rankings it computes the
/// replies to each move.
#[inline]
pub(crate) fn rank_statically<L: RuleSet>(list: &mut [Candidate], board: &BoardTables, parity: u8) {
    for candidate in list {
        candidate.compute_replies(board);
        let Candidate { player, opponent, replies, square, .. } = *candidate;
        candidate.rank =
            MoveWeights::static_rank::<L>(board, (player, opponent), replies, square.into(), parity);
    }
}

/// Ranks by a search of `depth` more plies with the learned evaluation, and by the features of the position after the
/// move, in units of an [`Eval`].
pub(crate) fn rank_by_search(
    list: &mut [Candidate],
    board: &BoardTables,
    shallow: ShallowSearch,
    depth: u32,
    weights: &MoveWeights,
) {
    let mut best = -Eval::INFINITE;
    // The better the first move, the earlier the others are seen to be far behind: few replies are a good sign.
    for candidate in list.iter_mut() {
        candidate.compute_replies(board);
        candidate.rank = -(candidate.replies.count_ones() as i32);
    }
    list.sort_unstable_by_key(|candidate| std::cmp::Reverse(candidate.rank));
    for candidate in list {
        // Far behind the best move a bound is enough: the order among bad moves hardly matters.
        let bad_enough = Eval::new(FAR_BEHIND - best.units());
        let position = Position::new(candidate.player, candidate.opponent);
        let value = -shallow.value(position, depth, -Eval::INFINITE, bad_enough);
        best = best.max(value);
        candidate.rank = learned_rank(candidate, value, board, weights);
    }
}

/// The same with `depth` 0, for the children of `parent` as its moves make them, not in canonical form.
pub(crate) fn rank_by_estimate(
    list: &mut [Candidate],
    board: &BoardTables,
    evaluator: &Evaluator,
    parent: Position,
    weights: &MoveWeights,
) {
    if list.is_empty() {
        return;
    }
    let child_evaluator = evaluator.child_evaluator(parent);
    for candidate in list {
        let square = Square::from_index(candidate.square.into());
        let value = -child_evaluator.evaluate(square, candidate.player ^ parent.opponent);
        candidate.compute_replies(board);
        candidate.rank = learned_rank(candidate, value, board, weights);
    }
}

/// Combines the estimate with the features: a good move refutes, and few replies, among others, make the proof short.
#[inline]
fn learned_rank(candidate: &Candidate, value: Eval, board: &BoardTables, weights: &MoveWeights) -> i32 {
    value.units() + weights.after_move(board, (candidate.player, candidate.opponent), candidate.replies)
}

/// Moves the best of the remaining moves to `place` and returns it.
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
    use crate::search::Stop;
    use crate::search::tt::exact::hash;
    use reversi_rules::playout::after_random_moves;
    use reversi_rules::{Board, Goal, Move, Start};
    use std::cell::Cell;

    /// The moves of a position after dropping symmetric ones.
    fn without_symmetric(geometry: Geometry, position: Position) -> Candidates {
        let mut list = Candidates::new();
        fill(
            &BoardTables::new(geometry),
            &mut list,
            position.player,
            position.opponent,
            position.legal_moves(geometry),
            hash,
        );
        drop_symmetric(&mut list, geometry, hash);
        list
    }

    /// The canonical forms of all children, without repetition.
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
    fn of_symmetric_moves_one_is_left() {
        let start = Board::start(Geometry::SIX, Start::Diagonal).position();
        assert_eq!(without_symmetric(Geometry::SIX, start).len(), 1);
        let mut random = fastrand::Rng::with_seed(8);
        for geometry in [Geometry::SIX, Geometry::new(4, 7).unwrap(), Geometry::new(5, 5).unwrap()] {
            for _ in 0..200 {
                let start = Board::start(geometry, Start::Diagonal).position();
                let moves = random.usize(0..12);
                let position = after_random_moves(geometry, start, moves, &mut random);
                let left = without_symmetric(geometry, position);
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
        fill(&board, &mut list, position.player, position.opponent, position.legal_moves(geometry), hash);
        let mut by_search = list.clone();
        let weights = MoveWeights { reply: -150, pass: -400, potential: -30, disc: -40, edge_disc: 90 };
        rank_by_estimate(&mut list, &board, &evaluator, position, &weights);
        let (stop, visited) = (Stop::never(), Cell::new(0));
        let shallow = ShallowSearch { geometry, evaluator: &evaluator, stop: &stop, visited: &visited };
        rank_by_search(&mut by_search, &board, shallow, 0, &weights);
        assert_eq!(visited.get(), 3);
        assert_eq!(list.len(), 3);
        assert!(list.iter().zip(&by_search).all(|(one, other)| one.rank == other.rank && one.rank != 0));
    }
}
