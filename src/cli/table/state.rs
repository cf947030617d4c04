//! What is done of a long verification: a line of JSON for each chunk, written through to the disk as soon as it is done.
//!
//! The first line names the table. A line for each program that went on with it gives the checksum of that program. Each
//! line ends with a checksum, so that one that a crash cut short is
//! told from a whole one and left out.

use crate::cli::{Exit, Failure};
use reversi_verify::whole::Tally;
use serde_json::{Value as Json, json};
use std::collections::{BTreeSet, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What work took.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Time {
    /// On the wall, with the time in which it was stopped.
    pub seconds: f64,
    /// Of all cores together; `None` where the system does not say.
    pub cpu_seconds: Option<f64>,
}

impl Time {
    pub const NONE: Time = Time { seconds: 0.0, cpu_seconds: Some(0.0) };

    /// Both together.
    pub fn plus(self, other: Time) -> Time {
        let cpu_seconds = self.cpu_seconds.zip(other.cpu_seconds).map(|(mine, others)| mine + others);
        Time { seconds: self.seconds + other.seconds, cpu_seconds }
    }
}

/// The chunks that are done.
pub struct State {
    file: Option<(File, PathBuf)>,
    done: HashMap<String, Tally>,
    programs: BTreeSet<String>,
    time: Time,
}

impl State {
    /// Reads what is done, or begins a new file; without a path nothing is kept. `program` is the checksum of this one.
    ///
    /// # Errors
    /// A file of another table, or one that cannot be read or written.
    pub fn open(path: Option<&Path>, identity: &Json, program: &str) -> Result<State, Failure> {
        let programs = BTreeSet::from([program.to_owned()]);
        let mut state = State { file: None, done: HashMap::new(), programs, time: Time::NONE };
        let Some(path) = path else { return Ok(state) };
        let mut others = BTreeSet::new();
        let failed = |error: std::io::Error| Failure::cannot_write(path.display(), error);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        let mut lines = text.split_inclusive('\n');
        let mut kept = 0;
        if let Some(first) = lines.next().filter(|line| unsealed(line).is_some()) {
            if unsealed(first).as_ref() != Some(identity) {
                let message = format!("{} was made for another table or by another version", path.display());
                return Err(Failure::new(Exit::Usage, "other-state", message));
            }
            kept += first.len();
            for line in lines {
                let Some(record) = unsealed(line) else { break };
                others.extend(record["program"].as_str().map(str::to_owned));
                state.take(&record);
                kept += line.len();
            }
        } else if !sealed(identity).starts_with(&text) {
            let message = format!("{} holds something else", path.display());
            return Err(Failure::new(Exit::Usage, "other-state", message));
        }
        // A line that was cut short goes.
        file.set_len(kept as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        state.file = Some((file, path.to_owned()));
        if kept == 0 {
            state.write(identity)?;
        }
        if !others.contains(program) {
            state.write(&json!({ "program": program }))?;
        }
        state.programs.extend(others);
        Ok(state)
    }

    /// What was found of a chunk, if it is done.
    pub fn find(&self, chunk: &str) -> Option<Tally> {
        self.done.get(chunk).cloned()
    }

    /// The checksums of all programs that searched, this one among them.
    pub fn programs(&self) -> impl Iterator<Item = &str> {
        self.programs.iter().map(String::as_str)
    }

    /// What all chunks took, in this and in earlier runs.
    pub fn time(&self) -> Time {
        self.time
    }

    /// Keeps what was found of a chunk.
    ///
    /// # Errors
    /// It cannot be written.
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
        let written = file.write_all(sealed(record).as_bytes()).and_then(|()| file.sync_data());
        written.map_err(|error| Failure::cannot_write(path.display(), error))
    }
}

/// A line of the file.
fn sealed(record: &Json) -> String {
    let text = record.to_string();
    let seal = super::sha256(text.as_bytes());
    format!("{text} {}\n", &seal[..16])
}

/// The record of a line; `None` if it is not whole.
fn unsealed(line: &str) -> Option<Json> {
    let (text, seal) = line.strip_suffix('\n')?.rsplit_once(' ')?;
    let record = serde_json::from_str(text).ok()?;
    (super::sha256(text.as_bytes())[..16] == *seal).then_some(record)
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
        let whole = std::fs::read(&path).unwrap();
        let again = State::open(Some(&path), &identity, "a").unwrap();
        assert_eq!(
            (again.find("3"), again.find("4"), again.find("5")),
            (Some(tally(5)), Some(tally(6)), None)
        );
        assert_eq!(again.time(), Time { seconds: 0.75, cpu_seconds: Some(1.5) });
        std::fs::write(&path, &whole[..whole.len() - 4]).unwrap();
        let mut cut = State::open(Some(&path), &identity, "a").unwrap();
        assert_eq!((cut.find("3"), cut.find("4")), (Some(tally(5)), None));
        cut.add("4", &tally(6), time(0.25)).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        let other = State::open(Some(&path), &identity, "b").unwrap();
        assert_eq!(other.find("3"), Some(tally(5)));
        let third = State::open(Some(&path), &identity, "a").unwrap();
        assert_eq!(third.programs().collect::<Vec<_>>(), ["a", "b"]);
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
