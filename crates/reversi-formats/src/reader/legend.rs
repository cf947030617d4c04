//! Words that give a colour the sign of the other one: `Black: O, White: X`, `Black (O) to move`.

use super::{symbols, words};
use crate::error::ReadError;
use reversi_rules::Color;

/// Refuses a text that gives a colour the sign which stands for the other colour everywhere else.
///
/// # Errors
/// The first such words, and the two ways to read the board.
pub fn check(text: &str) -> Result<(), ReadError> {
    text.lines().try_for_each(check_line)
}

fn check_line(line: &str) -> Result<(), ReadError> {
    let words: Vec<(usize, &str)> = words(line).collect();
    for (place, &(start, _)) in words.iter().enumerate() {
        // `Black (O)`, `Black: O` and `Black=O` are up to three words.
        for last in &words[place..words.len().min(place + 3)] {
            let phrase = &line[start..last.0 + last.1.len()];
            if let Some((color, sign)) = color_and_sign(phrase)
                && symbols::disc(sign).is_some_and(|own| own != color)
            {
                let (here, usual) = (format!("{sign} for {color}"), format!("{sign} for {}", color.other()));
                return Err(ReadError::ambiguous(phrase, &here, &format!("{usual}, as everywhere else")));
            }
        }
    }
    Ok(())
}

/// The colour and its sign in `Black: O`, `Black = O`, `Black (O)`, `O (Black)` and the like.
fn color_and_sign(phrase: &str) -> Option<(Color, char)> {
    let phrase = phrase.trim_end_matches([',', ';', '.']);
    let (one, other) = match phrase.split_once('(') {
        Some((one, rest)) => (one, rest.strip_suffix(')')?),
        None => phrase.split_once([':', '='])?,
    };
    let (one, other) = (one.trim(), other.trim());
    let pair = |color_word, sign_word: &str| Some((color(color_word)?, single(sign_word)?));
    pair(one, other).or_else(|| pair(other, one))
}

fn single(word: &str) -> Option<char> {
    let mut signs = word.chars();
    signs.next().filter(|_| signs.next().is_none())
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
        for text in [
            "Black: O, White: X",
            "White: X",
            "Black (O) to move",
            "O (Black) to move",
            "X (White),",
            "Black = O, White = X",
            "Black=O White=X",
            "O = Black",
            "O: Black, X: White",
        ] {
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
