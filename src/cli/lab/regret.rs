//! `reversi lab regret`: what players and evaluations give away.

use super::charts;
use super::files::{Files, Lines};
use super::sampling::{Sample, SampleOptions};
use crate::arena::Contestant;
use crate::arena::lab::judgement::{Judgement, Quality, stages};
use crate::arena::lab::regret::{self, GamesError, GamesRegret, Regret, Summary};
use crate::arena::lab::truth::Truth;
use crate::arena::openings;
use crate::cli::chart::Chart;
use crate::cli::common::{Output, in_threads};
use crate::cli::csv;
use crate::cli::games::{ContestantOptions, at_least_one};
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::print::print_line;
use crate::cli::progress::Counter;
use crate::cli::{Exit, Failure};
use crate::engine::Game;
use crate::engine::trial::Opinion;
use crate::rules::{Geometry, Rules};
use clap::Args;
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// Measure what players give away against perfect play, and how well evaluations judge
///
/// At each position of a sample the exact score of every move is found; then each player moves there
/// once. What its move is worth less than the best one is its regret. Evaluations are compared with the
/// exact scores, and by the move they rank first.
#[derive(Args, Clone)]
#[command(after_help = "Examples:\n  \
    reversi lab regret random first perfect --board 4x4 --sample all\n  \
    reversi lab regret engine:level=4 corners-moves-tokens --positions 200 --games 10\n  \
    reversi lab regret --eval all --goal reversed --positions 500\n  \
    reversi lab regret --gtp \"gtp-rhino\" --board 6x6 --max-empties 12")]
pub struct RegretCommand {
    #[command(flatten)]
    contestants: ContestantOptions,
    /// An evaluation, or all; may be given several times
    #[arg(long, value_name = "NAME")]
    pub eval: Vec<String>,
    #[command(flatten)]
    pub sample: SampleOptions,
    /// Play so many openings to the end against the perfect player too, twice each with sides swapped
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=100_000))]
    pub games: u32,
    /// With --games: begin after so many random moves [default: as many as leave --max-empties squares empty, at
    /// least 2]
    #[arg(long, value_name = "PLIES", requires = "games")]
    pub opening_plies: Option<u32>,
    #[command(flatten)]
    pub files: Files,
}

/// What was measured.
pub struct Measured {
    pub sample: Sample,
    pub players: Vec<PlayerMeasured>,
    pub opinions: Vec<(&'static str, Judgement)>,
}

/// What was measured of a player.
pub struct PlayerMeasured {
    pub name: String,
    pub regret: Regret,
    /// Whole games, and how many squares are empty where they begin.
    pub games: Option<(u32, GamesRegret)>,
}

impl RegretCommand {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let Some(measured) = self.measure_in_threads(output)? else {
            return Ok(Exit::Interrupted);
        };
        let written = self.files.write(|| measured.lines(), || measured.plots());
        print_line(if output.json { measured.json().to_string() } else { measured.text() });
        written.map(|()| Exit::Done)
    }

    /// `None` after Ctrl-C.
    pub fn measure_in_threads(&self, output: Output) -> Result<Option<Measured>, Failure> {
        in_threads(self.sample.threads, || self.measure(output))?
    }

    fn measure(&self, output: Output) -> Result<Option<Measured>, Failure> {
        let (geometry, rules) = self.sample.board_and_rules()?;
        let contestants = self.contestants.read()?;
        let opinions = self.opinions(geometry, rules)?;
        if contestants.is_empty() && opinions.is_empty() {
            let message = "name a player, a program with --gtp, or an evaluation with --eval";
            return Err(Failure::usage("bad-player", message));
        }
        let equipment = self.sample.equipment();
        let truth = Truth::new(geometry, rules, &equipment)?;
        if self.games > 0 {
            regret::opponent(&equipment).supports(geometry.into(), rules.goal)?;
        }
        let stop = stop_on_ctrl_c();
        for (_, contestant) in &contestants {
            if !contestant.is_ready_for(&self.sample.first()?, &equipment, &stop)? {
                return Ok(None);
            }
        }
        self.files.check()?;
        let Some(sample) = self.sample.draw(&truth, &stop, output)? else { return Ok(None) };
        let mut players = Vec::new();
        for (name, contestant) in contestants {
            let Some(measured) = self.measure_player(name, &contestant, &sample, &truth, output)? else {
                return Ok(None);
            };
            players.push(measured);
        }
        let judged = |opinion: &Opinion| Judgement::of(&sample.known, opinion, geometry, rules.goal);
        let opinions = opinions.iter().map(|opinion| (opinion.name(), judged(opinion))).collect();
        Ok(Some(Measured { sample, players, opinions }))
    }

    fn measure_player(
        &self,
        name: String,
        contestant: &Contestant,
        sample: &Sample,
        truth: &Truth,
        output: Output,
    ) -> Result<Option<PlayerMeasured>, Failure> {
        let (stop, seed, equipment) = (stop_on_ctrl_c(), self.sample.seed, self.sample.equipment());
        let openings = self.openings()?;
        let counter = Counter::new(output, &name, (sample.known.len() + 2 * openings.len()) as u64, 0);
        let on_each = || counter.inc();
        let moves = regret::of_player(&sample.known, contestant, &equipment, seed, &stop, on_each);
        let Some(regret) = moves? else { return Ok(None) };
        let games = match openings.first().map(|game| game.board().empty_count()) {
            None => None,
            Some(empties) => {
                let games = regret::of_games(&openings, contestant, truth, &equipment, seed, &stop, on_each);
                let Some(games) = games.map_err(games_failure)? else { return Ok(None) };
                Some((empties, games))
            }
        };
        drop(counter);
        Ok(Some(PlayerMeasured { name, regret, games }))
    }

    /// Where games begin.
    fn openings(&self) -> Result<Vec<Game>, Failure> {
        let (first, count) = (self.sample.first()?, self.games as usize);
        let usual = first.board().empty_count().saturating_sub(self.sample.max_empties).max(2);
        let plies = self.opening_plies.unwrap_or(usual);
        let openings = openings::random(&first, plies, count, self.sample.seed);
        if count == 0 { Ok(openings) } else { at_least_one(openings, plies, first.size()) }
    }

    fn opinions(&self, geometry: Geometry, rules: Rules) -> Result<Vec<Opinion>, Failure> {
        let all = Opinion::all(geometry, rules.goal, self.sample.data.as_deref())?;
        if self.eval.iter().any(|name| name == "all") {
            return Ok(all);
        }
        super::named(&all, &self.eval, geometry)
    }
}

fn games_failure(error: GamesError) -> Failure {
    match error {
        GamesError::Player(error) => error.into(),
        GamesError::Truth(error) => error.into(),
    }
}

impl Measured {
    /// All numbers, of the schema `reversi.lab.regret/1`.
    pub fn json(&self) -> Json {
        let players: Vec<Json> = self.players.iter().map(|player| player.json(self)).collect();
        let opinions: Vec<Json> =
            self.opinions.iter().map(|(name, judgement)| opinion_json(name, judgement, self)).collect();
        json!({
            "schema": "reversi.lab.regret/1",
            "board": self.sample.geometry.to_string(),
            "start": self.sample.start.name(),
            "goal": self.sample.rules.goal.name(),
            "scoring": self.sample.rules.scoring.name(),
            "sample": self.sample.recipe,
            "positions": self.sample.known.len(),
            "seed": self.sample.seed,
            "players": players,
            "evaluations": opinions,
        })
    }

    /// A line for each position: its discs, its score, what each player lost there (nothing for an illegal move),
    /// what each evaluation says of it in its own units, and what is lost by the move it ranks first.
    fn lines(&self) -> Lines {
        let mut names = ["goal", "position", "empties", "score"].map(str::to_owned).to_vec();
        names.extend(self.players.iter().map(|player| player.name.clone()));
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
        ];
        let lost = |player: &PlayerMeasured| player.regret.moves[place].discs.map(f64::from);
        line.extend(self.players.iter().map(lost).map(csv::cell));
        for (_, judgement) in &self.opinions {
            let (points, lost) = judgement.at(place);
            line.extend([points.to_string(), lost.to_string()]);
        }
        line
    }

    fn plots(&self) -> Vec<(String, Chart)> {
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
        let stages = stages(self.sample.most_empties());
        let heads: String = stages
            .iter()
            .map(|stage| format!("{:>8}", format!("{}-{}", stage.start(), stage.end())))
            .collect();
        if !self.players.is_empty() {
            let _ =
                writeln!(text, "\n{:<24} discs lost a move  worst  perfect moves  lost by empty squares", "");
            let _ = writeln!(text, "{:<24}{:>47}{heads}", "player", "");
        }
        for player in &self.players {
            let all = player.regret.summary(0..=64);
            let _ = write!(text, "{:<24}{}", player.name, summary_in_words(&all));
            for stage in &stages {
                let part = player.regret.summary(stage.clone());
                let _ = write!(text, "{:>8}", number(part.discs.mean()));
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
        if !self.opinions.is_empty() {
            let _ = writeln!(
                text,
                "\n{:<24}correlation  of ranks  best move first  discs lost   correlation of ranks by empty squares\n\
                 {:<73}{heads}",
                "evaluation", ""
            );
        }
        for (name, judgement) in &self.opinions {
            let all = judgement.quality(0..=64);
            let _ = write!(text, "{name:<24}{}", quality_in_words(&all));
            for stage in &stages {
                let _ = write!(text, "{:>8}", number(judgement.quality(stage.clone()).rank_correlation));
            }
            text.push('\n');
        }
        text.trim_end().to_owned()
    }
}

fn summary_in_words(summary: &Summary) -> String {
    format!(
        "{:>8} +- {:<7}{:>6}{:>14} %     ",
        number(summary.discs.mean()),
        number(summary.discs.half_width()),
        summary.discs.largest,
        summary.perfect_share().map_or("-".to_owned(), |share| format!("{:.1}", 100.0 * share)),
    )
}

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

fn quality_in_words(quality: &Quality) -> String {
    format!(
        "{:>11}{:>10}{:>15} %{:>11}   ",
        number(quality.correlation),
        number(quality.rank_correlation),
        quality.best_first.map_or("-".to_owned(), |share| format!("{:.1}", 100.0 * share)),
        number(quality.regret.mean()),
    )
}

/// Two decimals, or a dash where there is no number.
pub fn number(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.2}"))
}

impl PlayerMeasured {
    fn json(&self, measured: &Measured) -> Json {
        let of = |summary: &Summary| {
            json!({
                "moves": summary.discs.count,
                "mean": summary.discs.mean(),
                "half_width": summary.discs.half_width(),
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

fn opinion_json(name: &str, judgement: &Judgement, measured: &Measured) -> Json {
    let of = |quality: &Quality| {
        json!({
            "positions": quality.positions,
            "correlation": quality.correlation,
            "rank_correlation": quality.rank_correlation,
            "best_first": quality.best_first,
            "mean": quality.regret.mean(),
            "half_width": quality.regret.half_width(),
        })
    };
    let by_stage: Vec<Json> = stages(measured.sample.most_empties())
        .into_iter()
        .map(|stage| {
            let mut line = of(&judgement.quality(stage.clone()));
            line["empties"] = json!([stage.start(), stage.end()]);
            line
        })
        .collect();
    let mut all = of(&judgement.quality(0..=64));
    all["evaluation"] = name.into();
    all["by_stage"] = by_stage.into();
    all
}
