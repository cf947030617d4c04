//! One line of a drawing: the cells of a row, its number, and what stands beside them.

use super::columns::are_numbers;
use super::symbols;
use std::ops::Range;

/// One line of a drawing.
#[derive(Clone, Debug)]
pub struct Row {
    pub number: Option<u32>,
    pub cells: Vec<char>,
    /// The row's number, if it is a single digit before the cells; where discs are digits it may be a cell.
    pub leading: Option<char>,
    /// A last digit that repeats the row's number; where discs are digits it may be a cell.
    pub closing: Option<char>,
    pub range: Range<usize>,
    pub beside: Vec<Range<usize>>,
    /// Whether the cells are one word, so that a sign after them is the side to move.
    pub tight: bool,
    pub has_frame: bool,
    /// Whether the cells stand between bars, one in each.
    pub barred: bool,
    /// Whether a point follows the number, which may be an empty square.
    pub dotted: bool,
}

impl Row {
    /// Whether it may be a line of a frame.
    pub fn is_frame(&self) -> bool {
        self.cells.iter().all(|cell| matches!(cell, '-' | '_' | ' '))
    }

    /// The row with the digits that were taken for its number added to the cells.
    pub fn without_numbers(&self) -> Row {
        let mut row = self.clone();
        if let Some(first) = row.leading.take() {
            row.number = None;
            row.cells.insert(0, first);
            row.cells.extend(row.closing.take());
        }
        row
    }
}

/// Reads a line of a text as a row; `start` is its place in the text.
pub fn read_row(line: &str, start: usize) -> Option<Row> {
    if are_numbers(line) {
        return None;
    }
    let is_bar = |c: char| matches!(c, '|' | '│' | '┃' | '║');
    let bars: Vec<(usize, char)> = line.char_indices().filter(|&(_, c)| is_bar(c)).collect();
    if bars.len() >= 4 {
        // Some programs print another table beside the board: then the row is what stands before the first bar.
        let (own, beside) = line.split_at(bars[0].0);
        if let Some(mut row) = read_plain_row(own, start) {
            row.beside.push(start + own.len()..start + own.len() + beside.len());
            row.range.end = start + line.len();
            return Some(row);
        }
        if let Some(row) = read_barred(line, start, &bars) {
            return Some(row);
        }
    }
    read_plain_row(line, start).map(|row| Row { has_frame: !bars.is_empty(), ..row })
}

/// Cells that are one word, or words of one character each.
fn read_plain_row(line: &str, start: usize) -> Option<Row> {
    let clean = without_signs(line);
    let mut words: Vec<(usize, &str)> = super::words(&clean).collect();
    let dotted = words.first().is_some_and(|(_, first)| first.ends_with('.') && row_number(first).is_some());
    let (mut number, leading) = take_number(&mut words);
    let Cells { mut cells, mut end, tight, words: behind } = read_cells(&words, number)?;
    // The number of the row, repeated after the cells; where discs are digits it may be a cell.
    let closing =
        cells.last().copied().filter(|last| !tight && number.is_some() && last.to_digit(10) == number);
    if closing.is_some() {
        cells.pop();
    }
    let both_ends = if leading.is_some() && closing.is_some() { 2 } else { 0 };
    if cells.len() + both_ends < 3 || cells.len() > 27 {
        return None;
    }
    if let Some(&(at, word)) = behind.first() {
        if tight && word.chars().count() > 2 && are_cells(word) {
            return None;
        }
        if let Some(read) = row_number(word).filter(|read| number.is_none_or(|own| own == *read)) {
            number = Some(read);
            end = at + word.len();
        }
    }
    let range = start..start + line.len();
    let beside = std::iter::once(start + end..range.end).collect();
    Some(Row {
        number,
        cells,
        leading,
        closing,
        range,
        beside,
        tight,
        has_frame: false,
        barred: false,
        dotted,
    })
}

/// Removes the number of a row from its words. Also returns it as a character if it may be a cell instead.
fn take_number(words: &mut Vec<(usize, &str)>) -> (Option<u32>, Option<char>) {
    let Some(&(place, first)) = words.first() else { return (None, None) };
    if let Some((digits, cells)) = glued_number(first) {
        // The number is repeated after the cells.
        let cells = cells.strip_suffix(digits).unwrap_or(cells);
        words[0] = (place + digits.len(), cells);
        return (row_number(digits), None);
    }
    let number = row_number(first).filter(|_| words.len() > 1);
    if number.is_some() {
        words.remove(0);
    }
    let single = first.chars().next().filter(|_| first.len() == 1);
    (number, single.filter(|&c| number.is_some() && symbols::is_cell(c)))
}

/// The cells of a row without frame.
struct Cells<'a> {
    cells: Vec<char>,
    end: usize,
    /// Whether they are one word.
    tight: bool,
    /// What follows them.
    words: &'a [(usize, &'a str)],
}

/// Reads the cells of a row without its number.
fn read_cells<'a>(words: &'a [(usize, &'a str)], number: Option<u32>) -> Option<Cells<'a>> {
    // This program draws the values of moves on their squares, which are empty. `-10` is such a value if more cells
    // follow.
    let is_value = |word: &str| {
        number.is_some() && word.strip_prefix(['+', '-']).is_some_and(|digits| digits.parse::<u8>().is_ok())
    };
    let &(begin, word) = words.first()?;
    if word.chars().count() >= 3 && are_cells(word) && (words.len() == 1 || !is_value(word)) {
        let cells = word.chars().collect();
        return Some(Cells { cells, end: begin + word.len(), tight: true, words: &words[1..] });
    }
    let (mut cells, mut end): (Vec<char>, usize) = (Vec::new(), begin);
    let mut taken = 0;
    for &(at, word) in words {
        if is_value(word) {
            cells.push('-');
        } else if word.chars().count() == 1 && are_cells(word) {
            let is_number = row_number(word).is_some_and(|read| number == Some(read));
            if is_number && cells.len() >= 3 && cells.iter().any(|cell| !cell.is_ascii_digit()) {
                break;
            }
            cells.extend(word.chars());
        } else {
            break;
        }
        end = at + word.len();
        taken += 1;
    }
    Some(Cells { cells, end, tight: false, words: &words[taken..] })
}

fn are_cells(word: &str) -> bool {
    word.chars().all(symbols::is_cell)
}

/// The line with blanks for bars, for the brackets around the last move in drawings of this program, and for the
/// brackets, quotes and commas of printed lists.
fn without_signs(line: &str) -> String {
    let blank = |c: char| match c {
        '|' | '│' | '┃' | '║' | '[' | ']' | '"' | '\'' | ',' => " ".repeat(c.len_utf8()),
        _ => c.to_string(),
    };
    line.chars().map(blank).collect()
}

/// `1--XO--`: the number of a row and its cells, none of which is a digit.
fn glued_number(word: &str) -> Option<(&str, &str)> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, cells) = word.split_at(digits);
    let inner = cells.strip_suffix(number).unwrap_or(cells);
    let are_cells = inner.chars().all(|c| symbols::is_cell(c) && !c.is_ascii_digit());
    (digits > 0 && inner.chars().count() >= 3 && are_cells && row_number(number).is_some())
        .then_some((number, cells))
}

/// Cells between bars; blank ones are empty squares.
fn read_barred(line: &str, start: usize, bars: &[(usize, char)]) -> Option<Row> {
    let cell = |pair: &[(usize, char)]| {
        let inner = line[pair[0].0 + pair[0].1.len_utf8()..pair[1].0].trim();
        let mut symbols = inner.chars();
        match (symbols.next(), symbols.next()) {
            (None, _) => Some(' '),
            (Some(symbol), None) if symbols::is_cell(symbol) => Some(symbol),
            _ => None,
        }
    };
    let head = &line[..bars[0].0];
    let last = bars[bars.len() - 1];
    let tail = last.0 + last.1.len_utf8();
    let before = head.split_whitespace().last().filter(|word| row_number(word).is_some());
    // In tables of Markdown the number has a cell of its own; `1` and `2` may be discs there.
    let first = line[bars[0].0 + bars[0].1.len_utf8()..bars[1].0].trim();
    let numbered = row_number(first).filter(|_| head.trim().is_empty());
    let number = before.and_then(row_number).or(numbered);
    let inner = if numbered.is_some() { &bars[1..] } else { bars };
    let cells: Vec<char> = inner.windows(2).map(cell).collect::<Option<_>>()?;
    let leading =
        first.chars().next().filter(|&c| numbered.is_some() && first.len() == 1 && symbols::is_cell(c));
    if cells.len() < 3 {
        return None;
    }
    let head_end = head.trim_end().len() - before.map_or(0, str::len);
    let beside = vec![start..start + head_end, start + tail..start + line.len()];
    let range = start..start + line.len();
    Some(Row {
        number,
        cells,
        leading,
        closing: None,
        range,
        beside,
        tight: false,
        has_frame: true,
        barred: true,
        dotted: false,
    })
}

fn row_number(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(['.', ')', ':']);
    let plain = !digits.is_empty() && digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { digits.parse().ok().filter(|number| *number <= 24) } else { None }
}
