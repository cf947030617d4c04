//! A game as it is played: its boards and moves, how it began, and its clocks. It is here, not in the engine, so that
//! parsers of game records do not depend on the engine.

mod board;
mod clock;
mod played;
mod setup;

pub use board::GameBoard;
pub use clock::{Clock, Clocks};
pub use played::{Game, GameResult, PlayError, RecordedMoveError};
pub use reversi_naive::{Move as GameMove, Size};
pub use setup::GameSetup;
