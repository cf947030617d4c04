//! Joins what all parts of a round have found, and lays out the next round or the finished region.

use super::super::known_values::{KnownValue, KnownValues};
use super::gathered::Gathered;
use super::listing::{Listed, list};
use super::round::Round;
use super::run::lock;
use super::{SharedBuild, SharedError};
use crate::spread::SpreadError;
use reversi_rules::key;
use reversi_solver::search::Stop;
use reversi_table::RawEntry;
use std::path::PathBuf;
use std::time::Duration;

/// What a merge leads to.
pub enum Merged {
    /// More searches are needed: the next round, which has been laid out.
    NextRound(SharedBuild),
    /// The entries of the region in the order of a table.
    Finished(Vec<RawEntry>),
}

/// What was joined.
#[derive(Clone, PartialEq, Debug)]
pub struct RoundReport {
    /// The round that was joined.
    pub round: u32,
    /// Its searches.
    pub searches: usize,
    /// Results that were found once more than needed.
    pub twice: usize,
    /// Nodes that were expected.
    pub expected_nodes: u64,
    /// Nodes that were searched.
    pub nodes: u64,
    /// Time that the searches took, summed over all threads and machines.
    pub busy: Duration,
    /// Searches of all rounds whose files are there.
    pub all_searches: usize,
    /// How many of these were repeated, all with the same result.
    pub rechecked: usize,
    /// Time that the searches of all these rounds took, rechecks not counted.
    pub all_busy: Duration,
}

impl SharedBuild {
    /// Joins the files of the round. Of earlier rounds what is there must still agree with what was taken from it.
    ///
    /// # Errors
    /// Searches that are missing, files that cannot be read, are of another plan or program or contradict each other, a
    /// directory that cannot be written, a stop.
    pub fn merge(&self, stop: &Stop) -> Result<(Merged, RoundReport), SharedError> {
        let _lock = lock(&self.directory.join("merge"))?;
        let gathered = self.gather()?;
        let mut report = self.report(&gathered);
        self.check_earlier(&mut report)?;
        gathered.check_complete(self)?;
        let plan = &self.round.plan;
        let found = gathered.results().map(|(result, _)| result.known_value);
        let merged = match list(plan, self.round.known.iter().copied().chain(found), stop)? {
            Listed::Finished { entries, .. } => Merged::Finished(entries),
            Listed::Searches { families, known } => {
                let jobs: Vec<_> = self.round.jobs().collect();
                let done = gathered.results().map(|(result, _)| (jobs[result.job as usize], result));
                let costs = self.round.costs.measured(plan.geometry, done);
                let number = self.round.number + 1;
                let round = Round::new(plan, &self.round.name, number, costs, known, families);
                let stamp = round.write(&self.directory)?;
                let rate = (gathered.nodes > 0).then(|| gathered.nodes as f64 / report.busy.as_secs_f64());
                Merged::NextRound(SharedBuild { rate, ..SharedBuild::of(&self.directory, round, stamp) })
            }
        };
        Ok((merged, report))
    }

    fn report(&self, gathered: &Gathered) -> RoundReport {
        RoundReport {
            round: self.round.number,
            searches: self.searches(),
            twice: gathered.twice,
            expected_nodes: self.expected_nodes(),
            nodes: gathered.nodes,
            busy: Duration::from_micros(gathered.microseconds),
            all_busy: Duration::from_micros(gathered.microseconds),
            all_searches: gathered.results().count(),
            rechecked: gathered.rechecked.iter().filter(|&&rechecked| rechecked).count(),
        }
    }

    /// What the files of earlier rounds hold was taken over, or a recheck has found it since to be wrong.
    fn check_earlier(&self, report: &mut RoundReport) -> Result<(), SpreadError> {
        let geometry = self.round.plan.geometry;
        let mut known_values = KnownValues::new(geometry);
        known_values.extend(self.round.known.iter().copied());
        for number in 1..self.round.number {
            let earlier = SharedBuild::open_round(&self.directory, number)?;
            let gathered = earlier.gather()?;
            for (result, file) in gathered.results() {
                let found = result.known_value;
                let form = key::unpack(geometry, found.key).expect("a key of a search");
                let known = KnownValue {
                    key: found.key,
                    score: known_values.score(form).unwrap_or(found.score),
                    best: match found.has_move() {
                        true => known_values.best(found.key).unwrap_or(found.best),
                        false => found.best,
                    },
                };
                if known != found {
                    let files: (PathBuf, PathBuf) = (self.plan_file(), file.clone());
                    return Err(self.contradiction(known, found, files));
                }
            }
            let earlier = earlier.report(&gathered);
            report.all_searches += earlier.all_searches;
            report.rechecked += earlier.rechecked;
            report.all_busy += earlier.busy;
        }
        Ok(())
    }
}
