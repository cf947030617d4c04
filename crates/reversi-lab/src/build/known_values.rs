//! Known values: exact scores and canonical best moves, by canonical key.
//!
//! A known value is true whatever region it was found for, so known values of a smaller table or of an interrupted
//! build can be taken over as they are.

use hashbrown::HashMap;
use reversi_rules::{Board, Color, Geometry, Move, Position};
use reversi_table::{RawEntry, key};
use serde::{Deserialize, Serialize};

/// The exact score of a position, and its canonical best move if that is known too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct KnownValue {
    /// The canonical key, see [`reversi_rules::key`].
    pub key: u64,
    /// The score for the side to move, in discs.
    pub score: i8,
    /// The canonical best move as in [`RawEntry`]; [`RawEntry::NO_MOVE`] if it is not known.
    pub best: u8,
}

impl KnownValue {
    pub(super) fn has_move(&self) -> bool {
        self.best != RawEntry::NO_MOVE
    }

    /// Leaves only the score.
    pub(super) fn forget_move(&mut self) {
        self.best = RawEntry::NO_MOVE;
    }

    /// Whether the board can have such a position, score and move; the score may still be wrong.
    fn is_possible(&self, geometry: Geometry) -> bool {
        key::unpack(geometry, self.key).is_some()
            && u32::from(self.score.unsigned_abs()) <= geometry.square_count()
            && (!self.has_move() || self.after(geometry).is_some())
    }

    /// The position after the move; `None` where there is none or it is not legal.
    pub(super) fn after(&self, geometry: Geometry) -> Option<Position> {
        let form = key::unpack(geometry, self.key)?;
        let mv = match self.best {
            RawEntry::PASS => Move::Pass,
            place if u32::from(place) < geometry.square_count() => {
                Move::Play(geometry.at_row_major(place.into()))
            }
            _ => return None,
        };
        form.is_legal(geometry, mv).then(|| form.after(mv))
    }
}

/// The position of a key as a text that `reversi solve --position` reads, or the key itself if it has none.
pub fn words_of(geometry: Geometry, key: u64) -> String {
    match key::unpack(geometry, key) {
        Some(position) => Board::from_position(geometry, position, Color::Black).to_string(),
        None => format!("the key {key:#x}, which is of no position"),
    }
}

/// Known values on one board under one set of rules.
pub struct KnownValues {
    geometry: Geometry,
    known: HashMap<u64, (i8, u8)>,
    contradicted: Option<u64>,
}

impl KnownValues {
    /// An empty collection.
    pub fn new(geometry: Geometry) -> KnownValues {
        KnownValues { geometry, known: HashMap::new(), contradicted: None }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Adds a known value. If a position gets two different scores or moves, one of them is wrong, since only one move
    /// is canonical: the first is kept. An impossible value, with a key or score that the board does not have or a move
    /// that is not legal, is not stored. [`KnownValues::contradicted`] reports both cases.
    pub fn insert(&mut self, known_value: KnownValue) {
        if !known_value.is_possible(self.geometry) {
            self.contradicted = Some(known_value.key);
            return;
        }
        let (score, best) =
            self.known.entry(known_value.key).or_insert((known_value.score, known_value.best));
        if *best == RawEntry::NO_MOVE {
            *best = known_value.best;
        }
        if *score != known_value.score || (known_value.has_move() && *best != known_value.best) {
            self.contradicted = Some(known_value.key);
        }
    }

    /// Adds the score of a position.
    pub fn insert_score(&mut self, position: Position, score: i8) {
        self.insert(KnownValue { key: self.key(position), score, best: RawEntry::NO_MOVE });
    }

    /// The score of a position for the side to move, in discs; `None` if unknown.
    pub fn score(&self, position: Position) -> Option<i8> {
        self.known.get(&self.key(position)).map(|known| known.0)
    }

    /// The canonical best move under a canonical key; `None` if unknown.
    pub fn best(&self, key: u64) -> Option<u8> {
        self.known.get(&key).map(|known| known.1).filter(|&best| best != RawEntry::NO_MOVE)
    }

    /// The position of an impossible known value, or with two different scores or moves, if there was one: then some of
    /// the input is wrong.
    pub fn contradicted(&self) -> Option<String> {
        self.contradicted.map(|key| words_of(self.geometry, key))
    }

    /// All known values, in no order.
    pub fn iter(&self) -> impl Iterator<Item = KnownValue> + '_ {
        self.known.iter().map(|(&key, &(score, best))| KnownValue { key, score, best })
    }

    fn key(&self, position: Position) -> u64 {
        key::canonical(self.geometry, position).0
    }
}

impl Extend<KnownValue> for KnownValues {
    fn extend<I: IntoIterator<Item = KnownValue>>(&mut self, known_values: I) {
        known_values.into_iter().for_each(|known_value| self.insert(known_value));
    }
}
