//! The walk through the tree of one claim.

use super::Direction;
use super::read::{Certificate, Claim, as_stored};
use crate::position::children;
use crate::report::Faults;
use reversi_naive::{Board, Move};
use reversi_terms::Passing;
use std::collections::HashSet;

/// Positions that the walks of all claims together may meet, however few lines they have.
const FEWEST_POSITIONS: u64 = 20_000;

/// Positions that a walk may meet for each line and each square of the board. Where the claimant need not pass
/// one is enough: a position has one child a square at most, each with a line or at the end of the game.
const POSITIONS_PER_SQUARE: u64 = 4;

/// What a walk has met. The *claimant* is the side that gains by the claim.
pub(super) struct Walk<'a> {
    certificate: &'a Certificate,
    claim: &'a Claim,
    /// What the claimant gets at least.
    least: i32,
    /// Canonical forms, and whether the claimant is to move: after a pass one form can be met both ways.
    seen: HashSet<(Board, bool)>,
    /// Canonical forms whose stored move was played.
    used_moves: HashSet<Board>,
    /// Canonical forms of leaves, and which bound the claimant needs there.
    used_leaves: HashSet<(Board, Direction)>,
    pub positions: u64,
    /// A limit far above what the lines can need. No line is needed where the claimant must pass, so a file of a few
    /// bytes could otherwise cause a walk without end.
    most_positions: u64,
    pub faults: Faults,
}

impl<'a> Walk<'a> {
    pub fn through(certificate: &'a Certificate, claim: &'a Claim) -> Walk<'a> {
        let (least, claims) = match claim.direction {
            Direction::AtLeast => (claim.score, true),
            Direction::AtMost => (-claim.score, false),
        };
        let mut walk = Walk {
            certificate,
            claim,
            least,
            seen: HashSet::new(),
            used_moves: HashSet::new(),
            used_leaves: HashSet::new(),
            positions: 0,
            most_positions: most_positions(certificate, claim),
            faults: Faults::default(),
        };
        walk.node(&certificate.root, claims);
        if walk.is_too_long() {
            walk.fault(&certificate.root, "has a tree far larger than the lines can account for");
        } else if let Some(board) = walk.first_unused() {
            walk.fault(&board, "has a line that is not needed");
        }
        walk
    }

    fn is_too_long(&self) -> bool {
        self.positions > self.most_positions
    }

    /// The first position with a line that the claim does not need.
    fn first_unused(&self) -> Option<Board> {
        let moves = self.claim.moves.keys().filter(|board| !self.used_moves.contains(*board));
        let leaves = self.claim.leaves.keys().filter(|leaf| !self.used_leaves.contains(*leaf));
        moves.chain(leaves.map(|(board, _)| board)).min_by_key(|board| board.to_string()).cloned()
    }

    fn fault(&mut self, board: &Board, what: &str) {
        self.faults.add(self.positions, format!("{board} {what}"));
    }

    fn node(&mut self, board: &Board, claims: bool) {
        if self.is_too_long() {
            return;
        }
        let form = as_stored(board).canonical().0;
        if !self.seen.insert((form.clone(), claims)) {
            return;
        }
        self.positions += 1;
        let next = children(&form);
        if next.is_empty() {
            let score = form.final_score(self.certificate.goal, self.certificate.scoring);
            if (if claims { score } else { -score }) < self.least {
                self.fault(&form, "ends with a score that is not enough");
            }
        } else if let [(Move::Pass, after)] = next.as_slice() {
            self.node(after, !claims);
        } else if form.empty_count() + self.certificate.depth <= self.certificate.root.empty_count() {
            self.leaf(form, claims);
        } else if claims {
            self.chosen(form);
        } else {
            next.iter().for_each(|(_, after)| self.node(after, true));
        }
    }

    /// The stored move.
    fn chosen(&mut self, form: Board) {
        let square = self.claim.moves.get(&form).copied();
        let after = square.and_then(|(column, row)| form.after(Move::Play(column, row), Passing::Allowed));
        match (square, after) {
            (None, _) => self.fault(&form, "has no stored move"),
            (Some(_), None) => self.fault(&form, "has a stored move that is not legal"),
            (Some(_), Some(after)) => {
                self.node(&after, false);
                self.used_moves.insert(form);
            }
        }
    }

    fn leaf(&mut self, form: Board, claims: bool) {
        let line = (form, if claims { Direction::AtLeast } else { Direction::AtMost });
        match self.claim.leaves.get(&line) {
            None => self.fault(&line.0, "is a leaf without a bound of the needed direction"),
            Some(score) if (if claims { *score } else { -score }) < self.least => {
                self.fault(&line.0, "is a leaf whose bound is not enough");
            }
            Some(_) => {}
        }
        self.used_leaves.insert(line);
    }
}

fn most_positions(certificate: &Certificate, claim: &Claim) -> u64 {
    let lines = (claim.moves.len() + claim.leaves.len()) as u64;
    let squares = u64::from(certificate.root.size().square_count());
    FEWEST_POSITIONS / certificate.claims.len() as u64 + lines * squares * POSITIONS_PER_SQUARE
}
