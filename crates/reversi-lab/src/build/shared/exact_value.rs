//! The result of one search of a build: a score, and a best move if it was asked for.

use super::super::known_values::KnownValue;
use crate::spread::answer::Value;
use reversi_rules::Geometry;
use reversi_table::RawEntry;

/// A [`KnownValue`] without its key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ExactValue {
    pub score: i8,
    pub best: u8,
}

impl ExactValue {
    pub fn of(self, key: u64) -> KnownValue {
        KnownValue { key, score: self.score, best: self.best }
    }
}

impl Value for ExactValue {
    fn to_bytes(self) -> [u8; 2] {
        [self.score as u8, self.best]
    }

    fn from_bytes([score, best]: [u8; 2]) -> ExactValue {
        ExactValue { score: score as i8, best }
    }

    fn agrees(self, other: ExactValue) -> bool {
        self == other
    }

    fn words(self, geometry: Geometry) -> String {
        match self.best {
            RawEntry::NO_MOVE => format!("{:+}", self.score),
            RawEntry::PASS => format!("{:+} with a pass", self.score),
            best if u32::from(best) < geometry.square_count() => {
                format!("{:+} with {}", self.score, geometry.at_row_major(best.into()))
            }
            best => format!("{:+} with move {best}", self.score),
        }
    }
}
