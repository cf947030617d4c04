//! The players, and the game they play: from the first legal move to iterative deepening against a clock.

mod board;
mod bound;
pub mod catalogue;
mod classic;
mod clocks;
mod equipment;
mod files;
mod game;
pub mod hints;
mod judge;
mod names;
mod node;
mod opinion;
mod parameters;
mod perfect;
pub mod plain_search;
mod player;
pub mod review;
mod setup;
mod simple;
mod thinker;
pub(crate) mod time;
pub mod trial;

pub use board::GameBoard;
pub use clocks::Clocks;
pub use equipment::Equipment;
pub use files::EquipmentError;
pub use game::{Game, GameMove, GameResult, PlayError, Size};
pub use judge::Judge;
pub use names::{NameError, PlayerSpec};
pub use opinion::Opinion;
pub use parameters::{parse_duration, parse_duration_or_zero};
pub use player::{Choice, Clock, Info, Limits, Player, PlayerError, Value};
pub use setup::Setup;
pub use thinker::{Spreads, measure_spreads};
