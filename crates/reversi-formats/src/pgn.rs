//! Knows PGN as Othello servers write it: tags such as `[Black "name"]`, then moves with their numbers.
//!
//! A first board that is not the usual one is in `FEN` (cells row by row, `X`, `O`, `-`, or with numbers for empty
//! squares), the board's size in `Board`, the reversed goal in `Goal`, and the discs of both sides at the end of perfect
//! play, which WTHOR files have, in `Theoretical`; the last three are this program's own, which other readers skip.

pub use crate::error::PgnError;

use crate::error::ReadError;
use crate::ggf::Record;
use crate::reader::{Wanted, play_moves, read_plain};
use crate::reading::{Kind, Reading};
use reversi_rules::game::{GameBoard, GameMove, GameSetup, Size};
use reversi_rules::{Color, Goal, Start};
use std::fmt::Write;

/// Whether a line of the text is a tag of PGN.
pub fn is_pgn(text: &str) -> bool {
    text.lines().any(|line| tag(line).is_some())
}

/// `[Name "value"]` as name and value.
fn tag(line: &str) -> Option<(&str, String)> {
    let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inner.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    plain.then(|| (name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// The games one after the other: each is a block of tags and what follows it.
pub fn games(text: &str, wanted: Wanted) -> impl Iterator<Item = Result<Reading, PgnError>> {
    let mut lines = text.lines().peekable();
    (1..).map_while(move |game| {
        let mut tags = Vec::new();
        let mut moves = String::new();
        while let Some(line) = lines.peek() {
            match tag(line) {
                Some(_) if !moves.trim().is_empty() => break,
                Some((name, value)) => tags.push((name.to_ascii_lowercase(), value)),
                None => {
                    moves.push_str(line);
                    moves.push('\n');
                }
            }
            lines.next();
        }
        if tags.is_empty() && moves.trim().is_empty() {
            return None;
        }
        Some(read(&tags, &moves, wanted).map_err(|error| PgnError { game, fault: error.to_string() }))
    })
}

fn read(tags: &[(String, String)], moves: &str, wanted: Wanted) -> Result<Reading, ReadError> {
    let value = |name: &str| {
        let found = tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.trim());
        found.filter(|value| !matches!(*value, "?" | "-")).unwrap_or_default()
    };
    let size = value("board").parse::<Size>().unwrap_or(wanted.setup.size);
    let goal = value("goal").parse().unwrap_or(wanted.setup.goal);
    let setup = GameSetup { size, goal, ..wanted.setup };
    let first = match value("fen") {
        "" => GameBoard::start(setup.size, setup.start),
        fen => {
            let size = (!value("board").is_empty()).then_some(size);
            read_plain(fen, &Wanted { setup, size, ..wanted })?.game.first_board().clone()
        }
    };
    let mut game = setup.game_from(first);
    play_moves(&mut game, &without_comments(moves)?)?;
    let players = ["black", "white"].map(|side| value(side).to_owned());
    let occasion = [value("date").to_owned(), value("site").to_owned()];
    let theoretical = value("theoretical").split_once('-').and_then(|(black, _)| black.parse().ok());
    let theoretical = theoretical.filter(|&black: &u8| u32::from(black) <= game.size().square_count());
    Ok(Reading {
        players,
        occasion,
        theoretical,
        has_board: !value("fen").is_empty(),
        ..Reading::new(game, Kind::Pgn)
    })
}

/// The moves without comments, variations, glyphs and the sign of an unfinished game.
fn without_comments(moves: &str) -> Result<String, ReadError> {
    let (mut left, mut depth) = (String::new(), 0);
    let mut chars = moves.chars();
    while let Some(c) = chars.next() {
        match c {
            '{' => {
                if !chars.by_ref().any(|c| c == '}') {
                    return Err(ReadError::Unclosed('{'));
                }
                left.push(' ');
            }
            ';' | '%' => {
                chars.by_ref().find(|&c| c == '\n');
                left.push('\n');
            }
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth == 0 => left.push(c),
            _ => {}
        }
    }
    if depth > 0 {
        return Err(ReadError::Unclosed('('));
    }
    // Glyphs stand alone or right behind a move.
    let without_glyph = |word: &str| word.split('$').next().unwrap_or_default().to_owned();
    let pass = |word: String| if word.eq_ignore_ascii_case("z0") { "pa".to_owned() } else { word };
    let lines = left
        .lines()
        .map(|line| line.split_whitespace().map(without_glyph).map(pass).collect::<Vec<_>>().join(" "));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// A game as PGN, with a blank line at its end.
pub fn write(record: &Record) -> String {
    let mut text = String::new();
    let first = record.first_board();
    let usual = GameBoard::start(first.size(), Start::Diagonal);
    let result = discs(record).map_or("*".to_owned(), |(black, white)| format!("{black}-{white}"));
    let or_unknown = |value: &str| if value.is_empty() { "?".to_owned() } else { value.to_owned() };
    let mut tags = vec![
        ("Event", "?".to_owned()),
        ("Site", or_unknown(&record.place)),
        ("Date", or_unknown(&record.date)),
        ("Round", "-".to_owned()),
        ("Black", or_unknown(&record.black)),
        ("White", or_unknown(&record.white)),
        ("Result", result.clone()),
    ];
    if first.size().to_string() != "8x8" {
        tags.push(("Board", first.size().to_string()));
    }
    if record.goal != Goal::Normal {
        tags.push(("Goal", record.goal.to_string()));
    }
    if let Some(black) = record.theoretical {
        let white = first.size().square_count().saturating_sub(black.into());
        tags.push(("Theoretical", format!("{black}-{white}")));
    }
    if *first != usual {
        tags.extend([("SetUp", "1".to_owned()), ("FEN", first.to_string())]);
    }
    for (name, value) in tags {
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let value = value.trim().replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    text.push('\n');
    let mut line = String::new();
    let words = words(record).into_iter().chain([result]);
    for word in words {
        if !line.is_empty() && line.len() + 1 + word.len() > 79 {
            text.push_str(&line);
            text.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    text + &line + "\n"
}

/// Moves with their numbers, two to a number; a pass is `--`.
fn words(record: &Record) -> Vec<String> {
    let white_begins = record.first_board().to_move() == Color::White;
    let mut words = Vec::new();
    for (index, annotated) in record.moves().iter().enumerate() {
        let ply = index + usize::from(white_begins);
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        } else if index == 0 {
            words.push("1...".to_owned());
        }
        words.push(if annotated.mv == GameMove::Pass { "--".to_owned() } else { annotated.mv.to_string() });
    }
    words
}

/// The discs of both sides at the end of a game that has ended on the board.
fn discs(record: &Record) -> Option<(u32, u32)> {
    let game =
        record.game(GameSetup { goal: record.goal, ..GameSetup::new(record.first_board().size()) }).ok()?;
    game.result().filter(|_| record.forfeit.is_none()).map(|result| (result.black, result.white))
}
