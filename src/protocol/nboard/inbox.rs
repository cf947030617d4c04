//! Holds the commands that are still to be carried out, and stops the thinking that they interrupt.

use super::command::Command;
use crate::search::Stop;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Commands on their way from the thread that reads them to the thread that carries them out.
#[derive(Default)]
pub struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Command>,
    /// No more commands will come.
    closed: bool,
    /// Nobody waits for what is being thought about any longer.
    abandoned: bool,
    /// All commands have been carried out after the end of the input.
    finished: bool,
    /// Ends the thinking under way.
    thinking: Option<Stop>,
}

impl Inbox {
    /// Adds a command; if it interrupts, the thinking under way is told to stop.
    pub fn put(&self, command: Command) {
        let mut state = self.lock();
        if let (true, Some(stop)) = (command.interrupts(), &state.thinking) {
            stop.set();
        }
        state.queue.push_back(command);
        self.changed.notify_all();
    }

    /// There will be no more commands. What is queued may still be carried out for so long; then all thinking is told to stop.
    pub fn close(&self, patience: Duration) {
        let mut state = self.lock();
        state.closed = true;
        self.changed.notify_all();
        let waited = self.changed.wait_timeout_while(state, patience, |state| !state.finished);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.abandoned = true;
        if let Some(stop) = &state.thinking {
            stop.set();
        }
    }

    /// The next command, as soon as there is one; `None` at the end.
    pub fn take(&self) -> Option<Command> {
        let mut state = self.lock();
        state.thinking = None;
        loop {
            if let Some(command) = state.queue.pop_front() {
                return Some(command);
            }
            if state.closed {
                state.finished = true;
                self.changed.notify_all();
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Thinking begins. It has to end when the stop says so, which may be at once: a command that
    /// interrupts it can be here already.
    pub fn begin_thinking(&self) -> Stop {
        let mut state = self.lock();
        let stop = Stop::never();
        if state.abandoned || state.queue.iter().any(Command::interrupts) {
            stop.set();
        }
        state.thinking = Some(stop.clone());
        stop
    }

    /// A thread that panicked leaves the queue as good as it was.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ping() -> Command {
        Command::Ping(String::new())
    }

    #[test]
    fn thinking_is_stopped_by_what_comes_while_it_goes_on() {
        let inbox = Inbox::default();
        let stop = inbox.begin_thinking();
        inbox.put(Command::Hint(1));
        assert!(!stop.is_set(), "another question can wait");
        inbox.put(ping());
        assert!(stop.is_set());
    }

    #[test]
    fn thinking_is_stopped_by_what_came_before_it_began() {
        let inbox = Inbox::default();
        for command in [Command::Go, Command::Hint(1), ping(), Command::Go] {
            inbox.put(command);
        }
        assert_eq!(inbox.take(), Some(Command::Go));
        assert!(inbox.begin_thinking().is_set());
        assert_eq!(inbox.take(), Some(Command::Hint(1)));
        assert!(inbox.begin_thinking().is_set());
        assert_eq!(inbox.take(), Some(ping()));
        assert_eq!(inbox.take(), Some(Command::Go));
        assert!(!inbox.begin_thinking().is_set());
    }

    #[test]
    fn the_end_of_the_input_lets_what_is_asked_be_answered() {
        let inbox = Inbox::default();
        inbox.put(Command::Go);
        std::thread::scope(|scope| {
            scope.spawn(|| inbox.close(Duration::from_secs(3600)));
            assert_eq!(inbox.take(), Some(Command::Go));
            assert!(!inbox.begin_thinking().is_set());
            assert_eq!(inbox.take(), None);
        });
    }

    #[test]
    fn what_nobody_waits_for_is_stopped() {
        let inbox = Inbox::default();
        let stop = inbox.begin_thinking();
        inbox.close(Duration::ZERO);
        assert!(stop.is_set());
        assert!(inbox.begin_thinking().is_set());
    }
}
