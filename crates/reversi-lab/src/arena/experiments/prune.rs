//! Whether pruning is sound: every search with every enhancement against plain minimax.

use crate::columns::{Column, Kind, Row};
use crate::seed::seed_at;
use fastrand::Rng;
use rayon::prelude::*;
use reversi_engine::experiment::{Experiment, PassCost};
use reversi_engine::historical::Historical;
use reversi_engine::plain_search::{Found, InjectedBug, Presort, SearchSettings, Shuffle};
use reversi_engine::{AnyEvaluation, GameMove, Resources};
use reversi_rules::playout::after_random_moves;
use reversi_rules::{Board, Color, Geometry, Goal, Passing, Position, Start};
use reversi_solver::eval::weights::WeightsError;
use reversi_solver::search::{MemoryError, Stop};
use serde::Serialize;
use std::fmt;

/// A search that must find what plain minimax finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// That of the five systems.
    Plain(&'static str, SearchSettings),
    /// The engine's, with everything except ProbCut: iterative deepening, null windows, hash table, move ordering, and
    /// the exact search of the last squares.
    Engine,
}

impl Variant {
    /// All of them: each enhancement alone on top of alpha-beta, then all together.
    pub fn all() -> Vec<Variant> {
        let pruned = SearchSettings { pruning: true, ..SearchSettings::MINIMAX };
        let everything =
            SearchSettings { presort: Presort::Nodes, null_windows: true, memory: true, ..pruned };
        vec![
            Variant::Plain("minimax", SearchSettings::MINIMAX),
            Variant::Plain("alpha-beta", pruned),
            Variant::Plain("null-windows", SearchSettings { null_windows: true, ..pruned }),
            Variant::Plain("memory", SearchSettings { memory: true, ..pruned }),
            Variant::Plain("presort", SearchSettings { presort: Presort::Root, ..pruned }),
            Variant::Plain("sorting", SearchSettings { presort: Presort::Nodes, ..pruned }),
            Variant::Plain("shuffling", SearchSettings { shuffle: Shuffle::Nodes, ..pruned }),
            Variant::Plain("everything", everything),
            Variant::Engine,
        ]
    }

    /// The word used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Plain(name, _) => name,
            Variant::Engine => "engine",
        }
    }

    /// Whether it searches the moves in the order of minimax, and so must choose the same move.
    fn keeps_the_order(self) -> bool {
        match self {
            Variant::Plain(_, settings) => {
                settings.shuffle == Shuffle::Off && settings.presort == Presort::Off
            }
            Variant::Engine => false,
        }
    }

    /// Runs the search; `None` if it has nothing to search, or once stopped.
    ///
    /// # Errors
    /// When the memory for it cannot be had.
    pub fn run(
        self,
        trial: &Experiment,
        bug: Option<InjectedBug>,
        stop: &Stop,
    ) -> Result<Option<Found>, MemoryError> {
        let found = match self {
            Variant::Plain(_, settings) => {
                let leaf_without_moves = self.passes(&trial.evaluation) == PassCost::Leaf;
                trial.search(SearchSettings { leaf_without_moves, ..settings }, bug, 1, stop)
            }
            Variant::Engine => trial.engine_search(false, stop)?,
        };
        Ok(found.filter(|_| !stop.is_set()))
    }

    /// How it treats a side without a move.
    fn passes(self, evaluation: &AnyEvaluation) -> PassCost {
        match (self, evaluation) {
            (Variant::Engine, _) => PassCost::Nothing,
            (_, AnyEvaluation::Historical(Historical::Phases)) => PassCost::Leaf,
            _ => PassCost::Ply,
        }
    }
}

/// A search that was compared, and its nodes.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    /// Which one.
    pub variant: Variant,
    /// Nodes it visited.
    pub nodes: u64,
}

/// A search with a wrong result.
#[derive(Clone)]
pub struct Difference {
    /// Where.
    pub trial: Experiment,
    /// Which search.
    pub variant: Variant,
    /// The right value and, where the order says which, the right move.
    pub expected: (i64, Option<GameMove>),
    /// The value by minimax of the move it chose.
    pub worth: i64,
    /// What it found.
    pub found: Found,
}

/// The position, both values, both moves.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Experiment { geometry, position, goal, depth, evaluation, .. } = &self.trial;
        let board = Board::from_position(*geometry, *position, Color::Black);
        writeln!(
            f,
            "{} of depth {depth} by {} on {geometry}, {goal} goal:",
            self.variant.name(),
            evaluation.name()
        )?;
        write!(f, "{}", board.drawing())?;
        let (value, mv) = self.expected;
        let mv = mv.map_or(String::new(), |mv| format!(" with {mv}"));
        let found = self.found.points.map_or("nothing".to_owned(), |points| points.to_string());
        write!(
            f,
            "minimax finds {value}{mv}, this search {found} with {}, which is worth {}",
            self.found.mv, self.worth
        )
    }
}

/// The searches of a position if all were right, else the first that was wrong.
pub type Checked = Result<Vec<Compared>, Box<Difference>>;

/// Compares searches of a position with minimax; once stopped, those that were done.
///
/// # Errors
/// When the memory for a search cannot be had.
pub fn check(
    trial: &Experiment,
    variants: &[Variant],
    bug: Option<InjectedBug>,
    stop: &Stop,
) -> Result<Checked, MemoryError> {
    let mut compared = Vec::new();
    let mut truths: Vec<(PassCost, Vec<(GameMove, i64)>)> = Vec::new();
    for &variant in variants {
        let Some(found) = variant.run(trial, bug, stop)? else { continue };
        let passes = variant.passes(&trial.evaluation);
        if truths.iter().all(|(known, _)| *known != passes) {
            let Some(truth) = trial.minimax(passes, stop) else { break };
            truths.push((passes, truth));
        }
        let truth = truths.iter().find(|(known, _)| *known == passes);
        let (_, moves) = truth.expect("it was found out above");
        if let Err(difference) = compare(trial, variant, found, moves) {
            return Ok(Err(difference));
        }
        compared.push(Compared { variant, nodes: found.nodes });
    }
    Ok(Ok(compared))
}

fn compare(
    trial: &Experiment,
    variant: Variant,
    found: Found,
    moves: &[(GameMove, i64)],
) -> Result<(), Box<Difference>> {
    let value = moves.iter().map(|&(_, value)| value).max().expect("a move was found");
    let first = moves.iter().find(|&&(_, worth)| worth == value).map(|&(mv, _)| mv);
    let worth = moves.iter().find(|(mv, _)| *mv == found.mv).map_or(i64::MIN, |&(_, worth)| worth);
    let mv = first.filter(|_| variant.keeps_the_order());
    if found.points == Some(value) && worth == value && mv.is_none_or(|mv| mv == found.mv) {
        return Ok(());
    }
    let expected = (value, mv);
    Err(Box::new(Difference { trial: trial.clone(), variant, expected, worth, found }))
}

/// Which trials are drawn.
#[derive(Clone, Debug)]
pub struct PrunePlan {
    /// How many positions.
    pub positions: u64,
    /// Largest depth in plies; two plies more on boards of at most [`SMALL_BOARD_SQUARES`] squares, where plain minimax
    /// is fast enough. Some rules of the engine apply only five plies below its root.
    pub depth: u32,
    /// Only on this board.
    pub geometry: Option<Geometry>,
    /// Only under this goal.
    pub goal: Option<Goal>,
    /// Only with this evaluation.
    pub evaluation: Option<String>,
    /// Determines the trials.
    pub seed: u64,
}

/// The largest number of squares of a board that is searched two plies deeper.
pub const SMALL_BOARD_SQUARES: u32 = 25;

impl PrunePlan {
    /// The deepest search on a board.
    pub fn deepest(&self, geometry: Geometry) -> u32 {
        if geometry.square_count() <= SMALL_BOARD_SQUARES {
            self.deepest_on_small_boards()
        } else {
            self.depth
        }
    }

    /// The deepest search on a board of at most [`SMALL_BOARD_SQUARES`] squares.
    pub fn deepest_on_small_boards(&self) -> u32 {
        self.depth + 2
    }
}

/// All boards from 3x3 to 8x8.
pub fn boards() -> Vec<Geometry> {
    let sides = (3..=8).flat_map(|width| (3..=8).map(move |height| (width, height)));
    sides.filter_map(|(width, height)| Geometry::new(width, height).ok()).collect()
}

/// The evaluations of each board under each goal, found once.
pub struct Evaluations(Vec<(Geometry, Goal, Vec<AnyEvaluation>)>);

impl Evaluations {
    /// Those of the boards and goals of a plan. An evaluation that is named is the only one, and boards
    /// on which it is not defined are left out.
    ///
    /// # Errors
    /// A file of weights that cannot be used.
    pub fn of(plan: &PrunePlan, resources: &Resources) -> Result<Evaluations, WeightsError> {
        let mut all = Vec::new();
        for geometry in boards().into_iter().filter(|board| plan.geometry.is_none_or(|only| only == *board)) {
            for goal in Goal::ALL.into_iter().filter(|goal| plan.goal.is_none_or(|only| only == *goal)) {
                let mut evaluations = AnyEvaluation::all(geometry, goal, resources.data.as_deref())?;
                evaluations.retain(|known| plan.evaluation.as_ref().is_none_or(|only| only == known.name()));
                if !evaluations.is_empty() {
                    all.push((geometry, goal, evaluations));
                }
            }
        }
        Ok(Evaluations(all))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A trial of each evaluation, board and goal, at the first position, of depth 1.
    pub fn each(&self) -> impl Iterator<Item = Experiment> + '_ {
        self.0.iter().flat_map(|(geometry, goal, evaluations)| {
            evaluations.iter().map(|evaluation| Experiment {
                geometry: *geometry,
                position: Board::start(*geometry, Start::Diagonal).position(),
                goal: *goal,
                passing: Passing::Allowed,
                evaluation: evaluation.clone(),
                depth: 1,
            })
        })
    }

    /// The trial at one place of a plan. Boards and goals are taken in turn, and evaluations in turn from board to
    /// board and from round to round, so that a few hundred places contain all of them; the rest is random.
    ///
    /// # Panics
    /// If there are no evaluations.
    pub fn trial(&self, plan: &PrunePlan, place: u64) -> Experiment {
        let mut random = Rng::with_seed(seed_at(plan.seed, place));
        let boards = self.0.len() as u64;
        let (geometry, goal, evaluations) = &self.0[(place % boards) as usize];
        // The two goals of a board are half a round apart, since some evaluations exist on one board only.
        let step = evaluations.len() as u64 / 2 + 1;
        let evaluation = &evaluations[(place / boards + place % boards * step) as usize % evaluations.len()];
        Experiment {
            geometry: *geometry,
            position: random_position(*geometry, &mut random),
            goal: *goal,
            passing: if random.u32(0..4) == 0 { Passing::EndsGame } else { Passing::Allowed },
            evaluation: evaluation.clone(),
            depth: random.u32(1..=plan.deepest(*geometry)),
        }
    }
}

/// A position with a move from a game of random moves, from either start, at any time of the game.
pub(super) fn random_position(geometry: Geometry, random: &mut Rng) -> Position {
    loop {
        let start = if random.bool() { Start::Diagonal } else { Start::Parallel };
        let moves = random.u32(0..geometry.square_count() - 4) as usize;
        let position = after_random_moves(geometry, Board::start(geometry, start).position(), moves, random);
        if position.legal_moves(geometry) != 0 {
            return position;
        }
    }
}

/// Trials that are compared between two checks whether one differs.
const CHUNK: u64 = 256;

/// What was compared, in order, and what differs.
pub type AllChecked = (Vec<(Experiment, Vec<Compared>)>, Vec<Difference>);

/// Compares at every place of a plan until something differs or a stop; `on_chunk` gets the number of places done. The
/// differences are all those of the last chunk.
///
/// # Errors
/// When the memory for a search cannot be had.
pub fn check_all(
    plan: &PrunePlan,
    evaluations: &Evaluations,
    variants: &[Variant],
    bug: Option<InjectedBug>,
    stop: &Stop,
    mut on_chunk: impl FnMut(u64),
) -> Result<AllChecked, MemoryError> {
    let (mut compared, mut differences) = (Vec::new(), Vec::new());
    let mut next = 0;
    while next < plan.positions && differences.is_empty() && !stop.is_set() {
        let places = next..plan.positions.min(next + CHUNK);
        next = places.end;
        let checked = places.into_par_iter().map(|place| {
            let trial = evaluations.trial(plan, place);
            let checked = check(&trial, variants, bug, stop)?;
            Ok((checked.is_err() || !stop.is_set()).then_some((trial, checked)))
        });
        for (trial, checked) in checked.collect::<Result<Vec<_>, MemoryError>>()?.into_iter().flatten() {
            match checked {
                Ok(searches) => compared.push((trial, searches)),
                Err(difference) => differences.push(*difference),
            }
        }
        on_chunk(next);
    }
    Ok((compared, differences))
}

/// The searches of one variant that were compared, added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SearchRow {
    /// The name of the search.
    pub search: &'static str,
    /// Searches.
    pub searches: u64,
    /// Their nodes.
    pub nodes: u64,
}

impl SearchRow {
    /// The sum for a variant.
    pub fn of<'a>(variant: Variant, compared: impl IntoIterator<Item = &'a Compared>) -> SearchRow {
        let of_it = compared.into_iter().filter(|compared| compared.variant == variant);
        let none = SearchRow { search: variant.name(), searches: 0, nodes: 0 };
        of_it.fold(none, |sum, one| SearchRow {
            searches: sum.searches + 1,
            nodes: sum.nodes + one.nodes,
            ..sum
        })
    }
}

impl Row for SearchRow {
    const COLUMNS: &'static [Column] = &[
        // The name of the row for people.
        Column::hidden("search"),
        Column::new("searches", ["", "searches"], Kind::Count),
        Column::new("nodes", ["", "nodes"], Kind::Count),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engine's look ahead needs four plies and more below the root.
    #[test]
    fn a_few_hundred_places_have_every_evaluation_and_deep_searches_by_the_engine() {
        let plan =
            PrunePlan { positions: 600, depth: 4, geometry: None, goal: None, evaluation: None, seed: 1 };
        let evaluations = Evaluations::of(&plan, &Resources::default()).unwrap();
        let trials: Vec<Experiment> =
            (0..plan.positions).map(|place| evaluations.trial(&plan, place)).collect();
        for known in evaluations.each() {
            let name = known.evaluation.name();
            assert!(trials.iter().any(|trial| trial.evaluation.name() == name), "{name}");
        }
        let deep =
            |trial: &&Experiment| trial.depth >= 5 && matches!(trial.evaluation, AnyEvaluation::Engine(_));
        assert!(trials.iter().filter(deep).count() > 3);
        assert!(
            trials
                .iter()
                .all(|trial| trial.depth <= 4 || trial.geometry.square_count() <= SMALL_BOARD_SQUARES)
        );
    }
}
