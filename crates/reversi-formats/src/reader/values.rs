//! Moves with values after a board: a program's answer for it, or moves that were made, with remarks.

use super::tokens::{Token, WORD_SIGNS, is_number_with_sign, tokens};
use crate::error::ReadError;
use reversi_rules::game::{Game, GameMove};

/// Refuses moves that may be answers for the board on which `first` begins. `game` is `first` after those of the moves
/// that could be made, `rest` is the text after the board, and `values` counts the values that were set aside there.
///
/// If each move has a value, the moves may be answers only if all of them are legal on the board. If fewer have one, it
/// may be the value of a line of play; after the last move of a finished game it is a result.
///
/// # Errors
/// Both readings; otherwise `fault`, if there is one.
pub fn check(
    first: &Game,
    game: &Game,
    rest: &str,
    values: usize,
    fault: Option<ReadError>,
) -> Result<(), ReadError> {
    let is_legal = |&mv: &GameMove| first.legal_moves().contains(&mv);
    let mut moves: Vec<GameMove> = game.moves().iter().copied().filter(|mv| *mv != GameMove::Pass).collect();
    if let Some(ReadError::Moves(error)) = &fault {
        moves.extend(first.read_move(&error.token).ok());
    }
    let values = values + values_among(rest);
    let reading = if moves.is_empty() || values == 0 {
        None
    } else if values >= moves.len() {
        moves.iter().all(is_legal).then_some("values of moves that may be made there")
    } else {
        (fault.is_none() && !game.is_over()).then_some("a line of play with its value")
    };
    match reading {
        Some(reading) => Err(ReadError::ambiguous(rest, reading, "moves made from the board, with remarks")),
        None => fault.map_or(Ok(()), Err),
    }
}

/// How many values of moves there may be among moves.
fn values_among(text: &str) -> usize {
    text.lines().map(values_of_line).sum()
}

fn values_of_line(line: &str) -> usize {
    let found = tokens(line);
    let text = |place: usize| &line[found[place].0.clone()];
    let is_value_at = |&place: &usize| {
        let next = found.get(place + 1).map(|(_, token)| *token);
        match found[place].1 {
            Token::Around => is_value(text(place)),
            // Behind a sign or a word, not before a move: those are numbers of moves.
            Token::Number(_) => {
                place > 0
                    && matches!(found[place - 1].1, Token::Around | Token::Dash)
                    && !text(place - 1).eq_ignore_ascii_case("by")
                    && !matches!(next, Some(Token::Move | Token::Pass))
            }
            Token::Result => text(place).contains('+'),
            _ => false,
        }
    };
    (0..found.len()).filter(is_value_at).count()
}

/// Whether a comment begins with a value: `-8`, `+8, 12`.
pub fn begins_with_value(comment: &str) -> bool {
    comment.split([',', '/', ' ']).find(|part| !part.is_empty()).is_some_and(is_value)
}

/// Whether a sign or number around moves may be the value of a move: `=-8`, `:+2`, `-8`, `+0.25`. Times such as `0:12`,
/// `1.5s` or `//0.31` are not values, nor is a value with a time, `/-8/0.3`, which only moves that were made have.
fn is_value(token: &str) -> bool {
    let number = token.trim_matches(WORD_SIGNS).trim_start_matches('/');
    let is_marked = token.starts_with([':', '=', '/']) && number.parse::<f64>().is_ok();
    !token.starts_with("//")
        && !number.contains([':', '/'])
        && !number.ends_with('s')
        && number.matches('.').count() <= 1
        && (is_marked || is_number_with_sign(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_from_times_and_numbers_of_moves() {
        for value in ["=-8", ":+2", ":2", "-8", "+0.25", "0.25", "/-8", "-8.00", "51%", "[-8]"] {
            assert!(is_value(value), "{value}");
        }
        for other in
            ["0:12", "1.5s", "12s", "//0.31", "/-8.00/0.31", "1.", "12)", "2026.11.25", "-", "=", ":", "move"]
        {
            assert!(!is_value(other), "{other}");
        }
    }
}
