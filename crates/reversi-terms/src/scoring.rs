//! The value of a finished game: goal, scoring and score. Only the plain-array rules and the verifier compute it on
//! their own.

use crate::names::{self, UnknownName};
use std::fmt;
use std::ops::Neg;
use std::str::FromStr;

/// Which side wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Goal {
    /// More discs win.
    #[default]
    Normal,
    /// Fewer discs win (anti-reversi).
    Reversed,
}

impl Goal {
    /// Both goals, in the order files and reports list them.
    pub const ALL: [Goal; 2] = [Goal::Normal, Goal::Reversed];

    /// The word used on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Goal::Normal => "normal",
            Goal::Reversed => "reversed",
        }
    }

    /// The other one.
    pub const fn other(self) -> Goal {
        match self {
            Goal::Normal => Goal::Reversed,
            Goal::Reversed => Goal::Normal,
        }
    }
}

/// Who gets the squares that are still empty when the game ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scoring {
    /// Neither side: the score is the plain difference of discs.
    #[default]
    Raw,
    /// The side with more discs, as in tournaments; neither side if both have the same number.
    Winner,
}

impl Scoring {
    /// The usual scoring on a board of `width` columns and `height` rows: winner on 8x8, as in tournaments, raw
    /// elsewhere.
    pub const fn usual(width: u32, height: u32) -> Scoring {
        if width == 8 && height == 8 { Scoring::Winner } else { Scoring::Raw }
    }

    /// Both scorings, in the order files and reports list them.
    pub const ALL: [Scoring; 2] = [Scoring::Raw, Scoring::Winner];

    /// The word used on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Scoring::Raw => "raw",
            Scoring::Winner => "winner",
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// By its name.
impl FromStr for Goal {
    type Err = UnknownName;

    fn from_str(word: &str) -> Result<Goal, UnknownName> {
        names::read("goal", &Goal::ALL, Goal::name, word)
    }
}

impl fmt::Display for Scoring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// By its name.
impl FromStr for Scoring {
    type Err = UnknownName;

    fn from_str(word: &str) -> Result<Scoring, UnknownName> {
        names::read("scoring", &Scoring::ALL, Scoring::name, word)
    }
}

/// An exact result in discs for the side to move, -64 to 64. Never an estimate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i8);

impl Score {
    /// A drawn game.
    pub const DRAW: Score = Score(0);

    /// A score of this number of discs.
    ///
    /// # Panics
    /// If `discs` is outside -64 to 64: no board has that many squares.
    pub const fn new(discs: i32) -> Score {
        assert!(-64 <= discs && discs <= 64, "a score lies between -64 and 64 discs");
        Score(discs as i8)
    }

    /// Discs ahead, -64 to 64.
    pub const fn discs(self) -> i32 {
        self.0 as i32
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// Always signed (`+4`, `-2`, `+0`), as in OBF files.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{:+}", self.0))
    }
}

/// What a finished game is worth: the goal and the scoring. By default the normal goal and raw scoring on every board;
/// tournaments on 8x8 count otherwise, see [`Scoring::usual`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// Which side wins.
    pub goal: Goal,
    /// Who gets the empty squares.
    pub scoring: Scoring,
}

impl Rules {
    /// All four, normal before reversed, raw before winner.
    pub const ALL: [Rules; 4] = [
        Rules::new(Goal::Normal, Scoring::Raw),
        Rules::new(Goal::Normal, Scoring::Winner),
        Rules::new(Goal::Reversed, Scoring::Raw),
        Rules::new(Goal::Reversed, Scoring::Winner),
    ];

    /// The two together.
    pub const fn new(goal: Goal, scoring: Scoring) -> Rules {
        Rules { goal, scoring }
    }

    /// The score of a finished game for the side to move, from the discs of both sides on a board of `squares` squares.
    /// Equal discs score 0; the reversed score is the negated normal one.
    ///
    /// # Panics
    /// If the result is outside -64 to 64, as it can be on more than 64 squares.
    ///
    /// ```
    /// use reversi_terms::{Goal, Rules, Scoring};
    /// let wiped_out = (5, 0, 16); // five discs against none, eleven squares empty
    /// let score = |goal, scoring| Rules::new(goal, scoring).score(wiped_out.0, wiped_out.1, wiped_out.2).discs();
    /// assert_eq!(score(Goal::Normal, Scoring::Raw), 5);
    /// assert_eq!(score(Goal::Normal, Scoring::Winner), 16);
    /// assert_eq!(score(Goal::Reversed, Scoring::Winner), -16);
    /// ```
    #[inline]
    pub const fn score(self, player: u32, opponent: u32, squares: u32) -> Score {
        Score::new(self.discs(player, opponent, squares))
    }

    /// [`Rules::score`] as a plain number of discs, without a range check: for the inside of a search.
    #[inline(always)]
    pub const fn discs(self, player: u32, opponent: u32, squares: u32) -> i32 {
        let difference = player as i32 - opponent as i32;
        let empties = squares as i32 - player as i32 - opponent as i32;
        let normal = match self.scoring {
            Scoring::Raw => difference,
            Scoring::Winner => difference + empties * difference.signum(),
        };
        match self.goal {
            Goal::Normal => normal,
            Goal::Reversed => -normal,
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.goal, self.scoring)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reversed_scores_are_negated_normal_scores() {
        for scoring in Scoring::ALL {
            for player in 0..=16 {
                for opponent in 0..=16 - player {
                    let normal = Rules::new(Goal::Normal, scoring).score(player, opponent, 16);
                    let reversed = Rules::new(Goal::Reversed, scoring).score(player, opponent, 16);
                    assert_eq!(normal, -reversed);
                    assert_eq!(normal, -Rules::new(Goal::Normal, scoring).score(opponent, player, 16));
                }
            }
        }
    }
}
