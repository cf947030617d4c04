//! Options of every command that reads a position or a game, and the messages of the reader.

use super::Failure;
use super::choices::by_name;
use super::print::print_remark;
use clap::{Args, ValueEnum};
use reversi_engine::{Game, GameSetup, Size};
use reversi_formats::decode::without_mark;
use reversi_formats::obf;
use reversi_formats::reader::{Skipped, Wanted, Zero, is_all_moves, is_pass, play_text};
use reversi_formats::text::{self, ReadError, Reading};
use reversi_formats::wthor::Names;
use reversi_rules::notation::{BoardError, shown};
use reversi_rules::{Board, Color, Geometry, Passing};
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// Whether exact values are known of a game by its passing rule, which a text of JSON may name.
///
/// # Errors
/// The game ends as soon as the side to move has no move.
pub fn check_passing(passing: Passing) -> Result<(), String> {
    match passing {
        Passing::Allowed => Ok(()),
        Passing::EndsGame => {
            Err("exact values are only known for games in which a side without a move passes".to_owned())
        }
    }
}

/// The rules of a game that was read with this setup where they differ from those of the setup: its text names them.
pub fn rules_named(game: &Game, setup: GameSetup) -> obf::File {
    let (made, unnamed) = (game.rules(), setup.rules(game.size()));
    obf::File {
        goal: Some(made.goal).filter(|&goal| goal != unnamed.goal),
        scoring: Some(made.scoring).filter(|&scoring| scoring != unnamed.scoring),
        records: Vec::new(),
    }
}

/// What to assume where a text leaves something open, and whether to show what was skipped in it.
#[derive(Args, Clone, Copy, Default)]
pub struct ReadingOptions {
    /// Side to move, for a board that is given without one
    #[arg(long, value_name = "SIDE", value_parser = by_name::<Color>())]
    pub side: Option<Color>,
    /// Meaning of 0 on a board
    #[arg(long, value_enum, value_name = "WHAT")]
    pub zero: Option<ZeroName>,
    /// Show on stderr what was skipped in a text
    #[arg(long)]
    pub verbose: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
pub enum ZeroName {
    /// An empty square
    Empty,
    /// A white disc
    White,
}

impl ReadingOptions {
    /// The request to the reader: where bare moves begin, and the size if one was given.
    pub fn wanted(&self, setup: GameSetup, size: Option<Size>) -> Wanted {
        Wanted { setup, size, side: self.side, zero: self.zero() }
    }

    /// What `0` stands for on a board, if that was given.
    pub fn zero(&self) -> Option<Zero> {
        self.zero.map(|zero| match zero {
            ZeroName::Empty => Zero::Empty,
            ZeroName::White => Zero::White,
        })
    }

    /// Refuses these options where there is no position to read.
    ///
    /// # Errors
    /// One of them is given, and there is none.
    pub fn check_for(&self, has_position: bool) -> Result<(), Failure> {
        match !has_position && (self.side.is_some() || self.zero.is_some() || self.verbose) {
            true => Err(Failure::usage(
                "usage",
                "--side, --zero and --verbose are for a --position; leave them out",
            )),
            false => Ok(()),
        }
    }

    /// Reads one game or position and shows what was skipped.
    ///
    /// # Errors
    /// As [`text::read_single`].
    pub fn read(&self, text: &str, wanted: Wanted) -> Result<Reading, ReadError> {
        let reading = text::read_single(text, wanted)?;
        self.tell_skipped(&reading.skipped);
        Ok(reading)
    }

    /// Reads the value of --position, if it is given, and the arguments after it as one game. Moves after an argument
    /// that is a position of its own are played there: read as one text with it, they could end up in its last comment.
    ///
    /// # Errors
    /// As [`text::read_single`] and [`play_text`].
    pub fn read_arguments(
        &self,
        position: Option<&str>,
        arguments: &[String],
        wanted: Wanted,
    ) -> Result<Reading, ReadError> {
        let all: Vec<&str> = position.into_iter().chain(arguments.iter().map(String::as_str)).collect();
        // A comment and a drawing end with their lines, so what follows begins a new one.
        let end = if all.iter().any(|text| text.contains(['#', '%', '\n'])) { "\n" } else { " " };
        if let [first, rest @ ..] = &all[..] {
            let rest = rest.join(end);
            if is_all_moves(&rest) || is_pass(&rest) {
                match text::read_single(first, wanted) {
                    Ok(reading) if reading.has_board => return self.play_on(reading, &rest, wanted),
                    Err(ReadError::Several) => return Err(ReadError::Several),
                    _ => {}
                }
            }
        }
        self.read(&all.join(end), wanted)
    }

    /// Plays moves after those of a game that was read.
    fn play_on(&self, mut reading: Reading, moves: &str, wanted: Wanted) -> Result<Reading, ReadError> {
        // `c1 -8` is a move or its value, also beside a board.
        let board = reading.game.board();
        let spelled = Wanted { size: Some(board.size()), side: None, ..wanted };
        if let Err(error @ ReadError::Ambiguous { .. }) = text::read(&format!("{board} {moves}"), spelled) {
            return Err(error);
        }
        let skipped = play_text(&mut reading.game, moves)?;
        self.tell_skipped(&reading.skipped);
        self.tell_skipped(&skipped);
        Ok(reading)
    }

    /// The board in the value of --position, perhaps after moves, and those rules that the text names and that differ
    /// from those of `setup`; of this size if one was given.
    ///
    /// # Errors
    /// Exit code 2: no board, a board of another size or larger than 8x8, something that it leaves open, or the other
    /// rule for a side without a move.
    pub fn board(
        &self,
        text: &str,
        geometry: Option<Geometry>,
        setup: GameSetup,
    ) -> Result<(Board, obf::File), Failure> {
        let no_board = || {
            let message = "--position: write a board of at most 8x8, then the side to move";
            Failure::usage("bad-position", message)
        };
        let read = match self.read(text, self.wanted(setup, geometry.map(Into::into))) {
            Err(ReadError::BareMoves(_) | ReadError::Nothing) => return Err(no_board()),
            read => read.map_err(|error| failure("--position: ", &error))?,
        };
        if setup.passing == Passing::Allowed {
            check_passing(read.game.passing()).map_err(|message| Failure::usage("bad-rules", message))?;
        } else if read.game.passing() == Passing::Allowed {
            let message =
                "the position is for games in which a side without a move passes: leave --no-passing out";
            return Err(Failure::usage("bad-rules", message));
        }
        let board = read.game.board().small().filter(|_| read.has_board).ok_or_else(no_board)?;
        Ok((board, rules_named(&read.game, setup)))
    }

    /// Shows what was skipped, if requested.
    pub fn tell_skipped(&self, skipped: &[Skipped]) {
        for piece in skipped.iter().filter(|_| self.verbose) {
            let Skipped { line, column, text, why } = piece;
            print_remark(format_args!("skipped: line {line}, column {column}: \"{}\" ({why})", shown(text)));
        }
    }
}

/// The error of a text, with the option that settles what the text leaves open.
pub fn advised(error: &ReadError) -> String {
    let option = match error.board_fault() {
        Some(&(BoardError::NoSide(found) | BoardError::NoSideOrSize(found))) => {
            let is_option = matches!(error, ReadError::Board(_));
            let side = if is_option { "; or say it with --side black or --side white" } else { "" };
            format!("{side}{}", as_rectangle(found))
        }
        Some(BoardError::Zero) if matches!(error, ReadError::Board(_)) => {
            "; say it with --zero empty or --zero white".to_owned()
        }
        Some(&(BoardError::UnknownSize { found, .. } | BoardError::Length { found, .. })) => {
            as_rectangle(found)
        }
        None if matches!(error, ReadError::Several) => {
            "; put each on a line of its own for `query --batch`, or let `hint --file`, `review --file` or `solve` read a \
             file of them"
                .to_owned()
        }
        None if matches!(error, ReadError::Binary) => {
            "; a table (.rvt) is read by `reversi table`, or by other commands with --table".to_owned()
        }
        _ => String::new(),
    };
    format!("{error}{option}")
}

/// The same without the number of the game, for a caller that prints the number itself.
pub fn advised_within_game(error: &ReadError) -> String {
    match error {
        ReadError::Board(_) | ReadError::Obf(_) | ReadError::Table(_) | ReadError::Binary => advised(error),
        _ => error.within_game(),
    }
}

/// The advice if this number of characters may be the cells of a board that is not square, and a side to move; empty if
/// there is no such board.
fn as_rectangle(found: usize) -> String {
    let cells = found.saturating_sub(1);
    rectangle(cells).map_or(String::new(), |size| {
        let turned = format!("{}x{}", size.height(), size.width());
        format!("; {cells} cells and the side to move are a board of {size} or {turned}: --board {size} or --board {turned}")
    })
}

/// The board with sides of unequal length, 3 to 8, that has this number of cells and is nearest to a square. A square
/// board needs no name.
fn rectangle(cells: usize) -> Option<Size> {
    let cells = u32::try_from(cells).ok()?;
    let width =
        (3..=8).take_while(|width| width * width <= cells).filter(|width| cells % width == 0).last()?;
    let height = cells / width;
    if height == width || height > 8 { None } else { Size::new(width, height).ok() }
}

/// The same as a failure of a command, which begins with `place`.
pub fn failure(place: &str, error: &ReadError) -> Failure {
    Failure::usage(error.kind(), format!("{place}{}", advised(error)))
}

/// What to add to the error of a single argument that is, or looks like, the name of a file, or that stands for
/// standard input; empty for any other.
pub fn about_file(arguments: &[String]) -> String {
    const ENDINGS: [&str; 11] =
        ["obf", "txt", "ggf", "sgf", "pgn", "wtb", "json", "jsonl", "csv", "scr", "log"];
    let [word] = arguments else { return String::new() };
    let path = Path::new(word);
    if path == Path::new(STANDARD_INPUT) {
        return "; standard input is read by `query --batch -`, `hint --file -`, `review --file -` and `solve -`".to_owned();
    }
    if path.is_file() {
        // `solve` takes a word without these characters for moves.
        let named = if word.contains(['.', '/']) { String::new() } else { format!(" ./{word}") };
        return format!(
            "; it is the name of a file: `query --batch`, `hint --file`, `review --file`, `play --load` and \
             `solve{named}` read one"
        );
    }
    if path.is_dir() {
        return "; it is the name of a directory".to_owned();
    }
    let has_ending = path
        .extension()
        .and_then(|ending| ending.to_str())
        .is_some_and(|ending| ENDINGS.contains(&ending.to_ascii_lowercase().as_str()));
    let has_directory = word.contains(['/', '\\']) && !word.contains(char::is_whitespace);
    // Moves have digits.
    let is_name = word.len() > 3 && word.chars().all(|letter| letter.is_alphabetic() || letter == '_');
    if has_ending || has_directory || is_name {
        format!("; and there is no file {}", shown(word))
    } else {
        String::new()
    }
}

/// The first line of a text; empty if the bytes are no text.
pub fn first_line(bytes: &[u8]) -> &str {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    without_mark(str::from_utf8(line).unwrap_or_default()).trim_end()
}

/// The bytes of a file, or of standard input for `-`.
///
/// # Errors
/// An error of the system, or more bytes than [`read_whole`] takes.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if path == Path::new(STANDARD_INPUT) { read_whole(io::stdin().lock()) } else { read_named(path) }
}

/// The bytes of a file, whatever its name.
///
/// # Errors
/// As [`read_file`].
pub fn read_named(path: &Path) -> io::Result<Vec<u8>> {
    read_whole(fs::File::open(path)?)
}

/// The name that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// Maximum bytes of a text or of games: a device that never ends must not take all memory.
const LONGEST_FILE: u64 = 1 << 30;

/// All bytes of an input.
///
/// # Errors
/// An error of the system, or more than a gigabyte.
pub fn read_whole(input: impl Read) -> io::Result<Vec<u8>> {
    read_at_most(input, LONGEST_FILE)
}

fn read_at_most(input: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let length = input.take(limit + 1).read_to_end(&mut bytes)?;
    if length as u64 > limit {
        return Err(io::Error::other(
            "this is longer than a gigabyte, too long for a file of games or positions",
        ));
    }
    Ok(bytes)
}

/// The players and tournaments of a WTHOR file, from the `.jou` and `.trn` files beside it. A file is used if it is the
/// only one with its ending and can be read. There is none for standard input (`-`).
pub fn names_beside(path: &Path) -> Names {
    if path == Path::new(STANDARD_INPUT) {
        return Names::default();
    }
    let beside = |ending: &str| {
        let directory =
            path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let files =
            fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
        let mut files =
            files.filter(|file| file.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending)));
        match (files.next(), files.next()) {
            (Some(file), None) => read_named(&file).unwrap_or_default(),
            _ => Vec::new(),
        }
    };
    Names::read(&beside("jou"), &beside("trn"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_not_read_for_ever() {
        assert_eq!(read_at_most(&b"four"[..], 4).unwrap(), b"four");
        assert!(read_at_most(&b"four"[..], 3).is_err());
        assert!(read_at_most(io::repeat(b'x'), 1000).is_err());
    }

    #[test]
    fn arguments_that_look_like_names_of_files_are_told_so() {
        let said =
            |words: &[&str]| about_file(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        assert!(said(&["Cargo.toml"]).contains("the name of a file"));
        for missing in ["games.ggf", "./games", "data/none.OBF", "my_games"] {
            assert_eq!(said(&[missing]), format!("; and there is no file {missing}"));
        }
        for other in ["f5d9", "f5.", "8/8/8/3pP3/3Pp3/8/8 b", "-----OX--XO----- Z"] {
            assert_eq!(said(&[other]), "", "{other}");
        }
        assert_eq!(said(&["a.ggf", "b.ggf"]), "");
    }
}
