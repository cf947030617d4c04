//! What `reversi train` shows while it learns, and the JSON of its end.

use crate::cli::common::Output;
use crate::train::{DuelReport, ExamReport, GenerationReport, Plan, StageReport};
use serde::Serialize;
use std::time::Instant;

/// Prints progress on stderr, unless it is to be quiet.
pub(super) struct Show {
    pub started: Instant,
    pub output: Output,
}

impl Show {
    pub fn title(&self, plan: &Plan) {
        if self.output.quiet {
            return;
        }
        eprintln!("learning {} {}; errors in discs on positions held out", plan.geometry, plan.rules);
        eprintln!("generation  empties  positions  held out  error  error of 0  seconds");
    }

    pub fn stage(&self, stage: &StageReport) {
        if self.output.quiet {
            return;
        }
        eprintln!(
            "{:>10}  {:>2} - {:>2}  {:>9}  {:>8}  {:>5.2}  {:>10.2}  {:>7.1}",
            stage.generation,
            stage.empties.0,
            stage.empties.1,
            stage.positions,
            stage.held_out,
            stage.error,
            stage.error_of_zero,
            self.started.elapsed().as_secs_f64()
        );
    }

    pub fn generation(&self, report: &GenerationReport) {
        if self.output.quiet {
            return;
        }
        if !report.exam.is_empty() {
            eprintln!("generation {} against exact values, without any search:", report.generation);
            eprintln!("  empties  positions  error  best move ranked first");
        }
        for exam in &report.exam {
            let share = 100.0 * exam.best_first as f64 / exam.choices.max(1) as f64;
            let (from, to) = exam.empties;
            eprintln!("  {from:>2} - {to:>2}  {:>9}  {:>5.2}  {share:>20.0} %", exam.positions, exam.error);
        }
        if let Some(DuelReport { wins, draws, losses, discs }) = report.duel {
            let games = wins + draws + losses;
            let mean = f64::from(discs) / f64::from(games);
            eprintln!(
                "  against the weights before, both 3 plies deep: {wins} won, {draws} drawn, {losses} lost, \
                 {mean:+.1} discs a game"
            );
        }
    }
}

/// One generation in JSON.
#[derive(Serialize)]
pub(super) struct Generation {
    generation: u32,
    exam: Vec<Exam>,
    #[serde(rename = "match")]
    duel: Option<Duel>,
}

#[derive(Serialize)]
struct Exam {
    empties: [u32; 2],
    positions: usize,
    error: f64,
    choices: usize,
    best_first: usize,
}

#[derive(Serialize)]
struct Duel {
    wins: u32,
    draws: u32,
    losses: u32,
    discs: i32,
}

impl Generation {
    pub fn of(report: &GenerationReport) -> Generation {
        let exam = |exam: &ExamReport| Exam {
            empties: exam.empties.into(),
            positions: exam.positions,
            error: exam.error,
            choices: exam.choices,
            best_first: exam.best_first,
        };
        let duel = |duel: DuelReport| Duel {
            wins: duel.wins,
            draws: duel.draws,
            losses: duel.losses,
            discs: duel.discs,
        };
        Generation {
            generation: report.generation,
            exam: report.exam.iter().map(exam).collect(),
            duel: report.duel.map(duel),
        }
    }
}
