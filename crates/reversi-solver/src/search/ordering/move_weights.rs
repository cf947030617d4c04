//! Features of a move that are known without a search, and their weights in its rank.
//!
//! The weights were fitted to the nodes of whole searches, and features that cost more time than they save were left
//! out (`docs/speed.md`). The aim is not the best move, but among the moves that refute the one with the shortest
//! proof.

use crate::search::board_tables::BoardTables;
use crate::search::rule_set::RuleSet;
use reversi_rules::geometry::around;

/// What each feature of the position after a move adds to the rank of the move. Discs are those of the mover.
#[derive(Clone, Copy)]
pub(crate) struct MoveWeights {
    /// A legal move of the opponent.
    pub reply: i32,
    /// The opponent has no move: the mover has to move again, or the game is over.
    pub pass: i32,
    /// An empty square next to a disc, where the opponent may get a move (potential mobility).
    pub potential: i32,
    /// A disc.
    pub disc: i32,
    /// Added for a disc on an edge.
    pub edge_disc: i32,
}

impl MoveWeights {
    /// No feature counts.
    pub const NONE: MoveWeights = MoveWeights { reply: 0, pass: 0, potential: 0, disc: 0, edge_disc: 0 };

    /// Weights of static ranks under the normal goal: only features that cost little to compute.
    const NORMAL: MoveWeights = MoveWeights { reply: -54, pass: -40, edge_disc: 2, ..MoveWeights::NONE };
    /// The same under the reversed goal, where discs and a pass of the opponent are bad.
    const REVERSED: MoveWeights = MoveWeights { reply: -54, pass: -192, disc: -14, ..MoveWeights::NONE };

    /// Static rank of a move to `square` that leads to the position (player, opponent) with the legal moves `replies`;
    /// `parity` is that before the move.
    #[inline(always)]
    pub fn static_rank<L: RuleSet>(
        board: &BoardTables,
        (player, opponent): (u64, u64),
        replies: u64,
        square: u32,
        parity: u8,
    ) -> i32 {
        let weights = if L::REVERSED { MoveWeights::REVERSED } else { MoveWeights::NORMAL };
        weights.after_move(board, (player, opponent), replies)
            + board.square_ranks[usize::from(L::REVERSED)].of(square, parity)
    }

    /// The part of the rank that depends on the position after the move only.
    #[inline(always)]
    pub fn after_move(self, board: &BoardTables, (player, opponent): (u64, u64), replies: u64) -> i32 {
        let empties = board.mask & !(player | opponent);
        let count = |squares: u64| squares.count_ones() as i32;
        self.reply * count(replies)
            + self.pass * i32::from(replies == 0)
            + self.potential * count(around(opponent) & empties)
            + self.disc * count(opponent)
            + self.edge_disc * count(opponent & board.edges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::rule_set::{NormalRaw, ReversedRaw};
    use fastrand::Rng;
    use reversi_rules::geometry::squares_of;
    use reversi_rules::playout::after_random_moves;
    use reversi_rules::{Board, Geometry, Move, Position, Square, Start};

    fn is_outer(place: u32, length: u32) -> bool {
        place == 0 || place + 1 == length
    }

    /// The potential mobility, discs and discs on edges of the side that has moved, counted square by square.
    fn discs_of_mover(geometry: Geometry, after: Position) -> [i32; 3] {
        let has_disc = |square: Square| after.opponent & square.bit() != 0;
        let (mut potential, mut discs, mut edge_discs) = (0, 0, 0);
        for square in geometry.squares() {
            if has_disc(square) {
                let is_on_edge =
                    is_outer(square.column(), geometry.width()) || is_outer(square.row(), geometry.height());
                discs += 1;
                edge_discs += i32::from(is_on_edge);
            } else if after.player & square.bit() == 0 {
                let is_near = |near: Square| {
                    near.column().abs_diff(square.column()) <= 1 && near.row().abs_diff(square.row()) <= 1
                };
                potential += i32::from(geometry.squares().any(|near| is_near(near) && has_disc(near)));
            }
        }
        [potential, discs, edge_discs]
    }

    /// Whether a square is in a quadrant with an odd number of empty squares, counted square by square.
    fn is_odd(geometry: Geometry, position: Position, square: Square) -> bool {
        let quadrant =
            |square: Square| (2 * square.column() >= geometry.width(), 2 * square.row() >= geometry.height());
        let is_empty = |square: Square| position.discs() & square.bit() == 0;
        let is_counted = |other: &Square| is_empty(*other) && quadrant(*other) == quadrant(square);
        geometry.squares().filter(is_counted).count() % 2 == 1
    }

    #[test]
    fn ranks_are_the_weighted_features_counted_square_by_square() {
        let mut random = Rng::with_seed(3);
        let all = MoveWeights { reply: 3, pass: 50, potential: 7, disc: 11, edge_disc: 13 };
        for (width, height) in [(3, 3), (4, 4), (5, 6), (6, 6), (7, 5), (8, 5), (8, 8)] {
            let geometry = Geometry::new(width, height).unwrap();
            let board = BoardTables::new(geometry);
            for start in [Start::Diagonal, Start::Parallel].repeat(100) {
                let start = Board::start(geometry, start).position();
                let moves = random.usize(0..geometry.square_count() as usize - 4);
                let before = after_random_moves(geometry, start, moves, &mut random);
                let parity = board.parity(board.mask & !before.discs());
                for (mv, after) in before.children(geometry) {
                    let Move::Play(square) = mv else { continue };
                    let (pair, legal) = ((after.player, after.opponent), after.legal_moves(geometry));
                    let replies = squares_of(legal).count() as i32;
                    let pass = i32::from(replies == 0);
                    let [potential, discs, edge_discs] = discs_of_mover(geometry, after);
                    let odd = i32::from(is_odd(geometry, before, square));
                    let is_corner = is_outer(square.column(), width) && is_outer(square.row(), height);
                    let corner = i32::from(is_corner);
                    assert_eq!(
                        all.after_move(&board, pair, legal),
                        3 * replies + 50 * pass + 7 * potential + 11 * discs + 13 * edge_discs
                    );
                    let index = square.index();
                    assert_eq!(
                        MoveWeights::static_rank::<NormalRaw>(&board, pair, legal, index, parity),
                        -54 * replies - 40 * pass + 2 * edge_discs + 12 * odd + 32 * corner
                    );
                    assert_eq!(
                        MoveWeights::static_rank::<ReversedRaw>(&board, pair, legal, index, parity),
                        -54 * replies - 192 * pass - 14 * discs - 6 * odd - 44 * corner
                    );
                }
            }
        }
    }
}
