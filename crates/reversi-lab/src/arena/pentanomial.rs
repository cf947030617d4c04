//! Pairs of games by the points of the first player, and the statistics of their distribution.

use super::statistics::Z;
use super::tally::elo_of_share;
use crate::columns::{Column, Kind, Row};
use serde::Serialize;

/// Pairs of games by the first player's points in the two games, in half points: 0 where it lost both, 4 where it won
/// both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pentanomial {
    /// `counts[i]` pairs gave the first player i half points.
    pub counts: [u64; 5],
    /// Number of different pairs: pairs with the same moves count once.
    pub different: u64,
}

impl Pentanomial {
    /// Pairs that are all different.
    #[cfg(test)]
    pub(super) fn of_different(counts: [u64; 5]) -> Pentanomial {
        Pentanomial { counts, different: counts.iter().sum() }
    }

    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean of the first player's share of the points, 0 to 1; `None` without a pair.
    pub fn share(&self) -> Option<f64> {
        let points = self.counts.iter().zip(SHARES).map(|(&count, share)| count as f64 * share);
        (self.pairs() > 0).then(|| points.sum::<f64>() / self.pairs() as f64)
    }

    /// Half the width of the 95 % interval of that mean, by the normal distribution, as is usual for matches. Repeated
    /// pairs do not narrow it. `None` with fewer than two different pairs, and if all pairs ended with the same points:
    /// then their variance is unknown.
    pub fn half_width(&self) -> Option<f64> {
        let mean = self.share().filter(|_| self.different > 1)?;
        let squares =
            self.counts.iter().zip(SHARES).map(|(&count, share)| count as f64 * (share - mean).powi(2));
        let variance = squares.sum::<f64>() / (self.pairs() as f64 - 1.0);
        (variance > 0.0).then(|| Z * (variance / self.different as f64).sqrt())
    }

    /// The figures.
    pub fn row(&self) -> PairsRow {
        let [both_lost, lost_and_drawn, even, drawn_and_won, both_won] = self.counts;
        let (share, half_width) = (self.share(), self.half_width());
        let end = |sign: f64| {
            let share = share? + sign * half_width?;
            Some(elo_of_share(share.clamp(0.0, 1.0))).filter(|elo| elo.is_finite())
        };
        PairsRow {
            pairs: self.pairs(),
            different_pairs: self.different,
            won: drawn_and_won + both_won,
            drawn: even,
            lost: both_lost + lost_and_drawn,
            both_lost,
            lost_and_drawn,
            even,
            drawn_and_won,
            both_won,
            percent: share.map(|share| 100.0 * share),
            percent_half_width: half_width.map(|half_width| 100.0 * half_width),
            elo: share.map(elo_of_share).filter(|elo| elo.is_finite()),
            elo_low: end(-1.0),
            elo_high: end(1.0),
        }
    }
}

/// Shares of the points of a pair, by half points.
pub(super) const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The figures of the pairs of a match, for the first player.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PairsRow {
    /// Pairs of which both games ended.
    pub pairs: u64,
    /// Those that are different.
    pub different_pairs: u64,
    /// Pairs with more than one point.
    pub won: u64,
    /// Pairs with one point.
    pub drawn: u64,
    /// Pairs with less than one point.
    pub lost: u64,
    /// Pairs with no point.
    pub both_lost: u64,
    /// Pairs with half a point.
    pub lost_and_drawn: u64,
    /// Pairs with one point: a game each, or two drawn ones.
    pub even: u64,
    /// Pairs with one and a half points.
    pub drawn_and_won: u64,
    /// Pairs with two points.
    pub both_won: u64,
    /// Mean share of the points in percent.
    pub percent: Option<f64>,
    /// Half the width of its 95 % interval.
    pub percent_half_width: Option<f64>,
    /// Elo difference of the first player to the second; `None` where it is infinite.
    pub elo: Option<f64>,
    /// Lower end of its 95 % interval; `None` where it is infinite or not known.
    pub elo_low: Option<f64>,
    /// Upper end.
    pub elo_high: Option<f64>,
}

impl Row for PairsRow {
    const COLUMNS: &'static [Column] = &[
        Column::new("pairs", ["", "pairs"], Kind::Count),
        Column::hidden("different_pairs"),
        Column::new("won", ["pairs", "won"], Kind::Count),
        Column::new("drawn", ["", "drawn"], Kind::Count),
        Column::new("lost", ["", "lost"], Kind::Count),
        Column::new("both_lost", ["points", "0"], Kind::Count),
        Column::new("lost_and_drawn", ["", "1/2"], Kind::Count),
        Column::new("even", ["", "1"], Kind::Count),
        Column::new("drawn_and_won", ["", "3/2"], Kind::Count),
        Column::new("both_won", ["", "2"], Kind::Count),
        Column::new("percent", ["% of", "the points"], Kind::Mean("percent_half_width")),
        Column::hidden("percent_half_width"),
        Column::new("elo", ["", "Elo"], Kind::Decimal),
        Column::new("elo_low", ["95 %", "from"], Kind::Decimal),
        Column::new("elo_high", ["", "to"], Kind::Decimal),
    ];
}
