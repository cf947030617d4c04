//! Files of learned weights: content, format and errors.
//!
//! Little-endian throughout:
//!
//! | bytes | content |
//! |---|---|
//! | 0..8 | `RVWEIGHT` |
//! | 8..12 | version of the format, 1 or 2 |
//! | 12, 13 | columns, rows |
//! | 14 | goal: 0 normal, 1 reversed |
//! | 15 | scoring of the labels: 0 raw, 1 winner |
//! | 16..20 | fingerprint of the set of features |
//! | 20..24 | stage width in empty squares: stage `s` holds positions with `s * width` to `s * width + width - 1` |
//! | 24..28 | number of stages |
//! | 28..32 | number of weights of a stage |
//! | 32..36 | CRC-32 of bytes 0..32 and of all bytes from 36 on |
//! | 36.. | the weights, `i16` in 1/128 of a disc, first all low bytes, then all high bytes, deflated |
//!
//! In version 1 the weights stand as they are, stage by stage. In version 2, which is written, they stand weight by
//! weight, each with all its stages from the end of the game on, as the difference `d` from the stage before (from 0 in
//! the first), as `2 d` if it is not negative, else `-2 d - 1`.

use super::features::Features;
use super::payload::{compress, expand};
use reversi_rules::{Geometry, Goal, Rules, Scoring};
use reversi_table::library::first_with;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"RVWEIGHT";
/// The version that is written; all from 1 on are read.
const VERSION: u32 = 2;
const HEADER: usize = 36;

/// The weights of one board and goal, by stage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    geometry: Geometry,
    rules: Rules,
    stage_width: u32,
    stages: Vec<Vec<i16>>,
}

/// Errors of files of weights.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// The bytes are no valid weights.
    #[error("{0}")]
    Content(#[from] ContentError),
    /// The file cannot be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        cause: std::io::Error,
    },
    /// The file can be read but not used.
    #[error("{}: {cause}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// The fault of the content.
        cause: ContentError,
    },
}

impl WeightsError {
    /// The stable word for this error: the `kind` of the JSON error object.
    pub fn kind(&self) -> &'static str {
        match self {
            WeightsError::File { cause, .. } if cause.kind() == ErrorKind::NotFound => "missing-weights",
            WeightsError::File { .. } => "cannot-read",
            WeightsError::Content(_) | WeightsError::Unusable { .. } => "bad-weights",
        }
    }
}

/// A fault in the bytes of a file of weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ContentError {
    /// The magic bytes are missing.
    #[error("not a file of weights (it does not begin with RVWEIGHT)")]
    Magic,
    /// Another version of the format.
    #[error("weights in format {0}, but this program reads formats 1 to {VERSION}")]
    Version(u32),
    /// The checksum does not match.
    #[error("damaged weights (the checksum does not match)")]
    Checksum,
    /// The header contradicts itself or the payload.
    #[error("damaged weights ({0})")]
    Structure(&'static str),
    /// Valid, but for another set of features than this version has.
    #[error("weights for other features than those of this program")]
    Features,
    /// Valid, but for another board or goal than the file name says.
    #[error("weights for {found}, but {asked} was asked for")]
    Other {
        /// Board and goal of the file.
        found: String,
        /// Board and goal of the file name.
        asked: String,
    },
}

impl Weights {
    /// Weights of the features of a board ([`Features::of`]), a list for each stage of `stage_width` empty squares,
    /// from the end of the game on.
    ///
    /// # Panics
    /// If the board has no features, or the number of stages or of weights does not fit the board.
    pub fn new(geometry: Geometry, rules: Rules, stage_width: u32, stages: Vec<Vec<i16>>) -> Weights {
        let features = Features::of(geometry).expect("a board with features");
        let weights = Weights { geometry, rules, stage_width, stages };
        let is_whole = |stage: &Vec<i16>| stage.len() == features.weight_count();
        assert!(weights.stages.iter().all(is_whole), "every weight of every stage");
        assert_eq!(weights.stages.len(), stage_count(geometry, stage_width));
        weights
    }

    /// The usual file name for a board and goal, such as `6x6-normal.rvw`. A board shares the file of its transposed
    /// one, whose name has the shorter side first: `6x7-normal.rvw` for both 6x7 and 7x6.
    pub fn file_name(geometry: Geometry, goal: Goal) -> String {
        format!("{}-{goal}.rvw", geometry.upright())
    }

    /// The same weights for the board or its transposed one: the features of both are numbered alike.
    ///
    /// # Panics
    /// If the board is another one.
    pub fn turned_to(self, geometry: Geometry) -> Weights {
        assert_eq!(self.geometry.upright(), geometry.upright(), "made for another board");
        Weights { geometry, ..self }
    }

    /// Reads the file for a board and goal from the first directory that has one; `None` if none has.
    ///
    /// # Errors
    /// A file that exists but cannot be used.
    pub fn find(
        geometry: Geometry,
        goal: Goal,
        directories: &[impl AsRef<Path>],
    ) -> Result<Option<Weights>, WeightsError> {
        let path = Weights::place(geometry, goal, directories);
        path.map(|path| Weights::load_for(geometry, goal, &path)).transpose()
    }

    /// The path of the file for a board and goal in the first directory that has one.
    pub fn place(geometry: Geometry, goal: Goal, directories: &[impl AsRef<Path>]) -> Option<PathBuf> {
        first_with(directories, &Weights::file_name(geometry, goal))
    }

    /// Reads a file of weights and checks that it is for this board, in either orientation, and goal.
    ///
    /// # Errors
    /// A file that cannot be read or used, or is for another board or goal; the error names the file.
    pub fn load_for(geometry: Geometry, goal: Goal, path: &Path) -> Result<Weights, WeightsError> {
        let weights = Weights::load(path)?;
        if (weights.geometry.upright(), weights.rules.goal) != (geometry.upright(), goal) {
            let found = format!("{} {}", weights.geometry, weights.rules.goal);
            let cause = ContentError::Other { found, asked: format!("{geometry} {goal}") };
            return Err(WeightsError::Unusable { path: path.to_owned(), cause });
        }
        Ok(weights.turned_to(geometry))
    }

    /// Reads a file of weights.
    ///
    /// # Errors
    /// A file that cannot be read or used; the error names the file.
    pub fn load(path: &Path) -> Result<Weights, WeightsError> {
        let file_error = |cause| WeightsError::File { path: path.to_owned(), cause };
        let bytes = read_file(path).map_err(file_error)?;
        Weights::from_bytes(&bytes).map_err(|cause| WeightsError::Unusable { path: path.to_owned(), cause })
    }

    /// Decodes the bytes of a file.
    ///
    /// # Errors
    /// The first fault found in the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, ContentError> {
        let header = bytes.get(..HEADER).ok_or(ContentError::Magic)?;
        let word =
            |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        if &header[..8] != MAGIC {
            return Err(ContentError::Magic);
        }
        let version = word(8);
        if !(1..=VERSION).contains(&version) {
            return Err(ContentError::Version(version));
        }
        if word(32) != checksum(&header[..32], &bytes[HEADER..]) {
            return Err(ContentError::Checksum);
        }
        let geometry = Geometry::new(header[12].into(), header[13].into())
            .map_err(|_| ContentError::Structure("no such board"))?;
        let rules = read_rules(header[14], header[15]).ok_or(ContentError::Structure("no such rules"))?;
        let (fingerprint, stage_width, stages, count) = (word(16), word(20), word(24), word(28) as usize);
        let features = Features::of(geometry).ok_or(ContentError::Features)?;
        if (fingerprint, count) != (features.fingerprint(), features.weight_count()) {
            return Err(ContentError::Features);
        }
        if stage_width == 0 || stages as usize != stage_count(geometry, stage_width) {
            return Err(ContentError::Structure("the stages do not cover the game"));
        }
        let stages = expand(&bytes[HEADER..], version, stages as usize, count)
            .ok_or(ContentError::Structure("the number of weights does not match the header"))?;
        Ok(Weights { geometry, rules, stage_width, stages })
    }

    /// Encodes the weights as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let features = self.features();
        let mut header = Vec::with_capacity(HEADER);
        header.extend(MAGIC);
        header.extend(VERSION.to_le_bytes());
        header.extend([self.geometry.width() as u8, self.geometry.height() as u8]);
        header.push((self.rules.goal == Goal::Reversed).into());
        header.push((self.rules.scoring == Scoring::Winner).into());
        header.extend(features.fingerprint().to_le_bytes());
        header.extend(self.stage_width.to_le_bytes());
        header.extend((self.stages.len() as u32).to_le_bytes());
        header.extend((features.weight_count() as u32).to_le_bytes());
        let payload = compress(&self.stages);
        let checksum = checksum(&header, &payload);
        [header, checksum.to_le_bytes().to_vec(), payload].concat()
    }

    /// The board.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The rules that scored the training labels.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The features of the weights.
    ///
    /// # Panics
    /// Never: weights are only made for boards with features.
    pub fn features(&self) -> Features {
        Features::of(self.geometry).expect("weights are only made for boards with features")
    }

    /// The weights of each stage, from the end of the game on.
    pub fn stages(&self) -> impl Iterator<Item = &[i16]> {
        self.stages.iter().map(Vec::as_slice)
    }

    /// Width of a stage in empty squares.
    pub fn stage_width(&self) -> u32 {
        self.stage_width
    }

    /// The stage of a number of empty squares; numbers beyond the start of the game belong to the first stage of the
    /// game.
    pub fn stage_of(&self, empties: u32) -> usize {
        ((empties / self.stage_width) as usize).min(self.stages.len() - 1)
    }
}

/// Reads a regular file; anything else is an error.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    // Before it is opened: a pipe would be waited for, and a device may never end.
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::Error::from(ErrorKind::IsADirectory));
    }
    if !metadata.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    fs::read(path)
}

/// Number of stages of `stage_width` empty squares from the full board to the start position.
///
/// # Panics
/// If `stage_width` is 0.
pub fn stage_count(geometry: Geometry, stage_width: u32) -> usize {
    ((geometry.square_count() - 4) / stage_width + 1) as usize
}

fn read_rules(goal: u8, scoring: u8) -> Option<Rules> {
    let goal = *Goal::ALL.get(goal as usize)?;
    Some(Rules::new(goal, *Scoring::ALL.get(scoring as usize)?))
}

fn checksum(header: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(payload);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> impl Iterator<Item = Weights> {
        [Geometry::SIX, Geometry::EIGHT]
            .into_iter()
            .flat_map(|geometry| Goal::ALL.map(|goal| Weights::shipped(geometry, goal).unwrap().unwrap()))
    }

    #[test]
    fn writing_and_reading_gives_the_same_weights() {
        for weights in shipped() {
            assert_eq!(Weights::from_bytes(&weights.to_bytes()), Ok(weights));
        }
    }

    #[test]
    fn a_file_serves_both_orientations_of_its_board() {
        let [upright, lying] = [Geometry::new(5, 6).unwrap(), Geometry::new(6, 5).unwrap()];
        let weights = Weights::shipped(upright, Goal::Reversed).unwrap().unwrap();
        assert_eq!(weights.features().fingerprint(), Features::of(lying).unwrap().fingerprint());
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(Weights::file_name(lying, Goal::Reversed), "5x6-reversed.rvw");
        for written in [weights.clone(), weights.clone().turned_to(lying)] {
            std::fs::write(directory.path().join("5x6-reversed.rvw"), written.to_bytes()).unwrap();
            for geometry in [upright, lying] {
                let found = Weights::find(geometry, Goal::Reversed, &[directory.path()]).unwrap().unwrap();
                assert_eq!(found.geometry(), geometry);
                assert_eq!(found.turned_to(upright), weights);
            }
        }
    }

    #[test]
    fn flipping_any_byte_is_noticed() {
        let bytes = shipped().next().unwrap().to_bytes();
        for place in (0..HEADER).chain((HEADER..bytes.len()).step_by(4999)) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x20;
            let error = Weights::from_bytes(&damaged).unwrap_err();
            let expected = match place {
                0..8 => error == ContentError::Magic,
                8..12 => matches!(error, ContentError::Version(_)),
                _ => error == ContentError::Checksum,
            };
            assert!(expected, "byte {place}: {error}");
        }
    }

    #[test]
    fn weights_of_other_features_are_refused() {
        let mut bytes = shipped().next().unwrap().to_bytes();
        bytes[16] ^= 1;
        let sum = checksum(&bytes[..32], &bytes[HEADER..]);
        bytes[32..HEADER].copy_from_slice(&sum.to_le_bytes());
        assert_eq!(Weights::from_bytes(&bytes), Err(ContentError::Features));
    }

    #[test]
    fn a_cut_file_is_noticed_wherever_it_is_cut() {
        let bytes = shipped().next().unwrap().to_bytes();
        for length in [0, 7, HEADER - 1, HEADER, HEADER + 1, bytes.len() / 2, bytes.len() - 1] {
            assert!(Weights::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn a_file_under_a_wrong_name_is_refused_and_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(Weights::file_name(Geometry::SIX, Goal::Reversed));
        std::fs::write(&path, Weights::shipped(Geometry::SIX, Goal::Normal).unwrap().unwrap().to_bytes())
            .unwrap();
        assert!(Weights::load(&path).is_ok());
        let error = Weights::find(Geometry::SIX, Goal::Reversed, &[directory.path()]).unwrap_err();
        let message = error.to_string();
        assert!(
            message.ends_with("6x6-reversed.rvw: weights for 6x6 normal, but 6x6 reversed was asked for")
        );
        assert!(Weights::find(Geometry::SIX, Goal::Normal, &[directory.path()]).unwrap().is_none());
    }

    /// No process writes into the pipe, so that opening it would wait for ever.
    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_refused_unopened() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("6x6-normal.rvw");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let error = Weights::load(&path).unwrap_err();
        assert_eq!(error.kind(), "cannot-read");
        assert!(error.to_string().ends_with("not a regular file"), "{error}");
        assert_eq!(Weights::load(directory.path()).unwrap_err().kind(), "cannot-read");
        assert_eq!(Weights::load(std::path::Path::new("/dev/zero")).unwrap_err().kind(), "cannot-read");
    }
}
