//! The tolerant reader: finds a position and moves in what people paste.
//!
//! It works in steps, each in a file of its own:
//!
//! - `remarks` sets comments aside.
//! - `bracketed` reads the board of a server message (`[8 ... *]`), `fen` a board in FEN, `rows` (with `row`) a drawing
//!   line by line, and `cells` a board in one string.
//! - `around_board` reads what stands around a board; `said` and `side` find the side to move in words, `named` the
//!   rules.
//! - `tokens` and `moves` read the moves.
//!
//! What is left over is either listed as skipped or an error. A text that can be read in two ways is an error that
//! names both.

mod around_board;
mod beginning;
mod bracketed;
mod cells;
mod characters;
mod columns;
mod fen;
mod legend;
mod moves;
mod named;
mod plain;
mod remarks;
mod row;
mod rows;
mod said;
mod side;
mod symbols;
mod tokens;
mod unclear;
mod values;

pub(crate) use around_board::{agreed, is_answer};
pub use beginning::begins_with_board;
pub(crate) use beginning::begins_with_square;
pub(crate) use cells::check_shape;
pub use moves::play_moves;
pub use named::rules_in_words;
pub(crate) use named::{is_rules_alone, names_rules, sets_rules};
pub use plain::read_plain;
pub(crate) use remarks::set_aside;
pub use rows::is_part_of_drawing;
pub(crate) use side::named as side_named;
pub use tokens::{has_move, is_all_moves, is_pass};
pub(crate) use unclear::check_cells;

use crate::error::ReadError;
use reversi_rules::Color;
use reversi_rules::game::{Game, GameSetup, Size};
use std::ops::Range;

/// What the character `0` stands for on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zero {
    /// An empty square.
    Empty,
    /// A white disc.
    White,
}

/// What the caller names besides the text.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Where games without a board begin, and the rules of texts that name none.
    pub setup: GameSetup,
    /// The board's size, if the caller names one: boards of another size are refused. Only GGF, SGF, PGN, WTHOR and
    /// Othello Quest games keep the size that their format gives.
    pub size: Option<Size>,
    /// The side to move on a board without one. A text that names the other side is refused. Games in GGF, SGF, PGN,
    /// WTHOR and Othello Quest are not checked, except a FEN in PGN.
    pub side: Option<Color>,
    /// What `0` stands for on a board.
    pub zero: Option<Zero>,
}

impl From<GameSetup> for Wanted {
    /// Nothing but where bare moves begin.
    fn from(setup: GameSetup) -> Wanted {
        Wanted { setup, size: None, side: None, zero: None }
    }
}

/// A piece of the text that says nothing about the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// Line of the text, from 1.
    pub line: usize,
    /// Character of the line, from 1.
    pub column: usize,
    /// The piece.
    pub text: String,
    /// What it was taken for.
    pub why: &'static str,
}

/// What a text says.
#[derive(Clone, Debug)]
pub struct Plain {
    /// The game, its moves made.
    pub game: Game,
    /// Whether the text has a board; if not the game begins as the caller said.
    pub has_board: bool,
    /// What was skipped.
    pub skipped: Vec<Skipped>,
}

/// A piece of the text by its place in bytes, before lines are counted.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Where it stands.
    pub range: Range<usize>,
    /// What it was taken for.
    pub why: &'static str,
}

/// Plays the moves of a text in a game. The text may have comments, numbers and the like around the moves. Returns what
/// was skipped.
///
/// # Errors
/// As [`play_moves`], and comments that are unclear; the moves before the fault stay made.
pub fn play_text(game: &mut Game, text: &str) -> Result<Vec<Skipped>, ReadError> {
    let (left, mut pieces) = remarks::set_aside(text)?;
    pieces.extend(play_moves(game, &left)?);
    Ok(located(text, pieces))
}

/// The pieces with their lines and columns, in the order of the text, without those that are blank.
pub(crate) fn located(text: &str, mut pieces: Vec<Piece>) -> Vec<Skipped> {
    pieces.sort_by_key(|piece| (piece.range.start, piece.range.end));
    let (mut line, mut column, mut seen) = (1, 1, 0);
    let mut found: Vec<Skipped> = Vec::new();
    for Piece { range, why } in pieces {
        let Some(whole) = text.get(range.clone()) else { continue };
        let trimmed = whole.trim();
        if trimmed.is_empty() {
            continue;
        }
        let start = range.start + (whole.len() - whole.trim_start().len());
        for c in text[seen..start].chars() {
            (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        seen = start;
        found.push(Skipped { line, column, text: trimmed.to_owned(), why });
    }
    found
}

/// A board that was found, before the rest of the text is read.
#[derive(Clone, Debug)]
pub(crate) struct FoundBoard {
    pub size: (u32, u32),
    /// The characters of the cells, row by row, not yet known to be cells of one alphabet.
    pub symbols: Vec<char>,
    /// The side to move, if it stands with the board.
    pub side: Option<Color>,
    /// The part of the text that is the board, in bytes.
    pub range: Range<usize>,
    /// What stands beside the rows of a drawing: the side to move may be said there.
    pub beside: Vec<Range<usize>>,
}

/// Whether a board stands in a line in brackets or in FEN.
pub(crate) fn has_compact_board(line: &str) -> bool {
    bracketed::find(line).is_some() || fen::find(line).is_some()
}

/// Whether a text has a board in any form.
pub(crate) fn holds_board(text: &str) -> bool {
    has_compact_board(text) || rows::find(text, None).is_some() || text.lines().any(begins_with_board)
}

/// The same text with a range blanked; places stay the same.
pub(crate) fn blanked(text: &str, range: Range<usize>) -> String {
    [&text[..range.start], &blank(&text[range.clone()]), &text[range.end..]].concat()
}

/// The same text with these pieces blanked, in one pass; they may stand in any order, and overlap.
pub(crate) fn all_blanked<'a>(text: &str, pieces: impl IntoIterator<Item = &'a Piece>) -> String {
    let mut ranges: Vec<&Range<usize>> = pieces.into_iter().map(|piece| &piece.range).collect();
    ranges.sort_unstable_by_key(|range| range.start);
    let (mut left, mut copied) = (String::with_capacity(text.len()), 0);
    for range in ranges {
        let (start, end) = (range.start.max(copied), range.end.max(copied));
        left.extend([&text[copied..start], &blank(&text[start..end])]);
        copied = end;
    }
    left + &text[copied..]
}

/// The text with each byte replaced by a space, except for the ends of lines.
pub(crate) fn blank(text: &str) -> String {
    let of = |c: char| if c == '\n' { "\n".to_owned() } else { " ".repeat(c.len_utf8()) };
    text.chars().map(of).collect()
}

/// The words of a text, with their places in bytes.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}
