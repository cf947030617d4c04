//! The turns and mirrors of a board, and the one image that stands for all of them.

use super::geometry::{Geometry, Square};
use super::position::Position;

/// One of the eight symmetries of a square, as three bits applied in this order:
/// bit 2 transposes (a2 to b1), then bit 0 mirrors the columns, then bit 1 mirrors the rows.
///
/// Rectangles only have the four without bit 2. Files and reports number them 0 to 7 as here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symmetry(u8);

const ALL: [Symmetry; 8] =
    [Symmetry(0), Symmetry(1), Symmetry(2), Symmetry(3), Symmetry(4), Symmetry(5), Symmetry(6), Symmetry(7)];

impl Symmetry {
    /// Leaves everything in place.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// The symmetries of a board in their fixed order: eight if it is square, else four.
    pub const fn all(geometry: Geometry) -> &'static [Symmetry] {
        if geometry.is_square() { &ALL } else { ALL.split_at(4).0 }
    }

    /// Its number, 0 to 7.
    pub const fn number(self) -> u32 {
        self.0 as u32
    }

    const fn mirrors_columns(self) -> bool {
        self.0 & 1 != 0
    }

    const fn mirrors_rows(self) -> bool {
        self.0 & 2 != 0
    }

    const fn transposes(self) -> bool {
        self.0 & 4 != 0
    }

    /// The symmetry that undoes this one.
    pub const fn inverse(self) -> Symmetry {
        match self.0 {
            // Transposing first turns a mirror of columns into a mirror of rows.
            5 => Symmetry(6),
            6 => Symmetry(5),
            same => Symmetry(same),
        }
    }

    /// The image of a mask. `self` must be a symmetry of `geometry`.
    #[inline]
    pub const fn apply_mask(self, geometry: Geometry, mask: u64) -> u64 {
        let mut image = mask;
        if self.transposes() {
            image = transpose(image);
        }
        if self.mirrors_columns() {
            image = mirror_columns(image) >> (8 - geometry.width());
        }
        if self.mirrors_rows() {
            image = image.swap_bytes() >> (8 * (8 - geometry.height()));
        }
        image
    }

    /// The image of a position.
    #[inline]
    pub const fn apply(self, geometry: Geometry, position: Position) -> Position {
        Position {
            player: self.apply_mask(geometry, position.player),
            opponent: self.apply_mask(geometry, position.opponent),
        }
    }

    /// The image of a square.
    pub const fn apply_square(self, geometry: Geometry, square: Square) -> Square {
        Square::from_index(self.apply_mask(geometry, square.bit()).trailing_zeros())
    }
}

/// The canonical form: the least image under the board's symmetries, comparing the player's mask
/// as a number and then the opponent's; with the first symmetry, in their fixed order, that reaches it.
///
/// ```
/// use reversi_rules::{Board, symmetry, Geometry, Start};
/// let position = Board::start(Geometry::SIX, Start::Diagonal).position();
/// let (canonical, symmetry) = symmetry::canonical(Geometry::SIX, position);
/// assert_eq!(symmetry.inverse().apply(Geometry::SIX, canonical), position);
/// ```
pub fn canonical(geometry: Geometry, position: Position) -> (Position, Symmetry) {
    let mut least = (position, Symmetry::IDENTITY);
    for &symmetry in &Symmetry::all(geometry)[1..] {
        let image = symmetry.apply(geometry, position);
        if image < least.0 {
            least = (image, symmetry);
        }
    }
    least
}

/// Reverses the bits of each byte: column a becomes column h.
const fn mirror_columns(mask: u64) -> u64 {
    mask.swap_bytes().reverse_bits()
}

/// Swaps rows and columns: three rounds of block swaps (Hacker's Delight, section 7-3).
const fn transpose(mut mask: u64) -> u64 {
    let mut t = (mask ^ (mask >> 7)) & 0x00AA_00AA_00AA_00AA;
    mask ^= t ^ (t << 7);
    t = (mask ^ (mask >> 14)) & 0x0000_CCCC_0000_CCCC;
    mask ^= t ^ (t << 14);
    t = (mask ^ (mask >> 28)) & 0x0000_0000_F0F0_F0F0;
    mask ^ (t ^ (t << 28))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards() -> impl Iterator<Item = Geometry> {
        (3..=8).flat_map(|width| (3..=8).map(move |height| Geometry::new(width, height).unwrap()))
    }

    #[test]
    fn inverses_undo() {
        for geometry in boards() {
            for &symmetry in Symmetry::all(geometry) {
                for square in geometry.squares() {
                    let image = symmetry.apply_square(geometry, square);
                    assert!(geometry.contains(image), "{geometry} {symmetry:?} {square}");
                    assert_eq!(
                        symmetry.inverse().apply_square(geometry, image),
                        square,
                        "{geometry} {symmetry:?}"
                    );
                }
            }
        }
    }
}
