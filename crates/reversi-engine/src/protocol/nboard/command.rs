//! Knows the commands of the NBoard protocol: reads a line.

use crate::protocol::inbox::Interrupt;

/// A line of the GUI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `nboard 2`: the protocol, whatever its version, begins.
    NBoard,
    /// `set depth N`: how many plies to look ahead.
    SetDepth(u32),
    /// `set contempt N`, which means nothing to an engine that does not avoid draws.
    SetContempt,
    /// `set game {GGF}`: the game whose last position all that follows is about.
    SetGame(String),
    /// `move MV[/EVAL[/SEC]]`: a move of that game; evaluation and time left out here.
    Move(String),
    /// `hint N`: value the best N moves.
    Hint(usize),
    /// `go`: choose a move.
    Go,
    /// `ping N`: stop thinking, then answer.
    Ping(String),
    /// `learn`: the game may be learned from.
    Learn,
    /// `analyze`: value all positions of the game.
    Analyze,
    /// `quit`: end.
    Quit,
}

/// The GUI is done with what it asked for before: it awaits another answer, or the position or the depth changes.
impl Interrupt for Command {
    fn interrupts(&self) -> bool {
        *self != Command::SetContempt
    }
}

impl Command {
    /// Whether it can only be carried out in a game.
    pub fn is_about_the_game(&self) -> bool {
        matches!(self, Command::Move(_) | Command::Hint(_) | Command::Go | Command::Analyze)
    }
}

/// Reads a line; `None` if it is no command or lacks its arguments: the protocol asks to ignore such lines.
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
