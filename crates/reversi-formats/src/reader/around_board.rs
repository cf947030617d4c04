//! What stands around a board that was found in a text: the rules, the side to move, and the moves below it.

use super::moves::{Surroundings, play_lines};
use super::named::{named_setup, remarks_with_rules};
use super::said::Said;
use super::tokens::{is_all_moves, is_prose};
use super::{FoundBoard, Piece, Plain, Wanted, Zero, all_blanked, blanked, legend, located};
use super::{bracketed, fen, remarks, rows, symbols, unclear, values};
use crate::error::ReadError;
use reversi_rules::Color;
use reversi_rules::game::{Game, GameBoard};
use reversi_rules::naive::{self, MAX_SIDE};
use reversi_rules::notation::{BoardError, symbol};

/// Why a piece is set aside that is this program's answer below a board.
const ANSWER: &str = "an answer";

/// Reads the text around a board; `left` is the text with blanks for the `pieces` that were set aside.
///
/// # Errors
/// What is wrong with it, or in which two ways it can be read.
pub fn read(
    text: &str,
    left: &str,
    found: &FoundBoard,
    mut pieces: Vec<Piece>,
    wanted: &Wanted,
) -> Result<Plain, ReadError> {
    let count = found.symbols.len();
    if let Some(size) = wanted.size.filter(|size| (size.width(), size.height()) != found.size) {
        return Err(BoardError::Length { found: count, width: size.width(), height: size.height() }.into());
    }
    unclear::check_signs(&found.symbols)?;
    // A legend in round brackets counts, `Black (O)`; other remarks may say anything.
    let others = pieces.iter().filter(|piece| !text[piece.range.clone()].starts_with('('));
    legend::check(&all_blanked(text, others))?;
    let cells = symbols::read(&found.symbols, wanted.zero)?;
    let (before, after) = (&left[..found.range.start], &left[found.range.end..]);
    let setup = named_setup(wanted.setup, &[before, after, &remarks_with_rules(text, &pieces)])?;
    pieces.extend(found.beside.iter().map(|range| Piece { range: range.clone(), why: "beside the board" }));
    let mut below = after.to_owned();
    if let Some(place) = answer_below(after) {
        below = blanked(after, place..after.len());
        pieces.push(Piece { range: found.range.end + place..left.len(), why: ANSWER });
    }
    let said = Said::around(left, found, &below, wanted)?;
    let side = check_side(wanted, said.side()?, count)?;
    let board = to_board(found.size, &cells, side)?;
    refuse_moves_before(before)?;
    if [before, after].iter().any(|part| has_other_board(part, &board, &cells, wanted.zero)) {
        return Err(ReadError::SecondBoard);
    }
    pieces.push(Piece { range: 0..found.range.start, why: "before the board" });
    let mut game = setup.game_from(board);
    let skipped = play_below(&mut game, found, &said.rest, &pieces)?;
    pieces.extend(skipped);
    Ok(Plain { game, has_board: true, skipped: located(text, pieces) })
}

/// Plays the moves below a board, and returns what was skipped there.
fn play_below(
    game: &mut Game,
    found: &FoundBoard,
    rest: &str,
    pieces: &[Piece],
) -> Result<Vec<Piece>, ReadError> {
    let start = found.range.end;
    let is_value =
        |piece: &&Piece| piece.range.start >= start && [remarks::VALUE, ANSWER].contains(&piece.why);
    let values = pieces.iter().filter(is_value).count();
    let first = game.clone();
    let prose = !found.beside.is_empty() || rest.trim_end().contains('\n');
    let (skipped, fault) = match play_lines(game, rest, Surroundings { prose, after_board: true }) {
        Ok(skipped) => (skipped, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    values::check(&first, game, rest, values, fault)?;
    let moved = |piece: Piece| Piece { range: piece.range.start + start..piece.range.end + start, ..piece };
    Ok(skipped.into_iter().map(moved).collect())
}

/// Whether another board than the given one stands in the text above or below it: on a line with its side, in brackets,
/// in FEN, or as a drawing.
fn has_other_board(text: &str, board: &GameBoard, cells: &[Option<Color>], zero: Option<Zero>) -> bool {
    let size = (board.size().width(), board.size().height());
    let differs = |found: &FoundBoard| {
        let is_same =
            found.size == size && symbols::read(&found.symbols, zero).is_ok_and(|other| other == cells);
        !is_same || found.side.is_some_and(|side| side != board.to_move())
    };
    text.lines().any(|line| GameBoard::parse(None, line).is_ok_and(|other| other != *board))
        || any_board(text, bracketed::find, differs)
        || any_board(text, fen::find, differs)
        || any_board(text, |text| rows::find(text, Some(size)), differs)
}

/// Whether one of the boards with discs in a text is as wanted, or there are many: a list, even of one position.
fn any_board(
    text: &str,
    find: impl Fn(&str) -> Option<FoundBoard>,
    is_wanted: impl Fn(&FoundBoard) -> bool,
) -> bool {
    const MANY: usize = 16;
    // Without discs it may be a date. A text of nothing but dates must not take quadratic time.
    const MOST: usize = 256;
    let has_discs = |found: &FoundBoard| {
        symbols::are_digits(&found.symbols) || found.symbols.iter().any(|&c| symbols::disc(c).is_some())
    };
    let (mut rest, mut boards) = (text, 0);
    for _ in 0..MOST {
        let Some(found) = find(rest) else { return false };
        if has_discs(&found) {
            boards += 1;
            if boards == MANY || is_wanted(&found) {
                return true;
            }
        }
        rest = &rest[found.range.end..];
    }
    false
}

/// Moves above a board may have led to it.
fn refuse_moves_before(before: &str) -> Result<(), ReadError> {
    match before.lines().find(|line| is_all_moves(line) && !is_prose(line)) {
        Some(line) => {
            Err(ReadError::ambiguous(line.trim(), "moves that led to the board", "a remark before the board"))
        }
        None => Ok(()),
    }
}

/// The side to move: the one the text says, or else the one the caller wants.
pub fn check_side(wanted: &Wanted, said: Option<Color>, cells: usize) -> Result<Color, ReadError> {
    agreed(said, wanted.side)?.ok_or_else(|| BoardError::NoSide(cells).into())
}

/// The side that the text or the caller names; `None` if neither names one.
///
/// # Errors
/// Both name one, and they differ.
pub fn agreed(said: Option<Color>, wanted: Option<Color>) -> Result<Option<Color>, ReadError> {
    match (said, wanted) {
        (Some(said), Some(wanted)) if said != wanted => Err(ReadError::OtherSide { said, wanted }),
        _ => Ok(said.or(wanted)),
    }
}

/// The board by way of its strict spelling.
pub fn to_board(size: (u32, u32), cells: &[Option<Color>], side: Color) -> Result<GameBoard, ReadError> {
    let size = naive::Size::new(size.0, size.1)
        .map_err(|_| BoardError::UnknownSize { found: cells.len(), max_side: MAX_SIDE })?;
    let spelled: String = cells.iter().map(|&cell| symbol(cell)).chain([' ', side.symbol()]).collect();
    Ok(GameBoard::parse(Some(size), &spelled)?)
}

/// Where this program's answer below a drawing begins: its value and its line, which are not moves of the game.
fn answer_below(text: &str) -> Option<usize> {
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        if is_answer(line) {
            return Some(place);
        }
        place += line.len();
    }
    None
}

/// Whether an answer of this program begins with this line.
pub fn is_answer(line: &str) -> bool {
    let value = line.strip_prefix("value ").or_else(|| line.strip_prefix("score "));
    let is_outcome = |value: &str| matches!(value.split_whitespace().next(), Some("win" | "loss"));
    value.is_some_and(|value| value.trim_start().starts_with(['+', '-', '0', 'b']) || is_outcome(value))
}
