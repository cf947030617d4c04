//! The check that a certificate does not contradict itself. Only a sample of the leaf bounds is searched, so two that
//! exclude each other must be found without a search.

use super::Direction;
use super::read::{Certificate, as_stored};
use crate::report::{Check, Faults};
use reversi_naive::Board;
use std::collections::HashMap;

/// The strictest bounds of one score.
#[derive(Default)]
struct Bounds {
    at_least: Option<i32>,
    at_most: Option<i32>,
}

impl Bounds {
    fn add(&mut self, direction: Direction, score: i32) {
        match direction {
            Direction::AtLeast => self.at_least = self.at_least.max(Some(score)),
            Direction::AtMost => {
                self.at_most = Some(self.at_most.map_or(score, |at_most| at_most.min(score)));
            }
        }
    }

    /// Both of them, if no score has both.
    fn contradiction(&self) -> Option<(i32, i32)> {
        self.at_least.zip(self.at_most).filter(|(at_least, at_most)| at_least > at_most)
    }
}

/// Compares the bounds from all claims together, for the root and for each leaf.
pub(super) fn check(certificate: &Certificate) -> Check {
    let root = as_stored(&certificate.root).canonical().0;
    let mut bounds: HashMap<&Board, Bounds> = HashMap::new();
    for claim in &certificate.claims {
        bounds.entry(&root).or_default().add(claim.direction, claim.score);
        for ((board, direction), &score) in &claim.leaves {
            bounds.entry(board).or_default().add(*direction, score);
        }
    }
    let mut faults = Faults::default();
    let mut contradictions: Vec<(String, (i32, i32))> = bounds
        .iter()
        .filter_map(|(board, bounds)| Some((board.to_string(), bounds.contradiction()?)))
        .collect();
    contradictions.sort_unstable();
    for (place, (board, (at_least, at_most))) in (0..).zip(contradictions) {
        faults.add(place, format!("{board} has at least {at_least} and at most {at_most}"));
    }
    let words =
        "no two bounds of the same position contradict each other, in the same claim or in different ones";
    Check::new("claims", words, bounds.len() as u64, "positions", faults.outcome())
}
