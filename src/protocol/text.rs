//! Reads a game from any text that people pass on: GGF, a problem of Edax, a board with moves after it, or moves alone.

use super::Setup;
use super::ggf::{Annotated, GgfError, Record};
use super::obf::{self, ObfError};
use crate::engine::{Game, GameBoard, PlayError};
use crate::rules::naive::MAX_SIDE;
use crate::rules::notation::{self, BoardError, TranscriptError};

/// A game that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The game, all its moves made.
    pub game: Game,
    /// What the text says of its moves.
    pub notes: Vec<Annotated>,
}

/// A text that holds no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// It looks like GGF.
    #[error(transparent)]
    Ggf(#[from] GgfError),
    /// It looks like a problem of Edax.
    #[error(transparent)]
    Obf(#[from] ObfError),
    /// It looks like a board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Moves after a board.
    #[error(transparent)]
    Moves(TranscriptError),
    /// It looks like moves alone, from the setup's first board.
    #[error(transparent)]
    BareMoves(TranscriptError),
    /// A move of a GGF game, where games end without passing.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// Reads the first game of a GGF text or of lines of moves, the first position of a problem file, or a board and moves.
/// Moves without a board begin as the setup says; the goal is the setup's unless the text names one.
///
/// # Errors
/// What is wrong with the text.
///
/// ```
/// use reversi::protocol::{Setup, text};
/// use reversi::rules::{Goal, Passing, Start};
/// let size = "6x6".parse().unwrap();
/// let setup = Setup { size, start: Start::Diagonal, goal: Goal::Normal, scoring: None, passing: Passing::Allowed };
/// assert_eq!(text::read("c2 B4 d5", setup).unwrap().game.transcript(), "c2b4d5");
/// assert_eq!(text::read("-----OX--XO----- X b1", setup).unwrap().game.size().to_string(), "4x4");
/// assert_eq!(text::read("(;GM[Othello]TY[4a]B[b1];)", setup).unwrap().game.rules().goal, Goal::Reversed);
/// ```
pub fn read(text: &str, setup: Setup) -> Result<Reading, ReadError> {
    // The mark that some editors put before a text.
    let text = text.trim_start_matches('\u{feff}');
    if text.contains("(;") {
        return read_ggf(&text.parse()?, setup);
    }
    if text.contains(';') {
        return read_problem(text, setup);
    }
    let game = read_moves(text, setup).or_else(|error| first_of_several(text, setup).ok_or(error))?;
    Ok(Reading { game, notes: Vec::new() })
}

/// A board, if there is one, and moves.
fn read_moves(text: &str, setup: Setup) -> Result<Game, ReadError> {
    let (first, moves) = match end_of_board(text, |cells| is_board(setup, cells)) {
        Some(end) => (Some(read_board(&text[..end], setup)?), &text[end..]),
        None if looks_like_cells(text) => (Some(read_board(text, setup)?), ""),
        None => (None, text),
    };
    let refused = if first.is_some() { ReadError::Moves } else { ReadError::BareMoves };
    let mut game = setup.game_from(first.unwrap_or_else(|| GameBoard::start(setup.size, setup.start)));
    game.play_transcript(moves).map_err(refused)?;
    Ok(game)
}

/// The first game of a text with a whole game on each line, as far as the second line tells.
fn first_of_several(text: &str, setup: Setup) -> Option<Game> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let (one, next) = (lines.next()?, lines.next()?);
    let has_board = |line| end_of_board(line, |cells| is_board(setup, cells)).is_some();
    let first = read_moves(one, setup).ok().filter(|_| has_board(one) == has_board(next))?;
    read_moves(next, setup).ok().map(|_| first)
}

fn read_ggf(record: &Record, setup: Setup) -> Result<Reading, ReadError> {
    let game = record.game(Setup { goal: record.goal, ..setup })?;
    Ok(Reading { game, notes: record.moves().to_vec() })
}

fn read_problem(text: &str, setup: Setup) -> Result<Reading, ReadError> {
    let file = obf::parse(text, None).or_else(|error| match setup.size.to_geometry() {
        Some(geometry) => obf::parse(text, Some(geometry)),
        None => Err(error),
    })?;
    let setup =
        Setup { goal: file.goal.unwrap_or(setup.goal), scoring: file.scoring.or(setup.scoring), ..setup };
    let first = match file.records.first() {
        Some(record) => GameBoard::from(record.board),
        None => GameBoard::start(setup.size, setup.start),
    };
    Ok(Reading { game: setup.game_from(first), notes: Vec::new() })
}

/// The setup's size where the cells are as many, or else the square board that has as many.
fn read_board(text: &str, setup: Setup) -> Result<GameBoard, BoardError> {
    GameBoard::parse(Some(setup.size), text).or_else(|_| GameBoard::parse(None, text))
}

fn is_board(setup: Setup, cells: usize) -> bool {
    cells == setup.size.square_count() as usize || (3..=MAX_SIDE).any(|side| (side * side) as usize == cells)
}

/// More dashes than any pass has: a board with a fault in it rather than moves, of which a number may have dots.
fn looks_like_cells(text: &str) -> bool {
    !notation::begins_with_a_square(text) && ["---", "..."].iter().any(|run| text.contains(run))
}

/// Where the side to move ends and moves may begin: the last place at which everything before it is
/// cells and a side, the cells as many as a board has.
pub fn end_of_board(line: &str, is_board: impl Fn(usize) -> bool) -> Option<usize> {
    let symbols = line.char_indices().filter(|(_, symbol)| !symbol.is_whitespace());
    let mut end = None;
    for (cells, (place, symbol)) in symbols.enumerate() {
        let is_side = notation::read_side(symbol).is_some();
        let after = place + symbol.len_utf8();
        if is_side && is_board(cells) && line[after..].chars().next().is_none_or(char::is_whitespace) {
            end = Some(after);
        }
        if !is_side && !['-', '.'].contains(&symbol) {
            break;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Goal, Passing, Start};

    fn read_on(size: &str, text: &str) -> Result<Game, String> {
        let size = size.parse().unwrap();
        let (start, passing) = (Start::Diagonal, Passing::Allowed);
        let setup = Setup { size, start, goal: Goal::Normal, scoring: None, passing };
        read(text, setup).map(|reading| reading.game).map_err(|error| error.to_string())
    }

    #[test]
    fn every_form_gives_the_same_game() {
        for text in [
            "b1a1",
            " B1 a1\n",
            "1. b1 1... a1",
            "\u{feff}b1 a1",
            "-----OX--XO----- X b1 a1",
            "----\n-OX-\n-XO-\n---- X\nb1a1",
            "(;GM[Othello]PB[me]TY[4]BO[4 -----O*--*O----- *]B[b1]W[a1];)",
        ] {
            let game = read_on("4x4", text).unwrap();
            assert_eq!((game.size().to_string(), game.transcript()), ("4x4".into(), "b1a1".into()), "{text}");
        }
    }

    #[test]
    fn of_games_line_by_line_the_first_is_read() {
        let read = |text: &str| read_on("4x4", text).map(|game| game.transcript());
        assert_eq!(read("b1a1a2c1\n\nb1c1\nd3\n").as_deref(), Ok("b1a1a2c1"));
        assert_eq!(read("b1a1\na2c1\n").as_deref(), Ok("b1a1a2c1"), "one game on two lines");
        assert_eq!(read("b1a1a2c1\nb1c1\nz9").as_deref(), Ok("b1a1a2c1"), "the third one is not asked for");
        assert!(read("b1a1a2c1\nz9").unwrap_err().starts_with("move 5 \"z9\""));
        let start = "-----OX--XO----- X";
        assert_eq!(read(&format!("{start} b1\n{start} b1a1\n")).as_deref(), Ok("b1"));
        assert!(read(&format!("{start}\nb1a1\nz9")).unwrap_err().starts_with("move 3 \"z9\""));
    }

    #[test]
    fn the_text_names_the_board() {
        for (text, size) in [
            ("-----OX--XO----- X", "4x4"),
            ("(;GM[Othello]TY[6a];)", "6x6"),
            ("-----OX--XO----- X; b1:-8;", "4x4"),
            ("---- -OX- -XO- ---- ---- ---- X", "4x6"),
        ] {
            assert_eq!(read_on("4x6", text).unwrap().size().to_string(), size, "{text}");
        }
    }

    #[test]
    fn a_problem_names_its_goal() {
        let game = read_on("8x8", "% goal=reversed scoring=raw\n-----OX--XO----- X; b1:+3;").unwrap();
        assert_eq!(game.rules().goal, Goal::Reversed);
    }

    #[test]
    fn bad_texts_are_told_what_is_wrong() {
        for (text, part) in [
            ("b1 z9", "move 2 \"z9\": no such square"),
            ("hello", "move 1 \"hello\": neither a square nor a pass"),
            ("-----OX--XO--?-- X", "cell 14 is '?'"),
            ("-----OX--XO---- X", "the side to move is missing"),
            ("-----OX--XO- X", "no square board"),
            ("(;GM[Chess];)", "not of Othello"),
            ("-----OX--XO----- X; a1:+4;", "turns no disc"),
        ] {
            let message = read_on("4x4", text).unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
