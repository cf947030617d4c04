//! Edits of a sound file, so that an input of a few bytes reaches what lies behind the first checks.

/// The sound bytes after the edits of an input: for each an offset (two bytes, little-endian, modulo the length) and
/// the bits to flip there (one byte).
pub fn apply(sound: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    for edit in edits.chunks_exact(3) {
        let offset = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % bytes.len();
        bytes[offset] ^= edit[2];
    }
    bytes
}
