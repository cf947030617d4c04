//! A book as readable text: a line for the rules, then one line per position with its value in discs for the side to
//! move, the depth of the search in plies, and `exact` if the value is proved. Empty lines and lines that begin with
//! `#` are ignored.
//!
//! ```text
//! opening book 8x8 normal winner
//! -------------------O-------OO------OX--------------------------- X -0.859 12
//! ```

use super::file::checked;
use super::{Book, ContentError, Found, GEOMETRY, Worth, canonical};
use reversi_rules::game::GameBoard;
use reversi_rules::{Board, Color, Rules};
use reversi_solver::eval::Eval;
use std::fmt::Write;

/// The beginning of the text.
pub(super) const FIRST_WORDS: &str = "opening book";

impl Book {
    /// The book as text. The same book gives the same text, and [`Book::from_text`] the book again.
    pub fn to_text(&self) -> String {
        let mut text = format!("{FIRST_WORDS} {GEOMETRY} {} {}\n", self.rules.goal, self.rules.scoring);
        for (position, Found { value: Worth { units, is_exact }, depth }) in self.in_order() {
            let board = Board::from_position(GEOMETRY, position, Color::Black);
            let exact = if is_exact { " exact" } else { "" };
            let _ = writeln!(text, "{board} {:+.3} {depth}{exact}", Eval::new(units).discs());
        }
        text
    }

    /// Reads the text of a book. Positions may be any of their symmetric images, in any order; of two searches of one
    /// position the better one is kept.
    ///
    /// # Errors
    /// The first line that cannot be read.
    pub fn from_text(text: &str) -> Result<Book, ContentError> {
        let mut lines = text.lines().enumerate();
        let first = lines.next().map_or("", |(_, line)| line);
        let fault = |line: usize, reason| ContentError::Line { line: line + 1, reason };
        let rules = read_rules(first)
            .ok_or_else(|| fault(0, "write the rules, as in: opening book 8x8 normal winner"))?;
        let mut book = Book::new(rules);
        for (number, line) in lines {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let (board, found) = read_line(line).map_err(|reason| fault(number, reason))?;
            book.add(board.position(), found);
        }
        Ok(book)
    }
}

/// The rules in the first line; `None` if it is not the first line of a book.
fn read_rules(line: &str) -> Option<Rules> {
    let rest = line.strip_prefix(FIRST_WORDS)?;
    let mut words = rest.split_whitespace();
    let board = words.next()?;
    let rules = Rules::new(words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    (board == GEOMETRY.to_string() && words.next().is_none()).then_some(rules)
}

fn read_line(line: &str) -> Result<(Board, Found), &'static str> {
    const WANTED: &str =
        "write a board and its side to move, a value in discs, a depth, and exact if it is proved";
    let words: Vec<&str> = line.split_whitespace().collect();
    let (cells, side, value, depth, is_exact) = match words[..] {
        [cells, side, value, depth] => (cells, side, value, depth, false),
        [cells, side, value, depth, "exact"] => (cells, side, value, depth, true),
        _ => return Err(WANTED),
    };
    let board = GameBoard::parse(Some(GEOMETRY.into()), &format!("{cells} {side}"));
    let board = board.ok().and_then(|board| board.small()).ok_or("that is no board of 8x8")?;
    let discs: f64 = value.parse().map_err(|_| WANTED)?;
    let depth = depth.parse().map_err(|_| WANTED)?;
    if !(-64.0..=64.0).contains(&discs) {
        return Err("a value lies between -64 and 64 discs");
    }
    let units = Eval::from_discs(discs).units();
    let checked = checked(canonical(board.position()), units, is_exact, depth);
    checked.map(|(_, found)| (board, found)).ok_or("an exact value is whole, and a depth at most 64")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{grown, start};
    use super::*;
    use crate::Value;
    use reversi_rules::Score;

    #[test]
    fn the_text_of_a_book_is_the_book_again() {
        let mut book = grown(7, 10);
        book.add(start(), Found::new(Value::Exact(Score::new(-3)), 60).unwrap());
        let text = book.to_text();
        assert_eq!(Book::from_text(&text), Ok(book));
        assert!(text.lines().any(|line| line.ends_with(" -3.000 60 exact")), "{text}");
    }

    #[test]
    fn a_faulty_line_is_named() {
        let head = "opening book 8x8 reversed winner\n# a remark\n\n";
        let cells = "---------------------------OX------XO---------------------------";
        assert_eq!(Book::from_text(&format!("{head}{cells} X +0.5 7\n")).unwrap().len(), 1);
        for bad in [
            "nonsense".to_owned(),
            format!("{cells} X +0.5"),
            format!("{cells} X +0.5 7 exact"),
            format!("{cells} X +99 7"),
            format!("{cells} X nan 7"),
            format!("{cells} X 0 65"),
            format!("{} X 0 7", &cells[1..]),
        ] {
            let error = Book::from_text(&format!("{head}{bad}\n")).unwrap_err();
            assert!(matches!(error, ContentError::Line { line: 4, .. }), "{bad}: {error}");
        }
        for bad in [
            "opening book 8x8",
            "opening book 8x8 reversed normal winner",
            "opening book 8x8 normal draw",
            "opening book 8x8 normal winner raw",
            "opening book 6x6 normal winner",
            "opening books 8x8 normal winner",
        ] {
            let error = Book::from_text(&format!("{bad}\n")).unwrap_err();
            assert!(matches!(error, ContentError::Line { line: 1, .. }), "{bad}: {error}");
        }
    }
}
