//! What one search of a round found, as it is kept.

use super::super::known_values::KnownValue;
use crate::spread::results::Record;

/// What a search found, and what it cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SearchResult {
    /// The number of the search in the round, from 0.
    pub job: u32,
    pub known_value: KnownValue,
    pub nodes: u64,
    pub microseconds: u64,
}

impl Record for SearchResult {
    const BYTES: usize = 30;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.job.to_le_bytes());
        bytes.extend(self.known_value.key.to_le_bytes());
        bytes.extend([self.known_value.score as u8, self.known_value.best]);
        bytes.extend(self.nodes.to_le_bytes());
        bytes.extend(self.microseconds.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Option<SearchResult> {
        let number = |place: usize| Some(u64::from_le_bytes(bytes.get(place..place + 8)?.try_into().ok()?));
        Some(SearchResult {
            job: u32::from_le_bytes(*bytes.first_chunk()?),
            known_value: KnownValue { key: number(4)?, score: *bytes.get(12)? as i8, best: *bytes.get(13)? },
            nodes: number(14)?,
            microseconds: number(22)?,
        })
    }
}
