//! Makes the moves that a text lists, and skips what people put around them.

use super::Piece;
use super::tokens::{Token, WORD_SIGNS, has_move, is_prose, is_said, is_spelling_of_pass, tokens};
use crate::error::ReadError;
use reversi_rules::Color;
use reversi_rules::game::{Game, GameMove};
use reversi_rules::notation::{IllegalMove, TranscriptError};
use std::ops::Range;

/// What a text may have around its moves.
#[derive(Clone, Copy)]
pub struct Surroundings {
    /// Whether lines without a move may be sentences, and words within them.
    pub prose: bool,
    /// Whether a board stands before the moves, so that there need not be one.
    pub after_board: bool,
}

/// Makes the moves that a text lists, with the forced passes that it leaves out, and gives what it skipped.
///
/// # Errors
/// The first token that cannot be played, with the number of its move; the moves before it stay made. Also a move for
/// the side that is not to move, moves after a result, and a dash at the end that may be a pass.
pub fn play_moves(game: &mut Game, text: &str) -> Result<Vec<Piece>, ReadError> {
    let many_lines = text.trim().lines().filter(|line| !line.trim().is_empty()).count() > 1;
    play_lines(game, text, Surroundings { prose: many_lines, after_board: false })
}

/// As [`play_moves`], with what may stand around the moves.
///
/// # Errors
/// A word that looks like a mistyped move, or a move that is not legal.
pub fn play_lines(game: &mut Game, text: &str, around: Surroundings) -> Result<Vec<Piece>, ReadError> {
    let Surroundings { prose, after_board } = around;
    let has_moves = after_board || has_move(text);
    let moves_before = game.moves().len() as u32;
    let mut player = MovePlayer {
        game,
        text,
        prose,
        has_moves,
        moves_before,
        number: 0,
        last_number: None,
        cells: 0,
        side: None,
        result: None,
    };
    let mut skipped = Vec::new();
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        if prose && is_prose(line) {
            skipped.push(Piece { range: place..place + line.len(), why: "no move" });
        } else {
            player.play_line(place, line, &mut skipped)?;
        }
        place += line.len();
    }
    player.finish(&skipped)?;
    Ok(skipped)
}

/// Why a piece is skipped that counts the moves.
const NUMBER: &str = "number of a move";
/// Why a piece is skipped that says nothing.
const AROUND: &str = "sign or word around moves";

/// Number of cells of the smallest board: as many numbers between moves are a board as a list, `[[0,1,0],[1,2,1],...]`.
const CELLS: usize = 9;

/// Whether signs hold the number of a cell, 0 to 2, and no other.
fn is_cell(signs: &str) -> bool {
    let mut digits = signs.bytes().filter(u8::is_ascii_digit);
    signs.contains([',', '[', ']']) && matches!((digits.next(), digits.next()), (Some(b'0'..=b'2'), None))
}

struct MovePlayer<'a> {
    game: &'a mut Game,
    text: &'a str,
    /// Whether there may be sentences around the moves.
    prose: bool,
    /// Whether a square is named anywhere. If not, the text is no game, and its first word is the error.
    has_moves: bool,
    /// Moves of the game before those of the text.
    moves_before: u32,
    /// Moves read so far, without the passes that the text leaves out.
    number: usize,
    last_number: Option<u32>,
    /// Numbers from 0 to 2 since the last move, with signs around them.
    cells: usize,
    side: Option<Color>,
    result: Option<Range<usize>>,
}

impl MovePlayer<'_> {
    fn play_line(&mut self, place: usize, line: &str, skipped: &mut Vec<Piece>) -> Result<(), ReadError> {
        let found = tokens(line);
        for (index, (range, token)) in found.iter().enumerate() {
            let is_word_of_its_own = line[..range.start].ends_with(char::is_whitespace) || range.start == 0;
            let range = place + range.start..place + range.end;
            let previous = index.checked_sub(1).map(|before| found[before].1);
            let next = found.get(index + 1).map(|(_, token)| *token);
            let why = match token {
                Token::Move | Token::Pass => {
                    self.cells = 0;
                    self.play(range)?;
                    continue;
                }
                Token::Side(color) => {
                    self.side = Some(*color).filter(|_| {
                        matches!(next, Some(Token::Move | Token::Pass | Token::Around | Token::MoveNumber))
                    });
                    "colour"
                }
                Token::MoveNumber => self.take_move_number(range.clone(), next)?,
                Token::Number(number) => self.take_number(*number, range.clone(), previous, next)?,
                Token::Result => {
                    // A result before the moves does not end the game.
                    self.result = Some(range.clone()).filter(|_| self.number > 0);
                    "result"
                }
                Token::Dash => "dash",
                Token::Around => {
                    self.cells += usize::from(is_cell(&self.text[range.clone()]));
                    if self.cells >= CELLS {
                        return Err(ReadError::SecondBoard);
                    }
                    AROUND
                }
                Token::Wrong
                    if self.has_moves
                        && is_word_of_its_own
                        && is_said(&self.text[range.clone()], self.prose) =>
                {
                    "word"
                }
                Token::Wrong => return Err(self.wrong(range, IllegalMove::Syntax)),
            };
            skipped.push(Piece { range, why });
        }
        Ok(())
    }

    /// The number of a move with its point. One that does not count on from the last one belongs to another game, or the
    /// moves before it are missing.
    fn take_move_number(
        &mut self,
        range: Range<usize>,
        next: Option<Token>,
    ) -> Result<&'static str, ReadError> {
        let text = &self.text[range.clone()];
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        // A number that does not fit is too large for any game.
        let number = text[..digits].parse::<u32>().unwrap_or(u32::MAX);
        let is_second = text[digits..].starts_with("..") || text[digits..].starts_with('…');
        // From another position numbers may begin anywhere.
        let begins_anywhere = self.last_number.is_none() && self.game.first_board().as_start().is_none();
        if begins_anywhere || self.counts(number) || is_second && self.last_number == Some(number) {
            self.last_number = Some(number);
            return Ok(NUMBER);
        }
        // `5.` in a remark behind the moves may be anything.
        match next {
            Some(Token::Move | Token::Pass) => {
                Err(ReadError::MoveNumber { number: self.number + 1, token: text.to_owned() })
            }
            _ => Ok(AROUND),
        }
    }

    /// Whether a number counts on from the last one, or is that of the next move: by moves of both sides or of one, with
    /// the moves before this text or without them, with the passes that it leaves out or without them.
    fn counts(&self, number: u32) -> bool {
        let read = self.number as u32;
        let made = self.game.moves().len() as u32;
        let before = [read, read + self.moves_before, made, made + u32::from(self.game.must_pass())];
        self.last_number.is_some_and(|last| last.checked_add(1) == Some(number))
            || before.into_iter().any(|before| number == before + 1 || number == before / 2 + 1)
    }

    /// A number that stands alone: the number of a move, or part of a result in words.
    fn take_number(
        &mut self,
        number: u32,
        range: Range<usize>,
        previous: Option<Token>,
        next: Option<Token>,
    ) -> Result<&'static str, ReadError> {
        let is_before_move = matches!(
            next,
            Some(Token::Move | Token::Pass | Token::Side(_) | Token::Around | Token::MoveNumber)
        );
        if self.counts(number) && is_before_move {
            self.last_number = Some(number);
            return Ok(NUMBER);
        }
        match (previous, next) {
            (Some(Token::Side(_) | Token::Around | Token::MoveNumber | Token::Dash), _)
            | (None, Some(Token::Dash | Token::Around | Token::MoveNumber))
                if self.number > 0 =>
            {
                self.result = Some(range);
                Ok("result")
            }
            (Some(Token::Move | Token::Pass), Some(Token::Dash)) => {
                self.result = Some(range);
                Ok("result")
            }
            _ => Err(self.wrong(range, IllegalMove::Syntax)),
        }
    }

    fn play(&mut self, range: Range<usize>) -> Result<(), ReadError> {
        if let Some(result) = self.result.take().filter(|result| !self.is_time(&self.text[result.clone()])) {
            return Err(ReadError::ambiguous(
                &self.text[result],
                "the end of a game, after which another one begins",
                "a remark within one game",
            ));
        }
        let token = &self.text[range.clone()];
        let is_no_move = token.starts_with(['n', 'N']) && token.contains(char::is_whitespace);
        let mv = if is_no_move || is_spelling_of_pass(token) {
            GameMove::Pass
        } else {
            self.game.read_move(token).map_err(|reason| self.wrong(range.clone(), reason))?
        };
        let passes = mv != GameMove::Pass && self.game.must_pass();
        let to_move = if passes { self.game.to_move().other() } else { self.game.to_move() };
        if let Some(color) = self.side.take().filter(|&color| color != to_move) {
            return Err(ReadError::Side { number: self.number + 1, token: token.to_owned(), color, to_move });
        }
        self.game.play_after_pass(mv).map_err(|error| self.wrong(range, error.reason))?;
        self.number += 1;
        Ok(())
    }

    /// Whether a possible result is the time of a move, as in `0:12`: the seconds are below 60, and the two numbers do
    /// not add up to the squares of the board.
    fn is_time(&self, result: &str) -> bool {
        let numbers = result.trim_matches(WORD_SIGNS).split_once(':');
        let numbers =
            numbers.and_then(|(one, other)| Some((one.parse::<u32>().ok()?, other.parse::<u32>().ok()?)));
        numbers.is_some_and(|(one, other)| other < 60 && one + other != self.game.size().square_count())
    }

    fn wrong(&self, range: Range<usize>, reason: IllegalMove) -> ReadError {
        let token = self.text[range].to_owned();
        ReadError::Moves(TranscriptError { number: self.number + 1, token, reason })
    }

    /// A dash behind the last move of a side that must pass may be that pass.
    fn finish(&self, skipped: &[Piece]) -> Result<(), ReadError> {
        let last_dash = skipped.iter().rev().find(|piece| piece.why == "dash");
        match last_dash {
            Some(piece)
                if self.game.must_pass()
                    && self.result.is_none()
                    && !has_move(&self.text[piece.range.end..]) =>
            {
                Err(ReadError::ambiguous(
                    &self.text[piece.range.clone()],
                    "a pass of the side that has no move",
                    "a sign between moves",
                ))
            }
            _ => Ok(()),
        }
    }
}
