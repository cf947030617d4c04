//! Reads stored numbers back as positions by the words of the format alone: its own base-3 digits,
//! and the plain-array rules for everything else.

use reversi_naive::{Board, Move, Size, image_of, symmetries};
use reversi_terms::Color;

/// The colour the side to move is given, since tables keep none.
pub(super) const SIDE_TO_MOVE: Color = Color::Black;

/// The position of a key; `None` if the number is too large for the board.
pub(super) fn decode(size: Size, key: u64) -> Option<Board> {
    let mut board = Board::empty(size, SIDE_TO_MOVE);
    let mut rest = key;
    for (column, row) in size.squares() {
        match rest % 3 {
            1 => board.set(column, row, Some(SIDE_TO_MOVE)),
            2 => board.set(column, row, Some(SIDE_TO_MOVE.other())),
            _ => {}
        }
        rest /= 3;
    }
    (rest == 0).then_some(board)
}

/// A key for the reader of a report: the position, if it is one.
pub(super) fn name(size: Size, key: u64) -> String {
    match decode(size, key) {
        Some(board) => format!("\"{board}\""),
        None => format!("key {key}"),
    }
}

/// The key that has the digit `digit(square)` for each square, given as (column, row).
fn key_of(size: Size, digit: impl Fn((u32, u32)) -> u64) -> u64 {
    let mut key = 0;
    let mut weight = 1u64;
    for square in size.squares() {
        key += digit(square) * weight;
        weight *= 3;
    }
    key
}

/// The key of the position's canonical form. The board must have at most 40 squares and no side beyond 8.
///
/// [`Board::canonical`] says which image that is; a board for each image takes too long for hundreds of millions of
/// positions.
pub(super) fn canonical_key(board: &Board) -> u64 {
    let size = board.size();
    let with_disc = |square: (u32, u32)| Some((square, board.cell(square.0, square.1)? == board.to_move()));
    let mut discs: Vec<((u32, u32), bool)> = Vec::with_capacity(size.square_count() as usize);
    discs.extend(size.squares().filter_map(with_disc));
    // The discs of the side to move and of the other side.
    let image = |symmetry| {
        let mut masks = (0u64, 0u64);
        for &(square, is_own) in &discs {
            let bit = bit_of(image_of(size, symmetry, square));
            if is_own { masks.0 |= bit } else { masks.1 |= bit }
        }
        masks
    };
    let (own, other) = symmetries(size).map(image).min().expect("the identity is there");
    key_of(size, |square| match bit_of(square) {
        bit if own & bit != 0 => 1,
        bit if other & bit != 0 => 2,
        _ => 0,
    })
}

/// The bit of a square in the order of canonical forms.
fn bit_of((column, row): (u32, u32)) -> u64 {
    1 << (8 * row + column)
}

/// Every legal move with the position after it, in row-major order; a lone pass where the side to
/// move must pass; nothing when the game is over.
pub(super) fn children(board: &Board) -> Vec<(Move, Board)> {
    let placed = |(column, row)| Some((Move::Play(column, row), board.play(column, row)?));
    let children: Vec<(Move, Board)> = board.size().squares().filter_map(placed).collect();
    if children.is_empty() && board.must_pass() {
        return vec![(Move::Pass, board.pass())];
    }
    children
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_terms::Start;

    /// The key of a position as it stands.
    fn encode(board: &Board) -> u64 {
        key_of(board.size(), |(column, row)| match board.cell(column, row) {
            None => 0,
            Some(color) if color == board.to_move() => 1,
            Some(_) => 2,
        })
    }

    #[test]
    fn digits_follow_the_published_definition() {
        let size = Size::new(4, 4).unwrap();
        // c2 and b3 are the mover's, b2 and c3 the other side's.
        let start = Board::start(size, Start::Diagonal);
        let key = 3u64.pow(6) + 3u64.pow(9) + 2 * (3u64.pow(5) + 3u64.pow(10));
        assert_eq!(encode(&start), key);
        assert_eq!(decode(size, key), Some(start));
    }

    #[test]
    fn numbers_beyond_the_last_square_are_no_positions() {
        for (width, height) in [(3, 3), (4, 6), (6, 6), (5, 8)] {
            let size = Size::new(width, height).unwrap();
            let full = u64::try_from(3u128.pow(width * height) - 1).unwrap();
            assert_eq!(encode(&decode(size, full).unwrap()), full, "{size}");
            assert_eq!(decode(size, full + 1), None, "{size}");
        }
    }

    #[test]
    fn a_pass_is_the_only_child_of_a_blocked_position() {
        let blocked = Board::parse(None, "XO-- ---- ---- ---- O").unwrap();
        assert_eq!(children(&blocked), [(Move::Pass, blocked.pass())]);
        let over = Board::parse(None, "XX-- ---- ---- ---- O").unwrap();
        assert_eq!(children(&over), []);
    }

    #[test]
    fn the_canonical_key_is_that_of_the_canonical_form() {
        let mut random = fastrand::Rng::with_seed(5);
        for (width, height) in [(3, 3), (4, 4), (4, 6), (6, 4), (5, 5), (6, 6), (5, 8), (8, 3)] {
            let size = Size::new(width, height).unwrap();
            for _ in 0..200 {
                let mut board = Board::empty(size, [Color::Black, Color::White][random.usize(..2)]);
                for (column, row) in size.squares() {
                    board.set(column, row, [None, Some(Color::Black), Some(Color::White)][random.usize(..3)]);
                }
                assert_eq!(canonical_key(&board), encode(&board.canonical().0), "{board}");
            }
        }
    }
}
