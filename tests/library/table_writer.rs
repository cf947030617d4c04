//! A table is put in its place whole or not at all.

use reversi::rules::{Board, Geometry, Position, Rules, Start};
use reversi::table::{Contents, EncodeError, RawEntry, Region, Table, WriteError, Writer, library, to_bytes};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const FOUR: Geometry = Geometry::FOUR;

fn contents() -> Contents {
    let roots = vec![Board::start(FOUR, Start::Diagonal).position()];
    Contents { geometry: FOUR, rules: Rules::default(), roots, region: Region::Complete }
}

fn entries() -> Vec<RawEntry> {
    let table = library::built_in(FOUR, Rules::default(), Start::Diagonal).unwrap();
    table.raw_entries().map(Result::unwrap).collect()
}

/// Starts a table at the path and gives it some of its entries.
fn half_written(path: &Path) -> Writer {
    let mut writer = Writer::create(path, contents()).unwrap();
    for entry in &entries()[..9000] {
        writer.push(*entry).unwrap();
    }
    writer
}

fn names(directory: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(directory.path()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_file_has_the_bytes_of_the_same_table_in_memory() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("four.rvt");
    let mut writer = Writer::create(&path, contents()).unwrap();
    entries().into_iter().try_for_each(|entry| writer.push(entry)).unwrap();
    let written = writer.finish().unwrap();
    assert!(fs::read(&path).unwrap() == to_bytes(contents(), entries()).unwrap());
    let table = Table::open(&path).unwrap();
    assert_eq!(written.header, *table.header());
    assert!(format!("{table:?}").len() < 5000, "what it says about itself, and not its bytes");
    assert_eq!(names(&directory), ["four.rvt"]);
}

#[test]
fn an_unfinished_table_leaves_the_old_file_and_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("four.rvt");
    fs::write(&path, "old").unwrap();
    drop(half_written(&path));
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(&directory), ["four.rvt"]);
}

#[test]
fn a_table_without_its_root_is_not_put_in_place() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("four.rvt");
    let mut writer = Writer::create(&path, contents()).unwrap();
    writer.push(entries()[5]).unwrap();
    let error = writer.finish().unwrap_err();
    assert!(matches!(error, WriteError::Encode { source: EncodeError::RootMissing(_), .. }), "{error}");
    assert_eq!(names(&directory), [""; 0]);
}

#[test]
fn a_second_writer_is_refused_until_the_first_has_ended() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("four.rvt");
    let first = half_written(&path);
    let error = Writer::create(&path, contents()).unwrap_err();
    assert!(matches!(error, WriteError::Locked(_)), "{error}");
    assert!(error.to_string().contains("four.rvt"), "{error}");
    Writer::create(&directory.path().join("other.rvt"), contents()).expect("another table is no matter");
    drop(first);
    Writer::create(&path, contents()).expect("the first has ended");
}

#[test]
fn a_table_in_use_stays_readable_when_it_is_replaced() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("four.rvt");
    let write = |score: i8| {
        let mut writer = Writer::create(&path, contents()).unwrap();
        writer.push(RawEntry { score, ..entries()[0] }).unwrap();
        writer.finish().unwrap();
    };
    let score = |table: &Table| table.probe(contents().roots[0]).unwrap().unwrap().score.discs();
    write(3);
    let old = Table::open(&path).unwrap();
    write(5);
    assert_eq!(score(&old), 3);
    assert_eq!(score(&Table::open(&path).unwrap()), 5);
}

#[test]
fn what_makes_no_table_is_refused() {
    let start = entries()[0];
    let encode = |entries: &[RawEntry]| to_bytes(contents(), entries.iter().copied()).unwrap_err();
    let [first, second, third] = [entries()[100], entries()[101], entries()[9000]];
    assert!(matches!(encode(&[start, second, first]), EncodeError::Order(key) if key == first.key));
    assert!(matches!(encode(&[start, first, first]), EncodeError::Order(_)), "twice");
    assert!(matches!(encode(&[start, third, first]), EncodeError::Order(_)), "fewer empty squares first");
    for bad in [
        RawEntry { score: 17, ..start },
        RawEntry { score: -17, ..start },
        RawEntry { best: 16, ..start },
        RawEntry { key: 3u64.pow(16), ..start },
    ] {
        assert!(matches!(encode(&[bad]), EncodeError::Entry(key) if key == bad.key), "{bad:?}");
    }
    let with_roots = |roots: Vec<Position>| to_bytes(Contents { roots, ..contents() }, [start]).unwrap_err();
    assert!(matches!(with_roots(vec![]), EncodeError::Roots(0)));
    assert!(matches!(with_roots(vec![contents().roots[0]; 3]), EncodeError::Roots(3)));
    let error = to_bytes(Contents { geometry: Geometry::EIGHT, ..contents() }, []).unwrap_err();
    assert!(error.to_string().contains("too large for a table"), "{error}");
}

#[test]
fn what_could_not_be_read_again_is_not_begun() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("four.rvt");
    fs::write(&path, "old").unwrap();
    let start = contents().roots[0];
    let of = |roots: &[Position], region| Contents { roots: roots.to_vec(), region, ..contents() };
    let semi_strong = |prefix, down_to| Region::SemiStrong { prefix, down_to };
    for (bad, reason) in [
        (of(&[start, start], Region::Complete), "the same root twice"),
        (of(&[Position { player: 1, opponent: 1 }], Region::Complete), "no position"),
        (of(&[Position::new(1 << 4, 0)], Region::Complete), "no position"),
        (of(&[start], semi_strong(200, 0)), "more plies or empty squares"),
        (of(&[start], semi_strong(0, 13)), "more plies or empty squares"),
        (of(&[start, Position::new(0xF, 0xF00)], semi_strong(9, 9)), "more plies or empty squares"),
    ] {
        let error = Writer::create(&path, bad.clone()).unwrap_err();
        assert!(matches!(error, WriteError::Encode { source: EncodeError::Contents(_), .. }), "{error}");
        assert!(error.to_string().contains(reason), "{error}");
        let error = to_bytes(bad, entries()).unwrap_err();
        assert!(matches!(error, EncodeError::Contents(_)), "{error}");
    }
    assert_eq!((fs::read(&path).unwrap(), names(&directory)), (b"old".to_vec(), vec!["four.rvt".to_owned()]));
    Writer::create(&path, of(&[start], semi_strong(12, 12))).expect("as many as there are");
}

#[test]
fn places_that_cannot_be_written_are_named() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("file"), "").unwrap();
    let places = [
        directory.path().to_owned(),
        directory.path().join("missing/x.rvt"),
        directory.path().join("file/x.rvt"),
    ];
    for path in places {
        let error = Writer::create(&path, contents()).unwrap_err();
        assert!(matches!(error, WriteError::Io { .. }), "{error}");
        assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_replaced_table_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("four.rvt");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let mut writer = half_written(&path);
    entries().into_iter().skip(9000).for_each(|entry| writer.push(entry).unwrap());
    writer.finish().unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}

#[cfg(unix)]
#[test]
fn a_read_only_directory_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let path = directory.path().join("x.rvt");
    let may_write_anyway = fs::write(directory.path().join("try"), "").is_ok();
    assert_eq!(Writer::create(&path, contents()).is_ok(), may_write_anyway, "only root may");
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn others_may_read_what_was_written() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let (plain, path) = (directory.path().join("plain"), directory.path().join("x.rvt"));
    fs::write(&plain, "").unwrap();
    let mut writer = Writer::create(&path, contents()).unwrap();
    writer.push(entries()[0]).unwrap();
    writer.finish().unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(path), mode(plain));
}
