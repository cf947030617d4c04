//! The players, and the game they play: from the first legal move to iterative deepening against a clock.

pub mod game;
pub mod names;
pub mod player;
mod simple;

pub use game::{Game, GameBoard, GameMove, GameResult, PlayError, Size};
pub use names::{Equipment, NameError, PlayerSpec};
pub use player::{Choice, Clock, Info, Limits, Player, PlayerError, Value};
