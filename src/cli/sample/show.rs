//! A position with its scores as a line of a file.

use super::Format;
use crate::cli::csv;
use reversi_engine::GameMove;
use reversi_lab::arena::experiments::exact_scores::ScoredPosition;
use reversi_rules::{Rules, Score, Start};
use serde_json::json;

/// The text before the first line.
pub(super) fn head(format: Format, rules: Rules) -> Option<String> {
    match format {
        Format::Obf => Some(format!("% goal={} scoring={}", rules.goal, rules.scoring)),
        Format::Csv => {
            let columns =
                ["position", "empties", "score", "best", "moves", "game", "board", "goal", "scoring"];
            Some(csv::line(&columns.map(str::to_owned)))
        }
        Format::Json => None,
    }
}

pub(super) fn line(format: Format, number: u32, known: &ScoredPosition) -> String {
    let (position, moves) = (known.game.board().to_string(), known.best_first());
    match format {
        Format::Obf => {
            let scored: Vec<String> = moves.iter().map(|(mv, score)| format!(" {mv}:{score};")).collect();
            format!("{position};{}", scored.concat())
        }
        Format::Csv => csv::line(&[
            position,
            known.empties.to_string(),
            known.best.discs().to_string(),
            names(known).join(" "),
            moves.iter().map(in_words).collect::<Vec<_>>().join(" "),
            known.game.transcript(),
            known.game.size().to_string(),
            known.game.rules().goal.to_string(),
            known.game.rules().scoring.to_string(),
        ]),
        Format::Json => {
            let scored =
                moves.iter().map(|(mv, score)| json!({"move": mv.to_string(), "score": score.discs()}));
            json!({
                "schema": "reversi.sample/1",
                "board": known.game.size().to_string(),
                "goal": known.game.rules().goal.name(),
                "scoring": known.game.rules().scoring.name(),
                "position": position,
                "empties": known.empties,
                "score": known.best.discs(),
                "best": names(known),
                "moves": scored.collect::<Vec<_>>(),
                "start": known.game.first_board().as_start().map(Start::name),
                "game": known.game.transcript(),
                "number": number,
            })
            .to_string()
        }
    }
}

fn names(known: &ScoredPosition) -> Vec<String> {
    known.best_moves().map(|mv| mv.to_string()).collect()
}

fn in_words((mv, score): &(GameMove, Score)) -> String {
    format!("{mv}:{score}")
}
