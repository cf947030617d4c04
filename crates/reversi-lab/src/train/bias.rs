//! Finds out by how much searches over an evaluation err on average, from how games ended.
//!
//! The label of a position is the best of many estimates, and the best of many estimates that err promises too much:
//! labels that rest on labels that rest on labels carry that from stage to stage. A game in which no move was random any
//! more tells, on average over many games, what its positions were worth. The number added to all estimates of a stage
//! with an even or odd number of empty squares makes searches that end there right on average.

use super::games::Met;
use super::labels::Shallow;
use super::worth;
use rayon::prelude::*;
use reversi_solver::eval::Eval;
use reversi_solver::search::Stop;

/// Plies of the searches that are made right on average: the most that are cheap, one of either parity. After an even
/// number the side to move at the leaf is that of the root, and a number added there is added to the value; after an odd
/// one it is subtracted.
const PLIES: [u32; 2] = [3, 4];

/// Positions of each number of empty squares that are searched at most.
const POSITIONS: usize = 4000;

/// Positions whose mean outweighs the assumption that there is no bias.
const PRIOR: f64 = 100.0;

/// How each game ended, in discs for the side that began it.
pub(super) struct Outcomes {
    /// With at most this many empty squares labels are exact.
    exact: u32,
    /// The exact scores where it came to that number of empty squares, and to one less.
    of_games: Vec<[Option<f32>; 2]>,
}

impl Outcomes {
    /// Of games whose end is not known yet.
    pub fn new(games: u32, exact: u32) -> Outcomes {
        Outcomes { exact, of_games: vec![[None; 2]; games as usize] }
    }

    /// The number of empty squares from which on random moves change no outcome.
    pub fn settled_at(exact: u32) -> u32 {
        exact.saturating_sub(1)
    }

    /// Takes the labels of the positions with this number of empty squares.
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

    /// How the game of a position ended, for the side to move; `None` where that says nothing about the position.
    ///
    /// The mean of two exact scores: between them and the position one side has one move more to err in, once the side
    /// to move and once the other.
    fn of(&self, met: &Met) -> Option<f32> {
        let [Some(one), Some(other)] = self.of_games[met.game as usize] else { return None };
        let score = (one + other) / 2.0;
        met.is_settled.then_some(if met.is_first { score } else { -score })
    }
}

/// What it takes to find out.
pub(super) struct Unbiased<'a> {
    pub search: Shallow<'a>,
    /// The positions of the games, by number of empty squares.
    pub met: &'a [Vec<Met>],
    pub outcomes: &'a Outcomes,
    pub half_worth: f32,
    pub stop: &'a Stop,
}

impl Unbiased<'_> {
    /// What is to be added to the estimates of positions with these numbers of empty squares, in discs. `None` if told to
    /// stop.
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

    /// The sum of what searches of this depth estimate too low, and the number of positions. `None` when stopped.
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
        // Summed up in order: the same on any number of threads.
        Some(found.iter().fold((0.0, 0.0), |(sum, count), &(deviation, worth)| {
            (sum + f64::from(deviation), count + f64::from(worth))
        }))
    }
}
