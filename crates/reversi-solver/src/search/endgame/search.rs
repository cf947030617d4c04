//! The search of one thread: null windows nearly everywhere, a full window along the principal variation.
//!
//! Contract of every search function: at or below alpha the result is an upper bound of the score, at or above beta a
//! lower bound (a null window's beta is alpha + 1), else the exact score. `None` means that the search was stopped;
//! it proves nothing.

use super::mode::Mode;
use super::node::Node;

use crate::eval::Evaluator;
use crate::search::Stop;
use crate::search::Watch;
use crate::search::board_tables::BoardTables;
use crate::search::endgame::proof::Proof;
use crate::search::endgame::split::{SearchThreads, SplitPoint};
use crate::search::ordering::endgame::{self as ordering, Candidate, Candidates, UNKNOWN};
use crate::search::ordering::move_weights::MoveWeights;
use crate::search::ordering::shallow::ShallowSearch;
use crate::search::rule_set::RuleSet;
use crate::search::tt::exact::{NO_MOVE, TablePart};
use crate::search::tt::local::{LocalTable, LocalTables};
use reversi_rules::{Geometry, Position};
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;

/// Up to this many empty squares there is no table and no move ordering but parity; with more the local table is used.
pub(crate) const LEAF_EMPTIES: u32 = 4;
/// From this many empty squares on the shared table is used. With fewer, searching again is as fast as reading memory
/// outside the caches.
pub(crate) const SHARED_TT_EMPTIES: u32 = 11;

/// Use of the learned evaluation for move ordering.
struct LearnedOrdering {
    /// The smallest number of empty squares with learned ordering.
    empties: u32,
    /// One more ply of search for the ordering from each of these numbers of empty squares on.
    ply_steps: &'static [u32],
    /// Weights, in units of an `Eval`, of the features of the position after a move, which are added to its estimate.
    weights: MoveWeights,
}

/// On 8x8 the weights of the evaluation exceed the processor's caches, so fewer nodes pay for learned ordering.
const LEARNED_ORDERING_8X8: LearnedOrdering =
    LearnedOrdering { empties: 12, ply_steps: &[18, 20, 25, 28], ..LEARNED_ORDERING_LARGE };
/// Boards of up to 36 squares.
const LEARNED_ORDERING: LearnedOrdering = LearnedOrdering {
    empties: 11,
    ply_steps: &[16, 20, 26],
    weights: MoveWeights { reply: -200, potential: -40, disc: -60, edge_disc: 120, ..MoveWeights::NONE },
};
/// Boards of more than 36 squares: the larger the board, the more a short proof is worth.
const LEARNED_ORDERING_LARGE: LearnedOrdering = LearnedOrdering {
    weights: MoveWeights { reply: -330, potential: -20, disc: -60, edge_disc: 90, ..MoveWeights::NONE },
    ..LEARNED_ORDERING
};
/// Under the reversed goal the evaluation is less accurate without a search.
const LEARNED_ORDERING_REVERSED: LearnedOrdering = LearnedOrdering {
    empties: 11,
    ply_steps: &[15, 18, 22, 26],
    weights: MoveWeights { reply: -180, pass: -400, potential: -30, disc: -40, ..MoveWeights::NONE },
};
const LEARNED_ORDERING_8X8_REVERSED: LearnedOrdering =
    LearnedOrdering { weights: LEARNED_ORDERING_REVERSED.weights, ..LEARNED_ORDERING_8X8 };
/// Nodes between two polls of the stop; in tests small, so that even a small search can be stopped nearly anywhere.
const POLL_NODES: u64 = if cfg!(test) { 8 } else { 1024 };
/// From this many empty squares on a node is worth splitting between threads.
const SPLIT_EMPTIES: u32 = 12;
/// Below every score.
pub(crate) const NO_SCORE: i32 = -128;

/// The data shared by all threads of a search.
#[derive(Clone, Copy)]
pub(crate) struct SearchContext<'a> {
    pub board: &'a BoardTables,
    pub table: TablePart<'a>,
    pub local_tables: &'a LocalTables,
    pub stop: &'a Stop,
    pub watch: &'a Watch,
    pub threads: &'a SearchThreads,
    /// The evaluation for move ordering, where weights exist.
    pub evaluator: Option<&'a Evaluator>,
}

/// The search of one thread.
pub(crate) struct ExactSearch<'a, L> {
    pub board: &'a BoardTables,
    pub mode: Mode,
    learned_ordering: &'static LearnedOrdering,
    pub(crate) context: SearchContext<'a>,
    pub(crate) local: LocalTable,
    /// Nodes searched; positions with a single empty square count on the principal variation only.
    pub nodes: u64,
    next_poll: u64,
    /// Nodes already reported to the threads' counter and the watch.
    reported_nodes: u64,
    /// Positions visited since the last report that are no nodes here, but in Edax: with a single empty square, ranked,
    /// looked up for ETC, or evaluated.
    pub(crate) visited: Cell<u64>,
    /// The innermost split point in which this thread works.
    split: Option<Arc<SplitPoint>>,
    /// The bounds of the root position to update.
    proof: Option<&'a Proof<'a>>,
    rule_set: PhantomData<L>,
}

/// Number of plies: one for each threshold that `count` reaches.
#[inline(always)]
pub(crate) fn plies(deeper: &[u32], count: u32) -> u32 {
    deeper.iter().filter(|&&from| count >= from).count() as u32
}

impl<L> ExactSearch<'_, L> {
    /// Adds the nodes since the last report to the counters of the search and the watch.
    pub(super) fn report_nodes(&mut self) {
        let new = self.nodes - std::mem::replace(&mut self.reported_nodes, self.nodes);
        self.context.threads.add_nodes(new, self.visited.take());
        self.context.watch.add_nodes(new);
    }
}

impl<L> Drop for ExactSearch<'_, L> {
    fn drop(&mut self) {
        self.report_nodes();
        self.context.local_tables.put_back(std::mem::replace(&mut self.local, LocalTable::moved_out()));
    }
}

impl<'a, L: RuleSet> ExactSearch<'a, L> {
    /// The search of the first thread.
    ///
    /// # Panics
    /// Without memory for a local table, less than a megabyte.
    pub fn new(context: SearchContext<'a>) -> ExactSearch<'a, L> {
        ExactSearch::try_new(context).expect("memory for a local table")
    }

    /// The search of one more thread; `None` without memory for its local table.
    pub fn try_new(context: SearchContext<'a>) -> Option<ExactSearch<'a, L>> {
        let local = context.local_tables.take()?;
        let board = context.board;
        let learned_ordering = match board.geometry {
            Geometry::EIGHT if L::REVERSED => &LEARNED_ORDERING_8X8_REVERSED,
            Geometry::EIGHT => &LEARNED_ORDERING_8X8,
            _ if L::REVERSED => &LEARNED_ORDERING_REVERSED,
            _ if board.square_count > 36 => &LEARNED_ORDERING_LARGE,
            _ => &LEARNED_ORDERING,
        };
        Some(ExactSearch {
            board,
            mode: Mode::Exact,
            context,
            learned_ordering,
            local,
            nodes: 0,
            next_poll: POLL_NODES,
            reported_nodes: 0,
            visited: Cell::new(0),
            split: None,
            proof: None,
            rule_set: PhantomData,
        })
    }

    /// Records the bounds of the root position in `proof` as soon as they are proved.
    pub fn prove(&mut self, proof: &'a Proof<'a>) {
        self.proof = Some(proof);
    }

    /// The node of a position.
    pub fn node(&self, player: u64, opponent: u64) -> Node {
        let empties = self.empties(player, opponent);
        let count = empties.count_ones();
        let (parity, key) = (self.board.parity(empties), self.key(count, player, opponent));
        Node { player, opponent, count, parity, legal: UNKNOWN, key }
    }

    #[inline(always)]
    pub(crate) fn empties(&self, player: u64, opponent: u64) -> u64 {
        self.board.mask & !(player | opponent)
    }

    /// The legal moves of a node.
    #[inline(always)]
    pub(crate) fn legal(&self, Node { player, opponent, legal: known, .. }: Node) -> u64 {
        let look = || self.board.kernel.moves(player, opponent) & self.empties(player, opponent);
        debug_assert!(known == UNKNOWN || known == look(), "the moves of another position");
        if known == UNKNOWN { look() } else { known }
    }

    /// Counts a node; `None` if the search is stopped or its split point refuted.
    #[inline(always)]
    fn enter(&mut self) -> Option<()> {
        self.nodes += 1;
        if self.nodes < self.next_poll {
            return Some(());
        }
        self.next_poll = self.nodes + POLL_NODES;
        self.report_nodes();
        let is_refuted = self.split.as_ref().is_some_and(|split| split.is_refuted());
        (!is_refuted && !self.context.stop.is_set()).then_some(())
    }

    /// Counts positions that are visited, but not as nodes.
    #[inline(always)]
    pub(crate) fn visit(&self, positions: u64) {
        self.visited.set(self.visited.get() + positions);
    }

    /// Null window (alpha, alpha + 1).
    pub fn null_window(&mut self, node: Node, alpha: i32) -> Option<i32> {
        let count = node.count;
        if count <= LEAF_EMPTIES {
            return Some(self.leaf(node, alpha));
        }
        if count < SHARED_TT_EMPTIES {
            return Some(self.near_end(node, alpha));
        }
        self.enter()?;
        let legal = self.legal(node);
        if legal == 0 {
            return self
                .no_move(node, |search, passed| search.null_window(passed, -alpha - 1).map(|score| -score));
        }
        if let Some(bound) = self.stability_bound(node, alpha) {
            return Some(bound);
        }
        // Table cut-off: the stored bounds are proved, under either goal.
        let known = self.known(node);
        if let Some(bound) = known.and_then(|known| known.settles(alpha)) {
            return Some(bound);
        }
        if let Some(bound) = self.probcut(node, alpha) {
            return Some(bound);
        }
        let mut list = Candidates::new();
        self.fill(&mut list, node, legal);
        // Wipe-out: the maximum score, so no other move can be better. Under the normal goal with winner scoring only.
        if L::WIPE_OUT_WINS && list.iter().any(|candidate| candidate.player == 0) {
            return Some(self.board.square_count as i32);
        }
        let has_hash_move = ordering::rank_hash_move(&mut list, self.hash_move(node, known));
        // A rank without look-ahead costs less than the wait for the children's entries, which arrive meanwhile.
        let ranks_first = !has_hash_move && self.look_ahead(count) == 0;
        if ranks_first {
            self.rank(&mut list, node);
        }
        if let Some(bound) = self.etc_cutoff(&list, count - 1, alpha) {
            return Some(bound);
        }
        // The hash move often refutes; then the others need no rank.
        if !has_hash_move && !ranks_first {
            self.rank(&mut list, node);
        }
        let before = self.nodes;
        let (mut best, mut best_square) = (NO_SCORE, NO_MOVE);
        for place in 0..list.len() {
            let candidate = ordering::next_best(&mut list, place);
            let child = self.child(node, candidate);
            let score = -self.null_window(child, -alpha - 1)?;
            if score > best {
                (best, best_square) = (score, candidate.square);
                // Beta cut-off: the result is a lower bound above alpha, as the contract asks, under either goal.
                if score > alpha {
                    break;
                }
            }
            if has_hash_move && place == 0 {
                self.rank(&mut list[1..], node);
            }
            if count >= SPLIT_EMPTIES && place + 1 < list.len() && self.context.threads.has_idle() {
                (best, best_square) = self.share(node, alpha, &mut list, place + 1, (best, best_square))?;
                break;
            }
        }
        self.store(node, alpha, alpha + 1, best, best_square, before);
        Some(best)
    }

    /// Plies of search with which the learned ordering ranks the moves of a node.
    #[inline(always)]
    fn look_ahead(&self, count: u32) -> u32 {
        plies(self.learned_ordering.ply_steps, count)
    }

    /// Ranks the moves, with more effort for larger trees.
    #[inline(always)]
    fn rank(&mut self, list: &mut [Candidate], node: Node) {
        self.visit(list.len() as u64);
        match self.context.evaluator {
            Some(evaluator) if node.count >= self.learned_ordering.empties => {
                let depth = self.look_ahead(node.count);
                let weights = &self.learned_ordering.weights;
                if depth == 0 && !self.has_canonical_children(node) {
                    let parent = Position::new(node.player, node.opponent);
                    ordering::rank_by_estimate(list, self.board, evaluator, parent, weights);
                    self.visit(list.len() as u64);
                } else {
                    let shallow = self.shallow(evaluator);
                    ordering::rank_by_search(list, self.board, shallow, depth, weights);
                    self.count_plies(depth);
                }
            }
            _ => ordering::rank_statically::<L>(list, self.board, node.parity),
        }
    }

    /// A shallow search for the ordering and for ProbCut.
    #[inline(always)]
    pub(crate) fn shallow(&self, evaluator: &'a Evaluator) -> ShallowSearch<'_> {
        let stop = self.context.stop;
        ShallowSearch { geometry: self.board.geometry, evaluator, stop, visited: &self.visited }
    }

    /// Brings the next poll nearer by the time of a shallow search, in nodes.
    #[inline(always)]
    pub(crate) fn count_plies(&mut self, depth: u32) {
        self.next_poll = self.next_poll.saturating_sub(1 << (2 * depth));
    }

    /// Searches the moves from `place` on together with idle threads (YBWC).
    #[cold]
    fn share(
        &mut self,
        node: Node,
        alpha: i32,
        list: &mut Candidates,
        place: usize,
        best: (i32, u8),
    ) -> Option<(i32, u8)> {
        list[place..].sort_by_key(|candidate| std::cmp::Reverse(candidate.rank));
        let siblings = list[place..].to_vec();
        let split = Arc::new(SplitPoint::new(self.split.clone(), self.mode, node, alpha, siblings, best));
        let threads = self.context.threads;
        threads.offer(&split);
        self.work_on(&split);
        threads.close(&split, |inner| self.work_on(inner))
    }

    /// Searches siblings of a split point until none is left.
    pub fn work_on(&mut self, split: &Arc<SplitPoint>) {
        let outer = (self.mode, self.split.replace(split.clone()));
        self.mode = split.mode;
        while let Some(candidate) = split.take() {
            match self.null_window(self.child(split.node, candidate), -split.alpha - 1) {
                Some(score) => split.report(-score, candidate.square),
                None => {
                    split.abandon();
                    break;
                }
            }
        }
        (self.mode, self.split) = outer;
    }

    #[inline(always)]
    fn has_canonical_children(&self, node: Node) -> bool {
        node.count > self.board.canonical_empties
    }

    /// Adds the legal moves with the positions after them, not yet ranked.
    #[inline(always)]
    fn fill(&self, list: &mut Candidates, node: Node, legal: u64) {
        let canonical = self.has_canonical_children(node);
        ordering::fill(self.board, list, node.player, node.opponent, legal, |player, opponent| {
            let key = self.key(node.count - 1, player, opponent);
            // Prefetch for the ETC probe.
            match node.count {
                _ if canonical => {}
                ..=SHARED_TT_EMPTIES => self.local.prefetch(player, opponent),
                _ => self.context.table.prefetch(key),
            }
            key
        });
        if canonical {
            ordering::drop_symmetric(list, self.board.geometry, |player, opponent| {
                self.key(node.count - 1, player, opponent)
            });
        }
    }

    #[inline(always)]
    fn child(&self, node: Node, candidate: Candidate) -> Node {
        let Candidate { player, opponent, replies, key, .. } = candidate;
        if self.has_canonical_children(node) {
            return Node { legal: replies, ..self.node(player, opponent) };
        }
        let parity = self.board.parity_after(node.parity, candidate.square.into());
        Node { player, opponent, count: node.count - 1, parity, legal: replies, key }
    }

    /// A node without a legal move: a pass, or the final score.
    fn no_move(
        &mut self,
        node: Node,
        after_pass: impl FnOnce(&mut Self, Node) -> Option<i32>,
    ) -> Option<i32> {
        let Node { player, opponent, .. } = node;
        let legal = self.board.kernel.moves(opponent, player) & self.empties(player, opponent);
        if legal == 0 {
            let score = L::finished(player.count_ones(), opponent.count_ones(), self.board.square_count);
            return Some(score);
        }
        let key = self.key(node.count, opponent, player);
        after_pass(self, Node { player: opponent, opponent: player, legal, key, ..node })
    }

    /// Full window (alpha, beta); returns the score and the best move, [`NO_MOVE`] for a pass or a finished game.
    pub fn principal(&mut self, node: Node, mut alpha: i32, beta: i32) -> Option<(i32, u8)> {
        let Node { player, opponent, .. } = node;
        // Here nodes with few empty squares are looked up too.
        let node = Node { key: self.key(node.count, player, opponent), ..node };
        self.enter()?;
        let legal = self.legal(node);
        if legal == 0 {
            let pass =
                |search: &mut Self, passed| search.principal(passed, -beta, -alpha).map(|found| -found.0);
            return self.no_move(node, pass).map(|score| (score, NO_MOVE));
        }
        let known = self.known(node);
        if let Some(known) = known.filter(|known| known.best != NO_MOVE)
            && let Some(score) = known.settles_window(alpha, beta)
        {
            return Some((score, known.best));
        }
        let mut list = Candidates::new();
        self.fill(&mut list, node, legal);
        self.rank(&mut list, node);
        ordering::rank_hash_move(&mut list, self.hash_move(node, known));
        let (before, first_alpha) = (self.nodes, alpha);
        let (mut best, mut best_square) = (NO_SCORE, NO_MOVE);
        let proof = self.proof.filter(|proof| proof.is_root(node) && !self.mode.is_unproved(node.count));
        for place in 0..list.len() {
            if let Some(proof) = proof {
                proof.moves_done(place, list.len());
            }
            let candidate = ordering::next_best(&mut list, place);
            let child = self.child(node, candidate);
            let mut score = NO_SCORE;
            if place > 0 {
                score = -self.null_window(child, -alpha - 1)?;
                // Fail high: this lower bound is proved before the re-search.
                if let Some(proof) = proof.filter(|_| score > alpha && score < beta) {
                    proof.move_reaches(node, score, candidate.square);
                }
            }
            if place == 0 || (score > alpha && score < beta) {
                score = -self.principal(child, -beta, -alpha)?.0;
            }
            if score > best {
                (best, best_square) = (score, candidate.square);
                // At or below alpha the score is only an upper bound of this one move.
                if let Some(proof) = proof.filter(|_| score > alpha) {
                    proof.move_reaches(node, score, candidate.square);
                }
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        self.store(node, first_alpha, beta, best, best_square, before);
        Some((best, best_square))
    }
}
