//! The side to move where it is said in words: "Black to move", "* to move", "White's turn", "to move: X".

use super::{symbols, words};
use reversi_rules::Color;
use std::ops::Range;

/// All places where a side is said to be to move.
pub fn find_all(text: &str) -> Vec<(Color, Range<usize>)> {
    let all: Vec<(usize, &str)> = words(text).filter(|(_, word)| !is_in_brackets(word)).collect();
    let end = |index: usize| all[index].0 + all[index].1.len();
    let mut found = Vec::new();
    for (index, &(place, word)) in all.iter().enumerate() {
        let lower = |offset: usize| {
            all.get(index + offset).map(|(_, word)| bare(word).to_ascii_lowercase()).unwrap_or_default()
        };
        let Some(color) = named(bare(word)) else { continue };
        let own = bare(word).to_ascii_lowercase();
        if lower(1) == "to" && matches!(lower(2).as_str(), "move" | "play" | "go") {
            found.push((color, place..end(index + 2)));
        } else if is_side_and_verb(&own, &lower(1)) {
            found.push((color, place..end(index + 1)));
        } else if let Some(start) = introduced_at(&all[..index]) {
            found.push((color, start..end(index)));
        }
    }
    found
}

/// Where `to move:`, `turn:`, `side to move:`, `player:` or the like begins, right before a side.
fn introduced_at(before: &[(usize, &str)]) -> Option<usize> {
    let (last, rest) = before.split_last()?;
    let word = last.1.trim_end_matches([':', '=', '-']).to_ascii_lowercase();
    let closes = last.1.ends_with([':', '=']);
    let lower = |back: usize| {
        rest.len().checked_sub(back).map(|index| (rest[index].0, rest[index].1.to_ascii_lowercase()))
    };
    match word.as_str() {
        "turn" | "side" | "player" | "next" | "mover" | "stm" | "color" | "colour" | "tomove" | "to-move"
        | "side-to-move"
            if closes =>
        {
            Some(last.0)
        }
        "move" if closes => match (lower(1), lower(2)) {
            (Some((_, to)), Some((place, side))) if to == "to" && side == "side" => Some(place),
            (Some((place, to)), _) if to == "to" => Some(place),
            _ => None,
        },
        _ => None,
    }
}

/// The sign of the side in brackets, as in "White (O) to move".
fn is_in_brackets(word: &str) -> bool {
    word.starts_with('(') && word.ends_with(')')
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| matches!(c, '.' | ',' | ':' | ';' | '|' | '"' | '(' | ')' | '!'))
}

/// `black`, `White's`, `*`, `X`.
pub fn named(word: &str) -> Option<Color> {
    let lower = word.to_ascii_lowercase();
    let lower = lower.strip_suffix("'s").or_else(|| lower.strip_suffix("’s")).unwrap_or(&lower);
    // 番, "turn": behind the word or the sign of a side.
    let lower = lower.strip_suffix('番').unwrap_or(lower);
    match lower {
        "black" | "dark" | "黒" | "黑" | "黑方" | "黑棋" => Some(Color::Black),
        "white" | "light" | "白" | "白方" | "白棋" => Some(Color::White),
        _ => {
            let mut symbols = word.chars();
            let symbol = symbols.next()?;
            if symbols.next().is_none() { symbols::side(symbol, false) } else { None }
        }
    }
}

/// Whether two words say who is to move, as in `black moves` or `white's turn`.
fn is_side_and_verb(side: &str, verb: &str) -> bool {
    let moves = matches!(verb, "moves" | "plays") && side.len() > 1;
    moves || side.ends_with("'s") && matches!(verb, "turn" | "move")
}
