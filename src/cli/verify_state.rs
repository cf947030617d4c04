//! The finished work of a long verification: one line of JSON for each chunk, synced to the disk as soon as the chunk
//! is done.
//!
//! The first line names the table or certificate. Each program that continued the work adds a line with its checksum.
//! Each line ends with a checksum of its own, so that a last line cut short by a crash is left out. A wrong checksum in
//! an earlier line is an error, since the lines after it took hours. The file is locked as long as it is open.

use super::checksum::sha256;
use super::{Exit, Failure};
use reversi_files::open_locked;
use reversi_verify::Tally;
use serde_json::{Value as Json, json};
use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The time that some work took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Time {
    /// Wall-clock seconds, including time in which the work was stopped.
    pub seconds: f64,
    /// Seconds of all cores together; `None` if the system does not report them.
    pub cpu_seconds: Option<f64>,
}

impl Time {
    pub const NONE: Time = Time { seconds: 0.0, cpu_seconds: Some(0.0) };

    /// The sum of both.
    pub fn plus(self, other: Time) -> Time {
        let cpu_seconds = self.cpu_seconds.zip(other.cpu_seconds).map(|(mine, others)| mine + others);
        Time { seconds: self.seconds + other.seconds, cpu_seconds }
    }
}

/// What a state is about: a file with this checksum, verified by this version of the program. `schema` says what kind
/// of work it holds.
pub fn identity(schema: &str, sha256: &str) -> Json {
    json!({ "schema": schema, "sha256": sha256, "version": env!("CARGO_PKG_VERSION") })
}

/// What an interruption means for the work that is saved in a file.
pub fn after_interruption(resume: Option<&Path>) -> String {
    match resume {
        Some(path) if path.exists() => {
            format!("what was finished is saved in {}: the same command continues", path.display())
        }
        Some(_) => "nothing was searched yet".to_owned(),
        None => "nothing is kept without --resume".to_owned(),
    }
}

/// The finished chunks.
pub struct State {
    file: Option<(File, PathBuf)>,
    /// Whether a line could not be written. The next one would stand behind a part of it.
    is_broken: bool,
    done: HashMap<String, Tally>,
    programs: BTreeSet<String>,
    time: Time,
}

impl State {
    /// Reads the finished work, or begins a new file; without a path nothing is saved. `identity` says what is
    /// verified, and `program` is the checksum of this program.
    ///
    /// # Errors
    /// A file of something else, one that was damaged or that another process writes to, or one that cannot be read or
    /// written.
    pub fn open(path: Option<&Path>, identity: &Json, program: &str) -> Result<State, Failure> {
        let mut state = State {
            file: None,
            is_broken: false,
            done: HashMap::new(),
            programs: BTreeSet::new(),
            time: Time::NONE,
        };
        if let Some(path) = path {
            let failed = |error: std::io::Error| Failure::cannot_write(path.display(), error);
            let mut file = locked(path)?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(failed)?;
            let kept = state.read(path, &bytes, identity)?;
            // Drop a last line that was cut short.
            file.set_len(kept as u64).map_err(failed)?;
            file.seek(SeekFrom::End(0)).map_err(failed)?;
            state.file = Some((file, path.to_owned()));
            if kept == 0 {
                state.write(identity)?;
            }
            if !state.programs.contains(program) {
                state.write(&json!({ "program": program }))?;
            }
        }
        state.programs.insert(program.to_owned());
        Ok(state)
    }

    /// Reads the lines of a file; returns how many of its bytes are whole lines.
    fn read(&mut self, path: &Path, bytes: &[u8], identity: &Json) -> Result<usize, Failure> {
        let refuse = |kind, why: &str| Err(Failure::usage(kind, format!("{}{why}", path.display())));
        let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        let first = lines.first().and_then(|line| unsealed(line));
        if first.is_none() && !sealed(identity).as_bytes().starts_with(bytes) {
            return refuse(
                "other-state",
                " holds something else, or its first line was damaged; copy it again, or name another file",
            );
        }
        if first.is_some_and(|first| first != *identity) {
            return refuse(
                "other-state",
                " was made for another table or certificate, or by another version; name another file",
            );
        }
        let mut kept = 0;
        for (number, line) in (1..).zip(&lines) {
            match unsealed(line) {
                Some(record) => self.take(&record),
                None if number == lines.len() && !line.ends_with(b"\n") => break,
                None => {
                    let why = format!(
                        ", line {number}: it was damaged after it was written; copy the file again, or delete this \
                         line: only what it held is searched again"
                    );
                    return refuse("bad-state", &why);
                }
            }
            kept += line.len();
        }
        Ok(kept)
    }

    /// The result of a chunk with this number of values, if it is finished. One that is not about all of them is left out.
    pub fn find(&self, chunk: &str, values: usize) -> Option<Tally> {
        let is_whole = |tally: &&Tally| {
            tally.checked + tally.unfinished == values as u64 && (tally.wrong > 0) == tally.first.is_some()
        };
        self.done.get(chunk).filter(is_whole).cloned()
    }

    /// The checksums of all programs that searched, this one among them.
    pub fn programs(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().map(String::as_str)
    }

    /// The time of all chunks, in this and in earlier runs.
    pub fn time(&self) -> Time {
        self.time
    }

    /// Saves the result of a chunk.
    ///
    /// # Errors
    /// It cannot be written, or an earlier one could not.
    pub fn add(&mut self, chunk: &str, tally: &Tally, time: Time) -> Result<(), Failure> {
        let record = json!({
            "chunk": chunk, "checked": tally.checked, "wrong": tally.wrong, "unfinished": tally.unfinished,
            "nodes": tally.nodes, "first": tally.first, "seconds": time.seconds,
            "cpu_seconds": time.cpu_seconds,
        });
        self.take(&record);
        self.write(&record)
    }

    fn take(&mut self, record: &Json) {
        self.programs.extend(record["program"].as_str().map(str::to_owned));
        let Some(chunk) = record["chunk"].as_str() else { return };
        let number = |name: &str| record[name].as_u64().unwrap_or_default();
        let first = record["first"]
            .as_array()
            .and_then(|pair| Some((pair[0].as_u64()?, pair[1].as_str()?.to_owned())));
        let tally = Tally {
            checked: number("checked"),
            wrong: number("wrong"),
            unfinished: number("unfinished"),
            nodes: number("nodes"),
            first,
        };
        let seconds = record["seconds"].as_f64().unwrap_or_default();
        self.time = self.time.plus(Time { seconds, cpu_seconds: record["cpu_seconds"].as_f64() });
        self.done.insert(chunk.to_owned(), tally);
    }

    fn write(&mut self, record: &Json) -> Result<(), Failure> {
        let Some((file, path)) = &mut self.file else { return Ok(()) };
        if self.is_broken {
            return Err(Failure::cannot_write(path.display(), "an earlier result could not be saved"));
        }
        let written = file.write_all(sealed(record).as_bytes()).and_then(|()| file.sync_data());
        self.is_broken = written.is_err();
        written.map_err(|error| Failure::cannot_write(path.display(), error))
    }
}

/// The file, which no other process writes to as long as it is open.
fn locked(path: &Path) -> Result<File, Failure> {
    let failed = |error: std::io::Error| Failure::cannot_write(path.display(), error);
    if path.exists() && !path.is_file() {
        let message = format!("--resume {}: this is no ordinary file; name another", path.display());
        return Err(Failure::usage("bad-state", message));
    }
    open_locked(path).map_err(failed)?.ok_or_else(|| {
        let message = format!(
            "{}: another verification is writing to it; wait for it, or give each one a file of its own",
            path.display()
        );
        Failure::new(Exit::Failed, "locked", message)
    })
}

/// A line of the file.
fn sealed(record: &Json) -> String {
    let text = record.to_string();
    let seal = sha256(text.as_bytes());
    format!("{text} {}\n", &seal[..16])
}

/// The record of a line; `None` if it is not whole.
fn unsealed(line: &[u8]) -> Option<Json> {
    let (text, seal) = str::from_utf8(line).ok()?.strip_suffix('\n')?.rsplit_once(' ')?;
    let record = serde_json::from_str(text).ok()?;
    (sha256(text.as_bytes())[..16] == *seal).then_some(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(seconds: f64) -> Time {
        Time { seconds, cpu_seconds: Some(2.0 * seconds) }
    }

    #[test]
    fn a_time_that_is_not_known_is_not_known_of_the_sum() {
        let unknown = Time { seconds: 1.0, cpu_seconds: None };
        assert_eq!(time(1.0).plus(unknown), Time { seconds: 2.0, cpu_seconds: None });
    }

    #[test]
    fn what_was_kept_is_found_again_up_to_a_line_cut_short() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state");
        let identity = json!({"sha256": "1", "seed": 1});
        let tally = |checked| Tally {
            checked,
            wrong: 1,
            unfinished: 2,
            nodes: 3,
            first: Some((9, "a \"b\"".to_owned())),
        };
        let mut state = State::open(Some(&path), &identity, "a").unwrap();
        state.add("3", &tally(5), time(0.5)).unwrap();
        state.add("4", &tally(6), time(0.25)).unwrap();
        drop(state);
        let whole = std::fs::read(&path).unwrap();
        let again = State::open(Some(&path), &identity, "a").unwrap();
        assert_eq!(
            (again.find("3", 7), again.find("4", 8), again.find("5", 7)),
            (Some(tally(5)), Some(tally(6)), None)
        );
        assert_eq!((again.find("3", 8), again.find("4", 7)), (None, None), "other numbers of values");
        assert_eq!(again.time(), Time { seconds: 0.75, cpu_seconds: Some(1.5) });
        drop(again);
        std::fs::write(&path, &whole[..whole.len() - 4]).unwrap();
        let mut cut = State::open(Some(&path), &identity, "a").unwrap();
        assert_eq!((cut.find("3", 7), cut.find("4", 8)), (Some(tally(5)), None));
        cut.add("4", &tally(6), time(0.25)).unwrap();
        drop(cut);
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        let other = State::open(Some(&path), &identity, "b").unwrap();
        assert_eq!(other.find("3", 7), Some(tally(5)));
        drop(other);
        let third = State::open(Some(&path), &identity, "a").unwrap();
        assert_eq!(third.programs().collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn a_damaged_line_is_named_and_the_lines_after_it_stay() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state");
        let identity = json!({"seed": 1});
        let mut state = State::open(Some(&path), &identity, "a").unwrap();
        for chunk in ["1", "2", "3"] {
            state.add(chunk, &Tally { checked: 7, ..Tally::default() }, time(1.0)).unwrap();
        }
        drop(state);
        let whole = std::fs::read(&path).unwrap();
        let ends: Vec<usize> = (0..whole.len()).filter(|&place| whole[place] == b'\n').collect();
        // The highest bit too: bytes that are no longer text count as damaged as well.
        for flipped in [0x01, 0x80] {
            let mut damaged = whole.clone();
            damaged[ends[1] + 3] ^= flipped;
            std::fs::write(&path, &damaged).unwrap();
            let failure = State::open(Some(&path), &identity, "a").err().unwrap();
            let said = failure.message();
            assert!(said.contains("state, line 3: ") && said.contains("delete this line"), "{said}");
            assert_eq!((failure.exit(), std::fs::read(&path).unwrap()), (Exit::Usage, damaged));
        }
        let without = [&whole[..=ends[1]], &whole[ends[2] + 1..]].concat();
        std::fs::write(&path, without).unwrap();
        let state = State::open(Some(&path), &identity, "a").unwrap();
        assert_eq!(["1", "2", "3"].map(|chunk| state.find(chunk, 7).is_some()), [false, true, true]);
    }

    #[test]
    fn nothing_follows_a_line_that_could_not_be_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state");
        let identity = json!({"seed": 1});
        let mut state = State::open(Some(&path), &identity, "a").unwrap();
        let whole = std::fs::read(&path).unwrap();
        let file = state.file.replace((File::open(&path).unwrap(), path.clone()));
        let add = |state: &mut State| state.add("1", &Tally::default(), time(1.0)).is_err();
        assert!(add(&mut state), "it is open for reading only");
        state.file = file;
        assert!(add(&mut state));
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn a_state_has_one_writer_at_a_time() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state");
        let open = || State::open(Some(&path), &json!({"seed": 1}), "a");
        let first = open().unwrap();
        let failure = open().err().unwrap();
        assert!(failure.message().contains("another verification is writing to it"), "{failure:?}");
        assert_eq!(failure.exit(), Exit::Failed);
        drop(first);
        assert!(open().is_ok());
    }

    #[test]
    fn the_state_of_another_table_is_refused_and_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state");
        State::open(Some(&path), &json!({"seed": 1}), "a").unwrap();
        let kept = std::fs::read(&path).unwrap();
        assert!(State::open(Some(&path), &json!({"seed": 2}), "a").is_err());
        assert_eq!(std::fs::read(&path).unwrap(), kept);
        std::fs::write(&path, "a text\nof another program\n").unwrap();
        assert!(State::open(Some(&path), &json!({"seed": 1}), "a").is_err());
    }
}
