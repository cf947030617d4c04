//! The shapes of the evaluation: groups of squares, repeated by the symmetries of the board. Those of 6x6 and 8x8 are
//! drawn, those of other boards derived.

use super::derived_shapes::masks_of;
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

/// Shapes of the 8x8 board: the classic edges, corners, lines and diagonals (M. Buro, "From Simple Features to
/// Sophisticated Evaluation Functions", 1998), joined with squares next to them, up to ten a shape, which takes no more
/// look-ups.
const EIGHT: &[&str] = &[
    "########
     -#----#-",
    "#####
     #####",
    "####
     ###
     ##
     #",
    "###
     ###
     ###",
    "#------#
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
    "##------
     --#-----
     ---#----
     ----#---
     -----#--
     ------#-
     -------#
     -------#",
    "-##-----
     -#-#----
     ----#---
     -----#--
     ------#-
     -------#
     ------##",
    "---##---
     ----##--
     -----##-
     ------##
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

/// The shapes of a board: those of its upright form (no more columns than rows), transposed with it, in the same order.
/// `None` for boards with a side of three, which have no learned evaluation.
pub(super) fn shapes_of(geometry: Geometry) -> Option<Vec<Shape>> {
    let upright = geometry.upright();
    let masks = match upright {
        Geometry::SIX => drawn(SIX),
        Geometry::EIGHT => drawn(EIGHT),
        _ => masks_of(upright)?,
    };
    Some(turned_shapes(geometry, masks))
}

/// The shapes of masks on the upright board.
fn turned_shapes(geometry: Geometry, masks: Vec<u64>) -> Vec<Shape> {
    let upright = geometry.upright();
    let shapes = masks.into_iter().map(|mask| shape_of(upright, mask));
    match geometry == upright {
        true => shapes.collect(),
        false => shapes.map(Shape::transposed).collect(),
    }
}

fn drawn(drawings: &[&str]) -> Vec<u64> {
    drawings.iter().map(|drawing| parse(drawing)).collect()
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
    /// The same shape on the board with columns and rows exchanged.
    fn transposed(mut self) -> Shape {
        for square in self.instances.iter_mut().flatten() {
            *square = square.transposed();
        }
        self
    }

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
    use super::super::features::MAX_BANKS;
    use super::super::lanes::LANES;
    use super::*;

    /// Every board with a learned evaluation, both orientations.
    fn boards() -> impl Iterator<Item = Geometry> {
        (4..=8).flat_map(|width| (4..=8).map(move |height| Geometry::new(width, height).unwrap()))
    }

    /// The shapes of all of them.
    fn sets() -> impl Iterator<Item = (Geometry, Vec<Shape>)> {
        boards().filter_map(|geometry| Some((geometry, shapes_of(geometry)?)))
    }

    #[test]
    fn every_square_is_in_a_shape() {
        for (geometry, shapes) in sets() {
            let seen = shapes.iter().flat_map(|shape| shape.instances.iter().flatten());
            assert_eq!(seen.fold(0, |mask, square| mask | square.bit()), geometry.mask(), "{geometry}");
        }
        assert!(shapes_of(Geometry::new(8, 3).unwrap()).is_none());
    }

    #[test]
    fn images_and_reorderings_make_up_the_group() {
        for (geometry, shapes) in sets() {
            for shape in shapes {
                let symmetries = Symmetry::all(geometry).len();
                assert_eq!(shape.instances.len() * shape.reorderings.len(), symmetries, "{geometry}");
                assert_eq!(shape.reorderings[0], (0..shape.size() as usize).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn symmetries_map_instances_to_instances() {
        let mask_of = |squares: &Vec<Square>| squares.iter().fold(0, |mask, square| mask | square.bit());
        for (geometry, shapes) in sets() {
            for shape in shapes {
                let masks: Vec<u64> = shape.instances.iter().map(mask_of).collect();
                for symmetry in Symmetry::all(geometry) {
                    let is_instance = |&mask: &u64| masks.contains(&symmetry.apply_mask(geometry, mask));
                    assert!(masks.iter().all(is_instance), "{geometry} {symmetry:?}");
                }
            }
        }
    }

    #[test]
    fn all_instances_have_a_lane_and_all_fillings_an_index() {
        for (geometry, shapes) in sets() {
            let instances: usize = shapes.iter().map(|shape| shape.instances.len()).sum();
            assert!(instances <= MAX_BANKS * LANES, "{geometry}: {instances}");
            assert!(shapes.iter().all(|shape| shape.fillings() <= 1 << u16::BITS), "{geometry}");
        }
    }
}
