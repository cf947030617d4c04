//! Sigmas of every pair of depths and every stage of the game, as products of a few measured factors. A table of all
//! pairs would need many times as many positions for the same accuracy.

use reversi_rules::{Geometry, Goal};
use std::fmt;

/// The least number of empty squares with a factor of its own in [`Spreads::by_empties`].
pub const LEAST_EMPTIES: u32 = 13;
/// Empty squares that share a factor there.
pub const EMPTIES_STEP: u32 = 4;
/// The deepest shallow search with a factor of its own.
pub const DEEPEST_SHALLOW: u32 = 10;
/// The least number of empty squares in [`Spreads::end_by_empties`].
pub const LEAST_END: u32 = 11;
/// Empty squares that share a factor there.
pub const END_STEP: u32 = 2;
/// Length of that list.
pub const END_STAGES: usize = 7;

/// Standard deviations of the error of shallow searches on one board under one goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spreads {
    /// Of searches of six plies against four, in units of an [`Eval`](crate::eval::Eval): an entry for each
    /// [`EMPTIES_STEP`] empty squares from [`LEAST_EMPTIES`] on.
    pub by_empties: [i32; 9],
    /// Factor in hundredths for each depth of the shallow search from 0 on; 100 for four plies.
    pub by_shallow: [i32; DEEPEST_SHALLOW as usize + 1],
    /// Factor in hundredths for a deep search two, four, six plies deeper than the shallow one, and so on.
    pub by_distance: [i32; 6],
    /// Of the exact score against four plies, in units of an [`Eval`](crate::eval::Eval): an entry for each
    /// [`END_STEP`] empty squares from [`LEAST_END`] on.
    pub end_by_empties: [i32; END_STAGES],
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

    /// Sigma of the exact score against the value of `shallow` plies.
    pub fn end(&self, shallow: u32, empties: u32) -> i32 {
        let stage = empties.saturating_sub(LEAST_END) / END_STEP;
        at(&self.end_by_empties, stage) * at(&self.end_by_shallow, shallow) / 100
    }
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
    by_empties: [453, 419, 433, 372, 340, 283, 269, 241, 181],
    by_shallow: [163, 134, 119, 110, 100, 89, 88, 82, 77, 77, 72],
    by_distance: [100, 119, 129, 139, 144, 140],
    end_by_empties: [580, 698, 666, 707, 652, 680, 714],
    end_by_shallow: [158, 135, 118, 113, 100, 90, 86, 80, 80, 74, 74],
};

static EIGHT_REVERSED: Spreads = Spreads {
    by_empties: [262, 210, 203, 172, 156, 149, 155, 139, 111],
    by_shallow: [164, 135, 118, 106, 100, 91, 89, 84, 78, 77, 72],
    by_distance: [100, 115, 122, 133, 137, 135],
    end_by_empties: [402, 423, 457, 343, 337, 357, 350],
    end_by_shallow: [140, 121, 111, 103, 100, 89, 88, 81, 77, 76, 77],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_factors_are_those_of_four_plies_against_six() {
        assert_eq!(EIGHT_NORMAL.middle(6, 4, 13), 453);
        assert_eq!(EIGHT_NORMAL.middle(6, 4, 16), 453);
        assert_eq!(EIGHT_NORMAL.middle(6, 4, 17), 419);
        assert_eq!(EIGHT_NORMAL.middle(8, 4, 17), 419 * 119 / 100);
        assert_eq!(EIGHT_NORMAL.end(4, 12), 580);
        assert_eq!(EIGHT_NORMAL.end(4, 13), 698);
    }

    #[test]
    fn beyond_the_measured_range_the_last_factor_holds() {
        for spreads in [&EIGHT_NORMAL, &EIGHT_REVERSED] {
            assert_eq!(spreads.middle(60, 30, 60), spreads.middle(22, 10, 48));
            assert_eq!(spreads.middle(3, 1, 0), spreads.middle(3, 1, LEAST_EMPTIES));
            let last_stage = LEAST_END + END_STEP * (END_STAGES as u32 - 1);
            assert_eq!(spreads.end(30, 60), spreads.end(DEEPEST_SHALLOW, last_stage));
            assert_eq!(spreads.end(2, 0), spreads.end(2, LEAST_END));
        }
    }
}
