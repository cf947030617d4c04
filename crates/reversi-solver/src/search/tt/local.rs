//! Per-thread transposition table for positions near the end of the game, small enough for the processor's
//! second-level cache, so that the shared table is probed only where it saves much.

use crate::search::tt::exact::{Bounds, prefetch};
use std::sync::{Mutex, PoisonError};

/// The number of entries, of 16 bytes each, as a power of two: 512 KiB, a second-level cache.
const PLACE_BITS: u32 = 15;
const ENTRIES: usize = 1 << PLACE_BITS;

/// The table; a new position always replaces the old one in its place.
pub(crate) struct LocalTable(Box<[Entry]>);

/// A position and one bound of its score.
///
/// The upper bits of [`mixed`] are the place of the entry; the lower bits are stored, and with `player` they identify
/// the position. The upper bits of `rest` hold, from the lowest on, the square of the hash move, the score plus
/// [`BIAS`], and whether it is an upper bound.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Entry {
    player: u64,
    rest: u64,
}

const SQUARE_SHIFT: u32 = 64 - PLACE_BITS;
const SCORE_SHIFT: u32 = SQUARE_SHIFT + 6;
const UPPER_SHIFT: u32 = SCORE_SHIFT + 8;
/// The bits of an entry that belong to the position.
const POSITION: u64 = (1 << SQUARE_SHIFT) - 1;
/// Makes every score non-negative.
const BIAS: i32 = 64;

impl Entry {
    /// Matches no position: while squares are empty, no side has a disc on every square.
    const NONE: Entry = Entry { player: u64::MAX, rest: 0 };

    #[inline(always)]
    fn bounds(self) -> Bounds {
        let score = i32::from((self.rest >> SCORE_SHIFT) as u8) - BIAS;
        let is_upper = self.rest >> UPPER_SHIFT != 0;
        let (lower, upper) = if is_upper { (-BIAS, score) } else { (score, BIAS) };
        Bounds { lower: lower as i8, upper: upper as i8, best: (self.rest >> SQUARE_SHIFT) as u8 & 63 }
    }
}

impl LocalTable {
    /// An empty table; `None` without memory for it.
    fn new() -> Option<LocalTable> {
        let mut entries = Vec::new();
        entries.try_reserve_exact(ENTRIES).ok()?;
        entries.resize(ENTRIES, Entry::NONE);
        Some(LocalTable(entries.into_boxed_slice()))
    }

    /// A table of no entries in place of one that was moved out; must not be probed.
    pub fn moved_out() -> LocalTable {
        LocalTable(Box::default())
    }

    /// The stored bound of a position; the other bound is -64 or 64, which holds for all scores.
    #[inline(always)]
    pub fn probe(&self, player: u64, opponent: u64) -> Option<Bounds> {
        let mixed = mixed(player, opponent);
        let entry = self.0[place(mixed)];
        (entry.player == player && (entry.rest ^ mixed) & POSITION == 0).then(|| entry.bounds())
    }

    /// Prefetches the entry of a position.
    #[inline(always)]
    pub fn prefetch(&self, player: u64, opponent: u64) {
        prefetch(&self.0[place(mixed(player, opponent))]);
    }

    /// Stores the score that a search found, at most 64 in size: above `alpha` a lower bound, else an upper one. With
    /// it the square of the hash move, less than 64.
    #[inline(always)]
    pub fn store(&mut self, player: u64, opponent: u64, alpha: i32, score: i32, square: u8) {
        debug_assert!(score.abs() <= BIAS && square < 64, "{score}, square {square}");
        let mixed = mixed(player, opponent);
        let value = u64::from(score <= alpha) << UPPER_SHIFT
            | ((score + BIAS) as u64) << SCORE_SHIFT
            | u64::from(square) << SQUARE_SHIFT;
        self.0[place(mixed)] = Entry { player, rest: mixed & POSITION | value };
    }
}

/// A mixture of both words: with `player` it determines `opponent`, whose factor is odd, and its upper bits depend on
/// all bits of both.
#[inline(always)]
fn mixed(player: u64, opponent: u64) -> u64 {
    opponent.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(player.wrapping_mul(0xD6E8_FEB8_6659_FD93))
}

#[inline(always)]
fn place(mixed: u64) -> usize {
    (mixed >> SQUARE_SHIFT) as usize
}

/// The local tables of one board and rule set that no thread is using; their entries stay valid.
#[derive(Default)]
pub(crate) struct LocalTables(Mutex<Vec<LocalTable>>);

impl LocalTables {
    /// A table for a thread that begins its work; `None` without memory for it.
    pub fn take(&self) -> Option<LocalTable> {
        let idle = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.or_else(LocalTable::new)
    }

    /// Takes back the table of a thread that has ended its work.
    pub fn put_back(&self, table: LocalTable) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(table);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_found_until_another_replaces_it() {
        let mut table = LocalTables::default().take().unwrap();
        assert_eq!(table.probe(1, 2), None);
        table.store(1, 2, 0, -4, 9);
        assert_eq!(table.probe(1, 2), Some(Bounds { lower: -64, upper: -4, best: 9 }));
        table.store(1, 2, 0, 4, 63);
        assert_eq!(table.probe(1, 2), Some(Bounds { lower: 4, upper: 64, best: 63 }));
        for (player, opponent) in [(2, 1), (1, 4), (4, 2)] {
            assert_eq!(table.probe(player, opponent), None);
        }
        let of = |player: u64, opponent: u64| place(mixed(player, opponent));
        for (player, opponent) in [(0, 1), (1, 0)] {
            let same_place = (1..).find(|&n| of(1 + player * n, 2 + opponent * n) == of(1, 2)).unwrap();
            table.store(1, 2, 0, 4, 63);
            table.store(1 + player * same_place, 2 + opponent * same_place, 0, 0, 0);
            assert_eq!(table.probe(1, 2), None);
        }
    }

    #[test]
    fn every_score_and_square_is_found_again() {
        let mut table = LocalTables::default().take().unwrap();
        let mut random = fastrand::Rng::with_seed(4);
        for score in -64..=64 {
            for alpha in [score - 1, score] {
                let (a, b, square) = (random.u64(..), random.u64(..), random.u8(..64));
                let (player, opponent) = (a & b, a & !b);
                table.store(player, opponent, alpha, score, square);
                let (lower, upper) = if score > alpha { (score, 64) } else { (-64, score) };
                let expected = Bounds { lower: lower as i8, upper: upper as i8, best: square };
                assert_eq!(table.probe(player, opponent), Some(expected));
            }
        }
    }

    #[test]
    fn a_table_that_was_put_back_is_taken_again() {
        let tables = LocalTables::default();
        let mut table = tables.take().unwrap();
        table.store(1, 2, 0, 2, 3);
        tables.put_back(table);
        assert!(tables.take().unwrap().probe(1, 2).is_some());
        assert!(tables.take().unwrap().probe(1, 2).is_none(), "another table");
    }
}
