//! Strength of the engine: depth, selectivity, exact endgame, time.

use reversi_solver::search::midgame::Iteration;
use reversi_solver::search::probcut::Selectivity;

/// The highest level of the engine; the lowest is 0.
pub const MAX_LEVEL: u32 = 20;
/// The default level without a clock.
const USUAL_LEVEL: u32 = 10;
/// Depth and endgame bounded by time only.
const UNBOUNDED: u32 = 64;
/// The first level with ProbCut and tables.
const PROBCUT_LEVEL: u32 = 10;
/// ProbCut's confidence in tenths of a standard deviation. In games at equal time on 8x8 (normal goal) 1.0 won 54 to
/// 55 % against 1.3 at 30 and 100 ms a move. The less time, the lower the best confidence: at 30 ms 0.7 won 54 %
/// against 1.0; at 120 and 250 ms nothing below 1.0 was distinguishable from 1.3.
const USUAL_CONFIDENCE: u32 = 10;

/// Search limits of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    /// Largest depth of the midgame search in plies.
    pub depth: u32,
    /// With at most this many empty squares the midgame search goes to the end of the game, with ProbCut.
    pub end_empties: u32,
    /// With at most this many empty squares the exact search proves the score.
    pub exact_empties: u32,
    /// ProbCut's confidence in tenths of a standard deviation; `None` for a full-width search.
    pub confidence: Option<u32>,
    /// Whether the engine plays the moves of tables of exact values.
    pub tables: bool,
    /// Whether depth and endgame are defaults, which external limits replace instead of bounding them.
    usual: bool,
}

impl Strength {
    /// The default: level 10; under a clock as deep as time allows; with an external depth that depth.
    pub fn usual() -> Strength {
        Strength { usual: true, ..Strength::level(USUAL_LEVEL) }
    }

    /// Levels from 0 to 20: level L searches L plies (level 0: one).
    ///
    /// | level | plies | selective to the end from | exact from | ProbCut, tables |
    /// |---|---|---|---|---|
    /// | 0 to 9 | L, at least 1 | never | 8 L / 3, at most 14, empty squares | no |
    /// | 10 to 20 | L | 10 + L | 8 + L * 4 / 5 | yes |
    ///
    /// So level 10 is exact in the last 16 moves and searches to the end in the last 20, level 20 in the last 24 and
    /// 30.
    pub fn level(level: u32) -> Strength {
        let level = level.min(MAX_LEVEL);
        let has_probcut = level >= PROBCUT_LEVEL;
        Strength {
            depth: level.max(1),
            end_empties: if has_probcut { 10 + level } else { 0 },
            exact_empties: if has_probcut { 8 + level * 4 / 5 } else { (8 * level / 3).min(14) },
            confidence: has_probcut.then_some(USUAL_CONFIDENCE),
            tables: has_probcut,
            usual: false,
        }
    }

    /// Bounded by time only.
    pub fn unbounded() -> Strength {
        Strength {
            depth: UNBOUNDED,
            end_empties: UNBOUNDED,
            exact_empties: UNBOUNDED,
            confidence: Some(USUAL_CONFIDENCE),
            tables: true,
            usual: false,
        }
    }

    /// Full width to this depth, exact with at most this many empty squares, without tables.
    pub fn full_width(depth: u32) -> Strength {
        Strength { confidence: None, tables: false, ..Strength::unbounded().within(Some(depth), false) }
    }

    /// The same with or without ProbCut.
    pub fn with_cuts(self, probcut: bool) -> Strength {
        Strength { confidence: probcut.then_some(USUAL_CONFIDENCE), ..self }
    }

    /// The same with or without tables.
    pub fn with_tables(self, tables: bool) -> Strength {
        Strength { tables, ..self }
    }

    /// The strength under external limits. A depth bounds an explicit strength and its exact endgame; the default
    /// strength takes the depth as its own.
    pub fn within(self, depth: Option<u32>, clock_runs: bool) -> Strength {
        match depth {
            Some(depth) if self.usual => self.as_deep_as(depth),
            Some(depth) => Strength {
                depth: self.depth.min(depth.max(1)),
                end_empties: self.end_empties.min(depth),
                exact_empties: self.exact_empties.min(depth),
                ..self
            },
            None if self.usual && clock_runs => self.as_deep_as(UNBOUNDED),
            None => self,
        }
    }

    /// The default strength with this depth and the endgame of the level with the same number, extrapolated beyond
    /// the highest level: where the depth reaches the end of the game, the end is proved.
    fn as_deep_as(self, depth: u32) -> Strength {
        Strength {
            depth: depth.max(1),
            end_empties: depth.saturating_add(10),
            exact_empties: Strength::level(depth).exact_empties.max(depth),
            usual: false,
            ..self
        }
    }

    /// The iterations for a position with `empties` empty squares. Near the end of the game the last third of the
    /// plies is one step: the end is worth more than a few plies. Where only time is a bound, the search to the end
    /// is repeated with decreasing selectivity.
    pub(super) fn steps(self, empties: u32) -> Vec<Iteration> {
        if empties > self.end_empties {
            return (1..=self.depth.min(empties)).map(Iteration::usual).collect();
        }
        let before = (1..=(empties * 2 / 3).min(self.depth.max(empties / 2))).map(Iteration::usual);
        let selectivities: &[Selectivity] = match self.depth {
            UNBOUNDED.. if self.confidence.is_some() => {
                &[Selectivity::Usual, Selectivity::More, Selectivity::Most]
            }
            _ => &[Selectivity::Usual],
        };
        before
            .chain(selectivities.iter().map(|&selectivity| Iteration { depth: empties, selectivity }))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_play_the_end_exactly_from_where_the_readme_says() {
        let exact = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 20].map(|level| Strength::level(level).exact_empties);
        assert_eq!(exact, [0, 2, 5, 8, 10, 13, 14, 14, 14, 16, 24]);
    }

    #[test]
    fn levels_grow() {
        let mut before = Strength::level(0);
        assert_eq!((before.depth, before.exact_empties), (1, 0));
        for level in 1..=MAX_LEVEL {
            let now = Strength::level(level);
            assert!(now.depth >= before.depth && now.exact_empties >= before.exact_empties, "{level}");
            assert!(now.end_empties >= before.end_empties, "{level}");
            before = now;
        }
        assert_eq!((before.depth, before.exact_empties, before.end_empties), (20, 24, 30));
        let ten = Strength::level(10);
        assert_eq!((ten.exact_empties, ten.end_empties, ten.tables), (16, 20, true));
        assert_eq!(Strength::level(9).confidence, None);
    }

    #[test]
    fn external_limits_only_weaken() {
        let six = Strength::unbounded().within(Some(6), false);
        assert_eq!((six.depth, six.exact_empties, six.end_empties), (6, 6, 6));
        assert_eq!(six.within(Some(4), true).depth, 4);
        assert_eq!(six.within(Some(9), true), six);
        assert_eq!(six.within(None, true), six);
    }

    #[test]
    fn the_default_strength_follows_a_clock_and_a_depth() {
        let usual = Strength::usual();
        assert_eq!(usual.within(None, false).depth, 10);
        let under_a_clock = usual.within(None, true);
        assert_eq!((under_a_clock.depth, under_a_clock.exact_empties), (UNBOUNDED, UNBOUNDED));
        for depth in 1..=60 {
            let (bounded, level) = (usual.within(Some(depth), false), Strength::level(depth));
            assert_eq!(bounded.depth, depth);
            assert!(bounded.end_empties >= level.end_empties, "{depth}");
            assert!(bounded.exact_empties >= level.exact_empties.max(depth), "{depth}");
            assert_eq!(usual.within(Some(depth), true), bounded, "{depth}");
        }
        let boundless = usual.within(Some(u32::MAX), false);
        assert_eq!((boundless.depth, boundless.end_empties), (u32::MAX, u32::MAX), "NBoard may say so");
    }

    #[test]
    fn switches_hold_under_a_clock_too() {
        let plain = Strength::usual().with_cuts(false).with_tables(false);
        for limited in [plain.within(None, true), plain.within(Some(12), false), plain.within(None, false)] {
            assert_eq!((limited.confidence, limited.tables), (None, false));
        }
    }

    #[test]
    fn the_end_of_the_game_is_reached_in_one_step() {
        let depths = |strength: Strength, empties| -> Vec<u32> {
            strength.steps(empties).into_iter().map(|step| step.depth).collect()
        };
        assert_eq!(depths(Strength::full_width(5), 40), [1, 2, 3, 4, 5]);
        assert_eq!(depths(Strength::full_width(5), 4), [1, 2, 4]);
        assert_eq!(depths(Strength::level(10), 18), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18]);
        assert_eq!(depths(Strength::level(3), 2), [1, 2]);
        assert_eq!(depths(Strength::unbounded(), 6), [1, 2, 3, 4, 6, 6, 6]);
    }

    #[test]
    fn only_where_time_alone_is_a_bound_the_search_to_the_end_is_repeated() {
        let last = |strength: Strength| strength.steps(18).last().map(|step| step.selectivity);
        assert_eq!(last(Strength::unbounded()), Some(Selectivity::Most));
        assert_eq!(last(Strength::usual().within(None, true)), Some(Selectivity::Most));
        for bounded in [Strength::level(20), Strength::unbounded().with_cuts(false)] {
            assert_eq!(last(bounded), Some(Selectivity::Usual));
        }
    }
}
