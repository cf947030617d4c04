//! Why the oracle says nothing.

use crate::eval::weights::WeightsError;
use crate::search::MemoryError;
use reversi_rules::{Move, Score};
use reversi_table::TableError;
use reversi_table::library::{FileError, Source as Origin};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// A table that is damaged, wrong inside or made for something else.
    #[error("{origin}: {error}")]
    Table {
        /// The table.
        origin: Origin,
        /// What is wrong with it.
        error: TableError,
    },
    /// A table says something else than what the moves lead to.
    #[error("{origin}: says {stored} where the moves lead to {found}")]
    Contradiction {
        /// The table.
        origin: Origin,
        /// What its entry says.
        stored: Score,
        /// What follows from the positions one move on.
        found: Score,
    },
    /// A table has a move where the rules do not allow it.
    #[error("{origin}: has the move {mv} where it is not legal")]
    IllegalMove {
        /// The table.
        origin: Origin,
        /// The move, in the position asked about.
        mv: Move,
    },
    /// The weights that order the moves of a search are there, but cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// There is not enough memory for a search.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The search was told to stop before it ended.
    #[error("the search was stopped before it ended")]
    Stopped,
}

impl OracleError {
    /// The same in a word that programs tell faults apart by: the `kind` of the JSON error object.
    pub fn kind(&self) -> &'static str {
        match self {
            OracleError::Table { error, .. } => error.kind(),
            OracleError::Weights(error) => error.kind(),
            OracleError::Contradiction { .. } | OracleError::IllegalMove { .. } => "wrong-table",
            OracleError::Memory(_) => "out-of-memory",
            OracleError::Stopped => "stopped",
        }
    }
}

impl From<FileError> for OracleError {
    fn from(FileError { path, error }: FileError) -> OracleError {
        OracleError::Table { origin: Origin::File(path), error }
    }
}
