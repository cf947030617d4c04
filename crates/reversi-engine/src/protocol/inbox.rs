//! Holds the commands that are still to be carried out, and stops the thinking that they interrupt.

use reversi_solver::search::Stop;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A command that may end what is being thought about.
pub trait Interrupt {
    /// Whether thinking must end before this command is carried out.
    fn interrupts(&self) -> bool;
}

/// Commands on their way from the thread that reads them to the thread that carries them out.
pub struct Inbox<C> {
    state: Mutex<State<C>>,
    changed: Condvar,
}

struct State<C> {
    queue: VecDeque<Waiting<C>>,
    /// What comes when the thinking has lasted for less than this was sent together with it, and waits its turn.
    together: Duration,
    /// No more commands will come.
    closed: bool,
    /// Nobody waits for what is being thought about any longer.
    abandoned: bool,
    /// All commands have been carried out after the end of the input.
    finished: bool,
    /// Ends the thinking under way, which began then.
    thinking: Option<(Stop, Instant)>,
}

struct Waiting<C> {
    command: C,
    came: Instant,
    /// Whether no thinking may keep it waiting.
    interrupts: bool,
}

impl<C> Default for Inbox<C> {
    fn default() -> Inbox<C> {
        Inbox::in_order(Duration::ZERO)
    }
}

impl<C> Inbox<C> {
    /// For commands that are written beforehand, as a script is: none of them takes the answer from another that was
    /// sent together with it, which is less than so long after the thinking began. Who sends one later, to end what is
    /// thought about, is obeyed all the same.
    pub fn in_order(together: Duration) -> Inbox<C> {
        let queue = VecDeque::new();
        let state =
            State { queue, together, closed: false, abandoned: false, finished: false, thinking: None };
        Inbox { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl<C> State<C> {
    /// Whether a command that comes now was not sent together with what it would keep from being answered.
    fn is_alone(&self) -> bool {
        let began = self.thinking.as_ref().map(|(_, began)| *began);
        let before = self.queue.back().map(|last| last.came).or(began);
        self.together.is_zero() || before.is_some_and(|before| before.elapsed() >= self.together)
    }

    /// Whether a command that comes now comes upon thinking that has lasted for a while.
    fn has_thought_for_a_while(&self) -> bool {
        self.thinking.as_ref().is_some_and(|(_, began)| began.elapsed() >= self.together)
    }

    fn stop_thinking(&self) {
        if let Some((stop, _)) = &self.thinking {
            stop.set();
        }
    }
}

impl<C: Interrupt> Inbox<C> {
    /// Adds a command; if it interrupts, the thinking under way is told to stop.
    pub fn put(&self, command: C) {
        let mut state = self.lock();
        let interrupts = command.interrupts() && state.is_alone();
        if command.interrupts() && state.has_thought_for_a_while() {
            state.stop_thinking();
        }
        state.queue.push_back(Waiting { command, came: Instant::now(), interrupts });
        self.changed.notify_all();
    }

    /// There will be no more commands. With a patience, what is queued may still be carried out for so
    /// long, and then all thinking is told to stop; without one it may take as long as it likes.
    pub fn close(&self, patience: Option<Duration>) {
        let mut state = self.lock();
        state.closed = true;
        self.changed.notify_all();
        let Some(patience) = patience else { return };
        let waited = self.changed.wait_timeout_while(state, patience, |state| !state.finished);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.abandoned = true;
        state.stop_thinking();
    }

    /// The next command, as soon as there is one; `None` at the end.
    pub fn take(&self) -> Option<C> {
        let mut state = self.lock();
        state.thinking = None;
        loop {
            if let Some(waiting) = state.queue.pop_front() {
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

    /// The next command if it comes in time.
    pub fn take_within(&self, time: Duration) -> Option<C> {
        let mut state = self.lock();
        state.thinking = None;
        let waits = |state: &mut State<C>| state.queue.is_empty();
        let waited = self.changed.wait_timeout_while(state, time, waits);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.queue.pop_front().map(|waiting| waiting.command)
    }

    /// Whether a command is here that came at this instant or later.
    pub fn has_come_since(&self, instant: Instant) -> bool {
        self.lock().queue.iter().any(|waiting| waiting.came >= instant)
    }

    /// Thinking begins. It has to end when the stop says so, which may be at once: a command that
    /// interrupts it can be here already.
    pub fn begin_thinking(&self) -> Stop {
        let mut state = self.lock();
        let stop = Stop::never();
        if state.abandoned || state.queue.iter().any(|waiting| waiting.interrupts) {
            stop.set();
        }
        state.thinking = Some((stop.clone(), Instant::now()));
        stop
    }

    /// A thread that panicked leaves the queue as good as it was.
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
    fn thinking_is_stopped_by_what_comes_while_it_goes_on() {
        let inbox = Inbox::default();
        let stop = inbox.begin_thinking();
        inbox.put(Ask);
        assert!(!stop.is_set(), "another question can wait");
        inbox.put(Break);
        assert!(stop.is_set());
    }

    #[test]
    fn thinking_is_stopped_by_what_came_before_it_began() {
        let inbox = Inbox::default();
        for command in [Ask, Ask, Break, Ask] {
            inbox.put(command);
        }
        assert_eq!(inbox.take(), Some(Ask));
        assert!(inbox.begin_thinking().is_set());
        assert_eq!(inbox.take(), Some(Ask));
        assert!(inbox.begin_thinking().is_set());
        assert_eq!(inbox.take(), Some(Break));
        assert_eq!(inbox.take(), Some(Ask));
        assert!(!inbox.begin_thinking().is_set());
    }

    #[test]
    fn what_is_sent_together_can_be_answered_in_order() {
        let inbox = Inbox::in_order(Duration::MAX);
        for command in [Ask, Break] {
            inbox.put(command);
        }
        assert_eq!(inbox.take(), Some(Ask));
        let stop = inbox.begin_thinking();
        inbox.put(Break);
        assert!(!stop.is_set(), "it comes as soon as the thinking begins");
        assert_eq!(inbox.take(), Some(Break));
    }

    #[test]
    fn what_comes_later_ends_the_thinking_and_all_that_stands_before_it() {
        let together = Duration::from_millis(1);
        let inbox = Inbox::in_order(together);
        let stop = inbox.begin_thinking();
        std::thread::sleep(together);
        inbox.put(Ask);
        assert!(!stop.is_set());
        std::thread::sleep(together);
        inbox.put(Break);
        assert!(stop.is_set(), "somebody waits for the end of it");
        assert_eq!(inbox.take(), Some(Ask));
        assert!(inbox.begin_thinking().is_set());
    }

    #[test]
    fn the_end_of_the_input_lets_what_is_asked_be_answered() {
        let inbox = Inbox::default();
        inbox.put(Ask);
        std::thread::scope(|scope| {
            scope.spawn(|| inbox.close(Some(Duration::from_secs(3600))));
            assert_eq!(inbox.take(), Some(Ask));
            assert!(!inbox.begin_thinking().is_set());
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
        assert!(!inbox.begin_thinking().is_set(), "without a patience thinking goes on");
    }

    #[test]
    fn what_nobody_waits_for_is_stopped() {
        let inbox = Inbox::<Command>::default();
        let stop = inbox.begin_thinking();
        inbox.close(Some(Duration::ZERO));
        assert!(stop.is_set());
        assert!(inbox.begin_thinking().is_set());
    }
}
