//! A table whose file is changed while it is open: an error, never an entry of another table, and never the end of the
//! process.

use reversi::rules::{Geometry, Goal, Position, Rules, Scoring, Start};
use reversi::table::{Entry, Table, TableError, library};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use tempfile::TempDir;

/// The complete tables of 4x4 hold the same positions under every goal, with other values.
fn bytes(goal: Goal) -> Vec<u8> {
    let table = library::built_in(Geometry::FOUR, Rules::new(goal, Scoring::Raw), Start::Diagonal).unwrap();
    table.bytes().unwrap().into_owned()
}

/// A file that may be written to, with the answers that its table has to give.
struct Case {
    _directory: TempDir,
    path: PathBuf,
    answers: Vec<(Position, Entry)>,
}

impl Case {
    fn new() -> Case {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("four.rvt");
        fs::write(&path, bytes(Goal::Normal)).unwrap();
        let answers = library::built_in(Geometry::FOUR, Rules::default(), Start::Diagonal).unwrap();
        let answers = answers.entries().map(Result::unwrap).collect();
        Case { _directory: directory, path, answers }
    }

    /// Some blocks have been touched, most have not.
    fn opened(&self) -> Table {
        let table = Table::open(&self.path).unwrap();
        for (position, entry) in &self.answers[..self.answers.len() / 4] {
            assert_eq!(table.probe(*position).unwrap(), Some(*entry));
        }
        table
    }

    fn assert_right(&self, table: &Table) {
        for (position, entry) in &self.answers {
            assert_eq!(table.probe(*position).unwrap(), Some(*entry));
        }
    }

    fn assert_changed(&self, table: &Table) {
        for (position, _) in &self.answers {
            assert!(matches!(table.probe(*position), Err(TableError::Changed)));
        }
        assert!(matches!(table.check_all_blocks(), Err(TableError::Changed)));
        assert!(matches!(table.bytes(), Err(TableError::Changed)));
    }

    /// Writes over the file without cutting it first.
    fn write_over(&self, bytes: &[u8]) {
        OpenOptions::new().write(true).open(&self.path).unwrap().write_all(bytes).unwrap();
    }
}

#[test]
fn a_table_written_over_with_another_one_answers_nothing_more() {
    let case = Case::new();
    let table = case.opened();
    case.write_over(&bytes(Goal::Reversed));
    case.assert_changed(&table);
    let table = Table::open(&case.path).unwrap();
    assert_eq!(table.rules().goal, Goal::Reversed);
    // As `cp` does it: cut first.
    fs::write(&case.path, bytes(Goal::Normal)).unwrap();
    case.assert_changed(&table);
    case.assert_right(&case.opened());
}

#[test]
fn a_table_written_over_with_the_times_of_the_old_one_answers_nothing_more() {
    let case = Case::new();
    let table = case.opened();
    let modified = fs::metadata(&case.path).unwrap().modified().unwrap();
    let file = OpenOptions::new().write(true).open(&case.path).unwrap();
    (&file).write_all(&bytes(Goal::Reversed)).unwrap();
    file.set_modified(modified).unwrap();
    case.assert_changed(&table);
}

#[test]
fn a_table_cut_short_answers_nothing_more() {
    for length in [0, 600, 20_000] {
        let case = Case::new();
        let table = case.opened();
        OpenOptions::new().write(true).open(&case.path).unwrap().set_len(length).unwrap();
        case.assert_changed(&table);
    }
}

#[test]
fn a_table_goes_on_when_another_file_is_put_in_its_place() {
    let case = Case::new();
    let table = case.opened();
    let other = case.path.with_extension("new");
    fs::write(&other, bytes(Goal::Reversed)).unwrap();
    fs::rename(&other, &case.path).unwrap();
    case.assert_right(&table);
    assert_eq!(Table::open(&case.path).unwrap().rules().goal, Goal::Reversed);
    fs::remove_file(&case.path).unwrap();
    case.assert_right(&table);
}

/// As in a snapshot of links.
#[test]
fn a_table_with_a_second_name_goes_on_when_another_file_is_put_in_place_of_the_first() {
    let case = Case::new();
    let second = case.path.with_extension("second");
    fs::hard_link(&case.path, &second).unwrap();
    let table = case.opened();
    let other = case.path.with_extension("new");
    fs::write(&other, bytes(Goal::Reversed)).unwrap();
    fs::rename(&other, &case.path).unwrap();
    case.assert_right(&table);
    fs::write(&second, bytes(Goal::Reversed)).unwrap();
    case.assert_changed(&table);
}

#[test]
fn a_table_in_memory_goes_on_whatever_happens_to_its_file() {
    let case = Case::new();
    let table = Table::read(&case.path).unwrap();
    let same = Table::read(&case.path).unwrap();
    let place = |table: &Table| table.bytes().unwrap().as_ptr();
    assert_eq!(place(&table), place(&same), "one copy for all");
    case.write_over(&bytes(Goal::Reversed));
    case.assert_right(&table);
    let other = Table::read(&case.path).unwrap();
    assert_eq!(other.rules().goal, Goal::Reversed, "what is there now is read again");
    fs::write(&case.path, "").unwrap();
    case.assert_right(&table);
    case.assert_right(&same);
}
