//! Move ordering of the midgame search: hash move, then killer, history, estimate and replies; near the leaves replies and
//! a few counts, no estimate.
//!
//! Only the order of the moves depends on this module.

use crate::eval::Evaluation;
use crate::search::ordering::endgame::UNKNOWN;
use arrayvec::ArrayVec;
use reversi_rules::geometry::{around, squares_of};
use reversi_rules::{Geometry, Goal, Position, Square};

/// A move and the position after it, in which the opponent is to move.
#[derive(Clone, Copy)]
pub struct Child {
    pub square: Square,
    pub position: Position,
    /// The legal moves after the move, once a ranking has computed them; else [`UNKNOWN`].
    pub replies: u64,
    /// Lower ranks are tried earlier.
    pub rank: i32,
}

impl Child {
    /// The legal moves after the move.
    #[inline(always)]
    pub fn legal_replies(&self, geometry: Geometry) -> u64 {
        if self.replies == UNKNOWN { self.position.legal_moves(geometry) } else { self.replies }
    }
}

/// The children of a position.
pub(crate) type Children = ArrayVec<Child, 64>;

/// Bonus of the killer move: the latest refutation at the same number of empty squares. In units of an [`Eval`].
const KILLER: i32 = 96;
/// Largest bonus of the history counter. In units of an [`Eval`].
const HISTORY: i32 = 48;
/// What a reply of the opponent costs. In units of an [`Eval`].
const REPLY: i32 = 128;
/// What a move to a corner is worth near the leaves, in quarters of a reply.
const CORNER: i32 = 25;
/// What it costs under the reversed goal, in quarters of a reply.
const REVERSED_CORNER: i32 = 4;
/// What a pass of the opponent costs under the reversed goal, in quarters of a reply.
const REVERSED_PASS: i32 = 16;

/// The children after each of these moves, unordered. Inlined and pushed one by one: the list takes 2.5 KB and would be
/// copied, 1 % of the time of a search.
#[inline(always)]
pub fn children(position: Position, moves: u64) -> Children {
    let mut children = Children::new();
    for square in squares_of(moves) {
        let position = position.play(square, position.flips(square));
        children.push(Child { square, position, replies: UNKNOWN, rank: 0 });
    }
    children
}

/// Ranks moves near the leaves, where their estimates would cost more than they save: by the opponent's replies.
pub fn rank_by_replies(geometry: Geometry, goal: Goal, children: &mut [Child]) {
    for child in children {
        let replies = child.position.legal_moves(geometry);
        child.replies = replies;
        child.rank = match goal {
            Goal::Normal => restriction(geometry, child),
            Goal::Reversed => reversed_restriction(geometry, child),
        };
    }
}

/// Four for each reply of the opponent and four more for one in a corner, one for each empty square next to the mover's
/// discs; less [`CORNER`] for a corner. The static ordering of the exact search counts much the same with weights of its
/// own, fitted to whole proofs.
fn restriction(geometry: Geometry, child: &Child) -> i32 {
    let Position { player, opponent } = child.position;
    let corners = geometry.corners();
    let empties = geometry.mask() & !(player | opponent);
    let potential = (around(opponent) & empties).count_ones();
    let mobility = child.replies.count_ones() + (child.replies & corners).count_ones();
    let corner = if child.square.bit() & corners != 0 { CORNER } else { 0 };
    (4 * mobility + potential) as i32 - corner
}

/// Under the reversed goal: four for each reply and one for each disc of the mover, [`REVERSED_CORNER`] for a corner, and
/// [`REVERSED_PASS`] where the opponent must pass, since the mover has to move again.
fn reversed_restriction(geometry: Geometry, child: &Child) -> i32 {
    let pass = if child.replies == 0 { REVERSED_PASS } else { 0 };
    let corner = if child.square.bit() & geometry.corners() != 0 { REVERSED_CORNER } else { 0 };
    (4 * child.replies.count_ones() + child.position.opponent.count_ones()) as i32 + pass + corner
}

/// Moves the hash move to the front; returns whether it is in the list.
pub fn to_front(children: &mut [Child], hash_move: u8) -> bool {
    let place = children.iter().position(|child| child.square.index() == u32::from(hash_move));
    if let Some(place) = place {
        children.swap(0, place);
    }
    place.is_some()
}

/// Moves the most promising remaining child to `place` and returns it. The first child often refutes, and then the
/// others need no sort.
#[inline]
pub fn next_best(children: &mut [Child], place: usize) -> Child {
    let mut best = place;
    for other in place + 1..children.len() {
        if children[other].rank < children[best].rank {
            best = other;
        }
    }
    children.swap(place, best);
    children[place]
}

/// Killer and history tables of one search.
pub struct MoveOrdering {
    /// Killer square for each number of empty squares.
    killers: [u8; 65],
    /// The same one ply above the leaves, the two latest as bits.
    leaf_killers: [[u64; 2]; 65],
    /// History counter of each square: searches saved by its refutations.
    history: [u32; 64],
    /// The largest history counter.
    most: u32,
}

impl MoveOrdering {
    pub fn new() -> MoveOrdering {
        MoveOrdering { killers: [64; 65], leaf_killers: [[0; 2]; 65], history: [0; 64], most: 1 }
    }

    /// Records a move that refuted a position with `empties` empty squares at `depth`.
    pub fn refuted(&mut self, square: u8, empties: u32, depth: u32) {
        self.killers[empties as usize] = square;
        let count = &mut self.history[square as usize];
        *count = count.saturating_add(depth * depth);
        self.most = self.most.max(*count);
    }

    /// Records a move that refuted a position with `empties` empty squares one ply above the leaves.
    pub fn refuted_a_leaf(&mut self, square: Square, empties: u32) {
        let [latest, before] = &mut self.leaf_killers[empties as usize];
        if *latest != square.bit() {
            *before = std::mem::replace(latest, square.bit());
        }
    }

    /// The latest of these killers that is among the moves, as a bit; 0 for none.
    pub fn leaf_killer(&self, moves: u64, empties: u32) -> u64 {
        let [latest, before] = self.leaf_killers[empties as usize];
        if moves & latest != 0 { latest } else { moves & before }
    }

    /// Ranks the moves of a position; lower is more promising.
    pub fn rank(
        &self,
        geometry: Geometry,
        evaluation: &Evaluation,
        position: Position,
        children: &mut [Child],
    ) {
        let empties = position.empty_count(geometry);
        let child_evaluator = evaluation.child_evaluator(position);
        for child in children {
            let flips = child.position.player ^ position.opponent;
            let replies = child.position.legal_moves(geometry);
            let estimate = child_evaluator.estimate_with_moves(child.square, flips, replies).units();
            child.replies = replies;
            child.rank = estimate + REPLY * replies.count_ones() as i32
                - self.killer_and_history(child.square, empties);
        }
    }

    /// The killer and history bonus of a move.
    fn killer_and_history(&self, square: Square, empties: u32) -> i32 {
        let is_killer = u32::from(self.killers[empties as usize]) == square.index();
        let count = u64::from(self.history[square.index() as usize]) * HISTORY as u64 / u64::from(self.most);
        count as i32 + if is_killer { KILLER } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::playout::after_random_moves;
    use reversi_rules::{Board, Start};

    #[test]
    fn moves_are_ordered_by_hash_move_killer_history_estimate_and_replies() {
        let (geometry, evaluation) =
            (Geometry::EIGHT, Evaluation::find(Geometry::EIGHT, Goal::Normal, None).unwrap());
        let start = Board::start(geometry, Start::Diagonal).position();
        let position = children(start, start.legal_moves(geometry))[0].position;
        let moves = position.legal_moves(geometry);
        let in_order = |order: &MoveOrdering| {
            let mut children = children(position, moves);
            order.rank(geometry, &evaluation, position, &mut children);
            (0..children.len()).map(|place| next_best(&mut children, place)).collect::<Vec<Child>>()
        };
        let mut order = MoveOrdering::new();
        let before = in_order(&order);
        assert_eq!(before.len(), 3);
        assert!(before.is_sorted_by_key(|child| child.rank));
        for child in &before {
            let replies = child.position.legal_moves(geometry);
            let expected = evaluation.estimate(child.position).units() + REPLY * replies.count_ones() as i32;
            assert_eq!((child.rank, child.replies), (expected, replies), "nothing has refuted yet");
        }
        let last = before[2].square.index() as u8;
        order.refuted(last, 59, 3);
        let after = in_order(&order).into_iter().find(|child| child.square == before[2].square).unwrap();
        assert_eq!(after.rank, before[2].rank - KILLER - HISTORY);

        let mut children = children(position, moves);
        assert!(to_front(&mut children, last));
        assert_eq!(children[0].square.index() as u8, last);
        assert_eq!(children.len(), 3, "no move is lost");
        assert!(!to_front(&mut children, 64));
    }

    #[test]
    fn ranks_near_the_leaves_are_those_counted_square_by_square() {
        for size in ["8x8", "6x6", "5x7"] {
            ranks_are_those_counted(size.parse().unwrap());
        }
    }

    fn ranks_are_those_counted(geometry: Geometry) {
        let start = Board::start(geometry, Start::Diagonal).position();
        let mut random = fastrand::Rng::with_seed(3);
        let corners: Vec<Square> = squares_of(geometry.corners()).collect();
        for _ in 0..500 {
            let position = after_random_moves(geometry, start, random.usize(10..56), &mut random);
            let mut ranked = children(position, position.legal_moves(geometry));
            for child in &mut ranked {
                let Position { player, opponent } = child.position;
                let replies: Vec<Square> = squares_of(child.position.legal_moves(geometry)).collect();
                let in_corner = corners.contains(&child.square);
                let next_to_discs = geometry.squares().filter(|square| {
                    (player | opponent) & square.bit() == 0 && around(square.bit()) & opponent != 0
                });
                let twice = replies.iter().filter(|reply| corners.contains(reply)).count();
                let normal = 4 * (replies.len() + twice) + next_to_discs.count();
                let reversed = 4 * replies.len() + opponent.count_ones() as usize;
                let pass = if replies.is_empty() { REVERSED_PASS } else { 0 };
                let (first, last) = if in_corner { (CORNER, REVERSED_CORNER) } else { (0, 0) };
                rank_by_replies(geometry, Goal::Normal, std::slice::from_mut(child));
                assert_eq!(child.rank, normal as i32 - first);
                rank_by_replies(geometry, Goal::Reversed, std::slice::from_mut(child));
                assert_eq!(
                    (child.rank, child.replies.count_ones()),
                    (reversed as i32 + pass + last, replies.len() as u32)
                );
            }
        }
    }
}
