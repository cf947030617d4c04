//! Drawings: one row a line, with or without numbers, letters and frames, as programs print boards.
//!
//! ```text
//!   A B C D                +---+---+---+        |-OX-|
//! 1 - - - - 1              1 |   | * |   |      |----|
//! 2 - O * - 2 * to move    +---+---+---+
//! ```

use super::columns::Columns;
use super::row::{Row, read_row};
use super::{FoundBoard, symbols};

/// The first drawing of a text. `wanted` is the size, width first, that a board without numbers or frame may have if it
/// is not square.
pub fn find(text: &str, wanted: Option<(u32, u32)>) -> Option<FoundBoard> {
    let mut run: Vec<Row> = Vec::new();
    let mut place = 0;
    let mut columns = Columns::Unnamed;
    let mut above = "";
    for line in text.split_inclusive('\n') {
        let start = place;
        place += line.len();
        match read_row(line, start) {
            Some(row) => run.push(row),
            None if is_frame(line) => {}
            None => {
                // A line that begins with the next number is a row that cannot be read, so the rows so far are no whole
                // board.
                let is_next = run.last().and_then(|row| row.number).is_some_and(|number| {
                    let digits: String = line.trim_start().chars().take_while(char::is_ascii_digit).collect();
                    digits.parse() == Ok(number + 1)
                });
                if let Some(found) = as_board(&run, columns, wanted).filter(|_| !is_next) {
                    return Some(found).filter(|found| !has_more_rows(found, [above, line]));
                }
                run.clear();
                above = line;
                columns = Columns::named_by(line);
            }
        }
    }
    as_board(&run, columns, wanted).filter(|found| !has_more_rows(found, [above, ""]))
}

/// Whether a line next to a drawing has as many cells as its rows: then the drawing is a part of a larger board, another
/// row of which could not be read.
fn has_more_rows(found: &FoundBoard, beside: [&str; 2]) -> bool {
    let is_row = |line: &str| {
        let signs = || line.chars().filter(|sign| !sign.is_whitespace());
        // `●2 ○2` and `2-0` are numbers of discs.
        let digits = signs().filter(char::is_ascii_digit).count();
        (digits == 0 || digits == signs().count())
            && signs().count() == found.size.0 as usize
            && signs().all(symbols::is_cell)
    };
    beside.into_iter().any(is_row)
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

/// Rows with their numbers only after the cells. In the first rows a number may also be the sign of a disc, and was
/// taken for a cell.
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

/// Rows numbered upwards from 1 or 0, or downwards to it.
fn numbered(run: &[Row]) -> Option<FoundBoard> {
    let mut rows: Vec<Row> = run.iter().filter(|row| row.number.is_some()).cloned().collect();
    // Lines of a frame may look like rows. Any other line without a number is a row whose number cannot be read.
    if rows.len() < 3 || !run.iter().all(|row| row.number.is_some() || row.is_frame()) {
        return None;
    }
    if rows[0].number > rows[1].number {
        rows.reverse();
    }
    let first = rows[0].number.filter(|first| *first <= 1)?;
    let in_order = rows.iter().zip(first..).all(|(row, number)| row.number == Some(number));
    // `1. . .` is a row of three columns if the point is a cell, of two if not. It is unclear if a point as cell makes
    // the board square.
    let is_unclear = rows.iter().all(|row| {
        row.dotted && row.cells.len() + 1 == rows.len() && rows.iter().any(|row| row.cells.contains(&'.'))
    });
    if in_order && !is_unclear { board(&rows, run) } else { None }
}

/// Rows without numbers: as many as a row has cells, or in a frame, or of the size that the caller wants.
fn plain(run: &[Row], has_frame: bool, wanted: Option<(u32, u32)>) -> Option<FoundBoard> {
    let all_unnumbered = run.iter().all(|row| row.number.is_none());
    let width = run[0].cells.len();
    let size = (width as u32, run.len() as u32);
    if !all_unnumbered || !(size.0 == size.1 || wanted == Some(size) || has_frame) {
        return None;
    }
    board(run, run)
}

/// The width that most rows may have. In a tie it is that of the third row, whose number cannot be a disc.
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

/// A board from rows of one width; a sign after the last row is the side to move.
fn board(rows: &[Row], run: &[Row]) -> Option<FoundBoard> {
    let limits = 3..=24;
    if !limits.contains(&rows.len()) || rows.iter().any(|row| row.barred != rows[0].barred) {
        return None;
    }
    let width = width(rows);
    if !limits.contains(&width) {
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
        // A digit of what stands beside the row.
        if cells.len() == width + 1 && !row.tight && cells[width].is_ascii_digit() {
            cells.pop();
        }
        if cells.len() != width {
            return None;
        }
        symbols_of_rows.extend(cells);
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
