//! A pool of worker threads that share a queue of jobs: games played at the same time.

use std::sync::Mutex;
use std::thread;

/// Runs a thread for each worker. A worker takes the next job from the queue until `play` returns `None`, which ends
/// that worker. `on_each` is called with each result as it is found; the results are returned in no order.
pub(super) fn for_each_worker<Worker: Send, Job, Done: Send>(
    workers: impl IntoIterator<Item = Worker>,
    jobs: impl Iterator<Item = Job> + Send,
    play: impl Fn(&mut Worker, Job) -> Option<Done> + Sync,
    on_each: impl Fn(&Done) + Sync,
) -> Vec<Done> {
    const UNBROKEN: &str = "no thread panics while it holds the lock";
    let (jobs, all_done) = (Mutex::new(jobs), Mutex::new(Vec::new()));
    let next = || jobs.lock().expect(UNBROKEN).next();
    thread::scope(|scope| {
        for mut worker in workers {
            let (next, all_done, play, on_each) = (&next, &all_done, &play, &on_each);
            scope.spawn(move || {
                while let Some(done) = next().and_then(|job| play(&mut worker, job)) {
                    on_each(&done);
                    all_done.lock().expect(UNBROKEN).push(done);
                }
            });
        }
    });
    all_done.into_inner().expect(UNBROKEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_done_once_until_a_room_closes() {
        for workers in [1, 3] {
            let mut squares = for_each_worker(0..workers, 0..100, |_, job| Some(job * job), |_| {});
            squares.sort_unstable();
            assert_eq!(squares, (0..100).map(|job| job * job).collect::<Vec<_>>());
        }
        let until_five = for_each_worker([()], 0.., |(), job| (job != 5).then_some(job), |_| {});
        assert_eq!(until_five, [0, 1, 2, 3, 4]);
    }
}
