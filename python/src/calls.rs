//! Calls that run without the GIL, and their end before that of the interpreter.
//!
//! Python ends a daemon thread that asks for the GIL once the interpreter is ending, by unwinding its stack, which the
//! code of this package does not survive. So no thread but the one that ends the interpreter comes back from such a call
//! after [`end_calls`]: it stays without the GIL until the process ends.

use pyo3::{Python, pyfunction};
use reversi_solver::search::Stop;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// How long the end waits for calls that have been stopped.
const PATIENCE: Duration = Duration::from_secs(5);

/// The process whose interpreter is about to end, or 0. A child of a fork is another process.
static ENDING: AtomicU32 = AtomicU32::new(0);

static CALLS: Mutex<Calls> = Mutex::new(Calls::none(0));

/// The calls of one process. Locked with the GIL held, or when the interpreter is about to end.
struct Calls {
    process: u32,
    /// The thread that ends the interpreter.
    ender: Option<ThreadId>,
    next: u64,
    running: Vec<(u64, Stop)>,
}

impl Calls {
    const fn none(process: u32) -> Calls {
        Calls { process, ender: None, next: 0, running: Vec::new() }
    }

    /// Those of this process.
    fn lock() -> MutexGuard<'static, Calls> {
        let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.process != process::id() {
            *calls = Calls::none(process::id());
        }
        calls
    }
}

/// Runs work without the GIL. `stop` is set if the interpreter ends before the work.
pub fn without_gil<T: Send>(py: Python<'_>, stop: &Stop, work: impl FnOnce() -> T + Send) -> T {
    let number = {
        let mut calls = Calls::lock();
        calls.next += 1;
        let number = calls.next;
        calls.running.push((number, stop.clone()));
        number
    };
    let result = py.detach(|| {
        stay_if_ending(number);
        let result = work();
        stay_if_ending(number);
        result
    });
    Calls::lock().running.retain(|&(other, _)| other != number);
    result
}

/// Does not return if another thread ends the interpreter.
fn stay_if_ending(number: u64) {
    if ENDING.load(SeqCst) != process::id() {
        return;
    }
    let mut calls = Calls::lock();
    if calls.ender == Some(thread::current().id()) {
        return;
    }
    calls.running.retain(|&(other, _)| other != number);
    drop(calls);
    loop {
        thread::park();
    }
}

/// Stops the calls of all other threads, and waits until none of them runs: to be called before the interpreter ends.
#[pyfunction]
pub fn end_calls(py: Python<'_>) {
    Calls::lock().ender = Some(thread::current().id());
    ENDING.store(process::id(), SeqCst);
    let started = Instant::now();
    let stop_all = || {
        let calls = Calls::lock();
        calls.running.iter().for_each(|(_, stop)| stop.set());
        !calls.running.is_empty()
    };
    while stop_all() && started.elapsed() < PATIENCE {
        py.detach(|| thread::sleep(Duration::from_millis(1)));
    }
}
