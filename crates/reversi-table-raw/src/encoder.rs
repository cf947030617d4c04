//! Turns a sorted stream of entries into the bytes of a table.

use super::block::{BlockBuilder, ValueCode};
use super::format::{END_MAGIC, MAX_ROOTS, OUTPUT_REVISION, Section, TRAILER_BYTES, VERSION, header_bytes};
use super::format::{RawContents, RawHeader};
use crate::RawEntry;
use crate::digits::{empty_count, key_limit};
use crate::error::{EncodeError, TableError};
use reversi_terms::Score;
use std::io::{Seek, SeekFrom, Write};

/// Writes a table to a stream: blocks as they fill, the header at the end.
pub struct Encoder<W> {
    out: W,
    contents: RawContents,
    values: ValueCode,
    root_keys: Vec<u64>,
    root_scores: Vec<Option<Score>>,
    /// Finished sections, most empty squares first, down to the one before `empties`.
    sections: Vec<Section>,
    /// The section that is being written.
    empties: u32,
    section: Section,
    first_keys: Vec<u64>,
    checksums: Vec<u32>,
    block: BlockBuilder,
    last_key: Option<u64>,
    length: u64,
}

impl<W: Write + Seek> Encoder<W> {
    /// Starts a table; `out` must be empty and positioned at its beginning. `root_keys` are the keys of the canonical
    /// forms of the roots, in their order.
    ///
    /// # Errors
    /// A board without keys, roots or a region that no table can have, an error of the stream.
    pub fn new(mut out: W, contents: RawContents, root_keys: Vec<u64>) -> Result<Encoder<W>, EncodeError> {
        let size = contents.size;
        key_limit(size).ok_or(TableError::BoardTooLarge(size))?;
        if !(1..=MAX_ROOTS).contains(&contents.roots.len()) {
            return Err(EncodeError::Roots(contents.roots.len()));
        }
        contents.check().map_err(EncodeError::Contents)?;
        let length = header_bytes(size);
        out.write_all(&vec![0; length as usize])?;
        let values = ValueCode::new(size);
        Ok(Encoder {
            out,
            values,
            root_keys,
            root_scores: vec![None; contents.roots.len()],
            sections: Vec::new(),
            empties: size.square_count(),
            section: Section::default(),
            first_keys: Vec::new(),
            checksums: Vec::new(),
            block: BlockBuilder::new(values),
            last_key: None,
            length,
            contents,
        })
    }

    /// Adds an entry: more empties first, then ascending keys.
    ///
    /// # Errors
    /// An entry out of order or outside the board; an error of the stream.
    pub fn push(&mut self, entry: RawEntry) -> Result<(), EncodeError> {
        let bad = EncodeError::Entry(entry.key);
        let Some(empties) = empty_count(self.contents.size, entry.key) else { return Err(bad) };
        let Some(code) = self.values.encode(entry.score, entry.best) else { return Err(bad) };
        if empties > self.empties || (empties == self.empties && self.last_key >= Some(entry.key)) {
            return Err(EncodeError::Order(entry.key));
        }
        while self.empties > empties {
            self.end_section()?;
            self.empties -= 1;
        }
        for (root, score) in self.root_keys.iter().zip(&mut self.root_scores) {
            if *root == entry.key {
                *score = Some(Score::new(entry.score.into()));
            }
        }
        if !self.block.has_room_for(entry.key) {
            self.end_block(false)?;
        }
        self.last_key = Some(entry.key);
        self.section.entries += 1;
        self.block.push(entry.key, code);
        Ok(())
    }

    /// Ends the table and gives the stream back, with the header that was written.
    ///
    /// # Errors
    /// A root that is not among the entries; an error of the stream.
    pub fn finish(mut self) -> Result<(W, RawHeader), EncodeError> {
        self.end_section()?;
        self.sections.resize(self.contents.size.square_count() as usize + 1, Section::default());
        self.sections.reverse();
        let missing = |place: usize| EncodeError::RootMissing(self.root_keys[place]);
        let root_scores =
            self.root_scores.iter().enumerate().map(|(place, score)| score.ok_or_else(|| missing(place)));
        let header = RawHeader {
            root_scores: root_scores.collect::<Result<_, _>>()?,
            contents: self.contents,
            version: VERSION,
            revision: OUTPUT_REVISION,
            file_length: self.length + TRAILER_BYTES,
            sections: self.sections,
        };
        self.out.write_all(&header.file_length.to_le_bytes())?;
        self.out.write_all(&END_MAGIC)?;
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&header.encode())?;
        self.out.flush()?;
        Ok((self.out, header))
    }

    /// Writes the block that was gathered, if any.
    fn end_block(&mut self, is_last: bool) -> Result<(), EncodeError> {
        let Some(first_key) = self.block.first_key() else { return Ok(()) };
        let bytes = self.block.finish(is_last);
        self.first_keys.push(first_key);
        self.checksums.push(crc32fast::hash(&bytes));
        self.section.block_bytes += bytes.len() as u64;
        self.write(&bytes)
    }

    /// Writes what is left of a section and its index.
    fn end_section(&mut self) -> Result<(), EncodeError> {
        self.end_block(true)?;
        let mut index: Vec<u8> = self.first_keys.drain(..).flat_map(u64::to_le_bytes).collect();
        index.extend(self.checksums.drain(..).flat_map(u32::to_le_bytes));
        let padded = self.section.bytes(VERSION).expect("no file has 2^64 bytes") - self.section.block_bytes;
        index.resize(padded as usize, 0);
        self.section.index_checksum = crc32fast::hash(&index);
        self.write(&index)?;
        self.sections.push(std::mem::take(&mut self.section));
        self.last_key = None;
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        self.length += bytes.len() as u64;
        Ok(self.out.write_all(bytes)?)
    }
}
