//! What can be said of a key without knowing the position: a key has one base-3 digit for each square.

use crate::MAX_SQUARES;
use reversi_naive::Size;

/// The keys of a board are less than this number: 3 to the power of its squares. `None` above [`MAX_SQUARES`].
pub(crate) fn key_limit(size: Size) -> Option<u64> {
    (size.square_count() <= MAX_SQUARES).then(|| 3u64.pow(size.square_count()))
}

/// The number of empty squares of a position: the digits of its key that are zero. `None` if the key is too large for
/// the board.
pub(crate) fn empty_count(size: Size, key: u64) -> Option<u32> {
    let (mut rest, mut discs) = (key, 0);
    while rest > 0 {
        discs += u32::from(!rest.is_multiple_of(3));
        rest /= 3;
    }
    key_limit(size).is_some_and(|limit| key < limit).then(|| size.square_count() - discs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_digits_are_empty_squares() {
        let four = Size::new(4, 4).unwrap();
        assert_eq!(empty_count(four, 0), Some(16));
        assert_eq!(empty_count(four, 3 + 2 * 81), Some(14));
        assert_eq!(empty_count(four, 3u64.pow(16) - 1), Some(0));
        assert_eq!(empty_count(four, 3u64.pow(16)), None);
        assert_eq!(empty_count(Size::new(6, 7).unwrap(), 0), None, "boards above forty squares have no keys");
    }
}
