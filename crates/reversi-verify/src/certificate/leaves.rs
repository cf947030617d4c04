//! Searches the leaves of a certificate, in pieces of work whose results can be kept.

use super::{Certificate, Direction};
use crate::endgame::Endgame;
use crate::{Sample, Tally};
use reversi_naive::Board;

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
    sample: Sample,
    /// The place of its first leaf among those drawn.
    from: usize,
    leaves: Vec<Leaf<'a>>,
}

impl Chunk<'_> {
    /// How many leaves it has.
    pub fn leaves(&self) -> usize {
        self.leaves.len()
    }

    /// Its name, under which its result can be kept: a chunk of this certificate with the same name has the same
    /// result.
    pub fn name(&self) -> String {
        let Sample { entries, seed, nodes } = self.sample;
        let (claim, from, to) = (self.claim + 1, self.from, self.from + self.leaves.len());
        let drawn = match entries < self.certificate.claims[self.claim].leaves.len() {
            true => format!(" by seed {seed}"),
            false => String::new(),
        };
        format!("claim {claim}, leaves {from}..{to}{drawn}, {nodes} nodes")
    }

    /// Searches its leaves; `each_leaf` is called after every one.
    ///
    /// # Panics
    /// If the board is beyond the verifier's search, which [`Certificate::verify_with`] finds first.
    pub fn search(&self, each_leaf: impl Fn()) -> Tally {
        let Certificate { goal, scoring, .. } = *self.certificate;
        let mut search =
            Endgame::new(self.certificate.root.size(), goal, scoring, MEMORY_BITS, Default::default());
        let mut tally = Tally::default();
        for (place, leaf) in (self.from as u64..).zip(&self.leaves) {
            let holds = leaf.holds(&mut search, self.sample.nodes);
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
    /// The leaves that a sample draws, of all claims.
    pub fn chunks(&self, sample: Sample) -> Vec<Chunk<'_>> {
        (0..self.claims.len()).flat_map(|claim| self.chunks_of(claim, sample)).collect()
    }

    /// The leaves of one claim that a sample draws.
    pub(super) fn chunks_of<'a>(&'a self, claim: usize, sample: Sample) -> Vec<Chunk<'a>> {
        let leaf = |((board, direction), score): (&'a (Board, Direction), &i32)| Leaf {
            board,
            direction: *direction,
            score: *score,
        };
        let mut leaves: Vec<Leaf> = self.claims[claim].leaves.iter().map(leaf).collect();
        leaves.sort_unstable_by_key(|leaf| (leaf.board.to_string(), leaf.direction));
        if sample.entries < leaves.len() {
            fastrand::Rng::with_seed(sample.seed).shuffle(&mut leaves);
            leaves.truncate(sample.entries);
        }
        let chunk = |(number, leaves): (usize, &[Leaf<'a>])| Chunk {
            certificate: self,
            claim,
            sample,
            from: number * LEAVES_A_CHUNK,
            leaves: leaves.to_vec(),
        };
        leaves.chunks(LEAVES_A_CHUNK).enumerate().map(chunk).collect()
    }
}
