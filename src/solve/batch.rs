//! Divides many independent searches between threads, and keeps what they find safe meanwhile.

use super::facts::Fact;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How long a result is waited for at a time.
const PATIENCE: Duration = Duration::from_secs(1);

/// Does all tasks, in their order as threads become free, and hands each result to `each` on the
/// calling thread; `None` now and then while no result comes, so that what was found before can be kept.
/// `work` gives `None` when it was stopped; then no more tasks are begun.
///
/// The results come in any order. `None` unless all tasks were done.
pub(super) fn run<T: Sync>(
    tasks: &[T],
    threads: usize,
    work: impl Fn(&T) -> Option<Fact> + Sync,
    mut each: impl FnMut(Option<Fact>),
) -> Option<()> {
    let next = AtomicUsize::new(0);
    let threads = threads.clamp(1, tasks.len().max(1));
    // Bounded, so that a stop that `each` asks for comes after few more tasks however slow the caller is.
    let (results, received) = mpsc::sync_channel(threads);
    let (next, work) = (&next, &work);
    let done = thread::scope(move |scope| {
        for number in 0..threads {
            let results = results.clone();
            let work_on = move || {
                while let Some(fact) = tasks.get(next.fetch_add(1, Relaxed)).and_then(work) {
                    // Nobody takes it over when the caller has panicked.
                    if results.send(fact).is_err() {
                        break;
                    }
                }
            };
            let spawned = thread::Builder::new().spawn_scoped(scope, work_on);
            // With fewer threads than asked for, where the system gives no more, it only takes longer.
            if number > 0 && spawned.is_err() {
                break;
            }
            spawned.expect("the system gives one thread");
        }
        drop(results);
        let mut done = 0;
        loop {
            match received.recv_timeout(PATIENCE) {
                Ok(fact) => {
                    done += 1;
                    each(Some(fact));
                }
                Err(RecvTimeoutError::Timeout) => each(None),
                Err(RecvTimeoutError::Disconnected) => return done,
            }
        }
    });
    (done == tasks.len()).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

    fn fact(key: u64) -> Fact {
        Fact { key, score: 0, best: 0 }
    }

    #[test]
    fn every_task_is_done_once_by_any_number_of_threads() {
        let tasks: Vec<u64> = (0..100).collect();
        for threads in [1, 2, 7, 1000] {
            let mut done = Vec::new();
            assert_eq!(
                run(&tasks, threads, |&key| Some(fact(key)), |fact| done.extend(fact.map(|f| f.key))),
                Some(())
            );
            done.sort_unstable();
            assert_eq!(done, tasks, "{threads} threads");
        }
        assert_eq!(run(&[], 2, |&key| Some(fact(key)), |_| ()), Some(()));
    }

    #[test]
    fn what_was_found_before_a_stop_is_handed_on() {
        let tasks: Vec<u64> = (0..100).collect();
        let mut done = Vec::new();
        let work = |&key: &u64| (key < 50).then(|| fact(key));
        assert_eq!(run(&tasks, 2, work, |fact| done.extend(fact.map(|f| f.key))), None);
        done.sort_unstable();
        assert_eq!(done, tasks[..50]);
    }

    #[test]
    fn a_caller_that_panics_waits_for_nobody() {
        let tasks: Vec<u64> = (0..100).collect();
        let panics = || run(&tasks, 3, |&key| Some(fact(key)), |_| panic!("on purpose"));
        assert!(std::panic::catch_unwind(panics).is_err());
    }

    #[test]
    fn few_tasks_are_done_after_the_caller_has_asked_for_a_stop() {
        let tasks: Vec<u64> = (0..100).collect();
        let stop = AtomicBool::new(false);
        let work = |&key: &u64| (!stop.load(SeqCst)).then(|| fact(key));
        let mut done = 0;
        let slow = |found: Option<Fact>| {
            done += found.iter().count();
            thread::sleep(Duration::from_millis(1));
            stop.store(true, SeqCst);
        };
        assert_eq!(run(&tasks, 3, work, slow), None);
        // The first, what waits to be taken over, and what each thread has in its hands.
        assert!(done <= 1 + 3 + 3, "{done}");
    }
}
