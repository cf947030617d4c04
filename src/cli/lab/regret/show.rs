//! What was measured of players and evaluations, in words, as JSON, as a table and as plots.

use super::{Measured, PlayerMeasured};
use crate::cli::chart::Chart;
use crate::cli::csv;
use crate::cli::lab::charts;
use crate::cli::lab::files::Lines;
use reversi_lab::arena::experiments::evaluation_quality::{EvaluationQuality, QualitySummary};
use reversi_lab::arena::experiments::regret::{GamesRegret, Summary};
use reversi_lab::arena::statistics::Sum;
use serde_json::{Value as Json, json};
use std::fmt::Write;

impl Measured {
    /// All numbers, of the schema `reversi.lab.regret/1`.
    pub fn json(&self) -> Json {
        let players: Vec<Json> = self.players.iter().map(|player| player.json(self)).collect();
        let opinions: Vec<Json> =
            self.opinions.iter().map(|(name, quality)| opinion_json(name, quality, self)).collect();
        let mut json = self.sample.json_head("reversi.lab.regret/1", self.interrupted);
        json["players"] = players.into();
        json["evaluations"] = opinions.into();
        json["not_measured"] = self.not_measured.clone().into();
        json
    }

    /// A line for each position: its discs, its score, a best move, what each player lost there (nothing for an illegal
    /// move) and by which move, what each evaluation says of it in its own units, and what is lost by the move it ranks
    /// first.
    pub(super) fn lines(&self) -> Lines {
        let mut names = ["goal", "position", "empties", "score", "best"].map(str::to_owned).to_vec();
        for player in &self.players {
            names.extend([player.name.clone(), format!("{} plays", player.name)]);
        }
        for (name, _) in &self.opinions {
            names.extend([format!("{name} says"), format!("{name} loses")]);
        }
        let lines = (0..self.sample.known.len()).map(|place| self.line(place)).collect();
        Lines { names, lines }
    }

    fn line(&self, place: usize) -> Vec<String> {
        let known = &self.sample.known[place];
        let mut line = vec![
            self.sample.rules.goal.to_string(),
            known.game.board().to_string(),
            known.empties.to_string(),
            known.best.discs().to_string(),
            known.best_move().to_string(),
        ];
        for player in &self.players {
            let made = player.regret.moves[place];
            line.extend([csv::cell(made.discs.map(f64::from)), made.mv.to_string()]);
        }
        for (_, quality) in &self.opinions {
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
        if !self.opinions.is_empty() {
            plots.push(("evaluations".to_owned(), charts::opinion_lines(self)));
        }
        plots
    }

    /// Tables for people.
    pub fn text(&self) -> String {
        let mut text = self.sample.heading() + "\n";
        for missing in self.missing() {
            let _ = writeln!(text, "interrupted: {missing}");
        }
        if !self.players.is_empty() {
            text += &self.player_table();
        }
        if !self.opinions.is_empty() {
            text += &self.opinion_table();
        }
        text.trim_end().to_owned()
    }

    /// What Ctrl-C has left out.
    fn missing(&self) -> Vec<String> {
        let begun = self.players.iter().filter_map(|player| {
            let progress = player.progress.as_ref()?;
            Some(format!("{} {progress}", player.name))
        });
        let others = (!self.not_measured.is_empty())
            .then(|| format!("nothing was measured of {}", self.not_measured.join(", ")));
        self.sample.missing().into_iter().chain(begun).chain(others).collect()
    }

    fn player_table(&self) -> String {
        let mut text = format!(
            "\n{:<22}{:>12}{:>16}{:>7}{:>11}  lost by empty squares\n\
             {:<22}{:>12}{:>16}{:>7}{:>11}{}\n",
            "",
            "discs lost",
            "where there",
            "",
            "perfect",
            "player",
            "a move",
            "is a choice",
            "worst",
            "moves",
            self.sample.stage_heads(STAGE_WIDTH)
        );
        for player in &self.players {
            let _ = write!(text, "{:<22}{}", player.name, player.in_words());
            for stage in self.sample.stages() {
                let mean = player.regret.summary(stage).discs.mean();
                let _ = write!(text, "{:>STAGE_WIDTH$}", number(mean));
            }
            text.push('\n');
        }
        for player in &self.players {
            if let Some((empties, games)) = &player.games {
                let _ = writeln!(text, "{}: {}", player.name, games_in_words(*empties, games));
            }
            let illegal = player.regret.summary(0..=64).illegal;
            if illegal > 0 {
                let _ = writeln!(text, "{}: {illegal} illegal moves, which count nowhere else", player.name);
            }
        }
        text
    }

    fn opinion_table(&self) -> String {
        let mut text = format!(
            "\n{:<22}{:>11}{:>10}{:>12}{:>12}  of ranks, by empty squares\n\
             {:<22}{:>11}{:>10}{:>12}{:>12}{}\n",
            "",
            "correlation",
            "",
            "best move",
            "discs lost",
            "evaluation",
            "of values",
            "of ranks",
            "first",
            "a move",
            self.sample.stage_heads(STAGE_WIDTH)
        );
        for (name, quality) in &self.opinions {
            let _ = write!(text, "{name:<22}{}", quality_in_words(&quality.quality(0..=64)));
            for stage in self.sample.stages() {
                let correlation = quality.quality(stage).rank_correlation;
                let _ = write!(text, "{:>STAGE_WIDTH$}", number(correlation));
            }
            text.push('\n');
        }
        text
    }
}

/// Of a column of a stage of the game.
const STAGE_WIDTH: usize = 7;

fn games_in_words(empties: u32, games: &GamesRegret) -> String {
    let illegal = match games.illegal {
        0 => String::new(),
        count => format!("; {count} more ended with an illegal move"),
    };
    format!(
        "{} games against perfect play, {} different, from positions with {empties} empty squares: {} +- {} discs \
         lost a game, worst {}, {} without a loss of discs, {} that need not have been lost{illegal}",
        games.discs.count,
        games.different,
        number(games.discs.mean()),
        number(games.half_width()),
        games.discs.largest,
        games.perfect,
        games.thrown_away
    )
}

fn quality_in_words(quality: &QualitySummary) -> String {
    format!(
        "{:>11}{:>10}{:>10} %{:>12}",
        number(quality.correlation),
        number(quality.rank_correlation),
        percent(quality.best_first),
        number(quality.regret.mean()),
    )
}

/// Two decimals, or a dash where there is no number.
pub fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.2}"))
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1}", 100.0 * share))
}

impl PlayerMeasured {
    /// Half the width of the 95 % interval of a mean of its moves; `None` where the mean is exact.
    pub fn uncertainty(&self, sum: &Sum) -> Option<f64> {
        if self.is_exact { None } else { sum.half_width() }
    }

    /// Its moves at all positions.
    fn in_words(&self) -> String {
        let all = self.regret.summary(0..=64);
        let half = self.uncertainty(&all.discs).map(|half| format!(" +- {half:.2}"));
        format!(
            "{:>12}{:<8}{:>8}{:>7}{:>9} %",
            number(all.discs.mean()),
            half.unwrap_or_default(),
            number(all.with_choice.mean()),
            all.discs.largest,
            percent(all.perfect_share()),
        )
    }

    fn json(&self, measured: &Measured) -> Json {
        let of = |summary: &Summary| {
            json!({
                "moves": summary.discs.count,
                "mean": summary.discs.mean(),
                "half_width": if self.is_exact { Some(0.0) } else { summary.discs.half_width() },
                "worst": summary.discs.largest,
                "perfect": summary.perfect_share(),
                "illegal": summary.illegal,
                "moves_with_choice": summary.with_choice.count,
                "mean_with_choice": summary.with_choice.mean(),
            })
        };
        let by_empties: Vec<Json> = (1..=measured.sample.most_empties())
            .map(|empties| {
                let mut line = of(&self.regret.summary(empties..=empties));
                line["empties"] = empties.into();
                line
            })
            .collect();
        let mut all = of(&self.regret.summary(0..=64));
        all["player"] = self.name.as_str().into();
        all["by_empties"] = by_empties.into();
        all["games"] = self.games.as_ref().map_or(Json::Null, |(empties, games)| {
            json!({
                "empties": empties,
                "games": games.discs.count,
                "different": games.different,
                "mean": games.discs.mean(),
                "half_width": games.half_width(),
                "worst": games.discs.largest,
                "perfect": games.perfect,
                "thrown_away": games.thrown_away,
                "illegal": games.illegal,
            })
        });
        all
    }
}

fn opinion_json(name: &str, quality: &EvaluationQuality, measured: &Measured) -> Json {
    let of = |quality: &QualitySummary| {
        json!({
            "positions": quality.positions,
            "correlation": quality.correlation,
            "rank_correlation": quality.rank_correlation,
            "best_first": quality.best_first,
            "mean": quality.regret.mean(),
            "half_width": if measured.sample.is_census() { Some(0.0) } else { quality.regret.half_width() },
        })
    };
    let by_stage: Vec<Json> = measured
        .sample
        .stages()
        .into_iter()
        .map(|stage| {
            let mut line = of(&quality.quality(stage.clone()));
            line["empties"] = json!([stage.start(), stage.end()]);
            line
        })
        .collect();
    let mut all = of(&quality.quality(0..=64));
    all["evaluation"] = name.into();
    all["by_stage"] = by_stage.into();
    all
}
