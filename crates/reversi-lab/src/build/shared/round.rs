//! The plan of a round, and its file.

use super::super::checkpoint::Manifest;
use super::super::job::SearchJob;
use super::super::known_values::KnownValue;
use super::super::plan::BuildPlan;
use crate::codec::CodecError;
use crate::spread::costs::Costs;
use crate::spread::results::Stamp;
use crate::spread::{SpreadError, made_by, rounds};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A round of a shared build.
pub(super) struct Round {
    pub plan: BuildPlan,
    /// The file name of the table to be.
    pub name: String,
    /// From 1.
    pub number: u32,
    pub costs: Costs,
    /// All known values when it begins.
    pub known: Vec<KnownValue>,
    /// The searches, grouped by common parent.
    pub families: Vec<Vec<SearchJob>>,
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Stored {
    #[serde(deserialize_with = "crate::codec::text")]
    made_by: String,
    manifest: Manifest,
    last_moves: bool,
    #[serde(deserialize_with = "crate::codec::text")]
    name: String,
    number: u32,
    costs: Costs,
    known: Vec<KnownValue>,
    families: Vec<Vec<SearchJob>>,
}

impl Round {
    /// Writes the plan into its place.
    ///
    /// # Errors
    /// [`SpreadError::Unkept`].
    pub fn write(&self, directory: &Path) -> Result<Stamp, SpreadError> {
        let stored = Stored {
            made_by: made_by(),
            manifest: Manifest::of(&self.plan),
            last_moves: self.plan.last_moves,
            name: self.name.clone(),
            number: self.number,
            costs: self.costs.clone(),
            known: self.known.clone(),
            families: self.families.clone(),
        };
        rounds::write(directory, self.number, &rounds::BUILD, &stored)
    }

    /// Reads the plan of a round.
    ///
    /// # Errors
    /// A file that is damaged or was written by another version.
    pub fn read(directory: &Path, number: u32) -> Result<(Round, Stamp), SpreadError> {
        let (mut stored, stamp) = rounds::read::<Stored>(directory, number, &rounds::BUILD)?;
        rounds::check_version(directory, number, &stored.made_by)?;
        stored.manifest.last_moves = stored.last_moves;
        let plan = stored.manifest.plan().filter(|plan| {
            let are_possible = stored.families.iter().flatten().all(|job| job.is_possible(plan.geometry));
            are_possible && is_file_name(&stored.name) && stored.number == number
        });
        let plan = plan.ok_or_else(|| SpreadError::Unreadable {
            path: rounds::path_of(directory, number),
            error: CodecError::Damaged,
        })?;
        let Stored { name, number, costs, known, families, .. } = stored;
        Ok((Round { plan, name, number, costs, known, families }, stamp))
    }
}

/// Whether a name is a plain file name, which leads to a file of the directory it is joined to.
fn is_file_name(name: &str) -> bool {
    Path::new(name).file_name() == Some(name.as_ref())
}
