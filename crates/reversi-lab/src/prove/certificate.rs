//! A certificate: everything that a claim about a score depends on, as text that any other program can check.
//!
//! ```text
//! reversi certificate 1
//! board 5x5
//! goal normal
//! scoring raw
//! root ------O-XX-... X         the position, cells row by row
//! depth 6                       how many discs more than the root the leaves have
//! claim at-least 3              of the root, for its side to move
//! move -----... X c2            in this position the side that gains by the claim plays c2
//! leaf -----... X at-most -3    a search found this bound of a leaf, for its side to move
//! ...
//! claim at-most 3               a second claim with its own moves and leaves, if the value is claimed
//! ...
//! end 1234 89abcdef             lines before this one, and their CRC-32 with all line feeds
//! ```
//!
//! The side that gains by `at-least` is the one to move at the root, the side that gains by `at-most` the other one.
//! Positions are written with `X` to move, as the image under the symmetries of the board whose masks of the side to
//! move and then of the other side are least (`reversi_rules::symmetry::canonical`), each once. A position of which the
//! side to move must pass is no leaf and has no line, whatever its depth: the pass is made first, and the position after
//! it is looked up. A leaf that can be met with either side gaining, because of a pass before it, is written twice, with
//! a bound for either side. In positions where the other side is to move every move is followed, so they have no line;
//! nor have finished games.

use super::ProofError;
use super::bounds::{Form, KnownBounds, form_of};
use super::plan::{Claim, ProofPlan};
use hashbrown::HashSet;
use reversi_rules::{Board, Color, Move, Position};
use std::fmt::Write;

/// A finished proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The claims it proves, given its leaves.
    pub claims: Vec<Claim>,
    /// Number of bounds found by searches, over all claims.
    pub leaves: usize,
    /// Number of stored moves, over all claims.
    pub moves: usize,
    /// The file.
    pub text: String,
}

impl Certificate {
    pub(super) fn of(
        plan: &ProofPlan,
        bounds: &KnownBounds,
        claims: &[Claim],
    ) -> Result<Certificate, ProofError> {
        let (geometry, rules) = (plan.geometry, plan.rules);
        let mut certificate = Certificate {
            claims: claims.to_vec(),
            leaves: 0,
            moves: 0,
            text: "reversi certificate 1\n".to_owned(),
        };
        let root = Board::from_position(geometry, plan.root, Color::Black);
        certificate.line(format_args!("board {geometry}"));
        certificate.line(format_args!("goal {}", rules.goal));
        certificate.line(format_args!("scoring {}", rules.scoring));
        certificate.line(format_args!("root {root}"));
        certificate.line(format_args!("depth {}", plan.depth));
        for &claim in claims {
            let least = match claim {
                Claim::AtLeast(score) => score,
                Claim::AtMost(score) => -score,
            };
            match claim {
                Claim::AtLeast(score) => certificate.line(format_args!("claim at-least {score}")),
                Claim::AtMost(score) => certificate.line(format_args!("claim at-most {score}")),
            }
            let mut walk = Walk { plan, bounds, least, seen: HashSet::new(), certificate: &mut certificate };
            walk.node(plan.root, matches!(claim, Claim::AtLeast(_)))?;
        }
        let (lines, checksum) =
            (certificate.text.lines().count(), crc32fast::hash(certificate.text.as_bytes()));
        certificate.line(format_args!("end {lines} {checksum:08x}"));
        Ok(certificate)
    }

    fn line(&mut self, line: std::fmt::Arguments) {
        writeln!(self.text, "{line}").expect("a text takes every line");
    }
}

/// Goes through the tree of one claim: a side, the *claimant*, gets at least `least`.
struct Walk<'a> {
    plan: &'a ProofPlan,
    bounds: &'a KnownBounds,
    least: i32,
    seen: HashSet<(Form, bool)>,
    certificate: &'a mut Certificate,
}

impl Walk<'_> {
    /// A position, and whether the claimant is to move.
    fn node(&mut self, position: Position, claims: bool) -> Result<(), ProofError> {
        let geometry = self.plan.geometry;
        let form = form_of(geometry, position);
        if position.is_over(geometry) || !self.seen.insert((form, claims)) {
            return Ok(());
        }
        // The canonical image, to which the stored move belongs.
        let position = Position { player: form.0, opponent: form.1 };
        if position.must_pass(geometry) {
            return self.node(position.pass(), !claims);
        }
        if self.plan.is_leaf(position) {
            return self.leaf(position, claims);
        }
        if !claims {
            return position.children(geometry).into_iter().try_for_each(|(_, child)| self.node(child, true));
        }
        let is_enough = |child: Position| {
            self.bounds.is_at_least(child, 1 - self.least) == Some(false)
                || child.is_over(geometry)
                    && -child.final_score(geometry, self.plan.rules).discs() >= self.least
        };
        let chosen = position.children(geometry).into_iter().find(|&(_, child)| is_enough(child));
        let (Move::Play(square), child) = chosen.ok_or(ProofError::Contradiction)? else {
            return Err(ProofError::Contradiction);
        };
        self.certificate.moves += 1;
        let board = Board::from_position(geometry, position, Color::Black);
        self.certificate.line(format_args!("move {board} {square}"));
        self.node(child, false)
    }

    fn leaf(&mut self, position: Position, claims: bool) -> Result<(), ProofError> {
        let known = self.bounds.of(position);
        let (word, bound) = if claims { ("at-least", known.lower) } else { ("at-most", known.upper) };
        let gained = if claims { i32::from(bound) } else { -i32::from(bound) };
        if gained < self.least {
            return Err(ProofError::Contradiction);
        }
        self.certificate.leaves += 1;
        let board = Board::from_position(self.plan.geometry, position, Color::Black);
        self.certificate.line(format_args!("leaf {board} {word} {bound}"));
        Ok(())
    }
}
