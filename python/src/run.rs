//! Long work without the GIL, with an eye on signals, and panics as exceptions.

use crate::calls::without_gil;
use crate::errors::InternalError;
use pyo3::{PyErr, PyResult, Python};
use reversi_rules::{Geometry, Goal, Rules};
use reversi_solver::search::{Solver, SolverOptions, Stop};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two looks for a signal such as Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` without the GIL on a thread of its own. When a signal handler raises an exception, which only happens on
/// the main thread of Python, `stop` is set, and the exception is raised once the work has ended.
///
/// # Errors
/// The exception of a signal handler; `InternalError` where the work panics.
pub fn interruptible<T: Send>(py: Python<'_>, stop: &Stop, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    without_gil(py, stop, || interruptible_detached(stop, work))
}

/// The same on a thread that does not hold the GIL.
///
/// # Errors
/// As [`interruptible`].
pub fn interruptible_detached<T: Send>(stop: &Stop, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    thread::scope(|scope| {
        // Closed when the work ends, in whatever way.
        let (running, ended) = sync_channel::<()>(0);
        let worker = thread::Builder::new().spawn_scoped(scope, move || {
            let _running = running;
            work()
        });
        let worker =
            worker.map_err(|error| InternalError::new_err(format!("no thread can be started: {error}")))?;
        let mut interruption = None;
        while ended.recv_timeout(SIGNAL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            if interruption.is_none()
                && let Err(error) = Python::attach(|py| py.check_signals())
            {
                stop.set();
                interruption = Some(error);
            }
        }
        let result = worker.join().map_err(|panic| panicked(&*panic));
        match interruption {
            Some(error) => Err(error),
            None => result,
        }
    })
}

/// Runs short work on this thread, without the GIL.
///
/// # Errors
/// `InternalError` where the work panics.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    without_gil(py, &Stop::never(), || catch_unwind(AssertUnwindSafe(work)))
        .map_err(|panic| panicked(&*panic))
}

fn panicked(panic: &(dyn Any + Send)) -> PyErr {
    let message = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let message = message.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    InternalError::new_err(format!("this is a fault of the package: {message}"))
}

/// Makes what all searches of a board share, such as the layout of the weights, while the GIL is held: half made at a fork
/// it would stay so in the child, which would wait for it for ever.
pub fn settle(_: Python<'_>, geometry: Geometry, rules: Rules) {
    static SETTLED: Mutex<Vec<(Geometry, Goal)>> = Mutex::new(Vec::new());
    let mut settled = SETTLED.lock().unwrap_or_else(PoisonError::into_inner);
    if !settled.contains(&(geometry, rules.goal)) {
        let least = SolverOptions { memory_bytes: 0, threads: 1, ..SolverOptions::default() };
        // A search that finds no memory says so itself.
        let _ = Solver::new(geometry, rules, least);
        settled.push((geometry, rules.goal));
    }
}

/// A stop after a number of seconds; without a number never.
///
/// # Errors
/// `ValueError` for a time that is negative or no number.
pub fn stop_after(seconds: Option<f64>) -> PyResult<Stop> {
    let stop = Stop::never();
    Ok(stop.and_until(duration(seconds)?.and_then(|time| Instant::now().checked_add(time))))
}

/// Seconds as a duration.
///
/// # Errors
/// As [`stop_after`].
pub fn duration(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let checked = |seconds| {
        Duration::try_from_secs_f64(seconds)
            .map_err(|_| crate::errors::value_error(format!("{seconds} is no time in seconds")))
    };
    // A number too large for a duration is no limit, like infinity.
    seconds.filter(|&seconds| seconds.is_nan() || seconds < 1e15).map(checked).transpose()
}

/// Threads where no number is given: all cores that the process may use.
///
/// # Errors
/// `ValueError` for 0 and for more than 1024.
pub fn thread_count(threads: Option<usize>) -> PyResult<usize> {
    match threads {
        Some(threads) if !(1..=1024).contains(&threads) => {
            Err(crate::errors::value_error("threads: write a number from 1 to 1024"))
        }
        Some(threads) => Ok(threads),
        None => Ok(thread::available_parallelism().map_or(1, usize::from)),
    }
}
