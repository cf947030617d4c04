//! Encoding of the records of unfinished work: the only module that uses `bincode`. Each kind of record has its own
//! magic number and version.
//!
//! ```text
//! record = magic, 8 bytes; version, 2; length of the body, 8; body; CRC-32 of all before, 4
//! ```
//!
//! Numbers are little-endian. The body is the output of `bincode` 2.0.1 with its standard configuration. Integers above
//! one byte have variable length in it: one byte below 251, else 251, 252 or 253 and then 2, 4 or 8 bytes. Texts and
//! lists begin with their length. A golden file in `golden/` holds a whole record.
//!
//! No other program reads these bytes, and all but checkpoints do not outlive the work, so after a change of any type
//! in them only the version of its kind must be raised. Checkpoints are kept, and shipped, so that older versions of
//! them must stay readable (`build::checkpoint`). `bincode` is no longer developed and its version is pinned. To
//! replace it, raise all versions, use another encoder in [`encode`] and [`decode`], add a golden file, and write the
//! shipped checkpoints anew: no other module is concerned.

use serde::{Deserialize, Deserializer, Serialize};
use std::io::Read;

const MAGIC_BYTES: usize = 8;
const HEAD_BYTES: usize = 18;
const CHECKSUM_BYTES: usize = 4;
/// Bytes of a record without a body.
pub(crate) const SHORTEST: usize = HEAD_BYTES + CHECKSUM_BYTES;

/// A kind of record.
pub(crate) struct Kind {
    /// The first bytes.
    pub magic: [u8; MAGIC_BYTES],
    /// Raised with every change of the content.
    pub version: u16,
    /// What it is called.
    pub name: &'static str,
}

/// Why bytes are no record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CodecError {
    /// The first bytes are not those of a record.
    #[error("is no {0}")]
    NoRecord(&'static str),
    /// Written by another program.
    #[error("has version {found}, but this program reads version {read}")]
    Version {
        /// Version of the record.
        found: u16,
        /// The version that can be read.
        read: u16,
    },
    /// Bytes are missing.
    #[error("is cut short or damaged")]
    Truncated,
    /// The checksum is wrong, or the content makes no sense.
    #[error("is damaged")]
    Damaged,
}

/// The length of a record, with head and checksum, by its head.
fn stated_length(head: &[u8; HEAD_BYTES]) -> usize {
    let mut length = [0; 8];
    length.copy_from_slice(&head[10..]);
    let length = usize::try_from(u64::from_le_bytes(length)).unwrap_or(usize::MAX);
    length.saturating_add(HEAD_BYTES + CHECKSUM_BYTES)
}

/// Whether bytes are the beginning of a record of at most this length.
pub(crate) fn is_cut_off(bytes: &[u8], longest: usize) -> bool {
    let length = bytes.first_chunk().map_or(longest, stated_length);
    bytes.len() < length && length <= longest
}

/// The checksum at the end of a record, which tells records apart. The CRC-32 of all bytes would not: for bytes that
/// end with their own CRC-32 it is always the same.
pub(crate) fn checksum(record: &[u8]) -> u32 {
    let end = record.last_chunk::<CHECKSUM_BYTES>().expect("a record ends with its checksum");
    u32::from_le_bytes(*end)
}

impl Kind {
    /// Whether the first bytes are those of such a record.
    pub fn begins(&self, mut bytes: impl Read) -> bool {
        let mut start = [0; MAGIC_BYTES];
        bytes.read_exact(&mut start).is_ok() && start == self.magic
    }

    /// The bytes of a record.
    pub fn encode(&self, record: &impl Serialize) -> Vec<u8> {
        let body = bincode::serde::encode_to_vec(record, bincode::config::standard())
            .expect("plain numbers, texts and lists can be encoded");
        let mut bytes = Vec::with_capacity(HEAD_BYTES + body.len() + CHECKSUM_BYTES);
        bytes.extend(self.magic);
        bytes.extend(self.version.to_le_bytes());
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(body);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Decodes a record. Memory is bounded by the length of the bytes, not by the lengths they state, if every text of
    /// the record is read by [`text`]: lists reserve at most 1 MiB before their entries are read.
    ///
    /// # Errors
    /// Bytes that [`Kind::encode`] does not make.
    pub fn decode<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<T, CodecError> {
        match self.decode_first(bytes)? {
            (record, length) if length == bytes.len() => Ok(record),
            _ => Err(CodecError::Damaged),
        }
    }

    /// The record at the beginning of the bytes, and its length.
    ///
    /// # Errors
    /// Bytes that do not begin as [`Kind::encode`] makes them.
    pub fn decode_first<'de, T: Deserialize<'de>>(&self, bytes: &'de [u8]) -> Result<(T, usize), CodecError> {
        let magic = &bytes[..bytes.len().min(MAGIC_BYTES)];
        if !self.magic.starts_with(magic) {
            return Err(CodecError::NoRecord(self.name));
        }
        let head: &[u8; HEAD_BYTES] = bytes.first_chunk().ok_or(CodecError::Truncated)?;
        let version = u16::from_le_bytes([head[8], head[9]]);
        if version != self.version {
            return Err(CodecError::Version { found: version, read: self.version });
        }
        let end = stated_length(head);
        let record = bytes.get(..end).ok_or(CodecError::Truncated)?;
        let (rest, checksum) = record.split_last_chunk::<CHECKSUM_BYTES>().ok_or(CodecError::Truncated)?;
        if crc32fast::hash(rest) != u32::from_le_bytes(*checksum) {
            return Err(CodecError::Damaged);
        }
        let body = &rest[HEAD_BYTES..];
        match bincode::serde::borrow_decode_from_slice(body, bincode::config::standard()) {
            Ok((record, length)) if length == body.len() => Ok((record, end)),
            _ => Err(CodecError::Damaged),
        }
    }
}

/// Reads a text of a record. `bincode` reserves the stated length for an owned text, whatever it is; a text borrowed
/// from the record cannot be longer than the record.
///
/// # Errors
/// As the deserializer's.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    <&str>::deserialize(deserializer).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind { magic: *b"\x89RVX\r\n\x1A\n", version: 2, name: "test" };

    type Record<'a> = (&'a str, Vec<(u64, i8)>);

    fn record() -> Record<'static> {
        ("normal", vec![(1, -4), (u64::MAX, 36), (3, 0)])
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        assert_eq!(KIND.decode(&KIND.encode(&record())), Ok(record()));
    }

    #[test]
    fn flipping_any_bit_or_cutting_anywhere_is_noticed() {
        let bytes = KIND.encode(&record());
        for place in 0..bytes.len() {
            assert!(KIND.decode::<Record>(&bytes[..place]).is_err(), "cut at {place}");
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << bit;
                assert!(KIND.decode::<Record>(&damaged).is_err(), "byte {place} bit {bit}");
            }
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(KIND.decode::<Record>(&longer).is_err());
    }

    #[test]
    fn another_version_is_named() {
        let mut bytes = KIND.encode(&record());
        bytes[8] = 7;
        assert_eq!(KIND.decode::<Record>(&bytes), Err(CodecError::Version { found: 7, read: 2 }));
    }
}
