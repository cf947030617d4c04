//! `reversi lab regret`: what players and evaluations give away.

use super::charts;
use super::files::{Files, Lines};
use super::sampling::{Sample, SampleOptions, nothing_measured};
use crate::arena::Contestant;
use crate::arena::lab::judgement::{Judgement, Quality};
use crate::arena::lab::regret::{self, GamesError, GamesRegret, Regret, Summary};
use crate::arena::lab::truth::Truth;
use crate::arena::openings;
use crate::arena::statistics::Sum;
use crate::cli::chart::Chart;
use crate::cli::common::Output;
use crate::cli::csv;
use crate::cli::games::{ContestantOptions, at_least_one};
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::print::print_line;
use crate::cli::progress::Counter;
use crate::cli::values::in_threads;
use crate::cli::{Exit, Failure};
use crate::engine::Game;
use crate::engine::trial::Opinion;
use crate::rules::{Geometry, Rules};
use crate::search::Stop;
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
    /// Whether Ctrl-C came before all was measured.
    pub interrupted: bool,
    /// Players whose turn had not come by then.
    not_measured: Vec<String>,
}

/// What was measured of a player.
pub struct PlayerMeasured {
    pub name: String,
    pub regret: Regret,
    /// Whole games, and how many squares are empty where they begin.
    pub games: Option<(u32, GamesRegret)>,
    /// Whether its moves at all positions there are are known, and are always the same: then their means are exact.
    is_exact: bool,
    /// How far it came by Ctrl-C, in words.
    progress: Option<String>,
}

impl RegretCommand {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let measured = self.measure_in_threads(output)?;
        let interrupted = measured.interrupted;
        let written = self.files.write_unless(interrupted, || measured.lines(), || measured.plots());
        print_line(if output.json { measured.json().to_string() } else { measured.text() });
        written.map(|()| if interrupted { Exit::Interrupted } else { Exit::Done })
    }

    /// After Ctrl-C what was measured till then.
    pub fn measure_in_threads(&self, output: Output) -> Result<Measured, Failure> {
        in_threads(self.sample.threads, || self.measure(output))?
    }

    fn measure(&self, output: Output) -> Result<Measured, Failure> {
        self.sample.check()?;
        let (geometry, rules) = self.sample.board_and_rules()?;
        let contestants = self.contestants.read()?;
        let opinions = self.opinions(geometry, rules)?;
        if contestants.is_empty() && opinions.is_empty() {
            let message = "name a player, a program with --gtp, or an evaluation with --eval";
            return Err(Failure::usage("bad-player", message));
        }
        let truth = self.truth(geometry, rules)?;
        self.files.check()?;
        let stop = stop_on_ctrl_c();
        self.check_players(&contestants, &stop)?;
        let sample = self.sample.draw(&truth, &stop, output)?;
        let (mut players, mut not_measured) = (Vec::new(), Vec::new());
        for (name, contestant) in contestants {
            let player = self.measure_player(name, &contestant, &sample, &truth, output)?;
            // Without a move there is nothing to say.
            if player.regret.moves.is_empty() { not_measured.push(player.name) } else { players.push(player) }
        }
        let interrupted = stop.is_set();
        if interrupted && players.is_empty() && (opinions.is_empty() || sample.known.is_empty()) {
            return Err(nothing_measured());
        }
        let judged = |opinion: &Opinion| Judgement::of(&sample.known, opinion, geometry, rules.goal);
        let opinions = opinions.iter().map(|opinion| (opinion.name(), judged(opinion))).collect();
        Ok(Measured { sample, players, opinions, interrupted, not_measured })
    }

    /// The oracles, where games against perfect play can be had too.
    fn truth(&self, geometry: Geometry, rules: Rules) -> Result<Truth, Failure> {
        let equipment = self.sample.equipment();
        if self.games > 0 {
            regret::opponent(&equipment).supports(geometry.into(), rules.goal)?;
        }
        Ok(Truth::new(geometry, rules, &equipment)?)
    }

    fn check_players(&self, contestants: &[(String, Contestant)], stop: &Stop) -> Result<(), Failure> {
        let (first, equipment) = (self.sample.first()?, self.sample.equipment());
        for (_, contestant) in contestants {
            if !contestant.is_ready_for(&first, &equipment, stop)? {
                return Err(nothing_measured());
            }
        }
        Ok(())
    }

    /// After Ctrl-C what was measured till then, perhaps nothing.
    fn measure_player(
        &self,
        name: String,
        contestant: &Contestant,
        sample: &Sample,
        truth: &Truth,
        output: Output,
    ) -> Result<PlayerMeasured, Failure> {
        let (stop, seed, equipment) = (stop_on_ctrl_c(), self.sample.seed, self.sample.equipment());
        // Stopped while they are drawn, none is played.
        let openings = self.openings(&stop)?.unwrap_or_default();
        let (positions, games_asked) = (sample.known.len(), 2 * openings.len());
        let counter = Counter::new(output, &name, (positions + games_asked) as u64, 0);
        let on_each = || counter.inc();
        let regret = regret::of_player(&sample.known, contestant, &equipment, seed, &stop, on_each)?;
        let games = regret::of_games(&openings, contestant, truth, &equipment, seed, &stop, on_each);
        let games = games.map_err(games_failure)?;
        drop(counter);
        let (moves, played) = (regret.moves.len(), (games.discs.count + games.illegal) as usize);
        let progress = match () {
            () if moves < positions => Some(format!("moved at {moves} of {positions} positions")),
            () if played < games_asked => Some(format!("played {played} of {games_asked} games")),
            () => None,
        };
        let empties = openings.first().map(|game| game.board().empty_count()).filter(|_| played > 0);
        let is_exact = sample.is_census() && moves == positions && contestant.repeats_itself();
        Ok(PlayerMeasured {
            name,
            regret,
            games: empties.map(|empties| (empties, games)),
            is_exact,
            progress,
        })
    }

    /// Where games begin; `None` if it was stopped.
    fn openings(&self, stop: &Stop) -> Result<Option<Vec<Game>>, Failure> {
        let (first, count) = (self.sample.first()?, self.games as usize);
        let usual = first.board().empty_count().saturating_sub(self.sample.most_empties()).max(2);
        let plies = self.opening_plies.unwrap_or(usual);
        match openings::random(&first, plies, count, self.sample.seed, stop) {
            Some(openings) if count > 0 => at_least_one(Some(openings), plies, first.size()).map(Some),
            openings => Ok(openings),
        }
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
        let mut json = self.sample.json_head("reversi.lab.regret/1", self.interrupted);
        json["players"] = players.into();
        json["evaluations"] = opinions.into();
        json["not_measured"] = self.not_measured.clone().into();
        json
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
        for (name, judgement) in &self.opinions {
            let _ = write!(text, "{name:<22}{}", quality_in_words(&judgement.quality(0..=64)));
            for stage in self.sample.stages() {
                let correlation = judgement.quality(stage).rank_correlation;
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

fn quality_in_words(quality: &Quality) -> String {
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

fn opinion_json(name: &str, judgement: &Judgement, measured: &Measured) -> Json {
    let of = |quality: &Quality| {
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
