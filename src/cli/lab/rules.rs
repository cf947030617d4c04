//! `reversi lab rules`: which rules of thumb hold under perfect play.

use super::files::{Files, Lines, Printed};
use super::sampling::{Sample, SampleOptions, nothing_measured, stage_name};
use crate::cli::chart::{Bar, Chart, Content};
use crate::cli::columns::{self, Sheet, decimal};
use crate::cli::common::Output;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::values::in_threads;
use crate::cli::{Exit, Failure};
use clap::Args;
use reversi_lab::arena::experiments::exact_scores::ExactScorer;
use reversi_lab::arena::experiments::rules_of_thumb::{self, RULES, RuleOfThumb, RuleRow, RuleWorth};
use reversi_lab::columns::Part;
use serde_json::Value as Json;
use std::fmt::Write;
use std::ops::RangeInclusive;

/// Measure what rules of thumb are worth against perfect play
///
/// A rule picks some of the legal moves. Wherever it picks some but not all, the discs that its moves give away are
/// compared with what any legal move gives away there.
#[derive(Args, Clone)]
#[command(after_help = "Examples:\n  reversi lab rules --board 4x4 --sample all\n  \
    reversi lab rules --goal reversed --positions 1000 --max-empties 14")]
pub struct RulesCommand {
    #[command(flatten)]
    pub sample: SampleOptions,
    #[command(flatten)]
    pub files: Files,
}

/// Rules with the value of following them at a sample.
pub struct MeasuredRules {
    pub sample: Sample,
    /// The most useful first.
    pub rules: Vec<(RuleOfThumb, RuleWorth)>,
}

impl RulesCommand {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let measured = self.measure_in_threads(output)?;
        let missing = measured.sample.missing();
        let written = self.files.write_unless(missing.is_some(), output, &measured, || measured.plots());
        self.files.tables.print(output, &measured);
        written.map(|()| if missing.is_some() { Exit::Interrupted } else { Exit::Done })
    }

    /// The results; after Ctrl-C those at the positions whose exact scores were found by then.
    pub fn measure_in_threads(&self, output: Output) -> Result<MeasuredRules, Failure> {
        in_threads(self.sample.threads, || self.measure(output))?
    }

    fn measure(&self, output: Output) -> Result<MeasuredRules, Failure> {
        self.sample.check()?;
        let (geometry, rules) = self.sample.board_and_rules()?;
        let scorer = ExactScorer::new(geometry, rules, &self.sample.resources())?;
        self.files.check(output)?;
        let sample = self.sample.draw(&scorer, &stop_on_ctrl_c(), output)?;
        if sample.known.is_empty() { Err(nothing_measured()) } else { Ok(MeasuredRules::of(sample)) }
    }
}

impl MeasuredRules {
    /// Applies all rules to a sample.
    pub fn of(sample: Sample) -> MeasuredRules {
        let measure = |rule| (rule, rules_of_thumb::measure(rule, &sample.known, sample.geometry, 0..=64));
        let mut rules: Vec<(RuleOfThumb, RuleWorth)> = RULES.into_iter().map(measure).collect();
        rules_of_thumb::by_gain(&mut rules);
        MeasuredRules { sample, rules }
    }

    /// The value of a rule in each stage.
    fn by_stage(&self, rule: RuleOfThumb) -> impl Iterator<Item = (RangeInclusive<u32>, RuleWorth)> {
        self.sample.stages().into_iter().map(move |stage| {
            let worth =
                rules_of_thumb::measure(rule, &self.sample.known, self.sample.geometry, stage.clone());
            (stage, worth)
        })
    }

    /// The figures of each rule at all positions.
    pub fn sheet(&self) -> Sheet {
        Sheet::of(
            "rule of thumb",
            self.rules
                .iter()
                .map(|(rule, worth)| (rule.words.to_owned(), worth.row(self.sample.is_census()))),
        )
    }

    fn plots(&self) -> Vec<(String, Chart)> {
        vec![("rules".to_owned(), rules_bars(std::slice::from_ref(self)))]
    }
}

/// Each rule under both goals, in the order in which rules are listed.
pub fn rules_bars(measured: &[MeasuredRules]) -> Chart {
    let board = measured.first().map_or(String::new(), |found| format!("{}: ", found.sample.geometry));
    let bars = RULES.iter().flat_map(|rule| {
        measured.iter().enumerate().filter_map(|(group, found)| {
            let (_, advice) = found.rules.iter().find(|(known, _)| known.words == rule.words)?;
            let goal = found.sample.rules.goal;
            let name = if group == 0 { format!("{}, {goal}", rule.words) } else { goal.to_string() };
            let gain = advice.gain()?;
            let half = if found.sample.is_census() { None } else { advice.half_width() };
            Some(Bar { name, value: gain, interval: half.map(|half| (gain - half, gain + half)), group })
        })
    });
    Chart {
        title: format!("{board}what following a rule of thumb saves"),
        across: "discs a move, against any legal move".to_owned(),
        up: String::new(),
        content: Content::Bars { bars: bars.collect() },
    }
}

impl Printed for MeasuredRules {
    fn text(&self) -> String {
        let mut text = self.sample.heading() + "\n";
        if let Some(missing) = self.sample.missing() {
            let _ = writeln!(text, "interrupted: {missing}");
        }
        let mut sheet = self.sheet();
        for stage in self.sample.stages() {
            let worth = |(rule, _): &(RuleOfThumb, RuleWorth)| {
                rules_of_thumb::measure(*rule, &self.sample.known, self.sample.geometry, stage.clone())
            };
            let gains = self.rules.iter().map(|rule| decimal(worth(rule).gain()));
            sheet.add(["saves", &stage_name(&stage)], gains);
        }
        let _ = write!(text, "\n{}", sheet.text());
        text.trim_end().to_owned()
    }

    /// All numbers, of the schema `reversi.lab.rules/1`.
    fn json(&self) -> Json {
        let rules: Vec<Json> = self
            .rules
            .iter()
            .map(|(rule, worth)| {
                let mut line = columns::json(&worth.row(self.sample.is_census()));
                line["rule"] = rule.words.into();
                let parts = self.by_stage(*rule).map(|(stage, worth)| {
                    columns::json(&Part {
                        row: worth.row(self.sample.is_census()),
                        empties: [*stage.start(), *stage.end()],
                    })
                });
                line["by_stage"] = parts.collect::<Vec<_>>().into();
                line
            })
            .collect();
        let mut json = self.sample.json_head("reversi.lab.rules/1", self.sample.missing().is_some());
        json["rules"] = rules.into();
        json
    }

    /// A line for each rule at all positions, and one for each stage.
    fn lines(&self) -> Lines {
        let names = ["board", "goal", "rule", "stage"].map(str::to_owned).into_iter();
        let line = |rule: &RuleOfThumb, stage: String, worth: &RuleWorth| {
            let Sample { geometry, rules, .. } = &self.sample;
            let place = [geometry.to_string(), rules.goal.to_string(), rule.words.to_owned(), stage];
            place.into_iter().chain(columns::csv_cells(&worth.row(self.sample.is_census()))).collect()
        };
        let lines = self.rules.iter().flat_map(|(rule, all)| {
            let parts =
                self.by_stage(*rule).map(move |(stage, worth)| line(rule, stage_name(&stage), &worth));
            std::iter::once(line(rule, "all".to_owned(), all)).chain(parts)
        });
        Lines { names: names.chain(columns::csv_names::<RuleRow>()).collect(), lines: lines.collect() }
    }
}
