//! The compressed part of a file of weights.
//!
//! In version 2 of the format each weight is stored as its difference from the same weight one stage nearer to the end
//! of the game. A weight that no position of a stage has shown stays as in the stage before, so most differences are
//! small or 0. Version 2 takes two thirds of the bytes of version 1, which stores the weights themselves.

use crate::deflated::{self, transposed};

/// The weights of all stages as version 2 stores them: weight by weight, all stages of each.
pub(super) fn compress(stages: &[Vec<i16>]) -> Vec<u8> {
    let count = stages.first().map_or(0, Vec::len);
    let differences = (0..count).flat_map(|weight| {
        let before = std::iter::once(0).chain(stages.iter().map(move |stage| stage[weight]));
        stages.iter().zip(before).map(move |(stage, before)| fold(stage[weight].wrapping_sub(before)))
    });
    let differences: Vec<u16> = differences.collect();
    deflate(&differences)
}

/// The weights of `stages` stages, `count` each, from the bytes of version 1 or 2; `None` if they hold another number
/// of weights.
pub(super) fn expand(payload: &[u8], version: u32, stages: usize, count: usize) -> Option<Vec<Vec<i16>>> {
    let words = inflate(payload, stages * count)?;
    if version == 1 {
        return Some(
            words.chunks(count).map(|stage| stage.iter().map(|&word| word as i16).collect()).collect(),
        );
    }
    let mut all = vec![Vec::with_capacity(count); stages];
    for differences in words.chunks(stages) {
        let mut weight = 0i16;
        for (stage, &difference) in all.iter_mut().zip(differences) {
            weight = weight.wrapping_add(unfold(difference));
            stage.push(weight);
        }
    }
    Some(all)
}

/// Small numbers of either sign as small ones: 0, -1, 1, -2 become 0, 1, 2, 3.
fn fold(difference: i16) -> u16 {
    (difference << 1 ^ difference >> 15) as u16
}

fn unfold(folded: u16) -> i16 {
    (folded >> 1) as i16 ^ -((folded & 1) as i16)
}

/// Low bytes and high bytes apart: most high bytes are alike, which compresses better.
fn deflate(words: &[u16]) -> Vec<u8> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    deflated::deflate(&transposed(&bytes, 2))
}

fn inflate(payload: &[u8], count: usize) -> Option<Vec<u16>> {
    let bytes = deflated::inflate_exactly(payload, 2 * count)?;
    let (low, high) = bytes.split_at(count);
    Some(low.iter().zip(high).map(|(&low, &high)| u16::from_le_bytes([low, high])).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAGES: [[i16; 3]; 4] = [[0, 5, i16::MIN], [0, 5, i16::MAX], [0, -7, 3], [1, -7, 3]];

    #[test]
    fn any_weights_come_back() {
        let stages = STAGES.map(|stage| stage.to_vec());
        assert_eq!(expand(&compress(&stages), 2, 4, 3), Some(stages.to_vec()));
    }

    #[test]
    fn version_1_stores_the_weights_themselves() {
        let stages = STAGES.map(|stage| stage.to_vec());
        let words: Vec<u16> = stages.iter().flatten().map(|&weight| weight as u16).collect();
        assert_eq!(expand(&deflate(&words), 1, 4, 3), Some(stages.to_vec()));
    }

    #[test]
    fn another_number_of_weights_is_noticed() {
        let payload = compress(&STAGES.map(|stage| stage.to_vec()));
        assert_eq!((expand(&payload, 2, 4, 2), expand(&payload, 2, 4, 4)), (None, None));
        assert_eq!(expand(&payload[..payload.len() / 2], 2, 4, 3), None);
    }

    #[test]
    fn folding_keeps_small_numbers_small() {
        assert_eq!([0, -1, 1, -2, i16::MIN].map(fold), [0, 1, 2, 3, u16::MAX]);
        assert!((i16::MIN..=i16::MAX).all(|difference| unfold(fold(difference)) == difference));
    }
}
