//! What a table says about itself, in terms of the rules.

use reversi_rules::{Board, Geometry, Position, Rules, Score, Start, key};
use reversi_table_raw::{RawContents, RawHeader, Region, TableError};

/// Checks that positions of this board have keys, so that there can be a table of them.
///
/// # Errors
/// [`TableError::BoardTooLarge`] above [`key::MAX_SQUARES`] squares.
pub fn check_size(geometry: Geometry) -> Result<(), TableError> {
    match key::has_keys(geometry) {
        true => Ok(()),
        false => Err(TableError::BoardTooLarge(geometry.into())),
    }
}

/// What a table is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// The board.
    pub geometry: Geometry,
    /// Goal and scoring.
    pub rules: Rules,
    /// The positions from which it was built, one or two different ones, as they stand (not turned).
    pub roots: Vec<Position>,
    /// Which positions it holds.
    pub region: Region,
}

impl Contents {
    /// Whether the table was built from this start.
    pub fn covers(&self, start: Start) -> bool {
        self.roots.contains(&Board::start(self.geometry, start).position())
    }

    /// The same in the numbers of the file. A root that is no position of the board gets a key out of range, which the
    /// encoder refuses.
    pub(crate) fn to_raw(&self) -> RawContents {
        let root_key = |&root: &Position| match root.is_on(self.geometry) && key::has_keys(self.geometry) {
            true => key::pack(self.geometry, root),
            false => u64::MAX,
        };
        RawContents {
            size: self.geometry.into(),
            rules: self.rules,
            roots: self.roots.iter().map(root_key).collect(),
            region: self.region,
        }
    }

    /// From the numbers of a header that has been checked.
    fn from_raw(raw: &RawContents) -> Contents {
        let geometry = Geometry::from_size(raw.size).expect("the header has been checked");
        let root = |&root: &u64| key::unpack(geometry, root).expect("the header has been checked");
        Contents {
            geometry,
            rules: raw.rules,
            roots: raw.roots.iter().map(root).collect(),
            region: raw.region,
        }
    }
}

/// What a table says about itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Board, rules, roots, region.
    pub contents: Contents,
    raw: RawHeader,
}

impl Header {
    pub(crate) fn from_raw(raw: RawHeader) -> Header {
        Header { contents: Contents::from_raw(&raw.contents), raw }
    }

    /// The score of each root, for the side to move.
    pub fn root_scores(&self) -> &[Score] {
        &self.raw.root_scores
    }

    /// The format version of the file.
    pub fn version(&self) -> u16 {
        self.raw.version
    }

    /// The output revision of the program that made it.
    pub fn revision(&self) -> u16 {
        self.raw.revision
    }

    /// Bytes of the file.
    pub fn file_length(&self) -> u64 {
        self.raw.file_length
    }

    /// Number of entries with each number of empty squares, from 0 up.
    pub fn counts(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator {
        self.raw.counts()
    }

    /// Number of entries.
    pub fn entries(&self) -> u64 {
        self.raw.entries()
    }

    /// Number of blocks, each with its own checksum.
    pub fn blocks(&self) -> u64 {
        self.raw.blocks()
    }
}
