//! Resources of players: memory, threads and files.

use crate::book::Books;
use reversi_rules::{Geometry, Rules, Start};
use reversi_solver::oracle::{Oracle, OracleError};
use reversi_solver::search::SolverOptions;
use reversi_table::library::Library;
use std::path::PathBuf;

/// Resources of players: memory, threads and files.
#[derive(Clone, Debug)]
pub struct Resources {
    /// Limit of a player's transposition tables, in bytes.
    pub memory_bytes: usize,
    /// Threads of one player.
    pub threads: usize,
    /// The directory where tables and weights are looked for first.
    pub data: Option<PathBuf>,
    /// The books that the engine plays from as long as it can.
    pub books: Books,
}

impl Resources {
    /// The oracle of a board with these files, threads and memory.
    ///
    /// # Errors
    /// A table that exists but cannot be used.
    pub fn oracle(&self, geometry: Geometry, rules: Rules) -> Result<Oracle, OracleError> {
        let library = Library::new(self.data.as_deref());
        Oracle::find(geometry, rules, Start::Diagonal, &library, self.solver_options())
    }

    /// The options of an exact search with these resources.
    pub(super) fn solver_options(&self) -> SolverOptions {
        let (memory_bytes, threads) = (self.memory_bytes, self.threads);
        SolverOptions { memory_bytes, threads, ..SolverOptions::default() }
    }
}

/// One thread and 64 MiB.
impl Default for Resources {
    fn default() -> Resources {
        Resources { memory_bytes: 64 << 20, threads: 1, data: None, books: Books::default() }
    }
}
