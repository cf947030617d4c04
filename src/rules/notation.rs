//! How squares, moves, games and boards are written; liberal in what is read, strict in what is written.

use super::geometry::{Geometry, Square};
use super::position::{Board, Color, Move};
use std::fmt;
use std::str::FromStr;

/// The widest and tallest board that has a notation: columns `a` to `x`, rows 1 to 24.
pub const MAX_SIDE: u32 = 24;

/// Writes a column and a row (both from 0) as in `a1` or `x24`; those that no board has as in `(30, 0)`,
/// which nobody reads as a square.
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

/// Reads columns and rows as in `6x6` or `4X8`, whatever their number.
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

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&square_name(self.column(), self.row()))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Play(square) => square.fmt(f),
            Move::Pass => f.pad("pa"),
        }
    }
}

/// A text that names neither a square of a board up to 8x8 nor a pass.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{}\" is neither a square (a1 to h8) nor a pass (pa)", .0.escape_debug())]
pub struct MoveSyntax(pub String);

impl FromStr for Move {
    type Err = MoveSyntax;

    fn from_str(text: &str) -> Result<Move, MoveSyntax> {
        let text = text.trim();
        if is_pass(text) {
            return Ok(Move::Pass);
        }
        match parse_square_name(text) {
            Some((column, row)) if column < 8 && row < 8 => Ok(Move::Play(Square::at(column, row))),
            _ => Err(MoveSyntax(text.to_owned())),
        }
    }
}

/// Cuts a transcript into its tokens, run together or spaced; numbers of moves such as `1.` are left out. What is no
/// move stays one token up to the next space, for the error message.
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

/// What follows a number of a move and its dots, as in `1.f5` or `1. f5` or `2... d6`; else all of it.
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

/// Whether the text is moves and nothing else, legal or not.
pub fn are_moves(text: &str) -> bool {
    let is_move = |token| is_pass(token) || parse_square_name(token).is_some();
    tokens(text).next().is_some() && tokens(text).all(is_move)
}

/// Whether the text is moves and nothing else, and one of them a square: dashes alone may be the cells of a board.
pub fn are_moves_with_a_square(text: &str) -> bool {
    are_moves(text) && tokens(text).any(|token| parse_square_name(token).is_some())
}

/// Whether the first token of the text is a square, so that it is no board.
pub fn begins_with_a_square(text: &str) -> bool {
    tokens(text).next().is_some_and(|token| parse_square_name(token).is_some())
}

/// Why a token of a transcript cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalMove {
    /// The token is no move at all.
    #[error("neither a square nor a pass")]
    Syntax,
    /// The square is outside the board.
    #[error("no such square on a {0}x{1} board")]
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
#[error("move {number} \"{}\": {reason}", token.escape_debug())]
pub struct TranscriptError {
    /// Which token, counted from 1.
    pub number: usize,
    /// The token as it was written.
    pub token: String,
    /// What is wrong with it.
    pub reason: IllegalMove,
}

/// Replays a transcript from `board`: the moves made, with the forced passes that it left out, and
/// the board after them. A pass that would follow the last move is not added.
///
/// # Errors
/// The first token that cannot be played, with its number and the reason.
///
/// ```
/// use reversi::rules::{notation, Geometry, Start};
/// let start = Geometry::SIX.start(Start::Diagonal);
/// let (moves, board) = notation::replay(start, "c2b4 D5").unwrap();
/// assert_eq!(notation::transcript(&moves), "c2b4d5");
/// assert_eq!(board.drawing().lines().nth(4), Some("4 - O O X - -"));
/// let error = notation::replay(start, "c2c9").unwrap_err();
/// assert_eq!(error.to_string(), "move 2 \"c9\": no such square on a 6x6 board");
/// ```
pub fn replay(mut board: Board, transcript: &str) -> Result<(Vec<Move>, Board), TranscriptError> {
    let mut moves = Vec::new();
    for (place, token) in tokens(transcript).enumerate() {
        let fail = |reason| TranscriptError { number: place + 1, token: token.to_owned(), reason };
        let mv = read_move(board.geometry, token).map_err(fail)?;
        if mv != Move::Pass && board.position().must_pass(board.geometry) {
            moves.push(Move::Pass);
            board = Board::from_position(board.geometry, board.position().pass(), board.to_move.other());
        }
        board = board.after(mv).ok_or_else(|| fail(why_illegal(board, mv)))?;
        moves.push(mv);
    }
    Ok((moves, board))
}

/// One token as a move on this board, not yet known to be legal.
///
/// # Errors
/// [`IllegalMove::Syntax`] or [`IllegalMove::NoSuchSquare`].
pub fn read_move(geometry: Geometry, token: &str) -> Result<Move, IllegalMove> {
    let square = parse_token(geometry.width(), geometry.height(), token)?;
    Ok(square.map_or(Move::Pass, |(column, row)| Move::Play(Square::at(column, row))))
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

/// The reason why [`Board::after`] refuses a move.
pub fn why_illegal(board: Board, mv: Move) -> IllegalMove {
    if board.position().is_over(board.geometry) {
        return IllegalMove::GameOver;
    }
    match mv {
        Move::Pass => IllegalMove::MustMove,
        Move::Play(square) if !board.geometry.contains(square) => {
            IllegalMove::NoSuchSquare(board.geometry.width(), board.geometry.height())
        }
        Move::Play(square) if board.position().discs() & square.bit() != 0 => IllegalMove::Occupied,
        Move::Play(_) => IllegalMove::TurnsNothing,
    }
}

/// Moves run together, passes written as `pa`.
pub fn transcript(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect()
}

/// A text that is no board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardError {
    /// A character that is no cell.
    #[error("cell {place} is '{}'; cells are X or * (Black), O (White) and - or . (empty)", found.escape_debug())]
    Cell {
        /// Which cell, counted from 1 in row-major order.
        place: usize,
        /// The character.
        found: char,
    },
    /// Too few or too many cells for the board asked for.
    #[error("{found} characters, but a {width}x{height} board has {} cells and then the side to move (X or O)", width * height)]
    Length {
        /// Characters found, white space left out.
        found: usize,
        /// Columns of the board asked for.
        width: u32,
        /// Rows of the board asked for.
        height: u32,
    },
    /// No square board has that many cells.
    #[error(
        "{found} characters are no square board from 3x3 to {max_side}x{max_side} (36 cells and the side to move make a 6x6 board); for other boards name the size"
    )]
    UnknownSize {
        /// Characters found, white space left out.
        found: usize,
        /// The longest side that was allowed.
        max_side: u32,
    },
    /// The cells are there, but the side to move is missing.
    #[error("the side to move is missing after the {0} cells: add X or O")]
    NoSide(usize),
    /// As many characters as a square board has cells, the last of which may be the side to move on another board.
    #[error(
        "the side to move is missing after the {0} cells: add X or O; if the board is not square, name its size"
    )]
    NoSideOrSize(usize),
    /// The last character names no side.
    #[error("'{}' is no side to move; write X (Black) or O (White)", .0.escape_debug())]
    Side(char),
}

/// Reads cells row by row and then the side to move. White space is ignored. Without a geometry the
/// number of cells must be that of a square board.
///
/// # Errors
/// What is wrong, with the cell's number.
///
/// ```
/// use reversi::rules::{notation, Geometry};
/// let board = notation::parse_board(None, "----  -OX-  -XO-  ---- X").unwrap();
/// assert_eq!(board.geometry, Geometry::FOUR);
/// ```
pub fn parse_board(geometry: Option<Geometry>, text: &str) -> Result<Board, BoardError> {
    let sides = geometry.map(|geometry| (geometry.width(), geometry.height()));
    let read = parse_cells(sides, 8, text)?;
    let geometry = Geometry::new(read.width, read.height).expect("the sides are those of a geometry");
    let (mut black, mut white) = (0, 0);
    for (square, cell) in geometry.squares().zip(read.cells) {
        match cell {
            Some(Color::Black) => black |= square.bit(),
            Some(Color::White) => white |= square.bit(),
            None => {}
        }
    }
    Ok(Board { geometry, black, white, to_move: read.to_move })
}

/// A board string taken apart.
pub struct Cells {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The cells row by row.
    pub cells: Vec<Option<Color>>,
    /// The side to move.
    pub to_move: Color,
}

/// Reads cells and side for a board of `sides` (columns, rows), or else for the square board from 3x3
/// to `max_side` that has as many cells.
///
/// # Errors
/// What is wrong, with the cell's number.
pub fn parse_cells(sides: Option<(u32, u32)>, max_side: u32, text: &str) -> Result<Cells, BoardError> {
    let chars: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let square_board = |cells| (3..=max_side).find(|side| (side * side) as usize == cells);
    let (width, height) = match (sides, square_board(chars.len().saturating_sub(1))) {
        (Some(sides), _) => sides,
        (None, Some(side)) => (side, side),
        (None, None) if square_board(chars.len()).is_some() => {
            let ends_with_side = chars.last().is_some_and(|&last| read_side(last).is_some());
            let missing = if ends_with_side { BoardError::NoSideOrSize } else { BoardError::NoSide };
            return Err(missing(chars.len()));
        }
        (None, None) => return Err(BoardError::UnknownSize { found: chars.len(), max_side }),
    };
    let expected = (width * height) as usize;
    if chars.len() == expected {
        return Err(BoardError::NoSide(expected));
    }
    if chars.len() != expected + 1 {
        return Err(BoardError::Length { found: chars.len(), width, height });
    }
    let cells = chars[..expected].iter().enumerate();
    let cells = cells.map(|(place, &found)| match (read_side(found), found) {
        (None, '-' | '.') => Ok(None),
        (None, _) => Err(BoardError::Cell { place: place + 1, found }),
        (color, _) => Ok(color),
    });
    let cells = cells.collect::<Result<_, _>>()?;
    let to_move = read_side(chars[expected]).ok_or(BoardError::Side(chars[expected]))?;
    Ok(Cells { width, height, cells, to_move })
}

/// Black `X x * B b`, White `O o 0 W w`.
pub fn read_side(symbol: char) -> Option<Color> {
    match symbol {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Color::Black),
        'O' | 'o' | '0' | 'W' | 'w' => Some(Color::White),
        _ => None,
    }
}

/// A cell as it is written: `X`, `O` or `-`.
pub fn symbol(cell: Option<Color>) -> char {
    cell.map_or('-', Color::symbol)
}

/// Cells row by row and then the side to move, on a square board: see [`parse_board`].
impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Board, BoardError> {
        parse_board(None, text)
    }
}

/// Cells row by row, a space, the side to move.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: String = self.geometry.squares().map(|square| symbol(self.disc(square))).collect();
        write!(f, "{cells} {}", self.to_move.symbol())
    }
}

impl Board {
    /// The board as a picture with coordinates, one row a line.
    ///
    /// ```
    /// use reversi::rules::{Geometry, Start};
    /// let rows = ["  a b c d", "1 - - - -", "2 - O X -", "3 - X O -", "4 - - - -", ""];
    /// assert_eq!(Geometry::FOUR.start(Start::Diagonal).drawing(), rows.join("\n"));
    /// ```
    pub fn drawing(&self) -> String {
        let cell = |column, row| symbol(self.disc(Square::at(column, row)));
        draw(self.geometry.width(), self.geometry.height(), cell)
    }
}

/// A picture of any board with coordinates, one row a line; `cell` is asked for each column and row.
///
/// ```
/// use reversi::rules::notation::draw;
/// let drawing = draw(3, 10, |column, row| if column == row { 'X' } else { '-' });
/// let rows: Vec<&str> = drawing.lines().collect();
/// assert_eq!(rows[0], "   a b c");
/// assert_eq!(rows[2], " 2 - X -");
/// assert_eq!(rows[10], "10 - - -");
/// ```
pub fn draw(width: u32, height: u32, cell: impl Fn(u32, u32) -> char) -> String {
    let margin = height.to_string().len();
    let mut text = " ".repeat(margin);
    for column in 0..width {
        text.extend([' ', (b'a' + column as u8) as char]);
    }
    text.push('\n');
    for row in 0..height {
        text.push_str(&format!("{:>margin$}", row + 1));
        for column in 0..width {
            text.extend([' ', cell(column, row)]);
        }
        text.push('\n');
    }
    text
}
