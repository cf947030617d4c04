//! No bytes make the reader of tables panic. Where the checksums are not mended, a damaged table
//! answers rightly or refuses.

use super::edits;
use reversi::rules::{Geometry, Position, Rules, Start};
use reversi::table::{Entry, Table, key, library, to_bytes};
use std::sync::LazyLock;

/// A table with some of the entries of 4x4, so that most edits hit something that matters.
struct Sound {
    bytes: Vec<u8>,
    answers: Vec<(Position, Option<Entry>)>,
}

static SOUND: LazyLock<Sound> = LazyLock::new(|| {
    let all =
        library::built_in(Geometry::FOUR, Rules::default(), Start::Diagonal).expect("it is compiled in");
    let entries: Vec<_> = all.raw_entries().map(|entry| entry.expect("it is sound")).collect();
    let bytes = to_bytes(all.header().contents.clone(), entries.iter().copied().step_by(40))
        .expect("part of a table is a table");
    let table = Table::from_vec(bytes.clone()).expect("it has just been made");
    let position = |key| key::unpack(Geometry::FOUR, key).expect("it is the key of a position");
    let answer = |position| (position, table.probe(position).expect("it is sound"));
    // Every second one of these is in the table.
    let answers = entries.iter().step_by(20).map(|entry| answer(position(entry.key))).collect();
    Sound { bytes, answers }
});

/// Reads the bytes as a table, and as edits of a sound table, with its checksums as they are and made right.
pub fn check(bytes: &[u8]) {
    read_everything(bytes.to_vec());
    let mut edited = edits::apply(&SOUND.bytes, bytes);
    probe_rightly_or_not_at_all(edited.clone());
    if mend_checksums(&mut edited).is_some() {
        read_everything(edited);
    }
}

fn probe_rightly_or_not_at_all(bytes: Vec<u8>) {
    let Ok(table) = Table::from_vec(bytes) else { return };
    for (position, expected) in &SOUND.answers {
        if let Ok(answer) = table.probe(*position) {
            assert_eq!(answer, *expected, "{position:?}");
        }
    }
}

fn read_everything(bytes: Vec<u8>) {
    let Ok(table) = Table::from_vec(bytes) else { return };
    for (position, _) in &SOUND.answers {
        let _ = table.probe(*position);
    }
    let _ = table.check_all_blocks();
    for entry in table.raw_entries().flatten() {
        let _ = key::unpack(table.geometry(), entry.key).map(|position| table.probe(position));
    }
}

/// Makes the checksums right again, so that the code behind them is reached. `None` where the edits have
/// moved things beyond the end.
fn mend_checksums(bytes: &mut [u8]) -> Option<()> {
    let squares = usize::from(*bytes.get(12)?) * usize::from(*bytes.get(13)?);
    let sections = 80..80 + 24 * (squares + 1);
    let header = (sections.end + 8).next_multiple_of(64);
    // Version 1 has the checksum of a block before it, version 2 in the index.
    let is_old = *bytes.get(8)? == 1;
    let mut start = header;
    for section in sections.step_by(24) {
        let block_bytes = number(bytes, section + 8, 8)?;
        let index = start.checked_add(block_bytes)?;
        let blocks = block_bytes.div_ceil(512);
        let index_bytes = blocks.checked_mul(if is_old { 8 } else { 12 })?;
        let end = index.checked_add(index_bytes)?.checked_next_multiple_of(64)?;
        bytes.get(start..end)?;
        for (place, from) in (start..index).step_by(512).enumerate() {
            let until = (from + 512).min(index);
            let (at, from) = if is_old { (from, from + 4) } else { (index + 8 * blocks + 4 * place, from) };
            if from <= until {
                let checksum = crc32fast::hash(&bytes[from..until]);
                bytes[at..at + 4].copy_from_slice(&checksum.to_le_bytes());
            }
        }
        let checksum = crc32fast::hash(bytes.get(index..end)?);
        bytes[section + 16..section + 20].copy_from_slice(&checksum.to_le_bytes());
        start = end;
    }
    let checksum = crc32fast::hash(bytes.get(..header - 4)?);
    bytes[header - 4..header].copy_from_slice(&checksum.to_le_bytes());
    Some(())
}

fn number(bytes: &[u8], offset: usize, length: usize) -> Option<usize> {
    let mut number = [0; 8];
    number[..length].copy_from_slice(bytes.get(offset..offset.checked_add(length)?)?);
    Some(usize::from_le_bytes(number))
}
