//! GTP commands: parses a line with its number and its arguments.

use super::time::{TimeLeft, TimeSettings};
use crate::GameMove;
use reversi_rules::{Color, notation};
use std::time::Duration;

/// A command with its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `protocol_version`
    ProtocolVersion,
    /// `name`
    Name,
    /// `version`
    Version,
    /// `known_command NAME`
    KnownCommand(String),
    /// `list_commands`
    ListCommands,
    /// `quit`
    Quit,
    /// `boardsize N`
    BoardSize(u32),
    /// `clear_board`
    ClearBoard,
    /// `komi X`, ignored: the game has no komi.
    Komi,
    /// `play COLOUR MOVE`
    Play(Color, GameMove),
    /// `genmove COLOUR`
    GenMove(Color),
    /// `reg_genmove COLOUR`
    RegGenMove(Color),
    /// `undo`
    Undo,
    /// `final_score`
    FinalScore,
    /// `showboard`
    ShowBoard,
    /// `time_settings MAIN BYO_YOMI STONES`
    TimeSettings(TimeSettings),
    /// `time_left COLOUR SECONDS STONES`
    TimeLeft(Color, TimeLeft),
    /// `set_game NAME`
    SetGame(String),
    /// `list_games`
    ListGames,
    /// `set_level N`
    SetLevel(u32),
    /// `gogui-rules_game_id`
    RulesGameId,
    /// `gogui-rules_board`
    RulesBoard,
    /// `gogui-rules_board_size`
    RulesBoardSize,
    /// `gogui-rules_legal_moves`
    RulesLegalMoves,
    /// `gogui-rules_side_to_move`
    RulesSideToMove,
    /// `gogui-rules_final_result`
    RulesFinalResult,
}

/// The names of all commands, in the order of `list_commands`.
pub const NAMES: [&str; 26] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "final_score",
    "showboard",
    "time_settings",
    "time_left",
    "set_game",
    "list_games",
    "set_level",
    "gogui-rules_game_id",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_final_result",
];

/// Why a line is no valid command.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Malformed {
    /// Unknown command.
    #[error("unknown command")]
    Unknown,
    /// Missing or invalid arguments.
    #[error("syntax error")]
    Arguments,
}

/// A parsed line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The digits before the command, repeated in the answer.
    pub id: Option<String>,
    /// The command.
    pub command: Result<Command, Malformed>,
}

/// Parses a line; `None` if it is blank or only a comment.
///
/// ```
/// use reversi_engine::protocol::gtp::{Command, parse};
/// let request = parse("12 genmove\tw # your turn").unwrap();
/// assert_eq!(request.id.as_deref(), Some("12"));
/// assert_eq!(request.command, Ok(Command::GenMove(reversi_rules::Color::White)));
/// assert_eq!(parse("  # nothing"), None);
/// ```
pub fn parse(line: &str) -> Option<Request> {
    let printable: String =
        line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect();
    let mut words = printable.split('#').next()?.split_whitespace().peekable();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    words.peek()?;
    let id = words.next_if(is_number).map(str::to_owned);
    let command = words.next().ok_or(Malformed::Unknown);
    let command = command.and_then(|name| read_command(name, &words.collect::<Vec<_>>()));
    Some(Request { id, command })
}

/// Extra arguments are ignored, as the protocol requires.
fn read_command(name: &str, arguments: &[&str]) -> Result<Command, Malformed> {
    let word = |place: usize| arguments.get(place).copied().ok_or(Malformed::Arguments);
    let number = |place| word(place)?.parse::<u32>().map_err(|_| Malformed::Arguments);
    let color = |place| read_color(word(place)?).ok_or(Malformed::Arguments);
    let seconds = |place| read_seconds(word(place)?).ok_or(Malformed::Arguments);
    Ok(match name {
        "protocol_version" => Command::ProtocolVersion,
        "name" => Command::Name,
        "version" => Command::Version,
        "known_command" => Command::KnownCommand(word(0)?.to_owned()),
        "list_commands" => Command::ListCommands,
        "quit" => Command::Quit,
        "boardsize" => Command::BoardSize(read_size(word(0)?).ok_or(Malformed::Arguments)?),
        "clear_board" => Command::ClearBoard,
        "komi" => word(0)?.parse::<f64>().map(|_| Command::Komi).map_err(|_| Malformed::Arguments)?,
        "play" => Command::Play(color(0)?, read_vertex(word(1)?).ok_or(Malformed::Arguments)?),
        "genmove" => Command::GenMove(color(0)?),
        "reg_genmove" => Command::RegGenMove(color(0)?),
        "undo" => Command::Undo,
        "final_score" => Command::FinalScore,
        "showboard" => Command::ShowBoard,
        "time_settings" => {
            let (main, byo_yomi, stones) = (seconds(0)?, seconds(1)?, number(2)?);
            Command::TimeSettings(TimeSettings { main, byo_yomi, stones })
        }
        "time_left" => Command::TimeLeft(color(0)?, TimeLeft { left: seconds(1)?, stones: number(2)? }),
        "set_game" => Command::SetGame(word(0)?.to_owned()),
        "list_games" => Command::ListGames,
        "set_level" => Command::SetLevel(number(0)?),
        "gogui-rules_game_id" => Command::RulesGameId,
        "gogui-rules_board" => Command::RulesBoard,
        "gogui-rules_board_size" => Command::RulesBoardSize,
        "gogui-rules_legal_moves" => Command::RulesLegalMoves,
        "gogui-rules_side_to_move" => Command::RulesSideToMove,
        "gogui-rules_final_result" => Command::RulesFinalResult,
        _ => return Err(Malformed::Unknown),
    })
}

/// A number beyond any board is parsed, so that the answer is "unacceptable size" instead of "syntax error".
fn read_size(text: &str) -> Option<u32> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(0))
}

fn read_color(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// Any square with a name; whether it is on the board is checked as legality.
fn read_vertex(text: &str) -> Option<GameMove> {
    let square = notation::parse_token(notation::MAX_SIDE, notation::MAX_SIDE, text).ok()?;
    Some(square.map_or(GameMove::Pass, |(column, row)| GameMove::Play(column, row)))
}

/// Whole seconds by the protocol; some controllers send fractions, or negative numbers when time is up.
fn read_seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok().filter(|seconds: &f64| !seconds.is_nan())?;
    Duration::try_from_secs_f64(seconds.max(0.0)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_command_is_known_and_no_other() {
        for name in NAMES {
            let request = parse(&format!("{name} w d3 5 1")).unwrap();
            assert_ne!(request.command, Err(Malformed::Unknown), "{name}");
        }
        assert_eq!(parse("fly_to_the_moon").unwrap().command, Err(Malformed::Unknown));
    }

    #[test]
    fn a_number_alone_is_no_command() {
        let request = parse("99999999999999999999").unwrap();
        assert_eq!(request.id.as_deref(), Some("99999999999999999999"));
        assert_eq!(request.command, Err(Malformed::Unknown));
    }

    #[test]
    fn times_may_have_fractions_but_no_nonsense() {
        let time = |text: &str| parse(&format!("time_left b {text} 0")).unwrap().command;
        let left = |seconds| Ok(Command::TimeLeft(Color::Black, TimeLeft { left: seconds, stones: 0 }));
        assert_eq!(time("2.5"), left(Duration::from_millis(2500)));
        assert_eq!(time("-3"), left(Duration::ZERO));
        assert_eq!(time("1e99"), Err(Malformed::Arguments));
        assert_eq!(time("soon"), Err(Malformed::Arguments));
    }
}
