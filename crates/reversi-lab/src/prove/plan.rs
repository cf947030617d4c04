//! The plan of a proof.

use reversi_rules::{Geometry, Position, Rules};
use std::fmt;

/// A claim about the score of the root, for its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// At least this many discs.
    AtLeast(i32),
    /// At most this many discs.
    AtMost(i32),
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::AtLeast(score) => write!(f, "at least {score}"),
            Claim::AtMost(score) => write!(f, "at most {score}"),
        }
    }
}

/// The question about a position's score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofGoal {
    /// Whether a claim holds.
    Claim(Claim),
    /// The exact score.
    Value,
}

/// A position whose score, or a bound of it, is to be proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofPlan {
    /// The board, of any size that the solver has.
    pub geometry: Geometry,
    /// Goal and scoring.
    pub rules: Rules,
    /// The position.
    pub root: Position,
    /// Plies of the tree: the number of discs that leaves have more than the root.
    pub depth: u8,
    /// The question.
    pub goal: ProofGoal,
}

/// A plan that cannot be carried out.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProofPlanError {
    /// The tree is as deep as the game.
    #[error("a tree of {depth} plies leaves nothing to search in a position with {empties} empty squares")]
    TooDeep {
        /// The plies asked for.
        depth: u8,
        /// Empty squares of the root.
        empties: u32,
    },
    /// The score is out of the board's range.
    #[error("{score} is not a possible score of a board with {squares} squares")]
    NoScore {
        /// The score asked about.
        score: i32,
        /// Squares of the board.
        squares: u32,
    },
    /// Every position has such a score.
    #[error("every score of a board with {squares} squares is {claim}: there is nothing to prove")]
    Trivial {
        /// The claim asked about.
        claim: Claim,
        /// Squares of the board.
        squares: u32,
    },
}

impl ProofPlan {
    /// Checks that there is something to search.
    ///
    /// # Errors
    /// A tree that is too deep, a score that no position has, or a bound that every position has.
    pub fn check(&self) -> Result<(), ProofPlanError> {
        let empties = self.root.empty_count(self.geometry);
        if u32::from(self.depth) >= empties.max(1) {
            return Err(ProofPlanError::TooDeep { depth: self.depth, empties });
        }
        let ProofGoal::Claim(claim) = self.goal else { return Ok(()) };
        let squares = self.geometry.square_count();
        let (Claim::AtLeast(score) | Claim::AtMost(score)) = claim;
        if score.unsigned_abs() > squares {
            return Err(ProofPlanError::NoScore { score, squares });
        }
        let most = squares as i32;
        if [Claim::AtLeast(-most), Claim::AtMost(most)].contains(&claim) {
            return Err(ProofPlanError::Trivial { claim, squares });
        }
        Ok(())
    }

    /// Plies from a position of the tree to its leaves.
    pub(super) fn plies_left(&self, position: Position) -> u32 {
        (self.root.disc_count() + u32::from(self.depth)).saturating_sub(position.disc_count())
    }

    /// Whether the position is a leaf, which is searched.
    pub(super) fn is_leaf(&self, position: Position) -> bool {
        self.plies_left(position) == 0
    }
}
