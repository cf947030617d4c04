//! Options for the positions to measure at, and their exact scores.

use crate::cli::choices::by_name;
use crate::cli::common::{Output, RulesOptions};
use crate::cli::progress::Counter;
use crate::cli::values::{data_directory, parse_memory, parse_player, parse_size, parse_threads};
use crate::cli::{Exit, Failure};
use clap::{Args, ValueEnum};
use reversi_engine::{Game, Resources};
use reversi_lab::arena::Contestant;
use reversi_lab::arena::experiments::evaluation_quality::stages;
use reversi_lab::arena::experiments::exact_scores::{ExactScorer, ScoredPosition};
use reversi_lab::arena::experiments::sample;
use reversi_rules::{Board, Geometry, Passing, Rules, Start};
use reversi_solver::search::Stop;
use serde_json::{Value as Json, json};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Options that choose the positions to measure at.
#[derive(Args, Clone)]
pub struct SampleOptions {
    /// Board size, columns x rows, up to 8x8
    #[arg(long, value_name = "SIZE", default_value = "6x6")]
    pub board: String,
    /// Arrangement of the first four discs
    #[arg(long, value_parser = by_name::<Start>(), default_value_t = Start::Diagonal)]
    pub start: Start,
    #[command(flatten)]
    pub rules: RulesOptions,
    /// Source of the positions
    #[arg(long, value_enum, default_value_t = SampleName::Random)]
    pub sample: SampleName,
    /// Player of the games of --sample self-play [default: engine:level=1]
    #[arg(long, value_name = "PLAYER")]
    pub by: Option<String>,
    /// Number of positions; not with --sample all [default: 400]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub positions: Option<u32>,
    /// Maximum number of empty squares of a position; above 16 exact scores take long unless a table has them [default:
    /// 16; with --sample all any number]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub max_empties: Option<u32>,
    /// Seed of all random choices: positions, openings, moves of players
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Threads to use [default: all cores]; the numbers do not depend on it
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<usize>,
    /// Memory per thread, as in 512M
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = parse_memory)]
    pub memory: usize,
    /// Directory searched first for tables and weights
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    pub data: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SampleName {
    /// Games of random moves
    Random,
    /// Games that a player plays against itself, with a fifth of the moves random
    SelfPlay,
    /// Every reachable position, up to symmetry; for 4x4 and smaller
    All,
}

const USUAL_POSITIONS: u32 = 400;
const USUAL_MOST_EMPTIES: u32 = 16;
const USUAL_PLAYER: &str = "engine:level=1";

/// A board and rules, with positions for which the score of every move is known.
pub struct Sample {
    pub geometry: Geometry,
    pub rules: Rules,
    pub start: Start,
    /// After Ctrl-C fewer than were drawn.
    pub known: Vec<ScoredPosition>,
    /// How many positions were drawn.
    drawn: usize,
    /// How the positions were drawn, in words.
    recipe: String,
    pub seed: u64,
    /// Whether every position was drawn.
    is_of_all: bool,
}

impl Sample {
    /// Empty squares of the emptiest position.
    pub fn most_empties(&self) -> u32 {
        self.known.iter().map(|known| known.empties).max().unwrap_or_default()
    }

    /// Whether the sample has every position: then a mean over them does not depend on chance.
    pub fn is_census(&self) -> bool {
        self.is_of_all && self.known.len() == self.drawn
    }

    /// What is missing because of Ctrl-C, in words.
    pub fn missing(&self) -> Option<String> {
        let (known, drawn) = (self.known.len(), self.drawn);
        (known < drawn).then(|| format!("the exact scores of {known} of {drawn} positions were found"))
    }

    /// The first line of the text output.
    pub fn heading(&self) -> String {
        let (geometry, rules) = (self.geometry, self.rules);
        let (goal, scoring) = (rules.goal, rules.scoring);
        format!("{geometry}, {goal} goal, {scoring} scoring: {} positions, {}", self.known.len(), self.recipe)
    }

    /// The fields with which every result about a sample begins.
    pub fn json_head(&self, schema: &str, interrupted: bool) -> Json {
        json!({
            "schema": schema,
            "board": self.geometry.to_string(),
            "start": self.start.name(),
            "goal": self.rules.goal.name(),
            "scoring": self.rules.scoring.name(),
            "sample": self.recipe,
            "positions": self.known.len(),
            "positions_asked": self.drawn,
            "seed": self.seed,
            "interrupted": interrupted,
        })
    }

    /// The stages of the game in the sample, the last one first.
    pub fn stages(&self) -> Vec<RangeInclusive<u32>> {
        stages(self.most_empties())
    }
}

/// A stage by its empty squares, as in `1-4`.
pub fn stage_name(stage: &RangeInclusive<u32>) -> String {
    format!("{}-{}", stage.start(), stage.end())
}

/// The failure for Ctrl-C before there is anything to print.
pub fn nothing_measured() -> Failure {
    let message = "interrupted before anything was measured; nothing is kept";
    Failure::new(Exit::Interrupted, "interrupted", message)
}

impl SampleOptions {
    /// The requested board and rules.
    ///
    /// # Errors
    /// A bad size.
    pub fn board_and_rules(&self) -> Result<(Geometry, Rules), Failure> {
        let geometry = parse_size(&self.board)?;
        Ok((geometry, self.rules.rules(geometry)))
    }

    /// Resources of a thread.
    pub fn resources(&self) -> Resources {
        Resources { memory_bytes: self.memory, threads: 1, data: self.data.clone(), ..Resources::default() }
    }

    /// The game before its first move.
    ///
    /// # Errors
    /// A bad size.
    pub fn first(&self) -> Result<Game, Failure> {
        let (geometry, rules) = self.board_and_rules()?;
        Ok(Game::new(Board::start(geometry, self.start).into(), rules, Passing::Allowed))
    }

    /// Draws the positions and scores their moves; after a stop, those for which there was time.
    ///
    /// # Errors
    /// No such positions, a table that cannot be used, Ctrl-C before all positions were drawn.
    pub fn draw(&self, scorer: &ExactScorer, stop: &Stop, output: Output) -> Result<Sample, Failure> {
        let (geometry, rules) = self.board_and_rules()?;
        let games = self.positions_of(&self.first()?, geometry, stop)?;
        if stop.is_set() {
            return Err(nothing_measured());
        }
        let drawn = games.len();
        let counter = Counter::new(output, "exact scores", drawn as u64, 0);
        let known = scorer.of_all(games, stop, || counter.inc())?;
        Ok(Sample {
            geometry,
            rules,
            start: self.start,
            known,
            drawn,
            recipe: self.recipe(),
            seed: self.seed,
            is_of_all: self.sample == SampleName::All,
        })
    }

    /// # Errors
    /// Options that would have no effect.
    pub fn check(&self) -> Result<(), Failure> {
        let refuse = |message: &str| Err(Failure::usage("bad-sample", message));
        match self.sample {
            SampleName::All if self.positions.is_some() => refuse(
                "--positions: --sample all takes every position; leave it out, or pass --max-empties for fewer",
            ),
            SampleName::All | SampleName::Random if self.by.is_some() => {
                refuse("--by: only with --sample self-play does a player play the games")
            }
            _ => Ok(()),
        }
    }

    /// The most empty squares of a position that is drawn.
    pub fn most_empties(&self) -> u32 {
        self.max_empties.unwrap_or(USUAL_MOST_EMPTIES)
    }

    fn by(&self) -> &str {
        self.by.as_deref().unwrap_or(USUAL_PLAYER)
    }

    fn positions_of(&self, first: &Game, geometry: Geometry, stop: &Stop) -> Result<Vec<Game>, Failure> {
        let (count, most) = (self.positions.unwrap_or(USUAL_POSITIONS) as usize, self.most_empties());
        let games = match self.sample {
            SampleName::Random => sample::random(first, most, count, self.seed),
            SampleName::SelfPlay => {
                let player = Contestant::Named(parse_player(self.by())?);
                sample::self_play(&player, &self.resources(), first, most, count, self.seed, stop)?
            }
            SampleName::All if geometry.square_count() <= 16 => {
                sample::all(first, self.max_empties.unwrap_or(u32::MAX))
            }
            SampleName::All => {
                let message =
                    format!("--sample all: there are too many positions of {geometry}; 4x4 has 9830");
                return Err(Failure::usage("bad-sample", message));
            }
        };
        if games.is_empty() && !stop.is_set() {
            let message = format!("{geometry} has no such positions; raise --max-empties");
            return Err(Failure::usage("bad-sample", message));
        }
        Ok(games)
    }

    fn recipe(&self) -> String {
        let (seed, most) = (self.seed, self.most_empties());
        match self.sample {
            SampleName::Random => format!("from random games, at most {most} empty squares, seed {seed}"),
            SampleName::SelfPlay => {
                format!("from games of {} with itself, at most {most} empty squares, seed {seed}", self.by())
            }
            SampleName::All => {
                let most = self.max_empties.map(|most| format!(", at most {most} empty squares"));
                format!("all that can be reached and have a move, up to symmetry{}", most.unwrap_or_default())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::FromArgMatches;

    fn options(line: &str) -> SampleOptions {
        let known = SampleOptions::augment_args(clap::Command::new("lab"));
        let read = known.try_get_matches_from(line.split(' ')).unwrap();
        SampleOptions::from_arg_matches(&read).unwrap()
    }

    /// The positions finished in time may be those that are quickly scored.
    #[test]
    fn a_census_with_gaps_is_none() {
        let all = options("lab --board 3x3 --sample all");
        let (geometry, rules) = all.board_and_rules().unwrap();
        let scorer = ExactScorer::new(geometry, rules, &all.resources()).unwrap();
        let output = Output { json: false, quiet: true };
        let whole = all.draw(&scorer, &Stop::never(), output).unwrap();
        assert!(whole.is_census() && whole.missing().is_none());
        let first = whole.known[..1].to_vec();
        let part = Sample { known: first, ..whole };
        assert!(!part.is_census() && part.missing().unwrap().contains("of 1 of "));
        let random = options("lab --board 3x3 --positions 5");
        assert!(!random.draw(&scorer, &Stop::never(), output).unwrap().is_census());
    }

    #[test]
    fn of_a_sample_that_is_not_drawn_nothing_is_kept() {
        let stopped = Stop::never();
        stopped.set();
        let asked = options("lab --board 4x4 --sample self-play");
        let (geometry, rules) = asked.board_and_rules().unwrap();
        let scorer = ExactScorer::new(geometry, rules, &asked.resources()).unwrap();
        let drawn = asked.draw(&scorer, &stopped, Output { json: false, quiet: true });
        assert!(drawn.is_err_and(|failure| failure.exit() == Exit::Interrupted));
    }
}
