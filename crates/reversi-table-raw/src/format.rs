//! The bytes of a table, format version 2: the specification, and the code of the header. The last section lists the
//! differences of version 1.
//!
//! All numbers are little-endian; `i8` is two's complement. Bytes called zero must be zero. Bits are
//! numbered from the least significant bit of the first byte on, and of a number that is written in bits the
//! least significant one comes first. CRC-32 is the usual one (IEEE 802.3, as in zip and PNG). Let `s` be the
//! number of squares of the board, at most 40. Squares are counted row by row from 0: the one in column `c` and
//! row `r` (both from 0, `a1` being column 0 of row 0) of a board of `columns` columns is `r * columns + c`.
//!
//! ```text
//! file = header, section of s empty squares, section of s - 1, ..., section of 0, trailer
//! ```
//!
//! # Positions and keys
//!
//! A position is kept as seen by the side to move; its colour is not kept. The *key* of a position is the sum of
//! `t[i] * 3^i` over its squares `i`, where `t[i]` is 0 if the square is empty, 1 if it holds a disc of the side to
//! move, 2 if one of the other side's.
//!
//! One entry stands for all images of a position under the symmetries of its board: the eight turns and mirror
//! images of a square board, the four of an oblong one that keep its columns columns. Its key is that of the
//! *canonical form*: of all images the one whose mask of the side to move is least, and of those with the same such
//! mask the one whose mask of the other side is least; a mask has bit `8 * r + c` for a disc in column `c` and row `r`.
//! This need not be the image with the least key. A stored move is that of the canonical form; any symmetry that takes
//! the form to a position takes the move along.
//!
//! The *canonical best move* is, among the optimal moves of the canonical form, the one on the lowest square.
//!
//! # Header
//!
//! Its length is `88 + 24 * (s + 1)` bytes, rounded up to a multiple of 64. Magic and version keep their places in all
//! versions and come first: a reader refuses a version that it does not know, whose checksum it cannot know either.
//!
//! | offset | size | what |
//! |---:|---:|---|
//! | 0 | 8 | magic: `89 52 56 54 0D 0A 1A 0A` (`\x89RVT\r\n\x1A\n`) |
//! | 8 | 2 | format version: 2 |
//! | 10 | 2 | output revision, now 1: raised when the same build would give other entries; readers ignore it |
//! | 12 | 1 | columns, 3 to 8 |
//! | 13 | 1 | rows, 3 to 8; columns * rows is at most 40 |
//! | 14 | 1 | goal: 0 normal (more discs win), 1 reversed (fewer discs win) |
//! | 15 | 1 | scoring of a finished game: 0 raw (difference of discs), 1 winner (empty squares go to the side with more discs, if one has more); the reversed goal turns the sign of the score so found |
//! | 16 | 1 | symmetry rule: 1, the one described above |
//! | 17 | 1 | passing rule: 1, a side without a move passes if the other side has one; the position before the pass and the one after it are both entries; the game ends when neither side has a move, and finished games are entries too |
//! | 18 | 1 | region: 0 complete, 1 semi-strong |
//! | 19 | 1 | semi-strong: P, the plies of the prefix, at most the empty squares of every root; else zero |
//! | 20 | 1 | semi-strong: E, the least number of empty squares, at most those of every root; else zero |
//! | 21 | 1 | number of roots, 1 or 2 |
//! | 22 | 2 | zero |
//! | 24 | 4 | length of the header |
//! | 28 | 4 | bytes of a whole block: 512 |
//! | 32 | 8 | number of entries in all |
//! | 40 | 8 | length of the file |
//! | 48 | 16 | first root: its key as it stands (not turned), 8 bytes, less than `3^s`; its score for the side to move under the goal and scoring of this table, that of its entry, `i8`; 7 bytes zero |
//! | 64 | 16 | second root, of another key, perhaps an image of the first, or zero if there is only one root; which is the first means nothing |
//! | 80 | 24 * (s + 1) | sections in the order of the file, first the one of `s` empty squares: number of entries, 8 bytes; bytes of its blocks, 8 bytes; CRC-32 of its index (0 where there are no entries), 4 bytes; packing, 1 byte: 0, the one described here; zero, 3 bytes |
//! | | | zero, up to the last 4 bytes |
//! | length - 4 | 4 | CRC-32 of all bytes of the header before this one |
//!
//! Other packing numbers are reserved for tighter packings. Most bytes of the last plies of a long prefix are keys;
//! they would gain most from keys that count only positions with one number of discs. A reader refuses a packing that
//! it does not know.
//!
//! The *roots* are the positions from which the table was built: the diagonal start, the parallel start, both, or any
//! other position. A start has its four discs in columns `c`, `c + 1` and rows `r`, `r + 1`, where `c` is
//! (columns - 2) / 2 and `r` is (rows - 2) / 2, both rounded down: `b2` to `c3` on 4x4, `c3` to `d4` on 6x6. From the
//! diagonal one the side to move has `(c + 1, r)` and `(c, r + 1)`, from the parallel one `(c, r + 1)` and
//! `(c + 1, r + 1)`, and the other side the two others. The *region* says what the table holds, always up to symmetry:
//!
//! * *complete*: every position that can be reached from a root, and no other. Every entry has its move: the
//!   canonical best one, a pass where the side to move must pass, none where the game is over.
//! * *semi-strong*: the *prefix*, every position reachable from one of the roots with at most P plies (discs
//!   put; a pass takes no ply); and, for each side A, every position that can arise from a root when A always
//!   plays the canonical best move and the other side plays anything, as long as at least E squares are empty
//!   (so also after a pass with E empty squares): there the side to move *chooses* if it is A, else it is
//!   *free*; a position can be met both ways.
//!
//!   The move of an entry is
//!   - a pass where the side to move must pass, none where the game is over;
//!   - else the canonical best move if the position is reachable from one of the roots with fewer than P plies, or met
//!     as just said with more than E empty squares, or met choosing with E empty squares;
//!   - else, in the last ply of the prefix (reachable from one of the roots with P plies and not with fewer), the
//!     canonical best move if that is known, and none if it is not. A build may search only scores there; moves can be
//!     added later, and a file with some of them is as good as one with all;
//!   - else none.
//!
//! # Section
//!
//! A section holds the entries with one number of empty squares, ordered by key, each key once.
//! Without entries it has no bytes. Else it is
//!
//! ```text
//! section = block, ..., block, first key of each block (8 bytes each), CRC-32 of each block (4 bytes each), zero bytes
//! ```
//!
//! with as many zero bytes as make its length a multiple of 64.
//!
//! All blocks but the last one are 512 bytes long. The last one ends after its last record, rounded up to a multiple of
//! 8; it can have 512 bytes as well. So `b` bytes of blocks are ceil(b / 512) blocks. What follows the blocks is the
//! *index*, which has its checksum in the header.
//!
//! So every byte of the file is covered: each block by a checksum in the index of its section, each index by one in the
//! header, the header by one of its own, the trailer by its fixed content. A header thus identifies one file: an intact
//! block or index of another table, or of another place in this one, has another checksum than is stated here, and is
//! refused. The checksum of the header is the *identity* of the file. This protects against accidents only: a program
//! that makes tables can also forge one.
//!
//! # Block
//!
//! Of `m` entries with keys `k[0] < ... < k[m-1]`; the index holds `k[0]`. Let `d[i] = k[i] - k[0]`.
//! The distances are written as by Elias and Fano: the lower `l` bits of each as they are, the upper
//! parts `u[i] = d[i] >> l` as the places of one bits.
//!
//! | offset | size | what |
//! |---:|---:|---|
//! | 0 | 2 | `m`, 1 or more |
//! | 2 | 1 | `l`, 0 to 63 |
//! | 3 | 1 | `h`, bytes of the upper parts: ceil((u[m-1] + m - 1) / 8), 0 for m = 1; at most 255, so not every `l` will do |
//! | 4 | 2 | value of entry 0; its bits above `w` (see below) are zero |
//! | 6 | `h` | upper parts: for each i from 1 to m - 1 the bit `u[i] + i - 1` is one, all others are zero |
//! | 6 + h | ceil((m - 1) * (l + w) / 8) | a record of `l + w` bits for each i from 1 to m - 1: first the lower `l` bits of `d[i]`, then the value of entry i |
//! | | | zero, up to the end, the bits of the last byte that no record takes among it |
//!
//! A record can be longer than 64 bits.
//!
//! A *value* is `(score + s) * (s + 2) + move`, where the score is that of the side to move, and the
//! move is a square in row-major order from 0 (in the canonical form), `s` for a pass, or `s + 1`
//! for none: the game is over, or no move is stored. It has `w` bits, as many as the largest one takes, which is
//! `(2 * s + 1) * (s + 2) - 1`.
//!
//! No value is larger than that; every key is that of a canonical form with as many empty squares as its section says.
//! A file in which this is not so was made wrong, even if its checksums are right (`reversi table verify` ends with 5,
//! not 4).
//!
//! So that the same entries always give the same bytes, a writer takes for `m` entries the least `l` for which the
//! upper parts and records have the fewest bits, that is, for which `(m - 1) * l + u[m-1]` is least (0 for m = 1). It
//! adds entries to a block until one more, with the `l` for that number of entries, would make it longer than 512
//! bytes, even if it would fit with another `l`. Readers must not rely on either.
//!
//! # Finding a position
//!
//! Take its canonical form, the section of its number of empty squares, and in that the last block whose
//! first key is not greater than the key. A key that is not there is not in the table.
//!
//! # Examples
//!
//! Boards stand here row by row from row 0 on. The diagonal start has the canonical key 138996 on 4x4 and 24431405652
//! on 6x6; the parallel start as it stands, which is not its canonical form, has 80676 and 13985401356. Under the
//! normal goal with raw scoring the score of the diagonal start of 4x4 is -8 and its canonical best move, b1 in that
//! form, is square 1: the value is (-8 + 16) * 18 + 1 = 145, of w = 10 bits.
//!
//! The position `-X-- -XX- OOO- ----` (`X` to move) is its own canonical form, of key 171561: its mask 1538
//! is the least of its eight images, though one of them, `-O-- -OXX -OX- ----`, has a lesser key, 101823.
//!
//! With 10 empty squares the complete 4x4 table of that start holds three positions, in one block of 16 bytes:
//!
//! ```text
//! 03 00  0D  01  94 00  18  30 1F 3A BF CF 1B  00 00 00
//! m      l   h   value  upp records            zero
//! ```
//!
//! Its first key, in the index, is 139001, and its CRC-32 there is `7B 39 C7 74`. The value 148 says score -8 and
//! square 4 (a2). The upper parts have ones at bits 3 and 4, so u\[1\] = u\[2\] = 3. The records have 13 + 10 bits:
//! 7984 and 464, then 8062 and 444. So the second key is 139001 + 3 * 8192 + 7984 = 171561, the position above, with
//! score +9 by c4; the third is 171639, with +8 by a4.
//!
//! # Trailer, 16 bytes
//!
//! Length of the file, 8 bytes; `0D 0A 65 6E 64 52 56 54` (`\r\nendRVT`).
//!
//! # Version 1
//!
//! Version 1 is still read, but no longer written; `reversi table convert` makes a file of version 2 with the same
//! entries. Its differences are:
//!
//! * The header says 1 at offset 8.
//! * Each block begins with four more bytes, the CRC-32 of the rest of it. Everything else in the table of the block
//!   comes four bytes later, and at most 508 bytes of a block are left for it.
//! * The index has no checksums of blocks. So a block is bound to no file: only the index says where it belongs, and
//!   only by its first key.
//! * No entry of the last ply of a prefix has a move that is not promised.

use crate::TableError;
use crate::digits::{empty_count, key_limit};
use reversi_naive::Size;
use reversi_terms::{Goal, Rules, Score, Scoring};

/// The first bytes of every table. The first is not ASCII, and both kinds of line end follow, so that a transfer that
/// alters texts is noticed at once.
pub const MAGIC: [u8; 8] = *b"\x89RVT\r\n\x1A\n";
/// The last bytes of every table.
pub const END_MAGIC: [u8; 8] = *b"\r\nendRVT";
/// The version this program writes. It reads all up to this one.
pub const VERSION: u16 = 2;
/// Raised when the same build gives other entries than before.
pub const OUTPUT_REVISION: u16 = 1;
/// Bytes of a block, but for the last one of a section: eight cache lines, within one page of memory
/// more often than not.
pub const BLOCK_BYTES: u64 = 512;
/// Bytes of a block before the upper parts, without a checksum.
pub(super) const FRONT_BYTES: usize = 6;
/// The one packing of a section: see the header.
const PACKING: u8 = 0;
/// The one rule for symmetries: see the header.
pub const SYMMETRY_RULE: u8 = 1;
/// The one rule for passes: see the header.
pub const PASSING_RULE: u8 = 1;

pub(super) const MAX_ROOTS: usize = 2;
/// The longest side of a board that a file can be about.
const LONGEST_SIDE: u32 = 8;
const SECTIONS_AT: usize = 80;
const ALIGNMENT: u64 = 64;
pub(super) const TRAILER_BYTES: u64 = 16;
/// No header is longer than this; that of 64 squares would be shorter.
pub(super) const MOST_HEADER_BYTES: u64 = 2048;

/// Which positions a table holds, see the [specification](self).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// Every position that can be reached from a root.
    Complete,
    /// Every position of the first plies, and what can arise when either side plays its stored moves.
    SemiStrong {
        /// Every position with at most this many plies after a root is there; at most the empty squares of every root.
        prefix: u8,
        /// The certified region of both sides goes down to this many empty squares; at most those of every root.
        down_to: u8,
    },
}

/// What a table is about, in the numbers of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawContents {
    /// The board.
    pub size: Size,
    /// Goal and scoring.
    pub rules: Rules,
    /// The keys of the positions from which it was built, one or two different ones, as they stand (not turned).
    pub roots: Vec<u64>,
    /// Which positions it holds.
    pub region: Region,
}

impl RawContents {
    /// Refuses contents that no table can have. Reader and writer both call it, so that what is written can be read.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        let empties: Option<Vec<u32>> = self.roots.iter().map(|&root| empty_count(self.size, root)).collect();
        let empties = empties.ok_or("a root is no position")?.into_iter().min().unwrap_or(0);
        if matches!(self.roots[..], [one, other] if one == other) {
            return Err("the same root twice");
        }
        match self.region {
            Region::SemiStrong { prefix, down_to } if u32::from(prefix.max(down_to)) > empties => {
                Err("more plies or empty squares than its root has")
            }
            _ => Ok(()),
        }
    }
}

/// What a table says about itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawHeader {
    /// Board, rules, roots, region.
    pub contents: RawContents,
    /// The score of each root, for the side to move.
    pub root_scores: Vec<Score>,
    /// The format version of the file.
    pub version: u16,
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
        self.block_bytes.div_ceil(BLOCK_BYTES)
    }

    /// Bytes of blocks and index; `None` if the sum does not fit in 64 bits.
    pub fn bytes(self, version: u16) -> Option<u64> {
        let of_block = 8 + checksum_bytes_in_index(version) as u64;
        self.blocks()
            .checked_mul(of_block)?
            .checked_add(self.block_bytes)?
            .checked_next_multiple_of(ALIGNMENT)
    }

    /// Whether there are blocks and an index where there are entries, and none too short to be one.
    fn is_plausible(self, version: u16) -> bool {
        let last = self.block_bytes % BLOCK_BYTES;
        let shortest = (checksum_bytes_in_block(version) + FRONT_BYTES) as u64;
        let has_whole_blocks = last.is_multiple_of(8) && (last == 0 || last >= shortest);
        let is_empty = self.entries == 0;
        has_whole_blocks && is_empty == (self.block_bytes == 0) && (!is_empty || self.index_checksum == 0)
    }
}

impl RawHeader {
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
        let length = header_bytes(contents.size);
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(self.version.to_le_bytes());
        bytes.extend(self.revision.to_le_bytes());
        bytes.extend([contents.size.width() as u8, contents.size.height() as u8]);
        bytes.extend([contents.rules.goal as u8, contents.rules.scoring as u8]);
        bytes.extend([SYMMETRY_RULE, PASSING_RULE, region, prefix, down_to]);
        bytes.extend([contents.roots.len() as u8, 0, 0]);
        bytes.extend((length as u32).to_le_bytes());
        bytes.extend((BLOCK_BYTES as u32).to_le_bytes());
        bytes.extend(self.entries().to_le_bytes());
        bytes.extend(self.file_length.to_le_bytes());
        for place in 0..MAX_ROOTS {
            let root = contents.roots.get(place).copied().unwrap_or(0);
            let score = self.root_scores.get(place).map_or(0, |score| score.discs() as i8);
            bytes.extend(root.to_le_bytes());
            bytes.extend(u64::from(score as u8).to_le_bytes());
        }
        for section in self.sections.iter().rev() {
            bytes.extend(section.entries.to_le_bytes());
            bytes.extend(section.block_bytes.to_le_bytes());
            bytes.extend(u64::from(section.index_checksum).to_le_bytes());
        }
        bytes.resize(length as usize - 4, 0);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the header from the first [`MOST_HEADER_BYTES`] of a file, or all there are, and checks it and the length
    /// of the file.
    pub(super) fn decode(file: &[u8], found: u64) -> Result<RawHeader, TableError> {
        let magic = &MAGIC[..file.len().min(MAGIC.len())];
        if file.is_empty() || !file.starts_with(magic) {
            return Err(TableError::NotATable);
        }
        let truncated = |expected| TableError::Truncated { expected, found };
        let front: &[u8; SECTIONS_AT] = file.first_chunk().ok_or(truncated(SECTIONS_AT as u64))?;
        match u16::from_le_bytes([front[8], front[9]]) {
            1..=VERSION => {}
            0 => return Err(TableError::HeaderChecksum),
            found => return Err(TableError::Newer { found, known: VERSION }),
        }
        let size = Size::new(front[12].into(), front[13].into())
            .ok()
            .filter(|size| size.width().max(size.height()) <= LONGEST_SIDE && key_limit(*size).is_some())
            .ok_or(TableError::HeaderChecksum)?;
        let length = header_bytes(size);
        let bytes = file.get(..length as usize).ok_or(truncated(length))?;
        let (body, checksum) = bytes.split_at(bytes.len() - 4);
        if checksum != crc32fast::hash(body).to_le_bytes() {
            return Err(TableError::HeaderChecksum);
        }
        let header = RawHeader::decode_fields(size, body)?;
        match header.file_length {
            expected if found < expected => Err(truncated(expected)),
            expected if found > expected => Err(TableError::TooLong { expected, found }),
            _ => Ok(header),
        }
    }

    /// `body` is the header without its checksum, which has been found right.
    fn decode_fields(size: Size, body: &[u8]) -> Result<RawHeader, TableError> {
        let bad = TableError::Header;
        let goal = *Goal::ALL.get(usize::from(body[14])).ok_or(bad("unknown goal"))?;
        let scoring = *Scoring::ALL.get(usize::from(body[15])).ok_or(bad("unknown scoring"))?;
        if body[16] != SYMMETRY_RULE || body[17] != PASSING_RULE {
            return Err(bad("unknown rule for symmetries or passes"));
        }
        let region = match body[18] {
            0 => Region::Complete,
            1 => Region::SemiStrong { prefix: body[19], down_to: body[20] },
            _ => return Err(bad("unknown region")),
        };
        let mut packings =
            (0..=size.square_count() as usize).map(|place| body[SECTIONS_AT + 24 * place + 20]);
        if let Some(other) = packings.find(|&packing| packing != PACKING) {
            return Err(TableError::Packing(other));
        }
        let (roots, root_scores) = decode_roots(size, body)?;
        let contents = RawContents { size, rules: Rules::new(goal, scoring), roots, region };
        contents.check().map_err(bad)?;
        let header = RawHeader {
            contents,
            root_scores,
            version: u16::from_le_bytes([body[8], body[9]]),
            revision: u16::from_le_bytes([body[10], body[11]]),
            file_length: u64_at(body, 40),
            sections: decode_sections(size, body),
        };
        header.check_sums(u64_at(body, 32))?;
        // Every byte that is not read above, such as a zero byte, has one right value: encoding the header again shows
        // a difference.
        match header.encode()[..body.len()] == *body {
            true => Ok(header),
            false => Err(bad("a reserved byte or a fixed number is not as specified")),
        }
    }

    /// Checks the number of entries and the length of the file against the sections.
    fn check_sums(&self, entries: u64) -> Result<(), TableError> {
        let bad = TableError::Header;
        let mut sum_of_entries = 0u64;
        let mut length = header_bytes(self.contents.size) + TRAILER_BYTES;
        for section in &self.sections {
            if !section.is_plausible(self.version) {
                return Err(bad("a section has an impossible length"));
            }
            sum_of_entries = sum_of_entries.checked_add(section.entries).ok_or(bad("too many entries"))?;
            length = section
                .bytes(self.version)
                .and_then(|bytes| length.checked_add(bytes))
                .ok_or(bad("too long"))?;
        }
        if sum_of_entries != entries || length != self.file_length {
            return Err(bad("the sections do not add up"));
        }
        Ok(())
    }
}

fn decode_roots(size: Size, body: &[u8]) -> Result<(Vec<u64>, Vec<Score>), TableError> {
    let bad = TableError::Header;
    let count = usize::from(body[21]);
    if !(1..=MAX_ROOTS).contains(&count) {
        return Err(bad("neither one root nor two"));
    }
    let is_key = |key: &u64| key_limit(size).is_some_and(|limit| *key < limit);
    let root = |place: usize| Some(u64_at(body, 48 + 16 * place)).filter(is_key);
    let score = |place: usize| {
        let discs = i32::from(body[56 + 16 * place] as i8);
        (discs.unsigned_abs() <= size.square_count()).then(|| Score::new(discs))
    };
    let roots = (0..count).map(root).collect::<Option<_>>().ok_or(bad("a root is no position"))?;
    let scores = (0..count).map(score).collect::<Option<_>>().ok_or(bad("a root has no possible score"))?;
    Ok((roots, scores))
}

fn decode_sections(size: Size, body: &[u8]) -> Vec<Section> {
    let mut sections: Vec<Section> = (0..=size.square_count() as usize)
        .map(|place| SECTIONS_AT + 24 * place)
        .map(|offset| Section {
            entries: u64_at(body, offset),
            block_bytes: u64_at(body, offset + 8),
            index_checksum: u64_at(body, offset + 16) as u32,
        })
        .collect();
    sections.reverse();
    sections
}

/// Bytes of the checksum before each block.
pub(super) const fn checksum_bytes_in_block(version: u16) -> usize {
    if version == 1 { 4 } else { 0 }
}

/// Bytes of the checksum of each block in the index of its section.
pub(super) const fn checksum_bytes_in_index(version: u16) -> usize {
    4 - checksum_bytes_in_block(version)
}

/// The header's length for a board.
pub(super) fn header_bytes(size: Size) -> u64 {
    (88 + 24 * (u64::from(size.square_count()) + 1)).next_multiple_of(ALIGNMENT)
}

/// Eight bytes as a number. The caller knows that they are there.
#[inline]
pub(super) fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&bytes[offset..offset + 8]);
    u64::from_le_bytes(eight)
}
