//! Errors of the crates as exceptions of the package, with the same words.

use pyo3::exceptions::{PyFileNotFoundError, PyMemoryError, PyValueError};
use pyo3::{PyErr, PyResult, Python, import_exception};
use reversi_engine::PlayerError as EnginePlayerError;
use reversi_solver::oracle::OracleError;
use reversi_solver::search::MemoryError;
use reversi_table::TableError as RustTableError;
use reversi_table::library::FileError;
use std::fmt::Display;
use std::io;
use std::path::Path;

import_exception!(reversi_oracle._errors, GameNotOverError);
import_exception!(reversi_oracle._errors, IllegalMoveError);
import_exception!(reversi_oracle._errors, InternalError);
import_exception!(reversi_oracle._errors, OutOfTimeError);
import_exception!(reversi_oracle._errors, PlayerError);
import_exception!(reversi_oracle._errors, TableError);
import_exception!(reversi_oracle._errors, TextError);

/// A `ValueError` with the words of an error.
pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Why a table could not be used; `path` is the file it stands in.
pub fn table_error(path: &Path, error: &RustTableError) -> PyErr {
    let message = format!("{}: {error}", path.display());
    match error {
        RustTableError::Io(error) if error.kind() == io::ErrorKind::NotFound => {
            PyFileNotFoundError::new_err(message)
        }
        _ => TableError::new_err(message),
    }
}

/// The same for an error that names its file.
pub fn file_error(error: &FileError) -> PyErr {
    table_error(&error.path, &error.error)
}

/// Why the oracle has no answer. A stop by a signal has its own exception, so one that is left is the deadline's.
pub fn oracle_error(error: &OracleError) -> PyErr {
    match error {
        OracleError::Memory(error) => memory_error(error),
        OracleError::Stopped => OutOfTimeError::new_err("the time was over before the search ended"),
        OracleError::Table { .. }
        | OracleError::Contradiction { .. }
        | OracleError::IllegalMove { .. }
        | OracleError::Weights(_) => TableError::new_err(error.to_string()),
    }
}

/// Memory that the machine does not have.
pub fn memory_error(error: &MemoryError) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

/// Why a player gives no move.
pub fn player_error(error: &EnginePlayerError) -> PyErr {
    match error {
        EnginePlayerError::OutOfTime { .. } => OutOfTimeError::new_err(error.to_string()),
        EnginePlayerError::NoMemory { .. } => PyMemoryError::new_err(error.to_string()),
        EnginePlayerError::Unsupported { .. }
        | EnginePlayerError::Resigned { .. }
        | EnginePlayerError::Failed { .. } => PlayerError::new_err(error.to_string()),
        EnginePlayerError::GameOver => PyValueError::new_err(error.to_string()),
    }
}

/// Makes sure that arrays can be made: the bindings would panic without numpy.
///
/// # Errors
/// `ImportError` where numpy is missing or does not run on this processor.
pub fn need_numpy(py: Python<'_>) -> PyResult<()> {
    py.import("numpy").map(drop)
}
