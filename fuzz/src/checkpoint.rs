//! No bytes make the reader of an unfinished build panic, a damaged checkpoint is refused, and what one with a right
//! checksum holds can be taken over or contradicts itself.

use super::edits;
use reversi::build::checkpoint::{is_checkpoint, known_values};
use reversi::build::known_values::KnownValues;
use reversi::rules::{Geometry, Goal, Rules, Scoring};
use std::io::Write;

/// Of a build of a region of 6x6 that was interrupted.
const SOUND: &[u8] =
    include_bytes!("../../tests/data/golden/kept/6x6-reversed-raw-61692965088728254.build/checkpoint");

/// Length of the checksum at the end.
const CHECKSUM: usize = 4;

/// Reads the bytes as a checkpoint, and as edits of a sound one, with its checksum as it is and made right.
pub fn check(bytes: &[u8]) {
    read(bytes);
    let mut edited = edits::apply(SOUND, bytes);
    let is_changed = edited != SOUND;
    assert!(!(is_changed && read(&edited)), "a damaged checkpoint was read");
    let end = edited.len() - CHECKSUM;
    let checksum = crc32fast::hash(&edited[..end]);
    edited[end..].copy_from_slice(&checksum.to_le_bytes());
    read(&edited);
}

/// Whether the bytes are a checkpoint of a build of this board.
fn read(bytes: &[u8]) -> bool {
    let mut file = tempfile::NamedTempFile::new().expect("there is room for a file");
    file.write_all(bytes).expect("there is room for its bytes");
    let (geometry, rules) = (Geometry::SIX, Rules::new(Goal::Reversed, Scoring::Raw));
    let Ok(values) = known_values(file.path(), geometry, rules) else { return false };
    assert!(is_checkpoint(file.path()));
    let mut known = KnownValues::new(geometry);
    values.iter().for_each(|&value| known.insert(value));
    assert!(known.len() <= values.len());
    true
}
