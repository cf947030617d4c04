//! The shapes of the evaluation: groups of squares, repeated by the symmetries of the board.

use reversi_rules::geometry::squares_of;
use reversi_rules::{Geometry, Square, Symmetry};

/// Shapes of the 6x6 board, drawn with `#`; the symmetries of the board repeat each of them.
const SIX: &[&str] = &[
    "######
     -#--#-",
    "###
     ###
     ###",
    "------
     ######",
    "------
     ------
     ######",
    "#-----
     -#----
     --#---
     ---#--
     ----#-
     -----#",
    "-#----
     --#---
     ---#--
     ----#-
     -----#",
    "####
     ####",
];

/// Shapes of the 8x8 board: the classic set of edges, corners, lines and diagonals (M. Buro, "From
/// Simple Features to Sophisticated Evaluation Functions", 1998).
const EIGHT: &[&str] = &[
    "########
     -#----#-",
    "#####
     #####",
    "###
     ###
     ###",
    "--------
     ########",
    "--------
     --------
     ########",
    "--------
     --------
     --------
     ########",
    "#-------
     -#------
     --#-----
     ---#----
     ----#---
     -----#--
     ------#-
     -------#",
    "-#------
     --#-----
     ---#----
     ----#---
     -----#--
     ------#-
     -------#",
    "--#-----
     ---#----
     ----#---
     -----#--
     ------#-
     -------#",
    "---#----
     ----#---
     -----#--
     ------#-
     -------#",
    "----#---
     -----#--
     ------#-
     -------#",
];

/// A shape and its images under the symmetries: every instance lists its squares in the same order, so that the
/// instances share weights.
pub(super) struct Shape {
    /// The squares of each instance.
    pub instances: Vec<Vec<Square>>,
    /// The permutations of the squares that map the shape onto itself, the identity first.
    pub reorderings: Vec<Vec<usize>>,
}

/// The shapes of a board; `None` for boards without a learned evaluation.
pub(super) fn shapes_of(geometry: Geometry) -> Option<Vec<Shape>> {
    let drawings = match geometry {
        Geometry::SIX => SIX,
        Geometry::EIGHT => EIGHT,
        _ => return None,
    };
    Some(drawings.iter().map(|drawing| shape_of(geometry, parse(drawing))).collect())
}

fn parse(drawing: &str) -> u64 {
    let mut mask = 0;
    for (row, line) in drawing.lines().enumerate() {
        for (column, cell) in line.trim().chars().enumerate() {
            if cell == '#' {
                mask |= Square::at(column as u32, row as u32).bit();
            }
        }
    }
    mask
}

fn shape_of(geometry: Geometry, mask: u64) -> Shape {
    let squares: Vec<Square> = squares_of(mask).collect();
    let mut places = Vec::new();
    let mut shape = Shape { instances: Vec::new(), reorderings: Vec::new() };
    for &symmetry in Symmetry::all(geometry) {
        let images: Vec<Square> = squares.iter().map(|&s| symmetry.apply_square(geometry, s)).collect();
        let place = symmetry.apply_mask(geometry, mask);
        if place == mask {
            let position_of = |image| squares.iter().position(|&square| square == image);
            shape.reorderings.push(images.iter().filter_map(|&image| position_of(image)).collect());
        }
        if !places.contains(&place) {
            places.push(place);
            shape.instances.push(images);
        }
    }
    shape
}

impl Shape {
    /// Number of squares.
    pub fn size(&self) -> u32 {
        self.reorderings[0].len() as u32
    }

    /// Number of fillings: three to the power of the number of squares.
    pub fn fillings(&self) -> usize {
        3usize.pow(self.size())
    }

    /// The least filling among the mirror images of a filling, which share one weight. Square `i` of the shape is the
    /// digit with value `3^i`.
    pub fn representative(&self, filling: usize) -> usize {
        let digit = |place: usize| filling / 3usize.pow(place as u32) % 3;
        let reordered = |order: &Vec<usize>| {
            order.iter().enumerate().map(|(from, &to)| digit(from) * 3usize.pow(to as u32)).sum()
        };
        self.reorderings.iter().map(reordered).min().unwrap_or(filling)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_in_a_shape() {
        for geometry in [Geometry::SIX, Geometry::EIGHT] {
            let shapes = shapes_of(geometry).unwrap();
            let seen = shapes.iter().flat_map(|shape| shape.instances.iter().flatten());
            assert_eq!(seen.fold(0, |mask, square| mask | square.bit()), geometry.mask(), "{geometry}");
        }
    }

    #[test]
    fn images_and_reorderings_make_up_the_group() {
        for geometry in [Geometry::SIX, Geometry::EIGHT] {
            for shape in shapes_of(geometry).unwrap() {
                assert_eq!(shape.instances.len() * shape.reorderings.len(), 8);
                assert_eq!(shape.reorderings[0], (0..shape.size() as usize).collect::<Vec<_>>());
            }
        }
    }
}
