//! Solves a part of a board that is too large to be solved as a whole: the first plies, and the positions that can
//! arise when one side, either of them, plays its stored best moves. [`super::plan`] defines these positions and what
//! is stored for each.
//!
//! The last ply of the prefix is searched; the scores of the plies before follow from it. Then the walk goes down, one
//! disc at a time. The score of a position that chooses gives the score of its only next position. The next positions
//! of free positions are searched unless they are known. These choose, so right after the score their moves are tested
//! in order until one reaches it.
//!
//! Searches are independent, so each thread does one at a time; a thread without a search helps with the longest that
//! are running. Their results are exact, so the table does not depend on which thread did which search.

use super::known_values::KnownValue;
use super::plan::BuildPlan;
use super::searching::SearchesHere;
use super::walk::Walk;
use reversi_table::RawEntry;

pub use super::searching::Tools;
pub use super::walk::{BuildError, BuildProgress, Phase};

/// The entries of a region in the order of a table: most empty squares first, then by key.
///
/// `known` are known values from a smaller table or an earlier run. They only save time; they must be true.
///
/// At the end the workspace holds all results, so nothing is lost if the entries are.
///
/// # Errors
/// [`BuildError`]; after a stop the results so far are in the workspace, if there is one.
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
/// let plan =
///     BuildPlan { geometry, rules: Rules::default(), root, prefix: 2, down_to: 6, last_moves: false };
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
    // Without new searches the values can soon be derived again.
    if here.has_searched() {
        here.keep(&walk.known_values)?;
    }
    Ok(walk.entries().expect("all searches that the walk needs were done"))
}
