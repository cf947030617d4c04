//! Looks positions up in a table.

use crate::{Entry, Header};
use reversi_rules::{Geometry, Move, Position, Rules, Score, key};
use reversi_table_raw::{RawEntry, RawTable, TableError};
use std::borrow::Cow;
use std::path::Path;

/// A table that has been opened; can be shared between threads.
///
/// Opening takes the same time whatever the number of entries, and checks everything that can be checked without
/// reading them. The index of a section and each block are checked against their checksums on first use; blocks of a
/// file that is not in memory are checked at every use, see [`RawTable`].
#[derive(Debug)]
pub struct Table {
    raw: RawTable,
    header: Header,
}

impl Table {
    /// Opens a file without reading its entries, see [`RawTable::open`].
    ///
    /// # Errors
    /// An error of the operating system, or what is wrong with the header, the length or the trailer.
    pub fn open(path: &Path) -> Result<Table, TableError> {
        RawTable::open(path).map(Table::from)
    }

    /// Reads a whole file into memory, see [`RawTable::read`].
    ///
    /// # Errors
    /// As [`Table::open`], and a file that changes while it is read.
    pub fn read(path: &Path) -> Result<Table, TableError> {
        RawTable::read(path).map(Table::from)
    }

    /// Opens a table that is part of the program.
    ///
    /// # Errors
    /// What is wrong with the header, the length or the trailer.
    pub fn from_static(bytes: &'static [u8]) -> Result<Table, TableError> {
        RawTable::from_static(bytes).map(Table::from)
    }

    /// Opens a table in memory, as made by [`to_bytes`](crate::to_bytes).
    ///
    /// # Errors
    /// What is wrong with the header, the length or the trailer.
    pub fn from_vec(bytes: Vec<u8>) -> Result<Table, TableError> {
        RawTable::from_vec(bytes).map(Table::from)
    }

    /// The same table as numbers, for verifiers.
    pub fn raw(&self) -> &RawTable {
        &self.raw
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

    /// The bytes of the whole file; a copy if they are not in memory.
    ///
    /// # Errors
    /// See [`RawTable::parts`].
    pub fn bytes(&self) -> Result<Cow<'_, [u8]>, TableError> {
        self.raw.bytes()
    }

    /// Checks that the table was made for this board and these rules.
    ///
    /// # Errors
    /// [`TableError::WrongBoard`] or [`TableError::WrongRules`].
    pub fn expect(&self, geometry: Geometry, rules: Rules) -> Result<(), TableError> {
        if self.geometry() != geometry {
            return Err(TableError::WrongBoard { asked: geometry.into(), made: self.geometry().into() });
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
        if !position.is_on(geometry) {
            return Ok(None);
        }
        let (key, _, symmetry) = key::canonical(geometry, position);
        let Some((score, best)) = self.raw.find(position.empty_count(geometry), key)? else {
            return Ok(None);
        };
        let best = match stored_move(geometry, best) {
            Some(Move::Play(square)) => Some(Move::Play(symmetry.inverse().apply_square(geometry, square))),
            other => other,
        };
        Ok(Some(Entry { score: Score::new(score.into()), best }))
    }

    /// All positions with what is stored for them, most empty squares first. Each position is in the form
    /// that stands for all its images ([`reversi_rules::key`]), and so is its move.
    ///
    /// # Errors
    /// In the place of a block's entries, if the block is damaged.
    ///
    /// ```
    /// use reversi_rules::{Geometry, Rules, Start};
    /// use reversi_table::library;
    ///
    /// let table = library::built_in(Geometry::FOUR, Rules::default(), Start::Diagonal).unwrap();
    /// let mut drawn = 0;
    /// for entry in table.entries() {
    ///     let (position, entry) = entry.expect("the table is whole");
    ///     assert_eq!(table.probe(position).unwrap(), Some(entry));
    ///     drawn += usize::from(entry.score.discs() == 0);
    /// }
    /// assert_eq!(drawn, 986);
    /// ```
    pub fn entries(&self) -> impl Iterator<Item = Result<(Position, Entry), TableError>> + '_ {
        self.raw_entries().map(|raw| raw.map(|raw| self.entry_of(&raw)))
    }

    /// The entries of one block, as [`Table::entries`] gives them; `None` if the table has no such block. Blocks are
    /// numbered from 0 in the order of the file, so a caller can go on where it has stopped.
    ///
    /// # Errors
    /// A block that is damaged.
    ///
    /// ```
    /// use reversi_rules::{Geometry, Rules, Start};
    /// use reversi_table::library;
    ///
    /// let table = library::built_in(Geometry::FOUR, Rules::default(), Start::Diagonal).unwrap();
    /// let blocks = (0..).map_while(|block| table.entries_of_block(block));
    /// let by_block: Vec<_> = blocks.flat_map(|entries| entries.expect("the table is whole")).collect();
    /// let all: Vec<_> = table.entries().map(|entry| entry.expect("the table is whole")).collect();
    /// assert_eq!(by_block, all);
    /// ```
    pub fn entries_of_block(&self, block: u64) -> Option<Result<Vec<(Position, Entry)>, TableError>> {
        let entries = self.raw.entries_of_block(block)?;
        Some(entries.map(|entries| entries.iter().map(|raw| self.entry_of(raw)).collect()))
    }

    /// The position of an entry as it stands in the file, and what is stored for it.
    fn entry_of(&self, &RawEntry { key, score, best }: &RawEntry) -> (Position, Entry) {
        let geometry = self.geometry();
        let position = key::unpack(geometry, key).expect("the blocks give keys of this board only");
        (position, Entry { score: Score::new(score.into()), best: stored_move(geometry, best) })
    }

    /// All entries as they stand in the file, see [`RawTable::raw_entries`].
    pub fn raw_entries(&self) -> impl Iterator<Item = Result<RawEntry, TableError>> + '_ {
        self.raw.raw_entries()
    }

    /// Reads the whole file and checks every checksum and that every block can be decoded. Returns
    /// the number of blocks.
    ///
    /// # Errors
    /// The first fault that is found.
    pub fn check_all_blocks(&self) -> Result<u64, TableError> {
        self.raw.check_all_blocks()
    }
}

impl From<RawTable> for Table {
    fn from(raw: RawTable) -> Table {
        Table { header: Header::from_raw(raw.header().clone()), raw }
    }
}

/// The move of a canonical position as it is stored.
fn stored_move(geometry: Geometry, best: u8) -> Option<Move> {
    match best {
        RawEntry::NO_MOVE => None,
        RawEntry::PASS => Some(Move::Pass),
        place => Some(Move::Play(geometry.at_row_major(place.into()))),
    }
}
