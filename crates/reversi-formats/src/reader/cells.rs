//! A board in one string: cells in any spacing, then perhaps the side to move.

use super::{FoundBoard, symbols, words};
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
            let range = self.range(if has_side { cells } else { cells - 1 });
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
