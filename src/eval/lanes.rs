//! Turns a position into table indices, one lane a shape, by adding up what each piece of the board brings.
//!
//! The index of a shape is a number in base three: for each of its squares 0 if empty, 1 for the
//! player, 2 for the opponent. It is a sum over squares, so it is also a sum over blocks of four
//! squares of a row; for each block and each of its 16 fillings the sums of all lanes are prepared.
//! Adding them is plain arithmetic on arrays, which the compiler turns into vector code on any machine.

use crate::rules::{Position, Square};

/// Lanes of a bank: 64 bytes of `u16`.
pub(super) const LANES: usize = 32;

/// Entries of a bank's table of weights: every `u16` is an index, so no look-up needs a check.
pub(super) const BANK_SIZE: usize = 1 << 16;

/// One index a lane.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Lanes([u16; LANES]);

impl Lanes {
    #[inline(always)]
    fn add(&mut self, other: &Lanes) {
        for lane in 0..LANES {
            self.0[lane] = self.0[lane].wrapping_add(other.0[lane]);
        }
    }
}

/// Up to 32 instances of shapes whose tables of weights lie one after another in one bank.
///
/// Entry 0 of the table belongs to no shape; idle lanes point there.
pub(super) struct Bank {
    /// Where each lane's table begins.
    first: Lanes,
    /// For each block of four squares, by the discs on it: what the lanes gain.
    blocks: Vec<[Lanes; 16]>,
    lanes: usize,
    used: usize,
}

impl Bank {
    /// An empty bank for a board of so many rows.
    pub fn new(rows: u32) -> Bank {
        let nothing = Lanes([0; LANES]);
        Bank { first: nothing, blocks: vec![[nothing; 16]; 2 * rows as usize], lanes: 0, used: 1 }
    }

    /// Adds the instances of a shape with so many fillings and gives the place of their common table,
    /// if there is room for both.
    pub fn add(&mut self, instances: &[Vec<Square>], fillings: usize) -> Option<usize> {
        if self.lanes + instances.len() > LANES || self.used + fillings > BANK_SIZE {
            return None;
        }
        let first = self.used;
        for squares in instances {
            self.first.0[self.lanes] = first as u16;
            for (place, square) in squares.iter().enumerate() {
                self.see(*square, 3u16.pow(place as u32));
            }
            self.lanes += 1;
        }
        self.used += fillings;
        Some(first)
    }

    /// Lets the newest lane gain `worth` from a disc on the square.
    fn see(&mut self, square: Square, worth: u16) {
        let block = &mut self.blocks[square.index() as usize / 4];
        for (filling, lanes) in block.iter_mut().enumerate() {
            if filling >> (square.index() % 4) & 1 != 0 {
                lanes.0[self.lanes] += worth;
            }
        }
    }

    /// The index of each lane; idle lanes give 0.
    #[inline(always)]
    pub fn indices(&self, position: Position) -> [u16; LANES] {
        let mut player = self.first;
        let mut opponent = Lanes([0; LANES]);
        let mut masks = (position.player, position.opponent);
        for block in &self.blocks {
            player.add(&block[masks.0 as usize & 15]);
            opponent.add(&block[masks.1 as usize & 15]);
            masks = (masks.0 >> 4, masks.1 >> 4);
        }
        player.add(&opponent);
        player.add(&opponent);
        player.0
    }

    /// Lanes in use; the rest are idle.
    pub fn lanes(&self) -> usize {
        self.lanes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::shapes::shapes_of;
    use crate::rules::Geometry;

    /// Square by square, in base three.
    fn filling(squares: &[Square], position: Position) -> usize {
        let digit = |square: &Square| match square.bit() {
            bit if position.player & bit != 0 => 1,
            bit if position.opponent & bit != 0 => 2,
            _ => 0,
        };
        squares.iter().rev().fold(0, |filling, square| 3 * filling + digit(square))
    }

    #[test]
    fn adding_blocks_agrees_with_reading_square_by_square() {
        let mut random = fastrand::Rng::with_seed(5);
        for geometry in [Geometry::SIX, Geometry::EIGHT] {
            for shape in shapes_of(geometry).unwrap() {
                let mut bank = Bank::new(geometry.height());
                let other = vec![vec![Square::at(0, 0)]];
                assert_eq!(bank.add(&other, 3), Some(1));
                let first = bank.add(&shape.instances, shape.fillings()).unwrap();
                for _ in 0..1000 {
                    let (a, b) = (random.u64(..) & geometry.mask(), random.u64(..));
                    let position = Position::new(a & b, a & !b);
                    let indices = bank.indices(position);
                    for (lane, squares) in shape.instances.iter().enumerate() {
                        let expected = first + filling(squares, position);
                        assert_eq!(indices[lane + 1] as usize, expected, "{geometry} {position:?}");
                    }
                    assert!(indices[bank.lanes()..].iter().all(|&index| index == 0));
                }
            }
        }
    }

    #[test]
    fn a_full_bank_refuses_more() {
        let mut bank = Bank::new(8);
        let corners = [0, 7, 56, 63].map(|index| vec![Square::from_index(index)]);
        assert_eq!(bank.add(&corners, BANK_SIZE), None, "entry 0 is taken");
        for _ in 0..LANES / 4 {
            assert!(bank.add(&corners, 3).is_some());
        }
        assert_eq!(bank.add(&corners, 3), None, "no lanes left");
    }
}
