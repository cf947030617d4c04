//! The signs that programs draw discs and empty squares with.

use super::Zero;
use reversi_rules::Color;
use reversi_rules::notation::BoardError;

/// Whether a character may be a cell of some board.
pub fn is_cell(symbol: char) -> bool {
    is_empty_sign(symbol) || disc(symbol).is_some() || matches!(symbol, '0' | '1' | '2')
}

fn is_empty_sign(symbol: char) -> bool {
    matches!(symbol, '-' | '.' | '_' | '·' | '∙' | '•' | '・' | '🟩' | ' ')
}

/// The disc that a sign other than a digit stands for.
pub fn disc(symbol: char) -> Option<Color> {
    match symbol {
        'X' | 'x' | '*' | '@' | 'B' | 'b' | '●' | '⚫' => Some(Color::Black),
        'O' | 'o' | 'W' | 'w' | '○' | '◯' | '〇' | '⚪' => Some(Color::White),
        _ => None,
    }
}

/// The side that a single sign names. `digits`: discs are written with digits, and `1` and `2` name sides too.
pub fn side(symbol: char, digits: bool) -> Option<Color> {
    match symbol {
        '0' if !digits => Some(Color::White),
        '1' if digits => Some(Color::Black),
        '2' if digits => Some(Color::White),
        _ => disc(symbol),
    }
}

/// Whether the cells are written with the digits 1 and 2 for the discs.
pub fn are_digits(cells: &[char]) -> bool {
    cells.iter().any(|cell| matches!(cell, '1' | '2'))
}

/// The cells of one board, all in one alphabet. Unless `zero` says otherwise, `0` is White on a board that has another
/// sign for empty squares and letters for discs; elsewhere it is an error.
pub fn read(cells: &[char], zero: Option<Zero>) -> Result<Vec<Option<Color>>, BoardError> {
    let digits = are_digits(cells);
    let letters = cells.iter().any(|&cell| disc(cell).is_some());
    let has_empties = cells.iter().any(|&cell| is_empty_sign(cell));
    let zero = match zero {
        None if !cells.contains(&'0') => Zero::White,
        None if has_empties && !digits => Zero::White,
        None => return Err(BoardError::Zero),
        Some(zero) => zero,
    };
    let read = |(place, &found): (usize, &char)| match found {
        '0' => Ok(if zero == Zero::White { Some(Color::White) } else { None }),
        '1' if !letters => Ok(Some(Color::Black)),
        '2' if !letters && (zero != Zero::White || !cells.contains(&'0')) => Ok(Some(Color::White)),
        _ if is_empty_sign(found) => Ok(None),
        _ => disc(found).map(Some).ok_or(BoardError::Cell { place: place + 1, found }),
    };
    cells.iter().enumerate().map(read).collect()
}
