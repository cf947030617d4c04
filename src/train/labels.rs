//! Says what a position is worth to learn from: exactly near the end, before that by searching a few
//! plies down to where the evaluation has been learned already.

use crate::eval::{Eval, Evaluator};
use crate::rules::{Geometry, Position, Rules, geometry::squares_of};

/// Searches positions of one board.
pub(super) struct Labeler<'a> {
    pub geometry: Geometry,
    pub rules: Rules,
    /// Evaluation of the positions at the leaves; not needed where every line is searched to the end.
    pub evaluator: Option<&'a Evaluator>,
}

impl Labeler<'_> {
    /// The value of the position when every line is searched until `leaf` squares are empty, by the
    /// rules of the game where it ends before. Fail-soft: at or below `alpha` an upper bound, at or
    /// above `beta` a lower bound.
    pub fn search(&self, position: Position, leaf: u32, mut alpha: Eval, beta: Eval) -> Eval {
        let moves = position.legal_moves(self.geometry);
        if moves == 0 {
            if position.pass().legal_moves(self.geometry) == 0 {
                return position.final_score(self.geometry, self.rules).into();
            }
            return -self.search(position.pass(), leaf, -beta, -alpha);
        }
        if let Some(evaluator) = self.evaluator
            && position.empty_count(self.geometry) <= leaf
        {
            return evaluator.evaluate(position);
        }
        let mut best = -Eval::INFINITE;
        let mut children = [(0, Position::default()); 64];
        for &(_, child) in self.ordered(position, moves, &mut children) {
            best = best.max(-self.search(child, leaf, -beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The children, those first that leave the opponent the fewest moves.
    fn ordered<'c>(
        &self,
        position: Position,
        moves: u64,
        children: &'c mut [(u32, Position); 64],
    ) -> &'c [(u32, Position)] {
        let mut count = 0;
        for square in squares_of(moves) {
            let child = position.play(square, position.flips(square));
            children[count] = (child.legal_moves(self.geometry).count_ones(), child);
            count += 1;
        }
        let children = &mut children[..count];
        children.sort_by_key(|child| child.0);
        children
    }
}
