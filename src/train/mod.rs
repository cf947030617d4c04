//! Learns the weights of the evaluation from games the program plays with itself.
//!
//! Stage by stage from the end of the game backwards: near the end the labels are exact, before that
//! a search of a few plies ends in the stage learned just before. A second generation plays its
//! games with the weights of the first, and so on. Everything depends on the plan alone, its seed
//! included, and not on the number of threads.

mod fit;
mod games;
mod labels;

use crate::eval::{Eval, Evaluator, Features, Weights, weights::stage_count};
use crate::rules::{Geometry, Position, Rules};
use crate::search::Stop;
use fit::Data;
use games::Met;
use labels::{Labeler, Shallow};
use rayon::prelude::*;
use std::sync::Arc;

/// One game in so many is kept apart to measure the error on positions not learned from.
const HELD_OUT: u32 = 16;

/// Steps of each fit: after so many the error on positions held out no longer falls.
const STEPS: u32 = 60;

/// What to learn and how.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The board; one with [`Features`].
    pub geometry: Geometry,
    /// What a finished game is worth.
    pub rules: Rules,
    /// Everything random follows from it.
    pub seed: u64,
    /// How often the whole is done, each time with games played by the evaluation learned before.
    pub generations: u32,
    /// Games of each generation.
    pub games: u32,
    /// With at most so many empties labels are exact.
    pub exact: u32,
    /// Plies of the search that labels earlier positions.
    pub depth: u32,
    /// Empties a stage.
    pub stage_width: u32,
    /// Weight of the penalty on large weights, in positions.
    pub ridge: f32,
}

/// How far training has come: one stage is learned.
#[derive(Clone, Copy, Debug)]
pub struct StageReport {
    /// Which generation, from 1.
    pub generation: u32,
    /// Fewest and most empties of the stage.
    pub empties: (u32, u32),
    /// Positions learned from.
    pub positions: usize,
    /// Positions held out.
    pub held_out: usize,
    /// Mean absolute error on the positions held out, in discs.
    pub error: f64,
    /// The same of an evaluation that always says 0.
    pub error_of_zero: f64,
}

/// Learns weights, from nothing or from what was learned before (then the first generation plays its
/// games with that); `report` hears of each stage. `None` if `stop` was set before the end.
///
/// # Panics
/// If the board has no features, or the depth is less than the width of a stage (the search would end
/// in the stage that is being learned).
pub fn train(
    plan: &Plan,
    before: Option<Weights>,
    stop: &Stop,
    mut report: impl FnMut(StageReport),
) -> Option<Weights> {
    assert!(plan.depth >= plan.stage_width, "a label must rest on a stage learned before");
    let features = Features::of(plan.geometry).expect("a board with features");
    let mut weights = before;
    for generation in 1..=plan.generations {
        let player = weights.as_ref().map(Evaluator::new).map(Arc::new);
        let seed = plan.seed.wrapping_add(u64::from(generation) << 32);
        let met = games::play(plan.geometry, player.as_deref(), plan.games, seed);
        let generation =
            Generation { plan, features: &features, number: generation, met: &met, player, stop };
        weights = Some(generation.learn(&mut report)?);
    }
    weights
}

/// One round of playing and learning.
struct Generation<'a> {
    plan: &'a Plan,
    features: &'a Features,
    number: u32,
    met: &'a [Vec<Met>],
    player: Option<Arc<Evaluator>>,
    stop: &'a Stop,
}

impl Generation<'_> {
    /// All stages, from the end of the game backwards.
    fn learn(&self, report: &mut impl FnMut(StageReport)) -> Option<Weights> {
        let plan = self.plan;
        let count = stage_count(plan.geometry, plan.stage_width);
        let mut stages = vec![vec![0; self.features.weight_count()]; count];
        for stage in 0..count {
            let first = stage as u32 * plan.stage_width;
            let last = (first + plan.stage_width - 1).min(plan.geometry.square_count() - 4);
            let weights = Weights::new(plan.geometry, plan.rules, plan.stage_width, stages.clone());
            let evaluator = Evaluator::new(&weights);
            let mut learned = Data::default();
            let mut held_out = Data::default();
            for empties in first..=last {
                let met = &self.met[empties as usize];
                for (met, label) in met.iter().zip(self.labels(empties, &evaluator)?) {
                    let data = if met.game % HELD_OUT == 0 { &mut held_out } else { &mut learned };
                    self.push(met.position, label, data);
                }
            }
            let fitted = fit::fit(&learned, self.features.weight_count(), plan.ridge, STEPS);
            report(StageReport {
                generation: self.number,
                empties: (first, last),
                positions: learned.labels.len(),
                held_out: held_out.labels.len(),
                error: held_out.mean_error(&fitted),
                error_of_zero: held_out.mean_error(&vec![0.0; fitted.len()]),
            });
            let units = |weight: &f32| (weight * Eval::UNITS_PER_DISC as f32).round() as i16;
            stages[stage] = fitted.iter().map(units).collect();
        }
        Some(Weights::new(plan.geometry, plan.rules, plan.stage_width, stages))
    }

    /// The labels of the positions with so many empties, in their order.
    fn labels(&self, empties: u32, evaluator: &Evaluator) -> Option<Vec<Eval>> {
        let Plan { geometry, rules, exact, depth, .. } = *self.plan;
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
