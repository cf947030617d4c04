//! The selective pass: before the search that leaves nothing out, one that leaves out what most likely does not
//! matter. It proves nothing. It finds out which moves are good and about what the score is, so that the
//! search after it tries the right moves first, for a fraction of what a wrong order costs.
//!
//! A null window is given up where a search of a few plies lies far outside of it (ProbCut: Buro, "ProbCut: an
//! effective selective extension of the alpha-beta algorithm", ICCA Journal 1995). What is believed is stored
//! beside what is proved, in the same table, under words that no position has, and never taken for it.

use super::mode::{GIVES_UP_FROM, Mode};
use super::node::Node;
use super::search::{ExactSearch, SHARED_TT_EMPTIES, plies};
use crate::eval::Eval;
use crate::search::ordering::shallow::ShallowSearch;
use crate::search::rule_set::RuleSet;
use crate::search::tt::exact::{Bounds, NO_MOVE, hash};
use reversi_rules::Position;

/// Before a window is given up, moves are looked at one more ply deep from each of the following.
const PLY_STEPS: [u32; 3] = [16, 20, 24];

impl<L: RuleSet> ExactSearch<'_, L> {
    /// The player's word under which this mode knows a position with so many empty squares. What is only believed
    /// has discs of both sides wherever the opponent has one, as no position has.
    #[inline(always)]
    pub(crate) fn word(&self, count: u32, player: u64) -> u64 {
        if self.mode.only_believes(count) { !player } else { player }
    }

    /// Its place in the shared table; 0 where it is looked for in the thread's own.
    #[inline(always)]
    pub(crate) fn key(&self, count: u32, player: u64, opponent: u64) -> u64 {
        if count < SHARED_TT_EMPTIES { 0 } else { hash(self.word(count, player), opponent) }
    }

    /// What is known of a node, and while a pass is selective also what is believed.
    #[inline(always)]
    pub(crate) fn known(&self, node: Node) -> Option<Bounds> {
        let known = self.probe(node.count, node.player, node.opponent, node.key);
        if self.mode.only_believes(node.count) { self.known_or_believed(node, known) } else { known }
    }

    fn known_or_believed(
        &self,
        Node { player, opponent, .. }: Node,
        believed: Option<Bounds>,
    ) -> Option<Bounds> {
        let proved = self.look_up(player, opponent);
        match (believed, proved) {
            (Some(believed), Some(proved)) => Some(believed.join(proved)),
            _ => believed.or(proved),
        }
    }

    /// The move to try first, or [`NO_MOVE`].
    #[inline(always)]
    pub(crate) fn hash_move(&self, node: Node, known: Option<Bounds>) -> u8 {
        let remembered = known.map_or(NO_MOVE, |known| known.best);
        if remembered != NO_MOVE || self.mode != Mode::Guided || node.count < GIVES_UP_FROM {
            return remembered;
        }
        self.look_up(!node.player, node.opponent).map_or(NO_MOVE, |believed| believed.best)
    }

    /// What the shared table says under these words.
    fn look_up(&self, player: u64, opponent: u64) -> Option<Bounds> {
        self.context.table.probe(player, opponent, hash(player, opponent))
    }

    /// In a selective pass the end of the window beyond which the score most likely lies, if a few plies say so.
    #[inline(always)]
    pub(crate) fn probcut(&mut self, node: Node, alpha: i32) -> Option<i32> {
        match self.mode {
            Mode::Selective { spread } if node.count >= GIVES_UP_FROM => {
                self.far_outside(node, alpha, spread)
            }
            _ => None,
        }
    }

    fn far_outside(&mut self, node: Node, alpha: i32, spread: i32) -> Option<i32> {
        let evaluator = self.context.evaluator?;
        let depth = plies(&PLY_STEPS, node.count);
        let shallow = ShallowSearch { geometry: self.board.geometry, evaluator, stop: self.context.stop };
        let units = |discs: i32| discs * Eval::UNITS_PER_DISC;
        let (low, high) = (Eval::new(units(alpha) - spread), Eval::new(units(alpha + 1) + spread));
        let value = shallow.value(Position::new(node.player, node.opponent), depth, low, high);
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
    use crate::search::rule_set::NormalRaw;
    use crate::search::threads::split::SearchThreads;
    use crate::search::{Sizing, Solver, SolverOptions, Stop, Watch};
    use reversi_rules::playout::with_empties;
    use reversi_rules::{Board, Geometry, Goal, Rules, Scoring, Start};

    /// Runs a test with a worker that has an evaluation, and some positions with so many empty squares.
    fn with_worker(empties: u32, test: impl Fn(&mut ExactSearch<NormalRaw>, Position)) {
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
    fn what_is_believed_is_never_taken_for_proved() {
        with_worker(14, |search, Position { player, opponent }| {
            search.mode = Mode::Selective { spread: 0 };
            let node = search.node(player, opponent);
            let (believed, square) = search.principal(node, -36, 36).unwrap();
            let known = search.known(node).unwrap();
            assert_eq!((i32::from(known.lower), i32::from(known.upper)), (believed, believed));
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
    fn what_is_proved_is_believed() {
        with_worker(14, |search, Position { player, opponent }| {
            let node = search.node(player, opponent);
            let (score, square) = search.principal(node, -36, 36).unwrap();
            search.mode = Mode::Selective { spread: 0 };
            let node = search.node(player, opponent);
            assert_eq!(search.known(node).map(|known| i32::from(known.lower)), Some(score));
            assert_eq!(search.principal(node, -36, 36), Some((score, square)));
        });
    }

    #[test]
    fn only_a_window_far_away_is_given_up_and_only_by_a_selective_pass() {
        with_worker(14, |search, Position { player, opponent }| {
            search.mode = Mode::Selective { spread: 6 * Eval::UNITS_PER_DISC };
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
