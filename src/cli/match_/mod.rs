//! `reversi match`: games between two players, and what they prove.

mod games;
mod openings;
mod report;
mod rule;

use super::common::Output;
use super::contestants::ContestantOptions;
use super::evenness::{Evenness, QUICK_JUDGE};
use super::games::{
    GameOptions, ResourceOptions, at_least_one, games_at_once, interrupted_before_games, shared_opening_plies,
};
use super::lab::files::Tables;
use super::print::print_remark;
use super::progress::Counter;
use super::values::duration;
use super::{Exit, Failure, places, saved};
use clap::Args;
use games::Saver;
use openings::Openings;
use report::Report;
use reversi_engine::{Clock, Game};
use reversi_files::Lock;
use reversi_lab::arena::openings::{drawn_where, first_where, random_where};
use reversi_lab::arena::{Contest, Contestant, GameReport, Outcomes, Results, Sprt};
use reversi_solver::search::Stop;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

/// Let two players play many games, and find out which is stronger
///
/// Every opening is played twice, with colours swapped. However many games are played at once, the same seed gives the
/// same games, as long as nothing depends on time (no clock, one thread per player, no other program) and the engine finds
/// the same tables, from which it plays from level 10 on.
///
/// A player that makes an illegal move, exceeds its time, crashes or resigns loses the game. The exit code is 1 if a
/// player has failed: by an illegal move, or by giving no answer when no clock runs. With a clock its time runs out
/// instead.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    reversi match engine:depth=4 corners-moves-tokens --games 20\n  \
    reversi match phases stages --goal reversed --games 20\n  \
    reversi match engine:level=4 engine:level=5 --games 20 \\\n    \
    --random-openings 8 --even 3\n  \
    reversi match alphabeta:2 random --board 16x16 --no-passing --games 4\n  \
    reversi match engine:level=5 engine:level=4 --openings xot \\\n    \
    --sprt 0,50 --games 2000\n  \
    reversi match engine --gtp \"reversi gtp --player phases\" --time 60s \\\n    \
    --games 4 --save /tmp/games.ggf")]
pub struct Match {
    #[command(flatten)]
    contestants: ContestantOptions,
    /// Number of games; with --sprt the maximum
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Stop as soon as the pairs of games (an opening with both colours) show whether the first player is stronger by
    /// ELO0 points or by ELO1: a sequential probability ratio test (SPRT). ALPHA is the rate of accepting ELO1 although
    /// ELO0 is true, BETA the rate of the other error; the default of both is 0.05. As in 0,10 or -5,0,0.05,0.1
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", value_parser = rule::sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Openings, in an order drawn from the seed: the positions after PLIES moves (0 to 10), each once up to symmetry;
    /// or `xot`, the list of even openings of eight random moves that ships with the program, 8x8; or a list from a
    /// file, as made by `reversi openings`
    #[arg(long, value_name = "PLIES|xot|FILE", default_value = "4")]
    openings: Openings,
    /// Begin with PLIES random moves instead, drawn from the seed
    #[arg(long, value_name = "PLIES", conflicts_with = "openings")]
    random_openings: Option<u32>,
    /// Use only openings that the engine, at level 6, estimates to be within DISCS discs of a draw, rounded to whole
    /// discs. From an opening that is lost for one side two good players win a game each, whichever is better. On boards
    /// without learned weights the estimate is only rough
    #[arg(long, value_name = "DISCS", value_parser = clap::value_parser!(u32).range(..=64))]
    even: Option<u32>,
    /// Time per player for a whole game, as in 60s or 2m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Time per move, as in 1s or 200ms
    #[arg(long, value_name = "TIME", conflicts_with = "time", value_parser = duration)]
    move_time: Option<Duration>,
    /// Games played at once [default: all cores, with a clock half of them]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    at_once: Option<u32>,
    /// Write the games to a file as they end, and in order at the end; an existing file is replaced. The form is GGF,
    /// PGN, SGF or WTHOR if the name ends in .ggf, .pgn, .sgf or .wtb, else one transcript per line, after the first
    /// board if that is not the diagonal start of 8x8
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    resources: ResourceOptions,
    #[command(flatten)]
    tables: Tables,
}

impl Match {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        // Read the list before signals are caught: reading a pipe may block.
        let listed = self.listed_openings()?;
        let stop = super::interrupt::stop_on_ctrl_c();
        self.tables.check(output)?;
        self.contestants.tell_untold_clock(self.time.or(self.move_time), output);
        let openings = self.all_openings(listed, &stop)?;
        let contest = self.contest(openings)?;
        let first = &contest.openings[0];
        self.resources.check_all(&contest.contestants, first)?;
        self.resources.tell_unused_book(first, output);
        let _lock =
            self.save.as_deref().map(|path| self.begin_save(path, &contest.openings[0])).transpose()?;
        if let Some(odd) = self.save.as_deref().filter(|_| !output.quiet).and_then(saved::unknown_ending) {
            print_remark(format_args!("--save: {odd}"));
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
        // Save the games before printing: a failure of one step must not prevent the other.
        let saved = self.save.as_ref().map_or(Ok(false), |path| report.save(path, output));
        self.tables.print(output, &report);
        let is_saved = saved?;
        self.tables.write_unless(stop.is_set(), output, &report)?;
        if let Some(path) = self.save.as_ref().filter(|_| is_saved && !output.quiet) {
            saved::tell_way_back(path, &contest.openings[0], shared_opening_plies(&contest.openings));
        }
        Ok(match stop.is_set() {
            true => Exit::Interrupted,
            false if report.has_failures() => Exit::Failed,
            false => Exit::Done,
        })
    }

    /// Checks before anything is played that games that begin like this one can be saved in the file, and keeps out
    /// other matches that would save theirs there.
    ///
    /// # Errors
    /// They cannot be saved, or another match is saved there.
    fn begin_save(&self, path: &Path, opening: &Game) -> Result<Option<Lock>, Failure> {
        let usage = |fault: &str| {
            let message = format!("--save {}: {fault}", path.display());
            Err(Failure::usage("usage", message))
        };
        if path.as_os_str() == "-" {
            return usage("games are saved in a file; name one");
        }
        if self.tables.are_in(path) {
            return usage("--csv names the same file; name two");
        }
        if saved::is_obf(path) {
            return usage(
                "a file of problems holds no games; end its name in .ggf, or in .txt for moves as text",
            );
        }
        let opening = saved::as_ggf(opening, ["", ""], "", None);
        if let Err(fault) = saved::Format::of(path).written(&[opening]) {
            let message = format!("--save {}: {fault}; GGF holds every game", path.display());
            return Err(Failure::usage("bad-format", message));
        }
        if let Openings::File(list) = &self.openings {
            places::check_distinct("--save", path, &[("the list of --openings", list)])?;
        }
        places::check_no_data("--save", path)?;
        places::check_file("--save", path)?;
        if places::is_replaced(path) { places::lock(path, "games") } else { Ok(None) }
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
            stop_rule: self.sprt,
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

    /// The openings of a list; none if they are drawn.
    fn listed_openings(&self) -> Result<Vec<Game>, Failure> {
        match self.random_openings {
            Some(_) => Ok(Vec::new()),
            None => self.openings.read(&self.game.setup()?.new_game()),
        }
    }

    fn all_openings(&self, listed: Vec<Game>, stop: &Stop) -> Result<Vec<Game>, Failure> {
        let start = self.game.setup()?.new_game();
        let pairs = self.games.div_ceil(2) as usize;
        let seed = self.resources.seed;
        let judge = QUICK_JUDGE.parse().expect("the name of a player");
        let evenness = |most| Evenness::new(most, &judge, &start, &self.resources, "leave --even out");
        let mut evenness = self.even.map(evenness).transpose()?;
        let wanted = |game: &Game| evenness.as_mut().is_none_or(|evenness| evenness.accepts(game, stop));
        let found = match (self.random_openings, &self.openings) {
            (Some(plies), _) => random_where(&start, plies, pairs, seed, stop, wanted),
            (None, Openings::Plies(plies)) => drawn_where(&start, *plies, pairs, seed, stop, wanted),
            (None, _) => first_where(listed, pairs, seed, stop, wanted),
        };
        if let (Some(evenness), Some(found)) = (evenness, &found) {
            evenness.check(found)?;
        }
        at_least_one(found, self.plies(), start.size())
    }

    /// Number of moves of an opening; 0 for openings from a list, which may differ.
    fn plies(&self) -> u32 {
        self.random_openings.unwrap_or(self.openings.plies())
    }
}

/// Counts the games as they end.
struct MatchProgress {
    counter: Counter,
    /// Results of the first player.
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
