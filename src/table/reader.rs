//! Looks positions up in the bytes of a table.

use super::block::{Block, ValueCode};
use super::format::{BLOCK_ENTRIES, END_MAGIC, Section, TRAILER_BYTES, header_bytes, u64_at};
use super::{Entry, Header, RawEntry, TableError, key};
use crate::rules::{Geometry, Move, Position, Rules, Score};
use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// A table that has been opened; can be shared between threads.
///
/// Opening takes the same time whatever the number of entries, and checks everything that can be
/// checked without reading them. The index of a section and each block are checked against their
/// checksums when they are first touched; what has been found right is remembered.
pub struct Table {
    bytes: Bytes,
    header: Header,
    sections: Vec<Place>,
    values: ValueCode,
    /// One bit for each section's index, by the number of empty squares.
    checked_indexes: AtomicU64,
    /// One bit for each block.
    checked_blocks: Box<[AtomicU64]>,
}

enum Bytes {
    Mapped(Mmap),
    Static(&'static [u8]),
    Owned(Vec<u8>),
}

/// Where a section lies; every number has been checked against the length of the file.
#[derive(Clone, Copy, Default)]
struct Place {
    start: usize,
    block_bytes: usize,
    entries: u64,
    blocks: usize,
    /// The number of the section's first block, through the whole file.
    first_block: u64,
    index_checksum: u32,
}

impl Place {
    /// The first keys and references of all blocks, 16 bytes a block.
    fn index(&self) -> Range<usize> {
        let start = self.start + self.block_bytes;
        start..start + 16 * self.blocks
    }
}

impl Table {
    /// Opens a file by mapping it, so that several processes share one copy in memory.
    ///
    /// # Errors
    /// What the system said, or what is wrong with the header, the length or the trailer.
    pub fn open(path: &Path) -> Result<Table, TableError> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(TableError::Io(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        if metadata.len() == 0 {
            // An empty file cannot be mapped.
            return Err(TableError::NotATable);
        }
        // SAFETY: the map is only read, byte by byte and with every bound checked, so any content is
        // memory-safe. It must not be cut short or changed while it is open, which no process that
        // writes tables does: `Writer` puts a new file in the place of the old one, whose
        // bytes live on for those who have it open.
        let map = unsafe { Mmap::map(&file)? };
        Table::new(Bytes::Mapped(map))
    }

    /// Opens a table that is part of the program.
    ///
    /// # Errors
    /// What is wrong with the header, the length or the trailer.
    pub fn from_static(bytes: &'static [u8]) -> Result<Table, TableError> {
        Table::new(Bytes::Static(bytes))
    }

    /// Opens a table in memory, as made by [`super::to_bytes`].
    ///
    /// # Errors
    /// What is wrong with the header, the length or the trailer.
    pub fn from_vec(bytes: Vec<u8>) -> Result<Table, TableError> {
        Table::new(Bytes::Owned(bytes))
    }

    fn new(bytes: Bytes) -> Result<Table, TableError> {
        let file = bytes.get();
        let header = Header::decode(file)?;
        // The header's length of the file has been found to be the true one.
        let trailer = &file[file.len() - TRAILER_BYTES as usize..];
        if u64_at(trailer, 0) != header.file_length || trailer[8..] != END_MAGIC {
            return Err(TableError::Trailer);
        }
        let sections = places(&header);
        let words = header.blocks().div_ceil(64);
        Ok(Table {
            values: ValueCode::new(header.contents.geometry),
            sections,
            checked_indexes: AtomicU64::new(0),
            checked_blocks: (0..words).map(|_| AtomicU64::new(0)).collect(),
            header,
            bytes,
        })
    }

    /// What the table says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The board it was made for.
    pub fn geometry(&self) -> Geometry {
        self.header.contents.geometry
    }

    /// The rules it was made for.
    pub fn rules(&self) -> Rules {
        self.header.contents.rules
    }

    /// The bytes of the whole file.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get()
    }

    /// Checks that the table was made for this board and these rules.
    ///
    /// # Errors
    /// [`TableError::WrongBoard`] or [`TableError::WrongRules`].
    pub fn expect(&self, geometry: Geometry, rules: Rules) -> Result<(), TableError> {
        if self.geometry() != geometry {
            return Err(TableError::WrongBoard { asked: geometry, made: self.geometry() });
        }
        if self.rules() != rules {
            return Err(TableError::WrongRules { asked: rules, made: self.rules() });
        }
        Ok(())
    }

    /// Looks up a position, turned in any way. `None` means for certain that the table has no entry
    /// for it.
    ///
    /// # Errors
    /// A wrong checksum of what had to be read, or content that no writer writes.
    pub fn probe(&self, position: Position) -> Result<Option<Entry>, TableError> {
        let geometry = self.geometry();
        if position.discs() & !geometry.mask() != 0 || position.player & position.opponent != 0 {
            return Ok(None);
        }
        let (key, _, symmetry) = key::canonical(geometry, position);
        let Some((score, best)) = self.find(position.empty_count(geometry), key)? else { return Ok(None) };
        let best = match best {
            RawEntry::NO_MOVE => None,
            RawEntry::PASS => Some(Move::Pass),
            place => {
                let square = geometry.at_row_major(place.into());
                Some(Move::Play(symmetry.inverse().apply_square(geometry, square)))
            }
        };
        Ok(Some(Entry { score: Score::new(score.into()), best }))
    }

    /// The score and move stored under a canonical key.
    fn find(&self, empties: u32, key: u64) -> Result<Option<(i8, u8)>, TableError> {
        let place = &self.sections[empties as usize];
        if place.blocks == 0 {
            return Ok(None);
        }
        let index = self.index(empties)?;
        let Some(number) = last_at_most(&index[..8 * place.blocks], key) else { return Ok(None) };
        let block = self.block(place, index, number)?;
        block.find(key).map_err(|_| TableError::BlockContent { block: place.first_block + number as u64 })
    }

    /// The index of a section, checked on its first use.
    #[inline]
    fn index(&self, empties: u32) -> Result<&[u8], TableError> {
        let place = &self.sections[empties as usize];
        let index = &self.bytes()[place.index()];
        if self.checked_indexes.load(Ordering::Relaxed) >> empties & 1 == 0 {
            if crc32fast::hash(index) != place.index_checksum {
                return Err(TableError::IndexChecksum { empties });
            }
            self.checked_indexes.fetch_or(1 << empties, Ordering::Relaxed);
        }
        Ok(index)
    }

    /// Block `number` of a section, checked on its first use.
    #[inline]
    fn block(&self, place: &Place, index: &[u8], number: usize) -> Result<Block<'_>, TableError> {
        let block = place.first_block + number as u64;
        let reference = |number: usize| u64_at(index, 8 * (place.blocks + number));
        let start = reference(number) as u32 as usize;
        let is_last = number + 1 == place.blocks;
        let end = if is_last { place.block_bytes } else { reference(number + 1) as u32 as usize };
        let nonsense = TableError::BlockContent { block };
        let bytes = self.bytes()[place.start..place.start + place.block_bytes].get(start..end);
        let Some(bytes) = bytes else { return Err(nonsense) };
        let (word, bit) = (&self.checked_blocks[(block / 64) as usize], block % 64);
        if word.load(Ordering::Relaxed) >> bit & 1 == 0 {
            if u64::from(crc32fast::hash(bytes)) != reference(number) >> 32 {
                return Err(TableError::BlockChecksum { block });
            }
            word.fetch_or(1 << bit, Ordering::Relaxed);
        }
        let entries = if is_last { (place.entries - 1) % BLOCK_ENTRIES + 1 } else { BLOCK_ENTRIES };
        let first_key = u64_at(index, 8 * number);
        Block::new(bytes, first_key, entries as usize, self.values).ok_or(nonsense)
    }

    /// All entries in the order of the file: most empty squares first, then by key.
    ///
    /// Each block is checked on the way, and gives an error in the place of its entries if it is
    /// damaged. Every key is that of a position of the board; whether it is canonical, in its place and
    /// rightly valued is for a verifier to find out.
    pub fn raw_entries(&self) -> impl Iterator<Item = Result<RawEntry, TableError>> + '_ {
        let blocks = (0..self.sections.len() as u32).rev().flat_map(|empties| {
            (0..self.sections[empties as usize].blocks).map(move |number| (empties, number))
        });
        blocks.flat_map(|(empties, number)| match self.block_entries(empties, number) {
            Ok(entries) => entries.into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        })
    }

    fn block_entries(&self, empties: u32, number: usize) -> Result<Vec<RawEntry>, TableError> {
        let place = &self.sections[empties as usize];
        let nonsense = || TableError::BlockContent { block: place.first_block + number as u64 };
        let block = self.block(place, self.index(empties)?, number)?;
        let entries = block.entries().map_err(|_| nonsense())?;
        // Keys ascend within a block, so the last one tells whether all are positions of this board.
        let is_position = |entry: &RawEntry| key::unpack(self.geometry(), entry.key).is_some();
        if entries.last().is_none_or(is_position) { Ok(entries) } else { Err(nonsense()) }
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

/// Where the sections lie, by the number of empty squares. The header's sums have been checked, so
/// nothing overflows.
fn places(header: &Header) -> Vec<Place> {
    let mut start = header_bytes(header.contents.geometry) as usize;
    let mut first_block = 0;
    let mut place_of = |section: &Section| {
        let place = Place {
            start,
            block_bytes: section.block_bytes as usize,
            entries: section.entries,
            blocks: section.blocks() as usize,
            first_block,
            index_checksum: section.index_checksum,
        };
        start = place.index().end;
        first_block += section.blocks();
        place
    };
    let mut places: Vec<Place> = header.sections.iter().rev().map(&mut place_of).collect();
    places.reverse();
    places
}

/// The last of the ascending numbers (8 bytes each) that is not above `key`.
#[inline]
fn last_at_most(numbers: &[u8], key: u64) -> Option<usize> {
    let (mut low, mut high) = (0, numbers.len() / 8);
    while low < high {
        let middle = low + (high - low) / 2;
        if u64_at(numbers, 8 * middle) <= key {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low.checked_sub(1)
}
