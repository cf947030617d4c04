//! The costliest bounds that a part has proved on its way: the searches of the next round lie below those of this one,
//! and would prove much of it again.
//!
//! They are kept in a file beside the results, whole and checksummed, and only save time: a file that is missing or
//! damaged is passed over. That a round takes none but those of the round before keeps an error of one machine out of
//! its own round.

use crate::codec::{self, Kind};
use crate::spread::parts::Part;
use crate::spread::results::Stamp;
use crate::spread::{SpreadError, made_by, results, rounds};
use reversi_rules::{Geometry, Score, Square, key};
use reversi_solver::search::{Remembered, Solver};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

const BOUNDS: Kind = Kind { magic: *b"\x89RVB\r\n\x1A\n", version: 1, name: "file of bounds" };
const EXTENSION: &str = "bounds";
/// Bounds that all parts of a round keep together: about 14 MB.
const MOST_OF_A_ROUND: usize = 1 << 20;
/// Bounds that took fewer nodes, as a binary logarithm, are soon proved again.
const LEAST_COST: u8 = 10;

/// As it stands in the file.
#[derive(Serialize, Deserialize)]
struct Stored {
    #[serde(deserialize_with = "crate::codec::text")]
    made_by: String,
    stamp: Stamp,
    bounds: Vec<StoredBounds>,
}

/// Key, lower and upper bound, square of the move or [`NO_MOVE`], cost.
type StoredBounds = (u64, i8, i8, u8, u8);

const NO_MOVE: u8 = 255;

/// Keeps the costliest bounds of positions with fewer than `empties` empty squares.
///
/// # Errors
/// [`SpreadError::Unkept`].
pub(super) fn keep(
    directory: &Path,
    stamp: Stamp,
    part: Part,
    empties: u32,
    solver: &mut Solver,
) -> Result<(), SpreadError> {
    let geometry = solver.geometry();
    let mut costliest: Vec<Remembered> = solver
        .remembered(LEAST_COST)
        .filter(|bounds| bounds.position.empty_count(geometry) < empties)
        .collect();
    costliest.sort_unstable_by_key(|bounds| (u8::MAX - bounds.cost, key::pack(geometry, bounds.position)));
    costliest.truncate(MOST_OF_A_ROUND / part.of() as usize);
    let bounds = costliest.iter().map(|bounds| stored(geometry, bounds)).collect();
    let stored = Stored { made_by: made_by(), stamp, bounds };
    let path = directory.join(format!("{}.{EXTENSION}", results::stem(Some(part), fastrand::u32(..))));
    rounds::write_whole(&path, &BOUNDS.encode(&stored)).map_err(|source| SpreadError::Unkept { path, source })
}

/// Gives a solver what all parts of a round have kept, and says which files were passed over, and why.
///
/// # Errors
/// A directory that cannot be read.
pub(super) fn take_over(directory: &Path, stamp: Stamp, solver: &Solver) -> Result<Vec<String>, SpreadError> {
    let mut passed_over = Vec::new();
    for path in results::files_with(directory, EXTENSION)? {
        match read(&path, stamp, solver.geometry()) {
            Ok(bounds) => bounds.iter().for_each(|bounds| solver.remember(bounds)),
            Err(error) => passed_over.push(error.to_string()),
        }
    }
    Ok(passed_over)
}

fn read(path: &Path, stamp: Stamp, geometry: Geometry) -> Result<Vec<Remembered>, SpreadError> {
    let bytes = fs::read(path).map_err(|source| SpreadError::Io { path: path.to_owned(), source })?;
    let unreadable = |error| SpreadError::Unreadable { path: path.to_owned(), error };
    let stored: Stored = BOUNDS.decode(&bytes).map_err(unreadable)?;
    if stored.made_by != made_by() {
        let (found, wanted) = (stored.made_by, made_by());
        return Err(SpreadError::OtherVersion { path: path.to_owned(), found, wanted });
    }
    if stored.stamp != stamp {
        return Err(SpreadError::OtherPlan(path.to_owned()));
    }
    let read: Option<Vec<_>> = stored.bounds.into_iter().map(|bounds| restored(geometry, bounds)).collect();
    read.ok_or_else(|| unreadable(codec::CodecError::Damaged))
}

fn stored(geometry: Geometry, bounds: &Remembered) -> StoredBounds {
    let Remembered { position, lower, upper, best, cost } = *bounds;
    let best = best.map_or(NO_MOVE, |square| square.index() as u8);
    (key::pack(geometry, position), lower.discs() as i8, upper.discs() as i8, best, cost)
}

/// `None` for what is none of this board.
fn restored(geometry: Geometry, (key, lower, upper, best, cost): StoredBounds) -> Option<Remembered> {
    let best = match best {
        NO_MOVE => None,
        square if square < 64 => Some(Square::from_index(square.into())),
        _ => return None,
    };
    let position = key::unpack(geometry, key)?;
    let (lower, upper) = (Score::new(lower.into()), Score::new(upper.into()));
    Some(Remembered { position, lower, upper, best, cost }).filter(|bounds| bounds.is_sound(geometry))
}
