//! How squares, moves and games are written, for boards of any size: liberal in reading, strict in writing.

pub use crate::cells::{BoardError, Cells, draw, parse_cells, read_side, symbol};

/// The widest and tallest board that has a notation: columns `a` to `x`, rows 1 to 24.
pub const MAX_SIDE: u32 = 24;

/// The name of the square in a column and a row (both from 0), `a1` to `x24`. Beyond 24 columns or rows a text such as
/// `(30, 0)`, which is no square name.
pub fn square_name(column: u32, row: u32) -> String {
    match column < MAX_SIDE && row < MAX_SIDE {
        true => format!("{}{}", (b'a' + column as u8) as char, row + 1),
        false => format!("({column}, {row})"),
    }
}

/// Reads `a1` to `x24`, either case, as column and row from 0.
pub fn parse_square_name(text: &str) -> Option<(u32, u32)> {
    let mut chars = text.chars();
    let column = (chars.next()?.to_ascii_lowercase() as u32).checked_sub('a' as u32)?;
    let digits = chars.as_str();
    let plain = !digits.is_empty() && digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let row = if plain { digits.parse::<u32>().ok()?.checked_sub(1)? } else { return None };
    (column < MAX_SIDE && row < MAX_SIDE).then_some((column, row))
}

/// Reads columns and rows as in `6x6` or `4X8`. Their range is not checked.
pub fn parse_sides(text: &str) -> Option<(u32, u32)> {
    let (width, height) = text.trim().split_once(['x', 'X'])?;
    let side = |digits: &str| {
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        if plain { digits.parse::<u32>().ok() } else { None }
    };
    Some((side(width.trim())?, side(height.trim())?))
}

/// Whether the text is one of the ways to write a pass: `pa`, `pass`, `ps` (any case), `--`, `@@@@`.
pub fn is_pass(text: &str) -> bool {
    PASSES.iter().any(|pass| text.eq_ignore_ascii_case(pass))
}

/// Longest first, so that `pass` is not read as `pa` and a rest.
const PASSES: [&str; 5] = ["@@@@", "pass", "pa", "ps", "--"];

/// Splits a transcript into tokens, run together or separated by white space. Move numbers such as `1.` are dropped.
/// Text that is no move is one token up to the next white space, for the error message.
pub fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = after_number(rest.trim_start());
        let length = token_length(rest)?;
        let (token, tail) = rest.split_at(length);
        rest = tail;
        Some(token)
    })
}

/// The text after a move number and its dots, as in `1.f5`, `1. f5` or `2... d6`; the whole text if it begins with
/// none.
fn after_number(text: &str) -> &str {
    let after_digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
    match after_digits.starts_with('.') && after_digits.len() < text.len() {
        true => after_digits.trim_start_matches('.').trim_start(),
        false => text,
    }
}

fn token_length(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let is_prefix = |pass: &&&str| text.get(..pass.len()).is_some_and(|head| head.eq_ignore_ascii_case(pass));
    if let Some(pass) = PASSES.iter().find(is_prefix) {
        return Some(pass.len());
    }
    let digits = text[first.len_utf8()..].bytes().take_while(u8::is_ascii_digit).count();
    if first.is_ascii_alphabetic() && digits > 0 {
        return Some(1 + digits);
    }
    Some(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// Whether the text consists of moves only, at least one, legal or not.
pub fn are_moves(text: &str) -> bool {
    let is_move = |token| is_pass(token) || parse_square_name(token).is_some();
    tokens(text).next().is_some() && tokens(text).all(is_move)
}

/// Whether the text can only be a board: at least nine characters, as many as 3x3 has cells, all of them cells, and not
/// passes only.
pub fn looks_like_a_board(text: &str) -> bool {
    let mut symbols = text.chars().filter(|c| !c.is_whitespace());
    let is_cell = |symbol| matches!(symbol, '-' | '.') || read_side(symbol).is_some();
    symbols.clone().count() >= 9 && symbols.all(is_cell) && !are_moves(text)
}

/// Whether the text consists of moves only and at least one of them is a square: dashes alone may be passes or the
/// cells of a board.
pub fn are_moves_with_a_square(text: &str) -> bool {
    are_moves(text) && tokens(text).any(|token| parse_square_name(token).is_some())
}

/// A text as messages show it: on one line, control characters escaped, cut after 48 characters. `...` follows if the
/// text has more than 48 characters.
///
/// ```
/// use reversi_terms::notation::shown;
/// assert_eq!(shown("a\tb"), "a\\tb");
/// assert!(shown(&"x".repeat(300_000)).chars().count() < 60);
/// ```
pub fn shown(text: &str) -> String {
    const MOST: usize = 48;
    let mut escaped = text.chars().take(MOST).flat_map(char::escape_debug).take(MOST).collect::<String>();
    if text.chars().nth(MOST).is_some() {
        escaped.push_str("...");
    }
    escaped
}

/// Why a token of a transcript cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalMove {
    /// The token is no move at all.
    #[error("neither a square nor a pass")]
    Syntax,
    /// The square is outside the board.
    #[error("no such square on {0}x{1}")]
    NoSuchSquare(u32, u32),
    /// A disc stands there.
    #[error("the square is occupied")]
    Occupied,
    /// The square is empty, but no run of the opponent's discs is closed.
    #[error("turns no disc")]
    TurnsNothing,
    /// A pass although there is a move.
    #[error("a pass is only legal without a move")]
    MustMove,
    /// Neither side has a move.
    #[error("the game is over")]
    GameOver,
}

/// A transcript that cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move {number} \"{}\": {reason}", shown(token))]
pub struct TranscriptError {
    /// Which token, counted from 1.
    pub number: usize,
    /// The token as it was written.
    pub token: String,
    /// What is wrong with it.
    pub reason: IllegalMove,
}

/// One token as column and row on a board of this size, `None` for a pass.
///
/// # Errors
/// [`IllegalMove::Syntax`] or [`IllegalMove::NoSuchSquare`].
pub fn parse_token(width: u32, height: u32, token: &str) -> Result<Option<(u32, u32)>, IllegalMove> {
    if is_pass(token) {
        return Ok(None);
    }
    match parse_square_name(token) {
        Some((column, row)) if column < width && row < height => Ok(Some((column, row))),
        None if !looks_like_a_square(token) => Err(IllegalMove::Syntax),
        _ => Err(IllegalMove::NoSuchSquare(width, height)),
    }
}

/// A letter and digits, such as `z3` or `a99`.
fn looks_like_a_square(token: &str) -> bool {
    let mut bytes = token.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && token.len() > 1
        && bytes.all(|byte| byte.is_ascii_digit())
}
