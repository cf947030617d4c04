//! Numbering of all weights of the evaluation: shapes and their fillings, mobility, parity.

use super::lanes::{BLOCKS, Bank, Table};
use super::shapes::{Shape, shapes_of};
use reversi_rules::{Geometry, Position};

/// The largest mobility with a weight of its own; more moves share it.
pub(super) const MAX_MOBILITY: usize = 31;

/// The largest number of banks of a board.
pub(super) const MAX_BANKS: usize = 3;

/// The features of one board. Every position has the same number of features, each with one weight; the weights of a
/// stage are numbered from 0 to `weight_count() - 1`.
#[derive(Clone)]
pub struct Features {
    geometry: Geometry,
    pub(super) banks: Vec<Bank>,
    /// The weight of each entry of a [`Table`].
    weight_of: Vec<u32>,
    mobility: usize,
    count: usize,
    fingerprint: u32,
}

impl Features {
    /// The features of a board that are learned; `None` for boards with a side of three, which have no learned
    /// evaluation. A board and its transposed one have the same features, numbered alike, and the same fingerprint.
    pub fn of(geometry: Geometry) -> Option<Features> {
        shapes_of(geometry).map(|shapes| Features::of_shapes(geometry, &shapes))
    }

    fn of_shapes(geometry: Geometry, shapes: &[Shape]) -> Features {
        let mut features = Features {
            geometry,
            banks: Vec::new(),
            // Entry 0 is that of idle lanes.
            weight_of: vec![0],
            mobility: 0,
            // Weight 0 belongs to the entry of idle lanes and stays 0.
            count: 1,
            fingerprint: fingerprint_of(geometry, shapes),
        };
        for shape in shapes {
            features.add(shape);
        }
        assert!(features.banks.len() <= MAX_BANKS, "at most MAX_BANKS banks");
        features.mobility = features.count;
        features.count += 2 * (MAX_MOBILITY + 1) + 2;
        features
    }

    /// Adds a shape: its part of the table, and a lane for each instance.
    fn add(&mut self, shape: &Shape) {
        let first = self.weight_of.len();
        for squares in &shape.instances {
            if self.banks.last().is_none_or(Bank::is_full) {
                self.banks.push(Bank::new());
            }
            self.banks.last_mut().expect("one has just been made").add(squares, first as u32);
        }
        for filling in 0..shape.fillings() {
            let representative = shape.representative(filling);
            if representative == filling {
                self.weight_of.push(self.count as u32);
                self.count += 1;
            } else {
                self.weight_of.push(self.weight_of[first + representative]);
            }
        }
    }

    /// The board.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// Number of weights of a stage.
    pub fn weight_count(&self) -> usize {
        self.count
    }

    /// Identifies this set of features; stored in the header of a file of weights.
    pub fn fingerprint(&self) -> u32 {
        self.fingerprint
    }

    /// Replaces `found` by the weight numbers of the position's features: the list that `Evaluator` sums up, for the
    /// trainer.
    pub fn weights_of(&self, position: Position, found: &mut Vec<u32>) {
        found.clear();
        for bank in &self.banks {
            let entries = bank.entries(bank.indices::<BLOCKS>(position));
            found.extend(entries.map(|entry| self.weight_of[entry]));
        }
        let mobility = |position: Position| {
            (position.legal_moves(self.geometry).count_ones() as usize).min(MAX_MOBILITY)
        };
        found.push(self.mobility_weight(mobility(position)) as u32);
        found.push(self.opponent_mobility_weight(mobility(position.pass())) as u32);
        found.push(self.parity_weight(position.empty_count(self.geometry)) as u32);
    }

    /// The weight for `moves` legal moves of the player, at most [`MAX_MOBILITY`].
    pub(super) fn mobility_weight(&self, moves: usize) -> usize {
        self.mobility + moves
    }

    /// The weight for `moves` legal moves of the opponent, at most [`MAX_MOBILITY`].
    pub(super) fn opponent_mobility_weight(&self, moves: usize) -> usize {
        self.mobility + MAX_MOBILITY + 1 + moves
    }

    /// The weight for an even or odd number of empty squares, which tells the side with the last move.
    pub fn parity_weight(&self, empties: u32) -> usize {
        self.mobility + 2 * (MAX_MOBILITY + 1) + (empties & 1) as usize
    }

    /// The table of all stages, filled from their weights.
    pub(super) fn table<'a>(&self, stages: impl Iterator<Item = &'a [i16]>) -> Table {
        let stages: Vec<&[i16]> = stages.collect();
        let filled =
            stages.into_iter().map(|stage| self.weight_of.iter().map(|&place| stage[place as usize]));
        Table::new(self.weight_of.len(), filled)
    }
}

/// Identifies shapes by the squares of the first instance of each, on the upright board.
fn fingerprint_of(geometry: Geometry, shapes: &[Shape]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for shape in shapes {
        for &square in &shape.instances[0] {
            let square = if geometry == geometry.upright() { square } else { square.transposed() };
            hasher.update(&[square.index() as u8]);
        }
        hasher.update(&[u8::MAX]);
    }
    hasher.finalize()
}
