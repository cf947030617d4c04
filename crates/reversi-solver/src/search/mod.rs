//! Exact values by search; uses the rules only, and an evaluation for nothing but the order of moves and a first guess.

pub mod exact;
mod finish;
mod guess;
mod last_empties;
mod last_flips;
mod law;
mod layout;
pub mod minimax;
mod near;
mod ordering;
mod pages;
mod parallel;
mod proof;
pub mod prototype;
mod root;
mod shallow;
pub mod stability;
mod stop;
mod transposition;
mod watch;
mod worker;

pub use exact::{Proved, Sizing, Solution, Solver, SolverOptions};
pub use finish::{Finisher, FinishingTools};
pub use pages::MemoryError;
pub use pages::{Pages, Shared, check_free, free_memory};
pub use stop::Stop;
pub use transposition::{NO_MOVE, hash, scrambled};
pub use watch::{Progress, Watch};
