//! Cuts a text with moves into tokens: moves, passes, and what people put around them, such as numbers, commas,
//! hyphens, colours, evaluations and results.

use super::{side, symbols, words};
use reversi_rules::Color;
use std::ops::Range;

/// Signs that people and programs put around moves, beside those that draw frames.
const SIGNS: &str = ",;/-–—→><=|!?\"'“”.:+*[]»«`_…•·\u{200b}\u{feff}";

/// What a piece of text among moves is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token {
    /// A square, on some board.
    Move,
    /// A pass in words or signs that mean nothing else.
    Pass,
    /// A dash or dots, which some programs write for a pass and others between moves.
    Dash,
    /// Whose move comes next.
    Side(Color),
    /// A number without a sign.
    Number(u32),
    /// The number of a move with its point, as in `12.`, or `12...` before a move of White.
    MoveNumber,
    /// The result of the game.
    Result,
    /// A word or sign that people put around moves.
    Around,
    /// Neither.
    Wrong,
}

/// Spellings of a pass that may stand right before or behind another move, longest first.
const PASSES: [&str; 7] = ["@@@@", "pass", "@@", "pa", "ps", "--", "~~"];
/// Spellings of a pass as words of their own.
const PASS_WORDS: [&str; 19] = [
    "p", "pa", "ps", "pass", "pas", "passe", "passes", "passed", "passo", "passa", "paso", "パス", "skip",
    "null", "nomove", "0000", "(pass)", "(--)", "[]",
];
/// Words that people and programs put around moves.
const AROUND: [&str; 45] = [
    "move",
    "moves",
    "game",
    "transcript",
    "line",
    "play",
    "plays",
    "to",
    "result",
    "score",
    "final",
    "wins",
    "win",
    "won",
    "by",
    "resigns",
    "resigned",
    "time",
    "timeout",
    "draw",
    "opening",
    "position",
    "and",
    "then",
    "the",
    "discs",
    "disks",
    "end",
    "eof",
    "kifu",
    "notation",
    "sequence",
    "variation",
    "pv",
    "eval",
    "black",
    "white",
    "vs",
    "book",
    "start",
    "startpos",
    "player",
    "board",
    "over",
    "etc",
];
/// Letters of the longest word of [`AROUND`].
const LONGEST_NAME: usize = "transcript".len();
const _: () = {
    let mut place = 0;
    while place < AROUND.len() {
        assert!(AROUND[place].len() <= LONGEST_NAME);
        place += 1;
    }
};
/// Signs that stand around a word without changing what it means.
pub const WORD_SIGNS: [char; 15] =
    ['.', ',', ':', '!', '"', '\'', ';', '?', '=', '[', ']', '(', ')', '“', '”'];

/// Cuts a text into tokens.
pub fn tokens(text: &str) -> Vec<(Range<usize>, Token)> {
    let mut found = Vec::new();
    let mut all = words(text).peekable();
    while let Some((start, word)) = all.next() {
        match all.peek() {
            Some(&(next, noun)) if word.eq_ignore_ascii_case("no") && is_word(noun, &["move", "moves"]) => {
                found.push((start..next + noun.len(), Token::Pass));
                all.next();
            }
            _ => cut_word(word, start, &mut found),
        }
    }
    found
}

/// Whether a word is one of these, whatever signs stand around it.
fn is_word(word: &str, words: &[&str]) -> bool {
    let bare = word.trim_matches(WORD_SIGNS);
    words.iter().any(|one| bare.eq_ignore_ascii_case(one))
}

fn cut_word(word: &str, start: usize, found: &mut Vec<(Range<usize>, Token)>) {
    if let Some(token) = whole_word(word) {
        found.push((start..start + word.len(), token));
        return;
    }
    let mut rest = word;
    while !rest.is_empty() {
        let place = start + word.len() - rest.len();
        let after_move = found
            .last()
            .is_some_and(|(range, token)| range.end == place && matches!(token, Token::Move | Token::Pass));
        let after_number = found.last().is_some_and(|(range, token)| {
            range.end == place
                && matches!(token, Token::Around | Token::MoveNumber)
                && word.starts_with(|c: char| c.is_ascii_digit())
        });
        let evaluated = if after_move { evaluation(rest) } else { 0 };
        let (length, token) = match evaluated {
            1.. => (evaluated, Token::Around),
            _ if after_number && is_word(rest, &PASS_WORDS) => (rest.len(), Token::Pass),
            _ => head(rest),
        };
        found.push((place..place + length, token));
        rest = &rest[length..];
    }
}

/// The token that the whole word is, if it is one.
fn whole_word(word: &str) -> Option<Token> {
    let lower = word.to_ascii_lowercase();
    let bare = lower.trim_matches(WORD_SIGNS);
    if PASS_WORDS.contains(&lower.as_str()) || PASS_WORDS.contains(&bare) {
        return Some(Token::Pass);
    }
    if matches!(lower.as_str(), "..." | ".." | "…" | "-" | "–" | "—") {
        return Some(Token::Dash);
    }
    if is_result(bare) {
        return Some(Token::Result);
    }
    if matches!(bare, "black" | "white" | "b" | "w") {
        return Some(Token::Side(side::named(bare)?));
    }
    // `X` alone may be a cell.
    if matches!(lower.as_str(), "x:" | "o:") {
        return Some(Token::Side(side::named(bare)?));
    }
    if AROUND.contains(&bare) || is_number_with_sign(bare) {
        return Some(Token::Around);
    }
    (!bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit()) && lower == bare)
        .then(|| bare.parse().map_or(Token::Wrong, Token::Number))
}

/// `51-13`, `51:13`, `1/2-1/2`, `1-0`, `b+38`, `+12`.
fn is_result(word: &str) -> bool {
    let number =
        |text: &str| !text.is_empty() && text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let pair = word.split_once(['-', ':', '–', '/']).is_some_and(|(one, other)| number(one) && number(other));
    let by = word.strip_prefix(['b', 'w']).and_then(|rest| rest.strip_prefix('+'));
    pair || matches!(word, "1/2-1/2" | "½-½" | "1-0" | "0-1")
        || by.is_some_and(|by| by.parse::<f32>().is_ok() || by == "r" || by == "t")
}

/// `+2`, `-3.50`, `0.25`, `0:05.3`: evaluations and times.
pub fn is_number_with_sign(word: &str) -> bool {
    let digits = word.trim_start_matches(['+', '-', '±', '~']);
    let plain = digits.trim_end_matches(['s', '%']);
    let is_number = plain.starts_with(|c: char| c.is_ascii_digit())
        && plain.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b':'));
    is_number
        && (digits.len() < word.len() || plain.len() < digits.len() || plain.contains('.'))
        && !plain.ends_with('.')
}

/// How much of the text right behind a move is its evaluation or time: `:+2`, `=0`, `/-1.5/0.3`, `//12.5`.
fn evaluation(text: &str) -> usize {
    let mut end = 0;
    loop {
        let rest = &text[end..];
        let after_sign = rest.trim_start_matches(['/', ':', '=']);
        let number = after_sign.trim_start_matches(['+', '-']);
        let digits = number.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        let signs = rest.len() - after_sign.len();
        // A single stroke may stand between two moves, the second of which lacks its letter.
        let is_plain = number.len() == after_sign.len() && !number[..digits].contains('.');
        let is_unclear = end == 0 && rest.starts_with('/') && signs == 1 && is_plain;
        if signs == 0 || digits == 0 || is_unclear {
            return end;
        }
        end += signs + (after_sign.len() - number.len()) + digits;
    }
}

/// How long a label at the head of a word is, and what it says: `moves=f5d6`, `B:f5`.
fn label(rest: &str) -> Option<(usize, Token)> {
    // The search stops after the length of the longest name: a text may be one long word.
    let length = rest.bytes().take(LONGEST_NAME + 1).position(|byte| !byte.is_ascii_alphabetic())?;
    if !rest[length..].starts_with([':', '=']) {
        return None;
    }
    let name = rest[..length].to_ascii_lowercase();
    let token = match name.as_str() {
        "black" | "white" | "b" | "w" => Token::Side(side::named(&name)?),
        _ if AROUND.contains(&name.as_str()) => Token::Around,
        _ => return None,
    };
    Some((length + 1, token))
}

/// The first token of a word that is several.
fn head(rest: &str) -> (usize, Token) {
    let first = rest.chars().next().expect("there is something left");
    // A piece that is dropped, as programs for chess variants write it.
    let dropped = rest.trim_start_matches(['p', 'P']);
    if dropped.len() + 1 >= rest.len() && dropped.starts_with('@') && !dropped.starts_with("@@") {
        return (rest.len() - dropped.len() + 1, Token::Around);
    }
    if matches!(first, '●' | '⚫' | '○' | '⚪') {
        let color = if matches!(first, '●' | '⚫') { Color::Black } else { Color::White };
        return (first.len_utf8(), Token::Side(color));
    }
    if let Some(found) = label(rest) {
        return found;
    }
    let is_prefix = |pass: &&&str| rest.get(..pass.len()).is_some_and(|head| head.eq_ignore_ascii_case(pass));
    if let Some(pass) = PASSES.iter().find(is_prefix) {
        if rest[pass.len()..].starts_with('-') && *pass == "--" {
            return (rest.len(), Token::Wrong);
        }
        return (pass.len(), Token::Pass);
    }
    let digits = rest[first.len_utf8()..].bytes().take_while(u8::is_ascii_digit).count();
    if first.is_ascii_alphabetic() && digits > 0 {
        return (1 + digits, Token::Move);
    }
    let number = rest.bytes().take_while(u8::is_ascii_digit).count();
    if number > 0 {
        let signs: usize = rest[number..]
            .chars()
            .take_while(|c| matches!(c, '.' | ')' | ']' | ':' | '…' | ','))
            .map(char::len_utf8)
            .sum();
        if signs > 0 {
            let is_point = rest[number..].starts_with(['.', '…']);
            return (number + signs, if is_point { Token::MoveNumber } else { Token::Around });
        }
    }
    let is_sign = |c: &char| SIGNS.contains(*c) || ('\u{2500}'..='\u{257f}').contains(c);
    let signs: usize = rest.chars().take_while(is_sign).map(char::len_utf8).sum();
    if signs > 0 { (signs, Token::Around) } else { (rest.len(), Token::Wrong) }
}

/// Whether the text has moves, legal or not, and otherwise only what may stand around them.
pub fn is_all_moves(text: &str) -> bool {
    let found = tokens(text);
    has_square(&found) && found.iter().all(|(_, token)| *token != Token::Wrong)
}

/// Whether the text is a pass and nothing else.
pub fn is_pass(text: &str) -> bool {
    matches!(tokens(text)[..], [(_, Token::Pass)])
}

/// Whether a square is named in it.
pub fn has_move(text: &str) -> bool {
    has_square(&tokens(text))
}

fn has_square(found: &[(Range<usize>, Token)]) -> bool {
    found.iter().any(|(_, token)| *token == Token::Move)
}

/// Whether a line is a sentence or a tag, and holds no move: more words than one, none of them like a move.
pub fn is_prose(line: &str) -> bool {
    let found = tokens(line);
    let like_a_move = |word: &str| {
        word.chars().count() <= 4
            && word.chars().any(|c| c.is_ascii_digit())
            && word.chars().any(char::is_alphabetic)
    };
    let all: Vec<&str> = line.split_whitespace().collect();
    let has_word = all.iter().any(|word| word.chars().filter(|c| c.is_alphabetic()).count() >= 3);
    has_word
        && (all.len() >= 2 || line.trim_end().ends_with(':'))
        && !found.iter().any(|(_, token)| matches!(token, Token::Move | Token::Pass))
        && !all.iter().any(|word| like_a_move(word) || is_row(word))
}

/// Whether a word is the cells of a board or of a row.
fn is_row(word: &str) -> bool {
    let (length, letters) = (word.chars().count(), word.chars().filter(|c| c.is_ascii_alphabetic()).count());
    (length >= 9 || length >= 3 && letters < length) && word.chars().all(symbols::is_cell)
}

/// Whether a word may be ignored: a label such as `Tiger:` or, in a text that may have sentences, a word of one. It has
/// letters alone, and does not look like a mistyped move or pass.
pub fn is_said(word: &str, prose: bool) -> bool {
    let bare = word.trim_matches(WORD_SIGNS);
    let letters = bare.chars().count();
    let mut lower = bare.chars().map(|c| c.to_ascii_lowercase());
    let first = lower.clone().next().unwrap_or('a');
    let no_column = |c: char| !('a'..='h').contains(&c);
    // Letters that are mistaken for digits (l, i, o, z, s) may belong to a mistyped square.
    let is_no_digit = |c: char| no_column(c) && !"liozs".contains(c);
    let is_far = letters >= 3 && lower.any(is_no_digit) || letters >= 2 && no_column(first);
    (prose || word.ends_with(':') && letters >= 3)
        && is_far
        && !matches!(first, 'p')
        && bare.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
        // A second board is not a word.
        && !is_row(bare)
        && whole_word(word).is_none()
}

/// Whether a token is some spelling of a pass, whatever signs stand around it.
pub fn is_spelling_of_pass(token: &str) -> bool {
    let bare = token.trim_matches(WORD_SIGNS);
    let is_it = |pass: &&str| bare.eq_ignore_ascii_case(pass) || token.eq_ignore_ascii_case(pass);
    PASSES.iter().chain(&PASS_WORDS).any(is_it)
}
