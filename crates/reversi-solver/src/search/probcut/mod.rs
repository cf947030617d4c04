//! When a shallow search makes a deep one superfluous, most likely (ProbCut: M. Buro, "ProbCut: An Effective
//! Selective Extension of the Alpha-Beta Algorithm", ICCA Journal 1995).
//!
//! A deep search's value is taken to be that of a shallow one plus an error of known spread. Where the shallow
//! value lies so far outside the window that the deep one would hardly come back, the deep search is spared.
//! The spreads were measured for each board and goal with `reversi bench cuts`, which prints them as they stand in
//! `spreads.rs`.

mod sigmas;

use reversi_rules::{Geometry, Goal};
use sigmas::{EIGHT_NORMAL, EIGHT_REVERSED, SIX_NORMAL, SIX_REVERSED};
use std::fmt;

/// The deepest search whose spread was measured; deeper ones have the spread of the deepest with their parity.
pub const MEASURED_DEPTH: u32 = 8;
/// The shallowest search that is spared.
pub const LEAST_DEPTH: u32 = 3;
/// From so many empty squares on spreads of searches to the end of the game were measured, up to the second.
pub const MEASURED_ENDS: (u32, u32) = (10, 17);

/// Standard deviations of the error, in units of an estimate, for one board and goal; printed as they stand in the
/// program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sigmas {
    /// By phase of the game, then by depth from [`LEAST_DEPTH`] to [`MEASURED_DEPTH`]: a search of that depth against
    /// one of [`shallow_depth`].
    pub middle: [[i32; (MEASURED_DEPTH - LEAST_DEPTH + 1) as usize]; PHASES],
    /// By empty squares, two at a time from [`MEASURED_ENDS`] on: the exact score against searches of 2 and 4 plies.
    pub end: [[i32; 2]; 4],
}

impl fmt::Display for Sigmas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "    middle: {:?},", self.middle)?;
        write!(f, "    end: {:?},", self.end)
    }
}

/// Phases of the game, by the share of empty squares.
pub const PHASES: usize = 3;

/// Plies of the search to the end's shallow twin, from the number of empty squares on.
pub const END_DEPTHS: [u32; 2] = [2, 4];
/// From so many empty squares on the second of them.
const DEEPER_END: u32 = 16;

/// Which of the phases: the last third of the squares to be filled, the middle, the first.
pub fn phase_of(geometry: Geometry, empties: u32) -> usize {
    (empties * PHASES as u32 / (geometry.square_count() + 1)) as usize
}

/// The plies of the search that stands for one of `depth`: about half, of the same parity, since who moves last
/// colours every estimate.
pub fn shallow_depth(depth: u32) -> u32 {
    let half = depth / 2;
    if (depth - half).is_multiple_of(2) { half } else { half - 1 }
}

/// How sure a search is not to miss what matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Selectivity {
    /// As sure as the engine's strength says.
    Usual,
    /// Cutting off less.
    More,
    /// Cutting off hardly anything.
    Most,
    /// Cutting off nothing.
    Full,
}

impl Selectivity {
    pub const ALL: [Selectivity; 4] =
        [Selectivity::Usual, Selectivity::More, Selectivity::Most, Selectivity::Full];

    /// By what the usual confidence is multiplied; `None` for no cut-offs.
    fn factor(self) -> Option<f32> {
        match self {
            Selectivity::Usual => Some(1.0),
            Selectivity::More => Some(1.6),
            Selectivity::Most => Some(2.4),
            Selectivity::Full => None,
        }
    }
}

/// The rule by which one search cuts.
#[derive(Clone, Copy)]
pub struct ProbCut {
    sigmas: &'static Sigmas,
    geometry: Geometry,
    /// How many spreads away the window must be.
    confidence: f32,
}

/// A shallow search to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbCutProbe {
    /// Its plies.
    pub depth: u32,
    /// How far outside the window its value must lie, in units of an estimate.
    pub margin: i32,
}

impl ProbCut {
    /// The rule for a board and goal, with the window so many tenths of a spread away; `None` where the evaluation is
    /// not learned.
    pub fn find(geometry: Geometry, goal: Goal, tenths: u32) -> Option<ProbCut> {
        let sigmas = match (geometry, goal) {
            (Geometry::SIX, Goal::Normal) => &SIX_NORMAL,
            (Geometry::SIX, Goal::Reversed) => &SIX_REVERSED,
            (Geometry::EIGHT, Goal::Normal) => &EIGHT_NORMAL,
            (Geometry::EIGHT, Goal::Reversed) => &EIGHT_REVERSED,
            _ => return None,
        };
        Some(ProbCut { sigmas, geometry, confidence: tenths as f32 / 10.0 })
    }

    /// The rule of a search that is that sure; `None` where nothing is cut off.
    pub fn at(self, selectivity: Selectivity) -> Option<ProbCut> {
        selectivity.factor().map(|factor| ProbCut { confidence: self.confidence * factor, ..self })
    }

    /// What to try instead of a search of `depth` plies; `None` where the search itself is cheap.
    pub fn probe(&self, depth: u32, empties: u32) -> Option<ProbCutProbe> {
        let (shallow, spread) =
            if depth >= empties { self.end(empties)? } else { self.middle(depth, empties)? };
        Some(ProbCutProbe { depth: shallow, margin: (spread as f32 * self.confidence) as i32 })
    }

    fn middle(&self, depth: u32, empties: u32) -> Option<(u32, i32)> {
        let measured = if depth <= MEASURED_DEPTH { depth } else { MEASURED_DEPTH - (depth & 1) };
        let row = &self.sigmas.middle[phase_of(self.geometry, empties)];
        let spread = row[measured.checked_sub(LEAST_DEPTH)? as usize];
        Some((shallow_depth(depth), spread))
    }

    /// A search to the end of the game is compared with the exact score.
    fn end(&self, empties: u32) -> Option<(u32, i32)> {
        let measured = empties.min(MEASURED_ENDS.1).checked_sub(MEASURED_ENDS.0)?;
        let which = usize::from(empties >= DEEPER_END);
        Some((END_DEPTHS[which], self.sigmas.end[measured as usize / 2][which]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shallow_search_is_about_half_as_deep_and_of_the_same_parity() {
        let depths: Vec<u32> = (LEAST_DEPTH..=12).map(shallow_depth).collect();
        assert_eq!(depths, [1, 2, 1, 2, 3, 4, 3, 4, 5, 6]);
    }

    #[test]
    fn every_search_worth_sparing_has_a_glance_where_weights_were_learned() {
        for geometry in [Geometry::SIX, Geometry::EIGHT] {
            for goal in Goal::ALL {
                let probcut = ProbCut::find(geometry, goal, 15).unwrap();
                for empties in 1..=geometry.square_count() - 4 {
                    for depth in 0..=empties {
                        let worth_sparing =
                            if depth == empties { depth >= MEASURED_ENDS.0 } else { depth >= 3 };
                        let probe = probcut.probe(depth, empties);
                        assert_eq!(probe.is_some(), worth_sparing, "{geometry} {goal} {depth} of {empties}");
                        assert!(probe.is_none_or(|probe| probe.depth < depth && probe.margin > 0));
                    }
                }
            }
        }
        assert!(ProbCut::find(Geometry::FOUR, Goal::Normal, 15).is_none());
    }

    #[test]
    fn the_surer_the_farther_outside() {
        let probcut = ProbCut::find(Geometry::EIGHT, Goal::Normal, 13).unwrap();
        let margins =
            Selectivity::ALL.map(|selectivity| Some(probcut.at(selectivity)?.probe(20, 20).unwrap().margin));
        assert!(margins[..3].is_sorted_by(|a, b| a < b), "{margins:?}");
        assert_eq!(margins[0], Some(probcut.probe(20, 20).unwrap().margin));
        assert_eq!(margins[3], None);
    }

    #[test]
    fn more_confidence_asks_for_more() {
        let margin = |tenths| {
            ProbCut::find(Geometry::EIGHT, Goal::Normal, tenths).unwrap().probe(8, 30).unwrap().margin
        };
        assert!(margin(20) > margin(10));
    }
}
