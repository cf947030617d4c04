//! Principal variation search on estimates: the tree below the root.
//!
//! Values are in units of an [`Eval`] for the side to move. Contract of [`MidgameSearch::value`]: at or below alpha
//! an upper bound of the value of that depth, at or above beta a lower bound, else exact; `None` when stopped. A pass
//! takes no ply. With [`ProbCut`] this holds with high probability only.

use crate::eval::Eval;
use crate::eval::Evaluation;
use crate::search::midgame::ordering::{self, Child, MoveList, MoveOrdering};
use crate::search::probcut::{ProbCut, Selectivity};
use crate::search::tt::exact::NO_MOVE;
use crate::search::tt::midgame::{INFINITE_EVAL, MidgameEntry, MidgameTable};
use crate::search::{EndgameSearch, Stop};
use reversi_rules::geometry::squares_of;
use reversi_rules::{Geometry, Passing, Position, Rules};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Nodes between two polls of the stop.
const POLL_NODES: u64 = 1024;
/// With at most this many empty squares the exact search takes over, where the depth reaches the end of the game.
const ENDGAME_EMPTIES: u32 = 10;
/// The same at the more careful selectivities, where ProbCut leaves out too little to be faster than the exact search
/// (measured on 8x8). A search without ProbCut keeps the smaller number, so that its node counts are its own.
const CAREFUL_ENDGAME_EMPTIES: u32 = 14;
/// Up to this depth moves are ranked by the replies to them, not by estimates.
const REPLIES_DEPTH: u32 = 2;
/// From this depth on ETC probes all children before the first is searched.
const ETC_DEPTH: u32 = 4;

/// The parameters shared by all threads of a search.
#[derive(Clone, Copy)]
pub struct MidgameContext<'a> {
    /// The board.
    pub geometry: Geometry,
    /// Goal and scoring.
    pub rules: Rules,
    /// What happens where the side to move has no move.
    pub passing: Passing,
    /// Values the leaves.
    pub evaluation: &'a Evaluation,
    /// Transposition table, shared by all threads.
    pub table: &'a MidgameTable,
    /// `None` for a full-width search.
    pub probcut: Option<ProbCut>,
    /// Ends the search from outside.
    pub stop: &'a Stop,
    /// Set when the first thread has finished.
    pub done: &'a AtomicBool,
}

/// The search of one thread.
pub struct MidgameSearch<'a> {
    /// What it shares with the other threads.
    pub context: MidgameContext<'a>,
    endgame_search: Option<EndgameSearch<'a>>,
    /// The current selectivity and its ProbCut parameters.
    selectivity: Selectivity,
    probcut: Option<ProbCut>,
    /// Learned move ordering of this thread.
    pub order: MoveOrdering,
    /// Positions visited by this thread.
    pub nodes: u64,
}

impl<'a> MidgameSearch<'a> {
    /// Without an `endgame_search` the midgame search continues to the end of the game.
    pub fn new(context: MidgameContext<'a>, endgame_search: Option<EndgameSearch<'a>>) -> MidgameSearch<'a> {
        let order = MoveOrdering::new();
        let mut search = MidgameSearch {
            context,
            endgame_search,
            selectivity: Selectivity::Full,
            probcut: None,
            order,
            nodes: 0,
        };
        search.set_selectivity(Selectivity::Usual);
        search
    }

    /// Sets the selectivity of the next iterations.
    pub fn set_selectivity(&mut self, selectivity: Selectivity) {
        self.probcut = self.context.probcut.and_then(|probcut| probcut.at(selectivity));
        self.selectivity = if self.probcut.is_some() { selectivity } else { Selectivity::Full };
    }

    fn endgame_empties(&self) -> u32 {
        match self.selectivity {
            Selectivity::More | Selectivity::Most => CAREFUL_ENDGAME_EMPTIES,
            Selectivity::Usual | Selectivity::Full => ENDGAME_EMPTIES,
        }
    }

    /// Nodes searched, those of the exact search included.
    pub fn all_nodes(&self) -> u64 {
        self.nodes + self.endgame_search.as_ref().map_or(0, EndgameSearch::nodes)
    }

    /// Counts a node; `None` when stopped.
    #[inline]
    fn enter(&mut self) -> Option<()> {
        self.nodes += 1;
        let stopped = self.nodes.is_multiple_of(POLL_NODES)
            && (self.context.stop.is_set() || self.context.done.load(Relaxed));
        (!stopped).then_some(())
    }

    /// The value of a child for its parent: the first child with the full window, the others first with a null
    /// window, then with the full window if they fail high inside it. `depth` is the parent's.
    pub fn child_value(
        &mut self,
        child: &Child,
        depth: u32,
        first: bool,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let (position, moves) = (child.position, child.legal_replies(self.context.geometry));
        if !first {
            let value = -self.value_with_moves(position, moves, depth - 1, -alpha - 1, -alpha)?;
            if value <= alpha || value >= beta {
                return Some(value);
            }
        }
        Some(-self.value_with_moves(position, moves, depth - 1, -beta, -alpha)?)
    }

    /// The value of a position searched `depth` plies deep: at or below `alpha` an upper bound, at or above `beta` a
    /// lower bound, else what the depth finds. `None` when it was stopped.
    pub fn value(&mut self, position: Position, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let moves = position.legal_moves(self.context.geometry);
        self.value_with_moves(position, moves, depth, alpha, beta)
    }

    /// The same where the legal moves are known already.
    fn value_with_moves(
        &mut self,
        position: Position,
        moves: u64,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        self.enter()?;
        if moves == 0 {
            return self.value_without_moves(position, depth, alpha, beta);
        }
        if depth == 0 {
            return Some(self.context.evaluation.estimate_with_moves(position, moves).units());
        }
        let empties = position.empty_count(self.context.geometry);
        if depth >= empties && empties <= self.endgame_empties() && self.endgame_search.is_some() {
            return self.finish(position, alpha, beta);
        }
        if depth == 1 {
            return self.value_of_leaves(position, moves, alpha, beta);
        }
        // The entry arrives while moves are made and other positions searched; waiting for it took a third of the time.
        let table = self.context.table;
        table.prefetch(position);
        let mut list = MoveList::new();
        list.fill(position, moves);
        let is_null_window = alpha + 1 == beta;
        if is_null_window && depth >= ETC_DEPTH {
            list.children().iter().for_each(|child| table.prefetch(child.position));
        }
        if depth <= REPLIES_DEPTH {
            // Done while the entry arrives, even if the ranks turn out not to be needed.
            ordering::rank_by_replies(self.context.geometry, self.context.rules.goal, &mut list);
        }
        let entry = table.probe(position);
        if let Some(value) = entry.and_then(|entry| entry.settles(depth, self.selectivity, alpha, beta)) {
            return Some(value);
        }
        if is_null_window && let Some(value) = self.probcut_bound(position, moves, depth, empties, alpha)? {
            return Some(value);
        }
        let hash_move = entry.map_or(NO_MOVE, |entry| entry.best);
        if is_null_window
            && depth >= ETC_DEPTH
            && let Some(value) = self.etc_cutoff(list.children(), depth, beta)
        {
            return Some(value);
        }
        self.value_of_children(position, &mut list, hash_move, depth, alpha, beta)
    }

    /// The value of a position from its children, the hash move first. Near the leaves the list has its ranks already.
    fn value_of_children(
        &mut self,
        position: Position,
        list: &mut MoveList,
        hash_move: u8,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let (mut most, mut best) = (-INFINITE_EVAL, NO_MOVE);
        // The hash move often refutes; then the others need no rank.
        let (mut next, mut ranked) = (list.take(hash_move), false);
        loop {
            if next.is_none() && !ranked {
                if depth > REPLIES_DEPTH {
                    let MidgameContext { geometry, evaluation, .. } = self.context;
                    self.order.rank(geometry, evaluation, position, list);
                }
                (next, ranked) = (list.take_best(), true);
            }
            let Some(child) = next else { break };
            next = if ranked { list.take_best() } else { None };
            if depth > 2
                && let Some(next) = next
            {
                // A search of depth 1 does not read the table.
                self.context.table.prefetch(next.position);
            }
            let value = self.child_value(&child, depth, best == NO_MOVE, alpha.max(most), beta)?;
            if value > most {
                (most, best) = (value, child.square.index() as u8);
            }
            if most >= beta {
                self.order.refuted(best, position.empty_count(self.context.geometry), depth);
                break;
            }
        }
        self.store(position, depth, alpha, beta, most, best);
        Some(most)
    }

    /// The value of a position at depth 1, a killer first and the other moves in any order: ranking them would cost
    /// more than their estimates.
    fn value_of_leaves(&mut self, position: Position, moves: u64, alpha: i32, beta: i32) -> Option<i32> {
        let geometry = self.context.geometry;
        let child_evaluator = self.context.evaluation.child_evaluator(position);
        let (mut most, mut best) = (-INFINITE_EVAL, NO_MOVE);
        let empties = position.empty_count(geometry);
        let killer = self.order.leaf_killer(moves, empties);
        for square in squares_of(killer).chain(squares_of(moves & !killer)) {
            self.enter()?;
            let flips = position.flips(square);
            let child = position.play(square, flips);
            let value = match child.legal_moves(geometry) {
                0 => self.value_without_moves(child, 0, -beta, -alpha)?,
                moves => child_evaluator.estimate_with_moves(square, flips, moves).units(),
            };
            if -value > most {
                (most, best) = (-value, square.index() as u8);
            }
            if most >= beta {
                self.order.refuted_a_leaf(square, empties);
                break;
            }
        }
        // On the principal variation the entry holds its last move; elsewhere recomputing is as fast as the table
        // access.
        if alpha + 1 < beta {
            self.store(position, 1, alpha, beta, most, best);
        }
        Some(most)
    }

    /// The children of a root, the most promising first.
    pub fn children_in_order(&self, position: Position, hash_move: u8) -> Vec<Child> {
        let MidgameContext { geometry, evaluation, .. } = self.context;
        let mut list = MoveList::new();
        list.fill(position, position.legal_moves(geometry));
        let first = list.take(hash_move);
        self.order.rank(geometry, evaluation, position, &mut list);
        first.into_iter().chain(std::iter::from_fn(|| list.take_best())).collect()
    }

    fn value_without_moves(&mut self, position: Position, depth: u32, alpha: i32, beta: i32) -> Option<i32> {
        let MidgameContext { geometry, rules, passing, .. } = self.context;
        let passed = position.pass();
        let moves = passed.legal_moves(geometry);
        if passing == Passing::EndsGame || moves == 0 {
            return Some(Eval::from(position.final_score(geometry, rules)).units());
        }
        Some(-self.value_with_moves(passed, moves, depth, -beta, -alpha)?)
    }

    /// The exact score, as far as the window needs it: whole discs at or below alpha and at or above beta are bounds
    /// of the same kind in units.
    fn finish(&mut self, position: Position, alpha: i32, beta: i32) -> Option<i32> {
        const UNITS: i32 = Eval::UNITS_PER_DISC;
        let most = self.context.geometry.square_count() as i32;
        let low = alpha.div_euclid(UNITS).clamp(-most - 1, most);
        let high = (beta + UNITS - 1).div_euclid(UNITS).clamp(low + 1, most + 1);
        let score = self.endgame_search.as_mut()?.score(position, low, high)?;
        // The exact search may take long, and does not poll `done`.
        (!self.context.done.load(Relaxed)).then_some(score * UNITS)
    }

    /// ProbCut: a probable bound from shallow searches. The only rule here that can change the value, under either
    /// goal, with the error rate that the confidence allows; unused at full selectivity and in the exact search.
    fn probcut_bound(
        &mut self,
        position: Position,
        moves: u64,
        depth: u32,
        empties: u32,
        alpha: i32,
    ) -> Option<Option<i32>> {
        let probes = self.probcut.map(|probcut| probcut.probes(depth, empties)).unwrap_or_default();
        if probes.is_empty() {
            return Some(None);
        }
        let estimate = self.context.evaluation.estimate_with_moves(position, moves).units();
        for probe in probes {
            let (high, low) = (alpha + 1 + probe.margin, alpha - probe.margin);
            if estimate > alpha + probe.promise
                && high < INFINITE_EVAL
                && self.value_with_moves(position, moves, probe.depth, high - 1, high)? >= high
            {
                return Some(Some(alpha + 1));
            }
            if estimate <= alpha - probe.promise
                && low > -INFINITE_EVAL
                && self.value_with_moves(position, moves, probe.depth, low, low + 1)? <= low
            {
                return Some(Some(alpha));
            }
        }
        Some(None)
    }

    /// ETC: a stored upper bound of a child, negated, is a lower bound here. At or above beta it is the result of a
    /// valid search of that depth, so the value cannot change under either goal.
    fn etc_cutoff(&self, children: &[Child], depth: u32, beta: i32) -> Option<i32> {
        children.iter().find_map(|child| {
            let entry = self.context.table.probe(child.position)?;
            (entry.is_of(depth - 1, self.selectivity) && -entry.upper >= beta).then_some(-entry.upper)
        })
    }

    /// Stores what a search with this window has found, and the best move as the number of its square.
    pub fn store(&self, position: Position, depth: u32, alpha: i32, beta: i32, value: i32, best: u8) {
        let lower = if value > alpha { value } else { -INFINITE_EVAL };
        let upper = if value < beta { value } else { INFINITE_EVAL };
        let selectivity = self.selectivity;
        self.context
            .table
            .store(position, MidgameEntry { lower, upper, depth: depth as u8, selectivity, best });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::midgame::iterative_deepening::{self, Iteration, MidgameResult};
    use crate::search::{EndgameContext, Solver, SolverOptions};
    use reversi_rules::geometry::squares_of;
    use reversi_rules::playout::after_random_moves;
    use reversi_rules::{Board, Goal, Scoring, Start};

    struct Case {
        geometry: Geometry,
        rules: Rules,
        passing: Passing,
        evaluation: Evaluation,
    }

    impl Case {
        /// The value by plain minimax: the slow twin of [`MidgameSearch::value`].
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
                return self.evaluation.estimate(position).units();
            }
            let children = squares_of(moves).map(|square| position.play(square, position.flips(square)));
            children.map(|child| -self.minimax(child, depth - 1)).max().unwrap()
        }

        fn deepened(&self, position: Position, depth: u32) -> Option<MidgameResult> {
            let (stop, done) = (Stop::never(), AtomicBool::new(false));
            let context = MidgameContext {
                geometry: self.geometry,
                rules: self.rules,
                passing: self.passing,
                evaluation: &self.evaluation,
                table: &MidgameTable::new(1 << 16).unwrap(),
                probcut: None,
                stop: &stop,
                done: &done,
            };
            let options = SolverOptions { memory_bytes: 1 << 16, threads: 1, ..SolverOptions::default() };
            let solver = Solver::new(self.geometry, self.rules, options).unwrap();
            let tools = EndgameContext::default();
            let endgame_search =
                (self.passing == Passing::Allowed).then(|| solver.endgame_search(1 << 16, &tools, &stop));
            let mut search = MidgameSearch::new(context, endgame_search);
            iterative_deepening::deepen(&mut search, position, &mut (1..=depth).map(Iteration::usual), |_| {
                false
            })
        }
    }

    #[test]
    fn the_search_agrees_with_minimax() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut compared = 0;
        for (width, height) in [(4, 4), (6, 6), (5, 7), (8, 8)] {
            let geometry = Geometry::new(width, height).unwrap();
            for goal in Goal::ALL {
                for passing in [Passing::Allowed, Passing::EndsGame] {
                    let rules = Rules::new(goal, Scoring::Raw);
                    let evaluation = Evaluation::find(geometry, goal, None).unwrap();
                    let case = Case { geometry, rules, passing, evaluation };
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
