//! Boards that can be read in two ways: a sign that may be a disc or a mark, a side that may be the first cell.

use super::symbols;
use crate::error::ReadError;
use reversi_rules::Color;

/// Refuses cells that can be read in two ways, on a board that names its side: because of `0`, or of two signs for one
/// side.
///
/// # Errors
/// The cells are unclear.
pub fn check_cells(cells: &[char]) -> Result<(), ReadError> {
    check_signs(cells)?;
    symbols::read(cells, None)?;
    Ok(())
}

/// Refuses two signs for the discs of one side: programs mark legal moves or the last move with one of them, such as
/// `*` or a small letter beside `X`.
pub fn check_signs(cells: &[char]) -> Result<(), ReadError> {
    for color in [Color::Black, Color::White] {
        let count = |sign: char| cells.iter().filter(|&&cell| cell == sign).count();
        let signs = || cells.iter().copied().filter(|&sign| symbols::disc(sign) == Some(color));
        let Some(usual) = signs().max_by_key(|&sign| count(sign)) else { continue };
        if let Some(other) = signs().find(|&sign| sign != usual) {
            return Err(ReadError::ambiguous(
                &other.to_string(),
                &format!("{color}'s discs, as '{usual}'"),
                "marks on squares",
            ));
        }
    }
    Ok(())
}

/// Refuses a sign of a side that stands alone before a whole board, if the last cell may be the side too.
pub fn check_first_sign(text: &str) -> Result<(), ReadError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_single = |word: &&str| word.chars().count() == 1;
    match words[..] {
        [first, second, ..]
            if is_single(&first) && !is_single(&second) && !words.last().is_some_and(is_single) =>
        {
            Err(ReadError::ambiguous(
                first,
                "the side to move, before the board",
                "the first cell of the board",
            ))
        }
        _ => Ok(()),
    }
}
