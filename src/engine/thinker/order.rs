//! Which move first: what is remembered, what has refuted before, what looks good, what leaves few replies.
//!
//! Only the order depends on what is here.

use super::judge::Judge;
use crate::rules::geometry::squares_of;
use crate::rules::{Geometry, Position, Square};
use arrayvec::ArrayVec;

/// A move and where it leads; the side to move there is the opponent.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub square: Square,
    pub position: Position,
    /// Lower is tried earlier.
    pub rank: i32,
}

/// The children of a position.
pub(super) type Children = ArrayVec<Child, 64>;

/// From so many plies on children are ranked by their estimate, below by mobility alone.
const RANK_BY_ESTIMATE: u32 = 2;
/// What a reply costs where there is no estimate, against the counts of refutations.
const RANK_PER_REPLY: i32 = 64;
/// What the latest refutation at the same number of empty squares is worth.
const KILLER: i32 = 96;
/// The most the count of refutations is worth.
const HISTORY: i32 = 48;
/// Before everything.
const REMEMBERED: i32 = -(1 << 24);

/// What has refuted so far in one search.
pub(super) struct Order {
    /// By empty squares: the square that refuted last.
    killers: [u8; 65],
    /// By square: how much searching its refutations have spared.
    history: [u32; 64],
    /// The largest count.
    most: u32,
}

impl Order {
    pub fn new() -> Order {
        Order { killers: [64; 65], history: [0; 64], most: 1 }
    }

    /// Notes a move that refuted a position with so many empty squares.
    pub fn refuted(&mut self, square: u8, empties: u32, depth: u32) {
        self.killers[empties as usize] = square;
        let count = &mut self.history[square as usize];
        *count = count.saturating_add(depth * depth);
        self.most = self.most.max(*count);
    }

    /// The children of a position, the most promising first.
    pub fn children(
        &self,
        geometry: Geometry,
        judge: &Judge,
        position: Position,
        depth: u32,
        remembered: u8,
    ) -> Children {
        let empties = position.empty_count(geometry);
        let mut children: Children = squares_of(position.legal_moves(geometry))
            .map(|square| {
                let next = position.play(square, position.flips(square));
                let is_remembered = square.index() == u32::from(remembered);
                let rank = if is_remembered {
                    REMEMBERED
                } else {
                    rank(geometry, judge, next, depth) - self.experience(square, empties)
                };
                Child { square, position: next, rank }
            })
            .collect();
        children.sort_by_key(|child| child.rank);
        children
    }

    /// What earlier refutations say for a move.
    fn experience(&self, square: Square, empties: u32) -> i32 {
        let is_killer = u32::from(self.killers[empties as usize]) == square.index();
        let count = u64::from(self.history[square.index() as usize]) * HISTORY as u64 / u64::from(self.most);
        count as i32 + if is_killer { KILLER } else { 0 }
    }
}

fn rank(geometry: Geometry, judge: &Judge, child: Position, depth: u32) -> i32 {
    if depth >= RANK_BY_ESTIMATE {
        judge.estimate(child).units()
    } else {
        RANK_PER_REPLY * child.legal_moves(geometry).count_ones() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Goal, Start};

    #[test]
    fn the_remembered_move_comes_first_and_no_move_is_lost() {
        let judge = Judge::find(Geometry::EIGHT, Goal::Normal, None).unwrap();
        let start = Geometry::EIGHT.start(Start::Diagonal).position();
        let mut order = Order::new();
        let first = |order: &Order, remembered| {
            let children = order.children(Geometry::EIGHT, &judge, start, 1, remembered);
            assert_eq!(children.len(), 4);
            children[0].square.index() as u8
        };
        let before = first(&order, 64);
        let last = order.children(Geometry::EIGHT, &judge, start, 1, 64)[3].square.index() as u8;
        assert_ne!(before, last);
        assert_eq!(first(&order, last), last, "remembered");
        order.refuted(last, 60, 3);
        assert_eq!(first(&order, 64), last, "it has refuted before");
        assert_eq!(first(&order, before), before, "memory comes before experience");
    }
}
