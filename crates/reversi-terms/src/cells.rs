//! How boards are written: their cells, then the side to move.

use crate::Color;

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
    #[error("{found} characters, but {width}x{height} has {} cells and then the side to move (X or O)", width * height)]
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
        "{found} characters are no square board from 3x3 to {max_side}x{max_side} ({} cells and the side to move make {} {}x{} board); for other boards name the size",
        example_side(*found).pow(2),
        if example_side(*found) == 8 { "an" } else { "a" },
        example_side(*found),
        example_side(*found)
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
    /// As many characters as a square board has cells; the last one could also be the side to move, after too few cells
    /// or on a board that is not square.
    #[error(
        "the side to move is missing after the {0} cells: add X or O; if the last sign is the side to move, a cell is missing; if the board is not square, name its size"
    )]
    NoSideOrSize(usize),
    /// `0` stands for White or for empty, and the text does not say which.
    #[error(
        "0 may stand for White (on a board whose empty squares are - or .) or for an empty square; the text does not say which"
    )]
    Zero,
    /// The last character names no side.
    #[error("'{}' is no side to move; write X (Black) or O (White)", .0.escape_debug())]
    Side(char),
}

/// The side of the board that a message names as an example: 8 where the text has about as many cells.
fn example_side(found: usize) -> usize {
    if (58..=72).contains(&found) { 8 } else { 6 }
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

/// Reads cells and side to move for a board of `sides` (columns, rows), or else for the square board from 3x3 to
/// `max_side` that has as many cells. White space is ignored.
///
/// # Errors
/// The first fault found; a wrong cell is numbered from 1 in row-major order.
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

/// A picture of any board with coordinates, one row a line; `cell` gives the character for each column and row (both
/// from 0).
///
/// ```
/// use reversi_terms::notation::draw;
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
