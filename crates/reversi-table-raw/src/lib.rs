//! The bytes of a table of exact values, and its entries as they are in the file, not turned: for verifiers and for
//! other readers. Keys are plain numbers here; [`mod@format`] says what position a key stands for.

mod block;
mod digits;
mod encoder;
mod error;
pub mod format;
#[cfg(unix)]
mod identity;
mod reader;
mod source;

pub use encoder::Encoder;
pub use error::{EncodeError, TableError};
pub use format::{RawContents, RawHeader, Region};
pub use reader::RawTable;

/// The most squares a board may have for its keys to fit in 64 bits: 3^40 < 2^64 < 3^41.
pub const MAX_SQUARES: u32 = 40;

/// An entry as it is in the file, not turned: for verifying and exporting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawEntry {
    /// The canonical key, see [`mod@format`].
    pub key: u64,
    /// The score for the side to move, in discs.
    pub score: i8,
    /// The best move in the canonical form: a square in row-major order (0 = a1),
    /// [`RawEntry::PASS`] or [`RawEntry::NO_MOVE`].
    pub best: u8,
}

impl RawEntry {
    /// `best` of a position that must pass.
    pub const PASS: u8 = 254;
    /// `best` of a finished game, and where no move is stored.
    pub const NO_MOVE: u8 = 255;
}
