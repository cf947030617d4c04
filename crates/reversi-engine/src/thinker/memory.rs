//! What the search has thought of positions before: estimates, shared by all its threads without locks.
//!
//! An entry holds the whole position, its words scrambled as those of the exact search's table are, so that words
//! of two different writers do not pass for an entry.

use super::cuts::Sureness;
use reversi_rules::Position;
use reversi_solver::search::{MemoryError, Pages, Shared, hash, scrambled};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Below and above every value there is.
pub(super) const BEYOND: i32 = i16::MAX as i32;

/// What was found of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Memo {
    /// The value of that depth is at least this, in units of an estimate, for the side to move; at least
    /// `-BEYOND` always.
    pub lower: i32,
    /// It is at most this; at most [`BEYOND`] always.
    pub upper: i32,
    /// Plies of the search, at most 63.
    pub depth: u8,
    /// How sure that search was.
    pub sureness: Sureness,
    /// Square of the best move or [`NO_MOVE`].
    pub best: u8,
}

impl Memo {
    /// Whether it is from a search as deep and as sure as that.
    pub fn is_of(self, depth: u32, sureness: Sureness) -> bool {
        u32::from(self.depth) >= depth && self.sureness >= sureness
    }

    /// The value, if what is remembered settles a window for a search as deep and as sure as that.
    pub fn settles(self, depth: u32, sureness: Sureness, alpha: i32, beta: i32) -> Option<i32> {
        if !self.is_of(depth, sureness) {
            return None;
        }
        if self.lower >= beta || self.lower == self.upper {
            return Some(self.lower);
        }
        (self.upper <= alpha).then_some(self.upper)
    }

    fn is_like(self, other: Memo) -> bool {
        (self.depth, self.sureness) == (other.depth, other.sureness)
    }

    /// Both bounds together, where they come from searches alike and do not contradict each other.
    fn narrowed_by(self, older: Memo) -> Memo {
        let (lower, upper) = (self.lower.max(older.lower), self.upper.min(older.upper));
        if older.is_like(self) && lower <= upper { Memo { lower, upper, ..self } } else { self }
    }

    /// Game 0 is no game, so that an entry never written holds none.
    fn packed(self, game: u16) -> u64 {
        let bound = |value: i32| u64::from(value.clamp(-BEYOND, BEYOND) as i16 as u16);
        bound(self.lower)
            | bound(self.upper) << 16
            | u64::from(self.depth | (self.sureness as u8) << 6) << 32
            | u64::from(self.best) << 40
            | u64::from(game) << 48
    }

    fn unpacked(word: u64) -> (Memo, u16) {
        let bound = |shift: u32| i32::from((word >> shift) as u16 as i16);
        let memo = Memo {
            lower: bound(0),
            upper: bound(16),
            depth: (word >> 32) as u8 & 63,
            sureness: Sureness::ALL[(word >> 38) as usize & 3],
            best: (word >> 40) as u8,
        };
        (memo, (word >> 48) as u16)
    }
}

/// Two entries of three words, in a cache line: the deepest, and the latest.
#[repr(align(64))]
struct Place([AtomicU64; 6]);

// SAFETY: it holds nothing but atomic numbers.
unsafe impl Shared for Place {}

const DEEPEST: usize = 0;
const LATEST: usize = 3;

/// The table.
pub(super) struct Memory {
    places: Pages<Place>,
    game: u16,
}

impl Memory {
    /// A table of at most `bytes`, at least one place: the largest power of two that fits.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn new(bytes: usize) -> Result<Memory, MemoryError> {
        let places = Pages::new(bytes)?;
        // All of it is soon used, and mostly by a search that a clock runs for.
        places.populate();
        Ok(Memory { places, game: 1 })
    }

    /// From now on nothing is known.
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

    /// What is known of the position.
    pub fn probe(&self, position: Position) -> Option<Memo> {
        let place = self.place(position);
        [DEEPEST, LATEST].into_iter().find_map(|entry| self.known(position, place.read(entry)))
    }

    /// What an entry says of the position, if it is the position's, of this game.
    fn known(&self, position: Position, [first, second, packed]: Words) -> Option<Memo> {
        let (memo, game) = Memo::unpacked(packed);
        let is_its_own = scrambled(position.player, position.opponent, packed) == (first, second);
        (game == self.game && is_its_own).then_some(memo)
    }

    /// Remembers; of two positions in the same place the deeper one stays. Of two searches of one position the
    /// deeper one stays unless it was less sure: without that a fifth more nodes are needed.
    pub fn store(&self, position: Position, mut memo: Memo) {
        let place = self.place(position);
        let deepest = place.read(DEEPEST);
        let in_deepest = self.known(position, deepest);
        if let Some(old) = in_deepest.or_else(|| self.known(position, place.read(LATEST))) {
            if old.is_of(memo.depth.into(), memo.sureness) && !old.is_like(memo) {
                return;
            }
            memo = memo.narrowed_by(old);
        }
        let packed = memo.packed(self.game);
        let (first, second) = scrambled(position.player, position.opponent, packed);
        let words = [first, second, packed];
        if in_deepest.is_some() {
            return place.write(DEEPEST, words);
        }
        let (other, game) = Memo::unpacked(deepest[2]);
        if game == self.game && other.depth > memo.depth {
            return place.write(LATEST, words);
        }
        place.write(LATEST, deepest);
        place.write(DEEPEST, words);
    }
}

/// An entry: the position's two words, scrambled, and the memo.
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

    fn memo(depth: u8) -> Memo {
        let sureness = Sureness::Usual;
        Memo { lower: i32::from(depth) * -10, upper: i32::from(depth) * 10, depth, sureness, best: 19 }
    }

    #[test]
    fn more_memory_than_there_is_is_refused() {
        assert!(Memory::new(1 << 62).is_err());
    }

    #[test]
    fn the_deepest_and_the_latest_stay() {
        let memory = Memory::new(0).unwrap();
        let positions = [1, 2, 4, 8].map(|player| Position::new(player, 0));
        for (position, depth) in positions.into_iter().zip([3, 9, 4, 5]) {
            memory.store(position, memo(depth));
        }
        assert_eq!(memory.probe(positions[0]), None);
        assert_eq!(memory.probe(positions[1]), Some(memo(9)));
        assert_eq!(memory.probe(positions[2]), None);
        assert_eq!(memory.probe(positions[3]), Some(memo(5)));
    }

    #[test]
    fn a_deeper_search_of_a_position_is_not_forgotten_for_a_shallower_one() {
        let memory = Memory::new(0).unwrap();
        let [deepest, latest] = [1, 2].map(|player| Position::new(player, 0));
        memory.store(deepest, memo(9));
        memory.store(latest, memo(7));
        for position in [deepest, latest] {
            memory.store(position, memo(3));
        }
        assert_eq!(memory.probe(deepest), Some(memo(9)));
        assert_eq!(memory.probe(latest), Some(memo(7)));
        memory.store(latest, memo(8));
        assert_eq!(memory.probe(latest), Some(memo(8)));
    }

    #[test]
    fn a_surer_search_takes_the_place_of_a_deeper_one() {
        let memory = Memory::new(0).unwrap();
        let position = Position::new(3, 4);
        for sureness in Sureness::ALL {
            for depth in [9, 4, 60] {
                let memo = Memo { sureness, ..memo(depth) };
                memory.store(position, memo);
                let kept = memory.probe(position).unwrap();
                assert!(kept == memo || depth == 4 && kept.depth == 9, "{kept:?} after {memo:?}");
                assert_eq!(kept.sureness, sureness);
            }
            memory.store(position, Memo { sureness, ..memo(60) });
        }
    }

    #[test]
    fn bounds_of_one_depth_are_taken_together() {
        let memory = Memory::new(0).unwrap();
        let position = Position::new(3, 4);
        memory.store(position, Memo { lower: -BEYOND, upper: 70, best: 1, ..memo(5) });
        memory.store(position, Memo { lower: -20, upper: BEYOND, best: 2, ..memo(5) });
        assert_eq!(memory.probe(position), Some(Memo { lower: -20, upper: 70, best: 2, ..memo(5) }));
        let contradicting = Memo { lower: 90, upper: BEYOND, best: 3, ..memo(5) };
        memory.store(position, contradicting);
        assert_eq!(memory.probe(position), Some(contradicting));
    }

    #[test]
    fn a_memo_settles_the_windows_beside_its_bounds() {
        let sureness = Sureness::More;
        let memo = Memo { lower: -20, upper: 70, sureness, ..memo(5) };
        assert_eq!(memo.settles(5, sureness, -21, -20), Some(-20));
        assert_eq!(memo.settles(5, sureness, 70, 71), Some(70));
        assert_eq!(memo.settles(5, sureness, 0, 1), None);
        assert_eq!(memo.settles(6, sureness, 70, 71), None, "not deep enough");
        assert_eq!(memo.settles(5, Sureness::Most, 70, 71), None, "not sure enough");
        assert_eq!(memo.settles(5, Sureness::Usual, 70, 71), Some(70));
        assert_eq!(Memo { upper: -20, ..memo }.settles(2, sureness, -100, 100), Some(-20), "known exactly");
    }

    #[test]
    fn another_game_knows_nothing() {
        let mut memory = Memory::new(1 << 12).unwrap();
        let position = Position::new(3, 4);
        for _ in 0..=u32::from(u16::MAX) + 1 {
            memory.store(position, memo(1));
            assert_eq!(memory.probe(position), Some(memo(1)));
            memory.forget();
            assert_eq!(memory.probe(position), None);
        }
    }

    #[test]
    fn words_of_two_writers_are_no_entry() {
        let (memory, other) = (Memory::new(0).unwrap(), Memory::new(0).unwrap());
        let position = Position::new(3, 4);
        memory.store(position, memo(7));
        other.store(position, memo(8));
        for word in 0..3 {
            let torn = Memory::new(0).unwrap();
            for at in 0..3 {
                let from = if at == word { &other } else { &memory };
                torn.places[0].0[at].store(from.places[0].0[at].load(Relaxed), Relaxed);
            }
            assert_eq!(torn.probe(position), None, "word {word} of another writer");
        }
    }

    #[test]
    fn halves_of_two_positions_of_which_the_same_was_found_are_neither() {
        let [memory, other, torn] = [0; 3].map(|bytes| Memory::new(bytes).unwrap());
        memory.store(Position::new(1, 4), memo(7));
        other.store(Position::new(8, 2), memo(7));
        let [theirs, ours] = [&other, &memory].map(|memory| memory.places[0].read(DEEPEST));
        torn.places[0].write(DEEPEST, [ours[0], theirs[1], ours[2]]);
        for position in [(1, 2), (1, 4), (8, 2), (8, 4)].map(|(one, two)| Position::new(one, two)) {
            assert_eq!(torn.probe(position), None, "{position:?}");
        }
    }
}
