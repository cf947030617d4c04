//! Encodes tables in memory, in terms of the rules.

use crate::{Contents, check_size};
use reversi_rules::{Position, key};
use reversi_table_raw::{EncodeError, Encoder, RawEntry};
use std::io::{Cursor, Seek, Write};

/// Starts to encode a table with these contents.
pub(crate) fn encoder<W: Write + Seek>(out: W, contents: &Contents) -> Result<Encoder<W>, EncodeError> {
    let geometry = contents.geometry;
    check_size(geometry)?;
    // The encoder refuses roots that are no positions.
    let canonical = |&root: &Position| match root.is_on(geometry) {
        true => key::canonical(geometry, root).0,
        false => u64::MAX,
    };
    Encoder::new(out, contents.to_raw(), contents.roots.iter().map(canonical).collect())
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
    let mut encoder = encoder(Cursor::new(Vec::new()), &contents)?;
    for entry in entries {
        encoder.push(entry)?;
    }
    let (cursor, _) = encoder.finish()?;
    Ok(cursor.into_inner())
}
