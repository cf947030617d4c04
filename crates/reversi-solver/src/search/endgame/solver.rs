//! The exact solver: the value of any position on any board, under any rules.

use super::outcome::{BestMoves, Proved, Solution};
use super::search::SearchContext;
use crate::eval::Evaluator;
use crate::free_memory::free_memory;
use crate::pages::MemoryError;
use crate::search::Stop;
use crate::search::Watch;
use crate::search::board_tables::BoardTables;
use crate::search::cost::THREADS_EMPTIES;
use crate::search::endgame::first_guess::first_guess;
use crate::search::endgame::root;
use crate::search::endgame::split::{RunningSearches, SearchThreads};
use crate::search::rule_set::with_rule_set;
use crate::search::tt::exact::{TablePart, TranspositionTable};
use crate::search::tt::local::LocalTables;
use reversi_rules::{Geometry, Move, Position, Rules, Score};
use std::sync::Arc;

/// Resources of a solver. A minimum of memory is always used.
#[derive(Clone, Copy, Debug)]
pub struct SolverOptions {
    /// Limit of the transposition table in bytes.
    pub memory_bytes: usize,
    /// Threads of one search; 0 counts as 1.
    pub threads: usize,
    /// The part of the table that one search uses.
    pub sizing: Sizing,
}

/// The part of the transposition table that one search uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sizing {
    /// A part that grows with the number of empty squares: small searches stay in the caches.
    #[default]
    ByPosition,
    /// The whole table: for many related positions, solved one after the other or by several threads at once, that
    /// share their results.
    Whole,
}

impl Default for SolverOptions {
    /// 1 GiB, or half of the free memory if that is less; all cores; sized by position.
    fn default() -> SolverOptions {
        const USUAL: usize = 1 << 30;
        let free = free_memory().and_then(|free| usize::try_from(free).ok());
        let memory_bytes = free.map_or(USUAL, |free| USUAL.min(free / 2));
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        SolverOptions { memory_bytes, threads, sizing: Sizing::ByPosition }
    }
}

/// Exact scores for one board and rule set. The transposition table is kept between searches. Scores do not depend on
/// threads, memory or earlier searches.
///
/// All searches panic if the position is not one of the solver's board ([`Position::is_on`]).
///
/// ```
/// use reversi_rules::{Board, Geometry, Rules, Start};
/// use reversi_solver::search::{Solver, SolverOptions, Stop};
///
/// let options = SolverOptions { memory_bytes: 1 << 20, threads: 1, ..SolverOptions::default() };
/// let solver = Solver::new(Geometry::FOUR, Rules::default(), options).unwrap();
/// let solution = solver.solve(Board::start(Geometry::FOUR, Start::Diagonal).position(), &Stop::never()).unwrap();
/// assert_eq!(solution.score.discs(), -8);
/// ```
pub struct Solver {
    pub(crate) board: BoardTables,
    rules: Rules,
    pub(crate) table: TranspositionTable,
    local_tables: LocalTables,
    running: RunningSearches,
    threads: usize,
    sizing: Sizing,
    evaluator: Option<Arc<Evaluator>>,
}

impl std::fmt::Debug for Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Solver({} {}, {} threads)", self.board.geometry, self.rules, self.threads)
    }
}

impl Solver {
    /// A solver for positions of `geometry` under `rules`, with the evaluation compiled in for move ordering where
    /// there is one.
    ///
    /// # Errors
    /// When the memory is not available.
    pub fn new(geometry: Geometry, rules: Rules, options: SolverOptions) -> Result<Solver, MemoryError> {
        let evaluator = Evaluator::shipped(geometry, rules.goal);
        Solver::with_ordering(geometry, rules, options, evaluator)
    }

    /// The same with another evaluation for move ordering, or with none. The order changes the time of a search and
    /// the choice among several best moves, never a score.
    ///
    /// # Errors
    /// When the memory is not available.
    ///
    /// # Panics
    /// If the evaluation is for another board.
    pub fn with_ordering(
        geometry: Geometry,
        rules: Rules,
        options: SolverOptions,
        evaluator: Option<Arc<Evaluator>>,
    ) -> Result<Solver, MemoryError> {
        assert!(
            evaluator.as_ref().is_none_or(|evaluator| evaluator.geometry() == geometry),
            "made for another board"
        );
        let table = TranspositionTable::new(options.memory_bytes)?;
        Ok(Solver {
            board: BoardTables::new(geometry),
            rules,
            table,
            local_tables: LocalTables::default(),
            running: RunningSearches::default(),
            threads: options.threads.max(1),
            sizing: options.sizing,
            evaluator,
        })
    }

    /// Helps a running search of this solver until it ends, and returns whether there was one: for threads that have no
    /// search of their own left. The search keeps its own stop. The helper uses the whole table, as do searches with
    /// [`Sizing::Whole`].
    pub fn help_search(&self) -> bool {
        let Some((threads, stop)) = self.running.neediest() else { return false };
        let watch = Watch::default();
        let context = self.context(self.table.whole(), &threads, &watch, &stop);
        with_rule_set!(self.rules, L => root::help::<L>(context));
        true
    }

    /// Clears all tables: later searches, the choice among several best moves included, are those of a new solver.
    pub fn forget(&mut self) {
        self.table.forget();
        self.local_tables = LocalTables::default();
    }

    /// Maps all memory now, so that no search waits for page faults.
    pub fn populate(&self) {
        self.table.populate();
    }

    /// The board.
    pub fn geometry(&self) -> Geometry {
        self.board.geometry
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The exact score and a best move.
    ///
    /// # Errors
    /// When stopped: the bounds proved so far.
    pub fn solve(&self, position: Position, stop: &Stop) -> Result<Solution, Proved> {
        self.solve_watched(position, stop, &Watch::default())
    }

    /// The same with progress for another thread.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn solve_watched(&self, position: Position, stop: &Stop, watch: &Watch) -> Result<Solution, Proved> {
        let most = Score::new(self.board.square_count as i32);
        self.solve_between(position, (-most, most), stop, watch)
    }

    /// The same for a position whose score is known to be at least `least` and at most `most`. If the two are equal, the
    /// search only finds a best move. A move that reaches `most` ends the search: a score above it is not noticed.
    ///
    /// # Errors
    /// When stopped: the bounds proved so far. If the score is below `least`, or found to be above `most`: bounds that
    /// say so.
    pub fn solve_between(
        &self,
        position: Position,
        (least, most): (Score, Score),
        stop: &Stop,
        watch: &Watch,
    ) -> Result<Solution, Proved> {
        position.assert_on(self.board.geometry);
        watch.begin(self.board.geometry);
        let evaluator = self.evaluator.as_deref();
        let guess = first_guess(self.board.geometry, self.rules, evaluator, position, stop);
        // From one below, so that a move that reaches `least` is found.
        let alpha = (least.discs() - 1).max(-(self.board.square_count as i32));
        let window = (alpha, most.discs().max(alpha + 1));
        let proved = self.search(position, window, guess.max(least.discs()), stop, watch);
        let Proved { lower, upper, best, nodes, nodes_as_edax } = proved;
        if (lower == upper || lower == most) && (least..=most).contains(&lower) {
            let best = best.or_else(|| self.any_at_the_least_score(position, lower));
            return Ok(Solution { score: lower, best, nodes, nodes_as_edax });
        }
        Err(proved)
    }

    /// The first move of a position with the least score of the board: there every move is a best one, also if the score
    /// was known and the search was stopped before it tried one. `None` for any other score, or if the game is over.
    fn any_at_the_least_score(&self, position: Position, score: Score) -> Option<Move> {
        let is_least = score.discs() == -(self.board.square_count as i32);
        position.children(self.board.geometry).first().filter(|_| is_least).map(|&(mv, _)| mv)
    }

    /// Win, loss or draw: the bounds decide whether the score is below, at or above 0.
    ///
    /// # Errors
    /// When stopped: the bounds proved so far.
    pub fn win_loss_draw(&self, position: Position, stop: &Stop, watch: &Watch) -> Result<Proved, Proved> {
        watch.begin(self.board.geometry);
        let proved = self.search(position, (-1, 1), 0, stop, watch);
        let settled =
            proved.lower > Score::DRAW || proved.upper < Score::DRAW || proved.lower == proved.upper;
        if settled { Ok(proved) } else { Err(proved) }
    }

    /// All moves that reach at least `score`: the best moves if it is the position's exact score.
    ///
    /// # Errors
    /// When stopped: the bounds proved for the position after one of the moves.
    pub fn best_moves(&self, position: Position, score: Score, stop: &Stop) -> Result<BestMoves, Proved> {
        position.assert_on(self.board.geometry);
        let target = -score.discs();
        let mut best = BestMoves { moves: Vec::new(), nodes: 0, nodes_as_edax: 0 };
        for (mv, child) in position.children(self.board.geometry) {
            let proved = self.search(child, (target, target + 1), target, stop, &Watch::default());
            best.nodes += proved.nodes;
            best.nodes_as_edax += proved.nodes_as_edax;
            if proved.upper.discs() <= target {
                best.moves.push(mv);
            } else if proved.lower.discs() <= target {
                return Err(proved);
            }
        }
        Ok(best)
    }

    /// Whether the score is at most `score`: cheaper than the score itself.
    ///
    /// # Errors
    /// When stopped: the bounds proved so far.
    pub fn is_at_most(&self, position: Position, score: Score, stop: &Stop) -> Result<bool, Proved> {
        self.bound(position, score, stop).map(|proved| proved.upper <= score)
    }

    /// An upper bound that is at most `score`, or a lower bound above it: one null window.
    ///
    /// # Errors
    /// When stopped: the bounds proved so far.
    pub fn bound(&self, position: Position, score: Score, stop: &Stop) -> Result<Proved, Proved> {
        let most = score.discs();
        let proved = self.search(position, (most, most + 1), most, stop, &Watch::default());
        if proved.upper <= score || proved.lower > score { Ok(proved) } else { Err(proved) }
    }

    /// Appends the best moves to the end of the game, passes included, from a position with this exact score. Does not
    /// prove again that other moves reach no more, which on a large board would take as long as the score itself.
    ///
    /// # Errors
    /// When stopped, or if no move of a position on the way with a choice of moves reaches the score that follows from
    /// `score`: the bounds proved for that position, for its side to move. The moves before it have been appended.
    pub fn line(
        &self,
        mut position: Position,
        score: Score,
        stop: &Stop,
        line: &mut Vec<Move>,
    ) -> Result<(), Proved> {
        position.assert_on(self.board.geometry);
        let mut score = score.discs();
        loop {
            let children = position.children(self.board.geometry);
            let next = match children.as_slice() {
                [] => return Ok(()),
                [only] => *only,
                _ => {
                    let proved = self.search(position, (score - 1, score), score, stop, &Watch::default());
                    let found = children.into_iter().find(|&(mv, _)| Some(mv) == proved.best);
                    found.filter(|_| proved.lower.discs() == score).ok_or(proved)?
                }
            };
            line.push(next.0);
            position = next.1;
            score = -score;
        }
    }

    /// The data shared by the threads of a search.
    pub(crate) fn context<'a>(
        &'a self,
        table: TablePart<'a>,
        threads: &'a SearchThreads,
        watch: &'a Watch,
        stop: &'a Stop,
    ) -> SearchContext<'a> {
        SearchContext {
            board: &self.board,
            table,
            local_tables: &self.local_tables,
            stop,
            watch,
            threads,
            evaluator: self.evaluator.as_deref(),
        }
    }

    /// Proves as much as the window (alpha, beta) requires: the exact score, or a bound outside the window.
    fn search(
        &self,
        position: Position,
        window: (i32, i32),
        guess: i32,
        stop: &Stop,
        watch: &Watch,
    ) -> Proved {
        position.assert_on(self.board.geometry);
        let empties = position.empty_count(self.board.geometry);
        let table = match self.sizing {
            Sizing::ByPosition => self.table.part(table_bytes(empties)),
            Sizing::Whole => self.table.whole(),
        };
        let threads = Arc::<SearchThreads>::default();
        let is_long = empties >= THREADS_EMPTIES;
        let _announced = is_long.then(|| self.running.announce(&threads, stop));
        let context = self.context(table, &threads, watch, stop);
        let helpers = if is_long { self.threads - 1 } else { 0 };
        with_rule_set!(self.rules, L => root::search::<L>(context, helpers, position, window, guess))
    }
}

/// Table size for a search of `empties` empty squares. Not more: entries outside the caches are so slow that ten
/// times the entries, which save 2 % of the nodes of the 6x6 start, cost a quarter of its time.
fn table_bytes(empties: u32) -> usize {
    let logarithm = empties.saturating_sub(1).min((empties + 20) / 2);
    1 << logarithm.max(16)
}
