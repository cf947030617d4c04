//! Estimates of a position, for move ordering and the midgame search; never exact scores.
//!
//! [`Evaluator`] is the learned evaluation: pattern weights by stage of the game, with one file of weights for each
//! board and goal.

mod derived_shapes;
mod evaluation;
mod evaluator;
mod features;
mod lanes;
mod payload;
mod shapes;
mod shipped;
pub mod weights;

pub use evaluation::{ChildEvaluation, Evaluation, Handcrafted};
pub use evaluator::{ChildEvaluator, Evaluator};
pub use features::Features;
pub use weights::Weights;

use reversi_rules::Score;
use std::fmt;
use std::ops::Neg;

/// An estimate of the final score for the side to move, in 1/128 of a disc. Never an exact value.
///
/// Larger is better for the side to move under either goal. No conversion leads from an `Eval` to a [`Score`].
///
/// ```
/// use reversi_solver::eval::Eval;
/// assert_eq!(Eval::from_discs(1.5).to_string(), "+1.50");
/// assert_eq!(-Eval::new(128), Eval::from_discs(-1.0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Eval(i32);

impl Eval {
    /// Units of one disc.
    pub const UNITS_PER_DISC: i32 = 128;

    /// Above every estimate and every exact score; its negation is below all of them.
    pub const INFINITE: Eval = Eval(1 << 24);

    /// The estimate of `units` / 128 discs.
    pub const fn new(units: i32) -> Eval {
        Eval(units)
    }

    /// The nearest estimate to a number of discs.
    pub fn from_discs(discs: f64) -> Eval {
        Eval((discs * f64::from(Eval::UNITS_PER_DISC)).round() as i32)
    }

    /// The value in units of 1/128 disc.
    pub const fn units(self) -> i32 {
        self.0
    }

    /// The value in discs.
    pub fn discs(self) -> f64 {
        f64::from(self.0) / f64::from(Eval::UNITS_PER_DISC)
    }
}

/// An exact score as an estimate; there is no conversion back.
impl From<Score> for Eval {
    fn from(score: Score) -> Eval {
        Eval(score.discs() * Eval::UNITS_PER_DISC)
    }
}

impl Neg for Eval {
    type Output = Eval;

    fn neg(self) -> Eval {
        Eval(-self.0)
    }
}

/// Discs with sign and two decimals.
impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:+.2}", self.discs()))
    }
}
