//! The entries of a table as plain numbers, and what the verifier can say about one of them.

use super::position::{canonical_key, children, decode};
use reversi_naive::{Board, Move, Size};
use reversi_table_raw::RawEntry;
use reversi_terms::{Goal, Passing, Scoring};

/// What the table is for, and all its entries: as they stand in the file, or [sorted](Content::sorted).
pub(super) struct Content {
    pub size: Size,
    pub goal: Goal,
    pub scoring: Scoring,
    pub entries: Vec<RawEntry>,
}

/// What an entry ought to be by the rules, given the scores stored for the positions after it.
pub(super) struct Expected {
    pub score: i32,
    /// As stored: the first of the best moves in row-major order, a pass, or no move when the game is over.
    pub best: u8,
}

impl Content {
    /// In ascending order of key, as all look-ups need it.
    pub fn sorted(mut self) -> Content {
        self.entries.sort_unstable_by_key(|entry| entry.key);
        self
    }

    /// The stored entry of a canonical key.
    pub fn find(&self, key: u64) -> Option<&RawEntry> {
        self.entries.binary_search_by_key(&key, |entry| entry.key).ok().map(|place| &self.entries[place])
    }

    /// Whether a walk that has met this number of positions goes on. A table that lacks positions is wrong
    /// already, and what follows on them may have no end: once there are as many of them as are stored, only these lead
    /// on.
    pub fn leads_on(&self, key: u64, met: usize) -> bool {
        met <= 2 * self.entries.len() || self.find(key).is_some()
    }

    /// The stored score of a position, whichever way it is turned.
    pub fn score_of(&self, board: &Board) -> Option<i32> {
        self.find(canonical_key(board)).map(|entry| entry.score.into())
    }

    /// What the entry of `board` ought to be; `None` where a position after it is not stored.
    ///
    /// The move is that of `board` as it stands, so `board` must be in canonical form.
    pub fn expected(&self, board: &Board) -> Option<Expected> {
        let mut expected: Option<Expected> = None;
        for (mv, child) in children(board) {
            let score = -self.score_of(&child)?;
            if expected.as_ref().is_none_or(|known| score > known.score) {
                expected = Some(Expected { score, best: self.stored_move(mv) });
            }
        }
        Some(expected.unwrap_or_else(|| self.finished(board)))
    }

    /// A move as entries hold it.
    pub fn stored_move(&self, mv: Move) -> u8 {
        match mv {
            Move::Play(column, row) => (row * self.size.width() + column) as u8,
            Move::Pass => RawEntry::PASS,
        }
    }

    fn finished(&self, board: &Board) -> Expected {
        debug_assert!(board.is_over(Passing::Allowed));
        Expected { score: board.final_score(self.goal, self.scoring), best: RawEntry::NO_MOVE }
    }

    /// A key for the reader of a report: the position, if it is one.
    pub fn name(&self, key: u64) -> String {
        match decode(self.size, key) {
            Some(board) => format!("\"{board}\""),
            None => format!("key {key}"),
        }
    }

    /// A stored move for the reader of a report.
    pub fn move_name(&self, best: u8) -> String {
        match best {
            RawEntry::PASS => "pa".to_owned(),
            RawEntry::NO_MOVE => "no move".to_owned(),
            place => {
                let (place, width) = (u32::from(place), self.size.width());
                Move::Play(place % width, place / width).to_string()
            }
        }
    }
}
