//! Result of a contest: wins, draws and losses, discs, faults, and the Elo difference with its interval.

use super::duel::{Effort, Ending, GameFault};
use super::game_report::GameReport;
use super::statistics::wilson;
use reversi_engine::Clock;
use reversi_rules::Color;
use serde::Serialize;
use std::collections::HashSet;

/// Games won, drawn and lost by one side, the first player of a contest or Black, over a set of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Outcomes {
    /// Games it won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games the other side won.
    pub losses: u64,
}

impl Outcomes {
    /// All games.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Its points, a draw counting half, as a share of all games; `None` without a game.
    pub fn share(self) -> Option<f64> {
        let points = self.wins as f64 + 0.5 * self.draws as f64;
        (self.games() > 0).then(|| points / self.games() as f64)
    }

    /// Its share of the decided games; `None` without one.
    pub fn share_of_decided(self) -> Option<f64> {
        let decided = self.wins + self.losses;
        (decided > 0).then(|| self.wins as f64 / decided as f64)
    }

    /// Adds a game: whether this side has won; `None` for a draw.
    pub fn add(&mut self, has_won: Option<bool>) {
        match has_won {
            Some(true) => self.wins += 1,
            Some(false) => self.losses += 1,
            None => self.draws += 1,
        }
    }
}

impl FromIterator<Option<bool>> for Outcomes {
    fn from_iter<Games: IntoIterator<Item = Option<bool>>>(games: Games) -> Outcomes {
        let mut outcomes = Outcomes::default();
        games.into_iter().for_each(|has_won| outcomes.add(has_won));
        outcomes
    }
}

/// Games that a player has lost by a fault, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Faults {
    /// Illegal moves.
    pub illegal: u64,
    /// Time overstepped.
    pub late: u64,
    /// Crashes, and whatever else gave no move.
    pub failed: u64,
    /// Games given up, which is no failure.
    pub resigned: u64,
}

impl Faults {
    /// Illegal moves and missing answers; without a clock, being late is a missing answer.
    pub fn failures(self, time: Clock) -> u64 {
        self.illegal + self.failed + if time == Clock::None { self.late } else { 0 }
    }
}

/// The totals of a contest. Arrays of two are (first player, second player).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    /// All games that ended.
    pub all: Outcomes,
    /// Number of different games: games with the same moves and the same colours count once.
    pub different: u64,
    /// Those in which the first player had Black.
    pub as_black: Outcomes,
    /// Those in which the first player had White.
    pub as_white: Outcomes,
    /// Sum of the first player's scores in discs over the games that ended on the board.
    pub discs: i64,
    /// Games that ended on the board.
    pub finished: u64,
    /// Faults of each player.
    pub faults: [Faults; 2],
    /// Effort of each player.
    pub efforts: [Effort; 2],
}

impl Tally {
    /// Adds up games; interrupted ones do not count.
    pub fn of<'a>(reports: impl IntoIterator<Item = &'a GameReport>) -> Tally {
        let (mut tally, mut seen) = (Tally::default(), HashSet::new());
        for report in reports.into_iter().filter(|report| report.duel.ending != Ending::Interrupted) {
            tally.add(report);
            seen.insert((report.color_of_first(), report.duel.game.transcript()));
        }
        tally.different = seen.len() as u64;
        tally
    }

    fn add(&mut self, report: &GameReport) {
        let (first, duel) = (report.color_of_first(), &report.duel);
        match &duel.ending {
            Ending::Interrupted => return,
            Ending::Finished(result) => {
                self.finished += 1;
                self.discs += i64::from(if first == Color::Black { result.score } else { -result.score });
            }
            Ending::Forfeit { loser, fault } => {
                let faults = &mut self.faults[usize::from(*loser != first)];
                match fault {
                    GameFault::Illegal(_) => faults.illegal += 1,
                    GameFault::Late => faults.late += 1,
                    GameFault::Failed(_) => faults.failed += 1,
                    GameFault::Resigned => faults.resigned += 1,
                }
            }
        }
        let has_won = report.is_won_by_first();
        self.all.add(has_won);
        if first == Color::Black { &mut self.as_black } else { &mut self.as_white }.add(has_won);
        for (effort, color) in self.efforts.iter_mut().zip([first, first.other()]) {
            *effort = effort.and(duel.efforts[color as usize]);
        }
    }

    /// The first player's mean score in discs over the games that ended on the board.
    pub fn disc_balance(&self) -> Option<f64> {
        (self.finished > 0).then(|| self.discs as f64 / self.finished as f64)
    }

    /// Elo difference of the first player to the second; `None` without a game. Repeated games count once for the
    /// interval.
    pub fn elo(&self) -> Option<Elo> {
        self.all.share().map(|share| Elo::of_share(share, self.different))
    }
}

/// A difference of strength in Elo points with the ends of its 95 % interval; infinite where a player
/// has won every game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Elo {
    /// The difference that makes the share of points most likely.
    pub difference: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Elo {
    /// From a share of points, 0 to 1, in `games` games. The interval is that of [`wilson`], which errs on
    /// the wide side where games are drawn.
    pub fn of_share(share: f64, games: u64) -> Elo {
        let (low, high) = wilson(share, games);
        Elo { difference: elo_of_share(share), low: elo_of_share(low), high: elo_of_share(high) }
    }
}

/// The difference of strength in Elo points that makes a share of the points, 0 to 1, most likely; infinite at 0 and 1.
pub(super) fn elo_of_share(share: f64) -> f64 {
    // Adding 0.0 turns -0 into 0.
    -400.0 * (1.0 / share - 1.0).log10() + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(elo: Elo) -> [i64; 3] {
        [elo.difference, elo.low, elo.high].map(|value| value.round() as i64)
    }

    #[test]
    fn equal_points_are_equal_strength() {
        let elo = Elo::of_share(0.5, 100);
        assert_eq!(elo.difference.round(), 0.0);
        assert!(elo.difference.is_sign_positive(), "not -0");
        assert!((elo.low + elo.high).abs() < 1e-6, "the interval lies evenly");
    }

    /// 75 of 100: 400 * log10(3) = 190.8; Wilson's interval of the share is 0.6570 to 0.8246.
    #[test]
    fn three_quarters_are_190_points() {
        assert_eq!(rounded(Elo::of_share(0.75, 100)), [191, 113, 269]);
    }

    #[test]
    fn winning_every_game_has_no_upper_end() {
        let elo = Elo::of_share(1.0, 20);
        assert_eq!((elo.difference, elo.high), (f64::INFINITY, f64::INFINITY));
        assert!(elo.low > 100.0 && elo.low < 400.0, "{elo:?}");
        let elo = Elo::of_share(0.0, 20);
        assert_eq!((elo.difference, elo.low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
        assert!(elo.high < -100.0);
    }
}
