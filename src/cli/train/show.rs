//! The results of `reversi train` during training, and the JSON at its end.

use crate::cli::common::Output;
use crate::cli::print::{print_line, print_remark};
use reversi_lab::train::{DuelReport, ExamReport, GenerationReport, StageReport, TrainingPlan};
use serde::Serialize;
use std::time::Instant;

/// Prints the results during training, and keeps them for the JSON.
pub(super) struct Show {
    pub started: Instant,
    pub output: Output,
    /// Stages of the generation that is being learned.
    stages: Vec<StageReport>,
    generations: Vec<Generation>,
}

impl Show {
    pub fn new(output: Output) -> Show {
        Show { started: Instant::now(), output, stages: Vec::new(), generations: Vec::new() }
    }

    /// All generations that are done.
    pub fn generations(self) -> Vec<Generation> {
        self.generations
    }

    /// A line of results. With JSON it goes to stderr and only shows progress.
    fn found(&self, line: &str) {
        if !self.output.json {
            print_line(line);
        } else if !self.output.quiet {
            print_remark(line);
        }
    }

    pub fn title(&self, plan: &TrainingPlan) {
        if !self.output.quiet {
            print_remark(format_args!(
                "learning {} {}; errors in discs on held-out positions, all weighted equally",
                plan.geometry, plan.rules
            ));
        }
        self.found("generation  empties  positions  held out  error  error of 0  seconds");
    }

    pub fn stage(&mut self, stage: &StageReport) {
        self.found(&format!(
            "{:>10}  {:>2} - {:>2}  {:>9}  {:>8}  {:>5}  {:>10}  {:>7.1}",
            stage.generation,
            stage.empties.0,
            stage.empties.1,
            stage.positions,
            stage.held_out,
            known(stage.error, 2),
            known(stage.error_of_zero, 2),
            self.started.elapsed().as_secs_f64()
        ));
        self.stages.push(*stage);
    }

    pub fn generation(&mut self, report: &GenerationReport) {
        if !report.exam.is_empty() {
            self.found(&format!(
                "generation {} against exact values, without any search:",
                report.generation
            ));
            self.found("  empties  positions  error  best move ranked first");
        }
        for exam in &report.exam {
            let share = (exam.choices > 0).then(|| 100.0 * exam.best_first as f64 / exam.choices as f64);
            let (from, to) = exam.empties;
            let (positions, error) = (exam.positions, exam.error);
            self.found(&format!(
                "  {from:>2} - {to:>2}  {positions:>9}  {error:>5.2}  {:>20} %",
                known(share, 0)
            ));
        }
        if let Some(DuelReport { wins, draws, losses, discs }) = report.duel {
            let games = wins + draws + losses;
            let mean = f64::from(discs) / f64::from(games);
            self.found(&format!(
                "  against the previous weights, both 3 plies deep: {wins} won, {draws} drawn, {losses} lost, \
                 {mean:+.1} discs a game"
            ));
        }
        let stages = std::mem::take(&mut self.stages);
        let GenerationReport { generation, ref exam, duel } = *report;
        self.generations.push(Generation { generation, stages, exam: exam.clone(), duel });
    }
}

/// A number, or a dash if there is none.
fn known(number: Option<f64>, decimals: usize) -> String {
    number.map_or("-".to_owned(), |number| format!("{number:.decimals$}"))
}

/// One generation in JSON.
#[derive(Serialize)]
pub(super) struct Generation {
    generation: u32,
    stages: Vec<StageReport>,
    exam: Vec<ExamReport>,
    #[serde(rename = "match")]
    duel: Option<DuelReport>,
}
