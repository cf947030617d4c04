//! Tables of version 1 are read as ever and converted entry for entry; in version 2 no block but its own is read.

use crate::common::specification::{self, mend_checksums};
use reversi::rules::{Geometry, Goal, Rules, Scoring, Start};
use reversi::table::format::VERSION;
use reversi::table::library::built_in;
use reversi::table::{RawEntry, Table, TableError, key, to_bytes};
use reversi::verify::{Sample, Verdict, verify};
use std::fs;
use std::path::Path;

/// Written by a program that knew version 1 only.
const OLD: [&str; 2] = ["4x4-normal-raw-diagonal.rvt", "5x5-reversed-raw-diagonal.rvt"];

fn old(name: &str) -> Vec<u8> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tables-v1");
    fs::read(directory.join(name)).unwrap()
}

fn entries(table: &Table) -> Vec<RawEntry> {
    table.raw_entries().map(Result::unwrap).collect()
}

fn converted(bytes: &[u8]) -> Vec<u8> {
    let table = Table::from_vec(bytes.to_vec()).unwrap();
    to_bytes(table.header().contents.clone(), entries(&table)).unwrap()
}

fn four(goal: Goal) -> Vec<u8> {
    let table = built_in(Geometry::FOUR, Rules::new(goal, Scoring::Raw), Start::Diagonal).unwrap();
    table.bytes().unwrap().into_owned()
}

#[test]
fn version_1_is_read_as_specified_and_sound() {
    for name in OLD {
        let bytes = old(name);
        let table = Table::from_vec(bytes.clone()).unwrap();
        assert_eq!(table.header().version(), 1);
        let squares = table.geometry().square_count();
        let specified = specification::read(&bytes).sections.into_iter().flat_map(|section| section.blocks);
        let specified = specified.flat_map(|block| block.entries);
        let as_specified = |entry: RawEntry| {
            let best = match entry.best {
                RawEntry::PASS => squares,
                RawEntry::NO_MOVE => squares + 1,
                square => square.into(),
            };
            (entry.key, i32::from(entry.score), best)
        };
        assert!(specified.eq(entries(&table).into_iter().map(as_specified)), "{name}");
        for entry in entries(&table) {
            let position = key::unpack(table.geometry(), entry.key).unwrap();
            let found = table.probe(position).unwrap().expect("it is there");
            assert_eq!(found.score.discs(), i32::from(entry.score));
        }
        let report = verify(table.raw(), Sample::default(), |_| {});
        assert_eq!(report.verdict(), Verdict::Sound, "{name}: {report:?}");
    }
    let four = Table::from_vec(old(OLD[0])).unwrap();
    let same = built_in(Geometry::FOUR, Rules::default(), Start::Diagonal).unwrap();
    assert_eq!(entries(&four), entries(&same));
}

#[test]
fn a_converted_table_has_every_entry_and_the_present_version() {
    for name in OLD {
        let bytes = old(name);
        let new = converted(&bytes);
        let (old, new) = (Table::from_vec(bytes).unwrap(), Table::from_vec(new).unwrap());
        assert_eq!(new.header().version(), VERSION);
        assert_eq!(entries(&old), entries(&new));
        assert_eq!(old.header().contents, new.header().contents);
        assert_eq!(old.header().root_scores(), new.header().root_scores());
        let report = verify(new.raw(), Sample::default(), |_| {});
        assert_eq!(report.verdict(), Verdict::Sound, "{name}: {report:?}");
    }
    assert!(converted(&old(OLD[0])) == four(Goal::Normal), "the bytes that a build makes");
}

#[test]
fn every_flipped_bit_of_version_1_is_refused_or_without_effect_on_answers() {
    let bytes = old(OLD[1]);
    let sound = entries(&Table::from_vec(bytes.clone()).unwrap());
    for bit in 0..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let read = Table::from_vec(damaged).map(|table| table.raw_entries().collect::<Result<Vec<_>, _>>());
        assert!(!matches!(read, Ok(Ok(_))), "bit {bit}: {}", sound.len());
    }
}

#[test]
fn later_versions_and_unknown_packings_are_refused() {
    let mut later = four(Goal::Normal);
    later[8] = VERSION as u8 + 1;
    let error = Table::from_vec(later).err();
    assert!(matches!(error, Some(TableError::Newer { found: 3, known: VERSION })), "{error:?}");
    // The section of the positions with 16 empty squares, which has none, and the next ones.
    for section in 0..4 {
        let mut packed = four(Goal::Normal);
        packed[80 + 24 * section + 20] = 1;
        mend_checksums(&mut packed).unwrap();
        let error = Table::from_vec(packed).err();
        assert!(matches!(error, Some(TableError::Packing(1))), "{error:?}");
    }
}

/// Where the blocks of a file lie, by section.
fn blocks(bytes: &[u8]) -> Vec<Vec<std::ops::Range<usize>>> {
    let sections = specification::read(bytes).sections.into_iter();
    sections.map(|section| section.blocks.into_iter().map(|block| block.bytes).collect()).collect()
}

#[test]
fn an_intact_block_of_another_table_is_refused() {
    let (bytes, other) = (four(Goal::Normal), four(Goal::Reversed));
    let (mine, theirs) = (blocks(&bytes), blocks(&other));
    assert_eq!(mine, theirs, "the same positions at the same places, with other values");
    let mut refused = 0;
    for place in mine.into_iter().flatten() {
        let mut mixed = bytes.clone();
        mixed[place.clone()].copy_from_slice(&other[place]);
        if mixed == bytes {
            continue;
        }
        let table = Table::from_vec(mixed).unwrap();
        let wrong = table.raw_entries().find_map(Result::err);
        assert!(matches!(wrong, Some(TableError::BlockChecksum { .. })), "{wrong:?}");
        refused += 1;
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn an_intact_block_or_index_of_another_place_is_refused() {
    let bytes = four(Goal::Normal);
    for section in blocks(&bytes).into_iter().filter(|blocks| blocks.len() > 2) {
        let (one, other) = (section[0].clone(), section[1].clone());
        let mut mixed = bytes.clone();
        mixed.copy_within(one, other.start);
        let table = Table::from_vec(mixed).unwrap();
        let wrong = table.raw_entries().find_map(Result::err);
        assert!(matches!(wrong, Some(TableError::BlockChecksum { .. })), "{wrong:?}");
    }
    // A whole section of the other table, blocks and index.
    let other = four(Goal::Reversed);
    for (section, theirs) in specification::read(&bytes).sections.iter().zip(blocks(&other)) {
        let Some(first) = theirs.first() else { continue };
        let place = first.start..section.index.end;
        let mut mixed = bytes.clone();
        mixed[place.clone()].copy_from_slice(&other[place]);
        let table = Table::from_vec(mixed).unwrap();
        let wrong = table.raw_entries().find_map(Result::err);
        let empties = section.empties;
        assert!(
            matches!(wrong, Some(TableError::IndexChecksum { empties: at }) if at == empties),
            "{wrong:?}"
        );
    }
}

/// What version 2 is for: in version 1 the block passes, with the keys of the table it has come into.
#[test]
fn in_version_1_only_the_file_tells_of_a_block_of_another_table() {
    let bytes = old(OLD[0]);
    let section = blocks(&bytes).into_iter().find(|blocks| blocks.len() > 2).unwrap();
    let mut mixed = bytes.clone();
    mixed.copy_within(section[0].clone(), section[1].start);
    assert!(Table::from_vec(mixed).unwrap().raw_entries().all(|entry| entry.is_ok()));
}
