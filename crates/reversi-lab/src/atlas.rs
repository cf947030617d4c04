//! The exact values of the starts of small boards, and the source of each value: published and computed facts that ship
//! with the program. Nothing is searched here.

use crate::columns::{Column, Kind, Row};
use reversi_rules::{Geometry, Move, Rules, Score, Start, notation};
use serde::Serialize;
use std::sync::LazyLock;

/// The exact value of a start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StartValue {
    /// The board, columns x rows.
    pub geometry: Geometry,
    /// Its first discs.
    pub start: Start,
    /// Goal and scoring.
    pub rules: Rules,
    /// The exact score for Black, who moves first.
    pub score: Score,
    /// Who found it, and how.
    pub source: &'static str,
    /// A game of best moves from both sides, where one is recorded.
    pub line: Option<&'static str>,
}

impl StartValue {
    /// The value as a row of a table.
    pub fn row(&self) -> StartRow {
        StartRow {
            board: self.geometry.to_string(),
            start: self.start.to_string(),
            goal: self.rules.goal.to_string(),
            scoring: self.rules.scoring.to_string(),
            score: self.score.discs(),
            source: self.source,
            line: self.line,
        }
    }
}

/// A row of the table of all values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StartRow {
    /// The board, columns x rows.
    pub board: String,
    /// Its first discs.
    pub start: String,
    /// The goal.
    pub goal: String,
    /// The scoring.
    pub scoring: String,
    /// The exact score for Black.
    pub score: i32,
    /// Who found it, and how.
    pub source: &'static str,
    /// A game of best moves, where one is recorded.
    pub line: Option<&'static str>,
}

impl Row for StartRow {
    const COLUMNS: &'static [Column] = &[
        Column::hidden("board"),
        Column::new("start", ["", "start"], Kind::Text),
        Column::new("goal", ["", "goal"], Kind::Text),
        Column::new("scoring", ["", "scoring"], Kind::Text),
        Column::new("score", ["for", "Black"], Kind::Count),
        Column::new("source", ["", "source"], Kind::Text),
        Column::hidden("line"),
    ];
}

/// One line for each start and rule set: board, start, goal, scoring, score, moves played first, source.
const VALUES: &str = include_str!("../../../data/start-values.txt");
/// One line for each start and goal with raw scoring: board, start, goal, moves.
const LINES: &str = include_str!("../../../data/start-lines.txt");

/// All starts whose value is known, the smallest boards first. With the diagonal start, a board and its transpose are
/// the same; one record covers both.
pub fn start_values() -> &'static [StartValue] {
    static ALL: LazyLock<Vec<StartValue>> = LazyLock::new(|| {
        let mut values: Vec<StartValue> = recorded().collect();
        values.extend(recorded().filter_map(on_its_side));
        let size = |geometry: Geometry| (geometry.square_count(), geometry.width());
        values.sort_by_key(|value| size(value.geometry));
        values
    });
    &ALL
}

/// The value of a start, if it is known.
pub fn start_value(geometry: Geometry, start: Start, rules: Rules) -> Option<&'static StartValue> {
    start_values().iter().find(|known| (known.geometry, known.start, known.rules) == (geometry, start, rules))
}

/// The values that have a record of their own.
fn recorded() -> impl Iterator<Item = StartValue> {
    records(VALUES).filter_map(read)
}

/// The same value for the transposed board; `None` if that is the same board or if the start differs.
fn on_its_side(known: StartValue) -> Option<StartValue> {
    let geometry = known.geometry.transposed();
    (known.start == Start::Diagonal && geometry != known.geometry).then(|| StartValue {
        geometry,
        // Made once for the whole program.
        source: format!("as {}, which is the same board on its side: {}", known.geometry, known.source)
            .leak(),
        line: known.line.map(|line| &*transposed(line).leak()),
        ..known
    })
}

/// A line with columns and rows exchanged; passes stay as they are.
fn transposed(line: &str) -> String {
    let moves = notation::tokens(line).map(|token| match token.parse() {
        Ok(Move::Play(square)) => Move::Play(square.transposed()),
        Ok(Move::Pass) => Move::Pass,
        Err(_) => unreachable!("all lines are read by the tests"),
    });
    notation::transcript(&moves.collect::<Vec<Move>>())
}

/// Lines that are neither empty nor comments.
fn records(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// A record of [`VALUES`]; `None` if it is for a position after some moves. Tests check that all records can be read.
fn read(record: &'static str) -> Option<StartValue> {
    let mut rest = record;
    let [board, start, goal, scoring, score, moves] = std::array::from_fn(|_| {
        let (field, tail) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        rest = tail.trim_start();
        field
    });
    if moves != "." {
        return None;
    }
    Some(StartValue {
        geometry: board.parse().ok()?,
        start: start.parse().ok()?,
        rules: Rules::new(goal.parse().ok()?, scoring.parse().ok()?),
        score: Score::new(score.parse().ok()?),
        source: rest,
        line: if scoring == "raw" { line([board, start, goal]) } else { None },
    })
}

fn line(key: [&str; 3]) -> Option<&'static str> {
    records(LINES).find_map(|record| {
        let mut fields = record.split_whitespace();
        (key.iter().all(|&part| fields.next() == Some(part))).then(|| fields.next()).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_rules::{Board, Color};
    use std::collections::HashSet;

    #[test]
    fn every_record_is_read_and_none_stands_twice() {
        let of_starts = records(VALUES).filter(|record| record.split_whitespace().nth(5) == Some("."));
        assert_eq!(of_starts.count(), recorded().count());
        let keys: HashSet<_> = start_values()
            .iter()
            .map(|known| (known.geometry, known.start, known.rules.goal, known.rules.scoring))
            .map(|(geometry, start, goal, scoring)| format!("{geometry} {start} {goal} {scoring}"))
            .collect();
        assert_eq!(keys.len(), start_values().len());
        assert!(start_values().iter().all(|known| !known.source.is_empty()));
    }

    #[test]
    fn every_line_is_a_whole_game_that_ends_with_the_value_of_its_start() {
        let with_line = recorded().filter(|known| known.line.is_some());
        assert_eq!(with_line.count(), records(LINES).count(), "each line belongs to a value");
        let with_line = start_values().iter().filter(|known| known.line.is_some());
        for known in with_line {
            let first = Board::start(known.geometry, known.start);
            let (_, last) = notation::replay(first, known.line.unwrap()).unwrap();
            assert!(last.position().is_over(known.geometry), "{known:?}");
            let score = last.position().final_score(known.geometry, known.rules);
            let for_black = if last.to_move == Color::Black { score } else { -score };
            assert_eq!(for_black, known.score, "{known:?}");
        }
    }

    #[test]
    fn a_board_on_its_side_has_the_values_of_the_diagonal_start() {
        let of = |width, height, start| {
            let rules = Rules::default();
            start_value(Geometry::new(width, height).unwrap(), start, rules).copied().unwrap()
        };
        let (upright, lying) = (of(5, 8, Start::Diagonal), of(8, 5, Start::Diagonal));
        assert_eq!(upright.score, lying.score);
        assert_eq!(transposed(lying.line.unwrap()), upright.line.unwrap());
        assert_ne!(of(5, 7, Start::Parallel).score, of(7, 5, Start::Parallel).score);
    }

    #[test]
    fn a_value_is_found_by_its_start_and_rules() {
        let found = start_value(Geometry::SIX, Start::Diagonal, Rules::default()).unwrap();
        assert_eq!(found.score.discs(), -4);
        assert_eq!(start_value(Geometry::new(7, 8).unwrap(), Start::Diagonal, Rules::default()), None);
    }
}
