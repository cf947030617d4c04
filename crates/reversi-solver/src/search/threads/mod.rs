//! Stopping and progress of a search.

mod stop;
mod watch;

pub use stop::Stop;
pub use watch::{Progress, Watch};
