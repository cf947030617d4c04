//! The fixed sets of `reversi bench solver`.

use clap::ValueEnum;
use reversi_formats::obf;
use reversi_rules::playout::with_empties;
use reversi_rules::{Board, Geometry, Goal, Position, Rules, Score, Scoring, Start};
use std::ops::Range;

/// A part of the fixed set.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Set {
    /// 100 random reachable 6x6 positions each at 10, 14, 18 and 22 empties, both goals
    Random,
    /// FFO 40 to 49, 8x8
    Ffo,
    /// FFO 50 to 59, 8x8; takes some minutes
    FfoHard,
    /// 6x6 from the diagonal start, both goals
    Start,
}

/// Positions solved one after the other by one solver.
pub struct Work {
    pub name: String,
    pub rules: Rules,
    pub geometry: Geometry,
    pub positions: Vec<(Position, Option<Score>)>,
    pub is_random: bool,
}

impl Set {
    /// The positions of this part.
    pub fn work(self) -> Vec<Work> {
        match self {
            Set::Random => {
                let kinds =
                    Goal::ALL.into_iter().flat_map(|goal| [10, 14, 18, 22].map(|empties| (goal, empties)));
                kinds.map(|(goal, empties)| random_positions(goal, empties, 100)).collect()
            }
            Set::Ffo => vec![ffo("40-49", 0..10)],
            Set::FfoHard => vec![ffo("50-59", 10..20)],
            Set::Start => Goal::ALL.map(start).into(),
        }
    }
}

/// Positions in which the side to move has a move, from random playouts; seeded by the number of empties.
fn random_positions(goal: Goal, empties: u32, count: usize) -> Work {
    let mut random = fastrand::Rng::with_seed(empties.into());
    let start = Board::start(Geometry::SIX, Start::Diagonal).position();
    let with_a_move = with_empties(Geometry::SIX, start, empties, &mut random)
        .filter(|position| position.legal_moves(Geometry::SIX) != 0);
    let positions = with_a_move.take(count).map(|position| (position, None)).collect();
    let name = format!("6x6 {goal}, random, {empties} empties");
    Work { name, rules: Rules::new(goal, Scoring::Raw), geometry: Geometry::SIX, positions, is_random: true }
}

fn ffo(numbers: &str, range: Range<usize>) -> Work {
    let file = obf::parse(include_str!("../../../../tests/data/ffo-40-59.obf"), None)
        .expect("the file that is compiled in is tested");
    let positions =
        file.records[range].iter().map(|record| (record.board.position(), record.best_score())).collect();
    let rules = Rules::new(Goal::Normal, Scoring::Winner);
    Work {
        name: format!("8x8 normal, FFO {numbers}"),
        rules,
        geometry: Geometry::EIGHT,
        positions,
        is_random: false,
    }
}

fn start(goal: Goal) -> Work {
    let known = match goal {
        Goal::Normal => -4,
        Goal::Reversed => 2,
    };
    let start = Board::start(Geometry::SIX, Start::Diagonal).position();
    Work {
        name: format!("6x6 {goal}, from the start"),
        rules: Rules::new(goal, Scoring::Raw),
        geometry: Geometry::SIX,
        positions: vec![(start, Some(Score::new(known)))],
        is_random: false,
    }
}
