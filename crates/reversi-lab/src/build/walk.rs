//! The walk through a region: which searches it needs, in which order, and which values follow from them. See
//! [`super::region`].

use super::checkpoint::CheckpointError;
use super::job::{SearchJob, WantedSearch, known_best};
use super::known_values::{KnownValue, KnownValues, words_of};
use super::layer::{Layer, LayerNode, Roles, children};
use super::plan::BuildPlan;
use hashbrown::HashSet;
use reversi_rules::geometry::squares_of;
use reversi_rules::{Geometry, Position};
use reversi_solver::search::{Stop, free_memory};
use reversi_table::{RawEntry, key};
use std::time::Instant;

/// The current step of a builder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Searching the last ply of the prefix.
    Prefix,
    /// Searching what follows free positions: scores, and the canonical best moves with them.
    Values,
    /// Finding the canonical best moves of positions that choose, where they are not known yet.
    Moves,
}

/// The progress of a builder.
#[derive(Clone, Copy, Debug)]
pub struct BuildProgress {
    /// The current step.
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
    /// Nodes of all searches so far.
    pub nodes: u64,
}

/// Why a build ended early.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The stop was set.
    #[error("stopped before it was done")]
    Stopped,
    /// Results could not be saved.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The first plies have more positions than can be listed.
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
    /// Not all of the given known values are true. Holds the position of one that is not.
    #[error(
        "not all known values are true, those of {0} for one: two different values or moves of one position, a key or \
         score that the board does not have, or a move that is not legal, does not lead to its value or is not the \
         first of the best"
    )]
    Contradiction(String),
}

/// Bytes that a ply of the prefix may take per position of the ply before: about seven next positions, and room to
/// grow.
const NEXT_PLY_BYTES: u64 = 1000;

/// Does the searches of a walk, or only lists them.
pub(super) trait Searches {
    /// Adds the results of these jobs to the known values. Where a result stays unknown the walk continues without what
    /// depends on it.
    fn find(
        &mut self,
        step: Step,
        jobs: &[WantedSearch],
        known_values: &mut KnownValues,
    ) -> Result<(), BuildError>;
}

/// Where a walk is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub phase: Phase,
    /// Empty squares of the positions.
    pub empties: u32,
    /// Entries of the layers that are finished.
    pub entries: usize,
}

/// The walk through a region.
pub(super) struct Walk<'a> {
    plan: BuildPlan,
    stop: &'a Stop,
    pub known_values: KnownValues,
    entries: Vec<RawEntry>,
    /// Whether the result of a needed search is missing.
    has_gaps: bool,
}

impl<'a> Walk<'a> {
    pub fn new(plan: BuildPlan, stop: &'a Stop, known: impl IntoIterator<Item = KnownValue>) -> Walk<'a> {
        let mut known_values = KnownValues::new(plan.geometry);
        known_values.extend(known);
        Walk { plan, stop, known_values, entries: Vec::new(), has_gaps: false }
    }

    /// Walks as far as known values and the results of searches lead.
    pub fn through(mut self, searches: &mut impl Searches) -> Result<Walk<'a>, BuildError> {
        self.check()?;
        self.solve_prefix(searches)?;
        if !self.has_gaps {
            self.walk(searches)?;
        }
        Ok(self)
    }

    /// The entries of the region in the order of a table; `None` if a search is missing.
    pub fn entries(mut self) -> Option<Vec<RawEntry>> {
        let geometry = self.plan.geometry;
        self.entries.sort_unstable_by_key(|entry| (key_discs(geometry, entry.key), entry.key));
        (!self.has_gaps).then_some(self.entries)
    }

    /// Searches the last ply of the prefix and derives the values of the plies before.
    fn solve_prefix(&mut self, searches: &mut impl Searches) -> Result<(), BuildError> {
        let mut layers = self.list_prefix()?;
        let last = layers.pop().expect("the root's layer at least");
        let positions = last.nodes.iter().map(|node| (node.family, node.position));
        let last_moves = self.plan.last_moves;
        // A twin after a pass is in the ply too.
        let job = |_, position, _| match last_moves {
            true => SearchJob::Both(position),
            false => SearchJob::Value(position),
        };
        self.find_scores(searches, Phase::Prefix, job, positions)?;
        self.find_moves(searches, &last.nodes)?;
        self.has_gaps = last.nodes.iter().any(|node| self.known_values.score(node.position).is_none());
        if self.has_gaps {
            return Ok(());
        }
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
        self.known_values.contradicted().map_or(Ok(()), |position| Err(BuildError::Contradiction(position)))
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
    fn walk(&mut self, searches: &mut impl Searches) -> Result<(), BuildError> {
        let geometry = self.plan.geometry;
        let mut layer = Layer::default();
        layer.add(geometry, self.plan.root, Roles::ALL);
        while !layer.nodes.is_empty() {
            layer.add_passed(geometry);
            let positions = layer.nodes.iter().map(|node| (node.family, node.position));
            let job = |_, position, _| SearchJob::Value(position);
            self.find_scores(searches, Phase::Values, job, positions)?;
            // The children of a free position are needed whether its score is known or not.
            let free = (0..).zip(&layer.nodes).filter(|(_, node)| self.plan.is_open(node, Roles::FREE));
            let after = |(family, node): (u32, &LayerNode)| {
                children(geometry, node.position).map(move |child| (family, child))
            };
            let after_free: Vec<(u32, Position)> = free.flat_map(after).collect();
            let scores: Vec<Option<i8>> =
                layer.nodes.iter().map(|node| self.known_values.score(node.position)).collect();
            let job = |family: u32, position, is_twin| match scores[family as usize] {
                // A twin after a pass has another role; its move follows from its next positions.
                _ if is_twin => SearchJob::Value(position),
                Some(score) => SearchJob::BothFrom(position, -score),
                None => SearchJob::Both(position),
            };
            let met = layer.nodes.len();
            layer.nodes.retain(|node| self.known_values.score(node.position).is_some());
            self.has_gaps |= layer.nodes.len() < met;
            // A child of a free position chooses, so its move is needed too.
            self.find_scores(searches, Phase::Values, job, after_free.into_iter())?;
            self.find_moves(searches, &layer.nodes)?;
            layer = self.finish(&layer.nodes)?;
            self.check()?;
        }
        Ok(())
    }

    /// Makes a layer's entries, and the next layer. The given values must agree with the known values of the next
    /// positions.
    fn finish(&mut self, nodes: &[LayerNode]) -> Result<Layer, BuildError> {
        let geometry = self.plan.geometry;
        let mut next = Layer::default();
        for node in nodes {
            let score = self.score(node.position);
            let best = self.entry_move(node);
            match best {
                Some(best) if !self.is_first_of_the_best(node.key, score, best) => {
                    return Err(BuildError::Contradiction(words_of(geometry, node.key)));
                }
                Some(best) => self.entries.push(RawEntry { key: node.key, score, best }),
                None => self.has_gaps = true,
            }
            if node.position.legal_moves(geometry) == 0 {
                continue;
            }
            if self.plan.is_open(node, Roles::PREFIX) {
                next.add_children(geometry, node.position, Roles::PREFIX);
            }
            if self.plan.is_open(node, Roles::FREE) {
                next.add_children(geometry, node.position, Roles::CHOOSES);
            }
            if let Some(best) = best.filter(|_| self.plan.is_open(node, Roles::CHOOSES)) {
                let child = after(geometry, node.position, best);
                self.known_values.insert_score(child, -score);
                next.add(geometry, child, Roles::FREE);
            }
        }
        Ok(next)
    }

    /// Whether no known next position shows another score, or a best move before this one.
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

    /// The move of an entry, see [`super::plan`]; `None` if one is needed and not known.
    fn entry_move(&self, node: &LayerNode) -> Option<u8> {
        let geometry = self.plan.geometry;
        if node.position.must_pass(geometry) {
            return Some(RawEntry::PASS);
        }
        if node.position.legal_moves(geometry) == 0 || !self.plan.has_move(node) {
            return Some(RawEntry::NO_MOVE);
        }
        self.known_values.best(node.key)
    }

    /// Finds the scores of these positions that are not known yet. Each position comes with the number of its family.
    /// `job` makes the jobs, from the family, the position, and whether it is the twin, after the pass, of a position
    /// that must pass.
    fn find_scores(
        &mut self,
        searches: &mut impl Searches,
        phase: Phase,
        job: impl Fn(u32, Position, bool) -> SearchJob,
        positions: impl Iterator<Item = (u32, Position)> + Clone,
    ) -> Result<(), BuildError> {
        let geometry = self.plan.geometry;
        let mut jobs = Vec::new();
        let mut seen = HashSet::new();
        for (family, position) in positions.clone() {
            if self.learn_from_pass(position) {
                continue;
            }
            // For a position that must pass the twin is searched: the walk needs both.
            let target = if position.must_pass(geometry) { position.pass() } else { position };
            if target.legal_moves(geometry) == 0 {
                self.known_values.insert_score(target, self.final_score(target));
            } else if self.known_values.score(target).is_none()
                && seen.insert(key::canonical(geometry, target).0)
            {
                jobs.push(WantedSearch { family, job: job(family, target, target != position) });
            }
        }
        self.find(searches, phase, &jobs)?;
        for (_, position) in positions {
            self.learn_from_pass(position);
        }
        Ok(())
    }

    /// Adds the score, if it is not known, from that of the position before or after a pass. Whether it is known then.
    fn learn_from_pass(&mut self, position: Position) -> bool {
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

    /// Finds the canonical best moves of a layer's positions that need one and have none yet, where their score is
    /// known. If all next positions are in the region too, the move follows from their scores.
    fn find_moves(&mut self, searches: &mut impl Searches, nodes: &[LayerNode]) -> Result<(), BuildError> {
        let geometry = self.plan.geometry;
        let mut jobs = Vec::new();
        for node in nodes {
            if node.position.legal_moves(geometry) == 0
                || !self.plan.has_move(node)
                || self.known_values.best(node.key).is_some()
            {
                continue;
            }
            let Some(score) = self.known_values.score(node.position) else { continue };
            if self.plan.is_open(node, Roles::FREE) || self.plan.is_open(node, Roles::PREFIX) {
                self.known_values.extend(known_best(geometry, &self.known_values, node.position, score));
            } else {
                jobs.push(WantedSearch { family: node.family, job: SearchJob::Move(node.position, score) });
            }
        }
        self.find(searches, Phase::Moves, &jobs)
    }

    fn find(
        &mut self,
        searches: &mut impl Searches,
        phase: Phase,
        jobs: &[WantedSearch],
    ) -> Result<(), BuildError> {
        let Some(first) = jobs.first() else { return Ok(()) };
        let empties = first.job.position().empty_count(self.plan.geometry);
        let step = Step { phase, empties, entries: self.entries.len() };
        searches.find(step, jobs, &mut self.known_values)
    }

    /// The score of a position that must be known.
    fn score(&self, position: Position) -> i8 {
        self.known_values.score(position).expect("its score was found or derived before")
    }

    fn final_score(&self, position: Position) -> i8 {
        position.final_score(self.plan.geometry, self.plan.rules).discs() as i8
    }
}

fn key_discs(geometry: Geometry, key: u64) -> u32 {
    key::unpack(geometry, key).expect("a key of this board").disc_count()
}

/// The position after the move of its entry.
pub(super) fn after(geometry: Geometry, position: Position, best: u8) -> Position {
    let (_, _, symmetry) = key::canonical(geometry, position);
    let square = symmetry.inverse().apply_square(geometry, geometry.at_row_major(best.into()));
    position.play(square, position.flips(square))
}
