//! Seeds of random numbers: the same seed gives the same numbers, whichever thread is first.

use fastrand::Rng;

/// A number from a seed and a place, so that the random numbers of one place do not depend on other places.
pub fn seed_at(seed: u64, place: u64) -> u64 {
    let offset = Rng::with_seed(seed).u64(..);
    Rng::with_seed(offset.wrapping_add(place)).u64(..)
}

/// The seed of one game of many. The shipped weights were learned with these, so that another formula would give others.
pub fn seed_of_game(seed: u64, game: u64) -> u64 {
    seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ game
}
