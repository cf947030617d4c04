//! Whatever a GUI sends, a session answers in whole lines of text and goes on.

use reversi::engine::{GameSetup, PlayerSpec, Resources};
use reversi::protocol::inbox::Inbox;
use reversi::protocol::lines::next_line;
use reversi::protocol::nboard::{Session, TableValues, parse};
use reversi::table::library::Library;

/// The lines of one conversation that are answered: more say nothing new.
const LINES: usize = 64;

/// Sends the bytes, line by line, to a session that begins on 4x4.
pub fn check(mut bytes: &[u8]) {
    let player = "first".parse::<PlayerSpec>().expect("it is a player").build(&Resources::default(), 1);
    let setup = GameSetup::new("4x4".parse().expect("it is a size"));
    let mut said = Vec::new();
    let mut session = Session::new(setup, 1, player, TableValues::new(Library::new(None)), &mut said);
    let inbox = Inbox::default();
    for _ in 0..LINES {
        let Some(line) = next_line(&mut bytes).expect("bytes in memory can be read") else { break };
        if let Some(command) = parse(&line.text()) {
            session.carry_out(command, &inbox).expect("memory can be written");
        }
    }
    let said = String::from_utf8(said).expect("answers are text");
    assert!(said.is_empty() || said.ends_with('\n'), "{said}");
    assert!(said.lines().all(|line| !line.trim().is_empty()), "{said}");
}
