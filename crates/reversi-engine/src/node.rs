//! Boards of the plain search: bitboards up to 8x8, arrays beyond.

use super::any_evaluation::AnyEvaluation;
use crate::historical::disc_difference;
use reversi_rules::game::GameMove;
use reversi_rules::geometry::squares_of;
use reversi_rules::{Color, Geometry, Goal, Position, Square, naive};
use std::hash::Hash;

/// A position in the tree, with the side to move.
pub(super) trait Node: Sized {
    /// The type of evaluation on this board.
    type Evaluation;

    /// The key of transpositions: equal for nodes with the same discs and the same side to move.
    type Key: Eq + Hash;

    /// The key of this node.
    fn key(&self) -> Self::Key;

    /// Heap bytes of a key, in addition to its own size.
    fn key_bytes(&self) -> usize;

    /// Legal placements of the side to move, in row-major order.
    fn placements(&self) -> Vec<GameMove>;

    /// Whether the side to move has a legal placement.
    fn has_placement(&self) -> bool;

    /// The position after one of [`Node::placements`], with the other side to move.
    fn played(&self, column: u32, row: u32) -> Self;

    /// The same discs with the other side to move.
    fn passed(&self) -> Self;

    /// The position after a legal move.
    fn after(&self, mv: GameMove) -> Self {
        match mv {
            GameMove::Play(column, row) => self.played(column, row),
            GameMove::Pass => self.passed(),
        }
    }

    /// Whether the value of a position depends on whether the game is over.
    fn depends_on_end(evaluation: &Self::Evaluation) -> bool;

    /// The value in points for the side to move if `own_to_move`, else for the other side.
    fn points(&self, by: &Self::Evaluation, goal: Goal, own_to_move: bool, over: bool) -> i64;
}

/// A node on a board up to 8x8.
#[derive(Clone, Copy)]
pub(super) struct SmallNode {
    pub geometry: Geometry,
    pub position: Position,
}

impl Node for SmallNode {
    type Evaluation = AnyEvaluation;
    type Key = Position;

    fn key(&self) -> Position {
        self.position
    }

    fn key_bytes(&self) -> usize {
        0
    }

    fn placements(&self) -> Vec<GameMove> {
        squares_of(self.position.legal_moves(self.geometry))
            .map(|square| GameMove::Play(square.column(), square.row()))
            .collect()
    }

    fn has_placement(&self) -> bool {
        self.position.legal_moves(self.geometry) != 0
    }

    fn played(&self, column: u32, row: u32) -> SmallNode {
        let square = Square::at(column, row);
        SmallNode { position: self.position.play(square, self.position.flips(square)), ..*self }
    }

    fn passed(&self) -> SmallNode {
        SmallNode { position: self.position.pass(), ..*self }
    }

    fn depends_on_end(evaluation: &AnyEvaluation) -> bool {
        evaluation.depends_on_end()
    }

    fn points(&self, by: &AnyEvaluation, goal: Goal, own_to_move: bool, over: bool) -> i64 {
        by.points_for(self.geometry, self.position, goal, own_to_move, over)
    }
}

/// The disc difference, the only evaluation of boards beyond 8x8.
pub(super) struct DiscDifference;

impl Node for naive::Board {
    type Evaluation = DiscDifference;
    type Key = naive::Board;

    fn key(&self) -> naive::Board {
        self.clone()
    }

    fn key_bytes(&self) -> usize {
        self.size().square_count() as usize * size_of::<Option<Color>>()
    }

    fn placements(&self) -> Vec<GameMove> {
        self.legal_moves().into_iter().map(|(column, row)| GameMove::Play(column, row)).collect()
    }

    fn has_placement(&self) -> bool {
        self.has_move()
    }

    fn played(&self, column: u32, row: u32) -> naive::Board {
        self.play(column, row).expect("only legal moves are played")
    }

    fn passed(&self) -> naive::Board {
        self.pass()
    }

    fn depends_on_end(_: &DiscDifference) -> bool {
        false
    }

    fn points(&self, _: &DiscDifference, goal: Goal, own_to_move: bool, _over: bool) -> i64 {
        let own = if own_to_move { self.to_move() } else { self.to_move().other() };
        disc_difference(self.count(own), self.count(own.other()), goal)
    }
}
