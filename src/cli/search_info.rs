//! A player's values of the moves, as a table.

use reversi_engine::hints::Hint;
use reversi_engine::{GameMove, Value};
use std::fmt::Write;

/// Moves, best first, with their values for the side to move.
pub fn as_table(thoughts: &[Hint]) -> String {
    let mut text = String::from("move      value  depth  line\n");
    for hint @ Hint { mv, value, pv, .. } in thoughts {
        let (value, depth) = (format!("{value}{}", proof(*value)), depth(hint));
        let line: Vec<String> = pv.iter().map(GameMove::to_string).collect();
        let _ = writeln!(text, "{mv:<4} {value:>10}  {depth:>5}  {}", line.join(" "));
    }
    text
}

/// The depth of the search, or that there was none.
pub fn depth(hint: &Hint) -> String {
    if hint.is_from_book { "book".to_owned() } else { hint.depth.to_string() }
}

/// The text after a value that is proved.
pub fn proof(value: Value) -> &'static str {
    if value.is_exact() { " exact" } else { "" }
}
