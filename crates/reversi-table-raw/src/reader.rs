//! Looks positions up in the bytes of a table.

use super::block::{Block, ValueCode};
use super::format::RawHeader;
use super::format::{
    self, BLOCK_BYTES, END_MAGIC, MOST_HEADER_BYTES, TRAILER_BYTES, checksum_bytes_in_block,
    checksum_bytes_in_index, header_bytes, u64_at,
};
use super::source::Source;
use crate::digits::key_limit;
use crate::{RawEntry, TableError};
use reversi_naive::Size;
use std::borrow::Cow;
use std::fmt;
use std::hint::{black_box, select_unpredictable};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// A table that has been opened; can be shared between threads.
///
/// Opening takes the same time whatever the number of entries, and checks everything that can be checked without
/// reading them. The index of a section is checked against its checksum on first use, and kept. A block in memory is
/// checked on first use, which is remembered; a block of a file is copied and checked each time, and the file must not
/// have changed since it was opened. In version 2 a sound block of another table, written over this one, fails the
/// checksum in the index. In version 1 each block carries its own checksum, so such a block would be read with the keys
/// of this table, and only the times of the file reveal it.
pub struct RawTable {
    source: Source,
    front: Box<[u8]>,
    header: RawHeader,
    /// By the number of empty squares.
    sections: Vec<Section>,
    values: ValueCode,
    /// One bit for each block.
    checked_blocks: Box<[AtomicU64]>,
}

/// Shows the header; the bytes are too many.
impl fmt::Debug for RawTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawTable").field("header", &self.header).finish_non_exhaustive()
    }
}

/// Where a section lies; every number has been checked against the length of the file.
struct Section {
    empties: u32,
    start: usize,
    block_bytes: usize,
    blocks: usize,
    end: usize,
    /// The number of the section's first block, through the whole file.
    first_block: u64,
    index_checksum: u32,
    /// The index once it has been checked, or what is wrong with it: kept, so that it is not checked again for every
    /// block.
    index: OnceLock<Result<Index, IndexFault>>,
}

/// The index of a section, found right.
struct Index {
    /// One in [`GUIDE_STEP`] of the first keys: so few that they stay in the processor's cache, where the index
    /// itself does not.
    guide: Box<[u64]>,
    /// First keys and checksums, as in the file, of a table that is not in memory.
    copy: Option<Box<[u8]>>,
}

/// What a look-up needs of an index.
#[derive(Clone, Copy)]
struct IndexView<'a> {
    guide: &'a [u64],
    /// 8 bytes each.
    first_keys: &'a [u8],
    /// Those of the blocks, 4 bytes each; none in version 1.
    checksums: &'a [u8],
}

/// What is wrong with the index of a section.
#[derive(Clone, Copy, Debug)]
enum IndexFault {
    Checksum,
    Content,
    Changed,
    Io(std::io::ErrorKind),
}

impl IndexFault {
    /// The error for the section with this many empty squares.
    fn error(self, empties: u32) -> TableError {
        match self {
            IndexFault::Checksum => TableError::IndexChecksum { empties },
            IndexFault::Content => TableError::IndexContent { empties },
            IndexFault::Changed => TableError::Changed,
            IndexFault::Io(kind) => TableError::Io(kind.into()),
        }
    }
}

/// Bytes of a part of the file.
const PART_BYTES: usize = 1 << 20;

/// First keys for each one in the guide: eight cache lines.
const GUIDE_STEP: usize = 64;

impl RawTable {
    /// Opens a file, from which look-ups read what they need. If the file is written over or cut short while it is
    /// open, every later read of it is [`TableError::Changed`]. A new file may be put in its place by renaming; this
    /// table then continues with the old one.
    ///
    /// # Errors
    /// An error of the operating system, or what is wrong with the header, the length or the trailer.
    pub fn open(path: &Path) -> Result<RawTable, TableError> {
        RawTable::new(Source::open(path)?)
    }

    /// Reads a whole file into memory, where later changes of the file have no effect. All tables of the same unchanged
    /// file share the memory.
    ///
    /// # Errors
    /// An error of the operating system, a file that changes while it is read, or what is wrong with the header, the
    /// length or the trailer.
    pub fn read(path: &Path) -> Result<RawTable, TableError> {
        RawTable::new(Source::read(path)?)
    }

    /// Opens a table that is part of the program.
    ///
    /// # Errors
    /// What is wrong with the header, the length or the trailer.
    pub fn from_static(bytes: &'static [u8]) -> Result<RawTable, TableError> {
        RawTable::new(Source::Static(bytes))
    }

    /// Opens a table in memory, as an [`Encoder`](crate::Encoder) makes it.
    ///
    /// # Errors
    /// What is wrong with the header, the length or the trailer.
    pub fn from_vec(bytes: Vec<u8>) -> Result<RawTable, TableError> {
        RawTable::new(Source::Memory(Arc::new(bytes)))
    }

    fn new(source: Source) -> Result<RawTable, TableError> {
        let length = source.len();
        let front = source.part(0, length.min(MOST_HEADER_BYTES) as usize)?;
        let header = RawHeader::decode(&front, length)?;
        // The length of the file is the one that the header states.
        let trailer = source.part((length - TRAILER_BYTES) as usize, TRAILER_BYTES as usize)?;
        if u64_at(&trailer, 0) != header.file_length || trailer[8..] != END_MAGIC {
            return Err(TableError::Trailer);
        }
        drop(trailer);
        let front = front[..header_bytes(header.contents.size) as usize].into();
        let sections = sections(&header);
        let words = header.blocks().div_ceil(64);
        Ok(RawTable {
            values: ValueCode::new(header.contents.size),
            sections,
            checked_blocks: (0..words).map(|_| AtomicU64::new(0)).collect(),
            header,
            front,
            source,
        })
    }

    /// What the table says about itself.
    pub fn header(&self) -> &RawHeader {
        &self.header
    }

    /// The board it was made for.
    pub fn size(&self) -> Size {
        self.header.contents.size
    }

    /// The bytes of the header.
    pub fn header_bytes(&self) -> &[u8] {
        &self.front
    }

    /// The bytes of the whole file, in parts of at most 1 MiB.
    ///
    /// # Errors
    /// In the place of a part: an error of the operating system, or [`TableError::Changed`].
    pub fn parts(&self) -> impl Iterator<Item = Result<Cow<'_, [u8]>, TableError>> + '_ {
        let length = self.source.len() as usize;
        (0..length)
            .step_by(PART_BYTES)
            .map(move |start| self.source.part(start, PART_BYTES.min(length - start)))
    }

    /// The bytes of the whole file; a copy if they are not in memory.
    ///
    /// # Errors
    /// As [`RawTable::parts`].
    pub fn bytes(&self) -> Result<Cow<'_, [u8]>, TableError> {
        self.source.part(0, self.source.len() as usize)
    }

    /// The score and move stored under the canonical key of a position with `empties` empty squares, as in
    /// [`RawEntry`]. `None` means for certain that the table has no entry for it.
    ///
    /// # Errors
    /// A wrong checksum of what had to be read, or content that no writer writes.
    ///
    /// # Panics
    /// If the board has fewer squares than `empties`.
    pub fn find(&self, empties: u32, key: u64) -> Result<Option<(i8, u8)>, TableError> {
        let section = &self.sections[empties as usize];
        if section.blocks == 0 {
            return Ok(None);
        }
        let index = self.index(section)?;
        let Some(number) = block_for(index.first_keys, index.guide, key) else { return Ok(None) };
        let find = |block: Block| block.find(key).map_err(|_| section.nonsense(number));
        self.with_block(section, index, number, find)
    }

    /// The index of a section, checked on its first use.
    #[inline]
    fn index<'a>(&'a self, section: &'a Section) -> Result<IndexView<'a>, TableError> {
        let start = section.start + section.block_bytes;
        let found = match section.index.get() {
            Some(found) => found,
            None => match self.read_index(section) {
                // Not kept: the next attempt may succeed.
                Err(fault @ IndexFault::Io(_)) => return Err(fault.error(section.empties)),
                found => section.index.get_or_init(|| found),
            },
        };
        let (guide, bytes): (_, &[u8]) = match found {
            Ok(Index { guide, copy: Some(copy) }) => (guide, copy),
            Ok(Index { guide, copy: None }) => {
                let bytes = self.source.in_memory().unwrap_or_default();
                (guide, &bytes[start..start + self.index_bytes(section)])
            }
            Err(fault) => return Err(fault.error(section.empties)),
        };
        let (first_keys, checksums) = bytes.split_at(8 * section.blocks);
        Ok(IndexView { guide, first_keys, checksums })
    }

    /// Bytes of first keys and checksums, without the zeros after them.
    fn index_bytes(&self, section: &Section) -> usize {
        (8 + checksum_bytes_in_index(self.header.version)) * section.blocks
    }

    /// Checks the index of a section, and makes the guide to its first keys.
    fn read_index(&self, section: &Section) -> Result<Index, IndexFault> {
        let start = section.start + section.block_bytes;
        let index = self.source.part(start, section.end - start).map_err(|error| match error {
            TableError::Io(error) => IndexFault::Io(error.kind()),
            _ => IndexFault::Changed,
        })?;
        if crc32fast::hash(&index) != section.index_checksum {
            return Err(IndexFault::Checksum);
        }
        let (content, rest) = index.split_at(self.index_bytes(section));
        if rest.iter().any(|&byte| byte != 0) {
            return Err(IndexFault::Content);
        }
        let first_keys = &content[..8 * section.blocks];
        let guide = first_keys.chunks(8 * GUIDE_STEP).map(|keys| u64_at(keys, 0)).collect();
        let copy = matches!(index, Cow::Owned(_)).then(|| content.into());
        Ok(Index { guide, copy })
    }

    /// Calls `take` with block `number` of a section. A block in memory is checked on first use, a block of a file each
    /// time.
    #[inline]
    fn with_block<T>(
        &self,
        section: &Section,
        index: IndexView,
        number: usize,
        take: impl FnOnce(Block) -> Result<T, TableError>,
    ) -> Result<T, TableError> {
        let start = section.start + number * BLOCK_BYTES as usize;
        let end = (start + BLOCK_BYTES as usize).min(section.start + section.block_bytes);
        let mut copy = [0; BLOCK_BYTES as usize];
        let bytes = match self.source.in_memory() {
            Some(bytes) => &bytes[start..end],
            None => {
                self.source.copy(start, &mut copy[..end - start])?;
                &copy[..end - start]
            }
        };
        load(bytes);
        // Version 1 has the checksum before the block, version 2 in the index.
        let (before, bytes) = bytes.split_at(checksum_bytes_in_block(self.header.version).min(bytes.len()));
        let block = section.first_block + number as u64;
        let (word, bit) = (&self.checked_blocks[(block / 64) as usize], block % 64);
        let is_checked = self.source.in_memory().is_some() && word.load(Ordering::Relaxed) >> bit & 1 != 0;
        if !is_checked {
            let checksum = if before.is_empty() { &index.checksums[4 * number..][..4] } else { before };
            if checksum != crc32fast::hash(bytes).to_le_bytes() {
                return Err(TableError::BlockChecksum { block });
            }
            word.fetch_or(1 << bit, Ordering::Relaxed);
        }
        let block = Block::new(bytes, u64_at(index.first_keys, 8 * number), self.values);
        take(block.ok_or_else(|| section.nonsense(number))?)
    }

    /// All entries in the order of the file: most empty squares first, then by key.
    ///
    /// Each block is checked on the way, and gives an error in the place of its entries if it is damaged.
    /// Every key is that of a position of the board, and those of a block ascend; whether each is canonical,
    /// in its place and rightly valued is for a verifier to find out.
    pub fn raw_entries(&self) -> impl Iterator<Item = Result<RawEntry, TableError>> + '_ {
        self.sections.iter().rev().flat_map(|section| self.section_entries(section))
    }

    /// The entries of the section for this number of empty squares, as [`RawTable::raw_entries`] gives them; none if
    /// the board has fewer squares. This is where a look-up of such a position finds it.
    pub fn entries_of_section(
        &self,
        empties: u32,
    ) -> impl Iterator<Item = Result<RawEntry, TableError>> + '_ {
        self.sections.get(empties as usize).into_iter().flat_map(|section| self.section_entries(section))
    }

    fn section_entries(&self, section: &Section) -> impl Iterator<Item = Result<RawEntry, TableError>> {
        (0..section.blocks).flat_map(move |number| match self.block_entries(section, number) {
            Ok(entries) => entries.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        })
    }

    /// The entries of one block, as [`RawTable::raw_entries`] gives them; `None` if the table has no such block. Blocks
    /// are numbered from 0 in the order of the file, so a caller can go on where it has stopped.
    ///
    /// # Errors
    /// A block that is damaged.
    pub fn entries_of_block(&self, block: u64) -> Option<Result<Vec<RawEntry>, TableError>> {
        let holds = |section: &&Section| {
            section.first_block <= block && block < section.first_block + section.blocks as u64
        };
        let section = self.sections.iter().find(holds)?;
        Some(self.block_entries(section, (block - section.first_block) as usize))
    }

    fn block_entries(&self, section: &Section, number: usize) -> Result<Vec<RawEntry>, TableError> {
        let index = self.index(section)?;
        let entries = self.with_block(section, index, number, |block| {
            let entries = block.entries().map_err(|_| section.nonsense(number))?;
            let is_last = number + 1 == section.blocks;
            if is_last && !block.ends_after_its_records(self.header.version) {
                Err(section.nonsense(number))
            } else {
                Ok(entries)
            }
        })?;
        // Keys ascend within a block, so the last one tells whether all are positions of this board.
        let limit = key_limit(self.size()).expect("the header has been checked");
        let is_position = |entry: &RawEntry| entry.key < limit;
        if entries.last().is_none_or(is_position) { Ok(entries) } else { Err(section.nonsense(number)) }
    }

    /// Reads the whole file and checks every checksum and that every block can be decoded. Returns
    /// the number of blocks.
    ///
    /// # Errors
    /// The first fault that is found.
    pub fn check_all_blocks(&self) -> Result<u64, TableError> {
        self.raw_entries().try_for_each(|entry| entry.map(drop))?;
        Ok(self.header.blocks())
    }
}

impl Section {
    fn nonsense(&self, number: usize) -> TableError {
        TableError::BlockContent { block: self.first_block + number as u64 }
    }
}

/// Where the sections lie, by the number of empty squares. The header's sums have been checked, so
/// nothing overflows.
fn sections(header: &RawHeader) -> Vec<Section> {
    let mut start = header_bytes(header.contents.size) as usize;
    let mut first_block = 0;
    let place = |(empties, section): (usize, &format::Section)| {
        let end = start + section.bytes(header.version).expect("the sums have been checked") as usize;
        let placed = Section {
            empties: empties as u32,
            start,
            block_bytes: section.block_bytes as usize,
            blocks: section.blocks() as usize,
            end,
            first_block,
            index_checksum: section.index_checksum,
            index: OnceLock::new(),
        };
        start = end;
        first_block += section.blocks();
        placed
    };
    let mut sections: Vec<Section> = header.sections.iter().enumerate().rev().map(place).collect();
    sections.reverse();
    sections
}

/// The block in which a key must be if it is there.
#[inline]
fn block_for(first_keys: &[u8], guide: &[u64], key: u64) -> Option<usize> {
    let group = last_at_most(guide.len(), |place| guide[place], key)?;
    let start = 8 * GUIDE_STEP * group;
    let keys = &first_keys[start..first_keys.len().min(start + 8 * GUIDE_STEP)];
    load(keys);
    let within = last_at_most(keys.len() / 8, |place| u64_at(keys, 8 * place), key)?;
    Some(GUIDE_STEP * group + within)
}

/// The last of some ascending numbers, at least one, that is not above `key`.
///
/// No processor can predict the choice in the loop, so it is made without a branch.
#[inline]
fn last_at_most(mut count: usize, number: impl Fn(usize) -> u64, key: u64) -> Option<usize> {
    let mut first = 0;
    while count > 1 {
        let half = count / 2;
        first = select_unpredictable(number(first + half) <= key, first + half, first);
        count -= half;
    }
    (number(first) <= key).then_some(first)
}

/// Requests all cache lines of some bytes at once, instead of waiting for one after the other when they are needed.
#[inline]
fn load(bytes: &[u8]) {
    for line in bytes.chunks(64) {
        black_box(line[0]);
    }
}
