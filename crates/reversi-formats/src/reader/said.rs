//! Which side a text says is to move around a board: beside its rows, before it, or below it.

use super::tokens::{Token, tokens};
use super::{FoundBoard, Wanted, blank, blanked, side, symbols, words};
use crate::error::ReadError;
use reversi_rules::Color;
use reversi_rules::notation::BoardError;

/// The sides that are named around a board.
pub struct Said {
    /// Each with the words that name it.
    sides: Vec<(Color, String)>,
    /// The text below the board, with blanks for these words and for the letters of columns.
    pub rest: String,
}

impl Said {
    /// Reads what stands around a board, `after` being what stands below it.
    ///
    /// # Errors
    /// A word that stands where only a side can and names none.
    pub fn around(left: &str, found: &FoundBoard, after: &str, wanted: &Wanted) -> Result<Said, ReadError> {
        let with_board = found.side.map(|side| (side, String::new()));
        let mut said = Said { sides: with_board.into_iter().collect(), rest: after.to_owned() };
        for range in &found.beside {
            said.add_all(&left[range.clone()]);
        }
        let before = &left[..found.range.start];
        said.add_all(before);
        for (side, at) in side::find_all(after) {
            said.sides.push((side, after[at.clone()].to_owned()));
            said.rest = blanked(&said.rest, at);
        }
        said.rest = without_letters(&said.rest);
        said.add_lone_word(before);
        said.add_lone_word(found.beside.last().map_or("", |range| &left[range.clone()]));
        said.add_first_word_below(symbols::are_digits(&found.symbols), wanted)?;
        Ok(said)
    }

    /// The side that is named; `None` if none is.
    ///
    /// # Errors
    /// Both are.
    pub fn side(&self) -> Result<Option<Color>, ReadError> {
        let Some(&(side, _)) = self.sides.first() else { return Ok(None) };
        match self.sides.iter().find(|(other, _)| *other != side) {
            Some((other, word)) => Err(ReadError::ambiguous(
                word,
                &format!("{other} to move, by this"),
                &format!("{side} to move, by the board"),
            )),
            None => Ok(Some(side)),
        }
    }

    fn add_all(&mut self, text: &str) {
        self.sides.extend(side::find_all(text).into_iter().map(|(side, at)| (side, text[at].to_owned())));
    }

    /// Where nothing else names a side, a sign or word that stands alone right before or behind the board may.
    fn add_lone_word(&mut self, text: &str) {
        let mut words = words(text);
        if self.sides.is_empty()
            && let (Some((_, word)), None) = (words.next(), words.next())
        {
            self.sides.extend(side::named(word).map(|side| (side, word.to_owned())));
        }
    }

    /// As `add_lone_word`, for the first word below the board, which other words may follow.
    fn add_first_word_below(&mut self, are_digits: bool, wanted: &Wanted) -> Result<(), ReadError> {
        let first = words(&self.rest).next().filter(|_| self.sides.is_empty());
        let Some((place, word)) = first.map(|(place, word)| (place, word.to_owned())) else { return Ok(()) };
        let mut signs = word.chars();
        let single = signs.next().filter(|_| signs.next().is_none());
        match single.map_or_else(|| side::named(&word), |sign| symbols::side(sign, are_digits)) {
            Some(side) => {
                self.rest = blanked(&self.rest, place..place + word.len());
                self.sides.push((side, word));
                Ok(())
            }
            None => match single {
                Some(sign) if wanted.side.is_none() => Err(BoardError::Side(sign).into()),
                _ if is_no_side(&word) => Err(ReadError::SideWord(word)),
                _ => Ok(()),
            },
        }
    }
}

/// Whether a word right after a board can only be a faulty side to move.
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
