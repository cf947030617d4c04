//! Full-depth searches compared with the exact score.

use super::exact_scores::ExactScorer;
use super::prune::{Variant, random_position};
use crate::seed::seed_at;
use fastrand::Rng;
use rayon::prelude::*;
use reversi_engine::experiment::Experiment;
use reversi_engine::historical::Historical;
use reversi_engine::plain_search::InjectedBug;
use reversi_engine::{AnyEvaluation, Resources};
use reversi_rules::{Geometry, Goal, Passing, Position, Rules, Scoring};
use reversi_solver::eval::Eval;
use reversi_solver::oracle::OracleError;
use reversi_solver::search::Stop;
use std::ops::RangeInclusive;

/// A set of positions that are searched to the end.
struct FullDepthSet {
    geometry: Geometry,
    origin: Origin,
    /// How many for each goal.
    positions: u64,
    /// Whether every search is compared, or only the fast ones.
    every_search: bool,
}

/// Where positions come from.
enum Origin {
    /// Random games, stopped at one of these numbers of empty squares.
    Games(RangeInclusive<u32>),
    /// The deepest table positions, if they have at most this many empty squares.
    Table { most_empties: u32 },
}

/// The reference is the table on 4x4, and the deepest positions of the table on 6x6. Elsewhere it is mostly the exact
/// search, which uses the shared table and learned move ordering only from 11 empty squares on (learned ordering on 8x8
/// from 12); the pruned plain search, which has neither, checks it there.
const FULL_DEPTH_SETS: [FullDepthSet; 5] = [
    FullDepthSet {
        geometry: Geometry::FOUR,
        origin: Origin::Games(1..=9),
        positions: 150,
        every_search: true,
    },
    FullDepthSet {
        geometry: Geometry::SIX,
        origin: Origin::Games(1..=9),
        positions: 150,
        every_search: true,
    },
    FullDepthSet {
        geometry: Geometry::SIX,
        origin: Origin::Games(10..=12),
        positions: 40,
        every_search: false,
    },
    FullDepthSet {
        geometry: Geometry::SIX,
        origin: Origin::Table { most_empties: 14 },
        positions: 10,
        every_search: false,
    },
    FullDepthSet {
        geometry: Geometry::EIGHT,
        origin: Origin::Games(10..=12),
        positions: 40,
        every_search: false,
    },
];

/// Searches that reach the end from 12 empty squares in a moment, and from 14 in a few.
fn is_fast(variant: &Variant) -> bool {
    matches!(variant, Variant::Plain("everything", _) | Variant::Engine)
}

/// A full-depth search whose value is not the exact score.
#[derive(Clone)]
pub struct WrongValue {
    /// Where.
    pub trial: Experiment,
    /// Which search.
    pub variant: Variant,
    /// The true score in discs.
    pub score: i64,
    /// What it found, in discs.
    pub found: Option<i64>,
}

/// How many values were compared, and those that differ.
pub type Checked = (u64, Vec<WrongValue>);

/// Searches random positions to the end, by discs and by the engine's evaluation, and compares the values with the
/// oracle, under these goals. After a stop the comparisons that were done are returned.
///
/// # Errors
/// A table or weights that cannot be used, or memory that cannot be had.
pub fn check_all(
    resources: &Resources,
    goals: &[Goal],
    variants: &[Variant],
    bug: Option<InjectedBug>,
    seed: u64,
    stop: &Stop,
) -> Result<Checked, OracleError> {
    let (mut count, mut wrong_values) = (0, Vec::new());
    for FullDepthSet { geometry, origin, positions, every_search } in FULL_DEPTH_SETS {
        let searches: Vec<Variant> =
            variants.iter().copied().filter(|variant| every_search || is_fast(variant)).collect();
        for &goal in goals {
            let scorer = ExactScorer::new(geometry, Rules::new(goal, Scoring::Raw), resources)?;
            let evaluations = AnyEvaluation::all(geometry, goal, resources.data.as_deref())?;
            let evaluations: Vec<AnyEvaluation> =
                evaluations.into_iter().filter(counts_final_discs).collect();
            let checked = (0..positions).into_par_iter().map(|place| {
                let mut random = Rng::with_seed(seed_at(seed, place));
                let Some(position) = origin.position(&scorer, geometry, &mut random)? else {
                    return Ok(Vec::new());
                };
                let trial = |evaluation: &AnyEvaluation| Experiment {
                    geometry,
                    position,
                    goal,
                    passing: Passing::Allowed,
                    evaluation: evaluation.clone(),
                    depth: depth(geometry, position),
                };
                let trials: Vec<Experiment> = evaluations.iter().map(trial).collect();
                trials.iter().map(|trial| check(trial, &scorer, &searches, bug, stop)).collect()
            });
            for (more, others) in checked.collect::<Result<Vec<Vec<Checked>>, OracleError>>()?.concat() {
                count += more;
                wrong_values.extend(others);
            }
        }
    }
    Ok((count, wrong_values))
}

impl Origin {
    /// `None` if the table does not reach that deep, or if there is none.
    fn position(
        &self,
        scorer: &ExactScorer,
        geometry: Geometry,
        random: &mut Rng,
    ) -> Result<Option<Position>, OracleError> {
        match self {
            Origin::Games(empties) => Ok(Some(late_position(geometry, empties, random))),
            Origin::Table { most_empties } => {
                let last = scorer.last_in_table(random)?;
                Ok(last.filter(|position| position.empty_count(geometry) <= *most_empties))
            }
        }
    }
}

fn late_position(geometry: Geometry, empties: &RangeInclusive<u32>, random: &mut Rng) -> Position {
    loop {
        let position = random_position(geometry, random);
        if empties.contains(&position.empty_count(geometry)) {
            return position;
        }
    }
}

/// A depth that reaches the end of the game: twice the number of empty squares, because a pass takes a ply.
pub fn depth(geometry: Geometry, position: Position) -> u32 {
    2 * position.empty_count(geometry)
}

/// Whether an evaluation counts the discs of a finished game, the engine's in finer units.
pub fn counts_final_discs(evaluation: &AnyEvaluation) -> bool {
    matches!(evaluation, AnyEvaluation::Historical(Historical::Discs) | AnyEvaluation::Engine(_))
}

/// Compares searches to the end with the oracle, by an evaluation that [counts final discs](counts_final_discs). After
/// a stop the comparisons that were done are returned.
///
/// # Errors
/// A table that cannot be used, or memory that cannot be had.
pub fn check(
    trial: &Experiment,
    scorer: &ExactScorer,
    variants: &[Variant],
    bug: Option<InjectedBug>,
    stop: &Stop,
) -> Result<Checked, OracleError> {
    let score = match scorer.score(trial.position, stop) {
        Ok(score) => i64::from(score.discs()),
        Err(OracleError::Stopped) => return Ok((0, Vec::new())),
        Err(error) => return Err(error),
    };
    let unit = match trial.evaluation {
        AnyEvaluation::Historical(_) => 1,
        AnyEvaluation::Engine(_) => i64::from(Eval::UNITS_PER_DISC),
    };
    let (mut count, mut wrong_values) = (0, Vec::new());
    for &variant in variants {
        let Some(found) = variant.run(trial, bug, stop)? else { continue };
        count += 1;
        if found.points != Some(score * unit) {
            let found = found.points.map(|points| points / unit);
            wrong_values.push(WrongValue { trial: trial.clone(), variant, score, found });
        }
    }
    Ok((count, wrong_values))
}
