//! `reversi lab prune --gtp`: checks whether another program finds best moves where the exact scores are known.

use super::Prune;
use crate::cli::columns;
use crate::cli::common::Output;
use crate::cli::contestants::external;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::lab::files::{Lines, Printed};
use crate::cli::lab::sampling::nothing_measured;
use crate::cli::print::quoted;
use crate::cli::progress::Counter;
use crate::cli::values::{in_threads, parse_size};
use crate::cli::{Exit, Failure, csv};
use reversi_engine::{Game, GameMove, Resources};
use reversi_lab::arena::GameFault;
use reversi_lab::arena::experiments::exact_scores::{ExactScorer, ScoredPosition};
use reversi_lab::arena::experiments::regret::{self, MoveRegret, Regret};
use reversi_lab::arena::experiments::sample;
use reversi_rules::{Board, Geometry, Passing, Rules, Scoring, Start};
use reversi_solver::search::Stop;
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::slice;

const USUAL_POSITIONS: u64 = 200;
const USUAL_MOST_EMPTIES: u32 = 10;
const MOST_POSITIONS: u64 = 100_000;
/// Most differences of a program that are printed in full; JSON and CSV have all.
const SHOWN: usize = 10;

/// The answers of other programs.
struct CheckedPrograms {
    geometry: Geometry,
    rules: Rules,
    most_empties: u32,
    seed: u64,
    known: Vec<ScoredPosition>,
    /// By their commands.
    programs: Vec<(String, Regret)>,
    interrupted: bool,
}

/// A move that gives discs away, or an illegal or missing move.
#[derive(Serialize)]
struct Difference<'a> {
    position: String,
    game: String,
    empties: u32,
    score: i32,
    best: Vec<String>,
    plays: Option<String>,
    loses: Option<u32>,
    #[serde(skip)]
    fault: Option<&'a GameFault>,
    failure: Option<String>,
}

impl Prune {
    /// Lets each program move at positions whose scores are known.
    ///
    /// # Errors
    /// A board or a program that cannot be used, Ctrl-C before a move was made.
    pub(super) fn run_programs(&self, output: Output) -> Result<Exit, Failure> {
        self.tables.check(output)?;
        let checked = in_threads(self.threads, || self.check_programs(output))??;
        let written = self.tables.write_unless(checked.interrupted, output, &checked);
        self.tables.print(output, &checked);
        written.map(|()| checked.exit())
    }

    fn check_programs(&self, output: Output) -> Result<CheckedPrograms, Failure> {
        let geometry = parse_size(self.board.as_deref().unwrap_or("6x6"))?;
        let rules =
            Rules::new(self.goal.unwrap_or_default(), Scoring::usual(geometry.width(), geometry.height()));
        let first = Game::new(Board::start(geometry, Start::Diagonal).into(), rules, Passing::Allowed);
        let (resources, stop) = (self.resources(), stop_on_ctrl_c());
        let programs = self.gtp.iter().map(|command| external(command, self.patience));
        let programs = programs.collect::<Result<Vec<_>, _>>()?;
        for program in &programs {
            if !program.is_ready_for(slice::from_ref(&first), &resources, &stop)? {
                return Err(nothing_measured());
            }
        }
        let most_empties = self.max_empties.unwrap_or(USUAL_MOST_EMPTIES);
        let known = self.known(&first, geometry, rules, &resources, &stop, output)?;
        let mut answers = Vec::new();
        for (command, program) in self.gtp.iter().zip(&programs) {
            let counter = Counter::new(output, command, known.len() as u64, 0);
            let moves = regret::of_player(&known, program, &resources, self.seed, &stop, || counter.inc())?;
            answers.push((command.clone(), moves));
        }
        let interrupted = stop.is_set();
        if interrupted && answers.iter().all(|(_, moves)| moves.moves.is_empty()) {
            return Err(nothing_measured());
        }
        let seed = self.seed;
        Ok(CheckedPrograms { geometry, rules, most_empties, seed, known, programs: answers, interrupted })
    }

    /// Positions of random games with the scores of all their moves.
    fn known(
        &self,
        first: &Game,
        geometry: Geometry,
        rules: Rules,
        resources: &Resources,
        stop: &Stop,
        output: Output,
    ) -> Result<Vec<ScoredPosition>, Failure> {
        let count = self.positions.unwrap_or(USUAL_POSITIONS);
        if count > MOST_POSITIONS {
            let message = format!("--positions: at most {MOST_POSITIONS} with --gtp");
            return Err(Failure::usage("usage", message));
        }
        let most = self.max_empties.unwrap_or(USUAL_MOST_EMPTIES);
        let games = sample::random(first, most, count as usize, self.seed);
        let counter = Counter::new(output, "exact scores", games.len() as u64, 0);
        let scorer = ExactScorer::new(geometry, rules, resources)?;
        Ok(scorer.of_all(games, stop, || counter.inc())?)
    }
}

impl CheckedPrograms {
    fn exit(&self) -> Exit {
        let is_wrong =
            |(_, moves): &(String, Regret)| self.differences(moves).any(|found| found.fault.is_none());
        let has_failed = |(_, moves): &(String, Regret)| moves.first_failure().is_some();
        match () {
            () if self.programs.iter().any(is_wrong) => Exit::Difference,
            () if self.programs.iter().any(has_failed) => Exit::Failed,
            () if self.interrupted => Exit::Interrupted,
            () => Exit::Done,
        }
    }

    fn differences<'a>(&'a self, moves: &'a Regret) -> impl Iterator<Item = Difference<'a>> {
        let all = self.known.iter().zip(&moves.moves);
        all.filter(|(_, made)| made.discs != Some(0)).map(|(known, made)| difference(known, made))
    }

    fn heading(&self) -> String {
        let CheckedPrograms { geometry, rules, most_empties, seed, known, .. } = self;
        format!(
            "{geometry}, {rules}: {} positions of random games with at most {most_empties} empty squares, seed {seed}",
            known.len()
        )
    }

    fn program_text(&self, command: &str, moves: &Regret) -> String {
        let summary = moves.summary(0..=64);
        let (asked, failures) = (moves.moves.len(), summary.failures());
        let mut text = format!("\n{command}: a best move at {} of {asked} positions", summary.perfect);
        let worse = summary.discs.count - summary.perfect;
        if worse > 0 {
            let _ = write!(text, "; {worse} moves give discs away, at most {}", summary.discs.largest);
        }
        if failures > 0 {
            let _ = write!(
                text,
                "; FAILED at {failures}: {} illegal moves, {} times no move",
                summary.illegal, summary.unanswered
            );
        }
        text.push('\n');
        for found in self.differences(moves).take(SHOWN) {
            let _ = writeln!(text, "{}", self.in_words(&found));
        }
        let more = self.differences(moves).count().saturating_sub(SHOWN);
        if more > 0 {
            let _ = writeln!(text, "... and {more} more; --format csv lists all");
        }
        text
    }

    fn in_words(&self, found: &Difference) -> String {
        let Difference { position, score, best, .. } = found;
        let did = match (&found.plays, found.loses, &found.failure) {
            (Some(mv), Some(lost), _) => format!("plays {mv}, which loses {lost}"),
            (.., failure) => format!("fails: {}", failure.as_deref().unwrap_or("no move")),
        };
        let goal = if self.rules.goal.name() == "normal" {
            String::new()
        } else {
            format!(" --goal {}", self.rules.goal)
        };
        format!(
            "DIFFERENCE: {did}; best {} with {score:+}\nagain with: reversi query --board {}{goal} --position {}",
            best.join(" "),
            self.geometry,
            quoted(position)
        )
    }
}

fn difference<'a>(known: &ScoredPosition, made: &'a MoveRegret) -> Difference<'a> {
    let fault = made.mv.as_ref().err();
    Difference {
        position: known.game.board().to_string(),
        game: known.game.transcript(),
        empties: known.empties,
        score: known.best.discs(),
        best: known.best_moves().map(|mv| mv.to_string()).collect(),
        plays: made.mv.as_ref().ok().map(GameMove::to_string),
        loses: made.discs,
        fault,
        failure: fault.map(GameFault::to_string),
    }
}

impl Printed for CheckedPrograms {
    fn text(&self) -> String {
        let mut text = self.heading() + "\n";
        if self.interrupted {
            text.push_str("interrupted: not every program has moved at every position\n");
        }
        for (command, moves) in &self.programs {
            text += &self.program_text(command, moves);
        }
        text.trim_end().to_owned()
    }

    fn json(&self) -> Json {
        let program = |(command, moves): &(String, Regret)| {
            let summary = moves.summary(0..=64);
            json!({
                "player": command,
                "positions": moves.moves.len(),
                "perfect": summary.perfect,
                "failures": summary.failures(),
                "illegal": summary.illegal,
                "unanswered": summary.unanswered,
                "differences": columns::json(&self.differences(moves).collect::<Vec<_>>()),
            })
        };
        json!({
            "schema": "reversi.lab.prune.gtp/1",
            "board": self.geometry.to_string(),
            "goal": self.rules.goal.name(),
            "scoring": self.rules.scoring.name(),
            "positions": self.known.len(),
            "max_empties": self.most_empties,
            "seed": self.seed,
            "interrupted": self.interrupted,
            "players": self.programs.iter().map(program).collect::<Vec<_>>(),
        })
    }

    /// A line for each program and position.
    fn lines(&self) -> Lines {
        let place = ["board", "goal", "scoring"];
        let names = ["player", "position", "game", "empties", "score", "best", "plays", "loses"];
        let names = names.into_iter().chain(place);
        let line = |command: &String, known: &ScoredPosition, made: &MoveRegret| {
            let found = difference(known, made);
            vec![
                command.clone(),
                found.position,
                found.game,
                found.empties.to_string(),
                found.score.to_string(),
                found.best.join(" "),
                found.plays.or(found.failure).unwrap_or_default(),
                csv::cell(found.loses.map(f64::from)),
                self.geometry.to_string(),
                self.rules.goal.to_string(),
                self.rules.scoring.to_string(),
            ]
        };
        let lines = self.programs.iter().flat_map(|(command, moves)| {
            self.known.iter().zip(&moves.moves).map(move |(known, made)| line(command, known, made))
        });
        Lines { names: names.map(str::to_owned).collect(), lines: lines.collect() }
    }
}
