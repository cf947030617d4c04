//! `reversi match`: games between two players, and what they prove.

mod even;
mod games;
mod report;

use super::common::Output;
use super::games::{
    ContestantOptions, GameOptions, ResourceOptions, at_least_one, games_at_once, interrupted_before_games,
};
use super::progress::Counter;
use super::values::duration;
use super::{Exit, Failure, saved};
use clap::Args;
use even::Evenness;
use games::Saver;
use report::Report;
use reversi_engine::{Clock, Game};
use reversi_lab::arena::{Contest, Contestant, GameReport, Outcomes, Results, openings};
use reversi_solver::search::Stop;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

/// Let two players play many games, and find out which is stronger
///
/// Every opening is played twice, with colours swapped. However many are played at once, the same seed gives
/// the same games, as long as nothing depends on time: no clock, one thread a player, no other program. A
/// player that makes an illegal move, oversteps its time, crashes or resigns loses the game. Ends with code 1 where a
/// player has failed: by an illegal move, or by no answer.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    reversi match engine:depth=4 corners-moves-tokens --games 20\n  \
    reversi match phases stages --goal reversed --games 20\n  \
    reversi match engine:level=4 engine:level=5 --games 20 \\\n    \
    --random-openings 8 --even 3\n  \
    reversi match alphabeta:2 random --board 16x16 --no-passing --games 4\n  \
    reversi match engine --gtp \"reversi gtp --player phases\" --time 60s \\\n    \
    --games 4 --save /tmp/games.ggf")]
pub struct Match {
    #[command(flatten)]
    contestants: ContestantOptions,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Begin with the positions after PLIES moves, each once up to symmetry, in an order drawn from the seed
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(..=10))]
    openings: u32,
    /// Begin with PLIES random moves instead, drawn from the seed
    #[arg(long, value_name = "PLIES", conflicts_with = "openings")]
    random_openings: Option<u32>,
    /// Of these positions only those that the engine, at level 6, holds to be within DISCS discs of a draw: from an
    /// opening that is lost for one side two good players win a game each, whichever is better. On boards without
    /// learned weights it only has a rough idea
    #[arg(long, value_name = "DISCS", value_parser = clap::value_parser!(u32).range(..=64))]
    even: Option<u32>,
    /// Time of each player for a whole game, as in 60s or 2m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Time for each move, as in 1s or 200ms
    #[arg(long, value_name = "TIME", conflicts_with = "time", value_parser = duration)]
    move_time: Option<Duration>,
    /// Games played at once [default: all cores, with a clock half of them]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    at_once: Option<u32>,
    /// Write the games to a file as they end, in place of what it held, and in their order at the end: GGF, PGN, SGF or
    /// WTHOR if its name ends in .ggf, .pgn, .sgf or .wtb, else a transcript a line, after the first board where that
    /// is not the diagonal start of 8x8
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    resources: ResourceOptions,
}

impl Match {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let stop = super::interrupt::stop_on_ctrl_c();
        let openings = self.all_openings(&stop)?;
        let contest = self.contest(openings)?;
        self.resources.check_all(&contest.contestants, &contest.openings[0])?;
        if let Some(path) = &self.save {
            if saved::is_obf(path) {
                let message = format!(
                    "--save {}: a file of problems holds no games; end its name in .ggf, or in .txt for moves as text",
                    path.display()
                );
                return Err(Failure::usage("usage", message));
            }
            // What the form cannot hold is found out before anything is played.
            let opening = saved::as_ggf(&contest.openings[0], ["", ""], "", None);
            if let Err(fault) = saved::Format::of(path).written(&[opening]) {
                let message = format!("--save {}: {fault}; GGF holds every game", path.display());
                return Err(Failure::usage("bad-format", message));
            }
            super::places::check_file("--save", path)?;
        }
        let progress = MatchProgress::new(output, contest.games as u64);
        let saver = self.save.as_deref().map(Saver::new);
        let on_game = |names: &[String; 2], game: &GameReport| {
            progress.show(game);
            if let Some(saver) = &saver {
                saver.keep(names, game);
            }
        };
        let results = match contest.play(&stop, on_game) {
            Err(_) if stop.is_set() => return Err(interrupted_before_games()),
            played => played?,
        };
        drop((progress, saver));
        let report = Report::new(&self, &contest, &results, stop.is_set());
        // The games first: what cannot be printed is not to cost them, and the other way round.
        let saved = self.save.as_ref().map_or(Ok(false), |path| report.save(path, output));
        super::print::print_line(if output.json { report.json().to_string() } else { report.text() });
        let is_saved = saved?;
        if let Some(path) = self.save.as_ref().filter(|_| is_saved && !output.quiet) {
            saved::tell_way_back(path, &contest.openings[0], self.random_openings.unwrap_or(self.openings));
        }
        Ok(match stop.is_set() {
            true => Exit::Interrupted,
            false if report.has_failures() => Exit::Failed,
            false => Exit::Done,
        })
    }

    fn contest(&self, openings: Vec<Game>) -> Result<Contest, Failure> {
        let time = match (self.time, self.move_time) {
            (Some(time), _) => Clock::per_game(time),
            (None, Some(time)) => Clock::PerMove(time),
            (None, None) => Clock::None,
        };
        let games = self.games as usize;
        Ok(Contest {
            contestants: self.two_contestants()?,
            openings,
            games,
            time,
            at_once: games_at_once(self.at_once, time).min(games),
            resources: self.resources.resources(),
            seed: self.resources.seed,
        })
    }

    fn two_contestants(&self) -> Result<[Contestant; 2], Failure> {
        let all: Vec<Contestant> = self.contestants.read()?.into_iter().map(|(_, who)| who).collect();
        <[Contestant; 2]>::try_from(all).map_err(|all| {
            let message = format!(
                "a match is between two players, not {}: name two, or one and --gtp \"command\"",
                all.len()
            );
            Failure::usage("bad-player", message)
        })
    }

    fn all_openings(&self, stop: &Stop) -> Result<Vec<Game>, Failure> {
        let start = self.game.setup()?.new_game();
        let pairs = self.games.div_ceil(2) as usize;
        let seed = self.resources.seed;
        let mut evenness = self.even.map(|most| Evenness::new(most, &start, &self.resources)).transpose()?;
        let wanted = |game: &Game| evenness.as_mut().is_none_or(|evenness| evenness.accepts(game, stop));
        let (plies, found) = match self.random_openings {
            Some(plies) => (plies, openings::random_where(&start, plies, pairs, seed, stop, wanted)),
            None => (self.openings, openings::drawn_where(&start, self.openings, pairs, seed, stop, wanted)),
        };
        if let (Some(evenness), Some(found)) = (evenness, &found) {
            evenness.check(found)?;
        }
        at_least_one(found, plies, start.size())
    }
}

/// Counts the games as they end.
struct MatchProgress {
    counter: Counter,
    /// Of the first player.
    so_far: Mutex<Outcomes>,
}

impl MatchProgress {
    fn new(output: Output, games: u64) -> MatchProgress {
        MatchProgress { counter: Counter::new(output, "games", games, 0), so_far: Mutex::default() }
    }

    fn show(&self, game: &GameReport) {
        let mut so_far = self.so_far.lock().expect("no thread panics while it holds the lock");
        so_far.add(game.is_won_by_first());
        self.counter.set_message(format!("+{} ={} -{}", so_far.wins, so_far.draws, so_far.losses));
        self.counter.inc();
    }
}
