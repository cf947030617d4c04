//! Files of results: a checksummed head, then results of one length, each with a checksum, only ever appended to.
//!
//! ```text
//! file   = head, a record of `codec`; { result, T::BYTES bytes; checksum, 4 }
//! ```
//!
//! The checksum of a result is the CRC-32 of the head's checksum, of its number in the file (8 bytes), and of its
//! bytes. So a result that was moved within its file or taken from another file is not accepted. A file that ends
//! within a result, or in nothing but zeros, as some file systems leave it after a crash, was cut off while it was
//! written: the results before are good. Any other result without its checksum is damage.

use super::parts::Part;
use super::{SpreadError, check_origin, machine, made_by, read_bytes};
use crate::codec::{self, CodecError, Kind};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const HEAD: Kind = Kind { magic: *b"\x89RVF\r\n\x1A\n", version: 1, name: "file of results" };
const EXTENSION: &str = "found";
const CHECKSUM_BYTES: usize = 4;
/// More than any head has: the name of a machine has at most 60 letters.
const LONGEST_HEAD: usize = 255;

/// A result of fixed length.
pub trait Record: Sized {
    /// Its length.
    const BYTES: usize;
    /// Appends its bytes.
    fn write(&self, bytes: &mut Vec<u8>);
    /// Reads a result from its bytes; `None` if they make no sense.
    fn read(bytes: &[u8]) -> Option<Self>;
}

/// Identifies the list of searches that results belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stamp {
    /// The checksum of the plan's file.
    pub plan: u32,
    /// The round of the plan.
    pub round: u32,
}

/// The head of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Head {
    /// See [`made_by`].
    #[serde(deserialize_with = "crate::codec::text")]
    pub made_by: String,
    /// The plan.
    pub stamp: Stamp,
    /// The part that was worked on; `None` for searches that were repeated.
    pub part: Option<Part>,
    /// The machine's name.
    #[serde(deserialize_with = "crate::codec::text")]
    pub machine: String,
    /// The id of the process.
    pub process: u32,
    /// Drawn for each file, so that no two have the same head.
    pub random: u32,
}

/// A file that is being written. It belongs to this process alone.
pub struct ResultWriter<T> {
    path: PathBuf,
    file: File,
    checksum: u32,
    written: u64,
    synced: Instant,
    every: Duration,
    of: PhantomData<T>,
}

impl<T: Record> ResultWriter<T> {
    /// Creates a new file in the directory, under a unique name. Appended results survive a kill at once, and a crash
    /// of the machine after `every` at the latest.
    ///
    /// # Errors
    /// [`SpreadError::Unkept`].
    pub fn create(
        directory: &Path,
        stamp: Stamp,
        part: Option<Part>,
        every: Duration,
    ) -> Result<ResultWriter<T>, SpreadError> {
        let process = std::process::id();
        let mut head = Head { made_by: made_by(), stamp, part, machine: machine(), process, random: 0 };
        let (path, mut file) = create_new(directory, &mut head)
            .map_err(|source| SpreadError::Unkept { path: directory.to_owned(), source })?;
        let bytes = HEAD.encode(&head);
        let written = file.write_all(&bytes).and_then(|()| file.sync_all());
        // The directory entry must survive a crash too.
        let written = written.and_then(|()| reversi_files::sync_directory(directory));
        if let Err(source) = written {
            // The file holds no result yet.
            let _ = fs::remove_file(&path);
            return Err(SpreadError::Unkept { path, source });
        }
        let checksum = codec::checksum(&bytes);
        Ok(ResultWriter { path, file, checksum, written: 0, synced: Instant::now(), every, of: PhantomData })
    }

    /// Appends a result. After an error the file is not to be used any more; what was appended before stays.
    ///
    /// # Errors
    /// [`SpreadError::Unkept`].
    pub fn append(&mut self, result: &T) -> Result<(), SpreadError> {
        let mut bytes = Vec::with_capacity(T::BYTES + CHECKSUM_BYTES);
        result.write(&mut bytes);
        debug_assert_eq!(bytes.len(), T::BYTES);
        bytes.extend(checksum(self.checksum, self.written, &bytes).to_le_bytes());
        self.file.write_all(&bytes).map_err(|source| self.unkept(source))?;
        self.written += 1;
        self.sync_if_due()
    }

    /// Syncs the file to disk if the last sync was at least `every` ago.
    ///
    /// # Errors
    /// [`SpreadError::Unkept`].
    pub fn sync_if_due(&mut self) -> Result<(), SpreadError> {
        if self.synced.elapsed() >= self.every { self.sync() } else { Ok(()) }
    }

    /// Syncs the file to disk.
    ///
    /// # Errors
    /// [`SpreadError::Unkept`].
    pub fn sync(&mut self) -> Result<(), SpreadError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|source| self.unkept(source))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn unkept(&self, source: io::Error) -> SpreadError {
        SpreadError::Unkept { path: self.path.clone(), source }
    }
}

/// Creates a file with a new name, and sets the random number of the head.
fn create_new(directory: &Path, head: &mut Head) -> io::Result<(PathBuf, File)> {
    loop {
        head.random = fastrand::u32(..);
        let path = directory.join(format!("{}.{EXTENSION}", stem(head.part, head.random)));
        match File::options().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            file => return Ok((path, file?)),
        }
    }
}

/// The name of a file of this process without its extension. Two machines with the same name may have the same process
/// id, so a random number is part of it.
pub(crate) fn stem(part: Option<Part>, random: u32) -> String {
    let what = part.map_or("recheck".to_owned(), Part::stem);
    format!("{what}.{}-{}-{random:08x}", machine(), std::process::id())
}

fn checksum(head: u32, number: u64, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&head.to_le_bytes());
    hasher.update(&number.to_le_bytes());
    hasher.update(bytes);
    hasher.finalize()
}

/// A file of results that was read.
pub struct ResultFile<T> {
    /// `None` if it ends within its head: it was cut off before any result.
    pub head: Option<Head>,
    /// The results, in the order in which they were found.
    pub results: Vec<T>,
}

/// Reads a file of results of this plan.
///
/// # Errors
/// A file that is damaged, of another plan or of another program.
pub fn read<T: Record>(path: &Path, stamp: Stamp) -> Result<ResultFile<T>, SpreadError> {
    let bytes = read_bytes(path)?;
    let (head, length) = match HEAD.decode_first::<Head>(&bytes) {
        Ok(found) => found,
        Err(CodecError::Truncated) if codec::is_cut_off(&bytes, LONGEST_HEAD) => {
            return Ok(ResultFile { head: None, results: Vec::new() });
        }
        Err(_) if bytes.iter().all(|&byte| byte == 0) => {
            return Ok(ResultFile { head: None, results: Vec::new() });
        }
        Err(error) => return Err(SpreadError::Unreadable { path: path.to_owned(), error }),
    };
    check_origin(path, (&head.made_by, head.stamp), stamp)?;
    let results = read_results(&bytes[length..], codec::checksum(&bytes[..length]))
        .map_err(|number| SpreadError::Damaged { path: path.to_owned(), number })?;
    Ok(ResultFile { head: Some(head), results })
}

/// The results; the error is the number, from 1, of the first damaged result.
fn read_results<T: Record>(bytes: &[u8], head: u32) -> Result<Vec<T>, usize> {
    let length = T::BYTES + CHECKSUM_BYTES;
    let mut results = Vec::with_capacity(bytes.len() / length);
    for (number, chunk) in bytes.chunks_exact(length).enumerate() {
        let (body, stored) = chunk.split_at(T::BYTES);
        let is_sound = checksum(head, number as u64, body).to_le_bytes() == stored;
        match T::read(body).filter(|_| is_sound) {
            Some(result) => results.push(result),
            // The last byte that was written may lie anywhere in this result.
            None if chunk.ends_with(&[0]) && bytes[(number + 1) * length..].iter().all(|&byte| byte == 0) => {
                break;
            }
            None => return Err(number + 1),
        }
    }
    Ok(results)
}

/// The files of results in a directory, in the order of their names.
///
/// # Errors
/// A directory that cannot be read.
pub fn files_in(directory: &Path) -> Result<Vec<PathBuf>, SpreadError> {
    files_with(directory, EXTENSION)
}

/// The files with this extension in a directory, in the order of their names.
///
/// # Errors
/// A directory that cannot be read.
pub(crate) fn files_with(directory: &Path, wanted: &str) -> Result<Vec<PathBuf>, SpreadError> {
    let fail = |source| SpreadError::Io { path: directory.to_owned(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|extension| extension == wanted) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAMP: Stamp = Stamp { plan: 7, round: 1 };

    impl Record for u64 {
        const BYTES: usize = 8;

        fn write(&self, bytes: &mut Vec<u8>) {
            bytes.extend(self.to_le_bytes());
        }

        fn read(bytes: &[u8]) -> Option<u64> {
            bytes.try_into().ok().map(u64::from_le_bytes)
        }
    }

    fn written(directory: &Path, results: &[u64]) -> PathBuf {
        let mut writer = ResultWriter::create(directory, STAMP, Part::new(3, 20), Duration::ZERO).unwrap();
        results.iter().for_each(|result| writer.append(result).unwrap());
        writer.path().to_owned()
    }

    #[test]
    fn results_are_read_as_they_were_written_each_process_in_its_own_file() {
        let directory = tempfile::tempdir().unwrap();
        let (one, two) = (written(directory.path(), &[1, 2, 3]), written(directory.path(), &[4]));
        let mut paths = vec![one.clone(), two];
        paths.sort();
        assert_eq!(files_in(directory.path()).unwrap(), paths);
        let file = read::<u64>(&one, STAMP).unwrap();
        assert_eq!(file.results, [1, 2, 3]);
        let head = file.head.unwrap();
        assert_eq!((head.part, head.machine), (Part::new(3, 20), machine()));
        let other = Stamp { plan: 8, round: 1 };
        assert!(matches!(read::<u64>(&one, other), Err(SpreadError::OtherPlan(path)) if path == one));
    }

    #[test]
    fn a_head_that_states_an_impossible_length_is_damaged() {
        let directory = tempfile::tempdir().unwrap();
        let path = written(directory.path(), &[1]);
        let bytes = fs::read(&path).unwrap();
        for place in 11..18 {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            fs::write(&path, damaged).unwrap();
            assert!(matches!(read::<u64>(&path, STAMP), Err(SpreadError::Unreadable { .. })), "{place}");
        }
    }

    #[test]
    fn of_a_file_that_was_cut_anywhere_the_whole_results_are_good() {
        let directory = tempfile::tempdir().unwrap();
        let path = written(directory.path(), &[1, 2, 3]);
        let bytes = fs::read(&path).unwrap();
        let head = bytes.len() - 3 * 12;
        for length in 0..=bytes.len() {
            let whole = length.saturating_sub(head) / 12;
            for zeros in [0, 5, 40] {
                // As some file systems leave a file to which was appended before the crash.
                let zeros = if length < head { 0 } else { zeros };
                fs::write(&path, [&bytes[..length], &vec![0; zeros]].concat()).unwrap();
                let file = read::<u64>(&path, STAMP).unwrap();
                assert_eq!(file.results, [1, 2, 3][..whole], "{length} bytes and {zeros} zeros");
                assert_eq!(file.head.is_some(), length >= head);
            }
        }
    }

    #[test]
    fn no_flipped_bit_changes_a_result() {
        let directory = tempfile::tempdir().unwrap();
        let path = written(directory.path(), &[1, 2, 3]);
        let bytes = fs::read(&path).unwrap();
        let mut unnoticed = 0;
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << bit;
                fs::write(&path, damaged).unwrap();
                // In the length of the head a flip looks like a file that was cut off: then nothing is taken from it.
                match read::<u64>(&path, STAMP) {
                    Ok(file) => {
                        assert_eq!(file.results, [0; 0]);
                        unnoticed += 1;
                    }
                    Err(error) => assert!(error.to_string().contains(".found"), "{error}"),
                }
            }
        }
        assert!(unnoticed <= 64, "{unnoticed} flips only lost the file");
    }

    #[test]
    fn a_result_of_another_place_or_file_is_damage() {
        let directory = tempfile::tempdir().unwrap();
        let (one, two) = (written(directory.path(), &[1, 2]), written(directory.path(), &[3, 4]));
        let (mut bytes, others) = (fs::read(&one).unwrap(), fs::read(&two).unwrap());
        let end = bytes.len();
        let exchanged = [&bytes[..end - 24], &bytes[end - 12..], &bytes[end - 24..end - 12]].concat();
        fs::write(&one, exchanged).unwrap();
        assert!(matches!(read::<u64>(&one, STAMP), Err(SpreadError::Damaged { number: 1, .. })));
        bytes[end - 12..].copy_from_slice(&others[others.len() - 12..]);
        fs::write(&one, bytes).unwrap();
        assert!(matches!(read::<u64>(&one, STAMP), Err(SpreadError::Damaged { number: 2, .. })));
    }
}
