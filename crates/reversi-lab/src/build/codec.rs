//! Encoding of the records of unfinished work: the only module that uses `bincode`.
//!
//! ```text
//! record = magic, 8 bytes; version, 2; length of the body, 8; body; CRC-32 of all before, 4
//! ```
//!
//! Numbers are little-endian. The body is what `bincode` 2.0.1 writes with its standard configuration.
//! Integers above one byte are variable-length there: below 251 one byte, else 251, 252 or 253 and then 2, 4 or 8 bytes;
//! texts and lists begin with their length; a golden file in `golden/` holds a whole record.
//!
//! Nothing else reads these bytes and they do not outlive the build, so a change of any type in them only has to raise
//! [`VERSION`]. `bincode` is no longer developed and its version is pinned. To replace it, raise [`VERSION`], put
//! another encoder into [`encode`] and [`decode`], and add a golden file: no other module is concerned.

use serde::{Deserialize, Deserializer, Serialize};
use std::io::Read;

const MAGIC: [u8; 8] = *b"\x89RVC\r\n\x1A\n";
const VERSION: u16 = 2;
const HEAD_BYTES: usize = 18;
const CHECKSUM_BYTES: usize = 4;

/// Why bytes are no record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CodecError {
    /// The first bytes are not those of a record.
    #[error("is no checkpoint")]
    NoRecord,
    /// Written by another program.
    #[error("has version {found}, but this program reads version {VERSION}")]
    Version {
        /// Version of the record.
        found: u16,
    },
    /// Bytes are missing.
    #[error("is cut short")]
    Truncated,
    /// The checksum is wrong, or what it covers makes no sense.
    #[error("is damaged")]
    Damaged,
}

/// Whether the first bytes are those of a record.
pub(super) fn begins_record(mut bytes: impl Read) -> bool {
    let mut start = [0; MAGIC.len()];
    bytes.read_exact(&mut start).is_ok() && start == MAGIC
}

/// The bytes of a record.
pub(super) fn encode(record: &impl Serialize) -> Vec<u8> {
    let body = bincode::serde::encode_to_vec(record, bincode::config::standard())
        .expect("plain numbers, texts and lists can be encoded");
    let mut bytes = Vec::with_capacity(HEAD_BYTES + body.len() + CHECKSUM_BYTES);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(body);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// The record of bytes. Memory is bounded by the bytes there are, not by the lengths they state, if every text of the
/// record is read by [`text`]: lists reserve at most 1 MiB before their entries are read.
///
/// # Errors
/// Bytes that [`encode`] does not make.
pub(super) fn decode<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, CodecError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(CodecError::NoRecord);
    }
    let head: &[u8; HEAD_BYTES] = bytes.first_chunk().ok_or(CodecError::Truncated)?;
    let version = u16::from_le_bytes([head[8], head[9]]);
    if version != VERSION {
        return Err(CodecError::Version { found: version });
    }
    let (rest, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or(CodecError::Truncated)?;
    let body = rest.get(HEAD_BYTES..).ok_or(CodecError::Truncated)?;
    let mut length = [0; 8];
    length.copy_from_slice(&head[10..]);
    if (body.len() as u64) < u64::from_le_bytes(length) {
        return Err(CodecError::Truncated);
    }
    if crc32fast::hash(rest) != u32::from_le_bytes(*checksum) {
        return Err(CodecError::Damaged);
    }
    match bincode::serde::borrow_decode_from_slice(body, bincode::config::standard()) {
        Ok((record, length)) if length == body.len() => Ok(record),
        _ => Err(CodecError::Damaged),
    }
}

/// Reads a text of a record. `bincode` reserves the length that an owned text states, whatever it is; one that is borrowed
/// from the record cannot be longer than that.
///
/// # Errors
/// As the deserializer's.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    <&str>::deserialize(deserializer).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Record<'a> = (&'a str, Vec<(u64, i8)>);

    fn record() -> Record<'static> {
        ("normal", vec![(1, -4), (u64::MAX, 36), (3, 0)])
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        assert_eq!(decode(&encode(&record())), Ok(record()));
    }

    #[test]
    fn flipping_any_bit_or_cutting_anywhere_is_noticed() {
        let bytes = encode(&record());
        for place in 0..bytes.len() {
            assert!(decode::<Record>(&bytes[..place]).is_err(), "cut at {place}");
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << bit;
                assert!(decode::<Record>(&damaged).is_err(), "byte {place} bit {bit}");
            }
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(decode::<Record>(&longer).is_err());
    }

    #[test]
    fn another_version_is_named() {
        let mut bytes = encode(&record());
        bytes[8] = 7;
        assert_eq!(decode::<Record>(&bytes), Err(CodecError::Version { found: 7 }));
    }
}
