//! Reads stored numbers back as positions by the words of the format alone: its own base-3 digits,
//! and the plain-array rules for everything else.

use reversi_naive::{Board, Move, Size};
use reversi_terms::{Color, Passing};

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

/// The key of a position as it stands. The board must have at most 40 squares.
pub(super) fn encode(board: &Board) -> u64 {
    let mut key = 0;
    let mut weight = 1u64;
    for (column, row) in board.size().squares() {
        let digit = match board.cell(column, row) {
            None => 0,
            Some(color) if color == board.to_move() => 1,
            Some(_) => 2,
        };
        key += digit * weight;
        weight *= 3;
    }
    key
}

/// The key of the position's canonical form.
pub(super) fn canonical_key(board: &Board) -> u64 {
    encode(&board.canonical().0)
}

/// Every legal move with the position after it, in row-major order; a lone pass where the side to
/// move must pass; nothing when the game is over.
pub(super) fn children(board: &Board) -> Vec<(Move, Board)> {
    let mut moves: Vec<Move> =
        board.legal_moves().into_iter().map(|(column, row)| Move::Play(column, row)).collect();
    moves.push(Move::Pass);
    let after = |mv| board.after(mv, Passing::Allowed).map(|child| (mv, child));
    moves.into_iter().filter_map(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_terms::Start;

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
}
