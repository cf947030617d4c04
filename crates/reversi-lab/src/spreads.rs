//! Measures [`Spreads`]: how far searches of any depth differ from deeper ones, as products of a few factors.

use crate::sigmas::Lab;
use reversi_solver::eval::{Eval, Evaluator};
use reversi_solver::search::probcut::ProbCut;
use reversi_solver::search::probcut::spreads::{
    DEEPEST_SHALLOW, EMPTIES_STEP, END_STAGES, END_STEP, LEAST_EMPTIES, LEAST_END, Spreads,
};
use reversi_solver::search::{MemoryError, Stop};
use std::sync::Arc;

/// The deepest search that shallow ones are compared with.
const DEEPEST: u32 = DEEPEST_SHALLOW + 2;
/// ProbCut's confidence in that search, in tenths of a sigma: without ProbCut it would take minutes per position.
const CONFIDENCE: u32 = 20;
/// Positions with at most this many empty squares are solved.
const MOST_SOLVED: u32 = LEAST_END + END_STEP * END_STAGES as u32 - 1;
/// Rounds of the fit, each over all lists of factors; more rounds change nothing.
const ROUNDS: usize = 10;
/// The shallow depth whose factor is 100.
const UNIT_DEPTH: usize = 4;

/// An error, and the indices of its three factors.
#[derive(Clone, Copy)]
struct Sample {
    error: f64,
    places: [usize; 3],
}

/// Measures an evaluation on `positions` positions of each number of empty squares; `None` if stopped.
///
/// # Errors
/// When the memory for a search cannot be had.
pub fn measure_spreads(
    evaluator: Arc<Evaluator>,
    positions: u32,
    seed: u64,
    stop: &Stop,
) -> Result<Option<Spreads>, MemoryError> {
    Ok(measure(&mut Lab::new(evaluator, seed, stop)?, positions))
}

fn measure(lab: &mut Lab, positions: u32) -> Option<Spreads> {
    let probcut = ProbCut::find(lab.geometry, lab.rules.goal, CONFIDENCE);
    let (mut middle, mut end) = (Vec::new(), Vec::new());
    for empties in LEAST_END..=lab.geometry.square_count().saturating_sub(DEEPEST) {
        for _ in 0..positions {
            let Some(position) = lab.position(empties) else { continue };
            let mut values = vec![lab.evaluation.estimate(position).units()];
            values.extend(lab.values_to(position, DEEPEST.min(empties - 1), probcut)?);
            middle.extend(middle_samples(&values, empties));
            if empties <= MOST_SOLVED {
                let exact = Eval::from(lab.solver.solve(position, lab.stop).ok()?.score).units();
                end.extend(end_samples(&values, exact, empties));
            }
        }
    }
    let [by_empties, by_shallow, by_distance] = fit(&middle);
    let [end_by_empties, end_by_shallow, _] = fit(&end);
    Some(Spreads {
        by_empties: rounded(&by_empties, 1.0),
        by_shallow: rounded(&by_shallow, 100.0),
        by_distance: rounded(&by_distance, 100.0),
        end_by_empties: rounded(&end_by_empties, 1.0),
        end_by_shallow: rounded(&end_by_shallow, 100.0),
    })
}

/// The errors of all pairs of depths of the same parity. `values[d]` is the value of depth `d`.
fn middle_samples(values: &[i32], empties: u32) -> Vec<Sample> {
    let stage = (empties.saturating_sub(LEAST_EMPTIES) / EMPTIES_STEP) as usize;
    let mut samples = Vec::new();
    for depth in 3..values.len() {
        for shallow in (depth % 2..depth - 1).step_by(2) {
            let error = f64::from(values[depth] - values[shallow]);
            samples.push(Sample { error, places: [stage, shallow, (depth - shallow) / 2 - 1] });
        }
    }
    samples
}

/// The errors against the exact score of searches of at most half the plies to the end, of either parity.
fn end_samples(values: &[i32], exact: i32, empties: u32) -> Vec<Sample> {
    let stage = ((empties - LEAST_END) / END_STEP) as usize;
    let shallow = values.iter().enumerate().take(empties as usize / 2 + 1);
    shallow
        .map(|(depth, &value)| Sample { error: f64::from(exact - value), places: [stage, depth, 0] })
        .collect()
}

/// Three lists of factors whose products are the root mean squares of the samples. In the second list the factor at
/// [`UNIT_DEPTH`] is 1, in the third the first factor. Each factor is repeatedly set to the root mean square of its
/// samples divided by their other factors.
fn fit(samples: &[Sample]) -> [Vec<f64>; 3] {
    let mut factors: [Vec<f64>; 3] = std::array::from_fn(|list| {
        vec![1.0; samples.iter().map(|sample| sample.places[list] + 1).max().unwrap_or(0)]
    });
    for _ in 0..ROUNDS {
        for list in 0..3 {
            let mut sums = vec![(0.0, 0.0); factors[list].len()];
            for Sample { error, places } in samples {
                let others: f64 = (0..3)
                    .filter(|&other| other != list)
                    .map(|other| factors[other][places[other]])
                    .product();
                let sum = &mut sums[places[list]];
                *sum = (sum.0 + (error / others).powi(2), sum.1 + 1.0);
            }
            factors[list] =
                sums.iter().map(|(squares, count)| f64::sqrt(squares / f64::max(*count, 1.0))).collect();
            let unit = match list {
                1 => factors[1].get(UNIT_DEPTH),
                2 => factors[2].first(),
                _ => None,
            };
            let unit = unit.copied().filter(|&unit| unit > 0.0).unwrap_or(1.0);
            factors[list].iter_mut().for_each(|factor| *factor /= unit);
            factors[0].iter_mut().for_each(|factor| *factor *= unit);
        }
    }
    factors
}

/// The first `COUNT` factors times `unit`, rounded; if fewer were measured, as on small boards, the last one is
/// repeated.
fn rounded<const COUNT: usize>(factors: &[f64], unit: f64) -> [i32; COUNT] {
    let factor = |place: usize| factors.get(place).or(factors.last()).copied().unwrap_or_default();
    std::array::from_fn(|place| (factor(place) * unit).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::{Geometry, Goal};

    #[test]
    fn the_fit_finds_the_factors_that_errors_were_made_of() {
        let made: [&[f64]; 3] = [&[300.0, 200.0], &[1.3, 1.2, 1.1, 1.05, 1.0, 0.9], &[1.0, 1.25, 1.4]];
        let mut samples = Vec::new();
        for (stage, &by_stage) in made[0].iter().enumerate() {
            for (shallow, &by_shallow) in made[1].iter().enumerate() {
                for (distance, &by_distance) in made[2].iter().enumerate() {
                    let error = by_stage * by_shallow * by_distance;
                    for error in [error, -error] {
                        samples.push(Sample { error, places: [stage, shallow, distance] });
                    }
                }
            }
        }
        for (found, made) in fit(&samples).iter().zip(made) {
            assert_eq!(found.len(), made.len());
            assert!(
                found.iter().zip(made).all(|(found, made)| (found / made - 1.0).abs() < 1e-6),
                "{found:?}"
            );
        }
    }

    #[test]
    fn the_same_seed_measures_the_same() {
        let measure = || {
            let evaluator = Evaluator::shipped(Geometry::SIX, Goal::Reversed).expect("6x6 has one");
            measure_spreads(evaluator, 1, 3, &Stop::never()).unwrap().expect("nothing stops it")
        };
        let measured = measure();
        assert_eq!(measured, measure());
        assert!(measured.by_empties.iter().all(|&sigma| sigma > 0), "{measured}");
        assert_eq!((measured.by_shallow[UNIT_DEPTH], measured.by_distance[0]), (100, 100));
    }
}
