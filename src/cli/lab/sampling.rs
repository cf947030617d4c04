//! Options about positions to measure at, and the truth about them.

use crate::arena::Contestant;
use crate::arena::lab::sample;
use crate::arena::lab::truth::{Known, Truth, TruthError};
use crate::cli::Failure;
use crate::cli::common::{
    Output, RulesOptions, data_directory, parse_memory, parse_player, parse_size, parse_threads,
};
use crate::cli::progress::Counter;
use crate::engine::{Equipment, Game};
use crate::rules::{Geometry, Passing, Rules, Start};
use crate::search::Stop;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Which positions are measured at.
#[derive(Args, Clone)]
pub struct SampleOptions {
    /// Board size, columns x rows, up to 8x8
    #[arg(long, value_name = "SIZE", default_value = "6x6")]
    pub board: String,
    /// Discs of the first position
    #[arg(long, value_enum, default_value_t = Start::Diagonal)]
    pub start: Start,
    #[command(flatten)]
    pub rules: RulesOptions,
    /// Where positions come from
    #[arg(long, value_enum, default_value_t = SampleName::Random)]
    pub sample: SampleName,
    /// Who plays the games of --sample self-play
    #[arg(long, value_name = "PLAYER", default_value = "engine:level=1")]
    pub by: String,
    /// How many positions
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub positions: u32,
    /// Most empty squares of a position; beyond 16 the truth takes its time unless a table has it
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=60))]
    pub max_empties: u32,
    /// Everything random follows from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Threads to use [default: all cores]; the numbers do not depend on it
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<usize>,
    /// Memory of each thread, as in 512M
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = parse_memory)]
    pub memory: usize,
    /// Where tables and weights are looked for first
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    pub data: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SampleName {
    /// Games of random moves
    Random,
    /// Games a player plays with itself, a fifth of the moves being random
    SelfPlay,
    /// Every position that can be reached, up to symmetry: 4x4 and smaller
    All,
}

/// A board and rules with positions whose every move is known.
pub struct Sample {
    pub geometry: Geometry,
    pub rules: Rules,
    pub start: Start,
    pub known: Vec<Known>,
    /// How the positions were drawn, in words.
    pub recipe: String,
    pub seed: u64,
}

impl Sample {
    /// Empty squares of the emptiest position.
    pub fn most_empties(&self) -> u32 {
        self.known.iter().map(|known| known.empties).max().unwrap_or_default()
    }

    /// A first line for people.
    pub fn heading(&self) -> String {
        let (geometry, rules) = (self.geometry, self.rules);
        let (goal, scoring) = (rules.goal, rules.scoring);
        format!("{geometry}, {goal} goal, {scoring} scoring: {} positions, {}", self.known.len(), self.recipe)
    }
}

impl SampleOptions {
    /// Board and rules asked for.
    ///
    /// # Errors
    /// A bad size.
    pub fn board_and_rules(&self) -> Result<(Geometry, Rules), Failure> {
        let geometry = parse_size(&self.board)?;
        Ok((geometry, self.rules.rules(geometry)))
    }

    /// What a thread may use.
    pub fn equipment(&self) -> Equipment {
        Equipment { memory_bytes: self.memory, threads: 1, data: self.data.clone() }
    }

    /// The game before its first move.
    ///
    /// # Errors
    /// A bad size.
    pub fn first(&self) -> Result<Game, Failure> {
        let (geometry, rules) = self.board_and_rules()?;
        Ok(Game::new(geometry.start(self.start).into(), rules, Passing::Allowed))
    }

    /// Draws the positions and finds out about their moves; `None` once stopped.
    ///
    /// # Errors
    /// Options that do not go together, a table that cannot be used.
    pub fn draw(&self, truth: &Truth, stop: &Stop, output: Output) -> Result<Option<Sample>, Failure> {
        let (geometry, rules) = self.board_and_rules()?;
        let games = self.positions_of(&self.first()?, geometry, stop)?;
        if stop.is_set() {
            return Ok(None);
        }
        let counter = Counter::new(output, "exact scores", games.len() as u64, 0);
        let known = truth.of_all(games, stop, || counter.inc());
        drop(counter);
        if stop.is_set() {
            return Ok(None);
        }
        let (start, seed) = (self.start, self.seed);
        let known = known.map_err(TruthError::from)?;
        Ok(Some(Sample { geometry, rules, start, known, recipe: self.recipe(), seed }))
    }

    fn positions_of(&self, first: &Game, geometry: Geometry, stop: &Stop) -> Result<Vec<Game>, Failure> {
        let (count, most) = (self.positions as usize, self.max_empties);
        let games = match self.sample {
            SampleName::Random => sample::random(first, most, count, self.seed),
            SampleName::SelfPlay => {
                let player = Contestant::Named(parse_player(&self.by)?);
                sample::self_play(&player, &self.equipment(), first, most, count, self.seed, stop)?
            }
            SampleName::All if geometry.square_count() <= 16 => sample::all(first),
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
        let (seed, most) = (self.seed, self.max_empties);
        match self.sample {
            SampleName::Random => format!("from random games, at most {most} empty squares, seed {seed}"),
            SampleName::SelfPlay => {
                format!("from games of {} with itself, at most {most} empty squares, seed {seed}", self.by)
            }
            SampleName::All => "all that can be reached and have a move, up to symmetry".to_owned(),
        }
    }
}
