//! What goes into a table comes out of it, and nothing else.

use proptest::prelude::*;
use reversi::rules::{Geometry, Move, Position, Rules, Score};
use reversi::table::{Contents, RawEntry, Region, Table, key, to_bytes};
use std::collections::BTreeMap;

/// This number of discs anywhere, of either side.
fn random_position(geometry: Geometry, discs: u32, random: &mut fastrand::Rng) -> Position {
    let mut position = Position::default();
    while position.disc_count() < discs {
        let square = geometry.at_row_major(random.u32(..geometry.square_count())).bit();
        position.player &= !square;
        position.opponent &= !square;
        *(if random.bool() { &mut position.player } else { &mut position.opponent }) |= square;
    }
    position
}

/// Made-up entries for random positions: `counts` are pairs of discs and how many positions.
fn made_up(geometry: Geometry, counts: &[(u32, usize)], seed: u64) -> BTreeMap<(u32, u64), (i8, u8)> {
    let mut random = fastrand::Rng::with_seed(seed);
    let squares = geometry.square_count();
    let mut entries = BTreeMap::new();
    for &(discs, count) in counts {
        // A small board may have fewer positions than that; then all that come up are taken.
        let wanted = entries.len() + count;
        for _ in 0..4 * count {
            if entries.len() == wanted {
                break;
            }
            let position = random_position(geometry, discs, &mut random);
            let score = random.i8(-(squares as i8)..=squares as i8);
            let best = match random.u32(..squares + 2) {
                pass if pass == squares => RawEntry::PASS,
                none if none > squares => RawEntry::NO_MOVE,
                square => square as u8,
            };
            entries.insert((discs, key::canonical(geometry, position).0), (score, best));
        }
    }
    entries
}

fn raw_entries(entries: &BTreeMap<(u32, u64), (i8, u8)>) -> Vec<RawEntry> {
    entries.iter().map(|(&(_, key), &(score, best))| RawEntry { key, score, best }).collect()
}

fn contents(geometry: Geometry, entries: &[RawEntry]) -> Contents {
    let root = key::unpack(geometry, entries[0].key).unwrap();
    Contents { geometry, rules: Rules::default(), roots: vec![root], region: Region::Complete }
}

fn table_of(geometry: Geometry, entries: &[RawEntry]) -> Table {
    Table::from_vec(to_bytes(contents(geometry, entries), entries.iter().copied()).unwrap()).unwrap()
}

fn check(geometry: Geometry, counts: &[(u32, usize)], seed: u64) {
    let entries = made_up(geometry, counts, seed);
    let raw = raw_entries(&entries);
    let table = table_of(geometry, &raw);
    let read: Vec<RawEntry> = table.raw_entries().map(|entry| entry.unwrap()).collect();
    assert_eq!(read, raw, "{geometry} {counts:?} seed {seed}");
    assert_eq!(table.header().entries(), raw.len() as u64);
    for entry in &raw {
        let position = key::unpack(geometry, entry.key).unwrap();
        let found = table.probe(position).unwrap().expect("every entry is found");
        let best = match entry.best {
            RawEntry::NO_MOVE => None,
            RawEntry::PASS => Some(Move::Pass),
            place => Some(Move::Play(geometry.at_row_major(place.into()))),
        };
        assert_eq!(found.score, Score::new(entry.score.into()));
        assert_eq!(found.best, best);
    }
    let mut random = fastrand::Rng::with_seed(!seed);
    for _ in 0..1000 {
        let discs = counts[random.usize(..counts.len())].0;
        let (key, form, _) = key::canonical(geometry, random_position(geometry, discs, &mut random));
        let is_there = entries.contains_key(&(discs, key));
        assert_eq!(table.probe(form).unwrap().is_some(), is_there, "{form:?}");
    }
}

#[test]
fn sections_of_any_length_round_trip() {
    let six = Geometry::SIX;
    for count in [1, 2, 3, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 5000] {
        check(six, &[(18, count)], count as u64);
    }
    check(six, &[(4, 10), (20, 128), (21, 1), (36, 300)], 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    #[test]
    fn tables_of_any_board_round_trip(width in 3u32..=8, height in 3u32..=8, count in 1usize..700, seed: u64) {
        prop_assume!(width * height <= key::MAX_SQUARES);
        let geometry = Geometry::new(width, height).unwrap();
        check(geometry, &[(6, 20), (7, count), (9, count / 2 + 1)], seed);
    }
}
