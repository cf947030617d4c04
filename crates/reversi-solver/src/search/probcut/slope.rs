//! The slope of ProbCut's prediction (Buro's linear regression, without its constant).

use crate::eval::Eval;

/// Up to this value, in units of an [`Eval`], a prediction is proportional to it; from there on it is larger by a
/// constant. A score cannot exceed the number of squares, so very large values cannot be too small by a factor.
pub const PROPORTIONAL: i32 = 16 * Eval::UNITS_PER_DISC;

/// How the value of a deep search is predicted from that of a shallow one.
///
/// Estimates are the means of what follows positions that look alike, so they lie nearer to 0 than what a deep search
/// finds in one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slope {
    hundredths: i32,
}

impl Slope {
    /// The prediction is the shallow value itself.
    pub const ONE: Slope = Slope { hundredths: 100 };

    /// The prediction is `hundredths` / 100 times the shallow value, if this is at most [`PROPORTIONAL`].
    ///
    /// # Panics
    /// If the slope is not above 0.
    pub const fn new(hundredths: i32) -> Slope {
        assert!(hundredths > 0, "a larger value predicts a larger value");
        Slope { hundredths }
    }

    /// The value of the deep search that a shallow value predicts, in the same units.
    pub fn prediction(self, shallow: i32) -> i32 {
        shallow + self.excess(shallow.clamp(-PROPORTIONAL, PROPORTIONAL))
    }

    /// The shallow value that predicts `deep`, but for rounding: the inverse of [`Slope::prediction`].
    pub fn shallow_for(self, deep: i32) -> i32 {
        let most = self.excess(PROPORTIONAL);
        match deep.abs() <= PROPORTIONAL + most {
            _ if self == Slope::ONE => deep,
            true => deep * 100 / self.hundredths,
            false => deep - most * deep.signum(),
        }
    }

    fn excess(self, value: i32) -> i32 {
        value * (self.hundredths - 100) / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_that_of_its_prediction() {
        for slope in [Slope::ONE, Slope::new(126), Slope::new(90), Slope::new(250)] {
            for shallow in (-9000..9000).step_by(7) {
                let found = slope.shallow_for(slope.prediction(shallow));
                assert!((found - shallow).abs() <= 2, "{slope:?} {shallow}: {found}");
            }
        }
    }

    #[test]
    fn predictions_grow_with_the_value_and_very_large_ones_by_a_constant() {
        let slope = Slope::new(125);
        let predictions: Vec<i32> = (-9000..9000).map(|value| slope.prediction(value)).collect();
        assert!(predictions.is_sorted());
        assert_eq!(slope.prediction(400), 500);
        assert_eq!(slope.prediction(-400), -500);
        assert_eq!(slope.prediction(8000), 8000 + PROPORTIONAL / 4);
        assert_eq!(Slope::ONE.prediction(-777), -777);
        for infinite in [Eval::INFINITE.units(), -Eval::INFINITE.units()] {
            assert!((slope.shallow_for(infinite) - infinite).abs() <= PROPORTIONAL, "no overflow");
        }
    }
}
