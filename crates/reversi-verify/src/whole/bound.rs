//! What a sample says about the population from which it was drawn.

/// The probability of error at 99 % confidence.
const ERROR_PROBABILITY: f64 = 0.01;

/// With 99 % confidence at most this part of a population is wrong, if `wrong` of `drawn` random ones are: the upper
/// end of the one-sided interval of Clopper and Pearson. With none wrong it is `1 - 0.01^(1/drawn)`: about 4.6 divided
/// by `drawn`. 1 if nothing was drawn.
pub fn most_wrong(drawn: u64, wrong: u64) -> f64 {
    if wrong >= drawn {
        return 1.0;
    }
    // Bisection for the part with which `wrong` or fewer are drawn with a probability of 1 %.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if at_most(drawn, wrong, middle) > ERROR_PROBABILITY { low = middle } else { high = middle }
    }
    high
}

/// The probability that at most `wrong` of `drawn` are wrong, if `part` of the population is.
fn at_most(drawn: u64, wrong: u64, part: f64) -> f64 {
    let mut logarithm = drawn as f64 * (-part).ln_1p();
    let mut sum = logarithm.exp();
    for count in 1..=wrong {
        logarithm += ((drawn - count + 1) as f64 / count as f64).ln() + part.ln() - (-part).ln_1p();
        sum += logarithm.exp();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_wrong_one_the_bound_has_a_closed_form() {
        for drawn in [1, 10, 100, 1000, 50_000] {
            let closed = 1.0 - 0.01f64.powf(1.0 / drawn as f64);
            assert!((most_wrong(drawn, 0) - closed).abs() < 1e-9, "{drawn}");
        }
    }

    #[test]
    fn wrong_ones_raise_the_bound_and_no_sample_says_nothing() {
        assert_eq!(most_wrong(0, 0), 1.0);
        assert_eq!(most_wrong(7, 7), 1.0);
        let bounds: Vec<f64> = (0..=100).map(|wrong| most_wrong(100, wrong)).collect();
        assert!(bounds.is_sorted());
        // Tables of the binomial distribution: one of 100 gives 6.4 %.
        assert!((bounds[1] - 0.0645).abs() < 0.0005, "{}", bounds[1]);
    }
}
