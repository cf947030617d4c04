//! Games between players: openings, single games under a clock, whole contests and what they prove.

pub mod contest;
pub mod duel;
pub mod external;
pub mod openings;
mod process;
pub mod tally;

pub use contest::{Contest, Contestant, GameReport, Results};
pub use duel::{Duel, Ending, Fault, TimeControl};
pub use tally::{Elo, Tally};
