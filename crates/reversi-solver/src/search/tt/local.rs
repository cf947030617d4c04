//! Per-thread transposition table for positions near the end of the game, small enough for the processor's
//! second-level cache, so that the shared table is probed only where it saves much.

use crate::search::tt::exact::{Bounds, NO_MOVE, prefetch};
use std::sync::{Mutex, PoisonError};

/// Number of entries, of 24 bytes each: 768 KiB, about a second-level cache.
const ENTRIES: usize = 1 << 15;

/// The table; a new position always replaces the old one in its place.
pub(crate) struct LocalTable(Box<[Entry]>);

#[derive(Clone, Copy)]
struct Entry {
    player: u64,
    opponent: u64,
    bounds: Bounds,
}

impl LocalTable {
    /// An empty table; `None` without memory for it.
    fn new() -> Option<LocalTable> {
        // Discs of both sides on one square: matches no position.
        let none = Entry { player: 1, opponent: 1, bounds: Bounds { lower: 0, upper: 0, best: NO_MOVE } };
        let mut entries = Vec::new();
        entries.try_reserve_exact(ENTRIES).ok()?;
        entries.resize(ENTRIES, none);
        Some(LocalTable(entries.into_boxed_slice()))
    }

    /// A table of no entries in place of one that was moved out; must not be probed.
    pub fn moved_out() -> LocalTable {
        LocalTable(Box::default())
    }

    /// The stored bounds of a position.
    #[inline(always)]
    pub fn probe(&self, player: u64, opponent: u64) -> Option<Bounds> {
        let entry = &self.0[place(player, opponent)];
        (entry.player == player && entry.opponent == opponent).then_some(entry.bounds)
    }

    /// Prefetches the entry of a position.
    #[inline(always)]
    pub fn prefetch(&self, player: u64, opponent: u64) {
        prefetch(&self.0[place(player, opponent)]);
    }

    /// Stores proved bounds.
    #[inline(always)]
    pub fn store(&mut self, player: u64, opponent: u64, proved: Bounds) {
        self.0[place(player, opponent)] = Entry { player, opponent, bounds: proved };
    }
}

/// The place of a position: the upper bits of a product depend on all bits of both words.
#[inline(always)]
fn place(player: u64, opponent: u64) -> usize {
    let mixed = player.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ opponent.rotate_left(32);
    (mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> (64 - ENTRIES.ilog2())) as usize
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
        let bounds = Bounds { lower: -4, upper: 36, best: 9 };
        assert_eq!(table.probe(1, 2), None);
        table.store(1, 2, bounds);
        assert_eq!(table.probe(1, 2), Some(bounds));
        for (player, opponent) in [(2, 1), (1, 4), (4, 2)] {
            assert_eq!(table.probe(player, opponent), None);
        }
        let same_place = (1..).find(|&player| place(player, 0) == place(1, 2)).unwrap();
        table.store(same_place, 0, bounds);
        assert_eq!(table.probe(1, 2), None);
    }

    #[test]
    fn a_table_that_was_put_back_is_taken_again() {
        let tables = LocalTables::default();
        let mut table = tables.take().unwrap();
        table.store(1, 2, Bounds { lower: 0, upper: 2, best: 3 });
        tables.put_back(table);
        assert!(tables.take().unwrap().probe(1, 2).is_some());
        assert!(tables.take().unwrap().probe(1, 2).is_none(), "another table");
    }
}
