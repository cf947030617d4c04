//! The board of a GGS message: `[8 -------- ... *]`, with the size before the cells and the side after them.

use super::{FoundBoard, symbols};
use reversi_rules::notation::parse_sides;

/// The first such board of a text. Of nested opening brackets the innermost counts.
pub fn find(text: &str) -> Option<FoundBoard> {
    let mut from = 0;
    while let Some(close) = text[from..].find(']').map(|place| from + place) {
        let open = text[from..close].rfind('[').map(|place| from + place);
        if let Some(found) = open.and_then(|open| read(text, open, close)) {
            return Some(found);
        }
        from = close + 1;
    }
    None
}

fn read(text: &str, open: usize, close: usize) -> Option<FoundBoard> {
    let (size, cells) = text[open + 1..close].trim_start().split_once(char::is_whitespace)?;
    let size = parse_sides(size).or_else(|| size.parse().ok().map(|side| (side, side)))?;
    if !(3..=24).contains(&size.0) || !(3..=24).contains(&size.1) {
        return None;
    }
    let mut all: Vec<char> = cells.chars().filter(|c| !c.is_whitespace()).collect();
    let count = (size.0 * size.1) as usize;
    if !all.iter().all(|&c| symbols::is_cell(c)) || !(count..=count + 1).contains(&all.len()) {
        return None;
    }
    let side = match all.len() > count {
        true => Some(symbols::side(all.pop()?, symbols::are_digits(&all))?),
        false => None,
    };
    Some(FoundBoard { size, symbols: all, side, range: open..close + 1, beside: Vec::new() })
}
