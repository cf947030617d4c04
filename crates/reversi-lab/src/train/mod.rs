//! Learns the weights of the evaluation from games the program plays with itself.
//!
//! It learns stage by stage from the end of the game backwards: near the end the labels are exact, before that a search
//! of a few plies ends in the stage learned just before. A second generation plays its games with the weights of the
//! first, and so on; weights that its games do not touch keep the values of the first. Each generation is examined
//! against exact values and plays a match with the one before. Everything depends on the plan alone, its seed included,
//! and not on the number of threads.

mod bias;
mod duel;
mod exam;
mod fit;
mod games;
mod labels;
pub mod plan;

use bias::{Outcomes, Unbiased};
pub use duel::DuelReport;
use exam::Exam;
pub use exam::ExamReport;
use fit::Data;
pub use games::Play;
use games::{Games, Met};
use labels::{Labeler, Shallow};
pub use plan::{TrainingPlan, TrainingPlanError};
use rayon::prelude::*;
use reversi_rules::Position;
use reversi_solver::eval::{Eval, Evaluator, Features, Weights, weights::stage_count};
use reversi_solver::search::Stop;
use serde::Serialize;
use std::sync::Arc;

/// One game in this many is held out, to measure the error on positions not learned from.
const HELD_OUT: u32 = 16;

/// Steps of each fit: more do not lower the error on held-out positions.
const STEPS: u32 = 60;

/// The progress of training.
pub enum Report<'a> {
    /// A stage is learned.
    Stage(StageReport),
    /// The weights of a generation are learned, with which the next one begins. Its exam and its match follow.
    Learned(&'a Weights),
    /// A generation is done.
    Generation(GenerationReport),
}

/// How well a generation has learned.
pub struct GenerationReport {
    /// Which generation, from 1.
    pub generation: u32,
    /// Its estimates against exact values, from the end of the game on.
    pub exam: Vec<ExamReport>,
    /// Its match with the weights before, if there were any and a match was asked for.
    pub duel: Option<DuelReport>,
}

/// One stage is learned.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StageReport {
    /// Which generation, from 1.
    #[serde(skip)]
    pub generation: u32,
    /// Fewest and most empties of the stage.
    pub empties: (u32, u32),
    /// Positions learned from.
    pub positions: usize,
    /// Positions held out.
    pub held_out: usize,
    /// Mean absolute error on the positions held out, all with the same weight, in discs; `None` without any.
    pub error: Option<f64>,
    /// The same error of an evaluation that is always 0.
    pub error_of_zero: Option<f64>,
}

/// Learns weights, from nothing or from earlier weights, with which the first generation then plays its games. If
/// [`TrainingPlan::first_generation`] is the number after the generation of these weights, the result is the same as
/// without the interruption. `report` is called for each stage and each generation. `None` if `stop` was set before the
/// end.
///
/// # Panics
/// If nothing can be learned as planned, or not from these weights: see [`TrainingPlan::check`].
pub fn train(
    plan: &TrainingPlan,
    before: Option<Weights>,
    stop: &Stop,
    mut report: impl FnMut(Report),
) -> Option<Weights> {
    plan.check(before.as_ref()).unwrap_or_else(|error| panic!("{error}"));
    let features = Features::of(plan.geometry).expect("a board with features");
    let mut before = before;
    for number in (plan.first_generation..).take(plan.generations as usize) {
        let player = before.as_ref().map(Evaluator::new).map(Arc::new);
        let seed = plan.seed.wrapping_add(u64::from(number) << 32);
        let how = Games {
            geometry: plan.geometry,
            rules: plan.rules,
            player: player.as_deref(),
            play: plan.play,
            seed,
            settled_at: Outcomes::settled_at(plan.exact),
        };
        let met = games::play(how, plan.games, stop)?;
        let generation =
            Generation { plan, features: &features, number, met: &met, before, player, seed, stop };
        let weights = generation.learn(&mut report)?;
        report(Report::Learned(&weights));
        report(Report::Generation(generation.examine(&weights)?));
        before = Some(weights);
    }
    before
}

/// One round of playing and learning.
struct Generation<'a> {
    plan: &'a TrainingPlan,
    features: &'a Features,
    number: u32,
    met: &'a [Vec<Met>],
    before: Option<Weights>,
    /// The evaluation with the weights before.
    player: Option<Arc<Evaluator>>,
    seed: u64,
    stop: &'a Stop,
}

impl Generation<'_> {
    /// All stages, from the end of the game backwards.
    fn learn(&self, report: &mut impl FnMut(Report)) -> Option<Weights> {
        let plan = self.plan;
        let count = stage_count(plan.geometry, plan.stage_width);
        let mut stages = vec![vec![0; self.features.weight_count()]; count];
        let mut outcomes = Outcomes::new(plan.games, plan.exact);
        for stage in 0..count {
            let first = stage as u32 * plan.stage_width;
            let last = (first + plan.stage_width - 1).min(plan.geometry.square_count() - 4);
            let weights = Weights::new(plan.geometry, plan.rules, plan.stage_width, stages.clone());
            let evaluator = Evaluator::new(&weights);
            let mut learned = Data::default();
            let mut held_out = Data::default();
            for empties in first..=last {
                let met = &self.met[empties as usize];
                let labels = self.labels(empties, &evaluator)?;
                outcomes.observe(empties, met, &labels);
                for (met, label) in met.iter().zip(labels) {
                    let data = if met.game % HELD_OUT == 0 { &mut held_out } else { &mut learned };
                    self.push(met.position, label, data);
                }
            }
            let prior = self.prior(&stages, stage);
            learned.weigh(&prior, |estimate| worth(estimate, plan.half_worth));
            let fitted = fit::fit(&learned, prior, plan.ridge, STEPS);
            report(Report::Stage(StageReport {
                generation: self.number,
                empties: (first, last),
                positions: learned.labels.len(),
                held_out: held_out.labels.len(),
                error: held_out.mean_error(&fitted),
                error_of_zero: held_out.mean_error(&vec![0.0; fitted.len()]),
            }));
            let units = |weight: &f32| (weight * Eval::UNITS_PER_DISC as f32).round() as i16;
            stages[stage] = fitted.iter().map(units).collect();
            self.remove_bias(&mut stages, (first, last), &outcomes)?;
        }
        Some(Weights::new(plan.geometry, plan.rules, plan.stage_width, stages))
    }

    /// Corrects the parity weights of the stage from `first` to `last`, after the fit to the labels: see [`bias`].
    /// `None` if stopped.
    fn remove_bias(
        &self,
        stages: &mut [Vec<i16>],
        (first, last): (u32, u32),
        outcomes: &Outcomes,
    ) -> Option<()> {
        let TrainingPlan { geometry, rules, stage_width, half_worth, .. } = *self.plan;
        let weights = Weights::new(geometry, rules, stage_width, stages.to_vec());
        let evaluator = &Evaluator::new(&weights);
        let search = Shallow { geometry, rules, evaluator };
        let unbiased = Unbiased { search, met: self.met, outcomes, half_worth, stop: self.stop };
        for parity in 0..2 {
            let leaves = (first..=last).filter(|empties| empties % 2 == parity);
            let correction = unbiased.correction(leaves)?;
            let weight = &mut stages[(first / stage_width) as usize][self.features.parity_weight(parity)];
            *weight = weight.saturating_add((correction * Eval::UNITS_PER_DISC as f64).round() as i16);
        }
        Some(())
    }

    /// The prior weights of a stage, in discs: those of the generation before, else those just learned for the stage
    /// after it in the game, else zeros.
    fn prior(&self, learned: &[Vec<i16>], stage: usize) -> Vec<f32> {
        let before = self.before.as_ref().and_then(|weights| weights.stages().nth(stage));
        let units = match (before, stage) {
            (Some(units), _) => units,
            (None, 0) => return vec![0.0; self.features.weight_count()],
            (None, _) => &learned[stage - 1],
        };
        units.iter().map(|&unit| f32::from(unit) / Eval::UNITS_PER_DISC as f32).collect()
    }

    /// The exam and the match. `None` if stopped.
    fn examine(&self, weights: &Weights) -> Option<GenerationReport> {
        let TrainingPlan { rules, stage_width, play, exam_empties, exam_positions, duel_openings, .. } =
            *self.plan;
        let evaluator = Arc::new(Evaluator::new(weights));
        let exam = Exam {
            evaluator: &evaluator,
            rules,
            stage_width,
            most_empties: exam_empties,
            play,
            positions: exam_positions,
            // Other games than those learned from.
            seed: !self.seed,
        };
        let against = self.player.as_ref().filter(|_| duel_openings > 0);
        let duel = match against {
            Some(before) => {
                Some(duel::duel(&evaluator, before, rules, duel_openings, !self.seed, self.stop)?)
            }
            None => None,
        };
        Some(GenerationReport { generation: self.number, exam: exam.take(self.stop)?, duel })
    }

    /// The labels of the positions with this number of empties, in their order.
    fn labels(&self, empties: u32, evaluator: &Evaluator) -> Option<Vec<Eval>> {
        let TrainingPlan { geometry, rules, exact, depth, .. } = *self.plan;
        let labeler = || {
            if empties <= exact.max(depth) {
                Labeler::exact(geometry, rules, self.player.clone())
            } else {
                Labeler::Shallow(Shallow { geometry, rules, evaluator }, empties - depth)
            }
        };
        let met = &self.met[empties as usize];
        met.par_iter().map_init(labeler, |labeler, met| labeler.label(met.position, self.stop)).collect()
    }

    fn push(&self, position: Position, label: Eval, data: &mut Data) {
        let mut found = Vec::new();
        self.features.weights_of(position, &mut found);
        data.width = found.len();
        data.features.extend(found);
        data.labels.push(label.discs() as f32);
    }
}

/// The weight in the fit of a position with this estimate: 1 for 0, one half for `half_worth` discs.
fn worth(estimate: f32, half_worth: f32) -> f32 {
    1.0 / (1.0 + (estimate / half_worth).powi(2))
}

#[cfg(test)]
mod tests {
    use super::worth;

    #[test]
    fn even_positions_count_most() {
        assert_eq!([worth(0.0, 20.0), worth(20.0, 20.0), worth(-20.0, 20.0)], [1.0, 0.5, 0.5]);
        assert_eq!(worth(64.0, f32::INFINITY), 1.0);
    }
}
