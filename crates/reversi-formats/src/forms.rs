//! The form of a text, by what it holds, and its games.

use crate::decode::without_mark;
use crate::error::ReadError;
use crate::json;
use crate::obf::{self, ObfFault};
use crate::pgn;
use crate::reader::{
    Wanted, begins_with_board, begins_with_square, has_compact_board, has_move, holds_board, names_rules,
    read_plain, set_aside,
};
use crate::reading::{Kind, Reading};
use crate::records;
use crate::table_rows;
use reversi_rules::game::{GameBoard, GameSetup};
use std::iter;

/// Games of a text, one after the other.
pub type Readings<'a> = Box<dyn Iterator<Item = Result<Reading, ReadError>> + 'a>;

/// The first game or position of a text.
pub(crate) fn read_first(text: &str, wanted: Wanted) -> Result<Reading, ReadError> {
    read_as(text, wanted, Asked::One).next().expect("a text is one game at least, or one fault")
}

/// The only game or position of a text.
pub(crate) fn read_single(text: &str, wanted: Wanted) -> Result<Reading, ReadError> {
    let mut all = read_as(text, wanted, Asked::One);
    let first = all.next().expect("a text is one game at least, or one fault")?;
    match all.next() {
        None => Ok(first),
        Some(Ok(_)) => Err(ReadError::Several),
        Some(Err(error)) => Err(error),
    }
}

/// What a text is read for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// One game: a line that begins as a game but has a fault is not taken for a game of its own.
    One,
    /// All games.
    Each,
}

/// The games of a text in one of these forms.
pub(crate) fn read_as(text: &str, wanted: Wanted, asked: Asked) -> Readings<'_> {
    let text = without_mark(text);
    if json::is_json(text) {
        return match json::games(text, &wanted) {
            Ok(games) => Box::new(games.into_iter().map(|game| Ok(game?))),
            Err(error) => Box::new(iter::once(Err(error.into()))),
        };
    }
    if records::has_record(text) {
        return one_at_least(records::games(text, wanted, asked == Asked::Each));
    }
    if let Some(columns) = table_rows::columns_of(text) {
        return one_at_least(table_rows::positions(text, columns, wanted).map(|row| Ok(row?)));
    }
    if pgn::is_pgn(text) {
        return Box::new(pgn::games(text, wanted).map(|game| Ok(game?)));
    }
    if is_obf(text) {
        return match read_problems(text, &wanted) {
            Ok(readings) => Box::new(readings.into_iter().map(Ok)),
            Err(error) => Box::new(iter::once(Err(error))),
        };
    }
    let wanted = match under_settings(text, wanted) {
        Ok(wanted) => wanted,
        Err(error) => return Box::new(iter::once(Err(error))),
    };
    if let Some(games) = numbered_games(text) {
        return Box::new(games.into_iter().map(move |game| read_moves(game, &wanted)));
    }
    let each_line = || Box::new(lines(text).map(move |line| read_moves(line, &wanted)));
    match read_moves(text, &wanted) {
        Ok(one) if asked == Asked::Each && are_games_too(text, &wanted) => {
            if lines(text).all(|line| number_before(line) == Some(1)) {
                return each_line();
            }
            let other = "a game on each line; number the moves, each game from 1";
            let error = ReadError::ambiguous(&one.game.transcript(), "one game", other);
            Box::new(iter::once(Err(error)))
        }
        Err(_) if has_games_in_lines(text, &wanted, asked) => each_line(),
        one => Box::new(iter::once(one)),
    }
}

/// The games, or one fault if there is none.
fn one_at_least<'a>(games: impl Iterator<Item = Result<Reading, ReadError>> + 'a) -> Readings<'a> {
    let mut games = games.peekable();
    match games.peek() {
        None => Box::new(iter::once(Err(ReadError::Nothing))),
        Some(_) => Box::new(games),
    }
}

/// Under the rules that lines such as `% goal=reversed` name before boards and moves in no format.
pub(crate) fn under_settings(text: &str, wanted: Wanted) -> Result<Wanted, ReadError> {
    let named = obf::settings(text)?;
    Ok(Wanted { setup: under(wanted.setup, &named), ..wanted })
}

/// Whether it is a file of problems: a line has a board before its first semicolon, or the first line has a board and a
/// comment that names the rules of the file.
pub fn is_obf(text: &str) -> bool {
    let has_scores = |line| {
        let (content, _) = content_and_comment(line);
        content.split_once(';').is_some_and(|(board, _)| begins_with_board(board))
    };
    let sets_rules = |line| {
        let (content, comment) = content_and_comment(line);
        obf::remark_names_rules(comment) && GameBoard::parse(None, content.trim()).is_ok()
    };
    lines(text).any(has_scores) || lines(text).next().is_some_and(sets_rules)
}

/// A line before and behind its first `%`.
fn content_and_comment(line: &str) -> (&str, &str) {
    line.split_once('%').unwrap_or((line, ""))
}

/// A board, if there is one, and moves.
pub(crate) fn read_moves(text: &str, wanted: &Wanted) -> Result<Reading, ReadError> {
    read_plain(text, wanted).map(Reading::of)
}

/// The games of a text in which lines begin with the number 1 of a first move, two lines or more. A game goes on to its
/// last line with a move; what stands below is the heading of the next one. `None` for a text with boards or with rules
/// in words, which may be those of any of the games.
fn numbered_games(text: &str) -> Option<Vec<&str>> {
    // Most texts have none: nothing else is looked at in them.
    if text.lines().filter(|line| begins_game(line)).count() < 2 {
        return None;
    }
    let (left, _) = set_aside(text).ok()?;
    if holds_board(&left) || left.lines().any(names_rules) {
        return None;
    }
    let (mut begins, mut end_of_moves, mut place) = (Vec::new(), 0, 0);
    for line in left.split_inclusive('\n') {
        if begins_game(line) {
            begins.push(end_of_moves);
        }
        place += line.len();
        if has_move(line) {
            end_of_moves = place;
        }
    }
    if begins.len() < 2 {
        return None;
    }
    begins[0] = 0;
    let ends = begins[1..].iter().copied().chain(iter::once(text.len()));
    Some(begins.iter().zip(ends).map(|(&start, end)| &text[start..end]).collect())
}

/// Whether a line begins with the number of a first move and this move, as in `1. c4 e3`; in `1... e3` it is White's.
fn begins_game(line: &str) -> bool {
    let rest = line.trim_start().strip_prefix("1.").map(str::trim_start);
    rest.is_some_and(begins_with_square)
}

/// Whether the lines with moves of a text that reads as one game of moves alone are whole games too, unless the numbers
/// of their moves go on. Other lines may be the headings of games.
fn are_games_too(text: &str, wanted: &Wanted) -> bool {
    let is_game = |line| {
        let alone = read_moves(line, wanted);
        alone.is_ok_and(|alone| !alone.has_board && !alone.game.moves().is_empty()) && !has_later_number(line)
    };
    let games = || lines(text).filter(|line| has_move(line));
    games().count() > 1 && games().all(is_game)
}

/// The lines that are not blank.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !is_blank(line))
}

/// Whether a line is blank or a comment.
pub(crate) fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with(['#', '%'])
}

/// Whether each line of a text that cannot be read as one game is a game of its own.
///
/// The first line must begin as a game does. Then another line must be a whole game, with a board if and only if the
/// first line has one, and must not continue the game before it. A line that continues the game and then has a fault
/// belongs to a single game. If each game is asked for, such a line counts too if it alone is a whole game of more than
/// one move, and a line that does not continue the game counts if it alone begins as a game does.
fn has_games_in_lines(text: &str, wanted: &Wanted, asked: Asked) -> bool {
    let has_board = |line: &str| begins_with_board(line) || has_compact_board(line);
    let mut lines = lines(text);
    let Some(first) = lines.next() else { return false };
    let mut game = match read_moves(first, wanted) {
        Ok(reading) if !reading.has_board && reading.game.moves().is_empty() => return false,
        Ok(reading) => Some(reading.game),
        Err(error) if is_behind_a_move(&error) || has_board(first) => None,
        Err(_) => return false,
    };
    for line in lines {
        let goes_on = game.as_mut().map(|game| crate::reader::play_moves(game, line));
        if matches!(goes_on, Some(Ok(_))) {
            continue;
        }
        let is_like_first = has_board(line) == has_board(first) && !has_later_number(line);
        let alone = read_moves(line, wanted);
        if goes_on.is_some_and(|end| end.is_err_and(|error| is_behind_a_move(&error))) {
            // A single move may belong to either game.
            let is_whole = alone.is_ok_and(|alone| alone.game.moves().len() > 1);
            return asked == Asked::Each && is_like_first && is_whole;
        }
        match alone {
            Ok(_) if is_like_first => return true,
            Err(error) if asked == Asked::Each && is_like_first && is_behind_a_move(&error) => return true,
            _ => {}
        }
    }
    false
}

/// Whether at least the first move is legal.
fn is_behind_a_move(error: &ReadError) -> bool {
    match error {
        ReadError::Moves(error) | ReadError::BareMoves(error) => error.number > 1,
        ReadError::MoveNumber { number, .. } => *number > 1,
        _ => false,
    }
}

/// Whether a line begins with the number of a move that is not the first of its game, as in `3. c4 e3`.
fn has_later_number(line: &str) -> bool {
    number_before(line).is_some_and(|number| number > 1)
}

/// The number of a move with which a line begins, as in `3. c4 e3`.
fn number_before(line: &str) -> Option<u32> {
    line.trim_start().split_once('.').and_then(|(number, _)| number.parse().ok())
}

/// The positions of a problem file; if it has only comments, the setup's first board.
fn read_problems(text: &str, wanted: &Wanted) -> Result<Vec<Reading>, ReadError> {
    let setup = wanted.setup;
    let asked = obf::Asked { geometry: None, side: wanted.side, zero: wanted.zero };
    let file = obf::parse(text, asked).or_else(|error| {
        match (&error.fault, reversi_rules::Geometry::from_size(setup.size)) {
            (ObfFault::Board(_), Some(geometry)) => {
                // The guess that reads further fits the boards of the file.
                obf::parse(text, obf::Asked { geometry: Some(geometry), ..asked })
                    .map_err(|other| if other.line < error.line { error } else { other })
            }
            _ => Err(error),
        }
    })?;
    let setup = under(setup, &file);
    let mut boards: Vec<GameBoard> = file.records.iter().map(|record| record.board.into()).collect();
    if boards.is_empty() {
        boards.push(GameBoard::start(setup.size, setup.start));
    }
    Ok(boards.into_iter().map(|board| Reading::new(setup.game_from(board), Kind::Obf)).collect())
}

/// The setup under the rules that a text names.
fn under(setup: GameSetup, named: &obf::File) -> GameSetup {
    let goal = named.goal.unwrap_or(setup.goal);
    GameSetup { goal, scoring: named.scoring.or(setup.scoring), ..setup }
}
