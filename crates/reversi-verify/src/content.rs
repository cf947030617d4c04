//! The entries of a table as plain numbers, and what the verifier can say about one of them.

use super::position::{canonical_key, children, name};
use reversi_naive::{Board, Move, Size};
use reversi_table_raw::RawEntry;
use reversi_terms::{Goal, Passing, Rules, Scoring};
use std::sync::Arc;

/// What the table is for, and all its entries in ascending order of key.
pub(super) struct Content {
    pub size: Size,
    pub goal: Goal,
    pub scoring: Scoring,
    keys: Arc<Vec<u64>>,
    /// Score and stored move of each key.
    values: Vec<(i8, u8)>,
}

/// What an entry ought to be by the rules, given the scores stored for the positions after it.
pub(super) struct Expected {
    pub score: i32,
    /// As stored: the first of the best moves in row-major order, a pass, or no move when the game is over.
    pub best: u8,
}

impl Content {
    /// The entries may stand in any order.
    pub fn new(size: Size, Rules { goal, scoring }: Rules, mut entries: Vec<RawEntry>) -> Content {
        entries.sort_unstable_by_key(|entry| entry.key);
        let keys = Arc::new(entries.iter().map(|entry| entry.key).collect());
        let values = entries.iter().map(|entry| (entry.score, entry.best)).collect();
        Content { size, goal, scoring, keys, values }
    }

    /// Keeps the keys in memory only once if another table has the same; returns whether it has.
    pub fn share_keys(&mut self, other: &Content) -> bool {
        let same = self.keys == other.keys;
        if same {
            self.keys = Arc::clone(&other.keys);
        }
        same
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The keys, ascending.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The entry in a place of the order of keys.
    pub fn entry(&self, place: usize) -> RawEntry {
        let (score, best) = self.values[place];
        RawEntry { key: self.keys[place], score, best }
    }

    /// All entries in ascending order of key.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = RawEntry> {
        (0..self.len()).map(|place| self.entry(place))
    }

    /// The place of a canonical key.
    pub fn place_of(&self, key: u64) -> Option<usize> {
        self.keys.binary_search(&key).ok()
    }

    /// The stored entry of a canonical key.
    pub fn find(&self, key: u64) -> Option<RawEntry> {
        self.place_of(key).map(|place| self.entry(place))
    }

    /// Whether a walk that has met this number of positions goes on from `key`. A table that lacks positions is wrong
    /// already, and the walk beyond them may have no end: after twice as many positions as are stored, only stored ones
    /// are followed.
    pub fn leads_on(&self, key: u64, met: usize) -> bool {
        met <= 2 * self.len() || self.place_of(key).is_some()
    }

    /// The stored score of a position, whichever way it is turned.
    pub fn score_of(&self, board: &Board) -> Option<i32> {
        self.find(canonical_key(board)).map(|entry| entry.score.into())
    }

    /// What the entry of `board` ought to be; `None` where a position after it is not stored.
    ///
    /// The move is that of `board` as it stands, so `board` must be in canonical form.
    pub fn expected(&self, board: &Board) -> Option<Expected> {
        let after = |(mv, child): (Move, Board)| Some((mv, self.score_of(&child)?));
        let after: Vec<(Move, i32)> = children(board).into_iter().map(after).collect::<Option<_>>()?;
        Some(self.expected_from(board, after))
    }

    /// The same from all its moves, in row-major order, and the scores of the positions after them.
    pub fn expected_from(&self, board: &Board, after: impl IntoIterator<Item = (Move, i32)>) -> Expected {
        let mut expected: Option<Expected> = None;
        for (mv, score) in after {
            if expected.as_ref().is_none_or(|known| -score > known.score) {
                expected = Some(Expected { score: -score, best: self.stored_move(mv) });
            }
        }
        expected.unwrap_or_else(|| self.finished(board))
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

    /// A key for the reader of a report.
    pub fn name(&self, key: u64) -> String {
        name(self.size, key)
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
