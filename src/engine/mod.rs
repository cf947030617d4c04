//! The players, and the game they play: from the first legal move to iterative deepening against a clock.

mod bound;
pub mod catalogue;
pub mod classic;
mod clocks;
mod equipment;
mod files;
pub mod game;
pub mod hints;
pub mod judge;
pub mod names;
mod node;
pub mod opinion;
pub mod parameters;
mod perfect;
pub mod plain_search;
pub mod player;
pub mod review;
mod simple;
pub mod thinker;
pub mod time;
pub mod trial;

pub use clocks::Clocks;
pub use equipment::Equipment;
pub use files::EquipmentError;
pub use game::{Game, GameBoard, GameMove, GameResult, PlayError, Size};
pub use names::{NameError, PlayerSpec};
pub use player::{Choice, Clock, Info, Limits, Player, PlayerError, Value};
