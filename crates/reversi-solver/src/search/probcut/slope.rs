//! The slope of ProbCut's prediction (Buro's linear regression, without its constant).

use crate::eval::Eval;

/// Up to this value, in units of an [`Eval`], a prediction is proportional to it. A larger value is increased by as much
/// as this one: measured factors fall with the value, since no score exceeds the number of squares.
pub const PROPORTIONAL: i32 = 16 * Eval::UNITS_PER_DISC;

/// The largest score of any board, in units of an [`Eval`].
const LARGEST: i32 = 64 * Eval::UNITS_PER_DISC;

/// How the value of a deep search is predicted from that of a shallow one.
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
        (shallow + self.excess(shallow.clamp(-PROPORTIONAL, PROPORTIONAL))).clamp(-LARGEST, LARGEST)
    }

    /// The shallow value that predicts `deep`, but for rounding: the inverse of [`Slope::prediction`]. No value
    /// predicts more than the largest score; there the result is `deep` itself, which no search reaches.
    pub fn shallow_for(self, deep: i32) -> i32 {
        // Most searches have this slope, and a division takes long.
        if self == Slope::ONE || deep.abs() > LARGEST {
            return deep;
        }
        let most = self.excess(PROPORTIONAL);
        if deep.abs() <= PROPORTIONAL + most {
            deep * 100 / self.hundredths
        } else {
            deep - most * deep.signum()
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
            for shallow in (-4000..4000).step_by(7) {
                let found = slope.shallow_for(slope.prediction(shallow));
                assert!((found - shallow).abs() <= 2, "{slope:?} {shallow}: {found}");
            }
        }
    }

    #[test]
    fn predictions_grow_with_the_value_and_large_ones_by_a_constant() {
        let slope = Slope::new(125);
        let predictions: Vec<i32> = (-9000..9000).map(|value| slope.prediction(value)).collect();
        assert!(predictions.is_sorted());
        assert_eq!(slope.prediction(400), 500);
        assert_eq!(slope.prediction(-400), -500);
        assert_eq!(slope.prediction(6000), 6000 + PROPORTIONAL / 4);
        assert_eq!(Slope::ONE.prediction(-777), -777);
    }

    #[test]
    fn no_value_predicts_more_than_the_largest_score() {
        let slope = Slope::new(134);
        assert_eq!(slope.prediction(LARGEST), LARGEST);
        assert!(slope.prediction(slope.shallow_for(LARGEST)) >= LARGEST - 2);
        for beyond in [LARGEST + 1, i16::MAX.into(), Eval::INFINITE.units()] {
            assert_eq!((slope.shallow_for(beyond), slope.shallow_for(-beyond)), (beyond, -beyond));
        }
    }
}
