//! Processor time of a search: unlike wall time, it does not count the time of other programs.

use std::time::Duration;

/// A stopwatch for the processor time of this thread; for wall time on systems other than Unix.
pub(super) struct Stopwatch(Duration);

impl Stopwatch {
    pub fn start() -> Stopwatch {
        Stopwatch(now())
    }

    pub fn elapsed(&self) -> Duration {
        now().saturating_sub(self.0)
    }
}

#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or_default(), time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn now() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_is_no_work() {
        let watch = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(50));
        if cfg!(unix) {
            assert!(watch.elapsed() < Duration::from_millis(40));
        }
        while watch.elapsed() < Duration::from_millis(5) {}
    }
}
