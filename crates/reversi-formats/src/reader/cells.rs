//! A board in one string: cells in any spacing, then perhaps the side to move.

use super::tokens::is_spelling_of_pass;
use super::{FoundBoard, symbols, words};
use crate::error::ReadError;
use reversi_rules::naive::MAX_SIDE;
use std::ops::Range;

/// A run of words that are all cells.
pub struct Stretch {
    /// The place of each character in the text, in bytes.
    places: Vec<usize>,
    chars: Vec<char>,
    /// The index of the last character of each word.
    word_ends: Vec<usize>,
}

/// The first run of words that are all cells, nine cells at least, and are not all passes.
pub fn stretch(text: &str) -> Option<Stretch> {
    // `2.b1` is a move with its number: no board has letters and digits for its discs.
    let is_sign = |c: char| c.is_ascii_alphabetic() || c == '@';
    let has_both = |word: &str| word.contains(is_sign) && word.contains(['1', '2']);
    // `-1` does not say which side it stands for. `@@@@` is a pass in some programs, and four discs of Black in others.
    let is_cells =
        |word: &str| !matches!(word, "-1" | "@@@@") && !has_both(word) && word.chars().all(symbols::is_cell);
    let all: Vec<(usize, &str)> = words(text).collect();
    let mut index = 0;
    while index < all.len() {
        let length = all[index..].iter().take_while(|(_, word)| is_cells(word)).count();
        let run = &all[index..index + length];
        let cells: usize = run.iter().map(|(_, word)| word.chars().count()).sum();
        if cells >= 9 && !run.iter().all(|(_, word)| *word == "--") {
            return Some(Stretch::new(run));
        }
        index += length.max(1);
    }
    None
}

/// `1.`, or `1...` before a move of White, which may be a row where discs are digits.
fn is_move_number(word: &str, has_digits: bool) -> bool {
    let number = word.trim_end_matches('.');
    let points = word.len() - number.len();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number && (points == 1 || points == 3 && !has_digits)
}

/// Refuses cells that a text draws in rows of another board than that of `size`: three lines or more of one length, or words
/// that are the rows of the board on its side. A side to move may stand before or behind the cells.
///
/// # Errors
/// Both ways to read them.
pub fn check_shape(text: &str, cells: usize, size: (u32, u32)) -> Result<(), ReadError> {
    let mut signs = text.trim_start().chars();
    signs.next();
    let behind_side = signs.as_str();
    // What was taken for the side to move may be the last cell.
    let drawn = drawn_size(text, cells)
        .or_else(|| drawn_size(behind_side, cells))
        .or_else(|| drawn_size(text, cells + 1))
        .or_else(|| Some((size.1, size.0)).filter(|&turned| has_rows(text, turned)));
    let Some((width, height)) = drawn.filter(|&drawn| drawn != size) else { return Ok(()) };
    let drawing = format!("{height} rows of a {width}x{height} board");
    Err(ReadError::ambiguous(text, &drawing, &format!("the cells of a {}x{} board", size.0, size.1)))
}

/// Whether the words of a text are the rows of a board of this size, perhaps behind a side to move.
fn has_rows(text: &str, (width, height): (u32, u32)) -> bool {
    let is_row = |word: &&str| word.chars().count() == width as usize && word.chars().all(symbols::is_cell);
    let behind_side = text.split_whitespace().skip_while(|word| word.chars().count() == 1);
    behind_side.take_while(is_row).count() == height as usize
}

/// The columns and rows of the drawing that the first cells of a text are.
fn drawn_size(text: &str, cells: usize) -> Option<(u32, u32)> {
    let (mut rows, mut left) = (Vec::new(), cells);
    for line in text.lines() {
        let row = line.chars().filter(|sign| !sign.is_whitespace()).count().min(left);
        left -= row;
        rows.extend(Some(row).filter(|&row| row > 0));
    }
    let sides = 3..=MAX_SIDE as usize;
    let is_drawing = left == 0
        && rows.first().is_some_and(|row| sides.contains(row))
        && sides.contains(&rows.len())
        && rows.iter().all(|&row| row == rows[0]);
    is_drawing.then_some((rows[0] as u32, rows.len() as u32))
}

impl Stretch {
    fn new(run: &[(usize, &str)]) -> Stretch {
        let mut stretch = Stretch { places: Vec::new(), chars: Vec::new(), word_ends: Vec::new() };
        for (start, word) in run {
            for (place, symbol) in word.char_indices() {
                stretch.places.push(start + place);
                stretch.chars.push(symbol);
            }
            stretch.word_ends.push(stretch.chars.len() - 1);
        }
        stretch
    }

    /// Whether the text has other words than these.
    pub fn is_among_words(&self, text: &str) -> bool {
        words(text).count() > self.word_ends.len()
    }

    /// The characters.
    pub fn chars(&self) -> &[char] {
        &self.chars
    }

    /// A sign of a side that stands alone after longer words, and that `found`, which has no side, took for its last
    /// cell.
    pub fn lone_sign(&self, found: &FoundBoard) -> Option<char> {
        let last = found.symbols.len() - 1;
        let is_end = |place: usize| self.word_ends.contains(&place);
        let is_lone = is_end(last) && last.checked_sub(1).is_some_and(is_end);
        let has_longer = self.word_ends.len() < self.chars.len();
        let sign = *self.chars.get(last)?;
        let names_side = symbols::side(sign, symbols::are_digits(&found.symbols)).is_some();
        (found.side.is_none() && is_lone && has_longer && names_side).then_some(sign)
    }

    /// Whether the words of the stretch from this character on may stand behind a board: its side, if it has none yet,
    /// and then passes, a dash, or the number of the first move. More cells are the rest of a larger board.
    fn may_follow(&self, first: usize, has_side: bool) -> bool {
        let cells = &self.chars[..first];
        // Behind cells that are words of their own a single sign may be a cell too.
        let is_spaced = self.word_ends.iter().take_while(|&&end| end < first).count() == first;
        let digits = symbols::are_digits(cells);
        let names_side = |sign| symbols::side(sign, digits).is_some() || sign == '0' && !is_spaced;
        let is_side = |word: &String| word.chars().count() == 1 && word.chars().all(names_side);
        let mut words = self.words_from(first).peekable();
        if !has_side {
            words.next_if(is_side);
        }
        // "X to move" may say the side again.
        if !is_spaced {
            words.next_if(is_side);
        }
        let others: Vec<String> = words.filter(|word| !is_spelling_of_pass(word)).collect();
        if !is_spaced {
            // Rows are words of one length. Other words are for those who read what follows a board.
            let ends = std::iter::once(0).chain(self.word_ends.iter().map(|end| end + 1));
            let row = ends
                .zip(&self.word_ends)
                .take_while(|(_, end)| **end < first)
                .map(|(start, end)| end + 1 - start);
            let row = row.max().unwrap_or_default();
            return others.iter().all(|word| word.chars().count() < row);
        }
        match &others[..] {
            [] => true,
            [word] => word == ".." || is_move_number(word, cells.iter().any(char::is_ascii_digit)),
            _ => false,
        }
    }

    /// The words from this character on.
    fn words_from(&self, first: usize) -> impl Iterator<Item = String> {
        let ends = self.word_ends.iter().copied().skip_while(move |&end| end < first);
        ends.scan(first, |start, end| {
            let word = self.chars[*start..=end].iter().collect();
            *start = end + 1;
            Some(word)
        })
    }

    fn range(&self, last: usize) -> Range<usize> {
        self.places[0]..self.places[last] + self.chars[last].len_utf8()
    }

    /// The boards that the stretch may begin with: those with a side first, then those without one, each the longest
    /// first. `sizes` gives the size of a board with that number of cells.
    pub fn boards(&self, sizes: &dyn Fn(usize) -> Option<(u32, u32)>) -> Vec<FoundBoard> {
        let found = |cells: usize, has_side: bool| {
            let size = sizes(cells)?;
            let symbols = self.chars[..cells].to_vec();
            let side = match has_side {
                true => Some(symbols::side(self.chars[cells], symbols::are_digits(&symbols))?),
                false => None,
            };
            let last = if has_side { cells } else { cells - 1 };
            if !self.may_follow(last + 1, has_side) {
                return None;
            }
            let range = self.range(last);
            Some(FoundBoard { size, symbols, side, range, beside: Vec::new() })
        };
        let ends = || self.word_ends.iter().rev().copied();
        let with_side = ends().filter_map(|last| found(last, true));
        let without = ends().filter_map(|last| found(last + 1, false));
        with_side.chain(without).chain(self.behind_its_side(sizes)).collect()
    }

    /// The board that the whole stretch is when a side stands before it: `O -----OX--XO-----`.
    fn behind_its_side(&self, sizes: &dyn Fn(usize) -> Option<(u32, u32)>) -> Option<FoundBoard> {
        let (&first, cells) = self.chars.split_first()?;
        let side = symbols::side(first, symbols::are_digits(cells))?;
        if self.word_ends[0] != 0 || self.word_ends.get(1) == Some(&1) {
            return None;
        }
        let (size, range) = (sizes(cells.len())?, self.range(cells.len()));
        Some(FoundBoard { size, symbols: cells.to_vec(), side: Some(side), range, beside: Vec::new() })
    }
}
