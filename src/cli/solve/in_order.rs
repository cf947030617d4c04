//! Runs jobs several at a time, and passes on their results in order.

use std::sync::mpsc;
use std::thread;

/// Each worker does its share of the tasks on a thread of its own: of three workers each does every third task, so what
/// a worker has seen before a task is the same in every run. `see` gets every task with its place and its result, in
/// the order of the tasks, as soon as those before it are done. No task is begun after `is_stopped` says so.
pub fn in_order<C: Sync, T: Sync, R: Send>(
    workers: &[C],
    tasks: &[T],
    is_stopped: impl Fn() -> bool + Sync,
    job: impl Fn(&C, &T) -> R + Sync,
    mut see: impl FnMut(usize, &T, R),
) {
    thread::scope(|scope| {
        let mut results = Vec::new();
        let (job, is_stopped) = (&job, &is_stopped);
        for (number, worker) in workers.iter().enumerate() {
            let (sender, receiver) = mpsc::channel();
            let share = tasks.iter().skip(number).step_by(workers.len());
            let do_share = move || {
                for task in share {
                    if is_stopped() || sender.send(job(worker, task)).is_err() {
                        return;
                    }
                }
            };
            results.push(thread::Builder::new().spawn_scoped(scope, do_share).map(|_| receiver));
        }
        for (place, task) in tasks.iter().enumerate() {
            let number = place % workers.len();
            let result = match &results[number] {
                // Nothing comes from a worker that has stopped; the others may have gone further.
                Ok(receiver) => receiver.recv().ok(),
                // If the system gives no thread for a worker, its share is done here.
                Err(_) => (!is_stopped()).then(|| job(&workers[number], task)),
            };
            if let Some(result) = result {
                see(place, task, result);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::time::Duration;

    #[test]
    fn results_come_in_the_order_of_their_tasks() {
        let tasks: Vec<u64> = (0..200).collect();
        for size in [1, 2, 7] {
            let workers: Vec<u64> = (0..size).collect();
            let mut seen = Vec::new();
            let job = |&worker: &u64, &task: &u64| {
                // The later of two neighbours is done first.
                std::thread::sleep(Duration::from_micros(200 * (1 - task % 2)));
                (worker, task * task)
            };
            in_order(
                &workers,
                &tasks,
                || false,
                job,
                |place, &task, result| {
                    assert_eq!(task, tasks[place]);
                    seen.push((task, result));
                },
            );
            let expected = tasks.iter().map(|&task| (task, (task % size, task * task)));
            assert_eq!(seen, expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn after_a_stop_none_is_begun_and_what_was_done_is_seen() {
        let tasks: Vec<usize> = (0..100).collect();
        let begun = AtomicUsize::new(0);
        let mut seen = Vec::new();
        let is_stopped = || begun.load(Relaxed) >= 10;
        let job = |_: &(), &task: &usize| {
            begun.fetch_add(1, Relaxed);
            task
        };
        in_order(&[(), (), ()], &tasks, is_stopped, job, |_, _, task| seen.push(task));
        let begun = begun.into_inner();
        assert!(
            (10..=12).contains(&begun),
            "each of three may have looked before the tenth was begun: {begun}"
        );
        assert_eq!(seen.len(), begun);
        assert!(seen.is_sorted());
    }
}
