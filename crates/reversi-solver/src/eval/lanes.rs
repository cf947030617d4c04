//! Table indices of a position, one lane for each shape, as sums over blocks of the board.
//!
//! The index of a shape is a number in base three with a digit for each of its squares: 0 empty, 1 player, 2
//! opponent. It is a sum over squares, so it is also a sum over blocks of four squares of a row; for each block and
//! each of its 16 fillings the sums of all lanes are precomputed. Adding them is plain arithmetic on arrays, which
//! the compiler vectorises on any machine.

use crate::pages::{Pages, Shared};
use reversi_rules::{Position, Square};
use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

/// Lanes of a bank: 32 bytes of `u16`, whose 16 look-ups fill one vector of 32-bit words.
pub(super) const LANES: usize = 16;

/// Blocks of four squares: two for each of eight rows.
pub(super) const BLOCKS: usize = 16;

/// Fillings of a block by the discs of one side.
const FILLINGS: usize = 16;

/// One index for each lane, relative to the start of the lane's table.
#[repr(align(32))]
#[derive(Clone, Copy)]
pub(super) struct Indices(pub [u16; LANES]);

impl Indices {
    /// The indices of an empty board.
    pub const NONE: Indices = Indices([0; LANES]);

    #[inline(always)]
    fn add(&mut self, other: &Indices) {
        for lane in 0..LANES {
            self.0[lane] = self.0[lane].wrapping_add(other.0[lane]);
        }
    }
}

/// Up to 16 instances of shapes. The tables of all shapes stand one after the other in one [`Table`]; entry 0 belongs
/// to no shape and serves idle lanes.
#[derive(Clone)]
pub(super) struct Bank {
    /// The start of each lane's table.
    first: Firsts,
    /// For each block of four squares and each set of discs on it: the contribution to each lane.
    blocks: Box<[[Indices; FILLINGS]; BLOCKS]>,
    lanes: usize,
    /// The last entry of a table that any indices can read, the neighbour read by the vector code included.
    reaches_to: usize,
}

/// One table position for each lane.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Firsts([u32; LANES]);

impl Bank {
    /// A bank without shapes.
    pub fn new() -> Bank {
        let blocks = Box::new([[Indices::NONE; FILLINGS]; BLOCKS]);
        Bank { first: Firsts([0; LANES]), blocks, lanes: 0, reaches_to: usize::from(u16::MAX) + 1 }
    }

    /// Whether all lanes are in use.
    pub fn is_full(&self) -> bool {
        self.lanes == LANES
    }

    /// Assigns a lane to an instance of a shape whose table starts at `first`.
    ///
    /// # Panics
    /// If the bank is full.
    pub fn add(&mut self, squares: &[Square], first: u32) {
        self.first.0[self.lanes] = first;
        self.reaches_to = self.reaches_to.max(first as usize + usize::from(u16::MAX) + 1);
        for (place, square) in squares.iter().enumerate() {
            self.add_square(*square, 3u16.pow(place as u32));
        }
        self.lanes += 1;
    }

    /// Adds `worth` to the newest lane for a disc on the square.
    fn add_square(&mut self, square: Square, worth: u16) {
        let block = &mut self.blocks[square.index() as usize / 4];
        for (filling, lanes) in block.iter_mut().enumerate() {
            if filling >> (square.index() % 4) & 1 != 0 {
                lanes.0[self.lanes] += worth;
            }
        }
    }

    /// The index of each lane; 0 for idle lanes. Reads only the first `USED` blocks, two for each row of the board: a
    /// loop of constant length takes half the time.
    #[inline(always)]
    pub fn indices<const USED: usize>(&self, position: Position) -> Indices {
        let mut player = Indices::NONE;
        let mut opponent = Indices::NONE;
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

    /// The indices after a move, from those of the parent with the colours exchanged: the new disc on `square` adds
    /// digit 2, as every disc of the mover, and a flipped disc changes from 1 to 2, which adds 1.
    #[inline(always)]
    pub fn moved(&self, mut indices: Indices, square: u32, mut flips: u64) -> Indices {
        let disc = &self.blocks[square as usize / 4 % BLOCKS][1 << (square % 4)];
        indices.add(disc);
        indices.add(disc);
        while flips != 0 {
            let place = flips.trailing_zeros() & !3;
            let filling = flips >> place & (FILLINGS as u64 - 1);
            indices.add(&self.blocks[place as usize / 4][filling as usize]);
            flips ^= filling << place;
        }
        indices
    }

    /// The table entries of the lanes in use.
    pub fn entries(&self, indices: Indices) -> impl Iterator<Item = usize> {
        let entry = move |lane: usize| self.first.0[lane] as usize + usize::from(indices.0[lane]);
        (0..self.lanes).map(entry)
    }
}

/// The weights of all stages, addressed by the indices of all banks. They lie in huge pages where the system has them:
/// an evaluation reads from dozens of places far apart, and with small pages the address translation takes longer than
/// the rest.
pub(super) struct Table {
    weights: Pages<Weight>,
    /// Entries of a stage.
    entries: usize,
}

/// A weight in memory, written before any thread reads it.
#[repr(transparent)]
struct Weight(AtomicI16);

// SAFETY: every pattern of bits is a number, and it changes through atomic operations only. The plain reads of the sums
// come after the last write: only `Table::new` writes, before it hands out the table.
unsafe impl Shared for Weight {}

impl Table {
    /// The range of a `u16`. The table extends this far beyond every lane's start, so that no index can leave it,
    /// whatever the position.
    const REACH: usize = 1 << 16;
    /// The vector code reads 32 bits at each entry, one `i16` more than the entry.
    const PADDING: usize = 1;

    /// A table of stages with `entries` weights each; 0 beyond the last.
    ///
    /// # Panics
    /// If a few megabytes of memory are not available, as an allocation would end the program.
    pub fn new<W: Iterator<Item = i16>>(entries: usize, stages: impl ExactSizeIterator<Item = W>) -> Table {
        let all = entries * stages.len() + Table::REACH + Table::PADDING;
        let bytes = all.next_power_of_two() * size_of::<Weight>();
        let weights = Pages::new(bytes).expect("a few megabytes of memory");
        let table = Table { weights, entries };
        for (place, weight) in stages.flat_map(|stage| stage.take(entries)).enumerate() {
            table.weights[place].0.store(weight, Relaxed);
        }
        table
    }

    /// The same with all signs inverted.
    pub fn turned(&self) -> Table {
        let turned = self.weights.iter().map(|weight| weight.0.load(Relaxed).saturating_neg());
        Table { entries: self.entries, ..Table::new(self.weights.len(), std::iter::once(turned)) }
    }

    /// The sum of the weights of a stage at all indices of all banks.
    ///
    /// # Panics
    /// If a bank is made for a larger table, or there is no such stage.
    #[inline(always)]
    pub fn sum(&self, stage: usize, banks: &[Bank], indices: &[Indices]) -> i32 {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx512f"))]
        return self.sum_avx512(stage, banks, indices);
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx512f")))]
        self.sum_unchecked(stage, banks, indices)
    }

    /// One lane after the other: the portable twin of the vector code.
    #[cfg(test)]
    fn sum_portable(&self, stage: usize, banks: &[Bank], indices: &[Indices]) -> i32 {
        let weights = &self.weights[stage * self.entries..];
        let lanes = banks.iter().zip(indices).flat_map(|(bank, indices)| bank.first.0.iter().zip(&indices.0));
        let weight = |(&first, &index): (&u32, &u16)| {
            i32::from(weights[first as usize + usize::from(index)].0.load(Relaxed))
        };
        lanes.map(weight).sum()
    }

    /// Sixteen lanes at a time: less than half the time of the portable code.
    #[cfg(all(target_arch = "x86_64", target_feature = "avx512f"))]
    #[inline(always)]
    fn sum_avx512(&self, stage: usize, banks: &[Bank], indices: &[Indices]) -> i32 {
        use std::arch::x86_64::*;
        let weights = &self.weights[stage * self.entries..];
        // SAFETY: the feature is part of the target. `Indices` is 32 bytes, aligned to 32, `Firsts` 64 bytes,
        // aligned to 64. A gather reads the four bytes from entry `first + index` on, an index being at most
        // `u16::MAX`; `reaches_to` is the last entry so read, and it is in the table. Nothing writes any more.
        unsafe {
            let mut sums = _mm512_setzero_si512();
            for (bank, indices) in banks.iter().zip(indices) {
                assert!(bank.reaches_to < weights.len(), "a table for these lanes");
                let indices = _mm512_cvtepu16_epi32(_mm256_load_si256(indices.0.as_ptr().cast()));
                let entries = _mm512_add_epi32(indices, _mm512_load_si512(bank.first.0.as_ptr().cast()));
                let entry_and_next = _mm512_i32gather_epi32::<2>(entries, weights.as_ptr().cast());
                sums = _mm512_add_epi32(sums, _mm512_srai_epi32(_mm512_slli_epi32(entry_and_next, 16), 16));
            }
            _mm512_reduce_add_epi32(sums)
        }
    }

    /// One lane after the other, from addresses that are computed together: the gathers of AVX2 take longer.
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx512f")))]
    #[inline(always)]
    fn sum_unchecked(&self, stage: usize, banks: &[Bank], indices: &[Indices]) -> i32 {
        let weights = &self.weights[stage * self.entries..];
        let mut sums = [0; 4];
        for (bank, indices) in banks.iter().zip(indices) {
            assert!(bank.reaches_to < weights.len(), "a table for these lanes");
            let entries: [u32; LANES] =
                std::array::from_fn(|lane| bank.first.0[lane] + u32::from(indices.0[lane]));
            for (lane, &entry) in entries.iter().enumerate() {
                // SAFETY: an index is at most `u16::MAX`; `reaches_to` is beyond every entry so reached, and it is in
                // the table. No thread writes any more: a plain read is extended to 32 bits as it is loaded.
                sums[lane % 4] += i32::from(unsafe { *weights.get_unchecked(entry as usize).0.as_ptr() });
            }
        }
        sums.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::shapes::shapes_of;
    use reversi_rules::Geometry;

    /// The index in base three, square by square: the slow twin.
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
        for geometry in [Geometry::SIX, Geometry::EIGHT, Geometry::new(7, 5).unwrap()] {
            for shape in shapes_of(geometry).unwrap() {
                let mut bank = Bank::new();
                bank.add(&[Square::at(0, 0)], 1);
                for squares in &shape.instances {
                    bank.add(squares, 4);
                }
                for _ in 0..1000 {
                    let (a, b) = (random.u64(..) & geometry.mask(), random.u64(..));
                    let position = Position::new(a & b, a & !b);
                    let indices = bank.indices::<BLOCKS>(position);
                    let entries: Vec<usize> = bank.entries(indices).skip(1).collect();
                    let expected: Vec<usize> =
                        shape.instances.iter().map(|squares| 4 + filling(squares, position)).collect();
                    assert_eq!(entries, expected, "{geometry} {position:?}");
                    assert!(indices.0[bank.lanes..].iter().all(|&index| index == 0));
                }
            }
        }
    }

    #[test]
    fn vector_sums_agree_with_adding_one_by_one() {
        let mut random = fastrand::Rng::with_seed(6);
        let mut bank = Bank::new();
        let firsts = [0, 1, 4, 60_000, 150_000];
        while !bank.is_full() {
            bank.add(&[], firsts[bank.lanes % firsts.len()]);
        }
        let weights: Vec<i16> = (0..=150_000).map(|_| random.i16(-30_000..30_000)).collect();
        let turned = weights.iter().map(|weight| -weight);
        let stages = [weights.clone(), turned.collect()].map(Vec::into_iter);
        let table = Table::new(weights.len(), stages.into_iter());
        let sum_of = |indices: &Indices| {
            let entries = bank.entries(*indices).map(|entry| weights.get(entry).map_or(0, |&w| i32::from(w)));
            entries.sum::<i32>()
        };
        let first = Indices(std::array::from_fn(|_| random.u16(..1000)));
        let sum = table.sum(1, std::slice::from_ref(&bank), &[first]);
        assert_eq!(sum, -sum_of(&first), "nothing stands behind the last stage");
        for _ in 0..50 {
            let indices = Indices(std::array::from_fn(|_| random.u16(..)));
            for stage in 0..2 {
                let banks = [bank.clone(), bank.clone()];
                let indices = [indices, first];
                assert_eq!(table.sum(stage, &banks, &indices), table.sum_portable(stage, &banks, &indices));
            }
            let (banks, indices) = (std::slice::from_ref(&bank), std::slice::from_ref(&indices));
            assert_eq!(table.turned().sum(1, banks, indices), -table.sum(1, banks, indices));
        }
        let (banks, last) = ([bank], [Indices([u16::MAX; LANES])]);
        assert_eq!(table.sum(1, &banks, &last), table.sum_portable(1, &banks, &last));
    }
}
