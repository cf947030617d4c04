//! Table values for a game's position: the `book` lines of the protocol.

use crate::{Game, GameMove};
use reversi_rules::{Geometry, Passing, Position, Rules, Score, Start};
use reversi_solver::oracle::{Oracle, OracleCache, OracleError};
use reversi_solver::search::SolverOptions;
use reversi_table::library::Library;

/// The tables of the current game's board and rules.
pub struct TableValues {
    library: Library,
    oracles: OracleCache,
}

/// A legal move with a table value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The move, and the best reply if the table stores it.
    pub pv: Vec<GameMove>,
    /// The exact score in discs for the side that makes the move.
    pub score: Score,
}

impl TableValues {
    /// The tables of a library, opened when a game needs them.
    pub fn new(library: Library) -> TableValues {
        TableValues { library, oracles: OracleCache::default() }
    }

    /// All legal moves with their scores, best first; empty unless the tables hold every child.
    ///
    /// # Errors
    /// A table that cannot be used.
    pub fn moves(&mut self, game: &Game) -> Result<Vec<Known>, OracleError> {
        let Some(board) = game.board().small().filter(|_| game.passing() == Passing::Allowed) else {
            return Ok(Vec::new());
        };
        let oracle = self.oracle(board.geometry, game.rules())?;
        let mut known = Vec::new();
        for (mv, child) in board.position().children(board.geometry) {
            let Some((answer, score)) = probe(oracle, child)? else { return Ok(Vec::new()) };
            known
                .push(Known { pv: [Some(mv.into()), answer].into_iter().flatten().collect(), score: -score });
        }
        known.sort_by_key(|known| std::cmp::Reverse(known.score));
        Ok(known)
    }

    /// The tables of this board and these rules, for either start.
    fn oracle(&mut self, geometry: Geometry, rules: Rules) -> Result<&Oracle, OracleError> {
        let options = SolverOptions::default();
        let find = || Oracle::find(geometry, rules, Start::Diagonal, &self.library, options);
        self.oracles.of(geometry, rules, find)
    }
}

/// Score and stored best move of a position, if a table holds it.
fn probe(oracle: &Oracle, position: Position) -> Result<Option<(Option<GameMove>, Score)>, OracleError> {
    let entry = oracle.probe(position)?.map(|(_, entry)| entry);
    Ok(entry.map(|entry| (entry.best.map(GameMove::from), entry.score)))
}
