//! Moves and flips, four lines at a time. Same contract as the portable twin.
//!
//! Sources of the ideas: Kogge-Stone fills as in Gunnar Andersson's and Toshihiko Okuhara's work
//! for Edax; the ray trick of `flips` is explained in the portable twin.

use super::{INNER_COLUMNS, RAYS};
use std::arch::x86_64::*;

/// Twin of [`super::portable::moves`]. With `is_short` no run of the opponent's discs is longer than four, which saves
/// a step.
#[inline(always)]
pub fn moves(is_short: bool, player: u64, opponent: u64) -> u64 {
    // SAFETY: this module is only compiled where AVX2 is part of the target.
    unsafe {
        let shift = _mm256_set_epi64x(7, 9, 8, 1);
        let twice = _mm256_set_epi64x(14, 18, 16, 2);
        let lines = _mm256_set_epi64x(INNER_COLUMNS as i64, INNER_COLUMNS as i64, -1, INNER_COLUMNS as i64);
        let player = _mm256_set1_epi64x(player as i64);
        let opponent = _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), lines);

        let mut rising = _mm256_and_si256(opponent, _mm256_sllv_epi64(player, shift));
        let mut falling = _mm256_and_si256(opponent, _mm256_srlv_epi64(player, shift));
        rising = _mm256_or_si256(rising, _mm256_and_si256(opponent, _mm256_sllv_epi64(rising, shift)));
        falling = _mm256_or_si256(falling, _mm256_and_si256(opponent, _mm256_srlv_epi64(falling, shift)));
        let pairs_rising = _mm256_and_si256(opponent, _mm256_sllv_epi64(opponent, shift));
        let pairs_falling = _mm256_and_si256(opponent, _mm256_srlv_epi64(opponent, shift));
        rising = _mm256_or_si256(rising, _mm256_and_si256(pairs_rising, _mm256_sllv_epi64(rising, twice)));
        falling =
            _mm256_or_si256(falling, _mm256_and_si256(pairs_falling, _mm256_srlv_epi64(falling, twice)));
        if !is_short {
            rising =
                _mm256_or_si256(rising, _mm256_and_si256(pairs_rising, _mm256_sllv_epi64(rising, twice)));
            falling =
                _mm256_or_si256(falling, _mm256_and_si256(pairs_falling, _mm256_srlv_epi64(falling, twice)));
        }
        any_lane(_mm256_or_si256(_mm256_sllv_epi64(rising, shift), _mm256_srlv_epi64(falling, shift)))
    }
}

/// Twin of [`super::portable::flips`]; `is_short` as for [`moves`].
#[inline(always)]
pub fn flips(is_short: bool, square: u32, player: u64, opponent: u64) -> u64 {
    let rays = &RAYS[square as usize & 63];
    // SAFETY: this module is only compiled where AVX2 is part of the target; the loads read the two
    // 32-byte halves of `Rays`, which is 64-byte aligned.
    unsafe {
        let player = _mm256_set1_epi64x(player as i64);
        let opponent = _mm256_set1_epi64x(opponent as i64);
        let zero = _mm256_setzero_si256();

        let ray = _mm256_load_si256(rays.rising.as_ptr().cast());
        let others = _mm256_andnot_si256(opponent, ray);
        let first = _mm256_and_si256(others, _mm256_sub_epi64(zero, others));
        let end = _mm256_and_si256(first, player);
        let nothing = _mm256_cmpeq_epi64(end, zero);
        let below = _mm256_add_epi64(end, _mm256_set1_epi64x(-1));
        let rising = _mm256_and_si256(ray, _mm256_andnot_si256(nothing, below));

        let ray = _mm256_load_si256(rays.falling.as_ptr().cast());
        let others = _mm256_andnot_si256(opponent, ray);
        let end = _mm256_and_si256(last_of_each(is_short, others), player);
        let above = _mm256_sub_epi64(zero, _mm256_add_epi64(end, end));
        let falling = _mm256_and_si256(ray, above);

        any_lane(_mm256_or_si256(rising, falling))
    }
}

/// The highest bit of each lane; a lane holds squares of a ray. With `is_short` rays have at most five squares.
#[inline(always)]
fn last_of_each(is_short: bool, lanes: __m256i) -> __m256i {
    #[cfg(all(target_feature = "avx512cd", target_feature = "avx512vl"))]
    // SAFETY: the features are part of the target. A shift of an empty lane by 64 gives nothing.
    unsafe {
        // One instruction for lines of any length.
        let _ = is_short;
        _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(lanes))
    }
    #[cfg(not(all(target_feature = "avx512cd", target_feature = "avx512vl")))]
    // SAFETY: AVX2 is part of the target. The squares of a ray lie `step` bits apart: smearing each
    // bit down its ray and keeping what has no neighbour above leaves the highest one.
    unsafe {
        let step = _mm256_set_epi64x(9, 8, 7, 1);
        let smeared = _mm256_or_si256(lanes, _mm256_srlv_epi64(lanes, step));
        let smeared = _mm256_or_si256(smeared, _mm256_srlv_epi64(smeared, _mm256_add_epi64(step, step)));
        let smeared = if is_short {
            smeared
        } else {
            _mm256_or_si256(smeared, _mm256_srlv_epi64(smeared, _mm256_slli_epi64(step, 2)))
        };
        _mm256_andnot_si256(_mm256_srlv_epi64(smeared, step), lanes)
    }
}

/// The four lanes or-ed together.
#[inline(always)]
fn any_lane(lanes: __m256i) -> u64 {
    // SAFETY: AVX2 is part of the target.
    unsafe {
        let halves = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
        let both = _mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves));
        _mm_cvtsi128_si64(both) as u64
    }
}
