//! Joins the results of all parts of a round, and lays out the next round or the finished region.

use super::super::known_values::{KnownValue, KnownValues};
use super::super::walk::BuildError;
use super::exact_value::ExactValue;
use super::listing::{Listed, list};
use super::{Round, SharedBuild, SharedError, factor};
use crate::spread::SpreadError;
use crate::spread::gathered::Gathered;
use crate::spread::rounds;
use hashbrown::HashSet;
use reversi_rules::{Geometry, key};
use reversi_solver::search::Stop;
use reversi_table::RawEntry;
use std::time::Duration;

/// The outcome of a merge.
pub enum Merged {
    /// More searches are needed: the next round, which has been laid out.
    NextRound(Box<SharedBuild>),
    /// The entries of the region in the order of a table.
    Finished(Vec<RawEntry>),
}

/// The figures of a merge.
#[derive(Clone, PartialEq, Debug)]
pub struct RoundReport {
    /// The round that was joined.
    pub round: u32,
    /// Its searches.
    pub searches: usize,
    /// Results that were found more than once.
    pub twice: usize,
    /// Nodes that were expected.
    pub expected_nodes: u64,
    /// Nodes that were searched.
    pub nodes: u64,
    /// Time that the searches took, summed over all threads and machines.
    pub busy: Duration,
    /// Searches of all rounds that have results.
    pub all_searches: usize,
    /// How many of these were repeated, all with the same result.
    pub rechecked: usize,
    /// Time that the searches of all these rounds took, rechecks not counted.
    pub all_busy: Duration,
}

/// What the rounds before have done, as in [`RoundReport`].
#[derive(Default)]
struct Earlier {
    searches: usize,
    rechecked: usize,
    busy: Duration,
}

impl SharedBuild {
    /// Joins the files of the round. The files of earlier rounds must still agree with the values taken from them.
    ///
    /// # Errors
    /// Searches that are missing, files that cannot be read, are of another plan or program or contradict each other, a
    /// directory that cannot be written, a stop.
    pub fn merge(&self, stop: &Stop) -> Result<(Merged, RoundReport), SharedError> {
        let _lock = rounds::lock_latest(&self.directory, self.round())?;
        let gathered = self.share.gather::<ExactValue>()?;
        let report = self.report(&gathered, self.check_earlier()?);
        self.share.check_complete(&gathered)?;
        let found = gathered.answers().map(|(answer, _)| answer.value.of(answer.key));
        let merged = match list(&self.plan, self.known.iter().copied().chain(found), stop)? {
            Listed::Finished { entries, .. } => Merged::Finished(entries),
            Listed::Searches { families, known } => {
                let jobs: Vec<_> = self.share.jobs().collect();
                let done = gathered.answers().map(|(answer, _)| {
                    let job = &jobs[answer.number as usize];
                    (job.position().empty_count(self.plan.geometry), answer.nodes as f64 / factor(job))
                });
                let costs = self.costs.measured(self.plan.geometry, done);
                let number = self.round() + 1;
                let round =
                    Round { plan: self.plan, name: self.name.clone(), number, costs, known, families };
                let stamp = round.write(&self.directory)?;
                let rate =
                    (gathered.nodes > 0).then(|| gathered.nodes as f64 / gathered.busy().as_secs_f64());
                Merged::NextRound(Box::new(SharedBuild {
                    rate,
                    ..SharedBuild::of(&self.directory, round, stamp)
                }))
            }
        };
        Ok((merged, report))
    }

    /// The values that are known by now, those of unfinished rounds included, joined with those that are `kept` from
    /// before, by key, without those that are `held` elsewhere.
    ///
    /// # Errors
    /// Files that cannot be read, are of another plan or program or contradict each other, the values kept or the
    /// values held.
    pub fn known_so_far(
        &self,
        kept: &[KnownValue],
        held: &[KnownValue],
    ) -> Result<Vec<KnownValue>, SharedError> {
        let gathered = self.share.gather::<ExactValue>()?;
        self.check_earlier()?;
        let found = gathered.answers().map(|(answer, _)| answer.value.of(answer.key));
        let mut known_values = KnownValues::new(self.plan.geometry);
        known_values.extend(self.known.iter().chain(kept).chain(held).copied().chain(found));
        if let Some(position) = known_values.contradicted() {
            return Err(BuildError::Contradiction(position).into());
        }
        let held: HashSet<KnownValue> = held.iter().copied().collect();
        let mut fresh: Vec<KnownValue> =
            known_values.iter().filter(|known_value| !held.contains(known_value)).collect();
        fresh.sort_unstable();
        Ok(fresh)
    }

    fn report(&self, gathered: &Gathered<ExactValue>, earlier: Earlier) -> RoundReport {
        RoundReport {
            round: self.round(),
            searches: self.searches(),
            twice: gathered.twice,
            expected_nodes: self.expected_nodes(),
            nodes: gathered.nodes,
            busy: gathered.busy(),
            all_searches: earlier.searches + gathered.answers().count(),
            rechecked: earlier.rechecked + gathered.rechecks(),
            all_busy: earlier.busy + gathered.busy(),
        }
    }

    /// Compares the files of earlier rounds with the values taken from them: a recheck since then may have found an
    /// error.
    fn check_earlier(&self) -> Result<Earlier, SpreadError> {
        let mut all = Earlier::default();
        let geometry = self.plan.geometry;
        let mut known_values = KnownValues::new(geometry);
        known_values.extend(self.known.iter().copied());
        for number in 1..self.round() {
            let earlier = SharedBuild::open_round(&self.directory, number)?;
            let gathered = earlier.share.gather::<ExactValue>()?;
            for (answer, file) in gathered.answers() {
                let known = taken_over(&known_values, answer.value.of(answer.key), geometry);
                if known != answer.value {
                    let files = (rounds::path_of(&self.directory, self.round()), file.clone());
                    return Err(earlier.share.contradiction(answer.number, (known, answer.value), files));
                }
            }
            all.searches += gathered.answers().count();
            all.rechecked += gathered.rechecks();
            all.busy += gathered.busy();
        }
        Ok(all)
    }
}

/// The known value of the same position, its move only if one was found.
fn taken_over(known_values: &KnownValues, found: KnownValue, geometry: Geometry) -> ExactValue {
    let form = key::unpack(geometry, found.key).expect("a key of a search");
    let score = known_values.score(form).unwrap_or(found.score);
    let best = match found.has_move() {
        true => known_values.best(found.key).unwrap_or(found.best),
        false => found.best,
    };
    ExactValue { score, best }
}
