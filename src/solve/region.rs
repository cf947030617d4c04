//! Solves a part of a board that is too large to be solved as a whole: the first plies, and what can
//! arise when either side plays perfectly.
//!
//! # The region
//! A *ply* is a disc put after the root; passes take none. Positions are taken up to symmetry, and
//! colour is not kept. With a prefix of P plies and down to E empty squares, the region holds
//!
//! 1. the *prefix*: every position that can be reached from the root with at most P plies;
//! 2. the *certified region* of each side A: every position that can arise from the root when A always
//!    plays the canonical best move and the other side plays anything, as long as at least E squares are
//!    empty. Once A is the side to move at the root, once the other side is. Seen from a position in it,
//!    the side to move *chooses* (it is A) or is *free* (it is the other side); a position can be met
//!    both ways.
//!
//! Passes are followed as moves are: a position that must pass and its twin after the pass have the same
//! number of discs, so both are in the region or neither is. Finished games are in it like any others.
//!
//! The *canonical best move* is, among the optimal moves of the canonical form
//! ([`crate::rules::symmetry::canonical`]), the one on the lowest square in row-major order. So the
//! region depends on nothing but board, rules, root, P and E.
//!
//! # What an entry holds
//! Every entry holds the exact score. Its move is
//!
//! * [`RawEntry::NO_MOVE`] where the game is over, and [`RawEntry::PASS`] where the side to move must pass;
//! * else the canonical best move, if the position is in the prefix with fewer than P plies, or in a
//!   certified region with more than E empty squares, or in one with E empty squares and chooses;
//! * else [`RawEntry::NO_MOVE`]: for the last ply of the prefix and for free positions at E, whose next
//!   positions are not in the region.
//!
//! # The work
//! The last ply of the prefix is searched; the plies before follow from it. Then the walk goes down, one
//! disc at a time: the value of a position that chooses tells that of its only next one, and of free
//! positions all next ones are searched that are not known yet. Of those that choose, the moves are
//! asked in their order whether they reach the known value, until one does. Searches are independent, so
//! each thread does one at a time; what it finds is exact, so the result does not depend on who did what.

use super::batch;
use super::checkpoint::{CheckpointError, Workspace};
use super::facts::{Fact, Facts};
use super::layer::{Layer, Node, Roles, children};
use crate::rules::geometry::squares_of;
use crate::rules::{Geometry, Position, Rules, Score};
use crate::search::{Solver, Stop};
use crate::table::{Contents, RawEntry, Region, TableError, key};
use hashbrown::HashSet;
use std::time::Instant;

/// Which region is to be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The board.
    pub geometry: Geometry,
    /// Goal and scoring.
    pub rules: Rules,
    /// Where the game begins.
    pub root: Position,
    /// P, the plies of the prefix.
    pub prefix: u8,
    /// E, the least number of empty squares of the certified region.
    pub down_to: u8,
}

/// A plan that cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The board has no keys.
    #[error(transparent)]
    Table(#[from] TableError),
    /// There are no such plies, or nothing is down there.
    #[error("{what} is {given}, but the position has only {empties} empty squares")]
    TooFar {
        /// Prefix or bound.
        what: &'static str,
        /// What was given.
        given: u8,
        /// Empty squares of the root.
        empties: u32,
    },
}

impl Plan {
    /// Checks that there is such a region.
    ///
    /// # Errors
    /// A board too large for a table; a prefix or a bound beyond the root's empty squares.
    pub fn check(&self) -> Result<(), PlanError> {
        key::check_size(self.geometry)?;
        let empties = self.root.empty_count(self.geometry);
        for (what, given) in
            [("the prefix", self.prefix), ("the bound down to which is solved", self.down_to)]
        {
            if u32::from(given) > empties {
                return Err(PlanError::TooFar { what, given, empties });
            }
        }
        Ok(())
    }

    /// What the table of this region says about itself.
    pub fn contents(&self) -> Contents {
        let region = Region::SemiStrong { prefix: self.prefix, down_to: self.down_to };
        Contents { geometry: self.geometry, rules: self.rules, roots: vec![self.root], region }
    }

    fn plies(&self, position: Position) -> u32 {
        position.disc_count() - self.root.disc_count()
    }

    /// Whether the move of the side to move is part of what the region promises.
    fn has_move(&self, node: &Node) -> bool {
        let empties = node.position.empty_count(self.geometry);
        self.is_open(node, Roles::PREFIX)
            || self.is_open(node, Roles::FREE)
            || (node.roles.has(Roles::CHOOSES) && empties >= self.down_to.into())
    }

    /// Whether the node has the role and the positions after it are in the region for it.
    fn is_open(&self, node: &Node, role: Roles) -> bool {
        node.roles.has(role)
            && if role == Roles::PREFIX {
                self.plies(node.position) < self.prefix.into()
            } else {
                node.position.empty_count(self.geometry) > self.down_to.into()
            }
    }
}

/// What a builder is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Searching the last ply of the prefix.
    Prefix,
    /// Searching what follows free positions.
    Values,
    /// Finding the canonical best moves of positions that choose.
    Moves,
}

/// How far a builder is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
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
}

/// Solves a region.
pub struct Builder<'a> {
    plan: Plan,
    solver: &'a Solver,
    threads: usize,
    stop: &'a Stop,
    /// Where facts are kept, if they are.
    workspace: Option<&'a mut Workspace>,
    progress: &'a mut dyn FnMut(Progress),
    facts: Facts,
    entries: Vec<RawEntry>,
}

/// What a builder works with.
pub struct Tools<'a> {
    /// For this board and these rules; several threads search with it, so one thread a search is best.
    pub solver: &'a Solver,
    /// Searches at a time; 0 counts as 1.
    pub threads: usize,
    /// Ends the build.
    pub stop: &'a Stop,
    /// Where what is found is kept during the build; `None` keeps nothing.
    pub workspace: Option<&'a mut Workspace>,
    /// Told after every search.
    pub progress: &'a mut dyn FnMut(Progress),
}

/// The entries of a region in the order of a table: most empty squares first, then by key.
///
/// `known` is what is known already, from a smaller table or an earlier run. It only saves time; it
/// must be true.
///
/// # Errors
/// [`BuildError`]; what was found until then is in the workspace, if there is one.
///
/// # Panics
/// If the plan does not pass [`Plan::check`], or the solver is for another board or other rules.
///
/// ```
/// use reversi::rules::{Geometry, Rules, Start};
/// use reversi::search::{Solver, SolverOptions, Stop};
/// use reversi::solve::region::{Plan, Tools, solve};
///
/// let geometry = Geometry::FOUR;
/// let root = geometry.start(Start::Diagonal).position();
/// let plan = Plan { geometry, rules: Rules::default(), root, prefix: 2, down_to: 6 };
/// let options = SolverOptions { memory_bytes: 1 << 20, threads: 1, ..SolverOptions::default() };
/// let solver = Solver::new(geometry, plan.rules, options).unwrap();
/// let tools = Tools {
///     solver: &solver, threads: 2, stop: &Stop::never(), workspace: None, progress: &mut |_| (),
/// };
/// let entries = solve(plan, tools, []).unwrap();
/// assert_eq!(entries[0].score, -8);
/// ```
pub fn solve(
    plan: Plan,
    tools: Tools,
    known: impl IntoIterator<Item = Fact>,
) -> Result<Vec<RawEntry>, BuildError> {
    plan.check().expect("a plan that can be carried out");
    assert!(
        tools.solver.geometry() == plan.geometry && tools.solver.rules() == plan.rules,
        "the solver is for something else"
    );
    let mut facts = Facts::new(plan.geometry);
    facts.extend(known);
    let Tools { solver, threads, stop, workspace, progress } = tools;
    let mut builder =
        Builder { plan, solver, threads, stop, workspace, progress, facts, entries: Vec::new() };
    builder.solve_prefix()?;
    builder.walk()?;
    builder.entries.sort_unstable_by_key(|entry| (key_discs(plan.geometry, entry.key), entry.key));
    Ok(builder.entries)
}

fn key_discs(geometry: Geometry, key: u64) -> u32 {
    key::unpack(geometry, key).expect("a key of this board").disc_count()
}

/// A search that a thread does.
enum Task {
    /// The score of a position that has a move.
    Value(Position),
    /// The canonical best move of a position with this score.
    Move(Position, i8),
}

impl Builder<'_> {
    /// Searches the last ply of the prefix and derives the values of those before.
    fn solve_prefix(&mut self) -> Result<(), BuildError> {
        let geometry = self.plan.geometry;
        let mut layers = vec![Layer::default()];
        layers[0].add(geometry, self.plan.root, Roles::PREFIX);
        for ply in 0..=usize::from(self.plan.prefix) {
            layers[ply].add_passed(geometry);
            let mut next = Layer::default();
            for node in &layers[ply].nodes {
                next.add_children(geometry, node.position, Roles::PREFIX);
            }
            layers.push(next);
        }
        layers.pop();
        let last = layers.pop().expect("the root's layer at least");
        self.find_scores(Phase::Prefix, last.nodes.iter().map(|node| node.position))?;
        for layer in layers.iter().rev() {
            self.derive_scores(layer);
        }
        Ok(())
    }

    /// The scores of a layer from those of the next.
    fn derive_scores(&mut self, layer: &Layer) {
        let geometry = self.plan.geometry;
        let (with_moves, without): (Vec<_>, Vec<_>) =
            layer.nodes.iter().map(|node| node.position).partition(|p| p.legal_moves(geometry) != 0);
        for position in with_moves {
            let best = children(geometry, position).map(|child| -self.score(child)).max();
            self.facts.insert_score(position, best.expect("it has a move"));
        }
        for position in without {
            let score = match position.must_pass(geometry) {
                true => -self.score(position.pass()),
                false => self.final_score(position),
            };
            self.facts.insert_score(position, score);
        }
    }

    /// Goes down from the root, one disc at a time, and collects the entries.
    fn walk(&mut self) -> Result<(), BuildError> {
        let geometry = self.plan.geometry;
        let mut layer = Layer::default();
        layer.add(geometry, self.plan.root, Roles::ALL);
        while !layer.nodes.is_empty() {
            layer.add_passed(geometry);
            self.find_scores(Phase::Values, layer.nodes.iter().map(|node| node.position))?;
            let free = layer.nodes.iter().filter(|node| self.plan.is_open(node, Roles::FREE));
            let after_free: Vec<Position> = free.flat_map(|node| children(geometry, node.position)).collect();
            self.find_scores(Phase::Values, after_free.into_iter())?;
            self.find_moves(&layer)?;
            layer = self.finish(&layer);
        }
        Ok(())
    }

    /// Makes a layer's entries, and the next layer.
    fn finish(&mut self, layer: &Layer) -> Layer {
        let geometry = self.plan.geometry;
        let mut next = Layer::default();
        for node in &layer.nodes {
            let score = self.score(node.position);
            let best = self.entry_move(node);
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
                let child = after(geometry, node, best);
                self.facts.insert_score(child, -score);
                next.add(geometry, child, Roles::FREE);
            }
        }
        next
    }

    /// The move of an entry; see [the definition](self).
    fn entry_move(&self, node: &Node) -> u8 {
        let geometry = self.plan.geometry;
        if node.position.must_pass(geometry) {
            return RawEntry::PASS;
        }
        if node.position.legal_moves(geometry) == 0 || !self.plan.has_move(node) {
            return RawEntry::NO_MOVE;
        }
        self.facts.best(node.key).expect("all moves of the layer have been found")
    }

    /// Finds the scores of these positions that are not known yet.
    fn find_scores(
        &mut self,
        phase: Phase,
        positions: impl Iterator<Item = Position> + Clone,
    ) -> Result<(), BuildError> {
        let geometry = self.plan.geometry;
        let mut tasks = Vec::new();
        let mut seen = HashSet::new();
        for position in positions.clone() {
            if self.is_known(position) {
                continue;
            }
            // Of a position that must pass the twin is searched: the walk needs both.
            let target = if position.must_pass(geometry) { position.pass() } else { position };
            if target.legal_moves(geometry) == 0 {
                self.facts.insert_score(target, self.final_score(target));
            } else if self.facts.score(target).is_none() && seen.insert(key::canonical(geometry, target).0) {
                tasks.push(Task::Value(target));
            }
        }
        self.run(phase, &tasks)?;
        for position in positions {
            if !self.is_known(position) {
                self.facts.insert_score(position, -self.score(position.pass()));
            }
        }
        Ok(())
    }

    /// Whether the score is known, or follows from that of the position before or after a pass.
    fn is_known(&mut self, position: Position) -> bool {
        if self.facts.score(position).is_some() {
            return true;
        }
        let geometry = self.plan.geometry;
        let twin = position.pass();
        let score =
            self.facts.score(twin).filter(|_| position.must_pass(geometry) || twin.must_pass(geometry));
        if let Some(score) = score {
            self.facts.insert_score(position, -score);
        }
        score.is_some()
    }

    /// Finds the canonical best moves of a layer's positions that need one and have none yet.
    fn find_moves(&mut self, layer: &Layer) -> Result<(), BuildError> {
        let geometry = self.plan.geometry;
        let wanted = |node: &&Node| {
            node.position.legal_moves(geometry) != 0
                && self.plan.has_move(node)
                && self.facts.best(node.key).is_none()
        };
        let task = |node: &Node| Task::Move(node.position, self.score(node.position));
        let tasks: Vec<Task> = layer.nodes.iter().filter(wanted).map(task).collect();
        self.run(Phase::Moves, &tasks)
    }

    /// Does the searches, and keeps what they find.
    fn run(&mut self, phase: Phase, tasks: &[Task]) -> Result<(), BuildError> {
        let Some(Task::Value(first) | Task::Move(first, _)) = tasks.first() else { return Ok(()) };
        let mut progress = Progress {
            phase,
            empties: first.empty_count(self.plan.geometry),
            done: 0,
            all: tasks.len(),
            since: Instant::now(),
            entries: self.entries.len(),
        };
        let (solver, facts, stop) = (self.solver, &self.facts, self.stop);
        let mut fresh = Vec::new();
        let mut failed = None;
        let each = |fact| {
            fresh.push(fact);
            progress.done += 1;
            (self.progress)(progress);
            if failed.is_none()
                && let Some(workspace) = self.workspace.as_deref_mut().filter(|workspace| workspace.is_due())
                && let Err(error) = workspace.save(facts, &fresh)
            {
                failed = Some(error);
                stop.set();
            }
        };
        let finished = batch::run(tasks, self.threads, |task| work(solver, facts, task, stop), each);
        self.facts.extend(fresh);
        if let Some(error) = failed {
            return Err(error.into());
        }
        finished.ok_or_else(|| self.keep_and_stop())
    }

    fn keep_and_stop(&mut self) -> BuildError {
        let saved =
            self.workspace.as_deref_mut().map_or(Ok(()), |workspace| workspace.save(&self.facts, &[]));
        saved.err().map_or(BuildError::Stopped, BuildError::Checkpoint)
    }

    /// The score of a position that is known to be known.
    fn score(&self, position: Position) -> i8 {
        self.facts.score(position).expect("its score was found or derived before")
    }

    fn final_score(&self, position: Position) -> i8 {
        position.final_score(self.plan.geometry, self.plan.rules).discs() as i8
    }
}

/// The position after the move of a node's entry.
fn after(geometry: Geometry, node: &Node, best: u8) -> Position {
    let (_, _, symmetry) = key::canonical(geometry, node.position);
    let square = symmetry.inverse().apply_square(geometry, geometry.at_row_major(best.into()));
    node.position.play(square, node.position.flips(square))
}

/// One search; `None` when it was stopped.
fn work(solver: &Solver, facts: &Facts, task: &Task, stop: &Stop) -> Option<Fact> {
    // A short search is over before it looks.
    if stop.is_set() {
        return None;
    }
    match *task {
        Task::Value(position) => {
            let score = solver.solve(position, stop).ok()?.score.discs() as i8;
            let key = key::canonical(solver.geometry(), position).0;
            Some(Fact { key, score, best: RawEntry::NO_MOVE })
        }
        Task::Move(position, score) => first_best(solver, facts, position, score, stop),
    }
}

/// The first move of the canonical form, in row-major order, that reaches the position's score.
fn first_best(solver: &Solver, facts: &Facts, position: Position, score: i8, stop: &Stop) -> Option<Fact> {
    let geometry = solver.geometry();
    let (key, form, symmetry) = key::canonical(geometry, position);
    let found = |square| Some(Fact { key, score, best: geometry.row_major(square) as u8 });
    // Nobody does better than -score against a position of this score, so a child's score is at least that.
    let least = Score::new(-i32::from(score));
    let mut refused = Vec::new();
    let mut squares = squares_of(form.legal_moves(geometry)).peekable();
    while let Some(square) = squares.next() {
        // The search goes on in the position as it was met, where the table knows it.
        let child = symmetry.inverse().apply(geometry, form.play(square, form.flips(square)));
        if squares.peek().is_none() {
            return found(square);
        }
        let child_key = key::canonical(geometry, child).0;
        if refused.contains(&child_key) {
            continue;
        }
        let reaches = match facts.score(child) {
            Some(known) => i32::from(known) == least.discs(),
            None => solver.is_at_most(child, least, stop).ok()?,
        };
        if reaches {
            return found(square);
        }
        refused.push(child_key);
    }
    unreachable!("the last move is taken without a question")
}
