//! Runs many independent searches on several threads, and hands over the results as they come.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Time after which `each` is called without a result.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time until the next attempt if there is nothing to share at the moment.
const RETRY_INTERVAL: Duration = Duration::from_micros(100);

/// Does all jobs, in their order as threads become free, and hands each result to `each` on the calling thread. `each`
/// also gets `None` about once a second while no result comes, so that it can save earlier results. `work` returns
/// `None` if it was stopped; then its thread begins no more jobs. A thread that finds no job left calls `help` as long
/// as others are at work, to share their work; `help` returns whether there was anything to share.
///
/// The results come in any order. `None` unless all jobs were done.
pub(crate) fn run<T: Sync, R: Send>(
    jobs: &[T],
    threads: usize,
    work: impl Fn(&T) -> Option<R> + Sync,
    help: impl Fn() -> bool + Sync,
    mut each: impl FnMut(Option<R>),
) -> Option<()> {
    let next = AtomicUsize::new(0);
    let (threads, busy) = (threads.max(1), AtomicUsize::new(0));
    // Bounded, so that few more jobs are begun after `each` sets a stop, even if it is slow.
    let (results, received) = mpsc::sync_channel(threads);
    let (next, busy, work, help) = (&next, &busy, &work, &help);
    let done = thread::scope(move |scope| {
        for number in 0..threads {
            let results = results.clone();
            let work_on = move || {
                let at_work = AtWork::new(busy);
                while let Some(result) = jobs.get(next.fetch_add(1, Relaxed)).and_then(work) {
                    // No receiver is left when the caller has panicked.
                    if results.send(result).is_err() {
                        break;
                    }
                }
                drop((at_work, results));
                while busy.load(Relaxed) > 0 {
                    if !help() {
                        thread::sleep(RETRY_INTERVAL);
                    }
                }
            };
            let spawned = thread::Builder::new().spawn_scoped(scope, work_on);
            // If the system refuses threads, it only takes longer.
            if number > 0 && spawned.is_err() {
                break;
            }
            spawned.expect("the system gives one thread");
        }
        drop(results);
        let mut done = 0;
        loop {
            match received.recv_timeout(PATIENCE) {
                Ok(result) => {
                    done += 1;
                    each(Some(result));
                }
                Err(RecvTimeoutError::Timeout) => each(None),
                Err(RecvTimeoutError::Disconnected) => return done,
            }
        }
    });
    (done == jobs.len()).then_some(())
}

/// Counts a thread that has jobs of its own, as long as it has, even if it panics.
struct AtWork<'a>(&'a AtomicUsize);

impl AtWork<'_> {
    fn new(busy: &AtomicUsize) -> AtWork<'_> {
        busy.fetch_add(1, Relaxed);
        AtWork(busy)
    }
}

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

    /// Nothing can be shared.
    fn alone() -> bool {
        false
    }

    #[test]
    fn every_task_is_done_once_by_any_number_of_threads() {
        let jobs: Vec<u64> = (0..100).collect();
        for threads in [1, 2, 7, 1000] {
            let mut done = Vec::new();
            assert_eq!(run(&jobs, threads, |&key| Some(key), alone, |key| done.extend(key)), Some(()));
            done.sort_unstable();
            assert_eq!(done, jobs, "{threads} threads");
        }
        assert_eq!(run(&[], 2, |&key: &u64| Some(key), alone, |_| ()), Some(()));
    }

    #[test]
    fn what_was_found_before_a_stop_is_handed_on() {
        let jobs: Vec<u64> = (0..100).collect();
        let mut done = Vec::new();
        let work = |&key: &u64| (key < 50).then_some(key);
        assert_eq!(run(&jobs, 2, work, alone, |key| done.extend(key)), None);
        done.sort_unstable();
        assert_eq!(done, jobs[..50]);
    }

    #[test]
    fn who_has_no_task_left_shares_what_others_do() {
        let shared = AtomicBool::new(false);
        let work = |&key: &u64| {
            while !shared.load(SeqCst) {
                thread::yield_now();
            }
            Some(key)
        };
        let help = || !shared.swap(true, SeqCst);
        assert_eq!(run(&[1], 2, work, help, |_| ()), Some(()), "the job ends only when it is shared");
    }

    #[test]
    fn a_caller_that_panics_ends_at_once() {
        let jobs: Vec<u64> = (0..100).collect();
        let panics = || run(&jobs, 3, |&key| Some(key), alone, |_| panic!("on purpose"));
        assert!(std::panic::catch_unwind(panics).is_err());
    }

    #[test]
    fn few_tasks_are_done_after_the_caller_has_asked_for_a_stop() {
        let jobs: Vec<u64> = (0..100).collect();
        let stop = AtomicBool::new(false);
        let work = |&key: &u64| (!stop.load(SeqCst)).then_some(key);
        let mut done = 0;
        let slow = |found: Option<u64>| {
            done += found.iter().count();
            thread::sleep(Duration::from_millis(1));
            stop.store(true, SeqCst);
        };
        assert_eq!(run(&jobs, 3, work, alone, slow), None);
        // The first, what waits to be taken over, and what each thread has in its hands.
        assert!(done <= 1 + 3 + 3, "{done}");
    }
}
