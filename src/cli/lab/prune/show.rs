//! The output of `reversi lab prune`.

use super::{Checked, Outcome};
use crate::cli::choices::Named;
use crate::cli::columns::{self, Sheet};
use crate::cli::lab::files::{Lines, Printed};
use crate::cli::print::quoted;
use reversi_engine::experiment::Experiment;
use reversi_lab::arena::experiments::full_depth::WrongValue;
use reversi_lab::arena::experiments::prune::{
    Difference, PrunePlan, SMALL_BOARD_SQUARES, SearchRow, Variant,
};
use reversi_lab::arena::experiments::selective::{DEPTH, Selective};
use reversi_rules::{Board, Color, Geometry, Passing};
use serde_json::{Value as Json, json};
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

/// Most differences of a kind that are printed in full; JSON has all.
const SHOWN: usize = 3;

impl Outcome {
    fn boards(&self) -> HashSet<Geometry> {
        self.compared.iter().map(|(trial, _)| trial.geometry).collect()
    }

    /// How far it came before Ctrl-C, so that a part is not taken for a check of all.
    fn interruption(&self, all: &str) -> String {
        match self.interrupted {
            false => String::new(),
            true if self.done < self.asked => {
                format!("interrupted after {} of {all}\n", self.done)
            }
            true => format!("interrupted after all {all}, during the later searches\n"),
        }
    }
}

impl Checked {
    /// The deepest search on boards of at most 25 squares. A single position is searched as deep as was asked for.
    fn deepest_on_small_boards(&self) -> u32 {
        if self.asked.position.is_some() { self.plan.depth } else { self.plan.deepest_on_small_boards() }
    }

    /// The number of positions; for a single position the number of its cases, one for each evaluation and each goal.
    fn counted(&self, count: u64) -> String {
        match (&self.asked.position, count) {
            (None, _) => format!("{count} positions"),
            (Some(_), 1) => "1 case of evaluation and goal".to_owned(),
            (Some(_), _) => format!("{count} cases of evaluation and goal"),
        }
    }

    /// What was compared with minimax.
    fn compared(&self) -> String {
        let mut text = self.what_was_compared();
        for SearchRow { search, searches, nodes } in self.totals() {
            let _ = writeln!(text, "  {search:<14}{searches:>7} searches{nodes:>14} nodes");
        }
        text
    }

    fn what_was_compared(&self) -> String {
        let (plan, outcome) = (&self.plan, &self.outcome);
        let boards = outcome.boards();
        let evaluations: BTreeSet<&str> =
            outcome.compared.iter().map(|(trial, _)| trial.evaluation.name()).collect();
        let counted = self.counted(outcome.compared.len() as u64);
        if self.asked.position.is_some() {
            return format!("{counted}, depth {}, against plain minimax:\n", plan.depth);
        }
        format!(
            "{counted} of {} board{}, {} evaluation{}, {}, seed {}, against plain minimax:\n",
            boards.len(),
            if boards.len() == 1 { "" } else { "s" },
            evaluations.len(),
            if evaluations.len() == 1 { "" } else { "s" },
            Self::depths(plan, &boards),
            plan.seed
        )
    }

    fn depths(plan: &PrunePlan, boards: &HashSet<Geometry>) -> String {
        let deepest = boards.iter().map(|board| plan.deepest(*board)).max().unwrap_or_default();
        match plan.depth {
            depth if deepest <= depth => format!("depth 1 to {depth}"),
            depth => {
                format!("depth 1 to {depth}, on boards of at most {SMALL_BOARD_SQUARES} squares to {deepest}")
            }
        }
    }

    /// The command that shows this difference from minimax again.
    fn command(&self, trial: &Experiment, variant: Variant) -> String {
        self.command_with(trial, variant, &format!("--depth {}", trial.depth))
    }

    /// The command that shows this difference from the oracle again.
    fn end_command(&self, wrong_values: &WrongValue) -> String {
        self.command_with(&wrong_values.trial, wrong_values.variant, "--to-the-end")
    }

    fn command_with(&self, trial: &Experiment, variant: Variant, how: &str) -> String {
        let board = Board::from_position(trial.geometry, trial.position, Color::Black);
        let mut command = format!(
            "reversi lab prune --board {} --goal {} --eval {} --search {} {how} --position \"{board}\"",
            trial.geometry,
            trial.goal,
            trial.evaluation.name(),
            variant.name(),
        );
        if trial.passing == Passing::EndsGame {
            command += " --no-passing";
        }
        if let Some(data) = &self.asked.data {
            command += &format!(" --data {}", quoted(&data.display().to_string()));
        }
        if let Some(name) = self.asked.plant.map(Named::possible_value) {
            command += &format!(" --plant {}", name.get_name());
        }
        command
    }

    fn difference_json(&self, difference: &Difference) -> Json {
        let trial = &difference.trial;
        json!({
            "board": trial.geometry.to_string(),
            "goal": trial.goal.name(),
            "evaluation": trial.evaluation.name(),
            "depth": trial.depth,
            "position": written(trial),
            "search": difference.variant.name(),
            "expected": difference.expected.0,
            "expected_move": difference.expected.1.map(|mv| mv.to_string()),
            "found": difference.found.points,
            "found_move": difference.found.mv.to_string(),
            "worth": difference.worth,
            "command": self.command(trial, difference.variant),
        })
    }

    /// Searches and nodes of each variant.
    pub fn totals(&self) -> impl Iterator<Item = SearchRow> + '_ {
        let compared = || self.outcome.compared.iter().flat_map(|(_, compared)| compared);
        self.variants.iter().map(move |&variant| SearchRow::of(variant, compared()))
    }

    /// The totals as a table.
    pub fn sheet(&self) -> Sheet {
        Sheet::of("search", self.totals().map(|row| (row.search.to_owned(), row)))
    }

    /// Number of searches to the end of the game that found the oracle's score.
    pub fn to_the_end(&self) -> u64 {
        self.outcome.to_the_end
    }

    /// The changes made by the engine's probable cut-offs.
    pub fn selective(&self) -> &Selective {
        &self.outcome.selective
    }

    /// Number of searches that differ.
    pub fn difference_count(&self) -> usize {
        self.outcome.differences.len() + self.outcome.wrong_values.len()
    }

    /// The first difference on one line, with the command that shows it again.
    pub fn first_difference(&self) -> Option<String> {
        let Outcome { differences, wrong_values, .. } = &self.outcome;
        let from_minimax = differences.first().map(|difference| {
            let Difference { trial, variant, expected, found, worth } = difference;
            let points = number(found.points);
            let found = format!("{points} with {}, which is worth {worth}", found.mv);
            let right = match expected {
                (points, Some(mv)) => format!("{points} with {mv}"),
                (points, None) => points.to_string(),
            };
            one_line(trial, *variant, &found, &right, &self.command(trial, *variant))
        });
        let from_the_oracle = wrong_values.first().map(|wrong_values| {
            let WrongValue { trial, variant, score, found } = wrong_values;
            one_line(trial, *variant, &number(*found), &score.to_string(), &self.end_command(wrong_values))
        });
        from_minimax.or(from_the_oracle)
    }

    fn minimax_differences(&self) -> impl Iterator<Item = String> + '_ {
        self.outcome.differences.iter().map(|difference| {
            format!(
                "DIFFERENCE: {difference}\nagain with: {}",
                self.command(&difference.trial, difference.variant)
            )
        })
    }

    fn oracle_differences(&self) -> impl Iterator<Item = String> + '_ {
        self.outcome.wrong_values.iter().map(|wrong_values| {
            let found = number(wrong_values.found);
            let (score, variant) = (wrong_values.score, wrong_values.variant.name());
            let again = self.end_command(wrong_values);
            format!(
                "DIFFERENCE: the score is {score}, {variant} to the end finds {found}\nagain with: {again}"
            )
        })
    }
}

impl Printed for Checked {
    fn text(&self) -> String {
        let outcome = &self.outcome;
        let mut text = outcome.interruption(&self.counted(outcome.asked));
        if !self.asked.to_the_end {
            text += &self.compared();
        }
        if outcome.to_the_end > 0 && outcome.wrong_values.is_empty() {
            let _ = writeln!(
                text,
                "{} searches to the end of the game find the oracle's score",
                outcome.to_the_end
            );
        }
        text.push_str(&selective_in_words(&outcome.selective));
        for difference in self.minimax_differences().take(SHOWN).chain(self.oracle_differences().take(SHOWN))
        {
            let _ = writeln!(text, "\n{difference}");
        }
        let count = self.difference_count();
        let _ = match count {
            0 if outcome.interrupted => write!(text, "no difference in what was compared"),
            0 if outcome.selective.difference.count > 0 => {
                write!(text, "no difference between the searches that claim to be exact at their depth")
            }
            0 => write!(text, "no difference"),
            1 => write!(text, "1 difference"),
            _ => write!(text, "{count} differences"),
        };
        text
    }

    fn json(&self) -> Json {
        let (plan, outcome) = (&self.plan, &self.outcome);
        let searches: Vec<SearchRow> = self.totals().collect();
        let mut differences: Vec<Json> =
            outcome.differences.iter().map(|difference| self.difference_json(difference)).collect();
        differences.extend(outcome.wrong_values.iter().map(|wrong_values| {
            json!({
                "position": written(&wrong_values.trial),
                "search": wrong_values.variant.name(),
                "expected": wrong_values.score,
                "found": wrong_values.found,
                "command": self.end_command(wrong_values),
            })
        }));
        let positions = |count: u64| if self.asked.position.is_some() { count.min(1) } else { count };
        json!({
            "schema": "reversi.lab.prune/1",
            "positions": positions(outcome.compared.len() as u64),
            "positions_asked": positions(outcome.asked),
            "interrupted": outcome.interrupted,
            "boards": outcome.boards().len(),
            "depth": plan.depth,
            "depth_on_small_boards": self.deepest_on_small_boards(),
            "seed": plan.seed,
            "searches": searches,
            "to_the_end": outcome.to_the_end,
            "selective": outcome.selective.row(),
            "differences": differences,
        })
    }

    /// A line for each search, or if it has differences a line for each of them, with the command that shows it again.
    fn lines(&self) -> Lines {
        let names = columns::csv_names::<SearchRow>().chain(["difference".to_owned()]).collect();
        let line =
            |row: SearchRow, again: String| columns::csv_cells(&row).into_iter().chain([again]).collect();
        let totals = self.totals().map(|row| line(row, String::new()));
        let differences = self.outcome.differences.iter().map(|found| {
            let row = SearchRow { search: found.variant.name(), searches: 1, nodes: found.found.nodes };
            line(row, self.command(&found.trial, found.variant))
        });
        let wrong_values = self.outcome.wrong_values.iter().map(|found| {
            let search = found.variant.name().to_owned();
            vec![search, "1".to_owned(), String::new(), self.end_command(found)]
        });
        let lines = totals.chain(differences).chain(wrong_values);
        Lines { names, lines: lines.collect() }
    }
}

fn written(trial: &Experiment) -> String {
    Board::from_position(trial.geometry, trial.position, Color::Black).to_string()
}

fn number(points: Option<i64>) -> String {
    points.map_or("nothing".to_owned(), |points| points.to_string())
}

fn one_line(trial: &Experiment, variant: Variant, found: &str, right: &str, command: &str) -> String {
    let (search, position) = (variant.name(), written(trial));
    format!("DIFFERENCE: {search} at {position} finds {found}, and {right} is right; again with: {command}")
}

/// The cost of selective cut-offs. It counts as no difference: they only claim to be right with high probability.
fn selective_in_words(selective: &Selective) -> String {
    let count = selective.difference.count;
    let Some(mean) = selective.difference.mean() else { return String::new() };
    format!(
        "the engine's probable cut-offs at depth {DEPTH}, compared with its search without them: {} of {count} values \
         changed,\nby {mean:.2} discs on average over all {count} and by {:.2} at most; {} other moves, {} nodes \
         instead of {}\n",
        selective.changed,
        selective.difference.largest,
        selective.other_moves,
        selective.nodes,
        selective.all_nodes
    )
}

#[cfg(test)]
mod tests {
    use super::super::Prune;
    use super::*;
    use crate::cli::common::Output;
    use clap::{Args, FromArgMatches};

    fn checked(options: &[&str]) -> Checked {
        let command = Prune::augment_args(clap::Command::new("prune"));
        let matches = command.try_get_matches_from([&["prune"], options].concat()).unwrap();
        let prune = Prune::from_arg_matches(&matches).unwrap();
        prune.check(Output { json: false, quiet: true }).unwrap_or_else(|_| panic!("{options:?}"))
    }

    #[test]
    fn the_first_difference_is_named_with_its_command() {
        let options = ["--positions", "200", "--depth", "3", "--search", "alpha-beta"];
        assert_eq!(checked(&options).first_difference(), None);
        let flawed = checked(&[&options[..], &["--plant", "cut-off"]].concat());
        let difference = &flawed.outcome.differences[0];
        let said = flawed.first_difference().unwrap();
        let found = format!("finds {} with {}", difference.found.points.unwrap(), difference.found.mv);
        for part in ["DIFFERENCE: alpha-beta at ", &found, "; again with: reversi lab prune --board "] {
            assert!(said.contains(part), "{part} in {said}");
        }
        assert!(said.contains(&format!(" and {} with ", difference.expected.0)), "{said}");
    }
}
