//! Solves a part of a board that is too large to be solved as a whole: the first plies, and what can
//! arise when one side, either of them, plays its stored best moves. Which positions these are and what is stored for
//! each stands in [`super::plan`].
//!
//! The last ply of the prefix is searched; the plies before follow from it. Then the walk goes down, one
//! disc at a time: the value of a position that chooses tells that of its only next one, and of free
//! positions all next ones are searched that are not known yet. These choose, so their moves are
//! asked in their order, right away, whether they reach the value, until one does. Searches are independent, so
//! each thread does one at a time; a thread for which none is left shares the longest that go on. What they find is
//! exact, so the result does not depend on who did what.

use super::known_values::KnownValue;
use super::plan::BuildPlan;
use super::searching::SearchesHere;
use super::walk::Walk;
use reversi_table::RawEntry;

pub use super::searching::Tools;
pub use super::walk::{BuildError, BuildProgress, Phase};

/// The entries of a region in the order of a table: most empty squares first, then by key.
///
/// `known` is what is known already, from a smaller table or an earlier run. It only saves time; it
/// must be true.
///
/// At the end the workspace holds all that was searched, so that nothing hangs on what becomes of the entries.
///
/// # Errors
/// [`BuildError`]; stopped, what was found until then is in the workspace, if there is one.
///
/// # Panics
/// If the plan does not pass [`BuildPlan::check`], or the solver is for another board or other rules.
///
/// ```
/// use reversi_rules::{Board, Geometry, Rules, Start};
/// use reversi_solver::search::{Solver, SolverOptions, Stop};
/// use reversi_lab::build::plan::BuildPlan;
/// use reversi_lab::build::region::{Tools, solve};
///
/// let geometry = Geometry::FOUR;
/// let root = Board::start(geometry, Start::Diagonal).position();
/// let plan = BuildPlan { geometry, rules: Rules::default(), root, prefix: 2, down_to: 6 };
/// let options = SolverOptions { memory_bytes: 1 << 20, threads: 1, ..SolverOptions::default() };
/// let solver = Solver::new(geometry, plan.rules, options).unwrap();
/// let tools = Tools {
///     solver: &solver, threads: 2, stop: &Stop::never(), workspace: None, progress: &mut |_| (),
/// };
/// let entries = solve(plan, tools, []).unwrap();
/// assert_eq!(entries[0].score, -8);
/// ```
pub fn solve(
    plan: BuildPlan,
    tools: Tools,
    known: impl IntoIterator<Item = KnownValue>,
) -> Result<Vec<RawEntry>, BuildError> {
    plan.check().expect("a plan that can be carried out");
    assert!(
        tools.solver.geometry() == plan.geometry && tools.solver.rules() == plan.rules,
        "the solver is for something else"
    );
    let mut here = SearchesHere::new(tools);
    let stop = here.stop();
    let walk = Walk::new(plan, stop, known).through(&mut here)?;
    // What follows from what was known before is soon derived again.
    if here.has_searched() {
        here.keep(&walk.known_values)?;
    }
    Ok(walk.entries().expect("all searches that the walk needs were done"))
}
