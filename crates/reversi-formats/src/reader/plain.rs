//! A position and moves in a text that is in no format with a name.

use super::moves::{Surroundings, play_lines, play_moves};
use super::tokens::{Token, has_move, is_all_moves, is_prose, tokens};
use super::{FoundBoard, Piece, Skipped, Wanted, blank, blanked, cells, located, side};
use super::{bracketed, characters, fen, remarks, rows, symbols, unclear, values, words};
use crate::error::ReadError;
use reversi_rules::game::{Game, GameBoard, GameSetup};
use reversi_rules::naive::{self, MAX_SIDE};
use reversi_rules::notation::{BoardError, symbol};
use reversi_rules::{Color, Goal, Scoring};
use std::fmt::Display;
use std::str::FromStr;

/// What stands below a board as the answer for it.
const ANSWER: &str = "an answer";

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

/// Reads a board, if there is one, and moves.
///
/// # Errors
/// What is wrong with it, or in which two ways it can be read.
pub fn read_plain(text: &str, wanted: &Wanted) -> Result<Plain, ReadError> {
    let text = &characters::unquoted(characters::plain(text));
    if let Some(board) = strict(text, wanted)? {
        unclear::check_first_sign(text)?;
        let game = wanted.setup.game_from(board);
        return Ok(Plain { game, has_board: true, skipped: Vec::new() });
    }
    let (left, mut pieces) = remarks::set_aside(text)?;
    if has_signed_discs(&left) {
        return Err(ReadError::ambiguous(
            "-1",
            "White's discs, 1 standing for Black's",
            "Black's discs, 1 standing for White's",
        ));
    }
    if let Some(found) = bracketed::find(&left).or_else(|| fen::find(&left)) {
        return with_board(text, &left, &found, pieces, wanted);
    }
    let size = wanted.size.unwrap_or(wanted.setup.size);
    if let Some(found) = rows::find(&left, Some((size.width(), size.height()))) {
        return with_board(text, &left, &found, pieces, wanted);
    }
    if let Some(stretch) = cells::stretch(&left).filter(|_| !begins_with_square(&left)) {
        return with_string(text, &left, &stretch, pieces, wanted);
    }
    if let Some(error) = faulty_board(&left, wanted) {
        return Err(error.into());
    }
    let setup = named_setup(wanted.setup, &[&left[..], &bracketed_remarks(text, &pieces)])?;
    let mut game = setup.new_game();
    let skipped = play_moves(&mut game, &left).map_err(|error| match error {
        ReadError::Moves(error) => ReadError::BareMoves(error),
        error => error,
    })?;
    // Signs alone are no game; lines of comments alone are one without a move. In brackets there may be moves that are
    // written as no program here writes them: `(5,4) (3,5)`.
    let is_start = |word: &str| word.eq_ignore_ascii_case("start") || word.eq_ignore_ascii_case("startpos");
    let has_brackets = pieces.iter().any(|piece| text[piece.range.clone()].starts_with(['(', '{']));
    let says_something = !left.trim().is_empty() || has_brackets;
    if game.moves().is_empty() && says_something && !words(&left).any(|(_, word)| is_start(word)) {
        return Err(ReadError::Nothing);
    }
    if let Some(side) = wanted.side.filter(|&side| side != game.first_board().to_move()) {
        return Err(ReadError::OtherSide { said: side.other(), wanted: side });
    }
    pieces.extend(skipped);
    Ok(Plain { game, has_board: false, skipped: located(text, pieces) })
}

/// Whether the text before the first semicolon begins with a board, faulty or not.
pub fn begins_with_board(text: &str) -> bool {
    let is_like = |word: &str| {
        let cells = word.chars().filter(|&c| symbols::is_cell(c)).count();
        // `1...` is where White begins.
        let is_number = word.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit());
        let has_digit = word.contains(|c: char| c.is_ascii_digit());
        word.chars().count() >= 3
            && 10 * cells >= 8 * word.chars().count()
            && !(is_number && has_digit && word.ends_with('.'))
    };
    words(text).next().is_some_and(|(_, word)| is_like(word)) && !begins_with_square(text)
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
    if text.contains('0') {
        let cells = symbols::read(&chars, wanted.zero)?;
        let size = (board.size().width(), board.size().height());
        return Ok(Some(to_board(size, &cells, check_side(wanted, Some(board.to_move()), cells.len())?)?));
    }
    check_side(wanted, Some(board.to_move()), 0)?;
    Ok(Some(board))
}

fn begins_with_square(text: &str) -> bool {
    let Some((_, word)) = words(text).next() else { return false };
    word.len() >= 2
        && has_move(word)
        && !word.starts_with(|c: char| symbols::is_cell(c) && !c.is_ascii_alphanumeric())
}

/// The side to move: the one the text says, or else the one the caller wants.
fn check_side(wanted: &Wanted, said: Option<Color>, cells: usize) -> Result<Color, ReadError> {
    match (said, wanted.side) {
        (Some(said), Some(wanted)) if said != wanted => Err(ReadError::OtherSide { said, wanted }),
        (Some(side), _) | (None, Some(side)) => Ok(side),
        (None, None) => Err(BoardError::NoSide(cells).into()),
    }
}

/// The board by way of its strict spelling.
fn to_board(size: (u32, u32), cells: &[Option<Color>], side: Color) -> Result<GameBoard, ReadError> {
    let size = naive::Size::new(size.0, size.1)
        .map_err(|_| BoardError::UnknownSize { found: cells.len(), max_side: MAX_SIDE })?;
    let spelled: String = cells.iter().map(|&cell| symbol(cell)).chain([' ', side.symbol()]).collect();
    Ok(GameBoard::parse(Some(size), &spelled)?)
}

/// A board that was found, and what stands around it.
fn with_board(
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
    let cells = symbols::read(&found.symbols, wanted.zero)?;
    let (before, after) = (&left[..found.range.start], &left[found.range.end..]);
    let in_brackets = bracketed_remarks(text, &pieces);
    let setup = named_setup(wanted.setup, &[before, after, &in_brackets])?;
    let mut after_start = found.range.end;
    let mut said: Vec<(Color, String)> = found.side.map(|side| (side, String::new())).into_iter().collect();
    // Beside the rows, before them, and after them.
    let mut rest = after.to_owned();
    if let Some(place) = answer_below(after) {
        rest = blanked(&rest, place..after.len());
        pieces.push(Piece { range: after_start + place..left.len(), why: ANSWER });
    }
    let after = &rest.clone();
    for range in &found.beside {
        let beside = &left[range.clone()];
        said.extend(side::find_all(beside).into_iter().map(|(side, at)| (side, beside[at].to_owned())));
        pieces.push(Piece { range: range.clone(), why: "beside the board" });
    }
    said.extend(side::find_all(before).into_iter().map(|(side, at)| (side, before[at].to_owned())));
    for (side, at) in side::find_all(after) {
        said.push((side, after[at.clone()].to_owned()));
        rest = blanked(&rest, at);
    }
    // The letters below a drawing.
    rest = without_letters(&rest);
    // A sign or word right before or behind the board.
    if said.is_empty() && words(before).count() == 1 {
        said.extend(side::named(before.trim()).map(|side| (side, before.trim().to_owned())));
    }
    let behind = found.beside.last().map_or("", |range| &left[range.clone()]);
    let alone = |text: &str| {
        let mut all = words(text);
        all.next().map(|(place, word)| (place, word.to_owned(), all.next().is_none()))
    };
    if said.is_empty()
        && let Some((_, word, true)) = alone(behind)
    {
        said.extend(side::named(&word).map(|side| (side, word)));
    }
    if said.is_empty()
        && let Some((place, word, _)) = alone(&rest)
    {
        let digits = symbols::are_digits(&found.symbols);
        let single = word.chars().count() == 1;
        let named = if single {
            symbols::side(word.chars().next().unwrap_or(' '), digits)
        } else {
            side::named(&word)
        };
        match named {
            Some(side) => {
                rest = blanked(&rest, place..place + word.len());
                said.push((side, word));
            }
            None if single && wanted.side.is_none() => {
                return Err(BoardError::Side(word.chars().next().unwrap_or(' ')).into());
            }
            None if is_no_side(&word) => return Err(ReadError::SideWord(word)),
            None => {}
        }
    }
    if let Some(other) = said.iter().find(|(side, _)| *side != said[0].0) {
        return Err(ReadError::ambiguous(
            &other.1,
            &format!("{} to move, by this", other.0),
            &format!("{} to move, by the board", said[0].0),
        ));
    }
    let side = check_side(wanted, said.first().map(|(side, _)| *side), count)?;
    let board = to_board(found.size, &cells, side)?;
    for line in before.lines() {
        if is_all_moves(line) && !is_prose(line) {
            return Err(ReadError::ambiguous(
                line.trim(),
                "moves that led to the board",
                "a remark before the board",
            ));
        }
    }
    pieces.push(Piece { range: 0..found.range.start, why: "before the board" });
    after_start = after_start.min(text.len());
    let mut game = setup.game_from(board);
    let prose = !found.beside.is_empty() || rest.trim_end().contains('\n');
    let first = game.clone();
    let is_value = |piece: &&Piece| {
        piece.range.start >= found.range.end && [remarks::VALUE, ANSWER].contains(&piece.why)
    };
    let values = pieces.iter().filter(is_value).count();
    let played = play_lines(&mut game, &rest, Surroundings { prose, after_board: true });
    let (skipped, fault) = match played {
        Ok(skipped) => (skipped, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    values::check(&first, &game, &rest, values, fault)?;
    pieces.extend(skipped.into_iter().map(|Piece { range, why }| Piece {
        range: range.start + after_start..range.end + after_start,
        why,
    }));
    Ok(Plain { game, has_board: true, skipped: located(text, pieces) })
}

/// Whether a board is written with 1, -1 and 0.
fn has_signed_discs(text: &str) -> bool {
    let numbers = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']'));
    let numbers: Vec<&str> = numbers.filter(|word| matches!(*word, "1" | "-1" | "0")).collect();
    let has_letters = text.split_whitespace().any(|word| matches!(word, "X" | "x" | "O" | "o" | "*"));
    numbers.len() >= 9 && numbers.contains(&"-1") && !has_letters
}

/// The goal and the scoring, where a line names both as the answers of this program do: `normal goal, raw scoring`.
pub(crate) fn named_rules(text: &str) -> Option<(Goal, Scoring)> {
    text.lines().find_map(|line| {
        let (before, after) = line.split_once(" goal, ")?;
        let goal = before.split_whitespace().next_back()?.parse().ok()?;
        let scoring = after.split_once(" scoring")?.0.parse().ok()?;
        Some((goal, scoring))
    })
}

/// The setup under the rules that these pieces name; of each rule the first that names it counts.
fn named_setup(setup: GameSetup, pieces: &[&str]) -> Result<GameSetup, ReadError> {
    let goal = pieces.iter().find_map(|piece| named::<Goal>(piece, "goal").transpose()).transpose()?;
    let scoring =
        pieces.iter().find_map(|piece| named::<Scoring>(piece, "scoring").transpose()).transpose()?;
    Ok(GameSetup { goal: goal.unwrap_or(setup.goal), scoring: scoring.or(setup.scoring), ..setup })
}

/// The value that stands before or behind a word, as in `reversed goal` and `goal: reversed`.
fn named<T: FromStr + Display + PartialEq>(text: &str, word: &str) -> Result<Option<T>, ReadError> {
    let lower = text.to_ascii_lowercase();
    // A phrase says one thing: `normal goal, raw scoring. Winner: unknown`.
    let mut values = lower.split(['.', ',', ';', '\n']).flat_map(|phrase| named_in_phrase(phrase, word));
    let Some(value) = values.next() else { return Ok(None) };
    match values.find(|other| *other != value) {
        Some(other) => {
            Err(ReadError::ambiguous(text, &format!("{value} {word}"), &format!("{other} {word}")))
        }
        None => Ok(Some(value)),
    }
}

/// The values that a phrase names; behind the word only after a colon or an equals sign.
fn named_in_phrase<T: FromStr>(phrase: &str, word: &str) -> Vec<T> {
    let words = |side: &'_ str| -> Vec<String> {
        let words = side.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    let sides: Vec<Vec<String>> = phrase.split([':', '=']).map(words).collect();
    let before = sides.iter().flat_map(|words| words.windows(2)).filter(|pair| pair[1] == word);
    let behind = sides.windows(2).filter(|pair| pair[0].last().is_some_and(|last| last == word));
    let behind = behind.filter_map(|pair| pair[1].first());
    before.map(|pair| &pair[0]).chain(behind).filter_map(|value| value.parse().ok()).collect()
}

/// What stands in round brackets, where people name the rules of a board; other comments may be about anything.
fn bracketed_remarks(text: &str, pieces: &[Piece]) -> String {
    let remarks =
        pieces.iter().map(|piece| &text[piece.range.clone()]).filter(|remark| remark.starts_with('('));
    remarks.collect::<Vec<_>>().join("\n")
}

/// Where the value and the moves begin that this program writes below a drawing: they are its answer, no moves made.
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
pub(crate) fn is_answer(line: &str) -> bool {
    let value = line.strip_prefix("value ").or_else(|| line.strip_prefix("score "));
    value.is_some_and(|value| value.trim_start().starts_with(['+', '-', '0', 'b']))
}

/// Whether a word right behind a board can only be meant for the side to move.
fn is_no_side(word: &str) -> bool {
    let found = tokens(word);
    found.iter().any(|(_, token)| *token == Token::Wrong) && word.chars().all(char::is_alphabetic)
}

/// The text with its first line blanked if that is the letters of columns, and with it the lines of a frame before it.
fn without_letters(rest: &str) -> String {
    let mut left = String::with_capacity(rest.len());
    let mut lines = rest.split_inclusive('\n');
    for line in lines.by_ref() {
        let letters: Vec<char> = line.chars().filter(|c| !c.is_whitespace() && *c != '|').collect();
        let is_of_frame = line.chars().all(|c| c.is_whitespace() || "+-=|".contains(c));
        let is_heading = letters.len() >= 3 && are_letters_in_order(&letters);
        let is_blanked = is_heading || is_of_frame && line.contains('+');
        left += &if is_blanked { blank(line) } else { line.to_owned() };
        if is_heading || !letters.is_empty() && !is_of_frame {
            break;
        }
    }
    left.extend(lines);
    left
}

/// Whether these are the letters of columns, from `a` on or backwards.
fn are_letters_in_order(letters: &[char]) -> bool {
    let in_order = |(index, c): (usize, &char)| c.to_ascii_lowercase() as u32 == 'a' as u32 + index as u32;
    letters.iter().enumerate().all(in_order) || letters.iter().rev().enumerate().all(in_order)
}

/// A board in one string: of the boards that it may be those count after which the rest can be played.
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
    let read = |found: &FoundBoard| with_board(text, left, found, pieces.clone(), wanted);
    let all: Vec<(&FoundBoard, Result<Plain, ReadError>)> =
        boards.iter().map(|found| (found, read(found))).collect();
    let unclear = |read: &&Result<Plain, ReadError>| matches!(read, Err(ReadError::Ambiguous { .. }));
    if let Some(Err(error)) = all.iter().map(|(_, read)| read).find(unclear) {
        return Err(error.clone());
    }
    // A side behind the cells may be found with the board or behind it: that is one reading.
    let mut good: Vec<(&FoundBoard, &Plain)> = Vec::new();
    for (found, read) in &all {
        let Ok(read) = read else { continue };
        let same = |(_, other): &(&FoundBoard, &Plain)| {
            other.game.first_board() == read.game.first_board() && other.game.moves() == read.game.moves()
        };
        if !good.iter().any(same) {
            good.push((found, read));
        }
    }
    match good[..] {
        [(one, _), (other, _), ..] => {
            let says = |found: &FoundBoard| {
                let side = if found.side.is_some() { "with its side" } else { "without a side" };
                format!("a {}x{} board {side}, then moves", found.size.0, found.size.1)
            };
            Err(ReadError::ambiguous(left.trim(), &says(one), &says(other)))
        }
        [(_, read)] => Ok(read.clone()),
        [] => match all.into_iter().next() {
            Some((_, error)) => error,
            None => Err(match faulty_board(left, wanted) {
                Some(error) => error.into(),
                None => BoardError::UnknownSize { found: stretch.chars().len(), max_side: MAX_SIDE }.into(),
            }),
        },
    }
}

/// What the strict reader says of a text that looks like a board and is none.
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
