//! How a search is told to end.

use std::sync::Arc;
#[cfg(any(test, feature = "testing"))]
use std::sync::atomic::AtomicI64;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Ends searches that look at it, at once or at a deadline. Clones share what they are told.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    now: Arc<AtomicBool>,
    deadline: Option<Instant>,
    /// How often one may still look before it is set.
    #[cfg(any(test, feature = "testing"))]
    looks: Option<Arc<AtomicI64>>,
}

impl Stop {
    /// Stops when told, and not before.
    pub fn never() -> Stop {
        Stop::default()
    }

    /// Is set from the beginning.
    pub fn already() -> Stop {
        let stop = Stop::never();
        stop.set();
        stop
    }

    /// Stops after so much time, or earlier when told. More time than a clock can count is no deadline.
    pub fn after(time: Duration) -> Stop {
        Stop { deadline: Instant::now().checked_add(time), ..Stop::default() }
    }

    /// Stops when this one does, and at `deadline` at the latest; told to end, both end.
    pub fn and_at(&self, deadline: Instant) -> Stop {
        let earlier = self.deadline.map_or(deadline, |own| own.min(deadline));
        Stop { deadline: Some(earlier), ..self.clone() }
    }

    /// The same where there may be no deadline.
    pub fn and_until(&self, deadline: Option<Instant>) -> Stop {
        deadline.map_or_else(|| self.clone(), |deadline| self.and_at(deadline))
    }

    /// Stops when somebody has looked at it so often.
    #[cfg(any(test, feature = "testing"))]
    pub fn after_looks(looks: i64) -> Stop {
        Stop { looks: Some(Arc::new(AtomicI64::new(looks))), ..Stop::default() }
    }

    /// Tells it to end.
    pub fn set(&self) {
        self.now.store(true, Relaxed);
    }

    /// Whether to end now.
    pub fn is_set(&self) -> bool {
        #[cfg(any(test, feature = "testing"))]
        if self.looks.as_ref().is_some_and(|looks| looks.fetch_sub(1, Relaxed) <= 0) {
            return true;
        }
        self.now.load(Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_derived_stops_with_its_origin() {
        let origin = Stop::never();
        let derived = origin.and_at(Instant::now() + Duration::from_secs(3600));
        assert!(!derived.is_set());
        origin.set();
        assert!(derived.is_set());
    }

    #[test]
    fn time_that_no_clock_counts_is_for_ever() {
        assert!(Stop::after(Duration::ZERO).is_set());
        assert!(!Stop::after(Duration::MAX).is_set());
    }

    #[test]
    fn the_earlier_deadline_counts() {
        let past = Instant::now();
        let later = past + Duration::from_secs(3600);
        let until = |deadline| Stop::never().and_at(deadline);
        assert!(until(later).and_at(past).is_set());
        assert!(until(past).and_at(later).is_set());
        assert!(!until(later).and_at(later).is_set());
    }
}
