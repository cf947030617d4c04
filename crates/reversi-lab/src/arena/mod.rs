//! Games between players: openings, single games under a clock, whole contests and what they prove; and
//! the laboratory, which measures players against the truth.

mod contest;
pub mod duel;
mod external;
pub mod lab;
pub mod openings;
mod process;
pub mod rating;
mod rooms;
mod seed;
pub mod statistics;
pub mod tally;
pub mod tournament;

pub use contest::{Contest, Contestant, GameReport, Maker, Results};
pub use duel::{Duel, Ending, Fault};
pub use tally::{Elo, Outcomes, Tally};
