//! Sigmas of every pair of depths and every stage of the game, as products of a few measured factors. A table of all
//! pairs would need many times as many positions for the same accuracy. For searches to the end of the game also the
//! slope: exact scores are larger than estimates.

use super::slope::Slope;
use reversi_rules::{Geometry, Goal};
use std::fmt;

/// The least number of empty squares with a factor of its own in [`Spreads::by_empties`].
pub const LEAST_EMPTIES: u32 = 13;
/// Empty squares that share a factor there.
pub const EMPTIES_STEP: u32 = 4;
/// The deepest shallow search with a factor of its own.
pub const DEEPEST_SHALLOW: u32 = 10;
/// The least number of empty squares in [`Spreads::end_by_empties`] and [`Spreads::end_slopes`].
pub const LEAST_END: u32 = 11;
/// Empty squares that share a factor there.
pub const END_STEP: u32 = 2;
/// Length of these two lists.
pub const END_STAGES: usize = 7;

/// Standard deviations of the errors of shallow searches, and slopes of predictions from them, on one board under one
/// goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spreads {
    /// Of searches of six plies against four, in units of an [`Eval`](crate::eval::Eval): an entry for each
    /// [`EMPTIES_STEP`] empty squares from [`LEAST_EMPTIES`] on.
    pub by_empties: [i32; 9],
    /// Factor in hundredths for each depth of the shallow search from 0 on; 100 for four plies.
    pub by_shallow: [i32; DEEPEST_SHALLOW as usize + 1],
    /// Factor in hundredths for a deep search two, four, six plies deeper than the shallow one, and so on.
    pub by_distance: [i32; 6],
    /// Of the exact score against its prediction from four plies, in units of an [`Eval`](crate::eval::Eval): an entry
    /// for each [`END_STEP`] empty squares from [`LEAST_END`] on.
    pub end_by_empties: [i32; END_STAGES],
    /// The slope of that prediction, in hundredths, by the same empty squares.
    pub end_slopes: [i32; END_STAGES],
    /// The same as `by_shallow` for the exact score.
    pub end_by_shallow: [i32; DEEPEST_SHALLOW as usize + 1],
}

impl Spreads {
    /// Sigma of the value of `depth` plies against that of `shallow` plies of the same parity.
    pub fn middle(&self, depth: u32, shallow: u32, empties: u32) -> i32 {
        let stage = empties.saturating_sub(LEAST_EMPTIES) / EMPTIES_STEP;
        let distance = (depth.saturating_sub(shallow) / 2).max(1) - 1;
        at(&self.by_empties, stage) * at(&self.by_shallow, shallow) / 100 * at(&self.by_distance, distance)
            / 100
    }

    /// Sigma of the exact score against its prediction from `shallow` plies.
    pub fn end(&self, shallow: u32, empties: u32) -> i32 {
        at(&self.end_by_empties, end_stage(empties)) * at(&self.end_by_shallow, shallow) / 100
    }

    /// How the exact score is predicted from a shallow search.
    pub fn end_slope(&self, empties: u32) -> Slope {
        Slope::new(at(&self.end_slopes, end_stage(empties)))
    }
}

/// The place of a number of empty squares in lists that begin at [`LEAST_END`].
fn end_stage(empties: u32) -> u32 {
    empties.saturating_sub(LEAST_END) / END_STEP
}

/// The factor at a place, or the last one.
fn at(factors: &[i32], place: u32) -> i32 {
    factors[(place as usize).min(factors.len() - 1)]
}

impl fmt::Display for Spreads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "    by_empties: {:?},", self.by_empties)?;
        writeln!(f, "    by_shallow: {:?},", self.by_shallow)?;
        writeln!(f, "    by_distance: {:?},", self.by_distance)?;
        writeln!(f, "    end_by_empties: {:?},", self.end_by_empties)?;
        writeln!(f, "    end_slopes: {:?},", self.end_slopes)?;
        write!(f, "    end_by_shallow: {:?},", self.end_by_shallow)
    }
}

/// The measured spreads of a board; `None` for boards without.
pub(super) fn measured(geometry: Geometry, goal: Goal) -> Option<&'static Spreads> {
    (geometry == Geometry::EIGHT).then_some(match goal {
        Goal::Normal => &EIGHT_NORMAL,
        Goal::Reversed => &EIGHT_REVERSED,
    })
}

static EIGHT_NORMAL: Spreads = Spreads {
    by_empties: [454, 359, 348, 296, 343, 262, 188, 218, 147],
    by_shallow: [160, 126, 113, 108, 100, 95, 92, 86, 83, 80, 81],
    by_distance: [100, 121, 130, 147, 155, 158],
    end_by_empties: [568, 635, 589, 722, 716, 632, 592],
    end_slopes: [111, 109, 112, 134, 124, 133, 134],
    end_by_shallow: [158, 139, 126, 112, 100, 98, 91, 87, 90, 81, 85],
};

static EIGHT_REVERSED: Spreads = Spreads {
    by_empties: [276, 240, 201, 188, 170, 162, 137, 130, 113],
    by_shallow: [144, 123, 115, 105, 100, 89, 90, 89, 88, 80, 83],
    by_distance: [100, 111, 104, 122, 126, 121],
    end_by_empties: [419, 367, 365, 291, 352, 289, 319],
    end_slopes: [113, 109, 109, 113, 113, 109, 121],
    end_by_shallow: [134, 120, 115, 106, 100, 105, 93, 94, 89, 86, 87],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_factors_are_those_of_four_plies_against_six() {
        assert_eq!(EIGHT_NORMAL.middle(6, 4, 13), 454);
        assert_eq!(EIGHT_NORMAL.middle(6, 4, 16), 454);
        assert_eq!(EIGHT_NORMAL.middle(6, 4, 17), 359);
        assert_eq!(EIGHT_NORMAL.middle(8, 4, 17), 359 * 121 / 100);
        assert_eq!(EIGHT_NORMAL.end(4, 12), 568);
        assert_eq!(EIGHT_NORMAL.end(4, 13), 635);
        assert_eq!(EIGHT_NORMAL.end_slope(13), Slope::new(109));
    }

    #[test]
    fn beyond_the_measured_range_the_last_factor_holds() {
        for spreads in [&EIGHT_NORMAL, &EIGHT_REVERSED] {
            assert_eq!(spreads.middle(60, 30, 60), spreads.middle(22, 10, 48));
            assert_eq!(spreads.middle(3, 1, 0), spreads.middle(3, 1, LEAST_EMPTIES));
            let last_stage = LEAST_END + END_STEP * (END_STAGES as u32 - 1);
            assert_eq!(spreads.end(30, 60), spreads.end(DEEPEST_SHALLOW, last_stage));
            assert_eq!(spreads.end_slope(60), spreads.end_slope(last_stage));
            assert_eq!(spreads.end(2, 0), spreads.end(2, LEAST_END));
        }
    }
}
