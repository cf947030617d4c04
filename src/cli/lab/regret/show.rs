//! The results for players and evaluations, in words, as JSON, as a table and as plots.

use super::charts;
use super::{Measured, PlayerMeasured};
use crate::cli::chart::Chart;
use crate::cli::columns::{self, Sheet, decimal};
use crate::cli::csv;
use crate::cli::lab::files::{Lines, Printed};
use crate::cli::lab::sampling::stage_name;
use reversi_engine::GameMove;
use reversi_lab::arena::GameFault;
use reversi_lab::arena::experiments::evaluation_quality::EvaluationQuality;
use reversi_lab::arena::experiments::regret::{GamesRegret, MovesRow};
use reversi_lab::arena::statistics::Sum;
use reversi_lab::columns::Part;
use serde_json::Value as Json;
use std::fmt::Write;

impl Measured {
    fn line(&self, place: usize) -> Vec<String> {
        let known = &self.sample.known[place];
        let mut line = vec![
            self.sample.rules.goal.to_string(),
            known.game.board().to_string(),
            known.empties.to_string(),
            known.best.discs().to_string(),
            known.best_moves().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" "),
            known.game.size().to_string(),
            self.sample.rules.scoring.to_string(),
        ];
        for player in &self.players {
            let made = &player.regret.moves[place];
            let answer = made.mv.as_ref().map_or_else(GameFault::to_string, GameMove::to_string);
            line.extend([csv::cell(made.discs.map(f64::from)), answer]);
        }
        for (_, quality) in &self.evaluations {
            let (points, lost) = quality.at(place);
            line.extend([points.to_string(), lost.to_string()]);
        }
        line
    }

    pub(super) fn plots(&self) -> Vec<(String, Chart)> {
        let mut plots = Vec::new();
        if !self.players.is_empty() {
            plots.push(("players".to_owned(), charts::regret_bars(self)));
            plots.push(("players-by-empties".to_owned(), charts::regret_lines(self, &[])));
        }
        if !self.evaluations.is_empty() {
            plots.push(("evaluations".to_owned(), charts::evaluation_lines(self)));
        }
        plots
    }

    /// What is missing because of Ctrl-C.
    fn missing(&self) -> Vec<String> {
        let begun = self.players.iter().filter_map(|player| {
            let progress = player.progress.as_ref()?;
            Some(format!("{} {progress}", player.name))
        });
        let others = (!self.not_measured.is_empty())
            .then(|| format!("nothing was measured of {}", self.not_measured.join(", ")));
        self.sample.missing().into_iter().chain(begun).chain(others).collect()
    }

    /// The figures of each player at all positions.
    pub fn player_sheet(&self) -> Sheet {
        let row = |player: &PlayerMeasured| (player.name.clone(), player.row());
        Sheet::of("player", self.players.iter().map(row))
    }

    /// The figures of each evaluation at all positions.
    pub fn opinion_sheet(&self) -> Sheet {
        let is_exact = self.sample.is_census();
        let row = |(name, quality): &(&str, EvaluationQuality)| {
            ((*name).to_owned(), quality.quality(0..=64).row(is_exact))
        };
        Sheet::of("evaluation", self.evaluations.iter().map(row))
    }

    /// The figures of the games of each player that has played any.
    pub fn games_sheet(&self) -> Sheet {
        let row = |player: &PlayerMeasured| {
            let (empties, games) = player.games.as_ref()?;
            Some((player.name.clone(), games.row(*empties)))
        };
        Sheet::of("player", self.players.iter().filter_map(row))
    }

    fn player_table(&self) -> String {
        let mut sheet = self.player_sheet();
        for stage in self.sample.stages() {
            let mean = |player: &PlayerMeasured| player.regret.summary(stage.clone()).discs.mean();
            sheet.add(["lost", &stage_name(&stage)], self.players.iter().map(|player| decimal(mean(player))));
        }
        let mut text = format!("\n{}", sheet.text());
        for player in &self.players {
            if let Some((empties, games)) = &player.games {
                let _ = writeln!(text, "{}: {}", player.name, games_in_words(*empties, games));
            }
            if let Some(failures) = player.failures_in_words() {
                let _ = writeln!(text, "{}: {failures}", player.name);
            }
        }
        text
    }

    fn opinion_table(&self) -> String {
        let mut sheet = self.opinion_sheet();
        for stage in self.sample.stages() {
            let ranks = |(_, quality): &(&str, EvaluationQuality)| {
                decimal(quality.quality(stage.clone()).rank_correlation)
            };
            sheet.add(["ranks", &stage_name(&stage)], self.evaluations.iter().map(ranks));
        }
        format!("\n{}", sheet.text())
    }
}

impl Printed for Measured {
    /// The tables as text.
    fn text(&self) -> String {
        let mut text = self.sample.heading() + "\n";
        for missing in self.missing() {
            let _ = writeln!(text, "interrupted: {missing}");
        }
        if !self.players.is_empty() {
            text += &self.player_table();
        }
        if !self.evaluations.is_empty() {
            text += &self.opinion_table();
        }
        text.trim_end().to_owned()
    }

    /// All numbers, of the schema `reversi.lab.regret/1`.
    fn json(&self) -> Json {
        let players: Vec<Json> = self.players.iter().map(|player| player.json(self)).collect();
        let evaluations: Vec<Json> =
            self.evaluations.iter().map(|(name, quality)| evaluation_json(name, quality, self)).collect();
        let mut json = self.sample.json_head("reversi.lab.regret/1", self.interrupted);
        json["players"] = players.into();
        json["evaluations"] = evaluations.into();
        json["not_measured"] = self.not_measured.clone().into();
        json
    }

    /// A line for each position: its discs, its score, all best moves, board and rules. For each player, what it lost
    /// there (nothing for a failure) and by which move. For each evaluation, its value in its own units, and what is
    /// lost by the move that it ranks first.
    fn lines(&self) -> Lines {
        let names = ["goal", "position", "empties", "score", "best", "board", "scoring"];
        let mut names = names.map(str::to_owned).to_vec();
        for player in &self.players {
            names.extend([player.name.clone(), format!("{} plays", player.name)]);
        }
        for (name, _) in &self.evaluations {
            names.extend([format!("{name} says"), format!("{name} loses")]);
        }
        let lines = (0..self.sample.known.len()).map(|place| self.line(place)).collect();
        Lines { names, lines }
    }
}

fn games_in_words(empties: u32, games: &GamesRegret) -> String {
    let failed = match (games.illegal, games.unanswered) {
        (0, 0) => String::new(),
        (illegal, unanswered) => {
            format!(
                "; FAILED in {} more: {illegal} illegal moves, {unanswered} times no move",
                illegal + unanswered
            )
        }
    };
    let resigned = match games.resigned {
        0 => String::new(),
        count => format!("; {count} given up, which counts as lost with all discs"),
    };
    format!(
        "{} games against perfect play, {} different, from positions with {empties} empty squares: {} +- {} discs \
         lost a game, worst {}, {} without a loss of discs, {} that need not have been lost{resigned}{failed}",
        games.discs.count,
        games.different,
        decimal(games.discs.mean()),
        games.half_width().map_or("?".to_owned(), |half| decimal(Some(half))),
        games.discs.largest,
        games.perfect,
        games.thrown_away
    )
}

impl PlayerMeasured {
    /// Half the width of the 95 % interval of a mean of its moves; `None` if the mean is exact, or if the interval is
    /// unknown.
    pub fn uncertainty(&self, sum: &Sum) -> Option<f64> {
        if self.is_exact { None } else { sum.half_width() }
    }

    /// Whether the player made an illegal move, or none, at a position or in a game.
    pub(super) fn has_failed(&self) -> bool {
        let in_games = self.games.as_ref().is_some_and(|(_, games)| games.failures() > 0);
        in_games || self.regret.summary(0..=64).failures() > 0
    }

    fn failures_in_words(&self) -> Option<String> {
        let (fault, all) = (self.regret.first_failure()?, self.regret.summary(0..=64));
        Some(format!(
            "FAILED at {} of {} positions, which are left out of all means: {} illegal moves, {} times no move; the first: {fault}",
            all.failures(),
            self.regret.moves.len(),
            all.illegal,
            all.unanswered
        ))
    }

    /// Its moves at all positions.
    fn row(&self) -> MovesRow {
        self.regret.summary(0..=64).row(self.is_exact)
    }

    fn json(&self, measured: &Measured) -> Json {
        let by_empties = (1..=measured.sample.most_empties())
            .map(|empties| Part { row: self.regret.summary(empties..=empties).row(self.is_exact), empties });
        let mut all = columns::json(&self.row());
        all["player"] = self.name.as_str().into();
        all["first_failure"] = self.regret.first_failure().map(GameFault::to_string).into();
        all["by_empties"] = columns::json(&by_empties.collect::<Vec<_>>());
        all["games"] = columns::json(&self.games.as_ref().map(|(empties, games)| games.row(*empties)));
        all
    }
}

fn evaluation_json(name: &str, quality: &EvaluationQuality, measured: &Measured) -> Json {
    let is_exact = measured.sample.is_census();
    let by_stage = measured.sample.stages().into_iter().map(|stage| {
        let empties = [*stage.start(), *stage.end()];
        Part { row: quality.quality(stage).row(is_exact), empties }
    });
    let mut all = columns::json(&quality.quality(0..=64).row(is_exact));
    all["evaluation"] = name.into();
    all["by_stage"] = columns::json(&by_stage.collect::<Vec<_>>());
    all
}
