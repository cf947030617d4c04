//! A position and moves in a text of no named format.

use super::around_board::{self, check_side, to_board};
use super::beginning::{begins_with_board, begins_with_square};
use super::moves::play_moves;
use super::named::{named_setup, remarks_with_rules, rules_behind_boards};
use super::tokens::has_move;
use super::{FoundBoard, Piece, Plain, Wanted, all_blanked, cells, located};
use super::{bracketed, characters, fen, remarks, rows, symbols, unclear, words};
use crate::error::ReadError;
use reversi_rules::game::GameBoard;
use reversi_rules::naive::MAX_SIDE;
use reversi_rules::notation::BoardError;
use std::borrow::Cow;

/// Reads a board, if there is one, and moves.
///
/// # Errors
/// What is wrong with it, or in which two ways it can be read.
pub fn read_plain(text: &str, wanted: &Wanted) -> Result<Plain, ReadError> {
    let text = &rows_between_strokes(characters::unlisted(characters::unquoted(characters::unwrapped(
        characters::plain(text),
    ))));
    if let Some(board) = strict(text, wanted)? {
        unclear::check_first_sign(text)?;
        let game = wanted.setup.game_from(board);
        return Ok(Plain { game, has_board: true, skipped: Vec::new() });
    }
    let (mut left, mut pieces) = remarks::set_aside(text)?;
    let rules = rules_behind_boards(&left);
    left = all_blanked(&left, &rules);
    pieces.extend(rules);
    if has_signed_discs(&left) {
        return Err(ReadError::ambiguous(
            "-1",
            "White's discs, 1 standing for Black's,",
            "Black's discs, 1 standing for White's (write X and O)",
        ));
    }
    if let Some(found) = bracketed::find(&left).or_else(|| fen::find(&left)) {
        return around_board::read(text, &left, &found, pieces, wanted);
    }
    let size = wanted.size.unwrap_or(wanted.setup.size);
    if let Some(found) = rows::find(&left, Some((size.width(), size.height()))) {
        return around_board::read(text, &left, &found, pieces, wanted);
    }
    if let Some(stretch) = cells::stretch(&left).filter(|_| !begins_with_square(&left)) {
        return with_string(text, &left, &stretch, pieces, wanted);
    }
    if let Some(error) = faulty_board(&left, wanted) {
        return Err(error.into());
    }
    let setup = named_setup(wanted.setup, &[&left[..], &remarks_with_rules(text, &pieces)])?;
    let mut game = setup.new_game();
    let skipped = play_moves(&mut game, &left).map_err(|error| match error {
        ReadError::Moves(error) => ReadError::BareMoves(error),
        error => error,
    })?;
    // A text of signs alone is no game. Nor is a text of comments alone: a comment may hide a board with its number,
    // `#1 ---`, or moves in a notation that is not read here, `(5,4) (3,5)`. Lines that begin with `%` set the rules of
    // a game from the start.
    let is_start = |word: &str| word.eq_ignore_ascii_case("start") || word.eq_ignore_ascii_case("startpos");
    let has_comments = pieces.iter().any(|piece| !text[piece.range.clone()].starts_with('%'));
    let says_something = !left.trim().is_empty() || has_comments;
    if game.moves().is_empty() && says_something && !words(&left).any(|(_, word)| is_start(word)) {
        return Err(ReadError::Nothing);
    }
    if let Some(side) = wanted.side.filter(|&side| side != game.first_board().to_move()) {
        return Err(ReadError::OtherSide { said: side.other(), wanted: side });
    }
    pieces.extend(skipped);
    Ok(Plain { game, has_board: false, skipped: located(text, pieces) })
}

/// A board whose rows stand between strokes, `---- / -OX- / -XO- / ---- X`, with a line for each.
fn rows_between_strokes(text: Cow<'_, str>) -> Cow<'_, str> {
    const STROKE: &str = " / ";
    const FEWEST_ROWS: usize = 3;
    let row_of =
        |piece: &str| piece.trim().chars().all(symbols::is_cell).then(|| piece.trim().chars().count());
    let first = text.split(STROKE).next().and_then(row_of).filter(|&width| width >= FEWEST_ROWS);
    let rows = text.split(STROKE).take_while(|piece| first.is_some() && row_of(piece) == first).count();
    if rows < FEWEST_ROWS { text } else { Cow::Owned(text.replacen(STROKE, " \n ", rows)) }
}

/// The whole text as a board and its side, as the strict reader takes it.
fn strict(text: &str, wanted: &Wanted) -> Result<Option<GameBoard>, ReadError> {
    let size = wanted.size.unwrap_or(wanted.setup.size);
    let Ok(board) = GameBoard::parse(Some(size), text).or_else(|error| match wanted.size {
        Some(_) => Err(error),
        None => GameBoard::parse(None, text),
    }) else {
        return Ok(None);
    };
    let mut chars: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    chars.pop();
    unclear::check_signs(&chars)?;
    let size = (board.size().width(), board.size().height());
    cells::check_shape(text, chars.len(), size)?;
    if text.contains('0') {
        let cells = symbols::read(&chars, wanted.zero)?;
        return Ok(Some(to_board(size, &cells, check_side(wanted, Some(board.to_move()), cells.len())?)?));
    }
    check_side(wanted, Some(board.to_move()), 0)?;
    Ok(Some(board))
}

/// Whether a board is written with 1, -1 and 0.
fn has_signed_discs(text: &str) -> bool {
    let numbers = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']'));
    let numbers: Vec<&str> = numbers.filter(|word| matches!(*word, "1" | "-1" | "0")).collect();
    let has_letters = text.split_whitespace().any(|word| matches!(word, "X" | "x" | "O" | "o" | "*"));
    numbers.len() >= 9 && numbers.contains(&"-1") && !has_letters
}

/// A board in one string, of unknown length. Of the boards that it may begin with, those count after which the rest can
/// be played.
fn with_string(
    text: &str,
    left: &str,
    stretch: &cells::Stretch,
    pieces: Vec<Piece>,
    wanted: &Wanted,
) -> Result<Plain, ReadError> {
    let setup_size = wanted.setup.size;
    let sizes = |cells: usize| match wanted.size {
        Some(size) => (cells == size.square_count() as usize).then(|| (size.width(), size.height())),
        None if cells == setup_size.square_count() as usize => {
            Some((setup_size.width(), setup_size.height()))
        }
        None => (3..=MAX_SIDE).find(|side| (side * side) as usize == cells).map(|side| (side, side)),
    };
    let boards = stretch.boards(&sizes);
    let read = |found: &FoundBoard| around_board::read(text, left, found, pieces.clone(), wanted);
    let all: Vec<(&FoundBoard, Result<Plain, ReadError>)> =
        boards.iter().map(|found| (found, read(found))).collect();
    let unclear = |read: &&Result<Plain, ReadError>| matches!(read, Err(ReadError::Ambiguous { .. }));
    if let Some(Err(error)) = all.iter().map(|(_, read)| read).find(unclear) {
        return Err(error.clone());
    }
    match distinct(&all)[..] {
        [(one, _), (other, _), ..] => {
            let says = |found: &FoundBoard| {
                let side = if found.side.is_some() { "with its side" } else { "without a side" };
                format!("a {}x{} board {side}, then moves", found.size.0, found.size.1)
            };
            Err(ReadError::ambiguous(left.trim(), &says(one), &says(other)))
        }
        [(found, read)] => match stretch.lone_sign(found) {
            Some(sign) => Err(ReadError::ambiguous(
                &sign.to_string(),
                "the side to move, behind a board that lacks a cell",
                "the last cell of the board",
            )),
            None => {
                cells::check_shape(&left[found.range.start..], found.symbols.len(), found.size)?;
                Ok(read.clone())
            }
        },
        [] => match all.into_iter().next() {
            Some((_, error)) => error,
            None => Err(no_board(stretch, left, wanted).into()),
        },
    }
}

/// The readings that succeeded, each once: a side after the cells may belong to the board or stand after it, and both are
/// the same reading.
fn distinct<'a>(all: &'a [(&'a FoundBoard, Result<Plain, ReadError>)]) -> Vec<(&'a FoundBoard, &'a Plain)> {
    let mut good: Vec<(&FoundBoard, &Plain)> = Vec::new();
    for (found, read) in all {
        let Ok(read) = read else { continue };
        let same = |(_, other): &(&FoundBoard, &Plain)| {
            other.game.first_board() == read.game.first_board() && other.game.moves() == read.game.moves()
        };
        if !good.iter().any(same) {
            good.push((found, read));
        }
    }
    good
}

/// What is wrong with cells that begin with no board of a size that may be.
fn no_board(stretch: &cells::Stretch, left: &str, wanted: &Wanted) -> BoardError {
    // A side in words counts as one character, as a sign does.
    let found = stretch.chars().len() + usize::from(stretch.is_among_words(left));
    match faulty_board(left, wanted) {
        Some(BoardError::Length { width, height, .. }) => BoardError::Length { found, width, height },
        None | Some(BoardError::UnknownSize { .. }) => BoardError::UnknownSize { found, max_side: MAX_SIDE },
        Some(error) => error,
    }
}

/// The fault that the strict reader finds in a text that looks like a board but is none.
fn faulty_board(text: &str, wanted: &Wanted) -> Option<BoardError> {
    let symbols: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let cells = symbols.iter().filter(|&&c| symbols::is_cell(c)).count();
    let runs = ["---", "..."].iter().any(|run| text.contains(run));
    let is_like = symbols.len() >= 9 && 10 * cells >= 8 * symbols.len() && !has_move(text);
    if begins_with_square(text) || !(is_like || runs && begins_with_board(text)) {
        return None;
    }
    let strict = |size| GameBoard::parse(size, text).err();
    match wanted.size {
        Some(size) => strict(Some(size)),
        None => strict(Some(wanted.setup.size))
            .filter(|error| !matches!(error, BoardError::Length { .. }))
            .or_else(|| strict(None)),
    }
}
