//! Where random numbers come from: the same seed, the same numbers, whichever thread is first.

use fastrand::Rng;

/// Draws a number from a seed and a place, so that whatever is done at one place depends on no other.
pub fn seed_at(seed: u64, place: u64) -> u64 {
    let offset = Rng::with_seed(seed).u64(..);
    Rng::with_seed(offset.wrapping_add(place)).u64(..)
}
