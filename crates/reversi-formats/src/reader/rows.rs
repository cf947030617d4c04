//! Drawings: one row a line, with or without numbers, letters and frames, as programs print boards.
//!
//! ```text
//!   A B C D                +---+---+---+        |-OX-|
//! 1 - - - - 1              1 |   | * |   |      |----|
//! 2 - O * - 2 * to move    +---+---+---+
//! ```

use super::columns::{Columns, are_numbers};
use super::{FoundBoard, symbols};
use std::ops::Range;

/// One line of a drawing.
#[derive(Clone, Debug)]
struct Row {
    number: Option<u32>,
    cells: Vec<char>,
    /// A first digit that was taken for the row's number; where discs are digits it may be a cell.
    leading: Option<char>,
    /// A last `1` or `2` that was taken for the row's number once more; where discs are digits it may be a cell.
    closing: Option<char>,
    range: Range<usize>,
    beside: Vec<Range<usize>>,
    /// Whether the cells are one word, so that a sign after them is the side to move.
    tight: bool,
    has_frame: bool,
    /// Whether the cells stand between bars, one in each.
    barred: bool,
    /// Whether a point follows the number, which may be an empty square.
    dotted: bool,
}

/// The first drawing of a text; `wanted` is the size of boards that are not square.
pub fn find(text: &str, wanted: Option<(u32, u32)>) -> Option<FoundBoard> {
    let mut run: Vec<Row> = Vec::new();
    let mut place = 0;
    let mut columns = Columns::Unnamed;
    for line in text.split_inclusive('\n') {
        let start = place;
        place += line.len();
        match read_row(line, start) {
            Some(row) => run.push(row),
            None if is_frame(line) => {}
            None => {
                // A line with the next number is a row that cannot be read: the ones before are no whole board.
                let is_next = run.last().and_then(|row| row.number).is_some_and(|number| {
                    let digits: String = line.trim_start().chars().take_while(char::is_ascii_digit).collect();
                    digits.parse() == Ok(number + 1)
                });
                if let Some(found) = as_board(&run, columns, wanted).filter(|_| !is_next) {
                    return Some(found);
                }
                run.clear();
                columns = Columns::named_by(line);
            }
        }
    }
    as_board(&run, columns, wanted)
}

/// Whether a line may be one of several that draw a board: a row, a frame, or the letters or numbers of the columns.
pub fn is_part_of_drawing(line: &str) -> bool {
    !line.trim().is_empty()
        && (is_frame(line) || Columns::named_by(line) != Columns::Unnamed || read_row(line, 0).is_some())
}

fn is_frame(line: &str) -> bool {
    line.chars().all(|c| {
        c.is_whitespace()
            || matches!(c, '+' | '-' | '=' | '_' | '|' | ':')
            || ('\u{2500}'..='\u{257f}').contains(&c)
    })
}

fn read_row(line: &str, start: usize) -> Option<Row> {
    if are_numbers(line) {
        return None;
    }
    let is_bar = |c: char| matches!(c, '|' | '│' | '┃' | '║');
    let bars: Vec<(usize, char)> = line.char_indices().filter(|&(_, c)| is_bar(c)).collect();
    if bars.len() >= 4 {
        // Programs write tables of their own beside a board: what stands before the first bar is the row then.
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
    let mut index = 0;
    let (mut number, mut leading) = (None, None);
    let (place, first) = *words.first()?;
    let dotted = first.ends_with('.') && row_number(first).is_some();
    if let Some((digits, cells)) = glued_number(first) {
        // The number once more behind the cells.
        let cells = cells.strip_suffix(digits).unwrap_or(cells);
        words[0] = (place + digits.len(), cells);
        number = row_number(digits);
    } else if let Some(read) = row_number(first).filter(|_| words.len() > 1) {
        (number, index) = (Some(read), 1);
        leading = first.chars().next().filter(|&c| first.len() == 1 && symbols::is_cell(c));
    }
    let begin = words.get(index)?.0;
    let is_cells = |word: &str| word.chars().all(symbols::is_cell);
    // Where this program draws values on the squares of the moves, those are empty. `-10` is one where more cells follow.
    let is_value = |word: &str| {
        number.is_some() && word.strip_prefix(['+', '-']).is_some_and(|digits| digits.parse::<u8>().is_ok())
    };
    let (mut cells, mut end) = (Vec::new(), begin);
    let (_, word) = words[index];
    let is_alone = words.len() == index + 1;
    let tight = word.chars().count() >= 3 && is_cells(word) && (is_alone || !is_value(word));
    if tight {
        cells.extend(word.chars());
        end = begin + word.len();
        index += 1;
    } else {
        while let Some(&(at, word)) =
            words.get(index).filter(|(_, word)| word.chars().count() == 1 && is_cells(word) || is_value(word))
        {
            if is_value(word) {
                cells.push('-');
                end = at + word.len();
                index += 1;
                continue;
            }
            let is_number = row_number(word).is_some_and(|read| number == Some(read));
            if is_number && cells.len() >= 3 && cells.iter().any(|cell: &char| !cell.is_ascii_digit()) {
                break;
            }
            cells.extend(word.chars());
            end = at + word.len();
            index += 1;
        }
    }
    // The number of the row once more; where discs are digits it may be a cell.
    let closing =
        cells.last().copied().filter(|last| !tight && number.is_some() && last.to_digit(10) == number);
    if closing.is_some() {
        cells.pop();
    }
    let both_ends = if leading.is_some() && closing.is_some() { 2 } else { 0 };
    if cells.len() + both_ends < 3 || cells.len() > 27 {
        return None;
    }
    if tight && words.get(index).is_some_and(|(_, word)| word.chars().count() > 2 && is_cells(word)) {
        return None;
    }
    if let Some(&(at, word)) = words
        .get(index)
        .filter(|(_, word)| row_number(word).is_some_and(|read| number.is_none_or(|own| own == read)))
    {
        number = number.or(row_number(word));
        end = at + word.len();
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

/// Rows as a board, if they are one.
fn as_board(all: &[Row], columns: Columns, wanted: Option<(u32, u32)>) -> Option<FoundBoard> {
    let run = &numbered_behind(&without_lines_between(all));
    if run.len() < 3 {
        return None;
    }
    let frames = columns != Columns::Unnamed || run.iter().all(|row| row.has_frame);
    let mut found = numbered(run).or_else(|| plain(run, frames, wanted)).or_else(|| {
        let all_cells: Vec<Row> = run.iter().map(Row::without_numbers).collect();
        plain(&all_cells, frames, wanted)
    })?;
    // The lines around the rows belong to the drawing.
    found.range.start = found.range.start.min(all[0].range.start);
    found.range.end = found.range.end.max(all[all.len() - 1].range.end);
    if columns == Columns::Backwards {
        found.symbols.chunks_mut(found.size.0 as usize).for_each(<[char]>::reverse);
    }
    Some(found)
}

/// The rows without the lines of dashes that some programs print between rows of cells between bars.
fn without_lines_between(run: &[Row]) -> Vec<Row> {
    let is_barred = run.iter().any(|row| row.barred);
    let is_line = |row: &&Row| !row.barred && row.number.is_none() && row.tight && row.is_frame();
    run.iter().filter(|row| !(is_barred && is_line(row))).cloned().collect()
}

/// Rows whose numbers stand behind the cells only: those that are signs of discs too, of the first rows, were taken for
/// cells.
fn numbered_behind(run: &[Row]) -> Vec<Row> {
    let mut rows = run.to_vec();
    let Some(first) = run.get(2).and_then(|row| row.number?.checked_sub(2)) else { return rows };
    let number = |place: usize| first + place as u32;
    let is_behind = |(place, row): (usize, &Row)| match row.number {
        Some(own) => own == number(place) && row.leading.is_none(),
        None => place < 3 && row.cells.last().and_then(|cell| cell.to_digit(10)) == Some(number(place)),
    };
    if run[0].number.is_none() && run.iter().enumerate().all(is_behind) {
        for (place, row) in rows.iter_mut().enumerate().filter(|(_, row)| row.number.is_none()) {
            row.number = Some(number(place));
            row.cells.pop();
        }
    }
    rows
}

impl Row {
    /// Whether it may be a line of a frame.
    fn is_frame(&self) -> bool {
        self.cells.iter().all(|cell| matches!(cell, '-' | '_' | ' '))
    }

    /// The same with the digits that were taken for numbers among the cells.
    fn without_numbers(&self) -> Row {
        let mut row = self.clone();
        if let Some(first) = row.leading.take() {
            row.number = None;
            row.cells.insert(0, first);
            row.cells.extend(row.closing.take());
        }
        row
    }
}

/// Rows with numbers from 1 or 0 up, or down to that.
fn numbered(run: &[Row]) -> Option<FoundBoard> {
    let mut rows: Vec<Row> = run.iter().filter(|row| row.number.is_some()).cloned().collect();
    // Lines of a frame may look like rows; one with anything else in it is a row whose number cannot be read.
    if rows.len() < 3 || !run.iter().all(|row| row.number.is_some() || row.is_frame()) {
        return None;
    }
    if rows[0].number > rows[1].number {
        rows.reverse();
    }
    let first = rows[0].number.filter(|first| *first <= 1)?;
    let in_order = rows.iter().zip(first..).all(|(row, number)| row.number == Some(number));
    // `1. . .` is a board of three columns, or of two: as many rows as columns would be there with the points.
    let is_unclear = rows.iter().all(|row| {
        row.dotted && row.cells.len() + 1 == rows.len() && rows.iter().any(|row| row.cells.contains(&'.'))
    });
    if in_order && !is_unclear { board(&rows, run) } else { None }
}

/// Rows without numbers, as many as are wide, or as the caller wants them.
fn plain(run: &[Row], has_frame: bool, wanted: Option<(u32, u32)>) -> Option<FoundBoard> {
    let all_unnumbered = run.iter().all(|row| row.number.is_none());
    let width = run[0].cells.len();
    let size = (width as u32, run.len() as u32);
    if !all_unnumbered || !(size.0 == size.1 || wanted == Some(size) || has_frame) {
        return None;
    }
    board(run, run)
}

/// The width that most rows may have; of several that of the third row, whose number is no disc.
fn width(rows: &[Row]) -> usize {
    let fits = |row: &&Row, width: usize| {
        row.cells.len() == width || row.cells.len() + 1 == width && row.closing.is_some()
    };
    let support = |width: usize| rows.iter().filter(|row| fits(row, width)).count();
    let third = rows[2].cells.len();
    rows.iter()
        .map(|row| row.cells.len())
        .fold(third, |best, width| if support(width) > support(best) { width } else { best })
}

/// Rows of one width; a sign after the last row is the side to move.
fn board(rows: &[Row], run: &[Row]) -> Option<FoundBoard> {
    let width = width(rows);
    if rows.iter().any(|row| row.barred != rows[0].barred) {
        return None;
    }
    let (mut symbols_of_rows, mut side) = (Vec::new(), None);
    let last = run.iter().map(|row| row.range.end).max()?;
    for row in rows {
        let mut cells = row.cells.clone();
        if cells.len() + 1 == width {
            cells.extend(row.closing);
        }
        let is_last = row.range.end == last;
        if is_last && cells.len() == width + 1 && !row.tight {
            side = symbols::side(cells.pop()?, false);
        }
        // A number of what stands beside the row.
        if cells.len() == width + 1 && !row.tight && cells[width].is_ascii_digit() {
            cells.pop();
        }
        if cells.len() != width {
            return None;
        }
        symbols_of_rows.extend(cells);
    }
    if !(3..=24).contains(&width) || !(3..=24).contains(&rows.len()) {
        return None;
    }
    let start = run.iter().map(|row| row.range.start).min()?;
    let beside = rows.iter().flat_map(|row| row.beside.clone()).collect();
    Some(FoundBoard {
        size: (width as u32, rows.len() as u32),
        symbols: symbols_of_rows,
        side,
        range: start..last,
        beside,
    })
}
