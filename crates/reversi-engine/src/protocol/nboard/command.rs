//! NBoard commands: parses a line.

use crate::protocol::inbox::Interrupt;

/// A parsed line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `nboard 2`: start of the protocol; any version is accepted.
    NBoard,
    /// `set depth N`: the search depth in plies.
    SetDepth(u32),
    /// `set contempt N`, ignored: the engine does not avoid draws.
    SetContempt,
    /// `set game {GGF}`: the game whose last position all later commands refer to.
    SetGame(String),
    /// `move MV[/EVAL[/SEC]]`: a move of that game; evaluation and time are dropped.
    Move(String),
    /// `hint N`: evaluate the best N moves.
    Hint(usize),
    /// `go`: choose a move.
    Go,
    /// `ping N`: stop searching, then answer.
    Ping(String),
    /// `learn`: permission to learn from the game.
    Learn,
    /// `analyze`: evaluate all positions of the game.
    Analyze,
    /// `quit`: end.
    Quit,
}

/// An interrupt means that the GUI needs no further results: it waits for another answer, or position or depth
/// change.
impl Interrupt for Command {
    fn interrupts(&self) -> bool {
        *self != Command::SetContempt
    }
}

impl Command {
    /// Whether it needs a valid game.
    pub fn is_about_the_game(&self) -> bool {
        matches!(self, Command::Move(_) | Command::Hint(_) | Command::Go | Command::Analyze)
    }
}

/// Parses a line; `None` if it is no command or lacks its arguments: the protocol requires ignoring such lines.
///
/// ```
/// use reversi_engine::protocol::nboard::{Command, parse};
/// assert_eq!(parse("move F5/1.50/0.2"), Some(Command::Move("F5".to_owned())));
/// assert_eq!(parse("dance"), None);
/// ```
pub fn parse(line: &str) -> Option<Command> {
    let (name, rest) = first_word(line);
    Some(match name {
        "nboard" => Command::NBoard,
        "set" => {
            let (what, value) = first_word(rest);
            match what {
                "depth" => Command::SetDepth(value.parse().ok()?),
                "game" => Command::SetGame(value.to_owned()),
                "contempt" => Command::SetContempt,
                _ => return None,
            }
        }
        "move" => Command::Move(rest.split('/').next()?.trim().to_owned()),
        "hint" => Command::Hint(rest.parse().ok()?),
        "go" => Command::Go,
        "ping" => Command::Ping(rest.to_owned()),
        "learn" => Command::Learn,
        "analyze" => Command::Analyze,
        "quit" => Command::Quit,
        _ => return None,
    })
}

fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}
