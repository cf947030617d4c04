//! Rules of thumb, and the discs that following them saves against perfect play.
//!
//! A rule picks some of the legal moves. If it picks some and not all, it gives advice; then the discs lost by the
//! moves it picks are compared with the discs lost by all legal moves of the same position.

use super::exact_scores::ScoredPosition;
use crate::arena::statistics::Sum;
use crate::columns::{Column, Kind, Row};
use reversi_rules::geometry::{around, squares_of};
use reversi_rules::{Geometry, Move, Position, Square};
use serde::Serialize;
use std::cmp::Reverse;
use std::ops::RangeInclusive;

/// A rule of thumb.
#[derive(Clone, Copy)]
pub struct RuleOfThumb {
    /// The rule in words.
    pub words: &'static str,
    /// Rank of a move: the moves with the highest number are picked.
    rank: fn(&Candidate) -> i64,
}

/// A legal move as rules see it.
struct Candidate {
    geometry: Geometry,
    /// Before the move.
    before: Position,
    square: Square,
    /// After it, with the other side to move.
    after: Position,
}

/// The rules that are measured. The opposite of a rule is a rule too, with its own advice: it picks the moves that the
/// rule ranks last.
pub const RULES: [RuleOfThumb; 10] = [
    RuleOfThumb { words: "take a corner", rank: |mv| i64::from(mv.is_corner(mv.square)) },
    RuleOfThumb {
        words: "keep off the squares diagonally next to an empty corner",
        rank: |mv| -mv.beside_corner(true),
    },
    RuleOfThumb {
        words: "keep off the edge squares next to an empty corner",
        rank: |mv| -mv.beside_corner(false),
    },
    RuleOfThumb { words: "play on the edge", rank: |mv| i64::from(mv.is_edge(mv.square)) },
    RuleOfThumb {
        words: "leave the opponent few moves",
        rank: |mv| -mv.count(mv.after.legal_moves(mv.geometry)),
    },
    RuleOfThumb {
        words: "keep many moves for yourself",
        rank: |mv| mv.count(mv.after.pass().legal_moves(mv.geometry)),
    },
    RuleOfThumb { words: "turn few discs", rank: |mv| -mv.count(mv.before.flips(mv.square)) },
    RuleOfThumb { words: "turn many discs", rank: |mv| mv.count(mv.before.flips(mv.square)) },
    RuleOfThumb { words: "show few discs to empty squares", rank: |mv| -mv.exposed() },
    RuleOfThumb {
        words: "move into a region with an odd number of empty squares",
        rank: |mv| mv.region() % 2,
    },
];

impl Candidate {
    fn count(&self, set: u64) -> i64 {
        set.count_ones().into()
    }

    fn is_edge(&self, square: Square) -> bool {
        let (column, row) = (square.column(), square.row());
        [0, self.geometry.width() - 1].contains(&column) || [0, self.geometry.height() - 1].contains(&row)
    }

    fn is_corner(&self, square: Square) -> bool {
        self.geometry.corners() & square.bit() != 0
    }

    /// 1 if the square touches an empty corner, diagonally or along the edge.
    fn beside_corner(&self, diagonally: bool) -> i64 {
        let empty = self.after.empties(self.geometry);
        let touches = |corner: Square| {
            let columns = corner.column().abs_diff(self.square.column());
            let rows = corner.row().abs_diff(self.square.row());
            if diagonally { (columns, rows) == (1, 1) } else { columns + rows == 1 }
        };
        squares_of(empty).any(|square| self.is_corner(square) && touches(square)).into()
    }

    /// Own discs next to an empty square after the move.
    fn exposed(&self) -> i64 {
        self.count(around(self.after.empties(self.geometry)) & self.after.opponent)
    }

    /// Number of empty squares connected with this one, itself included, before the move; diagonal neighbours are
    /// connected.
    fn region(&self) -> i64 {
        let empty = self.before.empties(self.geometry);
        let mut region = self.square.bit();
        loop {
            let wider = (region | around(region)) & empty;
            if wider == region {
                return self.count(region);
            }
            region = wider;
        }
    }
}

/// Cost of the moves that a rule picks, compared with all legal moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RuleWorth {
    /// Discs lost a move by the moves it picks; counts the positions at which it gives advice.
    pub followed: Sum,
    /// Discs lost a move by any legal move at the same positions.
    pub any: Sum,
    /// Discs saved by following it, at each position.
    gain: Sum,
    /// Share of best moves among those it picks, added up.
    best_followed: f64,
    /// Share of best moves among all, added up.
    best_any: f64,
}

impl RuleWorth {
    /// The share of best moves among those the rule picks.
    pub fn best_followed(&self) -> Option<f64> {
        (self.followed.count > 0).then(|| self.best_followed / self.followed.count as f64)
    }

    /// The share of best moves among all legal ones at the same positions.
    pub fn best_any(&self) -> Option<f64> {
        (self.any.count > 0).then(|| self.best_any / self.any.count as f64)
    }

    /// Discs a move that following the rule saves against any legal move; negative where it costs.
    pub fn gain(&self) -> Option<f64> {
        self.gain.mean()
    }

    /// Half the width of the 95 % interval of the gain, if the positions are a sample.
    pub fn half_width(&self) -> Option<f64> {
        self.gain.half_width()
    }

    /// The figures of a rule. `is_exact`: the positions are all there are, so the interval of the gain has no width.
    pub fn row(&self, is_exact: bool) -> RuleRow {
        RuleRow {
            positions: self.any.count,
            following: self.followed.mean(),
            any: self.any.mean(),
            gain: self.gain(),
            best_following: self.best_followed(),
            best_any: self.best_any(),
            half_width: if is_exact { Some(0.0) } else { self.half_width() },
        }
    }
}

/// The figures of a rule, in discs a move and shares of moves; `None` where the rule gives no advice.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RuleRow {
    /// Positions at which the rule gives advice.
    pub positions: u64,
    /// Discs lost by the moves that it picks.
    pub following: Option<f64>,
    /// Discs lost by any legal move.
    pub any: Option<f64>,
    /// Discs that following the rule saves.
    pub gain: Option<f64>,
    /// The share of best moves among those that it picks.
    pub best_following: Option<f64>,
    /// The share of best moves among all legal ones.
    pub best_any: Option<f64>,
    /// Half the width of the 95 % interval of `gain`.
    pub half_width: Option<f64>,
}

impl Row for RuleRow {
    const COLUMNS: &'static [Column] = &[
        Column::new("positions", ["advises", "at"], Kind::Count),
        Column::new("following", ["discs lost", "following"], Kind::Decimal),
        Column::new("any", ["by any", "move"], Kind::Decimal),
        Column::new("gain", ["", "saves"], Kind::Mean("half_width")),
        Column::new("best_following", ["best moves", "following"], Kind::Share),
        Column::new("best_any", ["best of", "any move"], Kind::Share),
        Column::hidden("half_width"),
    ];
}

/// The worth of a rule at the known positions with these numbers of empty squares.
pub fn measure(
    rule: RuleOfThumb,
    known: &[ScoredPosition],
    geometry: Geometry,
    empties: RangeInclusive<u32>,
) -> RuleWorth {
    let mut advice = RuleWorth::default();
    for known in known.iter().filter(|known| empties.contains(&known.empties)) {
        let (before, any) = (known.position, known.all());
        let picked = known.first_by(geometry, |mv, after| match mv {
            Move::Play(square) => (rule.rank)(&Candidate { geometry, before, square, after }),
            Move::Pass => 0,
        });
        if picked.count() == any.count() {
            continue;
        }
        advice.followed.add(picked.mean());
        advice.any.add(any.mean());
        advice.gain.add(any.mean() - picked.mean());
        advice.best_followed += picked.share_of_best();
        advice.best_any += any.share_of_best();
    }
    advice
}

/// Sorts the rules by what they save, the best first; rules that never apply come last.
pub fn by_gain(measured: &mut [(RuleOfThumb, RuleWorth)]) {
    measured.sort_by_key(|(_, advice)| Reverse(advice.gain().map(|gain| (gain * 1e6) as i64)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::notation::parse_board;

    fn candidate(drawing: &str, square: (u32, u32)) -> Candidate {
        let board = parse_board(None, drawing).unwrap();
        let (before, square) = (board.position(), Square::at(square.0, square.1));
        let flips = before.flips(square);
        assert_ne!(flips, 0, "a legal move");
        Candidate { geometry: board.geometry, before, square, after: before.play(square, flips) }
    }

    fn rank(words: &str, mv: &Candidate) -> i64 {
        let rule = RULES.iter().find(|rule| rule.words.starts_with(words)).unwrap();
        (rule.rank)(mv)
    }

    #[test]
    fn rules_see_what_stands_on_the_board() {
        // Black takes the corner a1 and turns b2, White's only disc.
        let corner = candidate("----- -O--- --X-- ----- ----- X", (0, 0));
        assert_eq!((rank("take a corner", &corner), rank("play on the edge", &corner)), (1, 1));
        assert_eq!(rank("turn few", &corner), -1);
        assert_eq!(rank("keep off the squares", &corner), 0, "the corner itself touches no other");
        assert_eq!(rank("leave", &corner), 0, "White has no disc left");
        assert_eq!(rank("show few", &corner), -3);
        assert_eq!(rank("move into", &corner), 1, "23 empty squares");
        let danger = candidate("----- ----- --O-- ---X- ----- X", (1, 1));
        assert_eq!(rank("keep off the squares", &danger), -1);
        assert_eq!(rank("keep off the edge", &danger), 0);
    }
}
