//! Move ordering of the midgame search: hash move, then killer, history, estimate and replies; near the leaves replies
//! and a few counts, no estimate.
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
}

impl Child {
    /// The legal moves after the move.
    #[inline(always)]
    pub fn legal_replies(&self, geometry: Geometry) -> u64 {
        if self.replies == UNKNOWN { self.position.legal_moves(geometry) } else { self.replies }
    }

    /// The discs that the move flipped in its parent.
    #[inline(always)]
    pub fn flips(&self, parent: Position) -> u64 {
        self.position.player ^ parent.opponent
    }
}

/// The moves of a node, those that are left to be tried and their order.
///
/// A list takes 2.3 KB, most of it never touched: it is filled in place, since a copy took 3 % of the time of a search.
pub struct MoveList {
    /// The moves, from which the place of a square follows.
    moves: u64,
    /// The children in the order of their squares.
    children: ArrayVec<Child, MOST_MOVES>,
    /// The key of each child that is left: its rank, and below it its place; [`TRIED`] for all others. The next child
    /// is the one with the least key, which takes no branch.
    keys: [i32; MOST_MOVES],
}

/// Most moves in a list.
const MOST_MOVES: usize = 64;
/// Keys that are compared together.
const LANES: usize = 16;
/// Above the key of any child.
const TRIED: i32 = i32::MAX;

impl MoveList {
    /// An empty list.
    #[inline(always)]
    pub fn new() -> MoveList {
        MoveList { moves: 0, children: ArrayVec::new_const(), keys: [TRIED; MOST_MOVES] }
    }

    /// Fills an empty list with the children after each of these moves, all of one rank.
    #[inline(always)]
    pub fn fill(&mut self, position: Position, moves: u64) {
        self.moves = moves;
        for square in squares_of(moves) {
            let position = position.play(square, position.flips(square));
            self.children.push(Child { square, position, replies: UNKNOWN });
        }
        for (key, place) in self.keys[..self.children.len()].iter_mut().zip(0..) {
            *key = place;
        }
    }

    /// All children, those that were tried too.
    pub fn children(&self) -> &[Child] {
        &self.children
    }

    /// Takes the child after a move from those that are left; `None` if there is no such move.
    #[inline]
    pub fn take(&mut self, hash_move: u8) -> Option<Child> {
        let bit = 1u64.checked_shl(hash_move.into())?;
        (self.moves & bit != 0).then(|| self.take_at((self.moves & (bit - 1)).count_ones() as usize))
    }

    /// Takes the child of the least rank from those that are left.
    #[inline]
    pub fn take_best(&mut self) -> Option<Child> {
        let (groups, _) = self.keys.as_chunks::<LANES>();
        let groups = &groups[..self.children.len().div_ceil(LANES)];
        let least = groups.iter().fold(TRIED, |least, keys| keys.iter().fold(least, |a, &b| a.min(b)));
        (least != TRIED).then(|| self.take_at(least as usize % MOST_MOVES))
    }

    fn take_at(&mut self, place: usize) -> Child {
        self.keys[place] = TRIED;
        self.children[place]
    }

    /// Ranks the children that are left; lower is more promising.
    #[inline(always)]
    pub fn rank(&mut self, mut rank: impl FnMut(&mut Child) -> i32) {
        for (place, (child, key)) in self.children.iter_mut().zip(&mut self.keys).enumerate() {
            if *key != TRIED {
                *key = rank(child) * MOST_MOVES as i32 + place as i32;
            }
        }
    }
}

/// Bonus of the killer move: the latest refutation at the same number of empty squares. In units of an [`Eval`].
const KILLER: i32 = 96;
/// Largest bonus of the history counter. In units of an [`Eval`].
const HISTORY: i32 = 48;
/// What a reply of the opponent costs. In units of an [`Eval`].
const REPLY: i32 = 128;
/// What a move to a corner is worth near the leaves, in quarters of a reply.
const CORNER: i32 = 25;
/// What a move to a corner costs under the reversed goal, in quarters of a reply.
const REVERSED_CORNER: i32 = 4;
/// What a pass of the opponent costs under the reversed goal, in quarters of a reply.
const REVERSED_PASS: i32 = 16;

/// Ranks the moves of a list near the leaves, where their estimates would cost more than they save: by the opponent's
/// replies.
pub fn rank_by_replies(geometry: Geometry, goal: Goal, list: &mut MoveList) {
    list.rank(|child| rank_of_replies(geometry, goal, child));
}

#[inline]
fn rank_of_replies(geometry: Geometry, goal: Goal, child: &mut Child) -> i32 {
    child.replies = child.position.legal_moves(geometry);
    match goal {
        Goal::Normal => restriction(geometry, child),
        Goal::Reversed => reversed_restriction(geometry, child),
    }
}

/// Four for each reply of the opponent and four more for one in a corner, one for each empty square next to the mover's
/// discs; less [`CORNER`] for a corner. The static ordering of the exact search has features and weights of its own.
fn restriction(geometry: Geometry, child: &Child) -> i32 {
    let Position { player, opponent } = child.position;
    let corners = geometry.corners();
    let empties = geometry.mask() & !(player | opponent);
    let potential = (around(opponent) & empties).count_ones();
    let mobility = child.replies.count_ones() + (child.replies & corners).count_ones();
    let corner = if child.square.bit() & corners != 0 { CORNER } else { 0 };
    (4 * mobility + potential) as i32 - corner
}

/// Under the reversed goal: four for each reply and one for each disc of the mover, [`REVERSED_CORNER`] for a corner,
/// and [`REVERSED_PASS`] where the opponent must pass, since the mover has to move again.
fn reversed_restriction(geometry: Geometry, child: &Child) -> i32 {
    let pass = if child.replies == 0 { REVERSED_PASS } else { 0 };
    let corner = if child.square.bit() & geometry.corners() != 0 { REVERSED_CORNER } else { 0 };
    (4 * child.replies.count_ones() + child.position.opponent.count_ones()) as i32 + pass + corner
}

/// Killer and history tables of one search.
pub struct MoveOrdering {
    /// Killer square for each number of empty squares.
    killers: [u8; 65],
    /// The latest two killers one ply above the leaves, as bits, for each number of empty squares.
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

    /// Ranks the moves of a list, which are those of the position.
    pub fn rank(&self, geometry: Geometry, evaluation: &Evaluation, position: Position, list: &mut MoveList) {
        let empties = position.empty_count(geometry);
        let child_evaluator = evaluation.child_evaluator(position);
        list.rank(|child| {
            let replies = child.position.legal_moves(geometry);
            let flips = child.flips(position);
            let estimate = child_evaluator.estimate_with_moves(child.square, flips, replies).units();
            child.replies = replies;
            estimate + REPLY * replies.count_ones() as i32 - self.killer_and_history(child.square, empties)
        });
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
    fn moves_are_ordered_by_killer_history_estimate_and_replies() {
        let (geometry, evaluation) =
            (Geometry::EIGHT, Evaluation::find(Geometry::EIGHT, Goal::Normal, None).unwrap());
        let start = Board::start(geometry, Start::Diagonal).position();
        let first = squares_of(start.legal_moves(geometry)).next().unwrap();
        let position = start.play(first, start.flips(first));
        let moves = position.legal_moves(geometry);
        // The children in order, each with its rank.
        let in_order = |order: &MoveOrdering| {
            let mut list = MoveList::new();
            list.fill(position, moves);
            order.rank(geometry, &evaluation, position, &mut list);
            let keys = list.keys;
            let rank = |child: &Child| {
                let place = (moves & (child.square.bit() - 1)).count_ones();
                keys[place as usize].div_euclid(MOST_MOVES as i32)
            };
            let children = std::iter::from_fn(|| list.take_best());
            children.map(|child| (rank(&child), child)).collect::<Vec<(i32, Child)>>()
        };
        let mut order = MoveOrdering::new();
        let before = in_order(&order);
        assert_eq!(before.len(), 3);
        assert!(before.is_sorted_by_key(|(rank, _)| *rank));
        for (rank, child) in &before {
            let replies = child.position.legal_moves(geometry);
            let expected = evaluation.estimate(child.position).units() + REPLY * replies.count_ones() as i32;
            assert_eq!((*rank, child.replies), (expected, replies), "nothing has refuted yet");
        }
        let (rank, last) = before[2];
        order.refuted(last.square.index() as u8, 59, 3);
        let after = in_order(&order).into_iter().find(|(_, child)| child.square == last.square).unwrap();
        assert_eq!(after.0, rank - KILLER - HISTORY);
    }

    #[test]
    fn a_list_gives_the_hash_move_and_then_the_least_rank() {
        let mut random = fastrand::Rng::with_seed(4);
        let geometry = Geometry::EIGHT;
        let start = Board::start(geometry, Start::Diagonal).position();
        for _ in 0..500 {
            let position = after_random_moves(geometry, start, random.usize(0..60), &mut random);
            let moves = position.legal_moves(geometry);
            let mut list = MoveList::new();
            list.fill(position, moves);
            let hash_move = random.u8(0..=64);
            let taken = list.take(hash_move).map(|child| child.square.index());
            assert_eq!(
                taken.is_some(),
                1u64.checked_shl(hash_move.into()).is_some_and(|bit| moves & bit != 0)
            );
            let ranks: [i32; 64] = std::array::from_fn(|_| random.i32(-20_000..20_000) / 1000 * 1000);
            list.rank(|child| ranks[child.square.index() as usize]);
            let mut expected: Vec<u32> = squares_of(moves).map(Square::index).collect();
            expected.sort_by_key(|&square| ranks[square as usize]);
            expected.retain(|&square| Some(square) != taken);
            let order = std::iter::from_fn(|| list.take_best());
            assert_eq!(order.map(|child| child.square.index()).collect::<Vec<u32>>(), expected);
            for child in list.children() {
                assert_eq!(child.position, position.play(child.square, child.flips(position)));
                assert_eq!(child.flips(position), position.flips(child.square));
            }
        }
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
            let mut list = MoveList::new();
            list.fill(position, position.legal_moves(geometry));
            for child in list.children() {
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
                let mut child = *child;
                assert_eq!(rank_of_replies(geometry, Goal::Normal, &mut child), normal as i32 - first);
                let rank = rank_of_replies(geometry, Goal::Reversed, &mut child);
                assert_eq!(
                    (rank, child.replies.count_ones()),
                    (reversed as i32 + pass + last, replies.len() as u32)
                );
            }
        }
    }
}
