//! Looks positions up in the bytes of a table.

use super::block::{self, Block, ValueCode};
use super::format::RawHeader;
use super::format::{self, BLOCK_BYTES, END_MAGIC, TRAILER_BYTES, header_bytes, u64_at};
use crate::digits::key_limit;
use crate::{RawEntry, TableError};
use memmap2::Mmap;
use reversi_naive::Size;
use std::fmt;
use std::fs::{self, File};
use std::hint::{black_box, select_unpredictable};
use std::io;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A table that has been opened; can be shared between threads.
///
/// Opening takes the same time whatever the number of entries, and checks everything that can be
/// checked without reading them. The index of a section and each block are checked against their
/// checksums when they are first touched; what has been found right is remembered.
pub struct RawTable {
    bytes: Bytes,
    header: RawHeader,
    /// By the number of empty squares.
    sections: Vec<Section>,
    values: ValueCode,
    /// One bit for each block.
    checked_blocks: Box<[AtomicU64]>,
}

/// What it says about itself; its bytes are too many to be read.
impl fmt::Debug for RawTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawTable").field("header", &self.header).finish_non_exhaustive()
    }
}

enum Bytes {
    Mapped(Mmap),
    Static(&'static [u8]),
    Owned(Vec<u8>),
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
    /// One in [`GUIDE_STEP`] of the first keys, once the index has been checked: so few that they stay in the
    /// processor's cache, where the index itself does not. Or what is wrong with the index, lest it be
    /// checked again for every block.
    guide: OnceLock<Result<Box<[u64]>, IndexFault>>,
}

/// What is wrong with the index of a section.
#[derive(Clone, Copy, Debug)]
enum IndexFault {
    Checksum,
    Content,
}

/// First keys for each one in the guide: eight cache lines.
const GUIDE_STEP: usize = 64;

impl RawTable {
    /// Opens a file by mapping it, so that several processes share one copy in memory. While it is open no process may
    /// write to the file or cut it short, or the system ends this process when it reads there; a new file may be put in
    /// its place. [`RawTable::from_vec`] holds a copy.
    ///
    /// # Errors
    /// What the system said, or what is wrong with the header, the length or the trailer.
    pub fn open(path: &Path) -> Result<RawTable, TableError> {
        // Before it is opened: a pipe would be waited for.
        let metadata = fs::metadata(path)?;
        if metadata.is_dir() {
            return Err(TableError::Io(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        if !metadata.is_file() {
            return Err(TableError::NotATable);
        }
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.len() == 0 {
            // An empty file cannot be mapped.
            return Err(TableError::NotATable);
        }
        // SAFETY: the map is only read, byte by byte and with every bound checked, so any content is
        // memory-safe. It must not be cut short or changed while it is open, which no process that
        // writes tables does: `Writer` puts a new file in the place of the old one, whose
        // bytes live on for those who have it open.
        let map = unsafe { Mmap::map(&file)? };
        RawTable::new(Bytes::Mapped(map))
    }

    /// Opens a table that is part of the program.
    ///
    /// # Errors
    /// What is wrong with the header, the length or the trailer.
    pub fn from_static(bytes: &'static [u8]) -> Result<RawTable, TableError> {
        RawTable::new(Bytes::Static(bytes))
    }

    /// Opens a table in memory, as an [`Encoder`](crate::Encoder) makes it.
    ///
    /// # Errors
    /// What is wrong with the header, the length or the trailer.
    pub fn from_vec(bytes: Vec<u8>) -> Result<RawTable, TableError> {
        RawTable::new(Bytes::Owned(bytes))
    }

    fn new(bytes: Bytes) -> Result<RawTable, TableError> {
        let file = bytes.get();
        let header = RawHeader::decode(file)?;
        // The header's length of the file has been found to be the true one.
        let trailer = &file[file.len() - TRAILER_BYTES as usize..];
        if u64_at(trailer, 0) != header.file_length || trailer[8..] != END_MAGIC {
            return Err(TableError::Trailer);
        }
        let sections = sections(&header);
        let words = header.blocks().div_ceil(64);
        Ok(RawTable {
            values: ValueCode::new(header.contents.size),
            sections,
            checked_blocks: (0..words).map(|_| AtomicU64::new(0)).collect(),
            header,
            bytes,
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

    /// The bytes of the whole file.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get()
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
        let (first_keys, guide) = self.index(section)?;
        let Some(number) = block_for(first_keys, guide, key) else { return Ok(None) };
        let block = self.block(section, first_keys, number)?;
        block.find(key).map_err(|_| section.nonsense(number))
    }

    /// The first keys (8 bytes each) and the guide to them, checked on their first use.
    #[inline]
    fn index<'a>(&'a self, section: &'a Section) -> Result<(&'a [u8], &'a [u64]), TableError> {
        let index = &self.bytes()[section.start + section.block_bytes..section.end];
        let first_keys = &index[..8 * section.blocks];
        let empties = section.empties;
        match section.guide.get_or_init(|| guide_to(index, section)) {
            Ok(guide) => Ok((first_keys, guide)),
            Err(IndexFault::Checksum) => Err(TableError::IndexChecksum { empties }),
            Err(IndexFault::Content) => Err(TableError::IndexContent { empties }),
        }
    }

    /// Block `number` of a section, checked on its first use.
    #[inline]
    fn block(&self, section: &Section, first_keys: &[u8], number: usize) -> Result<Block<'_>, TableError> {
        let start = section.start + number * BLOCK_BYTES as usize;
        let end = (start + BLOCK_BYTES as usize).min(section.start + section.block_bytes);
        let bytes = &self.bytes()[start..end];
        load(bytes);
        let block = section.first_block + number as u64;
        let (word, bit) = (&self.checked_blocks[(block / 64) as usize], block % 64);
        if word.load(Ordering::Relaxed) >> bit & 1 == 0 {
            if !block::is_sound(bytes) {
                return Err(TableError::BlockChecksum { block });
            }
            word.fetch_or(1 << bit, Ordering::Relaxed);
        }
        Block::new(bytes, u64_at(first_keys, 8 * number), self.values).ok_or_else(|| section.nonsense(number))
    }

    /// All entries in the order of the file: most empty squares first, then by key.
    ///
    /// Each block is checked on the way, and gives an error in the place of its entries if it is damaged.
    /// Every key is that of a position of the board, and those of a block ascend; whether each is canonical,
    /// in its place and rightly valued is for a verifier to find out.
    pub fn raw_entries(&self) -> impl Iterator<Item = Result<RawEntry, TableError>> + '_ {
        let in_file_order = self.sections.iter().rev();
        let blocks =
            in_file_order.flat_map(|section| (0..section.blocks).map(move |number| (section, number)));
        blocks.flat_map(|(section, number)| match self.block_entries(section, number) {
            Ok(entries) => entries.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        })
    }

    /// The entries of one block, as [`RawTable::raw_entries`] gives them; `None` if the table has no such block. Blocks are
    /// numbered from 0 in the order of the file, so a caller can go on where it has stopped.
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
        let (first_keys, _) = self.index(section)?;
        let block = self.block(section, first_keys, number)?;
        let entries = block.entries().map_err(|_| section.nonsense(number))?;
        if number + 1 == section.blocks && !block.ends_after_its_records() {
            return Err(section.nonsense(number));
        }
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

impl Bytes {
    #[inline]
    fn get(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Static(bytes) => bytes,
            Bytes::Owned(bytes) => bytes,
        }
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
        let end = start + section.bytes().expect("the sums have been checked") as usize;
        let placed = Section {
            empties: empties as u32,
            start,
            block_bytes: section.block_bytes as usize,
            blocks: section.blocks() as usize,
            end,
            first_block,
            index_checksum: section.index_checksum,
            guide: OnceLock::new(),
        };
        start = end;
        first_block += section.blocks();
        placed
    };
    let mut sections: Vec<Section> = header.sections.iter().enumerate().rev().map(place).collect();
    sections.reverse();
    sections
}

/// Checks the index of a section, and makes the guide to its first keys.
fn guide_to(index: &[u8], section: &Section) -> Result<Box<[u64]>, IndexFault> {
    if crc32fast::hash(index) != section.index_checksum {
        return Err(IndexFault::Checksum);
    }
    let (first_keys, rest) = index.split_at(8 * section.blocks);
    if rest.iter().any(|&byte| byte != 0) {
        return Err(IndexFault::Content);
    }
    Ok(first_keys.chunks(8 * GUIDE_STEP).map(|keys| u64_at(keys, 0)).collect())
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
/// No processor could foresee a branch on the choice in the loop, so it is made without one.
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

/// Asks for all cache lines of some bytes at once, instead of waiting for one after the other when
/// they are needed.
#[inline]
fn load(bytes: &[u8]) {
    for line in bytes.chunks(64) {
        black_box(line[0]);
    }
}
