//! The player that never errs: it asks the oracle.

use super::game::{Game, GameMove, Size};
use super::names::Equipment;
use super::player::{Choice, Info, Limits, Player, PlayerError, Value};
use super::time;
use crate::oracle::{Oracle, OracleError};
use crate::rules::{Geometry, Goal, Passing, Rules, Start};
use crate::search::{SolverOptions, Stop};
use crate::table::library::{FileError, Library};
use std::time::Instant;

/// The largest board it plays on: beyond, what no table holds cannot be searched while anybody waits.
const MOST_SQUARES: u32 = 36;

/// Plays the oracle's moves: from a table, or by a search to the end of the game where there is none.
pub struct Perfect {
    equipment: Equipment,
    /// For the board and rules of the latest game.
    oracle: Option<(Geometry, Rules, Oracle)>,
}

impl Perfect {
    /// A perfect player with the tables that are found.
    pub fn new(equipment: Equipment) -> Perfect {
        Perfect { equipment, oracle: None }
    }

    fn oracle(&mut self, geometry: Geometry, rules: Rules) -> Result<&Oracle, PlayerError> {
        let kept = self.oracle.take().filter(|(board, law, _)| (*board, *law) == (geometry, rules));
        let oracle = match kept {
            Some((_, _, oracle)) => oracle,
            None => find(geometry, rules, &self.equipment).map_err(failed)?,
        };
        Ok(&self.oracle.insert((geometry, rules, oracle)).2)
    }
}

fn find(geometry: Geometry, rules: Rules, equipment: &Equipment) -> Result<Oracle, FileError> {
    let library = Library::new(equipment.data.as_deref());
    let options = SolverOptions {
        memory_bytes: equipment.memory_bytes,
        threads: equipment.threads,
        ..SolverOptions::default()
    };
    Oracle::find(geometry, rules, Start::Diagonal, &library, options)
}

fn failed(error: impl ToString) -> PlayerError {
    PlayerError::Failed { player: "perfect".to_owned(), reason: error.to_string() }
}

fn unsupported(reason: String) -> PlayerError {
    PlayerError::Unsupported { player: "perfect".to_owned(), reason }
}

impl Player for Perfect {
    fn name(&self) -> &str {
        "perfect"
    }

    fn supports(&self, size: Size, _: Goal) -> Result<(), PlayerError> {
        if size.to_geometry().is_some() && size.square_count() <= MOST_SQUARES {
            return Ok(());
        }
        Err(unsupported(format!("it plays on boards of at most {MOST_SQUARES} squares, not on {size}")))
    }

    fn new_game(&mut self, _seed: u64) {}

    fn prepare(&mut self, game: &Game) -> Result<(), PlayerError> {
        self.supports(game.size(), game.rules().goal)?;
        match game.size().to_geometry() {
            Some(geometry) => self.oracle(geometry, game.rules()).map(drop),
            None => Ok(()),
        }
    }

    /// Out of time there is no move: what is not proved is not played.
    fn choose(&mut self, game: &Game, limits: &Limits, stop: &Stop) -> Result<Choice, PlayerError> {
        let started = Instant::now();
        self.supports(game.size(), game.rules().goal)?;
        if game.passing() == Passing::EndsGame && !game.is_over() {
            return Err(unsupported("the oracle's games go on where a side has no move".to_owned()));
        }
        let Some(board) = game.board().small().filter(|_| !game.is_over()) else {
            return Err(PlayerError::GameOver);
        };
        let deadline = time::deadline(started, limits.clock, None, game);
        let stop = deadline.map_or_else(|| stop.clone(), |deadline| stop.and_at(deadline));
        let answer = self.oracle(board.geometry, game.rules())?.value(board.position(), &stop);
        let value = answer.map_err(|error| match error {
            OracleError::Stopped => PlayerError::OutOfTime { player: "perfect".to_owned() },
            other => failed(other),
        })?;
        let mv = GameMove::from(value.best.ok_or(PlayerError::GameOver)?);
        let info = Info {
            value: Some(Value::Exact(value.score)),
            depth: board.position().empty_count(board.geometry),
            nodes: 0,
            pv: vec![mv],
            seconds: started.elapsed().as_secs_f64(),
        };
        Ok(Choice { mv, info })
    }
}
