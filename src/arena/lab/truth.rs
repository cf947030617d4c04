//! What every move of a position is really worth, by the oracle, for many positions at once.

use crate::engine::{Equipment, Game, GameMove};
use crate::oracle::{Oracle, OracleError};
use crate::rules::{Geometry, Position, Rules, Score, Start};
use crate::search::Stop;
use crate::table::library::FileError;
use fastrand::Rng;
use rayon::prelude::*;

/// A position with the exact score of each of its moves.
#[derive(Clone, Debug)]
pub struct Known {
    /// The game that leads to it.
    pub game: Game,
    /// Its discs.
    pub position: Position,
    /// Number of empty squares.
    pub empties: u32,
    /// The score of the best move.
    pub best: Score,
    /// Every move with its score for the side that makes it.
    pub moves: Vec<(GameMove, Score)>,
}

impl Known {
    /// The discs that a move gives away; `None` for a move that is not legal.
    pub fn regret(&self, mv: GameMove) -> Option<u32> {
        let (_, score) = self.moves.iter().find(|(known, _)| *known == mv)?;
        Some(self.best.discs().abs_diff(score.discs()))
    }
}

/// Why the truth is not known.
#[derive(Debug, thiserror::Error)]
pub enum TruthError {
    /// The oracle has no answer.
    #[error(transparent)]
    Oracle(#[from] OracleError),
    /// A table that cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Oracles for one board under one set of rules, one for each thread.
pub struct Truth {
    geometry: Geometry,
    oracles: Vec<Oracle>,
}

impl Truth {
    /// Oracles with the tables that are found, for as many threads as there are here.
    ///
    /// # Errors
    /// A table that is there but cannot be used.
    pub fn new(geometry: Geometry, rules: Rules, equipment: &Equipment) -> Result<Truth, FileError> {
        let equipment = Equipment { threads: 1, ..equipment.clone() };
        let oracle = || equipment.oracle(geometry, rules);
        let oracles = (0..rayon::current_num_threads()).map(|_| oracle()).collect::<Result<_, _>>()?;
        Ok(Truth { geometry, oracles })
    }

    /// The oracle of this thread.
    fn oracle(&self) -> &Oracle {
        &self.oracles[rayon::current_thread_index().unwrap_or(0) % self.oracles.len()]
    }

    /// The exact score of a position for the side to move.
    ///
    /// # Errors
    /// See [`OracleError`].
    pub fn score(&self, position: Position, stop: &Stop) -> Result<Score, OracleError> {
        self.oracle().score(position, stop).map(|(score, _)| score)
    }

    /// The last position that tables hold of a game in which one side plays their moves and the other any: its
    /// score is known without a search. `None` where no table holds the start.
    ///
    /// # Errors
    /// A table that is damaged where it had to be read.
    pub fn last_in_table(&self, random: &mut Rng) -> Result<Option<Position>, OracleError> {
        let (mut position, mut follows) = (self.geometry.start(Start::Diagonal).position(), random.bool());
        let Some((_, mut entry)) = self.oracle().probe(position)? else { return Ok(None) };
        loop {
            let children = position.children(self.geometry);
            let next = match follows {
                true => children.iter().find(|&&(mv, _)| Some(mv) == entry.best),
                false => random.choice(&children),
            };
            let Some(&(_, next)) = next else { return Ok(Some(position)) };
            let Some((_, held)) = self.oracle().probe(next)? else { return Ok(Some(position)) };
            (position, entry, follows) = (next, held, !follows);
        }
    }

    /// Every move of the position that a game has come to, in row-major order.
    ///
    /// # Errors
    /// See [`OracleError`].
    ///
    /// # Panics
    /// If the game is over, or on another board.
    pub fn of(&self, game: Game, stop: &Stop) -> Result<Known, OracleError> {
        let board = game.board().small().expect("a board up to 8x8");
        let position = board.position();
        let scored = position
            .children(self.geometry)
            .into_iter()
            .map(|(mv, child)| self.score(child, stop).map(|score| (GameMove::from(mv), -score)));
        let moves = scored.collect::<Result<Vec<_>, _>>()?;
        let best = moves.iter().map(|&(_, score)| score).max().expect("the game is not over");
        Ok(Known { game, position, empties: position.empty_count(self.geometry), best, moves })
    }

    /// The same for many games at once, in their order; `on_each` hears of each as it is done.
    ///
    /// # Errors
    /// See [`OracleError`].
    ///
    /// # Panics
    /// See [`Truth::of`].
    pub fn of_all(
        &self,
        games: Vec<Game>,
        stop: &Stop,
        on_each: impl Fn() + Sync,
    ) -> Result<Vec<Known>, OracleError> {
        let known = games.into_par_iter().map(|game| self.of(game, stop).inspect(|_| on_each()));
        known.collect()
    }
}
