//! The file of a book. Little-endian throughout:
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | `RVOPBOOK` |
//! | 8..12 | version of the format, 2 |
//! | 12 | goal: 0 normal, 1 reversed |
//! | 13 | scoring: 0 raw, 1 winner |
//! | 14, 15 | 0 |
//! | 16..20 | number of positions |
//! | 20..24 | CRC-32 of bytes 0..20 and of all bytes from 24 on |
//! | 24.. | the positions, in ascending order of the two masks: the first bytes of all entries, then all second bytes and so on, deflated |
//!
//! An entry has 20 bytes: the mask of the discs of the side to move (8 bytes), the mask of the other side (8), both in the
//! canonical form of [`reversi_rules::symmetry::canonical`]; the value in 1/128 of a disc (`i16`); the depth of the
//! search in plies (1 byte); and 1 if the value is exact, else 0 (1 byte). In version 1, which is read too, the entries
//! stand one after another, not deflated.

use super::{Book, Found, GEOMETRY, Worth, canonical};
use reversi_rules::{Goal, Position, Rules, Scoring};
use reversi_solver::deflated::{self, transposed};
use reversi_solver::eval::Eval;
use std::path::PathBuf;

const MAGIC: &[u8; 8] = b"RVOPBOOK";
const VERSION: u32 = 2;
/// The version in which entries are not deflated.
const PLAIN: u32 = 1;
const HEADER: usize = 24;
const ENTRY: usize = 20;

/// The largest value, 64 discs.
pub(super) const MOST_UNITS: i32 = 64 * Eval::UNITS_PER_DISC;

/// A file of a book that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        cause: std::io::Error,
    },
    /// The file can be read but not used.
    #[error("{}: {cause}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The fault of the content.
        cause: ContentError,
    },
}

/// A fault in the bytes or the text of a book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ContentError {
    /// Neither the bytes nor the text of a book.
    #[error("no opening book (it begins neither with RVOPBOOK nor as the text of a book)")]
    Magic,
    /// Another version of the format.
    #[error("an opening book in format {0}, but this program reads formats {PLAIN} and {VERSION}")]
    Version(u32),
    /// The checksum does not match, or bytes are missing.
    #[error("a damaged opening book (the checksum does not match)")]
    Checksum,
    /// The checksum is right, but the content makes no sense.
    #[error("a damaged opening book ({0})")]
    Structure(&'static str),
    /// A line of the text of a book.
    #[error("line {line}: {reason}")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
}

impl Book {
    /// Decodes the bytes of a file.
    ///
    /// # Errors
    /// The first fault found in the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, ContentError> {
        if !bytes.starts_with(MAGIC) {
            return Err(ContentError::Magic);
        }
        let (header, payload) = bytes.split_at_checked(HEADER).ok_or(ContentError::Checksum)?;
        let word =
            |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        if ![PLAIN, VERSION].contains(&word(8)) {
            return Err(ContentError::Version(word(8)));
        }
        if word(20) != checksum(&header[..20], payload) {
            return Err(ContentError::Checksum);
        }
        if header[14..16] != [0, 0] {
            return Err(ContentError::Structure("bytes 14 and 15 are not 0"));
        }
        let rules = read_rules(header[12], header[13]).ok_or(ContentError::Structure("no such rules"))?;
        let count = word(16) as usize;
        let entries = match word(8) {
            PLAIN => (payload.len() == ENTRY * count).then(|| payload.to_vec()),
            _ => inflate(payload, count),
        };
        let entries = entries.ok_or(ContentError::Structure(
            "the number of positions in the header does not match the content",
        ))?;
        let mut book = Book::new(rules);
        let mut before = None;
        for entry in entries.chunks_exact(ENTRY) {
            let (position, found) = read_entry(entry).ok_or(ContentError::Structure("impossible entry"))?;
            let place = (position.player, position.opponent);
            if before.is_some_and(|before| before >= place) {
                return Err(ContentError::Structure("the positions are not in order"));
            }
            before = Some(place);
            book.found.insert(position, found);
        }
        Ok(book)
    }

    /// Encodes the book as the bytes of a file. The same book gives the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut header = Vec::with_capacity(HEADER);
        header.extend(MAGIC);
        header.extend(VERSION.to_le_bytes());
        header.push((self.rules.goal == Goal::Reversed).into());
        header.push((self.rules.scoring == Scoring::Winner).into());
        header.extend([0, 0]);
        header.extend((self.found.len() as u32).to_le_bytes());
        let mut entries = Vec::with_capacity(ENTRY * self.found.len());
        for (position, Found { value: Worth { units, is_exact }, depth }) in self.in_order() {
            entries.extend(position.player.to_le_bytes());
            entries.extend(position.opponent.to_le_bytes());
            entries.extend((units as i16).to_le_bytes());
            entries.extend([depth, is_exact.into()]);
        }
        let payload = deflated::deflate(&transposed(&entries, ENTRY));
        let checksum = checksum(&header, &payload);
        [header, checksum.to_le_bytes().to_vec(), payload].concat()
    }

    /// All positions in the order of the file.
    pub(super) fn in_order(&self) -> Vec<(Position, Found)> {
        let mut all: Vec<(Position, Found)> = self.found.iter().map(|(&at, &found)| (at, found)).collect();
        all.sort_unstable_by_key(|(position, _)| (position.player, position.opponent));
        all
    }
}

/// An entry from its parts; `None` if no book can hold it.
pub(super) fn checked(
    position: Position,
    units: i32,
    is_exact: bool,
    depth: u8,
) -> Option<(Position, Found)> {
    let is_sound = position.is_on(GEOMETRY)
        && canonical(position) == position
        && units.abs() <= MOST_UNITS
        && (!is_exact || units % Eval::UNITS_PER_DISC == 0)
        && depth <= 64;
    is_sound.then_some((position, Found { value: Worth { units, is_exact }, depth }))
}

/// The most bytes of entries for each deflated byte; usual are three. With this limit a file that states a wrong number
/// of positions cannot take all memory.
const MOST_EXPANDED: usize = 64;

/// `None` if the payload does not hold exactly `count` entries.
fn inflate(payload: &[u8], count: usize) -> Option<Vec<u8>> {
    let size = Some(ENTRY * count).filter(|&size| size <= MOST_EXPANDED * payload.len())?;
    Some(transposed(&deflated::inflate_exactly(payload, size)?, count))
}

fn read_entry(entry: &[u8]) -> Option<(Position, Found)> {
    let mask = |at: usize| u64::from_le_bytes(entry[at..at + 8].try_into().expect("eight bytes"));
    let units = i16::from_le_bytes([entry[16], entry[17]]).into();
    let is_exact = match entry[19] {
        0 => false,
        1 => true,
        _ => return None,
    };
    checked(Position { player: mask(0), opponent: mask(8) }, units, is_exact, entry[18])
}

fn read_rules(goal: u8, scoring: u8) -> Option<Rules> {
    Some(Rules::new(*Goal::ALL.get(usize::from(goal))?, *Scoring::ALL.get(usize::from(scoring))?))
}

fn checksum(header: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(payload);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::super::tests::grown;
    use super::*;

    #[test]
    fn a_book_is_written_and_read() {
        let book = grown(5, 10);
        assert_eq!(Book::from_bytes(&book.to_bytes()), Ok(book.clone()));
        let empty = Book::new(Rules::new(Goal::Reversed, Scoring::Raw));
        assert_eq!(Book::from_bytes(&empty.to_bytes()), Ok(empty));
    }

    /// The file in version 1.
    fn plain(book: &Book) -> Vec<u8> {
        let mut bytes = book.to_bytes();
        let entries = inflate(&bytes[HEADER..], book.len()).unwrap();
        bytes[8] = PLAIN as u8;
        bytes.truncate(HEADER);
        bytes.extend(entries);
        seal(&mut bytes);
        bytes
    }

    fn seal(bytes: &mut [u8]) {
        let sum = checksum(&bytes[..20], &bytes[HEADER..]);
        bytes[20..24].copy_from_slice(&sum.to_le_bytes());
    }

    #[test]
    fn the_older_version_is_read() {
        let book = grown(5, 10);
        let bytes = plain(&book);
        assert!(bytes.len() == HEADER + ENTRY * book.len() && bytes.len() > 2 * book.to_bytes().len());
        assert_eq!(Book::from_bytes(&bytes), Ok(book));
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_found() {
        let bytes = grown(5, 2).to_bytes();
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 0x10;
            assert!(Book::from_bytes(&changed).is_err(), "byte {place}");
            assert!(Book::from_bytes(&bytes[..place]).is_err(), "cut at {place}");
        }
    }

    #[test]
    fn a_right_checksum_does_not_excuse_nonsense() {
        let book = grown(5, 2);
        type Change = dyn Fn(&mut Vec<u8>);
        let resealed = |mut bytes: Vec<u8>, change: &Change| {
            change(&mut bytes);
            seal(&mut bytes);
            Book::from_bytes(&bytes)
        };
        let faults: [&Change; 5] = [
            &|bytes| bytes[12] = 2,
            &|bytes| bytes[16] ^= 1,
            &|bytes| bytes[HEADER + 17] = 0x7F,
            &|bytes| bytes[HEADER + 19] = 2,
            &|bytes| bytes.copy_within(HEADER..HEADER + ENTRY, HEADER + ENTRY),
        ];
        for (number, fault) in faults.iter().enumerate() {
            let found = resealed(plain(&book), fault);
            assert!(matches!(found, Err(ContentError::Structure(_))), "fault {number}");
        }
        let faults: [&Change; 6] = [
            &|bytes| bytes[16] += 1,
            &|bytes| bytes[16] -= 1,
            &|bytes| bytes[19] = 0x7F,
            &|bytes| bytes.truncate(HEADER + 9),
            &|bytes| bytes.push(0),
            &|bytes| bytes[14] = 1,
        ];
        for (number, fault) in faults.iter().enumerate() {
            let found = resealed(book.to_bytes(), fault);
            assert!(matches!(found, Err(ContentError::Structure(_))), "fault {number} of the deflated file");
        }
        assert!(resealed(plain(&book), &|_| ()).is_ok() && resealed(book.to_bytes(), &|_| ()).is_ok());
    }

    #[test]
    fn a_damaged_file_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("some.rvo");
        let mut bytes = grown(5, 2).to_bytes();
        bytes[40] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let message = Book::load(&path).unwrap_err().to_string();
        assert!(message.contains("some.rvo: a damaged opening book"), "{message}");
        let missing = Book::load(&directory.path().join("none.rvo")).unwrap_err().to_string();
        assert!(missing.contains("none.rvo"), "{missing}");
    }
}
