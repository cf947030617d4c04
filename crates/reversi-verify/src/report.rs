//! What a verification found: one line a check, with its count.

use std::fmt;

/// How a check ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Everything looked at is right.
    Passed,
    /// Some of it is wrong.
    Failed {
        /// How many of those looked at.
        faults: u64,
        /// The first of them, in words.
        first: String,
    },
    /// It was not checked; the reason.
    NotChecked(String),
}

impl Outcome {
    /// The outcome of a sample: it passes only if something was searched. If nothing was drawn, or if nothing that was
    /// drawn could be searched (the reason is `remark`), it was not checked.
    pub(super) fn of_sample(self, searched: u64, drawn: u64, remark: &str) -> Outcome {
        match self {
            Outcome::Passed if drawn == 0 => Outcome::NotChecked("none was asked for".to_owned()),
            Outcome::Passed if searched == 0 => Outcome::NotChecked(remark.to_owned()),
            outcome => outcome,
        }
    }
}

/// One check of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// Its name, stable for scripts: `values`, `closure`, ...
    pub name: &'static str,
    /// What it claims, in words.
    pub claim: &'static str,
    /// How many things were looked at.
    pub count: u64,
    /// What these things are: `entries`, `blocks`, ...
    pub unit: &'static str,
    /// How it ended.
    pub outcome: Outcome,
    /// More about a check that passed, such as what was left out; empty if there is nothing to say.
    pub remark: String,
}

impl Check {
    pub(super) fn new(
        name: &'static str,
        claim: &'static str,
        count: u64,
        unit: &'static str,
        outcome: Outcome,
    ) -> Check {
        Check { name, claim, count, unit, outcome, remark: String::new() }
    }

    pub(super) fn with_remark(self, remark: String) -> Check {
        Check { remark, ..self }
    }
}

/// All checks of one table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// In the order they were made.
    pub checks: Vec<Check>,
}

/// What a report says about its table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// All that was looked at is right.
    Sound,
    /// A checksum is wrong: the file was damaged after it was written.
    Damaged,
    /// The checksums are right, but what was written is wrong.
    Wrong,
}

/// The names of checks that only look at the bytes.
pub(super) const HEADER: &str = "header";
/// See [`HEADER`].
pub(super) const CHECKSUMS: &str = "checksums";

impl Report {
    /// The verdict of all checks together.
    pub fn verdict(&self) -> Verdict {
        let failed = |check: &&Check| matches!(check.outcome, Outcome::Failed { .. });
        let mut failures = self.checks.iter().filter(failed).peekable();
        if failures.peek().is_none() {
            Verdict::Sound
        } else if failures.any(|check| [HEADER, CHECKSUMS].contains(&check.name)) {
            Verdict::Damaged
        } else {
            Verdict::Wrong
        }
    }
}

/// As in `ok    values          12351 entries   the value is the best over the positions after it, or the final score`.
impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.outcome {
            Outcome::Passed => "ok",
            Outcome::Failed { .. } => "WRONG",
            Outcome::NotChecked(_) => "-",
        };
        write!(f, "{word:<6}{:<12}{:>9} {:<9} {}", self.name, self.count, self.unit, self.claim)?;
        match &self.outcome {
            Outcome::Passed if self.remark.is_empty() => Ok(()),
            Outcome::Passed => write!(f, "; {}", self.remark),
            Outcome::Failed { faults: 1, first } => write!(f, ": 1 is not: {first}"),
            Outcome::Failed { faults, first } => write!(f, ": {faults} are not, the first: {first}"),
            Outcome::NotChecked(why) => write!(f, ": not checked, {why}"),
        }
    }
}

/// Gathers the faults of one check, whatever the order in which they are found.
#[derive(Default, Clone)]
pub(super) struct Faults {
    pub count: u64,
    /// The fault with the least key, so that the report does not depend on threads.
    pub first: Option<(u64, String)>,
}

impl Faults {
    /// Notes a fault at a key.
    pub(super) fn add(&mut self, key: u64, text: String) {
        self.merge(Faults { count: 1, first: Some((key, text)) });
    }

    pub(super) fn merge(&mut self, other: Faults) {
        self.count += other.count;
        self.first = match (self.first.take(), other.first) {
            (Some(mine), Some(theirs)) => Some(if theirs.0 < mine.0 { theirs } else { mine }),
            (mine, theirs) => mine.or(theirs),
        };
    }

    pub(super) fn outcome(self) -> Outcome {
        match self.first {
            Some((_, first)) => Outcome::Failed { faults: self.count, first },
            None => Outcome::Passed,
        }
    }
}
