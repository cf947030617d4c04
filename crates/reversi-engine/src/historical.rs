//! The evaluations of the five earlier systems at the origin of this project, by name and formula.
//!
//! Each has its own unit (points), not comparable with any other; all values are integers, and divisions truncate
//! towards zero, so that the two sides get opposite values. *Own* is the side being evaluated, whichever side is to
//! move. Terms that count discs or weigh their squares were made for one goal and have their sign inverted under the
//! other; mobility and edges keep theirs. Where a source leaves something open, the choice made here is marked
//! *(ours)*.

use reversi_rules::{Geometry, Goal, Position, Square};
use std::fmt;

/// A position from the viewpoint of the side being evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The board.
    pub geometry: Geometry,
    /// Discs of the side being evaluated.
    pub own: u64,
    /// Discs of the other side.
    pub opponent: u64,
    /// The goal.
    pub goal: Goal,
    /// Whether the game is over.
    pub over: bool,
}

impl View {
    /// The same position from the viewpoint of the other side.
    pub const fn from_the_other_side(self) -> View {
        View { own: self.opponent, opponent: self.own, ..self }
    }

    const fn discs(self) -> u32 {
        (self.own | self.opponent).count_ones()
    }

    /// Own discs minus opponent's discs on a set of squares.
    const fn lead(self, set: u64) -> i64 {
        (self.own & set).count_ones() as i64 - (self.opponent & set).count_ones() as i64
    }

    fn own_moves(self) -> u64 {
        Position::new(self.own, self.opponent).legal_moves(self.geometry)
    }

    fn mobility(self) -> i64 {
        i64::from(self.own_moves().count_ones())
    }

    fn mobility_lead(self) -> i64 {
        self.mobility() - self.from_the_other_side().mobility()
    }

    fn corners_held_or_capturable(self) -> i64 {
        i64::from(((self.own | self.own_moves()) & self.geometry.corners()).count_ones())
    }

    /// 1 under the normal goal, -1 under the reversed one.
    const fn sign(self) -> i64 {
        match self.goal {
            Goal::Normal => 1,
            Goal::Reversed => -1,
        }
    }
}

/// Value of a certain win where an evaluation calls it infinite: more than any other value.
pub const WIN: i64 = 1_000_000_000;

/// An evaluation of one of the five systems.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Historical {
    /// *Absolute* evaluation (Toronto 2021): own discs minus the opponent's.
    Discs,
    /// *Positional* evaluation (Toronto 2021): weights of own squares minus the opponent's. The source gives no
    /// weights: those of [`WeightMap::PHASES`] *(ours)*. 8x8 only.
    Positional,
    /// Tokens (Copenhagen 2023): `100 * (own - opponent) / (own + opponent)` discs, -100 to 100.
    Tokens,
    /// Corners (Copenhagen 2023): `100 * (own - opponent) / (own + opponent)` over the corners that each side holds
    /// or could take if it were to move, 0 if there are none; -100 to 100.
    Corners,
    /// Moves (Copenhagen 2023): minus the opponent's legal moves.
    Moves,
    /// `100 * corners + tokens` (Copenhagen 2023).
    CornersTokens,
    /// `10000 * corners + 100 * tokens + moves` (Copenhagen 2023).
    CornersTokensMoves,
    /// `10000 * corners + 100 * moves + tokens` (Copenhagen 2023).
    CornersMovesTokens,
    /// Four phases (SUSTech 2022): `w + k * m` with `w` the weights of own squares minus the opponent's on
    /// [`WeightMap::PHASES`], sign inverted under the reversed goal, and `m` own legal moves; see [`PHASES_MIDDLE`]
    /// and [`PHASES_END`] for `k`. 8x8 only.
    Phases,
    /// Three stages (SUSTech): `5*W + 3*M + 3*E` with fewer than [`STAGES_MIDDLE`] discs on the board, `3*W +
    /// middle_mobility*M + 3*E` with fewer than [`STAGES_LATE`], then [`WIN`] for a win and minus [`WIN`] for
    /// anything else, a draw too. `W` is the weights of own squares minus the opponent's on [`WeightMap::STAGES`],
    /// sign inverted under the reversed goal, `M` and `E` own legal moves and own discs on the edge minus the
    /// opponent's. A finished game is won or not at any number of discs, and an unfinished one with at least
    /// [`STAGES_LATE`] discs counts as if it ended there *(ours)*. 8x8 only.
    Stages {
        /// The weight of mobility in the middle: 7; the source's report also quotes 5.
        middle_mobility: i64,
    },
}

/// [`Historical::Phases`]: with fewer discs on the board `k` is 0, from this number on 5 *(ours)*.
pub const PHASES_MIDDLE: u32 = 20;
/// [`Historical::Phases`]: from this number of discs on, and in finished games, the value is the plain disc
/// difference, sign inverted under the reversed goal *(the number ours)*.
pub const PHASES_END: u32 = 54;
/// [`Historical::Stages`]: number of discs from which the middle stage begins.
pub const STAGES_MIDDLE: u32 = 24;
/// [`Historical::Stages`]: number of discs from which the game is searched to its end.
pub const STAGES_LATE: u32 = 58;

impl Historical {
    /// All evaluations, in the order in which they are listed.
    pub const ALL: [Historical; 10] = [
        Historical::Discs,
        Historical::Positional,
        Historical::Tokens,
        Historical::Corners,
        Historical::Moves,
        Historical::CornersTokens,
        Historical::CornersTokensMoves,
        Historical::CornersMovesTokens,
        Historical::Phases,
        Historical::Stages { middle_mobility: 7 },
    ];

    /// The name, as in a player's `eval` parameter.
    pub const fn name(self) -> &'static str {
        match self {
            Historical::Discs => "discs",
            Historical::Positional => "positional",
            Historical::Tokens => "tokens",
            Historical::Corners => "corners",
            Historical::Moves => "moves",
            Historical::CornersTokens => "corners-tokens",
            Historical::CornersTokensMoves => "corners-tokens-moves",
            Historical::CornersMovesTokens => "corners-moves-tokens",
            Historical::Phases => "phases",
            Historical::Stages { .. } => "stages",
        }
    }

    /// Whether it uses a weight map or thresholds in discs, which exist for 8x8 only.
    pub const fn only_on_8x8(self) -> bool {
        matches!(self, Historical::Positional | Historical::Phases | Historical::Stages { .. })
    }

    /// Whether the value depends on [`View::over`].
    pub const fn depends_on_end(self) -> bool {
        matches!(self, Historical::Phases | Historical::Stages { .. })
    }

    /// The value in points for the side being evaluated.
    ///
    /// # Panics
    /// If the evaluation is [defined on 8x8 only](Historical::only_on_8x8) and the board is another.
    pub fn value(self, view: View) -> i64 {
        assert!(!self.only_on_8x8() || view.geometry == Geometry::EIGHT, "{self} is only defined on 8x8");
        match self {
            Historical::Discs => discs(view),
            Historical::Positional => view.sign() * WeightMap::PHASES.lead(view),
            Historical::Tokens => tokens(view),
            Historical::Corners => corners_share(view),
            Historical::Moves => moves(view),
            Historical::CornersTokens => 100 * corners_share(view) + tokens(view),
            Historical::CornersTokensMoves => 10_000 * corners_share(view) + 100 * tokens(view) + moves(view),
            Historical::CornersMovesTokens => 10_000 * corners_share(view) + 100 * moves(view) + tokens(view),
            Historical::Phases => phases(view),
            Historical::Stages { middle_mobility } => stages(view, middle_mobility),
        }
    }
}

impl fmt::Display for Historical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// [`Historical::Discs`] from the numbers of discs alone, for boards beyond 8x8.
pub fn disc_difference(own: u32, opponent: u32, goal: Goal) -> i64 {
    let difference = i64::from(own) - i64::from(opponent);
    match goal {
        Goal::Normal => difference,
        Goal::Reversed => -difference,
    }
}

fn discs(view: View) -> i64 {
    disc_difference(view.own.count_ones(), view.opponent.count_ones(), view.goal)
}

fn tokens(view: View) -> i64 {
    view.sign() * percentage(view.own.count_ones().into(), view.opponent.count_ones().into())
}

fn corners_share(view: View) -> i64 {
    let own = view.corners_held_or_capturable();
    view.sign() * percentage(own, view.from_the_other_side().corners_held_or_capturable())
}

fn moves(view: View) -> i64 {
    -view.from_the_other_side().mobility()
}

/// `100 * (own - opponent) / (own + opponent)`, truncated towards zero; 0 if both are 0.
const fn percentage(own: i64, opponent: i64) -> i64 {
    if own + opponent == 0 { 0 } else { 100 * (own - opponent) / (own + opponent) }
}

fn phases(view: View) -> i64 {
    let weights = view.sign() * WeightMap::PHASES.lead(view);
    match view.discs() {
        _ if view.over => discs(view),
        PHASES_END.. => discs(view),
        PHASES_MIDDLE.. => weights + 5 * view.mobility(),
        _ => weights,
    }
}

fn stages(view: View, middle_mobility: i64) -> i64 {
    if view.over || view.discs() >= STAGES_LATE {
        return if discs(view) > 0 { WIN } else { -WIN };
    }
    let weights = view.sign() * WeightMap::STAGES.lead(view);
    let edge = view.lead(view.geometry.edges());
    if view.discs() < STAGES_MIDDLE {
        5 * weights + 3 * view.mobility_lead() + 3 * edge
    } else {
        3 * weights + middle_mobility * view.mobility_lead() + 3 * edge
    }
}

/// Weights of the squares of the 8x8 board; the four quarters are mirror images.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeightMap {
    /// The quarter at a1, row by row.
    quarter: [[i64; 4]; 4],
}

impl WeightMap {
    /// The map of the player with four phases (SUSTech 2022).
    pub const PHASES: WeightMap =
        WeightMap { quarter: [[500, -25, 10, 5], [-25, -45, 1, 1], [10, 1, 3, 2], [5, 1, 2, 1]] };

    /// The map of the player with three stages (SUSTech).
    pub const STAGES: WeightMap =
        WeightMap { quarter: [[100, -5, 10, 5], [-5, -45, 1, 1], [10, 1, 3, 2], [5, 1, 2, 1]] };

    /// The weight of a square.
    pub const fn weight(&self, square: Square) -> i64 {
        self.quarter[fold(square.row())][fold(square.column())]
    }

    /// Weights of own squares minus the opponent's.
    fn lead(&self, view: View) -> i64 {
        self.sum(view.own) - self.sum(view.opponent)
    }

    /// Sum of the weights of a set of squares.
    fn sum(&self, squares: u64) -> i64 {
        reversi_rules::geometry::squares_of(squares).map(|square| self.weight(square)).sum()
    }
}

/// Maps the second half of a side onto the first.
const fn fold(place: u32) -> usize {
    if place < 4 { place as usize } else { 7 - place as usize }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::notation::parse_board;

    /// The drawing from Black's viewpoint.
    fn black(drawing: &[&str], goal: Goal) -> View {
        let board = parse_board(None, &(drawing.concat() + "X")).unwrap();
        View { geometry: board.geometry, own: board.black, opponent: board.white, goal, over: false }
    }

    fn white(drawing: &[&str], goal: Goal) -> View {
        black(drawing, goal).from_the_other_side()
    }

    /// The values for Black and White under the normal goal, then the same under the reversed goal.
    fn four_values(evaluation: Historical, drawing: &[&str]) -> [i64; 4] {
        [
            evaluation.value(black(drawing, Goal::Normal)),
            evaluation.value(white(drawing, Goal::Normal)),
            evaluation.value(black(drawing, Goal::Reversed)),
            evaluation.value(white(drawing, Goal::Reversed)),
        ]
    }

    /// After f5: Black could move to c3, d3, c4, White to f4, d6, f6; no disc is near an edge.
    const AFTER_F5: [&str; 8] = [
        "- - - - - - - -",
        "- - - - - - - -",
        "- - - - - - - -",
        "- - - O X - - -",
        "- - - X X X - -",
        "- - - - - - - -",
        "- - - - - - - -",
        "- - - - - - - -",
    ];

    /// 25 discs; Black's only move is a5, White has none. Black has 12 discs on the edge, White 1.
    const THREE_ROWS: [&str; 8] = [
        "X X X X X X X X",
        "X X X X X X X X",
        "X X X X X X X X",
        "O - - - - - - -",
        "- - - - - - - -",
        "- - - - - - - -",
        "- - - - - - - -",
        "- - - - - - - -",
    ];

    /// Black holds f6 and could take a1 and f1.
    const CORNERS: [&str; 6] =
        ["- O X X O -", "- - - - - -", "- - - - - -", "- - - - - -", "- - - - - -", "- - - - - X"];

    #[test]
    fn discs_tokens_and_positional_count_the_discs_on_the_board() {
        assert_eq!(four_values(Historical::Discs, &AFTER_F5), [3, -3, -3, 3]);
        assert_eq!(four_values(Historical::Discs, &THREE_ROWS), [23, -23, -23, 23]);
        // 100 * 3 / 5, 100 * 23 / 25
        assert_eq!(four_values(Historical::Tokens, &AFTER_F5), [60, -60, -60, 60]);
        assert_eq!(four_values(Historical::Tokens, &THREE_ROWS), [92, -92, -92, 92]);
        // e4, d5, e5 are worth 1 each, f5 is worth 2, d4 is worth 1.
        assert_eq!(four_values(Historical::Positional, &AFTER_F5), [4, -4, -4, 4]);
    }

    #[test]
    fn quotients_are_cut_off_towards_zero() {
        let one_to_two = ["X O O", "- - -", "- - -"];
        assert_eq!(four_values(Historical::Tokens, &one_to_two), [-33, 33, 33, -33]);
    }

    #[test]
    fn moves_counts_the_opponents_moves_under_both_goals() {
        assert_eq!(four_values(Historical::Moves, &AFTER_F5), [-3, -3, -3, -3]);
        assert_eq!(four_values(Historical::Moves, &THREE_ROWS), [0, -1, 0, -1]);
    }

    #[test]
    fn corners_counts_held_and_capturable_ones() {
        assert_eq!(four_values(Historical::Corners, &AFTER_F5), [0; 4]);
        // Two corners against none.
        assert_eq!(four_values(Historical::Corners, &THREE_ROWS), [100, -100, -100, 100]);
        // Black holds f6 and could take a1 (over b1) and f1 (over e1): 3 against 0.
        assert_eq!(four_values(Historical::Corners, &CORNERS), [100, -100, -100, 100]);
        // Black f6 and a1 (over b1), White f1 (over e1): 100 * 1 / 3.
        let shared =
            ["- O X O X -", "- - - - - -", "- - - - - -", "- - - - - -", "- - - - - -", "- - - - - X"];
        assert_eq!(four_values(Historical::Corners, &shared), [33, -33, -33, 33]);
    }

    #[test]
    fn combinations_weigh_by_hundreds() {
        assert_eq!(four_values(Historical::CornersTokens, &AFTER_F5), [60, -60, -60, 60]);
        assert_eq!(four_values(Historical::CornersTokens, &THREE_ROWS), [10_092, -10_092, -10_092, 10_092]);
        // 100 * 60 - 3 and 100 * -60 - 3
        assert_eq!(four_values(Historical::CornersTokensMoves, &AFTER_F5), [5_997, -6_003, -6_003, 5_997]);
        // 10000 * 100 + 100 * 92 - 0 and -10000 * 100 - 100 * 92 - 1
        assert_eq!(
            four_values(Historical::CornersTokensMoves, &THREE_ROWS),
            [1_009_200, -1_009_201, -1_009_200, 1_009_199]
        );
        // 100 * -3 + 60 and 100 * -3 - 60
        assert_eq!(four_values(Historical::CornersMovesTokens, &AFTER_F5), [-240, -360, -360, -240]);
        // 10000 * 100 + 100 * 0 + 92 and -10000 * 100 - 100 * 1 - 92
        assert_eq!(
            four_values(Historical::CornersMovesTokens, &THREE_ROWS),
            [1_000_092, -1_000_192, -1_000_092, 999_992]
        );
    }

    #[test]
    fn phases_adds_mobility_from_the_middle_on() {
        // Early: the weights alone, 5 against 1.
        assert_eq!(four_values(Historical::Phases, &AFTER_F5), [4, -4, -4, 4]);
        // Rows of 2 * 490, 2 * -68 and 2 * 16 make 876, less 5 for a4: 871. Black has one move, White none.
        assert_eq!(four_values(Historical::Phases, &THREE_ROWS), [876, -871, -866, 871]);
    }

    #[test]
    fn stages_changes_its_weights_with_the_discs_on_the_board() {
        // 5 * 4; both sides have three moves, no disc stands on the edge.
        let stages = Historical::Stages { middle_mobility: 7 };
        assert_eq!(four_values(stages, &AFTER_F5), [20, -20, -20, 20]);
        // Rows of 2 * 110, 2 * -48 and 2 * 16 make 156, less 5 for a4: 151. One move more and eleven edge discs more:
        // 3 * 151 + 7 * 1 + 3 * 11 = 493 and, with inverted weights, -453 + 40 = -413.
        assert_eq!(four_values(stages, &THREE_ROWS), [493, -493, -413, 413]);
        let other = Historical::Stages { middle_mobility: 5 };
        assert_eq!(four_values(other, &THREE_ROWS), [491, -491, -415, 415]);
    }

    #[test]
    fn near_the_end_phases_counts_discs_and_stages_only_wins() {
        let mut rows = vec!["X X X X X X X X"; 4];
        rows.extend(["O O O O O O O O"; 3]);
        rows.push("- - - - - - - -");
        assert_eq!(four_values(Historical::Phases, &rows), [8, -8, -8, 8], "32 against 24 discs");
        rows[7] = "O O - - - - - -";
        let stages = Historical::Stages { middle_mobility: 7 };
        assert_eq!(four_values(stages, &rows), [WIN, -WIN, -WIN, WIN], "58 discs");
        rows[7] = "O O O O O O O O";
        assert_eq!(four_values(stages, &rows), [-WIN; 4], "a draw is no win for either side");
    }

    #[test]
    fn a_finished_game_ends_the_early_phases_too() {
        let finished = View { over: true, ..black(&AFTER_F5, Goal::Reversed) };
        assert_eq!(Historical::Phases.value(finished), -3);
        assert_eq!(Historical::Stages { middle_mobility: 7 }.value(finished), -WIN);
        assert_eq!(Historical::Stages { middle_mobility: 7 }.value(finished.from_the_other_side()), WIN);
    }

    #[test]
    fn weight_maps_have_eight_symmetries() {
        use reversi_rules::Symmetry;
        for map in [WeightMap::PHASES, WeightMap::STAGES] {
            for square in Geometry::EIGHT.squares() {
                for symmetry in Symmetry::all(Geometry::EIGHT) {
                    let image = symmetry.apply_square(Geometry::EIGHT, square);
                    assert_eq!(map.weight(image), map.weight(square), "{map:?} {square}");
                }
            }
        }
        assert_eq!(WeightMap::PHASES.sum(u64::MAX), 4 * 447, "490 - 68 + 16 + 9 a quarter");
    }
}
