//! The endgame search's own transposition table: bounds of scores by whole positions, never by a hash of them. The
//! discs of a position lie below bit [`PACKED_BITS`].

use super::layout::{Discs, PACKED_BITS};

/// Slots that one position can take, side by side in one cache line.
const WAYS: usize = 4;
/// Added to bounds so that they take no sign.
const OFFSET: i32 = 64;
const DISCS: u64 = (1 << PACKED_BITS) - 1;
const LOWER_AT: u32 = PACKED_BITS + 6;
const UPPER_AT: u32 = PACKED_BITS;
const AGE_AT: u32 = PACKED_BITS + 7;

/// The bounds of a position: `lower <= score <= upper`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub lower: i32,
    pub upper: i32,
    /// The bit of a move that was best or good, 0 for none.
    pub best: u32,
}

/// Two words: the own discs with a move (6 bits) and the lower bound (7 bits) above them, the other side's with the
/// upper bound (7 bits) and the age (8 bits). All zero is an empty slot: a position has discs.
#[derive(Clone, Copy, Default)]
struct Slot {
    own: u64,
    other: u64,
}

#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Line([Slot; WAYS]);

pub(super) struct Memory {
    lines: Vec<Line>,
    age: u8,
}

impl Slot {
    #[inline]
    fn holds(self, discs: Discs) -> bool {
        self.own & DISCS == discs.own && self.other & DISCS == discs.other
    }

    #[inline]
    fn bounds(self) -> Bounds {
        Bounds {
            lower: (self.own >> LOWER_AT & 127) as i32 - OFFSET,
            upper: (self.other >> UPPER_AT & 127) as i32 - OFFSET,
            best: (self.own >> PACKED_BITS & 63) as u32,
        }
    }

    /// How readily a slot is replaced: the number of its discs, and 64 more if it is of another age.
    #[inline]
    fn cheapness(self, age: u8) -> u32 {
        let is_old = (self.other >> AGE_AT) as u8 != age;
        ((self.own | self.other) & DISCS).count_ones() + if is_old { 64 } else { 0 }
    }
}

impl Memory {
    /// `2^bits` lines of 64 bytes.
    pub fn new(bits: u32) -> Memory {
        Memory { lines: vec![Line::default(); 1 << bits], age: 1 }
    }

    /// Begins a new age: what is stored now stays valid, but is replaced first.
    pub fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    #[inline]
    fn place(&self, discs: Discs) -> usize {
        let mixed =
            (discs.own.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ discs.other).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed ^ mixed >> 32) as usize & (self.lines.len() - 1)
    }

    #[inline]
    pub fn find(&self, discs: Discs) -> Option<Bounds> {
        let line = &self.lines[self.place(discs)].0;
        line.iter().find(|slot| slot.holds(discs)).map(|slot| slot.bounds())
    }

    /// Stores the bounds of a position, narrowed by those that are known of it already.
    #[inline]
    pub fn store(&mut self, discs: Discs, found: Bounds) {
        let (age, place) = (self.age, self.place(discs));
        let line = &mut self.lines[place].0;
        let mut chosen = 0;
        let mut cheapest = 0;
        let mut kept = found;
        for (way, slot) in line.iter().enumerate() {
            if slot.holds(discs) {
                let known = slot.bounds();
                kept.lower = kept.lower.max(known.lower);
                kept.upper = kept.upper.min(known.upper);
                chosen = way;
                break;
            }
            // An empty slot is filled first.
            let cheapness = if slot.own | slot.other == 0 { 200 } else { slot.cheapness(age) };
            if cheapness > cheapest {
                (cheapest, chosen) = (cheapness, way);
            }
        }
        line[chosen] = Slot {
            own: discs.own | u64::from(kept.best) << PACKED_BITS | ((kept.lower + OFFSET) as u64) << LOWER_AT,
            other: discs.other | ((kept.upper + OFFSET) as u64) << UPPER_AT | u64::from(age) << AGE_AT,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_was_stored_for_the_same_position_and_no_other() {
        let mut memory = Memory::new(3);
        let mut rng = fastrand::Rng::with_seed(3);
        let mut stored = std::collections::HashMap::new();
        for round in 0..5000 {
            if round % 100 == 0 {
                memory.grow_older();
            }
            let own = rng.u64(1..=DISCS);
            let discs = Discs { own, other: rng.u64(..=DISCS) & !own };
            let bounds = Bounds { lower: rng.i32(-40..=0), upper: rng.i32(0..=40), best: rng.u32(0..49) };
            memory.store(discs, bounds);
            stored.insert((discs.own, discs.other), bounds);
            assert_eq!(memory.find(discs), Some(bounds), "what was stored last is there");
        }
        let mut found = 0;
        for (&(own, other), &bounds) in &stored {
            if let Some(known) = memory.find(Discs { own, other }) {
                assert_eq!(known, bounds);
                found += 1;
            }
            assert_eq!(memory.find(Discs { own: other, other: own }), None);
        }
        assert_eq!(found, 8 * WAYS, "every slot is in use");
    }

    #[test]
    fn two_bounds_of_one_position_are_kept_together() {
        let mut memory = Memory::new(1);
        let discs = Discs { own: 6, other: 8 };
        memory.store(discs, Bounds { lower: -40, upper: 3, best: 5 });
        memory.store(discs, Bounds { lower: 1, upper: 40, best: 7 });
        assert_eq!(memory.find(discs), Some(Bounds { lower: 1, upper: 3, best: 7 }));
    }
}
