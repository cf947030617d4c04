//! Which squares a board has.

use reversi_naive::Size;
use std::fmt;
use std::str::FromStr;

/// A square of a board up to 8x8: `8 * row + column`, `a1` = 0, whatever the width of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// The square in `column` (a = 0) and `row` (1 = 0).
    ///
    /// # Panics
    /// If either is 8 or more.
    pub const fn at(column: u32, row: u32) -> Square {
        assert!(column < 8 && row < 8, "a bitboard has 8 columns and 8 rows");
        Square((8 * row + column) as u8)
    }

    /// The square of bit `index`.
    ///
    /// # Panics
    /// If `index` is 64 or more.
    #[inline]
    pub const fn from_index(index: u32) -> Square {
        assert!(index < 64, "a bitboard has 64 squares");
        Square(index as u8)
    }

    /// Bit index, 0 to 63.
    pub const fn index(self) -> u32 {
        self.0 as u32
    }

    /// The mask with only this square.
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Column, a = 0.
    pub const fn column(self) -> u32 {
        self.0 as u32 % 8
    }

    /// Row, 1 = 0.
    pub const fn row(self) -> u32 {
        self.0 as u32 / 8
    }

    /// The square with column and row exchanged: b1 of a2.
    pub const fn transposed(self) -> Square {
        Square::at(self.row(), self.column())
    }
}

/// The squares of a mask in row-major order.
pub fn squares_of(mut mask: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let square = Square::from_index(mask.trailing_zeros());
        mask &= mask - 1;
        Some(square)
    })
}

/// The squares of a mask and all squares next to them, diagonals included. On a board with a side below eight the
/// result can hold squares off the board.
#[inline]
pub const fn around(mask: u64) -> u64 {
    let row = (mask << 1 & 0xFEFE_FEFE_FEFE_FEFE) | (mask >> 1 & 0x7F7F_7F7F_7F7F_7F7F) | mask;
    row | row << 8 | row >> 8
}

/// An m x n board inside 64 bits: 3 to 8 columns, 3 to 8 rows.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Geometry {
    width: u8,
    height: u8,
}

/// A board size outside 3x3 to 8x8, or a text that is no size at all.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GeometryError {
    /// Not of the form `6x6`.
    #[error("\"{0}\" is no board size; write columns x rows, as in 6x6 or 4x8")]
    Syntax(String),
    /// A side is too short or too long.
    #[error("{0}x{1} is outside the supported boards, 3x3 to 8x8")]
    Size(u32, u32),
}

impl Geometry {
    /// The 4x4 board.
    pub const FOUR: Geometry = Geometry { width: 4, height: 4 };
    /// The 6x6 board.
    pub const SIX: Geometry = Geometry { width: 6, height: 6 };
    /// The usual 8x8 board.
    pub const EIGHT: Geometry = Geometry { width: 8, height: 8 };

    /// A board of `width` columns and `height` rows, each 3 to 8.
    ///
    /// # Errors
    /// [`GeometryError::Size`] when a side is out of range.
    pub const fn new(width: u32, height: u32) -> Result<Geometry, GeometryError> {
        if width < 3 || width > 8 || height < 3 || height > 8 {
            return Err(GeometryError::Size(width, height));
        }
        Ok(Geometry { width: width as u8, height: height as u8 })
    }

    /// The board of a size of the naive rules; `None` beyond 8x8.
    pub fn from_size(size: Size) -> Option<Geometry> {
        Geometry::new(size.width(), size.height()).ok()
    }

    /// Columns, 3 to 8.
    pub const fn width(self) -> u32 {
        self.width as u32
    }

    /// Rows, 3 to 8.
    pub const fn height(self) -> u32 {
        self.height as u32
    }

    /// Number of squares, 9 to 64.
    pub const fn square_count(self) -> u32 {
        self.width() * self.height()
    }

    /// Whether the board has as many columns as rows, and so eight symmetries instead of four.
    pub const fn is_square(self) -> bool {
        self.width == self.height
    }

    /// The board with columns and rows exchanged: 7x6 of 6x7.
    pub const fn transposed(self) -> Geometry {
        Geometry { width: self.height, height: self.width }
    }

    /// This board or its transposed one, the one with no more columns than rows: 6x7 of both 6x7 and 7x6.
    pub const fn upright(self) -> Geometry {
        if self.width > self.height { self.transposed() } else { self }
    }

    /// The mask of all squares of the board.
    pub const fn mask(self) -> u64 {
        let row = (1u64 << self.width) - 1;
        (row * 0x0101_0101_0101_0101) & (u64::MAX >> (8 * (8 - self.height as u32)))
    }

    /// The four corners.
    pub const fn corners(self) -> u64 {
        let row = 1 | 1 << (self.width() - 1);
        row | row << (8 * (self.height() - 1))
    }

    /// The squares of the outer rows and columns.
    pub const fn edges(self) -> u64 {
        let row = (1u64 << self.width()) - 1;
        let column = 0x0101_0101_0101_0101 & self.mask();
        row | row << (8 * (self.height() - 1)) | column | column << (self.width() - 1)
    }

    /// Whether the square is on this board.
    pub const fn contains(self, square: Square) -> bool {
        square.column() < self.width() && square.row() < self.height()
    }

    /// The square's place in row-major order without gaps, 0 to `square_count() - 1`.
    pub const fn row_major(self, square: Square) -> u32 {
        square.row() * self.width() + square.column()
    }

    /// The square at a place in row-major order without gaps.
    ///
    /// # Panics
    /// If `place` is not below [`Geometry::square_count`].
    pub const fn at_row_major(self, place: u32) -> Square {
        assert!(place < self.square_count(), "no such square on this board");
        Square::at(place % self.width(), place / self.width())
    }

    /// All squares in row-major order.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        squares_of(self.mask())
    }
}

impl From<Geometry> for Size {
    fn from(geometry: Geometry) -> Size {
        Size::new(geometry.width(), geometry.height()).expect("3x3 to 8x8 are sizes of the plain array too")
    }
}

impl fmt::Display for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}x{}", self.width, self.height))
    }
}

impl fmt::Debug for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Geometry {
    type Err = GeometryError;

    fn from_str(text: &str) -> Result<Geometry, GeometryError> {
        let sides = reversi_terms::notation::parse_sides(text);
        let (width, height) = sides.ok_or_else(|| GeometryError::Syntax(text.to_owned()))?;
        Geometry::new(width, height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_has_three_neighbours_and_a_board_four_corners() {
        assert_eq!(around(1) & !1, 0x302);
        assert_eq!(around(1 << 63) & !(1 << 63), 0x40C0 << 48);
        assert_eq!(around(1 << 7) & !(1 << 7), 0xC040);
        assert_eq!(Geometry::new(4, 3).unwrap().corners(), 0x9_0009);
        assert_eq!(Geometry::EIGHT.corners(), 0x8100_0000_0000_0081);
    }

    #[test]
    fn transposing_exchanges_columns_and_rows() {
        let [lying, upright] = [Geometry::new(7, 6).unwrap(), Geometry::new(6, 7).unwrap()];
        assert_eq!((lying.upright(), upright.upright(), lying.transposed()), (upright, upright, upright));
        for square in lying.squares() {
            assert!(upright.contains(square.transposed()));
            assert_eq!(square.transposed().transposed(), square);
        }
    }

    #[test]
    fn masks_hold_as_many_squares_as_the_board() {
        for width in 3..=8 {
            for height in 3..=8 {
                let geometry = Geometry::new(width, height).unwrap();
                assert_eq!(geometry.mask().count_ones(), width * height, "{geometry}");
                assert!(geometry.squares().all(|square| geometry.contains(square)));
                assert_eq!(geometry.edges().count_ones(), 2 * (width + height) - 4, "{geometry}");
                for square in geometry.squares() {
                    let in_column = square.column() % (width - 1) == 0;
                    let in_row = square.row() % (height - 1) == 0;
                    assert_eq!(
                        geometry.edges() & square.bit() != 0,
                        in_column || in_row,
                        "{geometry} {square}"
                    );
                    assert_eq!(
                        geometry.corners() & square.bit() != 0,
                        in_column && in_row,
                        "{geometry} {square}"
                    );
                }
                for (place, square) in geometry.squares().enumerate() {
                    assert_eq!(geometry.row_major(square), place as u32);
                    assert_eq!(geometry.at_row_major(place as u32), square);
                }
            }
        }
    }
}
