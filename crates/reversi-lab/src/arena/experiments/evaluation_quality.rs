//! Quality of evaluations: correlation with the exact score, and how often the best move is ranked first.

use super::exact_scores::ScoredPosition;
use crate::arena::statistics::{Sum, correlation, rank_correlation};
use crate::columns::{Column, Kind, Row};
use rayon::prelude::*;
use reversi_engine::AnyEvaluation;
use reversi_rules::{Geometry, Goal};
use serde::Serialize;
use std::ops::RangeInclusive;

/// An evaluation compared with the exact scores of many positions.
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
    /// The share of best moves among the moves ranked first, which may be several; `None` with one legal move.
    best_first: Option<f64>,
    /// Discs lost on average by playing one of the moves ranked first.
    regret: f64,
}

/// The quality of an evaluation over some positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QualitySummary {
    /// Positions.
    pub positions: u64,
    /// Correlation with the exact score; `None` where the evaluation does not vary.
    pub correlation: Option<f64>,
    /// Spearman's rank correlation with it.
    pub rank_correlation: Option<f64>,
    /// The share of positions with a choice at which the move ranked first is best; of several ranked first, one at
    /// random.
    pub best_first: Option<f64>,
    /// Discs lost a move by playing the move ranked first.
    pub regret: Sum,
}

impl QualitySummary {
    /// The figures. `is_exact`: the positions are all there are, so the interval of the mean has no width.
    pub fn row(&self, is_exact: bool) -> QualityRow {
        QualityRow {
            positions: self.positions,
            correlation: self.correlation,
            rank_correlation: self.rank_correlation,
            best_first: self.best_first,
            mean: self.regret.mean(),
            half_width: if is_exact { Some(0.0) } else { self.regret.half_width() },
        }
    }
}

/// The figures of an evaluation.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct QualityRow {
    /// Positions.
    pub positions: u64,
    /// Correlation with the exact score, -1 to 1.
    pub correlation: Option<f64>,
    /// Spearman's rank correlation with the exact score, -1 to 1.
    pub rank_correlation: Option<f64>,
    /// The share of positions with a choice where the move ranked first is best.
    pub best_first: Option<f64>,
    /// Discs lost a move by playing the move ranked first.
    pub mean: Option<f64>,
    /// Half the width of the 95 % interval of the mean.
    pub half_width: Option<f64>,
}

impl Row for QualityRow {
    const COLUMNS: &'static [Column] = &[
        Column::hidden("positions"),
        Column::new("correlation", ["corr. of", "values"], Kind::Decimal),
        Column::new("rank_correlation", ["corr. of", "ranks"], Kind::Decimal),
        Column::new("best_first", ["best move", "first"], Kind::Share),
        Column::new("mean", ["discs lost", "a move"], Kind::Mean("half_width")),
        Column::hidden("half_width"),
    ];
}

impl EvaluationQuality {
    /// Evaluates each position and the position after each of its moves.
    pub fn of(
        known: &[ScoredPosition],
        evaluation: &AnyEvaluation,
        geometry: Geometry,
        goal: Goal,
    ) -> EvaluationQuality {
        EvaluationQuality {
            cases: known.par_iter().map(|known| case(known, evaluation, geometry, goal)).collect(),
        }
    }

    /// The evaluation of the position at `place`, in its own units, and the discs lost by playing the move ranked
    /// first.
    ///
    /// # Panics
    /// If `place` is not below the number of positions.
    pub fn at(&self, place: usize) -> (f64, f64) {
        let case = self.cases[place];
        (case.points, case.regret)
    }

    /// The sum of the positions with these numbers of empty squares.
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

fn case(known: &ScoredPosition, evaluation: &AnyEvaluation, geometry: Geometry, goal: Goal) -> Case {
    let first = known.first_by(geometry, |_, after| evaluation.points_after_move(geometry, after, goal));
    Case {
        empties: known.empties,
        points: evaluation.points(geometry, known.position, goal) as f64,
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
