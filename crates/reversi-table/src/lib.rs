//! A file of exact values, and how to look one up.
//!
//! A [`Table`] is opened in constant time over a file (or over the 4x4 tables compiled into
//! the program) and answers [`Table::probe`] with the exact score and best move of a position, or
//! with `None`: keys are stored whole, so a position that is not in the table is never mistaken for
//! one that is. [`Writer`] makes such files. Their bytes are described in [`mod@format`], the keys in
//! [`key`], and where files are looked for in [`library`].
//!
//! ```
//! use reversi_rules::{Board, Geometry, Rules, Start};
//! use reversi_table::library;
//! let table = library::built_in(Geometry::FOUR, Rules::default(), Start::Diagonal).unwrap();
//! let start = Board::start(Geometry::FOUR, Start::Diagonal).position();
//! let entry = table.probe(start).unwrap().expect("every table holds its start");
//! assert_eq!(entry.score.discs(), -8);
//! assert_eq!(entry.best.unwrap().to_string(), "b1");
//! ```

mod bytes;
mod contents;
pub mod export;
pub mod library;
mod reader;
#[cfg(feature = "write")]
mod writer;

pub use bytes::to_bytes;
pub use contents::{Contents, Header, check_size};
pub use reader::Table;
pub use reversi_rules::key;
pub use reversi_table_raw::{EncodeError, RawEntry, Region, TableError, format};
#[cfg(feature = "write")]
pub use writer::{WriteError, Writer, Written};

use reversi_rules::{Move, Score};

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
