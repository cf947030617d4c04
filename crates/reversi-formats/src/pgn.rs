//! PGN as Othello servers write it: tags such as `[Black "name"]`, then moves with their numbers.
//!
//! - `FEN`: the first board, if it is not the usual one: cells row by row (`X`, `O`, `-`, or numbers for empty
//!   squares).
//! - `Board`: the size of the board. This program's own tag, which other readers skip.
//! - `Goal`: the reversed goal. This program's own tag.
//! - `Theoretical`: the discs of both sides at the end of perfect play, as in WTHOR files. This program's own tag.
//! - `Result`: the discs of Black and of White, in this order. A game that did not end on the board has the form of the
//!   file it comes from: its discs, the winner alone (`1-0`), or all squares divided according to the difference.
//! - `Termination`: how a game ended that did not end on the board.

pub use crate::error::PgnError;

use crate::error::ReadError;
use crate::ggf::{Outcome, Record, Told, discs_of_black};
use crate::own::named;
use crate::reader::{Wanted, play_moves, read_plain};
use crate::reading::{EVENT_AND_ROUND, Kind, Reading, event_and_round};
use reversi_rules::game::{GameBoard, GameMove, GameSetup, Size};
use reversi_rules::{Color, Goal, Passing, Scoring, Start};
use std::fmt::Write;

/// How a game may end if not on the board: the letter of GGF, and the words of `Termination`.
const TERMINATIONS: [(char, &str); 4] =
    [('t', "time forfeit"), ('r', "resignation"), ('s', "agreement"), ('f', "forfeit")];

/// Whether a line of the text holds tags of PGN.
pub fn is_pgn(text: &str) -> bool {
    text.lines().any(|line| !tags(line).is_empty())
}

/// The tags of a line that holds nothing else, usually one; none for other lines.
fn tags(line: &str) -> Vec<(&str, String)> {
    several_tags(line.trim()).unwrap_or_else(|| only_tag(line.trim()).into_iter().collect())
}

fn several_tags(mut rest: &str) -> Option<Vec<(&str, String)>> {
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (tag, after) = first_tag(rest)?;
        found.push(tag);
        rest = after;
    }
    Some(found)
}

/// A line that is one tag as a whole, whatever its value holds.
fn only_tag(line: &str) -> Option<(&str, String)> {
    let (name, value) = name_and_rest(line)?;
    Some((name, unescaped(value.strip_suffix(']')?.trim_end().strip_suffix('"')?)))
}

/// The name of the tag that begins here, and what stands behind the first quotation mark.
fn name_and_rest(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.strip_prefix('[')?.split_once(char::is_whitespace)?;
    let is_plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    Some((name, value.trim_start().strip_prefix('"')?)).filter(|_| is_plain)
}

fn unescaped(value: &str) -> String {
    value.replace("\\\"", "\"").replace("\\\\", "\\")
}

/// `[Name "value"]` as name and value, and what follows it. A quotation mark ends the value only before a bracket and
/// the end of the line or another tag, since some programs write others as they are.
fn first_tag(text: &str) -> Option<((&str, String), &str)> {
    let (name, value) = name_and_rest(text)?;
    let is_escaped =
        |mark: usize| value[..mark].bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1;
    let after = |mark: usize| {
        let after = value[mark + 1..].trim_start().strip_prefix(']')?.trim_start();
        (!is_escaped(mark) && (after.is_empty() || name_and_rest(after).is_some())).then_some(after)
    };
    let (mark, after) = value.match_indices('"').find_map(|(mark, _)| Some((mark, after(mark)?)))?;
    Some(((name, unescaped(&value[..mark])), after))
}

/// The games one after the other: each is a block of tags and the text after it. After a blank line, a tag that the
/// game already has begins the next game.
pub fn games(text: &str, wanted: Wanted) -> impl Iterator<Item = Result<Reading, PgnError>> {
    let mut lines = text.lines().peekable();
    (1..).map_while(move |game| {
        let mut tags = Vec::new();
        let mut moves = String::new();
        while let Some(line) = lines.peek() {
            let of_line = self::tags(line);
            let begins_next = |(name, _): &(&str, String)| {
                !moves.trim().is_empty()
                    || !moves.is_empty()
                        && tags.iter().any(|(known, _): &(String, _)| known.eq_ignore_ascii_case(name))
            };
            if of_line.first().is_some_and(begins_next) {
                break;
            }
            if of_line.is_empty() {
                moves.push_str(line);
                moves.push('\n');
            }
            tags.extend(of_line.into_iter().map(|(name, value)| (name.to_ascii_lowercase(), value)));
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
    let named_size = size_of(value("board"))?;
    let size = named_size.unwrap_or(wanted.setup.size);
    let goal = named(Some(value("goal")))?.unwrap_or(wanted.setup.goal);
    let setup = GameSetup { size, goal, ..wanted.setup };
    let first = match value("fen") {
        "" => GameBoard::start(setup.size, setup.start),
        fen => read_plain(fen, &Wanted { setup, size: named_size, ..wanted })?.game.first_board().clone(),
    };
    let mut game = setup.game_from(first);
    let left = without_comments(moves)?;
    play_moves(&mut game, &left)?;
    let players = ["black", "white"].map(|side| value(side).to_owned());
    let occasion = [value("date").to_owned(), value("site").to_owned()];
    let theoretical = value("theoretical").split_once('-').and_then(|(black, _)| black.parse().ok());
    let theoretical = theoretical.filter(|&black: &u8| u32::from(black) <= game.size().square_count());
    let forfeit = TERMINATIONS.iter().find(|(_, words)| value("termination").eq_ignore_ascii_case(words));
    // Without the tag the sign at the end of the moves counts.
    let result = match value("result") {
        "" => left.split_whitespace().next_back().unwrap_or_default(),
        result => result,
    };
    let outcome = Outcome {
        forfeit: forfeit.map(|&(letter, _)| letter),
        ..read_result(result, game.size().square_count(), setup.goal)
    };
    Ok(Reading {
        players,
        occasion,
        other_tags: event_and_round(["event", "round"].map(|name| value(name).to_owned())),
        theoretical,
        outcome,
        has_board: !value("fen").is_empty(),
        ..Reading::new(game, Kind::Pgn)
    })
}

/// The size in `Board`, if it is written like one: other programs write the number of a table there, as `3` or `1.2`.
fn size_of(board: &str) -> Result<Option<Size>, ReadError> {
    let is_size = board.starts_with(|c: char| c.is_ascii_digit()) && board.contains(['x', 'X']);
    if is_size { Ok(Some(board.parse()?)) } else { Ok(None) }
}

/// The result from `38-26`, the discs of Black and of White. `1-0` and `0-1` name only the winner, who gets all
/// squares, as after a forfeit.
fn read_result(text: &str, squares: u32, goal: Goal) -> Outcome {
    let for_winner = if goal == Goal::Reversed { -f64::from(squares) } else { squares.into() };
    let told = |result, told| Outcome { result: Some(result), told, forfeit: None };
    match text {
        "1-0" => return told(for_winner, Told::Winner),
        "0-1" => return told(-for_winner, Told::Winner),
        "1/2-1/2" => return told(0.0, Told::Winner),
        _ => {}
    }
    match two_numbers(text) {
        Some((black, white)) if (1..=squares).contains(&black.saturating_add(white)) => {
            told(f64::from(black) - f64::from(white), Told::Discs(black, white))
        }
        _ => Outcome::default(),
    }
}

/// `38-26` as two numbers.
fn two_numbers(text: &str) -> Option<(u32, u32)> {
    let (black, white) = text.split_once('-')?;
    Some((black.trim().parse().ok()?, white.trim().parse().ok()?))
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
            // PGN has % at the beginning of a line only; after a space it is a comment here, as in other texts.
            ';' | '%' if c == ';' || left.chars().next_back().is_none_or(char::is_whitespace) => {
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
    let result = shown_result(record);
    let or_unknown = |value: &str| if value.is_empty() { "?".to_owned() } else { value.to_owned() };
    let [event, round] = EVENT_AND_ROUND
        .map(|name| record.other_tags.iter().find(|[own, _]| own == name).map_or("", |[_, value]| value));
    let mut tags = vec![
        ("Event", or_unknown(event)),
        ("Site", or_unknown(&record.place)),
        ("Date", or_unknown(&record.date)),
        ("Round", if round.is_empty() { "-" } else { round }.to_owned()),
        ("Black", or_unknown(&record.black)),
        ("White", or_unknown(&record.white)),
        ("Result", result.clone()),
    ];
    let letter = record.forfeit.map(|letter| letter.to_ascii_lowercase());
    if let Some((_, words)) = TERMINATIONS.iter().find(|(own, _)| letter == Some(*own)) {
        tags.push(("Termination", (*words).to_owned()));
    }
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

/// The result as `Result` and the end of the moves hold it.
fn shown_result(record: &Record) -> String {
    let discs = |(black, white): (u32, u32)| format!("{black}-{white}");
    if record.forfeit.is_none()
        && let Some(on_board) = discs_on_board(record)
    {
        return discs(on_board);
    }
    let Some(result) = record.result.filter(|result| result.is_finite()) else { return "*".to_owned() };
    let for_black = if record.goal == Goal::Reversed { -result } else { result };
    match record.told {
        Told::Discs(black, white) => discs((black, white)),
        Told::Winner if for_black > 0.0 => "1-0".to_owned(),
        Told::Winner if for_black < 0.0 => "0-1".to_owned(),
        Told::Winner => "1/2-1/2".to_owned(),
        Told::Difference => discs(shared_out(result, record.first_board().size().square_count())),
    }
}

/// The discs of both sides where the game has ended on its board: neither side has a move; or the side to move has
/// none and the result is that of this board, as in games without passing.
fn discs_on_board(record: &Record) -> Option<(u32, u32)> {
    let usual = GameSetup { goal: record.goal, ..GameSetup::new(record.first_board().size()) };
    let ended = |setup| record.game(setup).ok()?.result();
    let without_passing = |scoring| {
        let setup = GameSetup { scoring: Some(scoring), passing: Passing::EndsGame, ..usual };
        ended(setup).filter(|on_board| record.result == Some(discs_of_black(on_board.score, record.goal)))
    };
    let result = ended(usual).or_else(|| Scoring::ALL.into_iter().find_map(without_passing))?;
    Some((result.black, result.white))
}

/// Discs of Black and White that differ by the result and add up to `squares`, or to one less.
fn shared_out(result: f64, squares: u32) -> (u32, u32) {
    let more = (result.abs().round() as u32).min(squares);
    let less = (squares - more) / 2;
    if result < 0.0 { (less, less + more) } else { (less + more, less) }
}
