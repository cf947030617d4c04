//! Turns a position into table indices, one lane a shape, by adding up what each piece of the board brings.
//!
//! The index of a shape is a number in base three: for each of its squares 0 if empty, 1 for the
//! player, 2 for the opponent. It is a sum over squares, so it is also a sum over blocks of four
//! squares of a row; for each block and each of its 16 fillings the sums of all lanes are prepared.
//! Adding them is plain arithmetic on arrays, which the compiler turns into vector code on any machine.

use crate::rules::{Position, Square};

/// Lanes of a bank: 64 bytes of `u16`.
pub(super) const LANES: usize = 32;

/// Blocks of four squares on eight rows.
pub(super) const BLOCKS: usize = 16;

/// Fillings of a block by the discs of one side.
const FILLINGS: usize = 16;

/// One index a lane.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub(super) struct Indices(pub [u16; LANES]);

impl Indices {
    #[inline(always)]
    fn add(&mut self, other: &Indices) {
        for lane in 0..LANES {
            self.0[lane] = self.0[lane].wrapping_add(other.0[lane]);
        }
    }
}

/// Up to 32 instances of shapes whose tables of weights lie one after another in one [`BankTable`].
///
/// Entry 0 of the table belongs to no shape; idle lanes point there.
pub(super) struct Bank {
    /// Where each lane's table begins.
    first: Indices,
    /// For each block of four squares, by the discs on it: what the lanes gain.
    blocks: Box<[[Indices; FILLINGS]; BLOCKS]>,
    lanes: usize,
    used: usize,
}

impl Bank {
    /// A bank without shapes.
    pub fn new() -> Bank {
        let nothing = Indices([0; LANES]);
        Bank { first: nothing, blocks: Box::new([[nothing; FILLINGS]; BLOCKS]), lanes: 0, used: 1 }
    }

    /// Adds the instances of a shape with so many fillings and gives the place of their common table,
    /// if there is room for both.
    pub fn add(&mut self, instances: &[Vec<Square>], fillings: usize) -> Option<usize> {
        if self.lanes + instances.len() > LANES || self.used + fillings > BankTable::ENTRIES {
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

    /// The index of each lane; idle lanes give 0. Only the first `USED` blocks are looked at, two a row of
    /// the board: a loop of known length takes half the time.
    #[inline(always)]
    pub fn indices<const USED: usize>(&self, position: Position) -> Indices {
        let mut player = self.first;
        let mut opponent = Indices([0; LANES]);
        let mut masks = (position.player, position.opponent);
        for block in &self.blocks[..USED] {
            player.add(&block[masks.0 as usize % FILLINGS]);
            opponent.add(&block[masks.1 as usize % FILLINGS]);
            masks = (masks.0 >> 4, masks.1 >> 4);
        }
        player.add(&opponent);
        player.add(&opponent);
        player
    }

    /// Lanes in use; the rest are idle.
    pub fn lanes(&self) -> usize {
        self.lanes
    }
}

/// The weights of one stage behind the indices of one bank. Every index has an entry, so no look-up needs a check.
pub(super) struct BankTable(Box<[i16; BankTable::ENTRIES + BankTable::PADDING]>);

impl BankTable {
    /// As many as a `u16` can tell apart.
    pub const ENTRIES: usize = 1 << 16;
    /// The vector code reads 32 bits at each entry.
    const PADDING: usize = 1;

    /// The table that begins with these weights; the rest is 0.
    ///
    /// # Panics
    /// If there are more than [`BankTable::ENTRIES`].
    pub fn new(weights: impl ExactSizeIterator<Item = i16>) -> BankTable {
        assert!(weights.len() <= BankTable::ENTRIES, "an index must fit 16 bits");
        let mut table = vec![0; BankTable::ENTRIES + BankTable::PADDING];
        for (entry, weight) in table.iter_mut().zip(weights) {
            *entry = weight;
        }
        BankTable(table.into_boxed_slice().try_into().expect("made with that many entries"))
    }

    /// The weights at all indices added up.
    #[inline]
    pub fn sum(&self, indices: &Indices) -> i32 {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx512f"))]
        return self.sum_avx512(indices);
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx512f")))]
        self.sum_portable(indices)
    }

    /// One by one: the twin of the vector code.
    #[cfg_attr(all(target_arch = "x86_64", target_feature = "avx512f"), cfg(test))]
    #[inline]
    fn sum_portable(&self, indices: &Indices) -> i32 {
        indices.0.iter().map(|&index| i32::from(self.0[usize::from(index)])).sum()
    }

    /// Sixteen at a time: less than half the time of the portable code.
    #[cfg(all(target_arch = "x86_64", target_feature = "avx512f"))]
    #[inline]
    fn sum_avx512(&self, indices: &Indices) -> i32 {
        use std::arch::x86_64::*;
        // SAFETY: the feature is part of the target. `Indices` is 64 bytes, aligned to 64. A gather reads
        // the four bytes from entry `index` on; the table has one entry more than there are indices.
        unsafe {
            let indices = _mm512_load_si512(indices.0.as_ptr().cast());
            let halves = [_mm512_castsi512_si256(indices), _mm512_extracti64x4_epi64(indices, 1)];
            let [low, high] = halves.map(|half| {
                let wide = _mm512_cvtepu16_epi32(half);
                let entry_and_next = _mm512_i32gather_epi32::<2>(wide, self.0.as_ptr().cast());
                _mm512_srai_epi32(_mm512_slli_epi32(entry_and_next, 16), 16)
            });
            _mm512_reduce_add_epi32(_mm512_add_epi32(low, high))
        }
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
                let mut bank = Bank::new();
                let other = vec![vec![Square::at(0, 0)]];
                assert_eq!(bank.add(&other, 3), Some(1));
                let first = bank.add(&shape.instances, shape.fillings()).unwrap();
                for _ in 0..1000 {
                    let (a, b) = (random.u64(..) & geometry.mask(), random.u64(..));
                    let position = Position::new(a & b, a & !b);
                    let indices = bank.indices::<BLOCKS>(position).0;
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
        let mut bank = Bank::new();
        let corners = [0, 7, 56, 63].map(|index| vec![Square::from_index(index)]);
        assert_eq!(bank.add(&corners, BankTable::ENTRIES), None, "entry 0 is taken");
        for _ in 0..LANES / 4 {
            assert!(bank.add(&corners, 3).is_some());
        }
        assert_eq!(bank.add(&corners, 3), None, "no lanes left");
    }

    #[test]
    fn vector_sums_agree_with_adding_one_by_one() {
        let mut random = fastrand::Rng::with_seed(6);
        let table = BankTable::new((0..BankTable::ENTRIES).map(|_| random.i16(..)));
        for _ in 0..1000 {
            let indices = Indices(std::array::from_fn(|_| random.u16(..)));
            assert_eq!(table.sum(&indices), table.sum_portable(&indices));
        }
        let last = Indices([u16::MAX; LANES]);
        assert_eq!(table.sum(&last), table.sum_portable(&last));
    }
}
