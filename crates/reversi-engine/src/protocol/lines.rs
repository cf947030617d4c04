//! Reads lines of untrusted input with bounded memory.

use std::io::{self, BufRead, Read};

/// Longer lines are never valid; the rest of a line is not kept in memory.
pub const MOST_BYTES: u64 = 1 << 16;

/// Stands for the text of a line that was cut: no command of any protocol.
const OVERLONG: &str = "overlong";

/// Characters of a word in [`Line::head`].
const MOST_OF_A_WORD: usize = 32;

/// A line with its line ending, as far as it was kept.
pub struct Line {
    /// At most the first [`MOST_BYTES`] bytes.
    pub bytes: Vec<u8>,
    /// Whether the line was longer.
    pub is_cut: bool,
}

/// The next line; `None` at the end of the input.
///
/// # Errors
/// The error of the reader.
pub fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let bytes = part_of_line(input)?;
    let mut rest = is_part(&bytes);
    let mut is_cut = false;
    while rest {
        let more = part_of_line(input)?;
        rest = is_part(&more);
        is_cut |= !more.is_empty();
    }
    Ok((!bytes.is_empty()).then_some(Line { bytes, is_cut }))
}

fn part_of_line(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MOST_BYTES).read_until(b'\n', &mut bytes)?;
    Ok(bytes)
}

fn is_part(bytes: &[u8]) -> bool {
    bytes.len() as u64 == MOST_BYTES && !bytes.ends_with(b"\n")
}

impl Line {
    /// The text of the line; a word that is no command for a line that was cut.
    pub fn text(&self) -> String {
        if self.is_cut { OVERLONG.to_owned() } else { String::from_utf8_lossy(&self.bytes).into_owned() }
    }

    /// The first two words, each cut after 32 characters: what a line that was cut was meant to be.
    pub fn head(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        let words = text.split_whitespace().take(2).map(|word| word.chars().take(MOST_OF_A_WORD).collect());
        words.collect::<Vec<String>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_or_marked_as_cut() {
        let most = MOST_BYTES as usize;
        let long = |bytes| "x".repeat(bytes);
        for (bytes, is_cut) in [(1, false), (most - 1, false), (most, true), (3 * most, true)] {
            let sent = long(bytes) + "\nnext\n\nlast";
            let mut input = sent.as_bytes();
            let mut lines = std::iter::from_fn(|| next_line(&mut input).unwrap());
            let first = lines.next().unwrap();
            assert_eq!((first.is_cut, first.bytes.len()), (is_cut, most.min(bytes + 1)), "{bytes}");
            let others: Vec<String> = lines.map(|line| line.text()).collect();
            assert_eq!(others, ["next\n", "\n", "last"], "{bytes}");
        }
    }

    #[test]
    fn a_line_that_was_cut_still_shows_what_it_was() {
        let long = "x".repeat(MOST_BYTES as usize);
        for (begins, head) in [
            ("7 name ", "7 name"),
            ("set game (;GM[Othello]PC[", "set game"),
            ("# ", &format!("# {}", "x".repeat(MOST_OF_A_WORD))),
        ] {
            let line = next_line(&mut (begins.to_owned() + &long).as_bytes()).unwrap().unwrap();
            assert_eq!((line.text(), line.head()), (OVERLONG.to_owned(), head.to_owned()));
        }
    }

    #[test]
    fn a_last_line_that_just_fits_is_not_cut() {
        let sent = "x".repeat(MOST_BYTES as usize);
        let mut input = sent.as_bytes();
        assert!(!next_line(&mut input).unwrap().unwrap().is_cut);
        assert!(next_line(&mut input).unwrap().is_none());
    }
}
