//! How strong the engine plays: depth, exact endgame, time.

use crate::rules::Goal;
use std::time::Duration;

/// The highest level.
pub const MAX_LEVEL: u32 = 20;
/// The level of an engine that is told nothing, where no clock runs.
const USUAL_LEVEL: u32 = 10;
/// No bound on the depth or the endgame but the time.
const UNBOUNDED: u32 = 64;

/// How far the engine looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    /// Most plies of the search that estimates.
    pub depth: u32,
    /// With at most so many empty squares it searches to the end of the game.
    pub exact_empties: u32,
    /// Its own time for each move.
    pub time: Option<Duration>,
    /// Whether depth and endgame are only the usual ones, to be forgotten when a clock runs.
    usual: bool,
}

impl Strength {
    /// Level 10 where no clock runs; under a clock, whatever time allows.
    pub fn usual() -> Strength {
        Strength { usual: true, ..Strength::level(USUAL_LEVEL) }
    }

    /// Levels from 0 to 20: level L estimates L plies deep (level 0: one) and plays the last 2 * L moves
    /// exactly, from level 10 on the last 14 + L / 2: 19 at level 10, 24 at level 20.
    pub fn level(level: u32) -> Strength {
        let level = level.min(MAX_LEVEL);
        let exact_empties = (2 * level).min(14 + level / 2);
        Strength { depth: level.max(1), exact_empties, time: None, usual: false }
    }

    /// As deep as time allows.
    pub fn unbounded() -> Strength {
        Strength { depth: UNBOUNDED, exact_empties: UNBOUNDED, time: None, usual: false }
    }

    /// The same with a time of its own for each move.
    pub fn in_time(self, time: Option<Duration>) -> Strength {
        Strength { time, ..self }
    }

    /// What is left of it under limits from outside: of a depth, exact only with no more empty squares.
    pub fn within(self, depth: Option<u32>, clock_runs: bool) -> Strength {
        let own = if self.usual && clock_runs { Strength::unbounded().in_time(self.time) } else { self };
        match depth {
            Some(depth) => {
                let exact_empties = own.exact_empties.min(depth);
                Strength { depth: own.depth.min(depth.max(1)), exact_empties, ..own }
            }
            None => own,
        }
    }
}

/// The most empty squares for which the exact solver mostly ends in that time: 4.5 times more for each
/// two, and one less under the reversed goal, where there is less to cut off.
pub(super) fn solvable_within(time: Duration, goal: Goal) -> u32 {
    let milliseconds = time.as_secs_f64() * 1000.0;
    let normal = 10.0 + 2.0 * milliseconds.max(1.0).log(4.5);
    normal as u32 - if goal == Goal::Reversed { 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow() {
        let mut before = Strength::level(0);
        assert_eq!((before.depth, before.exact_empties), (1, 0));
        for level in 1..=MAX_LEVEL {
            let now = Strength::level(level);
            assert!(now.depth >= before.depth && now.exact_empties >= before.exact_empties, "{level}");
            before = now;
        }
        assert_eq!((before.depth, before.exact_empties), (20, 24));
        assert_eq!(Strength::level(10).exact_empties, 19);
    }

    #[test]
    fn limits_from_outside_only_weaken() {
        let six = Strength::unbounded().within(Some(6), false);
        assert_eq!((six.depth, six.exact_empties), (6, 6));
        assert_eq!(six.within(Some(4), true).depth, 4);
        assert_eq!(six.within(Some(9), true), six);
        assert_eq!(six.within(None, true), six);
        assert_eq!(Strength::usual().within(None, false).depth, 10);
        assert_eq!(Strength::usual().within(None, true).depth, UNBOUNDED);
    }
}
