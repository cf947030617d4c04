//! The compressed parts of files: weights, opening books and kept values.

use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use std::io::Read;

/// The bytes, deflated.
pub fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut payload = Vec::new();
    DeflateEncoder::new(bytes, Compression::best())
        .read_to_end(&mut payload)
        .expect("reading from memory cannot fail");
    payload
}

/// The bytes of a payload that holds at most `most`; `None` for others, and if something follows them.
pub fn inflate(payload: &[u8], most: usize) -> Option<Vec<u8>> {
    inflate_into(Vec::new(), payload, most)
}

/// The bytes of a payload that holds exactly `length`; `None` for others, and if something follows them.
pub fn inflate_exactly(payload: &[u8], length: usize) -> Option<Vec<u8>> {
    // Reserved at once: growing while reading, a lack of memory would look like a fault of the payload.
    let bytes = Vec::with_capacity(length + 1);
    inflate_into(bytes, payload, length).filter(|bytes| bytes.len() == length)
}

fn inflate_into(mut bytes: Vec<u8>, payload: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut decoder = DeflateDecoder::new(payload);
    // One byte more than allowed is enough to detect a payload that is too long.
    decoder.by_ref().take(most as u64 + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() <= most && decoder.total_in() == payload.len() as u64).then_some(bytes)
}

/// Turns rows of `width` bytes into columns, one after another. The bytes of a column are alike, which compresses better.
/// Columns of `width` bytes become rows again.
pub fn transposed(bytes: &[u8], width: usize) -> Vec<u8> {
    (0..width).flat_map(|column| bytes.iter().skip(column).step_by(width)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_deflated_and_inflated() {
        for bytes in [&b""[..], b"abcabcabc", &[7; 1000]] {
            let payload = deflate(bytes);
            assert_eq!(inflate(&payload, 1000).as_deref(), Some(bytes));
            assert_eq!(inflate_exactly(&payload, bytes.len()).as_deref(), Some(bytes));
            assert_eq!(inflate_exactly(&payload, bytes.len() + 1), None);
            assert_eq!(inflate(&[&payload[..], b"x"].concat(), 1000), None, "something follows");
            assert_eq!(inflate(&payload[..payload.len() - 1], 1000), None, "cut short");
        }
        assert_eq!(inflate(&deflate(&[7; 1001]), 1000), None, "too long");
    }

    #[test]
    fn columns_of_rows_become_rows_again() {
        assert_eq!(transposed(b"abcdef", 2), b"acebdf");
        assert_eq!(transposed(b"acebdf", 3), b"abcdef");
        assert_eq!((transposed(b"", 3), transposed(b"", 0)), (vec![], vec![]));
    }
}
