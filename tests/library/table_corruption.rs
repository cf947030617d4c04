//! A table is read as its specification says, and a damaged one never gives a wrong answer.

use crate::common::specification::{self, Specified, mend_checksums};
use rayon::prelude::*;
use reversi::build::enumerate::Reachable;
use reversi::rules::playout::playout;
use reversi::rules::{Board, Geometry, Goal, Move, Position, Rules, Scoring, Start};
use reversi::search::Stop;
use reversi::table::library::built_in;
use reversi::table::{Contents, RawEntry, Region, Table, TableError, key, to_bytes};

/// All that can be reached on a board, in a table.
fn table_bytes(width: u32, height: u32) -> Vec<u8> {
    let geometry = Geometry::new(width, height).unwrap();
    let roots = vec![Board::start(geometry, Start::Diagonal).position()];
    let reachable = Reachable::from_roots(geometry, &roots, 1 << 30, &Stop::never(), |_, _| {}).unwrap();
    let rules = Rules::new(Goal::Reversed, Scoring::Winner);
    let solved = reachable.solve(&[rules], &Stop::never(), |_| ()).unwrap();
    to_bytes(Contents { geometry, rules, roots, region: Region::Complete }, solved.entries(rules)).unwrap()
}

fn four() -> Vec<u8> {
    built_in(Geometry::FOUR, Rules::default(), Start::Diagonal).unwrap().bytes().unwrap().into_owned()
}

/// Compares what the specification's reader finds with what the table gives.
fn assert_read_as_specified(bytes: &[u8]) {
    let specified = specification::read(bytes);
    let table = Table::from_vec(bytes.to_vec()).unwrap();
    let squares = table.geometry().square_count();
    let mut entries = table.raw_entries();
    for section in &specified.sections {
        let counts: usize = section.blocks.iter().map(|block| block.entries.len()).sum();
        assert_eq!(table.header().counts().nth(section.empties as usize), Some(counts as u64));
        for &(key, score, best) in section.blocks.iter().flat_map(|block| &block.entries) {
            let best = match best {
                pass if pass == squares => RawEntry::PASS,
                none if none > squares => RawEntry::NO_MOVE,
                square => square as u8,
            };
            assert_eq!(entries.next().unwrap().unwrap(), RawEntry { key, score: score as i8, best });
        }
    }
    assert!(entries.next().is_none());
    let Specified { width, height, goal, scoring, region, roots, .. } = specified;
    let contents = &table.header().contents;
    assert_eq!((width, height), (contents.geometry.width(), contents.geometry.height()));
    assert_eq!(
        (goal == 1, scoring == 1),
        (contents.rules.goal == Goal::Reversed, contents.rules.scoring == Scoring::Winner)
    );
    let stated = match contents.region {
        Region::Complete => [0, 0, 0],
        Region::SemiStrong { prefix, down_to } => [1, prefix, down_to],
    };
    assert_eq!(region, stated);
    let given = contents.roots.iter().map(|&root| key::pack(contents.geometry, root));
    let scores = table.header().root_scores().iter().map(|score| score.discs() as i8);
    assert_eq!(roots, given.zip(scores).collect::<Vec<_>>());
}

#[test]
fn tables_are_read_as_specified() {
    for start in Start::ALL {
        for rules in Rules::ALL {
            assert_read_as_specified(&built_in(Geometry::FOUR, rules, start).unwrap().bytes().unwrap());
        }
    }
    for (width, height) in [(3, 3), (3, 4), (5, 3), (3, 6)] {
        assert_read_as_specified(&table_bytes(width, height));
    }
}

#[test]
fn a_semi_strong_table_with_two_roots_is_read_as_specified() {
    let geometry = Geometry::SIX;
    let roots = Start::ALL.map(|start| Board::start(geometry, start).position()).to_vec();
    let mut random = fastrand::Rng::with_seed(1);
    let mut positions = roots.clone();
    for _ in 0..300 {
        positions.extend(playout(geometry, roots[0], &mut random).skip(1));
    }
    positions.sort_by_key(|position| (position.disc_count(), key::canonical(geometry, *position).0));
    positions.dedup_by_key(|position| key::canonical(geometry, *position).0);
    let entry = |position: &Position| {
        let key = key::canonical(geometry, *position).0;
        RawEntry {
            key,
            score: (key % 73) as i8 - 36,
            best: [RawEntry::NO_MOVE, RawEntry::PASS, 35][key as usize % 3],
        }
    };
    let contents = Contents {
        geometry,
        rules: Rules::new(Goal::Reversed, Scoring::Raw),
        roots,
        region: Region::SemiStrong { prefix: 7, down_to: 14 },
    };
    let bytes = to_bytes(contents.clone(), positions.iter().map(entry)).unwrap();
    assert_read_as_specified(&bytes);
    let table = Table::from_vec(bytes).unwrap();
    assert_eq!(table.header().contents, contents);
    assert!(Start::ALL.iter().all(|&start| contents.covers(start)));
}

/// What has to be touched before a byte can matter.
enum Touch {
    /// Header or trailer: opening.
    Opening,
    /// An index or a block: probing this position.
    Probing(Position),
}

/// For each byte of the file.
fn touches(bytes: &[u8], geometry: Geometry) -> Vec<Touch> {
    let mut touches: Vec<Touch> = bytes.iter().map(|_| Touch::Opening).collect();
    for section in specification::read(bytes).sections {
        for block in &section.blocks {
            let position = key::unpack(geometry, block.entries[block.entries.len() / 2].0).unwrap();
            for place in block.bytes.clone().chain(section.index.clone()) {
                touches[place] = Touch::Probing(position);
            }
        }
    }
    touches
}

#[test]
fn every_flipped_bit_of_4x4_is_refused_when_it_is_first_touched() {
    let bytes = four();
    let touches = touches(&bytes, Geometry::FOUR);
    (0..8 * bytes.len()).into_par_iter().for_each(|bit| {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        match (Table::from_vec(damaged), &touches[bit / 8]) {
            (Err(_), Touch::Opening) => {}
            (Ok(table), Touch::Probing(position)) => {
                let answer = table.probe(*position);
                let is_refused = matches!(
                    answer,
                    Err(TableError::BlockChecksum { .. } | TableError::IndexChecksum { .. })
                );
                assert!(is_refused, "bit {bit}: {answer:?}");
            }
            (Ok(_), Touch::Opening) => panic!("bit {bit} is not noticed when the table is opened"),
            (Err(error), Touch::Probing(_)) => panic!("bit {bit} should not matter yet: {error}"),
        }
    });
}

#[test]
fn with_a_flipped_bit_every_answer_is_right_or_refused() {
    let bytes = table_bytes(3, 4);
    let sound = Table::from_vec(bytes.clone()).unwrap();
    let positions: Vec<Position> =
        sound.raw_entries().map(|entry| key::unpack(sound.geometry(), entry.unwrap().key).unwrap()).collect();
    let answers: Vec<_> = positions.iter().map(|&position| sound.probe(position).unwrap()).collect();
    (0..8 * bytes.len()).into_par_iter().for_each(|bit| {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let Ok(table) = Table::from_vec(damaged) else { return };
        let mut refused = 0;
        for (&position, right) in positions.iter().zip(&answers) {
            match table.probe(position) {
                Ok(answer) => assert_eq!(answer, *right, "bit {bit}, {position:?}"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 0, "bit {bit}");
        assert!(table.check_all_blocks().is_err(), "bit {bit}");
    });
}

#[test]
fn every_length_but_the_right_one_is_refused() {
    let bytes = four();
    (0..bytes.len()).into_par_iter().for_each(|length| {
        let error = Table::from_vec(bytes[..length].to_vec()).unwrap_err();
        match error {
            TableError::NotATable if length == 0 => {}
            TableError::Truncated { expected, found } if length > 0 => {
                assert!(found == length as u64 && found < expected && expected <= bytes.len() as u64);
            }
            error => panic!("{length} bytes: {error}"),
        }
    });
    for more in 1..=600 {
        let error = Table::from_vec([&bytes[..], &vec![0; more]].concat()).err();
        assert!(matches!(error, Some(TableError::TooLong { .. })), "{more} bytes more: {error:?}");
    }
}

#[test]
fn where_there_are_no_entries_no_checksum_of_an_index_stands() {
    let mut bytes = four();
    let length = 512;
    assert_eq!(bytes[80..104], [0; 24], "no position has 16 empty squares");
    bytes[80 + 16] = 1;
    let checksum = specification::crc32(&bytes[..length - 4]);
    bytes[length - 4..length].copy_from_slice(&checksum.to_le_bytes());
    let error = Table::from_vec(bytes).err();
    assert!(matches!(error, Some(TableError::Header(_))), "{error:?}");
}

/// Reads everything there is; the answers may be anything.
fn read_everything(bytes: Vec<u8>, positions: &[Position]) {
    let Ok(table) = Table::from_vec(bytes) else { return };
    for &position in positions {
        if let Ok(Some(entry)) = table.probe(position)
            && let Some(Move::Play(square)) = entry.best
        {
            assert!(table.geometry().contains(square));
        }
    }
    for entry in table.entries().flatten() {
        assert_eq!((entry.0.player | entry.0.opponent) & !table.geometry().mask(), 0);
    }
}

#[test]
fn nonsense_under_right_checksums_does_no_harm() {
    let bytes = table_bytes(3, 4);
    let geometry = Geometry::new(3, 4).unwrap();
    let entries = specification::read(&bytes).sections.into_iter().flat_map(|section| section.blocks);
    let keys = entries.flat_map(|block| block.entries).map(|entry| entry.0);
    let positions: Vec<Position> = keys.map(|key| key::unpack(geometry, key).unwrap()).collect();
    // Each bit alone, then many at once.
    let alone = (0..8 * bytes.len()).map(|bit| vec![bit]);
    let mut random = fastrand::Rng::with_seed(1);
    let together =
        (0..20_000).map(|_| (0..random.usize(2..40)).map(|_| random.usize(..8 * bytes.len())).collect());
    let edits: Vec<Vec<usize>> = alone.chain(together).collect();
    let mended = edits.into_par_iter().filter(|edit| {
        let mut damaged = bytes.clone();
        for &bit in edit {
            damaged[bit / 8] ^= 1 << (bit % 8);
        }
        let mended = mend_checksums(&mut damaged).is_some();
        read_everything(damaged, &positions);
        mended
    });
    assert!(mended.count() > 1_000, "many edits reach the code behind the checksums");
}

#[test]
fn a_change_under_right_checksums_is_refused_or_tells() {
    let bytes = table_bytes(3, 4);
    let content = |bytes: &[u8]| {
        let table = Table::from_vec(bytes.to_vec()).ok()?;
        let entries: Option<Vec<_>> = table.raw_entries().map(Result::ok).collect();
        let header = table.header();
        Some((header.contents.clone(), header.root_scores().to_vec(), header.revision(), entries?))
    };
    let whole = content(&bytes);
    let (mut refused, mut idle) = (0, 0);
    for bit in 0..8 * bytes.len() {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        if mend_checksums(&mut changed).is_some() && changed != bytes {
            let content = content(&changed);
            refused += u32::from(content.is_none());
            idle += usize::from(content == whole);
        }
    }
    // Where a block has one entry only, nothing is split, and the six bits of `l` say nothing.
    let blocks = specification::read(&bytes).sections.into_iter().flat_map(|section| section.blocks);
    assert_eq!(idle, 6 * blocks.filter(|block| block.entries.len() == 1).count());
    assert!(refused > 1000, "{refused} changes were refused");
}
