//! Principal variation search on estimates, one depth after the other.
//!
//! Values are in units of an [`Eval`] for the side to move. Contract of [`Search::value`]: at or below
//! alpha an upper bound of the value of that depth, at or above beta a lower bound, else exact; `None`
//! when told to stop. A pass takes no ply.

use super::judge::Judge;
use super::memory::{Bound, Memo, Memory, NO_MOVE};
use super::{Thought, Value};
use crate::eval::Eval;
use crate::rules::geometry::squares_of;
use crate::rules::{Geometry, Move, Passing, Position, Rules, Square};
use crate::search::Stop;

/// Beyond every value.
const INFINITY: i32 = 1 << 24;
/// Nodes between two looks at the clock.
const POLL_NODES: u64 = 1024;
/// From so many plies on children are ranked by their estimate, below by mobility alone.
const RANK_BY_ESTIMATE: u32 = 3;

pub(super) struct Search<'a> {
    geometry: Geometry,
    rules: Rules,
    passing: Passing,
    judge: &'a Judge,
    memory: &'a mut Memory,
    stop: &'a Stop,
    nodes: u64,
}

/// A move and where it leads; the side to move there is the opponent.
#[derive(Clone, Copy)]
struct Child {
    square: Square,
    position: Position,
    /// Lower is tried earlier.
    rank: i32,
}

impl<'a> Search<'a> {
    pub fn new(
        geometry: Geometry,
        rules: Rules,
        passing: Passing,
        judge: &'a Judge,
        memory: &'a mut Memory,
        stop: &'a Stop,
    ) -> Search<'a> {
        Search { geometry, rules, passing, judge, memory, stop, nodes: 0 }
    }

    /// The best move at depth 1, 2, ... `most`, or until `enough` says so between two depths. Stopped
    /// within a depth, the best of the moves searched so far counts, the former best being the first.
    /// `None` if there is no square to put a disc on.
    pub fn deepen(&mut self, root: Position, most: u32, enough: impl Fn() -> bool) -> Option<Thought> {
        let mut children = self.ranked_children(root, most, NO_MOVE);
        let first = children.first()?.square;
        let mut best = Thought { square: first, value: None, depth: 0, nodes: 0, pv: Vec::new() };
        for depth in 1..=most.max(1) {
            let finished = self.search_root(root, &mut children, depth, &mut best);
            if finished.is_none() || enough() {
                break;
            }
        }
        best.nodes = self.nodes;
        best.pv = self.principal_variation(root, best.square, best.depth);
        Some(best)
    }

    /// One depth; the best move comes to the front of `children`. `None` if stopped on the way.
    fn search_root(
        &mut self,
        root: Position,
        children: &mut [Child],
        depth: u32,
        best: &mut Thought,
    ) -> Option<()> {
        let mut most = -INFINITY;
        for place in 0..children.len() {
            let child = children[place];
            let value = self.child_value(child.position, depth, place == 0, most, INFINITY)?;
            if value > most {
                most = value;
                *best = Thought {
                    square: child.square,
                    value: Some(Value::Estimate(Eval::new(value))),
                    depth,
                    nodes: 0,
                    pv: Vec::new(),
                };
                children[..=place].rotate_right(1);
            }
        }
        self.remember(root, depth, -INFINITY, INFINITY, most, best.square.index() as u8);
        Some(())
    }

    /// The value of a child for its parent: the first with the whole window, the others first with a
    /// null window that asks whether they are better at all. `depth` is the parent's.
    fn child_value(
        &mut self,
        child: Position,
        depth: u32,
        first: bool,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        if !first {
            let value = -self.value(child, depth - 1, -alpha - 1, -alpha)?;
            if value <= alpha || value >= beta {
                return Some(value);
            }
        }
        Some(-self.value(child, depth - 1, -beta, -alpha)?)
    }

    fn value(&mut self, position: Position, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_NODES) && self.stop.is_set() {
            return None;
        }
        if position.legal_moves(self.geometry) == 0 {
            return self.value_without_moves(position, depth, alpha, beta);
        }
        if depth == 0 {
            return Some(self.judge.estimate(position).units());
        }
        let memo = self.memory.probe(position);
        if let Some(value) = memo.and_then(|memo| cut_off(memo, depth, alpha, beta)) {
            return Some(value);
        }
        let remembered = memo.map_or(NO_MOVE, |memo| memo.best);
        let (mut most, mut best) = (-INFINITY, NO_MOVE);
        for (place, child) in self.ranked_children(position, depth, remembered).into_iter().enumerate() {
            let value = self.child_value(child.position, depth, place == 0, alpha.max(most), beta)?;
            if value > most {
                (most, best) = (value, child.square.index() as u8);
            }
            if most >= beta {
                break;
            }
        }
        self.remember(position, depth, alpha, beta, most, best);
        Some(most)
    }

    fn value_without_moves(&mut self, position: Position, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let passed = position.pass();
        if self.passing == Passing::EndsGame || passed.legal_moves(self.geometry) == 0 {
            let score = position.final_score(self.geometry, self.rules);
            return Some(score.discs() * Eval::UNITS_PER_DISC);
        }
        Some(-self.value(passed, depth, -beta, -alpha)?)
    }

    /// The move remembered first, then those that leave the opponent least.
    fn ranked_children(&self, position: Position, depth: u32, remembered: u8) -> Vec<Child> {
        let mut children: Vec<Child> = squares_of(position.legal_moves(self.geometry))
            .map(|square| {
                let next = position.play(square, position.flips(square));
                let is_remembered = square.index() == u32::from(remembered);
                let rank = if is_remembered { -INFINITY } else { self.rank(next, depth) };
                Child { square, position: next, rank }
            })
            .collect();
        children.sort_by_key(|child| child.rank);
        children
    }

    fn rank(&self, child: Position, depth: u32) -> i32 {
        if depth >= RANK_BY_ESTIMATE {
            self.judge.estimate(child).units()
        } else {
            child.legal_moves(self.geometry).count_ones() as i32
        }
    }

    fn remember(&mut self, position: Position, depth: u32, alpha: i32, beta: i32, value: i32, best: u8) {
        let bound = Bound::of(value, alpha, beta);
        self.memory.store(position, Memo { value, bound, depth: depth as u8, best });
    }

    /// The moves expected, as far as they are remembered.
    fn principal_variation(&self, root: Position, first: Square, depth: u32) -> Vec<Move> {
        let mut line = vec![Move::Play(first)];
        let mut position = root.play(first, root.flips(first));
        while line.len() < depth as usize {
            if position.must_pass(self.geometry) && self.passing == Passing::Allowed {
                line.push(Move::Pass);
                position = position.pass();
            }
            let remembered = self.memory.probe(position).map_or(NO_MOVE, |memo| memo.best);
            if remembered == NO_MOVE {
                break;
            }
            let square = Square::from_index(remembered.into());
            let Some(next) = position.try_play(self.geometry, square) else { break };
            line.push(Move::Play(square));
            position = next;
        }
        line
    }
}

/// What is remembered settles the window, if it comes from a search deep enough.
fn cut_off(memo: Memo, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
    let settles = memo.bound.settles(memo.value, alpha, beta);
    (u32::from(memo.depth) >= depth && settles).then_some(memo.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Goal, Scoring, Start};

    struct Case {
        geometry: Geometry,
        rules: Rules,
        passing: Passing,
        judge: Judge,
    }

    impl Case {
        /// The value by looking at every move: the obvious twin of [`Search::value`].
        fn minimax(&self, position: Position, depth: u32) -> i32 {
            let moves = position.legal_moves(self.geometry);
            let passed = position.pass();
            if moves == 0 && (self.passing == Passing::EndsGame || passed.legal_moves(self.geometry) == 0) {
                return position.final_score(self.geometry, self.rules).discs() * Eval::UNITS_PER_DISC;
            }
            if moves == 0 {
                return -self.minimax(passed, depth);
            }
            if depth == 0 {
                return self.judge.estimate(position).units();
            }
            let children = squares_of(moves).map(|square| position.play(square, position.flips(square)));
            children.map(|child| -self.minimax(child, depth - 1)).max().unwrap()
        }

        fn deepened(&self, position: Position, depth: u32) -> Option<Thought> {
            let mut memory = Memory::new(1 << 16);
            let stop = Stop::never();
            let mut search =
                Search::new(self.geometry, self.rules, self.passing, &self.judge, &mut memory, &stop);
            search.deepen(position, depth, || false)
        }
    }

    /// A position after so many random moves.
    fn random_position(geometry: Geometry, moves: usize, random: &mut fastrand::Rng) -> Position {
        let mut position = geometry.start(Start::Diagonal).position();
        for _ in 0..moves {
            let children = position.children(geometry);
            position = random.choice(children).map_or(position, |(_, child)| child);
        }
        position
    }

    #[test]
    fn the_search_finds_what_minimax_finds() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut compared = 0;
        for (width, height) in [(4, 4), (6, 6), (5, 7), (8, 8)] {
            let geometry = Geometry::new(width, height).unwrap();
            for goal in Goal::ALL {
                for passing in [Passing::Allowed, Passing::EndsGame] {
                    let rules = Rules::new(goal, Scoring::Raw);
                    let judge = Judge::find(geometry, goal, None).unwrap();
                    let case = Case { geometry, rules, passing, judge };
                    for _ in 0..12 {
                        let moves = random.usize(0..geometry.square_count() as usize);
                        let position = random_position(geometry, moves, &mut random);
                        let depth = random.u32(1..=4);
                        let Some(thought) = case.deepened(position, depth) else { continue };
                        let Some(Value::Estimate(found)) = thought.value else { panic!("not searched") };
                        let here = format!("{geometry} {goal} {passing:?} depth {depth}: {position:?}");
                        assert_eq!(found.units(), case.minimax(position, depth), "{here}");
                        let child = position.play(thought.square, position.flips(thought.square));
                        assert_eq!(found.units(), -case.minimax(child, depth - 1), "its move: {here}");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 120, "only {compared} positions had a move");
    }
}
