//! Games played at once: so many workers, in each one game after the other.

use std::sync::Mutex;
use std::thread;

/// Does all jobs, in each worker the next one that nobody has taken yet, until `play` has nothing to show for one: then
/// that worker is closed. `on_each` hears of what was done as it is done, in any order; it is given back in any order
/// too.
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
