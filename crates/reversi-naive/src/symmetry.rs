//! The turns and mirrors of a board as maps of coordinates, and the least image.

use super::{Board, Size};

/// The numbers of the symmetries of a board: 0 to 7 if it is square, else 0 to 3.
///
/// The bits of a number are applied in this order: bit 2 transposes, then bit 0 mirrors the
/// columns, then bit 1 mirrors the rows.
#[inline]
pub fn symmetries(size: Size) -> std::ops::Range<u32> {
    if size.width == size.height { 0..8 } else { 0..4 }
}

/// Where a symmetry takes a square, as (column, row).
///
/// # Panics
/// If the board has no symmetry of that number.
#[inline]
pub fn image_of(size: Size, symmetry: u32, (column, row): (u32, u32)) -> (u32, u32) {
    assert!(symmetries(size).contains(&symmetry), "a {size} board has no symmetry {symmetry}");
    let (mut column, mut row) = (column, row);
    if symmetry & 4 != 0 {
        (column, row) = (row, column);
    }
    if symmetry & 1 != 0 {
        column = size.width - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = size.height - 1 - row;
    }
    (column, row)
}

impl Board {
    /// The board turned by a symmetry; the side to move stays.
    ///
    /// # Panics
    /// If the board has no symmetry of that number.
    pub fn image(&self, symmetry: u32) -> Board {
        let mut image = Board::empty(self.size, self.to_move);
        for (column, row) in self.size.squares() {
            let (to_column, to_row) = image_of(self.size, symmetry, (column, row));
            image.set(to_column, to_row, self.cell(column, row));
        }
        image
    }

    /// The canonical form, and the first symmetry that leads to it. The canonical form is the least image: first by the
    /// mover's discs as a number, in which the square in `column` and `row` is bit `8 * row + column`, then by the
    /// other side's discs. On boards beyond 8x8 it is bit `width * row + column`. In either numbering the last square
    /// that differs decides.
    pub fn canonical(&self) -> (Board, u32) {
        let images = symmetries(self.size).map(|symmetry| (self.image(symmetry), symmetry));
        images.min_by_key(|(image, symmetry)| (image.in_order(), *symmetry)).expect("the identity is there")
    }

    /// The discs of the mover from the last square to the first, then those of the other side.
    fn in_order(&self) -> (Vec<bool>, Vec<bool>) {
        let discs_of = |color| self.cells.iter().rev().map(|&cell| cell == Some(color)).collect();
        (discs_of(self.to_move), discs_of(self.to_move.other()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_terms::Color;

    #[test]
    fn the_images_of_a_corner_and_its_neighbour_are_all_different() {
        for (width, height) in [(3, 3), (4, 4), (4, 6), (24, 24), (9, 24)] {
            let size = Size::new(width, height).unwrap();
            let mut board = Board::empty(size, Color::Black);
            board.set(0, 0, Some(Color::Black));
            board.set(1, 0, Some(Color::White));
            let images: std::collections::HashSet<Board> = symmetries(size).map(|s| board.image(s)).collect();
            assert_eq!(images.len(), if width == height { 8 } else { 4 });
            for image in images {
                assert_eq!(image.canonical().0, board, "a1 is the lowest bit, b1 comes before a2");
            }
        }
    }
}
