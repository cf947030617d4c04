//! ProbCut: a shallow search that makes a deep one probably superfluous (M. Buro, "ProbCut: An Effective Selective
//! Extension of the Alpha-Beta Algorithm", ICCA Journal 1995).
//!
//! The value of a deep search is modelled as the value of a shallow one plus a normally distributed error with a
//! measured standard deviation (sigma). Where the shallow value lies several sigmas outside the window, the deep
//! search is skipped. The sigmas were measured for each board and goal; see `sigmas.rs` and `spreads.rs`.

mod sigmas;
pub mod spreads;

use arrayvec::ArrayVec;
use reversi_rules::{Geometry, Goal};
use spreads::Spreads;
use std::fmt;

/// The largest depth with a measured sigma; a deeper search uses the sigma of the largest depth of its parity.
pub const MEASURED_DEPTH: u32 = 8;
/// The least depth of a search that ProbCut can skip.
pub const LEAST_DEPTH: u32 = 3;
/// Range of empty squares with measured sigmas of searches to the end of the game.
pub const MEASURED_ENDS: (u32, u32) = (10, 17);

/// Standard deviations of the error, in units of an [`Eval`](crate::eval::Eval), for one board and goal. Displayed as
/// Rust source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sigmas {
    /// By phase of the game, then by depth from [`LEAST_DEPTH`] to [`MEASURED_DEPTH`]: a search of that depth against
    /// one of [`shallow_depth`].
    pub middle: [[i32; (MEASURED_DEPTH - LEAST_DEPTH + 1) as usize]; PHASES],
    /// By pairs of empty squares from the start of [`MEASURED_ENDS`] on: the exact score against searches of 2 and 4
    /// plies.
    pub end: [[i32; 2]; 4],
}

impl Sigmas {
    /// The shallow depth and its sigma for a search of `depth` plies; `None` where the deep search is cheap.
    fn of_middle(&self, depth: u32, phase: usize) -> Option<(u32, i32)> {
        let measured = if depth <= MEASURED_DEPTH { depth } else { MEASURED_DEPTH - (depth & 1) };
        let sigma = self.middle[phase][measured.checked_sub(LEAST_DEPTH)? as usize];
        Some((shallow_depth(depth), sigma))
    }

    /// The same for a search to the end of the game, which is compared with the exact score.
    fn of_end(&self, empties: u32) -> Option<(u32, i32)> {
        let measured = empties.min(MEASURED_ENDS.1).checked_sub(MEASURED_ENDS.0)?;
        let which = usize::from(empties >= DEEPER_END);
        Some((END_DEPTHS[which], self.end[measured as usize / 2][which]))
    }
}

impl fmt::Display for Sigmas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "    middle: {:?},", self.middle)?;
        write!(f, "    end: {:?},", self.end)
    }
}

/// Number of phases of the game, by the share of empty squares.
pub const PHASES: usize = 3;

/// Depths in plies of the shallow searches that stand for a search to the end of the game.
pub const END_DEPTHS: [u32; 2] = [2, 4];
/// From this number of empty squares on the second depth is used.
const DEEPER_END: u32 = 16;

/// The phase: 0 for the last third of the squares to be filled, 1 for the middle, 2 for the first third.
pub fn phase_of(geometry: Geometry, empties: u32) -> usize {
    (empties * PHASES as u32 / (geometry.square_count() + 1)) as usize
}

/// Plies of the shallow search for one of `depth` plies, 2 or more: about half, of the same parity, since the side with
/// the last move biases every estimate.
pub fn shallow_depth(depth: u32) -> u32 {
    let half = depth / 2;
    if (depth - half).is_multiple_of(2) { half } else { half - 1 }
}

/// Selectivity of a search: the less selective, the smaller the risk of a wrong cut-off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Selectivity {
    /// The confidence of the engine's strength.
    Usual,
    /// Higher confidence: fewer cut-offs.
    More,
    /// Still higher confidence: few cut-offs.
    Most,
    /// No cut-offs.
    Full,
}

impl Selectivity {
    /// All of them, the most selective first.
    pub const ALL: [Selectivity; 4] =
        [Selectivity::Usual, Selectivity::More, Selectivity::Most, Selectivity::Full];

    /// Factor on the usual confidence; `None` for no cut-offs.
    fn factor(self) -> Option<f32> {
        match self {
            Selectivity::Usual => Some(1.0),
            Selectivity::More => Some(1.6),
            Selectivity::Most => Some(2.4),
            Selectivity::Full => None,
        }
    }
}

/// What has been measured for a board and goal.
#[derive(Clone, Copy)]
enum Measured {
    /// Fine sigmas, by pair of depths and stage of the game.
    Fine(&'static Spreads),
    /// Coarse ones.
    Coarse(&'static Sigmas),
}

/// The ProbCut parameters of one search.
#[derive(Clone, Copy)]
pub struct ProbCut {
    measured: Measured,
    geometry: Geometry,
    /// Required distance from the window, in sigmas.
    confidence: f32,
}

/// A shallow search to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbCutProbe {
    /// Its depth in plies.
    pub depth: u32,
    /// Required distance of its value from the window, in units of an [`Eval`](crate::eval::Eval).
    pub margin: i32,
    /// Required distance of the position's own estimate from the nearer end of the window: a shallow search that will
    /// hardly cut is not begun.
    pub promise: i32,
}

/// Share of the margin, in tenths, that the position's own estimate must already have where sigmas are finely measured.
const PROMISE_TENTHS: i32 = 6;

impl ProbCut {
    /// ProbCut for a board and goal with a confidence of `tenths` / 10 sigmas; `None` for boards where they
    /// are not measured.
    pub fn find(geometry: Geometry, goal: Goal, tenths: u32) -> Option<ProbCut> {
        let coarse = || sigmas::measured(geometry, goal).map(Measured::Coarse);
        let measured = spreads::measured(geometry, goal).map(Measured::Fine).or_else(coarse)?;
        Some(ProbCut { measured, geometry, confidence: tenths as f32 / 10.0 })
    }

    /// ProbCut at a selectivity; `None` for [`Selectivity::Full`].
    pub fn at(self, selectivity: Selectivity) -> Option<ProbCut> {
        selectivity.factor().map(|factor| ProbCut { confidence: self.confidence * factor, ..self })
    }

    /// The shallow searches to try before a search of `depth` plies, one after the other; none where the deep search
    /// is cheap.
    pub fn probes(&self, depth: u32, empties: u32) -> ArrayVec<ProbCutProbe, 2> {
        match self.measured {
            Measured::Fine(spreads) => self.probes_by(spreads, depth, empties),
            Measured::Coarse(sigmas) => self.probe(sigmas, depth, empties).into_iter().collect(),
        }
    }

    /// Before a search to the end of the game one about half as deep; before any other one about half as deep and, if
    /// it has at least two plies, one two plies shallower before that.
    fn probes_by(&self, spreads: &Spreads, depth: u32, empties: u32) -> ArrayVec<ProbCutProbe, 2> {
        let probe = |depth: u32, sigma: i32| {
            let margin = self.margin(sigma);
            ProbCutProbe { depth, margin, promise: margin * PROMISE_TENTHS / 10 }
        };
        if depth >= empties {
            let shallow = (empties / 2) & !1;
            let end = (empties >= MEASURED_ENDS.0).then(|| probe(shallow, spreads.end(shallow, empties)));
            return end.into_iter().collect();
        }
        if depth < LEAST_DEPTH {
            return ArrayVec::new();
        }
        let half = shallow_depth(depth);
        let shallower = half.checked_sub(2).filter(|&shallower| shallower >= 2);
        let depths = shallower.into_iter().chain([half]);
        depths.map(|shallow| probe(shallow, spreads.middle(depth, shallow, empties))).collect()
    }

    /// The one shallow search of boards without [`Spreads`].
    fn probe(&self, sigmas: &Sigmas, depth: u32, empties: u32) -> Option<ProbCutProbe> {
        let (shallow, sigma) = match depth >= empties {
            true => sigmas.of_end(empties)?,
            false => sigmas.of_middle(depth, phase_of(self.geometry, empties))?,
        };
        Some(ProbCutProbe { depth: shallow, margin: self.margin(sigma), promise: 0 })
    }

    fn margin(&self, sigma: i32) -> i32 {
        (sigma as f32 * self.confidence) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;

    #[test]
    fn the_shallow_search_is_about_half_as_deep_and_of_the_same_parity() {
        let depths: Vec<u32> = (LEAST_DEPTH..=12).map(shallow_depth).collect();
        assert_eq!(depths, [1, 2, 1, 2, 3, 4, 3, 4, 5, 6]);
    }

    #[test]
    fn every_deep_search_has_a_probe_where_weights_were_learned() {
        for geometry in
            (3..=8).flat_map(|width| (3..=8).map(move |height| Geometry::new(width, height).unwrap()))
        {
            for goal in Goal::ALL {
                let has_weights = Weights::shipped(geometry, goal).is_some();
                assert_eq!(ProbCut::find(geometry, goal, 15).is_some(), has_weights, "{geometry} {goal}");
                if !has_weights {
                    continue;
                }
                let probcut = ProbCut::find(geometry, goal, 15).unwrap();
                for empties in 1..=geometry.square_count() - 4 {
                    for depth in 0..=empties {
                        let worth_sparing =
                            if depth == empties { depth >= MEASURED_ENDS.0 } else { depth >= 3 };
                        let probes = probcut.probes(depth, empties);
                        assert_eq!(
                            !probes.is_empty(),
                            worth_sparing,
                            "{geometry} {goal} {depth} of {empties}"
                        );
                        assert!(probes.is_sorted_by(|a, b| a.depth < b.depth));
                        assert!(probes.iter().all(|probe| probe.depth < depth && probe.margin > 0));
                        assert!(probes.iter().all(|probe| (0..probe.margin).contains(&probe.promise)));
                    }
                }
            }
        }
    }

    #[test]
    fn lower_selectivity_needs_a_larger_margin() {
        let probcut = ProbCut::find(Geometry::EIGHT, Goal::Normal, 13).unwrap();
        let margins =
            Selectivity::ALL.map(|selectivity| Some(probcut.at(selectivity)?.probes(20, 20)[0].margin));
        assert!(margins[..3].is_sorted_by(|a, b| a < b), "{margins:?}");
        assert_eq!(margins[0], Some(probcut.probes(20, 20)[0].margin));
        assert_eq!(margins[3], None);
    }

    #[test]
    fn higher_confidence_needs_a_larger_margin() {
        let margin =
            |tenths| ProbCut::find(Geometry::EIGHT, Goal::Normal, tenths).unwrap().probes(8, 30)[0].margin;
        assert!(margin(20) > margin(10));
    }
}
