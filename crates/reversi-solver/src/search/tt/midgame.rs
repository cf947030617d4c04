//! Transposition table of midgame estimates, lockless and shared by all threads.
//!
//! An entry holds the whole position, its words scrambled as in the exact table, so that words of two writers
//! practically never form a valid entry.

use super::exact::{hash, prefetch, scrambled};
use crate::pages::{MemoryError, Pages, Shared};
use crate::search::probcut::Selectivity;
use reversi_rules::Position;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A bound outside the range of values: `-INFINITE_EVAL` is below and `INFINITE_EVAL` above every value.
pub const INFINITE_EVAL: i32 = i16::MAX as i32;

/// The stored result of a search of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MidgameEntry {
    /// Lower bound of the value of that depth, in units of an [`Eval`](crate::eval::Eval) for the side to move; at
    /// least `-INFINITE_EVAL`.
    pub lower: i32,
    /// Upper bound of that value; at most [`INFINITE_EVAL`].
    pub upper: i32,
    /// Depth of the search in plies, at most 63.
    pub depth: u8,
    /// Selectivity of the search.
    pub selectivity: Selectivity,
    /// Square of the hash move, or `NO_MOVE`.
    pub best: u8,
}

impl MidgameEntry {
    /// Whether the entry is from a search of at least this depth and confidence.
    pub fn is_of(self, depth: u32, selectivity: Selectivity) -> bool {
        u32::from(self.depth) >= depth && self.selectivity >= selectivity
    }

    /// The value, if the entry decides a window for a search of this depth and selectivity.
    pub fn settles(self, depth: u32, selectivity: Selectivity, alpha: i32, beta: i32) -> Option<i32> {
        if !self.is_of(depth, selectivity) {
            return None;
        }
        if self.lower >= beta || self.lower == self.upper {
            return Some(self.lower);
        }
        (self.upper <= alpha).then_some(self.upper)
    }

    fn is_like(self, other: MidgameEntry) -> bool {
        (self.depth, self.selectivity) == (other.depth, other.selectivity)
    }

    /// The intersection of both bounds, where they are of the same depth and selectivity and do not contradict each
    /// other.
    fn narrowed_by(self, older: MidgameEntry) -> MidgameEntry {
        let (lower, upper) = (self.lower.max(older.lower), self.upper.min(older.upper));
        if older.is_like(self) && lower <= upper { MidgameEntry { lower, upper, ..self } } else { self }
    }

    /// Packs the entry with the number of the game. Game 0 is unused, so that an empty entry belongs to no game.
    fn packed(self, game: u16) -> u64 {
        let bound = |value: i32| u64::from(value.clamp(-INFINITE_EVAL, INFINITE_EVAL) as i16 as u16);
        bound(self.lower)
            | bound(self.upper) << 16
            | u64::from(self.depth | (self.selectivity as u8) << 6) << 32
            | u64::from(self.best) << 40
            | u64::from(game) << 48
    }

    fn unpacked(word: u64) -> (MidgameEntry, u16) {
        let bound = |shift: u32| i32::from((word >> shift) as u16 as i16);
        let entry = MidgameEntry {
            lower: bound(0),
            upper: bound(16),
            depth: (word >> 32) as u8 & 63,
            selectivity: Selectivity::ALL[(word >> 38) as usize & 3],
            best: (word >> 40) as u8,
        };
        (entry, (word >> 48) as u16)
    }
}

/// Two entries of three words in one cache line: the deepest and the latest.
#[repr(align(64))]
struct Place([AtomicU64; 6]);

// SAFETY: all fields are atomic integers.
unsafe impl Shared for Place {}

const DEEPEST: usize = 0;
const LATEST: usize = 3;

/// The transposition table.
pub struct MidgameTable {
    places: Pages<Place>,
    game: u16,
}

impl MidgameTable {
    /// A table of at most `bytes`, with at least one place: the largest power of two that fits.
    ///
    /// # Errors
    /// When the memory is not available.
    pub fn new(bytes: usize) -> Result<MidgameTable, MemoryError> {
        let places = Pages::new(bytes)?;
        // All of it is soon used, mostly by a search under a clock: page faults are taken now instead of then.
        places.populate();
        Ok(MidgameTable { places, game: 1 })
    }

    /// Clears the table.
    pub fn forget(&mut self) {
        if self.game == u16::MAX {
            self.places.iter().flat_map(|place| &place.0).for_each(|word| word.store(0, Relaxed));
            self.game = 0;
        }
        self.game += 1;
    }

    fn place(&self, position: Position) -> &Place {
        &self.places[hash(position.player, position.opponent) as usize & (self.places.len() - 1)]
    }

    /// Prefetches the place of a position.
    pub fn prefetch(&self, position: Position) {
        prefetch(self.place(position));
    }

    /// The stored entry of a position.
    pub fn probe(&self, position: Position) -> Option<MidgameEntry> {
        let place = self.place(position);
        [DEEPEST, LATEST].into_iter().find_map(|entry| self.known(position, place.read(entry)))
    }

    /// Decodes words, if they are an entry of this position and game.
    fn known(&self, position: Position, [first, second, packed]: Words) -> Option<MidgameEntry> {
        let (entry, game) = MidgameEntry::unpacked(packed);
        let is_its_own = scrambled(position.player, position.opponent, packed) == (first, second);
        (game == self.game && is_its_own).then_some(entry)
    }

    /// Stores an entry. Of two positions in the same place the deeper one stays. Of two searches of one position the
    /// deeper one stays unless it was more selective: without that rule a fifth more nodes are needed.
    pub fn store(&self, position: Position, mut entry: MidgameEntry) {
        let place = self.place(position);
        let deepest = place.read(DEEPEST);
        let in_deepest = self.known(position, deepest);
        if let Some(old) = in_deepest.or_else(|| self.known(position, place.read(LATEST))) {
            if old.is_of(entry.depth.into(), entry.selectivity) && !old.is_like(entry) {
                return;
            }
            entry = entry.narrowed_by(old);
        }
        let packed = entry.packed(self.game);
        let (first, second) = scrambled(position.player, position.opponent, packed);
        let words = [first, second, packed];
        if in_deepest.is_some() {
            return place.write(DEEPEST, words);
        }
        let (other, game) = MidgameEntry::unpacked(deepest[2]);
        if game == self.game && other.depth > entry.depth {
            return place.write(LATEST, words);
        }
        place.write(LATEST, deepest);
        place.write(DEEPEST, words);
    }
}

/// An entry: the position's two words, scrambled, and the packed data.
type Words = [u64; 3];

impl Place {
    fn read(&self, entry: usize) -> Words {
        std::array::from_fn(|word| self.0[entry + word].load(Relaxed))
    }

    fn write(&self, entry: usize, words: Words) {
        for (place, word) in self.0[entry..].iter().zip(words) {
            place.store(word, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8) -> MidgameEntry {
        let selectivity = Selectivity::Usual;
        MidgameEntry {
            lower: i32::from(depth) * -10,
            upper: i32::from(depth) * 10,
            depth,
            selectivity,
            best: 19,
        }
    }

    #[test]
    fn more_memory_than_free_is_refused() {
        assert!(MidgameTable::new(1 << 62).is_err());
    }

    #[test]
    fn the_deepest_and_the_latest_entry_stay() {
        let table = MidgameTable::new(0).unwrap();
        let positions = [1, 2, 4, 8].map(|player| Position::new(player, 0));
        for (position, depth) in positions.into_iter().zip([3, 9, 4, 5]) {
            table.store(position, entry(depth));
        }
        assert_eq!(table.probe(positions[0]), None);
        assert_eq!(table.probe(positions[1]), Some(entry(9)));
        assert_eq!(table.probe(positions[2]), None);
        assert_eq!(table.probe(positions[3]), Some(entry(5)));
    }

    #[test]
    fn a_deeper_search_of_a_position_is_not_replaced_by_a_shallower_one() {
        let table = MidgameTable::new(0).unwrap();
        let [deepest, latest] = [1, 2].map(|player| Position::new(player, 0));
        table.store(deepest, entry(9));
        table.store(latest, entry(7));
        for position in [deepest, latest] {
            table.store(position, entry(3));
        }
        assert_eq!(table.probe(deepest), Some(entry(9)));
        assert_eq!(table.probe(latest), Some(entry(7)));
        table.store(latest, entry(8));
        assert_eq!(table.probe(latest), Some(entry(8)));
    }

    #[test]
    fn a_less_selective_search_replaces_a_deeper_one() {
        let table = MidgameTable::new(0).unwrap();
        let position = Position::new(3, 4);
        for selectivity in Selectivity::ALL {
            for depth in [9, 4, 60] {
                let entry = MidgameEntry { selectivity, ..entry(depth) };
                table.store(position, entry);
                let kept = table.probe(position).unwrap();
                assert!(kept == entry || depth == 4 && kept.depth == 9, "{kept:?} after {entry:?}");
                assert_eq!(kept.selectivity, selectivity);
            }
            table.store(position, MidgameEntry { selectivity, ..entry(60) });
        }
    }

    #[test]
    fn bounds_of_one_depth_are_intersected() {
        let table = MidgameTable::new(0).unwrap();
        let position = Position::new(3, 4);
        table.store(position, MidgameEntry { lower: -INFINITE_EVAL, upper: 70, best: 1, ..entry(5) });
        table.store(position, MidgameEntry { lower: -20, upper: INFINITE_EVAL, best: 2, ..entry(5) });
        assert_eq!(table.probe(position), Some(MidgameEntry { lower: -20, upper: 70, best: 2, ..entry(5) }));
        let contradicting = MidgameEntry { lower: 90, upper: INFINITE_EVAL, best: 3, ..entry(5) };
        table.store(position, contradicting);
        assert_eq!(table.probe(position), Some(contradicting));
    }

    #[test]
    fn an_entry_settles_the_windows_beside_its_bounds() {
        let selectivity = Selectivity::More;
        let entry = MidgameEntry { lower: -20, upper: 70, selectivity, ..entry(5) };
        assert_eq!(entry.settles(5, selectivity, -21, -20), Some(-20));
        assert_eq!(entry.settles(5, selectivity, 70, 71), Some(70));
        assert_eq!(entry.settles(5, selectivity, 0, 1), None);
        assert_eq!(entry.settles(6, selectivity, 70, 71), None, "not deep enough");
        assert_eq!(entry.settles(5, Selectivity::Most, 70, 71), None, "too selective");
        assert_eq!(entry.settles(5, Selectivity::Usual, 70, 71), Some(70));
        assert_eq!(
            MidgameEntry { upper: -20, ..entry }.settles(2, selectivity, -100, 100),
            Some(-20),
            "known exactly"
        );
    }

    #[test]
    fn another_game_finds_no_entry() {
        let mut table = MidgameTable::new(1 << 12).unwrap();
        let position = Position::new(3, 4);
        for _ in 0..=u32::from(u16::MAX) + 1 {
            table.store(position, entry(1));
            assert_eq!(table.probe(position), Some(entry(1)));
            table.forget();
            assert_eq!(table.probe(position), None);
        }
    }

    #[test]
    fn words_of_two_writers_form_no_entry() {
        let (table, other) = (MidgameTable::new(0).unwrap(), MidgameTable::new(0).unwrap());
        let position = Position::new(3, 4);
        table.store(position, entry(7));
        other.store(position, entry(8));
        for word in 0..3 {
            let torn = MidgameTable::new(0).unwrap();
            for at in 0..3 {
                let from = if at == word { &other } else { &table };
                torn.places[0].0[at].store(from.places[0].0[at].load(Relaxed), Relaxed);
            }
            assert_eq!(torn.probe(position), None, "word {word} of another writer");
        }
    }

    #[test]
    fn halves_of_two_positions_with_equal_data_match_neither() {
        let [table, other, torn] = [0; 3].map(|bytes| MidgameTable::new(bytes).unwrap());
        table.store(Position::new(1, 4), entry(7));
        other.store(Position::new(8, 2), entry(7));
        let [theirs, ours] = [&other, &table].map(|table| table.places[0].read(DEEPEST));
        torn.places[0].write(DEEPEST, [ours[0], theirs[1], ours[2]]);
        for position in [(1, 2), (1, 4), (8, 2), (8, 4)].map(|(one, two)| Position::new(one, two)) {
            assert_eq!(torn.probe(position), None, "{position:?}");
        }
    }
}
