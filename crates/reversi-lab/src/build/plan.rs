//! Which positions a region holds.
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
//! ([`reversi_rules::symmetry::canonical`]), the one on the lowest square in row-major order. So the
//! region depends on nothing but board, rules, root, P and E.
//!
//! What each of its entries holds is a part of the format: see [`reversi_table::format`].

use super::layer::{LayerNode, Roles};
use reversi_rules::{Geometry, Position, Rules};
use reversi_table::{Contents, Region, TableError};

/// The region to be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildPlan {
    /// The board.
    pub geometry: Geometry,
    /// Goal and scoring.
    pub rules: Rules,
    /// The position at which the region begins.
    pub root: Position,
    /// P, the plies of the prefix.
    pub prefix: u8,
    /// E, the least number of empty squares of the certified region.
    pub down_to: u8,
    /// Whether the last ply of the prefix has all its best moves; else only the positions of the walks have theirs.
    pub last_moves: bool,
}

/// A plan that cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub enum BuildPlanError {
    /// The board has no keys.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The prefix has more plies than the root has empty squares, `empties`.
    #[error("the prefix is {prefix}, but the position has only {empties} empty squares")]
    PrefixTooLong {
        /// The plies asked for.
        prefix: u8,
        /// Empty squares of the root.
        empties: u32,
    },
    /// The root has only `empties` empty squares, fewer than the bound.
    #[error("the lower bound is {down_to} empty squares, but the position has only {empties}")]
    BoundTooHigh {
        /// The empty squares asked for.
        down_to: u8,
        /// Empty squares of the root.
        empties: u32,
    },
}

impl BuildPlan {
    /// Checks that there is such a region.
    ///
    /// # Errors
    /// A board too large for a table; a prefix or a bound beyond the root's empty squares.
    pub fn check(&self) -> Result<(), BuildPlanError> {
        reversi_table::check_size(self.geometry)?;
        let empties = self.root.empty_count(self.geometry);
        if u32::from(self.prefix) > empties {
            return Err(BuildPlanError::PrefixTooLong { prefix: self.prefix, empties });
        }
        if u32::from(self.down_to) > empties {
            return Err(BuildPlanError::BoundTooHigh { down_to: self.down_to, empties });
        }
        Ok(())
    }

    /// The contents that the header of this region's table states.
    pub fn contents(&self) -> Contents {
        let region = Region::SemiStrong { prefix: self.prefix, down_to: self.down_to };
        Contents { geometry: self.geometry, rules: self.rules, roots: vec![self.root], region }
    }

    fn plies(&self, position: Position) -> u32 {
        position.disc_count() - self.root.disc_count()
    }

    /// Whether the region must hold the best move of this node.
    pub(super) fn has_move(&self, node: &LayerNode) -> bool {
        let empties = node.position.empty_count(self.geometry);
        self.is_open(node, Roles::PREFIX)
            || node.roles.has(Roles::PREFIX) && self.last_moves
            || self.is_open(node, Roles::FREE)
            || (node.roles.has(Roles::CHOOSES) && empties >= self.down_to.into())
    }

    /// Whether the node has the role and the positions after it are in the region for it.
    pub(super) fn is_open(&self, node: &LayerNode, role: Roles) -> bool {
        node.roles.has(role)
            && if role == Roles::PREFIX {
                self.plies(node.position) < self.prefix.into()
            } else {
                node.position.empty_count(self.geometry) > self.down_to.into()
            }
    }
}
