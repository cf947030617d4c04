//! Lines typed on a terminal: edited and remembered while it is a person's turn, and read as they are while a search
//! runs, so that `stop` ends it.

use crate::cli::Exit;
use crate::cli::print::print_remark;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor};
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often the reader checks whether a search has ended.
const STEP: Duration = Duration::from_millis(50);

/// A search that lasts longer is announced.
const ANNOUNCED_AFTER: Duration = Duration::from_secs(2);

/// The task of the reader.
enum Task {
    Nothing,
    /// Edit one line after this prompt.
    Edit(String),
    /// A line is being edited.
    Editing,
    /// Take lines as they come, without a prompt. `since` is the start of a search until it is announced.
    Watch {
        since: Option<Instant>,
    },
}

/// A thread that reads a terminal; clones refer to the same thread.
#[derive(Clone)]
pub struct LineEditor {
    task: Arc<(Mutex<Task>, Condvar)>,
}

impl LineEditor {
    /// Starts the thread, which passes each line to `take`, and `None` at the end of the input. Returns `None` if lines
    /// cannot be edited: input or output is no terminal, or the terminal cannot move its cursor.
    pub fn start(take: impl Fn(Option<&str>) + Send + 'static) -> Option<LineEditor> {
        let is_plain = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
        if is_plain || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return None;
        }
        let editor = DefaultEditor::with_config(Config::builder().auto_add_history(true).build()).ok()?;
        let line_editor = LineEditor { task: Arc::new((Mutex::new(Task::Nothing), Condvar::new())) };
        let own = line_editor.clone();
        // Waits for lines as long as the program runs.
        thread::spawn(move || own.read(editor, &take));
        Some(line_editor)
    }

    /// Lets the next line be edited, after a prompt. Nothing may be written to the terminal before the line is
    /// complete.
    pub fn edit(&self, prompt: String) {
        self.set(Task::Edit(prompt));
    }

    /// Takes lines while a search runs, and announces the search if it takes seconds.
    pub fn watch_search(&self) {
        self.set(Task::Watch { since: Some(Instant::now()) });
    }

    /// Takes lines while no search runs.
    pub fn watch(&self) {
        self.set(Task::Watch { since: None });
    }

    /// Sets the task, unless a line is already being edited because it began just as it was asked for.
    fn set(&self, new: Task) {
        let mut task = self.lock();
        if !matches!(*task, Task::Editing) {
            *task = new;
            self.task.1.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Task> {
        self.task.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, mut editor: DefaultEditor, take: &dyn Fn(Option<&str>)) {
        loop {
            let line = match self.next_prompt() {
                Some(prompt) => edited(&mut editor, &prompt),
                None => self.watched(),
            };
            self.end(&line);
            match line {
                Ok(Some(line)) => take(Some(&line)),
                Ok(None) => {}
                Err(_) => break,
            }
        }
        take(None);
    }

    /// Waits for a task. Returns the prompt of the next line to edit, or `None` if lines are only watched for.
    fn next_prompt(&self) -> Option<String> {
        let mut task = self.lock();
        loop {
            match std::mem::replace(&mut *task, Task::Nothing) {
                Task::Nothing | Task::Editing => {
                    task = self.task.1.wait(task).unwrap_or_else(PoisonError::into_inner);
                }
                Task::Edit(prompt) => {
                    *task = Task::Editing;
                    return Some(prompt);
                }
                watch @ Task::Watch { .. } => {
                    *task = watch;
                    return None;
                }
            }
        }
    }

    /// Ends a request for a line once the line is there.
    fn end(&self, line: &io::Result<Option<String>>) {
        let mut task = self.lock();
        if matches!(*task, Task::Editing) || (matches!(*task, Task::Edit(_)) && matches!(line, Ok(Some(_)))) {
            *task = Task::Nothing;
        }
    }

    /// A line that arrives within a short time.
    fn watched(&self) -> io::Result<Option<String>> {
        self.tell_of_long_search();
        let input = io::stdin();
        let mut polled = [PollFd::new(input.as_fd(), PollFlags::POLLIN)];
        let step = PollTimeout::try_from(STEP).expect("a short time");
        match poll(&mut polled, step) {
            Ok(0) | Err(nix::errno::Errno::EINTR) => return Ok(None),
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        // Without a buffer, which the editor would not see. A terminal gives at most one line.
        let mut bytes = [0; 4096];
        match nix::unistd::read(input.as_fd(), &mut bytes)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            length => Ok(Some(String::from_utf8_lossy(&bytes[..length]).into_owned())),
        }
    }

    fn tell_of_long_search(&self) {
        let mut task = self.lock();
        if let Task::Watch { since } = &mut *task
            && since.is_some_and(|since| since.elapsed() >= ANNOUNCED_AFTER)
        {
            *since = None;
            print_remark("thinking; stop ends it");
        }
    }
}

/// One edited line. Ctrl-C ends the program, as it does while nothing is edited.
fn edited(editor: &mut DefaultEditor, prompt: &str) -> io::Result<Option<String>> {
    match editor.readline(prompt) {
        Ok(line) => Ok(Some(line)),
        Err(ReadlineError::Interrupted) => std::process::exit(Exit::Interrupted as i32),
        Err(error) => Err(io::Error::other(error)),
    }
}
