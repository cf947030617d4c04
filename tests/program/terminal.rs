//! A game on a terminal: lines can be edited and come again, and a computer's thinking can be stopped.

use crate::common;
use nix::pty::openpty;
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);

struct Screen {
    child: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    /// What was shown and not yet waited for.
    text: String,
}

impl Screen {
    fn start(arguments: &str) -> Screen {
        let pair = openpty(None, None).unwrap();
        let end = || Stdio::from(pair.slave.try_clone().unwrap());
        let mut command = common::process();
        command.args(arguments.split_whitespace()).env("TERM", "xterm").env("NO_COLOR", "1");
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        drop(command);
        let keys = File::from(pair.master);
        let mut output = keys.try_clone().unwrap();
        let (sender, shown) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The system gives an error where the other end is closed.
            while let Ok(length @ 1..) = output.read(&mut bytes) {
                let _ = sender.send(bytes[..length].to_vec());
            }
        });
        Screen { child, keys, shown, text: String::new() }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until this is shown, and passes over it.
    fn wait_for(&mut self, wanted: &str) {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(place) = self.text.find(wanted) {
                self.text.drain(..place + wanted.len());
                return;
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.shown.recv_timeout(left) {
                Ok(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(error) => panic!("\"{wanted}\" is not shown ({error}), but {:?}", self.text),
            }
        }
    }

    fn end(mut self) {
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn lines_are_edited_and_come_again() {
    let mut screen = Screen::start("play --board 4x4 --white human");
    screen.wait_for("Black> ");
    // A wrong square, taken back by the backspace key.
    screen.press("b4\x7f1\r");
    screen.wait_for("White (O) to move");
    screen.wait_for("White> ");
    // The line before.
    screen.press("\x1b[A\r");
    screen.wait_for("\"b1\"");
    screen.wait_for("White> ");
    screen.press("moves\r");
    screen.wait_for("b1\r\n");
    screen.wait_for("White> ");
    screen.press("quit\r");
    screen.end();
}

#[test]
fn lines_that_come_at_once_are_all_carried_out() {
    let mut screen = Screen::start("play --board 4x4 --white human");
    screen.wait_for("Black> ");
    screen.press("b1\ra1\ra2\rmoves\rquit\r");
    screen.wait_for("b1a1a2\r\n");
    screen.end();
}

#[test]
fn a_side_that_a_board_does_not_say_is_asked_for_until_it_is_answered() {
    let mut screen = Screen::start("play -----OX--XO----- --white human");
    screen.wait_for("Who is to move, black or white?");
    screen.press("me\r");
    screen.wait_for("Who is to move, black or white?");
    screen.press("white\r");
    screen.wait_for("White (O) to move");
    screen.wait_for("White> ");
    screen.press("quit\r");
    screen.end();
}

#[test]
fn a_search_that_takes_seconds_says_so_and_can_be_stopped() {
    let mut screen = Screen::start("play --black human --white alphabeta:60");
    screen.wait_for("Black> ");
    screen.press("f5\r");
    screen.wait_for("thinking; stop ends it");
    screen.press("stop\r");
    screen.wait_for("White> ");
    screen.press("d6\r");
    screen.wait_for("Black> ");
    // The end of the input.
    screen.press("\x04");
    screen.end();
}
