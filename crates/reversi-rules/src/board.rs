//! A position with colours and its board: what people write down.

use super::geometry::{Geometry, Square};
use super::position::{Move, Position};
use reversi_naive as naive;
use reversi_terms::notation::{draw, symbol};
use reversi_terms::{Color, Start};
use std::fmt;

/// A position with colours, on a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    /// The board it stands on.
    pub geometry: Geometry,
    /// Black's discs.
    pub black: u64,
    /// White's discs.
    pub white: u64,
    /// The side to move.
    pub to_move: Color,
}

impl Board {
    /// The first position, Black to move. Boards with an odd side start in the block nearest to a1.
    ///
    /// ```
    /// use reversi_rules::{Board, Geometry, Start};
    /// let board = Board::start(Geometry::FOUR, Start::Diagonal);
    /// assert_eq!(board.to_string(), "-----OX--XO----- X");
    /// ```
    pub const fn start(geometry: Geometry, start: Start) -> Board {
        let (column, row) = ((geometry.width() - 2) / 2, (geometry.height() - 2) / 2);
        let top_left = Square::at(column, row).bit();
        let top_right = Square::at(column + 1, row).bit();
        let bottom_left = Square::at(column, row + 1).bit();
        let bottom_right = Square::at(column + 1, row + 1).bit();
        let (white, black) = match start {
            Start::Diagonal => (top_left | bottom_right, top_right | bottom_left),
            Start::Parallel => (top_left | top_right, bottom_left | bottom_right),
        };
        Board { geometry, black, white, to_move: Color::Black }
    }

    /// The board of a position in which the side to move has the colour `to_move`.
    pub const fn from_position(geometry: Geometry, position: Position, to_move: Color) -> Board {
        let (black, white) = match to_move {
            Color::Black => (position.player, position.opponent),
            Color::White => (position.opponent, position.player),
        };
        Board { geometry, black, white, to_move }
    }

    /// The position without colours.
    pub const fn position(self) -> Position {
        match self.to_move {
            Color::Black => Position { player: self.black, opponent: self.white },
            Color::White => Position { player: self.white, opponent: self.black },
        }
    }

    /// The disc on a square.
    pub const fn disc(self, square: Square) -> Option<Color> {
        match (self.black & square.bit() != 0, self.white & square.bit() != 0) {
            (true, _) => Some(Color::Black),
            (_, true) => Some(Color::White),
            _ => None,
        }
    }

    /// The board after a legal move, a pass included; `None` if the move is not legal here.
    pub fn after(self, mv: Move) -> Option<Board> {
        let position = self.position();
        let next = position.is_legal(self.geometry, mv).then(|| position.after(mv))?;
        Some(Board::from_position(self.geometry, next, self.to_move.other()))
    }

    /// The same position in 64-bit masks; `None` beyond 8x8.
    pub fn from_naive(board: &naive::Board) -> Option<Board> {
        let (player, opponent) = board.to_masks()?;
        let (black, white) = match board.to_move() {
            Color::Black => (player, opponent),
            Color::White => (opponent, player),
        };
        Some(Board { geometry: Geometry::from_size(board.size())?, black, white, to_move: board.to_move() })
    }

    /// The board as a picture with coordinates, one row a line.
    ///
    /// ```
    /// use reversi_rules::{Board, Geometry, Start};
    /// let rows = ["  a b c d", "1 - - - -", "2 - O X -", "3 - X O -", "4 - - - -", ""];
    /// assert_eq!(Board::start(Geometry::FOUR, Start::Diagonal).drawing(), rows.join("\n"));
    /// ```
    pub fn drawing(&self) -> String {
        let cell = |column, row| symbol(self.disc(Square::at(column, row)));
        draw(self.geometry.width(), self.geometry.height(), cell)
    }
}

/// Cells row by row, a space, the side to move.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: String = self.geometry.squares().map(|square| symbol(self.disc(square))).collect();
        write!(f, "{cells} {}", self.to_move.symbol())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({} {self})", self.geometry)
    }
}

/// The same position on the plain array. Discs outside the geometry, which no valid board has, are left out.
impl From<Board> for naive::Board {
    fn from(bits: Board) -> naive::Board {
        let mut board = naive::Board::empty(bits.geometry.into(), bits.to_move);
        for square in bits.geometry.squares() {
            board.set(square.column(), square.row(), bits.disc(square));
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_naive::Size;

    #[test]
    fn an_illegal_move_is_refused() {
        let board = Board::start(Geometry::SIX, Start::Diagonal);
        assert_eq!(board.after(Move::Play(Square::at(0, 0))), None);
        assert_eq!(board.after(Move::Play(Square::at(7, 7))), None, "off the board");
        assert_eq!(board.after(Move::Pass), None, "Black has moves");
        assert!(board.after(Move::Play(Square::at(2, 1))).is_some());
    }

    #[test]
    fn odd_boards_start_in_the_block_nearest_a1() {
        let board = Board::start(Geometry::new(5, 3).unwrap(), Start::Diagonal);
        assert_eq!(board.to_string(), "-OX---XO------- X");
        let board = Board::start(Geometry::SIX, Start::Parallel);
        assert_eq!(board.to_string(), "--------------OO----XX-------------- X");
    }

    #[test]
    fn there_and_back_is_the_same() {
        for (width, height) in [(3, 3), (4, 6), (8, 5), (8, 8)] {
            let bits = Board::start(Geometry::new(width, height).unwrap(), Start::Diagonal);
            let board = naive::Board::from(bits);
            assert_eq!(board, naive::Board::start(bits.geometry.into(), Start::Diagonal));
            assert_eq!(Board::from_naive(&board), Some(bits));
            assert_eq!(board.pass().to_masks(), Some((bits.white, bits.black)));
        }
        let large = naive::Board::start(Size::new(9, 3).unwrap(), Start::Diagonal);
        assert_eq!(Board::from_naive(&large), None);
    }
}
