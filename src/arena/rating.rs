//! The strength of many players from all their games: Elo points with intervals.
//!
//! The model is that of Bradley and Terry ("Rank analysis of incomplete block designs", 1952), fitted by the
//! iteration of Hunter ("MM algorithms for generalized Bradley-Terry models", 2004); a draw is half a win for each. Each
//! player is given one drawn game with an imagined player of average strength, so that one who has won or
//! lost every game gets a number too.

use super::lab::sample::seed_at;
use super::tournament::Played;
use fastrand::Rng;

/// A player's strength in Elo points, the mean of all players being 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The most likely strength.
    pub elo: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// How often games are drawn anew from those played, for the intervals (Efron's bootstrap).
const RESAMPLES: u64 = 200;
const MOST_ITERATIONS: usize = 10_000;

/// The strength of each player; games of a player with itself say nothing and are left out. The intervals
/// are drawn by the seed.
pub fn rate(players: usize, games: &[Played], seed: u64) -> Vec<Rating> {
    let games: Vec<&Played> = games.iter().filter(|game| game.pairing.black != game.pairing.white).collect();
    let likely = fit(players, &games);
    let mut drawn: Vec<Vec<f64>> = vec![Vec::new(); players];
    for place in 0..RESAMPLES {
        let mut random = Rng::with_seed(seed_at(seed, place));
        let resample: Vec<&Played> = games.iter().map(|_| games[random.usize(..games.len())]).collect();
        for (all, elo) in drawn.iter_mut().zip(fit(players, &resample)) {
            all.push(elo);
        }
    }
    let interval = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        let at = |share: f64| all[((all.len() - 1) as f64 * share).round() as usize];
        (at(0.025), at(0.975))
    };
    likely
        .into_iter()
        .zip(drawn)
        .map(|(elo, all)| {
            let (low, high) = interval(all);
            Rating { elo, low: low.min(elo), high: high.max(elo) }
        })
        .collect()
}

fn fit(players: usize, games: &[&Played]) -> Vec<f64> {
    let mut points = vec![0.5; players];
    let mut met = vec![vec![0.0; players]; players];
    for game in games {
        let (black, white) = (game.pairing.black, game.pairing.white);
        let share = 0.5 * (1.0 + f64::from(game.winner));
        points[black] += share;
        points[white] += 1.0 - share;
        met[black][white] += 1.0;
        met[white][black] += 1.0;
    }
    let mut strengths = vec![1.0; players];
    for _ in 0..MOST_ITERATIONS {
        let next: Vec<f64> = (0..players)
            .map(|one| {
                let with_others: f64 =
                    (0..players).map(|other| met[one][other] / (strengths[one] + strengths[other])).sum();
                points[one] / (with_others + 1.0 / (strengths[one] + 1.0))
            })
            .collect();
        let change = next.iter().zip(&strengths).map(|(new, old): (&f64, &f64)| (new / old).ln().abs());
        let settled = change.fold(0.0, f64::max) < 1e-9;
        strengths = next;
        if settled {
            break;
        }
    }
    let elos: Vec<f64> = strengths.iter().map(|strength: &f64| 400.0 * strength.log10()).collect();
    let mean = elos.iter().sum::<f64>() / players.max(1) as f64;
    elos.into_iter().map(|elo| elo - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tournament::Pairing;
    use super::*;

    /// `black` wins so many of so many games against `white`.
    fn games(black: usize, white: usize, won: u32, of: u32) -> Vec<Played> {
        let game = |game| Played {
            pairing: Pairing { game, black, white },
            winner: if game < won { 1 } else { -1 },
            score: None,
            fault: None,
            moves: String::new(),
        };
        (0..of).map(game).collect()
    }

    #[test]
    fn three_quarters_are_about_190_points() {
        let ratings = rate(2, &games(0, 1, 750, 1000), 1);
        assert!((ratings[0].elo - ratings[1].elo - 190.8).abs() < 2.0, "{ratings:?}");
        assert!(ratings[0].low < ratings[0].elo && ratings[0].elo < ratings[0].high);
        assert!(ratings[0].high - ratings[0].low < 40.0, "{ratings:?}");
    }

    #[test]
    fn strength_goes_through_a_common_opponent() {
        let all = [games(0, 1, 3, 4), games(1, 2, 3, 4)].concat();
        let ratings = rate(3, &all, 1);
        assert!(ratings[0].elo > ratings[1].elo && ratings[1].elo > ratings[2].elo, "{ratings:?}");
        assert!((ratings[0].elo + ratings[2].elo).abs() < 1e-6, "{ratings:?}");
    }

    #[test]
    fn winning_everything_is_a_finite_strength() {
        let ratings = rate(2, &games(0, 1, 20, 20), 1);
        assert!(ratings[0].elo.is_finite() && ratings[0].elo > 100.0, "{ratings:?}");
    }
}
