//! The evaluation of a plain search: one of the five earlier systems, or the engine's.

use crate::historical::{Historical, View};
use reversi_rules::game::Size;
use reversi_rules::{Geometry, Goal, Position, Rules, Scoring};
use reversi_solver::eval::Evaluation;
use reversi_solver::eval::weights::WeightsError;
use std::path::Path;

/// An evaluation of any kind, in its own points.
#[derive(Clone)]
pub enum AnyEvaluation {
    /// An evaluation of one of the five systems.
    Historical(Historical),
    /// The engine's evaluation on this board: learned weights, or a handcrafted sum where there are none. Points are
    /// units of an [`Eval`](reversi_solver::eval::Eval); a finished game counts its discs.
    Engine(Evaluation),
}

impl AnyEvaluation {
    /// All evaluations that are defined on a board, the engine's last. Weights are looked for in `data` first.
    ///
    /// # Errors
    /// A file of weights that exists but cannot be used.
    pub fn all(
        geometry: Geometry,
        goal: Goal,
        data: Option<&Path>,
    ) -> Result<Vec<AnyEvaluation>, WeightsError> {
        let size = Size::from(geometry);
        let historical = Historical::ALL.into_iter().filter(|&known| defined_on(known, size).is_ok());
        let engine = AnyEvaluation::Engine(Evaluation::find(geometry, goal, data)?);
        Ok(historical.map(AnyEvaluation::Historical).chain([engine]).collect())
    }

    /// The name of a historical evaluation; `learned` or `plain` for the engine's.
    pub fn name(&self) -> &'static str {
        match self {
            AnyEvaluation::Historical(historical) => historical.name(),
            AnyEvaluation::Engine(evaluation) if evaluation.evaluator().is_some() => "learned",
            AnyEvaluation::Engine(_) => "plain",
        }
    }

    /// The value of the position in points for the side to move.
    pub fn points(&self, geometry: Geometry, position: Position, goal: Goal) -> i64 {
        self.points_for(geometry, position, goal, true, position.is_over(geometry))
    }

    /// The value of the position in points for the side that has just moved.
    pub fn points_after_move(&self, geometry: Geometry, position: Position, goal: Goal) -> i64 {
        self.points_for(geometry, position, goal, false, position.is_over(geometry))
    }

    /// Whether the value of a position depends on whether the game is over.
    pub(super) fn depends_on_end(&self) -> bool {
        match self {
            AnyEvaluation::Historical(historical) => historical.depends_on_end(),
            AnyEvaluation::Engine(_) => true,
        }
    }

    /// The value of the position in points for the side to move if `own_to_move`, else for the other side.
    pub(super) fn points_for(
        &self,
        geometry: Geometry,
        position: Position,
        goal: Goal,
        own_to_move: bool,
        over: bool,
    ) -> i64 {
        match self {
            AnyEvaluation::Historical(historical) => {
                let Position { player, opponent } = position;
                let view = View { geometry, own: player, opponent, goal, over };
                historical.value(if own_to_move { view } else { view.from_the_other_side() })
            }
            AnyEvaluation::Engine(evaluation) => {
                let for_mover = match over {
                    true => position.final_score(geometry, Rules::new(goal, Scoring::Raw)).into(),
                    false => evaluation.estimate(position),
                };
                i64::from(if own_to_move { for_mover } else { -for_mover }.units())
            }
        }
    }
}

/// Whether an evaluation is defined on boards of this size; the error says where it is.
pub(super) fn defined_on(evaluation: Historical, size: Size) -> Result<(), String> {
    let small = Geometry::from_size(size);
    if evaluation.only_on_8x8() && small != Some(Geometry::EIGHT) {
        return Err(format!("the evaluation {evaluation} is only defined on 8x8, not on {size}"));
    }
    if small.is_none() && evaluation != Historical::Discs {
        return Err(format!("beyond 8x8 there is only the evaluation discs, not {evaluation}"));
    }
    Ok(())
}
