//! `reversi lab regret`: what players and evaluations give away.

pub mod charts;
mod show;

use super::files::Files;
use super::sampling::{Sample, SampleOptions, nothing_measured};
use crate::cli::common::Output;
use crate::cli::contestants::ContestantOptions;
use crate::cli::games::at_least_one;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::progress::Counter;
use crate::cli::values::in_threads;
use crate::cli::{Exit, Failure};
use clap::Args;
use reversi_engine::{AnyEvaluation, Game};
use reversi_lab::arena::Contestant;
use reversi_lab::arena::experiments::evaluation_quality::EvaluationQuality;
use reversi_lab::arena::experiments::exact_scores::ExactScorer;
use reversi_lab::arena::experiments::regret::{self, GamesError, GamesRegret, Regret};
use reversi_lab::arena::openings;
use reversi_rules::{Geometry, Passing, Rules};
use reversi_solver::search::Stop;
use std::slice;

/// Measure what players give away against perfect play, and how well evaluations judge
///
/// Finds the exact score of every move at each position of a sample. Each player then moves once at each position; its
/// regret is how much less its move is worth than the best one. An illegal or missing move is a failure of the player:
/// it counts in no mean, and the exit code is 1. Evaluations are compared with the exact scores, and by the move that
/// they rank first, at positions with several moves; where they rank several first, by the mean over these. Columns such
/// as `lost 1-3` are the discs lost with 1 to 3 empty squares.
#[derive(Args, Clone)]
#[command(after_help = "Examples:\n  \
    reversi lab regret random first perfect --board 4x4 --sample all\n  \
    reversi lab regret engine:level=4 alphabeta:4 --positions 200 --games 10\n  \
    reversi lab regret --eval all --goal reversed --positions 500\n  \
    reversi lab regret --gtp \"reversi gtp --player alphabeta:2\" --positions 20")]
pub struct RegretCommand {
    #[command(flatten)]
    contestants: ContestantOptions,
    /// Evaluation to measure, or all; may be given several times
    #[arg(long, value_name = "NAME")]
    pub eval: Vec<String>,
    #[command(flatten)]
    pub sample: SampleOptions,
    /// Also play N openings to the end against the perfect player, twice each with sides swapped
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=100_000))]
    pub games: u32,
    /// With --games: number of random moves before the game begins [default: as many as leave --max-empties squares
    /// empty, at least 2]
    #[arg(long, value_name = "PLIES", requires = "games")]
    pub opening_plies: Option<u32>,
    #[command(flatten)]
    pub files: Files,
}

/// The results.
pub struct Measured {
    pub sample: Sample,
    pub players: Vec<PlayerMeasured>,
    pub evaluations: Vec<(&'static str, EvaluationQuality)>,
    /// Whether Ctrl-C came before all was measured.
    pub interrupted: bool,
    /// Players that had not moved by then.
    not_measured: Vec<String>,
}

/// The results of a player.
pub struct PlayerMeasured {
    pub name: String,
    pub regret: Regret,
    /// Whole games, with the number of empty squares at their beginning.
    pub games: Option<(u32, GamesRegret)>,
    /// Whether its moves at all reachable positions are known and always the same: then their means are exact.
    is_exact: bool,
    /// How far it came before Ctrl-C, in words.
    progress: Option<String>,
}

impl RegretCommand {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let measured = self.measure_in_threads(output)?;
        let interrupted = measured.interrupted;
        let written = self.files.write_unless(interrupted, output, &measured, || measured.plots());
        self.files.tables.print(output, &measured);
        let has_failures = measured.players.iter().any(PlayerMeasured::has_failed);
        written.map(|()| match interrupted {
            true => Exit::Interrupted,
            false if has_failures => Exit::Failed,
            false => Exit::Done,
        })
    }

    /// The results; after Ctrl-C those found by then.
    pub fn measure_in_threads(&self, output: Output) -> Result<Measured, Failure> {
        in_threads(self.sample.threads, || self.measure(output))?
    }

    fn measure(&self, output: Output) -> Result<Measured, Failure> {
        self.sample.check()?;
        let (geometry, rules) = self.sample.board_and_rules()?;
        let contestants = self.contestants.read()?;
        let evaluations = self.evaluations(geometry, rules)?;
        if contestants.is_empty() && evaluations.is_empty() {
            let message = "name a player, a program with --gtp, or an evaluation with --eval";
            return Err(Failure::usage("bad-player", message));
        }
        if contestants.is_empty() && self.games > 0 {
            return Err(Failure::usage(
                "bad-player",
                "--games are played by players: name one, or a program with --gtp",
            ));
        }
        let scorer = self.scorer(geometry, rules)?;
        self.files.check(output)?;
        let stop = stop_on_ctrl_c();
        self.check_players(&contestants, &stop)?;
        let openings = self.openings(&stop)?;
        let sample = self.sample.draw(&scorer, &stop, output)?;
        let (mut players, mut not_measured) = (Vec::new(), Vec::new());
        for (name, contestant) in contestants {
            let player = self.measure_player(name, &contestant, &sample, &openings, &scorer, output)?;
            // Without a move there is nothing to report.
            if player.regret.moves.is_empty() { not_measured.push(player.name) } else { players.push(player) }
        }
        let interrupted = stop.is_set();
        if interrupted && players.is_empty() && (evaluations.is_empty() || sample.known.is_empty()) {
            return Err(nothing_measured());
        }
        let judged = |evaluation: &AnyEvaluation| {
            EvaluationQuality::of(&sample.known, evaluation, geometry, rules.goal)
        };
        let evaluations =
            evaluations.iter().map(|evaluation| (evaluation.name(), judged(evaluation))).collect();
        Ok(Measured { sample, players, evaluations, interrupted, not_measured })
    }

    /// The exact scores, after a check that the perfect player can play if games are requested.
    fn scorer(&self, geometry: Geometry, rules: Rules) -> Result<ExactScorer, Failure> {
        let resources = self.sample.resources();
        if self.games > 0 {
            regret::opponent(&resources).supports(geometry.into(), Passing::Allowed)?;
        }
        Ok(ExactScorer::new(geometry, rules, &resources)?)
    }

    fn check_players(&self, contestants: &[(String, Contestant)], stop: &Stop) -> Result<(), Failure> {
        let (first, resources) = (self.sample.first()?, self.sample.resources());
        for (_, contestant) in contestants {
            if !contestant.is_ready_for(slice::from_ref(&first), &resources, stop)? {
                return Err(nothing_measured());
            }
        }
        Ok(())
    }

    /// The results of a player; after Ctrl-C those found by then, perhaps none.
    fn measure_player(
        &self,
        name: String,
        contestant: &Contestant,
        sample: &Sample,
        openings: &[Game],
        scorer: &ExactScorer,
        output: Output,
    ) -> Result<PlayerMeasured, Failure> {
        let (stop, seed, resources) = (stop_on_ctrl_c(), self.sample.seed, self.sample.resources());
        let (positions, games_asked) = (sample.known.len(), 2 * openings.len());
        let counter = Counter::new(output, &name, (positions + games_asked) as u64, 0);
        let on_each = || counter.inc();
        let regret = regret::of_player(&sample.known, contestant, &resources, seed, &stop, on_each)?;
        let games = regret::of_games(openings, contestant, scorer, &resources, seed, &stop, on_each);
        let games = games.map_err(games_failure)?;
        drop(counter);
        let (moves, played) = (regret.moves.len(), (games.discs.count + games.failures()) as usize);
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

    /// The first positions of the games, if games are requested.
    fn openings(&self, stop: &Stop) -> Result<Vec<Game>, Failure> {
        if self.games == 0 {
            return Ok(Vec::new());
        }
        let first = self.sample.first()?;
        let usual = first.board().empty_count().saturating_sub(self.sample.most_empties()).max(2);
        let plies = self.opening_plies.unwrap_or(usual);
        let drawn = openings::random(&first, plies, self.games as usize, self.sample.seed, stop);
        at_least_one(drawn, plies, first.size())
    }

    fn evaluations(&self, geometry: Geometry, rules: Rules) -> Result<Vec<AnyEvaluation>, Failure> {
        let all = AnyEvaluation::all(geometry, rules.goal, self.sample.data.as_deref())?;
        if self.eval.iter().any(|name| name == "all") {
            return Ok(all);
        }
        super::named(&all, &self.eval, geometry)
    }
}

fn games_failure(error: GamesError) -> Failure {
    match error {
        GamesError::Player(error) => error.into(),
        GamesError::Oracle(error) => error.into(),
    }
}
