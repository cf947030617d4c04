//! Options of every command that reads a position or a game, and what reading says.

use super::Failure;
use super::choices::by_name;
use super::print::print_remark;
use clap::{Args, ValueEnum};
use reversi_engine::{GameSetup, Size};
use reversi_formats::reader::{Skipped, Wanted, Zero};
use reversi_formats::text::{self, ReadError, Reading};
use reversi_formats::wthor::Names;
use reversi_rules::notation::{BoardError, shown};
use reversi_rules::{Board, Color, Geometry};
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// What a text leaves open, and whether to show what was skipped in it.
#[derive(Args, Clone, Copy, Default)]
pub struct ReadingOptions {
    /// The side to move on a board that is given without one
    #[arg(long, value_name = "SIDE", value_parser = by_name::<Color>())]
    pub side: Option<Color>,
    /// What 0 stands for on a board
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
    /// What the reader is told: where bare moves begin, and the size if one was asked for.
    pub fn wanted(&self, setup: GameSetup, size: Option<Size>) -> Wanted {
        let zero = self.zero.map(|zero| match zero {
            ZeroName::Empty => Zero::Empty,
            ZeroName::White => Zero::White,
        });
        Wanted { setup, size, side: self.side, zero }
    }

    /// Reads one game or position and shows what was skipped.
    ///
    /// # Errors
    /// As [`text::read`]; two games where one is asked for are read as the first of them.
    pub fn read(&self, text: &str, wanted: Wanted) -> Result<Reading, ReadError> {
        let reading = text::read(text, wanted)?;
        self.tell_skipped(&reading.skipped);
        Ok(reading)
    }

    /// The board that the value of --position is of, perhaps after moves; of this size if one is asked for.
    ///
    /// # Errors
    /// Exit code 2: no board, one of another size or larger than 8x8, or what it leaves open.
    pub fn board(&self, text: &str, geometry: Option<Geometry>) -> Result<Board, Failure> {
        let usual = GameSetup::new(geometry.unwrap_or(Geometry::EIGHT).into());
        let no_board = || {
            let message = "--position: write a board of at most 8x8, then the side to move";
            Failure::usage("bad-position", message)
        };
        let read = match self.read(text, self.wanted(usual, geometry.map(Into::into))) {
            Err(ReadError::BareMoves(_) | ReadError::Nothing) => return Err(no_board()),
            read => read.map_err(|error| failure("--position: ", &error))?,
        };
        read.game.board().small().filter(|_| read.has_board).ok_or_else(no_board)
    }

    /// Shows what was skipped, if that is asked for.
    pub fn tell_skipped(&self, skipped: &[Skipped]) {
        for piece in skipped.iter().filter(|_| self.verbose) {
            let Skipped { line, column, text, why } = piece;
            print_remark(format_args!("skipped: line {line}, column {column}: \"{}\" ({why})", shown(text)));
        }
    }
}

/// What is wrong with a text, with the option that settles what it leaves open.
pub fn advised(error: &ReadError) -> String {
    let option = match error {
        ReadError::Board(BoardError::NoSide(_) | BoardError::NoSideOrSize(_)) => {
            "; or say it with --side black or --side white"
        }
        ReadError::Board(BoardError::Zero) => "; say it with --zero empty or --zero white",
        _ => "",
    };
    format!("{error}{option}")
}

/// The same as a failure of a command, which begins with `place`.
pub fn failure(place: &str, error: &ReadError) -> Failure {
    let kind = if error.is_about_position() { "bad-position" } else { "bad-move" };
    Failure::usage(kind, format!("{place}{}", advised(error)))
}

/// The bytes of a file, or of standard input for `-`.
///
/// # Errors
/// What the system said.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if path.to_str() != Some("-") {
        return fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The players and tournaments of a WTHOR file: the only files beside it whose names end in `.jou` and `.trn`.
pub fn names_beside(path: &Path) -> Names {
    let beside = |ending: &str| {
        let directory =
            path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let files =
            fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
        let mut files =
            files.filter(|file| file.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending)));
        match (files.next(), files.next()) {
            (Some(file), None) => fs::read(file).unwrap_or_default(),
            _ => Vec::new(),
        }
    };
    Names::read(&beside("jou"), &beside("trn"))
}
