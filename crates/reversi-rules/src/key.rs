//! Packs a position into one number, and unpacks it.
//!
//! A key is a base-3 number with one digit a square: 0 empty, 1 the side to move, 2 the other side.
//! The digit of `a1` is the least significant one, then row by row: the square in column `c` and row
//! `r` (both from 0) of a board `w` columns wide weighs `3^(r * w + c)`. Colour is not kept.
//!
//! Tables hold *canonical* keys: those of the canonical form of [`crate::symmetry::canonical`],
//! which is the image whose mask of the player's discs is least, then the opponent's, where `a1` is
//! bit 0 and the square in column `c` and row `r` bit `8 * r + c`.
//!
//! Up to [`MAX_SQUARES`] squares fit in 64 bits, so a 6x6 key takes 58 bits and 8x8 has none.

use crate::{Geometry, Position, Symmetry, symmetry};

/// The most squares a board may have to be packed in 64 bits: 3^40 < 2^64 < 3^41.
pub const MAX_SQUARES: u32 = 40;

/// Whether positions of this board have keys: it has at most [`MAX_SQUARES`] squares.
pub const fn has_keys(geometry: Geometry) -> bool {
    geometry.square_count() <= MAX_SQUARES
}

/// The key of a position as it stands, not turned to its canonical form.
///
/// # Panics
/// If the board has more than [`MAX_SQUARES`] squares, see [`has_keys`]. With debug assertions also if the
/// position is not one of this board, see [`Position::is_on`]; without them its key then means nothing.
///
/// ```
/// use reversi_rules::{Geometry, Position};
/// use reversi_rules::key;
/// let b1_against_a2 = Position::new(1 << 1, 1 << 8);
/// assert_eq!(key::pack(Geometry::FOUR, b1_against_a2), 3 + 2 * 3u64.pow(4));
/// ```
#[inline]
pub fn pack(geometry: Geometry, position: Position) -> u64 {
    assert!(geometry.square_count() <= MAX_SQUARES, "the board is too large for keys");
    debug_assert!(position.is_on(geometry));
    let (mut key, mut weight) = (0, 1u64);
    for row in 0..geometry.height() {
        let player = ROW_WEIGHTS[(position.player >> (8 * row)) as usize & 0xFF];
        let opponent = ROW_WEIGHTS[(position.opponent >> (8 * row)) as usize & 0xFF];
        key += weight * (u64::from(player) + 2 * u64::from(opponent));
        // After the last row the weight may overflow (40 squares), but is not used.
        weight = weight.wrapping_mul(POWERS[geometry.width() as usize]);
    }
    key
}

/// The position of a key; `None` if the number is at least 3 to the power of the number of squares.
///
/// # Panics
/// If the board has more than [`MAX_SQUARES`] squares, see [`has_keys`].
#[inline]
pub fn unpack(geometry: Geometry, mut key: u64) -> Option<Position> {
    assert!(geometry.square_count() <= MAX_SQUARES, "the board is too large for keys");
    let weight = POWERS[geometry.width() as usize];
    let mut position = Position::default();
    for row in 0..geometry.height() {
        let (player, opponent) = ROWS[(key % weight) as usize];
        position.player |= u64::from(player) << (8 * row);
        position.opponent |= u64::from(opponent) << (8 * row);
        key /= weight;
    }
    (key == 0).then_some(position)
}

/// The key of the canonical form, the form itself, and the first symmetry (in their fixed order)
/// that leads to it; its inverse turns a stored move back.
///
/// # Panics
/// As [`pack`].
#[inline]
pub fn canonical(geometry: Geometry, position: Position) -> (u64, Position, Symmetry) {
    let (form, symmetry) = symmetry::canonical(geometry, position);
    (pack(geometry, form), form, symmetry)
}

/// Powers of three, 3^0 to 3^8.
const POWERS: [u64; 9] = {
    let mut powers = [1; 9];
    let mut exponent = 1;
    while exponent < 9 {
        powers[exponent] = 3 * powers[exponent - 1];
        exponent += 1;
    }
    powers
};

/// For every row of up to eight squares, the sum of `3^i` over its set bits `i`.
static ROW_WEIGHTS: [u16; 256] = {
    let mut weights = [0; 256];
    let mut row = 0;
    while row < 256 {
        let mut column = 0;
        while column < 8 {
            if row >> column & 1 != 0 {
                weights[row] += POWERS[column] as u16;
            }
            column += 1;
        }
        row += 1;
    }
    weights
};

/// The player's and the opponent's discs of every row of up to eight squares, by its base-3 number.
static ROWS: [(u8, u8); 6561] = {
    let mut rows = [(0, 0); 6561];
    let mut number = 0;
    while number < 6561 {
        let (mut rest, mut column) = (number, 0);
        while column < 8 {
            match rest % 3 {
                1 => rows[number].0 |= 1 << column,
                2 => rows[number].1 |= 1 << column,
                _ => {}
            }
            rest /= 3;
            column += 1;
        }
        number += 1;
    }
    rows
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, square by square.
    fn slow_key(geometry: Geometry, position: Position) -> u64 {
        geometry
            .squares()
            .map(|square| {
                let weight = 3u64.pow(geometry.row_major(square));
                let player = u64::from(position.player & square.bit() != 0);
                let opponent = u64::from(position.opponent & square.bit() != 0);
                weight * (player + 2 * opponent)
            })
            .sum()
    }

    fn any_board() -> impl Strategy<Value = (Geometry, Position)> {
        (3u32..=8, 3u32..=8, any::<u64>(), any::<u64>())
            .prop_filter("too large for a key", |(width, height, ..)| width * height <= MAX_SQUARES)
            .prop_map(|(width, height, discs, side)| {
                let geometry = Geometry::new(width, height).unwrap();
                let discs = discs & geometry.mask();
                (geometry, Position::new(discs & side, discs & !side))
            })
    }

    proptest! {
        #[test]
        fn keys_follow_the_definition_and_unpack_again((geometry, position) in any_board()) {
            let key = pack(geometry, position);
            prop_assert_eq!(key, slow_key(geometry, position));
            prop_assert_eq!(unpack(geometry, key), Some(position));
        }

        #[test]
        fn symmetric_positions_share_one_canonical_key((geometry, position) in any_board()) {
            let (key, form, symmetry) = canonical(geometry, position);
            prop_assert_eq!(symmetry.inverse().apply(geometry, form), position);
            for turn in Symmetry::all(geometry) {
                prop_assert_eq!(canonical(geometry, turn.apply(geometry, position)).0, key);
            }
        }
    }

    #[test]
    fn the_largest_key_fits_and_the_next_number_is_none() {
        for (width, height) in [(5, 8), (8, 5), (6, 6), (3, 3)] {
            let geometry = Geometry::new(width, height).unwrap();
            let full = Position::new(0, geometry.mask());
            let largest = pack(geometry, full);
            assert_eq!(u128::from(largest), 3u128.pow(width * height) - 1);
            assert_eq!(unpack(geometry, largest), Some(full));
            assert_eq!(unpack(geometry, largest + 1), None);
        }
    }

    #[test]
    fn boards_above_forty_squares_have_no_keys() {
        assert!(has_keys(Geometry::SIX));
        assert!(has_keys(Geometry::new(5, 8).unwrap()));
        for (width, height) in [(6, 7), (7, 6), (8, 8)] {
            assert!(!has_keys(Geometry::new(width, height).unwrap()));
        }
    }

    #[test]
    #[should_panic = "too large for keys"]
    fn no_position_of_a_large_board_is_packed() {
        pack(Geometry::EIGHT, Position::default());
    }

    #[test]
    #[should_panic = "too large for keys"]
    fn no_number_is_a_position_of_a_large_board() {
        unpack(Geometry::EIGHT, 0);
    }
}
