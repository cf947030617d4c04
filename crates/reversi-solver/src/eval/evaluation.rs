//! What the engine believes where it stops searching.

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
    /// Learned from games.
    Learned(Arc<Evaluator>),
    /// Mobility, frontier and corners: for boards without learned weights.
    Handcrafted(Handcrafted),
}

impl Evaluation {
    /// The learned evaluation where there is one, else the plain one. Weights are looked for in `data`
    /// first, then where the program always looks.
    ///
    /// # Errors
    /// A file of weights that is there but cannot be used.
    pub fn find(geometry: Geometry, goal: Goal, data: Option<&Path>) -> Result<Evaluation, WeightsError> {
        let learned = Evaluator::find(geometry, goal, Library::new(data).directories())?;
        Ok(Evaluation::by(learned, geometry, goal))
    }

    /// The evaluation learned for the other goal with its sign turned, else the plain one of this goal.
    ///
    /// # Errors
    /// A file of weights that is there but cannot be used.
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

    /// The learned evaluation, if that is what it goes by.
    pub fn evaluator(&self) -> Option<Arc<Evaluator>> {
        match self {
            Evaluation::Learned(evaluator) => Some(evaluator.clone()),
            Evaluation::Handcrafted(_) => None,
        }
    }

    /// The estimate for the side to move, no farther from 0 than a score on this board can be.
    #[inline]
    pub fn estimate(&self, position: Position) -> Eval {
        match self {
            Evaluation::Learned(evaluator) => bounded(evaluator.evaluate(position), evaluator.geometry()),
            Evaluation::Handcrafted(handcrafted) => {
                bounded(handcrafted.estimate(position), handcrafted.geometry)
            }
        }
    }

    /// Prepares for estimates of what the moves of a position lead to.
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

/// The moves of one position and their estimates: cheaper together.
pub enum ChildEvaluation<'a> {
    /// Learned, on this board.
    Learned(ChildEvaluator<'a>, Geometry),
    /// Of this position.
    Handcrafted(&'a Handcrafted, Position),
}

impl ChildEvaluation<'_> {
    /// The same as [`Evaluation::estimate`] of the position after this move.
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
}

fn bounded(estimate: Eval, geometry: Geometry) -> Eval {
    let most = Eval::new(geometry.square_count() as i32 * Eval::UNITS_PER_DISC);
    estimate.clamp(-most, most)
}

/// A few features that matter on any board, weighed by hand.
#[derive(Clone)]
pub struct Handcrafted {
    geometry: Geometry,
    corners: u64,
    corner_worth: i32,
    disc_worth: i32,
}

/// A move more than the other side, in units of an estimate.
const MOVE: i32 = 90;
/// A disc of the other side next to an empty square, in units of an estimate.
const FRONTIER: i32 = 30;

impl Handcrafted {
    /// Under the normal goal a corner is worth five discs, under the reversed one it costs three, and
    /// every disc a fifth.
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

    /// The estimate for Black.
    fn plain(drawing: &[&str], goal: Goal) -> i32 {
        let board = parse_board(None, &(drawing.concat() + "X")).unwrap();
        Handcrafted::new(board.geometry, goal).estimate(board.position()).units()
    }

    #[test]
    fn the_plain_estimate_adds_up_by_hand() {
        // Black could go to c1, a3 and c3, White nowhere. All three White discs stand beside an empty
        // square, Black's disc does not. Black has the corner, White two discs more.
        let drawing = ["X O -", "O O -", "- - -"];
        let corner = 5 * 128;
        let (moves, frontier) = (3 * MOVE, 3 * FRONTIER);
        assert_eq!(plain(&drawing, Goal::Normal), moves + frontier + corner);
        assert_eq!(plain(&drawing, Goal::Reversed), moves + frontier - 3 * 128 + 2 * 25);
    }

    #[test]
    fn no_estimate_is_more_than_the_board_can_hold() {
        let geometry = Geometry::new(3, 3).unwrap();
        let judge = Evaluation::find(geometry, Goal::Normal, None).unwrap();
        let board = parse_board(None, "X-X OOO X-X X").unwrap();
        assert!(plain(&["X-X", "OOO", "X-X"], Goal::Normal) > 9 * Eval::UNITS_PER_DISC);
        assert_eq!(judge.estimate(board.position()), Eval::from_discs(9.0));
    }

    #[test]
    fn boards_without_weights_get_the_plain_estimate() {
        let judge = Evaluation::find(Geometry::new(5, 7).unwrap(), Goal::Normal, None).unwrap();
        assert!(matches!(judge, Evaluation::Handcrafted(_)));
    }
}
