//! Parallel search, stopping and progress.

pub(crate) mod split;
mod stop;
mod watch;

pub use stop::Stop;
pub use watch::{Progress, Watch};
