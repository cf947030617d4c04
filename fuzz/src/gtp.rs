//! Whatever a controller sends, each command gets one answer in the form of the protocol, and the session goes on.

use reversi::engine::{GameSetup, PlayerSpec, Resources};
use reversi::protocol::gtp::Session;
use reversi::protocol::lines::next_line;

/// The lines of one conversation that are answered: more say nothing new.
const LINES: usize = 64;

/// Sends the bytes, line by line, to a session on 4x4.
pub fn check(mut bytes: &[u8]) {
    let player = "first".parse::<PlayerSpec>().expect("it is a player").build(&Resources::default(), 1);
    let setup = GameSetup::new("4x4".parse().expect("it is a size"));
    let mut session =
        Session::new(setup, 1, player, Box::new(|_| None)).expect("this player plays on every board");
    for _ in 0..LINES {
        let Some(line) = next_line(&mut bytes).expect("bytes in memory can be read") else { break };
        let Some(reply) = session.answer(&line.text()) else { continue };
        let text =
            reply.text.strip_suffix("\n\n").unwrap_or_else(|| panic!("no end of the answer {reply:?}"));
        assert!(text.starts_with(['=', '?']) && !text.contains("\n\n"), "{reply:?}");
        if reply.quit {
            break;
        }
    }
}
