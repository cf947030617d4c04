//! Sets comments aside before anything else is looked for.

use super::tokens::{has_move, is_all_moves, is_pass};
use super::{Piece, all_blanked, values};
use crate::error::ReadError;

/// Why a comment is set aside that may be the value of a move: `(-8)`.
pub const VALUE: &str = "value";

/// The text with its comments blanked, places unchanged, and the comments.
///
/// A comment is what follows `#`, `%` (except in `51%`) or `;` on a line, what stands in braces, and what stands in brackets `()` without
/// a move.
///
/// # Errors
/// A brace is not closed or holds JSON, or there are moves after `;` or in `()`: other programs write comments or variations so,
/// people moves of the game.
pub fn set_aside(text: &str) -> Result<(String, Vec<Piece>), ReadError> {
    let mut pieces = Vec::new();
    let mut place = 0;
    // Kept, so that a long line with many signs is not looked through for each of them.
    let (mut end_of_line, mut unclosed_to) = (0, 0);
    while let Some((start, sign)) = next_sign(text, place) {
        if start >= end_of_line {
            end_of_line = text[start..].find('\n').map_or(text.len(), |length| start + length);
        }
        let end = match sign {
            '{' => match text[start..].find('}') {
                Some(length) => start + length + 1,
                None => return Err(ReadError::Unclosed('{')),
            },
            '(' if start < unclosed_to => {
                place = start + 1;
                continue;
            }
            '(' => match text[start..end_of_line].find(')') {
                Some(length) => start + length + 1,
                None => {
                    (place, unclosed_to) = (start + 1, end_of_line);
                    continue;
                }
            },
            _ => end_of_line,
        };
        let content = &text[start + 1..end];
        let content = content.strip_suffix([')', '}']).unwrap_or(content);
        // `{"board":...}` beside moves may be another position.
        if sign == '{' && content.trim_start().starts_with('"') && begins_with_json(&text[start..]) {
            return Err(ReadError::ambiguous(&text[start..end], "a comment, which is left out", "JSON"));
        }
        let is_number = sign == '#' && content.starts_with(|c: char| c.is_ascii_digit());
        if (sign == ';' || is_number) && is_all_moves(&content.replace('#', " ")) {
            let moves = if is_number { "moves with their numbers" } else { "moves after a semicolon" };
            return Err(ReadError::ambiguous(&text[start..end], "a comment, which is left out", moves));
        }
        if sign == '(' && has_move(content) {
            return Err(ReadError::ambiguous(
                &text[start..end],
                "a variation or remark, which is left out",
                "moves of the game",
            ));
        }
        // "White (O) to move", "(pass)": a sign of a side and a pass stay in the text, for the steps that look for
        // them.
        let is_kept = content.trim().chars().count() <= 1 || is_pass(content.trim());
        if !(sign == '(' && is_kept) {
            let why = if sign == '(' && values::begins_with_value(content) { VALUE } else { "comment" };
            pieces.push(Piece { range: start..end, why });
        }
        place = end;
    }
    Ok((all_blanked(text, &pieces), pieces))
}

fn begins_with_json(text: &str) -> bool {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    values.next().is_some_and(|value| value.is_ok())
}

fn next_sign(text: &str, from: usize) -> Option<(usize, char)> {
    let mut signs = text[from..].char_indices().map(|(place, c)| (from + place, c));
    signs.find(|&(place, c)| match c {
        '#' | ';' | '{' | '(' => true,
        '%' => !is_percentage(&text[..place]),
        _ => false,
    })
}

/// Whether a `%` after this text belongs to a number, as in `51%`.
fn is_percentage(before: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    word.len() <= "99.99".len()
        && word.starts_with(|c: char| c.is_ascii_digit())
        && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}
