//! `reversi tournament`: every pair of a list of players, the matrix, the ratings and their plots.

mod games;
mod journal;
pub(super) mod plots;
pub(super) mod report;

use super::common::Output;
use super::contestants::{ContestantOptions, named};
use super::games::{GameOptions, ResourceOptions, at_least_one, games_at_once};
use super::places::make_directory;
use super::progress::Counter;
use super::values::duration;
use super::{Exit, Failure, saved};
use crate::cli::choices::by_name;
use crate::cli::interrupt::stop_on_ctrl_c;
use clap::Args;
use journal::Journal;
use reversi_engine::{Clock, Game};
use reversi_lab::arena::rating::{Rating, rate};
use reversi_lab::arena::tournament::{Played, Tournament};
use reversi_lab::arena::{Contestant, openings};
use reversi_rules::Color;
use reversi_solver::search::Stop;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

/// The players of the report of Copenhagen 2023, with its depths.
const COPENHAGEN: [&str; 8] = [
    "first",
    "random",
    "tokens:8",
    "corners:7",
    "moves:6",
    "corners-tokens:7",
    "corners-tokens-moves:6",
    "corners-moves-tokens:6",
];

/// Let every player of a list play every other, with both colours
///
/// The default list is that of Copenhagen 2023: its eight players with their depths and 50 games per cell, which gives
/// the matrix of their report. With --journal every game is saved as it ends, and the same command continues from
/// there.
///
/// However many games are played at once, the same seed gives the same games, as long as nothing depends on time (no
/// clock, one thread per player, no other program) and the engine finds the same tables, from which it plays from level
/// 10 on. The exit code is 1 if a player has failed: by an illegal move, or by giving no answer when no clock runs.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi tournament random first alphabeta:2 --games 20 --board 6x6
  reversi tournament alphabeta:1 random --no-passing --no-itself --out /tmp/t
  reversi tournament phases random --goal reversed --games 4 --openings 4
  reversi tournament --journal /tmp/copenhagen.jsonl --out /tmp/copenhagen")]
pub struct TournamentCommand {
    #[command(flatten)]
    contestants: ContestantOptions,
    /// Games of each player as Black against each other as White
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Do not let players play against themselves
    #[arg(long)]
    no_itself: bool,
    /// Begin with the positions after PLIES moves, each once up to symmetry, in an order drawn from the seed
    #[arg(long, value_name = "PLIES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=10))]
    openings: u32,
    /// Time per move, as in 1s or 200ms
    #[arg(long, value_name = "TIME", value_parser = duration)]
    move_time: Option<Duration>,
    /// Games played at once [default: all cores, with a clock half of them]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    at_once: Option<u32>,
    /// Save every game to this file, one JSON line each; if the file exists, continue from it
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Write matrix.csv, games.ggf and plots to this directory; with two or three players also the course of each pair
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Side whose results the course of a pair shows
    #[arg(long, value_parser = by_name::<Color>(), default_value = "black", requires = "out")]
    color: Color,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    resources: ResourceOptions,
}

/// A tournament, as far as it was played.
pub struct Standing {
    pub names: Vec<String>,
    pub tournament: Tournament,
    pub games: Vec<Played>,
    pub ratings: Vec<Option<Rating>>,
}

/// Names that can be told apart: equal names are followed by their places in the list.
fn told_apart(names: &[String]) -> Vec<String> {
    let is_twin = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    let told = |(place, name): (usize, &String)| {
        if is_twin(name) { format!("{name} #{}", place + 1) } else { name.clone() }
    };
    names.iter().enumerate().map(told).collect()
}

impl TournamentCommand {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let stop = stop_on_ctrl_c();
        self.out.as_deref().map_or(Ok(()), |out| make_directory("--out", out))?;
        let standing = self.play(output)?;
        let saved = self.out.as_deref().map_or(Ok(()), |out| self.save(&standing, out, output));
        super::print::print_line(match output.json {
            true => report::json(&standing).to_string(),
            false => report::text(&standing),
        });
        saved?;
        Ok(match stop.is_set() {
            true => Exit::Interrupted,
            false if report::has_failures(&standing) => Exit::Failed,
            false => Exit::Done,
        })
    }

    /// Writes all files. Without a game the file of games stays as it is.
    fn save(&self, standing: &Standing, directory: &Path, output: Output) -> Result<(), Failure> {
        if !standing.games.is_empty() {
            let path = directory.join("games.ggf");
            games::save(standing, &path)?;
            if !output.quiet {
                saved::tell_way_back(&path, &standing.tournament.openings[0], Some(self.openings as usize));
            }
        }
        plots::save(standing, self.color, directory)
    }

    /// Plays, or continues; after Ctrl-C returns what was played.
    pub fn play(&self, output: Output) -> Result<Standing, Failure> {
        self.contestants.tell_untold_clock(self.move_time, output);
        let (names, players): (Vec<String>, Vec<Contestant>) = self.contestants()?.into_iter().unzip();
        let stop = stop_on_ctrl_c();
        let tournament = self.tournament(players, &stop)?;
        let first = &tournament.openings[0];
        self.resources.check_all(&tournament.players, first)?;
        self.resources.tell_unused_book(first, output);
        let opened =
            self.journal.as_ref().map(|path| Journal::open(path, &names, &tournament)).transpose()?;
        let (journal, done) = opened.unzip();
        let done = done.unwrap_or_default();
        let counter = Counter::new(output, "games", tournament.game_count(), done.len() as u64);
        let fault = Mutex::new(None);
        let played = tournament.play(done, &stop, |game| {
            counter.inc();
            if let Some(Err(failure)) = journal.as_ref().map(|journal| journal.keep(game)) {
                stop.set();
                *fault.lock().expect("no thread panics while it holds the lock") = Some(failure);
            }
        });
        drop(counter);
        if let Some(failure) = fault.into_inner().expect("no thread has panicked") {
            return Err(failure);
        }
        let games = played?;
        let ratings = rate(names.len(), &games);
        Ok(Standing { names: told_apart(&names), tournament, games, ratings })
    }

    /// The named players, or the usual ones, with the names they are listed under.
    fn contestants(&self) -> Result<Vec<(String, Contestant)>, Failure> {
        let mut all = self.contestants.read()?;
        if all.is_empty() {
            all = COPENHAGEN.iter().map(|name| named(name)).collect::<Result<_, _>>()?;
        }
        if all.len() < 2 {
            let message = "a tournament needs at least two players: name another";
            return Err(Failure::usage("bad-player", message));
        }
        Ok(all)
    }

    fn tournament(&self, players: Vec<Contestant>, stop: &Stop) -> Result<Tournament, Failure> {
        let time = self.move_time.map_or(Clock::None, Clock::PerMove);
        Ok(Tournament {
            players,
            with_itself: !self.no_itself,
            games: self.games,
            openings: self.all_openings(stop)?,
            time,
            at_once: games_at_once(self.at_once, time),
            resources: self.resources.resources(),
            seed: self.resources.seed,
        })
    }

    /// An opening for each game of a cell, or fewer if there are fewer.
    fn all_openings(&self, stop: &Stop) -> Result<Vec<Game>, Failure> {
        let start = self.game.setup()?.new_game();
        let (games, seed) = (self.games as usize, self.resources.seed);
        let openings = openings::drawn(&start, self.openings, games, seed, stop);
        at_least_one(openings, self.openings, start.size())
    }
}
