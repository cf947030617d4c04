//! Jobs done several at a time, their results seen one after the other.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;

/// Each of the crew, on a thread of its own, does the next task that nobody has begun; `see` gets every task with its
/// result in the order of the tasks, as soon as those before it are done. After a
/// job that yields nothing none is begun.
pub fn in_order<C: Sync, T: Sync, R: Send>(
    crew: &[C],
    tasks: &[T],
    job: impl Fn(&C, &T) -> Option<R> + Sync,
    mut see: impl FnMut(&T, R),
) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for member in crew {
            let (sender, next, job) = (sender.clone(), &next, &job);
            scope.spawn(move || {
                loop {
                    let place = next.fetch_add(1, Relaxed);
                    let result = tasks.get(place).and_then(|task| job(member, task));
                    let Some(result) = result else {
                        next.store(tasks.len(), Relaxed);
                        return;
                    };
                    if sender.send((place, result)).is_err() {
                        return; // nobody sees it
                    }
                }
            });
        }
        drop(sender);
        let (mut due, mut early) = (0, BTreeMap::new());
        for (place, result) in receiver {
            early.insert(place, result);
            while let Some(result) = early.remove(&due) {
                see(&tasks[due], result);
                due += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn results_come_in_the_order_of_their_tasks() {
        let tasks: Vec<u64> = (0..200).collect();
        for size in [1, 2, 7] {
            let crew: Vec<u64> = (0..size).collect();
            let mut seen = Vec::new();
            let job = |_: &u64, task: &u64| {
                // The later of two neighbours is done first.
                std::thread::sleep(Duration::from_micros(200 * (1 - task % 2)));
                Some(task * task)
            };
            in_order(&crew, &tasks, job, |&task, square| seen.push((task, square)));
            assert_eq!(seen, tasks.iter().map(|&task| (task, task * task)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn who_has_nothing_to_say_ends_it() {
        let tasks: Vec<u32> = (0..100).collect();
        let mut seen = Vec::new();
        in_order(&[(), ()], &tasks, |_, &task| (task < 10).then_some(task), |_, task| seen.push(task));
        assert_eq!(seen, (0..10).collect::<Vec<_>>());
    }
}
