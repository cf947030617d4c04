//! Words that give a colour the sign of the other one: `Black: O, White: X`, `Black (O) to move`.

use super::{symbols, words};
use crate::error::ReadError;
use reversi_rules::Color;

/// Refuses a text in which a colour has the sign that stands for the other one everywhere else.
///
/// # Errors
/// The first such words, and the two ways to read the board.
pub fn check(text: &str) -> Result<(), ReadError> {
    text.lines().try_for_each(check_line)
}

fn check_line(line: &str) -> Result<(), ReadError> {
    let words: Vec<(usize, &str)> = words(line).collect();
    for pair in words.windows(2) {
        let [(start, first), (place, second)] = pair else { continue };
        if let (Some(color), Some(sign)) = (color_and_sign(first, second), sign_of(first, second))
            && symbols::disc(sign).is_some_and(|own| own != color)
        {
            let phrase = &line[*start..place + second.len()];
            let (here, usual) = (format!("{sign} for {color}"), format!("{sign} for {}", color.other()));
            return Err(ReadError::ambiguous(phrase, &here, &format!("{usual}, as everywhere else")));
        }
    }
    Ok(())
}

/// The colour of `Black: O`, `Black = O`, `Black (O)` and `O (Black)`.
fn color_and_sign(first: &str, second: &str) -> Option<Color> {
    let is_legend = first.ends_with([':', '=']) && first.len() > 1 || in_brackets(second).is_some();
    let color = color(first.trim_end_matches([':', '='])).or_else(|| color(in_brackets(second)?));
    color.filter(|_| is_legend)
}

/// The sign there.
fn sign_of(first: &str, second: &str) -> Option<char> {
    let sign = match color(first.trim_end_matches([':', '='])) {
        Some(_) => in_brackets(second).unwrap_or(second.trim_end_matches([',', ';', '.'])),
        None => first,
    };
    let mut signs = sign.chars();
    signs.next().filter(|_| signs.next().is_none())
}

fn in_brackets(word: &str) -> Option<&str> {
    word.trim_end_matches([',', ';', '.', ':']).strip_prefix('(')?.strip_suffix(')')
}

fn color(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "black" | "dark" => Some(Color::Black),
        "white" | "light" => Some(Color::White),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_with_the_sign_of_the_other_one_is_refused() {
        for text in ["Black: O, White: X", "White: X", "Black (O) to move", "O (Black) to move", "X (White),"]
        {
            assert!(check(text).is_err(), "{text}");
        }
    }

    #[test]
    fn other_words_are_not_about_signs() {
        for text in [
            "Black: X, White: O",
            "Black (X) to move",
            "White (●) is last",
            "Black: Otto White: Xenia",
            "Black: 3 White: 1",
            "White to move",
            "O to move",
            "X (2)",
            "Black (6d)",
            "White:\nX - -",
        ] {
            let differs = text.contains('●');
            assert_eq!(check(text).is_err(), differs, "{text}");
        }
    }
}
