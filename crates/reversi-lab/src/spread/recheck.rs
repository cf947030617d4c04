//! Repeats a random sample of the searches, with other settings.

use super::SpreadError;
use super::answer::{Answer, Value};
use super::gathered::Gathered;
use super::share::{Found, Job, PartTools, Share};
use std::collections::HashMap;
use std::path::Path;

/// Which searches are repeated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Recheck {
    /// The share of the searches, in percent.
    pub percent: f64,
    /// Equal seeds draw the same searches of a round.
    pub seed: u64,
}

/// The result of a recheck.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RecheckReport {
    /// Searches with results, over all rounds.
    pub searches: usize,
    /// How many of these were drawn.
    pub drawn: usize,
    /// Drawn searches that had been repeated before, with or without a difference.
    pub done_before: usize,
    /// Nodes of the searches that were repeated now.
    pub nodes: u64,
    /// A message with both files for each search with two different results.
    pub differences: Vec<String>,
}

impl<J: Job> Share<J> {
    /// Repeats some searches of the round; `repeated` gives the question that tests an answer.
    pub fn recheck<V: Value>(
        &self,
        sample: Recheck,
        tools: &mut PartTools,
        repeated: impl Fn(J, V) -> J,
        search: impl Fn(&J) -> Option<Found<V>> + Sync,
        report: &mut RecheckReport,
    ) -> Result<(), SpreadError> {
        let gathered = self.gather_all::<V>()?;
        report.differences.extend(self.contradictions(&gathered).map(|fault| fault.to_string()));
        let mut random = fastrand::Rng::with_seed(sample.seed.wrapping_add(u64::from(self.stamp.round)));
        // Every search of the round takes part in the draw, so that later results do not change it.
        let jobs: Vec<(J, bool)> =
            self.jobs().map(|job| (job, random.f64() * 100.0 < sample.percent)).collect();
        let mut again = Vec::new();
        for (answer, _) in gathered.answers() {
            report.searches += 1;
            let (job, true) = jobs[answer.number as usize] else { continue };
            report.drawn += 1;
            if gathered.rechecked[answer.number as usize] {
                report.done_before += 1;
            } else {
                again.push((answer.number, repeated(job, answer.value)));
            }
        }
        if again.is_empty() {
            return Ok(());
        }
        let (done, ended) = self.search_again(&again, tools, search);
        report.nodes += done.nodes;
        if let Some(path) = done.file {
            self.compare(&path, &gathered, report)?;
        }
        ended
    }

    fn compare<V: Value>(
        &self,
        path: &Path,
        gathered: &Gathered<V>,
        report: &mut RecheckReport,
    ) -> Result<(), SpreadError> {
        let again = self.read::<V>(path)?.results;
        let again: HashMap<u32, Answer<V>> =
            again.into_iter().map(|answer| (answer.number, answer)).collect();
        for (first, file) in gathered.answers() {
            let Some(second) = again.get(&first.number) else { continue };
            if !first.value.agrees(second.value) {
                let files = (file.clone(), path.to_owned());
                let error = self.contradiction(first.number, (first.value, second.value), files);
                report.differences.push(error.to_string());
            }
        }
        Ok(())
    }
}
