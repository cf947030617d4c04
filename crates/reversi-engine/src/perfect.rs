//! The perfect player and the worst player: both play moves of the oracle.

use super::player::{Choice, Info, Limits, Player, PlayerError, Value, forced_move};
use super::resources::Resources;
use super::time;
use reversi_rules::game::Clock;
use reversi_rules::game::{Game, GameMove, Size};
use reversi_rules::{Board, Geometry, Move, Passing, Rules, Score};
use reversi_solver::oracle::{Oracle, OracleCache, OracleError};
use reversi_solver::search::{Stop, cost};
use std::time::Instant;

/// The selection among the oracle's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveChoice {
    /// A best move.
    Best,
    /// A worst move: the lower end of the scale of players.
    Worst,
}

/// Plays the oracle's moves: from tables, or by exact search where there is none.
pub struct Perfect {
    choice: MoveChoice,
    resources: Resources,
    /// The oracle of the latest board and rules.
    oracles: OracleCache,
}

impl Perfect {
    /// A player with the tables found in `resources`.
    pub fn new(choice: MoveChoice, resources: Resources) -> Perfect {
        Perfect { choice, resources, oracles: OracleCache::default() }
    }

    fn failed(&self, reason: impl ToString) -> PlayerError {
        PlayerError::Failed { player: self.name().to_owned(), reason: reason.to_string() }
    }

    fn can_play(&self, game: &Game) -> Result<(), PlayerError> {
        // After the end of a game there are no more passes.
        self.supports(game.size(), if game.is_over() { Passing::Allowed } else { game.passing() })
    }

    fn unsupported(&self, reason: String) -> PlayerError {
        PlayerError::Unsupported { player: self.name().to_owned(), reason }
    }

    fn oracle(&mut self, geometry: Geometry, rules: Rules) -> Result<&Oracle, OracleError> {
        self.oracles.of(geometry, rules, || self.resources.oracle(geometry, rules))
    }

    /// The move and its score, `None` when the game is over, and the nodes searched.
    fn select(
        &mut self,
        board: Board,
        rules: Rules,
        stop: &Stop,
    ) -> Result<(Option<(Move, Score)>, u64), OracleError> {
        let (choice, position) = (self.choice, board.position());
        let oracle = self.oracle(board.geometry, rules)?;
        let before = oracle.nodes();
        let selected = match choice {
            MoveChoice::Best => {
                let value = oracle.value(position, stop)?;
                value.best.map(|mv| (mv, value.score))
            }
            MoveChoice::Worst => {
                let moves = oracle.move_scores(position, stop, |_| {})?;
                moves.last().map(|scored| (scored.mv, scored.score))
            }
        };
        Ok((selected, oracle.nodes() - before))
    }
}

impl Player for Perfect {
    fn name(&self) -> &str {
        match self.choice {
            MoveChoice::Best => "perfect",
            MoveChoice::Worst => "worst",
        }
    }

    fn supports(&self, size: Size, passing: Passing) -> Result<(), PlayerError> {
        if !Geometry::from_size(size).is_some_and(cost::is_searched_whole) {
            let reason = format!("it plays on boards of at most 36 squares, not on {size}");
            return Err(self.unsupported(reason));
        }
        if passing == Passing::EndsGame {
            let reason = "the oracle only supports games in which a side without a move passes";
            return Err(self.unsupported(reason.to_owned()));
        }
        Ok(())
    }

    /// Entries of earlier games could change the choice among several best moves.
    fn new_game(&mut self, _seed: u64) {
        self.oracles.forget();
    }

    fn prepare(&mut self, game: &Game) -> Result<(), PlayerError> {
        self.can_play(game)?;
        let Some(geometry) = Geometry::from_size(game.size()) else { return Ok(()) };
        let ready = self.oracle(geometry, game.rules()).and_then(Oracle::prepare);
        ready.map_err(|error| self.failed(error))
    }

    /// Without a proved score there is no move: a stop gives [`PlayerError::OutOfTime`].
    fn choose(&mut self, game: &Game, limits: &Limits, stop: &Stop) -> Result<Choice, PlayerError> {
        let started = Instant::now();
        self.can_play(game)?;
        let Some(board) = game.board().small().filter(|_| !game.is_over()) else {
            return Err(PlayerError::GameOver);
        };
        if limits.clock != Clock::None
            && let Some(choice) = forced_move(game, true)?
        {
            return Ok(choice);
        }
        let stop = stop.and_until(time::all_of(limits.clock).map(|time| time::after(started, time)));
        let (selected, nodes) = self.select(board, game.rules(), &stop).map_err(|error| match error {
            OracleError::Stopped => PlayerError::OutOfTime { player: self.name().to_owned() },
            other => self.failed(other),
        })?;
        let (mv, score) = selected.ok_or(PlayerError::GameOver)?;
        let mv = GameMove::from(mv);
        // The score of the worst move is not the value of the position.
        let value = (self.choice == MoveChoice::Best).then_some(Value::Exact(score));
        let info = Info {
            value,
            depth: board.position().empty_count(board.geometry),
            nodes,
            pv: vec![mv],
            seconds: started.elapsed().as_secs_f64(),
            ..Info::default()
        };
        Ok(Choice { mv, info })
    }
}
