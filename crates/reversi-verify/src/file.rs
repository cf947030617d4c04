//! The checks that every table must pass, whatever it promises to hold: its bytes, its order, its counts.

use super::content::Content;
use super::position::{decode, name};
use super::report::{CHECKSUMS, Check, Faults, HEADER, Outcome};
use reversi_naive::{Board, Size};
use reversi_table_raw::{RawEntry, RawTable, Region, TableError};
use reversi_terms::Start;

/// A position from which the table was built, with the score that the header states.
pub(super) struct RootEntry {
    pub key: u64,
    pub score: i32,
    /// `None` if the key is no position.
    pub board: Option<Board>,
}

/// Makes the checks that need nothing but the file, and gives its entries; `None` if any cannot be read.
pub(super) fn open(table: &RawTable, add: &mut impl FnMut(Vec<Check>)) -> Option<Content> {
    add(vec![header(table)]);
    let (bytes, read) = read(table);
    add(bytes.into());
    let read = read?;
    add(vec![order(table, &read), counts(table, &read.entries)]);
    let contents = &table.header().contents;
    Some(Content::new(contents.size, contents.rules, read.entries))
}

/// The entries of a file.
struct Read {
    /// In the order of the file.
    entries: Vec<RawEntry>,
    /// How many stand in each section, in the order of the file.
    in_section: Vec<usize>,
}

/// Opening a table checks its header, its length and its trailer; this says what was found.
fn header(table: &RawTable) -> Check {
    let header = table.header();
    let contents = &header.contents;
    let region = match contents.region {
        Region::Complete => "complete".to_owned(),
        Region::SemiStrong { prefix, down_to } => format!("prefix {prefix}, down to {down_to} empties"),
    };
    let size = contents.size;
    let boards: Vec<Board> = roots(table, size).into_iter().filter_map(|root| root.board).collect();
    let starts: Vec<String> = Start::ALL
        .iter()
        .filter(|&&start| boards.contains(&Board::start(size, start)))
        .map(|start| format!("{start} start"))
        .collect();
    let from = if starts.is_empty() { "another position".to_owned() } else { starts.join(" and ") };
    let remark = format!("{} {}, {region}, {from}", contents.size, contents.rules);
    let claim = "header, length and trailer belong together";
    Check::new(HEADER, claim, header.file_length, "bytes", Outcome::Passed).with_remark(remark)
}

/// Reads all entries, which checks every block. `None` if any cannot be read.
fn read(table: &RawTable) -> ([Check; 2], Option<Read>) {
    let mut read = Read { entries: Vec::new(), in_section: Vec::new() };
    let (mut damaged, mut senseless) = (Faults::default(), Faults::default());
    for section in (0..=table.size().square_count()).rev() {
        let (before, mut damaged_index) = (read.entries.len(), false);
        for entry in table.entries_of_section(section) {
            let place = read.entries.len() as u64;
            match entry {
                Ok(entry) => read.entries.push(entry),
                Err(error @ (TableError::BlockContent { .. } | TableError::IndexContent { .. })) => {
                    senseless.add(place, format!("the table {error}"));
                }
                // Reported for each block of the section, but counted as one fault.
                Err(TableError::IndexChecksum { .. }) if damaged_index => {}
                Err(error) => {
                    damaged_index |= matches!(error, TableError::IndexChecksum { .. });
                    damaged.add(place, format!("the table {error}"));
                }
            }
        }
        read.in_section.push(read.entries.len() - before);
    }
    let check = |name, claim, outcome| Check::new(name, claim, table.header().blocks(), "blocks", outcome);
    let damaged = damaged.outcome();
    let holding = match (senseless.outcome(), &damaged) {
        (Outcome::Passed, Outcome::Failed { .. }) => {
            Outcome::NotChecked("in blocks with a wrong checksum; the others hold entries".to_owned())
        }
        (outcome, _) => outcome,
    };
    let checks = [
        check(CHECKSUMS, "each block and index has its checksum", damaged),
        check("blocks", "each block holds entries", holding),
    ];
    let readable = checks.iter().all(|check| check.outcome == Outcome::Passed);
    (checks, readable.then_some(read))
}

/// Each entry must stand where a look-up searches for it.
fn order(table: &RawTable, read: &Read) -> Check {
    let mut faults = Faults::default();
    let mut rest = read.entries.iter();
    let size = table.size();
    let squares = size.square_count();
    for (section, &count) in (0..=squares).rev().zip(&read.in_section) {
        let mut last = None;
        for entry in rest.by_ref().take(count) {
            let empties = squares.saturating_sub(disc_count(entry.key));
            if empties != section {
                let name = name(size, entry.key);
                faults.add(entry.key, format!("{name} is among the entries with {section} empty squares"));
            }
            if last >= Some(entry.key) {
                faults.add(entry.key, format!("{} is out of order or there twice", name(size, entry.key)));
            }
            last = Some(entry.key);
        }
    }
    let claim = "ordered by empty squares and key, each key once";
    Check::new("order", claim, read.entries.len() as u64, "entries", faults.outcome())
}

/// The counts that the header states, against those counted again.
fn counts(table: &RawTable, entries: &[RawEntry]) -> Check {
    let squares = table.header().contents.size.square_count();
    let mut counted = vec![0; squares as usize + 1];
    for entry in entries {
        counted[squares.saturating_sub(disc_count(entry.key)) as usize] += 1;
    }
    let mut faults = Faults::default();
    for (empties, (stated, counted)) in (0..).zip(table.header().counts().zip(counted)) {
        if stated != counted {
            faults.add(empties, format!("{stated} stated with {empties} empty squares, {counted} counted"));
        }
    }
    if table.header().entries() != entries.len() as u64 {
        let text = format!("{} stated in all, {} counted", table.header().entries(), entries.len());
        faults.add(u64::MAX, text);
    }
    let claim = "as many entries of each number of empty squares as the header states";
    Check::new("statistics", claim, u64::from(squares) + 2, "counts", faults.outcome())
}

/// The roots, read from the bytes of the header at the offsets that the format gives.
pub(super) fn roots(table: &RawTable, size: Size) -> Vec<RootEntry> {
    let bytes = table.header_bytes();
    let root = |place: usize| {
        let mut key = [0; 8];
        key.copy_from_slice(&bytes[place..place + 8]);
        let key = u64::from_le_bytes(key);
        RootEntry { key, score: i32::from(bytes[place + 8] as i8), board: decode(size, key) }
    };
    (0..usize::from(bytes[21])).map(|number| root(48 + 16 * number)).collect()
}

/// The scores of the roots in the header, against those of their entries.
pub(super) fn root_values(content: &Content, roots: &[RootEntry]) -> Check {
    let mut faults = Faults::default();
    for root in roots {
        let found = root.board.as_ref().and_then(|board| content.score_of(board));
        if found != Some(root.score) {
            let entry = found.map_or("no entry".to_owned(), |score| format!("{score:+} in its entry"));
            let name = content.name(root.key);
            faults.add(root.key, format!("{name} has {:+} in the header, {entry}", root.score));
        }
    }
    let scores: Vec<String> = roots.iter().map(|root| format!("{:+}", root.score)).collect();
    let claim = "the header states the values of the roots as their entries do";
    Check::new("roots", claim, roots.len() as u64, "roots", faults.outcome())
        .with_remark(format!("value {}", scores.join(" and ")))
}

/// The digits of a key that are not zero.
fn disc_count(key: u64) -> u32 {
    let mut rest = key;
    let mut discs = 0;
    while rest > 0 {
        discs += u32::from(!rest.is_multiple_of(3));
        rest /= 3;
    }
    discs
}
