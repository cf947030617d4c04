//! Another process that is asked line by line. Every wait has a time limit, the process is always ended, and the stored
//! part of its output is bounded.

use reversi_solver::search::Stop;
use std::io::{BufRead, BufReader, Read as _, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Time limit for a process to end after `quit`.
const TIME_TO_QUIT: Duration = Duration::from_millis(300);
/// Most bytes of a line that are kept; the rest of it is skipped.
const LONGEST_LINE: u64 = 1 << 12;
/// Lines that are read ahead, at most 256 KiB; a program that writes more waits.
const LINES_AHEAD: usize = 64;
/// The most bytes of an answer with the lines before it: GTP answers are much shorter.
const LONGEST_ANSWER: usize = 1 << 16;
/// Time between two checks of the deadline and the stop.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A running program with pipes to its input and output.
pub(super) struct Process {
    child: Child,
    /// `None` after `quit` was sent.
    input: Option<ChildStdin>,
    lines: Receiver<Read>,
    /// The last line that was read.
    heard: Option<String>,
}

/// What was read of a program's output.
#[derive(PartialEq, Eq, Debug)]
enum Read {
    Line(String),
    /// A line that is longer than any answer: nothing is read after it.
    Flood,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum AskError {
    /// Not before the deadline, or a stop from outside.
    Silent,
    /// The program has ended or closed its pipes; how.
    Ended(String),
    /// It wrote more than any answer is long.
    Flood,
}

impl Process {
    /// Starts a program: its name, then its arguments.
    pub fn start(command: &[String]) -> std::io::Result<Process> {
        let (program, arguments) =
            command.split_first().ok_or_else(|| std::io::Error::other("no program is named"))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C on a terminal must reach this program only: the other program would end, and lose the game.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let lines = child.stdout.take().map_or_else(|| sync_channel(0).1, read_lines);
        Ok(Process { child, input, lines, heard: None })
    }

    /// Sends a GTP command and waits for the answer: `Ok` after `=`, `Err` after `?`. Lines before the answer are
    /// skipped, and so is all that was written before the command was sent: it answers nothing.
    pub fn ask(
        &mut self,
        line: &str,
        deadline: Instant,
        stop: &Stop,
    ) -> Result<Result<String, String>, AskError> {
        while let Ok(Read::Line(_)) = self.lines.try_recv() {}
        let sent = self.input.as_mut().map(|input| writeln!(input, "{line}").and_then(|()| input.flush()));
        if !matches!(sent, Some(Ok(()))) {
            return Err(self.how_it_ended());
        }
        let mut left = LONGEST_ANSWER;
        let first = loop {
            let line = self.next_line(deadline, stop, &mut left)?;
            if line.starts_with(['=', '?']) {
                break line;
            }
        };
        let (sign, text) = first.split_at(1);
        let mut answer = text.trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_owned();
        loop {
            let line = self.next_line(deadline, stop, &mut left)?;
            if line.trim().is_empty() {
                break;
            }
            answer.push('\n');
            answer.push_str(line.trim());
        }
        Ok(if sign == "=" { Ok(answer) } else { Err(answer) })
    }

    /// `left` is the number of bytes that may still be read.
    fn next_line(&mut self, deadline: Instant, stop: &Stop, left: &mut usize) -> Result<String, AskError> {
        while Instant::now() < deadline && !stop.is_set() {
            match self.lines.recv_timeout(POLL_INTERVAL) {
                Ok(Read::Flood) => return Err(AskError::Flood),
                Ok(Read::Line(line)) => {
                    *left = left.checked_sub(line.len() + 1).ok_or(AskError::Flood)?;
                    self.heard = Some(line.clone());
                    return Ok(line);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.how_it_ended()),
            }
        }
        Err(AskError::Silent)
    }

    /// The last line that was read of what it has written.
    pub fn heard(&self) -> Option<&str> {
        self.heard.as_deref()
    }

    fn how_it_ended(&mut self) -> AskError {
        let status = self.wait(Instant::now() + TIME_TO_QUIT);
        AskError::Ended(status.unwrap_or_else(|| "its output closed".to_owned()))
    }

    /// Kills the program and its process group: a script does not pass a signal on to the programs it started.
    fn kill(&mut self) {
        // The process may have ended already.
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::KILL,
        );
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits for the end until the deadline; `None` if the process still runs.
    fn wait(&mut self, deadline: Instant) -> Option<String> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < deadline => std::thread::sleep(POLL_INTERVAL / 4),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

/// Sends `quit`, reads what the program still writes, and ends the process if it still runs: a program whose pipe is
/// closed before its last answer would fail at the very end.
impl Drop for Process {
    fn drop(&mut self) {
        let deadline = Instant::now() + TIME_TO_QUIT;
        if let Some(mut input) = self.input.take() {
            // It may be gone already.
            let _ = writeln!(input, "quit");
        }
        while let Some(time) = deadline.checked_duration_since(Instant::now()) {
            if self.lines.recv_timeout(time).is_err() {
                break;
            }
        }
        if self.wait(deadline).is_none() {
            self.kill();
        }
    }
}

/// Reads on its own thread, so that a silent program blocks nothing; ends with the program's output.
fn read_lines(output: ChildStdout) -> Receiver<Read> {
    let (sender, lines) = sync_channel(LINES_AHEAD);
    std::thread::spawn(move || {
        let mut reader = BufReader::new(output);
        while let Some(read) = next_line(&mut reader) {
            let is_last = read == Read::Flood;
            if sender.send(read).is_err() || is_last {
                break;
            }
        }
    });
    lines
}

/// The next line as far as it is kept; `None` at the end.
fn next_line(reader: &mut impl BufRead) -> Option<Read> {
    let part = |reader: &mut dyn BufRead, bytes: &mut Vec<u8>| {
        bytes.clear();
        reader.take(LONGEST_LINE).read_until(b'\n', bytes).is_ok_and(|length| length > 0)
    };
    let mut kept = Vec::new();
    if !part(reader, &mut kept) {
        return None;
    }
    let (mut is_whole, mut rest, mut skipped) = (kept.ends_with(b"\n"), Vec::new(), 0);
    while !is_whole && part(reader, &mut rest) {
        is_whole = rest.ends_with(b"\n");
        skipped += rest.len();
        if skipped > LONGEST_ANSWER {
            return Some(Read::Flood);
        }
    }
    Some(Read::Line(String::from_utf8_lossy(&kept).trim_end_matches(['\r', '\n']).to_owned()))
}

#[cfg(test)]
mod line_tests {
    use super::*;

    #[test]
    fn the_rest_of_a_long_line_is_no_line() {
        let long = "x".repeat(3 * LONGEST_LINE as usize);
        let text = format!("short\r\n\n{long}= a1\nlast");
        let mut reader = text.as_bytes();
        let lines: Vec<Read> = std::iter::from_fn(|| next_line(&mut reader)).collect();
        let expected = ["short", "", &long[..LONGEST_LINE as usize], "last"];
        assert_eq!(lines, expected.map(|line| Read::Line(line.to_owned())));
        assert_eq!(next_line(&mut "x".repeat(2 * LONGEST_ANSWER).as_bytes()), Some(Read::Flood));
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn start(script: &str, argument: &str) -> Process {
        Process::start(&["sh", "-c", script, argument].map(str::to_owned)).unwrap()
    }

    #[test]
    fn what_a_script_has_started_ends_with_it() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let script = "sh -c 'while :; do echo still here >> \"$0\"; sleep 0.01; done' \"$0\"; true";
        let size = || file.path().metadata().unwrap().len();
        let process = start(script, file.path().to_str().unwrap());
        let started = Instant::now();
        while size() == 0 {
            assert!(started.elapsed() < Duration::from_secs(60), "the script writes");
            std::thread::sleep(POLL_INTERVAL);
        }
        drop(process);
        let then = size();
        std::thread::sleep(10 * POLL_INTERVAL);
        assert_eq!(size(), then, "nothing writes any more");
    }

    #[test]
    fn a_flood_is_no_answer_and_ends() {
        for flood in ["yes", "echo =; yes", "cat /dev/zero"] {
            let mut process = start(&format!("read line; exec sh -c '{flood}'"), "flood");
            let asked = Instant::now();
            let answer = process.ask("name", asked + Duration::from_secs(60), &Stop::never());
            assert_eq!(answer, Err(AskError::Flood), "{flood}");
        }
    }

    #[test]
    fn an_answer_too_many_is_not_taken_for_the_next_one() {
        let script =
            "read line; printf '= one\\n\\n= stray\\n\\n'; read line; printf '= two\\n\\n'; read line";
        let mut process = start(script, "script");
        let mut ask = || process.ask("name", Instant::now() + Duration::from_secs(60), &Stop::never());
        assert_eq!(ask(), Ok(Ok("one".to_owned())));
        std::thread::sleep(10 * POLL_INTERVAL);
        assert_eq!(ask(), Ok(Ok("two".to_owned())));
    }

    #[test]
    fn the_last_answer_is_read_before_the_pipe_closes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        // A shell without its reader gets an error, or a signal, and writes nothing more.
        let script = "while read line; do [ \"$line\" = quit ] && sleep 0.05 && echo = && echo && echo ok > \"$0\" && exit; done";
        drop(start(script, file.path().to_str().unwrap()));
        assert_eq!(std::fs::read_to_string(file.path()).unwrap(), "ok\n");
    }
}
