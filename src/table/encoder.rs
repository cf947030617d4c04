//! Turns a sorted stream of entries into the bytes of a table.

use super::block::{BlockBuilder, ValueCode};
use super::error::EncodeError;
use super::format::{END_MAGIC, MAX_ROOTS, OUTPUT_REVISION, Section, TRAILER_BYTES, header_bytes};
use super::{Contents, Header, RawEntry, key};
use crate::rules::Score;
use std::io::{Cursor, Seek, SeekFrom, Write};

/// Writes a table to a stream: blocks as they fill, the header at the end.
pub(super) struct Encoder<W> {
    out: W,
    contents: Contents,
    values: ValueCode,
    root_keys: Vec<u64>,
    root_scores: Vec<Option<Score>>,
    /// Finished sections, from the one without any disc down to the one before `empties`.
    sections: Vec<Section>,
    /// The section that is being written.
    empties: u32,
    section: Section,
    first_keys: Vec<u64>,
    block: BlockBuilder,
    last_key: Option<u64>,
    length: u64,
}

impl<W: Write + Seek> Encoder<W> {
    /// Starts a table; `out` is empty and stands at its beginning.
    pub fn new(mut out: W, contents: Contents) -> Result<Encoder<W>, EncodeError> {
        let geometry = contents.geometry;
        key::check_size(geometry)?;
        if !(1..=MAX_ROOTS).contains(&contents.roots.len()) {
            return Err(EncodeError::Roots(contents.roots.len()));
        }
        contents.check().map_err(EncodeError::Contents)?;
        let length = header_bytes(geometry);
        out.write_all(&vec![0; length as usize])?;
        let values = ValueCode::new(geometry);
        let root_key = |&root| key::canonical(geometry, root).0;
        Ok(Encoder {
            out,
            values,
            root_keys: contents.roots.iter().map(root_key).collect(),
            root_scores: vec![None; contents.roots.len()],
            sections: Vec::new(),
            empties: geometry.square_count(),
            section: Section::default(),
            first_keys: Vec::new(),
            block: BlockBuilder::new(values),
            last_key: None,
            length,
            contents,
        })
    }

    /// Adds an entry: more empties first, then ascending keys.
    pub fn push(&mut self, entry: RawEntry) -> Result<(), EncodeError> {
        let geometry = self.contents.geometry;
        let bad = EncodeError::Entry(entry.key);
        let Some(position) = key::unpack(geometry, entry.key) else { return Err(bad) };
        let Some(code) = self.values.encode(entry.score, entry.best) else { return Err(bad) };
        let empties = position.empty_count(geometry);
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
    pub fn finish(mut self) -> Result<(W, Header), EncodeError> {
        self.end_section()?;
        self.sections.resize(self.contents.geometry.square_count() as usize + 1, Section::default());
        self.sections.reverse();
        let missing = |place: usize| EncodeError::RootMissing(self.root_keys[place]);
        let root_scores =
            self.root_scores.iter().enumerate().map(|(place, score)| score.ok_or_else(|| missing(place)));
        let header = Header {
            root_scores: root_scores.collect::<Result<_, _>>()?,
            contents: self.contents,
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
        self.section.block_bytes += bytes.len() as u64;
        self.write(&bytes)
    }

    /// Writes what is left of a section and its index.
    fn end_section(&mut self) -> Result<(), EncodeError> {
        self.end_block(true)?;
        let mut index: Vec<u8> = self.first_keys.drain(..).flat_map(u64::to_le_bytes).collect();
        let padded = self.section.bytes().expect("no file has 2^64 bytes") - self.section.block_bytes;
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

/// A whole table in memory. The keys must be those of canonical forms, as [`key::canonical`] gives them: only
/// a verifier checks that.
///
/// # Errors
/// Contents or entries that make no table, see [`EncodeError`].
pub fn to_bytes(
    contents: Contents,
    entries: impl IntoIterator<Item = RawEntry>,
) -> Result<Vec<u8>, EncodeError> {
    let mut encoder = Encoder::new(Cursor::new(Vec::new()), contents)?;
    for entry in entries {
        encoder.push(entry)?;
    }
    let (cursor, _) = encoder.finish()?;
    Ok(cursor.into_inner())
}
