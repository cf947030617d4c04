//! Does the searches of a region on this machine, several at a time, and saves their results.

use super::checkpoint::{CheckpointError, Workspace};
use super::job::{Found, WantedSearch, work};
use super::known_values::{KnownValue, KnownValues};
use super::walk::{BuildError, BuildProgress, Searches, Step};
use crate::batch;
use reversi_solver::search::{Solver, Stop};
use std::time::Instant;

/// What a builder works with.
pub struct Tools<'a> {
    /// A solver for this board and these rules. Best is one that uses the whole of its table
    /// ([`reversi_solver::search::Sizing::Whole`]) and has a single thread.
    pub solver: &'a Solver,
    /// Threads to use; 0 counts as 1. Each does searches of its own, and helps others when none is left.
    pub threads: usize,
    /// Ends the build. The build also sets it if results cannot be saved.
    pub stop: &'a Stop,
    /// Where results are saved during the build; `None` saves nothing.
    pub workspace: Option<&'a mut Workspace>,
    /// Called after every search.
    pub progress: &'a mut dyn FnMut(BuildProgress),
}

/// Searches on this machine.
pub(super) struct SearchesHere<'a> {
    tools: Tools<'a>,
    has_searched: bool,
    nodes: u64,
}

impl<'a> SearchesHere<'a> {
    pub fn new(tools: Tools<'a>) -> SearchesHere<'a> {
        SearchesHere { tools, has_searched: false, nodes: 0 }
    }

    pub fn stop(&self) -> &'a Stop {
        self.tools.stop
    }

    /// Whether anything had to be searched.
    pub fn has_searched(&self) -> bool {
        self.has_searched
    }

    /// Puts all known values into the workspace, if there is one.
    pub fn keep(&mut self, known_values: &KnownValues) -> Result<(), CheckpointError> {
        self.tools.workspace.as_deref_mut().map_or(Ok(()), |workspace| workspace.save(known_values, &[]))
    }
}

impl Searches for SearchesHere<'_> {
    fn find(
        &mut self,
        step: Step,
        jobs: &[WantedSearch],
        known_values: &mut KnownValues,
    ) -> Result<(), BuildError> {
        let mut progress = BuildProgress {
            phase: step.phase,
            empties: step.empties,
            done: 0,
            all: jobs.len(),
            since: Instant::now(),
            entries: step.entries,
            nodes: self.nodes,
        };
        let Tools { solver, threads, stop, workspace, progress: told } = &mut self.tools;
        let (solver, stop, known_before) = (*solver, *stop, &*known_values);
        let mut fresh: Vec<KnownValue> = Vec::new();
        let mut failed = None;
        let each = |found: Option<Found>| {
            if let Some(found) = found {
                fresh.push(found.known_value);
                progress.done += 1;
                progress.nodes += found.nodes;
                told(progress);
            }
            if failed.is_none()
                && let Some(workspace) = workspace.as_deref_mut().filter(|workspace| workspace.is_due())
            {
                failed = workspace.save(known_before, &fresh).inspect_err(|_| stop.set()).err();
            }
        };
        let search = |wanted: &WantedSearch| work(solver, known_before, &wanted.job, stop);
        let finished = batch::run(jobs, *threads, search, || solver.help_search(), each);
        self.has_searched |= !fresh.is_empty();
        self.nodes = progress.nodes;
        known_values.extend(fresh);
        if let Some(error) = failed {
            return Err(error.into());
        }
        if finished.is_none() {
            self.keep(known_values)?;
        }
        finished.ok_or(BuildError::Stopped)
    }
}
