//! The one renderer of measured rows: tables for terminals and for the page of the report, CSV and JSON.

use super::csv;
use reversi_lab::columns::{Column, Kind, Row};
use serde::Serialize;
use serde_json::Value as Json;

/// The cell of a missing value.
const MISSING: &str = "-";

/// The text between a mean and half the width of its interval, in plain ASCII for terminals.
pub const PLUS_MINUS: &str = " +- ";

/// A row, or anything measured, as JSON.
pub fn json(row: &impl Serialize) -> Json {
    serde_json::to_value(row).expect("plain numbers, texts and lists can be written as JSON")
}

/// The names of the columns in CSV.
pub fn csv_names<R: Row>() -> impl Iterator<Item = String> {
    R::COLUMNS.iter().map(|column| column.name.replace('_', "-"))
}

/// The cells of a row in CSV, numbers in full.
pub fn csv_cells<R: Row>(row: &R) -> Vec<String> {
    let fields = json(row);
    R::COLUMNS.iter().map(|column| in_full(&fields[column.name])).collect()
}

/// Two decimals, or a dash where there is no number.
pub fn decimal(value: Option<f64>) -> String {
    value.map_or(MISSING.to_owned(), |value| format!("{value:.2}"))
}

/// A share in percent, or a dash where there is none.
pub fn percent(share: Option<f64>) -> String {
    share.map_or(MISSING.to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

/// A text table: a column of names, and columns of figures.
pub struct Sheet {
    heads: Vec<[String; 2]>,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    /// A sheet of the columns to show; `names` is the heading of the first one.
    pub fn of<R: Row>(names: &str, rows: impl IntoIterator<Item = (String, R)>) -> Sheet {
        let rows: Vec<(String, Json)> = rows.into_iter().map(|(name, row)| (name, json(&row))).collect();
        let is_shown = |column: &&Column| match column.kind {
            Kind::Hidden => false,
            Kind::Exceptions => rows.iter().any(|(_, fields)| fields[column.name] != 0),
            _ => true,
        };
        let shown: Vec<&Column> = R::COLUMNS.iter().filter(is_shown).collect();
        let heads = shown.iter().map(|column| column.head.map(str::to_owned));
        let cells = |(name, fields): &(String, Json)| {
            let cells = shown.iter().map(|column| shown_cell(column, fields));
            std::iter::once(name.clone()).chain(cells).collect()
        };
        Sheet {
            heads: std::iter::once([String::new(), names.to_owned()]).chain(heads).collect(),
            rows: rows.iter().map(cells).collect(),
        }
    }

    /// Adds a column on the right, a cell for each row.
    pub fn add(&mut self, head: [&str; 2], cells: impl IntoIterator<Item = String>) {
        self.heads.push(head.map(str::to_owned));
        self.rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
    }

    /// The heads, each on one line.
    pub fn heads(&self) -> Vec<String> {
        self.heads.iter().map(|[above, below]| format!("{above} {below}").trim().to_owned()).collect()
    }

    /// The cells, row by row.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// The table with aligned columns: two lines of heads, then a line for each row.
    pub fn text(&self) -> String {
        let width = |place: usize| {
            let heads = self.heads[place].iter();
            let cells = self.rows.iter().filter_map(|row| row.get(place));
            heads.chain(cells).map(|text| text.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..self.heads.len()).map(width).collect();
        let line = |cells: Vec<&str>| {
            let mut line = String::new();
            for (place, (cell, width)) in cells.into_iter().zip(&widths).enumerate() {
                match place {
                    0 => line += &format!("{cell:<width$}"),
                    _ => line += &format!("  {cell:>width$}"),
                }
            }
            line.trim_end().to_owned() + "\n"
        };
        let head = |half: usize| line(self.heads.iter().map(|head| head[half].as_str()).collect());
        let rows = self.rows.iter().map(|row| line(row.iter().map(String::as_str).collect()));
        [head(0), head(1)].into_iter().chain(rows).collect()
    }
}

fn shown_cell(column: &Column, fields: &Json) -> String {
    let value = &fields[column.name];
    match column.kind {
        _ if value.is_null() => MISSING.to_owned(),
        Kind::Text | Kind::Count | Kind::Exceptions | Kind::Hidden => in_full(value),
        Kind::Decimal => decimal(value.as_f64()),
        Kind::Share => percent(value.as_f64()),
        Kind::Mean(half_width) => {
            // 0 if the mean is exact.
            let uncertainty = match fields[half_width].as_f64() {
                Some(0.0) => String::new(),
                Some(half) => format!("{PLUS_MINUS}{half:.2}"),
                None => format!("{PLUS_MINUS}?"),
            };
            decimal(value.as_f64()) + &uncertainty
        }
    }
}

fn in_full(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Number(number) if number.is_f64() => csv::cell(number.as_f64()),
        Json::Null => String::new(),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi_lab::arena::experiments::evaluation_quality::QualityRow;
    use reversi_lab::arena::experiments::prune::SearchRow;
    use reversi_lab::arena::experiments::regret::{GamesRegret, GamesRow, MovesRow, Summary};
    use reversi_lab::arena::experiments::rules_of_thumb::{RuleRow, RuleWorth};
    use reversi_lab::arena::experiments::savings::CostRow;

    fn check<R: Row>(row: &R) {
        let fields = json(row);
        let names: Vec<&str> = fields.as_object().unwrap().keys().map(String::as_str).collect();
        let columns: Vec<&str> = R::COLUMNS.iter().map(|column| column.name).collect();
        assert_eq!(names, columns);
    }

    #[test]
    fn every_field_of_a_row_has_its_column() {
        check::<RuleRow>(&RuleWorth::default().row(false));
        check::<MovesRow>(&Summary::default().row(false));
        check::<GamesRow>(&GamesRegret::default().row(16));
        check(&CostRow { depth: 1, search: "minimax", nodes: 5, seconds: 0.5, runs: 3 });
        check(&SearchRow { search: "minimax", searches: 1, nodes: 5 });
        let (correlation, rank_correlation) = (None, Some(0.5));
        let (best_first, mean, half_width) = (Some(1.0), Some(2.0), Some(0.25));
        check(&QualityRow { positions: 3, correlation, rank_correlation, best_first, mean, half_width });
    }

    #[test]
    fn a_row_is_the_same_in_all_forms() {
        let row = CostRow { depth: 3, search: "minimax", nodes: 120, seconds: 0.25, runs: 7 };
        assert_eq!(
            csv_names::<CostRow>().collect::<Vec<_>>(),
            ["depth", "search", "nodes", "seconds", "runs"]
        );
        assert_eq!(csv_cells(&row), ["3", "minimax", "120", "0.25", "7"]);
        let mut sheet = Sheet::of("what", [("discs".to_owned(), row)]);
        sheet.add(["more", "here"], ["1".to_owned()]);
        assert_eq!(sheet.heads(), ["what", "depth", "search", "nodes", "seconds", "more here"]);
        let lines = [
            "                                       more",
            "what   depth   search  nodes  seconds  here",
            "discs      3  minimax    120     0.25     1",
        ];
        assert_eq!(sheet.text(), lines.join("\n") + "\n");
    }

    #[test]
    fn exceptions_are_shown_where_there_are_any() {
        let heads = |failures: u64| {
            let row = MovesRow { failures, ..Summary::default().row(false) };
            Sheet::of("player", [("a".to_owned(), Summary::default().row(false)), ("b".to_owned(), row)])
                .heads()
        };
        assert!(!heads(0).contains(&"FAILED".to_owned()) && heads(2).contains(&"FAILED".to_owned()));
    }
}
