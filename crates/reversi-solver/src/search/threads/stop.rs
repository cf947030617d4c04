//! Stopping of searches.

use std::sync::Arc;
#[cfg(any(test, feature = "testing"))]
use std::sync::atomic::AtomicI64;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Ends the searches that poll it, at once or at a deadline. Clones share their state.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    now: Arc<AtomicBool>,
    deadline: Option<Instant>,
    /// Number of polls left before it is set.
    #[cfg(any(test, feature = "testing"))]
    looks: Option<Arc<AtomicI64>>,
}

impl Stop {
    /// A stop without a deadline, set by [`Stop::set`] only.
    pub fn never() -> Stop {
        Stop::default()
    }

    /// A stop that is set from the beginning.
    pub fn already() -> Stop {
        let stop = Stop::never();
        stop.set();
        stop
    }

    /// A stop with a deadline after `time`. A time beyond the range of the clock is no deadline.
    pub fn after(time: Duration) -> Stop {
        Stop { deadline: Instant::now().checked_add(time), ..Stop::default() }
    }

    /// A stop with an additional deadline. It shares its state with this one: [`Stop::set`] on either ends both.
    pub fn and_at(&self, deadline: Instant) -> Stop {
        let earlier = self.deadline.map_or(deadline, |own| own.min(deadline));
        Stop { deadline: Some(earlier), ..self.clone() }
    }

    /// The same with an optional deadline.
    pub fn and_until(&self, deadline: Option<Instant>) -> Stop {
        deadline.map_or_else(|| self.clone(), |deadline| self.and_at(deadline))
    }

    /// The same with its deadline, if it has one, later by `time`. A time beyond the range of the clock is no deadline.
    pub fn postponed(&self, time: Duration) -> Stop {
        let deadline = self.deadline.and_then(|deadline| deadline.checked_add(time));
        Stop { deadline, ..self.clone() }
    }

    /// A stop that is set after `looks` polls.
    #[cfg(any(test, feature = "testing"))]
    pub fn after_looks(looks: i64) -> Stop {
        Stop { looks: Some(Arc::new(AtomicI64::new(looks))), ..Stop::default() }
    }

    /// Sets the stop: searches end at their next poll.
    pub fn set(&self) {
        self.now.store(true, Relaxed);
    }

    /// Whether searches must end now.
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
    fn a_derived_stop_ends_with_its_origin() {
        let origin = Stop::never();
        let derived = origin.and_at(Instant::now() + Duration::from_secs(3600));
        assert!(!derived.is_set());
        origin.set();
        assert!(derived.is_set());
    }

    #[test]
    fn a_time_beyond_the_clock_is_no_deadline() {
        assert!(Stop::after(Duration::ZERO).is_set());
        assert!(!Stop::after(Duration::MAX).is_set());
    }

    #[test]
    fn a_postponed_stop_ends_later_or_with_its_origin() {
        let hour = Duration::from_secs(3600);
        let over = Stop::after(Duration::ZERO);
        let postponed = over.postponed(hour);
        assert!(over.is_set() && !postponed.is_set());
        assert!(!Stop::after(hour).postponed(Duration::MAX).is_set());
        over.set();
        assert!(postponed.is_set());
        assert!(!Stop::never().postponed(hour).is_set());
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
