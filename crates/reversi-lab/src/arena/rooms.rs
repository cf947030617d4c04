//! Games played at once: so many rooms, in each one game after the other.

use std::sync::Mutex;
use std::thread;

/// Does all tasks, in each room the next one that nobody has taken yet, until `play` has nothing to show for one: then
/// that room is closed. `on_each` hears of what was done as it is done, in any order; it is given back in any order
/// too.
pub(super) fn in_rooms<Room: Send, Task, Done: Send>(
    rooms: impl IntoIterator<Item = Room>,
    tasks: impl Iterator<Item = Task> + Send,
    play: impl Fn(&mut Room, Task) -> Option<Done> + Sync,
    on_each: impl Fn(&Done) + Sync,
) -> Vec<Done> {
    const UNBROKEN: &str = "no thread panics while it holds the lock";
    let (tasks, all_done) = (Mutex::new(tasks), Mutex::new(Vec::new()));
    let next = || tasks.lock().expect(UNBROKEN).next();
    thread::scope(|scope| {
        for mut room in rooms {
            let (next, all_done, play, on_each) = (&next, &all_done, &play, &on_each);
            scope.spawn(move || {
                while let Some(done) = next().and_then(|task| play(&mut room, task)) {
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
    fn every_task_is_done_once_until_a_room_closes() {
        for rooms in [1, 3] {
            let mut squares = in_rooms(0..rooms, 0..100, |_, task| Some(task * task), |_| {});
            squares.sort_unstable();
            assert_eq!(squares, (0..100).map(|task| task * task).collect::<Vec<_>>());
        }
        let until_five = in_rooms([()], 0.., |(), task| (task != 5).then_some(task), |_| {});
        assert_eq!(until_five, [0, 1, 2, 3, 4]);
    }
}
