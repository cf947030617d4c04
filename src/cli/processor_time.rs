//! The processor time of this process.

/// Processor time of all threads of this process, in seconds.
#[cfg(unix)]
pub fn cpu_seconds() -> Option<f64> {
    let time = nix::time::clock_gettime(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID).ok()?;
    Some(time.tv_sec() as f64 + time.tv_nsec() as f64 / 1e9)
}

#[cfg(not(unix))]
pub fn cpu_seconds() -> Option<f64> {
    None
}
