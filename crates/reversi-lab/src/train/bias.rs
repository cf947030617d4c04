//! Measures the mean error of searches over an evaluation, from the results of games.
//!
//! The label of a position is the best of many estimates, and the best of many estimates with errors is too high on
//! average. Labels that depend on such labels pass this bias on from stage to stage. A game without random moves from
//! some position on shows, on average over many games, the true value of that position. The correction is added to all
//! estimates of a stage with an even or odd number of empty squares, so that searches that end there are right on
//! average.

use super::games::Met;
use super::labels::Shallow;
use super::worth;
use rayon::prelude::*;
use reversi_solver::eval::Eval;
use reversi_solver::search::Stop;

/// Plies of the searches that are made right on average: the deepest cheap ones, one of either parity. After an even
/// number of plies the side to move at the leaf is that of the root, and a number added to the estimate is added to the
/// value; after an odd number it is subtracted.
const PLIES: [u32; 2] = [3, 4];

/// The most positions of each number of empty squares that are searched.
const POSITIONS: usize = 4000;

/// Weight, in positions, of the assumption that there is no bias.
const PRIOR: f64 = 100.0;

/// The results of the games, in discs for the side that began.
pub(super) struct Outcomes {
    /// With at most this many empty squares labels are exact.
    exact: u32,
    /// For each game, the exact scores at `exact` empty squares and at one less, if the game has such positions.
    of_games: Vec<[Option<f32>; 2]>,
}

impl Outcomes {
    /// Games whose results are not known yet.
    pub fn new(games: u32, exact: u32) -> Outcomes {
        Outcomes { exact, of_games: vec![[None; 2]; games as usize] }
    }

    /// With at most this many empty squares, random moves do not change the outcomes that are used.
    pub fn settled_at(exact: u32) -> u32 {
        exact.saturating_sub(1)
    }

    /// Records the labels of the positions with this number of empty squares.
    pub fn observe(&mut self, empties: u32, met: &[Met], labels: &[Eval]) {
        let place = self.exact.wrapping_sub(empties) as usize;
        if place > 1 {
            return;
        }
        for (met, label) in met.iter().zip(labels) {
            let score = label.discs() as f32;
            self.of_games[met.game as usize][place] = Some(if met.is_first { score } else { -score });
        }
    }

    /// The result of a position's game, for the side to move; `None` if it says nothing about the position.
    ///
    /// It is the mean of two exact scores, one ply apart: between the position and each of them one side has one more
    /// move to err in, in one case the side to move and in the other its opponent.
    fn of(&self, met: &Met) -> Option<f32> {
        let [Some(one), Some(other)] = self.of_games[met.game as usize] else { return None };
        let score = (one + other) / 2.0;
        met.is_settled.then_some(if met.is_first { score } else { -score })
    }
}

/// The data of a measurement.
pub(super) struct Unbiased<'a> {
    pub search: Shallow<'a>,
    /// The positions of the games, by number of empty squares.
    pub met: &'a [Vec<Met>],
    pub outcomes: &'a Outcomes,
    pub half_worth: f32,
    pub stop: &'a Stop,
}

impl Unbiased<'_> {
    /// The correction of the estimates of positions with these numbers of empty squares, in discs. `None` if stopped.
    pub fn correction(&self, leaves: impl Iterator<Item = u32>) -> Option<f64> {
        let (mut sum, mut count) = ([0.0; 2], [PRIOR; 2]);
        for leaf in leaves {
            for (place, plies) in PLIES.into_iter().enumerate() {
                let (deviations, worths) = self.deviations(leaf, plies)?;
                sum[place] += deviations;
                count[place] += worths;
            }
        }
        Some((sum[1] / count[1] - sum[0] / count[0]) / 2.0)
    }

    /// The sum of the amounts by which searches of this depth are too low, and the number of positions, both weighted.
    /// `None` if stopped.
    fn deviations(&self, leaf: u32, plies: u32) -> Option<(f64, f64)> {
        let Some(met) = self.met.get((leaf + plies) as usize) else { return Some((0.0, 0.0)) };
        let known: Vec<(&Met, f32)> =
            met.iter().filter_map(|met| Some((met, self.outcomes.of(met)?))).collect();
        let step = known.len().div_ceil(POSITIONS).max(1);
        let deviation = |&(met, outcome): &(&Met, f32)| {
            let search = &self.search;
            let value = search.value(met.position, leaf, -Eval::INFINITE, Eval::INFINITE).discs() as f32;
            let worth = worth(value, self.half_worth);
            (!self.stop.is_set()).then_some((worth * (outcome - value), worth))
        };
        let found: Vec<(f32, f32)> = known.par_iter().step_by(step).map(deviation).collect::<Option<_>>()?;
        // Summed in order, so that the result does not depend on the number of threads.
        Some(found.iter().fold((0.0, 0.0), |(sum, count), &(deviation, worth)| {
            (sum + f64::from(deviation), count + f64::from(worth))
        }))
    }
}
