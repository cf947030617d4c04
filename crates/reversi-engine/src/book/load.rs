//! Reads a book from a file, as bytes or as text.

use super::Book;
use super::file::{BookError, ContentError};
use super::text::FIRST_WORDS;
use reversi_formats::decode::without_mark;
use std::fs;
use std::io;
use std::path::Path;

/// Reads a regular file. Its type is checked before it is opened: opening a pipe would wait, and a device may have no
/// end.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() && !metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    fs::read(path)
}

impl Book {
    /// Reads a book from a file, as bytes or as text.
    ///
    /// # Errors
    /// A file that cannot be read or is no sound book; the error names it.
    pub fn load(path: &Path) -> Result<Book, BookError> {
        let bytes = read_file(path).map_err(|cause| BookError::File { path: path.to_owned(), cause })?;
        Book::from_bytes_or_text(&bytes).map_err(|cause| BookError::Unusable { path: path.to_owned(), cause })
    }

    fn from_bytes_or_text(bytes: &[u8]) -> Result<Book, ContentError> {
        match std::str::from_utf8(bytes).map(without_mark) {
            Ok(text) if text.starts_with(FIRST_WORDS) => Book::from_text(text),
            _ => Book::from_bytes(bytes),
        }
    }
}
