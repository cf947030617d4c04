//! Games between players: openings, single games under a clock, contests and their statistics; and the laboratory,
//! which measures players against exact scores.

mod contest;
pub mod duel;
pub mod experiments;
mod external;
mod game_report;
pub mod opening_lists;
pub mod openings;
pub mod pairs;
pub mod pentanomial;
mod process;
pub mod rating;
pub mod sprt;
pub mod statistics;
pub mod tally;
pub mod tournament;
mod workers;

pub use contest::{Contest, Contestant, Maker, Results};
pub use duel::{Duel, Ending, GameFault};
pub use game_report::GameReport;
pub use pairs::PairCounter;
pub use pentanomial::Pentanomial;
pub use sprt::Sprt;
pub use tally::{Elo, Outcomes, Tally};
