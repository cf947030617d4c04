//! Counts the leaves of the game tree by making every move.

use super::Board;

/// Number of leaves `depth` plies below; a pass is one ply, a game that is over sooner counts once.
///
/// ```
/// use reversi_naive as naive;
/// use reversi_terms::Start;
/// let start = naive::Board::start(naive::Size::new(4, 4).unwrap(), Start::Diagonal);
/// assert_eq!(naive::perft(&start, 3), 44);
/// ```
pub fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = board.legal_moves();
    if moves.is_empty() {
        let passed = board.pass();
        return if passed.has_move() { perft(&passed, depth - 1) } else { 1 };
    }
    let next = |(column, row)| board.play(column, row).expect("the move is legal");
    moves.into_iter().map(|square| perft(&next(square), depth - 1)).sum()
}
