//! Does a part of a round.

use super::super::batch;
use super::super::job::{Found, SearchJob, work};
use super::super::known_values::KnownValues;
use super::super::region::BuildError;
use super::search_result::SearchResult;
use super::{SharedBuild, SharedError};
use crate::spread::SpreadError;
use crate::spread::parts::Part;
use crate::spread::results::{self, ResultFile, ResultWriter};
use reversi_files::Lock;
use reversi_solver::search::{Solver, Stop};
use std::fs::TryLockError;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What a part is done with.
pub struct PartTools<'a> {
    /// For the board and the rules of the plan; best one that uses the whole of its table
    /// ([`reversi_solver::search::Sizing::Whole`]) and has a single thread.
    pub solver: &'a Solver,
    /// Threads to use; 0 counts as 1. Each does searches of its own, and shares those of others when none is left.
    pub threads: usize,
    /// Ends the work; is set by it, too, when what is found cannot be kept.
    pub stop: &'a Stop,
    /// How often what was found is brought to the disk. A kill loses nothing but the searches that had not ended; a crash of
    /// the machine loses what was found since.
    pub sync_every: Duration,
    /// Told after every search.
    pub progress: &'a mut dyn FnMut(PartProgress),
}

/// How far a part is. What other processes had found when it began counts for neither.
#[derive(Clone, Copy, Debug)]
pub struct PartProgress {
    /// Searches done.
    pub done: usize,
    /// Searches to do.
    pub all: usize,
    /// Nodes that all are expected to take.
    pub expected_nodes: u64,
    /// Nodes that those done were expected to take.
    pub expected_nodes_done: u64,
    /// Nodes that those done have taken.
    pub nodes: u64,
    /// When the first search began.
    pub since: Instant,
}

/// What became of a part.
#[derive(Clone, PartialEq, Debug)]
pub struct PartReport {
    /// Searches of the part.
    pub searches: usize,
    /// How many of them had been done before.
    pub done_before: usize,
    /// Nodes that the rest was expected to take.
    pub expected_nodes: u64,
    /// Nodes that it took.
    pub nodes: u64,
    /// Time that the searches took, summed over the threads.
    pub busy: Duration,
    /// Time that went by.
    pub time: Duration,
    /// The file that was written; `None` if there was nothing to do.
    pub file: Option<PathBuf>,
    /// Files of other processes that were passed over because they cannot be read, with the reason.
    pub passed_over: Vec<String>,
}

impl PartReport {
    pub(super) fn new(searches: usize, done_before: usize, expected_nodes: u64) -> PartReport {
        PartReport {
            searches,
            done_before,
            expected_nodes,
            nodes: 0,
            busy: Duration::ZERO,
            time: Duration::ZERO,
            file: None,
            passed_over: Vec::new(),
        }
    }
}

impl SharedBuild {
    /// Does a part of the round, but for what is found in any file already.
    ///
    /// Every process writes a file of its own. Two that are given the same part are kept apart where the file system can
    /// lock; elsewhere both do it, which only takes longer.
    ///
    /// # Errors
    /// [`BuildError::Stopped`], and what was found until then is kept; what cannot be written.
    ///
    /// # Panics
    /// If the solver is for another board or other rules.
    pub fn run(&self, part: Part, mut tools: PartTools) -> Result<PartReport, SharedError> {
        let directory = self.results();
        let _lock = lock(&directory.join(format!("part-{}", part.to_string().replace('/', "-of-"))))?;
        let (done, passed_over) = self.done()?;
        let jobs = self.jobs_of(part);
        let searches = jobs.len();
        let jobs: Vec<_> = jobs.into_iter().filter(|job| !done[job.0 as usize]).collect();
        let mut report = PartReport::new(searches, searches - jobs.len(), self.expected(&jobs));
        report.passed_over = passed_over;
        if !jobs.is_empty() {
            let writer = ResultWriter::create(&directory, self.stamp, Some(part), tools.sync_every)?;
            let mut known_values = KnownValues::new(self.round.plan.geometry);
            known_values.extend(self.round.known.iter().copied());
            self.search(&jobs, &known_values, &mut tools, writer, &mut report)?;
        }
        Ok(report)
    }

    /// Nodes that searches are expected to take.
    pub(super) fn expected(&self, jobs: &[(u32, SearchJob)]) -> u64 {
        jobs.iter().map(|(_, job)| self.round.costs.of(self.round.plan.geometry, job)).sum()
    }

    /// The searches of a part with their numbers.
    fn jobs_of(&self, part: Part) -> Vec<(u32, SearchJob)> {
        let families = part.families(&self.round.family_costs());
        let before: usize = self.round.families[..families.start].iter().map(Vec::len).sum();
        (before as u32..).zip(self.round.families[families].iter().flatten().copied()).collect()
    }

    /// Which searches have been done, and what could not be read.
    fn done(&self) -> Result<(Vec<bool>, Vec<String>), SpreadError> {
        let mut done = vec![false; self.searches()];
        let mut passed_over = Vec::new();
        for path in results::files_in(&self.results())? {
            match self.read(&path) {
                Ok(file) => file.results.iter().for_each(|result| done[result.job as usize] = true),
                Err(error) => passed_over.push(error.to_string()),
            }
        }
        Ok((done, passed_over))
    }

    /// Reads a file of results of this round.
    pub(super) fn read(&self, path: &Path) -> Result<ResultFile<SearchResult>, SpreadError> {
        let file = results::read::<SearchResult>(path, self.stamp)?;
        let foreign = file
            .results
            .iter()
            .position(|result| self.keys.get(result.job as usize) != Some(&result.known_value.key));
        match foreign {
            Some(place) => Err(SpreadError::Foreign { path: path.to_owned(), number: place + 1 }),
            None => Ok(file),
        }
    }

    /// Searches, and keeps every result as it comes.
    pub(super) fn search(
        &self,
        jobs: &[(u32, SearchJob)],
        known_values: &KnownValues,
        tools: &mut PartTools,
        mut writer: ResultWriter<SearchResult>,
        report: &mut PartReport,
    ) -> Result<(), SharedError> {
        let (solver, threads, stop) = (tools.solver, tools.threads, tools.stop);
        let geometry = self.round.plan.geometry;
        assert!(
            solver.geometry() == geometry && solver.rules() == self.round.plan.rules,
            "the solver is for something else"
        );
        let since = Instant::now();
        let expected_nodes = report.expected_nodes;
        let mut progress = PartProgress {
            done: 0,
            all: jobs.len(),
            expected_nodes,
            expected_nodes_done: 0,
            nodes: 0,
            since,
        };
        let mut failed = None;
        let search = |&(number, job): &(u32, SearchJob)| {
            let begun = Instant::now();
            let found = work(solver, known_values, &job, stop)?;
            Some((number, job, found, begun.elapsed()))
        };
        let each = |found: Option<(u32, SearchJob, Found, Duration)>| {
            if failed.is_some() {
                return;
            }
            let kept = match found {
                Some((number, job, found, time)) => {
                    report.busy += time;
                    progress.done += 1;
                    progress.nodes += found.nodes;
                    progress.expected_nodes_done += self.round.costs.of(geometry, &job);
                    let kept = writer.append(&SearchResult {
                        job: number,
                        known_value: found.known_value,
                        nodes: found.nodes,
                        microseconds: time.as_micros() as u64,
                    });
                    (tools.progress)(progress);
                    kept
                }
                None => writer.sync_if_due(),
            };
            failed = kept.inspect_err(|_| stop.set()).err();
        };
        let finished = batch::run(jobs, threads, search, || solver.help_search(), each);
        if let Some(error) = failed {
            return Err(error.into());
        }
        writer.sync()?;
        report.nodes = progress.nodes;
        report.time = since.elapsed();
        report.file = Some(writer.path().to_owned());
        finished.ok_or(BuildError::Stopped.into())
    }
}

/// Keeps other processes out for as long as it lives, where the file system can.
pub(super) fn lock(target: &Path) -> Result<Option<Lock>, SpreadError> {
    match Lock::take(target) {
        Ok(lock) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Err(SpreadError::Locked(target.to_owned())),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}
