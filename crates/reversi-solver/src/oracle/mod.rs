//! Position in, exact answer out: the table first, live exact search where the table ends.
//!
//! An [`Oracle`] never guesses. What it says comes from a table entry or from a search that ran to its
//! end, and it says which; when the search is stopped there is no answer.
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

pub use answer::{Answer, LineEnd, MoveScore, Source, Value};
pub use cache::OracleCache;
pub use error::OracleError;

use crate::eval::Evaluator;
use crate::search::{Solution, Solver, SolverOptions, Stop, Watch};
use reversi_rules::{Geometry, Move, Position, Rules, Score, Start};
use reversi_table::Entry;
use reversi_table::library::{Library, OpenedTable};
use std::cmp::Reverse;
use std::fmt;
use std::sync::OnceLock;

/// What orders the moves of searches.
enum Ordering {
    /// The weights compiled in.
    BuiltIn,
    /// Weights from the directories of a library, else those compiled in.
    Library(Library),
    /// No weights.
    Plain,
}

/// Answers questions about one board under one set of rules. Can be shared between threads.
pub struct Oracle {
    geometry: Geometry,
    rules: Rules,
    tables: Vec<OpenedTable>,
    options: SolverOptions,
    ordering: Ordering,
    /// Made when the first search is asked for.
    solver: OnceLock<Solver>,
    watch: Watch,
}

impl Oracle {
    /// An oracle that asks `tables` in their order and searches what none of them holds, with the weights compiled in.
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
        };
        oracle.tables.iter().for_each(|found| oracle.check(found));
        oracle
    }

    /// An oracle with the tables of both starts that the library has, that of `start` first. Where it has none every
    /// answer is searched, which takes minutes on 6x6; [`Oracle::tables`] says which were found. Weights are looked for
    /// in the library too, when the first search begins.
    ///
    /// # Errors
    /// A table that is there but cannot be used.
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

    /// Asks this table before all others.
    ///
    /// # Panics
    /// If it is made for another board or other rules.
    pub fn ask_first(&mut self, found: OpenedTable) {
        self.check(&found);
        self.tables.insert(0, found);
    }

    /// Orders the moves of searches without learned weights, which takes longer and changes no score: damaged weights
    /// are then in nobody's way. To be said before the first search.
    pub fn order_plainly(&mut self) {
        self.ordering = Ordering::Plain;
    }

    /// Makes ready for searches, as the first of them would: reads weights, reserves memory.
    ///
    /// # Errors
    /// Weights that are there but cannot be used; memory that cannot be had.
    pub fn prepare(&self) -> Result<(), OracleError> {
        self.solver(&Stop::never()).map(drop)
    }

    /// Forgets what was searched: which of several best moves is found next does not depend on what was asked before.
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

    /// The tables that are asked.
    pub fn tables(&self) -> &[OpenedTable] {
        &self.tables
    }

    /// How far the search of the moment has come, for whoever looks on. Of a position that is answered in
    /// full its moves are searched one after the other, so the scores are then the other side's. Of several
    /// questions at once it shows a mixture.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// The table that holds a position, with its entry; never searches.
    ///
    /// # Errors
    /// A table that is damaged where it had to be read, has a move that is not legal, or one that leads to a position
    /// of which a table says something else.
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

    /// The same, where only the score is wanted: the move may be anything.
    fn look_up(&self, position: Position) -> Result<Option<(&OpenedTable, Entry)>, OracleError> {
        for found in &self.tables {
            let fail = |error| OracleError::Table { origin: found.source.clone(), error };
            if let Some(entry) = found.table.probe(position).map_err(fail)? {
                return Ok(Some((found, entry)));
            }
        }
        Ok(None)
    }

    /// The score of a position: of all that can be asked the quickest.
    ///
    /// # Errors
    /// See [`OracleError`].
    ///
    /// # Panics
    /// If the position is not one of this board ([`Position::is_on`]).
    pub fn score(&self, position: Position, stop: &Stop) -> Result<(Score, Source), OracleError> {
        position.assert_on(self.geometry);
        match self.look_up(position)? {
            Some((_, entry)) => Ok((entry.score, Source::Table)),
            None => Ok((self.search(position, stop)?.score, Source::Search)),
        }
    }

    /// The score of a position and one best move.
    ///
    /// # Errors
    /// See [`OracleError`]. Where a table has the score but no move, a move is searched for, and a stop means that none
    /// was found; [`Oracle::score`] says the score at once.
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
        let Solution { score, best, .. } = self.search(position, stop)?;
        Ok(Value { score, best, source: Source::Search, best_source: Source::Search })
    }

    /// Everything about a position. Stopped when only the line is left to find, it gives the rest.
    ///
    /// # Errors
    /// See [`OracleError`].
    ///
    /// # Panics
    /// As [`Oracle::value`].
    pub fn answer(&self, position: Position, end: LineEnd, stop: &Stop) -> Result<Answer, OracleError> {
        self.answer_as_found(position, end, stop, |_| {})
    }

    /// The same, and tells of each move as soon as its score is known: first those that the tables know,
    /// then the others, both in row-major order.
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
        // Before the searches: what is wrong with a table is not to be heard of only after them.
        let stored = self.probe(position)?;
        let moves = self.move_scores(position, stop, found)?;
        let best = moves.first().copied();
        let score = best.map_or_else(|| position.final_score(self.geometry, self.rules), |best| best.score);
        let mut first = best.map(|best| best.mv);
        if let Some((found, entry)) = stored {
            agree(found, entry.score, score)?;
            if let Some(stored) = moves.iter().find(|scored| Some(scored.mv) == entry.best) {
                agree(found, entry.score, stored.score)?;
                // Of several best moves a region follows the stored one only.
                first = entry.best;
            }
        }
        let all_stored = best.is_some() && moves.iter().all(|scored| scored.source == Source::Table);
        let source = if stored.is_some() || all_stored { Source::Table } else { Source::Search };
        let end = if source == Source::Search { LineEnd::OfGame } else { end };
        let (line, line_complete) = self.line(position, first, end, stop)?;
        Ok(Answer { score, source, moves, line, line_complete })
    }

    /// All legal moves, best first.
    fn move_scores(
        &self,
        position: Position,
        stop: &Stop,
        mut found: impl FnMut(MoveScore),
    ) -> Result<Vec<MoveScore>, OracleError> {
        let mut unknown = Vec::new();
        let mut moves = Vec::new();
        let mut add = |order: usize, mv, of_child: Score, source| {
            let scored = MoveScore { mv, score: -of_child, source };
            found(scored);
            moves.push((order, scored));
        };
        for (order, (mv, child)) in position.children(self.geometry).into_iter().enumerate() {
            match self.look_up(child)? {
                Some((_, entry)) => add(order, mv, entry.score, Source::Table),
                None => unknown.push((order, mv, child)),
            }
        }
        for (order, mv, child) in unknown {
            add(order, mv, self.search(child, stop)?.score, Source::Search);
        }
        moves.sort_by_key(|&(order, scored)| (Reverse(scored.score), order));
        Ok(moves.into_iter().map(|(_, scored)| scored).collect())
    }

    /// A best move of a position whose score is in a table, but no move; and where it is from.
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
        match self.solver(stop)?.best_move(position, score, stop) {
            Ok(None) => {
                // It is not the score; what is?
                agree(found, score, self.search(position, stop)?.score)?;
                Ok((None, Source::Search))
            }
            Ok(best) => Ok((best, Source::Search)),
            Err(_) => Err(OracleError::Stopped),
        }
    }

    /// Perfect play that begins with `first`, and whether it ends with the game.
    fn line(
        &self,
        mut position: Position,
        first: Option<Move>,
        end: LineEnd,
        stop: &Stop,
    ) -> Result<(Vec<Move>, bool), OracleError> {
        let mut line = Vec::new();
        let mut next = first;
        while let Some(mv) = next {
            line.push(mv);
            position = position.after(mv);
            next = match end {
                LineEnd::OfTable => self.best_in_tables(position)?,
                LineEnd::OfGame => match self.value(position, stop) {
                    Err(OracleError::Stopped) => None,
                    value => value?.best,
                },
            };
        }
        Ok((line, position.is_over(self.geometry)))
    }

    /// A best move known from tables alone.
    fn best_in_tables(&self, position: Position) -> Result<Option<Move>, OracleError> {
        if let Some((_, Entry { best: Some(best), .. })) = self.probe(position)? {
            return Ok(Some(best));
        }
        let mut best: Option<(Move, Score)> = None;
        for (mv, child) in position.children(self.geometry) {
            let Some((_, entry)) = self.look_up(child)? else { return Ok(None) };
            if best.is_none_or(|(_, score)| -entry.score > score) {
                best = Some((mv, -entry.score));
            }
        }
        Ok(best.map(|(mv, _)| mv))
    }

    fn search(&self, position: Position, stop: &Stop) -> Result<Solution, OracleError> {
        let solved = self.solver(stop)?.solve_watched(position, stop, &self.watch);
        solved.map_err(|_| OracleError::Stopped)
    }

    /// The solver, made when it is first needed; an error when no search is to begin any more.
    fn solver(&self, stop: &Stop) -> Result<&Solver, OracleError> {
        if stop.is_set() {
            // A small search is over before it looks, but there may be many of them.
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

/// A table must say what the positions one move on say.
fn agree(table: &OpenedTable, stored: Score, found: Score) -> Result<(), OracleError> {
    if stored == found {
        return Ok(());
    }
    Err(OracleError::Contradiction { origin: table.source.clone(), stored, found })
}
