//! What is seen of a move without a search, and how much of its rank that is.
//!
//! The weights were fitted to the nodes and the time of whole searches (`docs/speed.md`): what is wanted is not the best
//! move, but among those that refute the one whose proof is short.

use crate::search::board_tables::BoardTables;
use crate::search::rule_set::RuleSet;
use reversi_rules::geometry::{around, squares_of};
use reversi_rules::{Geometry, Goal};

/// What each feature of the position after a move adds to the rank of the move. Discs are those of the mover.
#[derive(Clone, Copy)]
pub(crate) struct MoveWeights {
    /// A legal move of the opponent.
    pub reply: i32,
    /// The opponent must pass, so that the mover has to move again.
    pub pass: i32,
    /// An empty square next to a disc, where the opponent may get a move (potential mobility).
    pub frontier: i32,
    /// A disc.
    pub disc: i32,
    /// More for one on an edge.
    pub edge_disc: i32,
}

impl MoveWeights {
    /// No feature counts.
    pub const NONE: MoveWeights = MoveWeights { reply: 0, pass: 0, frontier: 0, disc: 0, edge_disc: 0 };

    /// Those of ranks without an estimate: what costs little to look at.
    const NORMAL: MoveWeights = MoveWeights { reply: -54, pass: -40, edge_disc: 2, ..MoveWeights::NONE };
    const REVERSED: MoveWeights = MoveWeights { reply: -54, pass: -192, disc: -14, ..MoveWeights::NONE };

    /// Rank without an estimate of a move to `square` that leads to the position (player, opponent), of which `replies`
    /// are the legal moves; `parity` is that before the move.
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

    /// The part of the rank that the position after the move tells.
    #[inline(always)]
    pub fn after_move(self, board: &BoardTables, (player, opponent): (u64, u64), replies: u64) -> i32 {
        let empties = board.mask & !(player | opponent);
        let count = |squares: u64| squares.count_ones() as i32;
        self.reply * count(replies)
            + self.pass * i32::from(replies == 0)
            + self.frontier * count(around(opponent) & empties)
            + self.disc * count(opponent)
            + self.edge_disc * count(opponent & board.edges)
    }
}

/// What the square of a move adds to its rank without an estimate, by square and by set of odd quadrants: more or less
/// for a square of an odd quadrant, and for a corner.
pub(crate) struct SquareRanks([[i8; 64]; 16]);

impl SquareRanks {
    /// Those of a board and goal; `quadrants` are the squares of each set of quadrants.
    pub fn new(geometry: Geometry, goal: Goal, quadrants: &[u64; 16]) -> SquareRanks {
        let (odd, corner) = match goal {
            Goal::Normal => (12, 32),
            Goal::Reversed => (-6, -44),
        };
        let mut ranks = [[0; 64]; 16];
        for (ranks, quadrants) in ranks.iter_mut().zip(quadrants) {
            squares_of(*quadrants).for_each(|square| ranks[square.index() as usize] += odd);
            squares_of(geometry.corners()).for_each(|square| ranks[square.index() as usize] += corner);
        }
        SquareRanks(ranks)
    }

    #[inline(always)]
    fn of(&self, square: u32, parity: u8) -> i32 {
        self.0[parity as usize & 15][square as usize & 63].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::rule_set::{NormalRaw, ReversedRaw};
    use fastrand::Rng;
    use reversi_rules::playout::after_random_moves;
    use reversi_rules::{Board, Move, Position, Start};

    /// The features of a move, counted square by square.
    fn counted(geometry: Geometry, before: Position, square: u32, after: Position) -> [i32; 7] {
        let replies: Vec<Move> =
            (after.children(geometry).into_iter().map(|(mv, _)| mv)).filter(|&mv| mv != Move::Pass).collect();
        let is_outer = |place: u32, length: u32| place == 0 || place + 1 == length;
        let (mut frontier, mut discs, mut edge_discs) = (0, 0, 0);
        for place in geometry.squares() {
            let near = geometry.squares().filter(|near| {
                near.column().abs_diff(place.column()) <= 1 && near.row().abs_diff(place.row()) <= 1
            });
            let has_disc = |mask: u64| mask & place.bit() != 0;
            if has_disc(after.opponent) {
                discs += 1;
                edge_discs += i32::from(
                    is_outer(place.column(), geometry.width()) || is_outer(place.row(), geometry.height()),
                );
            } else if !has_disc(after.player) {
                frontier += i32::from(near.into_iter().any(|near| after.opponent & near.bit() != 0));
            }
        }
        let half = |place: u32, length: u32| 2 * place >= length;
        let quadrant = |index: u32| {
            let (column, row) = (index % 8, index / 8);
            (half(column, geometry.width()), half(row, geometry.height()))
        };
        let empties = geometry.squares().filter(|place| before.discs() & place.bit() == 0);
        let same = empties.filter(|place| quadrant(place.index()) == quadrant(square)).count();
        let is_corner = is_outer(square % 8, geometry.width()) && is_outer(square / 8, geometry.height());
        [
            replies.len() as i32,
            i32::from(replies.is_empty()),
            frontier,
            discs,
            edge_discs,
            (same % 2) as i32,
            i32::from(is_corner),
        ]
    }

    #[test]
    fn ranks_are_the_weighted_features_counted_square_by_square() {
        let mut random = Rng::with_seed(3);
        for (width, height) in [(4, 4), (5, 6), (6, 6), (7, 5), (8, 8)] {
            let geometry = Geometry::new(width, height).unwrap();
            let board = BoardTables::new(geometry);
            let all = MoveWeights { reply: 3, pass: 50, frontier: 7, disc: 11, edge_disc: 13 };
            for _ in 0..200 {
                let start = Board::start(geometry, Start::Diagonal).position();
                let moves = random.usize(0..geometry.square_count() as usize - 5);
                let before = after_random_moves(geometry, start, moves, &mut random);
                let parity = board.parity(board.mask & !before.discs());
                for (mv, after) in before.children(geometry) {
                    let Move::Play(square) = mv else { continue };
                    let square = square.index();
                    let [replies, pass, frontier, discs, edge_discs, odd, corner] =
                        counted(geometry, before, square, after);
                    let (pair, moves) = ((after.player, after.opponent), after.legal_moves(geometry));
                    assert_eq!(
                        all.after_move(&board, pair, moves),
                        3 * replies + 50 * pass + 7 * frontier + 11 * discs + 13 * edge_discs
                    );
                    assert_eq!(
                        MoveWeights::static_rank::<NormalRaw>(&board, pair, moves, square, parity),
                        -54 * replies + 6 * edge_discs + 12 * odd + 32 * corner
                    );
                    assert_eq!(
                        MoveWeights::static_rank::<ReversedRaw>(&board, pair, moves, square, parity),
                        -54 * replies - 192 * pass - 14 * discs - 6 * odd - 44 * corner
                    );
                }
            }
        }
    }
}
