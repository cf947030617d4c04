//! Packs entries with ascending keys into a block and reads them back, see the specification in [`super::format`].

use super::format::{BLOCK_BYTES, FRONT_BYTES, checksum_bytes_in_block};
use crate::RawEntry;
use reversi_naive::Size;
use std::hint::select_unpredictable;

/// How a value is packed on a board: score and move in one number.
#[derive(Clone, Copy)]
pub(super) struct ValueCode {
    squares: u32,
    bits: u32,
}

impl ValueCode {
    pub fn new(size: Size) -> ValueCode {
        let squares = size.square_count();
        let largest = (2 * squares + 1) * (squares + 2) - 1;
        ValueCode { squares, bits: 32 - largest.leading_zeros() }
    }

    /// `None` when the score or move does not exist on the board.
    pub fn encode(self, score: i8, best: u8) -> Option<u64> {
        let squares = self.squares as i32;
        let score = Some(i32::from(score)).filter(|score| score.abs() <= squares)?;
        let best = match best {
            RawEntry::PASS => squares,
            RawEntry::NO_MOVE => squares + 1,
            square => Some(i32::from(square)).filter(|&square| square < squares)?,
        };
        Some(((score + squares) * (squares + 2) + best) as u64)
    }

    /// `None` when no score and move have this code.
    #[inline]
    fn decode(self, code: u64) -> Option<(i8, u8)> {
        let (score, best) = (code as u32 / (self.squares + 2), code as u32 % (self.squares + 2));
        let best = match best {
            pass if pass == self.squares => RawEntry::PASS,
            none if none > self.squares => RawEntry::NO_MOVE,
            square => square as u8,
        };
        (score <= 2 * self.squares).then_some(((score as i32 - self.squares as i32) as i8, best))
    }
}

/// Gathers entries until a block is full.
pub(super) struct BlockBuilder {
    values: ValueCode,
    /// Keys, ascending, and codes.
    entries: Vec<(u64, u64)>,
}

impl BlockBuilder {
    pub fn new(values: ValueCode) -> BlockBuilder {
        BlockBuilder { values, entries: Vec::new() }
    }

    /// The key of the first entry, if there is one.
    pub fn first_key(&self) -> Option<u64> {
        Some(self.entries.first()?.0)
    }

    /// Whether a block takes one more entry; its key is above all others.
    pub fn has_room_for(&self, key: u64) -> bool {
        let Some(first) = self.first_key() else { return true };
        let (distances, last) = (self.entries.len() as u64, key - first);
        let low_bits = best_split(last, distances);
        let upper = (distances + (last >> low_bits)).div_ceil(8);
        let records = (distances * u64::from(low_bits + self.values.bits)).div_ceil(8);
        FRONT_BYTES as u64 + upper + records <= BLOCK_BYTES
    }

    /// Adds an entry; there is room for it.
    pub fn push(&mut self, key: u64, code: u64) {
        self.entries.push((key, code));
    }

    /// The bytes of a block of the entries gathered, at least one; the builder is then empty. The last block of a
    /// section is cut short.
    pub fn finish(&mut self, is_last: bool) -> Vec<u8> {
        let ((first, first_code), rest) = (self.entries[0], &self.entries[1..]);
        let last = self.entries[rest.len()].0 - first;
        let low_bits = best_split(last, rest.len() as u64);
        let mut upper = BitWriter::default();
        let mut records = BitWriter::default();
        for (place, &(key, code)) in rest.iter().enumerate() {
            let distance = key - first;
            upper.set((distance >> low_bits) as usize + place);
            records.push(distance & ((1 << low_bits) - 1), low_bits);
            records.push(code, self.values.bits);
        }
        let mut bytes = Vec::new();
        bytes.extend((self.entries.len() as u16).to_le_bytes());
        bytes.extend([low_bits as u8, upper.bytes.len() as u8]);
        bytes.extend((first_code as u16).to_le_bytes());
        bytes.extend(upper.bytes);
        bytes.extend(records.bytes);
        let length = if is_last { bytes.len().next_multiple_of(8) } else { BLOCK_BYTES as usize };
        bytes.resize(length, 0);
        self.entries.clear();
        bytes
    }
}

/// The least number of low bits that makes `count` distances up to `last` shortest.
///
/// One bit fewer saves `count` bits and costs `last >> low_bits` more bits of upper parts. So at the
/// best split `last >> low_bits` is at most `2 * count + 1`, and the upper parts have at most
/// `3 * count + 1` bits: less than 255 bytes for all that a block takes.
fn best_split(last: u64, count: u64) -> u32 {
    let bits = |low_bits: &u32| u128::from(count) * u128::from(*low_bits) + u128::from(last >> low_bits);
    (0..64).min_by_key(bits).unwrap_or(0)
}

/// A block with a right checksum; what it holds may still be anything.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    first: u64,
    entries: usize,
    first_code: u16,
    low_bits: u32,
    upper: &'a [u8],
    records: &'a [u8],
    values: ValueCode,
}

impl<'a> Block<'a> {
    /// The block whose first key is `first`, without a checksum before it; `None` if the bytes are too few for it.
    #[inline]
    pub fn new(bytes: &'a [u8], first: u64, values: ValueCode) -> Option<Block<'a>> {
        let (front, rest) = bytes.split_first_chunk::<FRONT_BYTES>()?;
        let entries = usize::from(u16::from_le_bytes([front[0], front[1]]));
        let low_bits = u32::from(front[2]);
        let first_code = u16::from_le_bytes([front[4], front[5]]);
        let (upper, records) = rest.split_at_checked(front[3].into())?;
        let record_bits = entries.checked_sub(1)? * (low_bits + values.bits) as usize;
        let fits = low_bits < 64 && record_bits <= 8 * records.len();
        fits.then_some(Block { first, entries, first_code, low_bits, upper, records, values })
    }

    /// The score and move of a key; `Err` when the block makes no sense.
    #[inline]
    pub fn find(&self, key: u64) -> Result<Option<(i8, u8)>, Nonsense> {
        let Some(distance) = key.checked_sub(self.first) else { return Ok(None) };
        if distance == 0 {
            return self.values.decode(self.first_code.into()).map(Some).ok_or(Nonsense);
        }
        let (upper, lower) = (distance >> self.low_bits, distance & self.low_mask());
        // The distances with this upper part are the ones that follow exactly `upper` zeros.
        let Some(start) = self.after_zeros(upper) else { return Ok(None) };
        for bit in start..8 * self.upper.len() {
            let place = bit - upper as usize + 1;
            if !self.upper_bit(bit) || place >= self.entries {
                break;
            }
            let (found, code) = self.record(place);
            if found >= lower {
                return if found == lower {
                    self.values.decode(code).map(Some).ok_or(Nonsense)
                } else {
                    Ok(None)
                };
            }
        }
        Ok(None)
    }

    /// The place after `zeros` zero bits of the upper parts; `None` if there are fewer.
    #[inline]
    fn after_zeros(&self, zeros: u64) -> Option<usize> {
        if zeros == 0 {
            return Some(0);
        }
        let zeros = u32::try_from(zeros).ok()?;
        // No processor can predict where the zeros end, so all words are counted without an early exit.
        let (mut counted, mut before, mut start) = (0, 0, 0);
        for next in (8..self.upper.len() + 8).step_by(8) {
            counted += u64_from(self.upper, next - 8).count_zeros();
            let goes_on = counted < zeros;
            before = select_unpredictable(goes_on, counted, before);
            start = select_unpredictable(goes_on, next, start);
        }
        let word = self.upper.get(start..).map(|_| !u64_from(self.upper, start))?;
        (counted >= zeros).then(|| 8 * start + place_of_one(word, zeros - before - 1) as usize + 1)
    }

    #[inline]
    fn upper_bit(&self, bit: usize) -> bool {
        self.upper[bit / 8] >> (bit % 8) & 1 != 0
    }

    #[inline]
    fn low_mask(&self) -> u64 {
        (1 << self.low_bits) - 1
    }

    /// The lower bits of the distance of entry `place` and its code; entry 0 has no record.
    #[inline]
    fn record(&self, place: usize) -> (u64, u64) {
        let bit = (place - 1) * (self.low_bits + self.values.bits) as usize;
        let record = u128_from(self.records, bit / 8) >> (bit % 8);
        let code = (record >> self.low_bits) as u64 & ((1 << self.values.bits) - 1);
        (record as u64 & self.low_mask(), code)
    }

    /// All entries, their keys ascending; `Err` when the block makes no sense.
    pub fn entries(&self) -> Result<Vec<RawEntry>, Nonsense> {
        let ones: Vec<usize> = (0..8 * self.upper.len()).filter(|&bit| self.upper_bit(bit)).collect();
        // The upper parts end with the byte of their last one bit.
        let upper_bytes = ones.last().map_or(0, |bit| bit / 8 + 1);
        if ones.len() != self.entries - 1 || self.upper.len() != upper_bytes || !self.ends_in_zeros() {
            return Err(Nonsense);
        }
        let mut entries = vec![self.entry(0, self.first_code.into())?];
        for (place, bit) in (1..).zip(ones) {
            let (lower, code) = self.record(place);
            let upper = (bit + 1 - place) as u64;
            // Shifting there and back shows whether bits were lost.
            let shifted = Some(upper << self.low_bits).filter(|shifted| shifted >> self.low_bits == upper);
            entries.push(self.entry(shifted.ok_or(Nonsense)? | lower, code)?);
        }
        if entries.is_sorted_by(|one, next| one.key < next.key) { Ok(entries) } else { Err(Nonsense) }
    }

    /// Whether the block ends after its last record, rounded up to a multiple of 8 bytes, as the last block of a
    /// section must. The checksum that version 1 puts before a block counts among these bytes.
    pub fn ends_after_its_records(&self, version: u16) -> bool {
        let before = checksum_bytes_in_block(version) + FRONT_BYTES + self.upper.len();
        let used = before + self.record_bits().div_ceil(8);
        before + self.records.len() == used.next_multiple_of(8)
    }

    fn record_bits(&self) -> usize {
        (self.entries - 1) * (self.low_bits + self.values.bits) as usize
    }

    /// Whether nothing but zeros follows the last record.
    fn ends_in_zeros(&self) -> bool {
        let bits = self.record_bits();
        let (used, rest) = self.records.split_at(bits.div_ceil(8));
        let unused_bits =
            used.last().filter(|_| !bits.is_multiple_of(8)).map_or(0, |last| last >> (bits % 8));
        unused_bits == 0 && rest.iter().all(|&byte| byte == 0)
    }

    fn entry(&self, distance: u64, code: u64) -> Result<RawEntry, Nonsense> {
        let key = self.first.checked_add(distance).ok_or(Nonsense)?;
        let (score, best) = self.values.decode(code).ok_or(Nonsense)?;
        Ok(RawEntry { key, score, best })
    }
}

/// The bytes of a block cannot have come from a writer.
#[derive(Debug)]
pub(super) struct Nonsense;

/// Eight bytes from `start` on as a number, zeros past the end.
#[inline]
fn u64_from(bytes: &[u8], start: usize) -> u64 {
    match bytes[start..].first_chunk() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => u128_from(bytes, start) as u64,
    }
}

/// Sixteen bytes from `start` on as a number, zeros past the end.
#[inline]
fn u128_from(bytes: &[u8], start: usize) -> u128 {
    let rest = &bytes[start..];
    if let Some(sixteen) = rest.first_chunk() {
        return u128::from_le_bytes(*sixteen);
    }
    let mut padded = [0; 16];
    padded[..rest.len()].copy_from_slice(rest);
    u128::from_le_bytes(padded)
}

/// The place of a word's one bit number `number` (from 0), which must exist: a binary search of six steps without a
/// branch.
#[inline]
fn place_of_one(word: u64, mut number: u32) -> u32 {
    let mut place = 0;
    for half in [32, 16, 8, 4, 2, 1] {
        let ones = (word >> place & ((1 << half) - 1)).count_ones();
        let is_above = number >= ones;
        place = select_unpredictable(is_above, place + half, place);
        number = select_unpredictable(is_above, number.wrapping_sub(ones), number);
    }
    place
}

#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    length: usize,
}

impl BitWriter {
    fn set(&mut self, bit: usize) {
        if self.bytes.len() <= bit / 8 {
            self.bytes.resize(bit / 8 + 1, 0);
        }
        self.bytes[bit / 8] |= 1 << (bit % 8);
    }

    fn push(&mut self, value: u64, bits: u32) {
        for bit in 0..bits {
            if value >> bit & 1 != 0 {
                self.set(self.length + bit as usize);
            }
        }
        self.length += bits as usize;
        self.bytes.resize(self.length.div_ceil(8), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::VERSION;
    use super::*;

    #[test]
    fn ones_are_found_by_number() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..1000 {
            let word = random.u64(..) & random.u64(..);
            let ones = (0..64).filter(|&bit| word >> bit & 1 != 0);
            for (number, bit) in ones.enumerate() {
                assert_eq!(place_of_one(word, number as u32), bit, "{word:#x}");
            }
        }
        assert_eq!(place_of_one(u64::MAX, 63), 63);
    }

    #[test]
    fn codes_come_back_and_others_are_refused() {
        for (width, height, bits) in [(3, 3, 8), (4, 4, 10), (6, 6, 12), (5, 8, 12)] {
            let size = Size::new(width, height).unwrap();
            let squares = size.square_count() as i8;
            let values = ValueCode::new(size);
            assert_eq!(values.bits, bits, "{size}");
            for score in -squares..=squares {
                for best in (0..squares as u8).chain([RawEntry::PASS, RawEntry::NO_MOVE]) {
                    let code = values.encode(score, best).unwrap();
                    assert_eq!(values.decode(code), Some((score, best)));
                }
            }
            assert_eq!(values.encode(squares + 1, 0), None);
            assert_eq!(values.encode(0, squares as u8), None);
            assert_eq!(values.decode((1 << bits) - 1), None, "{size}");
        }
    }

    #[test]
    fn the_best_split_keeps_the_upper_parts_short() {
        for last in (0..64).flat_map(|bits| [1u64 << bits, u64::MAX >> bits, (1u64 << bits) / 3 * 4 + 5]) {
            for count in [1, 2, 63, 127, 500] {
                let upper = last >> best_split(last, count);
                assert!(upper <= 2 * count + 1, "{count} distances up to {last}");
            }
        }
    }

    /// The block of these keys, as the last one of a section.
    fn last_block(keys: &[u64], values: ValueCode) -> Vec<u8> {
        let mut builder = BlockBuilder::new(values);
        keys.iter().for_each(|&key| builder.push(key, 0));
        builder.finish(true)
    }

    #[test]
    fn a_key_far_beyond_a_narrow_block_is_not_found() {
        let values = ValueCode::new(Size::new(6, 6).unwrap());
        let bytes = last_block(&[7, 8], values);
        let block = Block::new(&bytes, 7, values).unwrap();
        for far in (4..64).map(|bits| 7 + (1u64 << bits)) {
            assert!(matches!(block.find(far), Ok(None)), "{far:#x}");
        }
        assert!(matches!(block.find(u64::MAX), Ok(None)));
    }

    #[test]
    fn keys_out_of_order_are_nonsense_where_their_upper_parts_are_alike() {
        let values = ValueCode::new(Size::new(6, 6).unwrap());
        for (keys, ascend) in
            [([7, 107, 127, 207], true), ([7, 127, 107, 207], false), ([7, 107, 107, 207], false)]
        {
            let bytes = last_block(&keys, values);
            assert_eq!(Block::new(&bytes, 7, values).unwrap().entries().is_ok(), ascend, "{keys:?}");
        }
    }

    #[test]
    fn a_last_block_that_goes_on_is_noticed() {
        let values = ValueCode::new(Size::new(6, 6).unwrap());
        for count in 1..40 {
            let keys: Vec<u64> = (0..count).map(|place| 7 + 31 * place).collect();
            let mut bytes = last_block(&keys, values);
            assert!(Block::new(&bytes, 7, values).unwrap().ends_after_its_records(VERSION));
            bytes.extend([0; 8]);
            assert!(!Block::new(&bytes, 7, values).unwrap().ends_after_its_records(VERSION));
        }
    }

    #[test]
    fn a_full_block_is_filled_but_not_beyond() {
        let values = ValueCode::new(Size::new(6, 6).unwrap());
        let mut builder = BlockBuilder::new(values);
        let keys: Vec<u64> = (0..)
            .map(|place| 7 + place * 1_000_003)
            .take_while(|&key| {
                let room = builder.has_room_for(key);
                if room {
                    builder.push(key, key % 2774);
                }
                room
            })
            .collect();
        assert!(keys.len() > 100);
        let bytes = builder.finish(false);
        assert_eq!(bytes.len(), 512);
        let entries = Block::new(&bytes, 7, values).unwrap().entries().unwrap();
        assert!(entries.iter().map(|entry| entry.key).eq(keys));
    }
}
