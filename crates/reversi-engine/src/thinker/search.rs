//! Principal variation search on estimates: the tree below the root.
//!
//! Values are in units of an [`Eval`] for the side to move. Contract of [`Search::value`]: at or below
//! alpha an upper bound of the value of that depth, at or above beta a lower bound, else exact; `None`
//! when told to stop. A pass takes no ply. With [`Cuts`] the value is only most likely that of the depth.

use super::cuts::{Cuts, Sureness};
use super::memory::{BEYOND, Memo, Memory};
use super::order::{self, Child, Children, Order};
use crate::judge::Judge;
use reversi_rules::geometry::squares_of;
use reversi_rules::{Geometry, Passing, Position, Rules};
use reversi_solver::eval::Eval;
use reversi_solver::search::{Finisher, NO_MOVE, Stop};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Nodes between two looks at the clock.
const POLL_NODES: u64 = 1024;
/// With so many empty squares the exact search does the rest, where the depth reaches the end.
const FINISHED: u32 = 10;
/// From so many plies on all children are looked up before any is searched.
const LOOK_AHEAD: u32 = 4;

/// What a search is about: the same for all its threads.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub geometry: Geometry,
    pub rules: Rules,
    pub passing: Passing,
    pub judge: &'a Judge,
    pub memory: &'a Memory,
    /// `None` to search every line to its depth.
    pub cuts: Option<Cuts>,
    pub stop: &'a Stop,
    /// Set when the first thread has ended.
    pub done: &'a AtomicBool,
}

/// One thread's search.
pub(super) struct Search<'a> {
    pub ground: Ground<'a>,
    finisher: Option<Finisher<'a>>,
    /// How sure it is at present, and the rule that follows from it.
    sureness: Sureness,
    cuts: Option<Cuts>,
    pub order: Order,
    pub nodes: u64,
}

impl<'a> Search<'a> {
    /// Without a finisher the end of the game is searched like the rest.
    pub fn new(ground: Ground<'a>, finisher: Option<Finisher<'a>>) -> Search<'a> {
        let order = Order::new();
        let mut search = Search { ground, finisher, sureness: Sureness::Full, cuts: None, order, nodes: 0 };
        search.be_sure(Sureness::Usual);
        search
    }

    /// How sure the search is from now on.
    pub fn be_sure(&mut self, sureness: Sureness) {
        self.cuts = self.ground.cuts.and_then(|cuts| cuts.at(sureness));
        self.sureness = if self.cuts.is_some() { sureness } else { Sureness::Full };
    }

    /// Positions looked at, those of the exact search included.
    pub fn all_nodes(&self) -> u64 {
        self.nodes + self.finisher.as_ref().map_or(0, Finisher::nodes)
    }

    /// Counts a node; `None` when it is time to stop.
    #[inline]
    fn enter(&mut self) -> Option<()> {
        self.nodes += 1;
        let stopped = self.nodes.is_multiple_of(POLL_NODES)
            && (self.ground.stop.is_set() || self.ground.done.load(Relaxed));
        (!stopped).then_some(())
    }

    /// The value of a child for its parent: the first with the whole window, the others first with a
    /// null window that asks whether they are better at all. `depth` is the parent's.
    pub fn child_value(
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

    pub fn value(&mut self, position: Position, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        self.enter()?;
        let moves = position.legal_moves(self.ground.geometry);
        if moves == 0 {
            return self.value_without_moves(position, depth, alpha, beta);
        }
        if depth == 0 {
            return Some(self.ground.judge.estimate(position).units());
        }
        let empties = position.empty_count(self.ground.geometry);
        if depth >= empties && empties <= FINISHED && self.finisher.is_some() {
            return self.finish(position, alpha, beta);
        }
        if depth == 1 {
            return self.value_of_leaves(position, moves, alpha, beta);
        }
        let memo = self.ground.memory.probe(position);
        if let Some(value) = memo.and_then(|memo| memo.settles(depth, self.sureness, alpha, beta)) {
            return Some(value);
        }
        let is_null_window = alpha + 1 == beta;
        if is_null_window && let Some(value) = self.probable_cut(position, depth, empties, alpha)? {
            return Some(value);
        }
        let remembered = memo.map_or(NO_MOVE, |memo| memo.best);
        let mut children = order::children(position, moves);
        if is_null_window
            && depth >= LOOK_AHEAD
            && let Some(value) = self.look_ahead(&children, depth, beta)
        {
            return Some(value);
        }
        self.value_of_children(position, &mut children, remembered, depth, alpha, beta)
    }

    /// The value of a position by its children, the remembered one first.
    fn value_of_children(
        &mut self,
        position: Position,
        children: &mut [Child],
        remembered: u8,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        // Often the remembered move refutes; then the others need no rank.
        let has_favourite = order::to_front(children, remembered);
        let (mut most, mut best) = (-BEYOND, NO_MOVE);
        for place in 0..children.len() {
            if place == usize::from(has_favourite) {
                self.rank(position, &mut children[place..]);
            }
            let in_front = place == 0 && has_favourite;
            let child = if in_front { children[0] } else { order::next_best(children, place) };
            let value = self.child_value(child.position, depth, place == 0, alpha.max(most), beta)?;
            if value > most {
                (most, best) = (value, child.square.index() as u8);
            }
            if most >= beta {
                self.order.refuted(best, position.empty_count(self.ground.geometry), depth);
                break;
            }
        }
        self.remember(position, depth, alpha, beta, most, best);
        Some(most)
    }

    /// The value of a position with these moves, one ply deep: in any order, for they are soon seen.
    fn value_of_leaves(&mut self, position: Position, moves: u64, alpha: i32, beta: i32) -> Option<i32> {
        let geometry = self.ground.geometry;
        let family = self.ground.judge.family(position);
        let (mut most, mut best) = (-BEYOND, NO_MOVE);
        for square in squares_of(moves) {
            self.enter()?;
            let flips = position.flips(square);
            let child = position.play(square, flips);
            let value = match child.legal_moves(geometry) {
                0 => self.value_without_moves(child, 0, -beta, -alpha)?,
                _ => family.estimate(square, flips).units(),
            };
            if -value > most {
                (most, best) = (-value, square.index() as u8);
            }
            if most >= beta {
                break;
            }
        }
        // What is expected ends with this move; elsewhere it is found again as fast as memory is read.
        if alpha + 1 < beta {
            self.remember(position, 1, alpha, beta, most, best);
        }
        Some(most)
    }

    /// The children of a position, the most promising first.
    pub fn children_in_order(&self, position: Position, remembered: u8) -> Children {
        let mut children = order::children(position, position.legal_moves(self.ground.geometry));
        let others = usize::from(order::to_front(&mut children, remembered));
        self.rank(position, &mut children[others..]);
        children[others..].sort_by_key(|child| child.rank);
        children
    }

    fn rank(&self, position: Position, children: &mut [Child]) {
        self.order.rank(self.ground.geometry, self.ground.judge, position, children);
    }

    fn value_without_moves(&mut self, position: Position, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let Ground { geometry, rules, passing, .. } = self.ground;
        let passed = position.pass();
        if passing == Passing::EndsGame || passed.legal_moves(geometry) == 0 {
            return Some(Eval::from(position.final_score(geometry, rules)).units());
        }
        Some(-self.value(passed, depth, -beta, -alpha)?)
    }

    /// The exact score, as far as the window asks for it: whole discs at or below alpha and at or above beta
    /// are bounds of the same kind in units.
    fn finish(&mut self, position: Position, alpha: i32, beta: i32) -> Option<i32> {
        const UNITS: i32 = Eval::UNITS_PER_DISC;
        let most = self.ground.geometry.square_count() as i32;
        let low = alpha.div_euclid(UNITS).clamp(-most - 1, most);
        let high = (beta + UNITS - 1).div_euclid(UNITS).clamp(low + 1, most + 1);
        let score = self.finisher.as_mut()?.score(position, low, high)?;
        // The finisher takes long enough to look each time, and knows of no other threads.
        (!self.ground.done.load(Relaxed)).then_some(score * UNITS)
    }

    /// A bound from a shallow search that makes the deep one superfluous, most likely.
    fn probable_cut(
        &mut self,
        position: Position,
        depth: u32,
        empties: u32,
        alpha: i32,
    ) -> Option<Option<i32>> {
        let Some(glance) = self.cuts.and_then(|cuts| cuts.glance(depth, empties)) else {
            return Some(None);
        };
        let estimate = self.ground.judge.estimate(position).units();
        let (high, low) = (alpha + 1 + glance.margin, alpha - glance.margin);
        if estimate > alpha && high < BEYOND && self.value(position, glance.depth, high - 1, high)? >= high {
            return Some(Some(alpha + 1));
        }
        if estimate <= alpha && low > -BEYOND && self.value(position, glance.depth, low, low + 1)? <= low {
            return Some(Some(alpha));
        }
        Some(None)
    }

    /// Enhanced transposition cut-off: a child remembered to be bad enough for the opponent.
    fn look_ahead(&self, children: &Children, depth: u32, beta: i32) -> Option<i32> {
        children.iter().find_map(|child| {
            let memo = self.ground.memory.probe(child.position)?;
            (memo.is_of(depth - 1, self.sureness) && -memo.upper >= beta).then_some(-memo.upper)
        })
    }

    pub fn remember(&self, position: Position, depth: u32, alpha: i32, beta: i32, value: i32, best: u8) {
        let lower = if value > alpha { value } else { -BEYOND };
        let upper = if value < beta { value } else { BEYOND };
        let sureness = self.sureness;
        self.ground.memory.store(position, Memo { lower, upper, depth: depth as u8, sureness, best });
    }
}

#[cfg(test)]
mod tests {
    use super::super::root::{self, Found, Step};
    use super::*;
    use reversi_rules::geometry::squares_of;
    use reversi_rules::playout::after_random_moves;
    use reversi_rules::{Board, Goal, Scoring, Start};
    use reversi_solver::search::{FinishingTools, Solver, SolverOptions};

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

        fn deepened(&self, position: Position, depth: u32) -> Option<Found> {
            let (stop, done) = (Stop::never(), AtomicBool::new(false));
            let ground = Ground {
                geometry: self.geometry,
                rules: self.rules,
                passing: self.passing,
                judge: &self.judge,
                memory: &Memory::new(1 << 16).unwrap(),
                cuts: None,
                stop: &stop,
                done: &done,
            };
            let options = SolverOptions { memory_bytes: 1 << 16, threads: 1, ..SolverOptions::default() };
            let solver = Solver::new(self.geometry, self.rules, options).unwrap();
            let tools = FinishingTools::default();
            let finisher =
                (self.passing == Passing::Allowed).then(|| solver.finisher(1 << 16, &tools, &stop));
            let mut search = Search::new(ground, finisher);
            root::deepen(&mut search, position, &mut (1..=depth).map(Step::usual), || false)
        }
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
                        let position = after_random_moves(
                            geometry,
                            Board::start(geometry, Start::Diagonal).position(),
                            moves,
                            &mut random,
                        );
                        let depth = random.u32(1..=4);
                        let Some(found) = case.deepened(position, depth) else { continue };
                        let Some(value) = found.value else { panic!("not searched") };
                        let here = format!("{geometry} {goal} {passing:?} depth {depth}: {position:?}");
                        assert_eq!(value, case.minimax(position, depth), "{here}");
                        let child = position.play(found.square, position.flips(found.square));
                        assert_eq!(value, -case.minimax(child, depth - 1), "its move: {here}");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 120, "only {compared} positions had a move");
    }
}
