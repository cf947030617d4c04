//! The exact solver: the value of any position on any board, under any rules.

use super::law::{Law, with_law};
use super::layout::Layout;
use super::stop::Stop;
use super::transposition::{MemoryError, NO_MOVE, TranspositionTable};
use super::worker::{Node, Worker};
use crate::rules::{Geometry, Move, Position, Rules, Score, Square};

/// What a solver may use.
#[derive(Clone, Copy, Debug)]
pub struct SolverOptions {
    /// Most bytes for the transposition table.
    pub memory_bytes: usize,
    /// Threads of one search, at least 1.
    pub threads: usize,
}

impl Default for SolverOptions {
    /// 1 GiB and all cores.
    fn default() -> SolverOptions {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        SolverOptions { memory_bytes: 1 << 30, threads }
    }
}

/// A solved position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Exact score for the side to move.
    pub score: Score,
    /// A best move; [`Move::Pass`] where it must pass, `None` when the game is over.
    pub best: Option<Move>,
    /// Positions looked at, those with a single empty square not counted.
    pub nodes: u64,
}

/// What is proved of a position whose search was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unfinished {
    /// The score is at least this.
    pub lower: Score,
    /// The score is at most this.
    pub upper: Score,
    /// The move that proved the lower bound, if one did.
    pub best: Option<Move>,
    /// Positions looked at.
    pub nodes: u64,
}

/// Finds exact values on one board under one set of rules; its transposition table is kept from one
/// search to the next. The values depend on nothing else: not on threads, memory or what was asked before.
pub struct Solver {
    layout: Layout,
    rules: Rules,
    table: TranspositionTable,
    #[expect(dead_code)]
    options: SolverOptions,
}

impl Solver {
    /// A solver for positions of `geometry` under `rules`.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn new(geometry: Geometry, rules: Rules, options: SolverOptions) -> Result<Solver, MemoryError> {
        let table = TranspositionTable::new(options.memory_bytes)?;
        Ok(Solver { layout: Layout::new(geometry), rules, table, options })
    }

    /// The exact score and a best move.
    ///
    /// # Errors
    /// When `stop` ended the search: what was proved until then.
    pub fn solve(&self, position: Position, stop: &Stop) -> Result<Solution, Unfinished> {
        self.table.next_generation();
        self.table.limit_to(table_bytes(position.empty_count(self.layout.geometry)));
        with_law!(self.rules, L => Root::<L>::new(self, stop).solve(position))
    }
}

/// Enough memory for a search of so many empty squares, and not so much that it leaves the caches for nothing.
fn table_bytes(empties: u32) -> usize {
    1usize << (empties + 8).clamp(16, 50)
}

/// One search from the root.
struct Root<'a, L> {
    worker: Worker<'a, L>,
    proved: Unfinished,
}

impl<'a, L: Law> Root<'a, L> {
    fn new(solver: &'a Solver, stop: &'a Stop) -> Root<'a, L> {
        let most = Score::new(solver.layout.square_count as i32);
        let proved = Unfinished { lower: -most, upper: most, best: None, nodes: 0 };
        Root { worker: Worker::new(&solver.layout, &solver.table, stop), proved }
    }

    /// Narrow windows around a guess that follows what they prove.
    fn solve(mut self, position: Position) -> Result<Solution, Unfinished> {
        let node = self.worker.node(position.player, position.opponent);
        let mut width = 2;
        let mut guess = 0;
        while self.proved.lower < self.proved.upper {
            let alpha = (guess - width).max(self.proved.lower.discs() - 1);
            let beta = (guess + width).min(self.proved.upper.discs() + 1);
            guess = self.step(node, alpha, beta)?;
            width *= 2;
        }
        Ok(Solution { score: self.proved.lower, best: self.proved.best, nodes: self.worker.nodes })
    }

    /// One window; afterwards more is proved.
    fn step(&mut self, node: Node, alpha: i32, beta: i32) -> Result<i32, Unfinished> {
        let found = self.worker.principal(node, alpha, beta);
        self.proved.nodes = self.worker.nodes;
        let Some((score, square)) = found else { return Err(self.proved) };
        if score > alpha {
            self.proved.lower = self.proved.lower.max(Score::new(score));
            self.proved.best = self.best_move(node, square);
        }
        if score < beta {
            self.proved.upper = self.proved.upper.min(Score::new(score));
        }
        Ok(score)
    }

    fn best_move(&self, node: Node, square: u8) -> Option<Move> {
        if square != NO_MOVE {
            return Some(Move::Play(Square::from_index(square.into())));
        }
        let position = Position::new(node.player, node.opponent);
        position.must_pass(self.worker.layout.geometry).then_some(Move::Pass)
    }
}
