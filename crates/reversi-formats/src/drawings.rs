//! Lists of positions, one a line, with drawings of several lines among them.

use crate::forms::read_first;
use crate::own;
use crate::reader::{Wanted, is_part_of_drawing, names_rules};
use std::collections::VecDeque;
use std::io;

/// The most lines of a drawing with everything that belongs to it: 24 rows, a line of a frame between any two, and some
/// more.
const MOST_LINES: usize = 64;

/// Goes through lines and joins those that make up one drawing. A drawing ends with a blank line or the end of the
/// input. A line above it that names the rules belongs to it, also if a blank line follows, as in a drawing by this
/// program. The answer of this program may follow a drawing, and is left out. Lines that cannot be read as a drawing
/// stay separate lines.
#[derive(Debug)]
pub struct Entries<I> {
    lines: I,
    /// The number of the last line that was taken from them.
    number: usize,
    wanted: Wanted,
    /// Lines that were read ahead, and whether a drawing may begin with them.
    ahead: VecDeque<((usize, String), bool)>,
}

impl<I: Iterator<Item = io::Result<String>>> Entries<I> {
    /// Reads these lines; `wanted` says how to read boards that name no side or use zeros.
    pub fn new(lines: I, wanted: Wanted) -> Entries<I> {
        Entries { lines, number: 0, wanted, ahead: VecDeque::new() }
    }

    /// The next line, and whether a drawing may begin with it.
    fn next_line(&mut self) -> io::Result<Option<((usize, String), bool)>> {
        if let Some(line) = self.ahead.pop_front() {
            return Ok(Some(line));
        }
        let Some(line) = self.lines.next() else { return Ok(None) };
        self.number += 1;
        Ok(Some(((self.number, line?), true)))
    }

    /// The line, or the drawing that begins with it.
    fn drawing(&mut self, first: (usize, String)) -> io::Result<(usize, String)> {
        let number = first.0;
        let has_heading = names_rules(&first.1);
        let mut block = vec![first];
        while block.len() < MOST_LINES {
            let Some((line, _)) = self.next_line()? else { break };
            if own::is_answer_below(&line.1) {
                self.ahead.push_front((line, false));
                break;
            }
            let is_end = line.1.trim().is_empty() && !(has_heading && block.len() == 1);
            block.push(line);
            if is_end {
                break;
            }
        }
        let lines: Vec<&str> = block.iter().map(|(_, line)| line.as_str()).collect();
        let joined = lines.join("\n");
        let written = lines.iter().filter(|line| !line.trim().is_empty()).count();
        let is_long = written >= 3 + usize::from(has_heading);
        let is_drawing = is_long && read_first(&joined, self.wanted).is_ok_and(|read| read.has_board);
        if is_drawing {
            self.skip_answer()?;
            return Ok((number, joined));
        }
        // The lines up to the next blank line begin no drawing either.
        let end = block.iter().position(|(_, line)| line.trim().is_empty()).unwrap_or(block.len());
        let looked_at = block.into_iter().enumerate().map(|(index, line)| (line, index > end));
        looked_at.rev().for_each(|line| self.ahead.push_front(line));
        let (first, _) = self.ahead.pop_front().expect("the first line is there");
        Ok(first)
    }

    /// Leaves out the answer of this program below a drawing, and nothing else.
    fn skip_answer(&mut self) -> io::Result<()> {
        while let Some(line) = self.next_line()? {
            if !own::is_answer_below(&line.0.1) {
                self.ahead.push_front(line);
                break;
            }
        }
        Ok(())
    }

    fn may_begin_drawing(&self, line: &str) -> bool {
        (is_part_of_drawing(line) || names_rules(line)) && read_first(line, self.wanted).is_err()
    }
}

/// Each line, or the lines of a drawing, with the number of its first line, from 1.
impl<I: Iterator<Item = io::Result<String>>> Iterator for Entries<I> {
    type Item = io::Result<(usize, String)>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.next_line() {
            Ok(None) => None,
            Ok(Some((line, true))) if self.may_begin_drawing(&line.1) => Some(self.drawing(line)),
            Ok(Some((line, _))) => Some(Ok(line)),
            Err(error) => Some(Err(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;
    use reversi_rules::game::GameSetup;

    fn entries(text: &str) -> Vec<(usize, String)> {
        let wanted = GameSetup::new("4x4".parse().unwrap()).into();
        let lines = text.lines().map(|line| Ok(line.to_owned()));
        Entries::new(lines, wanted)
            .map(Result::unwrap)
            .filter(|(_, entry)| !entry.trim().is_empty())
            .collect()
    }

    #[test]
    fn drawings_and_lines_stand_in_one_list() {
        let board = "-----OX--XO----- X";
        let drawing = "  a b c d\n1 - - - -\n2 - O X -\n3 - X O -\n4 - - - -\nX to move";
        let bare = "----\n-OX-\n-XO-\n----\nX";
        let own = "4x4, normal goal, raw scoring, Black (X) to move\n\n     a   b   c   d\n 1   -  -8   -   -\n 2  -8   O   X   -\n 3   -   X   O  -8\n 4   -   -  -8   -\n\nvalue -8, O wins by 8\nbest  b1\nline  b1 a1\nfrom  a table\n";
        let text = format!("{board}\nb1\n\n{drawing}\n\n{bare}\n\n{own}{own}b1a1\n");
        let found = entries(&text);
        let firsts: Vec<(usize, &str)> =
            found.iter().map(|(number, entry)| (*number, entry.lines().next().unwrap())).collect();
        assert_eq!(
            firsts,
            [
                (1, board),
                (2, "b1"),
                (4, "  a b c d"),
                (11, "----"),
                (17, "4x4, normal goal, raw scoring, Black (X) to move"),
                (29, "4x4, normal goal, raw scoring, Black (X) to move"),
                (41, "b1a1"),
            ]
        );
        let wanted: Wanted = GameSetup::new("4x4".parse().unwrap()).into();
        for index in [2, 3, 4, 5] {
            assert_eq!(text::read(&found[index].1, wanted).unwrap().game.board().to_string(), board);
        }
    }

    #[test]
    fn what_follows_an_answer_is_asked_too() {
        let drawing = "  a b c d\n1 - X - -\n2 - X X -\n3 - X O -\n4 - - - -\nWhite to move, 11 empties";
        let answer = "score  +8\nbest   a1\nline   a1 a2\n415 nodes, 0.005 s, 81799 nodes/s";
        let found = entries(&format!("{drawing}\n{answer}\n{drawing}\n{answer}\nb1a1\n"));
        assert_eq!(found, [(1, drawing.to_owned()), (11, drawing.to_owned()), (21, "b1a1".to_owned())]);
    }

    #[test]
    fn what_is_no_drawing_stays_the_lines_it_is() {
        for text in [
            "----\n-OX-\n-XO-\n\nb1",
            "-----OX--XO---- X\n-----OX--XO----- X\nb1\n",
            "----\n-OX-\n-XO-\n----\n",
            "- - -",
            "| X |\nhello\n| O |\nb1",
        ] {
            let lines: Vec<(usize, String)> = text.lines().map(str::to_owned).enumerate().collect();
            let lines: Vec<(usize, String)> = lines
                .into_iter()
                .map(|(index, line)| (index + 1, line))
                .filter(|(_, line)| !line.is_empty())
                .collect();
            assert_eq!(entries(text), lines, "{text}");
        }
    }
}
