//! The plan of a round, and its file.

use super::bounds::{Bounds, Form, Question};
use super::plan::{Claim, ProofGoal, ProofPlan};
use crate::codec::CodecError;
use crate::spread::costs::Costs;
use crate::spread::results::Stamp;
use crate::spread::{SpreadError, made_by, rounds};
use reversi_rules::{Geometry, Position, Rules};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A round of a proof.
pub(super) struct Round {
    pub plan: ProofPlan,
    /// From 1.
    pub number: u32,
    /// The score that was guessed for the root.
    pub guess: i8,
    pub costs: Costs,
    /// All bounds that are known when it begins.
    pub known: Vec<(Form, Bounds)>,
    pub families: Vec<Vec<Question>>,
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Stored {
    #[serde(deserialize_with = "crate::codec::text")]
    made_by: String,
    board: (u32, u32),
    #[serde(deserialize_with = "crate::codec::text")]
    goal: String,
    #[serde(deserialize_with = "crate::codec::text")]
    scoring: String,
    root: (u64, u64),
    depth: u8,
    /// 0 the value, 1 at least, 2 at most.
    asked: u8,
    score: i8,
    number: u32,
    guess: i8,
    costs: Costs,
    known: Vec<(Form, Bounds)>,
    families: Vec<Vec<Question>>,
}

impl Round {
    /// Writes the plan into its place.
    ///
    /// # Errors
    /// [`SpreadError::Unkept`].
    pub fn write(&self, directory: &Path) -> Result<Stamp, SpreadError> {
        let ProofPlan { geometry, rules, root, depth, goal } = self.plan;
        let (asked, score) = match goal {
            ProofGoal::Value => (0, 0),
            ProofGoal::Claim(Claim::AtLeast(score)) => (1, score as i8),
            ProofGoal::Claim(Claim::AtMost(score)) => (2, score as i8),
        };
        let stored = Stored {
            made_by: made_by(),
            board: (geometry.width(), geometry.height()),
            goal: rules.goal.name().to_owned(),
            scoring: rules.scoring.name().to_owned(),
            root: (root.player, root.opponent),
            depth,
            asked,
            score,
            number: self.number,
            guess: self.guess,
            costs: self.costs.clone(),
            known: self.known.clone(),
            families: self.families.clone(),
        };
        rounds::write(directory, self.number, &rounds::PROOF, &stored)
    }

    /// Reads the plan of a round.
    ///
    /// # Errors
    /// A file that is damaged or was written by another version.
    pub fn read(directory: &Path, number: u32) -> Result<(Round, Stamp), SpreadError> {
        let (stored, stamp) = rounds::read::<Stored>(directory, number, &rounds::PROOF)?;
        rounds::check_version(directory, number, &stored.made_by)?;
        let plan = stored.plan().filter(|plan| {
            plan.check().is_ok() && stored.number == number && stored.is_possible(plan.geometry)
        });
        let plan = plan.ok_or_else(|| SpreadError::Unreadable {
            path: rounds::path_of(directory, number),
            error: CodecError::Damaged,
        })?;
        let Stored { guess, costs, known, families, .. } = stored;
        Ok((Round { plan, number, guess, costs, known, families }, stamp))
    }
}

impl Stored {
    /// Whether the board can have its questions, bounds and guess.
    fn is_possible(&self, geometry: Geometry) -> bool {
        let is_known = |&((player, opponent), bounds): &(Form, Bounds)| {
            Position { player, opponent }.is_on(geometry) && bounds.are_possible(geometry)
        };
        self.families.iter().flatten().all(|question| question.is_possible(geometry))
            && self.known.iter().all(is_known)
            && i32::from(self.guess).unsigned_abs() <= geometry.square_count()
    }

    fn plan(&self) -> Option<ProofPlan> {
        let geometry = Geometry::new(self.board.0, self.board.1).ok()?;
        let rules = Rules::new(self.goal.parse().ok()?, self.scoring.parse().ok()?);
        let root = Position { player: self.root.0, opponent: self.root.1 };
        let goal = match (self.asked, i32::from(self.score)) {
            (0, _) => ProofGoal::Value,
            (1, score) => ProofGoal::Claim(Claim::AtLeast(score)),
            (2, score) => ProofGoal::Claim(Claim::AtMost(score)),
            _ => return None,
        };
        root.is_on(geometry).then_some(ProofPlan { geometry, rules, root, depth: self.depth, goal })
    }
}
