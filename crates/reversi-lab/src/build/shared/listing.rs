//! Which searches a round needs.

use super::super::job::{SearchJob, WantedSearch, known_best};
use super::super::known_values::{KnownValue, KnownValues};
use super::super::plan::BuildPlan;
use super::super::walk::{BuildError, Searches, Step, Walk};
use hashbrown::HashMap;
use reversi_rules::Geometry;
use reversi_solver::search::Stop;
use reversi_table::{RawEntry, key};

/// How far the walk gets with the known values.
pub(super) enum Listed {
    /// Searches are needed, grouped by common parent.
    Searches { families: Vec<Vec<SearchJob>>, known: Vec<KnownValue> },
    /// None is needed.
    Finished { entries: Vec<RawEntry>, known: Vec<KnownValue> },
}

/// Goes through the region as far as known values lead.
///
/// # Errors
/// [`BuildError`].
pub(super) fn list(
    plan: &BuildPlan,
    known: impl IntoIterator<Item = KnownValue>,
    stop: &Stop,
) -> Result<Listed, BuildError> {
    let mut list = SearchList { geometry: plan.geometry, families: Vec::new(), places: HashMap::new() };
    let walk = Walk::new(*plan, stop, known).through(&mut list)?;
    let mut known: Vec<KnownValue> = walk.known_values.iter().collect();
    known.sort_unstable();
    if list.places.is_empty() {
        let entries = walk.entries().expect("where no search is needed all entries are known");
        return Ok(Listed::Finished { entries, known });
    }
    Ok(Listed::Searches { families: list.families, known })
}

/// Notes the searches that a walk needs, each position once.
struct SearchList {
    geometry: Geometry,
    families: Vec<Vec<SearchJob>>,
    /// By canonical key: the family and the place in it.
    places: HashMap<u64, (usize, usize)>,
}

impl Searches for SearchList {
    fn find(
        &mut self,
        _: Step,
        jobs: &[WantedSearch],
        known_values: &mut KnownValues,
    ) -> Result<(), BuildError> {
        let mut family = None;
        for wanted in jobs {
            let job = wanted.job;
            if let SearchJob::Move(position, score) = job
                && let Some(found) = known_best(self.geometry, known_values, position, score)
            {
                known_values.insert(found);
                continue;
            }
            let key = key::canonical(self.geometry, job.position()).0;
            if let Some(&(family, place)) = self.places.get(&key) {
                // It may be met as a twin after a pass, and elsewhere as a position that chooses.
                if job.asks_for_move() {
                    self.families[family][place] = job;
                }
                continue;
            }
            if family != Some(wanted.family) {
                family = Some(wanted.family);
                self.families.push(Vec::new());
            }
            let place = self.families.len() - 1;
            self.families[place].push(job);
            self.places.insert(key, (place, self.families[place].len() - 1));
        }
        Ok(())
    }
}
