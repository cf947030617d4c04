//! Proves the score of one position, or a bound of it, by many machines: a tree over its first plies, whose leaves are
//! searched as in [`crate::spread`].
//!
//! A round is every leaf that the tree needs if only the most promising move is followed where one move is enough; see
//! `tree`. If leaves refute such a move, the next round follows the move after it. So the number of rounds is not known
//! in advance. For a value both bounds are asked for at the same time. The result is a [`Certificate`].

mod bounds;
mod certificate;
mod order;
mod plan;
mod round;
mod tree;

pub use certificate::Certificate;
pub use order::MoveOrder;
pub use plan::{Claim, ProofGoal, ProofPlan, ProofPlanError};

use crate::spread::costs::Costs;
use crate::spread::parts::Part;
use crate::spread::results::Stamp;
use crate::spread::share::{Share, assert_fits};
use crate::spread::{PartReport, PartTools, Recheck, RecheckReport, SpreadError, rounds};
use bounds::{Bounds, Form, KnownBounds, Question, tag};
use reversi_rules::{Score, symmetry};
use reversi_solver::search::{Solver, Stop};
use round::Round;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tree::{Status, Tree, few_leaves};

/// Why a proof cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// A fault of the files, or a stop.
    #[error(transparent)]
    Spread(#[from] SpreadError),
    /// The stop was set.
    #[error("stopped before it was done")]
    Stopped,
    /// Bounds that were found cannot all be true.
    #[error("bounds that were found contradict each other: one of the searches was wrong")]
    Contradiction,
}

/// A round of a proof.
pub struct SharedProof {
    directory: PathBuf,
    plan: ProofPlan,
    guess: i8,
    costs: Costs,
    known: Vec<(Form, Bounds)>,
    share: Share<Question>,
    rate: Option<f64>,
}

/// The outcome of a merge.
pub enum ProofStep {
    /// More leaves are needed: the next round, which has been laid out.
    NextRound(Box<SharedProof>),
    /// The question is answered.
    Settled(Certificate),
}

/// The figures of a merge.
#[derive(Clone, PartialEq, Debug)]
pub struct ProofReport {
    /// The round.
    pub round: u32,
    /// Its searches.
    pub searches: usize,
    /// Nodes that were searched.
    pub nodes: u64,
    /// Time that the searches took, summed over all threads and machines.
    pub busy: Duration,
    /// How many searches of the round were repeated, all in agreement.
    pub rechecked: usize,
    /// The bounds of the root that are proved.
    pub bounds: (i32, i32),
}

impl SharedProof {
    /// Lays out the first round in a directory, which is created if needed. `expected` is the score that is tried first
    /// if a value is to be proved; without it a short search guesses. A wrong guess costs rounds.
    ///
    /// # Errors
    /// A directory that holds a plan or cannot be written; a stop.
    ///
    /// # Panics
    /// If the plan does not pass [`ProofPlan::check`], or the solver is for another board or other rules.
    pub fn plan(
        directory: &Path,
        plan: &ProofPlan,
        expected: Option<i8>,
        order: &mut MoveOrder,
        solver: &Solver,
        stop: &Stop,
    ) -> Result<SharedProof, ProofError> {
        plan.check().expect("a plan that can be carried out");
        assert_fits(solver, plan.geometry, plan.rules);
        let _beginning = rounds::begin(directory)?;
        let (costs, rate) = Costs::guessed(plan.root, solver, stop).ok_or(ProofError::Stopped)?;
        let guess = expected.unwrap_or_else(|| order.guess(plan.root, stop) as i8);
        let mut known = KnownBounds::new(plan.geometry, []);
        let families = advance(plan, guess, &mut known, order, &costs, stop)?.unwrap_or_default();
        let round = Round { plan: *plan, number: 1, guess, costs, known: known.all(), families };
        let stamp = round.write(directory)?;
        Ok(SharedProof { rate, ..SharedProof::of(directory, round, stamp) })
    }

    /// The score that is tried first if a value is to be proved.
    pub fn expected(&self) -> i8 {
        self.guess
    }

    /// Opens the latest round in a directory.
    ///
    /// # Errors
    /// No plan, or one that is damaged or was written by another version.
    pub fn open(directory: &Path) -> Result<SharedProof, SpreadError> {
        let number = rounds::latest(directory)?.ok_or_else(|| SpreadError::NoPlan(directory.to_owned()))?;
        SharedProof::open_round(directory, number)
    }

    fn open_round(directory: &Path, number: u32) -> Result<SharedProof, SpreadError> {
        let (round, stamp) = Round::read(directory, number)?;
        Ok(SharedProof::of(directory, round, stamp))
    }

    fn of(directory: &Path, round: Round, stamp: Stamp) -> SharedProof {
        let Round { plan, number, guess, costs, known, families } = round;
        let geometry = plan.geometry;
        let questions = || families.iter().flatten();
        let expected = |question: &Question| expected_nodes(&costs, question.position.empty_count(geometry));
        let share = Share {
            directory: rounds::directory_of(directory, number),
            stamp,
            geometry,
            keys: questions().map(|question| tag(geometry, question.position)).collect(),
            costs: questions().map(|question| expected(question).max(1)).collect(),
            families,
        };
        SharedProof { directory: directory.to_owned(), plan, guess, costs, known, share, rate: None }
    }

    /// The plan of the proof.
    pub fn proof_plan(&self) -> ProofPlan {
        self.plan
    }

    /// The number of the round, from 1.
    pub fn round(&self) -> u32 {
        self.share.stamp.round
    }

    /// Leaves of the round.
    pub fn searches(&self) -> usize {
        self.share.keys.len()
    }

    /// Expected nodes of the round.
    pub fn expected_nodes(&self) -> u64 {
        self.share.expected_nodes()
    }

    /// Expected time of the round with one thread; `None` if the proof was only opened.
    pub fn expected_time(&self) -> Option<Duration> {
        Some(self.share.expected_time(self.rate?))
    }

    /// Does a part of the round, without searches whose results are in any file already.
    ///
    /// # Errors
    /// [`SpreadError::Stopped`], with the results so far saved; files that cannot be written.
    ///
    /// # Panics
    /// If the solver is for another board or other rules.
    pub fn run(&self, part: Part, mut tools: PartTools) -> Result<PartReport, SpreadError> {
        assert_fits(tools.solver, self.plan.geometry, self.plan.rules);
        let (solver, stop) = (tools.solver, tools.stop);
        self.share.run(part, &mut tools, || (), |question| search(solver, question, stop))
    }

    /// Joins the files of the round; returns the next round, or the certificate.
    ///
    /// # Errors
    /// Searches that are missing, files that cannot be read, are of another plan or program or contradict each other, a
    /// directory that cannot be written, a stop.
    pub fn merge(&self, order: &mut MoveOrder, stop: &Stop) -> Result<(ProofStep, ProofReport), ProofError> {
        let _lock = rounds::lock_latest(&self.directory, self.round())?;
        let gathered = self.share.gather::<Bounds>()?;
        self.check_earlier()?;
        self.share.check_complete(&gathered)?;
        let questions: Vec<Question> = self.share.jobs().collect();
        let mut known = KnownBounds::new(self.plan.geometry, self.known.iter().copied());
        for (answer, _) in gathered.answers() {
            if !known.add(questions[answer.number as usize].position, answer.value) {
                return Err(ProofError::Contradiction);
            }
        }
        let geometry = self.plan.geometry;
        let done = gathered.answers().map(|(answer, _)| {
            let empties = questions[answer.number as usize].position.empty_count(geometry);
            (empties, answer.nodes as f64 * 10.0 / NULL_WINDOW as f64)
        });
        let costs = self.costs.measured(geometry, done);
        let needed = advance(&self.plan, self.guess, &mut known, order, &costs, stop)?;
        let root = known.of(self.plan.root);
        let report = ProofReport {
            round: self.round(),
            searches: self.searches(),
            nodes: gathered.nodes,
            busy: gathered.busy(),
            rechecked: gathered.rechecks(),
            bounds: (root.lower.into(), root.upper.into()),
        };
        let Some(families) = needed else {
            let certificate = Certificate::of(&self.plan, &known, &self.claims(root))?;
            return Ok((ProofStep::Settled(certificate), report));
        };
        let number = self.round() + 1;
        let round = Round { plan: self.plan, number, guess: self.guess, costs, known: known.all(), families };
        let stamp = round.write(&self.directory)?;
        let rate = (gathered.nodes > 0).then(|| gathered.nodes as f64 / gathered.busy().as_secs_f64());
        let next = SharedProof { rate, ..SharedProof::of(&self.directory, round, stamp) };
        Ok((ProofStep::NextRound(Box::new(next)), report))
    }

    /// Checks that the files of earlier rounds, with later rechecks, still agree with the bounds taken from them.
    fn check_earlier(&self) -> Result<(), ProofError> {
        use crate::spread::answer::Value;
        let known = KnownBounds::new(self.plan.geometry, self.known.iter().copied());
        for number in 1..self.round() {
            let earlier = SharedProof::open_round(&self.directory, number)?;
            let gathered = earlier.share.gather::<Bounds>()?;
            let questions: Vec<Question> = earlier.share.jobs().collect();
            for (answer, file) in gathered.answers() {
                let taken_over = known.of(questions[answer.number as usize].position);
                if !taken_over.agrees(answer.value) {
                    let files = (rounds::path_of(&self.directory, self.round()), file.clone());
                    let values = (taken_over, answer.value);
                    return Err(earlier.share.contradiction(answer.number, values, files).into());
                }
            }
        }
        Ok(())
    }

    /// The claims that the bounds of the root prove.
    fn claims(&self, root: Bounds) -> Vec<Claim> {
        let (lower, upper) = (i32::from(root.lower), i32::from(root.upper));
        match self.plan.goal {
            ProofGoal::Value => vec![Claim::AtLeast(lower), Claim::AtMost(upper)],
            ProofGoal::Claim(Claim::AtLeast(score)) if lower < score => vec![Claim::AtMost(score - 1)],
            ProofGoal::Claim(Claim::AtMost(score)) if upper > score => vec![Claim::AtLeast(score + 1)],
            ProofGoal::Claim(claim) => vec![claim],
        }
    }
}

/// Repeats searches of all rounds in a directory and saves the results beside those of the parts: see
/// [`crate::build::shared::recheck`].
///
/// # Errors
/// As [`SharedProof::run`].
///
/// # Panics
/// If the solver is for another board or other rules.
pub fn recheck(
    directory: &Path,
    sample: Recheck,
    mut tools: PartTools,
) -> Result<RecheckReport, SpreadError> {
    let latest = SharedProof::open(directory)?;
    assert_fits(tools.solver, latest.plan.geometry, latest.plan.rules);
    let (solver, stop, geometry) = (tools.solver, tools.stop, latest.plan.geometry);
    let mut report = RecheckReport::default();
    for number in 1..=latest.round() {
        let proof = SharedProof::open_round(directory, number)?;
        let repeated = |question: Question, answer: Bounds| Question {
            position: symmetry::canonical(geometry, question.position).0,
            ..question.sharpened(answer, geometry)
        };
        let again = |question: &Question| search(solver, question, stop);
        proof.share.recheck(sample, &mut tools, repeated, again, &mut report)?;
    }
    Ok(report)
}

/// Expected nodes of a search of one bound, in tenths of the nodes of a search of the score.
const NULL_WINDOW: u64 = 4;

/// Expected nodes of the search of one bound.
fn expected_nodes(costs: &Costs, empties: u32) -> u64 {
    costs.of(empties).saturating_mul(NULL_WINDOW) / 10
}

/// Draws all conclusions, and lists the leaves that are needed, and more where they are few and cheap; `None` once the
/// plan's question is answered.
fn advance(
    plan: &ProofPlan,
    guess: i8,
    known: &mut KnownBounds,
    order: &mut MoveOrder,
    costs: &Costs,
    stop: &Stop,
) -> Result<Option<Vec<Vec<Question>>>, ProofError> {
    let empties = plan.root.empty_count(plan.geometry).saturating_sub(plan.depth.into());
    let few = few_leaves(expected_nodes(costs, empties));
    loop {
        let asked = asked(plan, guess, known.of(plan.root));
        let mut tree = Tree::new(plan, known, order, stop);
        let mut is_decided = false;
        for &(least, expected) in &asked {
            is_decided |= tree.ask(plan.root, least, expected)? != Status::Open;
        }
        if asked.is_empty() {
            return Ok(None);
        }
        if !is_decided && let Some(families) = tree.leaves(&asked, few)? {
            return Ok(Some(families));
        }
    }
}

/// The questions of the root that are open: the least score, and whether it is expected to be reached.
fn asked(plan: &ProofPlan, guess: i8, root: Bounds) -> Vec<(i32, bool)> {
    let (lower, upper, guess) = (i32::from(root.lower), i32::from(root.upper), i32::from(guess));
    let is_open = |least: i32| lower < least && least <= upper;
    match plan.goal {
        ProofGoal::Claim(Claim::AtLeast(score)) => {
            vec![(score, true)].into_iter().filter(|q| is_open(q.0)).collect()
        }
        ProofGoal::Claim(Claim::AtMost(score)) => {
            vec![(score + 1, false)].into_iter().filter(|q| is_open(q.0)).collect()
        }
        ProofGoal::Value => {
            let near = nearest(guess, lower, upper, plan.geometry.square_count() as i32);
            [(near, true), (near + 1, false)].into_iter().filter(|q| is_open(q.0)).collect()
        }
    }
}

/// The score to ask about: the guess until it is refuted; then twice as far from it as the bound that refuted it, until
/// there is a bound on the other side; then halfway between the bounds.
fn nearest(guess: i32, lower: i32, upper: i32, most: i32) -> i32 {
    if lower <= guess && guess <= upper {
        guess
    } else if lower > guess && upper == most {
        (lower + (lower - guess) - 1).min(upper)
    } else if upper < guess && lower == -most {
        (upper - (guess - upper) + 1).max(lower)
    } else {
        lower + (upper - lower) / 2
    }
}

/// Searches one null window. Of the bounds found only the one that answers the question is kept, so that one other
/// question can test it: see [`Question::sharpened`].
fn search(solver: &Solver, question: &Question, stop: &Stop) -> Option<(Bounds, u64)> {
    // A short search ends before it polls the stop.
    if stop.is_set() {
        return None;
    }
    let below = Score::new(i32::from(question.least) - 1);
    let proved = solver.bound(question.position, below, stop).ok()?;
    let bounds = if proved.lower > below {
        Bounds::at_least(proved.lower.discs() as i8, solver.geometry())
    } else {
        Bounds::at_most(proved.upper.discs() as i8, solver.geometry())
    };
    Some((bounds, proved.nodes))
}
