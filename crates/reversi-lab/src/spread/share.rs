//! Does a part of a round.

use super::SpreadError;
use super::answer::{Answer, Value};
use super::parts::Part;
use super::results::{self, ResultFile, ResultWriter, Stamp};
use crate::batch;
use reversi_files::{Held, Lock};
use reversi_rules::{Geometry, Position, Rules};
use reversi_solver::search::{Solver, Stop};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Checks that a solver is for this board and these rules.
///
/// # Panics
/// If the solver is for another board or other rules.
pub(crate) fn assert_fits(solver: &Solver, geometry: Geometry, rules: Rules) {
    assert!(solver.geometry() == geometry && solver.rules() == rules, "the solver is for something else");
}

/// The tools for the searches of a part.
pub struct PartTools<'a> {
    /// A solver for the board and the rules of the plan. Best is one that uses the whole of its table
    /// ([`reversi_solver::search::Sizing::Whole`]) and has a single thread.
    pub solver: &'a Solver,
    /// Threads to use; 0 counts as 1. Each does searches of its own, and helps others when none is left.
    pub threads: usize,
    /// Ends the work. The work also sets it if results cannot be saved.
    pub stop: &'a Stop,
    /// Time between two syncs to disk. A kill loses only the searches that are running; a crash of the machine loses
    /// the results since the last sync.
    pub sync_every: Duration,
    /// Called after every search, and about once a second while none ends.
    pub progress: &'a mut dyn FnMut(PartProgress),
}

/// The progress of a part. Searches that had results before it began do not count.
#[derive(Clone, Copy, Debug)]
pub struct PartProgress {
    /// Searches done.
    pub done: usize,
    /// Searches to do.
    pub all: usize,
    /// Expected nodes of all searches to do.
    pub expected_nodes: u64,
    /// Expected nodes of the searches done.
    pub expected_nodes_done: u64,
    /// Nodes of the searches done.
    pub nodes: u64,
    /// When the first search began.
    pub since: Instant,
}

/// The outcome of a part.
#[derive(Clone, PartialEq, Debug)]
pub struct PartReport {
    /// Searches of the part.
    pub searches: usize,
    /// Searches among them that had results before.
    pub done_before: usize,
    /// Expected nodes of the other searches.
    pub expected_nodes: u64,
    /// Nodes of the other searches.
    pub nodes: u64,
    /// Time that the searches took, summed over the threads.
    pub busy: Duration,
    /// Elapsed time.
    pub time: Duration,
    /// The file that was written; `None` if there was nothing to do.
    pub file: Option<PathBuf>,
    /// Files of other processes that were skipped because they cannot be read, with the reason.
    pub passed_over: Vec<String>,
}

impl PartReport {
    fn new(searches: usize, done_before: usize, expected_nodes: u64) -> PartReport {
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

/// The result of a search: its value and its nodes.
pub(crate) type Found<V> = (V, u64);

/// A search of a round.
pub(crate) trait Job: Copy + Sync {
    /// The position searched.
    fn position(&self) -> Position;
}

/// The searches of a round; those that share most of their work are in one family.
pub(crate) struct Share<J> {
    /// Where the files of the round are.
    pub directory: PathBuf,
    pub stamp: Stamp,
    pub geometry: Geometry,
    pub families: Vec<Vec<J>>,
    /// For each search, by its number: a hash or key of the position, the same for all its images under symmetries.
    pub keys: Vec<u64>,
    /// For each search, by its number: its expected nodes.
    pub costs: Vec<u64>,
}

impl<J: Job> Share<J> {
    /// Nodes that all searches are expected to take.
    pub fn expected_nodes(&self) -> u64 {
        total(self.costs.iter().copied())
    }

    /// Time that one thread is expected to take for all searches, at `rate` nodes a second.
    pub fn expected_time(&self, rate: f64) -> Duration {
        Duration::try_from_secs_f64(self.expected_nodes() as f64 / rate).unwrap_or(Duration::MAX)
    }

    /// All searches, in the order of their numbers.
    pub fn jobs(&self) -> impl Iterator<Item = J> {
        self.families.iter().flatten().copied()
    }

    /// Nodes that each family is expected to take.
    pub fn family_costs(&self) -> Vec<u64> {
        let mut costs = self.costs.iter();
        self.families.iter().map(|family| total(costs.by_ref().take(family.len()).copied())).collect()
    }

    /// Does a part, without searches whose results are in any file already. `begin` is called before the first search,
    /// if there is one.
    ///
    /// If the file system can lock, two processes with the same part do not run at the same time; elsewhere both do the
    /// part, which only takes longer.
    pub fn run<V: Value>(
        &self,
        part: Part,
        tools: &mut PartTools,
        begin: impl FnOnce(),
        search: impl Fn(&J) -> Option<Found<V>> + Sync,
    ) -> Result<PartReport, SpreadError> {
        let _lock = lock(&self.directory.join(part.stem()))?;
        let (done, passed_over) = self.done::<V>()?;
        let families = part.families(&self.family_costs());
        let first: usize = self.families[..families.start].iter().map(Vec::len).sum();
        let all = (first as u32..).zip(self.families[families].iter().flatten().copied());
        let (before, jobs): (Vec<_>, Vec<_>) = all.partition(|job| done[job.0 as usize]);
        let mut report = PartReport::new(before.len() + jobs.len(), before.len(), self.expected(&jobs));
        report.passed_over = passed_over;
        if !jobs.is_empty() {
            begin();
            let writer = ResultWriter::create(&self.directory, self.stamp, Some(part), tools.sync_every)?;
            self.search(&jobs, tools, writer, search, &mut report)?;
        }
        Ok(report)
    }

    /// Nodes that searches are expected to take.
    fn expected(&self, jobs: &[(u32, J)]) -> u64 {
        total(jobs.iter().map(|job| self.costs[job.0 as usize]))
    }

    /// Which searches have results, and the errors of files that cannot be read.
    fn done<V: Value>(&self) -> Result<(Vec<bool>, Vec<String>), SpreadError> {
        let mut done = vec![false; self.keys.len()];
        let mut passed_over = Vec::new();
        for path in results::files_in(&self.directory)? {
            match self.read::<V>(&path) {
                Ok(file) => file.results.iter().for_each(|answer| done[answer.number as usize] = true),
                Err(error) => passed_over.push(error.to_string()),
            }
        }
        Ok((done, passed_over))
    }

    /// Reads a file of results of this round.
    pub fn read<V: Value>(&self, path: &Path) -> Result<ResultFile<Answer<V>>, SpreadError> {
        let file = results::read::<Answer<V>>(path, self.stamp)?;
        let is_foreign = |answer: &Answer<V>| self.keys.get(answer.number as usize) != Some(&answer.key);
        match file.results.iter().position(is_foreign) {
            Some(place) => Err(SpreadError::Foreign { path: path.to_owned(), number: place + 1 }),
            None => Ok(file),
        }
    }

    /// Does searches, and saves every result at once.
    fn search<V: Value>(
        &self,
        jobs: &[(u32, J)],
        tools: &mut PartTools,
        mut writer: ResultWriter<Answer<V>>,
        search: impl Fn(&J) -> Option<Found<V>> + Sync,
        report: &mut PartReport,
    ) -> Result<(), SpreadError> {
        let (solver, threads, stop) = (tools.solver, tools.threads, tools.stop);
        let since = Instant::now();
        let mut progress = PartProgress {
            done: 0,
            all: jobs.len(),
            expected_nodes: report.expected_nodes,
            expected_nodes_done: 0,
            nodes: 0,
            since,
        };
        let work = |&(number, job): &(u32, J)| {
            let begun = Instant::now();
            let (value, nodes) = search(&job)?;
            let microseconds = begun.elapsed().as_micros() as u64;
            Some(Answer { number, key: self.keys[number as usize], value, nodes, microseconds })
        };
        let mut failed = None;
        let each = |answer: Option<Answer<V>>| {
            if failed.is_some() {
                return;
            }
            let kept = match answer {
                None => {
                    (tools.progress)(progress);
                    writer.sync_if_due()
                }
                Some(answer) => {
                    report.busy += Duration::from_micros(answer.microseconds);
                    progress.done += 1;
                    progress.nodes += answer.nodes;
                    progress.expected_nodes_done += self.costs[answer.number as usize];
                    let kept = writer.append(&answer);
                    (tools.progress)(progress);
                    kept
                }
            };
            failed = kept.inspect_err(|_| stop.set()).err();
        };
        let finished = batch::run(jobs, threads, work, || solver.help_search(), each);
        if let Some(error) = failed {
            return Err(error);
        }
        writer.sync()?;
        report.nodes = progress.nodes;
        report.time = since.elapsed();
        report.file = Some(writer.path().to_owned());
        finished.ok_or(SpreadError::Stopped)
    }

    /// Repeats searches, and saves the results beside those of the parts, in the report's file, also after a stop.
    pub fn search_again<V: Value>(
        &self,
        jobs: &[(u32, J)],
        tools: &mut PartTools,
        search: impl Fn(&J) -> Option<Found<V>> + Sync,
    ) -> (PartReport, Result<(), SpreadError>) {
        let mut report = PartReport::new(jobs.len(), 0, self.expected(jobs));
        let writer = match ResultWriter::create(&self.directory, self.stamp, None, tools.sync_every) {
            Ok(writer) => writer,
            Err(error) => return (report, Err(error)),
        };
        let ended = self.search(jobs, tools, writer, search, &mut report);
        (report, ended)
    }
}

/// The sum of expected nodes; saturates, since many large searches may exceed the range.
fn total(costs: impl Iterator<Item = u64>) -> u64 {
    costs.fold(0, u64::saturating_add)
}

/// A lock that keeps other processes out as long as it lives; `None` if the file system cannot lock.
pub(super) fn lock(target: &Path) -> Result<Option<Lock>, SpreadError> {
    Lock::take_if_possible(target).map_err(|Held| SpreadError::Locked(target.to_owned()))
}
