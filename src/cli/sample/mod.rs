//! `reversi sample`: positions with the exact score of each of their moves, for those who write engines.

mod show;

use super::choices::by_name;
use super::common::{Output, RulesOptions};
use super::contestants::named;
use super::interrupt::stop_on_ctrl_c;
use super::print::{is_unread, print_line, print_remark, print_stopped};
use super::progress::Counter;
use super::values::{data_directory, in_threads, parse_memory, parse_size, parse_threads};
use super::{Exit, Failure};
use clap::{Args, ValueEnum};
use reversi_engine::{Game, Resources};
use reversi_lab::arena::Contestant;
use reversi_lab::arena::experiments::exact_scores::ExactScorer;
use reversi_lab::arena::experiments::sample::{self, ATTEMPTS};
use reversi_rules::{Board, Geometry, Passing, Position, Start, symmetry};
use reversi_solver::search::{Stop, cost};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::slice;

/// Draw positions, each with its exact score, all its best moves and the score of every move
///
/// Each position comes from a game of its own and is reachable; the side to move has a move. No two positions are
/// equal, even turned or mirrored. The same options give the same positions in the same order, with any number of
/// threads; a larger --count only adds positions. Only games of --by may differ: those of a player with a time limit,
/// and those of an engine from level 10 on if there are other tables, from which it plays. Scores come from tables that
/// hold the position, otherwise from a search to the end of the game.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi sample --board 6x6 --empties 14 --count 1000 --seed 1 > /tmp/test.obf
  reversi sample --empties 8-12 --count 50 --format csv
  reversi sample --board 8x8 --empties 12 --count 5 --by engine:level=3 --json
  reversi solve /tmp/test.obf --check --all   # solve reads it

obf: one position per line, with each move and its score, best first, equal ones row by row.
csv: position, empties, score, best, moves, game, board, goal, scoring.
json: one object per line, with its number.")]
pub struct SampleCommand {
    /// Board size, columns x rows, up to 8x8
    #[arg(long, value_name = "SIZE", default_value = "6x6")]
    board: String,
    /// Arrangement of the first four discs
    #[arg(long, value_parser = by_name::<Start>(), default_value_t = Start::Diagonal)]
    start: Start,
    #[command(flatten)]
    rules: RulesOptions,
    /// Number of empty squares of a position, or a range, as in 8-14 [default: 14, but at least four fewer than at the
    /// start]
    #[arg(long, value_name = "N", value_parser = empties)]
    empties: Option<RangeInclusive<u32>>,
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    count: u32,
    /// Take the positions from games that this player plays against itself, with a fifth of the moves random, instead
    /// of from games of random moves
    #[arg(long, value_name = "PLAYER")]
    by: Option<String>,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Format of the positions [default: obf; json with --json]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Threads to use [default: all cores]; the positions do not depend on it
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
    /// Memory per thread, as in 512M
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = parse_memory)]
    memory: usize,
    /// Directory searched first for tables and weights
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    data: Option<PathBuf>,
}

/// The format of the positions.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    /// Problem files that Edax can read, with every move and its score
    Obf,
    /// Comma-separated values with a header line
    Csv,
    /// One JSON object per line
    Json,
}

/// Games from which positions are taken and solved at once: enough for all threads, and soon done.
const BATCH: u64 = 256;

impl SampleCommand {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let format = match (self.format, output.json) {
            (None | Some(Format::Json), true) => Format::Json,
            (Some(_), true) => {
                return Err(Failure::usage("usage", "--json writes JSON: leave --format out, or --json"));
            }
            (format, false) => format.unwrap_or(Format::Obf),
        };
        in_threads(self.threads, || self.draw(format, output))?
    }

    fn draw(&self, format: Format, output: Output) -> Result<Exit, Failure> {
        let geometry = parse_size(&self.board)?;
        let rules = self.rules.rules(geometry);
        let first = Game::new(Board::start(geometry, self.start).into(), rules, Passing::Allowed);
        let most = first.board().empty_count();
        let usual = most.saturating_sub(4).clamp(1, 14);
        let empties = self.empties.clone().unwrap_or(usual..=usual);
        if *empties.start() > most {
            let message = format!("--empties: {geometry} has at most {most} empty squares");
            return Err(Failure::usage("bad-sample", message));
        }
        let hardest = most.min(*empties.end());
        if !output.quiet && !cost::takes_seconds(geometry, hardest) {
            print_remark(format_args!(
                "reversi: searching up to {hardest} empty squares, which may take long (Ctrl-C ends it)"
            ));
        }
        let resources = Resources {
            memory_bytes: self.memory,
            threads: 1,
            data: self.data.clone(),
            ..Resources::default()
        };
        let stop = stop_on_ctrl_c();
        let Some(games) = self.games(&first, empties, &resources, &stop)? else {
            print_stopped(output, "interrupted before the first position");
            return Ok(Exit::Interrupted);
        };
        let truth = ExactScorer::new(geometry, rules, &resources)?;
        if let Some(head) = show::head(format, rules) {
            print_line(head);
        }
        let counter = Counter::new(output, "positions", self.count.into(), 0);
        let (mut written, mut seen) = (0, Seen { geometry, canonical: HashSet::new() });
        let mut next = 0;
        while written < self.count && next < self.attempts() && !stop.is_set() && !is_unread() {
            let drawn = games.at(next..next + BATCH)?;
            next += BATCH;
            let missing = (self.count - written) as usize;
            let new: Vec<Game> = drawn.into_iter().filter(|game| seen.is_new(game)).take(missing).collect();
            // After Ctrl-C the positions found are a smaller sample only up to the first missing one.
            let known = truth.of_all(new.clone(), &stop, || counter.inc())?;
            let in_order =
                new.iter().zip(&known).take_while(|(game, known)| game.moves() == known.game.moves());
            for (_, known) in in_order {
                written += 1;
                print_line(show::line(format, written, known));
            }
        }
        drop(counter);
        self.tell_how_many(written, geometry, &stop, output)
    }

    /// Maximum number of games that are begun: small boards may have fewer positions than requested.
    fn attempts(&self) -> u64 {
        (ATTEMPTS * u64::from(self.count)).max(100 * BATCH)
    }

    fn games<'a>(
        &'a self,
        first: &'a Game,
        empties: RangeInclusive<u32>,
        resources: &'a Resources,
        stop: &'a Stop,
    ) -> Result<Option<Games<'a>>, Failure> {
        let player = self.by.as_deref().map(named).transpose()?.map(|(_, player)| player);
        if let Some(player) = &player
            && !player.is_ready_for(slice::from_ref(first), resources, stop)?
        {
            return Ok(None);
        }
        Ok(Some(Games { first, player, resources, stop, empties, seed: self.seed }))
    }

    fn tell_how_many(
        &self,
        written: u32,
        geometry: Geometry,
        stop: &Stop,
        output: Output,
    ) -> Result<Exit, Failure> {
        let count = self.count;
        if stop.is_set() {
            print_stopped(output, format_args!("interrupted: {written} of {count} positions"));
            return Ok(Exit::Interrupted);
        }
        if written < count && !is_unread() {
            let message = format!(
                "on {geometry} only {written} of {count} different positions were met; ask for fewer"
            );
            return Err(Failure::new(Exit::Failed, "too-few", message));
        }
        Ok(Exit::Done)
    }
}

/// Where positions come from.
struct Games<'a> {
    first: &'a Game,
    /// The player of the games; `None` for random moves.
    player: Option<Contestant>,
    resources: &'a Resources,
    stop: &'a Stop,
    empties: RangeInclusive<u32>,
    seed: u64,
}

impl Games<'_> {
    fn at(&self, places: std::ops::Range<u64>) -> Result<Vec<Game>, Failure> {
        let Games { first, resources, stop, seed, .. } = *self;
        let empties = self.empties.clone();
        Ok(match &self.player {
            None => sample::random_games(first, empties, places, seed).collect(),
            Some(player) => sample::self_play_games(player, resources, first, empties, places, seed, stop)?,
        })
    }
}

/// The positions that have been drawn.
struct Seen {
    geometry: Geometry,
    canonical: HashSet<Position>,
}

impl Seen {
    fn is_new(&mut self, game: &Game) -> bool {
        let board = game.board().small().expect("a geometry is of at most 8x8");
        self.canonical.insert(symmetry::canonical(self.geometry, board.position()).0)
    }
}

/// Reads `14` or `8-14`.
fn empties(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse().ok().filter(|number| (1..=60).contains(number));
    let range = number(from).zip(number(to)).filter(|(from, to)| from <= to);
    let (from, to) = range.ok_or("write a number from 1 to 60, or two of them, as in 8-14")?;
    Ok(from..=to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_squares_are_read_as_one_number_or_as_two() {
        assert_eq!(empties("14"), Ok(14..=14));
        assert_eq!(empties("8-14"), Ok(8..=14));
        for bad in ["", "0", "61", "14-8", "8-", "-8", "a", "1-2-3"] {
            assert!(empties(bad).is_err(), "{bad}");
        }
    }
}
