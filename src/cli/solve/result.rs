//! The results of `solve`, as text and as JSON.

use reversi_rules::{Board, Move, Rules, Score};
use reversi_solver::search::{BestMoves, Proved};
use serde_json::{Value as Json, json};
use std::cmp::Ordering;

/// How a game ends for a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Win,
    Draw,
    Loss,
}

impl Outcome {
    pub fn of(score: Score) -> Outcome {
        match score.cmp(&Score::DRAW) {
            Ordering::Greater => Outcome::Win,
            Ordering::Equal => Outcome::Draw,
            Ordering::Less => Outcome::Loss,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
        }
    }
}

/// The result for one position, complete or partial.
pub struct Solved {
    board: Board,
    rules: Rules,
    lower: Score,
    upper: Score,
    /// Whether everything asked for was found.
    pub complete: bool,
    pub best: Vec<Move>,
    pub line: Option<Vec<Move>>,
    /// Whether the line, if one is requested, was found to its end.
    pub line_complete: bool,
    pub nodes: u64,
    pub nodes_as_edax: u64,
    pub seconds: f64,
}

impl Solved {
    pub fn new(board: Board, rules: Rules) -> Solved {
        let most = Score::new(board.geometry.square_count() as i32);
        Solved {
            board,
            rules,
            lower: -most,
            upper: most,
            complete: false,
            best: Vec::new(),
            line: None,
            line_complete: true,
            nodes: 0,
            nodes_as_edax: 0,
            seconds: 0.0,
        }
    }

    pub fn note(&mut self, proved: Proved) {
        self.lower = self.lower.max(proved.lower);
        self.upper = self.upper.min(proved.upper);
        self.best = proved.best.into_iter().collect();
        self.nodes = proved.nodes;
        self.nodes_as_edax = proved.nodes_as_edax;
    }

    pub fn note_all_best(&mut self, best: BestMoves) {
        self.best = best.moves;
        self.nodes += best.nodes;
        self.nodes_as_edax += best.nodes_as_edax;
    }

    /// The exact score, where it is known.
    pub fn score(&self) -> Option<Score> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// How the game ends for the side to move, where that is known.
    pub fn outcome(&self) -> Option<Outcome> {
        let (least, most) = (Outcome::of(self.lower), Outcome::of(self.upper));
        (least == most).then_some(least)
    }

    fn finished(&self) -> bool {
        self.board.position().is_over(self.board.geometry)
    }

    /// The score, or its bounds.
    pub fn score_text(&self) -> String {
        match (self.score(), self.outcome()) {
            (Some(score), _) => score.to_string(),
            (None, Some(outcome)) => format!("{} ({} to {})", outcome.name(), self.lower, self.upper),
            (None, None) => format!("{} to {}", self.lower, self.upper),
        }
    }

    pub fn best_text(&self) -> String {
        match self.best.as_slice() {
            [] if self.finished() => "game over".to_owned(),
            [] => "?".to_owned(),
            moves => moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" "),
        }
    }

    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.seconds.max(1e-9)
    }

    pub fn to_text(&self) -> String {
        let position = self.board.position();
        let mut text = self.board.drawing();
        text += &format!(
            "{} to move, {} empties, {} goal, {} scoring\n",
            self.board.to_move,
            position.empty_count(self.board.geometry),
            self.rules.goal,
            self.rules.scoring
        );
        if !self.complete {
            text += "Not finished; proved so far:\n";
        }
        text += &format!("score  {}\nbest   {}\n", self.score_text(), self.best_text());
        if let Some(line) = &self.line {
            let moves = line.iter().map(Move::to_string).collect::<Vec<_>>().join(" ");
            let end = if self.line_complete { "" } else { " (as far as time allowed)" };
            text += &format!("line   {moves}{end}\n");
        }
        text +=
            &format!("{} nodes, {:.3} s, {:.0} nodes/s\n", self.nodes, self.seconds, self.nodes_per_second());
        text
    }

    pub fn to_json(&self) -> Json {
        let words = |moves: &[Move]| moves.iter().map(Move::to_string).collect::<Vec<_>>();
        let mut object = json!({
            "schema": "reversi.solve/1",
            "board": self.board.geometry.to_string(),
            "goal": self.rules.goal.name(),
            "scoring": self.rules.scoring.name(),
            "position": self.board.to_string(),
        });
        match self.score() {
            Some(score) => object["score"] = score.discs().into(),
            None => {
                object["lower"] = self.lower.discs().into();
                object["upper"] = self.upper.discs().into();
            }
        }
        if let Some(outcome) = self.outcome() {
            object["outcome"] = outcome.name().into();
        }
        object["complete"] = self.complete.into();
        object["best"] = words(&self.best).into();
        if let Some(line) = &self.line {
            object["line"] = words(line).into();
            object["line_complete"] = self.line_complete.into();
        }
        if self.finished() {
            object["finished"] = true.into();
        }
        object["nodes"] = self.nodes.into();
        object["nodes_as_edax"] = self.nodes_as_edax.into();
        object["seconds"] = self.seconds.into();
        object
    }
}
