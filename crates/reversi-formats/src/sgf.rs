//! SGF of Othello (`GM[2]`), in the dialects of its programs: squares as `cd` (column c, row d) or `c4`, passes as
//! `tt`, an empty value, `pass`, `PA` or `--`, first boards by `AB`, `AW` and `PL`. The main line of a tree is read.
//!
//! The format has no reversed goal.

pub use crate::error::SgfError;

use crate::ggf::{Outcome, Record, Told};
use crate::reading::{EVENT_AND_ROUND, Kind, Reading, event_and_round};
use reversi_rules::game::{Game, GameBoard, GameMove, GameSetup, RecordedMoveError, Size};
use reversi_rules::notation::{is_pass, parse_sides, parse_square_name, shown, symbol};
use reversi_rules::{Color, Goal, Start};
use std::fmt::Write;
use std::iter;

/// How a game may end if not on the board: resigned, out of time, forfeited.
const FORFEITS: [char; 3] = ['r', 't', 'f'];

/// A property: its name and its values.
type Property = (String, Vec<String>);

/// Whether the first record of a text is SGF: its game has a number for a name, as no GGF game has, or it has tags that
/// only SGF has.
pub fn is_sgf(text: &str) -> bool {
    let Some((_, after)) = text.split_once('(') else { return false };
    let Some(node) = after.trim_start().strip_prefix(';') else { return false };
    let mut parser = Parser { rest: node.trim_start() };
    let properties: Vec<Property> = iter::from_fn(|| parser.property().ok()).collect();
    let value = |name| first_value(&properties, name);
    let has = |name| value(name).is_some();
    match value("GM") {
        Some(game) if is_othello(game) => (has("FF") || has("SZ")) && !has("TY") && !has("BO"),
        Some(game) => game.bytes().all(|byte| byte.is_ascii_digit()),
        None => has("FF") || has("SZ"),
    }
}

/// The first value of a property of a node.
fn first_value<'a>(node: &'a [Property], name: &str) -> Option<&'a str> {
    let (_, values) = node.iter().find(|(own, _)| own == name)?;
    values.first().map(|value| value.trim())
}

/// The name of the game, which some programs write for its number.
fn is_othello(game: &str) -> bool {
    game.eq_ignore_ascii_case("othello") || game.eq_ignore_ascii_case("reversi")
}

/// Reads the record behind its `(`. Also returns the text after it: nothing, where a fault hides its end.
pub(crate) fn read_record(text: &str, setup: GameSetup) -> (Result<Reading, String>, &str) {
    let mut parser = Parser { rest: text };
    match parser.main_line() {
        Ok(nodes) => (read(&nodes, setup), parser.rest),
        Err(fault) => (Err(fault), ""),
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    /// The nodes of the first variation of a tree whose `(` has been read; the others are read over.
    fn main_line(&mut self) -> Result<Vec<Vec<Property>>, String> {
        let mut nodes: Vec<Vec<Property>> = Vec::new();
        let (mut depth, mut closed) = (1, 0);
        loop {
            self.rest = self.rest.trim_start();
            let Some(sign) = self.rest.chars().next() else {
                return Err("the record does not end; a game ends with \")\"".to_owned());
            };
            let is_main = closed == 0;
            match sign {
                '(' => {
                    depth += 1;
                    self.rest = &self.rest[1..];
                }
                ')' => {
                    depth -= 1;
                    // What follows a closed variation is another one.
                    closed += 1;
                    self.rest = &self.rest[1..];
                    if depth == 0 {
                        return Ok(nodes);
                    }
                }
                ';' => {
                    if is_main {
                        nodes.push(Vec::new());
                    }
                    self.rest = &self.rest[1..];
                }
                _ => {
                    let property = self.property()?;
                    match nodes.last_mut() {
                        Some(node) if is_main => node.push(property),
                        Some(_) => {}
                        None => return Err("a property stands before the first \";\"".to_owned()),
                    }
                }
            }
        }
    }

    fn property(&mut self) -> Result<Property, String> {
        let length = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let (name, tail) = self.rest.split_at(length);
        let mut tail = tail.trim_start();
        if name.is_empty() || !tail.starts_with('[') {
            let sign = tail.chars().next().unwrap_or(' ');
            return Err(format!("'{}' is no property; they are written as in PB[name]", sign.escape_debug()));
        }
        let mut values = Vec::new();
        while let Some(value) = tail.strip_prefix('[') {
            let (text, rest) = read_value(value).ok_or("a value does not end; it ends with \"]\"")?;
            values.push(text);
            tail = rest.trim_start();
        }
        self.rest = tail;
        // Old records write small letters between the capitals of a name.
        let capitals: String = name.chars().filter(char::is_ascii_uppercase).collect();
        Ok((if capitals.is_empty() { name.to_ascii_uppercase() } else { capitals }, values))
    }
}

/// A value up to its `]`, and the text after it. A sign after `\` is taken literally; an escaped end of line is
/// dropped.
fn read_value(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((place, c)) = chars.next() {
        match c {
            '\\' => value.extend(chars.next().map(|(_, c)| c).filter(|&c| c != '\n')),
            ']' => return Some((value, &text[place + 1..])),
            _ => value.push(c),
        }
    }
    None
}

fn read(nodes: &[Vec<Property>], setup: GameSetup) -> Result<Reading, String> {
    let root = nodes.first().ok_or("it has no node; a game begins with \"(;GM[2]\"")?;
    let root_value = |name| first_value(root, name);
    match root_value("GM") {
        Some(game) if game == "2" || is_othello(game) => {}
        Some(other) => {
            return Err(format!("it is a game with GM[{}], not of Othello (GM[2])", shown(other)));
        }
        None => {
            return Err(
                "it does not name its game; without GM it is a game of Go, Othello is GM[2]".to_owned()
            );
        }
    }
    let size = root_value("SZ").map_or(Ok(Size::new(8, 8).expect("8x8 is a size")), read_size)?;
    let setup = GameSetup { size, goal: Goal::Normal, ..setup };
    let (first, rest) = first_board(nodes, setup)?;
    let mut game = setup.game_from(first);
    for (color, text) in rest {
        make_move(&mut game, color, &text)?;
    }
    let text = |name| root_value(name).unwrap_or_default().to_owned();
    Ok(Reading {
        players: [text("PB"), text("PW")],
        occasion: [text("DT"), text("PC")],
        other_tags: event_and_round(EVENT_AND_ROUND.map(text)),
        outcome: read_result(&text("RE"), size),
        ..Reading::new(game, Kind::Sgf)
    })
}

/// `B+12`, `W+R`, `B+Time`, `0`, `Draw`. A win without a number of discs counts all squares, as a forfeit does.
fn read_result(text: &str, size: Size) -> Outcome {
    if text == "0" || text.eq_ignore_ascii_case("draw") {
        return Outcome { result: Some(0.0), ..Outcome::default() };
    }
    let Some((winner, how)) = text.split_once('+') else { return Outcome::default() };
    let sign = match winner.trim().chars().next() {
        Some('B' | 'b') => 1.0,
        Some('W' | 'w') => -1.0,
        _ => return Outcome::default(),
    };
    let squares = f64::from(size.square_count());
    let discs = how.trim().parse().ok().filter(|discs| (0.0..=squares).contains(discs));
    let letter = how.trim().chars().next().map(|letter| letter.to_ascii_lowercase());
    // Adding 0 takes the sign from a draw that is written as a win.
    let result = Some(sign * discs.unwrap_or(squares) + 0.0);
    let told = if discs.is_some() { Told::Difference } else { Told::Winner };
    Outcome { result, told, forfeit: letter.filter(|letter| FORFEITS.contains(letter)) }
}

/// The result as `RE` holds it: the letter of a forfeit in place of the discs, and nothing after the `+` if only the
/// winner is known.
fn shown_result(result: f64, outcome: Outcome) -> String {
    if result == 0.0 {
        return "0".to_owned();
    }
    let winner = if result > 0.0 { 'B' } else { 'W' };
    match outcome.forfeit.map(|letter| letter.to_ascii_lowercase()).filter(|letter| FORFEITS.contains(letter))
    {
        Some(letter) => format!("{winner}+{}", letter.to_ascii_uppercase()),
        None if outcome.told == Told::Winner => format!("{winner}+"),
        None => format!("{winner}+{}", result.abs()),
    }
}

fn read_size(text: &str) -> Result<Size, String> {
    let sides =
        text.split_once(':').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let sides = sides.or_else(|| parse_sides(text)).or_else(|| text.parse().ok().map(|side| (side, side)));
    let size = sides.and_then(|(width, height)| Size::new(width, height).ok());
    size.ok_or_else(|| format!("\"{}\" is no board size, as in SZ[8]", shown(text)))
}

/// The first board, and the moves after it. If any disc is set, the board has the set discs only.
fn first_board(
    nodes: &[Vec<Property>],
    setup: GameSetup,
) -> Result<(GameBoard, Vec<(Color, String)>), String> {
    let (width, height) = (setup.size.width(), setup.size.height());
    let mut cells: Vec<Option<Color>> = vec![None; (width * height) as usize];
    let (mut is_set, mut to_move) = (false, None);
    let mut moves = Vec::new();
    for (name, values) in nodes.iter().flatten() {
        let colour = match name.as_str() {
            "AB" => Some(Color::Black),
            "AW" => Some(Color::White),
            "AE" => None,
            "B" | "W" => {
                let color = if name == "B" { Color::Black } else { Color::White };
                moves.extend(values.first().map(|value| (color, value.clone())));
                continue;
            }
            // Behind a move it says again whose turn it is.
            "PL" if !moves.is_empty() => continue,
            "PL" => {
                to_move = match values.first().and_then(|value| value.trim().chars().next()) {
                    Some('B' | 'b' | '1') => Some(Color::Black),
                    Some('W' | 'w' | '2') => Some(Color::White),
                    _ => return Err("PL names no side; write PL[B] or PL[W]".to_owned()),
                };
                continue;
            }
            _ => continue,
        };
        if !moves.is_empty() {
            return Err("discs are set after moves, which no game of Othello has".to_owned());
        }
        is_set = true;
        for value in values {
            for (column, row) in squares(value, setup.size)? {
                cells[(row * width + column) as usize] = colour;
            }
        }
    }
    let side = to_move.unwrap_or(match (is_set, moves.first()) {
        (true, Some((color, _))) => *color,
        _ => Color::Black,
    });
    if !is_set {
        let start = GameBoard::start(setup.size, Start::Diagonal);
        let board = if side == Color::Black { start } else { start.passed() };
        return Ok((board, moves));
    }
    let spelled: String = cells.iter().map(|&cell| symbol(cell)).chain([' ', side.symbol()]).collect();
    let board = GameBoard::parse(Some(setup.size), &spelled).map_err(|error| error.to_string())?;
    Ok((board, moves))
}

/// One square, or all of a rectangle as in `aa:cc`.
fn squares(text: &str, size: Size) -> Result<Vec<(u32, u32)>, String> {
    let square = |text: &str| {
        let bad = || format!("\"{}\" is no square of a {size} board", shown(text));
        read_square(text.trim()).filter(|&(column, row)| size.contains(column, row)).ok_or_else(bad)
    };
    let (from, to) = text.split_once(':').unwrap_or((text, text));
    let ((left, top), (right, bottom)) = (square(from)?, square(to)?);
    Ok((top..=bottom).flat_map(|row| (left..=right).map(move |column| (column, row))).collect())
}

/// `cd` as column and row, or `c4`.
fn read_square(text: &str) -> Option<(u32, u32)> {
    let letter = |c: char| c.is_ascii_alphabetic().then(|| c.to_ascii_lowercase() as u32 - 'a' as u32);
    let mut chars = text.chars();
    match (chars.next().and_then(letter), chars.next().and_then(letter), chars.next()) {
        (Some(column), Some(row), None) => Some((column, row)),
        _ => parse_square_name(text),
    }
}

fn make_move(game: &mut Game, color: Color, text: &str) -> Result<(), String> {
    let (text, size, number) = (text.trim(), game.size(), game.moves().len() + 1);
    let wide = size.width() > 19 || size.height() > 19;
    let mv = match text {
        "" => GameMove::Pass,
        "tt" if !wide => GameMove::Pass,
        // Squares go before words for a pass: on a board of 16 columns `pa` is a square.
        _ => match read_square(text).filter(|&(column, row)| size.contains(column, row)) {
            Some((column, row)) => GameMove::Play(column, row),
            None if is_pass(text) => GameMove::Pass,
            None => {
                return Err(format!("move {number} \"{}\": no such square on {size}", shown(text)));
            }
        },
    };
    match game.play_recorded(mv, Some(color)) {
        Ok(_) => Ok(()),
        Err(RecordedMoveError::OtherSide) => {
            let to_move = color.other();
            Err(format!("move {number} \"{}\" is {color}'s, but {to_move} is to move", shown(text)))
        }
        Err(RecordedMoveError::Illegal(reason)) => {
            Err(format!("move {number} \"{}\": {reason}", shown(text)))
        }
    }
}

/// A game as SGF: a line for the head, then ten moves a line.
///
/// # Errors
/// The record has the reversed goal.
pub fn write(record: &Record) -> Result<String, String> {
    if record.goal == Goal::Reversed {
        return Err("SGF knows no reversed goal".to_owned());
    }
    let first = record.first_board();
    let size = first.size();
    let sides = if size.width() == size.height() {
        size.width().to_string()
    } else {
        format!("{}:{}", size.width(), size.height())
    };
    let mut text = format!("(;GM[2]FF[4]CA[UTF-8]AP[reversi]SZ[{sides}]");
    for (name, value) in
        [("PB", &record.black), ("PW", &record.white), ("DT", &record.date), ("PC", &record.place)]
    {
        if !value.is_empty() {
            let _ = write!(text, "{name}[{}]", escaped(value));
        }
    }
    let is_known = |name: &str| EVENT_AND_ROUND.contains(&name);
    for [name, value] in record.other_tags.iter().filter(|[name, _]| is_known(name)) {
        let _ = write!(text, "{name}[{}]", escaped(value));
    }
    if let Some(black) = record.theoretical {
        let white = size.square_count().saturating_sub(black.into());
        let _ = write!(text, "GC[perfect play: {black}-{white}]");
    }
    if let Some(result) = record.result.filter(|result| result.is_finite()) {
        let _ = write!(text, "RE[{}]", shown_result(result, record.outcome()));
    }
    if *first != GameBoard::start(size, Start::Diagonal) {
        for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
            let squares: Vec<String> = (0..size.height())
                .flat_map(|row| (0..size.width()).map(move |column| (column, row)))
                .filter(|&(column, row)| first.disc(column, row) == Some(color))
                .map(|(column, row)| format!("[{}]", square(column, row)))
                .collect();
            if !squares.is_empty() {
                let _ = write!(text, "{name}{}", squares.concat());
            }
        }
        if first.empty_count() == size.square_count() {
            let _ = write!(text, "AE[aa]");
        }
        let _ = write!(text, "PL[{}]", if first.to_move() == Color::Black { 'B' } else { 'W' });
    }
    let mut color = first.to_move();
    for (index, annotated) in record.moves().iter().enumerate() {
        if index % 10 == 0 {
            text.push('\n');
        }
        let value = match annotated.mv {
            GameMove::Pass => String::new(),
            GameMove::Play(column, row) => square(column, row),
        };
        let _ = write!(text, ";{}[{value}]", if color == Color::Black { 'B' } else { 'W' });
        color = color.other();
    }
    Ok(text + "\n)\n")
}

fn square(column: u32, row: u32) -> String {
    [column, row].map(|number| (b'a' + number as u8) as char).iter().collect()
}

fn escaped(value: &str) -> String {
    let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    value.trim().replace('\\', "\\\\").replace(']', "\\]")
}
