//! Bounds that a part has proved on its way. They spare later rounds many nodes: the searches of those rounds lie below
//! those of this round, and would prove much of it again.
//!
//! Each part saves the bounds that took the most nodes, up to its share of a limit, in a file beside the results, whole
//! and checksummed. They only save time: a missing or damaged file is skipped. A part begins with the bounds of all
//! earlier rounds and with those that its own machine saved in the same round. So an error of one machine does not
//! spread to the results of other machines in that round, as long as their names differ.

use crate::codec::{CodecError, Kind};
use crate::spread::parts::Part;
use crate::spread::results::{self, Stamp};
use crate::spread::{SpreadError, check_origin, machine, made_by, read_bytes, rounds};
use hashbrown::HashSet;
use reversi_rules::{Geometry, key};
use reversi_solver::search::{Remembered, Solver};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::path::{Path, PathBuf};

const BOUNDS: Kind = Kind { magic: *b"\x89RVB\r\n\x1A\n", version: 1, name: "file of bounds" };
const EXTENSION: &str = "bounds";
/// The most bounds that the parts of one division of a round save together: about 14 MB.
const MOST_OF_A_ROUND: usize = 1 << 20;
/// The binary logarithm of the least nodes for which a bound is saved: cheaper ones are soon searched again.
const LEAST_COST: u8 = 10;
/// Bounds of earlier rounds may fill one part of the table in this many: they outlast new bounds of less cost.
const PART_OF_TABLE: usize = 8;

/// As it stands in the file.
#[derive(Serialize, Deserialize)]
struct Stored {
    #[serde(deserialize_with = "crate::codec::text")]
    made_by: String,
    stamp: Stamp,
    /// The machine's name.
    #[serde(deserialize_with = "crate::codec::text")]
    machine: String,
    bounds: Vec<StoredBounds>,
}

/// Cost, key, lower and upper bound, index of the move's square or 255.
type StoredBounds = (u8, u64, i8, i8, u8);

/// The bounds that a solver was given.
#[derive(Default)]
pub(super) struct TakenOver {
    /// A hash of each. A bound with the same hash by chance is not saved again, which does no harm.
    hashes: HashSet<u64>,
    /// Files that could not be read, with the reason.
    pub passed_over: Vec<String>,
}

impl TakenOver {
    fn has(&self, bounds: StoredBounds) -> bool {
        self.hashes.contains(&hash_of(bounds))
    }
}

fn hash_of((cost, key, lower, upper, best): StoredBounds) -> u64 {
    let rest = u32::from_le_bytes([cost, lower as u8, upper as u8, best]);
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(rest).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// Gives a solver the saved bounds of positions with at most `empties` empty squares, or the costliest of them if there
/// are too many: those of all machines in earlier rounds, and those of this machine in this round.
pub(super) fn take_over(directory: &Path, round: u32, empties: u32, solver: &Solver) -> TakenOver {
    let geometry = solver.geometry();
    let mut taken = TakenOver::default();
    let mut costliest = Costliest::new(solver.capacity() / PART_OF_TABLE);
    for number in 1..=round {
        let (stamp, paths) = match files_of(directory, number) {
            Ok(found) => found,
            Err(error) => {
                taken.passed_over.push(error.to_string());
                continue;
            }
        };
        for path in paths {
            match read(&path, stamp, geometry) {
                Ok(kept) if number < round || kept.machine == machine() => {
                    let can_be_met = |bounds: &Remembered| bounds.position.empty_count(geometry) <= empties;
                    costliest.extend(kept.bounds, geometry, can_be_met);
                }
                Ok(_) => {}
                Err(error) => taken.passed_over.push(error.to_string()),
            }
        }
    }
    // The costliest last: without room, a bound replaces an earlier one.
    for stored in costliest.sorted() {
        solver.remember(&restored(geometry, stored).expect("it was packed on this board"));
        taken.hashes.insert(hash_of(stored));
    }
    taken
}

/// The stamp of a round, and its files of bounds.
fn files_of(directory: &Path, number: u32) -> Result<(Stamp, Vec<PathBuf>), SpreadError> {
    let stamp = rounds::stamp(directory, number)?;
    Ok((stamp, results::files_with(&rounds::directory_of(directory, number), EXTENSION)?))
}

/// Saves the costliest bounds of positions with fewer than `empties` empty squares that were not taken over.
///
/// # Errors
/// [`SpreadError::Unkept`].
pub(super) fn keep(
    directory: &Path,
    stamp: Stamp,
    part: Part,
    empties: u32,
    solver: &Solver,
    taken: &TakenOver,
) -> Result<(), SpreadError> {
    let geometry = solver.geometry();
    let mut costliest = Costliest::new(MOST_OF_A_ROUND / part.of() as usize);
    costliest.extend(solver.remembered(LEAST_COST), geometry, |bounds| {
        bounds.position.empty_count(geometry) < empties && !taken.has(stored(geometry, bounds))
    });
    let bounds = costliest.sorted();
    if bounds.is_empty() {
        return Ok(());
    }
    let path = directory.join(format!("{}.{EXTENSION}", results::stem(Some(part), fastrand::u32(..))));
    rounds::write_whole(
        &path,
        &BOUNDS.encode(&Stored { made_by: made_by(), stamp, machine: machine(), bounds }),
    )
    .map_err(|source| SpreadError::Unkept { path, source })
}

/// The bounds that took the most nodes, up to a number of them.
struct Costliest {
    most: usize,
    /// Up to twice as many as `most`, before the costliest are picked.
    bounds: Vec<StoredBounds>,
    /// Bounds of less cost are not added.
    least_cost: u8,
}

impl Costliest {
    fn new(most: usize) -> Costliest {
        Costliest { most, bounds: Vec::new(), least_cost: 0 }
    }

    /// Adds the bounds for which `is_wanted` is true.
    fn extend(
        &mut self,
        bounds: impl IntoIterator<Item = Remembered>,
        geometry: Geometry,
        is_wanted: impl Fn(&Remembered) -> bool,
    ) {
        for bounds in bounds {
            if bounds.cost >= self.least_cost && is_wanted(&bounds) {
                self.bounds.push(stored(geometry, &bounds));
                if self.bounds.len() > 2 * self.most {
                    self.pick();
                }
            }
        }
    }

    fn pick(&mut self) {
        if let Some(last) = self.most.checked_sub(1).filter(|&last| last < self.bounds.len()) {
            let (_, last, _) = self.bounds.select_nth_unstable_by_key(last, |&bounds| Reverse(bounds));
            self.least_cost = last.0;
        }
        self.bounds.truncate(self.most);
    }

    /// The least costly first.
    fn sorted(mut self) -> Vec<StoredBounds> {
        self.pick();
        self.bounds.sort_unstable();
        self.bounds
    }
}

/// The content of a file.
struct Kept {
    machine: String,
    bounds: Vec<Remembered>,
}

fn read(path: &Path, stamp: Stamp, geometry: Geometry) -> Result<Kept, SpreadError> {
    let bytes = read_bytes(path)?;
    let unreadable = |error| SpreadError::Unreadable { path: path.to_owned(), error };
    let read: Stored = BOUNDS.decode(&bytes).map_err(unreadable)?;
    check_origin(path, (&read.made_by, read.stamp), stamp)?;
    let bounds: Option<_> = read.bounds.into_iter().map(|bounds| restored(geometry, bounds)).collect();
    let bounds = bounds.ok_or_else(|| unreadable(CodecError::Damaged))?;
    Ok(Kept { machine: read.machine, bounds })
}

fn stored(geometry: Geometry, bounds: &Remembered) -> StoredBounds {
    let Remembered { position, lower, upper, best, cost } = *bounds;
    (cost, key::pack(geometry, position), lower, upper, best)
}

/// `None` for what no table of this board can hold.
fn restored(geometry: Geometry, (cost, key, lower, upper, best): StoredBounds) -> Option<Remembered> {
    let position = key::unpack(geometry, key)?;
    Some(Remembered { position, lower, upper, best, cost }).filter(|bounds| bounds.is_sound(geometry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spread::results::files_with;
    use reversi_rules::playout::playout;
    use reversi_rules::{Board, Goal, Rules, Scoring, Start};
    use reversi_solver::search::{Sizing, SolverOptions, Stop};
    use std::fs;

    const STAMP: Stamp = Stamp { plan: 7, round: 1 };

    /// A solver that has solved some positions with 18 empty squares.
    fn solver_with_bounds() -> Solver {
        let geometry = Geometry::new(5, 5).unwrap();
        let options = SolverOptions { memory_bytes: 1 << 22, threads: 1, sizing: Sizing::Whole };
        let solver = Solver::new(geometry, Rules::new(Goal::Normal, Scoring::Raw), options).unwrap();
        let mut random = fastrand::Rng::with_seed(3);
        let root = Board::start(geometry, Start::Diagonal).position();
        for _ in 0..5 {
            let mut game = playout(geometry, root, &mut random);
            let position = game.find(|position| position.empty_count(geometry) == 18).unwrap();
            solver.solve(position, &Stop::never()).unwrap();
        }
        solver
    }

    fn kept(solver: &Solver, part: Part, empties: u32, taken: &TakenOver) -> Vec<Remembered> {
        let directory = tempfile::tempdir().unwrap();
        keep(directory.path(), STAMP, part, empties, solver, taken).unwrap();
        let paths = files_with(directory.path(), EXTENSION).unwrap();
        assert!(paths.len() <= 1);
        paths.iter().flat_map(|path| read(path, STAMP, solver.geometry()).unwrap().bounds).collect()
    }

    #[test]
    fn the_costliest_bounds_are_kept_and_none_that_were_taken_over() {
        let solver = solver_with_bounds();
        let geometry = solver.geometry();
        let proved: Vec<Remembered> = solver.remembered(LEAST_COST).collect();
        let all = kept(&solver, Part::WHOLE, 19, &TakenOver::default());
        assert!(all.len() == proved.len() && all.len() > 20, "{} of {}", all.len(), proved.len());
        let lower = kept(&solver, Part::WHOLE, 18, &TakenOver::default());
        let is_lower = |bounds: &&Remembered| bounds.position.empty_count(geometry) < 18;
        assert!(lower.len() == all.iter().filter(is_lower).count() && lower.len() < all.len());
        // Of 2^17 parts each may keep eight bounds.
        let few = kept(&solver, Part::new(1, 1 << 17).unwrap(), 19, &TakenOver::default());
        assert_eq!(few.len(), 8);
        let least = few.iter().map(|bounds| bounds.cost).min().unwrap();
        assert!(all.iter().filter(|bounds| bounds.cost > least).count() <= 8);
        let taken = TakenOver {
            hashes: few.iter().map(|bounds| hash_of(stored(geometry, bounds))).collect(),
            ..TakenOver::default()
        };
        let others = kept(&solver, Part::WHOLE, 19, &taken);
        assert!(others.len() == all.len() - 8 && others.iter().all(|bounds| !few.contains(bounds)));
        assert!(kept(&solver, Part::WHOLE, 0, &TakenOver::default()).is_empty());
        assert!(kept(&solver, Part::new(1, 1 << 21).unwrap(), 19, &TakenOver::default()).is_empty());
    }

    #[test]
    fn in_a_round_a_machine_takes_its_own_bounds_and_in_later_rounds_those_of_all() {
        let solver = solver_with_bounds();
        let geometry = solver.geometry();
        let directory = tempfile::tempdir().unwrap();
        let proved: Vec<StoredBounds> =
            solver.remembered(LEAST_COST).map(|bounds| stored(geometry, &bounds)).collect();
        let kind = Kind { magic: [0; 8], version: 1, name: "plan" };
        let stamps = [1, 2].map(|number| rounds::write(directory.path(), number, &kind, &"plan").unwrap());
        for (place, (stamp, name)) in [(0, "other"), (1, "other"), (1, &machine())]
            .map(|(round, name)| (stamps[round], name))
            .into_iter()
            .enumerate()
        {
            let stored =
                Stored { made_by: made_by(), stamp, machine: name.to_owned(), bounds: vec![proved[place]] };
            let round = rounds::directory_of(directory.path(), stamp.round);
            fs::write(round.join(format!("part-{place}.bounds")), BOUNDS.encode(&stored)).unwrap();
        }
        let hashes = |bounds: &[StoredBounds]| bounds.iter().copied().map(hash_of).collect::<HashSet<_>>();
        let taken = |round, empties| {
            let taken = take_over(directory.path(), round, empties, &solver);
            assert_eq!(taken.passed_over, [""; 0]);
            taken.hashes
        };
        assert!(taken(1, 18).is_empty());
        assert_eq!(taken(2, 18), hashes(&[proved[0], proved[2]]));
        assert!(taken(2, 3).is_empty());
        rounds::write(directory.path(), 3, &kind, &"plan").unwrap();
        assert_eq!(taken(3, 18), hashes(&proved[..3]));
        let missing = take_over(directory.path(), 4, 18, &solver);
        assert!(missing.hashes.len() == 3 && missing.passed_over.len() == 1);
    }

    #[test]
    fn what_no_table_can_hold_is_damage() {
        let solver = solver_with_bounds();
        let geometry = solver.geometry();
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("part.bounds");
        let sound = stored(geometry, &solver.remembered(LEAST_COST).next().unwrap());
        let (cost, key, lower, upper, best) = sound;
        for (bounds, is_read) in [
            (sound, true),
            ((32, key, lower, upper, best), false),
            ((cost, u64::MAX, lower, upper, best), false),
            ((cost, key, -100, upper, best), false),
            ((cost, key, lower, 127, best), false),
            ((cost, key, lower, upper, 64), false),
        ] {
            let stored =
                Stored { made_by: made_by(), stamp: STAMP, machine: machine(), bounds: vec![bounds] };
            fs::write(&path, BOUNDS.encode(&stored)).unwrap();
            assert_eq!(read(&path, STAMP, geometry).is_ok(), is_read, "{bounds:?}");
        }
    }
}
