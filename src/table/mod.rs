//! A file of exact values, and how to look one up.
//!
//! A [`Table`] is opened in constant time over a mapped file (or over the 4x4 tables compiled into
//! the program) and answers [`Table::probe`] with the exact score and best move of a position, or
//! with `None`: keys are stored whole, so a position that is not in the table is never mistaken for
//! one that is. [`Writer`] makes such files. Their bytes are described in [`mod@format`], the keys in
//! [`key`], and where files are looked for in [`library`].
//!
//! ```
//! use reversi::rules::{Geometry, Rules, Start};
//! use reversi::table::library;
//! let table = library::built_in(Geometry::FOUR, Rules::default(), Start::Diagonal).unwrap();
//! let start = Geometry::FOUR.start(Start::Diagonal).position();
//! let entry = table.probe(start).unwrap().expect("every table holds its start");
//! assert_eq!(entry.score.discs(), -8);
//! assert_eq!(entry.best.unwrap().to_string(), "b1");
//! ```

mod block;
mod encoder;
pub mod error;
pub mod format;
pub mod key;
pub mod library;
mod reader;
mod writer;

pub use encoder::to_bytes;
pub use error::{EncodeError, TableError, WriteError};
pub use format::{Contents, Header, Region};
pub use reader::Table;
pub use writer::{Writer, Written};

use crate::rules::{Move, Score};

/// What a table knows about a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The exact score.
    pub score: Score,
    /// The stored best move, turned to the position that was asked for: among the optimal moves of
    /// the canonical form the one on the lowest square in row-major order. A forced pass is
    /// [`Move::Pass`]. `None` when the game is over, or where the table holds no move.
    pub best: Option<Move>,
}

/// An entry as it stands in the file, nothing turned: for verifying and exporting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawEntry {
    /// The canonical key, see [`key`].
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
