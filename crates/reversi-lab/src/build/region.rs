//! Solves a part of a board that is too large to be solved as a whole: the first plies, and what can
//! arise when one side, either of them, plays its stored best moves. Which positions these are and what is stored for
//! each stands in [`super::plan`].
//!
//! The last ply of the prefix is searched; the plies before follow from it. Then the walk goes down, one
//! disc at a time: the value of a position that chooses tells that of its only next one, and of free
//! positions all next ones are searched that are not known yet. These choose, so their moves are
//! asked in their order, right away, whether they reach the value, until one does. Searches are independent, so
//! each thread does one at a time; a thread for which none is left shares the longest that go on. What they find is
//! exact, so the result does not depend on who did what.

use super::batch;
use super::checkpoint::{CheckpointError, Workspace};
use super::job::{SearchJob, work};
use super::known_values::{KnownValue, KnownValues};
use super::layer::{Layer, LayerNode, Roles, children};
use hashbrown::HashSet;
use reversi_rules::geometry::squares_of;
use reversi_rules::{Geometry, Position};
use reversi_solver::search::{Solver, Stop, free_memory};
use reversi_table::{RawEntry, key};
use std::time::Instant;

use super::plan::BuildPlan;

/// What a builder is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Searching the last ply of the prefix.
    Prefix,
    /// Searching what follows free positions: scores, and the canonical best moves with them.
    Values,
    /// Finding the canonical best moves that are wanted and not known yet. Of free positions the scores of all
    /// next ones are known, so that nothing is searched for them.
    Moves,
}

/// How far a builder is.
#[derive(Clone, Copy, Debug)]
pub struct BuildProgress {
    /// What it is at.
    pub phase: Phase,
    /// Empty squares of the positions that are searched or whose moves are sought.
    pub empties: u32,
    /// Searches of this layer that are done.
    pub done: usize,
    /// Searches of this layer.
    pub all: usize,
    /// When this layer's searches began.
    pub since: Instant,
    /// Entries of the layers that are finished.
    pub entries: usize,
}

/// Why a build ended early.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// It was told to stop.
    #[error("stopped before it was done")]
    Stopped,
    /// What was found could not be kept.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// There are more positions in the first plies than can be listed.
    #[error(
        "the first {plies} plies have {positions} positions, and the next one would not fit into the memory that is \
         free"
    )]
    Prefix {
        /// Plies that were listed.
        plies: usize,
        /// Their positions.
        positions: usize,
    },
    /// What was known before is not true, or not all of it.
    #[error(
        "what was taken over is wrong at key {0:#x}: two different values or moves of one position, a key or score that the \
         board does not have, or a move that is not legal, does not lead to its value or is not the first of the best"
    )]
    Contradiction(u64),
}

/// Bytes that a ply of the prefix may take for each position of the ply before: about seven next ones, and room to
/// grow.
const NEXT_PLY_BYTES: u64 = 1000;

/// A region that is being solved.
struct Builder<'a> {
    plan: BuildPlan,
    solver: &'a Solver,
    threads: usize,
    stop: &'a Stop,
    /// Where known values are kept, if they are.
    workspace: Option<&'a mut Workspace>,
    progress: &'a mut dyn FnMut(BuildProgress),
    known_values: KnownValues,
    /// Whether anything had to be searched.
    searched: bool,
    entries: Vec<RawEntry>,
}

/// What a builder works with.
pub struct Tools<'a> {
    /// For this board and these rules; best one that uses the whole of its table ([`reversi_solver::search::Sizing::Whole`]) and
    /// has a single thread.
    pub solver: &'a Solver,
    /// Threads to use; 0 counts as 1. Each does searches of its own, and shares those of others when none is left.
    pub threads: usize,
    /// Ends the build; is set by it, too, when what is found cannot be kept.
    pub stop: &'a Stop,
    /// Where what is found is kept during the build; `None` keeps nothing.
    pub workspace: Option<&'a mut Workspace>,
    /// Told after every search.
    pub progress: &'a mut dyn FnMut(BuildProgress),
}

/// The entries of a region in the order of a table: most empty squares first, then by key.
///
/// `known` is what is known already, from a smaller table or an earlier run. It only saves time; it
/// must be true.
///
/// At the end the workspace holds all that was searched, so that nothing hangs on what becomes of the entries.
///
/// # Errors
/// [`BuildError`]; stopped, what was found until then is in the workspace, if there is one.
///
/// # Panics
/// If the plan does not pass [`BuildPlan::check`], or the solver is for another board or other rules.
///
/// ```
/// use reversi_rules::{Board, Geometry, Rules, Start};
/// use reversi_solver::search::{Solver, SolverOptions, Stop};
/// use reversi_lab::build::plan::BuildPlan;
/// use reversi_lab::build::region::{Tools, solve};
///
/// let geometry = Geometry::FOUR;
/// let root = Board::start(geometry, Start::Diagonal).position();
/// let plan = BuildPlan { geometry, rules: Rules::default(), root, prefix: 2, down_to: 6 };
/// let options = SolverOptions { memory_bytes: 1 << 20, threads: 1, ..SolverOptions::default() };
/// let solver = Solver::new(geometry, plan.rules, options).unwrap();
/// let tools = Tools {
///     solver: &solver, threads: 2, stop: &Stop::never(), workspace: None, progress: &mut |_| (),
/// };
/// let entries = solve(plan, tools, []).unwrap();
/// assert_eq!(entries[0].score, -8);
/// ```
pub fn solve(
    plan: BuildPlan,
    tools: Tools,
    known: impl IntoIterator<Item = KnownValue>,
) -> Result<Vec<RawEntry>, BuildError> {
    plan.check().expect("a plan that can be carried out");
    assert!(
        tools.solver.geometry() == plan.geometry && tools.solver.rules() == plan.rules,
        "the solver is for something else"
    );
    let mut known_values = KnownValues::new(plan.geometry);
    known_values.extend(known);
    let Tools { solver, threads, stop, workspace, progress } = tools;
    let mut builder = Builder {
        plan,
        solver,
        threads,
        stop,
        workspace,
        progress,
        known_values,
        searched: false,
        entries: Vec::new(),
    };
    builder.check()?;
    builder.solve_prefix()?;
    builder.walk()?;
    // What follows from what was known before is soon derived again.
    if builder.searched {
        builder.keep()?;
    }
    builder.entries.sort_unstable_by_key(|entry| (key_discs(plan.geometry, entry.key), entry.key));
    Ok(builder.entries)
}

fn key_discs(geometry: Geometry, key: u64) -> u32 {
    key::unpack(geometry, key).expect("a key of this board").disc_count()
}

impl Builder<'_> {
    /// Searches the last ply of the prefix and derives the values of those before.
    fn solve_prefix(&mut self) -> Result<(), BuildError> {
        let mut layers = self.list_prefix()?;
        let last = layers.pop().expect("the root's layer at least");
        self.find_scores(Phase::Prefix, SearchJob::Value, last.nodes.iter().map(|node| node.position))?;
        for layer in layers.iter().rev() {
            self.derive_scores(layer);
        }
        self.check()
    }

    /// The plies of the prefix, the root's first.
    fn list_prefix(&self) -> Result<Vec<Layer>, BuildError> {
        let geometry = self.plan.geometry;
        let mut root = Layer::default();
        root.add(geometry, self.plan.root, Roles::PREFIX);
        root.add_passed(geometry);
        let mut layers = vec![root];
        for ply in 0..usize::from(self.plan.prefix) {
            let nodes = &layers[ply].nodes;
            if free_memory().is_some_and(|free| nodes.len() as u64 * NEXT_PLY_BYTES > free) {
                let positions = layers.iter().map(|layer| layer.nodes.len()).sum();
                return Err(BuildError::Prefix { plies: ply, positions });
            }
            let mut next = Layer::default();
            for node in nodes {
                if self.stop.is_set() {
                    return Err(BuildError::Stopped);
                }
                next.add_children(geometry, node.position, Roles::PREFIX);
            }
            next.add_passed(geometry);
            layers.push(next);
        }
        Ok(layers)
    }

    /// An error if the known values cannot all be true.
    fn check(&self) -> Result<(), BuildError> {
        self.known_values.contradicted().map_or(Ok(()), |key| Err(BuildError::Contradiction(key)))
    }

    /// The scores of a layer from those of the next.
    fn derive_scores(&mut self, layer: &Layer) {
        let geometry = self.plan.geometry;
        let (with_moves, without): (Vec<_>, Vec<_>) =
            layer.nodes.iter().map(|node| node.position).partition(|p| p.legal_moves(geometry) != 0);
        for position in with_moves {
            let best = children(geometry, position).map(|child| -self.score(child)).max();
            self.known_values.insert_score(position, best.expect("it has a move"));
        }
        for position in without {
            let score = match position.must_pass(geometry) {
                true => -self.score(position.pass()),
                false => self.final_score(position),
            };
            self.known_values.insert_score(position, score);
        }
    }

    /// Goes down from the root, one disc at a time, and collects the entries.
    fn walk(&mut self) -> Result<(), BuildError> {
        let geometry = self.plan.geometry;
        let mut layer = Layer::default();
        layer.add(geometry, self.plan.root, Roles::ALL);
        while !layer.nodes.is_empty() {
            layer.add_passed(geometry);
            self.find_scores(Phase::Values, SearchJob::Value, layer.nodes.iter().map(|node| node.position))?;
            let free = layer.nodes.iter().filter(|node| self.plan.is_open(node, Roles::FREE));
            let after_free: Vec<Position> = free.flat_map(|node| children(geometry, node.position)).collect();
            // What follows a free position chooses, so its move is wanted too.
            self.find_scores(Phase::Values, SearchJob::Both, after_free.into_iter())?;
            self.find_moves(&layer)?;
            layer = self.finish(&layer)?;
            self.check()?;
        }
        Ok(())
    }

    /// Makes a layer's entries, and the next layer. What was taken over must agree with what is known of the next
    /// positions.
    fn finish(&mut self, layer: &Layer) -> Result<Layer, BuildError> {
        let geometry = self.plan.geometry;
        let mut next = Layer::default();
        for node in &layer.nodes {
            let score = self.score(node.position);
            let best = self.entry_move(node);
            if !self.is_first_of_the_best(node.key, score, best) {
                return Err(BuildError::Contradiction(node.key));
            }
            self.entries.push(RawEntry { key: node.key, score, best });
            if node.position.legal_moves(geometry) == 0 {
                continue;
            }
            if self.plan.is_open(node, Roles::PREFIX) {
                next.add_children(geometry, node.position, Roles::PREFIX);
            }
            if self.plan.is_open(node, Roles::FREE) {
                next.add_children(geometry, node.position, Roles::CHOOSES);
            }
            if self.plan.is_open(node, Roles::CHOOSES) {
                let child = after(geometry, node.position, best);
                self.known_values.insert_score(child, -score);
                next.add(geometry, child, Roles::FREE);
            }
        }
        Ok(next)
    }

    /// Whether none of the next positions that are known shows another score, or a best move before this one.
    fn is_first_of_the_best(&self, key: u64, score: i8, best: u8) -> bool {
        let geometry = self.plan.geometry;
        let form = key::unpack(geometry, key).expect("a key of this board");
        squares_of(form.legal_moves(geometry)).all(|square| {
            let child = form.play(square, form.flips(square));
            let Some(after) = self.known_values.score(child).map(|score| -score) else { return true };
            match (best, geometry.row_major(square) as u8) {
                (best, this) if this == best => after == score,
                (best, this) if this < best && best != RawEntry::NO_MOVE => after < score,
                _ => after <= score,
            }
        })
    }

    /// The move of an entry; see [`super::plan`].
    fn entry_move(&self, node: &LayerNode) -> u8 {
        let geometry = self.plan.geometry;
        if node.position.must_pass(geometry) {
            return RawEntry::PASS;
        }
        if node.position.legal_moves(geometry) == 0 || !self.plan.has_move(node) {
            return RawEntry::NO_MOVE;
        }
        self.known_values.best(node.key).expect("all moves of the layer have been found")
    }

    /// Finds the scores of these positions that are not known yet, by such jobs.
    fn find_scores(
        &mut self,
        phase: Phase,
        job: impl Fn(Position) -> SearchJob,
        positions: impl Iterator<Item = Position> + Clone,
    ) -> Result<(), BuildError> {
        let geometry = self.plan.geometry;
        let mut jobs = Vec::new();
        let mut seen = HashSet::new();
        for position in positions.clone() {
            if self.is_known(position) {
                continue;
            }
            // Of a position that must pass the twin is searched: the walk needs both.
            let target = if position.must_pass(geometry) { position.pass() } else { position };
            if target.legal_moves(geometry) == 0 {
                self.known_values.insert_score(target, self.final_score(target));
            } else if self.known_values.score(target).is_none()
                && seen.insert(key::canonical(geometry, target).0)
            {
                // A twin after a pass has another part to play; its move follows from its next positions.
                jobs.push(if target == position { job(target) } else { SearchJob::Value(target) });
            }
        }
        self.run(phase, &jobs)?;
        for position in positions {
            if !self.is_known(position) {
                self.known_values.insert_score(position, -self.score(position.pass()));
            }
        }
        Ok(())
    }

    /// Whether the score is known, or follows from that of the position before or after a pass.
    fn is_known(&mut self, position: Position) -> bool {
        if self.known_values.score(position).is_some() {
            return true;
        }
        let geometry = self.plan.geometry;
        let twin = position.pass();
        let score = self
            .known_values
            .score(twin)
            .filter(|_| position.must_pass(geometry) || twin.must_pass(geometry));
        if let Some(score) = score {
            self.known_values.insert_score(position, -score);
        }
        score.is_some()
    }

    /// Finds the canonical best moves of a layer's positions that need one and have none yet.
    fn find_moves(&mut self, layer: &Layer) -> Result<(), BuildError> {
        let geometry = self.plan.geometry;
        let wanted = |node: &&LayerNode| {
            node.position.legal_moves(geometry) != 0
                && self.plan.has_move(node)
                && self.known_values.best(node.key).is_none()
        };
        let job = |node: &LayerNode| SearchJob::Move(node.position, self.score(node.position));
        let jobs: Vec<SearchJob> = layer.nodes.iter().filter(wanted).map(job).collect();
        self.run(Phase::Moves, &jobs)
    }

    /// Does the searches, and keeps what they find.
    fn run(&mut self, phase: Phase, jobs: &[SearchJob]) -> Result<(), BuildError> {
        let Some(first) = jobs.first().map(SearchJob::position) else { return Ok(()) };
        let mut progress = BuildProgress {
            phase,
            empties: first.empty_count(self.plan.geometry),
            done: 0,
            all: jobs.len(),
            since: Instant::now(),
            entries: self.entries.len(),
        };
        let (solver, known_values, stop) = (self.solver, &self.known_values, self.stop);
        let mut fresh = Vec::new();
        let mut failed = None;
        let each = |known_value: Option<KnownValue>| {
            if let Some(known_value) = known_value {
                fresh.push(known_value);
                progress.done += 1;
                (self.progress)(progress);
            }
            if failed.is_none()
                && let Some(workspace) = self.workspace.as_deref_mut().filter(|workspace| workspace.is_due())
            {
                failed = workspace.save(known_values, &fresh).inspect_err(|_| stop.set()).err();
            }
        };
        let search = |job: &SearchJob| work(solver, known_values, job, stop);
        let finished = batch::run(jobs, self.threads, search, || solver.help_search(), each);
        self.searched |= !fresh.is_empty();
        self.known_values.extend(fresh);
        if let Some(error) = failed {
            return Err(error.into());
        }
        if finished.is_none() {
            self.keep()?;
        }
        finished.ok_or(BuildError::Stopped)
    }

    /// Puts all known values into the workspace, if there is one.
    fn keep(&mut self) -> Result<(), CheckpointError> {
        self.workspace.as_deref_mut().map_or(Ok(()), |workspace| workspace.save(&self.known_values, &[]))
    }

    /// The score of a position that is known to be known.
    fn score(&self, position: Position) -> i8 {
        self.known_values.score(position).expect("its score was found or derived before")
    }

    fn final_score(&self, position: Position) -> i8 {
        position.final_score(self.plan.geometry, self.plan.rules).discs() as i8
    }
}

/// The position after the move of its entry.
pub(super) fn after(geometry: Geometry, position: Position, best: u8) -> Position {
    let (_, _, symmetry) = key::canonical(geometry, position);
    let square = symmetry.inverse().apply_square(geometry, geometry.at_row_major(best.into()));
    position.play(square, position.flips(square))
}
