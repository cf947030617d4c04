//! The evaluation at the horizon of the midgame search: learned weights, or a handcrafted sum where there are none.

use super::weights::WeightsError;
use super::{ChildEvaluator, Eval, Evaluator};
use reversi_rules::geometry::around;
use reversi_rules::{Geometry, Goal, Position, Square};
use reversi_table::library::Library;
use std::path::Path;
use std::sync::Arc;

/// An evaluation for one board and goal.
#[derive(Clone)]
pub enum Evaluation {
    /// Learned from games: pattern weights.
    Learned(Arc<Evaluator>),
    /// Mobility, frontier and corners: for boards without learned weights.
    Handcrafted(Handcrafted),
}

impl Evaluation {
    /// The learned evaluation, else the handcrafted one. Weights are looked for in `data` first, then in the usual
    /// places.
    ///
    /// # Errors
    /// A file of weights that exists but cannot be used.
    pub fn find(geometry: Geometry, goal: Goal, data: Option<&Path>) -> Result<Evaluation, WeightsError> {
        let learned = Evaluator::find(geometry, goal, Library::new(data).directories())?;
        Ok(Evaluation::by(learned, geometry, goal))
    }

    /// The evaluation learned for the other goal with its sign inverted, else the handcrafted one of this goal.
    ///
    /// # Errors
    /// A file of weights that exists but cannot be used.
    pub fn find_turned(
        geometry: Geometry,
        goal: Goal,
        data: Option<&Path>,
    ) -> Result<Evaluation, WeightsError> {
        let learned = Evaluator::find(geometry, goal.other(), Library::new(data).directories())?;
        Ok(Evaluation::by(learned.map(|learned| Arc::new(learned.turned())), geometry, goal))
    }

    fn by(learned: Option<Arc<Evaluator>>, geometry: Geometry, goal: Goal) -> Evaluation {
        match learned {
            Some(evaluator) => Evaluation::Learned(evaluator),
            None => Evaluation::Handcrafted(Handcrafted::new(geometry, goal)),
        }
    }

    /// The learned evaluation; `None` for the handcrafted one.
    pub fn evaluator(&self) -> Option<Arc<Evaluator>> {
        match self {
            Evaluation::Learned(evaluator) => Some(evaluator.clone()),
            Evaluation::Handcrafted(_) => None,
        }
    }

    /// The estimate for the side to move, clamped to the range of scores of this board.
    #[inline]
    pub fn estimate(&self, position: Position) -> Eval {
        match self {
            Evaluation::Learned(evaluator) => bounded(evaluator.evaluate(position), evaluator.geometry()),
            Evaluation::Handcrafted(handcrafted) => {
                bounded(handcrafted.estimate(position), handcrafted.geometry)
            }
        }
    }

    /// The same where the legal moves of the position are known already.
    #[inline]
    pub fn estimate_with_moves(&self, position: Position, moves: u64) -> Eval {
        match self {
            Evaluation::Learned(evaluator) => {
                bounded(evaluator.evaluate_with_moves(position, moves), evaluator.geometry())
            }
            Evaluation::Handcrafted(_) => self.estimate(position),
        }
    }

    /// Prepares the estimates of the children of a position.
    #[inline]
    pub fn child_evaluator(&self, parent: Position) -> ChildEvaluation<'_> {
        match self {
            Evaluation::Learned(evaluator) => {
                ChildEvaluation::Learned(evaluator.child_evaluator(parent), evaluator.geometry())
            }
            Evaluation::Handcrafted(handcrafted) => ChildEvaluation::Handcrafted(handcrafted, parent),
        }
    }
}

/// Estimates of the children of one position: cheaper together than one by one.
pub enum ChildEvaluation<'a> {
    /// Learned, with the board for the clamp.
    Learned(ChildEvaluator<'a>, Geometry),
    /// Handcrafted, with the parent.
    Handcrafted(&'a Handcrafted, Position),
}

impl ChildEvaluation<'_> {
    /// Equal to [`Evaluation::estimate`] of the child after this move.
    #[inline]
    pub fn estimate(&self, square: Square, flips: u64) -> Eval {
        match self {
            ChildEvaluation::Learned(child_evaluator, geometry) => {
                bounded(child_evaluator.evaluate(square, flips), *geometry)
            }
            ChildEvaluation::Handcrafted(handcrafted, parent) => {
                bounded(handcrafted.estimate(parent.play(square, flips)), handcrafted.geometry)
            }
        }
    }

    /// The same where the legal moves of the child are known already.
    #[inline]
    pub fn estimate_with_moves(&self, square: Square, flips: u64, moves: u64) -> Eval {
        match self {
            ChildEvaluation::Learned(child_evaluator, geometry) => {
                bounded(child_evaluator.evaluate_with_moves(square, flips, moves), *geometry)
            }
            ChildEvaluation::Handcrafted(..) => self.estimate(square, flips),
        }
    }
}

fn bounded(estimate: Eval, geometry: Geometry) -> Eval {
    let most = Eval::new(geometry.square_count() as i32 * Eval::UNITS_PER_DISC);
    estimate.clamp(-most, most)
}

/// Mobility, frontier and corners with weights set by hand, for any board.
#[derive(Clone)]
pub struct Handcrafted {
    geometry: Geometry,
    corners: u64,
    corner_worth: i32,
    disc_worth: i32,
}

/// Weight of one move more than the opponent, in units of an [`Eval`].
const MOVE: i32 = 90;
/// Weight of one opponent disc next to an empty square, in units of an [`Eval`].
const FRONTIER: i32 = 30;

impl Handcrafted {
    /// Corner and disc weights: under the normal goal a corner is worth 5 discs, under the reversed goal it costs 3
    /// discs and each disc costs 1/5.
    fn new(geometry: Geometry, goal: Goal) -> Handcrafted {
        let (corner_worth, disc_worth) = match goal {
            Goal::Normal => (5 * Eval::UNITS_PER_DISC, 0),
            Goal::Reversed => (-3 * Eval::UNITS_PER_DISC, -Eval::UNITS_PER_DISC / 5),
        };
        Handcrafted { geometry, corners: geometry.corners(), corner_worth, disc_worth }
    }

    fn estimate(&self, position: Position) -> Eval {
        let lead = |own: u64, other: u64| own.count_ones() as i32 - other.count_ones() as i32;
        let Position { player, opponent } = position;
        let mobility = lead(position.legal_moves(self.geometry), position.pass().legal_moves(self.geometry));
        let beside_empty = around(position.empties(self.geometry));
        let frontier = lead(opponent & beside_empty, player & beside_empty);
        Eval::new(
            MOVE * mobility
                + FRONTIER * frontier
                + self.corner_worth * lead(player & self.corners, opponent & self.corners)
                + self.disc_worth * lead(player, opponent),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::notation::parse_board;

    /// The handcrafted estimate for Black.
    fn plain(drawing: &[&str], goal: Goal) -> i32 {
        let board = parse_board(None, &(drawing.concat() + "X")).unwrap();
        Handcrafted::new(board.geometry, goal).estimate(board.position()).units()
    }

    #[test]
    fn the_plain_estimate_adds_up_by_hand() {
        // Legal moves: Black c1, a3, c3; White none. Frontier: all three White discs, not the Black one. Corners: one
        // of Black. Discs: White two more.
        let drawing = ["X O -", "O O -", "- - -"];
        let corner = 5 * 128;
        let (moves, frontier) = (3 * MOVE, 3 * FRONTIER);
        assert_eq!(plain(&drawing, Goal::Normal), moves + frontier + corner);
        assert_eq!(plain(&drawing, Goal::Reversed), moves + frontier - 3 * 128 + 2 * 25);
    }

    #[test]
    fn no_estimate_is_more_than_the_board_can_hold() {
        let geometry = Geometry::new(3, 3).unwrap();
        let evaluation = Evaluation::find(geometry, Goal::Normal, None).unwrap();
        let board = parse_board(None, "X-X OOO X-X X").unwrap();
        assert!(plain(&["X-X", "OOO", "X-X"], Goal::Normal) > 9 * Eval::UNITS_PER_DISC);
        assert_eq!(evaluation.estimate(board.position()), Eval::from_discs(9.0));
    }

    #[test]
    fn boards_without_weights_get_the_plain_estimate() {
        let evaluation = Evaluation::find(Geometry::new(4, 7).unwrap(), Goal::Normal, None).unwrap();
        assert!(matches!(evaluation, Evaluation::Handcrafted(_)));
    }
}
