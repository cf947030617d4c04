//! Knows how up to 128 entries with ascending keys are packed, see the specification in
//! [`super::format`].

use super::RawEntry;
use crate::rules::Geometry;

/// How a value is packed on a board: score and move in one number.
#[derive(Clone, Copy)]
pub(super) struct ValueCode {
    squares: u32,
    bits: u32,
}

impl ValueCode {
    pub fn new(geometry: Geometry) -> ValueCode {
        let squares = geometry.square_count();
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

/// Packs entries whose keys ascend and whose codes are right, at least one.
pub(super) fn encode(entries: &[(u64, u64)], values: ValueCode) -> Vec<u8> {
    let first = entries[0].0;
    let distances = || entries[1..].iter().map(|entry| entry.0 - first);
    let low_bits = best_split(distances().next_back().unwrap_or(0), entries.len() as u64 - 1);

    let mut upper = BitWriter::default();
    for (place, distance) in distances().enumerate() {
        upper.set((distance >> low_bits) as usize + place);
    }
    let mut lower = BitWriter::default();
    for distance in distances() {
        lower.push(distance & ((1 << low_bits) - 1), low_bits);
    }
    let mut codes = BitWriter::default();
    for &(_, code) in entries {
        codes.push(code, values.bits);
    }
    [&[low_bits as u8, upper.bytes.len() as u8], &upper.bytes[..], &lower.bytes, &codes.bytes].concat()
}

/// The least number of low bits that makes the distances shortest.
///
/// With `count` distances up to `last`, one bit fewer costs `last >> low_bits` more bits of upper parts
/// and saves `count`; so at the best split the upper parts end below bit `3 * count`, that is, they
/// have at most 48 bytes.
fn best_split(last: u64, count: u64) -> u32 {
    let bits = |low_bits: &u32| u128::from(count) * u128::from(*low_bits) + u128::from(last >> low_bits);
    (0..64).min_by_key(bits).unwrap_or(0)
}

/// A packed block with a right checksum; what it holds may still be anything.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    first: u64,
    entries: usize,
    low_bits: u32,
    upper: &'a [u8],
    lower: &'a [u8],
    codes: &'a [u8],
    values: ValueCode,
}

impl<'a> Block<'a> {
    /// The block of `entries` entries from key `first` on; `None` if the bytes are too few for it.
    #[inline]
    pub fn new(bytes: &'a [u8], first: u64, entries: usize, values: ValueCode) -> Option<Block<'a>> {
        let (&[low_bits, upper_bytes], rest) = bytes.split_first_chunk()?;
        let low_bits = Some(u32::from(low_bits)).filter(|&bits| bits < 64)?;
        let (upper, rest) = rest.split_at_checked(upper_bytes.into())?;
        let (lower, rest) = rest.split_at_checked(((entries - 1) * low_bits as usize).div_ceil(8))?;
        let codes = rest.get(..(entries * values.bits as usize).div_ceil(8))?;
        Some(Block { first, entries, low_bits, upper, lower, codes, values })
    }

    /// The score and move of a key; `Err` when the block makes no sense.
    #[inline]
    pub fn find(&self, key: u64) -> Result<Option<(i8, u8)>, Nonsense> {
        let Some(distance) = key.checked_sub(self.first) else { return Ok(None) };
        if distance == 0 {
            return self.value(0).map(Some);
        }
        let (upper, lower) = (distance >> self.low_bits, distance & ((1 << self.low_bits) - 1));
        // Every distance with this upper part is a one after exactly `upper` zeros.
        let Some(start) = self.after_zeros(upper) else { return Ok(None) };
        for bit in start..8 * self.upper.len() {
            let place = bit - upper as usize + 1;
            if !self.upper_bit(bit) || place >= self.entries {
                break;
            }
            let found = self.lower_part(place);
            if found >= lower {
                return if found == lower { self.value(place).map(Some) } else { Ok(None) };
            }
        }
        Ok(None)
    }

    /// The place after `zeros` zero bits of the upper parts.
    #[inline]
    fn after_zeros(&self, zeros: u64) -> Option<usize> {
        let mut left = usize::try_from(zeros).ok().filter(|&zeros| zeros <= 8 * self.upper.len())?;
        for start in (0..self.upper.len()).step_by(8) {
            let mut word = !(window(self.upper, start) as u64);
            let here = word.count_ones() as usize;
            if left <= here {
                return match left {
                    0 => Some(8 * start),
                    _ => {
                        for _ in 1..left {
                            word &= word - 1;
                        }
                        Some(8 * start + word.trailing_zeros() as usize + 1)
                    }
                };
            }
            left -= here;
        }
        None
    }

    #[inline]
    fn upper_bit(&self, bit: usize) -> bool {
        self.upper[bit / 8] >> (bit % 8) & 1 != 0
    }

    /// The lower bits of the distance of entry `place`, which is neither 0 nor past the end.
    #[inline]
    fn lower_part(&self, place: usize) -> u64 {
        bits_at(self.lower, (place - 1) * self.low_bits as usize, self.low_bits)
    }

    #[inline]
    fn value(&self, place: usize) -> Result<(i8, u8), Nonsense> {
        let code = bits_at(self.codes, place * self.values.bits as usize, self.values.bits);
        self.values.decode(code).ok_or(Nonsense)
    }

    /// All entries in order; `Err` when the block makes no sense.
    pub fn entries(&self) -> Result<Vec<RawEntry>, Nonsense> {
        let ones = (0..8 * self.upper.len()).filter(|&bit| self.upper_bit(bit));
        let mut keys = vec![self.first];
        for (bit, place) in ones.zip(1..self.entries) {
            let upper = (bit + 1 - place) as u64;
            let shifted = upper.checked_mul(1 << self.low_bits).ok_or(Nonsense)?;
            let distance = shifted | self.lower_part(place);
            keys.push(self.first.checked_add(distance).ok_or(Nonsense)?);
        }
        let ones: u32 = self.upper.iter().map(|byte| byte.count_ones()).sum();
        if ones as usize != self.entries - 1 {
            return Err(Nonsense);
        }
        let entry = |(place, &key): (usize, &u64)| {
            self.value(place).map(|(score, best)| RawEntry { key, score, best })
        };
        keys.iter().enumerate().map(entry).collect()
    }
}

/// The bytes of a block cannot have come from a writer.
#[derive(Debug)]
pub(super) struct Nonsense;

/// Bits of a byte string; missing bytes count as zero.
#[inline]
fn bits_at(bytes: &[u8], bit: usize, count: u32) -> u64 {
    ((window(bytes, bit / 8) >> (bit % 8)) as u64) & ((1 << count) - 1)
}

/// Sixteen bytes from `start` on as a number, zeros past the end.
#[inline]
fn window(bytes: &[u8], start: usize) -> u128 {
    let rest = bytes.get(start..).unwrap_or_default();
    if let Some(sixteen) = rest.first_chunk() {
        return u128::from_le_bytes(*sixteen);
    }
    let mut padded = [0; 16];
    padded[..rest.len()].copy_from_slice(rest);
    u128::from_le_bytes(padded)
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
