//! Transposition table of exact bounds, lockless and shared by all threads.
//!
//! An entry holds the whole position, so hash collisions cannot give a wrong hit. Its three words are written one by
//! one. The first two are scrambled with each other and with the third, invertibly, so that words of two writers
//! practically never form a valid entry (after Hyatt and Mann, "A lock-less transposition table implementation for
//! parallel search", ICGA Journal 2002).
//!
//! A bucket of entries is one cache line: with slow memory a second line would cost more than a wider choice for
//! replacement saves.

use crate::pages::{MemoryError, Pages, Shared};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Bounds of a position's score in discs, and the move that proved them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Lower bound of the score.
    pub lower: i8,
    /// Upper bound of the score.
    pub upper: i8,
    /// Square of the hash move, or [`NO_MOVE`].
    pub best: u8,
}

impl Bounds {
    /// The bound that decides whether the score is above `alpha`, if one does.
    #[inline(always)]
    pub fn settles(self, alpha: i32) -> Option<i32> {
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if lower > alpha {
            return Some(lower);
        }
        (upper <= alpha).then_some(upper)
    }

    /// The same for a window: the exact score, or a bound outside the window.
    pub fn settles_window(self, alpha: i32, beta: i32) -> Option<i32> {
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if lower >= beta || lower == upper {
            return Some(lower);
        }
        (upper <= alpha).then_some(upper)
    }

    /// The intersection: both pairs of bounds are proved, so their intersection is too. The move stays the one that
    /// proves the lower bound: a search that failed low has proved no move.
    pub fn join(self, new: Bounds) -> Bounds {
        Bounds {
            lower: self.lower.max(new.lower),
            upper: self.upper.min(new.upper),
            best: if new.lower >= self.lower { new.best } else { self.best },
        }
    }
}

/// No hash move, in entries of transposition tables.
pub const NO_MOVE: u8 = 255;

const ENTRIES_PER_BUCKET: usize = 3;

/// The entries of one cache line, word by word; the last data word is unused.
#[repr(C, align(64))]
struct Bucket {
    first: [AtomicU64; ENTRIES_PER_BUCKET],
    second: [AtomicU64; ENTRIES_PER_BUCKET],
    data: [AtomicU32; ENTRIES_PER_BUCKET + 1],
}

const _: () = assert!(size_of::<Bucket>() == 64, "a bucket is a cache line");

// SAFETY: all fields are atomic integers.
unsafe impl Shared for Bucket {}

/// The transposition table.
pub struct TranspositionTable {
    buckets: Pages<Bucket>,
    generation: AtomicU8,
    /// Number of buckets ever used, from the first on; the others have never been written.
    used: AtomicUsize,
}

impl TranspositionTable {
    /// A table of at most `bytes`: the largest power of two of buckets that fits.
    ///
    /// # Errors
    /// When fewer than `bytes` bytes are free, even if the table itself would be smaller: the caller's limit is wrong
    /// for this machine.
    pub fn new(bytes: usize) -> Result<TranspositionTable, MemoryError> {
        let (generation, used) = (AtomicU8::new(1), AtomicUsize::new(0));
        Ok(TranspositionTable { buckets: Pages::new(bytes)?, generation, used })
    }

    /// Reserves the memory now, see [`Pages::populate`].
    pub fn populate(&self) {
        self.buckets.populate();
    }

    /// Clears the table: later searches do not depend on earlier ones.
    pub fn forget(&self) {
        let written = &self.buckets[..self.used.load(Relaxed)];
        written.iter().for_each(Bucket::clear);
        self.generation.store(1, Relaxed);
    }

    /// The whole table, without a new generation: for a search that continues earlier ones.
    pub fn whole(&self) -> TablePart<'_> {
        self.part_of(self.buckets.len(), self.generation.load(Relaxed))
    }

    /// A part of about `bytes` for one search: a small search in a small part stays in the caches. Entries of earlier
    /// searches in the part are replaced first; entries outside the part are not found.
    pub fn part(&self, bytes: usize) -> TablePart<'_> {
        let generation = self.generation.fetch_add(1, Relaxed).wrapping_add(1);
        let wanted = (bytes / size_of::<Bucket>()).max(1).next_power_of_two();
        self.part_of(wanted.min(self.buckets.len()), generation)
    }

    fn part_of(&self, buckets: usize, generation: u8) -> TablePart<'_> {
        self.used.fetch_max(buckets, Relaxed);
        TablePart::new(&self.buckets[..buckets], generation)
    }
}

/// The part of the table that one search uses. Its size and generation do not depend on other searches.
#[derive(Clone, Copy)]
pub struct TablePart<'a> {
    /// The buckets, a power of two.
    buckets: &'a [Bucket],
    /// From 1 to 7, never the 0 of an empty entry. After seven searches the numbers repeat, and an old entry counts
    /// as new.
    generation: u8,
}

impl<'a> TablePart<'a> {
    fn new(buckets: &'a [Bucket], generation: u8) -> TablePart<'a> {
        debug_assert!(buckets.len().is_power_of_two(), "a mask picks one");
        TablePart { buckets, generation: generation % 7 + 1 }
    }

    #[inline(always)]
    fn bucket(self, hash: u64) -> &'a Bucket {
        &self.buckets[hash as usize & (self.buckets.len() - 1)]
    }

    /// Prefetches the bucket of this hash.
    #[inline(always)]
    pub fn prefetch(self, hash: u64) {
        prefetch(self.bucket(hash));
    }

    /// The stored bounds of a position.
    #[inline]
    pub fn probe(self, player: u64, opponent: u64, hash: u64) -> Option<Bounds> {
        let (bucket, words) = (self.bucket(hash), Scrambled::of(player, opponent));
        (0..ENTRIES_PER_BUCKET).find_map(|place| bucket.find(place, words)).map(Data::bounds)
    }

    /// Stores proved bounds. Bounds of the same position are intersected, since all are proved; otherwise the
    /// cheapest entry is replaced, old generations first. `cost` is the binary logarithm of the nodes searched.
    pub fn store(self, player: u64, opponent: u64, hash: u64, proved: Bounds, cost: u8) {
        let (bucket, words) = (self.bucket(hash), Scrambled::of(player, opponent));
        let (mut victim, mut least) = (0, u32::MAX);
        let mut joined = proved;
        for place in 0..ENTRIES_PER_BUCKET {
            if let Some(known) = bucket.find(place, words) {
                joined = known.bounds().join(proved);
                victim = place;
                break;
            }
            let worth = Data(bucket.data[place].load(Relaxed)).worth(self.generation);
            if worth < least {
                (least, victim) = (worth, place);
            }
        }
        bucket.put(victim, words, Data::new(joined, cost, self.generation));
    }

    /// How many entries it can hold.
    pub fn capacity(self) -> usize {
        self.buckets.len() * ENTRIES_PER_BUCKET
    }

    /// All entries: the two words of each, its bounds and its cost. Where two threads wrote to one place at a time, the
    /// words are arbitrary.
    pub fn entries(self) -> impl Iterator<Item = (u64, u64, Bounds, u8)> + 'a {
        let places =
            self.buckets.iter().flat_map(|bucket| (0..ENTRIES_PER_BUCKET).map(move |place| (bucket, place)));
        places.filter_map(|(bucket, place)| bucket.entry(place))
    }
}

/// Prefetches data that will soon be read.
#[inline(always)]
pub(crate) fn prefetch<T>(soon_read: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no architectural effect and never faults.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(std::ptr::from_ref(soon_read).cast(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon_read;
}

impl Bucket {
    /// The data of an entry, if the entry is of this position.
    #[inline(always)]
    fn find(&self, place: usize, words: Scrambled) -> Option<Data> {
        let data = Data(self.data[place].load(Relaxed));
        let (first, second) = words.salted(data.salt());
        let same = self.first[place].load(Relaxed) == first && self.second[place].load(Relaxed) == second;
        same.then_some(data)
    }

    /// What stands in a place, unless it is empty.
    fn entry(&self, place: usize) -> Option<(u64, u64, Bounds, u8)> {
        let data = Data(self.data[place].load(Relaxed));
        let salted =
            Scrambled { first: self.first[place].load(Relaxed), second: self.second[place].load(Relaxed) };
        // Salted twice it is as before.
        let (first, second) = salted.salted(data.salt());
        let (player, opponent) = Scrambled { first, second }.words();
        (data.0 != 0).then(|| (player, opponent, data.bounds(), data.cost()))
    }

    fn clear(&self) {
        self.first.iter().chain(&self.second).for_each(|word| word.store(0, Relaxed));
        self.data.iter().for_each(|data| data.store(0, Relaxed));
    }

    fn put(&self, place: usize, words: Scrambled, data: Data) {
        let (first, second) = words.salted(data.salt());
        self.first[place].store(first, Relaxed);
        self.second[place].store(second, Relaxed);
        self.data[place].store(data.0, Relaxed);
    }
}

/// Hash of a position: a folded 128-bit product of both masks.
#[inline]
pub fn hash(player: u64, opponent: u64) -> u64 {
    let product = u128::from(player ^ 0x9E37_79B9_7F4A_7C15)
        * u128::from(opponent.rotate_left(29) ^ 0xD6E8_FEB8_6659_FD93);
    let folded = (product as u64) ^ (product >> 64) as u64;
    (folded ^ player).wrapping_mul(0xA076_1D64_78BD_642F) ^ (folded >> 32)
}

/// The position's two words in an entry, scrambled by two rounds of a Feistel network and salted with the third word.
/// Invertible, so that no other position has the same two words. Words that are all zero decode to discs of
/// both sides on one square, which is no position.
#[inline(always)]
pub fn scrambled(player: u64, opponent: u64, salt: u64) -> (u64, u64) {
    Scrambled::of(player, opponent).salted(salt)
}

/// A position's two words before they are salted: computed once for all entries of a bucket.
#[derive(Clone, Copy)]
struct Scrambled {
    first: u64,
    second: u64,
}

impl Scrambled {
    #[inline(always)]
    fn of(player: u64, opponent: u64) -> Scrambled {
        let first = player ^ Scrambled::round(opponent);
        Scrambled { first, second: opponent ^ Scrambled::round(first) }
    }

    /// The words that were scrambled.
    fn words(self) -> (u64, u64) {
        let opponent = self.second ^ Scrambled::round(self.first);
        (self.first ^ Scrambled::round(opponent), opponent)
    }

    #[inline(always)]
    fn round(word: u64) -> u64 {
        word.wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0x2545_F491_4F6C_DD1D).rotate_left(32)
    }

    /// A salt of 0 changes nothing.
    #[inline(always)]
    fn salted(self, salt: u64) -> (u64, u64) {
        let mixed = salt.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (self.first ^ mixed, self.second ^ mixed.rotate_left(32))
    }
}

/// The third word: lower, upper, best, and one byte with the cost (5 bits) and the generation (3 bits).
#[derive(Clone, Copy)]
struct Data(u32);

impl Data {
    fn new(bounds: Bounds, cost: u8, generation: u8) -> Data {
        let age = cost.min(31) | generation << 5;
        Data(u32::from_le_bytes([bounds.lower as u8, bounds.upper as u8, bounds.best, age]))
    }

    #[inline(always)]
    fn salt(self) -> u64 {
        u64::from(self.0)
    }

    #[inline]
    fn bounds(self) -> Bounds {
        let [lower, upper, best, _] = self.0.to_le_bytes();
        Bounds { lower: lower as i8, upper: upper as i8, best }
    }

    /// Binary logarithm of the nodes searched.
    fn cost(self) -> u8 {
        self.0.to_le_bytes()[3] & 31
    }

    /// Replacement value: higher is kept longer; an empty entry has 0.
    fn worth(self, generation: u8) -> u32 {
        let [.., age] = self.0.to_le_bytes();
        u32::from(self.cost()) + if age >> 5 == generation { 32 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOSING: Bounds = Bounds { lower: -36, upper: -4, best: 9 };
    const DRAWING: Bounds = Bounds { lower: 0, upper: 36, best: 3 };

    #[test]
    fn a_stored_entry_is_found_and_no_other() {
        let table = TranspositionTable::new(1 << 16).unwrap();
        let part = table.whole();
        for n in 1..200u64 {
            let (player, opponent) = (n, n << 20);
            part.store(player, opponent, hash(player, opponent), DRAWING, 5);
            assert_eq!(part.probe(player, opponent, hash(player, opponent)), Some(DRAWING));
            assert_eq!(part.probe(opponent, player, hash(opponent, player)), None);
        }
    }

    #[test]
    fn all_entries_are_listed_as_they_were_stored() {
        let table = TranspositionTable::new(1 << 16).unwrap();
        let part = table.whole();
        let stored: Vec<_> = (1..200).map(|n: u64| (n, n << 20, DRAWING, n as u8 % 32)).collect();
        for &(player, opponent, bounds, cost) in &stored {
            part.store(player, opponent, hash(player, opponent), bounds, cost);
        }
        let mut listed: Vec<_> = part.entries().collect();
        listed.sort_unstable_by_key(|entry| entry.0);
        assert_eq!(listed, stored);
    }

    #[test]
    fn bounds_of_one_position_are_joined_and_the_move_proves_the_lower_one() {
        let table = TranspositionTable::new(1).unwrap();
        let (part, key) = (table.whole(), hash(1, 2));
        part.store(1, 2, key, DRAWING, 1);
        part.store(1, 2, key, Bounds { lower: -36, upper: 0, best: 7 }, 1);
        assert_eq!(part.probe(1, 2, key), Some(Bounds { lower: 0, upper: 0, best: 3 }));
    }

    #[test]
    fn the_cheapest_entry_is_replaced_and_old_ones_before_it() {
        let table = TranspositionTable::new(1).unwrap();
        let keys: Vec<u64> = (1..=3).map(|n| hash(n, 1 << 40)).collect();
        let part = table.whole();
        for (n, &key) in (1..=3).zip(&keys) {
            part.store(n, 1 << 40, key, LOSING, 10 + n as u8);
        }
        part.store(4, 1 << 40, hash(4, 1 << 40), LOSING, 1);
        assert_eq!(part.probe(1, 1 << 40, keys[0]), None, "it was the cheapest");
        assert!(part.probe(3, 1 << 40, keys[2]).is_some());
        let part = table.part(1);
        part.store(5, 1 << 40, hash(5, 1 << 40), LOSING, 1);
        part.store(6, 1 << 40, hash(6, 1 << 40), LOSING, 1);
        assert!(part.probe(5, 1 << 40, hash(5, 1 << 40)).is_some(), "an old one had to go");
    }

    #[test]
    fn an_empty_place_is_used_before_an_entry_is_replaced() {
        let table = TranspositionTable::new(1).unwrap();
        for generation in 0..20 {
            table.buckets[0].data.iter().for_each(|data| data.store(0, Relaxed));
            for n in 1..=3 {
                table.part(1).store(n, generation << 40, hash(n, generation << 40), LOSING, 200);
            }
            for n in 1..=3 {
                let key = hash(n, generation << 40);
                assert_eq!(table.whole().probe(n, generation << 40, key), Some(LOSING), "{generation} {n}");
            }
        }
    }

    #[test]
    fn a_search_keeps_its_part_during_other_searches() {
        let table = TranspositionTable::new(1 << 12).unwrap();
        let large = table.part(1 << 12);
        let keys: Vec<u64> = (0..64).map(|n| hash(1 << n, 0)).collect();
        let held = |part: TablePart| (0..64).filter(|&n| part.probe(1 << n, 0, keys[n]).is_some()).count();
        for (n, &key) in keys.iter().enumerate() {
            large.store(1 << n, 0, key, LOSING, 1);
        }
        let before = held(large);
        let small = table.part(1);
        assert!(before > 50 && held(large) == before && held(small) <= ENTRIES_PER_BUCKET);
    }

    #[test]
    fn a_cleared_table_equals_a_new_one() {
        let table = TranspositionTable::new(1 << 12).unwrap();
        for bytes in [1 << 12, 1, 1 << 11] {
            let part = table.part(bytes);
            for n in 1..=100 {
                part.store(n, n << 20, hash(n, n << 20), DRAWING, 3);
            }
            table.forget();
            assert_eq!((1..=100).find_map(|n| table.whole().probe(n, n << 20, hash(n, n << 20))), None);
            let data = table.buckets.iter().flat_map(|bucket| &bucket.data);
            assert!(data.into_iter().all(|data| data.load(Relaxed) == 0));
            assert_eq!(table.whole().generation, TranspositionTable::new(1).unwrap().whole().generation);
        }
    }

    #[test]
    fn zero_words_are_no_position() {
        let opponent = scrambled(0, 0, 0).0;
        let player = scrambled(0, opponent, 0).0;
        assert_eq!(scrambled(player, opponent, 0), (0, 0));
        assert_ne!(player & opponent, 0, "no two discs share a square");
        assert_ne!(!player & opponent, 0, "in a selective pass the words share all of the opponent's");
    }

    #[test]
    fn words_of_different_writers_form_no_entry() {
        let table = TranspositionTable::new(1).unwrap();
        let bucket = &table.buckets[0];
        let agreed = || (0..3).find_map(|place| bucket.find(place, Scrambled::of(1, 2)));
        bucket.put(0, Scrambled::of(1, 2), Data::new(DRAWING, 1, 1));
        assert_eq!(agreed().map(Data::bounds), Some(DRAWING));
        bucket.data[0].store(Data::new(LOSING, 1, 1).0, Relaxed);
        assert!(agreed().is_none(), "what another writer proved");
        // Two positions with equal data: a mixture of their words decodes to neither.
        bucket.put(0, Scrambled::of(1, 4), Data::new(DRAWING, 1, 1));
        bucket.put(1, Scrambled::of(8, 2), Data::new(DRAWING, 1, 1));
        bucket.second[0].store(bucket.second[1].load(Relaxed), Relaxed);
        assert!(agreed().is_none(), "the player of one and the opponent of the other");
    }

    #[test]
    fn concurrent_writes_are_found_whole_or_not_at_all() {
        let table = TranspositionTable::new(1).unwrap();
        let found = std::sync::atomic::AtomicU64::new(0);
        let some_position = |random: &mut fastrand::Rng| (random.u64(1..8), random.u64(1..8) << 3);
        let bounds = |(player, opponent)| {
            let discs = (player | opponent) as i8;
            Bounds { lower: -discs, upper: discs, best: discs as u8 }
        };
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (part, found) = (table.whole(), &found);
                scope.spawn(move || {
                    let mut random = fastrand::Rng::with_seed(thread);
                    for _ in 0..50_000 {
                        let (one, other) = (some_position(&mut random), some_position(&mut random));
                        part.store(one.0, one.1, hash(one.0, one.1), bounds(one), 1);
                        if let Some(known) = part.probe(other.0, other.1, hash(other.0, other.1)) {
                            assert_eq!(known, bounds(other));
                            found.fetch_add(1, Relaxed);
                        }
                    }
                });
            }
        });
        assert!(found.into_inner() > 1000);
    }
}
