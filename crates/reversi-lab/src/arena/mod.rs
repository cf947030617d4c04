//! Games between players: openings, single games under a clock, whole contests and what they prove; and
//! the laboratory, which measures players against the truth.

mod contest;
pub mod duel;
pub mod experiments;
mod external;
pub mod opening_lists;
pub mod openings;
pub mod pairs;
mod process;
pub mod rating;
mod seed;
pub mod sprt;
pub mod statistics;
pub mod tally;
pub mod tournament;
mod workers;

pub use contest::{Contest, Contestant, GameReport, Maker, Results};
pub use duel::{Duel, Ending, GameFault};
pub use pairs::{PairCounter, Pentanomial};
pub use sprt::Sprt;
pub use tally::{Elo, Outcomes, Tally};
