//! The strength of many players from all their games: Elo points with intervals.
//!
//! The model is that of Bradley and Terry ("Rank analysis of incomplete block designs", 1952), fitted by Newton's
//! method: the likelihood is concave in the logarithms of the strengths, and simpler iterations need very many steps if
//! one player always beats another. A draw counts as half a win for each side. Each player gets one drawn game with an
//! imagined player of average strength, so that a player who won or lost every game gets a finite number too.
//!
//! The intervals come from the curvature of the likelihood at the maximum (its information matrix, that drawn game
//! included), so they are never empty. A repeated game adds no information: it counts once for the intervals.

use super::statistics::Z;
use super::tournament::{Played, different};
use serde::Serialize;

/// A player's strength in Elo points, the mean of all players with games being 0.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// The most likely strength.
    pub elo: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Newton's method needs a few more steps than the strengths differ by, in natural logarithms: far fewer than these.
const MOST_STEPS: usize = 1000;

/// The number of games of each player with each other.
type Met = Vec<Vec<f64>>;

/// The games between different players: a game of a player with itself says nothing about strength.
pub fn telling(games: &[Played]) -> Vec<&Played> {
    games.iter().filter(|game| game.pairing.black != game.pairing.white).collect()
}

/// The strength of each player; `None` for one without a game against another.
///
/// # Panics
/// If a game is one of a player whose number is not below `players`.
pub fn rate(players: usize, games: &[Played]) -> Vec<Option<Rating>> {
    let games = telling(games);
    let met = meetings(players, &games);
    let rated: Vec<usize> = (0..players).filter(|&one| met[one].iter().sum::<f64>() > 0.0).collect();
    let strengths = fit(&met, &games);
    let covariance = inverse(information(&strengths, &meetings(players, &different(games))));
    let points = 400.0 / std::f64::consts::LN_10;
    let mean = |of: &dyn Fn(usize) -> f64| rated.iter().map(|&one| of(one)).sum::<f64>() / rated.len() as f64;
    let middle = mean(&|one| strengths[one].ln());
    let rating = |one: usize| {
        // Of the difference between the player and the mean of all.
        let with_all = |one: usize| mean(&|other| covariance[one][other]);
        let variance = covariance[one][one] - 2.0 * with_all(one) + mean(&with_all);
        let (elo, half) = (points * (strengths[one].ln() - middle), Z * points * variance.max(0.0).sqrt());
        Rating { elo, low: elo - half, high: elo + half }
    };
    (0..players).map(|one| rated.contains(&one).then(|| rating(one))).collect()
}

fn meetings(players: usize, games: &[&Played]) -> Met {
    let mut met = vec![vec![0.0; players]; players];
    for game in games {
        let (black, white) = (game.pairing.black, game.pairing.white);
        met[black][white] += 1.0;
        met[white][black] += 1.0;
    }
    met
}

/// The strengths that make the games most likely.
fn fit(met: &Met, games: &[&Played]) -> Vec<f64> {
    let points = points(met.len(), games);
    let mut logarithms = vec![0.0; met.len()];
    for _ in 0..MOST_STEPS {
        let step = newton_step(&logarithms, &points, met);
        let longest = step.iter().fold(0.0_f64, |longest, part| longest.max(part.abs()));
        // Far from the maximum a whole step may lead beyond it.
        let share = 1.0 / longest.max(1.0);
        logarithms.iter_mut().zip(&step).for_each(|(logarithm, part)| *logarithm += share * part);
        if longest < 1e-10 {
            break;
        }
    }
    logarithms.into_iter().map(f64::exp).collect()
}

/// Each player's points, including the half point from the drawn game with the imagined player.
fn points(players: usize, games: &[&Played]) -> Vec<f64> {
    let mut points = vec![0.5; players];
    for game in games {
        let share = 0.5 * (1.0 + f64::from(game.winner));
        points[game.pairing.black] += share;
        points[game.pairing.white] += 1.0 - share;
    }
    points
}

/// The Newton step from these logarithms of the strengths.
fn newton_step(logarithms: &[f64], points: &[f64], met: &Met) -> Vec<f64> {
    let strengths: Vec<f64> = logarithms.iter().map(|logarithm| logarithm.exp()).collect();
    let chance = |one: f64, other: f64| one / (one + other);
    let slope = |one: usize| {
        let strength = strengths[one];
        let with_others =
            met[one].iter().zip(&strengths).map(|(games, &other)| games * chance(strength, other));
        points[one] - with_others.sum::<f64>() - chance(strength, 1.0)
    };
    let slopes: Vec<f64> = (0..points.len()).map(slope).collect();
    let along = |row: &Vec<f64>| row.iter().zip(&slopes).map(|(cell, slope)| cell * slope).sum();
    inverse(information(&strengths, met)).iter().map(along).collect()
}

/// The curvature of the log-likelihood over the logarithms of the strengths: each game adds what it leaves
/// uncertain, the chance of one player times that of the other.
fn information(strengths: &[f64], met: &Met) -> Met {
    let spread = |one: f64, other: f64| one * other / ((one + other) * (one + other));
    let mut matrix = met.clone();
    for (one, row) in matrix.iter_mut().enumerate() {
        let mut all = spread(strengths[one], 1.0);
        for (other, cell) in row.iter_mut().enumerate() {
            *cell *= -spread(strengths[one], strengths[other]);
            all -= *cell;
        }
        row[one] = all;
    }
    matrix
}

/// By elimination; the diagonal outweighs the rest of each row, so no pivot is zero.
fn inverse(mut matrix: Met) -> Met {
    let size = matrix.len();
    let unit = |row: usize| (0..size).map(|column| f64::from(u8::from(row == column))).collect();
    let mut result: Met = (0..size).map(unit).collect();
    for pivot in 0..size {
        let factor = matrix[pivot][pivot];
        for rows in [&mut matrix, &mut result] {
            rows[pivot].iter_mut().for_each(|cell| *cell /= factor);
        }
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            for rows in [&mut matrix, &mut result] {
                let above = rows[pivot].clone();
                rows[row].iter_mut().zip(above).for_each(|(cell, above)| *cell -= factor * above);
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::super::tournament::Pairing;
    use super::*;

    /// `black` wins `wins` of `games` different games against `white`.
    fn games(black: usize, white: usize, won: u32, of: u32) -> Vec<Played> {
        let game = |game| Played {
            pairing: Pairing { game, black, white },
            winner: if game < won { 1 } else { -1 },
            score: None,
            fault: None,
            moves: game.to_string(),
        };
        (0..of).map(game).collect()
    }

    fn rated(players: usize, games: &[Played]) -> Vec<Rating> {
        rate(players, games).into_iter().map(|rating| rating.expect("it has games")).collect()
    }

    /// Of two players, each is half the difference from the mean, with half its error: without the drawn
    /// games 0.5 * 1.96 * 173.7 / sqrt(1000 * 0.75 * 0.25) = 12.4.
    #[test]
    fn three_quarters_are_about_190_points() {
        let ratings = rated(2, &games(0, 1, 750, 1000));
        assert!((ratings[0].elo - ratings[1].elo - 190.8).abs() < 2.0, "{ratings:?}");
        assert!((ratings[0].high - ratings[0].elo - 12.4).abs() < 0.2, "{ratings:?}");
        assert!((ratings[0].elo - ratings[0].low - 12.4).abs() < 0.2, "{ratings:?}");
    }

    #[test]
    fn strength_goes_through_a_common_opponent() {
        let all = [games(0, 1, 3, 4), games(1, 2, 3, 4)].concat();
        let ratings = rated(3, &all);
        assert!(ratings[0].elo > ratings[1].elo && ratings[1].elo > ratings[2].elo, "{ratings:?}");
        assert!((ratings[0].elo + ratings[2].elo).abs() < 1e-6, "{ratings:?}");
        let width = |rating: &Rating| rating.high - rating.low;
        assert!(width(&ratings[1]) < width(&ratings[0]), "the one in the middle is known best: {ratings:?}");
    }

    #[test]
    fn winning_everything_is_a_finite_strength_with_a_wide_interval() {
        let few = rated(2, &games(0, 1, 5, 5));
        let many = rated(2, &games(0, 1, 20, 20));
        assert!(few[0].elo > 100.0 && many[0].elo > few[0].elo && many[0].elo.is_finite(), "{many:?}");
        for ratings in [few, many] {
            assert!(ratings.iter().all(|rating| rating.high - rating.low > 200.0), "{ratings:?}");
        }
    }

    /// The same numbers with the signs turned, when the order of the players is.
    #[test]
    fn who_wins_every_game_is_as_far_above_as_who_loses_every_game_is_below() {
        for (players, of) in [(3, 50), (3, 1000), (8, 50), (8, 1000)] {
            let pairs = (0..players).flat_map(|one| (one + 1..players).map(move |other| (one, other)));
            let all: Vec<Played> = pairs.flat_map(|(one, other)| games(one, other, of, of)).collect();
            let ratings = rated(players, &all);
            for (one, other) in ratings.iter().zip(ratings.iter().rev()) {
                assert!((one.elo + other.elo).abs() < 1e-3, "{ratings:?}");
                assert!((one.high + other.low).abs() < 1e-3, "{ratings:?}");
            }
            assert!(ratings.is_sorted_by(|one, next| one.elo > next.elo + 100.0), "{ratings:?}");
        }
    }

    /// What a general maximiser finds for the default tournament of eight where the one listed first always wins.
    #[test]
    fn strengths_that_lie_far_apart_are_found() {
        let pairs = (0..8).flat_map(|one| (one + 1..8).map(move |other| (one, other)));
        let all: Vec<Played> = pairs.flat_map(|(one, other)| games(one, other, 100, 100)).collect();
        let ratings = rated(8, &all);
        assert!((ratings[0].elo - 2802.0).abs() < 1.0 && (ratings[3].elo - 346.0).abs() < 1.0, "{ratings:?}");
    }

    #[test]
    fn the_same_game_again_makes_nothing_more_certain() {
        let mut copies = games(0, 1, 20, 20);
        copies.iter_mut().for_each(|game| game.moves.clear());
        let (same, other) = (rated(2, &copies)[0], rated(2, &games(0, 1, 20, 20))[0]);
        assert_eq!(same.elo, other.elo);
        assert!(same.high - same.low > 1.5 * (other.high - other.low), "{same:?} {other:?}");
    }

    #[test]
    fn without_a_game_there_is_no_strength() {
        assert_eq!(rate(2, &[]), [None, None]);
        let ratings = rate(3, &games(0, 2, 5, 10));
        assert_eq!((ratings[0].map(|rating| rating.elo.round()), ratings[1]), (Some(0.0), None));
    }
}
