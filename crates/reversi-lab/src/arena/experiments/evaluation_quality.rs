//! How well evaluations judge: how they go with the exact value, and whether they know the best move.

use super::exact_scores::ScoredPosition;
use crate::arena::statistics::{Sum, correlation, rank_correlation};
use rayon::prelude::*;
use reversi_engine::AnyEvaluation;
use reversi_rules::{Geometry, Goal};
use std::ops::RangeInclusive;

/// An evaluation at known positions.
#[derive(Clone, Debug)]
pub struct EvaluationQuality {
    /// One for each position, in their order.
    cases: Vec<Case>,
}

#[derive(Clone, Copy, Debug)]
struct Case {
    empties: u32,
    points: f64,
    exact: f64,
    /// Of the moves ranked first, which may be several, the share that are best; `None` with one move.
    best_first: Option<f64>,
    /// What is lost on average by playing one of those.
    regret: f64,
}

/// Judgements added up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QualitySummary {
    /// Positions.
    pub positions: u64,
    /// Correlation with the exact score; `None` where the evaluation does not vary.
    pub correlation: Option<f64>,
    /// Spearman's rank correlation with it.
    pub rank_correlation: Option<f64>,
    /// Of positions with a choice, the share where the move ranked first is best; of several ranked
    /// first, one is drawn.
    pub best_first: Option<f64>,
    /// Discs lost a move by playing the move ranked first.
    pub regret: Sum,
}

impl EvaluationQuality {
    /// Asks an evaluation about each position and about what each move leads to.
    pub fn of(
        known: &[ScoredPosition],
        opinion: &AnyEvaluation,
        geometry: Geometry,
        goal: Goal,
    ) -> EvaluationQuality {
        EvaluationQuality {
            cases: known.par_iter().map(|known| case(known, opinion, geometry, goal)).collect(),
        }
    }

    /// Of the position at `place` what the evaluation says, in its own units, and the discs lost by playing the
    /// move it ranks first.
    ///
    /// # Panics
    /// If there are not so many positions.
    pub fn at(&self, place: usize) -> (f64, f64) {
        let case = self.cases[place];
        (case.points, case.regret)
    }

    /// The positions with so many empty squares added up.
    pub fn quality(&self, empties: RangeInclusive<u32>) -> QualitySummary {
        let cases: Vec<&Case> = self.cases.iter().filter(|case| empties.contains(&case.empties)).collect();
        let pairs: Vec<(f64, f64)> = cases.iter().map(|case| (case.points, case.exact)).collect();
        let (mut first, mut regret) = (Sum::default(), Sum::default());
        for case in &cases {
            case.best_first.into_iter().for_each(|share| first.add(share));
            regret.add(case.regret);
        }
        QualitySummary {
            positions: cases.len() as u64,
            correlation: correlation(&pairs),
            rank_correlation: rank_correlation(&pairs),
            best_first: first.mean(),
            regret,
        }
    }
}

fn case(known: &ScoredPosition, opinion: &AnyEvaluation, geometry: Geometry, goal: Goal) -> Case {
    let first = known.first_by(geometry, |_, after| opinion.points_after_move(geometry, after, goal));
    Case {
        empties: known.empties,
        points: opinion.points(geometry, known.position, goal) as f64,
        exact: known.best.discs().into(),
        best_first: (known.moves.len() > 1).then(|| first.share_of_best()),
        regret: first.mean(),
    }
}

/// Four stages of the game, the last one first: ranges of empty squares.
pub fn stages(most_empties: u32) -> Vec<RangeInclusive<u32>> {
    let width = most_empties.div_ceil(4).max(1);
    (0..4)
        .map(|stage| stage * width + 1..=((stage + 1) * width).min(most_empties))
        .filter(|stage| !stage.is_empty())
        .collect()
}
