//! A queue of commands that also stops the search that a command interrupts.

use reversi_solver::search::Stop;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Most commands that wait in the queue. With lines of at most [`super::lines::MOST_BYTES`] that bounds its memory; the
/// reading thread then waits, and with it the sender.
pub const MOST_WAITING: usize = 256;

/// A command that may interrupt a search.
pub trait Interrupt {
    /// Whether the search must end before this command is carried out.
    fn interrupts(&self) -> bool;
}

/// Queue of commands between the reading thread and the executing thread.
pub struct Inbox<C> {
    state: Mutex<State<C>>,
    changed: Condvar,
}

struct State<C> {
    queue: VecDeque<Waiting<C>>,
    /// A command that comes within this time of the start of a search was sent together with it, and does not
    /// interrupt.
    together: Duration,
    /// No more commands will come.
    closed: bool,
    /// The results of searches are no longer needed.
    abandoned: bool,
    /// No more commands will be taken.
    ended: bool,
    /// All commands have been carried out after the end of the input.
    finished: bool,
    /// The stop and the start of the current search.
    search: Option<(Stop, Instant)>,
}

struct Waiting<C> {
    command: C,
    came: Instant,
    /// Whether it also interrupts searches that begin while it waits.
    interrupts: bool,
}

impl<C> Default for Inbox<C> {
    fn default() -> Inbox<C> {
        Inbox::in_order(Duration::ZERO)
    }
}

impl<C> Inbox<C> {
    /// A queue for scripted input: a command that follows another within `together` does not interrupt it, so that
    /// each gets its answer. A later command interrupts as usual.
    pub fn in_order(together: Duration) -> Inbox<C> {
        let queue = VecDeque::new();
        let state = State {
            queue,
            together,
            closed: false,
            abandoned: false,
            ended: false,
            finished: false,
            search: None,
        };
        Inbox { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl<C> State<C> {
    /// Whether a command that comes now was sent separately from the commands and the search before it.
    fn is_alone(&self) -> bool {
        let began = self.search.as_ref().map(|(_, began)| *began);
        let before = self.queue.back().map(|last| last.came).or(began);
        self.together.is_zero() || before.is_some_and(|before| before.elapsed() >= self.together)
    }

    /// Whether the current search has lasted for at least `together`.
    fn has_searched_for_a_while(&self) -> bool {
        self.search.as_ref().is_some_and(|(_, began)| began.elapsed() >= self.together)
    }

    fn stop_search(&self) {
        if let Some((stop, _)) = &self.search {
            stop.set();
        }
    }
}

impl<C: Interrupt> State<C> {
    /// Stops a search that has lasted for a while, if the command interrupts.
    fn stop_search_for(&self, command: &C) {
        if command.interrupts() && self.has_searched_for_a_while() {
            self.stop_search();
        }
    }
}

impl<C: Interrupt> Inbox<C> {
    /// Adds a command; if it interrupts, the current search is stopped. Waits while [`MOST_WAITING`] commands wait.
    /// After [`Inbox::end`] the command is dropped.
    pub fn put(&self, command: C) {
        let (came, mut state) = (Instant::now(), self.lock());
        let interrupts = command.interrupts() && state.is_alone();
        state.stop_search_for(&command);
        while state.queue.len() >= MOST_WAITING && !state.ended {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if !state.ended {
            // A search may have begun while this waited for a place.
            state.stop_search_for(&command);
            state.queue.push_back(Waiting { command, came, interrupts });
        }
        self.changed.notify_all();
    }

    /// Says that the results of searches are no longer needed: the current search is stopped, and all later ones are.
    pub fn abandon(&self) {
        let mut state = self.lock();
        state.abandoned = true;
        state.stop_search();
    }

    /// Says that no more commands will be taken, so that nothing waits for a place in the queue.
    pub fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_all();
    }

    /// Marks the end of the input. With a patience, queued commands are carried out for that time, and then all
    /// searches are stopped; without one there is no limit.
    pub fn close(&self, patience: Option<Duration>) {
        let mut state = self.lock();
        state.closed = true;
        self.changed.notify_all();
        let Some(patience) = patience else { return };
        let waited = self.changed.wait_timeout_while(state, patience, |state| !state.finished);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        self.abandon();
    }

    /// Waits for the next command; `None` at the end of the input.
    pub fn take(&self) -> Option<C> {
        let mut state = self.lock();
        state.search = None;
        loop {
            if let Some(waiting) = state.queue.pop_front() {
                self.changed.notify_all();
                return Some(waiting.command);
            }
            if state.closed {
                state.finished = true;
                self.changed.notify_all();
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for the next command for a limited time.
    pub fn take_within(&self, time: Duration) -> Option<C> {
        let mut state = self.lock();
        state.search = None;
        let waits = |state: &mut State<C>| state.queue.is_empty();
        let waited = self.changed.wait_timeout_while(state, time, waits);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        self.changed.notify_all();
        state.queue.pop_front().map(|waiting| waiting.command)
    }

    /// Whether the queue holds a command received at this instant or later.
    pub fn has_come_since(&self, instant: Instant) -> bool {
        self.lock().queue.iter().any(|waiting| waiting.came >= instant)
    }

    /// Begins a search and returns its stop, which may be set already if the queue holds a command that interrupts.
    pub fn begin_search(&self) -> Stop {
        let mut state = self.lock();
        let stop = Stop::never();
        if state.abandoned || state.queue.iter().any(|waiting| waiting.interrupts) {
            stop.set();
        }
        state.search = Some((stop.clone(), Instant::now()));
        stop
    }

    /// A thread that panicked leaves the queue consistent.
    fn lock(&self) -> MutexGuard<'_, State<C>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(PartialEq, Debug)]
    enum Command {
        Ask,
        Interrupt,
    }
    use Command::{Ask, Interrupt as Break};

    impl Interrupt for Command {
        fn interrupts(&self) -> bool {
            *self == Break
        }
    }

    #[test]
    fn a_search_is_stopped_by_a_command_that_comes_during_it() {
        let inbox = Inbox::default();
        let stop = inbox.begin_search();
        inbox.put(Ask);
        assert!(!stop.is_set(), "another question can wait");
        inbox.put(Break);
        assert!(stop.is_set());
    }

    #[test]
    fn a_search_is_stopped_by_a_command_that_came_before_it() {
        let inbox = Inbox::default();
        for command in [Ask, Ask, Break, Ask] {
            inbox.put(command);
        }
        assert_eq!(inbox.take(), Some(Ask));
        assert!(inbox.begin_search().is_set());
        assert_eq!(inbox.take(), Some(Ask));
        assert!(inbox.begin_search().is_set());
        assert_eq!(inbox.take(), Some(Break));
        assert_eq!(inbox.take(), Some(Ask));
        assert!(!inbox.begin_search().is_set());
    }

    #[test]
    fn commands_sent_together_can_be_answered_in_order() {
        let inbox = Inbox::in_order(Duration::MAX);
        for command in [Ask, Break] {
            inbox.put(command);
        }
        assert_eq!(inbox.take(), Some(Ask));
        let stop = inbox.begin_search();
        inbox.put(Break);
        assert!(!stop.is_set(), "it comes as soon as the search begins");
        assert_eq!(inbox.take(), Some(Break));
    }

    #[test]
    fn a_later_command_stops_the_search_and_the_commands_before_it() {
        let together = Duration::from_millis(1);
        let inbox = Inbox::in_order(together);
        let stop = inbox.begin_search();
        std::thread::sleep(together);
        inbox.put(Ask);
        assert!(!stop.is_set());
        std::thread::sleep(together);
        inbox.put(Break);
        assert!(stop.is_set(), "the search is interrupted");
        assert_eq!(inbox.take(), Some(Ask));
        assert!(inbox.begin_search().is_set());
    }

    #[test]
    fn the_end_of_the_input_lets_what_is_asked_be_answered() {
        let inbox = Inbox::default();
        inbox.put(Ask);
        std::thread::scope(|scope| {
            scope.spawn(|| inbox.close(Some(Duration::from_secs(3600))));
            assert_eq!(inbox.take(), Some(Ask));
            assert!(!inbox.begin_search().is_set());
            assert_eq!(inbox.take(), None);
        });
    }

    #[test]
    fn a_command_is_waited_for_no_longer_than_asked() {
        let inbox = Inbox::default();
        assert_eq!(inbox.take_within(Duration::ZERO), None);
        inbox.put(Ask);
        assert_eq!(inbox.take_within(Duration::from_secs(3600)), Some(Ask));
        inbox.close(None);
        assert!(!inbox.begin_search().is_set(), "without a patience the search goes on");
    }

    #[test]
    fn who_sends_too_much_waits_until_there_is_room_or_no_need() {
        let inbox = Inbox::default();
        for _ in 0..MOST_WAITING {
            inbox.put(Ask);
        }
        std::thread::scope(|scope| {
            let sender = scope.spawn(|| [Break, Ask].map(|command| inbox.put(command)));
            std::thread::sleep(Duration::from_millis(20));
            assert!(!sender.is_finished());
            assert_eq!(inbox.lock().queue.len(), MOST_WAITING);
            assert_eq!(inbox.take(), Some(Ask));
            while inbox.lock().queue.len() < MOST_WAITING {
                std::thread::yield_now();
            }
            assert!(inbox.begin_search().is_set(), "the command that waited interrupts as any other");
            inbox.end();
        });
        assert_eq!(inbox.lock().queue.len(), MOST_WAITING, "the last one is dropped");
    }

    #[test]
    fn results_that_nobody_reads_are_not_searched_for() {
        let inbox = Inbox::<Command>::default();
        let stop = inbox.begin_search();
        inbox.abandon();
        assert!(stop.is_set());
        assert!(inbox.begin_search().is_set());
    }

    #[test]
    fn searches_are_stopped_after_the_patience() {
        let inbox = Inbox::<Command>::default();
        let stop = inbox.begin_search();
        inbox.close(Some(Duration::ZERO));
        assert!(stop.is_set());
        assert!(inbox.begin_search().is_set());
    }
}
