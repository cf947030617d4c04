//! No bytes make the reader of weights panic; what it reads is written so that it is read back, and can be evaluated
//! with.

use super::edits;
use reversi::eval::{Evaluator, Weights};
use reversi::rules::{Board, Start};

/// Weights of 6x6 that were learned from a few games.
const SOUND: &[u8] = include_bytes!("../../tests/data/golden/kept/6x6-reversed.rvw");

/// Where the checksum of a file stands; it covers what stands before and after it.
const CHECKSUM: std::ops::Range<usize> = 32..36;

/// Reads the bytes as a file, and as edits of a sound file, with its checksum as it is and made right.
pub fn check(bytes: &[u8]) {
    read(bytes);
    let mut edited = edits::apply(SOUND, bytes);
    if edited == SOUND {
        return;
    }
    assert!(read(&edited).is_none(), "a damaged file was read");
    let checksum = crc32fast::hash(&[&edited[..CHECKSUM.start], &edited[CHECKSUM.end..]].concat());
    edited[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    if let Some(weights) = read(&edited) {
        assert_eq!(Weights::from_bytes(&weights.to_bytes()).as_ref(), Ok(&weights));
    }
}

/// Weights that can be evaluated with, if the bytes are weights.
fn read(bytes: &[u8]) -> Option<Weights> {
    let weights = Weights::from_bytes(bytes).ok()?;
    let start = Board::start(weights.geometry(), Start::Diagonal).position();
    let _ = Evaluator::new(&weights).evaluate(start);
    Some(weights)
}
