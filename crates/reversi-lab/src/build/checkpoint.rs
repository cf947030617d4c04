//! Saves the known values of an unfinished build to disk, so that a kill loses little work.
//!
//! A build has its own directory with one file, `checkpoint`, which is replaced as a whole: a crash at any moment
//! leaves either the old or the new file. A lock beside the directory keeps a second builder out.

use super::known_values::{KnownValue, KnownValues};
use super::plan::BuildPlan;
use crate::codec::{CodecError, Kind};
use reversi_files::{self as files, Lock};
use reversi_rules::key;
use reversi_rules::{Geometry, Rules};
use reversi_solver::deflated;
use reversi_table::format::OUTPUT_REVISION;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Why a build cannot be kept or continued.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The operating system refused.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A checkpoint could not be read.
    #[error("{path}: {source}", path = path.display())]
    Unread {
        /// The checkpoint.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A checkpoint could not be written.
    #[error("{path}: the results cannot be saved: {source}; {left}", path = path.display(), left = what_is_left(*has_older))]
    Unkept {
        /// The checkpoint.
        path: PathBuf,
        /// Whether the checkpoint before is still there.
        has_older: bool,
        /// What the system said.
        source: io::Error,
    },
    /// Another program is at work in the directory.
    #[error("{path}: another build is at work here", path = .0.display())]
    Locked(PathBuf),
    /// The file cannot be read.
    #[error(
        "{path} {error}",
        path = path.display()
    )]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: CodecError,
    },
    /// It belongs to another build.
    #[error(
        "{path} is for another build ({found}); this one is {wanted}",
        path = path.display()
    )]
    OtherBuild {
        /// The file.
        path: PathBuf,
        /// What it is for.
        found: String,
        /// What was to be continued.
        wanted: String,
    },
    /// It holds positions of another board or other rules.
    #[error("{path} holds positions of {found}, but those of {wanted} are wanted", path = path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// What it is for.
        found: String,
        /// The board and rules that are wanted.
        wanted: String,
    },
}

const CHECKPOINT_FILE: Kind = Kind { magic: *b"\x89RVC\r\n\x1A\n", version: 3, name: "checkpoint" };
/// Before builds found the moves of the last ply: without [`Record::last_moves`].
const CHECKPOINT_2: Kind = Kind { version: 2, ..CHECKPOINT_FILE };

/// The bytes of a [`CHECKPOINT_FILE`], deflated: for files that are kept and shipped, at half the size.
const DEFLATED: Kind = Kind { version: 4, ..CHECKPOINT_FILE };

/// The most bytes of a checkpoint for each deflated byte. Known values take two to four times less space deflated; with
/// this limit a damaged file cannot take all memory.
const MOST_EXPANDED: usize = 64;

/// What a checkpoint belongs to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    board: (u32, u32),
    #[serde(deserialize_with = "crate::codec::text")]
    goal: String,
    #[serde(deserialize_with = "crate::codec::text")]
    scoring: String,
    root: u64,
    prefix: u8,
    down_to: u8,
    /// Stored beside it, since checkpoints of version 2 lack it.
    #[serde(skip)]
    pub last_moves: bool,
    /// A builder of another revision makes other bytes from the same parameters.
    revision: u16,
}

impl Manifest {
    pub fn of(plan: &BuildPlan) -> Manifest {
        let (board, goal, scoring) = game(plan.geometry, plan.rules);
        Manifest {
            board,
            goal: goal.to_owned(),
            scoring: scoring.to_owned(),
            root: key::pack(plan.geometry, plan.root),
            prefix: plan.prefix,
            down_to: plan.down_to,
            last_moves: plan.last_moves,
            revision: OUTPUT_REVISION,
        }
    }

    /// The plan it was made of; `None` if there is no such plan.
    pub fn plan(&self) -> Option<BuildPlan> {
        let geometry = Geometry::new(self.board.0, self.board.1).ok()?;
        let rules = Rules::new(self.goal.parse().ok()?, self.scoring.parse().ok()?);
        let root = key::unpack(geometry, self.root)?;
        let plan = BuildPlan {
            geometry,
            rules,
            root,
            prefix: self.prefix,
            down_to: self.down_to,
            last_moves: self.last_moves,
        };
        plan.check().is_ok().then_some(plan)
    }

    fn describe(&self) -> String {
        let Manifest { board: (width, height), goal, scoring, root, prefix, down_to, last_moves, revision } =
            self;
        let moves = if *last_moves { "with" } else { "without" };
        format!(
            "{width}x{height} {goal} {scoring}, root {root}, prefix {prefix}, down to {down_to}, {moves} the moves of \
             the last ply, revision {revision}"
        )
    }
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Record {
    checkpoint: Checkpoint,
    last_moves: bool,
}

#[derive(Serialize, Deserialize)]
struct Checkpoint {
    manifest: Manifest,
    /// Time spent so far in all runs, in seconds.
    seconds: f64,
    /// Whether known values of the table that is to be replaced are among these.
    from_old_table: bool,
    known_values: Vec<KnownValue>,
}

/// Whether the file begins as a checkpoint does.
pub fn is_checkpoint(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| CHECKPOINT_FILE.begins(file))
}

/// The known values of a build's checkpoint, whatever its root and bounds: they hold for any other build of the same
/// board and rules. Moves are dropped if the checkpoint is of another output revision.
///
/// # Errors
/// A file that cannot be read, or that is for another board or other rules.
pub fn known_values(
    path: &Path,
    geometry: Geometry,
    rules: Rules,
) -> Result<Vec<KnownValue>, CheckpointError> {
    let checkpoint = read(path)?;
    let manifest = &checkpoint.manifest;
    let wanted = game(geometry, rules);
    let found = (manifest.board, manifest.goal.as_str(), manifest.scoring.as_str());
    if found != wanted {
        let ((width, height), goal, scoring) = found;
        return Err(CheckpointError::OtherGame {
            path: path.to_owned(),
            found: format!("{width}x{height} {goal} {scoring}"),
            wanted: format!("{geometry} {} {}", rules.goal, rules.scoring),
        });
    }
    let mut known_values = checkpoint.known_values;
    if manifest.revision != OUTPUT_REVISION {
        known_values.iter_mut().for_each(KnownValue::forget_move);
    }
    Ok(known_values)
}

/// The bytes of a file of known values that were found for a region: a deflated checkpoint that builds can start from.
/// Values of the table that is to be replaced may be among them.
pub fn bytes_of(plan: &BuildPlan, known_values: Vec<KnownValue>) -> Vec<u8> {
    let manifest = Manifest::of(plan);
    deflate(&encode(Checkpoint { manifest, seconds: 0.0, from_old_table: true, known_values }))
}

/// The known values in such a file; none if it does not exist.
///
/// # Errors
/// A file that cannot be read, or that is for another region.
pub fn found_for(path: &Path, plan: &BuildPlan) -> Result<Vec<KnownValue>, CheckpointError> {
    Ok(read_kept(path, &Manifest::of(plan))?.map_or_else(Vec::new, |kept| kept.known_values))
}

/// The checkpoint of an earlier run in a build's directory, which is only read.
///
/// # Errors
/// As [`Workspace::load`].
pub fn kept(directory: &Path, plan: &BuildPlan) -> Result<Option<Kept>, CheckpointError> {
    read_kept(&file_in(directory), &Manifest::of(plan))
}

/// The checkpoint file in a build's directory.
pub fn file_in(directory: &Path) -> PathBuf {
    directory.join(CHECKPOINT)
}

fn read_kept(path: &Path, wanted: &Manifest) -> Result<Option<Kept>, CheckpointError> {
    let checkpoint = match read(path) {
        Err(CheckpointError::Unread { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            return Ok(None);
        }
        checkpoint => checkpoint?,
    };
    let path = path.to_owned();
    if checkpoint.manifest != *wanted {
        let (found, wanted) = (checkpoint.manifest.describe(), wanted.describe());
        return Err(CheckpointError::OtherBuild { path, found, wanted });
    }
    let time = Duration::try_from_secs_f64(checkpoint.seconds).ok().filter(|time| *time < LONGEST_BUILD);
    let time = time.ok_or(CheckpointError::Unreadable { path, error: CodecError::Damaged })?;
    Ok(Some(Kept { known_values: checkpoint.known_values, time, from_old_table: checkpoint.from_old_table }))
}

fn read(path: &Path) -> Result<Checkpoint, CheckpointError> {
    let bytes = fs::read(path).map_err(|source| CheckpointError::Unread { path: path.to_owned(), source })?;
    decode(&bytes).map_err(|error| CheckpointError::Unreadable { path: path.to_owned(), error })
}

fn encode(checkpoint: Checkpoint) -> Vec<u8> {
    CHECKPOINT_FILE.encode(&Record { last_moves: checkpoint.manifest.last_moves, checkpoint })
}

fn deflate(checkpoint: &[u8]) -> Vec<u8> {
    DEFLATED.encode(&&deflated::deflate(checkpoint)[..])
}

fn inflate(payload: &[u8]) -> Option<Vec<u8>> {
    deflated::inflate(payload, MOST_EXPANDED * payload.len())
}

fn decode(bytes: &[u8]) -> Result<Checkpoint, CodecError> {
    match DEFLATED.decode(bytes) {
        Err(CodecError::Version { found, read }) if found < DEFLATED.version => {
            decode_plain(bytes).map_err(|error| match error {
                CodecError::Version { .. } => CodecError::Version { found, read },
                error => error,
            })
        }
        deflated => decode_plain(&inflate(deflated?).ok_or(CodecError::Damaged)?),
    }
}

fn decode_plain(bytes: &[u8]) -> Result<Checkpoint, CodecError> {
    let record = match CHECKPOINT_FILE.decode(bytes) {
        Err(CodecError::Version { found, .. }) if found == CHECKPOINT_2.version => {
            CHECKPOINT_2.decode(bytes).map(|checkpoint| Record { checkpoint, last_moves: false })
        }
        record => record,
    };
    let Record { mut checkpoint, last_moves } = record?;
    checkpoint.manifest.last_moves = last_moves;
    Ok(checkpoint)
}

/// Longer than any build: some 30 000 years. Shorter times can be added without overflow.
const LONGEST_BUILD: Duration = Duration::from_secs(1_000_000_000_000);

/// Board, goal and scoring as a manifest names them.
fn game(geometry: Geometry, rules: Rules) -> ((u32, u32), &'static str, &'static str) {
    ((geometry.width(), geometry.height()), rules.goal.name(), rules.scoring.name())
}

/// The checkpoint of an earlier run.
#[derive(Debug)]
pub struct Kept {
    /// The known values it had found.
    pub known_values: Vec<KnownValue>,
    /// Time of all earlier runs together.
    pub time: Duration,
    /// Whether known values of the table that is to be replaced are among these.
    pub from_old_table: bool,
}

/// The directory of a build that is under way, locked for as long as this value lives.
pub struct Workspace {
    directory: PathBuf,
    manifest: Manifest,
    /// Time of the runs before this one.
    earlier: Duration,
    started: Instant,
    saved: Instant,
    every: Duration,
    from_old_table: bool,
    _lock: Lock,
}

impl Workspace {
    /// Locks the directory. It need not exist: it is created with the first checkpoint.
    ///
    /// # Errors
    /// What the system said; [`CheckpointError::Locked`].
    pub fn enter(directory: &Path, plan: &BuildPlan) -> Result<Workspace, CheckpointError> {
        let fail = |source| CheckpointError::Io { path: directory.to_owned(), source };
        let lock = Lock::take(directory).map_err(|error| match error {
            TryLockError::WouldBlock => CheckpointError::Locked(directory.to_owned()),
            TryLockError::Error(source) => fail(source),
        })?;
        if directory.exists() {
            files::remove_left_over(&file_in(directory));
        }
        let now = Instant::now();
        Ok(Workspace {
            directory: directory.to_owned(),
            manifest: Manifest::of(plan),
            earlier: Duration::ZERO,
            started: now,
            saved: now,
            every: Duration::from_secs(30),
            from_old_table: false,
            _lock: lock,
        })
    }

    /// Sets the least time between two checkpoints; the default is 30 s.
    pub fn save_every(&mut self, every: Duration) {
        self.every = every;
    }

    /// Records that known values of the table to be replaced are used: a build that must not use that table cannot
    /// continue from this checkpoint.
    pub fn takes_from_old_table(&mut self) {
        self.from_old_table = true;
    }

    /// Whether known values of the table that is to be replaced were taken over, by this run or an earlier one.
    pub fn has_taken_from_old_table(&self) -> bool {
        self.from_old_table
    }

    /// The checkpoint file.
    pub fn checkpoint(&self) -> PathBuf {
        file_in(&self.directory)
    }

    /// Whether a checkpoint of this build is on the disk.
    pub fn holds_something(&self) -> bool {
        self.checkpoint().exists()
    }

    /// The checkpoint of an earlier run of the same build, if there is one.
    ///
    /// # Errors
    /// A file that cannot be read, or that belongs to another build.
    pub fn load(&mut self) -> Result<Option<Kept>, CheckpointError> {
        let kept = read_kept(&self.checkpoint(), &self.manifest)?;
        self.earlier = kept.as_ref().map_or(Duration::ZERO, |kept| kept.time);
        self.from_old_table |= kept.as_ref().is_some_and(|kept| kept.from_old_table);
        Ok(kept)
    }

    /// Time spent on this build, earlier runs included.
    pub fn time(&self) -> Duration {
        self.earlier + self.started.elapsed()
    }

    /// Whether enough time has passed since the last checkpoint.
    pub(super) fn is_due(&self) -> bool {
        self.saved.elapsed() >= self.every
    }

    /// Replaces the checkpoint.
    pub(super) fn save(
        &mut self,
        known_values: &KnownValues,
        fresh: &[KnownValue],
    ) -> Result<(), CheckpointError> {
        let checkpoint = Checkpoint {
            manifest: self.manifest.clone(),
            seconds: self.time().as_secs_f64(),
            from_old_table: self.from_old_table,
            known_values: known_values.iter().chain(fresh.iter().copied()).collect(),
        };
        let path = self.checkpoint();
        let has_older = path.exists();
        fs::create_dir_all(&self.directory)
            .and_then(|()| files::replace(&path, &encode(checkpoint)))
            .map_err(|source| CheckpointError::Unkept { has_older, path, source })?;
        self.saved = Instant::now();
        Ok(())
    }

    /// Removes the directory, if there is one: the build is finished.
    ///
    /// # Errors
    /// What the system said.
    pub fn remove(self) -> Result<(), CheckpointError> {
        match fs::remove_dir_all(&self.directory) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(CheckpointError::Io { path: self.directory.clone(), source })
            }
            _ => Ok(()),
        }
    }
}

/// What is on the disk where a checkpoint could not be replaced.
fn what_is_left(has_older: bool) -> &'static str {
    match has_older {
        true => "the results saved before are still there",
        false => "no results were saved before",
    }
}

const CHECKPOINT: &str = "checkpoint";

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::{Board, Start};
    use reversi_table::RawEntry;

    #[test]
    fn of_another_revision_only_the_scores_are_taken_over() {
        let (geometry, rules) = (Geometry::FOUR, Rules::default());
        let root = Board::start(geometry, Start::Diagonal).position();
        let plan = BuildPlan { geometry, rules, root, prefix: 0, down_to: 8, last_moves: false };
        let known_value = KnownValue { key: key::canonical(geometry, root).0, score: -8, best: 1 };
        let directory = tempfile::tempdir().unwrap();
        let path = file_in(directory.path());
        for (revision, best) in
            [(OUTPUT_REVISION, known_value.best), (OUTPUT_REVISION + 1, RawEntry::NO_MOVE)]
        {
            let manifest = Manifest { revision, ..Manifest::of(&plan) };
            let kept =
                Checkpoint { manifest, seconds: 0.0, from_old_table: false, known_values: vec![known_value] };
            fs::write(&path, encode(kept)).unwrap();
            assert_eq!(known_values(&path, geometry, rules).unwrap(), [KnownValue { best, ..known_value }]);
        }
    }

    /// Whatever lengths, counts and numbers a record has: reading gives an error or values, no panic, and needs no more
    /// memory than the file has bytes.
    #[test]
    fn nonsense_under_a_right_checksum_does_no_harm() {
        const HEAD: usize = 18;
        let golden = include_bytes!("../../golden/checkpoint-3.rvc");
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("checkpoint");
        let rules = Rules::new(reversi_rules::Goal::Reversed, reversi_rules::Scoring::Winner);
        let mut read = 0;
        let mut check = |body: &[u8]| {
            let mut bytes = golden[..HEAD].to_vec();
            bytes[10..HEAD].copy_from_slice(&(body.len() as u64).to_le_bytes());
            bytes.extend(body);
            bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
            fs::write(&path, &bytes).unwrap();
            read += u32::from(known_values(&path, Geometry::FOUR, rules).is_ok());
        };
        let body = &golden[HEAD..golden.len() - 4];
        // Numbers of 2, 4 and 8 bytes, as they stand for lengths.
        let numbers: [&[u8]; 6] = [
            &[0xFB, 0xFF, 0xFF],
            &[0xFC, 0xFF, 0xFF, 0xFF, 0xFF],
            &[0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            &[0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
            &[0xFD, 0, 0, 0, 0, 0, 0, 0, 0x70],
            &[0xFC, 0, 0, 0, 0x40],
        ];
        for place in 0..body.len() {
            for number in numbers {
                check(&[&body[..place], number, &body[place + 1..]].concat());
                check(&[&body[..place], number].concat());
                let mut over = body.to_vec();
                over.splice(place..(place + number.len()).min(body.len()), number.iter().copied());
                check(&over);
            }
        }
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..2000 {
            let mut changed = body.to_vec();
            for _ in 0..random.usize(1..6) {
                changed[random.usize(..body.len())] = random.u8(..);
            }
            check(&changed);
        }
        assert!(read > 100, "{read} of them can be read");
    }

    #[test]
    fn a_time_that_no_build_took_is_damage() {
        let root = Board::start(Geometry::FOUR, Start::Diagonal).position();
        let plan = BuildPlan {
            geometry: Geometry::FOUR,
            rules: Rules::default(),
            root,
            prefix: 2,
            down_to: 6,
            last_moves: false,
        };
        let directory = tempfile::tempdir().unwrap();
        let load = |seconds: f64| {
            let manifest = Manifest::of(&plan);
            let kept = Checkpoint { manifest, seconds, from_old_table: false, known_values: vec![] };
            fs::write(file_in(directory.path()), encode(kept)).unwrap();
            let mut workspace = Workspace::enter(directory.path(), &plan).unwrap();
            workspace.load().map(|_| workspace.time())
        };
        assert!(load(90.5).unwrap() >= Duration::from_millis(90_500));
        for seconds in [-1.0, f64::NAN, f64::INFINITY, 1.8e19, 1e15] {
            assert!(matches!(load(seconds), Err(CheckpointError::Unreadable { .. })), "{seconds}");
        }
    }

    /// The bytes were put together by hand from the layout in the head of `codec`, so that another version of the
    /// encoder cannot change the format unnoticed.
    #[test]
    fn the_bytes_of_a_checkpoint_stay_what_they_are() {
        let golden = include_bytes!("../../golden/checkpoint-3.rvc");
        assert_eq!(encode(some_checkpoint(true)), golden);
        assert_same(decode(golden).unwrap(), some_checkpoint(true));
    }

    #[test]
    fn a_kept_file_holds_the_checkpoint_deflated() {
        let plain = encode(some_checkpoint(true));
        assert_same(decode(&deflate(&plain)).unwrap(), some_checkpoint(true));
        let golden = include_bytes!("../../golden/checkpoint-4.rvc");
        assert_same(decode(golden).unwrap(), some_checkpoint(true));
        let bomb = vec![0; 1 << 20];
        for wrong in [&b"no checkpoint"[..], &plain[..plain.len() - 1], &deflate(&plain), &bomb] {
            assert!(decode(&deflate(wrong)).is_err());
        }
        let mut stated = DEFLATED.encode(&&plain[..]);
        assert_eq!(decode(&stated).err(), Some(CodecError::Damaged), "not deflated");
        for found in [1, 5] {
            stated[8] = found as u8;
            assert_eq!(decode(&stated).err(), Some(CodecError::Version { found, read: 4 }));
        }
    }

    #[test]
    fn a_checkpoint_of_version_2_is_of_a_build_without_the_moves() {
        let golden = include_bytes!("../../golden/checkpoint-2.rvc");
        assert_same(decode(golden).unwrap(), some_checkpoint(false));
    }

    fn some_checkpoint(last_moves: bool) -> Checkpoint {
        let known_value = |key, score, best| KnownValue { key, score, best };
        Checkpoint {
            manifest: Manifest {
                board: (4, 4),
                goal: "reversed".to_owned(),
                scoring: "winner".to_owned(),
                root: 123_456_789,
                prefix: 2,
                down_to: 6,
                last_moves,
                revision: 1,
            },
            seconds: 90.5,
            from_old_table: true,
            known_values: vec![
                known_value(7, -4, 3),
                known_value(300, 16, 254),
                known_value(1 << 40, 0, 255),
            ],
        }
    }

    fn assert_same(read: Checkpoint, expected: Checkpoint) {
        assert_eq!((read.manifest, read.seconds), (expected.manifest, expected.seconds));
        assert_eq!(
            (read.from_old_table, read.known_values),
            (expected.from_old_table, expected.known_values)
        );
    }
}
