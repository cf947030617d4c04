//! The plan of a round: one whole, checksummed file.

use super::super::checkpoint::Manifest;
use super::super::job::SearchJob;
use super::super::known_values::KnownValue;
use super::super::plan::BuildPlan;
use super::costs::Costs;
use crate::codec::{CodecError, Kind};
use crate::spread::results::Stamp;
use crate::spread::{SpreadError, made_by};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const PLAN: Kind = Kind { magic: *b"\x89RVP\r\n\x1A\n", version: 1, name: "plan of a build" };
const PLAN_NAME: &str = "plan";
const ROUND: &str = "round-";

/// A round of a shared build.
pub(super) struct Round {
    pub plan: BuildPlan,
    /// The file name of the table to be.
    pub name: String,
    /// From 1.
    pub number: u32,
    pub costs: Costs,
    /// All that is known when it begins.
    pub known: Vec<KnownValue>,
    /// The searches, those that stem from one position together.
    pub families: Vec<Vec<SearchJob>>,
}

/// As it stands in the file.
#[derive(Serialize, Deserialize)]
struct Stored {
    made_by: String,
    manifest: Manifest,
    name: String,
    number: u32,
    costs: Costs,
    known: Vec<KnownValue>,
    families: Vec<Vec<SearchJob>>,
}

impl Round {
    pub fn new(
        plan: &BuildPlan,
        name: &str,
        number: u32,
        costs: Costs,
        known: Vec<KnownValue>,
        families: Vec<Vec<SearchJob>>,
    ) -> Round {
        Round { plan: *plan, name: name.to_owned(), number, costs, known, families }
    }

    /// All searches, in the order of their numbers.
    pub fn jobs(&self) -> impl Iterator<Item = &SearchJob> {
        self.families.iter().flatten()
    }

    /// Expected nodes of each family.
    pub fn family_costs(&self) -> Vec<u64> {
        let of = |job: &SearchJob| self.costs.of(self.plan.geometry, job);
        self.families.iter().map(|family| family.iter().map(of).sum()).collect()
    }

    /// Writes the plan into its place.
    ///
    /// # Errors
    /// [`SpreadError::Unkept`].
    pub fn write(&self, directory: &Path) -> Result<Stamp, SpreadError> {
        let stored = Stored {
            made_by: made_by(),
            manifest: Manifest::of(&self.plan),
            name: self.name.clone(),
            number: self.number,
            costs: self.costs.clone(),
            known: self.known.clone(),
            families: self.families.clone(),
        };
        let bytes = PLAN.encode(&stored);
        let path = path_of(directory, self.number);
        fs::create_dir_all(directory_of(directory, self.number))
            .and_then(|()| reversi_files::replace(&path, &bytes))
            .map_err(|source| SpreadError::Unkept { path, source })?;
        Ok(Stamp { plan: crc32fast::hash(&bytes), round: self.number })
    }

    /// Reads the plan of a round.
    ///
    /// # Errors
    /// A file that is damaged or was written by another version.
    pub fn read(directory: &Path, number: u32) -> Result<(Round, Stamp), SpreadError> {
        let path = path_of(directory, number);
        let bytes = fs::read(&path).map_err(|source| SpreadError::Io { path: path.clone(), source })?;
        let unreadable = |error| SpreadError::Unreadable { path: path.clone(), error };
        let stored: Stored = PLAN.decode(&bytes).map_err(unreadable)?;
        if stored.made_by != made_by() {
            let (found, wanted) = (stored.made_by, made_by());
            return Err(SpreadError::OtherVersion { path, found, wanted });
        }
        let plan = stored.manifest.plan().filter(|_| stored.number == number);
        let plan = plan.ok_or_else(|| unreadable(CodecError::Damaged))?;
        let Stored { name, number, costs, known, families, .. } = stored;
        let round = Round { plan, name, number, costs, known, families };
        Ok((round, Stamp { plan: crc32fast::hash(&bytes), round: number }))
    }
}

/// Where a round is.
pub(super) fn directory_of(directory: &Path, number: u32) -> PathBuf {
    directory.join(format!("{ROUND}{number}"))
}

/// Where its plan is.
pub(super) fn path_of(directory: &Path, number: u32) -> PathBuf {
    directory_of(directory, number).join(PLAN_NAME)
}

/// The number of the last round that has a plan; `None` without any.
///
/// # Errors
/// A directory that cannot be read.
pub(super) fn latest(directory: &Path) -> Result<Option<u32>, SpreadError> {
    let fail = |source| SpreadError::Io { path: directory.to_owned(), source };
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        entries => entries.map_err(fail)?,
    };
    let mut latest = None;
    for entry in entries {
        let name = entry.map_err(fail)?.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(ROUND)?.parse::<u32>().ok());
        if let Some(number) = number.filter(|&number| path_of(directory, number).exists()) {
            latest = latest.max(Some(number));
        }
    }
    Ok(latest)
}
