//! How long a look-up takes, in the shipped 4x4 table and in a made-up 6x6 one of ten million entries.
//!
//! `cargo bench --bench table`; the made-up table lies in the temporary directory while it runs. Each
//! round asks for another position, in random order, so hardly anything but the index stays in the
//! processor's caches; all blocks have been touched before.

use divan::Bencher;
use reversi::rules::playout::playout;
use reversi::rules::{Board, Geometry, Position, Rules, Start, Symmetry, symmetry};
use reversi::table::library::Library;
use reversi::table::{Contents, RawEntry, Region, Table, Writer, key, library};
use std::sync::LazyLock;

fn main() {
    let made_up = &MADE_UP.0;
    let (entries, bytes) = (made_up.table.header().entries(), made_up.table.header().file_length());
    println!("6x6, made up: {entries} entries, {:.2} bytes each", bytes as f64 / entries as f64);
    divan::main();
}

const ENTRIES: usize = 10_000_000;

/// A table and positions to ask for, turned at random.
struct Case {
    table: Table,
    present: Vec<Position>,
    absent: Vec<Position>,
}

static FOUR: LazyLock<Case> = LazyLock::new(|| {
    let table = library::built_in(Geometry::FOUR, Rules::default(), Start::Diagonal).unwrap();
    let keys: Vec<u64> = table.raw_entries().map(|entry| entry.unwrap().key).collect();
    Case::new(table, &keys)
});

static SIX: LazyLock<Case> = LazyLock::new(|| {
    let found = Library::new(None).find(Geometry::SIX, Rules::default(), Start::Diagonal).unwrap();
    let table = found.expect("the table of 6x6 is in data/").table;
    let keys: Vec<u64> = table.raw_entries().map(|entry| entry.unwrap().key).collect();
    Case::new(table, &keys)
});

/// In memory, and block by block from the file.
static MADE_UP: LazyLock<(Case, Case)> = LazyLock::new(|| {
    let keys = made_up_keys();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("made-up.rvt");
    let root = key::unpack(Geometry::SIX, keys[0]).unwrap();
    let contents = Contents {
        geometry: Geometry::SIX,
        rules: Rules::default(),
        roots: vec![root],
        region: Region::Complete,
    };
    let mut writer = Writer::create(&path, contents).unwrap();
    for &key in &keys {
        let (score, best) = ((key % 73) as i8 - 36, (key % 36) as u8);
        writer.push(RawEntry { key, score, best }).unwrap();
    }
    writer.finish().unwrap();
    // Open files outlive their names.
    let in_memory = Case::new(Table::read(&path).unwrap(), &keys);
    let table = Table::open(&path).unwrap();
    let in_file = Case { table, present: in_memory.present.clone(), absent: Vec::new() };
    (in_memory, in_file)
});

impl Case {
    fn new(table: Table, keys: &[u64]) -> Case {
        table.check_all_blocks().unwrap();
        let geometry = table.geometry();
        let mut random = fastrand::Rng::with_seed(1);
        let mut choose = || {
            let form = key::unpack(geometry, keys[random.usize(..keys.len())]).unwrap();
            random.choice(Symmetry::all(geometry)).unwrap().apply(geometry, form)
        };
        let present: Vec<Position> = (0..1 << 20).map(|_| choose()).collect();
        let swapped = present.iter().map(|position| position.pass());
        let absent = swapped.filter(|&position| table.probe(position).unwrap().is_none()).collect();
        Case { table, present, absent }
    }
}

/// Keys of positions in random games, in the order of a table.
fn made_up_keys() -> Vec<u64> {
    let geometry = Geometry::SIX;
    let mut random = fastrand::Rng::with_seed(2);
    let mut entries = Vec::new();
    while entries.len() < ENTRIES {
        let enough = ENTRIES + ENTRIES / 10;
        while entries.len() < enough {
            let game = playout(geometry, Board::start(geometry, Start::Diagonal).position(), &mut random);
            for position in game.take_while(|position| position.disc_count() <= 24) {
                let discs = position.disc_count();
                if discs >= 14 {
                    let (form, _) = symmetry::canonical(geometry, position);
                    entries.push((discs, key::pack(geometry, form)));
                }
            }
        }
        entries.sort_unstable();
        entries.dedup();
    }
    entries.into_iter().map(|(_, key)| key).collect()
}

fn probe(bencher: Bencher, case: &Case, positions: &[Position]) {
    let mut next = positions.iter().cycle();
    bencher.bench_local(|| case.table.probe(*next.next().unwrap()).unwrap());
}

#[divan::bench]
fn made_up_6x6_present(bencher: Bencher) {
    probe(bencher, &MADE_UP.0, &MADE_UP.0.present);
}

#[divan::bench]
fn made_up_6x6_present_in_file(bencher: Bencher) {
    probe(bencher, &MADE_UP.1, &MADE_UP.1.present);
}

#[divan::bench]
fn made_up_6x6_absent(bencher: Bencher) {
    probe(bencher, &MADE_UP.0, &MADE_UP.0.absent);
}

#[divan::bench]
fn shipped_4x4_present(bencher: Bencher) {
    probe(bencher, &FOUR, &FOUR.present);
}

#[divan::bench]
fn shipped_6x6_present(bencher: Bencher) {
    probe(bencher, &SIX, &SIX.present);
}

/// What the look-ups above contain: the canonical form and its key.
#[divan::bench]
fn canonical_key_6x6(bencher: Bencher) {
    let mut next = MADE_UP.0.present.iter().cycle();
    bencher.bench_local(|| key::canonical(Geometry::SIX, *next.next().unwrap()).0);
}
