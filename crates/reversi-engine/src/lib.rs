//! The players, and the game they play: from the first legal move to iterative deepening against a clock.

mod bound;
pub mod catalogue;
mod classic;
mod equipment;
mod files;
pub mod hints;
pub mod historical;
mod judge;
mod names;
mod node;
mod opinion;
mod parameters;
mod perfect;
pub mod plain_search;
mod player;
pub mod protocol;
pub mod review;
mod simple;
mod thinker;
pub mod time;
pub mod trial;

pub use equipment::Equipment;
pub use files::EquipmentError;
pub use judge::Judge;
pub use names::{NameError, PlayerSpec};
pub use opinion::Opinion;
pub use parameters::{parse_duration, parse_duration_or_zero};
pub use player::{Choice, Info, Limits, Player, PlayerError, Value};
pub use reversi_rules::game::{
    Clock, Clocks, Game, GameBoard, GameMove, GameResult, GameSetup, PlayError, Size,
};
pub use thinker::{Spreads, measure_spreads};
