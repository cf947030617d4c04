//! Finds the weights that fit the labels best: ridge regression by conjugate gradients.
//!
//! Minimises `sum of c (x w - y)^2 + ridge |w - prior|^2` over all positions, where `x` is how often a position has
//! each feature, `y` is its label and `c` its weight in the sum. Weights that occur in no position keep their prior
//! value. The normal equations are solved by preconditioned conjugate gradients (M. Hestenes and E. Stiefel, 1952; the
//! preconditioner is the diagonal), in one thread and so in one order of summation: the same data give the same weights
//! to the last bit.

/// Positions as lists of features, all of the same length, with their labels.
#[derive(Default)]
pub(super) struct Data {
    /// Features per position.
    pub width: usize,
    /// The features of all positions, one position after another.
    pub features: Vec<u32>,
    /// The labels, in discs.
    pub labels: Vec<f32>,
    /// The weight of each position in the sum.
    pub worths: Vec<f32>,
}

impl Data {
    fn rows(&self) -> impl Iterator<Item = &[u32]> {
        // Without positions their width is unknown.
        self.features.chunks_exact(self.width.max(1))
    }

    /// The rows with their weight in the sum.
    fn weighed(&self) -> impl Iterator<Item = (&[u32], f32)> {
        self.rows().zip(self.worths.iter().copied())
    }

    /// Sets the weight of each position in the sum, from its estimate with these weights. Not from its label: labels
    /// that are large by chance would count less, and the estimates of the fit would be too near to 0.
    pub fn weigh(&mut self, weights: &[f32], worth: impl Fn(f32) -> f32) {
        self.worths = self.rows().map(|row| worth(Data::predict(row, weights))).collect();
    }

    /// The sum of the weights of a position's features.
    fn predict(row: &[u32], weights: &[f32]) -> f32 {
        row.iter().map(|&feature| weights[feature as usize]).sum()
    }

    /// `transpose(X) C (X direction) + ridge direction`.
    fn normal_product(&self, ridge: f32, direction: &[f32]) -> Vec<f32> {
        let mut product: Vec<f32> = direction.iter().map(|d| ridge * d).collect();
        for (row, worth) in self.weighed() {
            let along = worth * Data::predict(row, direction);
            for &feature in row {
                product[feature as usize] += along;
            }
        }
        product
    }

    /// Mean absolute difference of prediction and label, in discs; `None` without positions.
    pub fn mean_error(&self, weights: &[f32]) -> Option<f64> {
        let errors = self.rows().zip(&self.labels).map(|(row, label)| Data::predict(row, weights) - label);
        let sum: f64 = errors.map(|error| f64::from(error.abs())).sum();
        (!self.labels.is_empty()).then(|| sum / self.labels.len() as f64)
    }
}

/// The weights after `steps` steps of conjugate gradients from the prior ones.
pub(super) fn fit(data: &Data, prior: Vec<f32>, ridge: f32, steps: u32) -> Vec<f32> {
    let mut residual = vec![0.0; prior.len()];
    let mut diagonal = vec![ridge; prior.len()];
    for ((row, worth), label) in data.weighed().zip(&data.labels) {
        let unexplained = worth * (label - Data::predict(row, &prior));
        for &feature in row {
            residual[feature as usize] += unexplained;
            diagonal[feature as usize] += worth;
        }
    }
    let precondition =
        |residual: &[f32]| -> Vec<f32> { residual.iter().zip(&diagonal).map(|(r, d)| r / d).collect() };
    let mut scaled = precondition(&residual);
    let mut direction = scaled.clone();
    let mut weights = prior;
    let mut size = dot(&residual, &scaled);
    for _ in 0..steps {
        if size <= 0.0 {
            break;
        }
        let product = data.normal_product(ridge, &direction);
        let step = (size / dot(&direction, &product)) as f32;
        if !step.is_finite() {
            // The remaining residual is too small for these numbers.
            break;
        }
        add(&mut weights, step, &direction);
        add(&mut residual, -step, &product);
        scaled = precondition(&residual);
        let next_size = dot(&residual, &scaled);
        let keep = (next_size / size) as f32;
        for (d, s) in direction.iter_mut().zip(&scaled) {
            *d = s + keep * *d;
        }
        size = next_size;
    }
    weights
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

/// Adds `factor * b` to `a`.
fn add(a: &mut [f32], factor: f32, b: &[f32]) {
    for (a, b) in a.iter_mut().zip(b) {
        *a += factor * b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_weights_is_found_again() {
        // Three features of two values each; every combination once.
        let truth = [1.0, -2.0, 0.5, 3.0, -1.5, 4.0];
        let mut data = Data { width: 3, ..Data::default() };
        for combination in 0..8u32 {
            let row: Vec<u32> = (0..3).map(|i| 2 * i + (combination >> i & 1)).collect();
            data.labels.push(row.iter().map(|&f| truth[f as usize]).sum());
            data.worths.push([1.0, 0.1][combination as usize % 2]);
            data.features.extend(row);
        }
        for prior in [[0.0; 6], [5.0, 5.0, -3.0, 0.0, 1.0, 2.0]] {
            let weights = fit(&data, prior.to_vec(), 1e-6, 20);
            assert!(data.mean_error(&weights).unwrap() < 1e-3, "{weights:?}");
            assert!(data.mean_error(&prior).unwrap() > 1.0);
        }
    }

    #[test]
    fn positions_are_weighed_by_estimates_and_not_by_labels() {
        let mut data =
            Data { width: 1, features: vec![0, 1, 0], labels: vec![9.0, -5.0, 1.0], worths: vec![] };
        data.weigh(&[2.0, -3.0], f32::abs);
        assert_eq!(data.worths, [2.0, 3.0, 2.0]);
        let weights = fit(&data, vec![2.0, -3.0], 1e-6, 5);
        assert!((weights[0] - 5.0).abs() < 1e-3, "the mean of both labels: {weights:?}");
    }

    #[test]
    fn what_the_data_do_not_show_stays_as_believed_before() {
        let data =
            Data { width: 1, features: vec![0; 1000], labels: vec![2.0; 1000], worths: vec![1.0; 1000] };
        let weights = fit(&data, vec![0.0, 7.0], 3.0, 5);
        assert!((weights[0] - 2.0).abs() < 0.01, "{weights:?}");
        assert_eq!(weights[1], 7.0);
    }

    #[test]
    fn without_positions_all_stays_as_believed_before() {
        let data = Data::default();
        assert_eq!(fit(&data, vec![7.0, -1.0], 3.0, 5), [7.0, -1.0]);
        assert_eq!(data.mean_error(&[7.0, -1.0]), None);
    }

    #[test]
    fn one_position_alone_is_fitted_before_the_steps_are_used_up() {
        // The start of a game has few different features, some of them often.
        let row: Vec<u32> = (0..16).flat_map(|feature| vec![feature; 1 + feature as usize % 4]).collect();
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..1000 {
            let prior: Vec<f32> = (0..16).map(|_| random.f32() / 4.0).collect();
            let label = random.f32() * 4.0;
            let data =
                Data { width: row.len(), features: row.clone(), labels: vec![label], worths: vec![1.0] };
            let before = data.mean_error(&prior).unwrap();
            let after = data.mean_error(&fit(&data, prior, 6.0, 60)).unwrap();
            assert!(after < before, "{after} is not less than {before}");
        }
    }

    #[test]
    fn where_positions_disagree_they_count_by_their_worth() {
        let data = Data { width: 1, features: vec![0; 2], labels: vec![4.0, 0.0], worths: vec![3.0, 1.0] };
        let weights = fit(&data, vec![0.0], 1e-6, 5);
        assert!((weights[0] - 3.0).abs() < 1e-3, "{weights:?}");
    }
}
