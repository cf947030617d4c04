//! The plan of a training, and its limits.

use super::{HELD_OUT, Play};
use reversi_rules::{Geometry, Goal, Rules};
use reversi_solver::eval::{Features, Weights};
use std::fmt::Display;
use std::ops::RangeInclusive;

/// The allowed numbers of generations.
pub const GENERATIONS: RangeInclusive<u32> = 1..=1_000_000;

/// The allowed numbers of games in a generation: one in 16 measures the error, so at least 16 are needed. On 8x8 the
/// positions of the largest number take some tens of gigabytes.
pub const GAMES: RangeInclusive<u32> = HELD_OUT..=10_000_000;

/// The allowed numbers of empties in a stage: no more than the plies of [`DEPTHS`], see [`TrainingPlan::depth`].
pub const STAGE_WIDTHS: RangeInclusive<u32> = 1..=8;

/// The allowed numbers of empties up to which the labels of all positions of all games are exact.
pub const EXACTS: RangeInclusive<u32> = 0..=20;

/// The allowed plies of the search that labels earlier positions: it has no cut-offs but those of alpha-beta.
pub const DEPTHS: RangeInclusive<u32> = 1..=8;

/// The allowed strengths of the prior, in positions. Without a prior, weights that occur in no position would have no
/// value at all, and the whole fit would fail.
pub const RIDGES: RangeInclusive<f32> = 1e-6..=1e6;

/// The allowed labels, in discs, at which a position counts half.
pub const HALF_WORTHS: RangeInclusive<f32> = 1.0..=1e6;

/// The allowed numbers of empties of examined positions: their exact values must be found in reasonable time.
pub const EXAMS: RangeInclusive<u32> = 0..=24;

/// The allowed numbers of examined positions in each stage.
pub const EXAM_POSITIONS: RangeInclusive<u32> = 1..=100_000;

/// The allowed numbers of openings of a match.
pub const DUELS: RangeInclusive<u32> = 0..=100_000;

/// The plan of a training.
#[derive(Clone, Copy, Debug)]
pub struct TrainingPlan {
    /// The board; one with [`Features`].
    pub geometry: Geometry,
    /// Goal and scoring.
    pub rules: Rules,
    /// Determines all random numbers.
    pub seed: u64,
    /// Number of generations, each with games played by the evaluation learned before: see [`GENERATIONS`].
    pub generations: u32,
    /// The number of the first of them, which determines its random numbers: 1, or the number after the generation
    /// whose weights it starts with, see [`GENERATIONS`].
    pub first_generation: u32,
    /// Games of each generation: see [`GAMES`].
    pub games: u32,
    /// How they are played.
    pub play: Play,
    /// With at most this many empties labels are exact: see [`EXACTS`].
    pub exact: u32,
    /// Plies of the search that labels earlier positions, see [`DEPTHS`]; at least `stage_width`.
    pub depth: u32,
    /// Number of empties in a stage: see [`STAGE_WIDTHS`].
    pub stage_width: u32,
    /// Strength of the prior, in positions: see [`RIDGES`]. The prior is the weights of the generation before; in the
    /// first generation it is the weights of the stage learned before.
    pub ridge: f32,
    /// Estimate by the prior weights, in discs for either side, at which a position counts half as much as an even one,
    /// see [`HALF_WORTHS`]; infinite if all count the same.
    pub half_worth: f32,
    /// Each generation is examined on positions with up to this many empties, see [`EXAMS`], from games played like
    /// those it learns from; 0 for no exam.
    pub exam_empties: u32,
    /// Positions of each stage in the exam: see [`EXAM_POSITIONS`].
    pub exam_positions: u32,
    /// Openings from which a generation plays the one before, each twice, see [`DUELS`]; 0 for no match.
    pub duel_openings: u32,
}

/// Why nothing can be learned as planned.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TrainingPlanError {
    /// The board has no [`Features`].
    #[error("an evaluation is learned for boards from 4x4 to 8x8, not for {0}")]
    Board(Geometry),
    /// A number of the plan lies outside its range.
    #[error("{what} must be from {least} to {most}, not {found}")]
    Range {
        /// The field of the plan.
        what: &'static str,
        /// The least that is allowed.
        least: String,
        /// The most that is allowed.
        most: String,
        /// What the plan says.
        found: String,
    },
    /// Labels would depend on the stage that is being learned, and not on one learned before.
    #[error(
        "a search of {depth} plies ends in a stage of {stage_width} empty squares that is still being learned"
    )]
    Depth {
        /// Plies of the search that labels.
        depth: u32,
        /// Empties a stage.
        stage_width: u32,
    },
    /// The weights to start with are for another board or goal.
    #[error("the weights to go on from are for {} {}, not for {} {}", found.0, found.1, asked.0, asked.1)]
    Before {
        /// Board and goal of the weights.
        found: (Geometry, Goal),
        /// Board and goal of the plan.
        asked: (Geometry, Goal),
    },
    /// The weights to start with have stages of another width, so they cannot be used.
    #[error("the weights to go on from have stages of {found} empty squares, not of {asked}")]
    Stages {
        /// Empties a stage of the weights.
        found: u32,
        /// Empties a stage of the plan.
        asked: u32,
    },
}

impl TrainingPlan {
    /// Checks that the plan can be carried out, starting with these weights if there are any.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self, before: Option<&Weights>) -> Result<(), TrainingPlanError> {
        if Features::of(self.geometry).is_none() {
            return Err(TrainingPlanError::Board(self.geometry));
        }
        self.check_numbers()?;
        let TrainingPlan { depth, stage_width, .. } = *self;
        if depth < stage_width {
            return Err(TrainingPlanError::Depth { depth, stage_width });
        }
        let asked = (self.geometry, self.rules.goal);
        let Some(weights) = before else { return Ok(()) };
        let found = (weights.geometry(), weights.rules().goal);
        if found != asked {
            return Err(TrainingPlanError::Before { found, asked });
        }
        if weights.stage_width() != stage_width {
            return Err(TrainingPlanError::Stages { found: weights.stage_width(), asked: stage_width });
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<(), TrainingPlanError> {
        within("generations", self.generations, GENERATIONS)?;
        within("first_generation", self.first_generation, GENERATIONS)?;
        within("games", self.games, GAMES)?;
        within("exact", self.exact, EXACTS)?;
        within("depth", self.depth, DEPTHS)?;
        within("stage_width", self.stage_width, STAGE_WIDTHS)?;
        within("ridge", self.ridge, RIDGES)?;
        if self.half_worth != f32::INFINITY {
            within("half_worth", self.half_worth, HALF_WORTHS)?;
        }
        within("exam_empties", self.exam_empties, EXAMS)?;
        within("exam_positions", self.exam_positions, EXAM_POSITIONS)?;
        within("duel_openings", self.duel_openings, DUELS)
    }
}

fn within<T: PartialOrd + Display>(
    what: &'static str,
    found: T,
    range: RangeInclusive<T>,
) -> Result<(), TrainingPlanError> {
    if range.contains(&found) {
        return Ok(());
    }
    let [least, most, found] = [range.start(), range.end(), &found].map(T::to_string);
    Err(TrainingPlanError::Range { what, least, most, found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::train;
    use reversi_solver::search::Stop;

    fn plan() -> TrainingPlan {
        TrainingPlan {
            geometry: Geometry::SIX,
            rules: Rules::default(),
            seed: 1,
            generations: 1,
            first_generation: 1,
            games: 16,
            play: Play::Wild,
            exact: 2,
            depth: 2,
            stage_width: 2,
            ridge: 3.0,
            half_worth: f32::INFINITY,
            exam_empties: 0,
            exam_positions: 1,
            duel_openings: 0,
        }
    }

    fn weights(geometry: Geometry, goal: Goal) -> Weights {
        Weights::shipped(geometry, goal).unwrap().unwrap()
    }

    #[test]
    fn numbers_outside_their_range_are_refused_by_name() {
        plan().check(None).unwrap();
        for (bad, name) in [
            (TrainingPlan { generations: 0, ..plan() }, "generations"),
            (TrainingPlan { first_generation: 0, ..plan() }, "first_generation"),
            (TrainingPlan { games: 0, ..plan() }, "games"),
            (TrainingPlan { games: u32::MAX, ..plan() }, "games"),
            (TrainingPlan { games: 15, ..plan() }, "games"),
            (TrainingPlan { stage_width: 0, ..plan() }, "stage_width"),
            (TrainingPlan { stage_width: 17, ..plan() }, "stage_width"),
            (TrainingPlan { ridge: 0.0, ..plan() }, "ridge"),
            (TrainingPlan { ridge: f32::NAN, ..plan() }, "ridge"),
            (TrainingPlan { half_worth: 0.0, ..plan() }, "half_worth"),
            (TrainingPlan { half_worth: f32::NEG_INFINITY, ..plan() }, "half_worth"),
            (TrainingPlan { exam_empties: 25, ..plan() }, "exam_empties"),
            (TrainingPlan { exam_positions: 0, ..plan() }, "exam_positions"),
            (TrainingPlan { duel_openings: u32::MAX, ..plan() }, "duel_openings"),
        ] {
            let error = bad.check(None).unwrap_err();
            assert!(
                matches!(error, TrainingPlanError::Range { what, .. } if what == name),
                "{name}: {error}"
            );
        }
    }

    #[test]
    fn boards_without_features_and_searches_that_are_too_short_are_refused() {
        let narrow = Geometry::new(3, 6).unwrap();
        let bad = TrainingPlan { geometry: narrow, ..plan() };
        assert_eq!(bad.check(None), Err(TrainingPlanError::Board(narrow)));
        let bad = TrainingPlan { depth: 1, ..plan() };
        assert_eq!(bad.check(None), Err(TrainingPlanError::Depth { depth: 1, stage_width: 2 }));
    }

    #[test]
    fn weights_of_another_board_or_goal_are_no_beginning() {
        plan().check(Some(&weights(Geometry::SIX, Goal::Normal))).unwrap();
        for found in [(Geometry::EIGHT, Goal::Normal), (Geometry::SIX, Goal::Reversed)] {
            let error = plan().check(Some(&weights(found.0, found.1))).unwrap_err();
            assert_eq!(error, TrainingPlanError::Before { found, asked: (Geometry::SIX, Goal::Normal) });
        }
    }

    /// Their weights would be of no use, and would be dropped silently.
    #[test]
    fn weights_of_other_stages_are_no_beginning() {
        let before = weights(Geometry::SIX, Goal::Normal);
        let bad = TrainingPlan { stage_width: 4, depth: 4, ..plan() };
        assert_eq!(bad.check(Some(&before)), Err(TrainingPlanError::Stages { found: 2, asked: 4 }));
    }

    #[test]
    #[should_panic = "ridge must be from 0.000001 to 1000000, not 0"]
    fn training_refuses_what_cannot_be_learned() {
        train(&TrainingPlan { ridge: 0.0, ..plan() }, None, &Stop::never(), |_| {});
    }

    #[test]
    #[should_panic = "are for 6x6 reversed, not for 6x6 normal"]
    fn training_does_not_go_on_from_another_goal() {
        let before = Some(weights(Geometry::SIX, Goal::Reversed));
        train(&plan(), before, &Stop::never(), |_| {});
    }
}
