//! Boards in FEN: rows from the first one, separated by `/`; a number stands for that many empty squares. Where discs
//! are written `p` and `P`, `p` is Black and `P` White; otherwise they have the usual signs. The side and counters
//! follow.

use super::{FoundBoard, symbols, words};
use reversi_rules::Color;

/// The first board in FEN.
pub fn find<'a>(text: &'a str) -> Option<FoundBoard> {
    let is_quote = |c: char| matches!(c, '"' | '\'' | '“' | '”');
    let bare = |(place, word): (usize, &'a str)| {
        (place + word.len() - word.trim_start_matches(is_quote).len(), word.trim_matches(is_quote))
    };
    let all: Vec<(usize, &str)> = words(text).map(bare).collect();
    let (index, (size, cells)) =
        all.iter().enumerate().find_map(|(index, (_, word))| Some((index, read_rows(word)?)))?;
    let start = all[index].0;
    let mut end = start + all[index].1.len();
    let mut side = None;
    if let Some(&(place, word)) = all.get(index + 1) {
        side = read_side(word);
        if side.is_some() {
            end = place + word.len();
            end = after_counters(&all[index + 2..], end);
        }
    }
    Some(FoundBoard { size, symbols: cells, side, range: start..end, beside: Vec::new() })
}

/// `b`, `w` and the other signs of sides.
fn read_side(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "black" => Some(Color::Black),
        "white" => Some(Color::White),
        _ if word.chars().count() == 1 => symbols::side(word.chars().next()?, false),
        _ => None,
    }
}

/// Castling rights, en passant and the two counters, as far as they are there.
fn after_counters(words: &[(usize, &str)], mut end: usize) -> usize {
    for (place, word) in words.iter().take(4) {
        if *word != "-" && !word.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        end = place + word.len();
    }
    end
}

fn read_rows(word: &str) -> Option<((u32, u32), Vec<char>)> {
    // Pieces in hand, as some programs write them.
    let word = word.split_once('[').map_or(word, |(rows, _)| rows);
    if word.matches('/').count() < 2 || word.len() > 700 {
        return None;
    }
    let chess = word.contains(['p', 'P']);
    let rows = |digits_add_up| -> Option<((u32, u32), Vec<char>)> {
        let rows = word.trim_end_matches('/').split('/').map(|row| read_row(row, chess, digits_add_up));
        let rows = rows.collect::<Option<Vec<Vec<char>>>>()?;
        let (width, height) = (rows.first()?.len(), rows.len());
        let fits = (3..=24).contains(&width) && (3..=24).contains(&height);
        // A date such as 10/10/10 has no disc.
        let has_discs = rows.iter().flatten().any(|&cell| cell != '-');
        (fits && has_discs && rows.iter().all(|row| row.len() == width))
            .then(|| ((width as u32, height as u32), rows.concat()))
    };
    // `11` is read as eleven empty squares first, and as two if the rows do not fit.
    rows(false).or_else(|| rows(true))
}

fn read_row(row: &str, chess: bool, digits_add_up: bool) -> Option<Vec<char>> {
    let (mut cells, mut number) = (Vec::new(), 0);
    for symbol in row.chars() {
        if let Some(digit) = symbol.to_digit(10) {
            number = if digits_add_up { number } else { number * 10 } + digit as usize;
            if number > 24 {
                return None;
            }
            continue;
        }
        cells.extend(std::iter::repeat_n('-', number));
        number = 0;
        cells.push(match symbol {
            'p' if chess => 'X',
            'P' if chess => 'O',
            _ if !chess && symbols::is_cell(symbol) => symbol,
            _ => return None,
        });
    }
    cells.extend(std::iter::repeat_n('-', number));
    Some(cells)
}
