//! The interface of players: chooses a move in a game within limits, with a value.

use reversi_rules::game::{Clock, Game, GameMove, Size};
use reversi_rules::{Passing, Score};
use reversi_solver::eval::Eval;
use reversi_solver::search::Stop;
use std::fmt;
use std::ops::Neg;
use std::time::Duration;

/// A player of games. It may keep state between moves, so it is created or reset for each game.
pub trait Player: Send {
    /// The specification that creates this player again, with its parameters: `alphabeta:6,discs`.
    fn name(&self) -> &str;

    /// Whether the player supports games on boards of this size with this rule for a side without a move.
    ///
    /// # Errors
    /// [`PlayerError`] names what it supports instead.
    fn supports(&self, size: Size, passing: Passing) -> Result<(), PlayerError> {
        let _ = (size, passing);
        Ok(())
    }

    /// The largest depth in plies that the player reaches with `empties` empty squares; `None` if it does not deepen
    /// iteratively or only time bounds it.
    fn reach(&self, empties: u32) -> Option<u32> {
        let _ = empties;
        None
    }

    /// Whether the images of a position under the symmetries of its board are worth the same to this player.
    fn is_symmetric(&self) -> bool {
        false
    }

    /// The moves with their values from an opening book, best first; `None` without a book, or where it does not know
    /// the values of all moves.
    fn book_hints(&self, game: &Game) -> Option<Vec<Hint>> {
        let _ = game;
        None
    }

    /// The player that searches where this one plays from a book; `None` for players without a book.
    fn searcher(&mut self) -> Option<&mut dyn Player> {
        None
    }

    /// Begins a new game: clears all state and seeds the random numbers with `seed`.
    fn new_game(&mut self, seed: u64);

    /// Prepares for the game before a clock runs, such as reading weights. Without this call the first move includes
    /// the preparation.
    ///
    /// # Errors
    /// [`PlayerError`] as [`Player::choose`] would give it.
    fn prepare(&mut self, game: &Game) -> Result<(), PlayerError> {
        let _ = game;
        Ok(())
    }

    /// Chooses a legal move for the side to move; a pass where it must pass. Once `stop` is set it returns its best
    /// move so far; a player that plays only proved moves may return [`PlayerError::OutOfTime`] instead.
    ///
    /// # Errors
    /// [`PlayerError`] if the game is over, if the board is not supported, or if the player fails.
    fn choose(&mut self, game: &Game, limits: &Limits, stop: &Stop) -> Result<Choice, PlayerError>;
}

/// Errors of players.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayerError {
    /// The game is over: there is no move.
    #[error("the game is over")]
    GameOver,
    /// The player does not support the board or the rules.
    #[error("{player} cannot play this game: {reason}")]
    Unsupported {
        /// The player's name.
        player: String,
        /// What it supports.
        reason: String,
    },
    /// The player has no move within its time.
    #[error("{player} is out of time")]
    OutOfTime {
        /// The player's name.
        player: String,
    },
    /// The player, usually another program, gives the game up: it has lost, and nothing is wrong with it.
    #[error("{player} resigns")]
    Resigned {
        /// The player's name.
        player: String,
    },
    /// The player, usually another program, has failed.
    #[error("{player} has failed: {reason}")]
    Failed {
        /// The player's name.
        player: String,
        /// The cause.
        reason: String,
    },
    /// The machine has not the memory that the player was given.
    #[error("{player} has failed: {reason}")]
    NoMemory {
        /// The player's name.
        player: String,
        /// How much was asked for, and how much there is.
        reason: String,
    },
}

impl PlayerError {
    /// The stable word for this error: the `kind` of the JSON error object.
    pub fn kind(&self) -> &'static str {
        match self {
            PlayerError::GameOver => "game-over",
            PlayerError::Unsupported { .. } => "bad-player",
            PlayerError::OutOfTime { .. } => "out-of-time",
            PlayerError::Resigned { .. } => "resigned",
            PlayerError::Failed { .. } | PlayerError::NoMemory { .. } => "player-failed",
        }
    }
}

/// Limits of a search, in addition to the player's own parameters: the tighter limit counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Largest depth in plies, for players with iterative deepening.
    pub depth: Option<u32>,
    /// The clock of the side to move.
    pub clock: Clock,
}

impl Limits {
    /// A fixed time for each move.
    pub fn per_move(time: Duration) -> Limits {
        Limits { depth: None, clock: Clock::PerMove(time) }
    }
}

/// A move without a search: a pass, and an only move where the player is timed.
///
/// # Errors
/// [`PlayerError::GameOver`].
pub(super) fn forced_move(game: &Game, is_timed: bool) -> Result<Option<Choice>, PlayerError> {
    match game.legal_moves()[..] {
        [] => Err(PlayerError::GameOver),
        [only] if only == GameMove::Pass || is_timed => Ok(Some(Choice::plain(only))),
        _ => Ok(None),
    }
}

/// The chosen move and its search result.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// A legal move.
    pub mv: GameMove,
    /// The search result.
    pub info: Info,
}

impl Choice {
    /// A move without a search.
    pub fn plain(mv: GameMove) -> Choice {
        Choice { mv, info: Info { pv: vec![mv], ..Info::default() } }
    }
}

/// The result of a search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Info {
    /// The value of the position for the side to move; `None` if the player has no evaluation.
    pub value: Option<Value>,
    /// Depth of the search in plies; 0 without a search, or if it was stopped before the first move at any depth.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The principal variation, the chosen move first.
    pub pv: Vec<GameMove>,
    /// Time used, in seconds.
    pub seconds: f64,
    /// Whether the move is from an opening book, without a search.
    pub is_from_book: bool,
}

/// A legal move and its value.
#[derive(Clone, PartialEq, Debug)]
pub struct Hint {
    /// The move.
    pub mv: GameMove,
    /// The value for the side that makes the move.
    pub value: Value,
    /// Depth of the search in plies, this move included; 0 from a book.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The principal variation, this move first.
    pub pv: Vec<GameMove>,
    /// Whether the value is from an opening book.
    pub is_from_book: bool,
}

/// The value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// A proved score in discs.
    Exact(Score),
    /// An estimate on the scale of discs.
    Estimate(Eval),
    /// An estimate in the units of a historical evaluation, not comparable with any other.
    Points(i64),
}

impl Value {
    /// Whether the value is proved.
    pub fn is_exact(self) -> bool {
        matches!(self, Value::Exact(_))
    }

    /// The value in discs; `None` for points.
    pub fn discs(self) -> Option<f64> {
        match self {
            Value::Exact(_) | Value::Estimate(_) => Some(self.number()),
            Value::Points(_) => None,
        }
    }

    /// The number: discs, or points.
    pub fn number(self) -> f64 {
        match self {
            Value::Exact(score) => f64::from(score.discs()),
            Value::Estimate(eval) => eval.discs(),
            Value::Points(points) => points as f64,
        }
    }
}

/// The value for the other side.
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

/// `+4` for a proved score, `+3.52` for an estimate, `+120 points` for the units of a historical evaluation.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Exact(score) => score.fmt(f),
            Value::Estimate(eval) => eval.fmt(f),
            Value::Points(points) => f.pad(&format!("{points:+} points")),
        }
    }
}
