//! How a search is told to end.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// Ends searches that look at it, at once or at a deadline. Shared by reference or in an `Arc`.
#[derive(Debug, Default)]
pub struct Stop {
    now: AtomicBool,
    deadline: Option<Instant>,
}

impl Stop {
    /// Stops when told, and not before.
    pub fn never() -> Stop {
        Stop::default()
    }

    /// Stops at an instant, or earlier when told.
    pub fn at(deadline: Instant) -> Stop {
        Stop { now: AtomicBool::new(false), deadline: Some(deadline) }
    }

    /// Tells it to end.
    pub fn set(&self) {
        self.now.store(true, Relaxed);
    }

    /// Whether to end now.
    pub fn is_set(&self) -> bool {
        self.now.load(Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
