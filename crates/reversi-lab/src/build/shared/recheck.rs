//! Searches a random part of what was found again, with other settings.

use super::super::job::SearchJob;
use super::super::known_values::KnownValues;
use super::super::region::BuildError;
use super::gathered::Gathered;
use super::run::{PartReport, PartTools};
use super::{SharedBuild, SharedError};
use crate::spread::SpreadError;
use crate::spread::results::ResultWriter;
use reversi_table::key;
use std::collections::HashMap;
use std::path::Path;

/// Which searches are repeated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Recheck {
    /// How many of a hundred.
    pub percent: f64,
    /// Equal seeds draw the same searches of a round.
    pub seed: u64,
}

/// What a recheck found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RecheckReport {
    /// Searches of all rounds that had been done.
    pub searches: usize,
    /// How many of these were drawn.
    pub drawn: usize,
    /// Drawn ones that had been repeated before, with or without a difference.
    pub done_before: usize,
    /// Nodes of the searches that were repeated now.
    pub nodes: u64,
    /// Each search of which two results differ, in words with both files.
    pub differences: Vec<String>,
}

/// Repeats searches of all rounds in a directory, from nothing but their positions, and keeps what is found beside what
/// the parts have found. A solver with another table size and another move ordering than the parts had goes through
/// other nodes; the results must be the same.
///
/// # Errors
/// As [`SharedBuild::run`]. Differences are no errors here, but are for every later merge.
///
/// # Panics
/// If the solver is for another board or other rules.
pub fn recheck(
    directory: &Path,
    sample: Recheck,
    mut tools: PartTools,
) -> Result<RecheckReport, SharedError> {
    let latest = SharedBuild::open(directory)?;
    let mut report = RecheckReport::default();
    for number in 1..=latest.round() {
        SharedBuild::open_round(directory, number)?.recheck_round(sample, &mut tools, &mut report)?;
    }
    Ok(report)
}

impl SharedBuild {
    fn recheck_round(
        &self,
        sample: Recheck,
        tools: &mut PartTools,
        report: &mut RecheckReport,
    ) -> Result<(), SharedError> {
        let gathered = match self.gather() {
            Ok(gathered) => gathered,
            Err(error @ SpreadError::Contradiction { .. }) => {
                report.differences.push(error.to_string());
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        let mut random = fastrand::Rng::with_seed(sample.seed.wrapping_add(u64::from(self.round())));
        let jobs: Vec<&SearchJob> = self.round.jobs().collect();
        let mut again = Vec::new();
        for (result, _) in gathered.results() {
            report.searches += 1;
            if random.f64() * 100.0 >= sample.percent {
                continue;
            }
            report.drawn += 1;
            if gathered.rechecked[result.job as usize] {
                report.done_before += 1;
            } else {
                again.push((result.job, self.repeated(jobs[result.job as usize])));
            }
        }
        if again.is_empty() {
            return Ok(());
        }
        let directory = self.results();
        let writer = ResultWriter::create(&directory, self.stamp, None, tools.sync_every)?;
        let path = writer.path().to_owned();
        let mut done = PartReport::new(again.len(), 0, self.expected(&again));
        let nothing = KnownValues::new(self.round.plan.geometry);
        let ended = self.search(&again, &nothing, tools, writer, &mut done);
        report.nodes += done.nodes;
        self.compare(&path, &gathered, report)?;
        match ended {
            Err(SharedError::Build(BuildError::Stopped)) if !report.differences.is_empty() => Ok(()),
            ended => ended,
        }
    }

    /// The same question, with no more given than the position, and that turned.
    fn repeated(&self, job: &SearchJob) -> SearchJob {
        let (_, form, _) = key::canonical(self.round.plan.geometry, job.position());
        if job.asks_for_move() { SearchJob::Both(form) } else { SearchJob::Value(form) }
    }

    fn compare(
        &self,
        path: &Path,
        gathered: &Gathered,
        report: &mut RecheckReport,
    ) -> Result<(), SharedError> {
        let again = self.read(path)?.results;
        let again: HashMap<u32, _> = again.into_iter().map(|result| (result.job, result)).collect();
        for (first, file) in gathered.results() {
            let Some(second) = again.get(&first.job) else { continue };
            if first.known_value != second.known_value {
                let files = (file.clone(), path.to_owned());
                let error = self.contradiction(first.known_value, second.known_value, files);
                report.differences.push(error.to_string());
            }
        }
        Ok(())
    }
}
