//! The sequential probability ratio test (SPRT; Wald 1945) on pairs of games, as engine testers use it: a match
//! continues until one of two differences of strength is clearly more likely than the other.
//!
//! The log-likelihood ratio is that of the generalized SPRT on pentanomial counts. The frequencies of the five results
//! of a pair are estimated from the pairs, once for each hypothesis, as the most likely distribution whose mean is the
//! share of points expected under it (M. Van den Bergh, "The generalized SPRT", as in Fishtest).

use super::pentanomial::{Pentanomial, SHARES};
use crate::columns::{Column, Kind, Row};
use serde::Serialize;

/// Replaces a count of 0, so that no result is considered impossible.
const INSTEAD_OF_ZERO: f64 = 1e-3;

/// Halvings of an interval: more than a double has bits.
const HALVINGS: u32 = 80;

/// A stop rule: the first player is stronger by `elo0`, or by `elo1`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// One of the two hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Hypothesis {
    /// The difference is `elo0`.
    #[serde(rename = "elo0")]
    First,
    /// The difference is `elo1`.
    #[serde(rename = "elo1")]
    Second,
}

/// Why numbers are no stop rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SprtError {
    /// The differences do not rise, or are too large.
    #[error("the first difference must be below the second one, both within 1000 Elo points")]
    Differences,
    /// An error rate out of range.
    #[error("an error rate lies between 0 and 0.5")]
    Rate,
}

impl Sprt {
    /// The rule for two differences in Elo points. `alpha` is the largest rate at which `elo1` is accepted although
    /// `elo0` is true, `beta` that of the other error.
    ///
    /// # Errors
    /// Differences that do not rise or exceed 1000 points, and rates that do not lie between 0 and 0.5.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        if !(-1000.0 <= elo0 && elo0 < elo1 && elo1 <= 1000.0) {
            return Err(SprtError::Differences);
        }
        if ![alpha, beta].iter().all(|rate| (1e-9..0.5).contains(rate)) {
            return Err(SprtError::Rate);
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// At or below the first bound of the log-likelihood ratio `elo0` is accepted, at or above the second one `elo1`.
    pub fn bounds(self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The log-likelihood ratio of `elo1` to `elo0`; 0 without a pair. Repeated pairs shape the distribution, but the
    /// ratio is scaled to the number of different pairs.
    pub fn log_likelihood_ratio(self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.counts.map(|count| if count == 0 { INSTEAD_OF_ZERO } else { count as f64 });
        let all: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / all);
        let [under0, under1] = [self.elo0, self.elo1].map(|elo| most_likely(observed, expected_share(elo)));
        let terms = (0..observed.len()).map(|place| observed[place] * (under1[place] / under0[place]).ln());
        let repeated = pairs.different as f64 / pairs.pairs() as f64;
        all * repeated * terms.sum::<f64>()
    }

    /// The accepted hypothesis after these pairs; `None` as long as neither is accepted.
    pub fn verdict(self, pairs: &Pentanomial) -> Option<Hypothesis> {
        let (ratio, [lower, upper]) = (self.log_likelihood_ratio(pairs), self.bounds());
        match () {
            () if ratio <= lower => Some(Hypothesis::First),
            () if ratio >= upper => Some(Hypothesis::Second),
            () => None,
        }
    }

    /// The figures after these pairs.
    pub fn row(self, pairs: &Pentanomial) -> SprtRow {
        let Sprt { elo0, elo1, alpha, beta } = self;
        let [lower_bound, upper_bound] = self.bounds();
        let (llr, accepted) = (self.log_likelihood_ratio(pairs), self.verdict(pairs));
        SprtRow { elo0, elo1, alpha, beta, lower_bound, llr, upper_bound, accepted }
    }
}

/// The expected share of the points of the player that is stronger by these Elo points.
fn expected_share(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Of all distributions over the five results whose mean is `share`, that which makes the observed one most likely:
/// each frequency p of a result a becomes p / (1 + x (a - share)), where x makes the mean right.
fn most_likely(observed: [f64; 5], share: f64) -> [f64; 5] {
    let deviations = SHARES.map(|result| result - share);
    let shift =
        |x: f64| -> f64 { (0..5).map(|i| observed[i] * deviations[i] / (1.0 + x * deviations[i])).sum() };
    // Between these ends every frequency is positive, and the shift falls from plus to minus infinity.
    let (mut low, mut high) = (-1.0 / deviations[4], -1.0 / deviations[0]);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if shift(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = 0.5 * (low + high);
    std::array::from_fn(|i| observed[i] / (1.0 + x * deviations[i]))
}

/// The figures of a stop rule.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtRow {
    /// Elo difference of the first hypothesis.
    pub elo0: f64,
    /// Elo difference of the second hypothesis.
    pub elo1: f64,
    /// Rate of accepting the second one although the first is true.
    pub alpha: f64,
    /// Rate of accepting the first one although the second is true.
    pub beta: f64,
    /// At or below this log-likelihood ratio the first one is accepted.
    pub lower_bound: f64,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// At or above this log-likelihood ratio the second one is accepted.
    pub upper_bound: f64,
    /// What is accepted.
    pub accepted: Option<Hypothesis>,
}

impl Row for SprtRow {
    const COLUMNS: &'static [Column] = &[
        Column::new("elo0", ["", "elo0"], Kind::Decimal),
        Column::new("elo1", ["", "elo1"], Kind::Decimal),
        Column::new("alpha", ["", "alpha"], Kind::Decimal),
        Column::new("beta", ["", "beta"], Kind::Decimal),
        Column::new("lower_bound", ["lower", "bound"], Kind::Decimal),
        Column::new("llr", ["", "LLR"], Kind::Decimal),
        Column::new("upper_bound", ["upper", "bound"], Kind::Decimal),
        Column::new("accepted", ["", "accepted"], Kind::Text),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    fn rule(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap()
    }

    /// ln(0.95 / 0.05) = 2.944; with other rates ln(0.2 / 0.99) and ln(0.8 / 0.01).
    #[test]
    fn bounds_by_hand() {
        for (alpha, beta, by_hand) in [(0.05, 0.05, [-2.944, 2.944]), (0.01, 0.2, [-1.599, 4.382])] {
            let bounds = Sprt::new(0.0, 5.0, alpha, beta).unwrap().bounds();
            assert!((0..2).all(|i| (bounds[i] - by_hand[i]).abs() < 1e-3), "{bounds:?}");
        }
    }

    /// If pairs end only with both games won or both lost, the mean determines the distribution, and the ratio is that
    /// of a coin: 60 ln(s1 / s0) + 40 ln((1 - s1) / (1 - s0)) with s0 = 1/2 and s1 = 2/3, which is 120.41 Elo points:
    /// 60 * 0.28768 - 40 * 0.40547 = 1.042.
    #[test]
    fn two_results_by_hand() {
        let elo1 = 400.0 * 2f64.log10();
        let ratio = rule(0.0, elo1).log_likelihood_ratio(&Pentanomial::of_different([40, 0, 0, 0, 60]));
        assert!((ratio - 1.042).abs() < 0.02, "{ratio}");
    }

    /// For small differences the ratio is nearly N (s1 - s0) (2 m - s0 - s1) / (2 v), with the observed mean m and
    /// variance v. Of 200, 800, 1900, 800 and 300 pairs m = 0.5125 and v = 0.056094; for 0 and 10 Elo points s0 + s1 =
    /// 1.014388 and s1 - s0 = 0.014388: 4000 * 0.014388 * 0.010612 / 0.112188 = 5.444.
    #[test]
    fn small_differences_by_the_normal_approximation() {
        let pairs = Pentanomial::of_different([200, 800, 1900, 800, 300]);
        let ratio = rule(0.0, 10.0).log_likelihood_ratio(&pairs);
        assert!((ratio - 5.444).abs() < 0.05, "{ratio}");
    }

    #[test]
    fn the_most_likely_distribution_has_the_mean() {
        let observed = [0.1, 0.2, 0.4, 0.2, 0.1];
        for share in [0.05, 0.4, 0.5, 0.61, 0.99] {
            let found = most_likely(observed, share);
            let mean: f64 = (0..5).map(|i| found[i] * SHARES[i]).sum();
            assert!(
                (mean - share).abs() < 1e-9 && (found.iter().sum::<f64>() - 1.0).abs() < 1e-9,
                "{found:?}"
            );
        }
        let same = most_likely(observed, 0.5);
        assert!((0..5).all(|i| (same[i] - observed[i]).abs() < 1e-12), "it has that mean already");
    }

    #[test]
    fn repeated_pairs_count_once() {
        let counts = [20, 0, 60, 0, 40];
        let once = rule(0.0, 50.0).log_likelihood_ratio(&Pentanomial::of_different(counts));
        let repeated = Pentanomial { counts: counts.map(|count| 10 * count), different: 120 };
        let again = rule(0.0, 50.0).log_likelihood_ratio(&repeated);
        assert!((once - again).abs() < 1e-3, "{once} {again}");
    }

    #[test]
    fn numbers_that_are_no_rule_are_refused() {
        for (elo0, elo1) in [(5.0, 0.0), (1.0, 1.0), (f64::NAN, 1.0), (0.0, 2000.0), (0.0, f64::INFINITY)] {
            assert_eq!(Sprt::new(elo0, elo1, 0.05, 0.05), Err(SprtError::Differences), "{elo0} {elo1}");
        }
        for rate in [0.0, 0.5, 1.0, -0.1, f64::NAN] {
            assert_eq!(Sprt::new(0.0, 5.0, rate, 0.05), Err(SprtError::Rate), "{rate}");
            assert_eq!(Sprt::new(0.0, 5.0, 0.05, rate), Err(SprtError::Rate), "{rate}");
        }
    }

    /// A match of simulated pairs between players whose difference is known, until the rule decides.
    fn simulated(rule: Sprt, elo: f64, random: &mut Rng) -> (Hypothesis, Pentanomial) {
        // Half the pairs are even whatever the players are; the others lean as far as the strength asks for.
        let win = 0.5 + 2.0 * (expected_share(elo) - 0.5);
        let mut pairs = Pentanomial::default();
        loop {
            let half_points = match random.f64() {
                kind if kind < 0.5 => 2,
                _ => (0..2).map(|_| 2 * usize::from(random.f64() < win)).sum(),
            };
            pairs.counts[half_points] += 1;
            pairs.different += 1;
            if let Some(accepted) = rule.verdict(&pairs) {
                return (accepted, pairs);
            }
        }
    }

    /// Both error rates are 5 %; of 300 matches 15 wrong ones are expected, and more than 27 in one of 500 such tests.
    #[test]
    fn wrong_decisions_are_as_rare_as_asked_for() {
        let (rule, mut random) = (rule(0.0, 40.0), Rng::with_seed(9));
        for (elo, right) in [(0.0, Hypothesis::First), (40.0, Hypothesis::Second)] {
            let matches: Vec<_> = (0..300).map(|_| simulated(rule, elo, &mut random)).collect();
            let wrong = matches.iter().filter(|(accepted, _)| *accepted != right).count();
            assert!((1..=27).contains(&wrong), "{wrong} wrong at {elo}");
        }
        // A difference far beyond the hypotheses is found soon.
        let (accepted, pairs) = simulated(rule, 150.0, &mut random);
        assert_eq!(accepted, Hypothesis::Second);
        assert!(pairs.pairs() < 150, "{pairs:?}");
    }

    #[test]
    fn the_interval_of_a_simulated_match_holds_its_strength() {
        let mut random = Rng::with_seed(4);
        let holds = |random: &mut Rng| {
            let mut pairs = Pentanomial::default();
            for _ in 0..200 {
                let points: usize =
                    (0..2).map(|_| 2 * usize::from(random.f64() < expected_share(60.0))).sum();
                pairs.counts[points] += 1;
                pairs.different += 1;
            }
            let row = pairs.row();
            (row.elo_low.unwrap()..row.elo_high.unwrap()).contains(&60.0)
        };
        let held = (0..400).filter(|_| holds(&mut random)).count();
        assert!((365..=395).contains(&held), "95 % of 400 are 380, not {held}");
    }
}
