//! Another process that is asked line by line, never waited for without end, and always ended.

use reversi_solver::search::Stop;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// How long a process may take to end after `quit`.
const FAREWELL: Duration = Duration::from_millis(300);
/// The longest line that is kept whole, in bytes; a longer one counts as several.
const LONGEST_LINE: u64 = 1 << 16;
/// Lines read ahead of us; a program that writes more waits.
const LINES_AHEAD: usize = 1000;
/// Time between two looks at whatever else may end the waiting.
const GLANCE: Duration = Duration::from_millis(20);

/// A running program with pipes to its input and output.
pub(super) struct Process {
    child: Child,
    /// `None` once the farewell is said.
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// Not before the deadline, or a stop from outside.
    Silent,
    /// The program has ended or closed its pipes; how.
    Ended(String),
}

impl Process {
    /// Starts a program: its name, then its arguments.
    pub fn start(command: &[String]) -> std::io::Result<Process> {
        let (program, arguments) =
            command.split_first().ok_or_else(|| std::io::Error::other("no program is named"))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C on a terminal is meant for us alone: the program would die of it, and lose the game.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let lines = child.stdout.take().map_or_else(|| sync_channel(0).1, read_lines);
        Ok(Process { child, input, lines })
    }

    /// Sends a GTP command and waits for the answer: `Ok` after `=`, `Err` after `?`. Lines before
    /// the answer are skipped.
    pub fn ask(
        &mut self,
        line: &str,
        deadline: Instant,
        stop: &Stop,
    ) -> Result<Result<String, String>, Trouble> {
        let sent = self.input.as_mut().map(|input| writeln!(input, "{line}").and_then(|()| input.flush()));
        if !matches!(sent, Some(Ok(()))) {
            return Err(self.how_it_ended());
        }
        let first = loop {
            let line = self.next_line(deadline, stop)?;
            if line.starts_with(['=', '?']) {
                break line;
            }
        };
        let (sign, text) = first.split_at(1);
        let mut answer = text.trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_owned();
        loop {
            let line = self.next_line(deadline, stop)?;
            if line.trim().is_empty() {
                break;
            }
            answer.push('\n');
            answer.push_str(line.trim());
        }
        Ok(if sign == "=" { Ok(answer) } else { Err(answer) })
    }

    fn next_line(&mut self, deadline: Instant, stop: &Stop) -> Result<String, Trouble> {
        while Instant::now() < deadline && !stop.is_set() {
            match self.lines.recv_timeout(GLANCE) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.how_it_ended()),
            }
        }
        Err(Trouble::Silent)
    }

    fn how_it_ended(&mut self) -> Trouble {
        let status = self.wait(FAREWELL);
        Trouble::Ended(status.unwrap_or_else(|| "its output closed".to_owned()))
    }

    /// Ends the program, and what it has started: a script does not pass on how it is ended itself.
    fn kill(&mut self) {
        // What has ended by now need not be ended.
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::KILL,
        );
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits so long for the end; `None` if the process still runs.
    fn wait(&mut self, time: Duration) -> Option<String> {
        let deadline = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(GLANCE / 4),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

/// Says goodbye, waits a little, and ends the process if it still runs.
impl Drop for Process {
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            // It may be gone already.
            let _ = writeln!(input, "quit");
        }
        // No thread waits for what it still writes.
        self.lines = sync_channel(0).1;
        if self.wait(FAREWELL).is_none() {
            self.kill();
        }
    }
}

/// Reads on its own thread, so that no one waits for a silent program; ends with the program's output.
fn read_lines(output: ChildStdout) -> Receiver<String> {
    let (sender, lines) = sync_channel(LINES_AHEAD);
    std::thread::spawn(move || {
        let mut reader = BufReader::new(output);
        let mut bytes = Vec::new();
        let mut next = |bytes: &mut Vec<u8>| reader.by_ref().take(LONGEST_LINE).read_until(b'\n', bytes);
        while next(&mut bytes).is_ok_and(|length| length > 0) {
            let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned();
            if sender.send(line).is_err() {
                break;
            }
            bytes.clear();
        }
    });
    lines
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_a_script_has_started_ends_with_it() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let script = "sh -c 'while :; do echo still here >> \"$0\"; sleep 0.01; done' \"$0\"; true";
        let path = file.path().to_str().unwrap();
        let size = || file.path().metadata().unwrap().len();
        let process = Process::start(&["sh", "-c", script, path].map(str::to_owned)).unwrap();
        let started = Instant::now();
        while size() == 0 {
            assert!(started.elapsed() < Duration::from_secs(60), "the script writes");
            std::thread::sleep(GLANCE);
        }
        drop(process);
        let then = size();
        std::thread::sleep(10 * GLANCE);
        assert_eq!(size(), then, "nothing writes any more");
    }
}
