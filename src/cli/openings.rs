//! `reversi openings`: makes a list of even openings.

use super::common::Output;
use super::evenness::Evenness;
use super::games::{GameOptions, ResourceOptions, at_least_one, games_in_words};
use super::print::{print_line, print_remark};
use super::progress::Counter;
use super::saved::Format;
use super::values::{data_directory, parse_player};
use super::{Exit, Failure};
use clap::Args;
use reversi_engine::Game;
use reversi_lab::arena::openings;
use reversi_rules::{Goal, Passing};
use serde_json::json;
use std::path::PathBuf;

/// Attempts for each requested opening before the search for more ends.
const ATTEMPTS: usize = 100;

/// Make a list of openings of random moves from which either side may win
///
/// Plays lines of random moves and keeps the positions that a player estimates to be near a draw, each once up to
/// symmetry: openings like those of XOT. `reversi match --openings FILE` plays them; the list of `--openings xot` was
/// made by this command. The same options give the same list, unless the judge has a time limit, or is an engine from level
/// 10 on that finds other tables.
#[derive(Args)]
#[command(after_help = "Examples:
  reversi openings --count 20 --judge engine:level=4 > /tmp/openings.txt
  reversi openings --board 6x6 --goal reversed --plies 6 --count 5")]
pub struct Openings {
    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// Number of random moves of each opening
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    /// Keep only openings within DISCS discs of a draw, rounded to whole discs
    #[arg(long, value_name = "DISCS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(..=64))]
    even: u32,
    /// Player that judges how even an opening is
    #[arg(long, value_name = "PLAYER", default_value = "engine:level=12")]
    judge: String,
    #[command(flatten)]
    game: GameOptions,
    /// Directory searched first for tables and weights
    #[arg(long, value_name = "DIR", value_parser = data_directory())]
    data: Option<PathBuf>,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Openings {
    pub fn run(self, output: Output) -> Result<Exit, Failure> {
        let stop = super::interrupt::stop_on_ctrl_c();
        let (start, judge) = (self.game.setup()?.new_game(), parse_player(&self.judge)?);
        let resources = ResourceOptions { data: self.data.clone(), ..ResourceOptions::default() };
        let mut evenness =
            Evenness::new(self.even, &judge, &start, &resources, "name another one by --judge")?;
        let counter = Counter::new(output, "openings", self.count.into(), 0);
        let wanted = |game: &Game| {
            // A judge that is stopped may not have looked at the opening.
            let is_even = evenness.accepts(game, &stop) && !stop.is_set();
            if is_even {
                counter.inc();
            }
            is_even
        };
        let count = self.count as usize;
        let attempts = count.saturating_mul(ATTEMPTS);
        let found =
            openings::random_distinct(&start, self.plies, (count, attempts), self.seed, &stop, wanted);
        drop(counter);
        let is_stopped = stop.is_set();
        if is_stopped && found.is_empty() {
            let message = "interrupted before the first opening was found";
            return Err(Failure::new(Exit::Interrupted, "interrupted", message));
        }
        if !is_stopped {
            evenness.check(&found)?;
        }
        let found = at_least_one(Some(found), self.plies, start.size())?;
        if is_stopped && found.len() < count && !output.quiet {
            print_remark(format!("interrupted; these are the first {} openings", found.len()));
        }
        print_line(if output.json {
            self.json(&start, &found).to_string()
        } else {
            self.text(&start, &found)
        });
        match is_stopped {
            true => Ok(Exit::Interrupted),
            false if found.len() < count => {
                let message = format!(
                    "only {} of {count} openings were found in {attempts} attempts; ask for fewer",
                    found.len()
                );
                Err(Failure::new(Exit::Failed, "too-few", message))
            }
            false => Ok(Exit::Done),
        }
    }

    fn text(&self, start: &Game, found: &[Game]) -> String {
        let head = format!(
            "# {} openings of {} random moves, {}, within {} disc{} of a draw in the eyes of {}, seed {}",
            found.len(),
            self.plies,
            games_in_words(start),
            self.even,
            if self.even == 1 { "" } else { "s" },
            self.judge,
            self.seed
        );
        // Other texts do not name the normal goal, but openings for it are none for the reversed one.
        let goal = match start.rules().goal {
            Goal::Normal => "% goal=normal\n",
            Goal::Reversed => "",
        };
        let rules = [goal, &Format::Text.rules_line(start), &head].concat();
        let lines = found.iter().map(Game::transcript);
        std::iter::once(rules).chain(lines).collect::<Vec<_>>().join("\n")
    }

    fn json(&self, start: &Game, found: &[Game]) -> serde_json::Value {
        json!({
            "schema": "reversi.openings/1",
            "board": start.size().to_string(),
            "first": start.first_board().to_string(),
            "goal": start.rules().goal.name(),
            "scoring": start.rules().scoring.name(),
            "passing": start.passing() == Passing::Allowed,
            "plies": self.plies,
            "even": self.even,
            "judge": self.judge,
            "seed": self.seed,
            "openings": found.iter().map(Game::transcript).collect::<Vec<_>>(),
        })
    }
}
