//! Searches the leaves of a certificate, in pieces of work whose results can be kept.

use super::{Certificate, Direction};
use crate::endgame::Endgame;
use crate::{Sample, Tally};
use reversi_naive::Board;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The transposition table of a chunk: `2^(19 + 6)` bytes.
const MEMORY_BITS: u32 = 19;

/// Leaves of a chunk. Neighbours in the list are often alike, and share a table. The number is fixed, so that what is
/// given up does not depend on the threads.
const LEAVES_A_CHUNK: usize = 8;

/// A bound of a leaf's score for its side to move.
#[derive(Clone, Copy)]
struct Leaf<'a> {
    board: &'a Board,
    direction: Direction,
    score: i32,
}

impl fmt::Display for Leaf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.board, self.direction, self.score)
    }
}

impl Leaf<'_> {
    /// Whether a search to the end of the game finds the bound true; `None` if it is given up after `nodes` positions.
    fn holds(&self, search: &mut Endgame, nodes: u64) -> Option<bool> {
        match self.direction {
            Direction::AtLeast => search.is_at_least(self.board, self.score, nodes),
            Direction::AtMost => search.is_at_least(self.board, self.score + 1, nodes).map(|above| !above),
        }
    }
}

/// A piece of work: some leaves of a claim, which one thread searches one after the other with one table.
pub struct Chunk<'a> {
    certificate: &'a Certificate,
    claim: usize,
    /// Positions looked at for each leaf before it is given up.
    nodes: u64,
    /// The seed that drew its leaves; `None` if the claim has no others.
    seed: Option<u64>,
    /// The place of its first leaf among those drawn.
    from: usize,
    leaves: Vec<Leaf<'a>>,
}

impl Chunk<'_> {
    /// How many leaves it has.
    pub fn leaf_count(&self) -> usize {
        self.leaves.len()
    }

    /// Its name, under which its result can be kept: in the same version of the program, a chunk of the same
    /// certificate that has this name too has the same leaves and the same result.
    pub fn name(&self) -> String {
        let (claim, from, to) = (self.claim + 1, self.from, self.from + self.leaves.len());
        let (nodes, drawn) = (self.nodes, self.seed.map_or(String::new(), |seed| format!(" by seed {seed}")));
        let content: String = self.leaves.iter().map(Leaf::to_string).collect();
        let checksum = crc32fast::hash(content.as_bytes());
        format!("claim {claim}, leaves {from}..{to}{drawn}, {checksum:08x}, {nodes} nodes")
    }

    /// Searches its leaves; `each_leaf` is called after every one. If `stop` is set meanwhile, it ends soon, with a
    /// result that is worth nothing.
    pub fn search(&self, stop: &Arc<AtomicBool>, each_leaf: impl Fn()) -> Tally {
        let Certificate { goal, scoring, .. } = *self.certificate;
        let mut search =
            Endgame::new(self.certificate.root.size(), goal, scoring, MEMORY_BITS, Arc::clone(stop));
        let mut tally = Tally::default();
        for (place, leaf) in (self.from as u64..).zip(&self.leaves) {
            let holds = leaf.holds(&mut search, self.nodes);
            let fault = (holds == Some(false)).then(|| (place, format!("{} is not", leaf.board)));
            tally = tally.merge(Tally {
                checked: holds.is_some().into(),
                wrong: fault.is_some().into(),
                unfinished: holds.is_none().into(),
                nodes: search.nodes(),
                first: fault,
            });
            each_leaf();
        }
        tally
    }
}

impl Certificate {
    /// The leaves that a sample draws, of all claims; none if the board is beyond the verifier's search.
    pub fn chunks(&self, sample: Sample) -> Vec<Chunk<'_>> {
        (0..self.claims.len()).flat_map(|claim| self.chunks_of(claim, sample)).collect()
    }

    /// The leaves of one claim that a sample draws.
    pub(super) fn chunks_of(&self, claim: usize, sample: Sample) -> Vec<Chunk<'_>> {
        if !Endgame::takes(self.root.size()) {
            return Vec::new();
        }
        let all = self.claims[claim].leaves.iter();
        let mut leaves: Vec<Leaf> =
            all.map(|((board, direction), &score)| Leaf { board, direction: *direction, score }).collect();
        leaves.sort_by_cached_key(Leaf::to_string);
        let seed = (sample.entries < leaves.len()).then_some(sample.seed);
        if let Some(seed) = seed {
            fastrand::Rng::with_seed(seed).shuffle(&mut leaves);
            leaves.truncate(sample.entries);
        }
        let chunks = (0..).step_by(LEAVES_A_CHUNK).zip(leaves.chunks(LEAVES_A_CHUNK));
        chunks
            .map(|(from, leaves)| Chunk {
                certificate: self,
                claim,
                nodes: sample.nodes,
                seed,
                from,
                leaves: leaves.to_vec(),
            })
            .collect()
    }
}
