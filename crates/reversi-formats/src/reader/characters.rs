//! Removes what only concerns the look of a text: full-width characters, colours, the signs of quoted mail.

use std::borrow::Cow;

/// The text in plain characters. Letters, digits and signs in the full width of East Asian programs get their usual
/// width. The colours of a terminal, and the invisible characters after an emoji, are removed.
pub fn plain(text: &str) -> Cow<'_, str> {
    let is_wide = |c: char| matches!(c, '\u{ff01}'..='\u{ff5e}' | '\u{3000}');
    let is_invisible = |c: char| matches!(c, '\u{fe0e}' | '\u{fe0f}' | '\u{200b}'..='\u{200d}' | '\u{2060}');
    let is_odd = |c: char| is_wide(c) || is_invisible(c) || c == ESCAPE;
    if !text.contains(is_odd) {
        return Cow::Borrowed(text);
    }
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(c) = rest.chars().next() {
        let length = colour_sequence(rest).unwrap_or(c.len_utf8());
        match c {
            ESCAPE if length > 1 => {}
            '\u{3000}' => plain.push(' '),
            _ if is_wide(c) => plain.push(char::from_u32(c as u32 - 0xfee0).unwrap_or(c)),
            _ if is_invisible(c) => {}
            _ => plain.push(c),
        }
        rest = &rest[length..];
    }
    Cow::Owned(plain)
}

const ESCAPE: char = '\u{1b}';

/// The length of the escape sequence for a colour, if the text begins with one.
fn colour_sequence(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let length = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    parameters[length..].starts_with('m').then_some(length + 3)
}

/// A text between quotation marks, with spaces in their place.
pub fn unwrapped(text: Cow<'_, str>) -> Cow<'_, str> {
    const MARKS: [(char, char); 4] = [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”')];
    let wraps = |&(open, close): &(char, char)| {
        let inner = text.trim().strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        inner.is_some_and(|inner| !inner.contains([open, close]))
    };
    match MARKS.into_iter().find(wraps) {
        Some((open, close)) => Cow::Owned(text.replace([open, close], " ")),
        None => text,
    }
}

/// A list of lists as programming languages write it, `[[0, 1], [2, 0]]`, with one row per line and blanks for commas.
pub fn unlisted(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.trim_start().strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with('[')) {
        return text;
    }
    let mut before = ' ';
    let bare = |c: char| {
        let ends_row = c == ',' && before == ']';
        before = if c.is_whitespace() { before } else { c };
        match c {
            _ if ends_row => '\n',
            ',' => ' ',
            _ => c,
        }
    };
    Cow::Owned(text.chars().map(bare).collect())
}

/// Quoted mail, whose lines begin with `>`, without these signs. Lines that are not quoted may stand between.
pub fn unquoted(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_quoted = |line: &str| line.trim_start().starts_with('>');
    let quoted = text.lines().filter(|line| is_quoted(line)).count();
    // In fewer than three lines the sign may be one between moves.
    if quoted == 0 || quoted < 3 && !text.lines().all(|line| is_quoted(line) || line.trim().is_empty()) {
        return text;
    }
    let bare = |line: &str| if is_quoted(line) { line.replacen('>', " ", 1) } else { line.to_owned() };
    Cow::Owned(text.split_inclusive('\n').map(bare).collect())
}
