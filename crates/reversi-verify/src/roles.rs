//! Walks through a semi-strong table by its own stored moves and finds the roles of every position in it.

use super::content::Content;
use super::file::RootEntry;
use super::position::{canonical_key, children, decode};
use rayon::prelude::*;
use reversi_naive::{Board, Move};
use reversi_table_raw::{RawEntry, RawTable, Region};
use std::collections::{HashMap, HashSet};

/// Why a position belongs to a semi-strong table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Role {
    /// It is within the first plies, with this number of them after it.
    Prefix(u32),
    /// It arises when one side plays its stored moves, and that side is to move.
    Chooses,
    /// It arises so, and the other side is to move.
    Free,
}

/// All roles of one position.
#[derive(Clone, Copy, Default)]
pub(super) struct Roles {
    /// If it is in the prefix, the most plies of it that come after.
    pub prefix: Option<u32>,
    pub chooses: bool,
    pub free: bool,
}

impl Roles {
    fn add(&mut self, role: Role) {
        match role {
            Role::Prefix(left) => self.prefix = self.prefix.max(Some(left)),
            Role::Chooses => self.chooses = true,
            Role::Free => self.free = true,
        }
    }
}

/// How far a table promises to go.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub prefix: u32,
    pub down_to: u32,
    /// Whether entries of the last ply of the prefix may have a move that is not promised: from version 2 of the format
    /// on.
    pub may_add_moves: bool,
}

impl Extent {
    /// The extent of a table according to its header; `None` for a complete one.
    pub fn of(table: &RawTable) -> Option<Extent> {
        match table.header().contents.region {
            Region::Complete => None,
            Region::SemiStrong { prefix, down_to } => Some(Extent {
                prefix: prefix.into(),
                down_to: down_to.into(),
                may_add_moves: table.header().version > 1,
            }),
        }
    }

    /// Whether what follows a position in this role is promised too. After a pass it always is.
    pub fn goes_on(self, role: Role, empties: u32) -> bool {
        match role {
            Role::Prefix(left) => left > 0,
            Role::Chooses | Role::Free => empties > self.down_to,
        }
    }
}

/// Every position that must be in the table, by canonical key, with its roles.
///
/// The walk ends where a stored move is missing or not legal, and where [`Content::leads_on`] says so; the checks
/// report both.
pub(super) fn walk(content: &Content, extent: Extent, roots: &[RootEntry]) -> HashMap<u64, Roles> {
    let keys = roots.iter().filter_map(|root| root.board.as_ref()).map(canonical_key);
    let roles = [Role::Prefix(extent.prefix), Role::Chooses, Role::Free];
    let mut frontier: Vec<(u64, Role)> = keys.flat_map(|key| roles.map(|role| (key, role))).collect();
    let mut seen: HashSet<(u64, Role)> = HashSet::new();
    frontier.retain(|&state| seen.insert(state));
    let mut reached: HashMap<u64, Roles> = HashMap::new();
    while !frontier.is_empty() {
        for &(key, role) in &frontier {
            reached.entry(key).or_default().add(role);
        }
        let leading_on = frontier.par_iter().filter(|&&(key, _)| content.leads_on(key, reached.len()));
        let mut next: Vec<_> =
            leading_on.flat_map_iter(|&(key, role)| after(content, extent, key, role)).collect();
        next.retain(|&state| seen.insert(state));
        frontier = next;
    }
    reached
}

/// The states after a state.
fn after(content: &Content, extent: Extent, key: u64, role: Role) -> Vec<(u64, Role)> {
    let Some(board) = decode(content.size, key) else { return Vec::new() };
    let role_after = |mv: Move| match role {
        Role::Prefix(left) if mv == Move::Pass => Role::Prefix(left),
        Role::Prefix(left) => Role::Prefix(left - 1),
        Role::Chooses => Role::Free,
        Role::Free => Role::Chooses,
    };
    let goes_on = extent.goes_on(role, board.empty_count());
    let stored = content.find(key).map_or(RawEntry::NO_MOVE, |entry| entry.best);
    let follows = |mv: Move| match mv {
        Move::Pass => true,
        _ if role == Role::Chooses => goes_on && content.stored_move(mv) == stored,
        _ => goes_on,
    };
    let taken = children(&board).into_iter().filter(|&(mv, _)| follows(mv));
    taken.map(|(mv, child): (Move, Board)| (canonical_key(&child), role_after(mv))).collect()
}
