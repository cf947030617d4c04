//! The result of one search, as it is saved.

use super::results::Record;
use reversi_rules::Geometry;

/// The value found for a position, as two bytes.
pub trait Value: Copy + Send + Sync {
    /// Its bytes.
    fn to_bytes(self) -> [u8; 2];
    /// From its bytes.
    fn from_bytes(bytes: [u8; 2]) -> Self;
    /// Whether both can be true of the same position.
    fn agrees(self, other: Self) -> bool;
    /// In words.
    fn words(self, geometry: Geometry) -> String;
}

/// The result of a search, and its cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer<V> {
    /// The number of the search in its round, from 0.
    pub number: u32,
    /// The canonical key of the position searched, or, on boards without keys, a hash of its canonical form.
    pub key: u64,
    /// What was found.
    pub value: V,
    /// Nodes searched.
    pub nodes: u64,
    /// Elapsed time in microseconds.
    pub microseconds: u64,
}

impl<V: Value> Record for Answer<V> {
    const BYTES: usize = 30;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.number.to_le_bytes());
        bytes.extend(self.key.to_le_bytes());
        bytes.extend(self.value.to_bytes());
        bytes.extend(self.nodes.to_le_bytes());
        bytes.extend(self.microseconds.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Option<Answer<V>> {
        let number = |place: usize| Some(u64::from_le_bytes(bytes.get(place..place + 8)?.try_into().ok()?));
        Some(Answer {
            number: u32::from_le_bytes(*bytes.first_chunk()?),
            key: number(4)?,
            value: V::from_bytes(bytes.get(12..14)?.try_into().ok()?),
            nodes: number(14)?,
            microseconds: number(22)?,
        })
    }
}
