//! Games between players: openings, single games under a clock, whole contests and what they prove; and
//! the laboratory, which measures players against the truth.

mod contest;
pub mod duel;
pub mod experiments;
mod external;
pub mod openings;
mod process;
pub mod rating;
mod seed;
pub mod statistics;
pub mod tally;
pub mod tournament;
mod workers;

pub use contest::{Contest, Contestant, GameReport, Maker, Results};
pub use duel::{Duel, Ending, GameFault};
pub use tally::{Elo, Outcomes, Tally};
