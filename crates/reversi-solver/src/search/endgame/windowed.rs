//! The exact search for use within the midgame search, near the end of the game.

use super::search::ExactSearch;
use crate::search::Stop;
use crate::search::Watch;
use crate::search::endgame::Solver;
use crate::search::endgame::split::SearchThreads;
use crate::search::rule_set::{RuleSet, with_rule_set};
use reversi_rules::Position;

/// Counters of an [`EndgameSearch`], beside its solver.
#[derive(Default)]
pub struct EndgameContext {
    threads: SearchThreads,
    watch: Watch,
}

/// Exact scores in a window, single-threaded, without the set-up cost of a root search for each.
pub struct EndgameSearch<'a>(Box<dyn WindowSearch + 'a>);

trait WindowSearch {
    fn score(&mut self, position: Position, alpha: i32, beta: i32) -> Option<i32>;
    fn nodes(&self) -> u64;
}

impl<L: RuleSet> WindowSearch for ExactSearch<'_, L> {
    fn score(&mut self, position: Position, alpha: i32, beta: i32) -> Option<i32> {
        let node = self.node(position.player, position.opponent);
        if alpha + 1 == beta {
            return self.null_window(node, alpha);
        }
        self.principal(node, alpha, beta).map(|found| found.0)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

impl EndgameSearch<'_> {
    /// The score in discs for the side to move: at or below `alpha` an upper bound, at or above `beta` a lower bound,
    /// else exact; `None` if stopped.
    pub fn score(&mut self, position: Position, alpha: i32, beta: i32) -> Option<i32> {
        self.0.score(position, alpha, beta)
    }

    /// Nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.0.nodes()
    }
}

impl Solver {
    /// An endgame search with about `bytes` of this solver's table; the set-up costs a virtual call for each score.
    pub fn endgame_search<'a>(
        &'a self,
        bytes: usize,
        tools: &'a EndgameContext,
        stop: &'a Stop,
    ) -> EndgameSearch<'a> {
        let context = self.context(self.table.part(bytes), &tools.threads, &tools.watch, stop);
        with_rule_set!(self.rules(), L => EndgameSearch(Box::new(ExactSearch::<L>::new(context))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::reference::minimax::minimax;
    use crate::search::{Sizing, SolverOptions};
    use reversi_rules::playout::with_empties;
    use reversi_rules::{Board, Geometry, Rules, Start};

    /// Whether what a window has found is true of the score: a bound at its ends, exact within.
    fn agrees(found: i32, (alpha, beta): (i32, i32), score: i32) -> bool {
        match found {
            _ if found <= alpha => score <= found,
            _ if found >= beta => score >= found,
            _ => score == found,
        }
    }

    #[test]
    fn windowed_scores_agree_with_minimax() {
        let geometry = Geometry::SIX;
        let mut random = fastrand::Rng::with_seed(4);
        for rules in Rules::ALL {
            let options = SolverOptions { memory_bytes: 1 << 16, threads: 1, sizing: Sizing::Whole };
            let solver = Solver::new(geometry, rules, options).unwrap();
            let (tools, stop) = (EndgameContext::default(), Stop::never());
            let mut endgame_search = solver.endgame_search(1 << 16, &tools, &stop);
            for _ in 0..30 {
                let start = Board::start(geometry, Start::Diagonal).position();
                let position = with_empties(geometry, start, 7, &mut random).next().unwrap();
                let score = minimax(geometry, rules, position).discs();
                let alpha = random.i32(-36..36);
                let beta = alpha + 1 + random.i32(0..10);
                let found = endgame_search.score(position, alpha, beta).unwrap();
                let agrees = agrees(found, (alpha, beta), score);
                assert!(agrees, "{rules} {position:?}: {found} in ({alpha}, {beta}), but {score}");
            }
            assert!(endgame_search.nodes() > 0);
        }
    }

    /// With 11 to 14 empty squares, where the shared table is used and the stop polled: one search after the other in
    /// windows of any width, and searches that are stopped.
    #[test]
    fn longer_searches_agree_with_whole_ones_or_are_stopped() {
        let mut random = fastrand::Rng::with_seed(5);
        for (geometry, empties) in [(Geometry::SIX, 14), (Geometry::SIX, 12), (Geometry::EIGHT, 11)] {
            for rules in Rules::ALL {
                let options = SolverOptions { memory_bytes: 1 << 18, threads: 1, sizing: Sizing::Whole };
                let solver = Solver::new(geometry, rules, options).unwrap();
                let reference = Solver::new(geometry, rules, options).unwrap();
                let (tools, stop) = (EndgameContext::default(), Stop::never());
                let mut endgame_search = solver.endgame_search(1 << 16, &tools, &stop);
                for looks in 0..6 {
                    let start = Board::start(geometry, Start::Diagonal).position();
                    let position = with_empties(geometry, start, empties, &mut random).next().unwrap();
                    let score = reference.solve(position, &stop).unwrap().score.discs();
                    let alpha = score + random.i32(-4..4);
                    let beta = alpha + 1 + random.i32(0..4);
                    let check = |found: i32| {
                        let agrees = agrees(found, (alpha, beta), score);
                        assert!(agrees, "{rules} {position:?}: {found} in ({alpha}, {beta}), but {score}");
                    };
                    check(endgame_search.score(position, alpha, beta).unwrap());
                    let soon = Stop::after_looks(looks);
                    let stopped =
                        reference.endgame_search(1 << 16, &tools, &soon).score(position, alpha, beta);
                    stopped.into_iter().for_each(check);
                }
            }
        }
    }
}
