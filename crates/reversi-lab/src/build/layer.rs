//! The positions of a region with one number of discs, and their roles in it.

use hashbrown::HashMap;
use reversi_rules::geometry::squares_of;
use reversi_rules::key;
use reversi_rules::{Geometry, Position};

/// The roles of a position, as a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Roles(u8);

impl Roles {
    /// Among the first plies: all positions after it are in the region too.
    pub const PREFIX: Roles = Roles(1);
    /// In the walk of the side to move, which plays its best move.
    pub const CHOOSES: Roles = Roles(2);
    /// In the walk of the other side, so that the side to move plays anything.
    pub const FREE: Roles = Roles(4);
    /// All roles: those of the root.
    pub const ALL: Roles = Roles(7);

    pub fn has(self, role: Roles) -> bool {
        self.0 & role.0 != 0
    }

    pub fn and(self, other: Roles) -> Roles {
        Roles(self.0 | other.0)
    }

    /// The roles after a pass: the walks go on with the other side to move.
    fn passed(self) -> Roles {
        let with = |role: Roles, becomes: Roles| if self.has(role) { becomes.0 } else { 0 };
        Roles(
            with(Roles::PREFIX, Roles::PREFIX)
                | with(Roles::CHOOSES, Roles::FREE)
                | with(Roles::FREE, Roles::CHOOSES),
        )
    }
}

/// A position of a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerNode {
    /// The position as it was first met: searches of related positions share more if none of them is turned.
    pub position: Position,
    /// The canonical key.
    pub key: u64,
    pub roles: Roles,
    /// Nodes that were first met after the same position have the same number, and are adjacent, except those after a
    /// pass, which come last.
    pub family: u32,
}

/// The positions with one number of discs, each once up to symmetry, in the order in which they were met, so that
/// positions with a common parent are adjacent.
#[derive(Default)]
pub(super) struct Layer {
    pub nodes: Vec<LayerNode>,
    places: HashMap<u64, usize>,
    families: u32,
}

impl Layer {
    /// Adds a position, or adds the roles if it is there already.
    pub fn add(&mut self, geometry: Geometry, position: Position, roles: Roles) {
        self.families += 1;
        self.insert(geometry, position, roles, self.families);
    }

    /// Adds the positions after all legal moves of a position.
    pub fn add_children(&mut self, geometry: Geometry, position: Position, roles: Roles) {
        self.families += 1;
        for child in children(geometry, position) {
            self.insert(geometry, child, roles, self.families);
        }
    }

    /// The positions after all legal moves of this layer, as part of the prefix; without twins after a pass.
    pub fn after_all(&self, geometry: Geometry) -> Layer {
        let mut next = Layer::default();
        self.nodes.iter().for_each(|node| next.add_children(geometry, node.position, Roles::PREFIX));
        next
    }

    /// Completes the layer with the twins, after the pass, of the positions that must pass. A twin
    /// has a move, so no pass follows a pass.
    pub fn add_passed(&mut self, geometry: Geometry) {
        for place in 0..self.nodes.len() {
            let node = self.nodes[place];
            if node.position.must_pass(geometry) {
                self.insert(geometry, node.position.pass(), node.roles.passed(), node.family);
            }
        }
    }

    fn insert(&mut self, geometry: Geometry, position: Position, roles: Roles, family: u32) {
        let key = key::canonical(geometry, position).0;
        let place = *self.places.entry(key).or_insert(self.nodes.len());
        match self.nodes.get_mut(place) {
            Some(node) => node.roles = node.roles.and(roles),
            None => self.nodes.push(LayerNode { position, key, roles, family }),
        }
    }
}

/// The positions after all legal moves, in row-major order of the moves; none if there is no move.
pub(super) fn children(geometry: Geometry, position: Position) -> impl Iterator<Item = Position> {
    squares_of(position.legal_moves(geometry))
        .map(move |square| position.play(square, position.flips(square)))
}
