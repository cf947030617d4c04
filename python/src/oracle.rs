//! Exact values by tables and by search.

use crate::arrays::{Batch, GameKind, positions, positions_of};
use crate::board::PyBoard;
use crate::errors::{InternalError, need_numpy, oracle_error};
use crate::run::{detached, interruptible, stop_after, thread_count};
use crate::words::{move_name, move_names};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyString;
use reversi_rules::{Geometry, Position, Rules, Start};
use reversi_solver::oracle::{LineEnd, Oracle, OracleError};
use reversi_solver::search::{SolverOptions, Stop};
use reversi_table::library::Library;
use std::path::PathBuf;
use std::process;
use std::sync::{Arc, Mutex};

/// Searches with no more empty squares take milliseconds at most: they run on the calling thread.
const SHORT_EMPTIES: u32 = 9;

/// Positions that a thread fetches at once where some of them are searched.
const SEARCH_SHARE: usize = 16;

/// A move and its value.
type Scored<'py> = (Bound<'py, PyString>, i32);

/// The same outside the GIL.
type Scores = Vec<(reversi_rules::Move, i32)>;

/// Exact values by tables and by search, for all boards.
#[pyclass(name = "Oracle", module = "reversi_oracle._native", subclass, frozen)]
pub struct NativeOracle {
    data: Option<PathBuf>,
    threads: usize,
    memory: Option<usize>,
    /// Set, so that a question to tables alone is never searched.
    tables_only: Stop,
    opened: Mutex<Opened>,
}

/// Oracles by board and rules, of one process: after a fork the child begins with none.
struct Opened {
    process: u32,
    oracles: Vec<Arc<OraclePair>>,
}

/// The oracles of one board and its rules.
struct OraclePair {
    /// Searches with several threads, for single questions.
    single: Oracle,
    /// Searches with one thread each, for many questions at once.
    many: Oracle,
}

impl OraclePair {
    fn is_of(&self, geometry: Geometry, rules: Rules) -> bool {
        (self.single.geometry(), self.single.rules()) == (geometry, rules)
    }
}

impl NativeOracle {
    /// The oracles of a board.
    fn of(&self, geometry: Geometry, rules: Rules) -> PyResult<Arc<OraclePair>> {
        let mut opened =
            self.opened.lock().map_err(|_| InternalError::new_err("an earlier question failed"))?;
        if opened.process != process::id() {
            // Not dropped: what another thread of the parent held is held for ever here.
            opened.oracles.drain(..).for_each(std::mem::forget);
            opened.process = process::id();
        }
        if let Some(found) = opened.oracles.iter().find(|pair| pair.is_of(geometry, rules)) {
            return Ok(found.clone());
        }
        let library = Library::new(self.data.as_deref());
        let usual = SolverOptions::default();
        let memory_bytes = self.memory.unwrap_or(usual.memory_bytes);
        let find = |threads| {
            let options = SolverOptions { threads, memory_bytes, ..usual };
            Oracle::find(geometry, rules, Start::Diagonal, &library, options)
        };
        let made = find(self.threads).and_then(|single| Ok(OraclePair { single, many: find(1)? }));
        let pair = Arc::new(made.map_err(|error| oracle_error(&error))?);
        opened.oracles.push(pair.clone());
        Ok(pair)
    }

    /// The threads asked for, or those of the oracle.
    fn thread_count(&self, threads: Option<usize>) -> PyResult<usize> {
        threads.map_or(Ok(self.threads), |threads| thread_count(Some(threads)))
    }

    /// Asks, after the solver has been made with the GIL held (see [`crate::run::settle`]), with an eye on signals where the answer may take long.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        board: &PyBoard,
        time: Option<f64>,
        question: impl FnOnce(&Oracle, Position, &Stop) -> Result<T, OracleError> + Send,
    ) -> PyResult<T> {
        let (pair, position) = (self.of(board.geometry(), board.rules)?, board.position());
        let stop = stop_after(time)?;
        pair.single.prepare().map_err(|error| oracle_error(&error))?;
        let ask = || question(&pair.single, position, &stop);
        let answer = match position.empty_count(board.geometry()) <= SHORT_EMPTIES {
            true => detached(py, ask),
            false => interruptible(py, &stop, ask),
        };
        answer?.map_err(|error| oracle_error(&error))
    }

    fn values<'py>(
        &self,
        py: Python<'py>,
        positions: &[Position],
        game: Option<GameKind>,
        threads: Option<usize>,
        time: Option<f64>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        need_numpy(py)?;
        let mut values = vec![0i8; positions.len()];
        if let Some((geometry, rules)) = game {
            let (pair, stop) = (self.of(geometry, rules)?, stop_after(time)?);
            pair.many.prepare().map_err(|error| oracle_error(&error))?;
            let value = |position| pair.many.score(position, &stop).map(|(score, _)| score.discs() as i8);
            let threads = self.thread_count(threads)?;
            let batch = Batch { positions, threads, share: SEARCH_SHARE, stop: &stop };
            batch.fill(py, &mut values, value, oracle_error)?;
        }
        Ok(values.into_pyarray(py))
    }
}

#[pymethods]
impl NativeOracle {
    #[new]
    #[pyo3(signature = (data = None, *, threads = None, memory = None))]
    fn new(data: Option<PathBuf>, threads: Option<usize>, memory: Option<usize>) -> PyResult<NativeOracle> {
        let opened = Mutex::new(Opened { process: process::id(), oracles: Vec::new() });
        let threads = thread_count(threads)?;
        Ok(NativeOracle { data, threads, memory, tables_only: Stop::already(), opened })
    }

    /// The exact value of a position in discs, for the side to move.
    #[pyo3(signature = (board, *, time = None))]
    fn value(&self, py: Python<'_>, board: PyBoard, time: Option<f64>) -> PyResult<i32> {
        let pair = self.of(board.geometry(), board.rules)?;
        match pair.single.score(board.position(), &self.tables_only) {
            Ok((score, _)) => Ok(score.discs()),
            Err(OracleError::Stopped) => {
                let search = |oracle: &Oracle, position, stop: &Stop| oracle.score(position, stop);
                self.ask(py, &board, time, search).map(|(score, _)| score.discs())
            }
            Err(error) => Err(oracle_error(&error)),
        }
    }

    /// Whether a table holds the position, so that its value is found without a search.
    fn is_stored(&self, board: PyRef<'_, PyBoard>) -> PyResult<bool> {
        let pair = self.of(board.geometry(), board.rules)?;
        match pair.single.score(board.position(), &self.tables_only) {
            Ok(_) => Ok(true),
            Err(OracleError::Stopped) => Ok(false),
            Err(error) => Err(oracle_error(&error)),
        }
    }

    /// A best move, `"pa"` for a forced pass, `None` when the game is over.
    #[pyo3(signature = (board, *, time = None))]
    fn best<'py>(
        &self,
        py: Python<'py>,
        board: PyBoard,
        time: Option<f64>,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        let pair = self.of(board.geometry(), board.rules)?;
        let value = match pair.single.value(board.position(), &self.tables_only) {
            Err(OracleError::Stopped) => {
                self.ask(py, &board, time, |oracle, position, stop| oracle.value(position, stop))?
            }
            stored => stored.map_err(|error| oracle_error(&error))?,
        };
        Ok(value.best.map(|mv| move_name(py, mv)))
    }

    /// Value, source, moves with values and sources, line, whether the line is complete.
    #[pyo3(signature = (board, *, full_line, time = None))]
    #[expect(clippy::type_complexity, reason = "a tuple that Python gives names to")]
    fn _answer<'py>(
        &self,
        py: Python<'py>,
        board: PyBoard,
        full_line: bool,
        time: Option<f64>,
    ) -> PyResult<(i32, &'static str, Vec<(Bound<'py, PyString>, i32, &'static str)>, Vec<String>, bool)>
    {
        let end = if full_line { LineEnd::OfGame } else { LineEnd::OfTable };
        let answer =
            self.ask(py, &board, time, |oracle, position, stop| oracle.answer(position, end, stop))?;
        let moves = answer.moves.iter();
        let moves =
            moves.map(|scored| (move_name(py, scored.mv), scored.score.discs(), scored.source.name()));
        let line = move_names(answer.line.iter().copied());
        Ok((answer.score.discs(), answer.source.name(), moves.collect(), line, answer.line_complete))
    }

    /// Best play to the end of the game, passes included.
    #[pyo3(signature = (board, *, time = None))]
    fn line(&self, py: Python<'_>, board: PyBoard, time: Option<f64>) -> PyResult<Vec<String>> {
        let line = self.ask(py, &board, time, |oracle, mut position, stop| {
            let mut line = Vec::new();
            while let Some(mv) = oracle.value(position, stop)?.best {
                line.push(mv);
                position = position.after(mv);
            }
            Ok(line)
        })?;
        Ok(move_names(line))
    }

    /// All legal moves of each board with their values, best first.
    #[pyo3(signature = (boards, *, threads = None, time = None))]
    fn _moves_many<'py>(
        &self,
        py: Python<'py>,
        boards: Vec<PyRef<'py, PyBoard>>,
        threads: Option<usize>,
        time: Option<f64>,
    ) -> PyResult<Vec<Vec<Scored<'py>>>> {
        let (positions, game) = positions_of(boards)?;
        let Some((geometry, rules)) = game else { return Ok(Vec::new()) };
        let (pair, stop) = (self.of(geometry, rules)?, stop_after(time)?);
        pair.many.prepare().map_err(|error| oracle_error(&error))?;
        let scores = |position: Position| -> Result<Scores, OracleError> {
            let children = position.children(geometry).into_iter();
            let scored = children.map(|(mv, child)| Ok((mv, -pair.many.score(child, &stop)?.0.discs())));
            let mut scored = scored.collect::<Result<Scores, OracleError>>()?;
            scored.sort_by_key(|&(_, score)| -score);
            Ok(scored)
        };
        let mut found = vec![Vec::new(); positions.len()];
        let batch =
            Batch { positions: &positions, threads: self.thread_count(threads)?, share: 1, stop: &stop };
        batch.fill(py, &mut found, scores, oracle_error)?;
        let named =
            |scores: Scores| scores.into_iter().map(|(mv, score)| (move_name(py, mv), score)).collect();
        Ok(found.into_iter().map(named).collect())
    }

    /// The values of positions given as bitboards, on a board and under rules as those of `like`.
    #[pyo3(signature = (player, opponent, like, *, threads = None, time = None))]
    fn _value_many<'py>(
        &self,
        py: Python<'py>,
        player: PyReadonlyArray1<'py, u64>,
        opponent: PyReadonlyArray1<'py, u64>,
        like: PyBoard,
        threads: Option<usize>,
        time: Option<f64>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let (geometry, rules) = (like.geometry(), like.rules);
        self.values(py, &positions(geometry, &player, &opponent)?, Some((geometry, rules)), threads, time)
    }

    /// The values of boards of one size under the same rules.
    #[pyo3(signature = (boards, *, threads = None, time = None))]
    fn _value_boards<'py>(
        &self,
        py: Python<'py>,
        boards: Vec<PyRef<'py, PyBoard>>,
        threads: Option<usize>,
        time: Option<f64>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let (positions, game) = positions_of(boards)?;
        self.values(py, &positions, game, threads, time)
    }
}
