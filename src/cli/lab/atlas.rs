//! `reversi lab atlas`: the values of the starts of boards, as far as they are known.

use super::files::{Files, Lines, Printed};
use crate::cli::chart::{Chart, Content, Series};
use crate::cli::columns;
use crate::cli::common::Output;
use crate::cli::{Exit, Failure};
use crate::json;
use clap::Args;
use reversi_lab::atlas::{StartRow, StartValue, start_values};
use reversi_rules::{Geometry, Goal, Scoring, Start};
use serde_json::Value as Json;

/// List the known values of the starts of boards under perfect play, and who found them
///
/// These facts ship with the program; nothing is searched. `reversi solve --board SIZE` computes a value again.
#[derive(Args)]
#[command(after_help = "Examples:\n  reversi lab atlas --board 5x8\n  \
    reversi lab atlas --format csv\n  reversi lab atlas --plots /tmp/plots")]
pub struct Atlas {
    /// Only this board, columns x rows
    #[arg(long, value_name = "SIZE")]
    board: Option<Geometry>,
    #[command(flatten)]
    files: Files,
}

impl Atlas {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        self.files.check(output)?;
        let is_asked = |known: &&StartValue| self.board.is_none_or(|board| board == known.geometry);
        let values = Values(start_values().iter().filter(is_asked).collect());
        self.files
            .write_unless(false, output, &values, || vec![("start-values".to_owned(), values.chart())])?;
        self.files.tables.print(output, &values);
        Ok(Exit::Done)
    }
}

struct Values(Vec<&'static StartValue>);

impl Values {
    /// The scores of both goals against the number of squares.
    fn chart(&self) -> Chart {
        let series = Goal::ALL.map(|goal| {
            // A board and its transpose have the same value.
            let is_drawn = |known: &&&StartValue| {
                known.geometry == known.geometry.upright()
                    && (known.start, known.rules.goal, known.rules.scoring)
                        == (Start::Diagonal, goal, Scoring::Raw)
            };
            let point = |known: &&StartValue| {
                (f64::from(known.geometry.square_count()), f64::from(known.score.discs()))
            };
            let points = self.0.iter().filter(is_drawn).map(point).collect();
            Series { name: format!("{goal} goal"), points }
        });
        Chart {
            title: "What Black, who moves first, is worth with perfect play (diagonal start, raw)".to_owned(),
            across: "squares of the board".to_owned(),
            up: "discs".to_owned(),
            content: Content::Lines { series: series.into(), logarithmic: false, range: None },
        }
    }
}

impl Printed for Values {
    fn text(&self) -> String {
        if self.0.is_empty() {
            return "no start value is recorded for this board".to_owned();
        }
        let row = |known: &&StartValue| {
            let StartValue { geometry, start, rules, score, source, .. } = known;
            let (goal, scoring) = (rules.goal.name(), rules.scoring.name());
            format!("{geometry:<6} {start:<9} {goal:<9} {scoring:<7} {score:>5}  {source}")
        };
        let head = format!(
            "{:<6} {:<9} {:<9} {:<7} {:>5}  {}",
            "board", "start", "goal", "scoring", "Black", "source"
        );
        std::iter::once(head).chain(self.0.iter().map(row)).collect::<Vec<_>>().join("\n")
    }

    /// Everything, in the schema `reversi.atlas/1`.
    fn json(&self) -> Json {
        json::atlas(self.0.iter().copied())
    }

    fn lines(&self) -> Lines {
        let rows = self.0.iter().map(|known| columns::csv_cells(&known.row()));
        Lines { names: columns::csv_names::<StartRow>().collect(), lines: rows.collect() }
    }
}
