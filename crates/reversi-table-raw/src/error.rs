//! What can be wrong with a table.

use reversi_naive::Size;
use reversi_terms::{Rules, Start};
use std::io;

/// Why a table cannot be used, in words that follow the name of the file, which the caller adds.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The operating system refused.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The first bytes are not those of a table.
    #[error("is not a reversi table")]
    NotATable,
    /// Bytes are missing at the end.
    #[error("is cut short: {found} bytes of {expected}")]
    Truncated {
        /// Bytes the table should have, as far as is known.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// There are more bytes than the table has.
    #[error("is {found} bytes long instead of {expected}")]
    TooLong {
        /// Bytes the table should have.
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// The file was written to, cut short, extended, renamed or given other permissions while it was open.
    #[error("was changed while it was open, so reading it was stopped")]
    Changed,
    /// Written by a later program.
    #[error("has format version {found}, but this program reads versions up to {known}")]
    Newer {
        /// Version of the file.
        found: u16,
        /// Latest version this program reads.
        known: u16,
    },
    /// Written by a later program: a packing of the same format version that this program does not know.
    #[error("has a section in packing {0}, which this program does not know")]
    Packing(u8),
    /// The header was changed after it was written.
    #[error("is damaged: the checksum of the header is wrong")]
    HeaderChecksum,
    /// The header's checksum is right, but it says something impossible.
    #[error("has an impossible header ({0})")]
    Header(&'static str),
    /// The end mark is missing or disagrees with the header.
    #[error("is damaged: its last 16 bytes are not the end of this table")]
    Trailer,
    /// The index of a section was changed after it was written.
    #[error("is damaged: the checksum of the index for {empties} empty squares is wrong")]
    IndexChecksum {
        /// Which section: the number of empty squares.
        empties: u32,
    },
    /// The checksum is right, but the index does not end in zeros.
    #[error(
        "is wrong inside: the index for {empties} empty squares has the right checksum but does not end in zeros"
    )]
    IndexContent {
        /// Which section: the number of empty squares.
        empties: u32,
    },
    /// A block was changed after it was written.
    #[error("is damaged: the checksum of block {block} is wrong")]
    BlockChecksum {
        /// Which block, counted from 0 through the whole file.
        block: u64,
    },
    /// The checksums are right, but what they cover is no block.
    #[error("is wrong inside: block {block} has the right checksum but cannot be decoded")]
    BlockContent {
        /// Which block, counted from 0 through the whole file.
        block: u64,
    },
    /// Made for another board.
    #[error("is for the {made} board, but {asked} was asked for")]
    WrongBoard {
        /// The board that was asked for.
        asked: Size,
        /// The board the table was made for.
        made: Size,
    },
    /// Made for another goal or scoring.
    #[error(
        "was made for goal {} and scoring {}, but goal {} and scoring {} were asked for",
        made.goal, made.scoring, asked.goal, asked.scoring
    )]
    WrongRules {
        /// The rules that were asked for.
        asked: Rules,
        /// The rules the table was made for.
        made: Rules,
    },
    /// Built from another position.
    #[error("was not built from the {0} start")]
    WrongStart(Start),
    /// The board has too many squares for 64-bit keys.
    #[error("the {0} board is too large for a table: at most {max} squares", max = crate::MAX_SQUARES)]
    BoardTooLarge(Size),
}

impl TableError {
    /// The stable word for this error: the `kind` of the JSON error object.
    pub fn kind(&self) -> &'static str {
        match self {
            TableError::Io(error) if error.kind() == io::ErrorKind::NotFound => "missing-table",
            TableError::Io(_) => "cannot-read",
            TableError::WrongBoard { .. } | TableError::WrongRules { .. } | TableError::WrongStart(_) => {
                "other-table"
            }
            TableError::BoardTooLarge(_) => "bad-board",
            TableError::Changed => "changed-table",
            TableError::BlockContent { .. } | TableError::IndexContent { .. } => "wrong-table",
            _ => "corrupt-table",
        }
    }

    /// Whether the bytes of the file are at fault: no table, a damaged one or a wrong one. False for a table of a later
    /// program.
    pub fn is_damage(&self) -> bool {
        !matches!(self, TableError::Newer { .. } | TableError::Packing(_))
            && matches!(self.kind(), "corrupt-table" | "wrong-table")
    }
}

/// Entries or contents that make no table: a mistake of the program that makes them.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// The stream under the encoder failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The board has no keys.
    #[error(transparent)]
    Table(#[from] TableError),
    /// An entry does not follow its predecessor: more empties first, then by key.
    #[error("entry {0:#x} is out of order or there twice")]
    Order(u64),
    /// The key is no position of the board, or the score or move lies outside it.
    #[error("entry {0:#x} has a key, score or move that the board does not have")]
    Entry(u64),
    /// A root must be among the entries.
    #[error("the position {0:#x}, from which the table starts, is not among its entries")]
    RootMissing(u64),
    /// One or two roots are allowed.
    #[error("a table starts from one or two positions, not from {0}")]
    Roots(usize),
    /// What the table is said to be about is impossible: no reader would open it.
    #[error("no table can have these contents: {0}")]
    Contents(&'static str),
}
