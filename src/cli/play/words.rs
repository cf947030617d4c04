//! The words that can be typed during a game: Edax's, and a few more.

use crate::cli::values::duration_or_zero;
use reversi_engine::protocol::inbox::Interrupt;
use reversi_formats::reader::is_all_moves;
use reversi_rules::notation;
use std::path::PathBuf;
use std::time::Duration;

/// What is typed as one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Word {
    /// `f5`, `f5d6`, `play f5 d6`
    Moves(String),
    /// `init`: the usual first position, both sides played by hand.
    Init,
    /// `new`: once more from the first position of this game.
    New,
    /// `setboard CELLS SIDE`
    SetBoard(String),
    /// `undo`
    Undo,
    /// `redo`
    Redo,
    /// `go`: the computer makes this move.
    Go,
    /// `stop`: the computer stops thinking, and both sides are played by hand.
    Stop,
    /// `hint [N]`: the best N moves, or all.
    Hint(Option<usize>),
    /// `mode 0` to `mode 3`: who plays.
    Mode(Mode),
    /// `level N`
    Level(u32),
    /// `move-time SECONDS`
    MoveTime(Duration),
    /// `game-time SECONDS`
    GameTime(Duration),
    /// `pause SECONDS` between the moves of two computers
    Pause(Duration),
    /// `black NAME`, `human` included
    Black(String),
    /// `white NAME`, `human` included
    White(String),
    /// `load FILE`
    Load(PathBuf),
    /// `save FILE`
    Save(PathBuf),
    /// `show`: the board once more
    Show,
    /// `moves`: the transcript
    Transcript,
    /// `help`
    Help,
    /// `quit`
    Quit,
    /// A blank line.
    Nothing,
    /// No known word, with the reason.
    Wrong(String),
}

/// Who plays, by Edax's mode numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mode {
    /// Whether the computer plays Black.
    pub black: bool,
    /// Whether the computer plays White.
    pub white: bool,
}

/// The text of `help`.
pub const HELP: &str = "\
f5, f5d6, play f5 d6   make moves; passes are made by themselves
undo, redo             take a move back (and the computer's reply), make it again
hint [N]               what the N best moves are worth for the side to move
go                     let the computer make this move
stop                   end the computer's thinking; both sides are played by hand
mode 0|1|2|3           the computer plays White | Black | both | neither
black NAME, white NAME who plays: human, or a name that `reversi players` lists
level N                strength of the computer, 0 to 20
move-time T            time for each move of the computer, as in 5, 500ms or 2:30; 0 for no limit
game-time T            time for all moves of each computer; 0 for no limit
pause T                time between the moves of two computers
new                    once more from the first position of this game
init                   the usual first position, both sides played by hand
setboard CELLS SIDE    a position: - empty, X black, O white, then the side to move;
                       rules before it, as in \"reversed goal\", apply from then on
save FILE, load FILE   a game: .ggf with players and times, .pgn, .sgf, .wtb (WTHOR),
                       .obf the position alone, else moves as text
show, moves            the board; the moves made so far
help, quit";

impl Interrupt for Word {
    fn interrupts(&self) -> bool {
        matches!(self, Word::Stop | Word::Quit)
    }
}

/// Reads a line.
pub fn parse(line: &str) -> Word {
    let line = line.trim();
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let result = match name.to_ascii_lowercase().as_str() {
        "" => Ok(Word::Nothing),
        "init" | "new" | "undo" | "u" | "redo" | "r" | "go" | "stop" | "show" | "moves" | "help" | "?"
        | "quit" | "exit" | "q"
            if !rest.is_empty() =>
        {
            Err("write it alone, without anything after it".to_owned())
        }
        "play" => Ok(Word::Moves(rest.to_owned())),
        "init" => Ok(Word::Init),
        "new" => Ok(Word::New),
        "setboard" => needed(rest, "the cells and the side to move").map(Word::SetBoard),
        "undo" | "u" => Ok(Word::Undo),
        "redo" | "r" => Ok(Word::Redo),
        "go" => Ok(Word::Go),
        "stop" => Ok(Word::Stop),
        "hint" if rest.is_empty() => Ok(Word::Hint(None)),
        "hint" => count(rest).map(|count| Word::Hint(Some(count))),
        "mode" => mode(rest).map(Word::Mode),
        "level" => number(rest).map(Word::Level),
        "move-time" => duration_or_zero(rest).map(Word::MoveTime),
        "game-time" => duration_or_zero(rest).map(Word::GameTime),
        "pause" => duration_or_zero(rest).map(Word::Pause),
        "black" => needed(rest, "human or a player's name").map(Word::Black),
        "white" => needed(rest, "human or a player's name").map(Word::White),
        "load" | "open" => file(rest).map(Word::Load),
        "save" => file(rest).map(Word::Save),
        "show" => Ok(Word::Show),
        "moves" => Ok(Word::Transcript),
        "help" | "?" => Ok(Word::Help),
        "quit" | "exit" | "q" => Ok(Word::Quit),
        _ if begins_with_a_move(line) || is_all_moves(line) => Ok(Word::Moves(line.to_owned())),
        _ => Err("neither a move nor a word; help lists the words".to_owned()),
    };
    // Other keys than letters must not move the cursor when they are shown.
    result.unwrap_or_else(|what| Word::Wrong(format!("\"{}\": {what}", name.escape_debug())))
}

/// Whether a line begins with a move, on boards up to 24x24; whether the square is on this board is checked later.
fn begins_with_a_move(line: &str) -> bool {
    let side = notation::MAX_SIDE;
    notation::tokens(line).next().is_some_and(|token| notation::parse_token(side, side, token).is_ok())
}

fn needed(rest: &str, what: &str) -> Result<String, String> {
    if rest.is_empty() { Err(format!("write {what} after it")) } else { Ok(rest.to_owned()) }
}

/// The name of a file, which may be in quotes, as a shell needs them for blanks.
fn file(rest: &str) -> Result<PathBuf, String> {
    let quoted = ['"', '\'']
        .iter()
        .find_map(|&quote| rest.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)));
    needed(quoted.unwrap_or(rest), "a file").map(PathBuf::from)
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "write a number after it".to_owned())
}

fn count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|&count| count > 0);
    count.ok_or_else(|| "write how many moves after it, or nothing for all".to_owned())
}

fn mode(text: &str) -> Result<Mode, String> {
    match text {
        "0" => Ok(Mode { black: false, white: true }),
        "1" => Ok(Mode { black: true, white: false }),
        "2" => Ok(Mode { black: true, white: true }),
        "3" => Ok(Mode { black: false, white: false }),
        _ => {
            Err("write 0 (the computer plays White), 1 (Black), 2 (both) or 3 (neither) after it".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_need_no_word() {
        for line in ["f5", "F5D6", " f5 d6 c3", "pass", "x24", "--"] {
            assert_eq!(parse(line), Word::Moves(line.trim().to_owned()), "{line}");
        }
        for line in ["1. f5 d6 2. c3", "F5-D6", "1.f5, 2.d6", "b f5 w d6"] {
            assert_eq!(parse(line), Word::Moves(line.to_owned()), "{line}");
        }
        assert_eq!(parse("play f5 d6"), Word::Moves("f5 d6".to_owned()));
    }

    #[test]
    fn words_are_read_with_their_arguments() {
        assert_eq!(parse("HINT 3"), Word::Hint(Some(3)));
        assert_eq!(parse("mode 1"), Word::Mode(Mode { black: true, white: false }));
        assert_eq!(parse("move-time 0.5s"), Word::MoveTime(Duration::from_millis(500)));
        assert_eq!(parse("game-time 2:30"), Word::GameTime(Duration::from_secs(150)));
        assert_eq!(parse("save my game.ggf"), Word::Save("my game.ggf".into()));
        assert_eq!(parse(""), Word::Nothing);
    }

    #[test]
    fn what_is_no_word_is_told_with_the_way_out() {
        let wrong = |line| match parse(line) {
            Word::Wrong(message) => message,
            word => panic!("{line} was read as {word:?}"),
        };
        assert!(wrong("dance").ends_with("help lists the words"));
        assert!(wrong("\x1b[15~").starts_with("\"\\u{1b}[15~\": neither"), "keys that are no letters");
        assert!(wrong("mode 4").starts_with("\"mode\": write 0"));
        assert!(wrong("hint 0").starts_with("\"hint\": write how many"));
        assert!(wrong("level high").starts_with("\"level\": write a number"));
        assert!(wrong("move-time -1").contains("write a time"));
        assert!(wrong("move-time 1e300").contains("write a time"));
        assert!(wrong("save").starts_with("\"save\": write a file"));
        for name in ["my game.ggf", "\"my game.ggf\"", "'my game.ggf'"] {
            assert_eq!(parse(&format!("save {name}")), Word::Save("my game.ggf".into()), "{name}");
        }
        assert_eq!(
            parse("load \"a"),
            Word::Load("\"a".into()),
            "a quote without its end is part of the name"
        );
    }
}
