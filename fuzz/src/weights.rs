//! No bytes make the reader of weights panic; what it reads is written so that it is read back, and can be evaluated
//! with.

use super::edits;
use reversi::eval::{Evaluator, Weights};
use reversi::rules::{Board, Start, playout};

/// Weights of 6x6 that were learned from a few games.
const SOUND: &[u8] = include_bytes!("../../tests/data/golden/kept/6x6-reversed.rvw");

/// Where the checksum of a file stands; it covers what stands before and after it.
const CHECKSUM: std::ops::Range<usize> = 32..36;

/// Reads the bytes as a file, and as edits of a sound file, with its checksum as it is and made right.
pub fn check(bytes: &[u8]) {
    read(bytes);
    let mut edited = edits::apply(SOUND, bytes);
    let is_changed = edited != SOUND;
    assert!(!(is_changed && read(&edited)), "a damaged file was read");
    let checksum = crc32fast::hash(&[&edited[..CHECKSUM.start], &edited[CHECKSUM.end..]].concat());
    edited[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    read(&edited);
}

/// Whether the bytes are weights.
fn read(bytes: &[u8]) -> bool {
    let Ok(weights) = Weights::from_bytes(bytes) else { return false };
    assert_eq!(Weights::from_bytes(&weights.to_bytes()).as_ref(), Ok(&weights));
    let evaluator = Evaluator::new(&weights);
    let start = Board::start(weights.geometry(), Start::Diagonal).position();
    for position in playout::playout(weights.geometry(), start, &mut fastrand::Rng::with_seed(1)) {
        let _ = evaluator.evaluate(position);
    }
    true
}
