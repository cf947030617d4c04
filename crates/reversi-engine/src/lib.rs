//! Othello players: simple and historical players, the engine with iterative deepening under a clock, hints, reviews
//! and protocols.

mod any_evaluation;
pub mod book;
mod bound;
pub mod catalogue;
mod classic;
pub mod experiment;
mod files;
pub mod hints;
pub mod historical;
mod names;
mod node;
mod parameters;
mod perfect;
pub mod plain_search;
mod player;
mod processor_time;
pub mod protocol;
mod resources;
pub mod review;
mod search;
mod simple;
pub mod time;

pub use any_evaluation::AnyEvaluation;
pub use files::ResourceError;
pub use names::{NameError, PlayerSpec};
pub use parameters::{parse_duration, parse_duration_or_zero};
pub use player::{Choice, Info, Limits, Player, PlayerError, Value};
pub use resources::Resources;
pub use reversi_rules::game::{
    Clock, Clocks, Game, GameBoard, GameMove, GameResult, GameSetup, PlayError, Size,
};
pub use search::MAX_LEVEL;
