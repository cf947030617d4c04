//! The bytes of a table, format version 1: the specification, and the code of the header.
//!
//! All numbers are little-endian; `i8` is two's complement. Bytes called zero must be zero. Bits are
//! numbered from the least significant bit of the first byte on. CRC-32 is the usual one (IEEE
//! 802.3, as in zip and PNG). Let `s` be the number of squares of the board, at most 40.
//!
//! ```text
//! file = header, section of s empty squares, section of s - 1, ..., section of 0, trailer
//! ```
//!
//! # Header, `88 + 24 * (s + 1)` bytes
//!
//! | offset | size | what |
//! |---:|---:|---|
//! | 0 | 8 | magic: `89 52 56 54 0D 0A 1A 0A` (`\x89RVT\r\n\x1A\n`) |
//! | 8 | 2 | format version: 1 |
//! | 10 | 2 | output revision: raised when the same build would now give other bytes |
//! | 12 | 1 | columns, 3 to 8 |
//! | 13 | 1 | rows, 3 to 8 |
//! | 14 | 1 | goal: 0 normal (more discs win), 1 reversed (fewer discs win) |
//! | 15 | 1 | scoring of a finished game: 0 raw (difference of discs), 1 winner (empty squares go to the side with more discs) |
//! | 16 | 1 | symmetry rule: 1, one entry stands for all images of a position under the symmetries of its board; it is the one described in [`super::key`] |
//! | 17 | 1 | passing rule: 1, a side without a move passes if the other side has one; the position before the pass and the one after it are both entries; the game ends when neither side has a move, and finished games are entries too |
//! | 18 | 1 | region: 0 complete, 1 semi-strong |
//! | 19 | 1 | semi-strong: plies of the prefix; else zero |
//! | 20 | 1 | semi-strong: least number of empty squares; else zero |
//! | 21 | 1 | number of roots, 1 or 2 |
//! | 22 | 2 | zero |
//! | 24 | 4 | length of the header |
//! | 28 | 4 | entries in a full block: 128 |
//! | 32 | 8 | number of entries in all |
//! | 40 | 8 | length of the file |
//! | 48 | 16 | first root: its key as it stands (not turned), 8 bytes; its score, `i8`; 7 bytes zero |
//! | 64 | 16 | second root, or zero |
//! | 80 | 24 * (s + 1) | sections in the order of the file, first the one of `s` empty squares: number of entries, 8 bytes; bytes of its blocks, 8 bytes; CRC-32 of its index, 4 bytes; zero, 4 bytes |
//! | 80 + 24 * (s + 1) | 4 | zero |
//! | 84 + 24 * (s + 1) | 4 | CRC-32 of all bytes of the header before this one |
//!
//! The *roots* are the positions from which the table was built: the diagonal start, the parallel
//! start, both, or any other position. The *region* says what the table holds, always up to symmetry:
//!
//! * *complete*: every position that can be reached from a root, and no other. Every entry carries the
//!   canonical best move.
//! * *semi-strong*: every position reachable from a root with at most that many plies (discs put;
//!   a pass takes no ply), together with, for each side A, every position that can arise from a root when A always plays the
//!   canonical best move and the other side plays anything, as long as at least that many squares are
//!   empty. Entries where A is to move carry the canonical best move; others may carry none.
//!
//! The *canonical best move* is, among the optimal moves of the canonical form, the one on the lowest
//! square in row-major order.
//!
//! # Section
//!
//! A section holds the entries with one number of empty squares, ordered by key, each key once.
//! Without entries it has no bytes. With `n` entries it has `b = ceil(n / 128)` blocks of 128 entries
//! each, the last one of what remains, and an index:
//!
//! ```text
//! section = block 0, ..., block b - 1, zero bytes up to a multiple of 8 (they belong to the last block),
//!           first key of each block (8 bytes each),
//!           reference to each block (8 bytes each: its offset in the section, 4; its CRC-32, 4)
//! ```
//!
//! A block ends where the next one begins. So every section begins at a multiple of 8, and every byte
//! of the file is covered: the header by its checksum, the index by the one in the header, the blocks
//! by those in the index, the trailer by its fixed content.
//!
//! # Block
//!
//! Of `m` entries with keys `k[0] < ... < k[m-1]`; the index holds `k[0]`. Let `d[i] = k[i] - k[0]`.
//! The distances are written as by Elias and Fano: the lower `l` bits of each as they are, the upper
//! parts `u[i] = d[i] >> l` as the positions of one bits.
//!
//! | size | what |
//! |---|---|
//! | 1 byte | `l`, 0 to 63 |
//! | 1 byte | `h`, bytes of the upper parts |
//! | `h` bytes | upper parts: for each i from 1 to m - 1 the bit `u[i] + i - 1` is one, all others are zero |
//! | `ceil((m - 1) * l / 8)` bytes | lower parts: bits `(i - 1) * l` to `i * l - 1` are the lower bits of `d[i]` |
//! | `ceil(m * w / 8)` bytes | values: bits `i * w` to `(i + 1) * w - 1` are `(score + s) * (s + 2) + move` |
//!
//! where `w` is the number of bits of `(2 * s + 1) * (s + 2) - 1`, the score is that of the side to
//! move, and the move is a square in row-major order from 0 (in the canonical form), `s` for a pass,
//! or `s + 1` for none: the game is over, or no move is stored.
//!
//! A writer takes the least `l` for which the upper and lower parts together have the fewest bits,
//! `(m - 1) * (l + 1) + u[m-1]`. So the same entries always give the same bytes.
//!
//! # Trailer, 16 bytes
//!
//! Length of the file, 8 bytes; `0D 0A 65 6E 64 52 56 54` (`\r\nendRVT`).

use super::{TableError, key};
use crate::rules::{Geometry, Goal, Position, Rules, Score, Scoring, Start};

/// The first bytes of every table. Not ASCII at first and with both line ends, so that a transfer
/// that alters texts is noticed at once.
pub const MAGIC: [u8; 8] = *b"\x89RVT\r\n\x1A\n";
/// The last bytes of every table.
pub const END_MAGIC: [u8; 8] = *b"\r\nendRVT";
/// The version this program reads and writes.
pub const VERSION: u16 = 1;
/// Raised when the same build gives other bytes than before.
pub const OUTPUT_REVISION: u16 = 1;
/// Entries in a full block.
pub const BLOCK_ENTRIES: u64 = 128;

/// The one rule for symmetries: see the header.
pub const SYMMETRY_RULE: u8 = 1;
/// The one rule for passes: see the header.
pub const PASSING_RULE: u8 = 1;
const MAX_ROOTS: usize = 2;
pub(super) const TRAILER_BYTES: u64 = 16;

/// Which positions a table holds, see the [specification](self).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// Every position that can be reached from a root.
    Complete,
    /// Every position of the first plies, and what can arise when either side plays its stored moves.
    SemiStrong {
        /// Every position with at most this many plies after a root is there.
        prefix: u8,
        /// The certified region of both sides goes down to this many empty squares.
        down_to: u8,
    },
}

/// What a table is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// The board.
    pub geometry: Geometry,
    /// Goal and scoring.
    pub rules: Rules,
    /// The positions from which it was built, one or two, as they stand (not turned).
    pub roots: Vec<Position>,
    /// Which positions it holds.
    pub region: Region,
}

impl Contents {
    /// Whether the table was built from this start.
    pub fn covers(&self, start: Start) -> bool {
        self.roots.contains(&self.geometry.start(start).position())
    }
}

/// What a table says about itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Board, rules, roots, region.
    pub contents: Contents,
    /// The score of each root, for the side to move.
    pub root_scores: Vec<Score>,
    /// The output revision of the program that made it.
    pub revision: u16,
    /// Bytes of the file.
    pub file_length: u64,
    /// One for each number of empty squares, from 0 up.
    pub(super) sections: Vec<Section>,
}

/// The entries with one number of empty squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Section {
    pub entries: u64,
    pub block_bytes: u64,
    pub index_checksum: u32,
}

impl Section {
    pub fn blocks(self) -> u64 {
        self.entries.div_ceil(BLOCK_ENTRIES)
    }

    /// Bytes of blocks and index; `None` when the sum has no place in 64 bits.
    pub fn bytes(self) -> Option<u64> {
        self.blocks().checked_mul(16)?.checked_add(self.block_bytes)
    }
}

impl Header {
    /// Number of entries with each number of empty squares, from 0 up.
    pub fn counts(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator {
        self.sections.iter().map(|section| section.entries)
    }

    /// Number of entries.
    pub fn entries(&self) -> u64 {
        self.counts().sum()
    }

    /// Number of blocks, each with its own checksum.
    pub fn blocks(&self) -> u64 {
        self.sections.iter().map(|section| section.blocks()).sum()
    }

    /// The bytes of this header.
    pub(super) fn encode(&self) -> Vec<u8> {
        let contents = &self.contents;
        let (region, prefix, down_to) = match contents.region {
            Region::Complete => (0, 0, 0),
            Region::SemiStrong { prefix, down_to } => (1, prefix, down_to),
        };
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.revision.to_le_bytes());
        bytes.extend([contents.geometry.width() as u8, contents.geometry.height() as u8]);
        bytes.extend([contents.rules.goal as u8, contents.rules.scoring as u8]);
        bytes.extend([SYMMETRY_RULE, PASSING_RULE, region, prefix, down_to]);
        bytes.extend([contents.roots.len() as u8, 0, 0]);
        bytes.extend((header_bytes(contents.geometry) as u32).to_le_bytes());
        bytes.extend((BLOCK_ENTRIES as u32).to_le_bytes());
        bytes.extend(self.entries().to_le_bytes());
        bytes.extend(self.file_length.to_le_bytes());
        for place in 0..MAX_ROOTS {
            let root = contents.roots.get(place).map_or(0, |&root| key::pack(contents.geometry, root));
            let score = self.root_scores.get(place).map_or(0, |score| score.discs() as i8);
            bytes.extend(root.to_le_bytes());
            bytes.extend(u64::from(score as u8).to_le_bytes());
        }
        for section in self.sections.iter().rev() {
            bytes.extend(section.entries.to_le_bytes());
            bytes.extend(section.block_bytes.to_le_bytes());
            bytes.extend(u64::from(section.index_checksum).to_le_bytes());
        }
        bytes.extend([0; 4]);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the header at the front of a whole file, and checks it and the file's length.
    pub(super) fn decode(file: &[u8]) -> Result<Header, TableError> {
        let found = file.len() as u64;
        if file.get(..8).unwrap_or(file) != &MAGIC[..file.len().min(8)] || file.is_empty() {
            return Err(TableError::NotATable);
        }
        let truncated = |expected| TableError::Truncated { expected, found };
        let front: &[u8; 80] = file.first_chunk().ok_or(truncated(80))?;
        let version = u16::from_le_bytes([front[8], front[9]]);
        match version {
            VERSION => {}
            0 => return Err(TableError::HeaderChecksum),
            found => return Err(TableError::Newer { found, known: VERSION }),
        }
        let geometry = Geometry::new(front[12].into(), front[13].into())
            .ok()
            .filter(|&geometry| key::check_size(geometry).is_ok())
            .ok_or(TableError::HeaderChecksum)?;
        let length = header_bytes(geometry);
        let bytes = file.get(..length as usize).ok_or(truncated(length))?;
        let (body, checksum) = bytes.split_at(bytes.len() - 4);
        if checksum != crc32fast::hash(body).to_le_bytes() {
            return Err(TableError::HeaderChecksum);
        }
        let header = Header::decode_fields(geometry, body)?;
        match header.file_length {
            expected if found < expected => Err(truncated(expected)),
            expected if found > expected => Err(TableError::TooLong { expected, found }),
            _ => Ok(header),
        }
    }

    /// `body` is the header without its checksum; that has been found right.
    fn decode_fields(geometry: Geometry, body: &[u8]) -> Result<Header, TableError> {
        let goal = *Goal::ALL.get(usize::from(body[14])).ok_or(TableError::Header("unknown goal"))?;
        let scoring =
            *Scoring::ALL.get(usize::from(body[15])).ok_or(TableError::Header("unknown scoring"))?;
        if body[16] != SYMMETRY_RULE || body[17] != PASSING_RULE {
            return Err(TableError::Header("unknown rule for symmetries or passes"));
        }
        let region = match body[18] {
            0 => Region::Complete,
            1 => Region::SemiStrong { prefix: body[19], down_to: body[20] },
            _ => return Err(TableError::Header("unknown region")),
        };
        let (roots, root_scores) = decode_roots(geometry, body)?;
        let header = Header {
            contents: Contents { geometry, rules: Rules::new(goal, scoring), roots, region },
            root_scores,
            revision: u16::from_le_bytes([body[10], body[11]]),
            file_length: u64_at(body, 40),
            sections: decode_sections(geometry, body),
        };
        header.check_sums(u64_at(body, 32))?;
        // What is not read above, the zero bytes among it, has one right value: writing it again tells.
        match header.encode()[..body.len()] == *body {
            true => Ok(header),
            false => Err(TableError::Header("a reserved byte or a fixed number is not as specified")),
        }
    }

    /// Checks the number of entries and the length of the file against the sections.
    fn check_sums(&self, entries: u64) -> Result<(), TableError> {
        let bad = TableError::Header;
        let mut sum_of_entries = 0u64;
        let mut length = header_bytes(self.contents.geometry) + TRAILER_BYTES;
        for section in &self.sections {
            sum_of_entries = sum_of_entries.checked_add(section.entries).ok_or(bad("too many entries"))?;
            length = section.bytes().and_then(|bytes| length.checked_add(bytes)).ok_or(bad("too long"))?;
            // A block has at least two bytes and 32-bit offsets.
            let plausible = 2 * section.blocks()..=u64::from(u32::MAX);
            let aligned = section.block_bytes.is_multiple_of(8);
            if !aligned
                || !plausible.contains(&section.block_bytes)
                || (section.entries == 0 && section.block_bytes != 0)
            {
                return Err(bad("a section has an impossible length"));
            }
        }
        if sum_of_entries != entries || length != self.file_length {
            return Err(bad("the sections do not add up"));
        }
        Ok(())
    }
}

fn decode_roots(geometry: Geometry, body: &[u8]) -> Result<(Vec<Position>, Vec<Score>), TableError> {
    let count = usize::from(body[21]);
    if !(1..=MAX_ROOTS).contains(&count) {
        return Err(TableError::Header("neither one root nor two"));
    }
    let root = |place: usize| key::unpack(geometry, u64_at(body, 48 + 16 * place));
    let roots =
        (0..count).map(root).collect::<Option<_>>().ok_or(TableError::Header("a root is no position"))?;
    let score = |place: usize| {
        let discs = i32::from(body[56 + 16 * place] as i8);
        (discs.unsigned_abs() <= geometry.square_count()).then(|| Score::new(discs))
    };
    let scores = (0..count)
        .map(score)
        .collect::<Option<_>>()
        .ok_or(TableError::Header("a root has no possible score"))?;
    Ok((roots, scores))
}

fn decode_sections(geometry: Geometry, body: &[u8]) -> Vec<Section> {
    let mut sections: Vec<Section> = (0..=geometry.square_count() as usize)
        .map(|place| 80 + 24 * place)
        .map(|offset| Section {
            entries: u64_at(body, offset),
            block_bytes: u64_at(body, offset + 8),
            index_checksum: u64_at(body, offset + 16) as u32,
        })
        .collect();
    sections.reverse();
    sections
}

/// The header's length for a board.
pub(super) const fn header_bytes(geometry: Geometry) -> u64 {
    88 + 24 * (geometry.square_count() as u64 + 1)
}

/// Eight bytes as a number. The caller knows that they are there.
#[inline]
pub(super) fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&bytes[offset..offset + 8]);
    u64::from_le_bytes(eight)
}
