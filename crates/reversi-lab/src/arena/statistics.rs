//! Means, intervals and correlations.

/// The 97.5 % point of the normal distribution: intervals are of 95 %.
pub(super) const Z: f64 = 1.959_964;

/// Numbers added up one by one.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sum {
    /// How many.
    pub count: u64,
    total: f64,
    squares: f64,
    /// The largest; 0 if none is positive.
    pub largest: f64,
}

impl Sum {
    /// Adds a number.
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        self.total += number;
        self.squares += number * number;
        self.largest = self.largest.max(number);
    }

    /// The mean; `None` without a number.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.total / self.count as f64)
    }

    /// Half the width of the 95 % interval of the mean, by Student's distribution; `None` with fewer than two numbers,
    /// and if all are the same: then their variance is unknown.
    pub fn half_width(&self) -> Option<f64> {
        self.half_width_of(self.count)
    }

    /// As [`Sum::half_width`], if only `different` of the numbers are independent and the others are copies of them.
    pub fn half_width_of(&self, different: u64) -> Option<f64> {
        let n = self.count as f64;
        let mean = self.mean().filter(|_| different > 1)?;
        let variance = ((self.squares - n * mean * mean) / (n - 1.0)).max(0.0);
        (variance > 0.0).then(|| student(different - 1) * (variance / different as f64).sqrt())
    }
}

/// The 97.5 % point of Student's distribution with this many degrees of freedom, at least one.
fn student(freedom: u64) -> f64 {
    const FEW: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    let few = usize::try_from(freedom - 1).ok().and_then(|place| FEW.get(place));
    // Above ten degrees: two terms of the expansion around the normal distribution (Abramowitz and Stegun, 26.7.5),
    // within 0.003.
    let n = freedom as f64;
    let first = (Z.powi(3) + Z) / (4.0 * n);
    let second = (5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z) / (96.0 * n * n);
    few.copied().unwrap_or(Z + first + second)
}

/// The 95 % interval of a share seen in `cases` cases (Wilson, "Probable inference, the law of
/// succession, and statistical inference", 1927): it holds for few cases and for shares of 0 and 1 too.
pub fn wilson(share: f64, cases: u64) -> (f64, f64) {
    let n = cases as f64;
    let widening = 1.0 + Z * Z / n;
    let centre = (share + Z * Z / (2.0 * n)) / widening;
    let half = Z / widening * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    // At a share of 0 or 1 that end of the interval is the share itself, which rounding would hide.
    let low = if share == 0.0 { 0.0 } else { centre - half };
    let high = if share == 1.0 { 1.0 } else { centre + half };
    (low, high)
}

/// Pearson's correlation of pairs; `None` with fewer than two pairs, or where one side never varies.
pub fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let n = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (mean_x, mean_y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for &(x, y) in pairs {
        xx += (x - mean_x) * (x - mean_x);
        yy += (y - mean_y) * (y - mean_y);
        xy += (x - mean_x) * (y - mean_y);
    }
    (xx > 0.0 && yy > 0.0).then(|| xy / (xx * yy).sqrt())
}

/// Spearman's rank correlation: that of the ranks, equal numbers sharing the mean of theirs.
pub fn rank_correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let xs = ranks(&pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
    let ys = ranks(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
    correlation(&xs.into_iter().zip(ys).collect::<Vec<_>>())
}

fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|&one, &other| numbers[one].total_cmp(&numbers[other]));
    let mut ranks = vec![0.0; numbers.len()];
    let equal = |one: &usize, other: &usize| numbers[*one] == numbers[*other];
    let mut first = 0;
    for run in order.chunk_by(equal) {
        let rank = first as f64 + (run.len() - 1) as f64 / 2.0;
        run.iter().for_each(|&place| ranks[place] = rank);
        first += run.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_and_its_interval_by_hand() {
        let mut sum = Sum::default();
        assert_eq!((sum.mean(), sum.half_width()), (None, None));
        [1.0, 2.0, 3.0, 6.0].into_iter().for_each(|number| sum.add(number));
        // Deviations -2, -1, 0, 3: variance 14 / 3, standard error 1.0801; three degrees of freedom.
        assert_eq!((sum.mean(), sum.largest), (Some(3.0), 6.0));
        assert!((sum.half_width().unwrap() - 3.182 * 1.080_123).abs() < 1e-5);
        assert_eq!(sum.half_width_of(1), None);
        let (two, four) = (12.706 * 2f64.sqrt(), 3.182);
        assert!((sum.half_width_of(2).unwrap() / sum.half_width().unwrap() - two / four).abs() < 1e-9);
    }

    #[test]
    fn numbers_that_are_all_the_same_do_not_say_how_much_they_vary() {
        let mut sum = Sum::default();
        (0..5).for_each(|_| sum.add(0.5));
        assert_eq!((sum.mean(), sum.half_width()), (Some(0.5), None));
    }

    /// From tables.
    #[test]
    fn points_of_students_distribution() {
        for (freedom, point) in [(1, 12.706), (10, 2.228), (11, 2.201), (30, 2.042), (120, 1.980)] {
            assert!((student(freedom) - point).abs() < 3e-3, "{freedom}: {}", student(freedom));
        }
        assert!((student(u64::MAX) - Z).abs() < 1e-9);
    }

    /// Wilson's interval of 75 of 100 is 0.6570 to 0.8246.
    #[test]
    fn the_interval_of_three_quarters() {
        let (low, high) = wilson(0.75, 100);
        assert!((low - 0.6570).abs() < 1e-4 && (high - 0.8246).abs() < 1e-4, "{low} {high}");
    }

    #[test]
    fn correlations_by_hand() {
        let rising = [(1.0, 10.0), (2.0, 20.0), (3.0, 30.0)];
        assert_eq!(correlation(&rising), Some(1.0));
        let bent = [(1.0, 1.0), (2.0, 8.0), (3.0, 27.0)];
        assert!(correlation(&bent).unwrap() < 1.0);
        assert_eq!(rank_correlation(&bent), Some(1.0));
        assert_eq!(correlation(&[(1.0, 5.0), (2.0, 5.0)]), None, "no line through what never varies");
        // Ranks 0, 1.5, 1.5, 3 against 3, 2, 1, 0.
        let tied = [(1.0, 4.0), (2.0, 3.0), (2.0, 2.0), (3.0, 1.0)];
        assert!((rank_correlation(&tied).unwrap() + 4.5 / (4.5f64 * 5.0).sqrt()).abs() < 1e-12);
    }
}
