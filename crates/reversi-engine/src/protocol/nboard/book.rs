//! What the tables of exact values know of a game's position: the `book` lines of the protocol.

use crate::{Game, GameMove};
use reversi_rules::{Geometry, Passing, Position, Rules, Score, Start};
use reversi_solver::oracle::{Oracle, OracleCache, OracleError};
use reversi_solver::search::SolverOptions;
use reversi_table::library::Library;

/// The tables, opened for the board and the rules of the game of the moment.
pub struct Book {
    library: Library,
    oracles: OracleCache,
}

/// A legal move whose value a table knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The move, and the best answer to it if that is stored.
    pub pv: Vec<GameMove>,
    /// What it is worth for the side that makes it.
    pub score: Score,
}

impl Book {
    /// The tables of a library, opened when a game needs them.
    pub fn new(library: Library) -> Book {
        Book { library, oracles: OracleCache::default() }
    }

    /// All legal moves with their values, best first; none unless the tables know every one of them.
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

    /// The tables for this board and these rules, whatever the first discs.
    fn oracle(&mut self, geometry: Geometry, rules: Rules) -> Result<&Oracle, OracleError> {
        let options = SolverOptions::default();
        let find = || Oracle::find(geometry, rules, Start::Diagonal, &self.library, options);
        self.oracles.of(geometry, rules, find)
    }
}

/// The best move stored for a position, if one is, and its score.
fn probe(oracle: &Oracle, position: Position) -> Result<Option<(Option<GameMove>, Score)>, OracleError> {
    let entry = oracle.probe(position)?.map(|(_, entry)| entry);
    Ok(entry.map(|entry| (entry.best.map(GameMove::from), entry.score)))
}
