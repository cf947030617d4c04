//! The selective pass: a search with ProbCut before the full-width search. It proves nothing, but finds good moves
//! and an approximate score, so that the full-width search tries the right moves first, for a fraction of the cost of
//! a wrong order.
//!
//! ProbCut cuts a null window where the value of a shallow search lies far outside of it (Buro, "ProbCut: an
//! effective selective extension of the alpha-beta algorithm", ICCA Journal 1995). Unproved results stand in the same
//! table as proved ones, under words that no position has, and are never taken for proved ones.

use super::mode::{Mode, PROBCUT_EMPTIES};
use super::node::Node;
use super::search::{ExactSearch, SHARED_TT_EMPTIES, plies};
use crate::eval::Eval;
use crate::search::rule_set::RuleSet;
use crate::search::tt::exact::{Bounds, NO_MOVE, hash};
use reversi_rules::Position;

/// One more ply for ProbCut's shallow search from each of these numbers of empty squares on.
const PLY_STEPS: [u32; 3] = [16, 20, 24];

const _: () = assert!(PROBCUT_EMPTIES >= SHARED_TT_EMPTIES, "the local table holds proved bounds only");

impl<L: RuleSet> ExactSearch<'_, L> {
    /// The player's word of a table entry with `count` empty squares in this mode. For unproved results it is the
    /// complement, which has a disc of both sides on every opponent's disc, as no position has.
    #[inline(always)]
    pub(crate) fn word(&self, count: u32, player: u64) -> u64 {
        if self.mode.is_unproved(count) { !player } else { player }
    }

    /// Key in the shared table; 0 below [`SHARED_TT_EMPTIES`], where the local table is used.
    #[inline(always)]
    pub(crate) fn key(&self, count: u32, player: u64, opponent: u64) -> u64 {
        if count < SHARED_TT_EMPTIES { 0 } else { hash(self.word(count, player), opponent) }
    }

    /// The stored bounds of a node, in the selective pass unproved ones included. Proved bounds cannot change the
    /// score, under either goal.
    #[inline(always)]
    pub(crate) fn known(&self, node: Node) -> Option<Bounds> {
        let known = self.probe(node.count, node.player, node.opponent, node.key);
        if self.mode.is_unproved(node.count) { self.with_unproved(node, known) } else { known }
    }

    fn with_unproved(&self, Node { player, opponent, .. }: Node, unproved: Option<Bounds>) -> Option<Bounds> {
        let proved = self.look_up(player, opponent);
        match (unproved, proved) {
            (Some(unproved), Some(proved)) => Some(unproved.join(proved)),
            _ => unproved.or(proved),
        }
    }

    /// The hash move, or [`NO_MOVE`].
    #[inline(always)]
    pub(crate) fn hash_move(&self, node: Node, known: Option<Bounds>) -> u8 {
        let hash_move = known.map_or(NO_MOVE, |known| known.best);
        if hash_move != NO_MOVE || self.mode != Mode::Guided || node.count < PROBCUT_EMPTIES {
            return hash_move;
        }
        self.look_up(!node.player, node.opponent).map_or(NO_MOVE, |unproved| unproved.best)
    }

    /// The entry of the shared table under these words.
    fn look_up(&self, player: u64, opponent: u64) -> Option<Bounds> {
        self.context.table.probe(player, opponent, hash(player, opponent))
    }

    /// ProbCut, in the selective pass only: the end of the window beyond which the score probably lies. It can change
    /// the value of that pass, under either goal, but no proved score.
    #[inline(always)]
    pub(crate) fn probcut(&mut self, node: Node, alpha: i32) -> Option<i32> {
        match self.mode {
            Mode::Selective { margin } if node.count >= PROBCUT_EMPTIES => {
                self.shallow_bound(node, alpha, margin)
            }
            _ => None,
        }
    }

    fn shallow_bound(&mut self, node: Node, alpha: i32, margin: i32) -> Option<i32> {
        let evaluator = self.context.evaluator?;
        let depth = plies(&PLY_STEPS, node.count);
        let units = |discs: i32| discs * Eval::UNITS_PER_DISC;
        let (low, high) = (Eval::new(units(alpha) - margin), Eval::new(units(alpha + 1) + margin));
        let value =
            self.shallow(evaluator).value(Position::new(node.player, node.opponent), depth, low, high);
        self.count_plies(depth);
        if value <= low {
            return Some(alpha);
        }
        (value >= high).then_some(alpha + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::endgame::split::SearchThreads;
    use crate::search::rule_set::NormalRaw;
    use crate::search::{Sizing, Solver, SolverOptions, Stop, Watch};
    use reversi_rules::playout::with_empties;
    use reversi_rules::{Board, Geometry, Goal, Rules, Scoring, Start};

    /// Runs a test with a search that has an evaluation, for some positions with `empties` empty squares.
    fn with_search(empties: u32, test: impl Fn(&mut ExactSearch<NormalRaw>, Position)) {
        let (threads, watch, stop) = (SearchThreads::default(), Watch::default(), Stop::never());
        let options = SolverOptions { memory_bytes: 1 << 20, threads: 1, sizing: Sizing::Whole };
        let solver = Solver::new(Geometry::SIX, Rules::new(Goal::Normal, Scoring::Raw), options).unwrap();
        let start = Board::start(Geometry::SIX, Start::Diagonal).position();
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..10 {
            let position = with_empties(Geometry::SIX, start, empties, &mut random).next().unwrap();
            if position.legal_moves(Geometry::SIX) != 0 {
                solver.table.forget();
                test(
                    &mut ExactSearch::new(solver.context(solver.table.whole(), &threads, &watch, &stop)),
                    position,
                );
            }
        }
    }

    #[test]
    fn unproved_results_are_never_taken_for_proved() {
        with_search(14, |search, Position { player, opponent }| {
            search.mode = Mode::Selective { margin: 0 };
            let node = search.node(player, opponent);
            let (unproved, square) = search.principal(node, -36, 36).unwrap();
            let known = search.known(node).unwrap();
            assert_eq!((i32::from(known.lower), i32::from(known.upper)), (unproved, unproved));
            search.mode = Mode::Exact;
            let node = search.node(player, opponent);
            assert_eq!(search.known(node), None);
            assert_eq!(search.hash_move(node, None), NO_MOVE);
            search.mode = Mode::Guided;
            assert_eq!(search.known(node), None);
            assert_eq!(search.hash_move(node, None), square, "but its move is known");
        });
    }

    #[test]
    fn proved_results_are_used_by_the_selective_pass() {
        with_search(14, |search, Position { player, opponent }| {
            let node = search.node(player, opponent);
            let (score, square) = search.principal(node, -36, 36).unwrap();
            search.mode = Mode::Selective { margin: 0 };
            let node = search.node(player, opponent);
            assert_eq!(search.known(node).map(|known| i32::from(known.lower)), Some(score));
            assert_eq!(search.principal(node, -36, 36), Some((score, square)));
        });
    }

    #[test]
    fn probcut_cuts_only_far_windows_and_only_in_the_selective_pass() {
        with_search(14, |search, Position { player, opponent }| {
            search.mode = Mode::Selective { margin: 6 * Eval::UNITS_PER_DISC };
            let node = search.node(player, opponent);
            let value = search.context.evaluator.unwrap().evaluate(Position::new(player, opponent));
            let discs = value.discs().round() as i32;
            assert_eq!(search.probcut(node, discs), None);
            assert_eq!(search.probcut(node, discs + 7), Some(discs + 7), "it most likely fails low");
            assert_eq!(search.probcut(node, discs - 8), Some(discs - 7), "it most likely fails high");
            search.mode = Mode::Guided;
            assert_eq!(search.probcut(node, discs + 20), None);
        });
    }
}
