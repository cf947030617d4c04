//! Bounds of positions, and the questions about them.

use crate::spread::answer::Value;
use crate::spread::by_masks;
use crate::spread::share::Job;
use hashbrown::HashMap;
use reversi_rules::{Geometry, Position, symmetry};
use serde::{Deserialize, Serialize};

/// The masks of a position's canonical form.
pub(super) type Form = (u64, u64);

/// The canonical form of a position; boards of more than 40 squares have no packed keys.
pub(super) fn form_of(geometry: Geometry, position: Position) -> Form {
    let form = symmetry::canonical(geometry, position).0;
    (form.player, form.opponent)
}

/// A hash by which a file of results recognises a position.
pub(super) fn tag(geometry: Geometry, position: Position) -> u64 {
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let (player, opponent) = form_of(geometry, position);
    player.wrapping_mul(MULTIPLIER).rotate_left(29) ^ opponent.wrapping_mul(MULTIPLIER)
}

/// The question whether the score of a position is at least `least`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Question {
    #[serde(with = "by_masks")]
    pub position: Position,
    pub least: i8,
}

impl Question {
    /// Whether the board can have such a position, and a score below `least`.
    pub fn is_possible(&self, geometry: Geometry) -> bool {
        let most = geometry.square_count() as i8;
        self.position.is_on(geometry) && (1 - most..=most).contains(&self.least)
    }

    /// The question that tests all that an answer says, which can be more than was asked about: *at least 5* where the
    /// question was *at least 3*.
    ///
    /// A damaged file can hold any bounds; the question is one that the board can have all the same.
    pub fn sharpened(self, answer: Bounds, geometry: Geometry) -> Question {
        let least = if answer.lower >= self.least { answer.lower } else { answer.upper.saturating_add(1) };
        let most = geometry.square_count() as i8;
        Question { least: least.clamp(1 - most, most), ..self }
    }
}

impl Job for Question {
    fn position(&self) -> Position {
        self.position
    }
}

/// Proved bounds of a score for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Bounds {
    pub lower: i8,
    pub upper: i8,
}

impl Bounds {
    /// The range of all scores of a board.
    fn of_every_score(geometry: Geometry) -> Bounds {
        let most = geometry.square_count() as i8;
        Bounds { lower: -most, upper: most }
    }

    /// A lower bound alone.
    pub fn at_least(least: i8, geometry: Geometry) -> Bounds {
        Bounds { lower: least, ..Bounds::of_every_score(geometry) }
    }

    /// An upper bound alone.
    pub fn at_most(most: i8, geometry: Geometry) -> Bounds {
        Bounds { upper: most, ..Bounds::of_every_score(geometry) }
    }

    /// Whether some score of the board is within them.
    pub fn are_possible(self, geometry: Geometry) -> bool {
        let every = Bounds::of_every_score(geometry);
        every.lower <= self.lower && self.lower <= self.upper && self.upper <= every.upper
    }

    /// The intersection of two bounds of the same position.
    fn narrowed(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }
}

impl Value for Bounds {
    fn to_bytes(self) -> [u8; 2] {
        [self.lower as u8, self.upper as u8]
    }

    fn from_bytes([lower, upper]: [u8; 2]) -> Bounds {
        Bounds { lower: lower as i8, upper: upper as i8 }
    }

    fn agrees(self, other: Bounds) -> bool {
        let both = self.narrowed(other);
        both.lower <= both.upper
    }

    fn words(self, _: Geometry) -> String {
        format!("from {:+} to {:+}", self.lower, self.upper)
    }
}

/// All bounds ever proved on one board.
pub(super) struct KnownBounds {
    pub geometry: Geometry,
    known: HashMap<Form, Bounds>,
    /// How often a bound became narrower. Scores have a range, so this cannot go on forever.
    pub narrowed: u64,
}

impl KnownBounds {
    pub fn new(geometry: Geometry, known: impl IntoIterator<Item = (Form, Bounds)>) -> KnownBounds {
        KnownBounds { geometry, known: known.into_iter().collect(), narrowed: 0 }
    }

    /// The bounds of a position.
    pub fn of(&self, position: Position) -> Bounds {
        let known = self.known.get(&form_of(self.geometry, position)).copied();
        known.unwrap_or_else(|| Bounds::of_every_score(self.geometry))
    }

    /// Whether the score is at least `least`; `None` if that is not known.
    pub fn is_at_least(&self, position: Position, least: i32) -> Option<bool> {
        let Bounds { lower, upper } = self.of(position);
        if i32::from(lower) >= least {
            Some(true)
        } else if i32::from(upper) < least {
            Some(false)
        } else {
            None
        }
    }

    /// Adds proved bounds; `false` if they contradict the known ones.
    #[must_use]
    pub fn add(&mut self, position: Position, bounds: Bounds) -> bool {
        let before = self.of(position);
        let narrowed = before.narrowed(bounds);
        self.narrowed += u64::from(narrowed != before);
        self.known.insert(form_of(self.geometry, position), narrowed);
        narrowed.lower <= narrowed.upper
    }

    /// All of them, in order.
    pub fn all(&self) -> Vec<(Form, Bounds)> {
        let mut all: Vec<_> = self.known.iter().map(|(&form, &bounds)| (form, bounds)).collect();
        all.sort_unstable_by_key(|&(form, _)| form);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::{Board, Start};

    #[test]
    fn questions_no_board_has_are_told() {
        let geometry = Geometry::FOUR;
        let position = Board::start(geometry, Start::Diagonal).position();
        let is_possible = |position, least| Question { position, least }.is_possible(geometry);
        assert!([-15, 0, 16].iter().all(|&least| is_possible(position, least)));
        assert!([i8::MIN, -16, 17, i8::MAX].iter().all(|&least| !is_possible(position, least)));
        assert!(!is_possible(Position { player: 1, opponent: 1 }, 0));
    }

    #[test]
    fn the_sharpened_question_finds_an_answer_that_says_too_much() {
        let geometry = Geometry::FOUR;
        let question = Question { position: Board::start(geometry, Start::Diagonal).position(), least: 2 };
        for score in -16..=16 {
            for said in -16..=16 {
                let is_at_least = said >= question.least;
                let answer = if is_at_least { Bounds::at_least } else { Bounds::at_most }(said, geometry);
                let again = question.sharpened(answer, geometry);
                assert!(again.is_possible(geometry));
                let found = if score >= again.least {
                    Bounds::at_least(again.least, geometry)
                } else {
                    Bounds::at_most(again.least - 1, geometry)
                };
                let is_right = if is_at_least { score >= said } else { score <= said };
                assert_eq!(answer.agrees(found), is_right, "{score} {said}");
            }
        }
        for (lower, upper) in [(127, 127), (-128, 127), (-128, -128), (17, 17), (-17, -17)] {
            assert!(question.sharpened(Bounds { lower, upper }, geometry).is_possible(geometry));
        }
    }
}
