//! Counts the leaves of the game tree by making every move.

use super::Board;
use crate::rules::position::Passing;

/// Number of leaves `depth` plies below; a pass is one ply, a game that is over sooner counts once.
///
/// ```
/// use reversi::rules::{naive, Start};
/// let start = naive::Board::start(naive::Size::new(4, 4).unwrap(), Start::Diagonal);
/// assert_eq!(naive::perft(&start, 3), 44);
/// ```
pub fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 || board.is_over(Passing::Allowed) {
        return 1;
    }
    if board.must_pass() {
        return perft(&board.pass(), depth - 1);
    }
    let moves = board.legal_moves().into_iter();
    moves.map(|(column, row)| perft(&board.play(column, row).expect("the move is legal"), depth - 1)).sum()
}
