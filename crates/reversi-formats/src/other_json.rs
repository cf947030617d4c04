//! JSON of other programs: a board under one of the usual names with the side to move beside it, or the moves of a
//! game.
//!
//! A board is a text, a list of rows (each a text or a list of cells), or a list of all cells. The signs are read as in
//! any other text; an empty cell may be `null`.

use crate::error::ReadError;
use crate::own::{bare_moves, under_named};
use crate::reader::{Wanted, agreed, read_plain, side_named};
use crate::reading::{Kind, Reading};
use reversi_rules::Color;
use reversi_rules::game::Size;
use serde_json::Value;

const BOARDS: [&str; 5] = ["board", "cells", "grid", "squares", "discs"];
const SIDES: [&str; 11] = [
    "turn",
    "side",
    "player",
    "to_move",
    "toMove",
    "side_to_move",
    "sideToMove",
    "current_player",
    "currentPlayer",
    "next",
    "stm",
];
const MOVES: [&str; 4] = ["moves", "transcript", "kifu", "record"];

/// Whether a JSON object has a board or moves under one of these names.
pub(crate) fn is_game(value: &Value) -> bool {
    board(value).is_some() || moves(value).is_some()
}

/// The position or the game. Moves beside a board may have led to it or follow it, so both together are refused.
pub(crate) fn read(value: &Value, wanted: &Wanted) -> Result<Reading, String> {
    let mut wanted = Wanted { setup: under_named(wanted.setup, value)?, ..*wanted };
    // `"board":"4x4"` beside moves is where they begin.
    if let Some(size) = value["board"].as_str().and_then(|size| size.parse::<Size>().ok()) {
        (wanted.size, wanted.setup.size) = (Some(size), size);
    }
    let text = match (board(value), moves(value)) {
        (Some(_), Some(moves)) => {
            let (before, after) = ("moves that led to the board", "moves that follow the board");
            return Err(ReadError::ambiguous(&moves, before, after).to_string());
        }
        (Some(board), None) => match sides(value)? {
            Sides::Named(side) => {
                wanted.side = agreed(side, wanted.side).map_err(|error| error.to_string())?;
                board
            }
            Sides::Sign(sign) => format!("{board}\n{sign}"),
        },
        (None, moves) => moves.unwrap_or_default(),
    };
    let read = read_plain(&text, &wanted).map_err(|error| error.to_string())?;
    let kind = if read.has_board { Kind::Board } else { Kind::Moves };
    Ok(Reading { has_board: read.has_board, ..Reading::new(read.game, kind) })
}

/// What an object says of the side to move.
enum Sides {
    /// A side, or none.
    Named(Option<Color>),
    /// A sign that means what it means on the board.
    Sign(String),
}

/// # Errors
/// Two names have different sides.
fn sides(value: &Value) -> Result<Sides, String> {
    let told = |name| Some((name, cell(&value[name]).filter(|side| side != "-")?));
    let told: Vec<(&str, String)> = SIDES.into_iter().filter_map(told).collect();
    // What a digit means depends on the signs of the board.
    let named = |side: &str| side_named(side).filter(|_| !side.bytes().all(|byte| byte.is_ascii_digit()));
    let Some((first, said)) = told.first() else { return Ok(Sides::Named(None)) };
    let Some(side) = named(said) else { return Ok(Sides::Sign(said.clone())) };
    let mut others = told[1..].iter().filter_map(|(name, side)| Some((name, named(side)?)));
    match others.find(|(_, other)| *other != side) {
        Some((second, other)) => {
            let by = |side: Color, name: &str| format!("{side} to move, by \"{name}\"");
            let error = ReadError::ambiguous("the side", &by(side, first), &by(other, second));
            Err(error.to_string())
        }
        None => Ok(Sides::Named(Some(side))),
    }
}

/// A board as text. Texts of fewer than nine signs, such as `8x8`, are not boards.
fn board(value: &Value) -> Option<String> {
    BOARDS.iter().find_map(|name| match &value[*name] {
        Value::String(text) if text.chars().filter(|c| !c.is_whitespace()).count() >= 9 => Some(text.clone()),
        Value::Array(rows) if rows.len() >= 3 => {
            let of_rows = rows.iter().map(row).collect::<Option<Vec<String>>>().map(|rows| rows.join("\n"));
            of_rows.or_else(|| cells(rows))
        }
        _ => None,
    })
}

fn row(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if text.chars().count() >= 3 => Some(text.clone()),
        Value::Array(row) => cells(row),
        _ => None,
    }
}

fn cells(values: &[Value]) -> Option<String> {
    values.iter().map(cell).collect::<Option<Vec<String>>>().map(|cells| cells.join(" "))
}

fn cell(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some("-".to_owned()),
        Value::String(text) if text.trim().is_empty() => Some("-".to_owned()),
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn moves(value: &Value) -> Option<String> {
    if let Ok(Some(made)) = bare_moves(value) {
        return Some(made);
    }
    MOVES.iter().find_map(|name| match &value[*name] {
        Value::String(text) => Some(text.clone()),
        Value::Array(moves) => {
            let word = |entry: &Value| {
                let words = [entry, &entry["m"], &entry["move"], &entry["square"]];
                words.iter().find_map(|word| word.as_str()).map(str::to_owned)
            };
            moves.iter().map(word).collect::<Option<Vec<String>>>().map(|words| words.join(" "))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Zero;
    use reversi_rules::game::GameSetup;
    use reversi_rules::{Goal, Scoring};
    use serde_json::json;

    fn read_as(value: &Value) -> Result<String, String> {
        let setup = GameSetup::new("4x4".parse().unwrap());
        assert!(is_game(value), "{value}");
        let game = read(value, &setup.into())?.game;
        Ok(format!("{}{}", game.first_board(), game.transcript()))
    }

    #[test]
    fn boards_are_read_in_each_form() {
        let start = Ok("-----OX--XO----- O".to_owned());
        let rows = ["....", ".OX.", ".XO.", "...."];
        let all = [
            json!({"board": "-----OX--XO-----", "turn": "white"}),
            json!({"board": rows, "player": "O"}),
            json!({"grid": rows.map(|row| row.chars().map(String::from).collect::<Vec<_>>()), "next": "W"}),
            json!({"cells": rows.concat().chars().map(String::from).collect::<Vec<_>>(), "stm": "w"}),
            json!({"board": [[null, null, null, null], [null, "O", "X", null], ["", "X", "O", ""], [null, null, "", ""]],
                "to_move": "O"}),
        ];
        for value in all {
            assert_eq!(read_as(&value), start, "{value}");
        }
    }

    #[test]
    fn moves_are_read_in_each_form() {
        let game = Ok("-----OX--XO----- Xb1a1".to_owned());
        for value in [
            json!({"moves": ["b1", "a1"]}),
            json!({"moves": "b1a1", "black": "me"}),
            json!({"kifu": "B1 A1"}),
            json!({"moves": [{"move": "b1", "eval": 3}, {"move": "a1"}]}),
        ] {
            assert_eq!(read_as(&value), game, "{value}");
        }
    }

    #[test]
    fn rules_stand_beside_any_board_and_moves() {
        let setup = GameSetup::new("4x4".parse().unwrap());
        let rows = ["----", "-OX-", "-XO-", "----"];
        for game in [
            json!({"board": "-----OX--XO-----", "side": "X"}),
            json!({"board": rows, "turn": "black"}),
            json!({"moves": "b1a1"}),
            json!({"kifu": ["b1", "a1"]}),
        ] {
            let with = |goal: &str, scoring: &str| {
                let mut game = game.clone();
                (game["goal"], game["scoring"]) = (goal.into(), scoring.into());
                read(&game, &setup.into()).map(|read| read.game.rules())
            };
            let rules = with("Reversed", "winner").unwrap();
            assert_eq!((rules.goal, rules.scoring), (Goal::Reversed, Scoring::Winner), "{game}");
            assert!(with("anti", "raw").unwrap_err().contains("anti"), "{game}");
        }
    }

    #[test]
    fn the_caller_says_what_zero_is() {
        let setup = GameSetup::new("4x4".parse().unwrap());
        let value =
            json!({"board": [[0, 0, 0, 0], [0, 2, 1, 0], [0, 1, 2, 0], [0, 0, 0, 0]], "turn": "black"});
        let read = read(&value, &Wanted { zero: Some(Zero::Empty), ..setup.into() }).unwrap();
        assert_eq!(read.game.first_board().to_string(), "-----OX--XO----- X");
    }

    #[test]
    fn what_is_unclear_is_refused() {
        for (value, part) in [
            (json!({"board": "-----OX--XO-----", "side": "white", "turn": "black"}), "by \"turn\""),
            (json!({"board": "-----21--12-----", "turn": 0}), "no side to move"),
            (json!({"board": "-----OX--XO-----", "turn": "1", "side": "white"}), "no side to move"),
            (json!({"board": "-----OX--XO----- X", "side": "white"}), "White"),
            (json!({"board": "-----OX--XO-----"}), "the side to move is missing"),
            (
                json!({"board": "-----OX--XO-----", "turn": "X", "moves": ["b1"]}),
                "moves that follow the board",
            ),
            (
                json!({"board": [[0, 0, 0, 0], [0, 2, 1, 0], [0, 1, 2, 0], [0, 0, 0, 0]], "turn": 1}),
                "0 may stand for",
            ),
            (json!({"board": [[0, 0, 0, 0], [0, -1, 1, 0], [0, 1, -1, 0], [0, 0, 0, 0]], "turn": 1}), "-1"),
            (json!({"moves": ["b1", "z9"]}), "no such square"),
        ] {
            let error = read_as(&value).unwrap_err();
            assert!(error.contains(part), "{value}: {error}");
        }
    }
}
