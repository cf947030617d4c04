//! What a player is: something that chooses a move in a game, within limits, and says what it thinks of it.

use reversi_rules::game::{Clock, Game, GameMove, Size};
use reversi_rules::{Goal, Score};
use reversi_solver::eval::Eval;
use reversi_solver::search::Stop;
use std::fmt;
use std::ops::Neg;
use std::time::Duration;

/// A player of games. It may remember things between moves, so it is made or reset for each game.
pub trait Player: Send {
    /// The name that makes this player again, with its parameters: `alphabeta:6,discs`.
    fn name(&self) -> &str;

    /// Whether it can play on boards of this size under this goal.
    ///
    /// # Errors
    /// [`PlayerError`] says what it plays on instead.
    fn supports(&self, size: Size, goal: Goal) -> Result<(), PlayerError> {
        let _ = (size, goal);
        Ok(())
    }

    /// The most plies it looks ahead with so many empty squares, if it deepens step by step and something but time
    /// bounds it.
    fn reach(&self, empties: u32) -> Option<u32> {
        let _ = empties;
        None
    }

    /// Forgets the games before, and draws its random numbers from `seed` from now on.
    fn new_game(&mut self, seed: u64);

    /// Does what takes long and is the same for the whole game, such as reading weights, before a clock
    /// runs. A player that was not asked to prepare does it with its first move.
    ///
    /// # Errors
    /// [`PlayerError`] as [`Player::choose`] would give it.
    fn prepare(&mut self, game: &Game) -> Result<(), PlayerError> {
        let _ = game;
        Ok(())
    }

    /// Chooses a legal move for the side to move; a pass where it must pass. Once `stop` is set it
    /// answers with the best it has; who says nothing but what is proved may be out of time instead.
    ///
    /// # Errors
    /// [`PlayerError`] if the game is over, if the board is not one it plays on, or if it cannot go on.
    fn choose(&mut self, game: &Game, limits: &Limits, stop: &Stop) -> Result<Choice, PlayerError>;
}

/// Why a player gives no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayerError {
    /// There is no move to choose.
    #[error("the game is over")]
    GameOver,
    /// The player does not play on such a board or under such rules.
    #[error("{player} does not play here: {reason}")]
    Unsupported {
        /// The player's name.
        player: String,
        /// What it does play.
        reason: String,
    },
    /// The player has not answered in time.
    #[error("{player} is out of time")]
    OutOfTime {
        /// The player's name.
        player: String,
    },
    /// The player, usually another program, has failed.
    #[error("{player} has failed: {reason}")]
    Failed {
        /// The player's name.
        player: String,
        /// What happened.
        reason: String,
    },
}

impl PlayerError {
    /// The same in a word that programs tell faults apart by: the `kind` of the JSON error object.
    pub fn kind(&self) -> &'static str {
        match self {
            PlayerError::GameOver => "game-over",
            PlayerError::Unsupported { .. } => "bad-player",
            PlayerError::OutOfTime { .. } => "out-of-time",
            PlayerError::Failed { .. } => "player-failed",
        }
    }
}

/// How long a player may think, besides what its own parameters say: the tighter one counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Deepest search in plies, for players that deepen step by step.
    pub depth: Option<u32>,
    /// Time.
    pub clock: Clock,
}

impl Limits {
    /// Only so long for each move.
    pub fn per_move(time: Duration) -> Limits {
        Limits { depth: None, clock: Clock::PerMove(time) }
    }
}

/// A move that needs no thought: a pass; and where the player is timed, an only move.
///
/// # Errors
/// When the game is over.
pub(super) fn without_thought(game: &Game, is_timed: bool) -> Result<Option<Choice>, PlayerError> {
    match game.legal_moves()[..] {
        [] => Err(PlayerError::GameOver),
        [only] if only == GameMove::Pass || is_timed => Ok(Some(Choice::plain(only))),
        _ => Ok(None),
    }
}

/// The move a player has chosen and what it thinks of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// A legal move.
    pub mv: GameMove,
    /// How it was found.
    pub info: Info,
}

impl Choice {
    /// A move without a search.
    pub fn plain(mv: GameMove) -> Choice {
        Choice { mv, info: Info { pv: vec![mv], ..Info::default() } }
    }
}

/// What a search has found out on the way to its move.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Info {
    /// What the position is worth for the side to move; `None` if the player has no view.
    pub value: Option<Value>,
    /// Depth of the search in plies; 0 without one, or where it was stopped before one move had been searched so deep.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The moves the player expects, its own first.
    pub pv: Vec<GameMove>,
    /// Time used.
    pub seconds: f64,
}

/// What a player holds a position to be worth for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// Proved.
    Exact(Score),
    /// Believed, on the scale of discs.
    Estimate(Eval),
    /// Believed, in the own units of a historical evaluation, comparable with nothing else.
    Points(i64),
}

impl Value {
    /// Whether it is proved.
    pub fn is_exact(self) -> bool {
        matches!(self, Value::Exact(_))
    }

    /// How many discs it is; `None` for points, which are no discs.
    pub fn discs(self) -> Option<f64> {
        match self {
            Value::Exact(_) | Value::Estimate(_) => Some(self.number()),
            Value::Points(_) => None,
        }
    }

    /// The number behind it: discs, or points.
    pub fn number(self) -> f64 {
        match self {
            Value::Exact(score) => f64::from(score.discs()),
            Value::Estimate(eval) => eval.discs(),
            Value::Points(points) => points as f64,
        }
    }
}

/// For the other side.
impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        match self {
            Value::Exact(score) => Value::Exact(-score),
            Value::Estimate(eval) => Value::Estimate(-eval),
            Value::Points(points) => Value::Points(-points),
        }
    }
}

/// `+4` if proved, `+3.52` if believed, `+120 points` in an evaluation's own units.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Exact(score) => score.fmt(f),
            Value::Estimate(eval) => eval.fmt(f),
            Value::Points(points) => f.pad(&format!("{points:+} points")),
        }
    }
}
