//! What the search has proved about positions, shared by all its threads without locks.
//!
//! An entry holds the whole position, so a hit is never a coincidence of hashes. Its three words are
//! written one by one; the first two are scrambled with each other and with the third, in a way that can be
//! undone, so that words of two different writers do not pass for an entry (after Hyatt and Mann, "A lock-less
//! transposition table implementation for parallel search", ICGA Journal 2002).
//!
//! A bucket of entries is one cache line: where memory is slow, a second line would cost more than a
//! few more entries to choose from save.

use memmap2::{MmapMut, MmapRaw};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Bounds on a position's score and the move that proved them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    /// The score is at least this.
    pub lower: i8,
    /// The score is at most this.
    pub upper: i8,
    /// Square of the move to try first, or [`NO_MOVE`].
    pub best: u8,
}

/// "No move known" in [`Bounds::best`].
pub(crate) const NO_MOVE: u8 = 255;

const ENTRIES_PER_BUCKET: usize = 3;

/// Entries that share a cache line, word by word; the last of the data is unused.
#[repr(C, align(64))]
struct Bucket {
    first: [AtomicU64; ENTRIES_PER_BUCKET],
    second: [AtomicU64; ENTRIES_PER_BUCKET],
    data: [AtomicU32; ENTRIES_PER_BUCKET + 1],
}

/// Bytes of a bucket, the smallest table there is.
pub(crate) const BUCKET_BYTES: usize = size_of::<Bucket>();
const _: () = assert!(BUCKET_BYTES == 64, "a cache line");

/// The memory asked for cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// More than the machine has free.
    #[error(
        "{} of memory asked for, but only {} are free on this machine; ask for less with --memory",
        in_words(*asked),
        rounded_down(*free)
    )]
    TooMuch {
        /// Bytes asked for.
        asked: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// The operating system refused.
    #[error("{} of memory cannot be reserved ({source}); ask for less with --memory", in_words(*asked))]
    Refused {
        /// Bytes asked for.
        asked: u64,
        /// What the system said.
        source: std::io::Error,
    },
}

/// The table.
pub(crate) struct TranspositionTable {
    memory: MmapRaw,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A table of at most `bytes`: the largest power of two of buckets that fits.
    ///
    /// # Errors
    /// When the machine has not as much as `bytes`, though the table may be smaller: who asks for more than
    /// there is should know.
    pub fn new(bytes: usize) -> Result<TranspositionTable, MemoryError> {
        let asked = check_free(bytes)?;
        let buckets = (bytes / BUCKET_BYTES).max(1);
        let buckets = 1usize << buckets.ilog2();
        let memory = MmapMut::map_anon(buckets * BUCKET_BYTES)
            .map(MmapRaw::from)
            .map_err(|source| MemoryError::Refused { asked, source })?;
        #[cfg(target_os = "linux")]
        // Only speed depends on it.
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(TranspositionTable { memory, generation: AtomicU8::new(1) })
    }

    /// All of it, for a search that goes on where others left off.
    pub fn whole(&self) -> Part<'_> {
        Part::new(self.buckets(), self.generation.load(Relaxed))
    }

    /// About `bytes` of it, for a search of its own: a small search in a small part stays in the caches. What others
    /// have stored there is the first to be replaced; what they have stored elsewhere is merely not found.
    pub fn part(&self, bytes: usize) -> Part<'_> {
        let generation = self.generation.fetch_add(1, Relaxed).wrapping_add(1);
        let wanted = (bytes / BUCKET_BYTES).max(1).next_power_of_two();
        let buckets = self.buckets();
        Part::new(&buckets[..wanted.min(buckets.len())], generation)
    }

    fn buckets(&self) -> &[Bucket] {
        let buckets = self.memory.as_mut_ptr().cast::<Bucket>();
        // SAFETY: the map is page aligned, its length a multiple of a bucket's, it is only ever read and
        // written through these atomics, and any bit pattern is a bucket.
        unsafe { std::slice::from_raw_parts(buckets, self.memory.len() / BUCKET_BYTES) }
    }
}

/// What one search uses of the table: how much is its own affair, whoever else searches meanwhile.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    /// A power of two of them.
    buckets: &'a [Bucket],
    /// From 1 to 7, so that no entry that was written passes for an empty one; after seven searches an old entry
    /// passes for new again.
    generation: u8,
}

impl<'a> Part<'a> {
    fn new(buckets: &'a [Bucket], generation: u8) -> Part<'a> {
        debug_assert!(buckets.len().is_power_of_two(), "a mask picks one");
        Part { buckets, generation: generation % 7 + 1 }
    }

    #[inline(always)]
    fn bucket(self, hash: u64) -> &'a Bucket {
        &self.buckets[hash as usize & (self.buckets.len() - 1)]
    }

    /// Asks the processor to fetch the bucket of this hash.
    #[inline(always)]
    pub fn prefetch(self, hash: u64) {
        prefetch(self.bucket(hash));
    }

    /// What is known about the position.
    #[inline]
    pub fn probe(self, player: u64, opponent: u64, hash: u64) -> Option<Bounds> {
        let bucket = self.bucket(hash);
        (0..ENTRIES_PER_BUCKET).find_map(|place| bucket.find(place, player, opponent)).map(Data::bounds)
    }

    /// Adds what has been proved: bounds of the same position are joined, for all are true; else the
    /// entry that cost least, old ones first, gives way. `cost` is the logarithm of the nodes it took.
    pub fn store(self, player: u64, opponent: u64, hash: u64, proved: Bounds, cost: u8) {
        let bucket = self.bucket(hash);
        let (mut victim, mut least) = (0, u32::MAX);
        let mut joined = proved;
        for place in 0..ENTRIES_PER_BUCKET {
            if let Some(known) = bucket.find(place, player, opponent) {
                joined = join(known.bounds(), proved);
                victim = place;
                break;
            }
            let worth = Data(bucket.data[place].load(Relaxed)).worth(self.generation);
            if worth < least {
                (least, victim) = (worth, place);
            }
        }
        bucket.put(victim, player, opponent, Data::new(joined, cost, self.generation));
    }
}

/// Asks the processor to fetch what will soon be read.
#[inline(always)]
pub(super) fn prefetch<T>(soon_read: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(std::ptr::from_ref(soon_read).cast(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon_read;
}

impl Bucket {
    /// What the entry says, if it is this position's.
    #[inline(always)]
    fn find(&self, place: usize, player: u64, opponent: u64) -> Option<Data> {
        let data = Data(self.data[place].load(Relaxed));
        let (first, second) = scrambled(player, opponent, data);
        let same = self.first[place].load(Relaxed) == first && self.second[place].load(Relaxed) == second;
        same.then_some(data)
    }

    fn put(&self, place: usize, player: u64, opponent: u64, data: Data) {
        let (first, second) = scrambled(player, opponent, data);
        self.first[place].store(first, Relaxed);
        self.second[place].store(second, Relaxed);
        self.data[place].store(data.0, Relaxed);
    }
}

/// Where a position goes: a folded 128-bit product of both masks.
#[inline]
pub(crate) fn hash(player: u64, opponent: u64) -> u64 {
    let product = u128::from(player ^ 0x9E37_79B9_7F4A_7C15)
        * u128::from(opponent.rotate_left(29) ^ 0xD6E8_FEB8_6659_FD93);
    let folded = (product as u64) ^ (product >> 64) as u64;
    (folded ^ player).wrapping_mul(0xA076_1D64_78BD_642F) ^ (folded >> 32)
}

/// The position's two words in an entry with these data: two rounds of a Feistel network, so that no other
/// position has the same two. Words of nothing, all zero, are those of a position with a disc of both sides on
/// one square.
#[inline(always)]
fn scrambled(player: u64, opponent: u64, data: Data) -> (u64, u64) {
    let round = |word: u64| {
        (word ^ u64::from(data.0) << 32)
            .wrapping_add(0x9E37_79B9_7F4A_7C15)
            .wrapping_mul(0x2545_F491_4F6C_DD1D)
    };
    let first = player ^ round(opponent).rotate_left(32);
    (first, opponent ^ round(first).rotate_left(32))
}

/// Both sets of bounds are true, so their intersection is. The move stays the one that proves the
/// lower bound: a search that failed low has refuted all moves and proved none of them.
fn join(old: Bounds, new: Bounds) -> Bounds {
    Bounds {
        lower: old.lower.max(new.lower),
        upper: old.upper.min(new.upper),
        best: if new.lower >= old.lower { new.best } else { old.best },
    }
}

/// The third word: lower, upper, best, and in one byte the cost (5 bits) and the generation (3).
#[derive(Clone, Copy)]
struct Data(u32);

impl Data {
    fn new(bounds: Bounds, cost: u8, generation: u8) -> Data {
        let age = cost.min(31) | generation << 5;
        Data(u32::from_le_bytes([bounds.lower as u8, bounds.upper as u8, bounds.best, age]))
    }

    #[inline]
    fn bounds(self) -> Bounds {
        let [lower, upper, best, _] = self.0.to_le_bytes();
        Bounds { lower: lower as i8, upper: upper as i8, best }
    }

    /// How dear the entry is; an empty one costs nothing.
    fn worth(self, generation: u8) -> u32 {
        let [.., age] = self.0.to_le_bytes();
        u32::from(age & 31) + if age >> 5 == generation { 32 } else { 0 }
    }
}

/// The bytes, if they can be had.
///
/// # Errors
/// [`MemoryError::TooMuch`] if they are more than the machine has free, as far as it tells.
pub(crate) fn check_free(bytes: usize) -> Result<u64, MemoryError> {
    let asked = bytes as u64;
    match free_memory().filter(|&free| asked > free) {
        Some(free) => Err(MemoryError::TooMuch { asked, free }),
        None => Ok(asked),
    }
}

/// An amount as it is typed: in the largest unit of which it is a whole number.
fn in_words(bytes: u64) -> String {
    let units = [(30, "G"), (20, "M"), (10, "K")];
    match units.into_iter().find(|(shift, _)| bytes != 0 && bytes.is_multiple_of(1 << shift)) {
        Some((shift, unit)) => format!("{}{unit}", bytes >> shift),
        None => format!("{bytes} bytes"),
    }
}

/// No more than an amount, in tenths of G or whole M.
fn rounded_down(bytes: u64) -> String {
    match bytes >> 30 {
        0 => format!("{}M", bytes >> 20),
        _ => format!("{:.1}G", ((bytes >> 20) * 10 / 1024) as f64 / 10.0),
    }
}

/// Bytes that can be had without driving others out, where the system tells.
pub(crate) fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOSING: Bounds = Bounds { lower: -36, upper: -4, best: 9 };
    const DRAWING: Bounds = Bounds { lower: 0, upper: 36, best: 3 };

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
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
    fn bounds_of_one_position_are_joined_and_the_move_proves_the_lower_one() {
        let table = TranspositionTable::new(1).unwrap();
        let (part, key) = (table.whole(), hash(1, 2));
        part.store(1, 2, key, DRAWING, 1);
        part.store(1, 2, key, Bounds { lower: -36, upper: 0, best: 7 }, 1);
        assert_eq!(part.probe(1, 2, key), Some(Bounds { lower: 0, upper: 0, best: 3 }));
    }

    #[test]
    fn the_cheapest_entry_gives_way_and_old_ones_before_it() {
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
    fn an_empty_place_is_taken_before_anything_is_thrown_out() {
        let table = TranspositionTable::new(1).unwrap();
        for generation in 0..20 {
            table.buckets()[0].data.iter().for_each(|data| data.store(0, Relaxed));
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
    fn a_search_keeps_its_part_whoever_searches_meanwhile() {
        let table = TranspositionTable::new(1 << 12).unwrap();
        let large = table.part(1 << 12);
        let keys: Vec<u64> = (0..64).map(|n| hash(1 << n, 0)).collect();
        let held = |part: Part| (0..64).filter(|&n| part.probe(1 << n, 0, keys[n]).is_some()).count();
        for (n, &key) in keys.iter().enumerate() {
            large.store(1 << n, 0, key, LOSING, 1);
        }
        let before = held(large);
        let small = table.part(1);
        assert!(before > 50 && held(large) == before && held(small) <= ENTRIES_PER_BUCKET);
    }

    #[test]
    fn words_of_nothing_are_no_position() {
        let opponent = scrambled(0, 0, Data(0)).0;
        let player = scrambled(0, opponent, Data(0)).0;
        assert_eq!(scrambled(player, opponent, Data(0)), (0, 0));
        assert_ne!(player & opponent, 0, "no two discs share a square");
    }

    #[test]
    fn words_of_different_writers_are_no_entry() {
        let table = TranspositionTable::new(1).unwrap();
        let bucket = &table.buckets()[0];
        let agreed = || (0..3).find_map(|place| bucket.find(place, 1, 2));
        bucket.put(0, 1, 2, Data::new(DRAWING, 1, 1));
        assert_eq!(agreed().map(Data::bounds), Some(DRAWING));
        bucket.data[0].store(Data::new(LOSING, 1, 1).0, Relaxed);
        assert!(agreed().is_none(), "what another writer proved");
        // Two positions with one data word: halves of both are neither.
        bucket.put(0, 1, 4, Data::new(DRAWING, 1, 1));
        bucket.put(1, 8, 2, Data::new(DRAWING, 1, 1));
        bucket.second[0].store(bucket.second[1].load(Relaxed), Relaxed);
        assert!(agreed().is_none(), "the player of one and the opponent of the other");
    }

    #[test]
    fn more_than_the_machine_has_free_is_refused_even_if_less_would_be_used() {
        let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with("MemTotal:"));
        let Some(all) = line.and_then(|line| line.split_whitespace().nth(1)) else { return };
        let all: usize = all.parse().unwrap();
        assert!(matches!(TranspositionTable::new(all * 1024), Err(MemoryError::TooMuch { .. })));
    }

    #[test]
    fn amounts_of_memory_read_as_they_are_typed() {
        let error = MemoryError::TooMuch { asked: 500 << 30, free: (23 << 30) + (200 << 20) };
        assert_eq!(
            error.to_string(),
            "500G of memory asked for, but only 23.1G are free on this machine; ask for less with --memory"
        );
        assert_eq!([1536 << 20, 30_000_000_001, 0].map(in_words), ["1536M", "30000000001 bytes", "0 bytes"]);
        assert_eq!(rounded_down((1 << 30) - 1), "1023M");
    }

    #[test]
    fn what_threads_write_at_once_is_found_whole_or_not_at_all() {
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
