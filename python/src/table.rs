//! A file of exact values.

use crate::arrays::{Batch, positions, share_of_probes};
use crate::board::PyBoard;
use crate::errors::{TableError, file_error, need_numpy, table_error, value_error};
use crate::run::thread_count;
use crate::words::move_name;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use reversi_rules::{Board, Color, Geometry, Move, Position, Rules, Start};
use reversi_solver::search::Stop;
use reversi_table::library::{self, Library, OpenedTable, Source};
use reversi_table::{Entry, Table, TableError as RustTableError};
use std::path::PathBuf;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::vec::IntoIter;

/// In place of a score where a table holds none: no score of any board.
const NO_SCORE: i8 = i8::MIN;
/// In place of a square where there is no move; a pass is [`PASS`].
const NO_MOVE: i8 = -1;
/// The number of a pass among the numbers of squares, 0 to 63.
const PASS: i8 = 64;

/// From now on tables and weights are looked for in this directory too, after the one that a caller names and
/// `$REVERSI_DATA`, and not in the working directory.
#[pyfunction]
pub fn use_data(directory: PathBuf) {
    library::use_installed(directory);
}

/// A score and the stored move.
type Found<'py> = (i32, Option<Bound<'py, PyString>>);

/// A file of exact values, or a table of the package itself.
#[pyclass(name = "Table", module = "reversi_oracle._native", subclass, frozen)]
pub struct NativeTable {
    opened: Mutex<Opened>,
}

/// A table of one process: after a fork the child opens it anew, since another thread of the parent may have been reading
/// it.
struct Opened {
    process: u32,
    /// `None` once it is closed.
    table: Option<Arc<OpenedTable>>,
}

impl NativeTable {
    fn table(&self) -> PyResult<Arc<OpenedTable>> {
        let mut opened =
            self.opened.lock().map_err(|_| TableError::new_err("the table could not be opened again"))?;
        let table = opened.table.clone().ok_or_else(|| PyValueError::new_err("the table is closed"))?;
        if opened.process == process::id() {
            return Ok(table);
        }
        let again = Arc::new(reopened(&table)?);
        std::mem::forget(opened.table.replace(again.clone()));
        opened.process = process::id();
        Ok(again)
    }

    /// Holds a table by the whole path of its file: a child after a fork, or a pickle, may have another working directory.
    fn holding(mut opened: OpenedTable) -> NativeTable {
        if let Source::File(path) = &mut opened.source
            && let Ok(whole) = std::path::absolute(&*path)
        {
            *path = whole;
        }
        let opened = Opened { process: process::id(), table: Some(Arc::new(opened)) };
        NativeTable { opened: Mutex::new(opened) }
    }
}

/// The same table, opened a second time.
fn reopened(opened: &OpenedTable) -> PyResult<OpenedTable> {
    let contents = &opened.table.header().contents;
    let table = match &opened.source {
        Source::File(path) => Table::open(path).map_err(|error| table_error(path, &error))?,
        Source::BuiltIn => {
            let start = Start::ALL.into_iter().find(|&start| contents.covers(start)).unwrap_or_default();
            let built_in = library::built_in(contents.geometry, contents.rules, start);
            built_in.ok_or_else(|| TableError::new_err("the table is not built in any more"))?
        }
    };
    Ok(OpenedTable { table, source: opened.source.clone() })
}

fn fault(opened: &OpenedTable, error: &RustTableError) -> PyErr {
    match &opened.source {
        Source::File(path) => table_error(path, error),
        Source::BuiltIn => TableError::new_err(format!("{}: {error}", opened.source)),
    }
}

/// # Errors
/// `ValueError` for a board of another size or under other rules than the table's.
fn expect(opened: &OpenedTable, board: &PyBoard) -> PyResult<()> {
    opened.table.expect(board.geometry(), board.rules).map_err(value_error)
}

#[pymethods]
impl NativeTable {
    /// Opens a file.
    #[staticmethod]
    fn _open(path: PathBuf) -> PyResult<NativeTable> {
        let table = Table::open(&path).map_err(|error| table_error(&path, &error))?;
        Ok(NativeTable::holding(OpenedTable { table, source: Source::File(path) }))
    }

    /// The table for games that begin as `board` does and have its rules; `None` if there is none.
    #[staticmethod]
    #[pyo3(signature = (size, goal, scoring, start, data = None))]
    fn _find(
        size: &str,
        goal: &str,
        scoring: Option<&str>,
        start: &str,
        data: Option<PathBuf>,
    ) -> PyResult<Option<NativeTable>> {
        let geometry = crate::words::geometry(size)?;
        let rules = crate::words::rules(geometry, goal, scoring)?;
        let start: Start = start.parse().map_err(value_error)?;
        let found = Library::new(data.as_deref()).find(geometry, rules, start);
        Ok(found.map_err(|error| file_error(&error))?.map(NativeTable::holding))
    }

    /// Closes the table; it answers no more.
    fn close(&self) {
        if let Ok(mut opened) = self.opened.lock() {
            opened.table = None;
        }
    }

    /// Whether the table has been closed. One that cannot be opened again after a fork has not.
    #[getter]
    fn closed(&self) -> bool {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).table.is_none()
    }

    fn _probe<'py>(&self, py: Python<'py>, board: PyRef<'_, PyBoard>) -> PyResult<Option<Found<'py>>> {
        let opened = self.table()?;
        expect(&opened, &board)?;
        let found = opened.table.probe(board.position()).map_err(|error| fault(&opened, &error))?;
        Ok(found.map(|Entry { score, best }| (score.discs(), best.map(|mv| move_name(py, mv)))))
    }

    /// Scores, moves and whether they are stored, of positions on the board of the table.
    #[pyo3(signature = (player, opponent, *, threads = None))]
    #[expect(clippy::type_complexity, reason = "a tuple that Python gives names to")]
    fn _probe_many<'py>(
        &self,
        py: Python<'py>,
        player: PyReadonlyArray1<'py, u64>,
        opponent: PyReadonlyArray1<'py, u64>,
        threads: Option<usize>,
    ) -> PyResult<(Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<bool>>)> {
        need_numpy(py)?;
        let opened = self.table()?;
        let positions = positions(opened.table.geometry(), &player, &opponent)?;
        let mut found = vec![(NO_SCORE, NO_MOVE, false); positions.len()];
        let threads = thread_count(threads)?;
        let probe = |position: Position| opened.table.probe(position).map(in_numbers);
        let share = share_of_probes(positions.len(), threads);
        let stop = Stop::never();
        let batch = Batch { positions: &positions, threads, share, stop: &stop };
        batch.fill(py, &mut found, probe, |error| fault(&opened, error))?;
        let scores: Vec<i8> = found.iter().map(|found| found.0).collect();
        let moves: Vec<i8> = found.iter().map(|found| found.1).collect();
        let stored: Vec<bool> = found.iter().map(|found| found.2).collect();
        Ok((scores.into_pyarray(py), moves.into_pyarray(py), stored.into_pyarray(py)))
    }

    /// Reads the whole table and checks every checksum; returns the number of blocks.
    fn check(&self, py: Python<'_>) -> PyResult<u64> {
        let opened = self.table()?;
        let checked = crate::run::detached(py, || opened.table.check_all_blocks())?;
        checked.map_err(|error| fault(&opened, &error))
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.table()?.table.header().entries() as usize)
    }

    fn _iterate(&self) -> PyResult<TableIterator> {
        let table = self.table()?;
        Ok(TableIterator(Mutex::new(Place { table, block: 0, entries: Vec::new().into_iter() })))
    }

    /// The file, or a name for a table of the package itself.
    #[getter]
    fn path(&self) -> PyResult<String> {
        Ok(self.table()?.source.to_string())
    }

    /// Whether the table is one of the package itself.
    #[getter]
    fn _is_built_in(&self) -> PyResult<bool> {
        Ok(matches!(self.table()?.source, Source::BuiltIn))
    }

    /// The size of the board, such as `"6x6"`.
    #[getter]
    fn size(&self) -> PyResult<String> {
        Ok(self.table()?.table.geometry().to_string())
    }

    /// `"normal"` or `"reversed"`.
    #[getter]
    fn goal(&self) -> PyResult<&'static str> {
        Ok(self.table()?.table.rules().goal.name())
    }

    /// `"raw"` or `"winner"`.
    #[getter]
    fn scoring(&self) -> PyResult<&'static str> {
        Ok(self.table()?.table.rules().scoring.name())
    }

    /// The positions from which the table was made, Black to move.
    #[getter]
    fn roots(&self) -> PyResult<Vec<PyBoard>> {
        let opened = self.table()?;
        let contents = &opened.table.header().contents;
        let roots = contents.roots.iter();
        Ok(roots.map(|&root| as_board(contents.geometry, contents.rules, root)).collect())
    }
}

/// Entries of a table, one after the other.
#[pyclass(module = "reversi_oracle._native", frozen)]
pub struct TableIterator(Mutex<Place>);

/// How far an iteration has come.
struct Place {
    table: Arc<OpenedTable>,
    /// The block to be read next.
    block: u64,
    /// What is left of the block before it.
    entries: IntoIter<(Position, Entry)>,
}

#[pymethods]
impl TableIterator {
    fn __iter__(slf: Bound<'_, TableIterator>) -> Bound<'_, TableIterator> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<(PyBoard, Found<'py>)>> {
        let mut place =
            self.0.lock().map_err(|_| TableError::new_err("an earlier block could not be read"))?;
        loop {
            if let Some((position, entry)) = place.entries.next() {
                let board = as_board(place.table.table.geometry(), place.table.table.rules(), position);
                return Ok(Some((board, (entry.score.discs(), entry.best.map(|mv| move_name(py, mv))))));
            }
            let Some(entries) = place.table.table.entries_of_block(place.block) else { return Ok(None) };
            place.entries = entries.map_err(|error| fault(&place.table, &error))?.into_iter();
            place.block += 1;
        }
    }
}

/// A position of a table, which knows no colours, as a board with Black to move.
fn as_board(geometry: Geometry, rules: Rules, position: Position) -> PyBoard {
    PyBoard::new(Board::from_position(geometry, position, Color::Black), rules)
}

fn in_numbers(found: Option<Entry>) -> (i8, i8, bool) {
    let Some(Entry { score, best }) = found else { return (NO_SCORE, NO_MOVE, false) };
    let square = match best {
        None => NO_MOVE,
        Some(Move::Pass) => PASS,
        Some(Move::Play(square)) => square.index() as i8,
    };
    (score.discs() as i8, square, true)
}
