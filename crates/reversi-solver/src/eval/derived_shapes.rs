//! The shapes of a board without drawings of its own, derived from its geometry: edges with the X-squares, corner
//! blocks, rows, columns and diagonals.

use reversi_rules::{Geometry, Square, Symmetry};

/// Squares of the longer side of the two-row block at a corner. A block of five squares, as on 8x8, has nine times as
/// many weights.
const BLOCK: u32 = 4;

/// Shorter diagonals are part of corner blocks.
const LEAST_DIAGONAL: u32 = 4;

/// Columns and rows of the squares of a shape.
type Cells = Vec<(u32, u32)>;

/// One mask for each shape of an upright board (no more columns than rows), without its images; `None` for boards
/// narrower than four columns.
pub(super) fn masks_of(geometry: Geometry) -> Option<Vec<u64>> {
    let (width, height) = (geometry.width(), geometry.height());
    if width < 4 {
        return None;
    }
    let mut masks = Vec::new();
    let mut add = |cells: Cells| {
        let mask = cells.iter().fold(0, |mask, &(column, row)| mask | Square::at(column, row).bit());
        let is_image = |&known: &u64| {
            Symmetry::all(geometry).iter().any(|symmetry| symmetry.apply_mask(geometry, mask) == known)
        };
        if !masks.iter().any(is_image) {
            masks.push(mask);
        }
    };
    // A shape along a row and one along a column are images of each other on square boards only.
    add(edge(width));
    add(turned(edge(height)));
    add(block(3, 3));
    add(block(BLOCK, 2));
    add(block(2, BLOCK));
    (1..height - 1).for_each(|row| add((0..width).map(|column| (column, row)).collect()));
    (1..width - 1).for_each(|column| add((0..height).map(|row| (column, row)).collect()));
    let firsts = (0..width).map(|column| (column, 0)).chain((1..height).map(|row| (0, row)));
    for (column, row) in firsts {
        let length = (width - column).min(height - row);
        if length >= LEAST_DIAGONAL {
            add((0..length).map(|step| (column + step, row + step)).collect());
        }
    }
    Some(masks)
}

/// The first row of this length with the X-squares, those diagonally next to its corners.
fn edge(length: u32) -> Cells {
    (0..length).map(|column| (column, 0)).chain([(1, 1), (length - 2, 1)]).collect()
}

/// A block of squares at the first corner.
fn block(columns: u32, rows: u32) -> Cells {
    (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))).collect()
}

/// The same along a column instead of a row.
fn turned(cells: Cells) -> Cells {
    cells.into_iter().map(|(column, row)| (row, column)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masks(size: &str) -> Vec<u64> {
        masks_of(size.parse().unwrap()).unwrap()
    }

    #[test]
    fn edges_hold_the_squares_next_to_the_corners() {
        let drawn = |rows: [u64; 6]| rows.iter().rev().fold(0, |mask, row| mask << 8 | row);
        let [across, down] = [masks("5x6")[0], masks("5x6")[1]];
        assert_eq!(across, drawn([0b11111, 0b01010, 0, 0, 0, 0]));
        assert_eq!(down, drawn([0b01, 0b11, 0b01, 0b01, 0b11, 0b01]));
    }

    #[test]
    fn no_shape_is_listed_twice() {
        // Edge, 3x3, 4x2, row 2, row 3, diagonals of five and four.
        assert_eq!(masks("5x5").len(), 7);
        // Two edges, 3x3, 4x2, 2x4, rows 2 to 4, columns 2 and 3, the diagonals of a1 (and a2), b1 (a3) and c1 (a4).
        assert_eq!(masks("6x7").len(), 5 + 3 + 2 + 3);
    }

    #[test]
    fn boards_of_three_columns_have_no_shapes() {
        assert_eq!(masks_of(Geometry::new(3, 8).unwrap()), None);
    }
}
