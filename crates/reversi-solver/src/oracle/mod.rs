//! Exact answers for positions: tables first, exact search where the tables end.
//!
//! An [`Oracle`] never estimates. Every score comes from a table entry or from a search that ran to its end, and
//! names that source; a stopped search gives an error, never a score.
//!
//! ```
//! use reversi_solver::oracle::{LineEnd, Oracle, Source};
//! use reversi_rules::{Geometry, Rules, notation};
//! use reversi_solver::search::{SolverOptions, Stop};
//!
//! // Seven empty squares; no table is given, so all of it is searched.
//! let board = notation::parse_board(None, "OOO- XXX- OXO- ---- X").unwrap();
//! let oracle = Oracle::new(Geometry::FOUR, Rules::default(), Vec::new(), SolverOptions::default());
//! let answer = oracle.answer(board.position(), LineEnd::OfGame, &Stop::never()).unwrap();
//! assert_eq!(answer.source, Source::Search);
//! assert_eq!(answer.best().next(), answer.line.first().copied());
//! assert!(answer.line_complete);
//! ```

mod answer;
mod cache;
mod error;
mod line;
mod predecessors;

pub use answer::{Answer, LineEnd, MoveScore, Source, Value};
pub use cache::OracleCache;
pub use error::OracleError;

use crate::eval::Evaluator;
use crate::search::{Solution, Solver, SolverOptions, Stop, Watch};
use predecessors::Bound;
use reversi_rules::{Geometry, Move, Position, Rules, Score, Start};
use reversi_table::Entry;
use reversi_table::library::{Library, OpenedTable};
use std::cmp::Reverse;
use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Source of the weights for move ordering.
enum Ordering {
    /// The weights compiled in.
    BuiltIn,
    /// Weights from the directories of a library, else those compiled in.
    Library(Library),
    /// No weights: static move ordering.
    Plain,
}

/// What the tables know of a score.
enum Known<'a> {
    /// The score.
    Score(Score),
    /// A lower bound, or nothing.
    Bound(Option<Bound<'a>>),
}

/// Exact answers for one board under one rule set. Can be shared between threads.
pub struct Oracle {
    geometry: Geometry,
    rules: Rules,
    tables: Vec<OpenedTable>,
    options: SolverOptions,
    ordering: Ordering,
    /// Created by the first search.
    solver: OnceLock<Solver>,
    watch: Watch,
    nodes: AtomicU64,
}

impl Oracle {
    /// An oracle that probes `tables` in the given order and searches positions that none of them holds. Moves are
    /// ordered with the weights compiled in.
    ///
    /// # Panics
    /// If a table is made for another board or other rules.
    pub fn new(geometry: Geometry, rules: Rules, tables: Vec<OpenedTable>, options: SolverOptions) -> Oracle {
        let oracle = Oracle {
            geometry,
            rules,
            tables,
            options,
            ordering: Ordering::BuiltIn,
            solver: OnceLock::new(),
            watch: Watch::default(),
            nodes: AtomicU64::new(0),
        };
        oracle.tables.iter().for_each(|found| oracle.check(found));
        oracle
    }

    /// An oracle with the library's tables of both starts, that of `start` first. Without a table every answer is
    /// searched, which takes up to a minute on 6x6; [`Oracle::tables`] lists the tables found. The first search also
    /// looks for weights in the library.
    ///
    /// # Errors
    /// A table that exists but cannot be used.
    ///
    /// ```
    /// use reversi_solver::oracle::{LineEnd, Oracle, Source};
    /// use reversi_rules::{Board, Geometry, Goal, Rules, Scoring, Start};
    /// use reversi_solver::search::{SolverOptions, Stop};
    /// use reversi_table::library::Library;
    ///
    /// let (geometry, start) = (Geometry::FOUR, Start::Diagonal);
    /// let rules = Rules::new(Goal::Reversed, Scoring::Raw);
    /// let oracle =
    ///     Oracle::find(geometry, rules, start, &Library::new(None), SolverOptions::default()).unwrap();
    /// let position = Board::start(geometry, start).position();
    /// let answer = oracle.answer(position, LineEnd::OfTable, &Stop::never()).unwrap();
    /// assert_eq!((answer.score.discs(), answer.source), (3, Source::Table));
    /// assert_eq!(answer.best().count(), 4);
    /// ```
    pub fn find(
        geometry: Geometry,
        rules: Rules,
        start: Start,
        library: &Library,
        options: SolverOptions,
    ) -> Result<Oracle, OracleError> {
        let mut tables = Vec::new();
        for start in [start, start.other()] {
            tables.extend(library.find(geometry, rules, start)?);
        }
        let oracle = Oracle::new(geometry, rules, tables, options);
        Ok(Oracle { ordering: Ordering::Library(library.clone()), ..oracle })
    }

    /// Adds a table that is probed before all others.
    ///
    /// # Panics
    /// If it is made for another board or other rules.
    pub fn ask_first(&mut self, found: OpenedTable) {
        self.check(&found);
        self.tables.insert(0, found);
    }

    /// Orders moves without learned weights from now on. Searches take longer, scores stay the same, and damaged
    /// weights cause no error. Has no effect after the first search.
    pub fn order_plainly(&mut self) {
        self.ordering = Ordering::Plain;
    }

    /// Prepares for searches as the first of them would: reads weights, reserves memory.
    ///
    /// # Errors
    /// Weights that exist but cannot be used; memory that is not available.
    pub fn prepare(&self) -> Result<(), OracleError> {
        self.solver(&Stop::never()).map(drop)
    }

    /// Clears the transposition table, so that the choice among several best moves does not depend on earlier
    /// questions.
    pub fn forget(&mut self) {
        self.solver.get_mut().into_iter().for_each(Solver::forget);
    }

    fn check(&self, found: &OpenedTable) {
        assert!(
            found.table.expect(self.geometry, self.rules).is_ok(),
            "{} is for another game",
            found.source
        );
    }

    /// The board it answers about.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The rules it answers by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The tables, in the order in which they are probed.
    pub fn tables(&self) -> &[OpenedTable] {
        &self.tables
    }

    /// Progress of the current search, for another thread. [`Oracle::answer`] searches the moves of a position one
    /// after the other, so the scores shown are then those of the opponent. Several questions at once show a mixture.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// Nodes of all its searches that ended.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The first table that holds a position, with its entry; never searches.
    ///
    /// # Errors
    /// A table that is damaged in the part that was read, a stored move that is illegal, or one whose child has a
    /// contradicting entry.
    ///
    /// ```
    /// use reversi_solver::oracle::Oracle;
    /// use reversi_rules::{Board, Geometry, Position, Rules, Start};
    /// use reversi_solver::search::SolverOptions;
    /// use reversi_table::library::Library;
    ///
    /// let (geometry, start, options) = (Geometry::FOUR, Start::Diagonal, SolverOptions::default());
    /// let oracle = Oracle::find(geometry, Rules::default(), start, &Library::new(None), options).unwrap();
    /// let (_, entry) = oracle.probe(Board::start(geometry, start).position()).unwrap().unwrap();
    /// assert_eq!(entry.score.discs(), -8);
    /// let out_of_reach = Position::new(1, 2);
    /// assert!(oracle.probe(out_of_reach).unwrap().is_none());
    /// ```
    pub fn probe(&self, position: Position) -> Result<Option<(&OpenedTable, Entry)>, OracleError> {
        let Some((found, entry)) = self.look_up(position)? else { return Ok(None) };
        if let Some(mv) = entry.best {
            if !position.is_legal(self.geometry, mv) {
                return Err(OracleError::IllegalMove { origin: found.source.clone(), mv });
            }
            if let Some((_, after)) = self.look_up(position.after(mv))? {
                agree(found, entry.score, -after.score)?;
            }
        }
        Ok(Some((found, entry)))
    }

    /// The same without a check of the stored move, where only the score is needed.
    fn look_up(&self, position: Position) -> Result<Option<(&OpenedTable, Entry)>, OracleError> {
        for found in &self.tables {
            let fail = |error| OracleError::Table { origin: found.source.clone(), error };
            if let Some(entry) = found.table.probe(position).map_err(fail)? {
                return Ok(Some((found, entry)));
            }
        }
        Ok(None)
    }

    /// What the tables know of a score; `asked` as for [`Oracle::bound_by_predecessors`].
    fn known_score(&self, position: Position, asked: Option<Position>) -> Result<Known<'_>, OracleError> {
        if let Some((_, entry)) = self.look_up(position)? {
            return Ok(Known::Score(entry.score));
        }
        Ok(match self.bound_by_predecessors(position, asked)? {
            Some(Bound { least, is_exact: true, .. }) => Known::Score(least),
            bound => Known::Bound(bound),
        })
    }

    /// The score of a position: the cheapest question.
    ///
    /// # Errors
    /// See [`OracleError`].
    ///
    /// # Panics
    /// If the position is not one of this board ([`Position::is_on`]).
    pub fn score(&self, position: Position, stop: &Stop) -> Result<(Score, Source), OracleError> {
        position.assert_on(self.geometry);
        match self.known_score(position, None)? {
            Known::Score(score) => Ok((score, Source::Table)),
            Known::Bound(bound) => Ok((self.search_from(position, bound, stop)?.score, Source::Search)),
        }
    }

    /// The score of a position and one best move.
    ///
    /// # Errors
    /// See [`OracleError`]. Where a table has the score but no move, a move is searched for; a stop during that
    /// search is an error, although [`Oracle::score`] has the score at once.
    ///
    /// # Panics
    /// If the position is not one of this board ([`Position::is_on`]).
    ///
    /// ```
    /// use reversi_solver::oracle::{Oracle, Source};
    /// use reversi_rules::{Geometry, Rules, notation};
    /// use reversi_solver::search::{SolverOptions, Stop};
    ///
    /// let board = notation::parse_board(None, "OOO- XXX- OXO- ---- X").unwrap();
    /// let oracle = Oracle::new(Geometry::FOUR, Rules::default(), Vec::new(), SolverOptions::default());
    /// let value = oracle.value(board.position(), &Stop::never()).unwrap();
    /// assert_eq!(value.source, Source::Search);
    /// let (_, child) = board
    ///     .position()
    ///     .children(Geometry::FOUR)
    ///     .into_iter()
    ///     .find(|&(mv, _)| Some(mv) == value.best)
    ///     .unwrap();
    /// assert_eq!(oracle.value(child, &Stop::never()).unwrap().score, -value.score);
    /// ```
    pub fn value(&self, position: Position, stop: &Stop) -> Result<Value, OracleError> {
        position.assert_on(self.geometry);
        if let Some((found, entry)) = self.probe(position)? {
            let (best, best_source) = match entry.best {
                None => self.find_best(position, found, entry.score, stop)?,
                stored => (stored, Source::Table),
            };
            return Ok(Value { score: entry.score, best, source: Source::Table, best_source });
        }
        let bound = self.bound_by_predecessors(position, None)?;
        let Solution { score, best, .. } = self.search_from(position, bound, stop)?;
        let source = if bound.is_some_and(|bound| bound.is_exact) { Source::Table } else { Source::Search };
        Ok(Value { score, best, source, best_source: Source::Search })
    }

    /// The full answer for a position. A stop while only the line is missing leaves the line incomplete and is no
    /// error.
    ///
    /// # Errors
    /// See [`OracleError`].
    ///
    /// # Panics
    /// As [`Oracle::value`].
    pub fn answer(&self, position: Position, end: LineEnd, stop: &Stop) -> Result<Answer, OracleError> {
        self.answer_as_found(position, end, stop, |_| {})
    }

    /// [`Oracle::answer`] with a call of `found` for each move as soon as its score is known: first the moves whose
    /// children are in a table, then the others, both in row-major order.
    ///
    /// # Errors
    /// See [`OracleError`].
    ///
    /// # Panics
    /// As [`Oracle::value`].
    pub fn answer_as_found(
        &self,
        position: Position,
        end: LineEnd,
        stop: &Stop,
        found: impl FnMut(MoveScore),
    ) -> Result<Answer, OracleError> {
        position.assert_on(self.geometry);
        // Before the searches: an error of a table is reported first, not after minutes of search.
        let stored = self.probe(position)?;
        let moves = self.move_scores(position, stop, found)?;
        let best = moves.first().copied();
        let score = best.map_or_else(|| position.final_score(self.geometry, self.rules), |best| best.score);
        let mut first = best.map(|best| best.mv);
        if stored.is_none()
            && let Some(Bound { least, is_exact: true, table }) =
                self.bound_by_predecessors(position, None)?
        {
            agree(table, -least, -score)?;
        }
        if let Some((found, entry)) = stored {
            agree(found, entry.score, score)?;
            if let Some(stored) = moves.iter().find(|scored| Some(scored.mv) == entry.best) {
                agree(found, entry.score, stored.score)?;
                // A table of a part of the game holds the children of its stored move only, not those of other best
                // moves.
                first = entry.best;
            }
        }
        let all_stored = best.is_some() && moves.iter().all(|scored| scored.source == Source::Table);
        let source = if stored.is_some() || all_stored { Source::Table } else { Source::Search };
        let end = if source == Source::Search { LineEnd::OfGame } else { end };
        let (line, line_complete) = self.line(position, score, first, end, stop)?;
        Ok(Answer { score, source, moves, line, line_complete })
    }

    /// The scores of all legal moves, best first, for the side to move; without a line, and without a check against the
    /// position's own entry. `found` is called for each as soon as it is known, as in [`Oracle::answer_as_found`].
    ///
    /// # Errors
    /// See [`OracleError`].
    ///
    /// # Panics
    /// As [`Oracle::value`].
    pub fn move_scores(
        &self,
        position: Position,
        stop: &Stop,
        mut found: impl FnMut(MoveScore),
    ) -> Result<Vec<MoveScore>, OracleError> {
        position.assert_on(self.geometry);
        let mut unknown = Vec::new();
        let mut moves = Vec::new();
        let mut add = |order: usize, mv, of_child: Score, source| {
            let scored = MoveScore { mv, score: -of_child, source };
            found(scored);
            moves.push((order, scored));
        };
        for (order, (mv, child)) in position.children(self.geometry).into_iter().enumerate() {
            match self.known_score(child, Some(position))? {
                Known::Score(score) => add(order, mv, score, Source::Table),
                Known::Bound(bound) => unknown.push((order, mv, child, bound)),
            }
        }
        for (order, mv, child, bound) in unknown {
            add(order, mv, self.search_from(child, bound, stop)?.score, Source::Search);
        }
        moves.sort_by_key(|&(order, scored)| (Reverse(scored.score), order));
        Ok(moves.into_iter().map(|(_, scored)| scored).collect())
    }

    /// A best move, with its source, for a position whose table entry has a score but no move.
    fn find_best(
        &self,
        position: Position,
        found: &OpenedTable,
        score: Score,
        stop: &Stop,
    ) -> Result<(Option<Move>, Source), OracleError> {
        for (mv, child) in position.children(self.geometry) {
            if self.look_up(child)?.is_some_and(|(_, entry)| -entry.score == score) {
                return Ok((Some(mv), Source::Table));
            }
        }
        if position.is_over(self.geometry) {
            return Ok((None, Source::Table));
        }
        let best = self.move_reaching(position, score, stop)?;
        if best.is_none() {
            // The entry is wrong, and the search gives the score to report.
            agree(found, score, self.search(position, stop)?.score)?;
        }
        Ok((best, Source::Search))
    }

    /// A move that reaches a score, found with one window that asks for no more; `None` if no move does.
    fn move_reaching(
        &self,
        position: Position,
        score: Score,
        stop: &Stop,
    ) -> Result<Option<Move>, OracleError> {
        let Some(below) = self.below(score) else {
            // At the least score of the board every move is a best one.
            return Ok(position.children(self.geometry).first().map(|&(mv, _)| mv));
        };
        let proved = self.solver(stop)?.bound(position, below, stop).map_err(|_| OracleError::Stopped)?;
        self.nodes.fetch_add(proved.nodes, Relaxed);
        Ok(proved.best.filter(|_| proved.upper > below))
    }

    /// The score one disc below; `None` where the board has none.
    fn below(&self, score: Score) -> Option<Score> {
        let least = -(self.geometry.square_count() as i32);
        (score.discs() > least).then(|| Score::new(score.discs() - 1))
    }

    fn search(&self, position: Position, stop: &Stop) -> Result<Solution, OracleError> {
        let solved = self.solver(stop)?.solve_watched(position, stop, &self.watch);
        let solution = solved.map_err(|_| OracleError::Stopped)?;
        self.nodes.fetch_add(solution.nodes, Relaxed);
        Ok(solution)
    }

    /// The same from what its predecessors tell.
    fn search_from(
        &self,
        position: Position,
        bound: Option<Bound>,
        stop: &Stop,
    ) -> Result<Solution, OracleError> {
        let Some(Bound { least, is_exact, table }) = bound else { return self.search(position, stop) };
        let most = if is_exact { least } else { Score::new(self.geometry.square_count() as i32) };
        match self.solver(stop)?.solve_between(position, (least, most), stop, &self.watch) {
            Ok(solution) => {
                self.nodes.fetch_add(solution.nodes, Relaxed);
                Ok(solution)
            }
            Err(proved) if proved.upper < least || proved.lower > most => {
                // The table is wrong, and the search gives the score to report.
                let solution = self.search(position, stop)?;
                agree(table, -least, -solution.score)?;
                Ok(solution)
            }
            Err(_) => Err(OracleError::Stopped),
        }
    }

    /// The solver, created on first use.
    fn solver(&self, stop: &Stop) -> Result<&Solver, OracleError> {
        if stop.is_set() {
            // A small search ends before its first poll, but a caller may run many of them.
            return Err(OracleError::Stopped);
        }
        if let Some(solver) = self.solver.get() {
            return Ok(solver);
        }
        let (geometry, goal) = (self.geometry, self.rules.goal);
        let ordering = match &self.ordering {
            Ordering::Library(library) => Evaluator::find(geometry, goal, library.directories())?,
            Ordering::BuiltIn => Evaluator::shipped(geometry, goal),
            Ordering::Plain => None,
        };
        let made = Solver::with_ordering(self.geometry, self.rules, self.options, ordering)?;
        Ok(self.solver.get_or_init(|| made))
    }
}

impl fmt::Debug for Oracle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Oracle({} {}, {} tables)", self.geometry, self.rules, self.tables.len())
    }
}

/// Checks that a table entry agrees with the entry of its child.
fn agree(table: &OpenedTable, stored: Score, found: Score) -> Result<(), OracleError> {
    if stored == found {
        return Ok(());
    }
    Err(OracleError::Contradiction { origin: table.source.clone(), stored, found })
}
