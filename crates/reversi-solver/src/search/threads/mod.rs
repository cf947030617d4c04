//! Several threads in one search, how a search is stopped, and what can be seen of it meanwhile.

pub(crate) mod split;
mod stop;
mod watch;

pub use stop::Stop;
pub use watch::{Progress, Watch};
