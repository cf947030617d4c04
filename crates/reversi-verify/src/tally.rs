//! What the searches of many values found, added up.

use crate::report::{Faults, Outcome};

/// What was found of some stored values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Searched to the end, right or wrong.
    pub checked: u64,
    /// Of these, wrong.
    pub wrong: u64,
    /// Given up.
    pub unfinished: u64,
    /// Positions looked at.
    pub nodes: u64,
    /// The wrong value with the least key: that key, and the fault in words.
    pub first: Option<(u64, String)>,
}

impl Tally {
    /// Both together.
    pub fn merge(mut self, other: Tally) -> Tally {
        let mut faults = self.take_faults();
        self.checked += other.checked;
        self.unfinished += other.unfinished;
        self.nodes += other.nodes;
        faults.merge(Faults { count: other.wrong, first: other.first });
        Tally { wrong: faults.count, first: faults.first, ..self }
    }

    pub(super) fn outcome(mut self) -> Outcome {
        self.take_faults().outcome()
    }

    fn take_faults(&mut self) -> Faults {
        Faults { count: self.wrong, first: self.first.take() }
    }
}
