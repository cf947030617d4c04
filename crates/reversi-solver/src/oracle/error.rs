//! Errors of the oracle.

use crate::eval::weights::WeightsError;
use crate::search::MemoryError;
use reversi_rules::{Move, Score};
use reversi_table::TableError;
use reversi_table::library::{FileError, Source as Origin};

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// A table is damaged, contradicts itself or is made for another board or other rules.
    #[error("{origin}: {error}")]
    Table {
        /// The table's file or built-in name.
        origin: Origin,
        /// What is wrong with it.
        error: TableError,
    },
    /// The score of a table entry differs from the score that its children give.
    #[error("{origin}: stores {stored} for a position whose moves lead to {found}")]
    Contradiction {
        /// The table's file or built-in name.
        origin: Origin,
        /// The score of the entry.
        stored: Score,
        /// The score that the children give.
        found: Score,
    },
    /// The stored move of a table entry is illegal.
    #[error("{origin}: stores the move {mv} for a position in which it is not legal")]
    IllegalMove {
        /// The table's file or built-in name.
        origin: Origin,
        /// The stored move, in the position of the question.
        mv: Move,
    },
    /// The weights for move ordering exist but cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The memory for a search is not available.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The search was stopped before its end.
    #[error("the search was stopped before it ended")]
    Stopped,
}

impl OracleError {
    /// The stable word for this error: the `kind` of the JSON error object.
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
