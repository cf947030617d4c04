//! What a text begins with: a board, or the moves of a game.

use super::tokens::has_move;
use super::{symbols, words};

/// Whether the text before the first semicolon begins with a board, faulty or not.
pub fn begins_with_board(text: &str) -> bool {
    let is_like = |word: &str| {
        let cells = word.chars().filter(|&c| symbols::is_cell(c)).count();
        // `1...` is where White begins.
        let is_number = word.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit());
        let has_digit = word.contains(|c: char| c.is_ascii_digit());
        word.chars().count() >= 3
            && 10 * cells >= 8 * word.chars().count()
            && !(is_number && has_digit && word.ends_with('.'))
    };
    words(text).next().is_some_and(|(_, word)| is_like(word)) && !begins_with_square(text)
}

/// Whether the first word of the text is a move or several.
pub fn begins_with_square(text: &str) -> bool {
    let Some((_, word)) = words(text).next() else { return false };
    word.len() >= 2
        && has_move(word)
        && !word.starts_with(|c: char| symbols::is_cell(c) && !c.is_ascii_alphanumeric())
}
